package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// TestEquations solves equations of layouts, as people write them and as functions.
func TestEquations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want, note string }{
		{"(4,8):(8,1) o X = (8,4):(1,8)", "(8,4):(4,1)", "it is the only solution"},
		{"let A = (4,2):(1,2); A o Y = 4:2", "(2,2):(2,8)", "other solutions are (2,2):(4,6), 4:4"},
		{"let X = (4,4):(0,1) o X = 4:1; X", "4:4", ""},
		{"4:2 o X = 8:2", "8:1", "beyond the 4 elements of 4:2"},
		{"4:2 o X = 4:3", "not_representable", "at index 1, coordinate 1, the right side is 3, which is no value of 4:2"},
		{"X o (4,8):(8,1) = (4,8):(1,4)", "(8,4):(4,1)", "the only solution with 32 elements"},
		{"X o (2,3):(1,4) = (2,3):(5,1)", "(4,3):(5,1)", "nothing about the values at 6 of the 12 indices"},
		{"X o (4,2):(0,1) = (4,2):(1,4)", "not_representable", "at the indices 0 and 1 the inner offsets are 0 and 0"},
		{"X o (2,2):(2,3) = 4:1", "(2,3):(1,1)", ""},
		{"2:3 o 4:1 o X = (2,2):(6,3)", "(2,2):(2,1)", ""},
		{"X o 4:2 o 2:1 = 2:6", "3:3", "at 1 of the 3 indices"},
		{"A o X = 4:1", "name", "found A and X without values"},
		{"4:1 o 4:1 = 4:1", "name", "found none"},
		{"4:1 o X o 4:1 = 4:1", "type", "first or last"},
		{"(Sw<3,0,3> o 0 o (8,8):(8,1)) o X = (8,8):(8,1)", "Sw<3,0,-3> o 0 o 64:1", "the only solution"},
		{"(8,8):(F2(9),F2(1)) o X = (8,8):(F2(1),F2(9))", "(8,8):(8,1)", "the only solution"},
		{"solve_inner(matrix{rows=[[1,1,0],[0,1,0]]}, matrix{rows=[[1,0],[0,1]]})", "matrix{rows=[[1,1],[0,1],[0,0]]}", "2^1 inputs"},
		{"solve_inner(matrix{rows=[[1,1],[1,1]]}, matrix{rows=[[1,0],[0,1]]})", "not_representable", "outside"},
		{"solve_outer(matrix{rows=[[1,0],[0,1],[1,1]]}, matrix{rows=[[0,1],[1,1]]})", "matrix{rows=[[0,1,0],[1,1,0]]}", "span 2^2 of the 2^3"},
		{"solve_outer(matrix{rows=[[1,1],[1,1]]}, matrix{rows=[[1,0],[0,1]]})", "not_representable", "the input 0x3 is mapped to 0"},
		{"solve_outer(linear{r=[[1],[2]], out=[x:4]}, linear{r=[[2],[1]], out=[y:4]})", "linear{x=[[2],[1]], out=[y:4]}", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(c.src)
		got, notes := "", ""
		if err != nil {
			fault, _ := errors.AsType[*cute.Error](err)
			got, notes = string(fault.Code), fault.Msg
		} else {
			last := rs[len(rs)-1]
			got, notes = last.Value.String(), strings.Join(last.Notes, "\n")
		}
		if got != c.want || !strings.Contains(notes, c.note) {
			t.Errorf("%s: %s, %q, want %s and %q", c.src, got, notes, c.want, c.note)
		}
	}
}

// Solutions over F2 satisfy their equations.
func TestEquationsOverF2(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"let A = Sw<3,0,3> o 0 o (8,8):(8,1); let X = solve_inner(A, (8,8):(1,8)); equivalent(A o X, (8,8):(1,8))",
		"let A = Sw<2,1,3> o 0 o (8,8):(8,1); let X = solve_outer(A, (8,8):(1,8)); equivalent(X o A, (8,8):(1,8))",
		"let A = (8,8):(F2(9),F2(1)); let X = solve_outer(A, (8,8):(F2(5),F2(8))); equivalent(X o A, (8,8):(F2(5),F2(8)))",
	} {
		r, err := eval.Eval(src)
		if err != nil || r.Value.String() != "true" {
			t.Errorf("%s: %v, %v", src, r.Value, err)
		}
	}
}
