package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// Two ways to write one function. No element is enumerated, so 16 million elements take no longer.
func ExampleEquivalent() {
	fmt.Println(cute.Equivalent(cute.MustParse("(4096,(64,64)):(1,(4096,262144))"), cute.MustParse("16777216:1")))
	same, d := cute.Equivalent(cute.MustParse("(8,64):(64,1)"), cute.MustParse("(8,64):(72,1)"))
	fmt.Println(same, "at index", d.Index, d.A, d.B)
	// Output:
	// true <nil>
	// false at index 1 64 72
}

// A Difference distinguishes offsets that differ from sizes that differ.
func ExampleDifference() {
	_, d := cute.Equivalent(cute.MustParse("(4,4):(1,4)"), cute.MustParse("(4,4):(1,5)"))
	fmt.Println(d.Index, d.A, d.B, d.Sizes)
	_, d = cute.Equivalent(cute.MustParse("8:1"), cute.MustParse("16:1"))
	fmt.Println(d.Index, d.Sizes)
	// Output:
	// 4 4 5 false
	// 8 true
}

// Shape and stride of a layout are congruent.
func ExampleCongruent() {
	fmt.Println(cute.Congruent(cute.MustParseTuple("(4,(2,2))"), cute.MustParseTuple("(1,(4,8))")))
	fmt.Println(cute.Congruent(cute.MustParseTuple("(4,(2,2))"), cute.Ints(4, 4)))
	// Output:
	// true
	// false
}

// A tuple that is weakly congruent to a shape is a coordinate of it: thread 5 and the pair of values (1,1).
func ExampleWeaklyCongruent() {
	shape := cute.MustParseTuple("((4,8),(2,2))")
	fmt.Println(cute.WeaklyCongruent(cute.MustParseTuple("(5,(1,1))"), shape))
	fmt.Println(cute.WeaklyCongruent(cute.Ints(1, 1, 1, 1), shape))
	// Output:
	// true
	// false
}

// 32 threads with 4 values each are compatible with the shape of the fragment, not the other way round.
func ExampleCompatible() {
	shape := cute.MustParseTuple("((4,8),(2,2))")
	fmt.Println(cute.Compatible(cute.Ints(32, 4), shape), cute.Compatible(cute.Int(128), shape))
	fmt.Println(cute.Compatible(shape, cute.Ints(32, 4)), cute.Compatible(cute.Ints(16, 8), shape))
	// Output:
	// true true
	// false false
}

// All 128 rows of a bias are one row: the coordinates of offset 0 are the first column.
func ExampleNullspace() {
	fmt.Println(cute.Nullspace(cute.MustParse("(128,64):(0,1)")))
	fmt.Println(cute.Nullspace(cute.MustParse("(2,3,4):(1,0,2)")))
	fmt.Println(cute.Nullspace(cute.MustParse("(128,64):(64,1)")))
	// Output:
	// 128:1
	// 3:2
	// 1:0
}

// A row is contiguous in both, so a copy moves it as vectors: r counts through the row in steps of 8 indices.
func ExampleMaxCommonLayout() {
	gmem, smem := cute.MustParse("(8,64):(1024,1)"), cute.MustParse("(8,64):(72,1)")
	fmt.Println(cute.MaxCommonLayout(gmem, smem))
	// Output: 64:8 <nil>
}

// A copy that transposes has vectors of a single element.
func ExampleMaxCommonVector() {
	gmem := cute.MustParse("(8,64):(1024,1)")
	fmt.Println(cute.MaxCommonVector(gmem, cute.MustParse("(8,64):(72,1)")))
	fmt.Println(cute.MaxCommonVector(gmem, cute.MustParse("(8,64):(1,8)")))
	// Output:
	// 64 <nil>
	// 1 <nil>
}

// Rows of 64 elements, padded to 72: vectors of 8 begin at multiples of 8, vectors of 16 do not.
func ExampleMaxAlignment() {
	fmt.Println(cute.MaxAlignment(cute.MustParse("(8,64):(72,1)")))
	// Output: 8 <nil>
}

