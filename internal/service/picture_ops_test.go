package service

import (
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/eval"
)

// The test draws every figure named in the explanation of a documented example.
func TestFiguresAreDrawn(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	kinds := map[string]bool{}
	for _, b := range eval.Builtins() {
		r := new(Session).Explain(ExplainRequest{Expr: b.Example})
		for _, x := range r.Explanations {
			for _, step := range x.Steps {
				if step.Figure == nil {
					continue
				}
				kinds[step.Figure.Kind] = true
				d := new(Session).Draw(DrawRequest{Expr: step.Figure.Expr, As: step.Figure.Kind})
				if !d.OK {
					t.Errorf("%s: the figure %+v: %+v", b.Example, *step.Figure, d.Error)
				}
			}
		}
	}
	for _, k := range []string{"composition", "divide", "product", "complement", "inverse", "copy", "mma", "layout"} {
		if !kinds[k] {
			t.Errorf("no example has a figure of kind %s", k)
		}
	}
}

// Refused operations are drawn if the picture says more than the error; other errors stay errors.
func TestOpPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, as, want string }{
		{"(4,6,8):(2,3,5) o (6,12):(1,6)", "composition", "Framed is the first cell"},
		{"(4,4) o (2,2)", "composition", "12 cells of A are not picked"},
		{"complement((2,3):(2,3), 24)", "complement", "not_complementable"},
		{"complement((2,2):(1,6))", "complement", "each integer once"},
		{"inverse((4,2):(2,2))", "inverse", "Marked: 3 values"},
		{"let a = (4,4):(4,1); a(_,2)", "slice", "4 of 16"},
		{"composition(Sw<2,0,2> o 0 o (4,4):(4,1), (2,4):(1,4))", "composition", ""},
		{"zipped_divide(Sw<2,0,2> o 0 o (4,4):(4,1), <2,2>)", "divide", "4 tiles"},
		{"tile_to_shape((4,4):(4,1), (8,12), (1,0))", "product", "6 copies"},
		{"blocked_product((2,2):(2,1), (2,2))", "product", "4 copies"},
		{"(4,4):(4,1) == (4,4):(1,4)", "compare", "first 1"},
		{"coalesce(((2,4),(2,2)):((1,2),(8,16)), (1,1))", "coalesce", "4 modes are merged"},
	} {
		r := new(Session).Draw(DrawRequest{Expr: c.expr, As: c.as})
		if !r.OK || !strings.Contains(r.Desc, c.want) {
			t.Errorf("%s as %s: %q, %+v; want %q", c.expr, c.as, r.Desc, r.Error, c.want)
		}
	}
	for _, c := range []struct{ expr, as, want string }{
		{"(4,4):(4,1)", "composition", "which is not an operation"},
		{"coalesce(4:1)", "divide", "found coalesce"},
		{"zipped_divide((4,4):(4,1), <2,2,2>)", "divide", "rank"},
		{"1 == 2", "compare", "operand"},
		{"complement(4:1, 99999)", "complement", "at most 1024"},
	} {
		r := new(Session).Draw(DrawRequest{Expr: c.expr, As: c.as})
		if r.OK || r.Error == nil || !strings.Contains(r.Error.Message+r.Error.Code, c.want) {
			t.Errorf("%s as %s: %+v, want an error with %q", c.expr, c.as, r.Error, c.want)
		}
	}
}
