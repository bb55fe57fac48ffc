package kernel_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestMinimumBounds checks that loops that end at a minimum, and conditions of a maximum, prove both of its bounds.
func TestMinimumBounds(t *testing.T) {
	t.Parallel()
	zero := kernel.Int(0)
	for name, do := range map[string]func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index){
		"a minimum": func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index) {
			k.For(zero, n.Min(m), func(i kernel.Index) { k.Store(k.Load(a, i), b, i) })
		},
		"a minimum of three": func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index) {
			k.For(zero, n.Min(k.Int("x", extentTo(1<<10))).Min(m), func(i kernel.Index) { k.Store(k.Load(a, i), b, i) })
		},
		"a step to a minimum": func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index) {
			k.ForStep(k.ThreadIdx(), m.Min(n), kernel.Int(32), func(i kernel.Index) { k.Store(k.Load(a, i), b, i) })
		},
		"a minimum of sums": func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index) {
			from := k.BlockIdx(0).Mul(kernel.Int(64))
			k.For(from, from.Add(kernel.Int(64)).Min(n.Min(m)), func(i kernel.Index) { k.Store(k.Load(a, i), b, i) })
		},
		"a condition under a condition": func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index) {
			i := k.ThreadIdx()
			k.If(i.Less(n.Min(m)), func() { k.Store(k.Load(a, i), b, i) })
		},
		"from a maximum": func(k *kernel.K, a, b kernel.Tensor, n, m kernel.Index) {
			i := k.BlockIdx(0)
			k.If(i.Max(k.ThreadIdx()).Less(n.Min(m)), func() {
				k.Store(k.Load(a, i), b, i)
				k.Store(k.Load(a, k.ThreadIdx()), b, k.ThreadIdx())
			})
		},
	} {
		for _, order := range []bool{false, true} { // the bound of a may be the larger one or the smaller one
			_, err := kernel.Trace("k", 32, func(k *kernel.K) {
				n, m := k.Int("n", extentTo(1<<20)), k.Int("m", extentTo(1<<12))
				if order {
					n, m = m, n
				}
				k.Grid(m.CeilDiv(64))
				do(k, k.Global("a", dtype.F32, kernel.Modes(n)), k.Global("b", dtype.F32, kernel.Modes(m)), n, m)
			})
			if err != nil {
				t.Errorf("%s, %v: %v", name, order, err)
			}
		}
	}
	_, err := kernel.Trace("k", 32, func(k *kernel.K) {
		n, m := k.Int("n", extentTo(1<<20)), k.Int("m", extentTo(1<<12))
		a := k.Global("a", dtype.F32, kernel.Modes(n))
		k.For(zero, n.Max(m), func(i kernel.Index) { k.Store(k.Load(a, i), a, i) })
	})
	if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != cute.CodeMode {
		t.Errorf("a loop to a maximum: found %v", err)
	}
}

// TestOneThread checks which conditions ensure that one thread of a warp does what one thread does for all.
func TestOneThread(t *testing.T) {
	t.Parallel()
	one := kernel.Int(1)
	for name, tt := range map[string]struct {
		fine bool
		do   func(k *kernel.K, f func())
	}{
		"a thread of a warpgroup":  {true, func(k *kernel.K, f func()) { k.If(k.WarpgroupThreadIdx().Equal(kernel.Int(0)), f) }},
		"the last thread":          {true, func(k *kernel.K, f func()) { k.If(k.ThreadIdx().Equal(kernel.Int(255)), f) }},
		"at least the last thread": {true, func(k *kernel.K, f func()) { k.If(k.ThreadIdx().AtLeast(kernel.Int(255)), f) }},
		"a lane":                   {true, func(k *kernel.K, f func()) { k.If(k.ThreadIdx().Mod(32).Less(one), f) }},
		"a lane of two conditions": {true, func(k *kernel.K, f func()) {
			k.If(k.ThreadIdx().Less(kernel.Int(34)), func() { k.If(k.ThreadIdx().AtLeast(kernel.Int(33)), f) })
		}},
		"the other threads": {true, func(k *kernel.K, f func()) {
			k.IfElse(one.Less(k.ThreadIdx()), func() {}, func() { k.If(k.ThreadIdx().Mod(2).Equal(one), f) })
		}},
		"in a loop": {true, func(k *kernel.K, f func()) {
			k.For(one, k.Int("n", extent(1)), func(kernel.Index) { k.If(k.WarpgroupThreadIdx().Equal(one), f) })
		}},
		"an elected one of a warp": {true, func(k *kernel.K, f func()) { k.If(k.ElectOne().And(k.WarpIdx().Equal(one)), f) }},
		"two lanes":                {false, func(k *kernel.K, f func()) { k.If(k.WarpgroupThreadIdx().Less(kernel.Int(2)), f) }},
		"a warp":                   {false, func(k *kernel.K, f func()) { k.If(k.WarpIdx().Equal(one), f) }},
		"two lanes of a warp":      {false, func(k *kernel.K, f func()) { k.If(k.ThreadIdx().Mod(16).Equal(one), f) }},
		"the lanes not elected":    {false, func(k *kernel.K, f func()) { k.IfElse(k.ElectOne(), func() {}, f) }},
		"a number of run time":     {false, func(k *kernel.K, f func()) { k.If(k.ThreadIdx().Equal(k.Int("n", extent(1))), f) }},
		"all":                      {false, func(_ *kernel.K, f func()) { f() }},
	} {
		_, err := kernel.Trace("k", 256, func(k *kernel.K) {
			b := k.Barriers("b", 1).At(kernel.Int(0))
			tt.do(k, func() { b.Init(1) })
		})
		if e, ok := errors.AsType[*kernel.Error](err); (err == nil) != tt.fine || ok && e.Err.Code != cute.CodeMode {
			t.Errorf("%s: found %v", name, err)
		}
	}
}