// The products 4, 24 of one shape and 8, 24 of the other are all among 4, 8, 24.
func ExampleCommonRefinement() {
	fmt.Println(cute.CommonRefinement(cute.Ints(4, 6), cute.Ints(8, 3)))
	_, err := cute.CommonRefinement(cute.Ints(4, 6), cute.Ints(6, 4))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (4,2,3) <nil>
	// not_divisible
}

// Offsets from a debugger, or from code that computes them by hand, as a layout.
func ExampleRecognize() {
	fmt.Println(cute.Recognize([]int64{0, 16, 8, 24}))
	// This is a 4x4 tile in Morton order, with blocks of 2x2 that are themselves in that order.
	fmt.Println(cute.Recognize([]int64{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}))
	// Output:
	// (2,2):(16,8) <nil>
	// (2,2,2,2):(1,4,2,8) <nil>
}

// The coordinates that a TMA box visits, and a list with one coordinate that a layout cannot have there.
func ExampleRecognizeCoordinates() {
	box := cute.MustParseTuple("((0,0),(1,0),(0,2),(1,2))")
	fmt.Println(cute.RecognizeCoordinates(box.Modes()))
	_, err := cute.RecognizeCoordinates(cute.MustParseTuple("((0,0),(1,0),(0,2),(2,2))").Modes())
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code, e.Witness.Index, e.Witness.Value, e.Witness.Want)
	// Output:
	// (2,2):(1@0,2@1) <nil>
	// not_representable 3 (2,2) (1,2)
}

// The second block of 4 must repeat the first one, shifted by 8: the 12 should be 11.
func ExampleRecognize_refused() {
	_, err := cute.Recognize([]int64{0, 1, 2, 3, 8, 9, 10, 12})
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code, e.Witness.Index, e.Witness.Value, e.Witness.Want)
	// Output: not_representable 7 12 11
}

func ExampleTuple_LeafCount() {
	fmt.Println(cute.MustParseTuple("(4,(2,2))").LeafCount(), cute.MustParseTuple("()").LeafCount())
	// Output: 3 0
}

func ExampleTuple_NodeCount() {
	fmt.Println(cute.MustParseTuple("(4,(2,2))").NodeCount(), cute.MustParseTuple("((),())").NodeCount())
	// Output: 5 3
}

// Two coordinates along two axes are four numbers.
func ExampleTuple_NumberCount() {
	fmt.Println(cute.MustParseTuple("(4,2)").NumberCount(), cute.MustParseTuple("(1@0,1@1)").NumberCount())
	// Output: 2 4
}

func ExampleTile_LeafCount() {
	fmt.Println(cute.MakeTile(cute.Int(4), cute.Keep, cute.MustParse("(2,2):(1,4)")).LeafCount())
	// Output: 4
}

func ExampleTile_NodeCount() {
	fmt.Println(cute.MakeTile(cute.Int(4), cute.MustParse("(2,2):(1,4)")).NodeCount())
	// Output: 5
}

func ExampleTile_Depth() {
	fmt.Println(cute.MakeTile(cute.Int(4), cute.MustParse("(2,2):(1,4)")).Depth())
	// Output: 2
}

func ExampleCoord_NodeCount() {
	x, _ := cute.Fixed(cute.Int(2))
	fmt.Println(cute.MakeCoord(x, cute.MakeCoord(cute.Open, x)).NodeCount())
	// Output: 5
}

func ExampleCoord_Depth() {
	fmt.Println(cute.Open.Depth(), cute.MakeCoord(cute.Open, cute.MakeCoord(cute.Open)).Depth())
	// Output: 0 2
}

func ExampleLayout_LeafCount() {
	fmt.Println(cute.MustParse("(4,(2,2)):(1,(4,8))").LeafCount(), cute.MustParse("():()").LeafCount())
	// Output: 3 0
}

func ExampleLayout_Leaf() {
	l := cute.MustParse("(4,(2,2)):(1,(4,8))")
	for i := range l.LeafCount() {
		extent, stride := l.Leaf(i)
		fmt.Println(extent, stride)
	}
	// Output:
	// 4 1
	// 2 4
	// 2 8
}

func ExampleLayout_AppendModeSizes() {
	fmt.Println(cute.MustParse("((2,2),3):((1,2),4)").AppendModeSizes(nil))
	// Output: [4 3]
}
