package gemm_test

import (
	"fmt"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/internal/machine/gemm"
)

// small returns a kernel of one warp for tiles of 16 by 8 by 16, and a problem of its size with A and B all ones.
func small() (gemm.Kernel, gemm.Problem) {
	a, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		panic(err)
	}
	mma, err := atom.MakeTiledMMA(a, cute.MustParse("(1,1,1)"), cute.Keep)
	if err != nil {
		panic(err)
	}
	k, err := gemm.NewKernel(mma, [3]int64{16, 8, 16})
	if err != nil {
		panic(err)
	}
	ones := func(n int) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 1
		}
		return xs
	}
	return k, gemm.Problem{M: 16, N: 8, K: 16, A: ones(16 * 16), B: ones(8 * 16)}
}

// run runs the kernel on an H100.
func run(k gemm.Kernel, p gemm.Problem) gemm.Result {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		panic(err)
	}
	r, err := k.Run(p, target)
	if err != nil {
		panic(err)
	}
	return r
}

// A kernel runs, its result is checked, and the ledger shows its movements.
func Example() {
	k, p := small()
	r := run(k, p)
	c, err := k.Check(p, r.D)
	fmt.Println(r.D[0], c.Worst, c.Fails, err)
	fmt.Println(r.Ledger.Instructions, "instruction,", r.Ledger.Products, "products, each added", r.Ledger.Times, "times")
	// Output:
	// 16 0 0 <nil>
	// 1 instruction, 2048 products, each added [1 1] times
}

// A nil C is zero, and numbers are rounded to the element types first: 2049 is not an f16.
func ExampleProblem() {
	k, p := small()
	p.A[0] = 2049
	r := run(k, p)
	fmt.Println(r.D[0], r.D[8])
	// Output: 2063 16
}

// The result is M by N, row by row.
func ExampleResult() {
	k, p := small()
	p.A[1*16] = 5 // row 1
	r := run(k, p)
	fmt.Println(len(r.D), r.D[:10])
	// Output: 128 [16 16 16 16 16 16 16 16 20 20]
}

// The problem is one tile, and every product is added once.
func ExampleLedger() {
	l := run(small()).Ledger
	fmt.Println(l.Threads, "threads, tiles", l.Tiles)
	fmt.Println(l.Products, "products,", l.Useful, "of them useful, added", l.Times, "times")
	// Output:
	// 32 threads, tiles [1 1 1]
	// 2048 products, 2048 of them useful, added [1 1] times
}

// A stage is one kind of movement, with its vectors and its use of shared memory.
func ExampleStage() {
	for _, s := range run(small()).Ledger.Stages {
		fmt.Printf("%-24s %-25s %3d bits, %d bytes, %d wavefronts\n", s.Name, s.Operation, s.VectorBits, s.Bytes,
			s.Shared.Wavefronts)
	}
	// Output:
	// global to shared, A      UniversalCopy<uint128_t>  128 bits, 512 bytes, 4 wavefronts
	// shared to registers, A   SM75_U32x4_LDSM_N         128 bits, 512 bytes, 4 wavefronts
	// global to shared, B      UniversalCopy<uint64_t>    64 bits, 256 bytes, 2 wavefronts
	// shared to registers, B   SM75_U32x2_LDSM_N         128 bits, 256 bytes, 2 wavefronts
	// registers to global, D   predicated stores          32 bits, 512 bytes, 0 wavefronts
}

// One element of D differs by more than rounding can explain.
func ExampleCheck() {
	k, p := small()
	d := make([]float64, 16*8)
	for i := range d {
		d[i] = 16
	}
	d[8*3+2] = 17
	c, err := k.Check(p, d)
	fmt.Printf("off by %v at (%d,%d), allowed %.1g; %d fails, %v\n", c.Worst, c.Row, c.Column, c.Bound, c.Fails, err)
	// Output: off by 1 at (3,2), allowed 2e-06; 1 fails, <nil>
}
