package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// chain returns the composed layout w o offset o l.
func chain(w cute.Outer, offset int64, l cute.Inner) cute.Composed {
	c, err := cute.NewComposed(w, cute.Int(offset), l)
	if err != nil {
		panic(err)
	}
	return c
}

func swizzleOf(text string) cute.Swizzle {
	w, err := cute.ParseSwizzle(text)
	if err != nil {
		panic(err)
	}
	return w
}

// threeStages is a shared tile of 128 x 64 half elements, three stages deep.
var threeStages = chain(swizzleOf("Sw<3,3,3>"), 0, cute.MustParse("((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"))

func ExampleLayout_Composed() {
	fmt.Println(cute.MustParse("(4,2):(2,1)").Composed().Equivalent(chain(swizzleOf("Sw<0,0,0>"), 0, cute.MustParse("(4,2):(2,1)"))))
	// Output: true <nil> <nil>
}

// A table of 512 entries describes a tile of 24,576 elements: the swizzle acts below 2^9, and the strides 512 and 8192
// are not affected.
func ExamplePassage() {
	p, _ := threeStages.Passage()
	fmt.Println(p.Values.Size()*p.Table == threeStages.Size())
	// Output: true
}

func ExampleComposed_Passage() {
	p, err := threeStages.Passage()
	fmt.Println(p.Values, p.Indices, p.Table, p.Bits, err)
	// Output: (16,3):(512,8192) (16,3):(8,8192) 512 9 <nil>
}

// A left inverse is the chain in the other direction. Package swizzle finds the short form of this inverse, Sw<3,0,-10>
// o 0 o (64,128,3):(128,1,8192).
func ExampleComposed_LeftInverse() {
	r, err := threeStages.LeftInverse()
	fmt.Println(r, err)
	x, _ := threeStages.Eval(cute.Int(24_000))
	fmt.Println(r.Eval(x))
	// Output:
	// (64,128,3):(128,1,8192) o 0 o Sw<3,3,3> o 0 o 24576:1 <nil>
	// 24000 <nil>
}

// A swizzle is its own inverse, even if the number of elements is not a power of two.
func ExampleComposed_Inverse() {
	fmt.Println(chain(swizzleOf("Sw<1,2,3>"), 0, cute.MustParse("72:1")).Inverse())
	// Output: Sw<1,2,3> o 0 o 72:1 <nil>
}

// A right inverse ends at the first gap: here 5 is not a value.
func ExampleComposed_RightInverse() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("(4,3):(1,6)")).RightInverse())
	// Output: (6,3):(1,4) o 0 o Sw<1,0,2> o 0 o 4:1 <nil>
}

func ExampleComposed_Image() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).Image())
	// Output: [0 1 2 3 5] <nil>
}

func ExampleComposed_Holes() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).Holes())
	// Output: [4] <nil>
}

// Storage for this function needs 6 elements; CuTe's cosize is the cosize of the inner layout, 5.
func ExampleComposed_Cosize() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).Cosize())
	// Output: 6 <nil>
}

func ExampleComposed_IsInjective() {
	fmt.Println(threeStages.IsInjective())
	_, w, _ := chain(swizzleOf("Sw<1,0,1>"), 0, cute.MustParse("(2,2):(1,0)")).IsInjective()
	fmt.Println(w.Coord, *w.Other, w.Value)
	// Output:
	// true <nil> <nil>
	// (0,0) (0,1) 0
}

func ExampleComposed_IsSurjective() {
	ok, w, err := chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).IsSurjective()
	fmt.Println(ok, w.Value, err)
	// Output: false 4 <nil>
}

func ExampleComposed_IsBijective() {
	fmt.Println(threeStages.IsBijective())
	// Output: true <nil> <nil>
}

func ExampleComposed_IsCompact() {
	fmt.Println(chain(swizzleOf("Sw<1,0,1>"), 4, cute.MustParse("4:1")).IsCompact())
	// Output: true <nil> <nil>
}

func ExampleComposed_CoordAt() {
	fmt.Println(chain(swizzleOf("Sw<2,0,2>"), 0, cute.MustParse("(4,4):(4,1)")).CoordAt(5))
	// Output: (1,0) <nil>
}

