package tensor_test

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
)

// Calls nest, and the last one returns the error of the first call that failed.
func ExampleTry() {
	t := tensor.Try(tensor.Counting(0, cute.MustParse("(4,6):(1,4)")))
	dst := tensor.Try(tensor.Alloc[int64](cute.MustParse("2:1")))
	for k := range int64(3) {
		tile := tensor.Try(t.LocalTile(cute.Ints(2, 2), cute.At(1, 5*k)))
		fmt.Println(tensor.Copy(tensor.Try(tile.Slice(cute.MakeCoord(cute.Open, cute.At(0)))), dst))
		if tile.Err() != nil {
			break
		}
	}
	// Output:
	// <nil>
	// mode: slice: expected a number below 3 for 3, found 5
}

func ExampleTensor_Err() {
	t := tensor.Try(tensor.Alloc[float32](cute.MustParse("4:1")))
	fmt.Println(t.Err())
	t = tensor.Try(t.Slice(cute.At(4)))
	fmt.Println(t, t.Extent(0))
	// Output:
	// <nil>
	// nothing: mode: slice: expected a number below 4 for 4, found 4 0
}

func ExampleTensor_Extent() {
	t, _ := tensor.Alloc[float32](cute.MustParse("((2,2),3)"))
	fmt.Println(t.Extent(0), t.Extent(1), t.Extent(2))
	// Output: 4 3 0
}

// A slice has the storage of the whole tensor; Start and the layout say where its elements are.
func ExampleTensor_Data() {
	t, _ := tensor.Make([]int32{0, 1, 2, 3, 4, 5}, cute.MustParse("(2,3):(3,1)"))
	row, _ := t.Slice(cute.MakeCoord(cute.At(1), cute.Open))
	fmt.Println(row.Data()[row.Start():], slices.Collect(row.Values()))
	// Output: [3 4 5] [3 4 5]
}

func ExampleTensor_In() {
	t, _ := tensor.Alloc[float32](cute.MustParse("(8,4):(1,8)"))
	fmt.Println(t.In(atom.SharedMemory))
	fmt.Println(t.In(atom.GlobalMemory))
	// Output:
	// smem_ptr[32b](0) o (8,4):(1,8)
	// gmem_ptr[32b](0) o (8,4):(1,8)
}

func ExampleTensor_Space() {
	t, _ := tensor.Alloc[float32](cute.MustParse("8:1"))
	fmt.Println(t.Space(), t.In(atom.Registers).Space())
	// Output: anywhere registers
}

func ExampleTensor_AppendValues() {
	t, _ := tensor.Make([]int32{0, 1, 2, 3, 4, 5}, cute.MustParse("(2,3):(3,1)"))
	fmt.Println(t.AppendValues(nil))
	// Output: [0 3 1 4 2 5] <nil>
}

// The domain of a swizzled tensor is the layout that takes the coordinates.
func ExampleTensor_Domain() {
	w, _ := cute.NewSwizzle(1, 0, 2)
	l, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("(4,2):(1,4)"))
	t, _ := tensor.Alloc[float32](l)
	fmt.Println(t.Layout())
	fmt.Println(t.Domain())
	// Output:
	// Sw<1,0,2> o 0 o (4,2):(1,4)
	// (4,2):(1,4)
}
