package symbolic_test

import (
	"fmt"

	"girih/symbolic"
)

// The four forms of a divide of (M,K) by a tile of 128 x 64.
func ExampleDivide() {
	m, k := dim("M"), dim("K")
	a := layout(tuple(m, k), tuple(k, symbolic.Const(1)))
	tiler, _ := symbolic.OfShape(tuple(symbolic.Const(128), symbolic.Const(64)))
	for _, form := range []symbolic.Form{symbolic.Logical, symbolic.Zipped, symbolic.Tiled, symbolic.Flat} {
		d, err := symbolic.Divide(a, tiler, form)
		fmt.Println(d, err)
	}
	// Output:
	// ((128,ceil(M/128)),(64,ceil(K/64))):((K,128K),(1,64)) <nil>
	// ((128,64),(ceil(M/128),ceil(K/64))):((K,1),(128K,64)) <nil>
	// ((128,64),ceil(M/128),ceil(K/64)):((K,1),128K,64) <nil>
	// (128,64,ceil(M/128),ceil(K/64)):(K,1,128K,64) <nil>
}

// Whole says when nothing is padded.
func ExampleDivision() {
	tiler, _ := symbolic.OfShape(symbolic.Number(symbolic.Const(128)))
	d, err := symbolic.Divide(layout(dim("M"), symbolic.Const(1)), tiler, symbolic.Logical)
	fmt.Println(d, err)
	fmt.Println("whole if", d.Whole)
	// Output:
	// (128,ceil(M/128)):(1,128) <nil>
	// whole if 128 | M
}

// A Form tells whether tiles and rests are grouped by mode, in two groups, or not at all.
func ExampleForm() {
	m := dim("M")
	tile := layout(tuple(symbolic.Const(8), symbolic.Const(4)), tuple(symbolic.Const(1), symbolic.Const(8)))
	copies := symbolic.Whole(layout(tuple(m, dim("N")), tuple(symbolic.Const(1), m)))
	for _, form := range []symbolic.Form{symbolic.Zipped, symbolic.Tiled, symbolic.Flat} {
		fmt.Println(symbolic.Multiply(tile, copies, form))
	}
	// Output:
	// ((8,4),(M,N)):((1,8),(32,32M)) <nil>
	// ((8,4),M,N):((1,8),32,32M) <nil>
	// (8,4,M,N):(1,8,32,32M) <nil>
}

// The problem needs this many copies of a core matrix.
func ExampleMultiply() {
	tile := layout(tuple(symbolic.Const(8), symbolic.Const(8)), tuple(symbolic.Const(8), symbolic.Const(1)))
	copies := layout(dim("N"), symbolic.Const(1))
	fmt.Println(symbolic.Multiply(tile, symbolic.Whole(copies), symbolic.Logical))
	// Output: ((8,8),N):((8,1),64) <nil>
}

func ExampleBlockedProduct() {
	m := dim("M")
	block := layout(tuple(symbolic.Const(8), symbolic.Const(8)), tuple(symbolic.Const(8), symbolic.Const(1)))
	fmt.Println(symbolic.BlockedProduct(block, layout(tuple(m, dim("N")), tuple(symbolic.Const(1), m))))
	// Output: ((8,M),(8,N)):((8,64),(1,64M)) <nil>
}

func ExampleRakedProduct() {
	m := dim("M")
	block := layout(tuple(symbolic.Const(8), symbolic.Const(8)), tuple(symbolic.Const(8), symbolic.Const(1)))
	fmt.Println(symbolic.RakedProduct(block, layout(tuple(m, dim("N")), tuple(symbolic.Const(1), m))))
	// Output: ((M,8),(N,8)):((64,8),(64M,1)) <nil>
}

// A shared memory atom is repeated over a tile whose depth is chosen at run time.
func ExampleTileToShape() {
	atom := layout(tuple(symbolic.Const(8), symbolic.Const(64)), tuple(symbolic.Const(64), symbolic.Const(1)))
	target := tuple(symbolic.Const(128), symbolic.Const(64), dim("stages"))
	fmt.Println(symbolic.TileToShape(atom, target, nil))
	// Output: ((8,16),(64,1),(1,stages)):((64,512),(1,0),(0,8192)) <nil>
}

// A tuple of extents tiles mode by mode; an underscore leaves a mode alone.
func ExampleOfShape() {
	fmt.Println(symbolic.OfShape(symbolic.Nest(symbolic.Number(symbolic.Const(128)), symbolic.Open())))
	// Output: <128:1,_> <nil>
}

func ExampleWhole() {
	fmt.Println(symbolic.Whole(layout(dim("tile"), symbolic.Const(1))))
	// Output: tile:1
}

func ExampleByMode() {
	fmt.Println(symbolic.ByMode(symbolic.Whole(layout(dim("tile"), symbolic.Const(1))), symbolic.Keep()))
	// Output: <tile:1,_>
}

func ExampleKeep() {
	fmt.Println(symbolic.Keep())
	// Output: _
}

func ExampleTiler_Layout() {
	l, ok := symbolic.Whole(layout(dim("tile"), symbolic.Const(1))).Layout()
	fmt.Println(l, ok)
	_, ok = symbolic.Keep().Layout()
	fmt.Println(ok)
	// Output:
	// tile:1 true
	// false
}

func ExampleTiler_Modes() {
	t, _ := symbolic.OfShape(tuple(symbolic.Const(128), symbolic.Const(64)))
	for _, mode := range t.Modes() {
		fmt.Println(mode)
	}
	// Output:
	// 128:1
	// 64:1
}

func ExampleTiler_LeafCount() {
	t, _ := symbolic.OfShape(tuple(symbolic.Const(128), symbolic.Const(64)))
	fmt.Println(symbolic.ByMode(t, symbolic.Keep()).LeafCount())
	// Output: 3
}

func ExampleTiler_String() {
	t, _ := symbolic.OfShape(tuple(dim("tile"), symbolic.Const(64)))
	fmt.Println(t)
	// Output: <tile:1,64:1>
}

func ExampleTiler_StaticView() {
	t, _ := symbolic.OfShape(tuple(dim("tile"), symbolic.Const(64)))
	fmt.Println(t.StaticView())
	// Output: <?:1,64:1>
}

func ExampleTiler_With() {
	var s symbolic.Scope
	tile, _ := s.Named("tile", symbolic.NoFacts())
	t, _ := symbolic.OfShape(tuple(symbolic.Of(tile), dim("K")))
	fmt.Println(t.With(symbolic.Values{tile: 128}))
	// Output: <128:1,K:1> <nil>
}
