package service

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"girih/internal/check/gen"
	"girih/internal/lang/reader"
)

// TestShownTextsReadBack checks that girih read reads what girih show writes.
func TestShownTextsReadBack(t *testing.T) {
	t.Parallel()
	expr := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			return gen.MultiAxis().Draw(t, "layout").String()
		case 1:
			return "Sw<3,4,3> o 0 o " + gen.NonNegativeLayouts().Draw(t, "layout").String()
		case 2:
			return rapid.SampledFrom([]string{
				"(M,K):(K,1)", "((M,4),(2,K{div=8})):((1,M),(8M,64))", "(?,8):(8,1)", "(?{div=8},?{i64 div=4}):(1,?)", "(2,N{>=1,<=4096}):(N,1)",
				"(M,8):(8M@0,-K@1)", "((M,ceil_div(M,128)),K/64):((1,M),M*K)", "(M%4,(M+1)/(8*T)):(1,M-3*N+1)", "<M:1,_,(2,num_rows)>",
				"Sw<2,0,-3> o M o (2,N):(N,1)", "(E,is,num_rows):(1,is,x)", "(2,min(M,8)):(1,M)", "(2,?{div=8}):(?@0,?{i64}@1)",
			}).Draw(t, "dynamic")
		case 3:
			return gen.Shapes(64).Draw(t, "shape").String()
		case 4:
			return "<4:1,(2,8):(8,1),_>"
		case 5:
			return gen.ComposedLayouts().Draw(t, "chain").String()
		}
		return gen.Layouts().Draw(t, "layout").String()
	})
	for _, dialect := range []string{"cpp", "dsl", "mlir", "pycute", "json", "latex", "go"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				src := expr.Draw(t, "expr")
				var s Session
				r := s.Show(ShowRequest{Expr: src, As: dialect})
				if !r.OK {
					return // the dialect cannot express the value
				}
				text := r.Texts[0].Text
				read := reader.Read(text)
				if len(read.Items) != 1 {
					t.Fatalf("%s is %s, in which %d values are found: %+v", src, text, len(read.Items), read.Items)
				}
				var again Session
				v := again.Eval(EvalRequest{Expr: read.Items[0].Text})
				want, got := r.Value, v.Value
				switch dialect {
				case "mlir": // the types of MLIR contain no names
					want, got = withoutFacts(static(t, src)), withoutFacts(static(t, read.Items[0].Text))
				case "latex": // mathematics has no notation for a divisor of an integer without a name
					want = withoutFacts(want)
				}
				if !v.OK || got != want {
					t.Fatalf("%s is %s, which reads back as %s (%s)", src, text, read.Items[0].Text, v.Value)
				}
			})
		})
	}
}

// withoutFacts drops the facts about integers without a name: a type keeps the fact that 8M is a multiple of 8, but
// not the name.
func withoutFacts(text string) string { return braces.ReplaceAllString(text, "") }

var braces = regexp.MustCompile(`\{[^}]*\}`)

// static returns the value as a compiler sees it, with ? for all run-time integers.
func static(t *rapid.T, src string) string {
	var s Session
	r := s.Eval(EvalRequest{Expr: src})
	if !r.OK {
		t.Fatalf("%s: %s", src, r.Error.Message)
	}
	if r.Static != "" {
		return r.Static
	}
	return r.Value
}
