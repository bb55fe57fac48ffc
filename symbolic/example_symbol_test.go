package symbolic_test

import (
	"fmt"
	"math"

	"girih/symbolic"
)

// A Scope gives every name one symbol. Facts are stated at its first mention. Some facts leave few values to try.
func ExampleFacts_Near() {
	f := symbolic.Facts{Div: 6, Min: 1, Max: 40}
	fmt.Println(f.Near(8), f.Near(9), f.Near(0), f.Near(100))
	// Output: 6 12 6 36
}

func ExampleScope_Named() {
	var s symbolic.Scope
	k, err := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: 16384})
	fmt.Println(k, err)
	again, err := s.Named("K", symbolic.NoFacts())
	fmt.Println(again == k, err)
	_, err = s.Named("N", symbolic.Facts{Div: 8, Min: 1, Max: 7})
	fmt.Println(err)
	// Output:
	// K{div=8,>=8,<=16384} <nil>
	// true <nil>
	// fact: N{div=8,>=1,<=7}: no multiple of 8 is at least 1 and at most 7
}

// Each mention of ? is a new symbol, numbered so that a value can be assigned to it.
func ExampleScope_Anonymous() {
	var s symbolic.Scope
	x, _ := s.Anonymous(symbolic.NoFacts())
	y, err := s.Anonymous(symbolic.Facts{Div: 4, Min: math.MinInt64, Max: math.MaxInt64})
	fmt.Println(x, y, err)
	fmt.Println(x.Name(), y.Name())
	// Output:
	// ? ?{div=4} <nil>
	// ?1 ?2
}

func ExampleScope_Names() {
	var s symbolic.Scope
	s.Named("N", symbolic.NoFacts())
	s.Anonymous(symbolic.NoFacts())
	s.Named("K", symbolic.NoFacts())
	fmt.Println(s.Names())
	// Output: [?1 K N]
}

func ExampleScope_Lookup() {
	var s symbolic.Scope
	s.Anonymous(symbolic.NoFacts())
	x, ok := s.Lookup("?1")
	fmt.Println(x, ok)
	_, ok = s.Lookup("?2")
	fmt.Println(ok)
	// Output:
	// ? true
	// false
}

func ExampleSymbol_Name() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.NoFacts())
	fmt.Println(k.Name())
	// Output: K
}

func ExampleSymbol_Anonymous() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.NoFacts())
	x, _ := s.Anonymous(symbolic.NoFacts())
	fmt.Println(k.Anonymous(), x.Anonymous())
	// Output: false true
}

// A symbol that is an extent is at least 1 from then on.
func ExampleSymbol_Facts() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	fmt.Printf("%q\n", m.Facts())
	layout(symbolic.Of(m), symbolic.Const(1))
	fmt.Printf("%q\n", m.Facts())
	// Output:
	// ""
	// "{>=1}"
}

func ExampleSymbol_String() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.Facts{Div: 8, Min: math.MinInt64, Max: 4096, Bits: 64})
	fmt.Println(k)
	// Output: K{i64 div=8,<=4096}
}

func ExampleNoFacts() {
	f := symbolic.NoFacts()
	f.Div = 8
	fmt.Println(f)
	// Output: {div=8}
}

func ExampleFacts_String() {
	fmt.Println(symbolic.Facts{Div: 8, Min: 8, Max: 16384})
	// Output: {div=8,>=8,<=16384}
}

// Values are keyed by symbols, not by names: two scopes may both have an M.
func ExampleValues() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	k, _ := s.Named("K", symbolic.NoFacts())
	size, _ := symbolic.Mul(symbolic.Of(m), symbolic.Of(k))
	fmt.Println(size.At(symbolic.Values{m: 4096, k: 1024}))
	_, err := size.At(symbolic.Values{m: 4096})
	fmt.Println(err)
	// Output:
	// 4194304 <nil>
	// unknown: K has no value
}

func ExampleFacts_And() {
	a := symbolic.Facts{Div: 8, Min: 8, Max: 4096}
	b := symbolic.Facts{Div: 12, Min: 1, Max: 1024}
	fmt.Println(a.And(b))
	// Output: {div=24,>=8,<=1024} <nil>
}
