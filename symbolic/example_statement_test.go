package symbolic_test

import (
	"fmt"

	"girih/symbolic"
)

func ExampleMultiple() {
	var scope symbolic.Scope
	n, _ := scope.Named("N", symbolic.NoFacts())
	f := symbolic.NoFacts()
	f.Div = 4
	k, _ := scope.Named("K", f)
	twice, _ := symbolic.Mul(symbolic.Of(n), symbolic.Const(2))
	odd, _ := symbolic.Add(twice, symbolic.Const(1))
	fmt.Println(symbolic.Multiple(twice, 16))
	fmt.Println(symbolic.Multiple(symbolic.Of(k), 8))
	fmt.Println(symbolic.Multiple(symbolic.Of(k), 2).Decide())
	fmt.Println(symbolic.Multiple(odd, 16).Decide())
	// Output:
	// 8 | N
	// 8 | K
	// true true
	// false true
}

func ExampleNoMore() {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	fmt.Println(symbolic.NoMore(symbolic.Of(m), symbolic.Const(1<<32)))
	// Output: M <= 2^32
}

func ExampleSame() {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	fmt.Println(symbolic.Same(symbolic.Const(64), symbolic.Of(m)))
	// Output: M == 64
}

func ExampleGuard_Not() {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	x := symbolic.Of(m)
	fmt.Println(symbolic.Same(x, symbolic.Const(64)).Not())
	fmt.Println(symbolic.NoMore(x, symbolic.Const(64)).Not())
	_, ok := symbolic.Multiple(x, 8).Not()
	fmt.Println(ok)
	// Output:
	// M != 64 true
	// 65 <= M true
	// false
}

func ExampleAnyOf() {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	n, _ := scope.Named("N", symbolic.NoFacts())
	limit := symbolic.NoMore(symbolic.Of(n), symbolic.Const(100))
	one := symbolic.Same(symbolic.Of(m), symbolic.Const(1))
	fmt.Println(symbolic.AnyOf(limit.And(symbolic.Multiple(symbolic.Of(m), 8)), limit.And(one)))
	fmt.Println(symbolic.AnyOf().Decide())
	// Output:
	// N <= 100 and (8 | M or M == 1)
	// false true
}

func ExampleGuard_Fix() {
	var scope symbolic.Scope
	n, _ := scope.Named("N", symbolic.NoFacts())
	twice, _ := symbolic.Mul(symbolic.Of(n), symbolic.Const(2))
	at := make(symbolic.Values)
	symbolic.Same(twice, symbolic.Const(64)).Fix(at)
	fmt.Println(at[n])
	// Output: 32
}

func ExampleGuard_Implies() {
	var scope symbolic.Scope
	n, _ := scope.Named("N", symbolic.NoFacts())
	small := symbolic.NoMore(symbolic.Of(n), symbolic.Const(64))
	large := symbolic.NoMore(symbolic.Of(n), symbolic.Const(100))
	fmt.Println(small.Implies(large), large.Implies(small))
	// Output: true false
}

func ExampleGuard_Broken() {
	var scope symbolic.Scope
	n, _ := scope.Named("N", symbolic.NoFacts())
	fmt.Println(symbolic.Multiple(symbolic.Of(n), 8).Broken([]int64{8, 16, 20}))
	// Output: N = 20
}

func ExampleInt_Numbered() {
	var scope symbolic.Scope
	x, _ := scope.Anonymous(symbolic.NoFacts())
	twice, _ := symbolic.Mul(symbolic.Of(x), symbolic.Const(2))
	fmt.Println(twice, twice.Numbered())
	// Output: ? 2*?1
}

func ExampleTuple_Integers() {
	var scope symbolic.Scope
	m, _ := scope.Named("M", symbolic.NoFacts())
	t := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Nest(symbolic.Number(symbolic.Const(8))))
	fmt.Println(t, t.Integers())
	// Output: (M,(8)) [M 8]
}
