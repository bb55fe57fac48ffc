package service

import (
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/check/long"
	"girih/internal/lang/eval"
)

// TestExplainBuiltins explains the example of every function: the explanation's result is the value, a rule is
// given, and no line is wider than the limit.
func TestExplainBuiltins(t *testing.T) {
	t.Parallel()
	for _, b := range eval.Builtins() {
		var s Session
		r := s.Explain(ExplainRequest{Expr: b.Example})
		if !r.OK || len(r.Explanations) == 0 || r.Value != b.Output {
			t.Errorf("%s: ok %v, %d explanations, value %s, error %v", b.Example, r.OK, len(r.Explanations), r.Value, r.Error)
			continue
		}
		x := r.Explanations[len(r.Explanations)-1]
		if x.Result != b.Output || x.Rule == "" || x.Failure != nil {
			t.Errorf("%s: result %s, want %s; rule %q", b.Example, x.Result, b.Output, x.Rule)
		}
		wantShort(t, r.Text(100))
		if same := s.Eval(EvalRequest{Expr: x.Expr}); same.Value != x.Result {
			t.Errorf("%s is explained as %s, which is %s %+v", b.Example, x.Expr, same.Value, same.Error)
		}
	}
}

// wantShort reports lines of work that are wider than a terminal.
func wantShort(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := len([]rune(line)); n > 140 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
}

// A line that ends with a colon is followed by something.
func TestExplainColons(t *testing.T) {
	t.Parallel()
	exprs := []string{
		"shape((M,N):(1,M))", "min(M,N)", "product((M,N))", "M + N", "floor(M/4)", "rank((M,N):(1,M))", "(M,8):(1,100) o 4:2",
	}
	for _, b := range eval.Builtins() {
		exprs = append(exprs, b.Example)
	}
	for _, expr := range exprs {
		var s Session
		for _, x := range s.Explain(ExplainRequest{Expr: expr}).Explanations {
			if n := len(x.Steps); n > 0 && len(x.Steps[n-1].Lines) == 0 && strings.HasSuffix(x.Steps[n-1].Say, ":") {
				t.Errorf("%s: the last step is %q", expr, x.Steps[n-1].Say)
			}
		}
	}
}

func TestExplainErrors(t *testing.T) {
	t.Parallel()
	exprs := []string{
		"(6,2):(1,7) o (3,2):(2,3)", "(4,6,8):(2,3,5) o 6:3", "complement((2,2):(1,3), 24)", "complement_exact(4:2, 15)",
		"inverse((2,3):(3,2))", "left_inverse((2,2):(1,1))", "upcast<4>((6,4):(1,8))", "logical_divide_exact(9:1, 4)",
		"logical_product((4,5):(30,1), (2,4):(1,2))", "logical_product((2,2):(1,1), 4:1)", "(4,4):(1,8) o 5:3",
		"tiled_divide((8,8,32):(12,59,1), 8:7)", "logical_divide((5,8):(6,0), (6,7):(1,18))", "zipped_product((8,16):(59,2), 9:3)",
		"blocked_product((8,2,6):(3,24,144), 12:64)", "tiled_divide((10,6,6):(16,5,1), (1,1,8,16):(1,3,4,64))",
	}
	for _, c := range cute.Codes() {
		exprs = append(exprs, c.Example)
	}
	explained := 0
	for _, expr := range exprs {
		var s Session
		r := s.Explain(ExplainRequest{Expr: expr})
		if r.Error == nil {
			t.Errorf("%s: no error", expr)
			continue
		}
		if !r.OK {
			continue // the expression applies no operation
		}
		explained++
		x := r.Explanations[len(r.Explanations)-1]
		if x.Failure == nil || x.Failure.Code != r.Error.Code || x.Failure.Condition == "" || x.Result != "" {
			t.Errorf("%s: %+v", expr, x.Failure)
		}
		wantShort(t, r.Text(100))
		for _, a := range x.Instead {
			v := s.Eval(EvalRequest{Expr: a.Expr})
			if a.Expr != "" && (!v.OK || a.Result != "" && v.Value != a.Result) {
				t.Errorf("%s: instead %s, said to be %s, is %s %v", expr, a.Expr, a.Result, v.Value, v.Error)
			}
		}
	}
	if explained < 20 {
		t.Errorf("only %d failures explained", explained)
	}
}

