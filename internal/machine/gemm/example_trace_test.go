package gemm_test

import (
	"context"
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/gemm"
	"girih/kernel"
)

// The traced kernel runs in the simulator, and on any machine that runs PTX.
func ExampleKernel_Trace() {
	k, p := small()
	c, err := k.Trace(gemm.Facts{})
	fmt.Println(c.Name, c.Threads, "threads,", c.Shared, "bytes of shared memory,", err)
	for _, q := range c.Params {
		fmt.Print(q.Name, ",")
	}
	fmt.Println()
	l, _ := k.Launch(p)
	_, err = c.Simulate(context.Background(), kernel.Args{Ints: l.Ints, Bytes: l.Tensors})
	d, _ := k.Numbers(p, l.Tensors[l.Output])
	fmt.Println(d[:3], err)
	// Output:
	// gemm_SM80_16x8x16_F32F16F16F32_TN 32 threads, 1280 bytes of shared memory, <nil>
	// m,n,k,lda,ldb,ldd,beta,A,B,C,D,
	// [16 16 16] <nil>
}

// Known divisors of a problem's extents widen its copies.
func ExampleKernel_FactsOf() {
	k, _ := small() // tiles of 16 by 8 by 16
	for _, size := range []int64{128, 100, 77} {
		f := k.FactsOf(size, size, size)
		c, _ := k.Trace(f)
		access, _, _ := c.Plan(k.Ints(size, size, size))
		i := slices.IndexFunc(access, func(a kernel.Access) bool { return a.Tensor == "A" })
		fmt.Println(f.Div, access[i].Op)
	}
	// Output:
	// [16 8 128] ld.global.v4.b32
	// [1 1 4] ld.global.v2.b32
	// [1 1 1] ld.global.b16
}

// The metadata of a sparse A are packed next to its held elements.
func ExampleKernel_Launch() {
	a, _ := atom.FindMMA("SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_SS")
	mma, _ := atom.MakeTiledMMA(a, cute.MustParse("(1,1,1)"), cute.Keep)
	k, _ := gemm.NewKernel(mma, [3]int64{64, 8, 64})
	l, err := k.Launch(gemm.Problem{M: 1, N: 1, K: 4, A: []float64{0, 2, 0, 3}, B: []float64{1, 1, 1, 1}})
	fmt.Printf("%x %x %v\n", l.Tensors["A"], l.Tensors["E"], err)
	// Output: 00400042 4d444444 <nil>
}

// Sums of integers must be exact; others may differ by the bits that the card cuts off.
func ExampleKernel_CheckCard() {
	k, p := small()
	d := run(k, p).D
	d[9] = 16.5
	c, err := k.CheckCard(p, d, nil)
	fmt.Println(c.Fails, "wrong, the first at", c.FirstRow, c.FirstColumn, "is", c.Got, "and not", c.Want, err)
	// Output: 1 wrong, the first at 1 1 is 16.5 and not 16 <nil>
}

// Two elements are compared individually, and the others by sums over their rows: one of the others is wrong.
func ExampleCardCheck() {
	k, p := small()
	d := run(k, p).D
	d[9]++
	c, err := k.CheckCard(p, d, gemm.Sample{0: {0, 7}})
	fmt.Println(c.Summed, "elements summed,", c.Fails, "wrong, the first at", c.FirstRow, c.FirstColumn, err)
	// Output: 118 elements summed, 1 wrong, the first at 1 1 <nil>
}

// The parts of 10 numbers have up to four numbers each.
func ExampleParts() {
	var sums [3]int64
	err := gemm.Parts(10, 4, func(from, to int64) error {
		for i := from; i < to; i++ {
			sums[from/4] += i
		}
		return nil
	})
	fmt.Println(sums, err)
	// Output: [6 22 17] <nil>
}

// Rows of three 4-bit elements, one row every 2 bytes.
func ExamplePack() {
	data, err := gemm.Pack(dtype.S4, []float64{1, 2, 3, -1, -2, -3}, 3, 4)
	fmt.Printf("%x %v\n", data, err)
	_, err = gemm.Pack(dtype.S4, []float64{1, 2, 3}, 3, 3)
	fmt.Println(err)
	// Output:
	// 2103ef0d <nil>
	// extent: gemm: 3 numbers are no rows of 3 elements of s4 every 3, each beginning with a byte
}

func ExampleUnpack() {
	data, _ := gemm.Pack(dtype.F16, []float64{1, 2, 3, 4}, 2, 8)
	xs, err := gemm.Unpack(dtype.F16, data, 2, 8)
	fmt.Println(len(data), xs, err)
	// Output: 32 [1 2 3 4] <nil>
}

// The last two units of an order are pruned: here 2 and 3 of each group.
func ExamplePrune() {
	m, _ := atom.FindMMA("SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS")
	a := []float64{1, 2, 3, 4, 5, 6, 7}
	gemm.Prune(m, a, 7, func(int) []int { return []int{0, 1, 2, 3} })
	fmt.Println(a)
	// Output: [1 2 0 0 5 6 0]
}

// Two of four elements are held, and 4 bits say which ones.
func ExampleCompress() {
	m, _ := atom.FindMMA("SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS")
	held, metadata, err := gemm.Compress(m, []float64{0, 2, 0, 3, 5, 0, 0, 0}, 8)
	fmt.Printf("%v %08b %v\n", held, metadata, err)
	_, _, err = gemm.Compress(m, []float64{1, 2, 0, 3}, 4)
	fmt.Println(err.(*cute.Error).Code)
	// Output:
	// [2 3 5 0] [01001101 01000100 01000100 01000100] <nil>
	// not_representable
}

func ExampleKernel_ExactSum() {
	k, _ := small()
	fmt.Println(k.ExactSum())
	// Output: 8.388608e+06
}

// Column 7 of row 0 is compared, and no other element.
func ExampleSample() {
	k, p := small()
	for i := range p.A {
		p.A[i] += 0.5 // not integers, so row sums are not used
	}
	c, err := k.CheckCard(p, run(k, p).D, gemm.Sample{0: {7}})
	fmt.Println(c.Elements, c.Summed, c.Fails, err)
	// Output: 1 0 0 <nil>
}
