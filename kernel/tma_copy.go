package kernel

import (
	"fmt"

	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tensormap"
)

// This file has the copies of tiles by the TMA, which tma.go describes, and the groups of stores.

// CopyTma starts the copy of a tile of [K.TmaPartition]: copy(tma.with(mbar), tAgA(_,k), tAsA(_,pipe)). A load from
// global to shared memory signals the barrier. A store is part of a bulk group: [K.TmaStoreArrive] and
// [K.TmaStoreWait]. Elements outside of the tensor become zeros, or are not written. One thread executes it.
//
// It fails with [cute.CodeMode] if nothing ensures that only one thread executes it, or for a load without a barrier;
// [cute.CodeType] for other tensors than the copy's; [cute.CodeNotRepresentable] for a tile of shared memory that is
// not aligned for the swizzle; and [cute.CodeNotDivisible] for a store to rows that may end within 16 bytes, because
// the hardware writes all 16, also what is after the row: state a Div of the extent.
func (k *K) CopyTma(a TmaAtom, src, dst Tensor) {
	const op = "copy"
	if !k.owns(op, aTmaAtom, a.k) || !k.has(op, src, dst) {
		return
	}
	defer k.does(a.copies(src, dst)).end()
	g, s, load := src, dst, true
	if src.root.space == Shared {
		g, s, load = dst, src, false
	}
	if !k.acceptsTMA(a, src, dst) || !k.reaches(op, s) {
		return
	}
	k.alone(op)
	if !load {
		a = a.apart()
		a.bar = Barrier{}
	}
	if load {
		k.apart(op, s.root)
	}
	if !load {
		k.endsWhole(op, a)
	}
	if load && a.use == tmaAdd {
		k.refuse(op, cute.CodeType, "elements are added to global memory, found %v to %v", src.root.space, dst.root.space)
	}
	base := k.s.Add(s.root.pointer, k.s.Scale(s.origin[0], int64(s.root.bits())/8))
	if align := a.plan.Map.Align(); !base.Divisible(align) {
		k.advise("take tiles, or parts of blocks, of a multiple of %d bytes, or a smaller swizzle", align).refuse(
			op, cute.CodeNotRepresentable, "%s begins at %v, and the swizzle of the map repeats after %d bytes",
			s.root.name, base, align)
		return
	}
	defer k.begin(map[bool]string{true: "SM90_TMA_LOAD", false: "SM90_TMA_STORE"}[load], madeOfMap(a, s.root))()
	for _, in := range a.issue[:a.plan.Instructions] {
		at := k.placeIn(s.root, k.s.Add(base, k.s.Const(in.Shared-a.issue[0].Shared)), 32)
		k.issue(a, at, a.coordinates(g, in))
	}
	switch {
	case !load:
		k.stores++
	case a.bar.pipe != nil:
		a.bar.pipe.loaded += a.plan.Expect
	}
}

// endsWhole refuses stores to rows that may end within 16 bytes: see [tensormap.Map.Stores].
func (k *K) endsWhole(op string, a TmaAtom) {
	r := a.root
	n, unit := r.extents[a.axes[0]], int64(128/r.bits())
	if !n.Divisible(unit) {
		k.advise("state that %d divides the extent, or copy from threads", unit).refuse(op, cute.CodeNotDivisible,
			"a store writes whole 16 bytes, also after the end of a row, and rows of %s have %v elements of %d bits",
			a.name, n, r.bits())
	}
}

