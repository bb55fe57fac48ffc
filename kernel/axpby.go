package kernel

import (
	"girih/cute"
	"girih/ptx"
)

// Axpby sets y = alpha·x + beta·y for every element: axpby(alpha, x, beta, y). If beta is 0, y is not read: it may be
// uninitialised, and a NaN in it does not count. Constants cost no instructions where they change nothing: a beta of
// [K.Number] that is 0, and factors 1. Elements of y outside of a tensor with run-time extents keep their values. It
// has the errors of [K.CopyIf], and refuses factors whose type is not the type of the elements with [cute.CodeType].
func (k *K) Axpby(alpha Value, x Tensor, beta Value, y Tensor) {
	defer k.op("axpby", 0, append(k.stepsOf(alpha, beta), x.id(), y.id())...).end()
	const op = "axpby"
	a, b, ok := k.sides(op, x, y)
	if !ok || !k.takes(op, alpha, beta) {
		return
	}
	t := b.root.elem
	add := operations["add"][t]
	if add == "" || alpha.typ != t || beta.typ != t {
		k.advise("Convert them to one type").refuse(op, cute.CodeType,
			"expected factors and elements of one type that has arithmetic, found %v, %v and %v", alpha.typ, beta.typ, t)
		return
	}
	k.newer(add)
	var parts []axpbyPart
	for i := range a.elements {
		if cond := a.elements[i].cond.And(*b.elements[i].cond); !cond.never {
			v := vector{1, []int{i}}
			u := Value{k, k.load(a, v, cond)[0], t}
			parts = append(parts, axpbyPart{v, cond, k.times(alpha, u)})
		}
	}
	addY := func() {
		for _, p := range parts {
			w := Value{k, k.load(b, p.v, p.cond)[0], t}
			k.emit(add, p.sum.reg, p.sum.reg, k.times(beta, w).reg)
		}
	}
	switch f, known := k.constant(beta); {
	case known && f == 0:
	case known:
		addY()
	default:
		for _, p := range parts { // addresses and conditions that the loads and the stores share
			k.prepare(b, p)
		}
		k.If(k.notZero(beta), addY)
	}
	for _, p := range parts {
		k.store(b, p.v, []ptx.Name{p.sum.reg}, p.cond)
	}
}

// An axpbyPart is an element of [K.Axpby]: the condition that it is inside, and its sum in a register of its own.
type axpbyPart struct {
	v    vector
	cond Cond
	sum  Value
}

// times returns f·v in a new register.
func (k *K) times(f, v Value) Value {
	if x, known := k.constant(f); known && x == 1 {
		return k.copies([]Value{v})[0]
	}
	return f.Mul(v)
}

// prepare computes the address of an element and its predicate here.
func (k *K) prepare(s side, p axpbyPart) {
	k.predicate(p.cond)
	if s.root.space == Registers {
		return
	}
	bits := 64
	if s.root.space == Shared {
		bits = 32
	}
	_, err := k.c.Address(k.at(s.elements[p.v.from[0]]), bits)
	k.fail(err)
}

// notZero returns the condition that a number is not 0, which holds for a NaN.
func (k *K) notZero(v Value) Cond {
	c := v.NotEqual(k.Number(v.typ, 0))
	if name := k.first[v.reg]; name != "" {
		p, _ := c.holds()[0].(ptx.Name)
		k.factors[p] = name
	}
	return c
}
