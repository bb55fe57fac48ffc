package girih_test

import (
	"fmt"

	"girih"
)

func ExampleTuple_LeafCount() {
	fmt.Println(girih.MustParseTuple("(4,(2,2))").LeafCount(), girih.MustParseTuple("()").LeafCount())
	// Output: 3 0
}

func ExampleTuple_NodeCount() {
	fmt.Println(girih.MustParseTuple("(4,(2,2))").NodeCount(), girih.MustParseTuple("((),())").NodeCount())
	// Output: 5 3
}

// Two coordinates along two axes are four numbers.
func ExampleTuple_NumberCount() {
	fmt.Println(girih.MustParseTuple("(4,2)").NumberCount(), girih.MustParseTuple("(1@0,1@1)").NumberCount())
	// Output: 2 4
}

func ExampleTile_LeafCount() {
	fmt.Println(girih.MakeTile(girih.Int(4), girih.Keep, girih.MustParse("(2,2):(1,4)")).LeafCount())
	// Output: 4
}

func ExampleTile_NodeCount() {
	fmt.Println(girih.MakeTile(girih.Int(4), girih.MustParse("(2,2):(1,4)")).NodeCount())
	// Output: 5
}

func ExampleTile_Depth() {
	fmt.Println(girih.MakeTile(girih.Int(4), girih.MustParse("(2,2):(1,4)")).Depth())
	// Output: 2
}

func ExampleCoord_NodeCount() {
	x, _ := girih.Fixed(girih.Int(2))
	fmt.Println(girih.MakeCoord(x, girih.MakeCoord(girih.Open, x)).NodeCount())
	// Output: 5
}

func ExampleCoord_Depth() {
	fmt.Println(girih.Open.Depth(), girih.MakeCoord(girih.Open, girih.MakeCoord(girih.Open)).Depth())
	// Output: 0 2
}

func ExampleLayout_LeafCount() {
	fmt.Println(girih.MustParse("(4,(2,2)):(1,(4,8))").LeafCount(), girih.MustParse("():()").LeafCount())
	// Output: 3 0
}

func ExampleLayout_Leaf() {
	l := girih.MustParse("(4,(2,2)):(1,(4,8))")
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
	fmt.Println(girih.MustParse("((2,2),3):((1,2),4)").AppendModeSizes(nil))
	// Output: [4 3]
}
