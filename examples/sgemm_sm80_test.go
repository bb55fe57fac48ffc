package examples_test

import (
	"testing"

	"girih/examples"
	"girih/kernel"
	"girih/ptx"
)

// TestLoopSM80 counts the integer instructions of the loop of sgemm_sm80.
func TestLoopSM80(t *testing.T) {
	t.Parallel()
	// 8 addresses of A and B in global memory, a stage to fill and one to read, each stepped, 7 places along K, the
	// counter and a condition.
	if n := integerOps(t, trace(t, "sgemm_sm80", examples.Options{}), "$L3"); n > 27 {
		t.Errorf("the loop has %d integer instructions for 32 mma, want 27 at most", n)
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
