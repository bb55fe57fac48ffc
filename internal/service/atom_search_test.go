package service_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/internal/check/long"
	"girih/internal/service"
)

// People find an instruction by the part they remember: its PTX, shape or family, or a name that is not quite
// right.
func TestAtomsAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words string
		want  string // the name of an instruction that must be found
		never string // a part of the text of instructions that must not be found
		count int    // how many instructions are found; 0 for any number
	}{
		{"ldmatrix", "SM75_U32x4_LDSM_N", "STSM", 0},
		{"ldmatrix.x4.trans", "SM75_U16x8_LDSM_T", "LDSM_N", 1},
		{"m16n8k16 bf16", "SM80_16x8x16_F32BF16BF16F32_TN", "", 1},
		{"m16n8k16", "SM80_16x8x16_F32F16F16F32_TN", "16x8x8_", 0},
		{"mma.m16n8k16", "SM80_16x8x16_F32F16F16F32_TN", "16x8x8_", 0},
		{"MMA.SYNC", "SM70_8x8x4_F32F16F16F32_TN", "SM90_64", 0},
		{"wgmma m64n256k16 bf16", "SM90_64x256x16_F32BF16BF16_RS", "SM80", 2},
		{"SM90_64x128x16_F16F16F16F16_TN", "SM90_64x128x16_F16F16F16_SS", "F32", 2},
		{"SM90_64x128x16_F32F16F16F32_TN", "SM90_64x128x16_F32F16F16_SS", "F16F16F16", 2},
		{"SM90_64x128x16_F16F16F16_SS<...>", "SM90_64x128x16_F16F16F16_SS", "", 1},
		{"sm80 f32 = f16", "SM80_16x8x16_F32F16F16F32_TN", "", 0},
		{"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", "SM70_8x8x4_F16F16F16F16_TN", "NT", 1},
		{"MMA.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32;", "SM70_8x8x4_F32F16F16F32_NT", "TN", 1},
		{"m8n8k4.row.col f16", "SM70_8x8x4_F16F16F16F16_TN", "_NT", 2},
		{"cp.async", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "LDSM", 0},
	} {
		r := service.Atoms(service.AtomsRequest{Filter: strings.Fields(c.words)})
		if !slices.ContainsFunc(r.Atoms, func(a service.AtomRow) bool { return a.Name == c.want }) ||
			c.count > 0 && len(r.Atoms) != c.count {
			t.Errorf("%s: %d instructions are found, %+v; want %d with %s", c.words, len(r.Atoms), r.Error, c.count, c.want)
		}
		for _, a := range r.Atoms {
			if c.never != "" && strings.Contains(a.Name, c.never) {
				t.Errorf("%s finds %s", c.words, a.Name)
			}
		}
	}
	if r := service.Atoms(service.AtomsRequest{Filter: []string{"SM80_16x8x16_F32F16F16F32_TX"}}); r.OK ||
		!strings.Contains(r.Error.Hint, "SM80_16x8x16_F32F16F16F32_TN") {
		t.Errorf("a typing error: %+v", r)
	}
}

// A whole opcode finds exactly the instructions with that opcode.
func TestOpcodesAreExact(t *testing.T) {
	t.Parallel()
	mnemonics := map[string][]string{}
	opcode := func(text string) string {
		m, _, _ := strings.Cut(text, " ")
		return strings.ToLower(m)
	}
	for m := range atom.MMAs() {
		if o := opcode(m.Text); strings.Count(o, ".") > 3 {
			mnemonics[o] = append(mnemonics[o], m.Name)
		}
	}
	for i, o := range slices.Sorted(maps.Keys(mnemonics)) {
		if i%16 != 0 || long.Skips(i, 64) { // a sample, because each of them takes 30 ms
			continue
		}
		names := mnemonics[o]
		r := service.Atoms(service.AtomsRequest{Filter: []string{o}})
		var got []string
		for _, a := range r.Atoms {
			if a.Kind == "mma" {
				got = append(got, a.Name)
			}
		}
		if !slices.Equal(got, names) {
			t.Errorf("%s finds %d instructions %.200q, want %d %.200q", o, len(got), got, len(names), names)
		}
	}
}
