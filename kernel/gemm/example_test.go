package gemm_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/kernel/gemm"
)

// The plan of a product says what is done and why.
func Example() {
	card := kernel.Must(gemm.FindCard("NVIDIA H200"))
	p := kernel.Must(gemm.New(gemm.Problem{M: 16, N: 8192, K: 8192, In: dtype.F16}, card, gemm.Options{}))
	d := p.Describe()
	for _, r := range d.Reasons[:2] {
		fmt.Printf("%s %s: %s\n", r.What, r.Value, r.Why)
	}
	fmt.Println("bound by", d.Prediction.Bound)
	// Output:
	// operands exchanged: an instruction has 64 rows and any 8 columns: the 16 rows of A become columns; the kernel's A is B, and its B is A
	// instruction wgmma 64x16x16: A K-major, B K-major in shared memory as in memory, swizzled: no conflicts
	// bound by memory
}

// D = max(A·B + bias, 0), in the simulator.
func ExamplePlan() {
	relu := gemm.Epilogue{
		Inputs: []gemm.Input{{Name: "bias", Type: dtype.F32, Modes: "n"}},
		Make: func(k *kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
			return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
				return acc.Add(in["bias"]).Max(k.Number(dtype.F32, 0))
			}
		},
	}
	p := kernel.Must(gemm.New(gemm.Problem{
		M: 2, N: 3, K: 8, In: dtype.BF16, Out: dtype.F32, Epilogue: relu,
	}, gemm.Cards()[0], gemm.Options{}))
	k := kernel.Must(p.Kernel())
	a, b, d := make([]float64, 16), make([]float64, 24), make([]float64, 6)
	for i := range a {
		a[i] = float64(i % 3)
	}
	for i := range b {
		b[i] = float64(i%2 - i%5)
	}
	first, second := p.Operands()
	sides := map[string][]float64{"A": a, "B": b}
	args := kernel.Args{Ints: p.Args(), Tensors: map[string][]float64{
		"A": sides[first], "B": sides[second], "D": d, "bias": {1, 20, 300},
	}}
	if n := p.Workspace(); n > 0 {
		args.Tensors["W"] = make([]float64, n)
	}
	_, err := k.Simulate(context.Background(), args)
	fmt.Println(d, err)
	// Output:
	// [0 12 291 0 4 285] <nil>
}

// Layouts say which modes are contiguous, and the leading dimensions.
func ExampleProblem() {
	p := kernel.Must(gemm.New(gemm.Problem{
		M: 100, N: 200, K: 300, In: dtype.F16, Out: dtype.F32, A: cute.MustParse("(100,300):(1,104)"),
	}, gemm.Cards()[0], gemm.Options{Instruction: "wgmma"}))
	d := p.Describe()
	fmt.Println(d.A, d.B, d.D)
	for _, c := range p.Realign() {
		fmt.Printf("%s: %v to %v, %d bytes\n", c.Name, c.Src, c.Dst, c.Bytes)
	}
	// Output:
	// (100,300):(1,104) (200,300):(300,1) (100,200):(200,1)
	// B: (200,300):(300,1) to (200,300):(304,1), 121600 bytes
}

// The copy of an operand whose rows the TMA cannot read has its reason.
func ExampleRealign() {
	p := kernel.Must(gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4095, In: dtype.F16}, gemm.Cards()[0], gemm.Options{}))
	for _, c := range p.Realign() {
		fmt.Println(c.Name, c.Why)
	}
	// Output:
	// A a row of 4095 elements has 8190 bytes
	// B a row of 4095 elements has 8190 bytes
}

// Options override the planner.
func ExampleOptions() {
	p := kernel.Must(gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4096, In: dtype.F16}, gemm.Cards()[0], gemm.Options{
		Tile: [3]int64{128, 256, 64}, Cluster: 2, Roles: "cooperative",
	}))
	var c gemm.Choice = p.Choice()
	fmt.Println(c.MMA, c.Stages, c.Cluster, c.Blocks)
	// Output: SM90_64x256x16_F32F16F16_SS<K,K> 4 2 132
}

// A search on the card times the configurations after the planner's choice, too.
func ExamplePlan_Next() {
	p := kernel.Must(gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4096, In: dtype.F16}, gemm.Cards()[0], gemm.Options{}))
	last := p.Describe().Prediction.Seconds
	slower := 0
	for _, q := range p.Next(20) {
		if next := q.Describe().Prediction.Seconds; next >= last {
			last, slower = next, slower+1
		}
	}
	fmt.Println(slower)
	// Output: 20
}

// The function of an epilogue sees the sum after alpha and beta·C.
func ExampleEpilogue() {
	_, err := gemm.New(gemm.Problem{M: 64, N: 64, K: 64, In: dtype.F16, Epilogue: gemm.Epilogue{
		Scaled: true, Add: dtype.F16, Inputs: []gemm.Input{{Name: "alpha", Type: dtype.F32, Modes: "m"}},
	}}, gemm.Cards()[0], gemm.Options{})
	fmt.Println(err)
	// Output: name: gemm: expected inputs with names of their own, found "alpha"
}

// The expected time comes with the plan.
func ExampleNew() {
	p, err := gemm.New(gemm.Problem{M: 1024, N: 1024, K: 1024, In: dtype.F16}, gemm.Cards()[0], gemm.Options{})
	fmt.Println(p.Describe().Prediction.Memory, err)
	// Output: 6.291456e+06 <nil>
}

// A card that is not in the table is described by its numbers.
func ExampleCard() {
	card := gemm.Cards()[0]
	card.Name, card.SMs = "half", 66
	p := kernel.Must(gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4096, In: dtype.F16}, card, gemm.Options{Cluster: 1}))
	fmt.Println(p.Describe().Card.Name, p.Choice().Blocks)
	// Output: half 66
}

// The cards of the table are found by a part of their names.
func ExampleFindCard() {
	_, err := gemm.FindCard("GTX 1080")
	fmt.Println(err)
	// Output: name: gemm: expected one of the cards h200, h100, a100, a10, rtx3090, rtx4090, l40s, l4, found "GTX 1080"
}

// A card without wgmma has a kernel with cp.async and mma.sync.
func ExampleCards() {
	for _, c := range gemm.Cards()[2:4] {
		p := kernel.Must(gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4096, In: dtype.F16}, c, gemm.Options{}))
		fmt.Println(c.Name, c.Arch, p.Choice().MMA, p.Choice().Loads)
	}
	// Output:
	// a100 sm_80 SM80_16x8x16_F32F16F16F32_TN [16 16]
	// a10 sm_86 SM80_16x8x16_F32F16F16F32_TN [16 16]
}

// Factors of rows and of blocks are tensors SA and SB of the kernel, and A and B may have two types of 8-bit floats.
func ExampleScale() {
	p := kernel.Must(gemm.New(gemm.Problem{
		M: 512, N: 512, K: 1024, L: 4, In: dtype.E4M3, InB: dtype.E5M2, Scale: gemm.ScaleBlocks,
	}, gemm.Cards()[0], gemm.Options{}))
	d := p.Describe()
	fmt.Println(d.In, d.InB, d.Out, d.Scale, d.A)
	for _, r := range d.Reasons[1:3] {
		fmt.Printf("%s %s: %s\n", r.What, r.Value, r.Why)
	}
	fmt.Println(p.Args()["ldSA"], p.Args()["ldSB"])
	// Output:
	// e4m3 e5m2 bf16 blocks (512,1024,4):(1024,1,524288)
	// products 4: the blocks take the tiles of all products in turn
	// sums of 128 columns: each block of columns has factors, by which its sums are multiplied; they are added in registers
	// 512 8
}
