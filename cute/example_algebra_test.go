package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// The same function with the fewest modes: neighbours merge, and extents of 1 are dropped.
func ExampleCoalesce() {
	fmt.Println(cute.Coalesce(cute.MustParse("(2,(1,6)):(1,(6,2))")))
	fmt.Println(cute.Coalesce(cute.MustParse("(8,64):(64,1)"))) // row-major does not merge
	// Output:
	// 12:1
	// (8,64):(64,1)
}

// Coalescing by mode keeps the rank: rows stay rows and columns stay columns.
func ExampleCoalesceProfile() {
	a := cute.MustParse("(2,(1,6)):(1,(6,2))")
	fmt.Println(cute.CoalesceProfile(a, cute.Ints(1, 1)))
	// Output: (2,6):(1,2) <nil>
}

// Composition takes the elements of a in the order of b. Here leaf 4:3 of b crosses the columns of a after 2 steps.
func ExampleComposition() {
	a, b := cute.MustParse("(6,2):(8,2)"), cute.MustParse("(4,3):(3,1)")
	r, err := cute.Composition(a, b)
	fmt.Println(r, err)
	i, _ := b.At(5) // b(1,1) = 4
	x, _ := a.At(i) // a(4,0) = 32
	y, _ := r.At(5)
	fmt.Println(i, x, y)
	// Output:
	// ((2,2),3):((24,2),8) <nil>
	// 4 32 32
}

// A reshape: 20 elements, every second one, as 5 rows of 4.
func ExampleComposition_reshape() {
	fmt.Println(cute.Composition(cute.MustParse("20:2"), cute.MustParse("(5,4):(4,1)")))
	fmt.Println(cute.Composition(cute.MustParse("(10,2):(16,4)"), cute.MustParse("(5,4):(1,5)")))
	// Output:
	// (5,4):(8,2) <nil>
	// (5,(2,2)):(16,(80,4)) <nil>
}

// If the values of b are coordinates, they address the modes of a: a thread-value layout in (m,n).
func ExampleComposition_coordinates() {
	c := cute.MustParse("(128,64):(64,1)")
	tv := cute.MustParse("((4,8),(2,2)):((2@1,1@0),(1@1,8@0))")
	fmt.Println(cute.Composition(c, tv))
	// Output: ((4,8),(2,2)):((2,64),(1,512)) <nil>
}

// Not every composition is a layout. The witness is the first coordinate at which every layout is wrong: a layout
// adds the values of its modes, 4 at (2,0) and 3 at (0,1), but b(2,1) = 7 carries into the next mode of a, a(7) = 8.
func ExampleComposition_refused() {
	_, err := cute.Composition(cute.MustParse("(6,2):(1,7)"), cute.MustParse("(3,2):(2,3)"))
	e, _ := errors.AsType[*cute.Error](err)
	w := e.Witness
	fmt.Println(e.Code)
	fmt.Println(w.Coord, w.Index, w.Value, w.Want)
	// Output:
	// not_representable
	// (2,1) 5 8 7
}

// Each mode is composed with its tiler. A mode can be kept, and it is dropped if the tile is shorter.
func ExampleCompositionBy() {
	a := cute.MustParse("(12,(4,8)):(59,(13,1))")
	fmt.Println(cute.CompositionBy(a, cute.MustParseTiler("<3:4,8:2>")))
	fmt.Println(cute.CompositionBy(a, cute.MustParseTiler("<_,8:2>")))
	fmt.Println(cute.CompositionBy(a, cute.Ints(4))) // a shape: the first 4 of mode 0
	// Output:
	// (3,(2,4)):(236,(26,1)) <nil>
	// (12,(2,4)):(59,(26,1)) <nil>
	// (4):(59) <nil>
}

// The 32 accumulator registers of a thread in the shape that an m64n64 WGMMA needs.
func ExampleLayout_WithShape() {
	fmt.Println(cute.MustParse("32:1").WithShape(cute.Ints(2, 2, 8)))
	fmt.Println(cute.MustParse("(4,8):(8,1)").WithShape(cute.Ints(8, 4))) // a row-major tile reshaped
	// Output:
	// (2,2,8):(1,2,4) <nil>
	// ((4,2),4):((8,1),2) <nil>
}

