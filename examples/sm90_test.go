package examples_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
)

// write is a folder for PTX files to run on a card: go test ./examples -run TestWrite -write DIR.
var write = flag.String("write", "", "folder for the PTX of kernels for sm_90, and for how they are launched at 4096 cubed")

func TestWrite(t *testing.T) {
	t.Parallel()
	if *write == "" {
		t.Skip("no folder")
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(*write, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, o := range map[string]examples.Options{
		"sgemm_sm80":                 {},
		"sgemm_sm80.div64":           {Div: 64},
		"sgemm_sm80.div128":          {Div: 128},
		"sgemm_sm80.f16":             {Sum: dtype.F16},
		"sgemm_sm80.f16.div64":       {Sum: dtype.F16, Div: 64},
		"sgemm_sm80.f16.div128":      {Sum: dtype.F16, Div: 128},
		"wgmma_sm90":                 {Div: 8},
		"wgmma_sm90.div128":          {Div: 128},
		"wgmma_tma_sm90":             {Div: 256},
		"wgmma_tma_sm90.odd":         {},
		"wgmma_tma_sm90.f16":         {Div: 256, Sum: dtype.F16},
		"wgmma_tma_sm90.128x128":     {Div: 128, Tile: []int64{128, 128, 64}},
		"wgmma_tma_sm90.128x128.f16": {Div: 128, Tile: []int64{128, 128, 64}, Sum: dtype.F16},
		"wgmma_tma_cluster_sm90":     {Div: 256},
		"wgmma_tma_cluster_sm90.f16": {Div: 256, Sum: dtype.F16},
	} {
		k := trace(t, strings.Split(name, ".")[0], o)
		put(name+".ptx", k.Module.String())
		put(name+".txt", launchText(t, k))
		cuda(t, name, k, put)
	}
	for _, x := range examples.All() {
		cuda(t, x.Name, trace(t, x.Name, examples.Options{}), put)
	}
}

// cuda writes the file for nvcc.
func cuda(t *testing.T, name string, k *kernel.Kernel, put func(name, text string)) {
	t.Helper()
	x, err := examples.Find(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x.CUDA(k)
	if err != nil {
		t.Fatal(err)
	}
	put(name+".cu", text)
}

// launchText describes a launch for extents of 4096.
func launchText(t *testing.T, k *kernel.Kernel) string {
	t.Helper()
	values := map[string]int64{"m": 4096, "n": 4096, "k": 4096}
	grid, err := k.Grid(values)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("kernel %s\ngrid %v\nblock %d\ncluster %v\ndynamic shared memory %d bytes\n", k.Name, grid,
		k.Threads, k.Cluster, k.Dynamic)
	for _, q := range k.Params {
		switch {
		case q.Map:
			m, err := k.TensorMap(q.Name, values, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s: %v\n", q.Name, m)
		case q.Pointer:
			text += fmt.Sprintf("%s: pointer to %v\n", q.Name, q.Type)
		default:
			text += fmt.Sprintf("%s: u32 %d\n", q.Name, values[q.Name])
		}
	}
	return text
}

// TestWgmma runs the wgmma kernels with facts and sum types other than the defaults, for random extents.
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

// TestWgmmaTMA runs the TMA kernels in several orders of warps and copies. By default, each problem is run in one
// order.
func TestWgmmaTMA(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"wgmma_tma_sm90", "wgmma_tma_cluster_sm90"} {
		x, err := examples.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		inOrders(t, x)
	}
}

func inOrders(t *testing.T, x examples.Recipe) {
	t.Helper()
	for i, tt := range []struct {
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
		for seed := range 3 {
			if seed == i%3 || long.Tests() {
				runSeed(t, x, p, uint64(seed))
			}
		}
	}
}
