package atom

import (
	"slices"
	"strings"
	"testing"

	"girih"

	"pgregory.net/rapid"
)

// No name makes a look-up panic, and one that is found is found again by its own name.
func TestNamesNeverPanic(t *testing.T) { t.Parallel(); rapid.Check(t, namesNeverPanic) }

func FuzzNames(f *testing.F) { f.Fuzz(rapid.MakeFuzz(namesNeverPanic)) }

// pieces are what names are made of.
var pieces = []string{
	"SM100_MMA_F16BF16_SS", "SM100_MMA_F8F6F4_TS", "SM100_MMA_MXF4_SS", "SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN", "SM103::SM103_MXF4_ULTRA_SS_VS",
	"SM120_16x8x32_TN", "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", "SM90_64x128x16_F32F16F16_SS", "UniversalFMA", "UniversalFMA<float", "v_mfma_f32_16x16x128_f8f6f4",
	"Layout_K_SW128_Atom", "<", ">", ",", "half_t", "float", "float_e4m3_t", "float_e2m1_t", "float_ue8m0_t", "complex<half_t>", "128", "256", "-1", "99999999999999999999",
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
	if a, err := FindSharedAtom(name); err == nil {
		if again, err := FindSharedAtom(a.Name()); err != nil || again.String() != a.String() {
			t.Fatalf("%q is %s: %v", name, a.Name(), err)
		}
	}
}

// No layout of atoms, permutation, tensor or thread makes a TiledMMA panic.
func TestTiledNeverPanics(t *testing.T) { t.Parallel(); rapid.Check(t, tiledNeverPanics) }

func FuzzTiled(f *testing.F) { f.Fuzz(rapid.MakeFuzz(tiledNeverPanics)) }

func tiledNeverPanics(t *rapid.T) {
	layout := func(label string, most int) girih.Layout {
		n := rapid.IntRange(1, most).Draw(t, label)
		numbers := rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 8, 16, 32, 64, -1, 1 << 40, 1 << 61})
		s, d := make([]int64, n), make([]int64, n)
		for i := range n {
			s[i], d[i] = max(1, numbers.Draw(t, label)), numbers.Draw(t, label)
		}
		l, err := girih.New(girih.Ints(s...), girih.Ints(d...))
		if err != nil {
			t.Skip(err)
		}
		return l
	}
	a := mustFind(t, rapid.SampledFrom(append(slices.Clone(smallAtoms), "SM100_MMA_F16BF16_2x1SM_SS", "SM90_64x8x16_F16F16F16_SS")).Draw(t, "atom"))
	m, err := MakeTiledMMA(a, layout("atoms", 4), girih.MakeTile(layout("perm", 3), girih.Keep, girih.Int(rapid.Int64Range(-1, 64).Draw(t, "tile"))))
	if err != nil {
		return
	}
	o := rapid.SampledFrom([]Operand{OperandA, OperandB, OperandC, 7}).Draw(t, "operand")
	if m.Size() < 1<<20 {
		_, _ = m.LayoutTV(o)
	}
	_ = m.String()
	_, _ = FindPermutation(m, o, rapid.IntRange(-1, 3).Draw(t, "axis"), rapid.Int64Range(-1, 100).Draw(t, "run"))
	thr, err := m.Thread(rapid.Int64Range(-1, 1000).Draw(t, "thread"))
	if err != nil {
		return
	}
	tensor := layout("tensor", 3)
	_, _, _ = thr.Partition(o, tensor)
	_, _ = thr.PartitionFragment(o, tensor)
	if tensor.Size() < 1<<16 {
		_, _ = m.Owners(o, tensor.Shape(), rapid.Int64Range(-1, 40).Draw(t, "row"), 0)
	}
}
