package symbolic_test

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/symbolic"
)

// A contiguous matrix is one mode, whatever its sizes.
func ExampleCoalesce() {
	m, k := dim("M"), dim("K")
	fmt.Println(symbolic.Coalesce(layout(tuple(m, k), tuple(symbolic.Const(1), m))))
	fmt.Println(symbolic.Coalesce(layout(tuple(m, k), tuple(k, symbolic.Const(1)))))
	// Output:
	// K*M:1 <nil>
	// (M,K):(K,1) <nil>
}

func ExampleCoalesceProfile() {
	m, k := dim("M"), dim("K")
	a := layout(tuple(m, k), tuple(symbolic.Const(1), m))
	fmt.Println(symbolic.CoalesceProfile(a, cute.Ints(1, 1)))
	// Output: (M,K):(1,M) <nil>
}

// This composition takes the rows of an 8 x 4 tile in a matrix with leading dimension K.
func ExampleComposition() {
	k := dim("K")
	a := layout(tuple(symbolic.Const(128), k), tuple(k, symbolic.Const(1)))
	b := layout(tuple(symbolic.Const(8), symbolic.Const(4)), tuple(symbolic.Const(1), symbolic.Const(16)))
	fmt.Println(symbolic.Composition(a, b))
	// Output: (8,4):(K,16K) <nil>
}

// If facts do not tell how the modes are cut, the guard says when CuTe's formula is right.
func ExampleComposition_guard() {
	m := dim("M")
	a := layout(tuple(m, symbolic.Const(4)), tuple(symbolic.Const(4), symbolic.Const(1)))
	c, err := symbolic.Composition(a, layout(symbolic.Const(16), symbolic.Const(1)))
	fmt.Println(c, err)
	fmt.Println("if", c.Guard())
	// Output:
	// (min(M,16),floor(16/min(M,16))):(4,1) <nil>
	// if 16 <= M or M | 16
}

func ExampleCompositionBy() {
	m, k := dim("M"), dim("K")
	a := layout(tuple(m, k), tuple(symbolic.Const(1), m))
	rows := layout(symbolic.Const(8), symbolic.Const(2)) // every other row
	c, err := symbolic.CompositionBy(a, symbolic.ByMode(symbolic.Whole(rows), symbolic.Keep()))
	fmt.Printf("%v if %q, %v\n", c, c.Guard(), err)
	// Output: (8,K):(2,M) if "", <nil>
}

// The rest of N elements for a tile of 8 neighbours.
func ExampleComplement() {
	fmt.Println(symbolic.Complement(layout(symbolic.Const(8), symbolic.Const(1)), symbolic.Number(dim("N"))))
	// Output: ceil(N/8):8 <nil>
}

// The inverse of a row-major matrix maps the offset to the index m + M·k.
func ExampleRightInverse() {
	m, k := dim("M"), dim("K")
	r, err := symbolic.RightInverse(layout(tuple(m, k), tuple(k, symbolic.Const(1))))
	fmt.Println(r, err)
	// Output: (K,M):(M,1) <nil>
}

func ExampleLeftInverse() {
	m, k := dim("M"), dim("K")
	fmt.Println(symbolic.LeftInverse(layout(tuple(m, k), tuple(k, symbolic.Const(1)))))
	r, err := symbolic.LeftInverse(layout(tuple(m, k), tuple(dim("ld"), symbolic.Const(1))))
	fmt.Println(r, err)
	fmt.Println("if", r.Guard())
	// Output:
	// (K,M):(M,1) <nil>
	// (ld,M):(M,1) <nil>
	// if K <= ld
}

func ExampleComplementExact() {
	eight := symbolic.Const(8)
	r, err := symbolic.ComplementExact(layout(symbolic.Number(eight), symbolic.Number(symbolic.Const(1))),
		symbolic.Number(dim("M")))
	fmt.Println(r, "if", r.Guard(), err)
	// Output: ceil(M/8):8 if 8 | M <nil>
}