// The complement in 24 elements lists the copies of a block, fills its gaps, or does both.
func ExampleComplement() {
	for _, a := range []string{"4:1", "6:4", "4:2", "(2,2):(1,6)", "(4,6):(1,4)"} {
		fmt.Println(cute.Complement(cute.MustParse(a), cute.Int(24)))
	}
	// Output:
	// 6:4 <nil>
	// 4:1 <nil>
	// (2,3):(1,8) <nil>
	// (3,2):(2,12) <nil>
	// 1:0 <nil>
}

// Copies of the offsets 0, 2, 3 and 5 cannot be placed side by side: stride 3 is not a multiple of 4, the block that
// 2:2 covers.
func ExampleComplement_refused() {
	_, err := cute.Complement(cute.MustParse("(2,2):(2,3)"), cute.Int(24))
	fmt.Println(err)
	// Output: not_complementable: complement: (2,2):(2,3) has no complement: the stride 3 is not a multiple of 4, the block that the smaller strides cover
}

// Tiles of 4 cover 30 elements only with a partial tile.
func ExampleComplementExact() {
	fmt.Println(cute.Complement(cute.MustParse("4:1"), cute.Int(30)))
	_, err := cute.ComplementExact(cute.MustParse("4:1"), cute.Int(30))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// 8:4 <nil>
	// not_divisible
}

// CuTe divides a block of 6 by the modes of (5,5) one after the other, and so covers 18 of 25 offsets.
func ExampleComplementByMode() {
	fmt.Println(cute.Complement(cute.MustParse("6:1"), cute.Ints(5, 5)))
	fmt.Println(cute.ComplementByMode(cute.MustParse("6:1"), cute.Ints(5, 5)))
	// Output:
	// 5:6 <nil>
	// 3:6 <nil>
}

// Two rows fit into the gap of 10 between the rows of 4, and 8 and 9 stay free.
func ExampleWeakComplement() {
	_, err := cute.Complement(cute.MustParse("(4,2):(1,10)"), cute.Int(40))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Hint)
	fmt.Println(cute.WeakComplement(cute.MustParse("(4,2):(1,10)"), cute.Int(40)))
	// Output:
	// weak_complement fills the gaps as far as whole blocks go and leaves offsets free: weak_complement((4,2):(1,10)) is 2:4
	// (2,2):(4,20) <nil>
}

// Tensor memory: 128 lanes of 160 columns each, 65536 apart, leave room for 408 more such blocks in a row.
func ExampleWeakComplementCosize() {
	fmt.Println(cute.WeakComplementCosize(cute.MustParse("(128,160):(65536,1)")))
	// Output: 409:160 <nil>
}

// ComplementCosize fills the gaps of a layout and adds nothing beyond the layout.
func ExampleComplementCosize() {
	fmt.Println(cute.ComplementCosize(cute.MustParse("4:2")))
	fmt.Println(cute.ComplementCosize(cute.MustParse("(2,4):(1,6)")))
	// Output:
	// 2:1 <nil>
	// 3:2 <nil>
}

// The right inverse maps offsets to their indices, from offset 0 up to the first gap.
func ExampleRightInverse() {
	fmt.Println(cute.RightInverse(cute.MustParse("(8,64):(64,1)")))
	fmt.Println(cute.RightInverse(cute.MustParse("(8,64):(72,1)"))) // a single padded row
	// Output:
	// (64,8):(8,1) <nil>
	// 64:8 <nil>
}

// Coordinates in, coordinates out: with a thread-value layout in (m,n) the inverse takes (m,n).
func ExampleRightInverse_coordinates() {
	owner, err := cute.RightInverse(cute.MustParse("((4,8),(2,2)):((2@1,1@0),(1@1,8@0))"))
	fmt.Println(owner, err)
	fmt.Println(owner.Eval(cute.Ints(9, 3))) // thread 5 + 32·value 3
	// Output:
	// ((8,2),(2,4)):((4,64),(32,1)) <nil>
	// 101 <nil>
}