// If digits pass the swizzle, two functions are compared without enumerating their indices: here 2^26 of them.
func ExampleComposed_Equivalent() {
	a := chain(swizzleOf("Sw<3,4,3>"), 0, cute.MustParse("(8192,8192):(8192,1)"))
	b := chain(swizzleOf("Sw<3,4,3>"), 0, cute.MustParse("((8,1024),8192):((8192,65536),1)"))
	fmt.Println(a.Equivalent(b))
	// Output: true <nil> <nil>
}

// The number of elements that a copy between a swizzled and a plain tile may move at once.
func ExampleComposed_MaxCommonVector() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, tile).MaxCommonVector(tile.Composed()))
	// Output: 8 <nil>
}

// Vectors of 16 do not cut all indices: a run of 8 ends at index 57, the coordinate (1,7).
func ExampleComposed_TornVector() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, tile).TornVector(tile.Composed(), 16))
	// Output: 57 8 true <nil>
}

// A swizzle keeps 2^M neighbours together.
func ExampleComposed_MaxAlignment() {
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, cute.MustParse("(8,64):(64,1)")).MaxAlignment())
	// Output: 8 <nil>
}

func ExampleComposed_MaxCommonLayout() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, tile).MaxCommonLayout(tile.Composed()))
	// Output: 8:8 <nil>
}

// A swizzle permutes a tile, so the complement of the tile is the complement of a layout.
func ExampleComposed_Sorted() {
	l, least, err := chain(swizzleOf("Sw<2,0,2>"), 0, cute.MustParse("(4,4):(4,1)")).Sorted()
	fmt.Println(l, least, err)
	fmt.Println(cute.Complement(l, cute.Int(64)))
	// Output:
	// 16:1 0 <nil>
	// 4:16 <nil>
}

// If the inner layouts do not compose to a layout, the functions still do.
func ExampleComposed_Compose() {
	c := chain(swizzleOf("Sw<1,2,-3>"), 0, cute.MustParse("(4,(2,8)):(1,(32,4))"))
	fmt.Println(c.Compose(cute.MustParse("(2,2):(2,4)")))
	fmt.Println(c.Compose(cute.MustParse("(4,3):(3,0)")))
	// Output:
	// Sw<1,2,-3> o 0 o (2,2):(2,32) <nil>
	// Sw<1,2,-3> o 0 o (4,(2,8)):(1,(32,4)) o 0 o (4,3):(3,0) <nil>
}

func ExampleComposed_After() {
	fmt.Println(cute.MustParse("16:3").Composed().After(swizzleOf("Sw<2,0,2>")))
	// Output: 16:3 o 0 o Sw<2,0,2> o 0 o 16:1 <nil>
}

func ExampleComposed_DomainOffset() {
	fmt.Println(threeStages.DomainOffset(cute.MustParseTuple("((0,1),(0,0),(0,2))")))
	// Output: Sw<3,3,3> o 16896 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192)) <nil>
}

// Copies of 4 elements in a swizzled order.
func ExampleLogicalProductBy() {
	fmt.Println(cute.LogicalProductBy(cute.MustParse("4:1"), chain(swizzleOf("Sw<1,0,1>"), 0, cute.MustParse("4:1"))))
	// Output: (4,4):(1,4) o 0 o Sw<1,2,1> o 0 o (4,4):(1,4) <nil>
}

func ExampleLogicalDivideBy() {
	fmt.Println(cute.LogicalDivideBy(cute.MustParse("16:1"), chain(swizzleOf("Sw<1,0,1>"), 0, cute.MustParse("4:1"))))
	// Output: 16:1 o 0 o (4,4):(4,1) o 0 o Sw<1,2,1> o 0 o (4,4):(4,1) <nil>
}

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

// The outer function is a swizzle, or a layout that takes the inner values as coordinates: here the window of a matrix
// at (8,16).
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

// The outer function may be a swizzle, a layout or a chain.
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

// The inner function may be a layout or a chain.
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

// The values of a chain are coordinates if the values of its outermost layout are. Here it shifts the coordinates of a
// tile.
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

// CuTe's slice leaves out the offset of row 5, so the swizzle no longer knows the row.
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
