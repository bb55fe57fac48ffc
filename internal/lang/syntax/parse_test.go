package syntax

import (
	"strings"
	"testing"
)

func TestParseExpr(t *testing.T) {
	tests := []struct{ src, want string }{
		// These are integers and basis literals.
		{"4", "4"},
		{"007", "7"},
		{"-3", "-3"},
		{"- 3", "-3"},
		{"--3", "(neg -3)"},
		{"-x", "(neg x)"},
		{"--x", "(neg (neg x))"},
		{"-(3)", "(neg (tuple 3))"},
		{"_4", "4"},
		{"_4{}", "4"},
		{"_-3", "-3"},
		{"-_-3", "(neg -3)"},
		{"Int<4>{}", "4"},
		{"Int<4>", "4"},
		{"Int<-3>{}", "-3"},
		{"-Int<3>{}", "-3"},
		{"-Int<-3>{}", "(neg -3)"},
		{"C<4>", "4"},
		{"C < 4 > { }", "4"},
		{"cute::Int<4>{}", "4"},
		{"cute::C<4>{}", "4"},
		{"cute::_4{}", "4"},
		{"9223372036854775807", "9223372036854775807"},
		{"-9223372036854775808", "-9223372036854775808"},
		{"_-9223372036854775808", "-9223372036854775808"},
		{"-Int<9223372036854775808>", "-9223372036854775808"},
		{"2@1", "(basis 2 [1])"},
		{"1@1@0", "(basis 1 [1 0])"},
		{"_1@0", "(basis 1 [0])"},
		{"Int<1>{}@63", "(basis 1 [63])"},
		{"-2@1", "(basis -2 [1])"},
		{"-_-2@1", "(neg (basis -2 [1]))"},
		{"2 @ 1 @ 0", "(basis 2 [1 0])"},

		// Records.
		{"linear{register=[[0,1],[8,0]], lane=[], out=[dim0:16,dim1:8]}", "(record linear register=(list (list 0 1) (list 8 0)) lane=(list) out=(list (layout dim0 16) (layout dim1 8)))"},
		{"blocked{ order = [1,0,], }", "(record blocked order=(list 1 0))"},
		{"slice{dim=1,\n parent=blocked{order=[0]}}", "(record slice dim=1 parent=(record blocked order=(list 0)))"},
		{"K{div=8}", "(symbol \"K\" {div=8})"},
		{"shared{transposed=true} o 4:1", "(compose (record shared transposed=true) (layout 4 1))"},

		// Texts.
		{`f("SM80 <a>", x)`, `(call f (text "SM80 <a>") x)`},
		{`f(name="")`, `(call f name=(text ""))`},

		// These are names and words.
		{"_", "_"},
		{"_{}", "_"},
		{"cute::_", "_"},
		{"None", "_"},
		{"true", "true"},
		{"false", "false"},
		{"a_1", "a_1"},
		{"_x", "_x"},
		{"cute::a", "a"},
		{"cute.a", "a"},
		{"cute.cute::a", "a"},
		{"LayoutRight{}", "LayoutRight"},
		{"S", "S"},
		{"Int", "Int"},
		{"o", "o"},

		// Tuples.
		{"()", "(tuple)"},
		{"(8)", "(tuple 8)"},
		{"(8,)", "(tuple 8)"},
		{"(4,(2,2))", "(tuple 4 (tuple 2 2))"},
		{"( 4 ,\u00a0( 2\u2003, 2 ) , )", "(tuple 4 (tuple 2 2))"},
		{"(4, // four\n 2 # two\n)", "(tuple 4 2)"},
		{"(None, 1)", "(tuple _ 1)"},

		// These are layouts, and operations on them.
		{"4:1", "(layout 4 1)"},
		{"(4,8):(8,1)", "(layout (tuple 4 8) (tuple 8 1))"},
		{"_4:_-1", "(layout 4 -1)"},
		{"(4,8):(8,1)(3)", "(apply (layout (tuple 4 8) (tuple 8 1)) 3)"},
		{"((4,8):(8,1))(3)", "(apply (tuple (layout (tuple 4 8) (tuple 8 1))) 3)"},
		{"(4,8)(3)", "(apply (tuple 4 8) 3)"},
		{"(4,8)(3):1", "(layout (apply (tuple 4 8) 3) 1)"},
		{"4:1(3)", "(apply (layout 4 1) 3)"},
		{"4:1(3)(1,_)", "(apply (apply (layout 4 1) 3) 1 _)"},
		{"4:1()", "(apply (layout 4 1))"},
		{"4:n(3)", "(layout 4 (call n 3))"},
		{"4:n(3)(2)", "(apply (layout 4 (call n 3)) 2)"},
		{"4:-(1)(3)", "(apply (layout 4 (neg (tuple 1))) 3)"},
		{"4:2*(1)(3)", "(apply (layout 4 (* 2 (tuple 1))) 3)"},
		{"4:((1)(3))", "(layout 4 (tuple (apply (tuple 1) 3)))"},
		{"4:1(3) + 1", "(+ (apply (layout 4 1) 3) 1)"},
		{"4:1(3) * 2 + 1", "(+ (* (apply (layout 4 1) 3) 2) 1)"},
		{"4:1.size()", "(call .size (layout 4 1))"},
		{"4:a.size()", "(call .size (layout 4 a))"},
		{"4*2:1+1", "(layout (* 4 2) (+ 1 1))"},
		{"(4:1):2", "(layout (tuple (layout 4 1)) 2)"},

		// These are tilers and swizzles.
		{"<3:3,(2,4):(1,8)>", "(tiler (layout 3 3) (layout (tuple 2 4) (tuple 1 8)))"},
		{"[3:3;8:1]", "(tiler (layout 3 3) (layout 8 1))"},
		{"[3:3,8:1]", "(tiler (layout 3 3) (layout 8 1))"},
		{"[_;[2:1;1:1]]", "(tiler _ (tiler (layout 2 1) (layout 1 1)))"},
		{"<4,<2,8>>", "(tiler 4 (tiler 2 8))"},
		{"<<<1>>>", "(tiler (tiler (tiler 1)))"},
		{"<4>(3)", "(apply (tiler 4) 3)"},
		{"Sw<3,4,3>", "(swizzle 3 4 3)"},
		{"S<3,4,-3>", "(swizzle 3 4 -3)"},
		{"cute::Swizzle<3, 4, 3>{}", "(swizzle 3 4 3)"},
		{"Sw<3,4,3>(5)", "(apply (swizzle 3 4 3) 5)"},

		// Calls.
		{"f()", "(call f)"},
		{"f(1,)", "(call f 1)"},
		{"f(a, key=b == c, o=o)", "(call f a key=(== b c) o=o)"},
		{"f(a\n=\n1)", "(call f a=1)"},
		{"cute::make_layout(4)", "(call make_layout 4)"},
		{"LayoutRight{}(4)", "(call LayoutRight 4)"},
		{"f(1)(2)", "(apply (call f 1) 2)"},
		{"size<0>(L)", "(call size(<> 0) L)"},
		{"get<0,1>(L)", "(call get(<> 0 1) L)"},
		{"get<_,-1,_2> (L)", "(call get(<> _ -1 2) L)"},
		{"cute::upcast < 2 > (L)", "(call upcast(<> 2) L)"},
		{"a.coalesce()", "(call .coalesce a)"},
		{"a.get<0>(1, k=2).size()", "(call .size (call .get(<> 0) a 1 k=2))"},
		{"-a.size()", "(neg (call .size a))"},
		{"4.size()", "(call .size 4)"},
		{"a.o()", "(call .o a)"},

		// Operators.
		{"a o b", "(compose a b)"},
		{"a ∘ b o c∘d", "(compose a b c d)"},
		{"(a o b) o c", "(compose (tuple (compose a b)) c)"},
		{"o o o", "(compose o o)"},
		{"o(o o o)", "(call o (compose o o))"},
		{"a o(b)", "(compose a (tuple b))"},
		{"a o <2>", "(compose a (tiler 2))"},
		{"4o 3", "(compose 4 3)"},
		{
			"Sw<3,4,3> o 0 o (8,64):(64,1)(3)",
			"(compose (swizzle 3 4 3) 0 (apply (layout (tuple 8 64) (tuple 64 1)) 3))",
		},
		{"4:1 o 2:2 == 2:2", "(== (compose (layout 4 1) (layout 2 2)) (layout 2 2))"},
		{"1+2*3-4", "(- (+ 1 (* 2 3)) 4)"},
		{"8/4%3*2", "(* (% (/ 8 4) 3) 2)"},
		{"-a*-b", "(* (neg a) (neg b))"},
		{"3--2", "(- 3 -2)"},
		{"_ - 3", "(- _ 3)"},
		{"a==b==c", "(== (== a b) c)"},

		// These texts have newlines where the expression cannot end.
		{"\n\n4:\n1\n", "(layout 4 1)"},
		{"a o\n// then\nb", "(compose a b)"},
		{"-\nx", "(neg x)"},
		{"2@\n1", "(basis 2 [1])"},
		{"a.\nf\n()", "(call .f a)"},
		{"a.f\n<0>\n()", "(call .f(<> 0) a)"},
		{"cute\n.\na", "a"},
		{"size<0>\n(L)", "(call size(<> 0) L)"},
		{"cute::\nf(1)", "(call f 1)"},
	}
	for _, tt := range tests {
		x, err := ParseExpr(tt.src)
		if err != nil {
			t.Errorf("ParseExpr(%q) failed: %v", tt.src, err)
			continue
		}
		if got := dump(x); got != tt.want {
			t.Errorf("ParseExpr(%q)\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestParse(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", ""},
		{" ;\n; # nothing\n", ""},
		{"4", "4"},
		{"let a = 4:1; a(2)", "let a = 4:1; a(2)"},
		{"let a = 4:1\na (2)\n", "let a = 4:1; a(2)"},
		{"a\n(2)", "a; (2)"},
		{"size\n<3:3>", "size; <3:3>"},
		{"4 // four\n5 # five", "4; 5"},
		{"let\na\n=\n4", "let a = 4"},
		{"a o\nb;let o=o", "a o b; let o = o"},
		{"(1,\n2)\n[1;\n2];<3\n>", "(1,2); <1,2>; <3>"},
		{"1\r\n2\r\n", "1; 2"},
	}
	for _, tt := range tests {
		prog, err := Parse(tt.src)
		if err != nil {
			t.Errorf("Parse(%q) failed: %v", tt.src, err)
			continue
		}
		var stmts []string
		for _, s := range prog.Stmts {
			stmts = append(stmts, s.String())
		}
		if got := strings.Join(stmts, "; "); got != tt.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", tt.src, got, tt.want)
		}
		if prog.Src != tt.src {
			t.Errorf("Parse(%q).Src is %q", tt.src, prog.Src)
		}
	}
}

