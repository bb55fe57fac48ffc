package kernel

import (
	"fmt"

	"girih/cute"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file defines products that set C instead of adding to it, so that C needs no Clear.

// Accumulate makes the products of f add to C only where the condition holds, and set C otherwise: the first product
// along MMA_K of each [K.GemmTiled]; those after it add to C. It is CuTe's tiled_mma.accumulate_ with ScaleOut::Zero.
// Kernel.Int(0).Less(i) is the condition of a loop over i from 0 on. It fails with [cute.CodeMode] for a condition that
// is known only when the kernel runs, unless the products are of wgmma or tcgen05.mma.
func (k *K) Accumulate(c Cond, f func()) {
	if f == nil {
		k.noFunction("accumulate")
	}
	k.goesBeyond("Accumulate")
	if !k.meets("accumulate", c) {
		return
	}
	before := k.data.accumulate
	k.data.accumulate = &c
	if c.always() {
		k.data.accumulate = nil
	}
	f()
	k.data.accumulate = before
}

// addend returns what a product adds to: acc, or zeros if the product is the first one along K and sets C. For wgmma it
// sets the predicate of the operands.
func (in *instruction) addend(acc ptx.Vec, f lower.Fragment, o *lower.Operands) ptx.Vec {
	k := in.k
	c := k.data.accumulate
	if !in.first || c == nil {
		if lower.IsWarpgroup(in.mma) {
			o.Accumulate = k.accumulate()
		}
		return acc
	}
	switch {
	case lower.IsWarpgroup(in.mma) && c.never:
		o.Accumulate = k.let(ptx.Pred, "not.pred", k.accumulate())
		return acc
	case lower.IsWarpgroup(in.mma):
		if o.Accumulate = k.predicate(*c); o.Accumulate == nil {
			o.Accumulate = k.accumulate()
		}
		return acc
	case !c.never:
		k.advise("put the product and one without Accumulate into k.IfElse").refuse("gemm", cute.CodeMode,
			"%s adds to C always or never, and the condition is known when the kernel runs: %v", in.mma.Name, *c)
		return acc
	}
	zeros := make(ptx.Vec, len(acc))
	typ := ptx.Op(fmt.Sprintf("b%d", f.Register))
	zero := k.let(ptx.Type(typ), "mov."+typ, ptx.Int(0))
	for i := range zeros {
		zeros[i] = zero
	}
	return zeros
}