// The inverse of a thread-value layout maps an offset to its owner: thread + 32·value.
func ExampleInverse() {
	tv := cute.MustParse("((4,8),(2,2)):((32,1),(16,8))")
	owner, err := cute.Inverse(tv)
	fmt.Println(owner, err)
	fmt.Println(owner.At(57)) // (m,n) = (9,3) is value 3 of thread 5
	// Output:
	// (8,2,2,4):(4,64,32,1) <nil>
	// 101 <nil>
}

// CoordAt looks up one offset, here the owner of element 57 of the tile. Offsets between the rows belong to no
// coordinate.
func ExampleLayout_CoordAt() {
	tv := cute.MustParse("((4,8),(2,2)):((32,1),(16,8))")
	fmt.Println(tv.CoordAt(57))
	window := cute.MustParse("(8,64):(128,1)") // 64 of 128 columns
	fmt.Println(window.CoordAt(133))
	_, err := window.CoordAt(64)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// ((1,1),(1,1)) <nil>
	// (1,5) <nil>
	// not_invertible
}

func ExampleInverse_refused() {
	_, err := cute.Inverse(cute.MustParse("(8,64):(72,1)")) // offsets 64 to 71 have no index
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output: not_invertible
}

func ExampleLayoutAdd() {
	fmt.Println(cute.LayoutAdd(cute.MustParse("(4,3):(3,1)"), cute.MustParse("12:1")))
	_, err := cute.LayoutAdd(cute.MustParse("(2,3):(1,5)"), cute.MustParse("(3,2):(1,5)"))
	fmt.Println(err)
	// Output:
	// (4,3):(4,5) <nil>
	// not_representable: layout_add: no layout is the sum of (2,3):(1,5) and (3,2):(1,5): one turns at index 2 and the other at 3, and neither divides the other; at index 3 the sum is 11, a layout would give 9
}

// A padded 4×8 tile: the inverse takes an offset in the padded array back to the index of the element.
func ExampleLeftInverse() {
	a := cute.MustParse("(4,8):(1,5)")
	r, err := cute.LeftInverse(a)
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := a.At(14)
	back, _ := r.At(at)
	fmt.Println(r, at, back)
	// Output: (5,8):(1,4) 17 14
}

// The strides 2 and 3 do not chain, but a layout inverts them.
func ExampleLeftInverse_search() {
	a := cute.MustParse("(2,2):(2,3)")
	r, err := cute.LeftInverse(a)
	fmt.Println(r, err)
	for i := range a.Size() {
		u, _ := a.At(i)
		back, _ := r.At(u)
		fmt.Print(u, "→", back, " ")
	}
	// Output:
	// (2,3):(1,1) <nil>
	// 0→0 2→1 3→2 5→3
}

// A mode of stride 0 repeats offsets; the inverse gives the first index of each.
func ExampleLeftInverse_broadcast() {
	r, err := cute.LeftInverse(cute.MustParse("(2,4,8):(32,0,2)"))
	fmt.Println(r, err)
	// Output: (2,16,2):(0,8,1) <nil>
}

// Offsets into a tensor of two axes: the inverse takes coordinates.
func ExampleLeftInverse_coordinates() {
	r, err := cute.LeftInverse(cute.MustParse("(4,5):(2@0,2@1)"))
	fmt.Println(r, err)
	// Output: ((2,4),(2,5)):((0,1),(0,4)) <nil>
}

// If no layout is an inverse, the witness is the offset at which the last candidates fail.
func ExampleLeftInverse_refused() {
	_, err := cute.LeftInverse(cute.MustParse("(2,2,2):(3,4,5)"))
	if e, ok := errors.AsType[*cute.Error](err); ok {
		fmt.Println(e.Code, e.Witness.Coord, e.Witness.Index, e.Witness.Value)
	}
	// Output: not_invertible (0,1,1) 6 9
}

// The strides decide the question, so the layout may have any size.
func ExampleIsInjective() {
	for _, s := range []string{"(1048576,1048576):(1048577,1)", "(1048576,1048576):(1048575,1)"} {
		ok, w, err := cute.IsInjective(cute.MustParse(s))
		fmt.Println(ok, err)
		if w != nil {
			fmt.Println(w.Coord, "and", *w.Other, "have the offset", w.Value)
		}
	}
	// Output:
	// true <nil>
	// false <nil>
	// (1,0) and (0,1048575) have the offset 1048575
}

