package kernel

import (
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
)

// This file makes tensors from an offset and a layout, as CuTe makes tensors from a pointer and a layout.

// GlobalAligned is [K.GlobalLayout] for an address that is a multiple of align bytes, which may be fewer than 16. A
// negative offset of [K.View], for which a swizzle is not defined, counts modulo the period of the swizzle, so threads
// with a negative offset need no condition. It fails with [cute.CodeExtent] unless align is a power of two from the
// size of an element to 4096, and [cute.CodeType] and [cute.CodeCodomain] as K.GlobalLayout.
func (k *K) GlobalAligned(name string, t dtype.Type, align int64, layout cute.Inner) Tensor {
	k.goesBeyond("GlobalAligned")
	r := k.newGlobal(name, t, align)
	if r == nil {
		return Tensor{}
	}
	for f, o := range compose(layout).Stages() {
		w, ok := f.(cute.Swizzle)
		if x, isInt := o.Int64(); !ok || !isInt || x != 0 || r.period > 0 {
			r.period = 0
			break
		}
		if s := w.M() + max(w.S(), -w.S()) + w.B(); s < 40 {
			r.period = 1 << s
		}
	}
	return k.under(r, layout)
}

// newGlobal returns the root of a parameter that is an address, a multiple of the given bytes.
func (k *K) newGlobal(name string, t dtype.Type, align int64) *root {
	bytes := max(int64(t.Bits()/8), 1)
	switch {
	case !holdable(t.Bits()):
		k.refuse("make_tensor", cute.CodeType, "%s has elements of %d bits: expected 1, 2, 4, 8, 16, 32 or 64", name, t.Bits())
		return nil
	case align&(align-1) != 0 || align < bytes || align > 4096:
		k.refuse("make_tensor", cute.CodeExtent,
			"expected an alignment of %s that is a power of two from %d to 4096 bytes, found %d", name, bytes, align)
		return nil
	}
	facts := symbolic.Facts{Max: 1<<56 - align, Div: align} // addresses of a GPU have fewer bits
	sym := k.symbol(name, facts, levelParam)
	reg := k.param(ptx.U64, Param{Name: name, Pointer: true, Type: t, Facts: symbolic.Facts{Div: align}})
	k.c.Hoist(&ptx.Instr{Op: "cvta.to.global.u64", Operands: []ptx.Operand{reg, reg}})
	k.c.DefineFirst(sym, reg, 64)
	k.pointers = append(k.pointers, sym)
	r := &root{k: k, name: name, space: Global, elem: t, pointer: sym.Expr()}
	k.declared = append(k.declared, declared{name, r})
	return r
}

// View returns the elements of t from an offset on, under another layout: make_tensor(t.data() + offset, layout). The
// offset is in elements and may be negative; the end of the tensor is not known, so nothing proves that the view is
// inside of it. The view has the swizzle of t. It fails with [cute.CodeRank] for a tensor with several axes, such as a
// tensor of [K.Global] with several extents, and [cute.CodeCodomain] for a layout whose values are coordinates.
func (k *K) View(t Tensor, offset Index, layout cute.Layout) Tensor {
	k.goesBeyond("View")
	const op = "make_tensor"
	switch {
	case !k.has(op, t):
		return t
	case len(t.origin) != 1:
		k.refuse(op, cute.CodeRank, "expected a tensor under a layout of integers, found %v", t)
		return t
	case layout.HasBasis():
		k.refuse(op, cute.CodeCodomain, "the layout %v has coordinates as values", layout)
		return t
	}
	t.root.viewed = true
	out := Tensor{root: t.root, view: t.at([]address.Expr{k.s.Add(t.origin[0], k.expr(offset))})}
	out.home = innermost(t.home, offset.home())
	for _, m := range layout.Modes() {
		out.modes = append(out.modes, mode{layout: m})
	}
	k.space()
	return out
}

// DomainOffset returns the tensor from a coordinate on: domain_offset(coord, t), such as the rows of one sequence among
// others. Its element at c is the element of t at coord + c, and its extents are the extents of t. So tiles of it reach
// beyond the end of t, where [K.CopyIf] and [K.InBounds] find no elements. It fails with [cute.CodeRank] unless there
// is a number for each mode, and [cute.CodeType] for a tensor without extents of its own, such as shared memory.
func (k *K) DomainOffset(t Tensor, coord ...Index) Tensor {
	const op = "domain_offset"
	k.goesBeyond("DomainOffset")
	switch {
	case !k.has(op, t):
		return t
	case len(coord) != len(t.modes):
		k.refuse(op, cute.CodeRank, "expected %d numbers for %v, found %d", len(t.modes), t, len(coord))
		return t
	case t.root.extents == nil:
		k.advise("take LocalTile or View").refuse(op, cute.CodeType, "%v has no extents that elements are checked against", t)
		return t
	}
	out := t.apart()
	out.origin = slices.Clone(t.origin)
	for i, c := range coord {
		out.origin, out.home = k.shift(out.origin, t.modes[i], k.expr(c)), innermost(out.home, c.home())
	}
	k.space()
	return out
}

// Assume returns a view of [K.View] and states that the address of the view's first element is a multiple of bytes. Use
// it for facts that the algebra cannot derive, for example that x - x mod 4 is a multiple of 4. The statement is not
// proved: package ptx/sim and the card detect unaligned accesses. It fails with [cute.CodeExtent] unless bytes is a
// power of two.
func (k *K) Assume(t Tensor, bytes int64) Tensor {
	if !k.has("assume", t) {
		return t
	}
	if bytes < 1 || bytes&(bytes-1) != 0 {
		k.refuse("assume", cute.CodeExtent, "expected bytes that are a power of two, found %d", bytes)
		return t
	}
	t = t.apart()
	t.assume = bytes
	return t
}

// Crd2Idx returns the value of a layout at an index: crd2idx(i, shape, stride). It fails with [cute.CodeNegative] for
// an index that may be negative, unless the layout has one mode, and [cute.CodeCodomain] for values that are
// coordinates.
func (k *K) Crd2Idx(i Index, layout cute.Layout) Index {
	if k.err != nil {
		return i
	}
	if layout.HasBasis() {
		k.refuse("crd2idx", cute.CodeCodomain, "the layout %v has coordinates as values", layout)
		return i
	}
	at, err := k.s.Layout(layout, address.At(k.expr(i)))
	k.fail(err)
	x, _ := at.Expr()
	return k.of(x, i.home())
}

// CopyWhere copies all elements if a condition holds, and none otherwise: copy_if with one predicate. Its accesses and
// errors come from [K.CopyIf].
func (k *K) CopyWhere(c Cond, src, dst Tensor) {
	a, b, ok := k.sides("copy_if", src, dst)
	if !ok || !k.meets("copy_if", c) || c.never {
		return
	}
	for i := range a.elements {
		both := c.And(*a.elements[i].cond)
		a.elements[i].cond = &both
	}
	if !k.distinct("copy_if", a, b) {
		k.move(a, b, k.vectors(a, b))
	}
}
