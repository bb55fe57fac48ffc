package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
)

// TestWgmma runs the kernels of wgmma with the facts and the sums that their defaults are not, for random extents.
func TestWgmma(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 0))
	for _, tt := range []struct {
		name string
		o    examples.Options
	}{
		{"wgmma_sm90", examples.Options{Div: 1}},
		{"wgmma_sm90", examples.Options{Div: 128, Sum: dtype.F16}},
		{"wgmma_sm90", examples.Options{Tile: []int64{64, 64, 32}, Stages: 2}},
	} {
		x, err := examples.Find(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		k := trace(t, tt.name, tt.o)
		p, err := x.Problem(k, extents(x, k, r), r)
		if err != nil {
			t.Fatal(err)
		}
		run(t, x, p)
	}
}