func ExampleIsSurjective() {
	ok, _, err := cute.IsSurjective(cute.MustParse("(4,3):(1,2)"))
	fmt.Println(ok, err)
	ok, w, err := cute.IsSurjective(cute.MustParse("(4,3):(1,6)"))
	fmt.Println(ok, err, "missing:", w.Value)
	// Output:
	// true <nil>
	// false <nil> missing: 4
}

func ExampleIsBijective() {
	for _, s := range []string{"(4,3):(3,1)", "(4,3):(1,2)", "4:-1"} {
		ok, _, err := cute.IsBijective(cute.MustParse(s))
		fmt.Println(s, ok, err)
	}
	// Output:
	// (4,3):(3,1) true <nil>
	// (4,3):(1,2) false <nil>
	// 4:-1 false <nil>
}

// A reversed mode is compact: its offsets -3, ..., 0 are without gaps.
func ExampleIsCompact() {
	for _, s := range []string{"4:-1", "(4,3):(-1,4)", "(4,3):(1,5)"} {
		ok, _, err := cute.IsCompact(cute.MustParse(s))
		fmt.Println(s, ok, err)
	}
	// Output:
	// 4:-1 true <nil>
	// (4,3):(-1,4) true <nil>
	// (4,3):(1,5) false <nil>
}

func ExampleImage() {
	image, err := cute.Image(cute.MustParse("(2,3):(3,2)"))
	fmt.Println(image, err)
	// Output: [0 2 3 4 5 7] <nil>
}

// A tile of 8x64 halves as vectors of 8 halves, 16 bytes: the view of a vectorized copy.
func ExampleUpcast() {
	fmt.Println(cute.Upcast(cute.MustParse("(8,64):(64,1)"), 8))
	_, err := cute.Upcast(cute.MustParse("(8,64):(68,1)"), 8) // rows of 68 halves are not aligned to 16 bytes
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (8,8):(8,1) <nil>
	// not_divisible
}

// The opposite: each vector splits into parts along the mode of stride 1, and the other strides grow.
func ExampleDowncast() {
	fmt.Println(cute.Downcast(cute.MustParse("(8,8):(8,1)"), 8))
	_, err := cute.Downcast(cute.MustParse("(8,8):(16,2)"), 8) // no two vectors are neighbours
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (8,64):(64,1) <nil>
	// not_divisible
}

// The widths are in bits: halves as 128-bit vectors, bytes as 4-bit and as 6-bit numbers.
func ExampleRecast() {
	fmt.Println(cute.Recast(cute.MustParse("(128,64):(64,1)"), 16, 128))
	fmt.Println(cute.Recast(cute.MustParse("(4,12):(12,1)"), 8, 4))
	fmt.Println(cute.Recast(cute.MustParse("(4,12):(12,1)"), 8, 6)) // 12 bytes hold 16 of these elements
	// Output:
	// (128,8):(8,1) <nil>
	// (4,24):(24,1) <nil>
	// (4,16):(16,1) <nil>
}

// The 128-byte swizzle on bytes, on halves and on 16-byte vectors.
func ExampleSwizzle_Upcast() {
	bytes, _ := cute.NewSwizzle(3, 4, 3)
	fmt.Println(bytes.Upcast(2))
	fmt.Println(bytes.Upcast(16))
	// Output:
	// Sw<3,3,3> <nil>
	// Sw<3,0,3> <nil>
}

func ExampleSwizzle_Downcast() {
	halves, _ := cute.NewSwizzle(3, 3, 3)
	fmt.Println(halves.Downcast(2))
	// Output: Sw<3,4,3> <nil>
}

// A swizzled row of 128 bytes holds 64 halves.
func ExampleComposed_Recast() {
	sw, _ := cute.NewSwizzle(3, 4, 3)
	bytes, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,128):(128,1)"))
	fmt.Println(bytes.Recast(8, 16))
	// Output: Sw<3,3,3> o 0 o (8,64):(64,1) <nil>
}
