package tile_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/tile"
)

// The columns of accumulators in the layouts A to G of the PTX ISA, tcgen05.mma, and of scale factors, compared with
// 512.
func TestTensorMemory(t *testing.T) {
	t.Parallel()
	scaled := func(g tile.Gemm, vector int64) tile.Gemm {
		g.Scale, g.ScaleVector = dtype.UE4M3, vector
		return g
	}
	gemm := func(m, n, k, group, stages int64) tile.Gemm {
		return tile.Gemm{M: m, N: n, K: k, A: dtype.F16, B: dtype.F16, CTAGroup: group, AccStages: stages}
	}
	for _, tt := range []struct {
		name                 string
		g                    tile.Gemm
		ctas                 int64
		used, scales, allocs int64
		hint                 string // the hint of the refusal, "" if it fits
	}{
		{"whole lanes", gemm(128, 256, 64, 1, 2), 1, 512, 0, 512, ""},
		{"three", gemm(128, 256, 64, 1, 3), 1, 0, 0, 0, "2 accumulator(s) fit"},
		{"five", gemm(128, 128, 64, 1, 5), 1, 0, 0, 0, "4 accumulator(s) fit"},
		{"wide", gemm(128, 512, 32, 1, 2), 1, 0, 0, 0, "1 accumulator(s) fit"},
		{"too wide", gemm(128, 520, 32, 1, 1), 1, 0, 0, 0, "not one accumulator fits"},
		{"a power of two", gemm(128, 96, 64, 1, 2), 1, 192, 0, 256, ""},
		{"the least", gemm(128, 8, 64, 1, 1), 1, 8, 0, 32, ""},
		{"a pair, 128 rows each", gemm(128, 256, 64, 2, 2), 1, 512, 0, 512, ""},
		{"a pair, 64 rows each", gemm(64, 256, 64, 2, 4), 1, 512, 0, 512, ""},
		{"a pair, 64 rows each, five", gemm(64, 256, 64, 2, 5), 1, 0, 0, 0, "4 accumulator(s) fit"},
		{"half of the lanes", gemm(64, 256, 64, 1, 1), 1, 256, 0, 256, ""},
		{"two halves", gemm(64, 256, 64, 1, 2), 1, 256, 0, 256, ""},
		{"three halves", gemm(64, 256, 64, 1, 3), 1, 512, 0, 512, ""},
		{"a quarter", gemm(32, 256, 64, 1, 8), 1, 512, 0, 512, ""},
		{"two products", gemm(256, 256, 64, 1, 1), 1, 512, 0, 512, ""},
		{"one and a half", gemm(192, 128, 64, 1, 2), 1, 384, 0, 512, ""},
		{"two CTAs", gemm(128, 128, 64, 1, 2), 2, 256, 0, 256, ""},
		{"two CTAs, too much", gemm(128, 128, 64, 1, 3), 2, 0, 0, 0, "2 accumulator(s) fit"},
		{"three CTAs have 128 each", gemm(128, 96, 64, 1, 2), 3, 0, 0, 0, "1 accumulator(s) fit"},
		{"scales of 16", scaled(gemm(128, 128, 256, 1, 2), 16), 1, 256, 32, 512, ""},
		{"scales of 32", scaled(gemm(128, 192, 128, 1, 2), 32), 1, 384, 12, 512, ""},
		{"scales do not fit", scaled(gemm(128, 256, 256, 1, 2), 16), 1, 0, 0, 0, "1 accumulator(s) fit"},
		{"scales of a pair, 64 rows each", scaled(gemm(64, 256, 256, 2, 2), 16), 1, 256, 4 * (2 + 4), 512, ""},
	} {
		m, err := tt.g.TensorMemory(target(t, "sm100"), tt.ctas)
		e, refused := errors.AsType[*cute.Error](err)
		if refused != (tt.hint != "") || refused && (e.Code != cute.CodeLimit || !strings.Contains(e.Hint, tt.hint)) {
			t.Errorf("%s: %v, want the hint %q", tt.name, err, tt.hint)
		}
		if m.Accumulators != tt.used || m.Scales != tt.scales || m.Allocated != tt.allocs {
			t.Errorf("%s: %+v, want %d + %d, allocated %d", tt.name, m, tt.used, tt.scales, tt.allocs)
		}
		if m, err := tt.g.TensorMemory(target(t, "sm90"), tt.ctas); err != nil || m != (tile.TensorMemory{}) {
			t.Errorf("%s: sm90 has tensor memory: %+v, %v", tt.name, m, err)
		}
	}
}
