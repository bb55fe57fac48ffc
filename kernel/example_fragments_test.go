package kernel_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
)

// copied returns a kernel of one warp that copies 32 pairs of floats through registers.
func copied() *kernel.Kernel {
	k, err := kernel.Trace("copied", 32, func(k *kernel.K) {
		pairs := cute.MustParse("(32,2):(2,1)")
		x, y := k.GlobalLayout("x", dtype.F32, pairs), k.GlobalLayout("y", dtype.F32, pairs)
		mine := k.Slice(x, k.ThreadIdx(), kernel.Open)
		r := k.Name("rX", k.MakeFragmentLike(mine, dtype.F32))
		k.Copy(mine, r)
		k.Copy(r, k.Slice(y, k.ThreadIdx(), kernel.Open))
	})
	if err != nil {
		panic(err)
	}
	return k
}

func ExampleKernel_Fragments() {
	for _, f := range copied().Fragments() {
		fmt.Println(f.Name, f.Type, f.Layout, len(f.Registers))
	}
	// Output: rX f32 (2):(1) 2
}

func ExampleKernel_SimulateAs() {
	rec := &sim.Recording{Pieces: 1000}
	x, y := make([]float64, 64), make([]float64, 64)
	_, err := copied().SimulateAs(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}},
		sim.Launch{Record: rec})
	fmt.Println(len(rec.Moves), "moves", err)
	// Output: 2 moves <nil>
}
