package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/tensor"
	"girih/tensor/tiled"
)

// coordinates returns the elements (row, column) that a thread of an MMA has of A or C of a tile, in order.
func coordinates(t *testing.T, m atom.TiledMMA, o atom.Operand, thread int64, shape [2]int64) (out []string) {
	t.Helper()
	thr, err := m.Thread(thread)
	if err != nil {
		t.Fatal(err)
	}
	all := tensor.Try(tensor.Identity(cute.Ints(shape[0], shape[1])))
	part := tensor.Try(tiled.PartitionC(thr, all))
	if o == atom.OperandA {
		part = tensor.Try(tiled.PartitionA(thr, all))
	}
	for i := range part.Size() {
		x, err := part.At(i)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x.String())
	}
	return out
}

// TestConvertLayoutAccAregs compares the values of A that are registers of C with the coordinates that each thread has
// of A, for pairs of instructions. A pair is refused if some thread lacks an element of A.
func TestConvertLayoutAccAregs(t *testing.T) {
	t.Parallel()
	fine := 0
	for _, tt := range []struct{ c, a, atoms string }{
		{"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x16_F32F16F16F32_TN", "(4,1,1):(1,0,0)"},
		{"SM80_16x8x16_F32BF16BF16F32_TN", "SM80_16x8x8_F32BF16BF16F32_TN", "(2,1,1):(1,0,0)"},
		{"SM80_16x8x8_F32F16F16F32_TN", "SM80_16x8x16_F32F16F16F32_TN", "(2,1,1):(1,0,0)"},
		{"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)"},
		{"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "(2,1,1):(1,0,0)"},
		{"SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x32_S32S8S8S32_TN", "(2,1,1):(1,0,0)"},
		{"SM70_8x8x4_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_TN", "(2,1,1):(1,0,0)"},
		{"SM80_8x8x4_F64F64F64F64_TN", "SM80_8x8x4_F64F64F64F64_TN", "(2,1,1):(1,0,0)"},
		{"SM90_64x64x16_F32F16F16_SS", "SM90_64x128x16_F32F16F16_RS", "(1,1,1):(0,0,0)"},
		{"SM90_64x64x16_F32F16F16_SS", "SM90_64x128x16_F32F16F16_RS", "(2,1,1):(1,0,0)"},
		{"SM90_64x64x32_F32E4M3E4M3_SS_TN", "SM90_64x64x32_F32E4M3E4M3_RS_TN", "(1,1,1):(0,0,0)"},
		{"UniversalFMA<float>", "UniversalFMA<float>", "(16,1,1):(1,0,0)"},
		{"UniversalFMA<float>", "UniversalFMA<float>", "(4,4,1):(1,4,0)"},
	} {
		find := func(name string) atom.TiledMMA {
			op, err := atom.FindMMA(name)
			if err != nil {
				t.Fatal(err)
			}
			return kernel.Must(atom.MakeTiledMMA(op, cute.MustParse(tt.atoms), nil))
		}
		c, a := find(tt.c), find(tt.a)
		shape := [2]int64{2 * c.TileShape()[0], 64}
		possible := true
		places := make(map[int64][]int64) // the number in C of each value of A, by thread
		for x := range c.Size() {
			has := map[string]int64{}
			for i, at := range coordinates(t, c, atom.OperandC, x, shape) {
				has[at] = int64(i)
			}
			for _, at := range coordinates(t, a, atom.OperandA, x, shape) {
				n, ok := has[at]
				possible = possible && ok
				places[x] = append(places[x], n)
			}
		}
		_, err := kernel.Trace("k", c.Size(), func(k *kernel.K) {
			thr, to := k.ThrMMA(c, k.ThreadIdx()), k.ThrMMA(a, k.ThreadIdx())
			r := thr.MakeFragmentC(thr.PartitionC(k.MakeIdentityTensor(kernel.Int(shape[0]), kernel.Int(shape[1]))))
			l := thr.ConvertLayoutAccAregs(r, to).Layout()
			fine++
			for x, ns := range places {
				if !possible || l.Rank() != 3 || l.Size() != int64(len(ns)) {
					t.Errorf("%s as A of %s: found %v for %d values, possible %v", tt.c, tt.a, l, len(ns), possible)
					return
				}
				for i, n := range ns {
					if at, err := l.At(int64(i)); err != nil || at != n {
						t.Errorf("%s as A of %s: value %d of thread %d is register %d, expected %d", tt.c, tt.a, i, x, at, n)
						return
					}
				}
			}
		})
		if err == nil {
			continue
		}
		if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != cute.CodeNotRepresentable || possible {
			t.Errorf("%s as A of %s, possible %v: found %v", tt.c, tt.a, possible, err)
		}
	}
	if fine < 5 {
		t.Errorf("%d pairs have a layout", fine)
	}
}

// TestConvertLayoutAccAregsRefuses checks what no pair of instructions allows.
func TestConvertLayoutAccAregsRefuses(t *testing.T) {
	t.Parallel()
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")),
		cute.MustParse("(2,1,1):(1,0,0)"), nil))
	for _, tt := range []struct {
		name, text string
		code       cute.Code
		do         func(k *kernel.K, thr kernel.ThrMMA)
	}{
		{"another thread", "other places", cute.CodeNotRepresentable, func(k *kernel.K, thr kernel.ThrMMA) {
			r := k.MakeFragment(dtype.F32, parse("(4,1,2):(1,0,4)"))
			thr.ConvertLayoutAccAregs(r, k.ThrMMA(mma, kernel.Int(63).Sub(k.ThreadIdx())))
		}},
		{"half a tile", "multiple of 16", cute.CodeNotDivisible, func(k *kernel.K, thr kernel.ThrMMA) {
			thr.ConvertLayoutAccAregs(k.MakeFragment(dtype.F32, parse("(4,1,3):(1,0,4)")), thr)
		}},
		{"two modes", "(MMA,MMA_M,MMA_N)", cute.CodeRank, func(k *kernel.K, thr kernel.ThrMMA) {
			thr.ConvertLayoutAccAregs(k.MakeFragment(dtype.F32, parse("(4,2):(1,4)")), thr)
		}},
		{"eight values", "4 values", cute.CodeNotCongruent, func(k *kernel.K, thr kernel.ThrMMA) {
			thr.ConvertLayoutAccAregs(k.MakeFragment(dtype.F32, parse("(8,1,2):(1,0,8)")), thr)
		}},
	} {
		_, err := kernel.Trace("k", 64, func(k *kernel.K) { tt.do(k, k.ThrMMA(mma, k.ThreadIdx())) })
		e, ok := errors.AsType[*kernel.Error](err)
		if !ok || e.Err.Code != tt.code || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: expected %s and %q, found %v", tt.name, tt.code, tt.text, err)
		}
	}
}
