package symbolic_test

import (
	"fmt"

	"girih/symbolic"
)

// rowMajor returns (M,K):(K,1).
func rowMajor() symbolic.Layout {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	k, _ := s.Named("K", symbolic.NoFacts())
	l, _ := symbolic.Compact(symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Of(k))), true)
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