// TestExplainPrograms checks which operations of a program are explained.
func TestExplainPrograms(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"coalesce((2,2):(1,2) o 4:1)":          "composition coalesce",
		"coalesce(coalesce(8:1))":              "coalesce",
		"(4,8):(8,1)":                          "layout",
		"let A = 8:2; A(3)":                    "eval",
		"size(4:1) + 2*3":                      "size +",
		"zipped_divide((8,8):(1,8), (2+2, 4))": "zipped_divide",
		"size((3,3):(0,1) o 4:2)":              "composition",
		"complement(4:1, M)":                   "complement",
		"let A = coalesce((2,2):(1,2)); 8:1":   "coalesce layout",
		"ceil(100/64)":                         "ceil",
	} {
		var s Session
		r := s.Explain(ExplainRequest{Expr: expr})
		var got []string
		for _, x := range r.Explanations {
			got = append(got, x.Op)
			if x.Rule == "" {
				t.Errorf("%s: no rule", x.Expr)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s explains %v, want %s (%v)", expr, got, want, r.Error)
		}
	}
}

// TestExplainNothing checks programs without a value, and failures not caused by an operation.
func TestExplainNothing(t *testing.T) {
	t.Parallel()
	for expr, code := range map[string]cute.Code{
		"": cute.CodeSyntax, "# nothing": cute.CodeSyntax, "(4,": cute.CodeSyntax, "nosuch(4)": cute.CodeName,
		"(0,4):(1,1)": cute.CodeExtent, "coalesce()": cute.CodeRank,
	} {
		var s Session
		if r := s.Explain(ExplainRequest{Expr: expr}); r.OK || r.Error == nil || r.Error.Code != string(code) {
			t.Errorf("%q: ok %v, error %v", expr, r.OK, r.Error)
		}
	}
}

// TestExplainTop asks for the last operation only.
func TestExplainTop(t *testing.T) {
	t.Parallel()
	var s Session
	r := s.Explain(ExplainRequest{Expr: "size(coalesce((2,2):(1,2) o 4:1))", Top: true})
	if len(r.Explanations) != 1 || r.Explanations[0].Op != "size" {
		t.Errorf("explains %v", r.Explanations)
	}
}

// TestExplainEnds explains operations on 2^40 elements. The test ends only because nothing visits each
// element.
func TestExplainEnds(t *testing.T) {
	long.Alone(t)
	for _, expr := range []string{
		"(1048576,1048576):(1,1048576) o (1024,1024):(1024,1)", "right_inverse((1048576,1048576):(1048576,1))",
		"zipped_divide((1048576,1048576):(1,1048576), <128,64>)", "left_inverse((1048576,1048576):(1,2097152))",
		"complement((1024,1024):(1,4096), 1073741824)", "is_bijective((1048576,1048576):(1,1048577))",
		"is_injective((1048576,1048576):(1,3))", "blocked_product((1024,1024):(1,1024), (1024,1024))", "holes(1048576:2)",
		"image(262144:1)", "max_common_vector((1048576,1048576):(1,1048576), (1048576,1048576):(1,1048576))",
		"((1048576,1048576):(1,1048577)) o 1099511627776:1", "tile_to_shape(Sw<3,4,3> o 0 o (8,64):(64,1), (65536,65536))",
	} {
		var s Session
		if r := s.Explain(ExplainRequest{Expr: expr, Top: true}); len(r.Explanations) == 0 {
			t.Errorf("%s is not explained: %v", expr, r.Error)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	for _, f := range eval.Builtins() {
		b.Run(f.Name, func(b *testing.B) {
			var s Session
			for b.Loop() {
				s.Explain(ExplainRequest{Expr: f.Example})
			}
		})
	}
}

// The explanation of a failed operation includes its operands and its place in the program.
func TestExplainFailed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, operands, place string }{
		{"composition((6,2):(1,7),(3,2):(2,3))", "(6,2):(1,7) (3,2):(2,3)", "composition((6,2):(1,7),(3,2):(2,3))"},
		{"let a = (6,2):(1,7); size(a o (3,2):(2,3))", "(6,2):(1,7) (3,2):(2,3)", "a o (3,2):(2,3)"},
		{"(6,2):(1,7) o (3,2):(2,3) o 2:1", "(6,2):(1,7) (3,2):(2,3)", "(6,2):(1,7) o (3,2):(2,3)"},
		{"complement((4,2):(1,1), 24)", "(4,2):(1,1) 24", "complement((4,2):(1,1), 24)"},
		{"coalesce(4:1)", "", ""},
		{"(4,", "", ""},
	} {
		r := new(Session).Explain(ExplainRequest{Expr: c.expr, Top: true})
		if c.place == "" {
			if r.Failed != nil {
				t.Errorf("%s: failed is %+v", c.expr, r.Failed)
			}
			continue
		}
		if r.Failed == nil {
			t.Errorf("%s: nothing failed: %+v", c.expr, r)
			continue
		}
		if got := c.expr[r.Failed.Pos:r.Failed.End]; strings.Join(r.Failed.Operands, " ") != c.operands || got != c.place {
			t.Errorf("%s: failed is %q of %q", c.expr, got, r.Failed.Operands)
		}
	}
}

