package syntax

import (
	"errors"
	"strings"
	"testing"
)

// seeds are texts that together use every production of the grammar.
var seeds = []string{
	"", "4", "-3", "_4", "_-3", "Int<4>{}", "C<-4>", "cute::Int<4>{}", "cute::_4{}", "_", "None",
	"2@1", "_1@0@2", "-2@1", "()", "(8)", "(8,)", "(4,(2,2))", "true", "false == true",
	"(4,8):(8,1)", "(4,8):(8,1)(3)", "((4,8):(8,1))(3)", "4:1(3)(_) + 2 * 3", "4:n(3)(2)",
	"4:-(2)(3)", "4:1.size()", "<3:3,(2,4):(1,8)>", "[3:3;8:1]", "[_;[2:1;1:1]]", "<4,<2,8>>",
	"Sw<3,4,3> o 0 o (8,64):(64,1)(3)", "cute::Swizzle<3,4,-3>{}∘4:1", "LayoutRight{}",
	"f(a, key=b, o=o)", "size<0>(L)", "get<0,_,-1>(L)", "a.get<0>(1).size()", "o o o",
	"4*E<0,1>{} + E(1)", "L[0] o L[1,2][3]\n(4)", "4:n[1] + 2", "a.b[0][1]<2>().c[3]()", "f[1](L,4:1)", "a.size[0][1]()",
	"cute.f[0,1]<2>(L)", "4:n[1](3)",
	"1 + 2 * 3 - -x / 4 % 5 == --6", "--0", "-_-0", "let a = 4:1\na(2); let o = 3 # end\n// over\n",
	"let a =\n4 o\n5", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
	"(8M,K{div=8}):(?@0,8M@1)", "?{i64 div=8,>=1,<=9}", "(4,8", "a:b:c", "a = 3", "1@64", "$\xff", "4\u00a0o\u20034",
	"[1 0; 1 1]", "[[1 0]\n [a]]^T", "(a, a^* o b) o (c,c*)", `\begin{bmatrix}1&\\&a\end{bmatrix}`, `$a\times b/_l c$`, "a⁻¹ᵀ",
	`\left[a^{`,
	"((((((1+1)+1)", "cute.cute.a()", "f(\"a b\", K{div=8})", "l{a=[[1],[]], b=c{d=e:4}}",
}

// FuzzParse checks that parsing does not panic, that the canonical text of a parsed tree gives the same tree, and that
// positions and errors are well-formed.
func FuzzParse(f *testing.F) {
	for _, src := range seeds {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		prog, err := Parse(src)
		if err != nil {
			checkError(t, src, err)
			return
		}
		for _, s := range prog.Stmts {
			checkRoundTrip(t, src, s.X)
		}
		checkPrefixes(t, src)
	})
}

func checkError(t *testing.T, src string, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("Parse(%q) returned %T", src, err)
	}
	if e.Code == "" || e.Msg == "" || e.Pos < 0 || e.End < e.Pos || e.End > len(src) {
		t.Fatalf("Parse(%q) returned the malformed error %#v", src, e)
	}
}

func checkRoundTrip(t *testing.T, src string, x Expr) {
	t.Helper()
	if q, ok := x.(*Binary); ok && q.Op == OpIs { // a question is a statement, not an expression
		checkRoundTrip(t, src, q.X)
		checkRoundTrip(t, src, q.Y)
		return
	}
	text := Format(x)
	y, err := ParseExpr(text)
	if err != nil {
		t.Fatalf("%q has the canonical text %q, which does not parse: %v", src, text, err)
	}
	if dump(x) != dump(y) {
		t.Fatalf("%q has the canonical text %q\nwith the tree %s\n        want %s",
			src, text, dump(y), dump(x))
	}
	Walk(x, func(n Expr) bool {
		if n.Pos() < x.Pos() || n.End() > x.End() || n.Pos() >= n.End() {
			t.Fatalf("%q has the node %s at [%d,%d)", src, n, n.Pos(), n.End())
		}
		return true
	})
}

// checkPrefixes cuts a valid source after every token. Each prefix must be valid or incomplete; if it is incomplete,
// continuing on a new line must not change the meaning.
func checkPrefixes(t *testing.T, src string) {
	t.Helper()
	if len(src) > 200 {
		return
	}
	want := dumpProgram(src)
	tokens := Tokens(src)
	for i, tok := range tokens {
		if tok.Kind == KindInt && i+1 < len(tokens) && tokens[i+1].Kind == KindIdent && tokens[i+1].Pos == tok.End {
			continue // 8M is a product only without a space
		}
		_, err := Parse(src[:tok.End])
		if err == nil {
			continue
		}
		var e *Error
		if !errors.As(err, &e) || !e.Incomplete {
			t.Fatalf("the beginning %q of a valid source is not incomplete: %v", src[:tok.End], err)
		}
		broken := src[:tok.End] + "\n" + src[tok.End:]
		got := dumpProgram(broken)
		if got != want && !strings.Contains(got+want, "(grid") { // in a grid, spaces and line breaks separate cells
			t.Fatalf("%q parses differently\n got %s\nwant %s", broken, got, want)
		}
	}
}

func dumpProgram(src string) string {
	prog, err := Parse(src)
	if err != nil {
		return err.Error()
	}
	var text string
	for _, s := range prog.Stmts {
		text += s.Name + " = " + dump(s.X) + "\n"
	}
	return text
}

func TestPrefixesOfSeeds(t *testing.T) {
	for _, src := range seeds {
		if _, err := Parse(src); err == nil {
			checkPrefixes(t, src)
		}
	}
}
