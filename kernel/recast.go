package kernel

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
)

// This file defines views of the same bits as elements of another type: CuTe's recast<T>(tensor).

// Recast returns a view of the same bits as elements of another type: recast<T>(t). If the new elements are wider, the
// contiguous mode becomes shorter, and all other strides must be whole numbers of new elements; if they are narrower,
// the contiguous mode becomes longer. The bounds of a run-time extent are rounded up to whole elements: a row of
// elements below a byte is rounded up to bytes.
//
// It fails with [cute.CodeNotDivisible] if elements would be cut, the errors of [cute.Composed.Recast],
// [cute.CodeUnknown] if run-time strides or the tensor's beginning are not known to be divisible, and [cute.CodeType]
// for types that tensors cannot have, for registers of different widths, and for descriptors.
func (k *K) Recast(t Tensor, elem dtype.Type) Tensor { return k.recast(t, elem, 1) }

// Complex returns the tensor as complex numbers, whose real and imaginary parts alternate: recast<complex<T>>.
// [K.Recast] to the type of a part is its inverse. It has the errors of [K.Recast], and [cute.CodeType] unless the
// parts are f64: instructions exist for no others.
func (k *K) Complex(t Tensor) Tensor {
	if k.has("recast", t) && t.Elem() != dtype.F64 {
		k.refuse("recast", cute.CodeType, "expected parts f64, found %v", t.Elem())
	}
	return k.recast(t, dtype.F64, 2)
}

func (k *K) recast(t Tensor, elem dtype.Type, parts int) Tensor {
	k.goesBeyond("Recast")
	if !k.has("recast", t) {
		return t
	}
	r := *t.root
	r.elem, r.parts = elem, parts
	from, to := int64(t.root.bits()), int64(r.bits())
	k.checkRecast(t.root, &r)
	if k.err != nil || from == to {
		v := t.at(t.origin)
		v.modes = t.modes
		return Tensor{root: &r, view: v}
	}
	if r.space == Registers {
		r.of, r.count = t.root, int(int64(t.root.count)*from/to)
	}
	along := 0
	for a, d := range t.root.strides {
		if x, ok := d.Int64(); ok && x == 1 {
			along = a
		}
	}
	w := wideRecast{k: k, t: t, along: along, from: from, to: to}
	if r.extents == nil {
		c, err := t.root.outer.Recast(from, to)
		if err != nil {
			k.fail(err)
			return t
		}
		r.outer = c
	}
	r.strides, r.extents = slices.Clone(r.strides), slices.Clone(r.extents)
	out := Tensor{root: &r, view: t.at(slices.Clone(t.origin))}
	for a := range r.strides {
		if a != along {
			r.strides[a] = w.whole("stride", r.strides[a])
			continue
		}
		out.origin[a] = w.whole("place", out.origin[a])
		if r.extents != nil {
			r.extents[a] = k.s.CeilDiv(k.s.Scale(r.extents[a], from), to)
		}
	}
	out.modes = w.modes()
	k.space()
	return out
}

// checkRecast refuses to view the bits of old as elements of r.
func (k *K) checkRecast(old, r *root) {
	const op = "recast"
	if !holdable(r.elem.Bits()) {
		k.refuse(op, cute.CodeType, "expected elements of 1, 2, 4, 8, 16, 32 or 64 bits, found %v", r.elem)
		return
	}
	from, to := old.bits(), r.bits()
	typ, _ := old.register()
	other, _ := r.register()
	switch {
	case old.space > Registers:
		k.refuse(op, cute.CodeType, "%v have no elements of another type", old.space)
	case old.space == Registers && typ != other:
		k.refuse(op, cute.CodeType, "registers of %v cannot hold %v", typ, r.elem)
	case from%to != 0 && to%from != 0:
		k.refuse(op, cute.CodeNotDivisible, "elements of %d bits cannot be elements of %d", from, to)
	}
}

// A wideRecast recasts a tensor that is contiguous along one axis.
type wideRecast struct {
	k        *K
	t        Tensor
	along    int
	from, to int64 // bits
	found    bool  // a mode of run-time extent is contiguous
}

