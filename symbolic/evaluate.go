package symbolic

import (
	"fmt"

	"girih/cute"
)

// This file evaluates layouts at coordinates, and splits indices into coordinates.

// Eval returns the value of the layout at a coordinate that is weakly congruent to its shape, and the guard of the
// value. An index that must be split must not be negative. It returns [cute.CodeNotCongruent] and [cute.CodeType].
func (l Layout) Eval(at Tuple) (Tuple, Guard, error) {
	w := begin("", l)
	v := w.value(l.Shape(), l.Stride(), at)
	if x, ok := at.Int(); ok && l.contents().computed && w.err == nil {
		w.onward(l.modes(), Guard{atMostIf(Const(0), x), atMostIf(w.add(x, Const(1)), w.size(l))})
	}
	if w.err != nil {
		return Tuple{}, nil, w.err
	}
	out, err := w.end(Layout{})
	return l.asCoordinate(v), out.Guard(), err
}

func (w *operation) value(shape, stride, at Tuple) Vector {
	if shape.kind() == isLeaf {
		for at.kind() == isTuple && len(at.elems()) == 1 {
			at = at.elems()[0]
		}
		x, ok := at.Int()
		if !ok {
			w.fail(&cute.Error{
				Code: cute.CodeNotCongruent, Op: w.op, Msg: fmt.Sprintf("expected an integer for the mode %s, found %s", shape, at),
			})
			return Vector{}
		}
		return w.scaleVector(stride.leaf(), x)
	}
	if at.kind() == isLeaf {
		if x, ok := at.Int(); ok && x.is(0) {
			return Vector{}
		}
		at = w.apart(at, shape)
	}
	if w.err != nil {
		return Vector{}
	}
	if len(at.elems()) != len(shape.elems()) {
		w.fail(&cute.Error{
			Code: cute.CodeNotCongruent, Op: w.op, Msg: fmt.Sprintf("expected %d coordinates for the shape %s, found %s",
				len(shape.elems()), shape, at),
		})
		return Vector{}
	}
	var sum Vector
	for i, e := range at.elems() {
		sum = w.addVectors(sum, w.value(shape.elems()[i], stride.elems()[i], e))
	}
	return sum
}

// apart splits an index into coordinates of a shape's modes; the last mode is unbounded.
func (w *operation) apart(at, shape Tuple) Tuple {
	x, ok := at.Int()
	if !ok {
		w.fail(&cute.Error{
			Code: cute.CodeNotCongruent, Op: w.op,
			Msg: fmt.Sprintf("expected an integer or a coordinate of the shape %s, found %s", shape, at),
		})
		return Tuple{}
	}
	out := make([]Tuple, len(shape.elems()))
	last := len(shape.elems()) - 1
	if last > 0 {
		w.require(atMostIf(Const(0), x))
	}
	for i, m := range shape.elems() {
		if i == last {
			out[i] = Number(x)
			break
		}
		size := w.product(m)
		out[i] = Number(w.mod(x, size))
		x = w.floorDiv(x, size)
	}
	return Nest(out...)
}

// asCoordinate returns a sum of steps along axes as a coordinate. The coordinate is 0 along axes that only other
// strides use.
func (l Layout) asCoordinate(v Vector) Tuple {
	if !l.HasAxes() {
		return Leaf(v)
	}
	var root Tuple
	for _, d := range l.Stride().leaves() {
		for _, p := range d.parts {
			place(&root, path(p.axis), Int{})
		}
	}
	for _, p := range v.parts {
		place(&root, path(p.axis), p.x)
	}
	return root
}

// place writes x at the path in t, whose nodes no other tuple shares.
func place(t *Tuple, path []int, x Int) {
	if len(path) == 0 {
		*t = Number(x)
		return
	}
	if len(t.elems()) == 0 {
		*t = Nest()
	}
	elems := &t.n.elems
	for len(*elems) <= path[0] {
		*elems = append(*elems, Number(Int{}))
	}
	place(&(*elems)[path[0]], path[1:], x)
}

