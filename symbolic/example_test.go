package symbolic_test

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// This example tiles the A operand of a GEMM, M x K and row-major, by 128 x 64. It prints what a kernel knows at
// compile time, and the condition under which no tile reaches beyond the matrix.
func Example() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	k, _ := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: 16384}) // 16-byte rows of halves
	M, K := symbolic.Of(m), symbolic.Of(k)
	a, err := symbolic.New(tuple(M, K), tuple(K, symbolic.Const(1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	tiler, _ := symbolic.OfShape(tuple(symbolic.Const(128), symbolic.Const(64)))
	tiles, err := symbolic.Divide(a, tiler, symbolic.Zipped)
	fmt.Println(tiles, err)
	fmt.Println("whole if", tiles.Whole)
	// At run time.
	fmt.Println(tiles.At(symbolic.Values{m: 4096, k: 1024}))
	// Output:
	// ((128,64),(ceil(M/128),ceil(K/64))):((K,1),(128K,64)) <nil>
	// whole if 128 | M and 64 | K
	// ((128,64),(32,16)):((1024,1),(131072,64)) <nil>
}

// ExampleNew shows how extents add facts and conditions: K is at least 1 from then on, and M-4 >= 1 becomes a
// condition.
func ExampleNew() {
	m, k := dim("M"), dim("K")
	rest, _ := symbolic.Add(m, symbolic.Const(-4))
	l, err := symbolic.New(tuple(rest, k), tuple(symbolic.Const(1), m))
	fmt.Println(l, "if", l.Guard(), err)
	_, err = symbolic.New(tuple(m, k), symbolic.Number(k))
	fmt.Println(err)
	// Output:
	// (M-4,K):(1,M) if 1 <= M-4 <nil>
	// not_congruent: shape and stride need the same nesting, found (M,K) and K
}

func ExampleFromLayout() {
	l := symbolic.FromLayout(cute.MustParse("(128,64):(64,1)"))
	fmt.Println(l, l.Static())
	// Output: (128,64):(64,1) true
}

func ExampleLayout_ToLayout() {
	tile := layout(tuple(symbolic.Const(128), symbolic.Const(64)), tuple(symbolic.Const(64), symbolic.Const(1)))
	fmt.Println(tile.ToLayout())
	_, err := layout(dim("M"), symbolic.Const(1)).ToLayout()
	fmt.Println(err)
	// Output:
	// (128,64):(64,1) <nil>
	// unknown: expected known integers, found M
}

func ExampleLayout_Shape() {
	m, k := dim("M"), dim("K")
	fmt.Println(layout(tuple(m, k), tuple(k, symbolic.Const(1))).Shape())
	// Output: (M,K)
}

func ExampleLayout_Stride() {
	m, k := dim("M"), dim("K")
	fmt.Println(layout(tuple(m, k), tuple(k, symbolic.Const(1))).Stride())
	// Output: (K,1)
}

// The remainder of a split of M by 4 is a layout only if it is not empty.
func ExampleLayout_Guard() {
	rest, _ := symbolic.Add(dim("M"), symbolic.Const(-4))
	fmt.Println(layout(rest, symbolic.Const(1)).Guard())
	// Output: 1 <= M-4
}

func ExampleLayout_If() {
	m := dim("M")
	whole, _ := symbolic.LessIf(symbolic.Number(symbolic.Const(127)), symbolic.Number(m))
	fmt.Println(layout(m, symbolic.Const(1)).If(whole).Guard())
	// Output: 128 <= M
}

func ExampleLayout_Static() {
	fmt.Println(layout(dim("M"), symbolic.Const(1)).Static(), layout(symbolic.Const(8), symbolic.Const(1)).Static())
	// Output: false true
}

func ExampleLayout_HasAxes() {
	id, _ := symbolic.Identity(tuple(dim("M"), dim("K")))
	fmt.Println(id, id.HasAxes(), layout(dim("M"), symbolic.Const(1)).HasAxes())
	// Output: (M,K):(1@0,1@1) true false
}

func ExampleLayout_String() {
	m := dim("M")
	stride, _ := symbolic.Mul(symbolic.Const(8), m)
	fmt.Println(layout(tuple(m, symbolic.Const(8)), tuple(symbolic.Const(1), stride)))
	// Output: (M,8):(1,8M)
}

// StaticView returns what a CuTe kernel prints for the layout while being traced.
func ExampleLayout_StaticView() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: 16384})
	l := layout(tuple(dim("M"), symbolic.Of(k)), tuple(symbolic.Of(k), symbolic.Const(1)))
	fmt.Println(l.StaticView())
	// Output: (?,?{div=8}):(?{div=8},1)
}