// CuTe divides a block of 3 by the modes one after the other, so the result covers a different number of offsets.
func ExampleComplementByMode() {
	three := layout(symbolic.Number(symbolic.Const(3)), symbolic.Number(symbolic.Const(1)))
	fmt.Println(symbolic.Complement(three, tuple(dim("M"), dim("N"))))
	fmt.Println(symbolic.ComplementByMode(three, tuple(dim("M"), dim("N"))))
	// Output:
	// ceil(M*N/3):3 <nil>
	// ceil(M/3)*ceil(N/ceil(3/M)):3 <nil>
}

func ExampleInverse() {
	m, k := dim("M"), dim("K")
	fmt.Println(symbolic.Inverse(layout(tuple(m, k), tuple(k, symbolic.Const(1)))))
	// Output: (K,M):(M,1) <nil>
}

func ExampleLayoutLeft() {
	fmt.Println(symbolic.LayoutLeft(tuple(dim("M"), dim("K"))))
	// Output: (M,K):(1,M) <nil>
}

func ExampleLayoutRight() {
	fmt.Println(symbolic.LayoutRight(tuple(dim("M"), dim("K"))))
	// Output: (M,K):(K,1) <nil>
}

// A batch of row-major matrices, the batch outermost.
func ExampleOrdered() {
	fmt.Println(symbolic.Ordered(tuple(dim("M"), dim("K"), dim("L")), []int64{1, 0, 2}))
	// Output: (M,K,L):(K,1,K*M) <nil>
}

// Identity is the coordinate tensor that a kernel compares with the problem's shape.
func ExampleIdentity() {
	fmt.Println(symbolic.Identity(tuple(dim("M"), dim("K"))))
	// Output: (M,K):(1@0,1@1) <nil>
}

func ExampleMake() {
	m, k := dim("M"), dim("K")
	fmt.Println(symbolic.Make(layout(m, symbolic.Const(1)), layout(k, m)))
	// Output: (M,K):(1,M) <nil>
}

// Like makes a compact copy of a tile in the order of its strides: rows stay rows. The condition is K > 1.
func ExampleLike() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: math.MaxInt64})
	tile := layout(tuple(symbolic.Const(8), symbolic.Const(4)), tuple(symbolic.Of(k), symbolic.Const(1)))
	fmt.Println(symbolic.Like(tile))
	// Output: (8,4):(4,1) <nil>
}

// Rearrange runs an operation of package cute that only moves modes.
func ExampleRearrange() {
	m, k := dim("M"), dim("K")
	fmt.Println(symbolic.Rearrange(func(ls ...cute.Layout) (cute.Layout, error) {
		return ls[0].Select(1, 0)
	}, layout(tuple(m, k), tuple(k, symbolic.Const(1)))))
	// Output: (K,M):(1,K) <nil>
}

// Upcast counts in vectors of 8 halves; here a fact says that 8 divides the row length.
func ExampleUpcast() {
	var s symbolic.Scope
	sym, _ := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: math.MaxInt64})
	k := symbolic.Of(sym)
	fmt.Println(symbolic.Upcast(layout(tuple(dim("M"), k), tuple(k, symbolic.Const(1))), 8))
	// Output: (M,K/8):(K/8,1) <nil>
}

// Downcast turns halves into bytes. An unknown stride may be 1.
func ExampleDowncast() {
	m, k := dim("M"), dim("K")
	l, err := symbolic.Downcast(layout(tuple(m, k), tuple(k, symbolic.Const(1))), 2)
	fmt.Println(l, "if", l.Guard(), err)
	// Output: (M,2K):(2K,1) if K != 1 <nil>
}

func ExampleAbs() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	d, _ := symbolic.Add(symbolic.Of(m), symbolic.Const(-3))
	fmt.Println(symbolic.Abs(d))
	// Output: abs(M-3) <nil>
}

func ExampleCrd2Idx() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	i, _ := s.Named("i", symbolic.NoFacts())
	shape := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Const(4)))
	at := symbolic.Nest(symbolic.Number(symbolic.Of(i)), symbolic.Number(symbolic.Const(2)))
	fmt.Println(symbolic.Crd2Idx(at, shape))
	// Output: 2M+i  <nil>
}
