package reader

import (
	"slices"
	"testing"

	"girih/internal/lang/eval"
)

// TestEveryOperationIsKnown checks that pasted text may use every operation on layouts that has a row.
func TestEveryOperationIsKnown(t *testing.T) {
	t.Parallel()
	for _, name := range everyday {
		if b, ok := eval.Lookup(name); !ok || !b.OnLayouts() {
			t.Errorf("%s is no operation on layouts: nothing to leave out", name)
		}
	}
	for _, b := range eval.Builtins() {
		for _, name := range slices.Concat([]string{b.Name}, b.Aliases) {
			if known := roles()[name] != roleNone; b.OnLayouts() && known == slices.Contains(everyday, name) {
				t.Errorf("%s: known to the reader: %v", name, known)
			}
			if len(name) > 1 && !isReserved(name) && eval.IsReserved(name) {
				t.Errorf("%s is read as an integer of run time, which the language does not have", name)
			}
		}
	}
	for text, want := range map[string]string{
		"sA: concat((2,3):(1,2), 4:10) is it":                                       "concat((2,3):(1,2),4:10)",
		"auto d = cute::domain_distribute(make_shape(15,14), 6);":                   "domain_distribute((15,14),6)",
		"rs_smem_selector<GMMA::Major::MN, cute::tfloat32_t, _128, _32>() of the A": "rs_smem_selector(MN,tfloat32_t,128,32)",
		"make_layout(make_shape(mode, 4))":                                          "(?,4):(1,?)",
		"math.floor(7), mode(1), torch.min(3, 4)":                                   "",
		"echelon([[1,1],[1,0]])":                                                    "echelon([[1,1],[1,0]])",
		`thr_layout(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`:            `thr_layout(tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1)))`,
		"launch kernel(4, 8), x.transpose(0, 1)":                                    "",
	} {
		got := ""
		if r := Read(text); len(r.Items) > 0 {
			got = r.Items[0].Text
		}
		if got != want {
			t.Errorf("Read(%q) finds %q, want %q", text, got, want)
		}
	}
}
