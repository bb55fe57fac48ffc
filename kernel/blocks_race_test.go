package kernel_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
)

// TestRaceBetweenBlocks checks that a race between blocks is not said to lack a barrier: no barrier orders blocks.
func TestRaceBetweenBlocks(t *testing.T) {
	t.Parallel()
	one := kernel.Int(1)
	for i, do := range []func(k *kernel.K, a kernel.Tensor){
		func(k *kernel.K, a kernel.Tensor) { // each block writes what the other has read
			x := k.Load(a, k.ThreadIdx())
			k.Store(x.Add(k.Number(dtype.F32, 1)), a, k.ThreadIdx())
		},
		func(k *kernel.K, a kernel.Tensor) { // the second block reads what the first has written
			first := k.BlockIdx(0).Less(one)
			k.IfElse(first, func() { k.Store(k.Number(dtype.F32, 1), a, k.ThreadIdx()) }, func() {
				k.Store(k.Load(a, k.ThreadIdx()), a, k.ThreadIdx().Add(kernel.Int(64)))
			})
		},
		func(k *kernel.K, a kernel.Tensor) { // both write different numbers
			n := k.Number(dtype.F32, 1)
			k.IfElse(k.BlockIdx(0).Less(one), func() { k.Store(n, a, k.ThreadIdx()) }, func() {
				k.Store(n.Add(n), a, k.ThreadIdx())
			})
		},
	} {
		k, err := kernel.Trace("k", 64, func(k *kernel.K) {
			a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(128)))
			k.Grid(kernel.Int(2))
			do(k, a)
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": make([]float64, 128)}})
		f, ok := errors.AsType[*sim.Finding](err)
		if !ok || f.Kind != sim.KindRace || strings.Contains(f.Message, "a barrier between them is missing") ||
			!strings.Contains(f.Message, "blocks") {
			t.Errorf("%d: found %v", i, err)
		}
	}
}
