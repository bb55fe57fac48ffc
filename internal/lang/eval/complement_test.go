package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// evalLast evaluates src in a new environment.
func evalLast(src string) (eval.Result, error) {
	var env eval.Env
	rs, err := env.Eval(src)
	if err != nil || len(rs) == 0 {
		return eval.Result{}, err
	}
	return rs[len(rs)-1], nil
}

// The test checks for a note if a complement covers more or fewer offsets than requested, or if CuTe's modes differ.
func TestComplementNotes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ src, want, note string }{
		{"complement(3:1,(2,18))", "12:3", "CuTe rounds (2,18) up mode by mode: 9:3, which with 3:1 covers 27 offsets, 36 asked for"},
		{"complement_exact(3:1,(2,18))", "12:3", ""},
		{"complement(6:1,(5,5))", "5:6", "would cover 30; CuTe rounds (5,5) up mode by mode: 3:6, which with 6:1 covers 18 offsets, 25 asked for"},
		{"complement(2:1,(5,6))", "15:2", "18:2, which with 2:1 covers 36 offsets, 30 asked for"},
		{"complement((2,3):(0,1),(2,18))", "12:3", "9:3, which with (2,3):(0,1) covers 27 offsets, 36 asked for"},
		{"complement(64:1,(32,4,4))", "8:64", ""},
		{"complement(3:1@0,((2,18),4))", "(12,4):(3@0,1@1)", ""},
		{"complement(3:1,(M,N))", "ceil(M*N/3):3", "CuTe rounds (M,N) up mode by mode: ceil(M/3)*ceil(N/ceil(3/M)):3, which may cover less than its size, or more"},
		{"complement(4:1,(M{div=4},N))", "M*N/4:4", ""},
		{"complement(4:2,(4,4):(1,4))", "(2,2):(1,8)", ""},
		{"weak_complement((4,2):(1,10),40)", "(2,2):(4,20)", "has no complement"},
		{"weak_complement((4,2):(1,11))", "2:4", "has no complement"},
		{"weak_complement(4:2,16)", "(2,2):(1,8)", ""},
		{"ceil_div((5,5),6:1)", "5", ""},
		{"ceil_div((5,6),2:1)", "18", ""},
		{"zipped_divide((9,(2,4)):(1,(9,20)),<3,_>)", "((3,1),(3,(2,4))):((1,0),(3,(9,20)))", "CuTe takes a mode of rank 2"},
		{"zipped_divide((9,(2,2,2)):(1,(9,20,50)),<3,_>)", "((3,1),(3,(2,2,2))):((1,0),(3,(9,20,50)))", ""},
		{"zipped_divide((9,(M,4)):(1,(9,N)),<3,_>)", "((3,1),(3,(M,4))):((1,0),(3,(9,N)))", ""},
		{"logical_divide((5,5):(1,10),2:3)", "(2,(3,5)):(3,(1,10))", "padded 25 to 30 elements: real where (2,(3,5)):(3@0,(1@0,1@1)) < (5,5)"},
		{"upcast<2>((8,1):(1,9))", "(4,1):(1,0)", ""},
		{"recast_layout<16,8>((8,1):(1,9))", "(4,1):(1,0)", ""},
		{"recast_layout(24:1,1,8)", "3:1", ""},
		{"recast_layout((M{div=2},1):(1,9),8,16)", "(M/2,1):(1,0)", ""},
		{"upcast<2>((M{div=2},N):(1,9))", "(M/2,N):(1,0)", "valid only if N == 1"},
		{"upcast<2>(M{div=2}:-1)", "M/2:-1", ""},
	} {
		r, err := evalLast(test.src)
		if err != nil {
			t.Errorf("Eval(%q): %v", test.src, err)
			continue
		}
		var notes []string
		for _, n := range r.Notes {
			if !strings.HasPrefix(n, "at trace time") {
				notes = append(notes, n)
			}
		}
		all := strings.Join(notes, "; ")
		if r.Value.String() != test.want || !strings.Contains(all, test.note) || (test.note == "") != (all == "") {
			t.Errorf("Eval(%q) = %s with %q, want %s with %q", test.src, r.Value, all, test.want, test.note)
		}
	}
}

// The test checks the hints on what to write: a layout cannot be a cotarget, and a layout without a complement may have
// a weak complement.
func TestComplementHints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src  string
		code cute.Code
		hint string
	}{
		{"complement(8:1, 4:2)", cute.CodeType, "complement(4:2, 8)"},
		{"complement(4:2, 8:3)", cute.CodeType, "complement(4:2, 8)"},
		{"complement(M:2, 8:3)", cute.CodeType, "complement(M:2, 8)"},
		{"complement((4,2):(1,10), 40)", cute.CodeNotComplementable, "weak_complement((4,2):(1,10)) is 2:4"},
		{"complement((2,2):(2,3), 24)", cute.CodeNotComplementable, ""},
		{"weak_complement((2,2):(2,3), 24)", cute.CodeNotComplementable, ""},
		{"complement_exact(6:1, (5,5))", cute.CodeNotDivisible, ""},
		{"weak_complement((M,4):(1,M))", cute.CodeUnknown, "let M = 8"},
		{"upcast<2>((8,2):(1,9))", cute.CodeNotDivisible, ""},
	} {
		_, err := evalLast(test.src)
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != test.code || !strings.Contains(e.Hint, test.hint) || (test.hint == "") != (e.Hint == "") {
			t.Errorf("Eval(%q): %v, want %s with the hint %q", test.src, err, test.code, test.hint)
		}
	}
}

// The shape may come first, as in papers: the operands are exchanged, with a note. The trace has the operands as they
// are read.
func TestComplementOfPapers(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"complement(8, 4:2)":                "complement(4:2, 8)",
		"complement(24, (2,2):(1,6))":       "complement((2,2):(1,6), 24)",
		"complement((4,6), (2,2):(1,6))":    "complement((2,2):(1,6), (4,6))",
		"complement_exact(16, 4:2)":         "complement_exact(4:2, 16)",
		"weak_complement(40, (4,2):(1,10))": "weak_complement((4,2):(1,10), 40)",
		"complement(8, M:2)":                "complement(M:2, 8)",
	} {
		var env eval.Env
		var traced []eval.Application
		env.Trace(func(a eval.Application) { traced = append(traced, a) })
		got, err := env.Eval(src)
		expect, other := evalLast(want)
		if (err == nil) != (other == nil) {
			t.Errorf("%s: %v, %v", src, err, other)
			continue
		}
		if err != nil {
			if err.Error() != other.Error() {
				t.Errorf("%s: %v, want %v", src, err, other)
			}
			continue
		}
		notes := strings.Join(got[0].Notes, "; ")
		if got[0].Value.String() != expect.Value.String() || !strings.Contains(notes, "read as "+want) {
			t.Errorf("%s = %v with %q, want %v", src, got[0].Value, notes, expect.Value)
		}
		if last := traced[len(traced)-1]; last.Args[0].Kind() != eval.KindLayout {
			t.Errorf("%s: the trace has %v", src, last.Args)
		}
	}
}
