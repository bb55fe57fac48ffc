package traced

import (
	"girih/atom"
	"girih/cute"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has the instructions of a warpgroup: wgmma, which reads matrices in shared memory through descriptors, and
// the groups by which a kernel waits for it.

// addWarpgroup adds the words of this file to the functions.
func addWarpgroup(functions map[string]function) {
	functions["warpgroup_arrive"] = simple((*kernel.K).WarpgroupArrive)
	functions["warpgroup_commit_batch"] = simple((*kernel.K).WarpgroupCommitBatch)
	functions["warpgroup_fence_operand"] = (*Tracer).fenceOperand
	functions["fence_view_async_shared"] = simple((*kernel.K).FenceProxyAsync)
}

// templateInt returns N of f<N>() and f(N).
func templateInt(c *interp.TracedCall) (int64, bool) {
	switch {
	case len(c.Ints) == 1 && len(c.Args) == 0:
		return c.Ints[0], true
	case len(c.Ints) == 0 && len(c.Args) == 1:
		return interp.Integer(c.Args[0])
	}
	return 0, false
}

// fenceOperand implements warpgroup_fence_operand(t).
func (t *Tracer) fenceOperand(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 1 {
		return nil, unknown(c)
	}
	of, ok := t.of(c.Args[0])
	if !ok {
		return nil, unknown(c)
	}
	t.k.WarpgroupFenceOperand(of.t)
	return interp.None{}, nil
}

// gemmTiled multiplies by an MMA of the program, which adds to C or sets it.
func (t *Tracer) gemmTiled(v interp.Value, mma atom.TiledMMA, of [3]kernel.Tensor) error {
	multiply := func() { t.k.GemmTiled(mma, of[0], of[1], of[2]) }
	if mma.Atom().CFrom == atom.TensorMemory {
		one := multiply
		multiply = func() { t.byOne(one) }
	}
	if !interp.Sets(v) {
		multiply()
		return nil
	}
	if of[0].Rank() > 2 {
		if n, known := of[0].Extent(2).Int64(); known {
			if err := interp.RefuseSets(n); err != nil {
				return err
			}
		}
	}
	never := kernel.Int(1).Less(kernel.Int(0))
	t.k.Accumulate(never, multiply)
	return nil
}

// descriptors implements make_fragment_A(part) and make_fragment_B(part) of an instruction that reads the operand from
// shared memory. The shadow is the part: thread by thread, the interpreter multiplies its elements.
func (t *Tracer) descriptors(c *interp.TracedCall, shadow interp.Value) (interp.Value, error) {
	f := map[string]func(kernel.ThrMMA, kernel.Tensor) kernel.Tensor{
		"make_fragment_A": kernel.ThrMMA.MakeFragmentA, "make_fragment_B": kernel.ThrMMA.MakeFragmentB,
	}[c.Name]
	if f == nil || len(c.Args) != 2 {
		return nil, unknown(c)
	}
	of, isTensor := t.of(c.Args[1])
	thr, ok := t.thrMMA(c.Args[0])
	if !ok || !isTensor || of.space != atom.SharedMemory {
		return nil, unknown(c)
	}
	return wrap(f(thr, of.t), of, shadow), nil
}

// thrMMA returns the thread of an MMA that a value is.
func (t *Tracer) thrMMA(v interp.Value) (kernel.ThrMMA, bool) {
	thr, ok := t.sliceOf(v).(kernel.ThrMMA)
	return thr, ok
}

// isDescriptors reports whether a tensor has descriptors of matrices in place of elements. Its first mode has one
// descriptor where the shadow has the elements of a matrix.
func (of *tensor) isDescriptors() bool { return of.t.Space() == kernel.Descriptors }

// askDescriptors runs an operation on a tensor of descriptors: its rank, and the sizes of the modes after the first.
func (t *Tracer) askDescriptors(c *interp.TracedCall) (interp.Value, error) {
	if c.Name == "rank" || c.Name == "size" && len(c.Ints) == 1 && c.Ints[0] > 0 {
		return shadow(c)
	}
	return nil, refuse(cute.CodeNotRepresentable, "slice it as tCrA(_,_,k), and ask size<2>(tCrA)",
		"%s of a tensor of descriptors is not followed", c.Name)
}
