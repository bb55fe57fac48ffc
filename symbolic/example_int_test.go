package symbolic_test

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/symbolic"
)

// An Int is a polynomial in its normal form, so that equal expressions are equal as values.
func ExampleInt_Equal() {
	m, k := dim("M"), dim("K")
	left, _ := symbolic.Mul(m, k)
	right, _ := symbolic.Mul(k, m)
	fmt.Println(left.Equal(right), left.Equal(m))
	// Output: true false
}

func ExampleConst() {
	fmt.Println(symbolic.Const(64))
	// Output: 64
}

func ExampleOf() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	fmt.Println(symbolic.Of(m))
	// Output: M
}

func ExampleInt_Int64() {
	fmt.Println(symbolic.Const(64).Int64())
	_, known := dim("M").Int64()
	fmt.Println(known)
	// Output:
	// 64 true
	// false
}

func ExampleInt_Name() {
	m := dim("M")
	double, _ := symbolic.Mul(m, symbolic.Const(2))
	name, _ := m.Name()
	_, ok := double.Name()
	fmt.Println(name, ok)
	// Output: M false
}

// At evaluates an expression at run time; a value that breaks a fact is refused.
func ExampleInt_At() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: 16384})
	tiles, _, _ := symbolic.CeilDiv(symbolic.Of(k), symbolic.Const(64))
	fmt.Println(tiles.At(symbolic.Values{k: 1000}))
	_, err := tiles.At(symbolic.Values{k: 1001})
	fmt.Println(err)
	// Output:
	// 16 <nil>
	// fact: K = 1001 breaks the fact that 8 divides K
}

// String writes a named symbol by its name. It writes an expression with an unnamed symbol as a question mark, as CuTe
// does.
func ExampleInt_String() {
	var s symbolic.Scope
	q, _ := s.Anonymous(symbolic.Facts{Div: 8, Min: math.MinInt64, Max: math.MaxInt64})
	x, _ := symbolic.Add(dim("M"), symbolic.Const(1))
	fmt.Println(x, symbolic.Of(q))
	// Output: M+1 ?{div=8}
}

func ExampleAdd() {
	m := dim("M")
	x, _ := symbolic.Add(m, symbolic.Const(127))
	fmt.Println(symbolic.Add(x, m))
	// Output: 2M+127 <nil>
}

func ExampleMul() {
	m, k := dim("M"), dim("K")
	x, _ := symbolic.Add(m, symbolic.Const(1))
	fmt.Println(symbolic.Mul(x, k))
	big := symbolic.Const(math.MaxInt64)
	_, err := symbolic.Mul(big, k)
	fmt.Println(err)
	_, err = symbolic.Mul(big, symbolic.Const(2))
	fmt.Println(err)
	// Output:
	// K*M+K <nil>
	// <nil>
	// overflow: a coefficient of an expression leaves 64 bits
}

// The number of tiles in an extent needs no ceil if facts say that the tile divides the extent.
func ExampleCeilDiv() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.Facts{Div: 64, Min: 64, Max: math.MaxInt64})
	for _, x := range []symbolic.Int{dim("M"), symbolic.Of(k)} {
		tiles, guard, err := symbolic.CeilDiv(x, symbolic.Const(64))
		fmt.Printf("%v if %q, %v\n", tiles, guard, err)
	}
	// An unknown divisor must be positive.
	tiles, guard, err := symbolic.CeilDiv(dim("M"), dim("tile"))
	fmt.Println(tiles, "if", guard, err)
	// Output:
	// ceil(M/64) if "0 <= M", <nil>
	// K/64 if "", <nil>
	// ceil(M/tile) if 1 <= tile and 0 <= M <nil>
}

func ExampleFloorDiv() {
	m := dim("M")
	x, _ := symbolic.Mul(m, symbolic.Const(16))
	x, _ = symbolic.Add(x, symbolic.Const(3))
	whole, guard, err := symbolic.FloorDiv(x, symbolic.Const(8))
	fmt.Printf("%v if %q, %v\n", whole, guard, err)
	// Output: 2M if "0 <= 16M+3", <nil>
}

func ExampleMod() {
	thread := dim("thread")
	lane, guard, err := symbolic.Mod(thread, symbolic.Const(32))
	fmt.Printf("%v if %q, %v\n", lane, guard, err)
	// Output: thread%32 if "0 <= thread", <nil>
}

// ShapeDiv is CuTe's shape_div, with the condition that CuTe asserts only for known integers.
func ExampleShapeDiv() {
	x, guard, err := symbolic.ShapeDiv(dim("M"), symbolic.Const(64))
	fmt.Println(x, "if", guard, err)
	// Output: ceil(M/64) if 1 <= M and (64 | M or M | 64) <nil>
}

// The example computes the rows of the last tile, and of any tile if M is known to be at least a tile.
func ExampleMin() {
	var s symbolic.Scope
	n, _ := s.Named("N", symbolic.Facts{Div: 1, Min: 128, Max: math.MaxInt64})
	fmt.Println(symbolic.Min(dim("M"), symbolic.Const(128)), symbolic.Min(symbolic.Of(n), symbolic.Const(128)))
	// Output: min(M,128) 128
}

func ExampleMax() {
	largest, err := symbolic.Max(dim("M"), symbolic.Const(128))
	fmt.Println(largest, err)
	// Output: M-min(M,128)+128 <nil>
}

// Apply uses a function without a formula, such as a swizzle, in expressions.
func ExampleApply() {
	swizzle, _ := cute.NewSwizzle(3, 4, 3)
	var s symbolic.Scope
	i, _ := s.Named("i", symbolic.NoFacts())
	x, guard, err := symbolic.Apply(swizzle.String(), swizzle.At, symbolic.Of(i))
	fmt.Println(x, "if", guard, err)
	fmt.Println(x.At(symbolic.Values{i: 128}))
	// Output:
	// Sw<3,4,3>(i) if 0 <= i <nil>
	// 144 <nil>
}
