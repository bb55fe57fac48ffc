package kernel_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// axpby returns a kernel of Axpby on rows whose ends are inside the last tile. Beta is a parameter, or one of the given
// constant.
func axpby(t *testing.T, beta func(k *kernel.K) kernel.Value) *kernel.Kernel {
	t.Helper()
	k, err := kernel.Trace("axpby", 32, func(k *kernel.K) {
		n := k.Int("n", extent(1))
		x := k.Global("x", dtype.F32, kernel.Modes(n))
		y := k.Global("y", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(128))
		own := func(t kernel.Tensor) kernel.Tensor {
			return k.LocalPartition(k.LocalTile(t, kernel.Shape(128), k.BlockIdx(0)), cute.MustParse("32:1"), k.ThreadIdx())
		}
		r := k.MakeFragmentLike(own(x), dtype.F32)
		k.CopyZfill(own(x), r)
		k.Axpby(k.Scalar("alpha", dtype.F32), r, beta(k), own(y))
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestAxpby checks that Axpby does not read y if beta is 0, with beta known during the trace and with beta known at the
// launch, and that Plan counts the sectors that a launch moves.
func TestAxpby(t *testing.T) {
	t.Parallel()
	const n = 300
	parameter := func(k *kernel.K) kernel.Value { return k.Scalar("beta", dtype.F32) }
	number := func(x float64) func(k *kernel.K) kernel.Value {
		return func(k *kernel.K) kernel.Value { return k.Number(dtype.F32, x) }
	}
	for _, tt := range []struct {
		name  string
		beta  func(k *kernel.K) kernel.Value
		value float64
		y     float64 // the first content of y
	}{
		{"parameter 0", parameter, 0, math.NaN()},
		{"parameter 2", parameter, 2, 3},
		{"parameter -0", parameter, math.Copysign(0, -1), math.NaN()},
		{"constant 0", number(0), 0, math.NaN()},
		{"constant 1", number(1), 1, 3},
		{"constant 2", number(2), 2, 3},
		{"constant of bits 1", func(k *kernel.K) kernel.Value {
			return k.Number(dtype.U32, 1).Bitcast(dtype.F32)
		}, math.SmallestNonzeroFloat32, 3},
	} {
		k := axpby(t, tt.beta)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(i), tt.y
		}
		args := kernel.Args{
			Ints: map[string]int64{"n": n}, Numbers: map[string]float64{"alpha": 5},
			Tensors: map[string][]float64{"x": x, "y": y},
		}
		values := map[string]int64{"n": n}
		if strings.HasPrefix(tt.name, "parameter") {
			args.Numbers["beta"], values["beta"] = tt.value, int64(tt.value)
		}
		r, err := k.Simulate(context.Background(), args)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for i := range y {
			want := 5 * x[i]
			if tt.value != 0 {
				want += tt.value * tt.y
			}
			if y[i] != want {
				t.Errorf("%s: element %d is %v, expected %v", tt.name, i, y[i], want)
				break
			}
		}
		_, cost, err := k.Plan(values)
		if err != nil || cost.Sectors != r.Traffic.Sectors || cost.Unknown > 0 {
			t.Errorf("%s: the plan has %d sectors, %d unknown, and the launch has %d: %v", tt.name, cost.Sectors, cost.Unknown,
				r.Traffic.Sectors, err)
		}
		want := int64(3 * 38)
		if tt.value == 0 {
			want = 2 * 38
		}
		if cost.Sectors != want {
			t.Errorf("%s: %d sectors, expected %d", tt.name, cost.Sectors, want)
		}
	}
}
