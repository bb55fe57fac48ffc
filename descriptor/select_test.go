package descriptor

import (
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// tries are the patterns that each selector of CUTLASS 4.7 tries, taken from its source.
func tries(s Selector, major atom.Major, bits, sparsity int64) []Pattern {
	all := []Pattern{SW128, SW64, SW32, INTER}
	switch {
	case major == atom.KMajor:
	case s == SelectSM100 && bits == 32 && sparsity == 1:
		return []Pattern{SW128Base}
	case s == SelectSM100 && bits == 32:
		return append([]Pattern{SW128Base}, all...)
	case s == SelectRS && bits%32 == 0:
		return []Pattern{SW32, INTER}
	case s == SelectRSB && bits%32 == 0:
		return []Pattern{SW32}
	case s == SelectRSB && bits == 8:
		return []Pattern{SW128}
	}
	return all
}

// CUTLASS's selectors choose by definition the first pattern that divides.
func TestSelect(t *testing.T) {
	t.Parallel()
	n := 0
	for s := SelectSS; s <= SelectRR; s++ {
		for _, major := range []atom.Major{atom.KMajor, atom.MNMajor} {
			for _, typ := range []dtype.Type{dtype.F16, dtype.E4M3, dtype.TF32, dtype.E2M1, dtype.F64} {
				for _, sparsity := range []int64{1, 2} {
					for extent := int64(8); extent <= 512; extent += 8 {
						selectOne(t, s, selected{major, typ, sparsity, extent})
						n++
					}
				}
			}
		}
	}
	if n < 5000 {
		t.Errorf("%d selections", n)
	}
	_, err := SelectSS.Select(atom.KMajor, dtype.F16, [2]int64{12, 64}, 1)
	wantCode(t, err, cute.CodeNotDivisible)
	_, err = SelectSS.Select(atom.KMajor, dtype.F16, [2]int64{1<<63 - 1, -1 << 63}, 1)
	wantCode(t, err, cute.CodeNotDivisible)
	if x, err := SelectSS.Select(atom.KMajor, dtype.F16, [2]int64{8, 1<<63 - 8}, 1); err != nil || x.Atom.Pattern != INTER {
		t.Errorf("%v, %v", x, err)
	}
	_, err = SelectSS.Select(atom.KMajor, dtype.E3M2, [2]int64{64, 64}, 1)
	wantCode(t, err, cute.CodeType)
	_, err = SelectSS.Select(atom.KMajor, dtype.F16, [2]int64{64, 64}, 3)
	wantCode(t, err, cute.CodeType)
}

type selected struct {
	major    atom.Major
	typ      dtype.Type
	sparsity int64
	extent   int64
}

func selectOne(t *testing.T, s Selector, c selected) {
	t.Helper()
	tile, bits := [2]int64{64, c.extent}, int64(c.typ.Bits())
	along := c.extent * bits / c.sparsity // counts only stored elements
	if c.major == atom.MNMajor {
		tile, along = [2]int64{c.extent, 64}, c.extent*bits
	}
	got, err := s.Select(c.major, c.typ, tile, c.sparsity)
	if s == SelectRR && (c.major == atom.MNMajor || bits > 8) {
		wantCode(t, err, cute.CodeType)
		return
	}
	for _, p := range tries(s, c.major, bits, c.sparsity) {
		if along%(p.Width()*8) == 0 && (c.major == atom.MNMajor || c.extent%(p.Width()*8/bits*c.sparsity) == 0) {
			if err != nil || got.Atom.Pattern != p || got.Atom.Sparsity != c.sparsity {
				t.Errorf("%v, %+v: %v, %v; want %v", s, c, got.Atom, err, p)
			}
			return
		}
	}
	wantCode(t, err, cute.CodeNotDivisible)
}

func TestFindSelector(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		s      Selector
		sparse bool
	}{
		"wgmma": {SelectSS, false}, "SM90_64x64x16_F32F16F16_RS": {SelectRS, false}, "tcgen05.mma.sp.cta_group::1": {SelectSM100, true},
		"SM100_MMA_F16BF16_SS": {SelectSM100, false}, "SM120_16x8x32_TN": {SelectRR, false}, "ss_smem_selector_sparse": {SelectSS, true},
		"rs_smem_selector<is_ws_transposed_B>": {SelectRSB, false}, "sm120_rr_smem_selector": {SelectRR, false},
	} {
		if s, sparse, err := FindSelector(name); s != want.s || sparse != want.sparse || err != nil {
			t.Errorf("%s: %v %v %v", name, s, sparse, err)
		}
	}
	_, _, err := FindSelector("sm80")
	wantCode(t, err, cute.CodeName)
}
