package examples_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
)

// A gemmVariant is a kernel with options, and extents to run it with.
type gemmVariant struct {
	name    string
	o       examples.Options
	extents map[string]int64
}

// runVariants runs each variant for its extents, by default a third of them.
func runVariants(t *testing.T, variants []gemmVariant) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 16))
	for i, v := range variants {
		if long.Skips(i, 3) {
			continue
		}
		x, err := examples.Find(v.name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := x.Problem(trace(t, v.name, v.o), v.extents, r)
		if err != nil {
			t.Fatal(err)
		}
		run(t, x, p)
	}
}

// TestDequantise runs products with narrow weights for rows with other alignments, other tiles and odd extents.
func TestDequantise(t *testing.T) {
	t.Parallel()
	var all []gemmVariant
	for _, name := range []string{"gemm_w4a16", "gemm_w8a16"} {
		all = append(all, []gemmVariant{
			{name, examples.Options{Div: 1}, map[string]int64{"m": 65, "n": 131, "k": 392}},
			{name, examples.Options{Div: 8, Tile: []int64{16, 64}, Stages: 2}, map[string]int64{"m": 33, "n": 72, "k": 136}},
			{name, examples.Options{Div: 16, Type: dtype.BF16, Tile: []int64{32, 256}}, map[string]int64{"m": 1, "n": 272, "k": 400}},
			{name, examples.Options{Div: 128, Tile: []int64{128, 64}, Stages: 3}, map[string]int64{"m": 129, "n": 128, "k": 640}},
			{name, examples.Options{Tile: []int64{48, 192}}, map[string]int64{"m": 49, "n": 224, "k": 32}},
		}...)
	}
	runVariants(t, all)
	for _, name := range []string{"gemm_w4a16", "gemm_w8a16"} { // no access to shared memory has a conflict
		_, total, err := trace(t, name, examples.Options{}).Plan(map[string]int64{"m": 64, "n": 128, "k": 512})
		if err != nil || total.Wavefronts != total.Ideal {
			t.Errorf("%s: %d wavefronts, and %d without conflicts, %v", name, total.Wavefronts, total.Ideal, err)
		}
	}
}

// TestRegistersGemm counts the 32-bit registers that are live at once: the sums, the tiles of A and B in registers, and
// addresses. A thread has at most 255, and in persistent_sm90 232.
func TestRegistersGemm(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		name string
		div  int64
		most int
	}{
		{"gemm_w4a16", 32, 192},
		{"gemm_w8a16", 32, 182},
		{"gemm_fp8_sm90", 1, 146},
		{"persistent_sm90", 1, 229},
		{"streamk", 8, 228},
		{"streamk", 1, 247},
		{"grouped", 8, 190},
		{"grouped", 1, 203},
	} {
		if long.Skips(i, 3) {
			continue
		}
		if n := live(trace(t, tt.name, examples.Options{Div: tt.div})); n > tt.most {
			t.Errorf("%s, div %d: %d registers are live at once, want %d at most", tt.name, tt.div, n, tt.most)
		}
	}
}

// TestFP8 runs gemm_fp8_sm90 for other tiles and types, and in several orders of warps and copies.
func TestFP8(t *testing.T) {
	t.Parallel()
	name := "gemm_fp8_sm90"
	runVariants(t, []gemmVariant{
		{name, examples.Options{Sum: dtype.F16}, map[string]int64{"m": 129, "n": 131, "k": 1040}},
		{name, examples.Options{Tile: []int64{128, 256}, Stages: 2, Div: 8}, map[string]int64{"m": 8, "n": 264, "k": 16}},
		{name, examples.Options{Tile: []int64{256, 24}, Type: dtype.E5M2}, map[string]int64{"m": 257, "n": 23, "k": 272}},
	})
	x, err := examples.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 8))
	for seed := range uint64(3) {
		p, err := x.Problem(trace(t, name, examples.Options{Tile: []int64{128, 16}, Stages: 2}),
			map[string]int64{"m": 1, "n": 17, "k": 640}, r)
		if err != nil {
			t.Fatal(err)
		}
		runSeed(t, x, p, seed)
	}
}

