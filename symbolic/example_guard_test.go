package symbolic_test

import (
	"fmt"

	"girih/symbolic"
)

// A kernel asserts a guard, or tests the guard before taking the fast path.
func ExampleGuard_Holds() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	tiler, _ := symbolic.OfShape(symbolic.Number(symbolic.Const(128)))
	d, _ := symbolic.Divide(layout(symbolic.Of(m), symbolic.Const(1)), tiler, symbolic.Logical)
	fmt.Println(d.Whole)
	fmt.Println(d.Whole.Holds(symbolic.Values{m: 4096}))
	fmt.Println(d.Whole.Holds(symbolic.Values{m: 1000}))
	// Output:
	// 128 | M
	// true <nil>
	// false <nil>
}

func ExampleGuard_Decide() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.Facts{Div: 1, Min: 1, Max: 128})
	for _, bound := range []int64{0, 64, 128} {
		g, _ := symbolic.LessIf(symbolic.Number(symbolic.Const(bound)), symbolic.Number(symbolic.Of(m)))
		holds, known := g.Decide()
		fmt.Println(bound, "< M:", holds, known)
	}
	// Output:
	// 0 < M: true true
	// 64 < M: false false
	// 128 < M: false true
}

// And leaves out conditions that follow from the others.
func ExampleGuard_And() {
	m, n := symbolic.Number(dim("M")), symbolic.Number(dim("N"))
	g, _ := symbolic.LessIf(m, n)
	h, _ := symbolic.LessIf(symbolic.Number(symbolic.Const(3)), symbolic.Number(symbolic.Const(4)))
	fmt.Println(g.And(h).And(g))
	// Output: M+1 <= N
}

func ExampleGuard_String() {
	g, _ := symbolic.LessIf(tuple(dim("i"), dim("j")), tuple(dim("M"), dim("K")))
	fmt.Println(g)
	// Output: i+1 <= M and j+1 <= K
}

// With specializes a guard; a value that violates it is an error.
func ExampleGuard_With() {
	var s symbolic.Scope
	i, _ := s.Named("i", symbolic.NoFacts())
	g, _ := symbolic.LessIf(tuple(symbolic.Of(i), dim("j")), tuple(symbolic.Const(128), dim("K")))
	fmt.Println(g.With(symbolic.Values{i: 5}))
	_, err := g.With(symbolic.Values{i: 128})
	fmt.Println(err)
	// Output:
	// j+1 <= K <nil>
	// fact: the result is valid only if i+1 <= 128 and j+1 <= K, which these values violate
}

func ExampleCondition_String() {
	g, _ := symbolic.EqualIf(symbolic.Number(dim("M")), symbolic.Number(dim("N")))
	fmt.Println(g[0])
	// Output: M == N
}

func ExampleEqualIf() {
	m, k := dim("M"), dim("K")
	fmt.Println(symbolic.EqualIf(tuple(m, k), tuple(k, k)))
	fmt.Println(symbolic.EqualIf(tuple(m, k), symbolic.Number(k)))
	// Output:
	// M == K true
	//  false
}

// LessIf is the predicate of a copy that must not leave the matrix.
func ExampleLessIf() {
	fmt.Println(symbolic.LessIf(tuple(dim("i"), dim("j")), tuple(dim("M"), symbolic.Const(64))))
	// Output: i+1 <= M and j+1 <= 64 true
}
