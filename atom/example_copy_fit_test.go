package atom_test

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

func ExampleCopyDirection_String() {
	fmt.Println(atom.SharedToRegisters)
	fmt.Println(atom.GlobalToShared)
	// Output:
	// from shared memory to registers
	// from global memory to shared memory
}

func ExampleCopyRequest() {
	// 256 threads copy with cp.async, each 8 halves of a row.
	r := atom.CopyRequest{
		Memory: cute.MustParse("(128,64):(64,1)"), Type: dtype.F16,
		LayoutTV: cute.MustParse("((8,32),8):((256,1),32)"), Tile: cute.Ints(32, 64), Direction: atom.GlobalToShared,
	}
	fits, err := atom.CopiesFor(r)
	check(err)
	for _, f := range fits {
		if f.Fits {
			fmt.Println(f.Copy.Name, f.Instructions)
		}
	}
	// Output:
	// SM80_CP_ASYNC_CACHEALWAYS<uint128_t> 4
	// SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> 4
	// SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t> 4
	// SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t> 4
	// UniversalCopy<uint128_t> 4
	// SM80_CP_ASYNC_CACHEALWAYS<uint64_t> 8
	// SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t> 8
	// UniversalCopy<uint64_t> 8
	// SM80_CP_ASYNC_CACHEALWAYS<uint32_t> 16
	// SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t> 16
	// UniversalCopy<uint32_t> 16
	// UniversalCopy<uint16_t> 32
}

func ExampleNewCopyRequest() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandC, cute.MustParse("(64,64):(64,1)"), dtype.F16)
	check(err)
	fmt.Println(r.Direction, r.Tile)
	// Output:
	// from registers to shared memory (32,32)
}

func ExampleCopiesFor() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, cute.MustParse("(128,64):(64,1)"), dtype.F16)
	check(err)
	r.Arch = "sm80"
	fits, err := atom.CopiesFor(r)
	check(err)
	for _, f := range fits[:6] {
		fmt.Println(f.Fits, f.Copy.Name, f.Reason)
	}
	// Output:
	// true SM75_U32x4_LDSM_N Each thread has 8 elements of an instruction, and executes 16 instructions.
	// true SM75_U32x2_LDSM_N Each thread has 4 elements of an instruction, and executes 32 instructions.
	// true SM75_U32x1_LDSM_N Each thread has 2 elements of an instruction, and executes 64 instructions.
	// true UniversalCopy<uint32_t> Each thread has 2 elements of an instruction, and executes 64 instructions.
	// true UniversalCopy<uint16_t> Each thread has 1 element of an instruction, and executes 128 instructions.
	// false UniversalCopy<uint64_t> 8 bytes at one address of thread 0 begin with (0,0) at offset 0; at offset 2 there should be (8,0), which is at 512.
}

func ExampleCopyFit() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, cute.MustParse("(128,64):(1,128)"), dtype.F16)
	check(err)
	c, err := atom.FindCopy("SM75_U32x4_LDSM_N")
	check(err)
	f, err := c.Fit(r)
	check(err)
	fmt.Println(f.Reason)
	fmt.Println(f.Hint)
	// Output:
	// 16 bytes at one address of thread 0 begin with (0,0) at offset 0; at offset 1 there should be (0,1), which is at 128.
	// ldmatrix and stmatrix with .trans, if the other mode is contiguous
}

func ExampleCopyPlace() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, cute.MustParse("(128,64):(1,128)"), dtype.F16)
	check(err)
	c, err := atom.FindCopy("UniversalCopy<uint32_t>")
	check(err)
	f, err := c.Fit(r)
	check(err)
	for _, p := range []*atom.CopyPlace{f.First, f.Second} {
		fmt.Println("thread", p.Thread, "value", p.Value, "at", p.Coord, "offset", p.Offset)
	}
	// Output:
	// thread 0 value 0 at (0,0) offset 0
	// thread 0 value 1 at (0,1) offset 128
}
