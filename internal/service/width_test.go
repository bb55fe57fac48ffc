package service_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"girih/internal/service"
)

// TestWidth checks that explanations and the reports of kernels fit a terminal of 80 columns. Only a word that is
// longer than its line may not fit.
func TestWidth(t *testing.T) {
	t.Parallel()
	fits := func(what, text string) {
		t.Helper()
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			words := strings.Fields(line)
			if utf8.RuneCountInString(line) > service.WideText && len(words) > 1 {
				t.Errorf("%s has a line of %d columns: %s", what, utf8.RuneCountInString(line), line)
			}
		}
	}
	for _, expr := range []string{
		"(6,2):(8,2) o (4,3):(3,1)", "(6,2):(1,7) o (3,2):(2,3)", "complement((4,2):(2,16), 64)", "right_inverse((4,8):(8,1))",
		"raked_product((2,5):(5,1),(3,4):(4,1))", "zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)",
		"Sw<3,3,3> o 0 o (8,64):(64,1)", `mma("SM80_16x8x16_F32F16F16F32_TN")`,
		`tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1))`, "linear{register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]]}",
	} {
		r := new(service.Session).Explain(service.ExplainRequest{Expr: expr})
		text := r.Text(service.WideText)
		if !strings.Contains(text, "rule") {
			t.Errorf("%s: %s", expr, text)
		}
		fits(expr, text)
	}
	for _, name := range []string{"sgemm_sm80", "transpose", "wgmma_tma_sm90"} {
		r := new(service.Session).Kernel(service.KernelRequest{Kernel: name, Explain: true})
		if !r.OK || !strings.Contains(r.Source, "shared memory") {
			t.Errorf("%s: %+v", name, r.Error)
		}
		fits(name, r.Source)
	}
}
