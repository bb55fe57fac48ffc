package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// The 128-byte swizzle, on halves: the row of a tile with 64 columns, bits 6 to 8 of the offset, is added to
// the 16-byte chunk in the row, bits 3 to 5.
func ExampleSwizzle() {
	sw, err := cute.NewSwizzle(3, 3, 3)
	fmt.Println(sw, err)
	for _, x := range []int64{0, 64, 128, 64 + 8, 512} {
		y, _ := sw.At(x)
		fmt.Println(x, y)
	}
	// Output:
	// Sw<3,3,3> <nil>
	// 0 0
	// 64 72
	// 128 144
	// 72 64
	// 512 512
}

func ExampleNewSwizzle() {
	fmt.Println(cute.NewSwizzle(3, 4, 3))
	_, err := cute.NewSwizzle(3, 4, 2) // the bits would overlap
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// Sw<3,4,3> <nil>
	// swizzle
}

// A swizzle is its own inverse.
func ExampleSwizzle_At() {
	sw, _ := cute.NewSwizzle(3, 3, 3)
	fmt.Println(sw.At(5*64 + 17)) // row 5, chunk 2: chunk 2 xor 5 = 7
	fmt.Println(sw.At(5*64 + 57))
	// Output:
	// 377 <nil>
	// 337 <nil>
}

func ExampleSwizzle_B() {
	sw, _ := cute.NewSwizzle(2, 4, 3)
	fmt.Println(sw.B()) // 4 chunks change places
	// Output: 2
}

func ExampleSwizzle_M() {
	sw, _ := cute.NewSwizzle(2, 4, 3)
	fmt.Println(sw.M()) // 16 neighbours stay together
	// Output: 4
}

func ExampleSwizzle_S() {
	sw, _ := cute.NewSwizzle(2, 4, 3)
	fmt.Println(sw.S()) // bit 7 is added to bit 4, bit 8 to bit 5
	// Output: 3
}

func ExampleSwizzle_String() {
	fmt.Println(cute.Swizzle{}.String()) // the identity
	// Output: Sw<0,0,0>
}

// A swizzled 4x4 tile: each column is spread over all columns of memory.
func ExampleComposed() {
	sw, _ := cute.NewSwizzle(2, 0, 2)
	tile, err := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(4,4):(4,1)"))
	fmt.Println(tile, err)
	fmt.Println(tile.AppendOffsets(nil))
	// Output:
	// Sw<2,0,2> o 0 o (4,4):(4,1) <nil>
	// [0 5 10 15 1 4 11 14 2 7 8 13 3 6 9 12] <nil>
}

// Outside stands a swizzle, or a layout that takes what the inside produces: here the window of a matrix at (8,16).
func ExampleNewComposed() {
	matrix, window := cute.MustParse("(128,64):(64,1)"), cute.MustParse("(8,8):(1@0,1@1)")
	c, err := cute.NewComposed(matrix, cute.Ints(8, 16), window)
	fmt.Println(c, err)
	fmt.Println(c.Eval(cute.Ints(1, 2))) // (9,18): 9·64 + 18
	// Output:
	// (128,64):(64,1) o (8,16) o (8,8):(1@0,1@1) <nil>
	// 594 <nil>
}

// A swizzle takes offsets, not coordinates.
func ExampleNewComposed_refused() {
	sw, _ := cute.NewSwizzle(3, 3, 3)
	_, err := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,64):(1@0,1@1)"))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output: not_congruent
}

// A swizzle, a layout or a chain may stand outside.
func ExampleOuter() {
	sw, _ := cute.NewSwizzle(2, 0, 2)
	inner, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("16:1"))
	for _, outer := range []cute.Outer{sw, cute.MustParse("16:4"), inner} {
		fmt.Println(cute.NewComposed(outer, cute.Int(0), cute.MustParse("(4,4):(4,1)")))
	}
	// Output:
	// Sw<2,0,2> o 0 o (4,4):(4,1) <nil>
	// 16:4 o 0 o (4,4):(4,1) <nil>
	// Sw<2,0,2> o 0 o 16:1 o 0 o (4,4):(4,1) <nil>
}

// A layout or a chain may stand inside.
func ExampleInner() {
	sw, _ := cute.NewSwizzle(2, 0, 2)
	chain, _ := cute.NewComposed(cute.MustParse("16:1"), cute.Int(0), cute.MustParse("(4,4):(4,1)"))
	for _, inner := range []cute.Inner{cute.MustParse("(4,4):(4,1)"), chain} {
		fmt.Println(cute.NewComposed(sw, cute.Int(0), inner))
	}
	// Output:
	// Sw<2,0,2> o 0 o (4,4):(4,1) <nil>
	// Sw<2,0,2> o 0 o 16:1 o 0 o (4,4):(4,1) <nil>
}

