package convert_test

import (
	"fmt"

	"girih/internal/lang/triton/convert"
	"girih/linear"
)

func ExampleOptimalSwizzle() {
	s := must(convert.OptimalSwizzle(blocked(), columns(), 32, 32))
	for _, in := range s.Layout.Bases() {
		fmt.Println(in.Name, in.Bases)
	}
	fmt.Println(s.Store.Multiplicity(), s.Load.Multiplicity())
	// Output:
	// vector []
	// bank [[1 0] [2 0] [4 0] [8 0] [0 4]]
	// segment [[1 1] [2 2]]
	// block []
	// reps []
	// 1 1
}

func ExampleSwizzle() {
	s := must(convert.OptimalSwizzle(blocked(), fragment(), 16, 32))
	fmt.Printf("%+v\n", s.Store)
	// Output: {VectorBits:32 Instructions:2 Ideal:1 Wavefronts:1}
}

func ExampleSwizzle_Bytes() {
	fmt.Println(must(convert.OptimalSwizzle(blocked(), columns(), 16, 32)).Bytes(16))
	// Output: 256
}

func ExampleMemory() {
	mem := convert.Memory{ElemBits: 16, Banks: 32, Load: convert.Matrix()}
	fmt.Printf("%+v\n", must(convert.OptimalSwizzleTiles(rows(), fragment(), mem)).Load)
	// Output: {VectorBits:128 Instructions:2 Ideal:1 Wavefronts:1}
}

func ExampleOptimalSwizzleTiles() {
	mem := convert.Memory{ElemBits: 16, Banks: 32, Load: convert.MatrixTransposed()}
	_, err := convert.OptimalSwizzleTiles(blocked(), fragment(), mem)
	fmt.Println(err)
	// Output: not_representable: optimal_swizzle: expected 128 bits that are contiguous for both tiles, {Contiguous:[] Address:[] Registers:0 Transposed:false} and {Contiguous:[2 3 4] Address:[0 1] Registers:1 Transposed:true}, found none
}

func ExampleAccess() {
	fmt.Println(convert.Access{VectorBits: 64, Instructions: 2, Ideal: 2, Wavefronts: 4}.Multiplicity())
	// Output: 2
}

func ExampleAccess_Multiplicity() {
	fmt.Println(must(convert.OptimalSwizzle(blocked(), columns(), 8, 32)).Load.Multiplicity())
	// Output: 1
}

func ExampleAccessOf() {
	// A row-major tile without a swizzle, read by columns.
	plain := must(linear.New([]linear.In{
		{Name: "vector"}, {Name: "bank", Bases: [][]int64{{0, 1}, {0, 2}, {0, 4}, {1, 0}, {2, 0}}}, {Name: "segment", Bases: [][]int64{{4, 0}, {8, 0}}},
	}, []linear.Dim{{Name: "row", Size: 16}, {Name: "column", Size: 8}}))
	mem := convert.Memory{ElemBits: 32, Banks: 32}
	fmt.Printf("%+v\n", must(convert.AccessOf(columns(), plain, mem, convert.LoadStore())))
	// Output: {VectorBits:32 Instructions:4 Ideal:1 Wavefronts:4}
}

func ExampleTile() {
	fmt.Printf("%+v\n", convert.Matrix())
	// Output: {Contiguous:[0 1] Address:[2 3 4] Registers:0 Transposed:false}
}
