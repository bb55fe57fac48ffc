package girih_test

import (
	"errors"
	"fmt"

	"girih"
)

// Shapes, strides and coordinates are all tuples: integers in parentheses, nested as the modes are.
func ExampleTuple() {
	tv := girih.MustParseTuple("((4,8),(2,2))") // (threads,values) of an m16n8 accumulator
	fmt.Println(tv.Rank(), tv.Depth(), tv.Modes())
	fmt.Println(girih.Tuple{}) // the zero value is the empty tuple
	// Output:
	// 2 2 [(4,8) (2,2)]
	// ()
}

func ExampleInt() {
	fmt.Println(girih.Int(128), girih.Int(128).Depth())
	// Output: 128 0
}

func ExampleInts() {
	fmt.Println(girih.Ints(128, 64))
	fmt.Println(girih.Ints(8), girih.Int(8)) // a 1-tuple is not an integer
	// Output:
	// (128,64)
	// (8) 8
}

// A coordinate stride says along which axis a step goes; CuTe writes it E<1>{} and prints it 1@1.
func ExampleBasis() {
	fmt.Println(girih.Basis(64, 1))   // 64 steps along axis 1
	fmt.Println(girih.Basis(1, 0, 1)) // one step along axis 1 inside axis 0
	_, err := girih.Basis(1)
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 64@1 <nil>
	// 1@1@0 <nil>
	// codomain
}

// A step along a diagonal is the stride of one mode.
func ExampleArithmeticTuple() {
	fmt.Println(girih.ArithmeticTuple(girih.Ints(1, 2)))
	fmt.Println(girih.ArithmeticTuple(girih.MustParseTuple("(4,(0,2))")))
	// Output:
	// 1@0+2@1 <nil>
	// 4@0+2@1@1 <nil>
}

// Axes are numbered up to MaxAxisPath.
func ExampleBasis_limit() {
	fmt.Println(girih.Basis(1, girih.MaxAxisPath))
	_, err := girih.Basis(1, girih.MaxAxisPath+1)
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 1@63 <nil>
	// codomain
}

func ExampleMakeTuple() {
	fmt.Println(girih.MakeTuple(girih.Ints(4, 8), girih.Int(2)))
	// Integers and coordinates do not add, so no stride mixes them.
	m, _ := girih.Basis(1, 0)
	_, err := girih.MakeTuple(m, girih.Int(64))
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// ((4,8),2) <nil>
	// codomain
}

// Spaces, and the underscores with which CuTe prints static integers, are allowed.
func ExampleParseTuple() {
	fmt.Println(girih.ParseTuple("((_4, _8), (_2, _2))"))
	fmt.Println(girih.ParseTuple("(1@0,1@1)"))
	_, err := girih.ParseTuple("(4,2")
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// ((4,8),(2,2)) <nil>
	// (1@0,1@1) <nil>
	// syntax
}

func ExampleMustParseTuple() {
	fmt.Println(girih.MustParseTuple("(128,(8,8))").Depth())
	// Output: 2
}

// Adding coordinates moves them, as the origin of a tile moves a coordinate within it.
func ExampleTuple_Add() {
	fmt.Println(girih.Ints(384, 128).Add(girih.Ints(3, 5)))
	fmt.Println(girih.Ints(384, 128).Add(girih.Ints(3))) // the shorter one is padded with zeros
	// Output:
	// (387,133) <nil>
	// (387,128) <nil>
}

// What is left of a 1000x500 matrix from the tile at (896,448) on.
func ExampleTuple_Sub() {
	fmt.Println(girih.Ints(1000, 500).Sub(girih.Ints(896, 448)))
	// Output: (104,52) <nil>
}

// Strides in halves as strides in bytes.
func ExampleTuple_Scale() {
	fmt.Println(girih.MustParseTuple("((64,1),8192)").Scale(2))
	// Output: ((128,2),16384) <nil>
}

// Append writes into a buffer that is used again and again.
func ExampleTuple_Append() {
	b := []byte("tile ")
	b = girih.Ints(128, 64).Append(b)
	fmt.Println(string(b))
	// Output: tile (128,64)
}

// A problem without a batch mode gets one of extent 1.
func ExampleTuple_AppendToRank() {
	fmt.Println(girih.Ints(4096, 1024).AppendToRank(3, girih.Int(1)))
	// Output: (4096,1024,1) <nil>
}

func ExampleTuple_PrependToRank() {
	fmt.Println(girih.Ints(4096, 1024).PrependToRank(3, girih.Int(1)))
	// Output: (1,4096,1024) <nil>
}

func ExampleTuple_Depth() {
	fmt.Println(girih.Int(8).Depth(), girih.Ints(8).Depth(), girih.MustParseTuple("((4,8),2)").Depth())
	// Output: 0 1 2
}

// Slice keeps the modes that the coordinate leaves open, Dice those that it fixes.
func ExampleTuple_Slice() {
	tiled := girih.MustParseTuple("((128,64),(32,16))")
	block := girih.MustParseCoord("(_,(2,_))") // tile 2 along M, all along K
	fmt.Println(tiled.Slice(block))
	// Output: ((128,64),16) <nil>
}

