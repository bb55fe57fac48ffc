package kernel_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestConstantStates checks which pipelines with constant states in loops are refused, and that no others are.
func TestConstantStates(t *testing.T) {
	t.Parallel()
	zero, one := kernel.Int(0), kernel.Int(1)
	for _, tt := range []struct {
		name string
		fine bool
		do   func(k *kernel.K, n kernel.Index, fill, use func(i kernel.Index))
	}{
		{"a constant state of the producer", false, func(k *kernel.K, n kernel.Index, fill, _ func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) { fill(zero) })
		}},
		{"a constant state of the consumer", false, func(k *kernel.K, n kernel.Index, _, use func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) { use(one) })
		}},
		{"once around", false, func(k *kernel.K, n kernel.Index, fill, _ func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) {
				for j := range int64(2) {
					fill(kernel.Int(j))
				}
			})
		}},
		{"under the condition of a role", false, func(k *kernel.K, n kernel.Index, _, use func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) {
				k.If(k.WarpIdx().Equal(one), func() { use(zero) })
			})
		}},
		{"twice around", true, func(k *kernel.K, n kernel.Index, fill, use func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) {
				for j := range int64(4) {
					fill(kernel.Int(j))
					use(kernel.Int(j))
				}
			})
		}},
		{"the counter", true, func(k *kernel.K, n kernel.Index, fill, use func(i kernel.Index)) {
			k.For(zero, n, func(i kernel.Index) { fill(i); use(i) })
		}},
		{"in the first iteration", true, func(k *kernel.K, n kernel.Index, fill, use func(i kernel.Index)) {
			k.For(zero, n, func(i kernel.Index) { k.If(i.Equal(zero), func() { fill(zero); use(zero) }) })
		}},
		{"a loop of one iteration", true, func(k *kernel.K, n kernel.Index, fill, use func(i kernel.Index)) {
			k.For(n, n.Add(one), func(kernel.Index) { fill(zero); use(zero) })
		}},
		{"some constant, others not", true, func(k *kernel.K, n kernel.Index, fill, _ func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) {
				fill(zero)
				k.For(one, kernel.Int(4), func(j kernel.Index) { fill(j) })
			})
		}},
		{"a restart in an outer loop", true, func(k *kernel.K, n kernel.Index, fill, _ func(i kernel.Index)) {
			k.For(zero, n, func(kernel.Index) { k.For(zero, kernel.Int(4), func(j kernel.Index) { fill(j) }) })
		}},
		{"a condition on data", true, func(k *kernel.K, n kernel.Index, fill, _ func(i kernel.Index)) {
			k.For(zero, n, func(i kernel.Index) {
				v := i.Value(dtype.S32)
				k.If(v.Equal(k.Number(dtype.S32, 0)), func() { fill(zero) })
			})
		}},
		{"a tile that is loaded once", true, func(k *kernel.K, n kernel.Index, fill, _ func(i kernel.Index)) {
			fill(zero)
			pipe := k.PipelineTmaAsync("once", kernel.PipelineParams{Stages: 1, Bytes: 512, Consumers: 128})
			k.For(zero, n, func(kernel.Index) { pipe.ConsumerWait(pipe.ConsumerState(zero)) })
		}},
	} {
		_, err := kernel.Trace("k", 128, func(k *kernel.K) {
			n := k.Int("n", extent(1))
			x := k.GlobalLayout("x", dtype.F32, cute.MustParse("128:1"))
			s := k.Shared("s", dtype.F32, cute.MustParse("(128,2):(1,128)"))
			pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 512, Consumers: 128})
			k.Sync()
			tt.do(k, n, func(i kernel.Index) {
				k.If(k.ThreadIdx().Equal(zero), func() {
					state := pipe.ProducerState(i)
					pipe.ProducerAcquire(state)
					k.CopyBulk(pipe.ProducerGetBarrier(state), x, k.Slice(s, kernel.Open, state.Index()))
					pipe.ProducerCommit(state)
				})
			}, func(i kernel.Index) {
				pipe.ConsumerWait(pipe.ConsumerState(i))
				pipe.ConsumerRelease(pipe.ConsumerState(i))
			})
		})
		e, ok := errors.AsType[*kernel.Error](err)
		if (err == nil) != tt.fine || !tt.fine && (!ok || e.Err.Code != cute.CodeMode) {
			t.Errorf("%s: found %v", tt.name, err)
		}
	}
}
