package symbolic_test

import (
	"fmt"

	"girih/symbolic"
)

func ExampleIsCompact() {
	m, n := dim("M"), dim("N")
	back, _ := symbolic.Mul(n, symbolic.Const(-1))
	g, err := symbolic.IsCompact(layout(tuple(m, n), tuple(back, symbolic.Const(1))))
	fmt.Printf("%q %v\n", g, err)
	// Output: "" <nil>
}

// If a stride is at most one more than the reach of the modes before it, no offset is left out.
func ExampleSurjective() {
	m := dim("M")
	eight, four := symbolic.Const(8), symbolic.Const(4)
	g, err := symbolic.Surjective(layout(tuple(m, four), tuple(symbolic.Const(1), eight)))
	fmt.Println(g, err)
	// Output: 8 <= M <nil>
}

func ExampleCeilDivPositive() {
	tiles, guard, err := symbolic.CeilDivPositive(dim("M"), symbolic.Const(64))
	fmt.Println(tiles, "if", guard, err)
	// Output: ceil(M/64) if 1 <= M <nil>
}

// Eight elements are whole steps of a mode of extent M only for some M; for other M the composition is wrong, so its
// guard is exact. The guard ld != 1 also excludes a value at which the right inverse is right but shorter.
func ExampleGuard_Exact() {
	one, eight := symbolic.Const(1), symbolic.Const(8)
	a := layout(tuple(dim("M"), symbolic.Const(4)), tuple(one, symbolic.Const(100)))
	b, _ := symbolic.New(symbolic.Number(eight), symbolic.Number(one))
	r, _ := symbolic.Composition(a, b)
	fmt.Println(r.Guard(), r.Guard().Exact())
	i, _ := symbolic.RightInverse(layout(tuple(symbolic.Const(4), eight), tuple(dim("ld"), one)))
	fmt.Println(i.Guard(), i.Guard().Exact())
	// Output:
	// 8 <= M or M | 8 true
	// ld != 1 and ld != 8 false
}

func ExampleGuard_Inherited() {
	m := dim("M")
	eight, _ := symbolic.New(symbolic.Number(symbolic.Const(8)), symbolic.Number(symbolic.Const(1)))
	r, _ := symbolic.Composition(layout(tuple(m, symbolic.Const(4)), tuple(symbolic.Const(1), symbolic.Const(100))), eight)
	// The rank of a wrong layout may still be right.
	fmt.Println(r.Guard().Exact(), r.Guard().Inherited().Exact())
	// Output: true false
}

func ExampleSymbol_Admits() {
	var s symbolic.Scope
	f := symbolic.NoFacts()
	f.Div = 8
	k, _ := s.Named("K", f)
	fmt.Println(k.Admits(16))
	fmt.Println(k.Admits(12))
	// Output:
	// <nil>
	// fact: K = 12 breaks the fact that 8 divides K
}

// A shape is divided by an integer from left to right: each extent takes its part of the divisor.
func ExampleDivideShapes() {
	shape := tuple(dim("M"), dim("N"))
	tiles, guard, err := symbolic.DivideShapes("ceil_div", shape, symbolic.Number(symbolic.Const(128)),
		symbolic.CeilDivPositive)
	fmt.Println(tiles, "if", guard, err)
	// Output: (ceil(M/128),ceil(N/ceil(128/M))) if 1 <= M and 1 <= N <nil>
}
