package tiled_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func parse(s string) cute.Layout { return cute.MustParse(s) }

// wantCode fails unless err is a *cute.Error with the code.
func wantCode(t *testing.T, err error, code cute.Code) {
	t.Helper()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func tiledMMA(name, atoms string, permutation cute.Tiler) atom.TiledMMA {
	return must(atom.MakeTiledMMA(must(atom.FindMMA(name)), parse(atoms), permutation))
}

// mmaNames are instructions of each kind: scalar, of quad-pairs, warps, warpgroups, CTAs, and AMD's waves.
var mmaNames = []string{
	"UniversalFMA<float>", "UniversalFMA<double>", "UniversalFMA<bfloat16_t>", "SM61_DP4A", "SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_TN",
	"SM75_16x8x8_F32F16F16F32_TN", "SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_16x8x32_S32S8S8S32_TN",
	"SM80_16x8x64_S32S4S4S32_TN", "SM80_8x8x4_F64F64F64F64_TN", "SM80_8x8x4_C64C64C64C64_TN", "SM89_16x8x32_F32E4M3E4M3F32_TN",
	"SM90_64x16x16_F32F16F16_SS", "SM90_64x8x16_F16F16F16_RS", "SM90_64x32x32_S32S8S8_SS_TN", "v_mfma_f32_16x16x16_f16",
	"v_wmma_f32_16x16x16_f16",
}

// drawn returns a tiled MMA with random atoms and permutation, and the extents of its tile.
func drawn(r *rand.Rand, name string) atom.TiledMMA {
	a := must(atom.FindMMA(name))
	most := 2
	if a.Threads() == 1 {
		most = 4
	}
	var counts [3]int64
	for i := range counts {
		counts[i] = 1 + r.Int64N(int64(most))
	}
	if a.Threads() == 8 { // quad-pairs fill warps in powers of two
		counts = [3]int64{1 << r.IntN(2), 1 << r.IntN(2), 1}
	}
	if r.IntN(3) > 0 {
		counts[2] = 1
	}
	order := r.Perm(3)
	var strides [3]int64
	next := int64(1)
	for _, i := range order {
		strides[i] = next
		next *= counts[i]
	}
	atoms := must(cute.New(cute.Ints(counts[:]...), cute.Ints(strides[:]...)))
	perm := make([]cute.Tiler, 3)
	for i := range perm {
		whole := a.Shape[i] * counts[i]
		switch r.IntN(3) {
		case 0:
			perm[i] = cute.Int(whole * (1 + r.Int64N(2)))
		case 1: // the digits of the tile in another order
			if whole%2 == 0 && whole/2%a.Shape[i] == 0 {
				perm[i] = must(cute.New(cute.Ints(whole/2, 2), cute.Ints(2, 1)))
				break
			}
			perm[i] = cute.Keep
		default:
			perm[i] = cute.Keep
		}
	}
	m, err := atom.MakeTiledMMA(a, atoms, cute.MakeTile(perm...))
	if err != nil {
		panic(fmt.Sprint(name, counts, perm, err))
	}
	return m
}

// layoutOf returns a random layout of the shape: compact in either order, with gaps, or swizzled.
func layoutOf(r *rand.Rand, shape ...int64) cute.Inner {
	strides := make([]int64, len(shape))
	next := int64(1)
	for _, i := range r.Perm(len(shape)) {
		strides[i] = next
		next *= shape[i]
		if r.IntN(3) == 0 {
			next += 1 + r.Int64N(3)
		}
	}
	l := must(cute.New(cute.Ints(shape...), cute.Ints(strides...)))
	if r.IntN(3) > 0 {
		return l
	}
	w := must(cute.NewSwizzle(1+r.IntN(2), r.IntN(3), 2+r.IntN(2)))
	return must(cute.NewComposed(w, cute.Int(0), l))
}

// randomCode returns the code of a random number of a type; if exact, of a small integer.
func randomCode(r *rand.Rand, t dtype.Type, exact bool) uint64 {
	if t.Kind() != dtype.Float {
		return r.Uint64() & (1<<t.Bits() - 1)
	}
	x := r.NormFloat64()
	if exact {
		x = float64(r.IntN(5) - 2)
	}
	c, err := t.EncodeSaturating(x)
	if err != nil {
		panic(err)
	}
	return c
}

// valuesOf returns the elements of a tensor in order.
func valuesOf[T any](t tensor.Tensor[T]) []T { return slices.Collect(t.Values()) }
