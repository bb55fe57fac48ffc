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

// TestWgmmaTMA runs the kernel of the TMA in several orders of warps and copies.
func TestWgmmaTMA(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("wgmma_tma_sm90")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		o       examples.Options
		extents map[string]int64
	}{
		{examples.Options{}, map[string]int64{"m": 129, "n": 257, "k": 328}},
		{examples.Options{Div: 8}, map[string]int64{"m": 8, "n": 264, "k": 8}},
		{examples.Options{Tile: []int64{128, 128, 64}, Stages: 2, Sum: dtype.F16}, map[string]int64{"m": 255, "n": 1, "k": 200}},
		{examples.Options{Tile: []int64{256, 64, 32}, Stages: 3, Div: 2}, map[string]int64{"m": 2, "n": 66, "k": 400}},
	} {
		p, err := x.Problem(trace(t, x.Name, tt.o), tt.extents, rand.New(rand.NewPCG(9, 1)))
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(3) {
			runSeed(t, x, p, seed)
		}
	}
}