func TestLiteralFlags(t *testing.T) {
	for src, want := range map[string]bool{
		"4": false, "-4": false, "_4": true, "-_4": true, "_-4": true, "Int<4>{}": true, "C<4>": true,
	} {
		x, err := ParseExpr(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.(*Int).Static; got != want {
			t.Errorf("ParseExpr(%q).Static is %t, want %t", src, got, want)
		}
	}
	for src, want := range map[string]bool{
		"()": false, "(8)": false, "(8,)": true, "(8,9)": false, "(8,9,)": true,
	} {
		x, err := ParseExpr(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.(*Tuple).TrailingComma; got != want {
			t.Errorf("ParseExpr(%q).TrailingComma is %t, want %t", src, got, want)
		}
	}
}

// The test checks that a list shares no spare capacity with its neighbours: otherwise appending to one list would
// change another.
func TestListsAreFull(t *testing.T) {
	x, err := ParseExpr("((1,2),(3,4))")
	if err != nil {
		t.Fatal(err)
	}
	first := x.(*Tuple).Elems[0].(*Tuple)
	_ = append(first.Elems, &Int{Value: 9})
	if got, want := Format(x), "((1,2),(3,4))"; got != want {
		t.Errorf("after an append the tree is %s, want %s", got, want)
	}
}
