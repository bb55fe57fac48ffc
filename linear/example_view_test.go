package linear_test

import (
	"fmt"

	"girih/linear"
)

// tile is a 4×2 tile in four lanes of two registers.
func tile() linear.Layout {
	return must(linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}}}, {Name: "lane", Bases: [][]int64{{1, 0}, {2, 0}}},
	}, []linear.Dim{{Name: "dim0", Size: 4}, {Name: "dim1", Size: 2}}))
}

// swizzled is a 2×2 tile in shared memory, its second row reversed.
func swizzled() linear.Layout {
	return must(linear.New([]linear.In{
		{Name: "offset", Bases: [][]int64{{0, 1}, {1, 1}}},
	}, []linear.Dim{{Name: "dim0", Size: 2}, {Name: "dim1", Size: 2}}))
}

func ExampleDistributedTensorView() {
	fmt.Print(must(linear.DistributedTensorView(tile())))
	// Output:
	// [[T0:0, T0:1]
	// [ T1:0, T1:1]
	// [ T2:0, T2:1]
	// [ T3:0, T3:1]]
}

func ExampleDistributedHardwareView() {
	fmt.Print(must(linear.DistributedHardwareView(tile())))
	// Output:
	// Warp0:
	// (0,0), (1,0), (2,0), (3,0)
	// (0,1), (1,1), (2,1), (3,1)
}

func ExampleSharedTensorView() {
	fmt.Print(must(linear.SharedTensorView(swizzled())))
	// Output:
	// [[(0:0),(0:1)]
	// [ (1:1),(1:0)]]
}

func ExampleSharedHardwareView() {
	fmt.Print(must(linear.SharedHardwareView(swizzled())))
	// Output:
	// Block: 0:
	// Offset: 0 -> (0,0)
	// Offset: 1 -> (0,1)
	// Offset: 2 -> (1,1)
	// Offset: 3 -> (1,0)
}
