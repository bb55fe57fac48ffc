package eval_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// Errors use common names of kinds, not the names in JSON.
func TestKindsInErrors(t *testing.T) {
	t.Parallel()
	const mma = `"SM80_16x8x16_F32F16F16F32_TN"`
	for src, want := range map[string]string{
		"upcast(4:1, K)":               "must be a known integer, found a run-time integer: K",
		"size(_)":                      "found a coordinate with underscores: _",
		"flatten(LayoutLeft)":          "found an order: LayoutLeft",
		"coalesce(true)":               "found a truth value: true",
		"thr_layout(mma(" + mma + "))": "must be a tiled MMA, found an MMA atom: ",
		"thr_layout(copy_atom(\"SM75_U32x4_LDSM_N\", \"half_t\"))":    "found a copy atom: ",
		"flatten(get_slice(tiled_mma(" + mma + "), 0))":               "found a ThrMMA: ",
		"flatten(make_tma_copy((64,32):(32,1), (16,32):(32,1), f16))": "found a TMA copy: ",
	} {
		var e eval.Env
		if _, err := e.Eval(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Eval(%q): %v, want %q", src, err, want)
		}
	}
}
