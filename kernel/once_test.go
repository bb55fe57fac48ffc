package kernel_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestSharedRegisters checks that elements of a fragment that share a register, under a stride of 0, are set once, and
// that different numbers for them are refused.
func TestSharedRegisters(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		do   func(k *kernel.K, rows, r kernel.Tensor) // rows has the numbers 1 to 4 in each of four rows, r has ones
		want []float64                                // a row afterwards; nil for a refusal
	}{
		"Transform": {func(k *kernel.K, rows, _ kernel.Tensor) {
			k.Transform(rows, rows, func(v kernel.Value) kernel.Value { return v.Add(v) })
		}, []float64{2, 4, 6, 8}},
		"Transform2 of the same": {func(k *kernel.K, rows, _ kernel.Tensor) {
			k.Transform2(rows, rows, rows, kernel.Value.Mul)
		}, []float64{1, 4, 9, 16}},
		"Axpby of the same": {func(k *kernel.K, rows, _ kernel.Tensor) {
			k.Axpby(k.Number(dtype.F32, 1), rows, k.Number(dtype.F32, 2), rows)
		}, []float64{3, 6, 9, 12}},
		"Convert": {func(k *kernel.K, rows, _ kernel.Tensor) {
			h := k.MakeFragmentLike(rows, dtype.F16)
			k.Convert(rows, h)
			k.Convert(h, rows)
		}, []float64{1, 2, 3, 4}},
		"Fill":       {func(k *kernel.K, rows, _ kernel.Tensor) { k.Fill(rows, 5) }, []float64{5, 5, 5, 5}},
		"Transform2": {func(k *kernel.K, rows, r kernel.Tensor) { k.Transform2(rows, r, rows, kernel.Value.Add) }, nil},
		"Axpby": {func(k *kernel.K, rows, r kernel.Tensor) {
			k.Axpby(k.Number(dtype.F32, 1), r, k.Number(dtype.F32, 1), rows)
		}, nil},
		"Copy": {func(k *kernel.K, rows, r kernel.Tensor) { k.Copy(r, rows) }, nil},
		"Gemm": {func(k *kernel.K, rows, r kernel.Tensor) { k.Gemm(r, r, rows) }, nil},
		"overlap": {func(k *kernel.K, _, r kernel.Tensor) {
			k.Copy(r, k.View(r, kernel.Int(0), cute.MustParse("(4,4):(1,2)")))
		}, nil},
	} {
		made, err := kernel.Trace("k", 32, func(k *kernel.K) {
			k.Grid(kernel.Int(1))
			numbers := k.GlobalLayout("x", dtype.F32, cute.MustParse("4:1"))
			from := k.View(numbers, kernel.Int(0), cute.MustParse("(4,4):(0,1)"))
			y := k.GlobalLayout("y", dtype.F32, cute.MustParse("(4,4,32):(4,1,16)"))
			rows, r := k.MakeFragmentLike(from, dtype.F32), k.MakeFragment(dtype.F32, cute.MustParse("(4,4):(4,1)"))
			k.Copy(from, rows)
			k.Fill(r, 1)
			x.do(k, rows, r)
			k.Copy(rows, k.Slice(y, kernel.Open, kernel.Open, k.ThreadIdx()))
		})
		if e, ok := errors.AsType[*kernel.Error](err); x.want == nil && (!ok || e.Err.Code != cute.CodeNotInjective) {
			t.Errorf("%s: expected %s, found %v", name, cute.CodeNotInjective, err)
		}
		if x.want == nil {
			continue
		}
		y := make([]float64, 512)
		if err == nil {
			args := kernel.Args{Tensors: map[string][]float64{"x": {1, 2, 3, 4}, "y": y}}
			_, err = made.Simulate(context.Background(), args)
		}
		if err != nil || !slices.Equal(y, slices.Repeat(x.want, 128)) {
			t.Errorf("%s: expected %v, found %v, %v", name, x.want, y[:16], err)
		}
	}
}

// TestFragmentOrder checks that a fragment like a part of a tensor has its modes in the order of the tensor's strides,
// the run-time ones last, so that a thread loads neighbours at once.
func TestFragmentOrder(t *testing.T) {
	t.Parallel()
	_, err := kernel.Trace("k", 32, func(k *kernel.K) {
		n, one, zero := k.Int("n", extentTo(1<<20)), kernel.Int(1), kernel.Int(0)
		for i, x := range []struct {
			strides []kernel.Index
			tile    []int64
			want    string
		}{
			{[]kernel.Index{n, one}, kernel.Shape(4, 8), "(4,8):(8,1)"},
			{[]kernel.Index{one, n}, kernel.Shape(4, 8), "(4,8):(1,4)"},
			{[]kernel.Index{n, n}, kernel.Shape(4, 8), "(4,8):(1,4)"},
			{[]kernel.Index{n, kernel.Int(64), one}, kernel.Shape(2, 4, 8), "(2,4,8):(32,8,1)"},
			{[]kernel.Index{zero, one}, kernel.Shape(4, 8), "(4,8):(1,4)"}, // with a register for each
		} {
			extents := []kernel.Index{n, n, n}[:len(x.strides)]
			at := []kernel.Index{zero, zero, zero}[:len(x.strides)]
			tile := k.LocalTile(k.Global(string(rune('a'+i)), dtype.F16, extents, x.strides...), x.tile, at...)
			if got := k.MakeFragmentLike(tile, dtype.F16).Layout().String(); got != x.want {
				t.Errorf("strides %v: expected %s, found %s", x.strides, x.want, got)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
