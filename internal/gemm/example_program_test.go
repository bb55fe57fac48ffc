package gemm_test

import (
	"fmt"
	"strings"

	"girih"
	"girih/atom"
	"girih/banks"
	"girih/dtype"
	"girih/internal/gemm"
	"girih/ptx"
)

// A kernel as PTX runs wherever PTX does. The grid follows from the tile.
func ExampleProgram() {
	k, _ := small()
	p, err := k.Program("")
	x, y, _ := p.Blocks(1000, 513)
	fmt.Println(p.Name, p.Threads, "threads,", p.SharedBytes, "bytes of shared memory,", x, "by", y, "blocks,", err)
	for _, v := range p.Module.Func(ptx.Name(p.Name)).Params {
		fmt.Print(v.Name, " ")
	}
	// Output:
	// gemm_SM80_16x8x16_F32F16F16F32_TN 32 threads, 1280 bytes of shared memory, 63 by 65 blocks, <nil>
	// a b c d m n k lda ldb ldd
}

func ExampleProgram_Blocks() {
	k, _ := small() // tiles of 16 by 8
	p, _ := k.Program("")
	fmt.Println(p.Blocks(16, 8))
	fmt.Println(p.Blocks(17, 8))
	fmt.Println(p.Blocks(17, 1<<20)) // 131,072 blocks along N are more than a grid has in y
	// Output:
	// 1 1 1
	// 2 1 1
	// 2 43691 3
}

// The kernel is written for a chip, which must have the instruction.
func ExampleKernel_Program() {
	k, _ := small()
	p, _ := k.Program("sm_90")
	fmt.Println(p.Module.Target, strings.Count(p.Module.String(), "mma.sync"))
	_, err := k.Program("sm_75")
	fmt.Println(err)
	// Output:
	// [sm_90] 1
	// type: lower: sm_75 lacks SM80_16x8x16_F32F16F16F32_TN, an instruction from sm80 on
}

// What a run would count is known without it.
func ExampleKernel_Predict() {
	k, p := small()
	target, _ := banks.ParseTarget("sm90")
	l, err := k.Predict(1<<13, 1<<13, 1<<13, target)
	fmt.Println(l.Instructions, l.Stages[0].Bytes, err)
	l, _ = k.Predict(p.M, p.N, p.K, target)
	fmt.Println(l.Instructions == run(k, p).Ledger.Instructions)
	// Output:
	// 268435456 137438953472 <nil>
	// true
}

// Sums of integers must be exact; others may be off by what the card cuts off.
func ExampleKernel_CheckCard() {
	k, p := small()
	d := run(k, p).D
	d[9] = 16.5
	c, err := k.CheckCard(p, d, nil)
	fmt.Println(c.Fails, "wrong, the first at", c.FirstRow, c.FirstColumn, "is", c.Got, "and not", c.Want, err)
	// Output: 1 wrong, the first at 1 1 is 16.5 and not 16 <nil>
}

// The first row alone is compared.
func ExampleCardCheck() {
	k, p := small()
	c, err := k.CheckCard(p, run(k, p).D, func(row, _ int64) bool { return row == 0 })
	fmt.Println(c.Elements, "elements,", c.Exact, "of them exact,", c.Fails, "wrong,", err)
	// Output: 8 elements, 8 of them exact, 0 wrong, <nil>
}

// Rows of three elements of 4 bits, one every 2 bytes.
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

// The last two of an order go: here 2 and 3 of each group.
func ExamplePrune() {
	m, _ := atom.FindMMA("SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS")
	a := []float64{1, 2, 3, 4, 5, 6, 7}
	gemm.Prune(m, a, 7, func(int) []int { return []int{0, 1, 2, 3} })
	fmt.Println(a)
	// Output: [1 2 0 0 5 6 0]
}

// Two of four elements are left, and 4 bits say which ones.
func ExampleCompress() {
	m, _ := atom.FindMMA("SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS")
	held, metadata, err := gemm.Compress(m, []float64{0, 2, 0, 3, 5, 0, 0, 0}, 8)
	fmt.Printf("%v %08b %v\n", held, metadata, err)
	_, _, err = gemm.Compress(m, []float64{1, 2, 0, 3}, 4)
	fmt.Println(err.(*girih.Error).Code)
	// Output:
	// [2 3 5 0] [01001101] <nil>
	// not_representable
}
