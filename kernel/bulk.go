package kernel

import (
	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines bulk copies of contiguous elements, and the operations on TMA tiles other than copies.

// A tmaUse is what an instruction does with a tile.
type tmaUse uint8

const (
	tmaCopy tmaUse = iota
	tmaPrefetch
	tmaAdd
)

// Add returns a store that adds to the elements in global memory: SM90_TMA_REDUCE_ADD. It fails with [cute.CodeType]
// for elements that the engine cannot add: it adds f16, bf16, f32, 32-bit integers and u64.
func (a TmaAtom) Add() TmaAtom {
	if !a.k.live() {
		return a
	}
	switch a.root.elem {
	case dtype.F16, dtype.BF16, dtype.F32, dtype.U32, dtype.S32, dtype.U64:
	default:
		a.k.refuse("tma", cute.CodeType, "expected f16, bf16, f32, u32, s32 or u64 that are added, found %v", a.root.elem)
	}
	a = a.apart()
	a.use = tmaAdd
	return a
}

// PrefetchTma starts to fetch a tile of [K.TmaPartition] into the L2 cache: prefetch(tma, tAgA(_,k)). One thread
// executes it. It fails with [cute.CodeMode] if nothing ensures that only one thread does, and [cute.CodeType] for a
// tensor other than the copy's.
func (k *K) PrefetchTma(a TmaAtom, src Tensor) {
	const op = "prefetch"
	if !k.owns(op, aTmaAtom, a.k) || !k.has(op, src) {
		return
	}
	if src.root != a.root || len(src.modes) != 1 {
		k.refuse(op, cute.CodeType, "expected a tile of %s, found %v", a.name, src)
		return
	}
	k.alone(op)
	a = a.apart()
	a.use = tmaPrefetch
	for _, in := range a.issue[:a.plan.Instructions] {
		k.issue(a, reason{}, a.coordinates(src, in))
	}
}

// CopyBulk starts the copy of elements that are contiguous on both sides: SM90_BULK_COPY_G2S copies from global to
// shared memory and signals a barrier, SM90_BULK_COPY_S2G copies back in a bulk group, and SM90_BULK_COPY_AUTO chooses
// between these two. One thread executes it. It fails with [cute.CodeNotRepresentable] for elements with gaps, or if an
// address or the number of bytes might not be a multiple of 16, and the errors of [K.Copy] and [K.CopyTma]. A store
// takes the zero Barrier.
func (k *K) CopyBulk(b Barrier, src, dst Tensor) {
	const op = "copy"
	x, y, ok := k.sides(op, src, dst)
	if !ok || b.k != nil && !b.usable(op, k) {
		return
	}
	k.alone(op)
	from, bytes := k.row(op, x)
	to, _ := k.row(op, y)
	e := &engine{bytes: int64(bytes), store: y.root.space == Global}
	move := func(o ptx.Op, operands ...ptx.Operand) {
		operands = append([]ptx.Operand{to.operand, from.operand, bytes}, operands...)
		k.moveBulk(&ptx.Instr{Op: o, Operands: operands}, e, to, from)
	}
	switch {
	case k.err != nil:
		return
	case x.root.space == Global && y.root.space == Shared && b.k != nil:
		move("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", b.operand())
	case x.root.space == Shared && y.root.space == Global:
		move("cp.async.bulk.global.shared::cta.bulk_group")
		k.stores++
	default:
		k.refuse(op, cute.CodeType, "expected global memory to shared memory with a barrier, or back, found %v to %v",
			x.root.space, y.root.space)
	}
	k.require(hopper)
	if b.pipe != nil {
		b.pipe.loaded += int64(bytes)
	}
}

// PrefetchBulk starts to fetch contiguous elements of global memory into the L2 cache: SM90_BULK_COPY_G2S::PREFETCH.
// One thread executes it. It has the errors of [K.CopyBulk].
func (k *K) PrefetchBulk(src Tensor) {
	const op = "prefetch"
	x := side{src.root, k.elements(op, src)}
	if k.err != nil {
		return
	}
	if x.root.space != Global {
		k.refuse(op, cute.CodeType, "expected global memory, found %v", x.root.space)
		return
	}
	k.alone(op)
	from, bytes := k.row(op, x)
	k.emit("cp.async.bulk.prefetch.L2.global", from.operand, bytes)
	k.require(hopper)
}

// row returns the address and the number of bytes of contiguous elements.
func (k *K) row(op string, s side) (at reason, bytes ptx.Int) {
	if k.err != nil {
		return at, 0
	}
	first, step := s.elements[0], s.root.step()
	bytes, align := ptx.Int(len(s.elements)*s.root.bits()/8), int64(16)
	if s.root.fine() {
		align *= 8
	}
	for i, e := range s.elements {
		if !e.cond.always() {
			k.outside(op, s, i)
			return at, 0
		}
		if !e.follows(first, int64(i)*step) {
			k.advise("copy rows one by one, or with the TMA: MakeTmaAtom").refuse(op, cute.CodeNotRepresentable,
				"element %d of %s is at %v, and the first one at %v: there are gaps", i,
				s.root.name, k.at(e), k.at(first))
			return at, 0
		}
	}
	if !first.divisible(align) || bytes%16 != 0 {
		k.advise("state such a Div for the numbers in the address, or copy with cp.async").refuse(
			op, cute.CodeNotRepresentable,
			"expected multiples of 16 bytes from such addresses on, found %d bytes of %s at %v", bytes, s.root.name, k.at(first))
		return at, 0
	}
	x, bits := k.at(first), 64
	if s.root.fine() {
		x = k.s.Div(x, 8)
	}
	if s.root.space == Shared {
		bits = 32
	}
	return k.placeIn(s.root, x, bits), bytes
}
