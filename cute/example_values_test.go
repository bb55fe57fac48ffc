package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// Shapes, strides and coordinates are all tuples: integers in parentheses, nested as the modes are.
func ExampleTuple() {
	tv := cute.MustParseTuple("((4,8),(2,2))") // (threads,values) of an m16n8 accumulator
	fmt.Println(tv.Rank(), tv.Depth(), tv.Modes())
	fmt.Println(cute.Tuple{}) // the zero value is the empty tuple
	// Output:
	// 2 2 [(4,8) (2,2)]
	// ()
}

func ExampleInt() {
	fmt.Println(cute.Int(128), cute.Int(128).Depth())
	// Output: 128 0
}

func ExampleInts() {
	fmt.Println(cute.Ints(128, 64))
	fmt.Println(cute.Ints(8), cute.Int(8)) // a 1-tuple is not an integer
	// Output:
	// (128,64)
	// (8) 8
}

// A coordinate stride says along which axis a step goes; CuTe writes it E<1>{} and prints it 1@1.
func ExampleBasis() {
	fmt.Println(cute.Basis(64, 1))   // 64 steps along axis 1
	fmt.Println(cute.Basis(1, 0, 1)) // one step along axis 1 inside axis 0
	_, err := cute.Basis(1)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 64@1 <nil>
	// 1@1@0 <nil>
	// codomain
}

// A step along a diagonal is the stride of one mode.
func ExampleArithmeticTuple() {
	fmt.Println(cute.ArithmeticTuple(cute.Ints(1, 2)))
	fmt.Println(cute.ArithmeticTuple(cute.MustParseTuple("(4,(0,2))")))
	// Output:
	// 1@0+2@1 <nil>
	// 4@0+2@1@1 <nil>
}

// Axes are numbered up to MaxAxisPath.
func ExampleBasis_limit() {
	fmt.Println(cute.Basis(1, cute.MaxAxisPath))
	_, err := cute.Basis(1, cute.MaxAxisPath+1)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 1@63 <nil>
	// codomain
}

func ExampleMakeTuple() {
	fmt.Println(cute.MakeTuple(cute.Ints(4, 8), cute.Int(2)))
	// Integers and coordinates do not add, so no stride mixes them.
	m, _ := cute.Basis(1, 0)
	_, err := cute.MakeTuple(m, cute.Int(64))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// ((4,8),2) <nil>
	// codomain
}

// Spaces, and the underscores with which CuTe prints static integers, are allowed.
func ExampleParseTuple() {
	fmt.Println(cute.ParseTuple("((_4, _8), (_2, _2))"))
	fmt.Println(cute.ParseTuple("(1@0,1@1)"))
	_, err := cute.ParseTuple("(4,2")
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// ((4,8),(2,2)) <nil>
	// (1@0,1@1) <nil>
	// syntax
}

func ExampleMustParseTuple() {
	fmt.Println(cute.MustParseTuple("(128,(8,8))").Depth())
	// Output: 2
}

// Adding coordinates moves them, as the origin of a tile moves a coordinate within it.
func ExampleTuple_Add() {
	fmt.Println(cute.Ints(384, 128).Add(cute.Ints(3, 5)))
	fmt.Println(cute.Ints(384, 128).Add(cute.Ints(3))) // the shorter one is padded with zeros
	// Output:
	// (387,133) <nil>
	// (387,128) <nil>
}

// The part of a 1000x500 matrix from the tile at (896,448) on.
func ExampleTuple_Sub() {
	fmt.Println(cute.Ints(1000, 500).Sub(cute.Ints(896, 448)))
	// Output: (104,52) <nil>
}

// Strides in halves as strides in bytes.
func ExampleTuple_Scale() {
	fmt.Println(cute.MustParseTuple("((64,1),8192)").Scale(2))
	// Output: ((128,2),16384) <nil>
}

// Append writes into a buffer that is used again and again.
func ExampleTuple_Append() {
	b := []byte("tile ")
	b = cute.Ints(128, 64).Append(b)
	fmt.Println(string(b))
	// Output: tile (128,64)
}

// A batch mode of extent 1 is added to a problem without one.
func ExampleTuple_AppendToRank() {
	fmt.Println(cute.Ints(4096, 1024).AppendToRank(3, cute.Int(1)))
	// Output: (4096,1024,1) <nil>
}

func ExampleTuple_PrependToRank() {
	fmt.Println(cute.Ints(4096, 1024).PrependToRank(3, cute.Int(1)))
	// Output: (1,4096,1024) <nil>
}

func ExampleTuple_Depth() {
	fmt.Println(cute.Int(8).Depth(), cute.Ints(8).Depth(), cute.MustParseTuple("((4,8),2)").Depth())
	// Output: 0 1 2
}

// Slice keeps the modes that the coordinate leaves open; Dice keeps the fixed modes.
func ExampleTuple_Slice() {
	tiled := cute.MustParseTuple("((128,64),(32,16))")
	block := cute.MustParseCoord("(_,(2,_))") // tile 2 along M, all along K
	fmt.Println(tiled.Slice(block))
	// Output: ((128,64),16) <nil>
}