func ExampleLayout_Modes() {
	m, k := dim("M"), dim("K")
	for _, mode := range layout(tuple(m, k), tuple(k, symbolic.Const(1))).Modes() {
		fmt.Println(mode)
	}
	// Output:
	// M:K
	// K:1
}

// At returns the layout at run time. It refuses values that violate the guard, because they make the result
// meaningless.
func ExampleLayout_At() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	rest, _ := symbolic.Add(symbolic.Of(m), symbolic.Const(-4))
	l := layout(tuple(rest, symbolic.Const(2)), tuple(symbolic.Const(1), symbolic.Of(m)))
	fmt.Println(l.At(symbolic.Values{m: 12}))
	_, err := l.At(symbolic.Values{m: 4})
	fmt.Println(err)
	// Output:
	// (8,2):(1,12) <nil>
	// fact: the result is valid only if 1 <= M-4, which these values violate
}

// With specializes a kernel for one K and keeps M for run time.
func ExampleLayout_With() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	k, _ := s.Named("K", symbolic.NoFacts())
	l := layout(tuple(symbolic.Of(m), symbolic.Of(k)), tuple(symbolic.Of(k), symbolic.Const(1)))
	fmt.Println(l.With(symbolic.Values{k: 1024}))
	// Output: (M,1024):(1024,1) <nil>
}

// Eval returns the offset of an element; an index is split into a coordinate first.
func ExampleLayout_Eval() {
	m, k, i, j := dim("M"), dim("K"), dim("i"), dim("j")
	a := layout(tuple(m, k), tuple(k, symbolic.Const(1)))
	fmt.Println(a.Eval(tuple(i, j)))
	fmt.Println(a.Eval(symbolic.Number(i)))
	// Output:
	// K*i+j  <nil>
	// K*mod(i,M)+floor(i/M) 0 <= i <nil>
}

// Slice does what local_tile does with the block index: it returns the rest of the layout and the offset at which the
// rest starts.
func ExampleLayout_Slice() {
	m, k, block := dim("M"), dim("K"), dim("block")
	a := layout(tuple(m, k), tuple(k, symbolic.Const(1)))
	row, offset, err := a.Slice(symbolic.Nest(symbolic.Number(block), symbolic.Open()))
	fmt.Println(row, "from", offset, err)
	// Output: (K):(1) from K*block <nil>
}

func ExampleLayout_Size() {
	m, k := dim("M"), dim("K")
	fmt.Println(layout(tuple(m, k), tuple(k, symbolic.Const(1))).Size())
	// Output: K*M <nil>
}

// Cosize is the number of elements to allocate, here for rows that are padded by 8.
func ExampleLayout_Cosize() {
	m, k := dim("M"), dim("K")
	padded, _ := symbolic.Add(k, symbolic.Const(8))
	fmt.Println(layout(tuple(m, k), tuple(padded, symbolic.Const(1))).Cosize())
	// Output: K*M+8M-8 <nil>
}

// dim returns the symbol of that name, about which nothing is known.
func dim(name string) symbolic.Int {
	var s symbolic.Scope
	x, err := s.Named(name, symbolic.NoFacts())
	if err != nil {
		panic(err)
	}
	return symbolic.Of(x)
}

// tuple returns the tuple of integers.
func tuple(xs ...symbolic.Int) symbolic.Tuple {
	ts := make([]symbolic.Tuple, len(xs))
	for i, x := range xs {
		ts[i] = symbolic.Number(x)
	}
	return symbolic.Nest(ts...)
}

// layout returns the layout of a shape and a stride, tuples or integers.
func layout[T symbolic.Tuple | symbolic.Int](shape, stride T) symbolic.Layout {
	as := func(x any) symbolic.Tuple {
		if n, ok := x.(symbolic.Int); ok {
			return symbolic.Number(n)
		}
		return x.(symbolic.Tuple)
	}
	l, err := symbolic.New(as(shape), as(stride))
	if err != nil {
		panic(err)
	}
	return l
}
