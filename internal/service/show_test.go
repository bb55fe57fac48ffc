package service_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/service"
)

func TestShowOne(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ expr, as, want string }{
		{"true", "cpp", "true"},
		{"3", "cpp", "Int<3>{}"},
		{"(4,2)", "dsl", "(4, 2)"},
		{"(_,2)", "mlir", `!cute.coord<"(_,2)">`},
		{"let a = (4,2):(1,4); a o 2:2", "pycute", "Layout(2, 2)"},
		{"Sw<2,0,3>", "latex", `$\mathrm{Sw}\langle 2,0,3\rangle$`},
		{"Sw<2,0,3> o 0 o 8:1", "mlir", `!cute.composed_layout<"S<2,0,3> o 0 o 8:1">`},
		{"<2,_>", "cpp", "Tile<_2,Underscore>{}"},
		{"LayoutLeft", "cpp", "LayoutLeft{}"},
		{"holes(4:2)", "go", "[]int64{1, 3, 5}"},
		{"4:2", "json", `{"kind":"layout","shape":4,"stride":2,"static":true}`},
	} {
		var s service.Session
		r := s.Show(service.ShowRequest{Expr: test.expr, As: test.as})
		if !r.OK || len(r.Texts) != 1 || r.Texts[0].Name != test.as || r.Texts[0].Text != test.want {
			t.Errorf("Show(%s, %s) = %+v, want %s", test.expr, test.as, r, test.want)
		}
	}
}

func TestShowAll(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Show(service.ShowRequest{Expr: "logical_divide(3:1@0, 2:1)"})
	ds := service.Dialects()
	if !r.OK || r.Kind != "layout" || r.Value != "(2,2):(1@0,2@0)" || len(r.Notes) != 1 || len(r.Texts) != len(ds) {
		t.Fatalf("Show = %+v", r)
	}
	for i, text := range r.Texts {
		refused := text.Error != nil
		if text.Dialect != ds[i] || text.Title == "" || refused == (text.Text != "") || refused != (text.Name == "pycute") {
			t.Errorf("text %d is %+v", i, text)
		}
	}
}

// Every value of an example of the language is written in JSON, so no kind of value is forgotten.
func TestShowEveryKind(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for _, b := range eval.Builtins() {
		if b.Example == "" {
			continue
		}
		var s service.Session
		r := s.Show(service.ShowRequest{Expr: b.Example, As: "json"})
		if !r.OK || !strings.HasPrefix(r.Texts[0].Text, `{"kind":"`) || strings.Contains(r.Texts[0].Text, `"items":[]`) {
			t.Errorf("%s: %+v", b.Example, r)
			continue
		}
		kinds[r.Kind] = true
	}
	for _, k := range []eval.Kind{
		eval.KindInt, eval.KindBool, eval.KindTuple, eval.KindLayout, eval.KindComposed, eval.KindList,
	} {
		if !kinds[string(k)] {
			t.Errorf("no example has a value of kind %s", k)
		}
	}
}

func TestShowFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		expr, as, code string
		end            int
	}{
		{"(4,2", "cpp", "syntax", 4},
		{"", "cpp", "syntax", 0},
		{"4:1", "python", "name", 0},
		{"(4,2):(1,2)", "triton", "not_representable", 11},
		{"4:1@0", "pycute", "type", 5},
	} {
		var s service.Session
		r := s.Show(service.ShowRequest{Expr: test.expr, As: test.as})
		if r.OK || r.Error == nil || r.Error.Code != test.code || r.Error.End != test.end || r.Texts != nil {
			t.Errorf("Show(%s, %s) = %+v, %+v; want code %s", test.expr, test.as, r, r.Error, test.code)
		}
	}
	var s service.Session
	r := s.Show(service.ShowRequest{Expr: "(4,2):(1,2)", As: "triton"})
	if w := r.Error.Witness; w == nil || w.Index != 6 || w.Value != "4" || w.Want != "0" {
		t.Errorf("witness %+v, want index 6 with 4 and 0", w)
	}
	r = s.Show(service.ShowRequest{Expr: "4:1", As: "python"})
	for _, d := range service.Dialects() {
		if !slices.Contains(strings.FieldsFunc(r.Error.Message, func(c rune) bool { return c == ' ' || c == ',' }), d.Name) {
			t.Errorf("%q does not name %s", r.Error.Message, d.Name)
		}
	}
}
