package atom_test

import (
	"errors"
	"testing"

	"girih/atom"
	"girih/cute"
)

// An instruction whose traits use a name has its layout (cute/atom/mma_traits_*.hpp).
func TestLayoutNames(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		mma     string
		operand atom.Operand
	}{
		"SM70_8x4_Row":               {"SM70_8x8x4_F16F16F16F16_TN", atom.OperandA},
		"SM70_8x4_Col":               {"SM70_8x8x4_F16F16F16F16_NT", atom.OperandB},
		"SM70_8x8_16b":               {"SM70_8x8x4_F16F16F16F16_TN", atom.OperandC},
		"SM70_8x8_32b":               {"SM70_8x8x4_F32F16F16F32_TN", atom.OperandC},
		"SM80_8x4":                   {"SM80_8x8x4_F64F64F64F64_TN", atom.OperandA},
		"SM80_8x8_Row":               {"SM80_16x8x8_F16F16F16F16_TN", atom.OperandB},
		"SM80_8x16_Row":              {"SM80_8x8x16_S32S8S8S32_TN", atom.OperandA},
		"SM80_16x8_Row":              {"SM80_16x8x8_F16F16F16F16_TN", atom.OperandA},
		"GMMA::ALayout_64x8":         {"SM90_64x8x8_F32TF32TF32_RS_TN", atom.OperandA},
		"GMMA::ALayout_64x16":        {"SM90_64x8x16_F16F16F16_RS", atom.OperandA},
		"ALayout_64x32":              {"SM90_64x8x32_S32S8S8_RS_TN", atom.OperandA},
		"SM90::GMMA::CLayout_64x128": {"SM90_64x128x16_F16F16F16_SS", atom.OperandC},
		"GMMA::ABLayout< 64, 16>":    {"SM90_64x128x16_F16F16F16_SS", atom.OperandA},
		"GMMA::CLayout_64xN<128>":    {"SM90_64x128x16_F16F16F16_SS", atom.OperandC},
		"CLayout_64x8":               {"SM90_64x8x16_F16F16F16_SS", atom.OperandC},
	} {
		l, ok := atom.FindLayout(name)
		m, err := atom.FindMMA(of.mma)
		if !ok || err != nil || !l.Equal(m.TV(of.operand)) {
			t.Errorf("%s is %v, %v %v has %v", name, l, of.mma, of.operand, m.TV(of.operand))
		}
	}
	quad, _ := atom.FindLayout("SM70_QuadPair")
	if m, err := atom.FindMMA("SM70_8x8x4_F16F16F16F16_TN"); err != nil || !quad.Equal(m.ThrID) {
		t.Errorf("SM70_QuadPair is %v", quad)
	}
	n := 0
	for name := range atom.LayoutNames() {
		if _, ok := atom.FindLayout(name); !ok {
			t.Errorf("%s is listed and not found", name)
		}
		n++
	}
	if n != 9+4+32 {
		t.Errorf("there are %d names", n)
	}
	for _, name := range []string{
		"", "SM70_8x4", "ALayout_64x24", "CLayout_64x12", "CLayout_64x264", "CLayout_64x+8", "CLayout_64x08",
		"ABLayout<64>", "ABLayout<a,b>", "CLayout_64xN<12>", "Layout<4,2>",
	} {
		if l, ok := atom.FindLayout(name); ok {
			t.Errorf("%q is %v", name, l)
		}
	}
}

// An operand of wgmma in shared memory has this layout.
func TestSharedLayout(t *testing.T) {
	t.Parallel()
	m, err := atom.FindMMA("SM90_64x128x16_F16F16F16_SS")
	if err != nil {
		t.Fatal(err)
	}
	if l, err := atom.SharedLayout(128, 16); err != nil || !l.Equal(m.B) {
		t.Errorf("ABLayout<128,16> is %v, %v", l, err)
	}
	for _, e := range [][2]int64{{0, 1}, {1, 0}, {1 << 62, 1 << 62}} {
		var fault *cute.Error
		if l, err := atom.SharedLayout(e[0], e[1]); !errors.As(err, &fault) {
			t.Errorf("ABLayout%v is %v, %v", e, l, err)
		}
	}
}

// The documentation of CUTLASS names wgmma with four types and the order of A and B.
func TestDocumentedNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"SM90_64x128x16_F16F16F16F16_TN":   "SM90_64x128x16_F16F16F16_SS",
		"SM90_64x128x16_F32F16F16F32_NT":   "SM90_64x128x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>",
		"SM90_64x64x16_F32BF16BF16F32_NN":  "SM90_64x64x16_F32BF16BF16_SS<GMMA::Major::MN,GMMA::Major::K>",
		"SM90_64x8x16_F32F16F16F32_TT":     "SM90_64x8x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>",
		"SM90_64x128x32_F32E4M3E5M2F32_TN": "SM90_64x128x32_F32E4M3E5M2_SS_TN",
		"SM90_64x128x32_F32E4M3E5M2F32_NT": "",
		"SM90_64x128x16_F16F16F16F32_TN":   "",
		"SM90_64x128x16_F16F16F16F16_SS":   "",
	} {
		m, err := atom.FindMMA(name)
		if m.Name != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v, want %q", name, m.Name, err, want)
		}
	}
}
