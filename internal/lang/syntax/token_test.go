package syntax

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{"let a=_4:Int<-4>{}", "let<let> name<a> =<=> integer<_4> :<:> name<Int> <<<> -<-> " +
			"integer<4> ><>> {<{> }<}>"},
		{"a o o∘b", "name<a> ∘<o> name<o> ∘<∘> name<b>"},
		{"(a\no b)\no", "(<(> name<a> end of line<\n> ∘<o> name<b> )<)> end of line<\n> name<o>"},
		{"a // o\no", "name<a> comment<// o> end of line<\n> name<o>"},
		{"<2>o(o)", "<<<> integer<2> ><>> ∘<o> (<(> name<o> )<)>"},
		{"_-3 _ -3 _x __", "integer<_-3> _<_> -<-> integer<3> name<_x> _<_> _<_>"},
		{"a::b==c=d", "name<a> ::<::> name<b> ==<==> name<c> =<=> name<d>"},
		{"[None;true]#x", "[<[> _<None> ;<;> boolean<true> ]<]> comment<#x>"},
		{"1+2*3/4%5@6.7,", "integer<1> +<+> integer<2> *<*> integer<3> /</> integer<4> %<%> " +
			"integer<5> @<@> integer<6> .<.> integer<7> ,<,>"},
		{"!\xff\u2212\u00a0\ufeff1", "illegal<!> illegal<\xff> illegal<\u2212> integer<1>"},
		{")>]o", ")<)> ><>> ]<]> ∘<o>"},
	}
	for _, tt := range tests {
		var got []string
		for _, tok := range Tokens(tt.src) {
			got = append(got, fmt.Sprintf("%s<%s>", tok.Kind, tok.Text(tt.src)))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("Tokens(%q)\n got %s\nwant %s", tt.src, strings.Join(got, " "), tt.want)
		}
	}
}

func TestKindString(t *testing.T) {
	for k := KindEOF; k <= KindCompose; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
	if got, want := (KindCompose + 1).String(), "unknown"; got != want {
		t.Errorf("an undefined kind is %q, want %q", got, want)
	}
	if got, want := Op(0).String(), "?"; got != want {
		t.Errorf("an undefined operator is %q, want %q", got, want)
	}
}

func FuzzTokens(f *testing.F) {
	for _, src := range seeds {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		end := 0
		for _, tok := range Tokens(src) {
			if tok.Pos < end || tok.End <= tok.Pos || tok.End > len(src) {
				t.Fatalf("token %v follows offset %d of %d", tok, end, len(src))
			}
			if gap := src[end:tok.Pos]; strings.Trim(gap, "\u200b\ufeff \t\r\v\f\u0085\u00a0") != "" &&
				strings.TrimSpace(strings.NewReplacer("\u200b", "", "\ufeff", "").Replace(gap)) != "" {
				t.Fatalf("the gap %q before token %v is no space", gap, tok)
			}
			end = tok.End
		}
	})
}
