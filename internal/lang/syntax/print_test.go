package syntax

import (
	"math"
	"math/rand/v2"
	"testing"

	"girih/internal/check/long"
)

func TestFormat(t *testing.T) {
	tests := []struct{ src, want string }{
		{"( 4 , (2 , 2) )", "(4,(2,2))"},
		{"(8,)", "(8,)"},
		{"(8, 9,)", "(8,9)"},
		{"(_4, Int<2>{}, C<-1>, None)", "(4,2,-1,_)"},
		{"(4, 8) : (_8, _1) ( 3 )", "(4,8):(8,1)(3)"},
		{"[ 3:3 ; [_ ; 8:1] ]", "<3:3,<_,8:1>>"},
		{"cute::Swizzle<3,4,-3>{}∘0", "Sw<3,4,-3> o 0"},
		{"f ( a , k = true ) . g < 0 , _ > ( )", "f(a,k=true).g<0,_>()"},
		{"cute::LayoutRight{}", "LayoutRight"},
		{"1+2*-x-3==-4", "1 + 2 * -x - 3 == -4"},
		{"_ - 3", "_ - 3"},
		{"a/b%c", "a / b % c"},
		{"_1 @ 0 @ 1", "1@0@1"},
		{"- - 3", "--3"},
		{"-0", "0"},
		{"- - 0", "--0"},
		{"--0@1 (2)", "--0@1(2)"},
		{"- ( 3 )", "-(3)"},
	}
	for _, tt := range tests {
		x, err := ParseExpr(tt.src)
		if err != nil {
			t.Errorf("ParseExpr(%q) failed: %v", tt.src, err)
			continue
		}
		if got := Format(x); got != tt.want {
			t.Errorf("Format of %q is %q, want %q", tt.src, got, tt.want)
		}
		if got := x.String(); got != tt.want {
			t.Errorf("String of %q is %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestFormatAddsParentheses(t *testing.T) {
	var (
		a     = &Ident{Name: "a"}
		three = &Int{Value: 3}
		sum   = &Binary{Op: OpAdd, X: a, Y: three}
		flat  = &Layout{Shape: three, Stride: a}
		chain = &Compose{Operands: []Expr{a, flat}}
		index = func(fn Expr) Expr { return &Apply{Fn: fn, Args: []Expr{three}} }
	)
	tests := []struct {
		x    Expr
		want string
	}{
		{&Unary{Op: OpSub, X: three}, "-(3)"},
		{&Unary{Op: OpSub, X: index(three)}, "-(3)(3)"},
		{&Unary{Op: OpSub, X: &Basis{Value: 1, Path: []int{0}}}, "-(1@0)"},
		{&Unary{Op: OpSub, X: sum}, "-(a + 3)"},
		{&Binary{Op: OpMul, X: sum, Y: sum}, "(a + 3) * (a + 3)"},
		{&Binary{Op: OpSub, X: sum, Y: sum}, "a + 3 - (a + 3)"},
		{&Layout{Shape: flat, Stride: flat}, "(3:a):(3:a)"},
		{&Layout{Shape: three, Stride: index(three)}, "3:(3(3))"},
		{&Layout{Shape: index(flat), Stride: sum}, "(3:a)(3):a + 3"},
		{&Compose{Operands: []Expr{chain, chain}}, "(a o 3:a) o (a o 3:a)"},
		{&Binary{Op: OpAdd, X: index(&Layout{Shape: a, Stride: three}), Y: a}, "a:3(3) + a"},
		{&Binary{Op: OpAdd, X: a, Y: index(&Layout{Shape: a, Stride: three})}, "a + (a:3)(3)"},
		{index(a), "(a)(3)"},
		{index(flat), "(3:a)(3)"},
		{index(chain), "(a o 3:a)(3)"},
		{&Call{Name: "f", Method: true, Args: []Arg{{X: flat}, {X: sum}}}, "3:a.f(a + 3)"},
		{&Call{Name: "f", Method: true, Args: []Arg{{X: sum}}}, "(a + 3).f()"},
		{&Tuple{Elems: []Expr{nil}}, "(<nil>)"},
	}
	for _, tt := range tests {
		if got := Format(tt.x); got != tt.want {
			t.Errorf("Format of %s is %q, want %q", dump(tt.x), got, tt.want)
		}
	}
}

// Format and ParseExpr return any tree unchanged except for parentheses, and a tree from the parser entirely unchanged.
func TestFormatRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 2500
	if long.Tests() {
		rounds = 10_000
	}
	for range rounds {
		x := randomExpr(r, 5)
		text := Format(x)
		y, err := ParseExpr(text)
		if err != nil {
			t.Fatalf("the canonical text %q of %s does not parse: %v", text, dump(x), err)
		}
		if got, want := dump(ungroup(y)), dump(ungroup(x)); got != want {
			t.Fatalf("%q parses to another tree\n got %s\nwant %s", text, got, want)
		}
		if again := Format(y); again != text {
			t.Fatalf("the text %q comes back as %q", text, again)
		}
		checkSpans(t, text, y)
	}
}

// checkSpans checks that the text of every node parses to that node alone.
func checkSpans(t *testing.T, src string, x Expr) {
	t.Helper()
	Walk(x, func(n Expr) bool {
		y, err := ParseExpr(src[n.Pos():n.End()])
		if err != nil || dump(y) != dump(n) {
			t.Fatalf("in %q the node %s has the text %q", src, dump(n), src[n.Pos():n.End()])
		}
		return true
	})
}

// randomExpr returns a random tree of at most the given height. The parser may be unable to return such a tree.
func randomExpr(r *rand.Rand, height int) Expr {
	if height <= 1 {
		return randomLeaf(r)
	}
	sub := func() Expr { return randomExpr(r, height-1) }
	list := func(least int) []Expr {
		var elems []Expr
		for range least + r.IntN(3) {
			elems = append(elems, sub())
		}
		return elems
	}
	switch r.IntN(14) {
	case 11:
		return randomGrid(r, sub)
	case 12:
		return randomBits(r)
	case 0, 1:
		elems := list(0)
		return &Tuple{Elems: elems, TrailingComma: len(elems) > 0 && r.IntN(4) == 0}
	case 2, 3:
		return &Layout{Shape: sub(), Stride: sub()}
	case 4:
		return &Tiler{Elems: list(1)}
	case 5:
		return randomCall(r, sub)
	case 6, 7:
		return &Apply{Fn: sub(), Args: list(0)}
	case 8:
		return &Compose{Operands: list(2)}
	case 9:
		return &Unary{Op: OpSub, X: sub()}
	case 10:
		return &Binary{Op: OpAdd + Op(r.IntN(6)), X: sub(), Y: sub()}
	}
	return randomLeaf(r)
}

// randomGrid returns a matrix of random cells.
func randomGrid(r *rand.Rand, sub func() Expr) Expr {
	g := &Grid{}
	for range 1 + r.IntN(2) {
		var row []Expr
		for range 1 + r.IntN(2) {
			row = append(row, sub())
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// randomBits returns rows of 0 and 1, as [[1,0],[1,1]] or as [1;0].
func randomBits(r *rand.Rand) Expr {
	t := &Tiler{Bits: true}
	column := r.IntN(2) == 0
	for range 2 + r.IntN(2) {
		bit := Expr(&Int{Value: r.Int64N(2)})
		if !column {
			bit = &Tiler{Elems: []Expr{bit, &Int{Value: r.Int64N(2)}}}
		}
		t.Elems = append(t.Elems, bit)
	}
	return t
}

func randomCall(r *rand.Rand, sub func() Expr) Expr {
	c := &Call{Name: randomName(r)}
	if r.IntN(3) == 0 {
		c.Method = true
		c.Args = append(c.Args, Arg{X: sub()})
	}
	if r.IntN(3) == 0 {
		c.Template = []Expr{&Int{Value: r.Int64N(7) - 3}, &Wildcard{}}
	}
	for range r.IntN(3) {
		a := Arg{X: sub()}
		if r.IntN(3) == 0 {
			a.Key = randomName(r)
		}
		c.Args = append(c.Args, a)
	}
	return c
}

func randomLeaf(r *rand.Rand) Expr {
	switch r.IntN(11) {
	case 0:
		return &Basis{Value: r.Int64N(9) - 4, Path: []int{r.IntN(64), r.IntN(3)}[:1+r.IntN(2)]}
	case 1:
		return &Wildcard{}
	case 2:
		return &Bool{Value: r.IntN(2) == 0}
	case 3:
		return &Swizzle{B: r.Int64N(4), M: r.Int64N(4), S: r.Int64N(7) - 3}
	case 4, 5:
		return &Ident{Name: randomName(r)}
	case 7, 8:
		return randomSymbol(r)
	case 9:
		return &Scaled{Value: []int64{-3, 2, 8}[r.IntN(3)], X: &Ident{Name: []string{"a", "size"}[r.IntN(2)]}}
	case 10:
		return &Along{X: randomSymbol(r), Path: []int{r.IntN(64), r.IntN(3)}[:1+r.IntN(2)]}
	case 6:
		return &Int{Value: []int64{math.MinInt64, math.MaxInt64, 0}[r.IntN(3)]}
	}
	return &Int{Value: r.Int64N(9) - 4, Static: r.IntN(2) == 0}
}

func randomSymbol(r *rand.Rand) *Symbol {
	s := &Symbol{Facts: Facts{Div: []int64{0, 1, 8}[r.IntN(3)], Bits: []int{0, 32, 64}[r.IntN(3)]}}
	if r.IntN(2) == 0 {
		s.Facts.HasMin, s.Facts.Min = true, r.Int64N(9)-4
	}
	if r.IntN(2) == 0 {
		s.Facts.HasMax, s.Facts.Max = true, r.Int64N(9)+4
	}
	if r.IntN(2) == 0 {
		s.Name = "K"
		s.Facts.Bits = 64 // a name without facts is an Ident
	}
	return s
}

func randomName(r *rand.Rand) string {
	return []string{"a", "o", "_x", "size", "L2_a"}[r.IntN(5)]
}
