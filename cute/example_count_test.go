package cute_test

import (
	"fmt"

	"girih/cute"
)

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
