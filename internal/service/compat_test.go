package service_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

func compat(t *testing.T, expr string) service.CompatResponse {
	t.Helper()
	var s service.Session
	return s.Compat(service.CompatRequest{Expr: expr})
}

func TestCompat(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		expr, op string
		args     []string
		verdicts string // the verdicts of girih, C++ static, C++ dynamic, DSL and pycute
	}{
		{"(4,3):(1,100) o 4:3", "composition", []string{"(4,3):(1,100)", "4:3"}, "refused wrong wrong wrong refused"},
		{"compose((4,4):(4,1), (2,2):(1,5))", "composition", []string{"(4,4):(4,1)", "(2,2):(1,5)"}, "right refused wrong refused refused"},
		{"let t = 4:1; (24:1).logical_divide(t)", "logical_divide", []string{"24:1", "4:1"}, "right right right right right"},
		{"(8:1 o 4:1) o 2:1", "composition", []string{"4:1", "2:1"}, "right right right right right"},
		{"8:1 o 4:1 o 2:1", "composition", []string{"4:1", "2:1"}, "right right right right right"},
		{"( _8 : _1 o _2:_4 )", "composition", []string{"_8:_1", "_2:_4"}, "right right right right right"},
		{"logical_divide((8,32):(1,8), (_,4))", "logical_divide", []string{"(8,32):(1,8)", "<_,4>"}, "right right right right right"},
		{"complement(4:2, (4,(2,2)):(1,(4,8)))", "complement", []string{"4:2", "(4,(2,2))"}, "right right right right refused"},
		{"raked_product(8:1, 2)", "raked_product", []string{"8:1", "2"}, "right right refused right absent"},
		{"coalesce((2,3):(1,2), (1,1))", "coalesce", []string{"(2,3):(1,2)", "(1,1)"}, "right right right right right"},
		{"coalesce((2,3):(1,2), (_,None))", "coalesce", []string{"(2,3):(1,2)", "(1,1)"}, "right right right right right"},
		{"coalesce( # a comment (\n (2,3)// another\n :\n(1,2)\n)", "coalesce", []string{"(2,3):(1,2)"}, "right right right right right"},
		{"left_inverse((4,8))", "left_inverse", []string{"(4,8)"}, "right right refused right right"},
	} {
		r := compat(t, row.expr)
		if !r.OK {
			t.Errorf("%s: %+v", row.expr, r.Error)
			continue
		}
		var verdicts []string
		for _, tool := range r.Tools {
			verdicts = append(verdicts, tool.Verdict)
		}
		if got := strings.Join(verdicts, " "); r.Op != row.op || !slices.Equal(r.Args, row.args) || got != row.verdicts {
			t.Errorf("%s = %s %q: %s, want %s %q: %s", row.expr, r.Op, r.Args, got, row.op, row.args, row.verdicts)
		}
		if r.Tools[0].Verdict == "wrong" {
			t.Errorf("%s: girih is wrong", row.expr)
		}
	}
}

// TestCompatAnswers checks that the tools of a response are in a fixed order, and say where their answers are
// wrong.
func TestCompatAnswers(t *testing.T) {
	t.Parallel()
	r := compat(t, "(4,3):(1,100) o 4:3")
	var ids []string
	for _, tool := range r.Tools {
		ids = append(ids, tool.ID)
	}
	if want := []string{"girih", "cpp_static", "cpp_dynamic", "cute_dsl", "pycute"}; !slices.Equal(ids, want) {
		t.Errorf("tools %q, want %q", ids, want)
	}
	if d := r.Tools[1].At; d == nil || *d != (service.Deviation{Index: 2, Got: 100, Want: 102}) {
		t.Errorf("C++ deviates at %+v", d)
	}
	if r.NoAnswer == "" || r.Answerable || r.Tools[0].Refusal != "not_representable" {
		t.Errorf("no answer %q, answerable %t, girih %q", r.NoAnswer, r.Answerable, r.Tools[0].Refusal)
	}
	if r := compat(t, "(4,4):(4,1) o (2,2):(1,5)"); !r.Answerable || r.NoAnswer != "" {
		t.Errorf("answerable %t, no answer %q", r.Answerable, r.NoAnswer)
	}
}

func TestCompatFaults(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		expr, code, part string
		pos              int
	}{
		{"", "syntax", "expected an expression", 0},
		{"4:1 o", "syntax", "expected", 5},
		{"let a = foo(3); a o 4:1", "name", "foo", 8},
		{"coalesce(foo(3))", "name", "foo", 9},
		{"4:1 o foo(3)", "name", "foo", 6},
		{"size(4:1)", "type", "the outermost operation must be one", 0},
		{"complement_exact(4:1, 8)", "type", "the outermost operation must be one", 0},
		{"coalesce(():())", "type", "empty tuples are not modelled", 0},
		{"logical_divide(Sw<2,0,2> o 0 o (4,4):(4,1), 4:1)", "type", "not for composed layouts", 0},
		{"Sw<2,0,2> o 0 o (4,4):(4,1)", "type", "not for composed layouts", 0},
		{"(2,3):(1@0,1@1) o 2:1", "type", "coordinate strides", 0},
		{"4:1", "type", "the outermost operation must be one", 0},
		{"logical_divide[1]((3,28), 4:1)", "type", "modelled for whole operands", 0},
		{"coalesce((3,28), mode=[1])", "type", "modelled for whole operands", 0},
	} {
		r := compat(t, row.expr)
		if r.OK || r.Error == nil || r.Error.Code != row.code || !strings.Contains(r.Error.Message, row.part) ||
			r.Error.Pos != row.pos {
			t.Errorf("%q: %+v", row.expr, r.Error)
		}
	}
}

// TestCompatMarks checks that a literal operand keeps its underscores, so that C++ knows these integers at
// compile time.
func TestCompatMarks(t *testing.T) {
	t.Parallel()
	r := compat(t, "coalesce((_2,_4,6):(_1,_2,_8))")
	if got := r.Tools[2]; got.Answer != "(8,6):(1,8)" || got.Static != "(8,?):(1,8)" {
		t.Errorf("C++ dynamic: %s, known %s", got.Answer, got.Static)
	}
	if got := compat(t, "let a = (_2,_4,6):(_1,_2,_8); coalesce(a)").Tools[2]; got.Answer != "(2,4,6):(1,2,8)" ||
		got.Static != "(?,?,?):(?,?,?)" {
		t.Errorf("C++ dynamic: %s, known %s", got.Answer, got.Static)
	}
}

// A program of statements is compared by its last operation.
func TestCompatOfProgram(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"auto a = Layout<Shape<_4,_2>>{}; coalesce(a)":                                  "coalesce((4,2):(1,4))",
		"A = (6,2):(8,2); A o (4,3):(3,1)":                                              "composition((6,2):(8,2), (4,3):(3,1))",
		"A = cute.make_layout((4,3), stride=(1,100))\ncute.composition(A, 4)\nx = A(1)": "composition((4,3):(1,100), 4)",
	} {
		var s service.Session
		if r := s.Compat(service.CompatRequest{Expr: src}); !r.OK || r.Expr != want {
			t.Errorf("%s: %q, %+v, want %q", src, r.Expr, r.Error, want)
		}
	}
}
