package kernel_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestMath computes functions of one or two f32 in the simulator, and compares with Go.
func TestMath(t *testing.T) {
	t.Parallel()
	type value = kernel.Value
	through := func(t dtype.Type) func(k *kernel.K, x, y value) value {
		return func(_ *kernel.K, x, _ value) value { return x.Convert(t).Convert(dtype.F32) }
	}
	rounded := func(t dtype.Type) func(x, y float64) float64 {
		return func(x, _ float64) float64 {
			code, err := t.Encode(x)
			if err != nil {
				return math.NaN()
			}
			y, _ := t.Decode(code)
			return y
		}
	}
	truncated := func(x, _ float64) float64 { return math.Trunc(x) }
	for _, tt := range []struct {
		name string
		in   func(k *kernel.K, x, y value) value
		want func(x, y float64) float64
		off  float64 // relative error
	}{
		{"rcp", func(_ *kernel.K, x, _ value) value { return x.Rcp() }, func(x, _ float64) float64 { return 1 / x }, 0x1p-24},
		{"sqrt", func(_ *kernel.K, x, _ value) value { return x.Mul(x).Sqrt() }, func(x, _ float64) float64 { return math.Abs(x) }, 0x1p-23},
		{"exp2", func(_ *kernel.K, x, _ value) value { return x.Exp2() }, func(x, _ float64) float64 { return math.Exp2(x) }, 0x1p-22},
		{"exp", func(_ *kernel.K, x, _ value) value { return x.Exp() }, func(x, _ float64) float64 { return math.Exp(x) }, 0x1p-18},
		{"log", func(_ *kernel.K, x, _ value) value { return x.Exp().Log() }, func(x, _ float64) float64 { return x }, 0x1p-16},
		{"neg", func(_ *kernel.K, x, _ value) value { return x.Neg() }, func(x, _ float64) float64 { return -x }, 0},
		{"div", func(_ *kernel.K, x, y value) value { return x.Div(y) }, func(x, y float64) float64 { return x / y }, 0x1p-24},
		{"less", func(k *kernel.K, x, y value) value { return k.Select(x.Less(y), x, y) }, math.Min, 0},
		{"both", func(k *kernel.K, x, y value) value {
			return k.Select(x.Less(y).And(y.Less(k.Number(dtype.F32, 2))), y, x)
		}, func(x, y float64) float64 {
			if x < y && y < 2 {
				return y
			}
			return x
		}, 0},
		{"equal", func(k *kernel.K, x, y value) value { return k.Select(x.Equal(y), y, x) }, func(x, _ float64) float64 { return x }, 0},
		{"f16", through(dtype.F16), rounded(dtype.F16), 0},
		{"bf16", through(dtype.BF16), rounded(dtype.BF16), 0},
		{"f64", through(dtype.F64), rounded(dtype.F32), 0},
		{"s32", through(dtype.S32), truncated, 0},
		{"s64", through(dtype.S64), truncated, 0},
		{"s8", through(dtype.S8), truncated, 0},
		{"f16 of f64", func(_ *kernel.K, x, _ value) value {
			return x.Convert(dtype.F64).Convert(dtype.F16).Convert(dtype.S16).Convert(dtype.F32)
		}, func(x, y float64) float64 { return math.Trunc(rounded(dtype.F16)(x, y)) }, 0},
		{"the lane 3 further", func(k *kernel.K, x, _ value) value { return k.ShflXor(x.Convert(dtype.F64), 3).Convert(dtype.F32) }, nil, 3},
		{"lane 5", func(k *kernel.K, x, _ value) value { return k.Shfl(x, kernel.Int(5)) }, nil, 5},
		{"sum", func(k *kernel.K, x, _ value) value { return k.WarpReduction(x, value.Add, 32) }, nil, 32},
		{"max", func(k *kernel.K, x, _ value) value { return k.WarpReduction(x, value.Max, 8) }, nil, 8},
	} {
		k, err := kernel.Trace("f", 64, func(k *kernel.K) {
			layout := parse("64:1")
			a, b := k.GlobalLayout("a", dtype.F32, layout), k.GlobalLayout("b", dtype.F32, layout)
			c := k.GlobalLayout("c", dtype.F32, layout)
			k.Store(tt.in(k, k.Load(a, k.ThreadIdx()), k.Load(b, k.ThreadIdx())), c, k.ThreadIdx())
		})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		r := rand.New(rand.NewPCG(8, 9))
		a, b, c := make([]float32, 64), make([]float32, 64), make([]float32, 64)
		for i := range a {
			a[i], b[i] = float32(3*r.NormFloat64()), float32(r.NormFloat64())
		}
		runOne(t, k, []any{a, b, c})
		for i := range a {
			if want := tt.want; want != nil {
				if y := want(float64(a[i]), float64(b[i])); math.Abs(float64(c[i])-y) > tt.off*math.Abs(y) || math.IsNaN(y) {
					t.Errorf("%s of %v and %v is %v, want %v", tt.name, a[i], b[i], c[i], y)
				}
				continue
			}
			warp, lane := i/32*32, i%32
			got, want := c[i], float32(0)
			switch tt.name {
			case "lane 5":
				want = a[warp+5]
			case "the lane 3 further":
				want = a[warp+lane^3]
			case "sum":
				for _, x := range a[warp:][:32] {
					want += x
				}
				got = float32(math.Round(float64(got) * 1e4))
				want = float32(math.Round(float64(want) * 1e4))
			case "max":
				want = a[warp+lane/8*8]
				for _, x := range a[warp+lane/8*8:][:8] {
					want = max(want, x)
				}
			}
			if got != want {
				t.Errorf("%s: lane %d has %v, want %v", tt.name, i, got, want)
			}
		}
	}
}