func ExampleTuple_Dice() {
	tiled := girih.MustParseTuple("((128,64),(32,16))")
	block := girih.MustParseCoord("(_,(2,_))")
	fmt.Println(tiled.Dice(block)) // how many blocks there are along the fixed modes
	// Output: (32) <nil>
}

func ExampleTuple_Equal() {
	a := girih.MustParseTuple("(4,8)")
	fmt.Println(a.Equal(girih.Ints(4, 8)), a.Equal(girih.Int(32)))
	// Output: true false
}

func ExampleTuple_Flatten() {
	fmt.Println(girih.MustParseTuple("((4,8),(2,2))").Flatten())
	// Output: (4,8,2,2)
}

func ExampleTuple_GroupModes() {
	fmt.Println(girih.Ints(128, 64, 32, 16).GroupModes(0, 2))
	// Output: ((128,64),32,16) <nil>
}

func ExampleTuple_HasBasis() {
	fmt.Println(girih.Ints(64, 1).HasBasis(), girih.MustParseTuple("(1@0,1@1)").HasBasis())
	// Output: false true
}

func ExampleTuple_Int64() {
	fmt.Println(girih.Int(64).Int64())
	fmt.Println(girih.Ints(64).Int64())
	// Output:
	// 64 true
	// 0 false
}

func ExampleTuple_IsInt() {
	fmt.Println(girih.Int(8).IsInt(), girih.Ints(8).IsInt())
	// Output: true false
}

func ExampleTuple_Leaves() {
	fmt.Println(girih.MustParseTuple("((4,8),(2,2))").Leaves())
	// Output: [4 8 2 2]
}

// Mode is CuTe's get<1,0>.
func ExampleTuple_Mode() {
	tv := girih.MustParseTuple("((4,8),(2,3))")
	fmt.Println(tv.Mode(1))
	fmt.Println(tv.Mode(1, 0))
	// Output:
	// (2,3) <nil>
	// 2 <nil>
}

func ExampleTuple_Modes() {
	for i, m := range girih.MustParseTuple("((4,8),2)").Modes() {
		fmt.Println(i, m)
	}
	// Output:
	// 0 (4,8)
	// 1 2
}

// The product of a shape is its size.
func ExampleTuple_Product() {
	fmt.Println(girih.MustParseTuple("((4,8),(2,2))").Product())
	_, err := girih.Ints(1<<32, 1<<32).Product()
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 128 <nil>
	// overflow
}

func ExampleTuple_Rank() {
	fmt.Println(girih.MustParseTuple("((4,8),2)").Rank(), girih.Int(8).Rank(), girih.Tuple{}.Rank())
	// Output: 2 1 0
}

// MNK to MK, the shape of A.
func ExampleTuple_Select() {
	fmt.Println(girih.Ints(128, 256, 64).Select(0, 2))
	// Output: (128,64) <nil>
}

func ExampleTuple_String() {
	fmt.Println(girih.MustParseTuple("( _128 , ( 8, 8 ) )").String())
	// Output: (128,(8,8))
}

func ExampleTuple_Take() {
	fmt.Println(girih.Ints(128, 256, 64).Take(0, 2)) // MNK to MN, the shape of C
	// Output: (128,256) <nil>
}

// The grid of a 1000x500 problem in tiles of 128x64.
func ExampleCeilDiv() {
	fmt.Println(girih.CeilDiv(girih.Ints(1000, 500), girih.Ints(128, 64)))
	// An integer is used up from left to right: 7 takes all of 4, and 2 of what follows.
	fmt.Println(girih.CeilDiv(girih.Ints(4, 5, 6), girih.Int(7)))
	// Output:
	// (8,8) <nil>
	// (1,3,6) <nil>
}

func ExampleInnerProduct() {
	fmt.Println(girih.InnerProduct(girih.Ints(1, 2, 3), girih.Ints(100, 10, 1)))
	// Output: 123 <nil>
}

func ExampleShapeDiv() {
	fmt.Println(girih.ShapeDiv(girih.Ints(128, 64), girih.Ints(16, 8)))
	fmt.Println(girih.ShapeDiv(girih.Ints(4, 5, 6), girih.Int(40)))
	_, err := girih.ShapeDiv(girih.Int(6), girih.Int(4))
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (8,8) <nil>
	// (1,1,3) <nil>
	// not_divisible
}

func ExampleProductEach() {
	fmt.Println(girih.ProductEach(girih.MustParseTuple("((4,8),(2,2))"))) // threads and values
	// Output: (32,4) <nil>
}

// ElemLess is the predicate of a bounds check; any mode out of bounds makes it false.
func ExampleElemLess() {
	bound := girih.Ints(1000, 500)
	fmt.Println(girih.ElemLess(girih.Ints(999, 499), bound))
	fmt.Println(girih.ElemLess(girih.Ints(0, 500), bound))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleComposed_Stages() {
	sw, _ := girih.NewSwizzle(3, 4, 3)
	c, _ := girih.NewComposed(sw, girih.Int(0), girih.MustParse("(8,64):(64,1)"))
	for outer, offset := range c.Stages() {
		fmt.Println(outer, offset)
	}
	// Output: Sw<3,4,3> 0
}
