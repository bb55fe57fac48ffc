package sim

import (
	"math"
	"testing"
)

// TestCutSum checks the sums of products with scale factors at the ends of their range.
func TestCutSum(t *testing.T) {
	t.Parallel()
	zero := math.Copysign(0, -1)
	for _, x := range []struct {
		terms []float64
		want  float64
	}{
		{[]float64{0, 0, 0}, 0},
		{[]float64{zero, zero, zero}, 0},
		{[]float64{zero, 0, 0, 0}, 0},
		{[]float64{1, -1, 0}, 0},
		{[]float64{1, 0x1p-25, 0x1p-26}, 1},
		{[]float64{0x1p-300, 0}, 0},
		{[]float64{math.MaxFloat32, math.MaxFloat32, 0}, math.Inf(1)},
		{[]float64{math.Inf(-1), 1, 0}, math.Inf(-1)},
	} {
		if got := uint32(cutSum(x.terms)); got != math.Float32bits(float32(x.want)) {
			t.Errorf("%v: expected %v, found %#x", x.terms, x.want, got)
		}
	}
}
