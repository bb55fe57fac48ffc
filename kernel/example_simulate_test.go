package kernel_test

import (
	"context"
	"errors"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
	"girih/symbolic"
)

// The message names both lines of the kernel.
func ExampleKernel_Simulate() {
	k, err := kernel.Trace("reverse", 64, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 64})
		x, s := k.Global("x", dtype.F16, kernel.Modes(n)), k.Shared("s", dtype.F16, cute.MustParse("64:1"))
		t := k.ThreadIdx()
		k.If(k.InBounds(x, t), func() { k.Store(k.Load(x, t), s, t) })
		// k.Sync() is missing here.
		k.If(k.InBounds(x, t), func() { k.Store(k.Load(s, n.Sub(t).Sub(kernel.Int(1))), x, t) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 40}, Tensors: map[string][]float64{"x": make([]float64, 40)},
	})
	if f, ok := errors.AsType[*sim.Finding](err); ok {
		fmt.Printf("%s at %s:\n%s\n", f.Kind, f.Source, f.Message)
	}
	// Output:
	// race at example_simulate_test.go:22:
	// writes address 0x440 of shared memory, which ld.shared.b16 at line 32 (example_simulate_test.go:24) has read for thread (7,0,0) of block (0,0,0), and nothing orders the two: a barrier between them is missing
}

func ExampleArgs() {
	k, err := kernel.Trace("twice", 32, func(k *kernel.K) {
		x, by, t := k.GlobalLayout("x", dtype.F16, cute.MustParse("32:1")), k.Scalar("by", dtype.F32), k.ThreadIdx()
		k.Store(k.Load(x, t).Convert(dtype.F32).Mul(by).Convert(dtype.F16), x, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 32)
	x[1] = 0.7 // not representable in f16
	_, err = k.Simulate(context.Background(), kernel.Args{
		Numbers: map[string]float64{"by": 2}, Tensors: map[string][]float64{"x": x},
	})
	fmt.Println(x[:2], err)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": x}})
	fmt.Println(err)
	// Output:
	// [0 1.400390625] <nil>
	// name: twice: there is no parameter for Tensors: y
}

func ExampleMust() {
	_, err := kernel.Trace("k", 32, func(*kernel.K) {
		kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F16_TN"))
	})
	fmt.Println(err)
	// Output:
	// example_simulate_test.go:65: name: mma: no MMA operation is called "SM80_16x8x16_F32F16F16F16_TN" (did you mean SM80_16x8x16_F16F16F16F16_TN or SM80_16x8x16_F32F16F16F32_TN?)
}

// A launch of 8192 blocks: all are alike but the last one, so two blocks say what it moves. Each thread also prefetches
// the numbers of the next block of this multiprocessor, by an instruction that has no method.
func ExampleKernel_PlanBlocks() {
	k, err := kernel.Trace("ahead", 128, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: 4})
		x := k.Global("x", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(128))
		i := k.BlockIdx(0).Mul(kernel.Int(128)).Add(k.ThreadIdx())
		k.If(k.InBounds(x, i), func() { k.Store(k.Load(x, i).Exp(), x, i) })
		next := i.Add(kernel.Int(132 * 128))
		k.If(k.InBounds(x, next), func() {
			k.PTX(kernel.PTX{Text: "prefetch.global.L2 [%0];", Memory: true}, k.Address(x, next))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := map[string]int64{"n": 1<<20 - 4}
	_, first, err := k.PlanBlocks(n, [][3]int64{{0, 0, 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, total, err := k.PlanBlocks(n, [][3]int64{{8191, 0, 0}})
	for range 8191 {
		total.Add(first)
	}
	fmt.Println(first.Sectors, total.Sectors, total.Sectors*32 >= 2*4*(1<<20-4), err)
	// Output: 32 262144 true <nil>
}
