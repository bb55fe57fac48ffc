package examples_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
)

// TestScaled runs the products with factors around their rings of stages, for edges in all extents, and asks for no
// finding of a lesser grade either.
func TestScaled(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		name    string
		o       examples.Options
		m, n, k int64
	}{
		{"nvf4_sm100", examples.Options{Tile: []int64{128, 128}, Stages: 2}, 130, 100, 1056},
		{"mxf8_sm100", examples.Options{Tile: []int64{128, 128}, Stages: 2}, 100, 130, 528},
		{"mxf8_sm100", examples.Options{Type: dtype.E5M2, Stages: 3}, 20, 259, 400},
		{"nvf4_sm100", examples.Options{}, 129, 257, 32},
		{"mma_scale_sm120", examples.Options{Tile: []int64{128, 128, 256}, Stages: 2}, 100, 131, 800},
		{"mma_scale_sm120", examples.Options{Tile: []int64{256, 128, 128}, Div: 2}, 258, 34, 96},
	} {
		if long.Skips(i, 2) {
			continue
		}
		x, p := scaledProblem(t, tt.name, tt.o, map[string]int64{"m": tt.m, "n": tt.n, "k": tt.k})
		if r := runSeed(t, x, p, uint64(i)); len(r.Lesser) > 0 {
			t.Errorf("%s %v: %v", tt.name, tt.o, r.Lesser[0])
		}
	}
}

func scaledProblem(
	t *testing.T, name string, o examples.Options, e map[string]int64,
) (examples.Recipe, examples.Problem) {
	t.Helper()
	x, err := examples.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := x.Problem(trace(t, name, o), e, rand.New(rand.NewPCG(4, uint64(e["k"]))))
	if err != nil {
		t.Fatal(err)
	}
	return x, p
}

// TestScaledMutants changes a factor, a column or the order: the product is wrong, or a finding says why.
func TestScaledMutants(t *testing.T) {
	t.Parallel()
	x, p := scaledProblem(t, "nvf4_sm100", examples.Options{Tile: []int64{128, 128}, Stages: 2}, map[string]int64{
		"m": 128, "n": 100, "k": 800,
	})
	sfb := func(l string) string { return strings.Replace(l, "], %p", "+1], %p", 1) }
	second := func(l string) string { return strings.Replace(l, "], %rd", "+4], %rd", 1) }
	for _, m := range []struct {
		mutation
		which []int
	}{
		{mutation{"tcgen05.cp", drop}, []int{0, 4, 7}},
		{mutation{"tcgen05.cp", second}, []int{0, 3, 5}},
		{mutation{"tcgen05.fence::after_thread_sync", drop}, []int{3}}, // before the copies of factors
		{mutation{"tcgen05.commit", drop}, []int{0, 1}},
		{mutation{"tcgen05.mma", sfb}, []int{1, 2}},
	} {
		for _, n := range m.which {
			changed := m.of(t, p.Kernel, n)
			if changed == nil {
				t.Fatalf("there is no %s number %d", m.text, n)
			}
			r, err := attempt(t, x, p, changed, 0)
			if err == nil && len(r.Lesser) == 0 {
				t.Errorf("%s, number %d: no finding", m.text, n)
			}
		}
	}
}

func TestScaledRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		tile []int64
	}{
		{"nvf4_sm100", []int64{64, 128}},
		{"nvf4_sm100", []int64{128, 64}},
		{"mxf8_sm100", []int64{128, 512}},
		{"mma_scale_sm120", []int64{64, 128, 128}},
		{"mma_scale_sm120", []int64{128, 128, 64}},
	} {
		x, _ := examples.Find(tt.name)
		_, err := x.Trace(examples.Options{Tile: tt.tile})
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotDivisible || e.Hint == "" {
			t.Errorf("%s %v: %v", tt.name, tt.tile, err)
		}
	}
}
