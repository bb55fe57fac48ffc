package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/ptx"
)

// TestLoopSM80 limits the integer instructions in the loop of sgemm_sm80, which contains 128 mma.
func TestLoopSM80(t *testing.T) {
	t.Parallel()
	// These instructions compute 16 addresses in global memory; 7 addresses in the stage that is read, the address to fill
	// and the first of the next stage (one of these three wraps, two follow it); the counter, its condition, the condition
	// of the tile to copy, and the sizes of the copies of A and B. If a tile may extend past the rows, each of the 16
	// copies has its own condition.
	for div, most := range map[int64]int{8: 63, 64: 49, 128: 33} {
		if n := integerOps(t, trace(t, "sgemm_sm80", examples.Options{Div: div}), "$L2"); n > most {
			t.Errorf("div %d: the loop has %d integer instructions, want %d at most", div, n, most)
		}
	}
}

// TestVariantsSM80 runs sgemm_sm80 for both types of sums, for rows with and without an alignment and for tiles of
// other shapes, by default a third of the variants. Problems for sums of f16 do not overflow.
func TestVariantsSM80(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("sgemm_sm80")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(80, 1))
	for i, o := range []examples.Options{
		{Sum: dtype.F16},
		{Div: 1},
		{Div: 2},
		{Div: 4, Type: dtype.BF16},
		{Div: 64, Sum: dtype.F16},
		{Tile: []int64{64, 64, 64}},
		{Tile: []int64{32, 96, 32}, Stages: 2},
		{Tile: []int64{64, 64, 16}, Stages: 4, Div: 1},
		{Tile: []int64{64, 64, 16}, Stages: 2},
		{Tile: []int64{64, 64, 16}, Stages: 3, Div: 16},
		{Tile: []int64{64, 64, 32}, Stages: 2, Div: 1},
		{Tile: []int64{64, 64, 16}, Stages: 2, Div: 1},
	} {
		if long.Skips(i, 3) {
			continue
		}
		k, err := x.Trace(o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		p, err := x.Problem(k, extents(x, k, r), r)
		if err != nil {
			t.Fatal(err)
		}
		run(t, x, p)
	}
}

// integerOps counts the integer instructions of the loop that begins at a label.
func integerOps(t *testing.T, k *kernel.Kernel, label ptx.Name) int {
	t.Helper()
	n, in := 0, false
	for s := range k.Module.Func(ptx.Name(k.Name)).Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			in = in || s.Name == label
		case *ptx.Instr:
			switch s.Op.Name() {
			case "add", "sub", "mad", "mul", "shl", "shr", "and", "or", "xor", "lop3", "setp", "selp", "mov":
				if in {
					n++
				}
			case "bra":
				if in && s.Operands[0] == label {
					return n
				}
			}
		}
	}
	t.Fatalf("there is no loop %s", label)
	return 0
}
