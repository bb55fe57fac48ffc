package service_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"girih/internal/service"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	var s service.Session
	s.Eval(service.EvalRequest{Expr: "let a = 4:1"})
	src := "let b = a o rank(x):_ ?\n# end"
	var got []string
	for _, k := range s.Tokens(src) {
		got = append(got, string(k.Class)+" "+src[k.Pos:k.End])
	}
	want := []string{
		"keyword let", "name b", "operator =", "variable a", "operator o", "function rank", "bracket (", "name x", "bracket )",
		"operator :", "keyword _", "name ?", "comment # end",
	}
	if g, w := strings.Join(got, "|"), strings.Join(want, "|"); g != w {
		t.Errorf("Tokens =\n%s, want\n%s", g, w)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	var s service.Session
	s.Eval(service.EvalRequest{Expr: "let coarse = 4:1; let x = 1"})
	for _, test := range []struct {
		src   string // the text, with | at the cursor
		start int
		first string // the name of the first candidate, "" for none
	}{
		{"coal|", 0, "coalesce"},
		{"co|", 0, "coarse"},
		{"4:1 o coal|(4:1)", 6, "coalesce"},
		{"a.fla|", 2, "flat_divide"},
		{"rank(|", 5, "coarse"},
		{"|", 0, "coarse"},
		{"4:1 |", 4, "coarse"},
		{"xyzzy|", 0, ""},
		{"4|", 1, ""},
		{"# co|", 4, ""},
		{`mma("SM80_16|`, 5, "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC"},
		{`mma("SM80_16|x8, (2,2,1))`, 5, "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC"},
		{`mma("SM75_U32x4|")`, 5, ""}, // mma takes no copy instructions
		{`tiled_copy(copy_atom("SM75_U32x4|"))`, 22, "SM75_U32x4_LDSM_N"},
		{`copy_atom("SM75_U32x4_LDSM_N", "f1|")`, 32, "f16"},
		{`tv("sm75_16|", C)`, 4, "SM75_16x8x8_F16F16F16F16_TN"},
		{`mma("coal|")`, 5, ""},
		{`mma("SM80_16"|)`, 13, ""},
		{`mma("|")`, 5, "SM100_"}, // thousands of names: the candidates are their common prefixes
		{"4:1 o SM75_U32|", 6, "SM75_U32x1_LDSM_N"},
		{"SM90_64x128x16_F32F16F16_|", 0, "SM90_64x128x16_F32F16F16_RS"},
	} {
		t.Run(test.src, func(t *testing.T) {
			cursor := strings.Index(test.src, "|")
			r := s.Complete(service.CompleteRequest{Expr: strings.Replace(test.src, "|", "", 1), Cursor: cursor})
			first := ""
			if len(r.Candidates) > 0 {
				first = r.Candidates[0].Name
			}
			for _, c := range r.Candidates {
				if c.Class == service.ClassFunction && strings.Contains(test.src, `("`) {
					t.Errorf("the function %s is offered in quotation marks", c.Name)
				}
			}
			if r.Start != test.start || first != test.first {
				t.Errorf("Complete = %d, %q; want %d, %q", r.Start, first, test.start, test.first)
			}
		})
	}
	r := s.Complete(service.CompleteRequest{Expr: "compositio", Cursor: 99})
	if len(r.Candidates) != 1 || r.Candidates[0].Signature != "composition(A, B)" || r.Candidates[0].Summary == "" {
		t.Errorf("Complete(compositio) = %+v, want the signature and a summary", r)
	}
}

// A completion replaces the name at the cursor, and nothing around it.
func TestCompleteReplaces(t *testing.T) {
	t.Parallel()
	var s service.Session
	for _, test := range []struct{ src, name, want string }{
		{"4:1 o coal|esce(4:1)", "coalesce", "4:1 o coalesce(4:1)"},
		{"compos|A", "composition", "compositionA"},
		{`mma("SM80_16|`, "SM80_16x8x16_F32F16F16F32_TN", `mma("SM80_16x8x16_F32F16F16F32_TN`},
		{`mma("SM80_16|")`, "SM80_16x8x16_F32F16F16F32_TN", `mma("SM80_16x8x16_F32F16F16F32_TN")`},
		{`tiled_mma("SM80_|16x8x8_X", (2,2,1))`, "SM80_16x8x16_F32F16F16F32_TN", `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`},
		{`tiled_mma("SM80_16|, (2,2,1)); tv("A", B)`, "SM80_16x8x16_F32F16F16F32_TN", `tiled_mma("SM80_16x8x16_F32F16F16F32_TN, (2,2,1)); tv("A", B)`},
		{`copy_atom("Universal|Copy<uint8_t>", "f16")`, "UniversalCopy<uint128_t>", `copy_atom("UniversalCopy<uint128_t>", "f16")`},
		{"tv(SM80_16|x8x16_F32, C)", "SM80_16x8x16_F32F16F16F32_TN", "tv(SM80_16x8x16_F32F16F16F32_TN, C)"},
	} {
		cursor := strings.Index(test.src, "|")
		src := strings.Replace(test.src, "|", "", 1)
		r := s.Complete(service.CompleteRequest{Expr: src, Cursor: cursor})
		if !slices.ContainsFunc(r.Candidates, func(c service.Candidate) bool { return c.Name == test.name }) {
			t.Errorf("%s: %s is not offered: %+v", test.src, test.name, r.Candidates)
		}
		if got := src[:r.Start] + test.name + src[r.End:]; got != test.want {
			t.Errorf("%s: %s makes %s, want %s", test.src, test.name, got, test.want)
		}
	}
}

// blank reports whether the language treats r as a space, as it treats invisible characters of pasted text.
func blank(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }

// FuzzTokens checks that tokens are in order and leave out nothing but space.
func FuzzTokens(f *testing.F) {
	f.Add("let a = (4,\n2) ∘ ?", 3)
	f.Add("\ufeff4:\u200b1", 0)
	f.Fuzz(func(t *testing.T, src string, cursor int) {
		var s service.Session
		at := 0
		for _, k := range s.Tokens(src) {
			if k.Pos < at || k.End <= k.Pos || k.End > len(src) {
				t.Fatalf("token %+v after byte %d of %q", k, at, src)
			}
			if strings.TrimFunc(src[at:k.Pos], blank) != "" {
				t.Fatalf("the bytes %q of %q are in no token", src[at:k.Pos], src)
			}
			at = k.End
		}
		if r := s.Complete(service.CompleteRequest{Expr: src, Cursor: cursor}); r.Start < 0 || r.Start > r.End ||
			r.End > len(src) {
			t.Fatalf("completion replaces %d to %d of %q", r.Start, r.End, src)
		}
	})
}
