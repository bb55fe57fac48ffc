package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
)

// TestConvolution runs convolution for images, filters and borders that meet in odd ways, and for channels that 8 does
// not divide.
func TestConvolution(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("convolution")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 1))
	for i, tt := range []struct {
		o    examples.Options
		ints [12]int64 // n, h, w, c, k, r, s, p, q, stride, padding, dilation
	}{
		{examples.Options{Div: 1, Tile: []int64{64, 64}}, [12]int64{2, 7, 5, 3, 10, 3, 3, 4, 3, 2, 1, 1}},
		{examples.Options{}, [12]int64{1, 1, 1, 8, 8, 3, 2, 5, 4, 1, 2, 1}},
		{examples.Options{Div: 2, Type: dtype.BF16}, [12]int64{3, 9, 2, 6, 66, 1, 4, 9, 1, 1, 0, 3}},
		{examples.Options{Tile: []int64{32, 128}, Div: 16}, [12]int64{1, 10, 11, 48, 144, 5, 1, 3, 11, 3, 1, 2}},
		{examples.Options{Div: 4}, [12]int64{5, 3, 3, 12, 4, 2, 2, 6, 6, 1, 2, 2}},
	} {
		if long.Skips(i, 2) {
			continue
		}
		extents := map[string]int64{}
		for j, name := range []string{"n", "h", "w", "c", "k", "r", "s", "p", "q", "stride", "padding", "dilation"} {
			extents[name] = tt.ints[j]
		}
		k, err := x.Trace(tt.o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := x.Problem(k, extents, r)
		if err != nil {
			t.Fatal(err)
		}
		runSeed(t, x, p, uint64(i))
	}
}
