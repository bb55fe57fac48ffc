package atom

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"girih/cute"

	"pgregory.net/rapid"
)

// No name makes a look-up panic, and an operation is found again by its own name.
func TestNamesNeverPanic(t *testing.T) { t.Parallel(); rapid.Check(t, namesNeverPanic) }

func FuzzNames(f *testing.F) { f.Fuzz(rapid.MakeFuzz(namesNeverPanic)) }

// pieces are parts of names.
var pieces = []string{
	"SM100_MMA_F16BF16_SS", "SM100_MMA_F8F6F4_TS", "SM100_MMA_MXF4_SS",
	"SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN", "SM103::SM103_MXF4_ULTRA_SS_VS",
	"SM120_16x8x32_TN", "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", "SM90_64x128x16_F32F16F16_SS", "UniversalFMA",
	"UniversalFMA<float", "v_mfma_f32_16x16x128_f8f6f4",
	"<", ">", ",", "half_t", "float", "float_e4m3_t", "float_e2m1_t", "float_ue8m0_t",
	"complex<half_t>", "128", "256", "-1", "99999999999999999999",
	"UMMA::Major::K", "GMMA::Major::MN", "Major::", "_", "x", "{}", "cute::", "MMA_Atom<", ":", "16", "32", "64", "_128x256",
}

func namesNeverPanic(t *rapid.T) {
	name := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), "")
	if m, err := FindMMA(name); err == nil {
		again, err := FindMMA(m.Name)
		if err != nil || again.Name != m.Name || !again.A.Equal(m.A) {
			t.Fatalf("%q is %s, and that is %s: %v", name, m.Name, again.Name, err)
		}
	}
}

// No layout of atoms, permutation, tensor or thread makes a TiledMMA panic.
func TestTiledNeverPanics(t *testing.T) {
	t.Parallel()
	made := 0
	rapid.Check(t, tiledNeverPanics(&made))
	if made == 0 && !testing.Short() { // with -short, too few are drawn
		t.Error("there was no TiledMMA")
	}
}

func FuzzTiled(f *testing.F) { f.Fuzz(rapid.MakeFuzz(tiledNeverPanics(new(int)))) }

// tiledNeverPanics returns the property; it adds the number of TiledMMAs with a thread to made.
func tiledNeverPanics(made *int) func(*rapid.T) {
	return func(t *rapid.T) {
		if asksTiled(t) {
			*made++
		}
	}
}

// drawWild draws a layout of numbers from -1 to 2^61. It returns 1:0 for a layout that does not fit 64 bits.
func drawWild(t *rapid.T, label string, most int) cute.Layout {
	n := rapid.IntRange(1, most).Draw(t, label)
	numbers := rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 8, 16, 32, 64, -1, 1 << 40, 1 << 61})
	s, d := make([]int64, n), make([]int64, n)
	size, reach := big.NewInt(1), big.NewInt(0)
	for i := range n {
		s[i], d[i] = max(1, numbers.Draw(t, label)), numbers.Draw(t, label)
		size.Mul(size, big.NewInt(s[i]))
		step := new(big.Int).Mul(big.NewInt(s[i]-1), big.NewInt(d[i]))
		reach.Add(reach, step.Abs(step))
	}
	fits := size.IsInt64() && reach.IsInt64()
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	switch {
	case fits != (err == nil):
		t.Fatalf("%v:%v has %v elements and reaches %v: %v", s, d, size, reach, err)
	case !fits && !hasCode(err, cute.CodeOverflow):
		t.Fatalf("%v:%v has %v elements and reaches %v: %v, want %v", s, d, size, reach, err, cute.CodeOverflow)
	case !fits:
		return cute.MustParse("1:0")
	}
	return l
}

// drawTamer draws a wild layout, or a layout of a few numbers, with which more is possible.
func drawTamer(t *rapid.T, label string, tame ...string) cute.Layout {
	if rapid.Bool().Draw(t, label+" wild") {
		return drawWild(t, label, 4)
	}
	return cute.MustParse(rapid.SampledFrom(tame).Draw(t, label))
}

// asksTiled calls every method of a drawn TiledMMA, and reports whether there was a TiledMMA and a thread of it.
func asksTiled(t *rapid.T) bool {
	a := mustFind(t, rapid.SampledFrom(append(slices.Clone(smallAtoms), "SM100_MMA_F16BF16_2x1SM_SS",
		"SM90_64x8x16_F16F16F16_SS")).Draw(t, "atom"))
	permutation := cute.Tiler(cute.Keep)
	if rapid.Bool().Draw(t, "permuted") {
		along := drawTamer(t, "permutation", "64:1", "(2,64):(64,1)", "(4,4,8):(1,8,32)", "(2,32):(1,128)")
		permutation = cute.MakeTile(along, cute.Keep, cute.Int(rapid.Int64Range(-1, 64).Draw(t, "tile")))
	}
	m, err := MakeTiledMMA(a, drawTamer(t, "atoms", "1:0", "(2,1,1):(1,0,0)", "(2,2,2):(4,2,1)", "(2,2):(1,4)",
		"((2,2),3):((1,6),2)"), permutation)
	if err != nil {
		return false
	}
	o := rapid.SampledFrom([]Operand{OperandA, OperandB, OperandC, 7}).Draw(t, "operand")
	if m.Size() < 1<<20 {
		_, _ = m.LayoutTV(o)
	}
	_ = m.String()
	_, _ = FindPermutation(m, o, rapid.IntRange(-1, 3).Draw(t, "axis"), rapid.Int64Range(-1, 100).Draw(t, "run"))
	thr, err := m.Thread(rapid.Int64Range(-1, 100).Draw(t, "thread"))
	if err != nil {
		return false
	}
	tensor := drawTamer(t, "tensor", "(128,64):(64,1)", "(256,256,3):(1,256,65536)", "((8,16),64):((64,512),1)")
	_, _, _ = thr.Partition(o, tensor)
	_, _ = thr.PartitionFragment(o, tensor)
	if tensor.Size() < 1<<16 {
		_, _ = m.Owners(o, tensor.Shape(), rapid.Int64Range(-1, 40).Draw(t, "row"), 0)
	}
	return true
}
