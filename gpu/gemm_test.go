package gpu_test

import (
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel/copy"
	"girih/kernel/gemm"
)

// Operands that the TMA or the instruction cannot read can be copied: it needs no card to plan that.
func TestRealign(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{dtype.F16, dtype.TF32, dtype.E4M3, dtype.S8} {
		for _, l := range []int64{0, 3} {
			p := gemm.Problem{M: 70, N: 33, K: 99, L: l, In: typ, A: cute.MustParse("(70,99):(1,71)")}
			plan, err := gemm.New(p, gemm.Cards()[0], gemm.Options{Instruction: "wgmma"})
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Realign()) != 2 {
				t.Errorf("%v: %d copies", typ, len(plan.Realign()))
			}
			for _, c := range plan.Realign() {
				if _, err := copy.New(c.Src, c.Dst, copy.Options{Bytes: c.Element, SrcAlign: c.Align}); err != nil {
					t.Errorf("%v %+v: %v", typ, c, err)
				}
			}
		}
	}
}