// acceptsTMA reports whether a copy may have these sides. It refuses tensors that are not a tile of the copy's tensor
// and of shared memory, and a load without a barrier.
func (k *K) acceptsTMA(a TmaAtom, src, dst Tensor) bool {
	g, s := src, dst
	if src.root.space == Shared {
		g, s = dst, src
	}
	switch {
	case g.root != a.root || s.root.space != Shared || len(g.modes) != 1 || len(s.modes) != 1:
		k.repair("take what TmaPartition returns, and fix all modes but the first", &cute.Error{
			Code: cute.CodeType, Op: "copy",
			Msg: fmt.Sprintf("expected a tile of %s and one of shared memory, found %v and %v", a.name, src, dst),
		})
		return false
	case a.bar.k != nil && !a.bar.usable("copy", k):
		return false
	case src.root.space != Shared && a.bar.k == nil:
		k.repair("use TmaAtom.With", &cute.Error{
			Code: cute.CodeMode, Op: "copy", Msg: "a load by the TMA needs a barrier, which counts its bytes",
		})
		return false
	}
	return true
}

// coordinates returns the coordinates of one instruction in a tile.
func (a TmaAtom) coordinates(g Tensor, in tensormap.Instruction) []address.Expr {
	var coord []address.Expr
	for dim, axis := range a.axes {
		coord = append(coord, a.k.s.Add(g.origin[axis], a.k.s.Const(in.Coord[dim]-a.issue[0].Coord[dim])))
	}
	return coord
}

// issue emits one instruction. The address is in shared memory; a prefetch does not use it.
func (k *K) issue(a TmaAtom, at reason, coord []address.Expr) {
	r, err := k.c.Value(a.address.Expr(), 64)
	k.fail(err)
	place := make(ptx.Vec, len(coord))
	for i, x := range coord {
		place[i] = k.value32(x)
	}
	tensor := reason{operand: ptx.Addr{Base: r, Args: []ptx.Operand{place}}, x: k.s.Const(0), in: a.root}
	e := &engine{bytes: a.plan.Map.Bytes(), store: a.bar.k == nil, box: a.name, coord: coord}
	to, from, rest := at, tensor, []ptx.Operand{}
	if e.store {
		to, from = tensor, at
	} else {
		rest = append(rest, a.bar.signalOperand())
	}
	o := ptx.Op(fmt.Sprintf("cp.async.bulk.tensor.%dd", len(coord)))
	if a.bar.leader {
		o += ".cta_group::2"
	}
	switch {
	case a.use == tmaPrefetch:
		k.emit(ptx.Op(fmt.Sprintf("cp.async.bulk.prefetch.tensor.%dd.L2.global", len(coord))), tensor.operand)
		return
	case a.use == tmaAdd:
		o = "cp.reduce" + o[len("cp"):] + ".global.shared::cta.add.bulk_group"
	case e.store:
		o += ".global.shared::cta.bulk_group"
	case !a.several:
		o += ".shared::cluster.global.mbarrier::complete_tx::bytes"
	default:
		mask := k.mask(k.value32(k.expr(a.mask)))
		o, rest = o+".shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", append(rest, mask)
	}
	operands := append([]ptx.Operand{to.operand, from.operand}, rest...)
	k.moveBulk(&ptx.Instr{Op: o, Operands: operands}, e, to, from)
}

// TmaStoreFence makes the thread's writes to shared memory visible to TMA stores: tma_store_fence. If other threads
// wrote, [K.Sync] must follow.
func (k *K) TmaStoreFence() { k.FenceProxyAsync() }

// TmaStoreArrive groups the TMA stores that the thread has started: tma_store_arrive.
func (k *K) TmaStoreArrive() {
	defer k.op("tma_store_arrive", 0).end()
	k.emit("cp.async.bulk.commit_group")
	k.require(hopper)
}

// TmaStoreWait waits until at most n of the thread's groups still read shared memory: tma_store_wait<n>. It fails with
// [cute.CodeExtent] for a negative number.
func (k *K) TmaStoreWait(n int64) {
	if n < 0 {
		k.refuse("tma_store_wait", cute.CodeExtent, "expected at least 0 groups, found %d", n)
		return
	}
	defer k.op("tma_store_wait", n).end()
	k.emit("cp.async.bulk.wait_group.read", ptx.Int(n))
	k.require(hopper)
}
