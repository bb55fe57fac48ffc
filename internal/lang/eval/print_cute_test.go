package eval_test

import (
	"os"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The texts are those that CuTe's headers printed: blocks of conformance/cute/tiled_mma_copy.txt.
func TestPrintCute(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../conformance/cute/tiled_mma_copy.txt")
	if err != nil {
		t.Fatal(err)
	}
	for heading, src := range map[string]string{
		"### M1":    `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`,
		"### M2":    `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`,
		"### M3":    `tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2):(2,1), <(4,4,2):(1,8,4),32,4>)`,
		"### M4":    `tiled_mma("UniversalFMA<float,float,float,float>", (16,16,1))`,
		"### M5":    `tiled_mma("SM90_64x128x16_F32F16F16_SS", (2,1,1))`,
		"### T1":    `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`,
		"### T3":    `tiled_copy(copy_atom("UniversalCopy<float>", "float"), (4,8):(8,1))`,
		"## copies": `copy_atom("SM75_U32x4_LDSM_N", "half_t")`,
	} {
		_, want, _ := strings.Cut(string(data), heading)
		_, want, _ = strings.Cut(want, "\n")
		r, err := eval.Eval(src)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := eval.PrintCute(r.Value, eval.DialectCpp)
		if !ok || !strings.HasPrefix(want, got) {
			t.Errorf("%s prints\n%s\nwant the beginning of\n%.400s", src, got, want)
		}
	}
}

// The texts of one thread and of the CuTe DSL, by its sources.
func TestPrintDSL(t *testing.T) {
	t.Parallel()
	const mma = `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`
	for _, test := range []struct {
		src     string
		dialect eval.Dialect
		want    string
	}{
		{"get_slice(" + mma + ", 37)", eval.DialectCpp, "ThrMMA\n  Thr VMNK: (5,1,0,_0)\nTiledMMA\n"},
		{mma, eval.DialectDSL, `Tiled MMA
  Thr Layout VMNK: (32,2,2,1):(1,32,64,0)
  Permutation MNK: (_,_,_)
MMA Atom
  ThrID:           32:1
  Shape MNK:       (16,8,16)
  TV Layout A:     ((4,8),(2,2,2)):((32,1),(16,8,128))
  TV Layout B:     ((4,8),(2,2)):((16,1),(8,64))
  TV Layout C:     ((4,8),(2,2)):((32,1),(16,8))`},
		{"make_copy_atom(CopyUniversalOp(), Float16, 128)", eval.DialectDSL, `Copy Atom
  ThrID:         1:0
  TV Layout Src: (1,8):(0,1)
  TV Layout Dst: (1,8):(0,1)
  Value type:    f16`},
		{"make_copy_atom(CopyUniversalOp(), Uint8, 128)", eval.DialectDSL, "Copy Atom\n  ThrID:         1:0\n"},
		{"Sw<3,4,3> o 0 o (8,64):(64,1)", eval.DialectDSL, "S<3,4,3> o 0 o (8,64):(64,1)"},
		{"Sw<3,4,3>", eval.DialectDSL, "S<3,4,3>"},
		{"LayoutEnum(ROW_MAJOR)", eval.DialectDSL, "LayoutEnum.ROW_MAJOR"},
	} {
		r, err := eval.Eval(test.src)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := eval.PrintCute(r.Value, test.dialect); !ok || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s prints\n%s\nwant\n%s", test.src, got, test.want)
		}
	}
	if got, ok := eval.PrintCute(eval.Bool(true), eval.DialectCpp); ok {
		t.Errorf("true prints %q", got)
	}
}
