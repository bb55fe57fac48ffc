package syntax

import (
	"strings"
	"testing"
)

func TestPositions(t *testing.T) {
	tests := []struct {
		src  string
		want []string // the text of every node, with parents first
	}{
		{"  -2@1 ", []string{"-2@1"}},
		{"- x.f ( 1 )", []string{"- x.f ( 1 )", "x.f ( 1 )", "x", "1"}},
		{"( 4 , )(3)", []string{"( 4 , )(3)", "( 4 , )", "4", "3"}},
		{"4:- 1 (3)", []string{"4:- 1 (3)", "4:- 1", "4", "- 1", "3"}},
		{"a o cute::b ∘ c # d", []string{"a o cute::b ∘ c", "a", "cute::b", "c"}},
		{"cute::Int<4>{} + L{}", []string{"cute::Int<4>{} + L{}", "cute::Int<4>{}", "L{}"}},
		{"[ _ ; Sw<1,2,3> ]", []string{"[ _ ; Sw<1,2,3> ]", "_", "Sw<1,2,3>"}},
		{"x.get<0,_>(k = 1)", []string{"x.get<0,_>(k = 1)", "x", "0", "_", "1"}},
		{"f(\n1\n)\n", []string{"f(\n1\n)", "1"}},
	}
	for _, tt := range tests {
		x, err := ParseExpr(tt.src)
		if err != nil {
			t.Errorf("ParseExpr(%q) failed: %v", tt.src, err)
			continue
		}
		var got []string
		Walk(x, func(x Expr) bool {
			got = append(got, tt.src[x.Pos():x.End()])
			return true
		})
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("ParseExpr(%q) has nodes\n got %q\nwant %q", tt.src, got, tt.want)
		}
	}
}

func TestNamePositions(t *testing.T) {
	prog, err := Parse("let ab = cute::f(k = x.g())\n7")
	if err != nil {
		t.Fatal(err)
	}
	f := prog.Stmts[0].X.(*Call)
	g := f.Args[0].X.(*Call)
	got := []int{
		prog.Stmts[0].NamePos, f.NamePos, f.Args[0].KeyPos, g.NamePos, g.Args[0].KeyPos,
		prog.Stmts[1].NamePos,
	}
	want := []int{4, 15, 17, 23, -1, -1}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("name positions are %v, want %v", got, want)
		}
	}
}

func TestWalkSkips(t *testing.T) {
	x, err := ParseExpr("(a,f(b,c),d)")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	Walk(x, func(x Expr) bool {
		got = append(got, x.String())
		_, call := x.(*Call)
		return !call
	})
	if want := "(a,f(b,c),d) a f(b,c) d"; strings.Join(got, " ") != want {
		t.Errorf("Walk visits %q, want %q", got, want)
	}
}
