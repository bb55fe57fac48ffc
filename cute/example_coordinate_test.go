package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// At takes the colexicographic index. Beyond the domain the last mode counts on.
func ExampleLayout_At() {
	a := cute.MustParse("(4,8):(8,1)") // row-major: index 5 is (1,1)
	fmt.Println(a.At(5))
	fmt.Println(a.At(32)) // (0,8)
	fmt.Println(a.At(-1)) // (-1,0): a layout is an odd function
	// Output:
	// 9 <nil>
	// 8 <nil>
	// -8 <nil>
}

// The offsets of the values of thread 5 of a warp. The integer 5 is (1,1) in the mode (4,8).
func ExampleLayout_Eval() {
	tv := cute.MustParse("((4,8),(2,2)):((32,1),(16,8))") // an m16n8 accumulator
	fmt.Println(tv.Eval(cute.MustParseTuple("((1,1),(1,1))")))
	fmt.Println(tv.Eval(cute.MustParseTuple("(5,(1,1))")))
	fmt.Println(tv.Eval(cute.Ints(5, 3)))
	// Output:
	// 57 <nil>
	// 57 <nil>
	// 57 <nil>
}

// With coordinate strides the offset is a coordinate.
func ExampleLayout_Eval_coordinates() {
	tv := cute.MustParse("((4,8),(2,2)):((2@1,1@0),(1@1,8@0))") // an m16n8 accumulator to (m,n)
	fmt.Println(tv.Eval(cute.Ints(5, 3)))
	// Output: (9,3) <nil>
}

func ExampleLayout_AppendOffsets() {
	values := cute.MustParse("(2,2):(16,8)")
	fmt.Println(values.AppendOffsets(nil))
	// With coordinate strides, each offset consists of one number for each axis: here m and n.
	values = cute.MustParse("(2,2):(1@1,8@0)")
	fmt.Println(values.AppendOffsets(nil))
	// Output:
	// [0 16 8 24] <nil>
	// [0 0 0 1 8 0 8 1] <nil>
}

// Enumeration has a limit; slice a tile out of a larger layout.
func ExampleLayout_AppendOffsets_limit() {
	a := cute.MustParse("(4096,4096):(4096,1)")
	_, err := a.AppendOffsets(nil)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code, a.Size() > cute.EnumLimit)
	// Output: limit true
}

func ExampleLayout_All() {
	for i, offset := range cute.MustParse("(2,3):(3,1)").All() {
		fmt.Println(i, offset)
	}
	// Output:
	// 0 0
	// 1 3
	// 2 1
	// 3 4
	// 4 2
	// 5 5
}

func ExampleCrd2Idx() {
	fmt.Println(cute.Crd2Idx(cute.Ints(1, 2), cute.Ints(4, 8))) // 1 + 2·4
	// Output: 9 <nil>
}

// Thread 100 of 128 is lane 4 of warp 3; in a warp of (4,8), column 0 of row 1.
func ExampleIdx2Crd() {
	fmt.Println(cute.Idx2Crd(cute.Int(100), cute.Ints(32, 4)))
	fmt.Println(cute.Idx2Crd(cute.Int(100), cute.MustParseTuple("((4,8),4)")))
	// The last mode is not reduced.
	fmt.Println(cute.Idx2Crd(cute.Int(100), cute.MustParseTuple("(3,(4,5))")))
	// Output:
	// (4,3) <nil>
	// ((0,1),3) <nil>
	// (1,(1,8)) <nil>
}

// The element (1,2) of a 4x8 tile after a reshape to 8x4.
func ExampleCrd2Crd() {
	fmt.Println(cute.Crd2Crd(cute.Ints(1, 2), cute.Ints(4, 8), cute.Ints(8, 4)))
	// Output: (1,1) <nil>
}

func ExampleIncrement() {
	shape := cute.Ints(4, 8)
	fmt.Println(cute.Increment(cute.Ints(2, 0), shape))
	fmt.Println(cute.Increment(cute.Ints(3, 0), shape))
	fmt.Println(cute.Increment(cute.Ints(3, 7), shape)) // beyond the end
	// Output:
	// (3,0) <nil>
	// (0,1) <nil>
	// (0,8) <nil>
}

// A coordinate with underscores says which modes a slice keeps.
func ExampleCoord() {
	row := cute.MustParseCoord("(3,_)")
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(tile.SliceAndOffset(row))
	// Output: (64):(1) 192 <nil>
}

// Open alone keeps everything; inside a coordinate it keeps a mode.
func ExampleCoord_open() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(tile.Slice(cute.Open))
	fmt.Println(tile.Slice(cute.MakeCoord(cute.Open, cute.MustParseCoord("0"))))
	// Output:
	// (8,64):(64,1) <nil>
	// (8):(64) <nil>
}

