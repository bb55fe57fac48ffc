package kernel

import (
	"errors"
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file defines, for wgmma, descriptors of matrices in shared memory and the order of groups.

// A matrix has what all descriptors of a tensor share.
type matrix struct {
	descriptor.Matrix
	in    *root  // the shared memory
	mma   string // the instruction that takes the descriptors
	which atom.Operand
}

// descriptors returns the descriptors of a partition of shared memory: (1,MMA_M,MMA_K,...), CuTe's fragment of a wgmma
// that takes the operand from there. The start of a descriptor is the offset of its matrix's first element with the
// swizzle not yet applied. As a function of (MMA_M,MMA_K,...), the starts therefore have the strides of the partition.
func (t ThrMMA) descriptors(o atom.Operand, part Tensor) Tensor {
	const op = "make_fragment"
	k, m := t.k, t.mma.Atom()
	e, _ := operand(m, o)
	if part.root.space == Shared && part.root.elem.Kind() == dtype.Raw && part.root.bits() == e.Bits() {
		part = k.recast(part, e.Type, 1) // the held elements of a sparse A
	}
	t.checkDescribed(o, part, e)
	all, ok := k.spread(part, func(l cute.Layout) (cute.Layout, error) { return l, nil })
	if !ok || k.err != nil {
		return Tensor{}
	}
	if all.Rank() < 3 {
		k.refuse(op, cute.CodeRank, "expected (MMA,MMA_M,MMA_K) or with stages, found %v", part)
		return Tensor{}
	}
	bits := int64(part.root.bits())
	period, rest := part.origin[0].Congruence()
	if period*bits%(8*sharedAlign) != 0 {
		k.refuse(op, cute.CodeNotRepresentable,
			"%s begins at element %v, which is not the same modulo %d for all threads, and the pattern of a descriptor repeats so",
			part.root.name, part.origin[0], 8*sharedAlign/bits)
		return Tensor{}
	}
	rest %= 8 * sharedAlign / bits
	fit, ok := t.fit(o, part, all, rest)
	if !ok {
		return Tensor{}
	}
	part.root.wgmma = true
	modes := all.Modes()
	modes[0] = cute.MustParse("1:0")
	r := &root{
		k:    k,
		name: part.root.name, space: Descriptors, elem: part.root.elem, pointer: part.root.pointer,
		strides: part.root.strides, outer: modes[0].Composed(),
		matrix: &matrix{Matrix: fit, in: part.root, mma: m.Name, which: o},
	}
	r.matrix.Start = 0
	out := Tensor{root: r, view: part.at(part.origin)}
	for _, l := range modes {
		out.modes = append(out.modes, mode{layout: l})
	}
	for _, x := range part.modes {
		if x.open {
			out.modes = append(out.modes, x)
		}
	}
	return out
}

// checkDescribed refuses operands without descriptors of wgmma.
func (t ThrMMA) checkDescribed(o atom.Operand, part Tensor, e atom.Element) {
	const op = "make_fragment"
	k, m := t.k, t.mma.Atom()
	switch {
	case part.root.space != Shared:
		k.repair("copy the tile to shared memory, or take the instruction with A in registers, _RS", &cute.Error{
			Code: cute.CodeType, Op: op,
			Msg: fmt.Sprintf("%v of %s is in shared memory, found %s in %v", o, m.Name, part.root.name, part.root.space),
		})
	case part.root.elem != e.Type && !(e.Type == dtype.TF32 && part.root.elem == dtype.F32):
		k.refuse(op, cute.CodeType, "%v of %s has elements %v, found %s of %v", o, m.Name, e, part.root.name, part.root.elem)
	case !lower.IsWarpgroup(m) && !isUMMA(m):
		k.refuse(op, cute.CodeType, "%s has descriptors that are not those of wgmma or tcgen05.mma", m.Name)
	}
}

// fit returns the descriptor of the first matrix of a partition. It requires that all other descriptors differ only in
// their starts, by the strides of the partition. rest is the offset of the partition after the last multiple of
// sharedAlign bytes, in elements.
func (t ThrMMA) fit(o atom.Operand, part Tensor, all cute.Layout, rest int64) (d descriptor.Matrix, ok bool) {
	k := t.k
	want, err := descriptor.OperandOf(t.mma.Atom(), o)
	if err != nil {
		k.fail(err)
		return d, false
	}
	modes := all.Modes()
	tile := append(modes[:3:3], cute.MustParse("1:0"))
	if len(modes) > 3 {
		if tile[3], err = cute.MakeLayout(modes[3:]...); err != nil {
			k.fail(err)
			return d, false
		}
	}
	l, err := cute.MakeLayout(tile...)
	if err != nil {
		k.fail(err)
		return d, false
	}
	// The partition's elements after the swizzle of the root.
	layout, begin := l.Composed(), rest*int64(part.root.bits())/8
	for f, offset := range part.root.outer.Stages() {
		if x, isInt := offset.Int64(); isInt {
			offset = cute.Int(x + rest)
		}
		rest = 0
		if layout, err = cute.NewComposed(f, offset, layout); err != nil {
			k.fail(err)
			return d, false
		}
	}
	fit, err := want.Fit(layout, rest*int64(part.root.bits())/8)
	if err != nil {
		k.illegal(want, part, layout, err)
		return d, false
	}
	first := fit.Matrices[0]
	for i, x := range fit.Matrices {
		n := int64(i)
		at := [3]int64{n % fit.Step.Count, n / fit.Step.Count % fit.Block.Count, n / fit.Step.Count / fit.Block.Count}
		var off int64
		for j, mode := range []cute.Layout{tile[2], tile[1], tile[3]} {
			y, err := mode.At(at[j])
			k.fail(err)
			off += y
		}
		start := x.Start - first.Start
		if x.Start = begin; x.Start != first.Start || x != first || start != off*int64(part.root.bits())/8 {
			k.refuse("make_fragment", cute.CodeNotRepresentable,
				"the matrices of %s differ in more than where they begin: number %d is %v, the first one %v", part.root.name, i,
				fit.Matrices[i], first)
			return d, false
		}
	}
	return first, k.err == nil
}

// illegal refuses a layout and names the nearest legal layout, if there is one.
func (k *K) illegal(want descriptor.Operand, part Tensor, layout cute.Composed, err error) {
	e := &cute.Error{Code: cute.CodeNotRepresentable, Op: "make_fragment"}
	if g, ok := errors.AsType[*cute.Error](err); ok {
		*e = *g
		e.Op = "make_fragment"
	}
	e.Msg = part.root.name + " is not what the instruction reads: " + e.Msg
	if near, err := want.Nearest(part.root.outer); err == nil {
		e.Hint = fmt.Sprintf("the nearest legal layout is %v, %s", near.Layout, near.Why)
	}
	k.fail(e)
}

// descriptorOf returns a register with the descriptor at the first element of a tensor. The halves are computed
// separately, because only the lower one changes.
func (k *K) descriptorOf(t Tensor) ptx.Operand {
	return k.describe(t.root, k.at(k.placer(t).element(make([]int64, len(t.origin)))), t.root.matrix.Bits())
}

// describe returns a register with a descriptor of a matrix at a place in shared memory, without its start.
func (k *K) describe(in *root, at address.Expr, bits uint64) ptx.Operand {
	if in.fine() {
		at = k.s.Div(at, 8)
	}
	low, err := k.c.Value(k.s.Add(k.s.Div(k.window(at), 16), k.s.Const(int64(bits&(1<<32-1)))), 32)
	k.fail(err)
	k.addresses = append(k.addresses, reason{ptx.Addr{Base: low}, at, k.loops, in})
	return k.let(ptx.B64, "mov.b64", ptx.Vec{low, ptx.Int(int64(bits >> 32))})
}

// window returns an address in shared memory without the bits that number the block of a cluster. A descriptor has 18
// bits of an address (PTX ISA, matrix-descriptor-encode), and the next field follows them.
func (k *K) window(at address.Expr) address.Expr {
	if k.clusterSize() == 1 {
		return at
	}
	const key = "shared.window"
	x, ok := k.special[key]
	if !ok {
		sym := k.symbol(key, k.arena.base.Facts(), levelParam)
		r, err := k.c.Value(k.arena.base.Expr(), 32)
		k.fail(err)
		own := k.b.Reg(ptx.B32)
		k.c.Hoist(&ptx.Instr{Op: "and.b32", Operands: []ptx.Operand{own, r, ptx.Int(1<<18 - 1)}})
		k.c.DefineFirst(sym, own, 32)
		x = k.index(sym.Expr())
		k.special[key] = x
	}
	return k.s.Substitute(at, k.arena.base, x.x())
}

// groups are the groups of wgmma at this point of the trace.
type groups struct {
	arrived bool      // warpgroup_arrive was written
	open    []*root   // written by the wgmma since the last commit
	flight  [][]*root // written by groups that were not waited for
	accept  ptx.Name  // a predicate that is true
}

// WarpgroupArrive orders earlier writes to registers before the wgmma that follow: warpgroup_arrive. It is needed
// before the first wgmma, and again after accumulators, or A in registers, were written.
func (k *K) WarpgroupArrive() {
	defer k.op("warpgroup_arrive", 0).end()
	k.wgmma.arrived = true
	k.emit("wgmma.fence.sync.aligned")
	k.require(warpgroupTarget)
}

// warpgroupTarget is the oldest target with wgmma.
var warpgroupTarget = lower.Target{Chip: "sm_90a", Version: ptx.Version{Major: 8}}

// WarpgroupFenceOperand states that running wgmma write the accumulators of t: warpgroup_fence_operand. In C++ the
// fence keeps the compiler from moving the accumulators. Here registers are never moved, so the call emits nothing. It
// fails with [cute.CodeType] for a tensor that is not in registers.
func (k *K) WarpgroupFenceOperand(t Tensor) {
	defer k.op("warpgroup_fence_operand", 0, t.id()).end()
	if k.has("warpgroup_fence_operand", t) && t.Space() != Registers {
		k.refuse("warpgroup_fence_operand", cute.CodeType, "expected registers, found %v", t)
	}
}

// WarpgroupCommitBatch makes a group of the wgmma since the previous call: warpgroup_commit_batch.
func (k *K) WarpgroupCommitBatch() {
	defer k.op("warpgroup_commit_batch", 0).end()
	k.wgmma.flight = append(k.wgmma.flight, k.wgmma.open)
	k.wgmma.open = nil
	k.emit("wgmma.commit_group.sync.aligned")
	k.require(warpgroupTarget)
}

// WarpgroupWait waits until at most n groups are running: warpgroup_wait<n>. It fails with [cute.CodeExtent] unless n
// is from 0 to 7.
func (k *K) WarpgroupWait(n int64) {
	defer k.op("warpgroup_wait", n).end()
	if n < 0 || n > 7 {
		k.advise("wait for 0").refuse("warpgroup_wait", cute.CodeExtent,
			"expected 0 to 7 groups under way, found %d", n)
		return
	}
	if done := len(k.wgmma.flight) - int(n); done > 0 {
		k.wgmma.flight = k.wgmma.flight[done:]
	}
	k.emit("wgmma.wait_group.sync.aligned", ptx.Int(n))
	k.require(warpgroupTarget)
}

// startWgmma records that a wgmma writes c, and refuses it if no [K.WarpgroupArrive] precedes it.
func (k *K) startWgmma(c *root) {
	if !k.wgmma.arrived {
		k.repair("write k.WarpgroupArrive() before it", &cute.Error{
			Code: cute.CodeMode, Op: "gemm",
			Msg: "warpgroup_arrive is missing: the registers of a wgmma are ordered after what wrote them by it alone",
		})
	}
	k.wgmma.open = append(k.wgmma.open, c.storage())
}

// refuseUnfinished refuses registers of a wgmma that was not waited for.
func (k *K) refuseUnfinished(r *root) {
	if k.err != nil || k.wgmma.open == nil && k.wgmma.flight == nil {
		return
	}
	r = r.storage()
	if slices.Contains(k.wgmma.open, r) {
		k.repair("write k.WarpgroupCommitBatch() and k.WarpgroupWait(0) before it", &cute.Error{
			Code: cute.CodeMode, Op: "warpgroup_wait",
			Msg: "the accumulators are those of wgmma that are in no group, and so cannot be waited for",
		})
	}
	for i, g := range k.wgmma.flight {
		if slices.Contains(g, r) {
			k.repair(fmt.Sprintf("write k.WarpgroupWait(%d) before it, or a lower number", len(k.wgmma.flight)-i-1), &cute.Error{
				Code: cute.CodeMode, Op: "warpgroup_wait", Msg: "the accumulators are those of a group that is under way",
			})
		}
	}
}

// accumulate returns a predicate that is true: every wgmma adds to C.
func (k *K) accumulate() ptx.Name {
	if k.wgmma.accept == "" {
		zero := k.b.Reg(ptx.B32)
		k.wgmma.accept = k.b.Reg(ptx.Pred)
		k.c.Hoist(&ptx.Instr{Op: "mov.b32", Operands: []ptx.Operand{zero, ptx.Int(0)}})
		k.c.Hoist(&ptx.Instr{Op: "setp.eq.b32", Operands: []ptx.Operand{k.wgmma.accept, zero, ptx.Int(0)}})
	}
	return k.wgmma.accept
}

// FenceProxyAsync makes the thread's writes to shared memory, including cp.async that it has waited for, visible to
// wgmma and to bulk copies: fence_view_async_shared. If other threads wrote, [K.Sync] must follow.
func (k *K) FenceProxyAsync() {
	defer k.op("fence_view_async_shared", 0).end()
	k.emit("fence.proxy.async.shared::cta")
	k.require(lower.Target{Chip: "sm_90", Version: ptx.Version{Major: 8}})
}
