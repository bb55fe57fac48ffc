package atom

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/cute"
)

func TestNearestNames(t *testing.T) {
	t.Parallel()
	names := []string{"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32F16F16F32_TN", "SM75_U32x4_LDSM_N"}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"SM80_16x8x16_F32F16F16F32_NT", names[:1]},
		{"sm75_u32x4_ldsm_n", names[2:]},
		{"SM75_U32x2_LDSM_N", names[2:]},
		{"nothing like it", nil},
		{"", nil},
		{strings.Repeat("x", 1000), nil},
	} {
		if got := Nearest(c.name, names, 3); !slices.Equal(got, c.want) {
			t.Errorf("Nearest(%q) = %v, want %v", c.name, got, c.want)
		}
	}
	err, ok := errors.AsType[*cute.Error](error(unknownName("atom", "copy operation", "SM75_U32x2_LDSM_N", names)))
	if !ok || err.Code != cute.CodeName || !strings.Contains(err.Hint, names[2]) {
		t.Errorf("%+v", err)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"abc", "abc", 0}} {
		if got := distance(c.a, c.b, 10, make([]int, len(c.b)+1)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
