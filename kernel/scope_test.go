package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestConstantsOfBodies checks that numbers and conditions that a body made, but that are constants, are refused after
// it: the counter of one iteration, i mod 1, and what the conditions around decide.
func TestConstantsOfBodies(t *testing.T) {
	t.Parallel()
	zero, one, two := kernel.Int(0), kernel.Int(1), kernel.Int(2)
	type index = kernel.Index
	for _, tt := range []struct {
		name, text string
		do         func(k *kernel.K, x kernel.Tensor, n index)
	}{
		{"a counter of one iteration", "For at", func(k *kernel.K, x kernel.Tensor, n index) {
			j := zero
			k.If(n.Less(two), func() { k.For(one, two, func(i index) { j = i }) })
			k.Load(x, j)
		}},
		{"a counter of one step", "ForStep at", func(k *kernel.K, x kernel.Tensor, _ index) {
			j := zero
			k.ForStep(one, two, kernel.Int(3), func(i index) { j = i })
			j.Add(one)
		}},
		{"a remainder", "For at", func(k *kernel.K, _ kernel.Tensor, n index) {
			j := zero
			k.For(zero, n, func(i index) { j = i.Add(one).Mod(1) })
			k.For(j, n, func(index) {})
		}},
		{"a value of a counter", "For at", func(k *kernel.K, _ kernel.Tensor, _ index) {
			var j index
			k.For(one, two, func(i index) { j = i })
			j.Value(dtype.F32)
		}},
		{"a condition that always holds", "For at", func(k *kernel.K, _ kernel.Tensor, n index) {
			c := n.Less(two)
			k.For(zero, kernel.Int(8), func(i index) { c = i.Less(kernel.Int(9)).And(n.Less(two)) })
			k.If(c, func() {})
		}},
		{"a negated condition", "For at", func(k *kernel.K, _ kernel.Tensor, n index) {
			var c kernel.Cond
			k.For(zero, kernel.Int(8), func(i index) { c = i.Less(kernel.Int(9)).Not() })
			k.If(c.Or(n.Less(two)), func() {})
		}},
		{"a condition that the code around decides", "If at", func(k *kernel.K, _ kernel.Tensor, n index) {
			var c kernel.Cond
			k.If(n.Less(two), func() { c = n.Less(kernel.Int(3)) })
			k.If(c, func() {})
		}},
		{"a minimum that the code around decides", "If at", func(k *kernel.K, x kernel.Tensor, n index) {
			var j index
			k.If(n.Less(two), func() { j = n.Min(two) })
			k.Load(x, j)
		}},
		{"a slice", "For at", func(k *kernel.K, x kernel.Tensor, _ index) {
			k.For(one, two, func(i index) { x = k.LocalTile(x, kernel.Shape(2), i) })
			k.Load(x, one)
		}},
		{"a view", "For at", func(k *kernel.K, x kernel.Tensor, _ index) {
			k.For(one, two, func(i index) { x = k.View(x, i, cute.MustParse("2:1")) })
			k.Load(x, one)
		}},
		{"a partition", "For at", func(k *kernel.K, x kernel.Tensor, _ index) {
			k.For(one, two, func(i index) { x = k.LocalPartition(x, cute.MustParse("2:1"), i) })
			k.Load(x, one)
		}},
		{"bounds", "For at", func(k *kernel.K, x kernel.Tensor, _ index) {
			var c kernel.Cond
			k.For(one, two, func(i index) { c = k.InBounds(x, i) })
			k.If(c, func() {})
		}},
		{"a thread of an MMA", "For at", func(k *kernel.K, _ kernel.Tensor, _ index) {
			op := kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN"))
			tiled := kernel.Must(atom.MakeTiledMMA(op, cute.Layout{}, nil))
			var thr kernel.ThrMMA
			k.For(one, two, func(i index) { thr = k.ThrMMA(tiled, i) })
			thr.PartitionA(k.GlobalLayout("A", dtype.F16, cute.MustParse("(16,16):(16,1)")))
		}},
		{"a barrier", "For at", func(k *kernel.K, _ kernel.Tensor, _ index) {
			all, b := k.Barriers("b", 2), kernel.Barrier{}
			k.For(one, two, func(i index) { b = all.At(i) })
			b.Arrive()
		}},
	} {
		_, err := kernel.Trace("k", 128, func(k *kernel.K) {
			tt.do(k, k.GlobalLayout("x", dtype.F32, cute.MustParse("16:1")), k.Int("n", extentTo(4)))
		})
		if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != cute.CodeMode ||
			!strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: expected %s and %q, found %v", tt.name, cute.CodeMode, tt.text, err)
		}
	}
}

// TestNumbersOfTheKernel checks that numbers which a body makes of numbers from outside are known after it.
func TestNumbersOfTheKernel(t *testing.T) {
	t.Parallel()
	_, err := kernel.Trace("k", 32, func(k *kernel.K) {
		x, n := k.GlobalLayout("x", dtype.F32, cute.MustParse("16:1")), k.Int("n", extentTo(4))
		j, c, y := kernel.Int(0), kernel.Cond{}, x
		k.For(kernel.Int(0), kernel.Int(1), func(kernel.Index) {
			j, c = n.Add(n).Mod(2), n.Less(kernel.Int(7))
			y = k.LocalTile(x, kernel.Shape(2), j)
		})
		k.If(c, func() { k.Load(y, j) })
	})
	if err != nil {
		t.Error(err)
	}
}
