package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/kernel"
	"girih/ptx"
)

// TestLoopSM80 counts the integer instructions of the loop of sgemm_sm80, for 128 mma.
func TestLoopSM80(t *testing.T) {
	t.Parallel()
	// 16 addresses in global memory, 7 places of a stage that is read, one to fill and the first of the next one: of
	// these three one wraps, and two follow it; the counter, its condition, that of the tile to copy, and how much is
	// copied, for A and for B. Where a tile may end before the rows do, each of the 16 copies has a condition of its own.
	for div, most := range map[int64]int{8: 63, 64: 49, 128: 33} {
		if n := integerOps(t, trace(t, "sgemm_sm80", examples.Options{Div: div}), "$L2"); n > most {
			t.Errorf("div %d: the loop has %d integer instructions, want %d at most", div, n, most)
		}
	}
}

// TestVariantsSM80 runs sgemm_sm80 for sums of both types and for rows with and without an alignment, and tiles of
// other shapes; sums of f16 have problems that do not overflow.
func TestVariantsSM80(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("sgemm_sm80")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(80, 1))
	for _, o := range []examples.Options{
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
