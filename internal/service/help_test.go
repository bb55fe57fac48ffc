package service_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	r := service.Help(service.HelpRequest{Name: "cute::composition"})
	if !r.OK || r.Function.Name != "composition" {
		t.Fatalf("Help(cute::composition) = %+v", r)
	}
	if got, want := r.Function.Signature(), "composition(A, B)"; got != want {
		t.Errorf("Signature() = %q, want %q", got, want)
	}
	if want := "\nOn one mode: composition[1](A, B)\n"; !strings.Contains(r.Function.Text(80), want) {
		t.Errorf("the help of composition is %q, want %q in it", r.Function.Text(80), want)
	}
	if alias := service.Help(service.HelpRequest{Name: r.Function.Aliases[0]}); !alias.OK || alias.Function.Name != "composition" {
		t.Errorf("Help(%s) = %+v, want composition", r.Function.Aliases[0], alias)
	}
}

func TestHelpSuggests(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"colaesce":     "coalesce",
		"LogicalDivid": "logical_divide",
		"divide":       "zipped_divide",
		"complment":    "complement",
	} {
		r := service.Help(service.HelpRequest{Name: name})
		if r.OK || !slices.Contains(r.Suggestions, want) {
			t.Errorf("Help(%s) = %+v, want the suggestion %s", name, r, want)
		}
	}
	for _, name := range []string{"xyzzyx", strings.Repeat("q", 1000)} {
		if r := service.Help(service.HelpRequest{Name: name}); r.OK || len(r.Suggestions) > 0 {
			t.Errorf("Help(%.20q) = %+v, want nothing", name, r)
		}
	}
}

// Help knows topics that are not functions; a name of both a topic and a function selects the function.
func TestHelpTopics(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "zipped_divide", "errors": "not_congruent", "Divide and Product": "zipped_divide(L, tiler)", "sw": "Sw<B,M,S>",
		" o ": "A o B", "_": "slices",
		"(4,2):(1,4)": "shape:stride", "Sw<3,3,3> o 0 o 8:1": "composed layout", "4:1 o 2:1": "A o B", "<4,2>": "tiler",
		"let a = 1; a": "let NAME",
		"K{div=8}":     "run-time integer", "limit": "needs more elements", "SM75_U32x4_LDSM_N": "ldmatrix", "e4m3": "8 bits",
		"gfx942": "target", "ldmatrix": "st.64",
		"blocked{order=[1,0]}": "encoding", "linear{register=[[1]]}": "linear layout", "shape": "Returns the shape",
		"layout": "shape:stride is a layout", "cute.size(L)": "size(x)",
	} {
		if r := service.Help(service.HelpRequest{Name: name}); !r.OK || !strings.Contains(r.Text(100), want) {
			t.Errorf("Help(%q) = %s, %+v, want %q", name, r.Text(100), r.Error, want)
		}
	}
	for _, name := range []string{
		"(4,", strings.Repeat("(4,2):(1,4) o ", 1000) + "4:1", strings.Repeat("(", 300), "\x00", "a b",
	} {
		if r := service.Help(service.HelpRequest{Name: name}); r.OK || r.Error == nil || r.Text(80) != "" {
			t.Errorf("Help(%.40q) = %+v, want an error", name, r)
		}
	}
}

// TestReference evaluates the example of every function, through the service.
func TestReference(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, g := range service.Reference() {
		if g.Name == "" || len(g.Functions) == 0 {
			t.Errorf("group %q has %d functions", g.Name, len(g.Functions))
		}
		for _, f := range g.Functions {
			if names[f.Name] || f.Group != g.Name {
				t.Errorf("%s stands twice, or under %q in group %q", f.Name, f.Group, g.Name)
			}
			names[f.Name] = true
			if s := f.Summary(); !strings.HasSuffix(s, ".") || strings.Contains(s, "\n") {
				t.Errorf("the summary of %s is not a sentence: %q", f.Name, s)
			}
			var s service.Session
			if r := s.Eval(service.EvalRequest{Expr: f.Example}); r.Value != f.Output {
				t.Errorf("%s: %s = %q %v, want %q", f.Name, f.Example, r.Value, r.Error, f.Output)
			}
		}
	}
	if !names["composition"] || !names["zipped_divide"] {
		t.Errorf("composition or zipped_divide is missing")
	}
}

func TestErrorCodesExamples(t *testing.T) {
	t.Parallel()
	for _, c := range service.ErrorCodes() {
		var s service.Session
		r := s.Eval(service.EvalRequest{Expr: c.Example})
		if r.OK || r.Error.Code != c.Code {
			t.Errorf("%q gives %+v, want the code %s", c.Example, r, c.Code)
		}
	}
}

func TestFunctionText(t *testing.T) {
	t.Parallel()
	f := service.Function{
		Name: "f", Params: "A, B?", Doc: "Returns one two three. And more.", Example: "f(1)", Output: "2",
		Aliases: []string{"g", "h"},
	}
	want := "f(A, B?)\n  Returns one\n  two three.\n  And more.\n\nExample:\n  f(1)\n  2\n\nAlso called: g,\n  h\n"
	if got := f.Text(15); got != want {
		t.Errorf("Text(15) =\n%s, want\n%s", got, want)
	}
	if got, want := f.Summary(), "Returns one two three."; got != want {
		t.Errorf("Summary() = %q, want %q", got, want)
	}
}