// whole converts a number of elements to a number of the new elements.
func (w wideRecast) whole(what string, x address.Expr) address.Expr {
	k := w.k
	x = k.s.Scale(x, w.from)
	if !x.Divisible(w.to) {
		k.repair("state that it is a multiple: Div of its facts", &cute.Error{
			Code: cute.CodeUnknown, Op: "recast",
			Msg: fmt.Sprintf("a %s in %s is %v bits, which may be no multiple of %d", what, w.t.root.name, x, w.to),
		})
	}
	return k.s.Div(x, w.to)
}

// modes returns the tensor's modes, converted to modes of the new elements.
func (w *wideRecast) modes() []mode {
	k, out := w.k, slices.Clone(w.t.modes)
	var known []cute.Layout
	for i, m := range out {
		if !m.open {
			known = append(known, m.layout)
			continue
		}
		step := slices.Clone(m.step)
		if x, ok := step[w.along].Int64(); ok && x == 1 && w.alone(m) {
			m.extent, w.found = k.of(k.s.CeilDiv(k.s.Scale(k.expr(m.extent), w.from), w.to), m.extent.home()), true
		} else {
			step[w.along] = w.whole("step", step[w.along])
		}
		m.step = step
		out[i] = m
	}
	if len(known) == 0 {
		return out
	}
	l, err := cute.MakeLayout(known...)
	if err == nil {
		l, err = w.layout(l)
	}
	if err != nil {
		k.fail(err)
		return out
	}
	all := l.Modes()
	for i := range out {
		if !out[i].open {
			out[i].layout, all = all[0], all[1:]
		}
	}
	return out
}

// layout recasts the modes of known extents.
func (w wideRecast) layout(l cute.Layout) (cute.Layout, error) {
	if !l.HasBasis() {
		return cute.Recast(l, w.from, w.to)
	}
	neighbours := w.found
	for _, f := range leavesOf(l) {
		neighbours = neighbours || f.extent > 1 && len(f.stride) > w.along && f.stride[w.along] == 1
	}
	if !neighbours && w.to < w.from {
		return l, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "recast",
			Msg: fmt.Sprintf("no mode of %v has the neighbours that the parts of an element would be", l),
		}
	}
	return w.coordinates(l.Shape(), l.Stride())
}

// alone reports whether a mode steps along the contiguous axis and no other.
func (w wideRecast) alone(m mode) bool {
	for a, d := range m.step {
		if x, ok := d.Int64(); a != w.along && (!ok || x != 0) {
			return false
		}
	}
	return true
}

// coordinates recasts a layout of coordinates mode by mode: the parts along the contiguous axis.
func (w wideRecast) coordinates(shape, stride cute.Tuple) (cute.Layout, error) {
	if !shape.IsInt() {
		var ls []cute.Layout
		strides := stride.Modes()
		for i, s := range shape.Modes() {
			l, err := w.coordinates(s, strides[i])
			if err != nil {
				return l, err
			}
			ls = append(ls, l)
		}
		return cute.MakeLayout(ls...)
	}
	l, err := cute.New(shape, stride)
	if err != nil {
		return l, err
	}
	var part int64
	only := true
	for a, d := range leavesOf(l)[0].stride {
		if a == w.along {
			part = d
		} else if d != 0 {
			only = false
		}
	}
	if part == 0 {
		return l, nil
	}
	if !only {
		return l, &cute.Error{
			Code: cute.CodeCodomain, Op: "recast", Msg: fmt.Sprintf("the mode %v goes along neighbours and across them", l),
		}
	}
	n, _ := shape.Int64()
	one, err := cute.New(cute.Int(n), cute.Int(part))
	if err != nil {
		return l, err
	}
	if one, err = cute.Recast(one, w.from, w.to); err != nil {
		return l, err
	}
	x, _ := one.Stride().Int64()
	basis, err := cute.Basis(x, w.along)
	if err != nil {
		return l, err
	}
	return cute.New(one.Shape(), basis)
}
