package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/kernel"
	"girih/ptx"
)

// TestLoopSM80 counts the integer instructions of the loop of sgemm_sm80.
func TestLoopSM80(t *testing.T) {
	t.Parallel()
	// 8 addresses of A and B in global memory, 7 places of a stage that is read, one to fill and the first of the next
	// one: of these three one wraps, and two follow it; the counter, and three conditions.
	k := trace(t, "sgemm_sm80", examples.Options{Div: 64})
	if n := integerOps(t, k, "$L3"); n > 25 {
		t.Errorf("the loop has %d integer instructions for 32 mma, want 25 at most", n)
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
		{Tile: []int64{32, 96, 32}, Stages: 2},
		{Tile: []int64{64, 64, 16}, Stages: 4, Div: 1},
	} {
		k, err := x.Trace(o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		for range 3 {
			p, err := x.Problem(k, extents(x, k, r), r)
			if err != nil {
				t.Fatal(err)
			}
			run(t, x, p)
		}
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