// smem is the tile of the following examples: 8x64 halves, swizzled.
func smem() cute.Composed {
	sw, _ := cute.NewSwizzle(3, 3, 3)
	c, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	return c
}

func ExampleComposed_AppendOffsets() {
	row, _ := smem().SliceAndOffset(cute.MustParseCoord("(1,_)"))
	offsets, err := row.AppendOffsets(nil)
	fmt.Println(offsets[:10], err) // the first two chunks of row 1 have changed places
	// Output: [72 73 74 75 76 77 78 79 64 65] <nil>
}

func ExampleComposed_Equal() {
	sw, _ := cute.NewSwizzle(3, 3, 3)
	c, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	d, _ := cute.NewComposed(sw, cute.Int(64), cute.MustParse("(8,64):(64,1)"))
	fmt.Println(c.Equal(smem()), d.Equal(smem()))
	// Output: true false
}

func ExampleComposed_Eval() {
	fmt.Println(smem().Eval(cute.Ints(5, 17))) // 5·64 + 17 = 337, swizzled
	// Output: 377 <nil>
}

// A chain has coordinates for values if its outermost layout has. Here it shifts the coordinates of a tile.
func ExampleComposed_HasBasis() {
	tile := cute.MustParse("(8,8):(1@0,1@1)")
	shifted, err := cute.NewComposed(tile, cute.Ints(16, 24), tile)
	fmt.Println(shifted.HasBasis(), smem().HasBasis(), err)
	fmt.Println(shifted.Eval(cute.Ints(1, 2)))
	// Output:
	// true false <nil>
	// (17,26) <nil>
}

func ExampleComposed_Layout() {
	fmt.Println(smem().Layout())
	// Output: (8,64):(64,1)
}

// Map tiles a swizzled layout: the operation sees the inner layout, the swizzle stays.
func ExampleComposed_Map() {
	fmt.Println(smem().Map(func(l cute.Layout) (cute.Layout, error) {
		return cute.ZippedDivideExact(l, cute.Ints(8, 16))
	}))
	// Output: Sw<3,3,3> o 0 o ((8,16),(1,4)):((64,1),(0,16)) <nil>
}

func ExampleComposed_Offset() {
	row, _ := smem().SliceAndOffset(cute.MustParseCoord("(5,_)"))
	fmt.Println(row.Offset())
	// Output: 320
}

func ExampleComposed_Outer() {
	fmt.Println(smem().Outer())
	// Output: Sw<3,3,3>
}

func ExampleComposed_Rank() {
	fmt.Println(smem().Rank())
	// Output: 2
}

func ExampleComposed_Shape() {
	fmt.Println(smem().Shape())
	// Output: (8,64)
}

func ExampleComposed_Size() {
	fmt.Println(smem().Size())
	// Output: 512
}

// CuTe's slice leaves the offset of row 5 out, and then a swizzle cannot know the row any more.
func ExampleComposed_Slice() {
	row, err := smem().Slice(cute.MustParseCoord("(5,_)"))
	fmt.Println(row, err)
	// Output: Sw<3,3,3> o 0 o (64):(1) <nil>
}

// With the offset inside the swizzle the slice is exact: (5,17) again.
func ExampleComposed_SliceAndOffset() {
	row, err := smem().SliceAndOffset(cute.MustParseCoord("(5,_)"))
	fmt.Println(row, err)
	fmt.Println(row.Eval(cute.Ints(17)))
	// Output:
	// Sw<3,3,3> o 320 o (64):(1) <nil>
	// 377 <nil>
}

func ExampleComposed_String() {
	fmt.Println(smem().String())
	// Output: Sw<3,3,3> o 0 o (8,64):(64,1)
}

func ExampleParseSwizzle() {
	for _, text := range []string{"Sw<3,4,3>", "Swizzle<3,3,3>", "Sw<3,4,2>"} {
		w, err := cute.ParseSwizzle(text)
		fmt.Println(w, err)
	}
	// Output:
	// Sw<3,4,3> <nil>
	// Sw<3,3,3> <nil>
	// Sw<0,0,0> swizzle: make_swizzle: expected B >= 0, M >= 0, |S| >= B and M+|S|+B <= 63, found Sw<3,4,2>
}

func ExampleParseComposed() {
	c, err := cute.ParseComposed("Sw<2,0,3> o 0 o (8,8):(8,1)")
	fmt.Println(c, err)
	_, err = cute.ParseComposed("Sw<2,0,3> o (8,8):(8,1)")
	fmt.Println(err)
	// Output:
	// Sw<2,0,3> o 0 o (8,8):(8,1) <nil>
	// syntax: column 18: expected 'o' and a layout, found ":(8,1)"
}

func ExampleMustParseComposed() {
	fmt.Println(cute.MustParseComposed("Sw<2,0,3> o 0 o (8,8):(8,1)").Cosize())
	// Output: 64 <nil>
}