// TestLoadedValues checks that values loaded from a fragment keep their numbers after a store to the fragment.
func TestLoadedValues(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{dtype.F16, dtype.F32, dtype.F64} {
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			c, r, first := k.GlobalLayout("c", dtype.F32, parse("32:1")), k.MakeFragment(typ, parse("2:1")), kernel.Int(0)
			k.Fill(r, 1)
			x := k.Load(r, first)
			k.Store(k.Number(typ, 2), r, first)
			k.Store(x.Convert(dtype.F32).Sub(k.Load(r, first).Convert(dtype.F32)), c, k.ThreadIdx())
		})
		if err != nil {
			t.Fatal(err)
		}
		c := make([]float32, 32)
		if runOne(t, k, []any{c}); c[3] != -1 {
			t.Errorf("%v: 1 - 2 is %v", typ, c[3])
		}
	}
}

// TestExtremes converts numbers at the limits of their types.
func TestExtremes(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("f", 32, func(k *kernel.K) {
		a, c := k.GlobalLayout("a", dtype.F32, parse("32:1")), k.GlobalLayout("c", dtype.F32, parse("(32,4):(1,32)"))
		x := k.Load(a, k.ThreadIdx())
		for i, t := range []dtype.Type{dtype.F16, dtype.BF16, dtype.S8, dtype.U32} {
			k.Store(x.Convert(t).Convert(dtype.F32), c, k.ThreadIdx(), kernel.Int(int64(i)))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	a, c := make([]float32, 32), make([]float32, 128)
	copy(a, []float32{1e30, -1e30, float32(math.Inf(-1)), 300})
	runOne(t, k, []any{a, c})
	inf := math.Inf(1)
	for i, want := range [][4]float64{
		{inf, 0, 127, 1 << 32}, {-inf, 0, -128, 0}, {-inf, -inf, -128, 0}, {300, 300, 127, 300},
	} {
		for j, w := range want {
			if got := float64(c[i+32*j]); got != w && w != 0 {
				t.Errorf("%v as number %d is %v, want %v", a[i], j, got, w)
			}
		}
	}
}

// TestMathRefuses checks the errors of functions that are not defined for a type.
func TestMathRefuses(t *testing.T) {
	t.Parallel()
	for i, do := range []func(k *kernel.K, x kernel.Value){
		func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.F16).Exp() },
		func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.F64).Log() },
		func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.S32).Sqrt() },
		func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.UE8M0) },
		func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.F16).Div(x) },
		func(_ *kernel.K, x kernel.Value) { x.Convert(dtype.F16).Less(x.Convert(dtype.BF16)) },
		func(k *kernel.K, x kernel.Value) { k.Select(kernel.Cond{}, x, x.Convert(dtype.F64)) },
		func(k *kernel.K, x kernel.Value) { k.ShflUp(x, -1) },
		func(k *kernel.K, x kernel.Value) { k.ShflXor(x, 32) },
		func(k *kernel.K, x kernel.Value) { k.Shfl(x, k.ThreadIdx()) },
		func(k *kernel.K, x kernel.Value) { k.WarpReduction(x, kernel.Value.Max, 24) },
	} {
		_, err := kernel.Trace("f", 64, func(k *kernel.K) {
			do(k, k.Number(dtype.F32, 1))
		})
		if err == nil {
			t.Errorf("%d was accepted", i)
		}
	}
	var none kernel.Value
	_ = fmt.Sprint(none.Exp(), none.Log(), none.Rcp(), none.Div(none), none.Less(none), none.Convert(dtype.F32))
}

// TestMaxOfNaN checks that Max and Min return the number if the other value is a NaN, on either side.
func TestMaxOfNaN(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16} {
		k, err := kernel.Trace("k", 1, func(k *kernel.K) {
			x := k.GlobalLayout("x", typ, cute.MustParse("6:1"))
			nan, three := k.Load(x, kernel.Int(0)), k.Load(x, kernel.Int(1))
			for i, v := range []kernel.Value{nan.Max(three), three.Max(nan), nan.Min(three), three.Min(nan)} {
				k.Store(v, x, kernel.Int(int64(i+2)))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{math.NaN(), 3, 0, 0, 0, 0}
		_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x}})
		if want := []float64{3, 3, 3, 3}; err != nil || !slices.Equal(x[2:], want) {
			t.Errorf("%v: found %v, expected %v, %v", typ, x[2:], want, err)
		}
	}
}
