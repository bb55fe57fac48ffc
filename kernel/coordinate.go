package kernel

import (
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/ptx"
)

// This file has tensors of coordinates, and copies with a condition for each element.

// MakeIdentityTensor returns the tensor whose element at each coordinate is the coordinate: make_identity_tensor.
// Partitioned as another tensor is, it says which coordinates a thread has; [K.Coord] returns them. Extents may be
// run-time numbers.
func (k *K) MakeIdentityTensor(extents ...Index) Tensor {
	r := &root{k: k, name: "identity", space: Coordinates, elem: dtype.S32, pointer: k.s.Const(0)}
	out := Tensor{root: r, view: &view{}}
	for i, e := range extents {
		r.extents = append(r.extents, k.expr(e))
		step := slices.Repeat([]address.Expr{k.s.Const(0)}, len(extents))
		step[i] = k.s.Const(1)
		m := mode{extent: e, step: step, open: true}
		if n, ok := e.Int64(); ok && n > 0 && e.in == nil {
			l, known := k.constantMode(m, n)
			if !known {
				return out
			}
			m = mode{layout: l}
		}
		out.modes, out.origin = append(out.modes, m), append(out.origin, k.s.Const(0))
		out.home = innermost(out.home, e.home())
	}
	k.space()
	return out
}

// Coord returns the coordinate of an element of t in the tensor that t is a part of, a number for each of its modes:
// the element of an identity tensor. It may be outside of that tensor, as [K.InBounds] may. It has the errors of
// [K.Load], and [cute.CodeType] for a tensor under a fixed layout, whose elements have offsets and no coordinates.
func (k *K) Coord(t Tensor, coord ...Index) []Index {
	const op = "coord"
	at, ok := k.point(op, t, coord)
	if !ok {
		return nil
	}
	if at.root.space != Coordinates && at.root.extents == nil {
		k.advise("partition MakeIdentityTensor in the same way").refuse(op, cute.CodeType,
			"%v has offsets and no coordinates", t)
		return nil
	}
	out := make([]Index, len(at.origin))
	for i, x := range at.origin {
		out[i] = k.of(x, at.home)
	}
	return out
}

// ElemLess returns the condition that each number of a coordinate is less than the extent: elem_less(coord, shape).
// Numbers without an extent, and extents without a number, do not count.
func ElemLess(coord, extents []Index) Cond {
	var c Cond
	for i := range min(len(coord), len(extents)) {
		c = c.And(coord[i].Less(extents[i]))
	}
	return c
}

// CopyPred copies the elements for which a condition holds: copy_if(pred, src, dst). During the trace it calls pred
// with the number of each element, which is the linear index in tensors of the same shape. Elements outside of their
// tensor are not copied either. One access copies several neighbours only if one condition decides for
// all of them. It has the errors of [K.CopyIf].
//
//go:noinline
func (k *K) CopyPred(pred func(i Index) Cond, src, dst Tensor) {
	const op = "copy_if"
	a, b, ok := k.sides(op, src, dst)
	if pred == nil {
		k.noFunction(op)
	}
	if !ok {
		return
	}
	for i := range a.elements {
		c := pred(Int(int64(i)))
		if !k.meets(op, c) {
			return
		}
		both := c.And(*a.elements[i].cond)
		a.elements[i].cond = &both
	}
	if !k.distinct("copy_if", a, b) {
		k.move(a, b, k.vectors(a, b))
	}
}

// Transform sets each element of dst to a function of the element of src: transform(src, dst, op). Both are fragments,
// and may be one. It fails with [cute.CodeType] for tensors that are not in registers, or if op returns another type
// than the elements of dst, and the [cute.CodeNotCongruent] of [K.Copy].
//
//go:noinline
func (k *K) Transform(src, dst Tensor, op func(v Value) Value) {
	if op == nil {
		k.noFunction("transform")
	}
	k.transform(dst, func(vs []Value) Value { return op(vs[0]) }, src)
}

// Transform2 sets each element of dst to a function of the elements of two fragments: transform(a, b, dst, op). Its
// errors are the errors of [K.Transform].
//
//go:noinline
func (k *K) Transform2(a, b, dst Tensor, op func(v, w Value) Value) {
	if op == nil {
		k.noFunction("transform")
	}
	k.transform(dst, func(vs []Value) Value { return op(vs[0], vs[1]) }, a, b)
}

// transform sets the elements of dst to a function of the elements of fragments.
//
//go:noinline
func (k *K) transform(dst Tensor, op func(vs []Value) Value, from ...Tensor) {
	const name = "transform"
	to, ok := k.fragmentOf(name, dst)
	if !ok {
		return
	}
	sides := make([]side, len(from))
	for i, t := range from {
		if sides[i], ok = k.fragmentOf(name, t); !ok {
			return
		}
		if len(sides[i].elements) != len(to.elements) || !alikeModes(t, dst) {
			k.refuse(name, cute.CodeNotCongruent, "expected modes of the same sizes in %v as in %v", dst, t)
			return
		}
	}
	vs, again := make([]Value, len(from)), k.again(name, to, sides...)
	for j, s := range sides {
		sides[j] = k.before(s, to)
	}
	for i := range to.elements {
		if k.err != nil || again[i] {
			continue
		}
		for j, s := range sides {
			vs[j] = k.element(s, i)
		}
		v := op(vs)
		if !k.takes(name, v) {
			return
		}
		if v.typ != dst.root.elem {
			k.refuse(name, cute.CodeType, "expected a function that returns %v, found %v", dst.root.elem, v.typ)
			return
		}
		k.put1(to, i, v)
	}
}

// Reduce returns op(...op(op(init, t(0)), t(1))..., the elements of a fragment in order: reduce(t, init, op). It fails
// with [cute.CodeType] for a tensor that is not in registers.
//
//go:noinline
func (k *K) Reduce(t Tensor, init Value, op func(v, w Value) Value) Value {
	const name = "reduce"
	s, ok := k.fragmentOf(name, t)
	if op == nil {
		k.noFunction(name)
	}
	if !ok || !k.takes(name, init) {
		return init
	}
	for i := range s.elements {
		init = op(init, k.element(s, i))
		k.takes(name, init)
	}
	return init
}

// fragmentOf returns the elements of a fragment, and refuses tensors that are not in registers.
func (k *K) fragmentOf(op string, t Tensor) (side, bool) {
	if !k.has(op, t) {
		return side{}, false
	}
	if t.root.space != Registers || t.root.parts > 1 {
		k.advise("copy it to a fragment first").refuse(op, cute.CodeType, "expected a fragment of numbers, found %v", t)
		return side{}, false
	}
	s := side{t.root, k.elements(op, t)}
	for i := range s.elements {
		if _, ok := k.number(s, i); !ok {
			return s, false
		}
	}
	return s, k.err == nil
}

// element returns element i of a fragment as a value. Writing the element does not change the value.
func (k *K) element(s side, i int) Value {
	typ := valueType(s.root.elem)
	reg := k.take(s, vector{1, []int{i}}, typ)[0]
	if typ != ptx.B16 {
		reg = k.let(typ, "mov."+ptx.Op(typ), reg)
	}
	return Value{k, reg, s.root.elem}
}
