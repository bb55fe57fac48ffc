package kernel_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/dtype"
	"girih/kernel"
)

// TestNarrowTypes rounds numbers to each narrow type and back, and compares with package dtype.
func TestNarrowTypes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	var xs []float64
	for _, e := range []int{-20, -16, -10, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 100} {
		for range 24 { // ties, and their neighbours
			x := math.Ldexp(float64(r.IntN(64))/16, e)
			xs = append(xs, x, -x, float64(math.Nextafter32(float32(x), 1e9)), float64(math.Nextafter32(float32(-x), 1e9)))
		}
	}
	xs = append(xs, math.Inf(1), math.Inf(-1), math.NaN(), 0)
	for len(xs)%1024 != 0 {
		xs = append(xs, r.NormFloat64())
	}
	for _, typ := range []dtype.Type{
		dtype.E4M3, dtype.E5M2, dtype.E3M2, dtype.E2M3, dtype.E2M1, dtype.S4, dtype.U4, dtype.S6, dtype.U2,
	} {
		for xs := range slices.Chunk(xs, 1024) {
			for i := range xs {
				xs[i] = float64(float32(xs[i]))
			}
			got := calculate(t, dtype.F32, dtype.F32, xs, xs, func(_ *kernel.K, x, _ kernel.Value) kernel.Value {
				return x.Convert(typ).Convert(dtype.F32)
			})
			for i, x := range xs {
				if typ.Kind() != dtype.Float {
					x = math.Trunc(x)
				}
				if math.IsNaN(x) && typ.Kind() != dtype.Float {
					continue // 0 in PTX
				}
				code, _ := typ.EncodeSaturating(x)
				want, _ := typ.Decode(code)
				if i < len(got) && got[i] != want && !(math.IsNaN(got[i]) && math.IsNaN(want)) {
					t.Errorf("%v as %v is %v, want %v", xs[i], typ, got[i], want)
				}
			}
		}
	}
}

// TestConvertPairs converts fragments of all pairs of types, with elements in order and in another order, and compares
// with the conversion of single values.
func TestConvertPairs(t *testing.T) {
	t.Parallel()
	types := []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.E4M3, dtype.E5M2}
	for _, from := range types {
		for _, to := range types {
			for _, layout := range []string{"8:1", "(4,2):(2,1)"} {
				k, err := kernel.Trace("f", 32, func(k *kernel.K) {
					x := k.GlobalLayout("x", from, parse("(8,32):(1,8)"))
					y, z := k.GlobalLayout("y", to, parse("(8,32):(1,8)")), k.GlobalLayout("z", to, parse("(8,32):(1,8)"))
					mine := func(t kernel.Tensor) kernel.Tensor { return k.Slice(t, kernel.Open, k.ThreadIdx()) }
					a := k.MakeFragment(from, parse("8:1"))
					b, c := k.MakeFragment(to, parse("8:1")), k.MakeFragment(to, parse("8:1"))
					k.Copy(mine(x), a)
					if from == to {
						k.Copy(a, b)
					} else {
						k.Convert(k.View(a, kernel.Int(0), parse(layout)), k.View(b, kernel.Int(0), parse(layout)))
					}
					for i := range int64(8) {
						k.Store(k.Load(a, kernel.Int(i)).Convert(to), c, kernel.Int(i))
					}
					k.Copy(b, mine(y))
					k.Copy(c, mine(z))
				})
				if err != nil {
					t.Errorf("%v to %v: %v", from, to, err)
					continue
				}
				r := rand.New(rand.NewPCG(3, 3))
				x, y, z := make([]float64, 256), make([]float64, 256), make([]float64, 256)
				for i := range x {
					code, _ := from.EncodeSaturating(4 * r.NormFloat64())
					x[i], _ = from.Decode(code)
				}
				_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "z": z}})
				if err != nil || !slices.Equal(y, z) {
					t.Errorf("%v to %v by %s: %v and %v, %v", from, to, layout, y[:8], z[:8], err)
				}
			}
		}
	}
}

// TestFourBits loads numbers of 4 bits from memory, as floats and as integers.
func TestFourBits(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{dtype.E2M1, dtype.S4, dtype.U4} {
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			x, y := k.GlobalLayout("x", typ, parse("32:1")), k.GlobalLayout("y", dtype.F16, parse("32:1"))
			k.Store(k.Load(x, k.ThreadIdx()).Convert(dtype.F16), y, k.ThreadIdx())
		})
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		x, y := make([]byte, 16), make([]float64, 32)
		for i := range x {
			x[i] = byte(17 * i)
		}
		_, err = k.Simulate(context.Background(), kernel.Args{
			Bytes: map[string][]byte{"x": x}, Tensors: map[string][]float64{"y": y},
		})
		for i := range y {
			if want, _ := typ.Decode(uint64(i / 2)); err != nil || y[i] != want {
				t.Errorf("%v: code %d is %v, want %v: %v", typ, i/2, y[i], want, err)
			}
		}
	}
}
