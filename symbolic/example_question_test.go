package symbolic_test

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// rowMajor returns (M,K):(K,1).
func rowMajor() symbolic.Layout {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	k, _ := s.Named("K", symbolic.NoFacts())
	l, _ := symbolic.LayoutRight(symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Of(k))))
	return l
}

func ExampleInjective() {
	g, err := symbolic.Injective(rowMajor())
	fmt.Printf("%q %v\n", g, err)
	// Output: "" <nil>
}

func ExampleBijective() {
	g, err := symbolic.Bijective(rowMajor())
	fmt.Printf("%q %v\n", g, err)
	// Output: "" <nil>
}

func ExampleMaxCommonLayout() {
	m, ld := dim("M"), dim("ld")
	eight := symbolic.Const(8)
	r, err := symbolic.MaxCommonLayout(layout(tuple(eight, m), tuple(symbolic.Const(1), eight)),
		layout(tuple(eight, m), tuple(symbolic.Const(1), ld)))
	fmt.Println(r, "if", r.Guard(), err)
	// Output: 8:1 if ld != 8 <nil>
}

func ExampleCommonRefinement() {
	m := dim("M")
	four, _ := symbolic.Mul(m, symbolic.Const(4))
	fmt.Println(symbolic.CommonRefinement(tuple(m, symbolic.Const(4)), symbolic.Number(four)))
	// Output: (M,4)  <nil>
}

func ExampleCompatibleIf() {
	m := dim("M")
	g, ok, err := symbolic.CompatibleIf(tuple(m, symbolic.Const(4)),
		symbolic.Nest(tuple(symbolic.Const(2), symbolic.Const(3)), symbolic.Number(symbolic.Const(4))))
	fmt.Println(g, ok, err)
	// Output: M == 6 true <nil>
}

func ExampleTuple_Symbols() {
	fmt.Println(tuple(dim("M"), symbolic.Const(4), dim("K")).Symbols())
	// Output: [M K]
}

func ExampleFilterZeros() {
	l := rowMajor()
	b, _ := symbolic.New(l.Shape(), symbolic.Nest(symbolic.Number(symbolic.Const(0)), symbolic.Number(symbolic.Const(1))))
	fmt.Println(symbolic.FilterZeros(b))
	// Output: (1,K):(0,1) <nil>
}

func ExampleLayout_Coshape() {
	l, _ := symbolic.Identity(rowMajor().Shape())
	fmt.Println(l.Coshape())
	// Output: (M,K) <nil>
}

func ExampleNullspace() {
	l := rowMajor()
	b, _ := symbolic.New(l.Shape(), symbolic.Nest(symbolic.Number(symbolic.Const(1)), symbolic.Number(symbolic.Const(0))))
	fmt.Println(symbolic.Nullspace(b))
	// Output: K:M <nil>
}

func ExampleLayout_Witness() {
	l := rowMajor() // (M,K):(K,1)
	fmt.Println(l.Witness([]int64{1, 2, 4}, func(l cute.Layout) bool { return l.Size() == 8 }))
	// Output: M = 4 and K = 2
}
