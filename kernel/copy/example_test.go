package copy_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"girih/cute"
	"girih/kernel/copy"
)

// A row-major matrix of f16 is copied to a column-major one.
func Example() {
	src, dst := cute.MustParse("(4096,4096):(4096,1)"), cute.MustParse("(4096,4096):(1,4096)")
	p, err := copy.New(src, dst, copy.Options{Bytes: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p)
	// Output:
	// blocks: (4096,4096):(1,4096) <- (4096,4096):(4096,1), 16777216 elements of 2 bytes
	//   joint modes of 2 bytes: (4096,4096), src (4096,1), dst (1,4096)
	//   tile (128,128), 1024 blocks of 256 threads, 32768 bytes of shared memory behind Sw<3,3,7>
	//   global -> registers: blocks of 8x8 elements, rows of 16 bytes, 256 of a block, 1 of a thread
	//   registers: blocks of 8x8 are turned
	//   registers -> shared: accesses of 16 bytes
	//   shared -> global: accesses of 16 bytes, 2048 of a block, 8 of a thread
}

// A refusal has a witness and a hint.
func ExampleNew() {
	src, dst := cute.MustParse("(4,2):(1,4)"), cute.MustParse("(4,2):(1,3)")
	_, err := copy.New(src, dst, copy.Options{Bytes: 4})
	fmt.Println(err)
	if e, ok := errors.AsType[*cute.Error](err); ok {
		fmt.Println(e.Hint)
		fmt.Println(e.Witness.Coord, e.Witness.Other)
	}
	// Output:
	// not_injective: copy: two elements of the destination (4,2):(1,3) have one place: (3,0) and (0,1) are at 3
	// give the destination strides by which no two elements meet
	// (3,0) (0,1)
}

// The memory traffic of the copy, and the plan as JSON for programs.
func ExamplePlan_Predict() {
	src, dst := cute.MustParse("(1024,1024):(1024,1)"), cute.MustParse("(1024,1024):(1,1024)")
	p, err := copy.New(src, dst, copy.Options{Bytes: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := p.Predict()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Loads.Sectors, f.Stores.Sectors, f.Shared.Wavefronts, f.Shared.Ideal)
	text, _ := json.Marshal(p.Describe().Tile)
	fmt.Println(string(text))
	// Output:
	// 131072 131072 65536 65536
	// [64,64]
}