// TestPersistentSM90 runs persistent_sm90 with fewer blocks than tiles and with more, in several orders, for more than
// one group of 8 rows of tiles.
func TestPersistentSM90(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("persistent_sm90")
	if err != nil {
		t.Fatal(err)
	}
	k := trace(t, "persistent_sm90", examples.Options{Tile: []int64{128, 8, 16}, Stages: 3})
	r := rand.New(rand.NewPCG(6, 90))
	for seed, ctas := range []int64{1, 4, 40} {
		p, err := x.Problem(k, map[string]int64{"m": 1283, "n": 19, "k": 40, "ctas": ctas}, r)
		if err != nil {
			t.Fatal(err)
		}
		runSeed(t, x, p, uint64(seed))
	}
}

// TestScheduled runs streamk and grouped for rows with other alignments and tiles of other shapes.
func TestScheduled(t *testing.T) {
	t.Parallel()
	runVariants(t, []gemmVariant{
		{"streamk", examples.Options{Div: 1}, map[string]int64{"m": 129, "n": 131, "k": 77, "ctas": 3}},
		{"streamk", examples.Options{Div: 4, Tile: []int64{32, 128, 64}, Stages: 2}, map[string]int64{"m": 36, "n": 260, "k": 132, "ctas": 7}},
		{"streamk", examples.Options{Div: 2, Type: dtype.BF16}, map[string]int64{"m": 2, "n": 2, "k": 500, "ctas": 5}},
		{"grouped", examples.Options{Div: 1}, map[string]int64{"m": 131, "n": 129, "k": 77, "groups": 2}},
		{"grouped", examples.Options{Div: 4, Tile: []int64{32, 128, 64}, Stages: 2}, map[string]int64{"m": 37, "n": 260, "k": 132, "groups": 7}},
		{"grouped", examples.Options{Div: 2, Type: dtype.BF16}, map[string]int64{"m": 1, "n": 2, "k": 500, "groups": 1}},
	})
}

// TestStreamK runs streamk for pieces that are shorter than a tile and longer, in several orders of blocks, and checks
// that the order does not change the result, and that the flags and the counter are 0 after each launch.
func TestStreamK(t *testing.T) {
	t.Parallel()
	const m, n, depth = 72, 40, 136
	k := trace(t, "streamk", examples.Options{Tile: []int64{32, 32, 32}, Stages: 2})
	r := rand.New(rand.NewPCG(5, 7))
	a, b := make([]float64, m*depth), make([]float64, n*depth)
	for _, x := range [][]float64{a, b} {
		for i := range x {
			x[i] = r.NormFloat64()
		}
	}
	for _, ctas := range []int64{1, 4, 6, 30, 33} { // of 30 iterations
		var first []float64
		flags, counts := make([]float64, ctas), make([]float64, 1)
		for seed := range uint64(3) {
			c := make([]float64, m*n)
			_, err := k.Simulate(context.Background(), kernel.Args{
				Ints: map[string]int64{"m": m, "n": n, "k": depth, "ctas": ctas}, Seed: seed,
				Tensors: map[string][]float64{
					"A": a, "B": b, "C": c, "parts": make([]float64, ctas*32*32), "flags": flags, "counts": counts,
				},
			})
			if err != nil {
				t.Fatalf("%d blocks, seed %d: %v", ctas, seed, err)
			}
			if first == nil {
				first = c
			}
			if !slices.Equal(first, c) {
				t.Errorf("%d blocks, seed %d: the result depends on the order", ctas, seed)
			}
			for _, f := range append(slices.Clone(flags), counts...) {
				if f != 0 {
					t.Fatalf("%d blocks, seed %d: a flag or the counter is %v after the launch", ctas, seed, f)
				}
			}
		}
	}
}

// TestGrouped runs grouped for groups that begin within tiles, empty groups, more groups than lanes, rows of no group,
// and sizes that leave the matrix or are negative, which count as far as there are rows.
func TestGrouped(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("grouped")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	many := make([]float64, 70)
	for i := range many {
		many[i] = float64(r.IntN(4))
	}
	for i, sizes := range [][]float64{{300}, {0, 31, 1, 0, 40, 32}, many, {5, 1 << 30, 7}, {0, 0}, {20, -3, 20}} {
		if long.Skips(i, 3) {
			continue
		}
		o := examples.Options{Tile: []int64{32, 32, 32}, Stages: 2, Div: []int64{8, 1}[i%2]}
		p, err := x.Problem(trace(t, "grouped", o),
			map[string]int64{"m": 110, "n": 40, "k": 48, "groups": int64(len(sizes))}, r)
		if err != nil {
			t.Fatal(err)
		}
		copy(p.Tensors["sizes"], sizes)
		runSeed(t, x, p, uint64(i))
	}
}
