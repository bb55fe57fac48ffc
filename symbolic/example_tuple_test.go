package symbolic_test

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// The stride 8M along mode 1 of a coordinate.
func ExampleOnAxis() {
	x, _ := symbolic.Mul(symbolic.Const(8), dim("M"))
	fmt.Println(symbolic.OnAxis(x, 1), symbolic.OnAxis(x, 1, 0))
	// Output: 8M@1 8M@0@1
}

func ExampleScalar() {
	fmt.Println(symbolic.Scalar(dim("M")))
	// Output: M
}

func ExampleVector_Int() {
	m := dim("M")
	fmt.Println(symbolic.Scalar(m).Int())
	_, ok := symbolic.OnAxis(m, 0).Int()
	fmt.Println(ok)
	// Output:
	// M true
	// false
}

func ExampleVector_String() {
	m := dim("M")
	next, _ := symbolic.Add(m, symbolic.Const(1))
	fmt.Println(symbolic.OnAxis(m, 0), symbolic.OnAxis(next, 1))
	// Output: M@0 (M+1)@1
}

func ExampleLeaf() {
	fmt.Println(symbolic.Leaf(symbolic.OnAxis(dim("M"), 0)))
	// Output: M@0
}

func ExampleNumber() {
	fmt.Println(symbolic.Number(dim("M")))
	// Output: M
}

// Open is the underscore in A(block,_).
func ExampleOpen() {
	fmt.Println(symbolic.Nest(symbolic.Number(dim("block")), symbolic.Open()))
	// Output: (block,_)
}

func ExampleNest() {
	fmt.Println(symbolic.Nest(tuple(symbolic.Const(128), dim("tiles")), symbolic.Number(dim("K"))))
	// Output: ((128,tiles),K)
}

func ExampleTuple_Leaf() {
	v, ok := symbolic.Number(dim("M")).Leaf()
	fmt.Println(v, ok)
	// Output: M true
}

func ExampleTuple_Int() {
	fmt.Println(symbolic.Number(dim("M")).Int())
	_, ok := tuple(dim("M")).Int()
	fmt.Println(ok)
	// Output:
	// M true
	// false
}

func ExampleTuple_Open() {
	fmt.Println(symbolic.Open().Open(), symbolic.Number(dim("M")).Open())
	// Output: true false
}

func ExampleTuple_HasOpen() {
	at := symbolic.Nest(symbolic.Number(dim("block")), symbolic.Open())
	fmt.Println(at.HasOpen(), at.Open())
	// Output: true false
}

func ExampleTuple_Modes() {
	for _, mode := range symbolic.Nest(tuple(symbolic.Const(128), dim("tiles")), symbolic.Number(dim("K"))).Modes() {
		fmt.Println(mode)
	}
	// Output:
	// (128,tiles)
	// K
}

func ExampleTuple_LeafCount() {
	fmt.Println(symbolic.Nest(tuple(symbolic.Const(128), dim("tiles")), symbolic.Open()).LeafCount())
	// Output: 3
}

func ExampleTuple_Static() {
	fmt.Println(tuple(symbolic.Const(128), dim("K")).Static(), tuple(symbolic.Const(128), symbolic.Const(64)).Static())
	// Output: false true
}

func ExampleTuple_String() {
	stride, _ := symbolic.Mul(symbolic.Const(64), dim("M"))
	fmt.Println(tuple(symbolic.Const(1), stride))
	// Output: (1,64M)
}

func ExampleTuple_StaticView() {
	stride, _ := symbolic.Mul(symbolic.Const(64), dim("M"))
	fmt.Println(tuple(symbolic.Const(1), stride).StaticView())
	// Output: (1,?{div=64})
}

func ExampleTuple_Equal() {
	m, k := dim("M"), dim("K")
	fmt.Println(tuple(m, k).Equal(tuple(m, k)), tuple(m, k).Equal(tuple(k, m)))
	// Output: true false
}

