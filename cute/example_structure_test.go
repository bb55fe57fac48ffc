package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

func ExampleLayout_Flatten() {
	fmt.Println(cute.MustParse("((4,8),(2,2)):((32,1),(16,8))").Flatten())
	// Output: (4,8,2,2):(32,1,16,8)
}

// Only the parentheses of the profile matter.
func ExampleLayout_Unflatten() {
	a := cute.MustParse("(4,8,2,2):(32,1,16,8)")
	fmt.Println(a.Unflatten(cute.MustParseTuple("((0,0),(0,0))")))
	// Output: ((4,8),(2,2)):((32,1),(16,8)) <nil>
}

// A pipeline gives a shared memory tile a mode for its stages.
func ExampleLayout_AppendMode() {
	tile := cute.MustParse("(128,64):(64,1)")
	fmt.Println(tile.AppendMode(cute.MustParse("3:8192")))
	// Output: (128,64,3):(64,1,8192) <nil>
}

func ExampleLayout_PrependMode() {
	frag := cute.MustParse("(8,4):(1,8)")
	fmt.Println(frag.PrependMode(cute.MustParse("(2,2):(32,64)")))
	// Output: ((2,2),8,4):((32,64),1,8) <nil>
}

// A matrix as a batch of one.
func ExampleLayout_AppendToRank() {
	a := cute.MustParse("(4096,1024):(1024,1)")
	fmt.Println(a.AppendToRank(3, cute.MustParse("1:0")))
	// Output: (4096,1024,1):(1024,1,0) <nil>
}

func ExampleLayout_PrependToRank() {
	a := cute.MustParse("(4096,1024):(1024,1)")
	fmt.Println(a.PrependToRank(3, cute.MustParse("1:0")))
	// Output: (1,4096,1024):(0,1024,1) <nil>
}

// Padding the rows of a tile to 72 elements is another stride of mode 0.
func ExampleLayout_Replace() {
	a := cute.MustParse("(8,64):(64,1)")
	fmt.Println(a.Replace(0, cute.MustParse("8:72")))
	// Output: (8,64):(72,1) <nil>
}

// After a flat divide the tile's modes become one again.
func ExampleLayout_GroupModes() {
	flat := cute.MustParse("(128,64,32,16):(1024,1,131072,64)")
	fmt.Println(flat.GroupModes(0, 2))
	// Output: ((128,64),32,16):((1024,1),131072,64) <nil>
}

// Selecting modes in another order is a transpose.
func ExampleLayout_Select() {
	a := cute.MustParse("(128,64):(64,1)")
	fmt.Println(a.Select(1, 0))
	_, err := a.Select(2)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (64,128):(1,64) <nil>
	// mode
}

func ExampleLayout_Take() {
	stages := cute.MustParse("(128,64,3):(64,1,8192)")
	fmt.Println(stages.Take(0, 2)) // one stage
	// Output: (128,64):(64,1) <nil>
}

// PyTorch lists the batch first, CuTe last.
func ExampleLayout_Reverse() {
	fmt.Println(cute.MustParse("(8,4096,1024):(4194304,1024,1)").Reverse())
	// Output: (1024,4096,8):(1,1024,4194304) <nil>
}

// A bias is broadcast along M: stride 0. Without these modes it takes 64 elements.
func ExampleFilterZeros() {
	fmt.Println(cute.FilterZeros(cute.MustParse("(128,64):(0,1)")))
	// Output: (1,64):(0,1)
}

func ExampleFilter() {
	fmt.Println(cute.Filter(cute.MustParse("(128,64):(0,1)")))
	// Output: 64:1
}

// Zip pairs the modes of a block with those of its copies, as a blocked product does.
func ExampleZip() {
	block := cute.MustParse("(8,64):(64,1)")
	copies := cute.MustParse("(16,2):(512,8192)")
	fmt.Println(cute.Zip(block, copies))
	// Output: ((8,16),(64,2)):((64,512),(1,8192)) <nil>
}

// TileUnzip turns ((TM,RM),(TN,RN)) into ((TM,TN),(RM,RN)): a logical divide into a zipped one.
func ExampleTileUnzip() {
	tiler := cute.Ints(128, 64)
	d, err := cute.LogicalDivide(cute.MustParse("(4096,1024):(1024,1)"), tiler)
	fmt.Println(d, err)
	fmt.Println(cute.TileUnzip(d.Layout, tiler))
	// Output:
	// ((128,32),(64,16)):((1024,131072),(1,64)) <nil>
	// ((128,64),(32,16)):((1024,1),(131072,64)) <nil>
}

func ExampleTuple_Terms() {
	cute.MustParseTuple("3@0@0+2@1@0").Terms(func(x int64, path []int) { fmt.Println(x, path) })
	// Output:
	// 3 [0 0]
	// 2 [0 1]
}