// Crd2Idx returns the index of a coordinate of the shape. It returns the errors of [Layout.Eval], and
// [cute.CodeExtent].
func Crd2Idx(at, shape Tuple) (Tuple, Guard, error) {
	l, err := New(shape, shape)
	if err != nil {
		return Tuple{}, nil, err
	}
	w := begin("crd2idx", l)
	next := Const(1)
	// Modes of extent 1 count too: a coordinate may be beyond their extent.
	stride := shape.mapLeaves(func(v Vector) Vector {
		d := next
		x, _ := v.Int()
		next = w.mul(next, x)
		return Scalar(d)
	})
	if _, ok := at.Int(); ok {
		return at, w.guard, w.err // an index is itself
	}
	if w.err != nil {
		return Tuple{}, nil, w.err
	}
	return l.with(func(c *contents) { c.stride = stride }).Eval(at)
}

// Idx2Crd returns the coordinate of an index in the shape. It returns the errors of [Layout.Eval].
func Idx2Crd(at, shape Tuple) (Tuple, Guard, error) {
	if _, err := New(shape, shape); err != nil {
		return Tuple{}, nil, err
	}
	w := begin("idx2crd")
	t := w.coordinate(at, shape)
	out, err := w.end(Layout{})
	return t, out.Guard(), err
}

func (w *operation) coordinate(at, shape Tuple) Tuple {
	if shape.kind() == isLeaf || w.err != nil {
		return at
	}
	if at.kind() == isLeaf {
		at = w.apart(at, shape)
	}
	if len(at.elems()) != len(shape.elems()) {
		w.fail(&cute.Error{
			Code: cute.CodeNotCongruent, Op: w.op, Msg: fmt.Sprintf("expected %d coordinates for the shape %s, found %s",
				len(shape.elems()), shape, at),
		})
		return at
	}
	out := make([]Tuple, len(at.elems()))
	for i, e := range at.elems() {
		out[i] = w.coordinate(e, shape.elems()[i])
	}
	return Nest(out...)
}

// Slice returns the modes of l that the coordinate leaves open, and the offset of the fixed modes. It returns
// [cute.CodeNotCongruent] if the coordinate does not fit the shape.
func (l Layout) Slice(at Tuple) (Layout, Tuple, error) {
	w := begin("slice", l)
	kept, off := w.slice(l.Shape(), l.Stride(), at)
	if w.err != nil {
		return Layout{}, Tuple{}, w.err
	}
	var s Layout
	switch {
	case at.Open():
		s = l
	case len(kept) == 1 && at.kind() != isTuple:
		s = kept[0]
	default:
		s = nest(kept...)
	}
	s, err := w.end(s)
	return s, l.asCoordinate(off), err
}

func (w *operation) slice(shape, stride, at Tuple) (kept []Layout, off Vector) {
	switch {
	case at.Open():
		return []Layout{layoutOf(shape, stride)}, Vector{}
	case !at.HasOpen():
		return nil, w.value(shape, stride, at)
	case shape.kind() != isTuple || len(at.elems()) != len(shape.elems()):
		w.fail(&cute.Error{
			Code: cute.CodeNotCongruent, Op: w.op, Msg: fmt.Sprintf("the coordinate %s does not fit the shape %s", at, shape),
		})
		return nil, Vector{}
	}
	for i, e := range at.elems() {
		k, o := w.slice(shape.elems()[i], stride.elems()[i], e)
		kept, off = append(kept, k...), w.addVectors(off, o)
	}
	return kept, off
}

// Size returns the number of coordinates. It returns the errors of [Mul].
func (l Layout) Size() (Int, error) {
	w := begin("size", l)
	n := w.size(l)
	return n, w.err
}

// Cosize returns 1 + Σ (extent-1)·|stride| for strides that are integers. It returns [cute.CodeCodomain] for other
// strides.
func (l Layout) Cosize() (Int, error) {
	w := begin("cosize", l)
	sum := Const(1)
	for _, m := range l.modes() {
		d, ok := m.d.Int()
		if !ok {
			return Int{}, &cute.Error{
				Code: cute.CodeCodomain, Op: w.op,
				Msg: fmt.Sprintf("the strides of %s are coordinates: coshape has their extents", l),
			}
		}
		sum = w.add(sum, w.mul(w.sub(m.s, Const(1)), w.abs(d)))
	}
	return sum, w.err
}

// Product returns the product of the integers in t. It returns [cute.CodeType] for coordinates.
func (t Tuple) Product() (Int, error) {
	w := begin("product")
	p := w.product(t)
	return p, w.err
}