func ExampleFixed() {
	c, err := cute.Fixed(cute.Ints(3, 5))
	fmt.Println(c, c.HasOpen(), err)
	// Output: (3,5) false <nil>
}

func ExampleMakeCoord() {
	m, _ := cute.Fixed(cute.Int(2))
	fmt.Println(cute.MakeCoord(cute.Open, cute.MakeCoord(m, cute.Open)))
	// Output: (_,(2,_))
}

func ExampleParseCoord() {
	fmt.Println(cute.ParseCoord("(_, (2, _))"))
	_, err := cute.ParseCoord("(_,1@0)")
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (_,(2,_)) <nil>
	// syntax
}

func ExampleMustParseCoord() {
	fmt.Println(cute.MustParseCoord("(_2,_)")) // _2 is a static 2, _ alone is open
	// Output: (2,_)
}

func ExampleCoord_HasOpen() {
	fmt.Println(cute.MustParseCoord("(2,(_,3))").HasOpen(), cute.MustParseCoord("(2,3)").HasOpen())
	// Output: true false
}

func ExampleCoord_Modes() {
	fmt.Println(cute.MustParseCoord("(2,(_,3))").Modes())
	// Output: [2 (_,3)]
}

func ExampleCoord_Rank() {
	fmt.Println(cute.MustParseCoord("(2,(_,3))").Rank(), cute.Open.Rank())
	// Output: 2 1
}

func ExampleCoord_String() {
	fmt.Println(cute.MustParseCoord("( 2, (_, 3) )").String())
	// Output: (2,(_,3))
}

func ExampleCoord_Tiler() {
	fmt.Println(cute.MustParseCoord("(_,(4,8))").Tiler(), cute.MustParseCoord("(2,3)").Tiler())
	// Output: <_,(4,8)> (2,3)
}

func ExampleCoord_Tuple() {
	fmt.Println(cute.MustParseCoord("(2,3)").Tuple())
	_, ok := cute.MustParseCoord("(2,_)").Tuple()
	fmt.Println(ok)
	// Output:
	// (2,3) true
	// false
}

// Slice keeps the layout of the open modes; the offset of the fixed ones is left out, as in CuTe.
func ExampleLayout_Slice() {
	a := cute.MustParse("(2,(3,4)):(12,(1,3))")
	fmt.Println(a.Slice(cute.MustParseCoord("(1,_)")))
	fmt.Println(a.Slice(cute.MustParseCoord("(1,(_,2))")))
	// Output:
	// ((3,4)):((1,3)) <nil>
	// (3):(1) <nil>
}

// SliceAndOffset of a tiled matrix is the pointer arithmetic of local_tile.
func ExampleLayout_SliceAndOffset() {
	tiled := cute.MustParse("((128,64),(32,16)):((1024,1),(131072,64))")
	tile, offset, err := tiled.SliceAndOffset(cute.MustParseCoord("(_,(2,3))"))
	fmt.Println(tile, offset, err) // 2·131072 + 3·64
	// Output: ((128,64)):((1024,1)) 262336 <nil>
}

func ExampleLayout_Dice() {
	tiled := cute.MustParse("((128,64),(32,16)):((1024,1),(131072,64))")
	fmt.Println(tiled.Dice(cute.MustParseCoord("(_,(2,3))"))) // the layout of the tiles' origins
	// Output: (32,16):(131072,64) <nil>
}

// DomainOffset starts a layout at a coordinate: the same strides and an offset for the pointer.
func ExampleLayout_DomainOffset() {
	a := cute.MustParse("(128,64):(64,1)")
	fmt.Println(a.DomainOffset(cute.Ints(8, 16)))
	// Output: (128,64):(64,1) 528 <nil>
}

// At and MakeCoord make coordinates of computed numbers, without text and without errors.
func ExampleAt() {
	for k := range int64(2) {
		fmt.Println(cute.MakeCoord(cute.Open, cute.At(k), cute.At(1, 0)))
	}
	// Output:
	// (_,0,(1,0))
	// (_,1,(1,0))
}

func ExampleCoord_Inside() {
	shape := cute.MustParseTuple("(4,(2,3))")
	fmt.Println(cute.At(3, 5).Inside(shape), cute.At(3, 6).Inside(shape), cute.At(3).Inside(shape))
	fmt.Println(cute.MakeCoord(cute.Open, cute.At(1, 2)).Inside(shape), cute.At(0, 0, 0).Inside(shape))
	// Output:
	// true false true
	// true false
}
