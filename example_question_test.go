package girih_test

import (
	"errors"
	"fmt"

	"girih"
)

// Two ways to write one function. No element is enumerated, so it takes no longer for 16 million of them.
func ExampleEquivalent() {
	fmt.Println(girih.Equivalent(girih.MustParse("(4096,(64,64)):(1,(4096,262144))"), girih.MustParse("16777216:1")))
	same, d := girih.Equivalent(girih.MustParse("(8,64):(64,1)"), girih.MustParse("(8,64):(72,1)"))
	fmt.Println(same, "at index", d.Index, d.A, d.B)
	// Output:
	// true <nil>
	// false at index 1 64 72
}

// A Difference tells offsets that differ from sizes that do.
func ExampleDifference() {
	_, d := girih.Equivalent(girih.MustParse("(4,4):(1,4)"), girih.MustParse("(4,4):(1,5)"))
	fmt.Println(d.Index, d.A, d.B, d.Sizes)
	_, d = girih.Equivalent(girih.MustParse("8:1"), girih.MustParse("16:1"))
	fmt.Println(d.Index, d.Sizes)
	// Output:
	// 4 4 5 false
	// 8 true
}

// Shape and stride of a layout are congruent.
func ExampleCongruent() {
	fmt.Println(girih.Congruent(girih.MustParseTuple("(4,(2,2))"), girih.MustParseTuple("(1,(4,8))")))
	fmt.Println(girih.Congruent(girih.MustParseTuple("(4,(2,2))"), girih.Ints(4, 4)))
	// Output:
	// true
	// false
}

// What is weakly congruent to a shape is a coordinate of it: thread 5 and the pair of values (1,1).
func ExampleWeaklyCongruent() {
	shape := girih.MustParseTuple("((4,8),(2,2))")
	fmt.Println(girih.WeaklyCongruent(girih.MustParseTuple("(5,(1,1))"), shape))
	fmt.Println(girih.WeaklyCongruent(girih.Ints(1, 1, 1, 1), shape))
	// Output:
	// true
	// false
}

// 32 threads with 4 values each are compatible with the shape of the fragment, not the other way round.
func ExampleCompatible() {
	shape := girih.MustParseTuple("((4,8),(2,2))")
	fmt.Println(girih.Compatible(girih.Ints(32, 4), shape), girih.Compatible(girih.Int(128), shape))
	fmt.Println(girih.Compatible(shape, girih.Ints(32, 4)), girih.Compatible(girih.Ints(16, 8), shape))
	// Output:
	// true true
	// false false
}

// All 128 rows of a bias are one row: the coordinates with offset 0 are the first column.
func ExampleNullspace() {
	fmt.Println(girih.Nullspace(girih.MustParse("(128,64):(0,1)")))
	fmt.Println(girih.Nullspace(girih.MustParse("(2,3,4):(1,0,2)")))
	fmt.Println(girih.Nullspace(girih.MustParse("(128,64):(64,1)")))
	// Output:
	// 128:1
	// 3:2
	// 1:0
}

// A row is contiguous in both, so a copy moves it as vectors: r counts through it in steps of 8 indices.
func ExampleMaxCommonLayout() {
	gmem, smem := girih.MustParse("(8,64):(1024,1)"), girih.MustParse("(8,64):(72,1)")
	fmt.Println(girih.MaxCommonLayout(gmem, smem))
	// Output: 64:8 <nil>
}

// A copy that transposes has vectors of a single element.
func ExampleMaxCommonVector() {
	gmem := girih.MustParse("(8,64):(1024,1)")
	fmt.Println(girih.MaxCommonVector(gmem, girih.MustParse("(8,64):(72,1)")))
	fmt.Println(girih.MaxCommonVector(gmem, girih.MustParse("(8,64):(1,8)")))
	// Output:
	// 64 <nil>
	// 1 <nil>
}

// Rows of 64 elements, padded to 72: vectors of 8 begin at multiples of 8, those of 16 do not.
func ExampleMaxAlignment() {
	fmt.Println(girih.MaxAlignment(girih.MustParse("(8,64):(72,1)")))
	// Output: 8 <nil>
}

// The products 4, 24 of one shape and 8, 24 of the other are all among 4, 8, 24.
func ExampleCommonRefinement() {
	fmt.Println(girih.CommonRefinement(girih.Ints(4, 6), girih.Ints(8, 3)))
	_, err := girih.CommonRefinement(girih.Ints(4, 6), girih.Ints(6, 4))
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (4,2,3) <nil>
	// not_divisible
}

// Offsets from a debugger, or from code that computes them by hand, as a layout.
func ExampleRecognize() {
	fmt.Println(girih.Recognize([]int64{0, 16, 8, 24}))
	// A 4x4 tile in Morton order, blocks of 2x2 inside and outside:
	fmt.Println(girih.Recognize([]int64{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}))
	// Output:
	// (2,2):(16,8) <nil>
	// (2,2,2,2):(1,4,2,8) <nil>
}

// The coordinates that a TMA box visits, and one that a layout cannot visit there.
func ExampleRecognizeCoordinates() {
	box := girih.MustParseTuple("((0,0),(1,0),(0,2),(1,2))")
	fmt.Println(girih.RecognizeCoordinates(box.Modes()))
	_, err := girih.RecognizeCoordinates(girih.MustParseTuple("((0,0),(1,0),(0,2),(2,2))").Modes())
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code, e.Witness.Index, e.Witness.Value, e.Witness.Want)
	// Output:
	// (2,2):(1@0,2@1) <nil>
	// not_representable 3 (2,2) (1,2)
}

// The second block of 4 must repeat the first one, shifted by 8: the 12 should be 11.
func ExampleRecognize_refused() {
	_, err := girih.Recognize([]int64{0, 1, 2, 3, 8, 9, 10, 12})
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code, e.Witness.Index, e.Witness.Value, e.Witness.Want)
	// Output: not_representable 7 12 11
}