func ExampleTuple_Dice() {
	tiled := cute.MustParseTuple("((128,64),(32,16))")
	block := cute.MustParseCoord("(_,(2,_))")
	fmt.Println(tiled.Dice(block)) // how many blocks there are along the fixed modes
	// Output: (32) <nil>
}

func ExampleTuple_Equal() {
	a := cute.MustParseTuple("(4,8)")
	fmt.Println(a.Equal(cute.Ints(4, 8)), a.Equal(cute.Int(32)))
	// Output: true false
}

func ExampleTuple_Flatten() {
	fmt.Println(cute.MustParseTuple("((4,8),(2,2))").Flatten())
	// Output: (4,8,2,2)
}

func ExampleTuple_GroupModes() {
	fmt.Println(cute.Ints(128, 64, 32, 16).GroupModes(0, 2))
	// Output: ((128,64),32,16) <nil>
}

func ExampleTuple_HasBasis() {
	fmt.Println(cute.Ints(64, 1).HasBasis(), cute.MustParseTuple("(1@0,1@1)").HasBasis())
	// Output: false true
}

func ExampleTuple_Int64() {
	fmt.Println(cute.Int(64).Int64())
	fmt.Println(cute.Ints(64).Int64())
	// Output:
	// 64 true
	// 0 false
}

func ExampleTuple_IsInt() {
	fmt.Println(cute.Int(8).IsInt(), cute.Ints(8).IsInt())
	// Output: true false
}

func ExampleTuple_Leaves() {
	fmt.Println(cute.MustParseTuple("((4,8),(2,2))").Leaves())
	// Output: [4 8 2 2]
}

// Mode is CuTe's get<1,0>.
func ExampleTuple_Mode() {
	tv := cute.MustParseTuple("((4,8),(2,3))")
	fmt.Println(tv.Mode(1))
	fmt.Println(tv.Mode(1, 0))
	// Output:
	// (2,3) <nil>
	// 2 <nil>
}

func ExampleTuple_Modes() {
	for i, m := range cute.MustParseTuple("((4,8),2)").Modes() {
		fmt.Println(i, m)
	}
	// Output:
	// 0 (4,8)
	// 1 2
}

// The product of a shape is its size.
func ExampleTuple_Product() {
	fmt.Println(cute.MustParseTuple("((4,8),(2,2))").Product())
	_, err := cute.Ints(1<<32, 1<<32).Product()
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 128 <nil>
	// overflow
}

func ExampleTuple_Rank() {
	fmt.Println(cute.MustParseTuple("((4,8),2)").Rank(), cute.Int(8).Rank(), cute.Tuple{}.Rank())
	// Output: 2 1 0
}

// MNK to MK, the shape of A.
func ExampleTuple_Select() {
	fmt.Println(cute.Ints(128, 256, 64).Select(0, 2))
	// Output: (128,64) <nil>
}

func ExampleTuple_String() {
	fmt.Println(cute.MustParseTuple("( _128 , ( 8, 8 ) )").String())
	// Output: (128,(8,8))
}

func ExampleTuple_Take() {
	fmt.Println(cute.Ints(128, 256, 64).Take(0, 2)) // MNK to MN, the shape of C
	// Output: (128,256) <nil>
}

// The grid of a 1000x500 problem in tiles of 128x64.
func ExampleCeilDiv() {
	fmt.Println(cute.CeilDiv(cute.Ints(1000, 500), cute.Ints(128, 64)))
	// The integer divides the extents from left to right: 7 reduces the extent 4 to 1, and the rest of 7, which is 2,
	// divides the extent 5.
	fmt.Println(cute.CeilDiv(cute.Ints(4, 5, 6), cute.Int(7)))
	// Output:
	// (8,8) <nil>
	// (1,3,6) <nil>
}

func ExampleInnerProduct() {
	fmt.Println(cute.InnerProduct(cute.Ints(1, 2, 3), cute.Ints(100, 10, 1)))
	// Output: 123 <nil>
}

func ExampleShapeDiv() {
	fmt.Println(cute.ShapeDiv(cute.Ints(128, 64), cute.Ints(16, 8)))
	fmt.Println(cute.ShapeDiv(cute.Ints(4, 5, 6), cute.Int(40)))
	_, err := cute.ShapeDiv(cute.Int(6), cute.Int(4))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (8,8) <nil>
	// (1,1,3) <nil>
	// not_divisible
}

func ExampleProductEach() {
	fmt.Println(cute.ProductEach(cute.MustParseTuple("((4,8),(2,2))"))) // threads and values
	// Output: (32,4) <nil>
}

// ElemLess is the predicate of a bounds check; any mode out of bounds makes it false.
func ExampleElemLess() {
	bound := cute.Ints(1000, 500)
	fmt.Println(cute.ElemLess(cute.Ints(999, 499), bound))
	fmt.Println(cute.ElemLess(cute.Ints(0, 500), bound))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleComposed_Stages() {
	sw, _ := cute.NewSwizzle(3, 4, 3)
	c, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	for outer, offset := range c.Stages() {
		fmt.Println(outer, offset)
	}
	// Output: Sw<3,4,3> 0
}
