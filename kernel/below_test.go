package kernel_test

import (
	"context"
	"errors"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestBelowZero checks that a coordinate that may be less than 0 is refused, and that conditions and predicated copies
// leave elements before a tensor alone: b[i] = a[i-10].
func TestBelowZero(t *testing.T) {
	t.Parallel()
	const n, lag = 25, 10
	one := kernel.Shape(1)
	for name, x := range map[string]struct {
		body    func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index)
		refused bool
	}{
		"no condition": {func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index) {
			k.If(k.InBounds(b, i), func() { k.Store(k.Load(a, before), b, i) })
		}, true},
		"the end less a number": {func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index) {
			k.If(k.InBounds(b, i), func() { k.Store(k.Load(a, b.Extent(0).Sub(kernel.Int(lag))), b, i) })
		}, true},
		"Copy": {func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index) {
			k.If(k.InBounds(b, i), func() { k.Copy(k.LocalTile(a, one, before), k.LocalTile(b, one, i)) })
		}, true},
		"InBounds": {func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index) {
			k.If(k.InBounds(b, i).And(k.InBounds(a, before)), func() { k.Store(k.Load(a, before), b, i) })
		}, false},
		"Less": {func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index) {
			k.If(k.InBounds(b, i).And(kernel.Int(lag-1).Less(i)), func() { k.Store(k.Load(a, before), b, i) })
		}, false},
		"CopyIf": {func(k *kernel.K, a, b kernel.Tensor, i, before kernel.Index) {
			k.CopyIf(k.LocalTile(a, one, before), k.LocalTile(b, one, i))
		}, false},
	} {
		made, err := kernel.Trace("k", 32, func(k *kernel.K) {
			e := k.Int("n", extentTo(1<<20))
			k.Grid(kernel.Int(1))
			i := k.ThreadIdx()
			a, b := k.Global("a", dtype.F32, kernel.Modes(e)), k.Global("b", dtype.F32, kernel.Modes(e))
			x.body(k, a, b, i, i.Sub(kernel.Int(lag)))
		})
		var refused *cute.Error
		if x.refused {
			if !errors.As(err, &refused) || refused.Code != cute.CodeMode {
				t.Errorf("%s: expected %s, found %v", name, cute.CodeMode, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(i+1), -1
		}
		if _, err := made.Simulate(context.Background(), kernel.Args{
			Tensors: map[string][]float64{"a": a, "b": b}, Ints: map[string]int64{"n": n},
		}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range b {
			want := -1.
			if i >= lag {
				want = float64(i - lag + 1)
			}
			if b[i] != want {
				t.Errorf("%s: b[%d] is %v, expected %v", name, i, b[i], want)
			}
		}
	}
}

// TestStoreEnds checks that the TMA stores only to rows that end at multiples of 16 bytes: it writes all 16.
func TestStoreEnds(t *testing.T) {
	t.Parallel()
	for div, fine := range map[int64]bool{1: false, 2: false, 4: true} {
		_, err := kernel.Trace("k", 32, func(k *kernel.K) {
			facts := extentTo(1 << 20)
			facts.Div = div
			n, ld := k.Int("n", facts), k.Int("ld", symbolic.Facts{Min: 16, Max: 1 << 20, Div: 4})
			x := k.TmaTensor("x", dtype.F32, kernel.Modes(kernel.Int(8), n), ld, kernel.Int(1))
			s := k.Shared("s", dtype.F32, cute.MustParse("(8,8):(8,1)"))
			tma := k.MakeTmaAtom(x, s, kernel.Shape(8, 8), 1)
			tile := k.LocalTile(x, kernel.Shape(8, 8), kernel.Int(0), kernel.Int(0))
			global, shared := k.TmaPartition(tma, kernel.Int(0), s, tile)
			k.Fill(s, 0)
			k.TmaStoreFence()
			k.Sync()
			k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() { k.CopyTma(tma, shared, global) })
		})
		var e *cute.Error
		if fine != (err == nil) || !fine && (!errors.As(err, &e) || e.Code != cute.CodeNotDivisible) {
			t.Errorf("an extent that %d divides: found %v", div, err)
		}
	}
}
