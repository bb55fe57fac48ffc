package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file puts values in the place of some symbols.

// With returns the tuple with the given values in the place of symbols. It returns the errors of [Int.At].
func (t Tuple) With(at Values) (Tuple, error) {
	var c calc
	out := t.mapLeaves(func(v Vector) Vector {
		out := Vector{}
		for _, p := range v.parts {
			if x := c.with(p.x, at); !x.is(0) {
				out.parts = append(out.parts, component{p.axis, x})
			}
		}
		return out
	})
	return out, c.err
}

// With returns the guard with the given values in the place of symbols. It returns [cute.CodeFact] if the guard is
// violated, and the errors of [Int.At].
func (g Guard) With(at Values) (Guard, error) {
	var c calc
	h := g.substitute(&c, at)
	if c.err != nil {
		return nil, c.err
	}
	out, ok := h.simplify()
	if !ok {
		return nil, guardError(g)
	}
	return out, nil
}

func (g Guard) substitute(c *calc, at Values) Guard {
	out := make(Guard, len(g))
	for i, x := range g {
		out[i] = Condition{op: x.op, a: c.with(x.a, at), b: c.with(x.b, at), strength: x.strength}
		for _, a := range x.alts {
			out[i].alts = append(out[i].alts, a.substitute(c, at))
		}
	}
	return out
}

// With returns the layout with the given values in the place of symbols. It returns [cute.CodeFact] if its guard is
// violated, [cute.CodeExtent], and the errors of [Int.At].
func (l Layout) With(at Values) (Layout, error) {
	guard, err := l.Guard().With(at)
	if err != nil {
		return Layout{}, err
	}
	shape, err := l.Shape().With(at)
	if err != nil {
		return Layout{}, err
	}
	stride, err := l.Stride().With(at)
	if err != nil {
		return Layout{}, err
	}
	from := l.contents()
	out := contents{shape: shape, stride: stride, guard: guard, composed: from.composed, computed: from.computed}
	for _, v := range shape.leaves() {
		// The remaining symbols keep their facts: with other values of the replaced symbols they need not be extents.
		x, _ := v.Int()
		c := atMostIf(Const(1), x)
		if c.decide() == no {
			return Layout{}, &cute.Error{Code: cute.CodeExtent, Msg: fmt.Sprintf("an extent is at least 1, found %s", x)}
		}
		out.guard = out.guard.And(Guard{c})
	}
	return Layout{&out}, nil
}

// Make returns the layout whose modes are the given layouts: their concatenation. It returns [cute.CodeCodomain].
func Make(ls ...Layout) (Layout, error) {
	w := begin("make_layout", ls...)
	l := nest(ls...)
	if _, err := New(l.Shape(), l.Stride()); err != nil {
		return Layout{}, err
	}
	return w.end(l)
}

// Ordered returns the compact layout of the shape whose strides grow in the given order of the leaves. It returns
// [cute.CodeRank] unless there is one number for each leaf, [cute.CodeExtent] and [cute.CodeOverflow].
func Ordered(shape Tuple, order []int64) (Layout, error) {
	w := begin("make_ordered_layout")
	if len(order) != len(shape.leaves()) {
		return Layout{}, &cute.Error{
			Code: cute.CodeRank, Op: w.op, Msg: "expected an order with one number for each leaf of " + shape.String(),
		}
	}
	l, err := New(shape, w.orderStrides(shape, order))
	if err != nil {
		return Layout{}, err
	}
	w.guard = w.guard.And(l.Guard())
	return w.end(l)
}

// LayoutLeft returns the compact column-major layout of the shape. It returns the errors of [Ordered].
func LayoutLeft(shape Tuple) (Layout, error) { return Ordered(shape, ascending(len(shape.leaves()))) }

// LayoutRight returns the compact row-major layout of the shape. It returns the errors of [Ordered].
func LayoutRight(shape Tuple) (Layout, error) {
	order := ascending(len(shape.leaves()))
	slices.Reverse(order)
	return Ordered(shape, order)
}

// ascending returns 0, 1, ..., n-1.
func ascending(n int) []int64 {
	order := make([]int64, n)
	for i := range order {
		order[i] = int64(i)
	}
	return order
}

// Identity returns the layout that maps each coordinate of the shape to itself. It returns [cute.CodeExtent].
func Identity(shape Tuple) (Layout, error) {
	var walk func(t Tuple, path []int) Tuple
	walk = func(t Tuple, path []int) Tuple {
		if t.kind() != isTuple {
			return Leaf(OnAxis(Const(1), path...))
		}
		out := make([]Tuple, len(t.elems()))
		for i, e := range t.elems() {
			out[i] = walk(e, append(path[:len(path):len(path)], i))
		}
		return Nest(out...)
	}
	return New(shape, walk(shape, nil))
}
