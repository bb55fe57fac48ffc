package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
)

// TestUmma runs the kernels of tcgen05.mma with other options than the defaults, for random extents.
func TestUmma(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 0))
	for _, tt := range []struct {
		name string
		o    examples.Options
	}{
		{"umma_sm100", examples.Options{Div: 1, Tile: []int64{128, 64, 64}, Stages: 2}},
		{"umma_sm100", examples.Options{Tile: []int64{64, 48, 64}, Stages: 3}},
		{"umma_multicast_sm100", examples.Options{Div: 1, Tile: []int64{128, 64, 64}, Stages: 2}},
		{"umma_2sm_sm100", examples.Options{Div: 1, Tile: []int64{256, 64, 64}, Stages: 2}},
		{"umma_2sm_sm100", examples.Options{Tile: []int64{128, 64, 64}, Stages: 2}},
		{"umma_epi_sm100", examples.Options{Tile: []int64{256, 64, 64}, Stages: 2}},
		{"umma_epi_sm100", examples.Options{Tile: []int64{256, 64, 64}, Stages: 2, Type: dtype.BF16}},
	} {
		x, err := examples.Find(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		k := trace(t, tt.name, tt.o)
		e := extents(x, k, r)
		e["k"] += 256 // around the ring
		p, err := x.Problem(k, e, r)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(tt.name+" "+tt.o.String(), func(t *testing.T) {
			t.Parallel()
			run(t, x, p)
		})
	}
}