// An integer that is not an extent cannot be a tile, by itself or in a shape or a tile: the error is explained, in
// finite time.
func TestExplainNoExtent(t *testing.T) {
	t.Parallel()
	for _, op := range []string{
		"logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product", "composition",
	} {
		for _, tiler := range []string{"0", "-1", "(0)", "((0))", "<0>", "<2,0>", "<(0,2)>", "-4611686018427387903"} {
			for _, a := range []string{"2:1", "(2):(1)", "(2,3):(1,2)", "Sw<1,0,1> o 0 o 4:1"} {
				expr := op + "(" + a + ", " + tiler + ")"
				r := new(Session).Explain(ExplainRequest{Expr: expr})
				if r.Error == nil {
					t.Errorf("%s has a value: %s", expr, r.Value)
				}
			}
		}
	}
}

// A step of a failed operation has no picture if the operands do not fit the picture.
func TestExplainNoFigure(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{
		"complement_exact(1000000007:-2, 3037000500:0)", "complement(4:-2, 8:0)", "logical_divide(4:-1, Sw<1,0,1> o 0 o 4:1)",
		"logical_product((4,4):(4,3), Sw<1,0,1> o 0 o 4:1)", "tile_to_shape((4,4):(4,3), (5,5):(1,5))", "4:-1 o (Sw<1,0,1> o 0 o 4:1)",
	} {
		for _, as := range []string{"", "complement", "divide", "product", "composition", "slice"} {
			r := new(Session).Draw(DrawRequest{Expr: expr, As: as, Format: "txt"})
			if r.OK == (r.Error != nil) {
				t.Errorf("draw %s as %q: %+v", expr, as, r)
			}
		}
		r := new(Session).Explain(ExplainRequest{Expr: expr, Figures: "txt"})
		if r.Error == nil && !r.OK {
			t.Errorf("explain %s: %+v", expr, r)
		}
	}
}

// Operands of the wrong kind are refused before any step, with the same hint as evaluation gives.
func TestExplainRefusesKindsFirst(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"complement(4:2, 8:3)", "complement((4,8):(8,1), (2,3):(2,4))"} {
		var s Session
		r := s.Explain(ExplainRequest{Expr: expr})
		e := s.Eval(EvalRequest{Expr: expr}).Error
		if e == nil {
			t.Fatalf("%s has a value", expr)
		}
		want := e.Hint
		if len(r.Explanations) != 1 {
			t.Fatalf("%s: %d explanations", expr, len(r.Explanations))
		}
		x := r.Explanations[0]
		if len(x.Steps) != 0 || x.Failure == nil || x.Failure.Code != "type" || want == "" || x.Failure.Hint != want ||
			!strings.Contains(x.Text(80), "  hint    ") {
			t.Errorf("%s: %+v, want the hint %q and no steps", expr, x, want)
		}
	}
}