func ExampleFromTuple() {
	fmt.Println(symbolic.FromTuple(cute.MustParseTuple("(64@1,(1@0,8@0))")))
	// Output: (64@1,(1@0,8@0))
}

func ExampleTuple_ToTuple() {
	fmt.Println(tuple(symbolic.Const(128), symbolic.Const(64)).ToTuple())
	_, err := tuple(dim("M"), symbolic.Const(64)).ToTuple()
	fmt.Println(err)
	// Output:
	// (128,64) <nil>
	// unknown: expected known integers, found M
}

func ExampleTuple_At() {
	var s symbolic.Scope
	m, _ := s.Named("M", symbolic.NoFacts())
	fmt.Println(tuple(symbolic.Of(m), symbolic.Const(64)).At(symbolic.Values{m: 4096}))
	// Output: (4096,64) <nil>
}

func ExampleTuple_With() {
	var s symbolic.Scope
	k, _ := s.Named("K", symbolic.NoFacts())
	fmt.Println(tuple(dim("M"), symbolic.Of(k)).With(symbolic.Values{k: 1024}))
	// Output: (M,1024) <nil>
}

func ExampleTuple_Product() {
	fmt.Println(symbolic.Nest(tuple(symbolic.Const(128), dim("tiles")), symbolic.Number(dim("K"))).Product())
	// Output: 128K*tiles <nil>
}

func ExampleTuple_Scale() {
	fmt.Println(tuple(dim("M"), symbolic.Const(1)).Scale(symbolic.Const(64)))
	// Output: (64M,64) <nil>
}

func ExampleTuple_OnAxis() {
	fmt.Println(symbolic.Number(dim("M")).OnAxis(1))
	// Output: M@1 <nil>
}

// Pattern keeps only the nesting and the underscores of a coordinate, which determine rank, depth and slices.
func ExampleTuple_Pattern() {
	fmt.Println(symbolic.Nest(symbolic.Number(dim("block")), symbolic.Open()).Pattern())
	// Output: (0,_)
}

func ExampleAddTuples() {
	i := dim("i")
	fmt.Println(symbolic.AddTuples(tuple(i, dim("j")), tuple(symbolic.Const(1), i)))
	// Output: (i+1,i+j) <nil>
}

// The number of tiles, mode by mode: ceil_div of shapes.
func ExampleZip() {
	shape := tuple(dim("M"), dim("K"))
	tile := tuple(symbolic.Const(128), symbolic.Const(64))
	fmt.Println(symbolic.Zip("ceil_div", shape, tile, func(v, w symbolic.Vector) (symbolic.Vector, error) {
		x, _ := v.Int()
		y, _ := w.Int()
		q, _, err := symbolic.CeilDiv(x, y)
		return symbolic.Scalar(q), err
	}))
	// Output: (ceil(M/128),ceil(K/64)) <nil>
}

// RearrangeTuples runs an operation of package cute on the tuple, leaves included.
func ExampleRearrangeTuples() {
	t := symbolic.Nest(tuple(symbolic.Const(128), dim("tiles")), symbolic.Number(dim("K")))
	fmt.Println(symbolic.RearrangeTuples(func(ts ...cute.Tuple) (cute.Tuple, error) {
		return ts[0].Flatten(), nil
	}, t))
	// Output: (128,tiles,K) <nil>
}

// Idx2Crd splits a block index; the last mode is unbounded, so it needs no remainder.
func ExampleIdx2Crd() {
	at, guard, err := symbolic.Idx2Crd(symbolic.Number(dim("block")), tuple(dim("tilesM"), dim("tilesN")))
	fmt.Println(at, "if", guard, err)
	// Output: (block%tilesM,floor(block/tilesM)) if 0 <= block <nil>
}

// Increment is one step of a persistent kernel's loop over its tiles.
func ExampleIncrement() {
	at, guard, err := symbolic.Increment(tuple(symbolic.Const(3), dim("j")), tuple(symbolic.Const(4), dim("N")))
	fmt.Println(at, "if", guard, err)
	// Output: (0,j+1) if 0 <= 4j+4 <nil>
}
