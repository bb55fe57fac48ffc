package service_test

import (
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
		src   string // the cursor is at |
		start int
		first string // the first candidate, "" for none
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
	} {
		t.Run(test.src, func(t *testing.T) {
			cursor := strings.Index(test.src, "|")
			r := s.Complete(service.CompleteRequest{Expr: strings.Replace(test.src, "|", "", 1), Cursor: cursor})
			first := ""
			if len(r.Candidates) > 0 {
				first = r.Candidates[0].Name
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

// blank reports whether the language takes r for a space: also what comes along unseen with pasted text.
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
		if r := s.Complete(service.CompleteRequest{Expr: src, Cursor: cursor}); r.Start < 0 || r.Start > len(src) {
			t.Fatalf("completion starts at %d of %q", r.Start, src)
		}
	})
}
