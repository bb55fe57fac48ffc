package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file finds what two layouts, or two shapes, have in common.

// MaxCommonLayout returns the largest layout r of indices on which a and b both count up from 0, as
// [cute.MaxCommonLayout] does. The guard says that a and b do not continue counting beyond r, and that r stays inside
// a. MaxCommonLayout returns [cute.CodeUnknown] if that is not known, [cute.CodeCodomain] for coordinate strides, and
// the errors of [RightInverse] and [Composition].
func MaxCommonLayout(a, b Layout) (Layout, error) {
	w := begin("max_common_layout", a, b)
	if a.HasAxes() || b.HasAxes() {
		w.fail(&cute.Error{
			Code: cute.CodeCodomain, Op: w.op, Msg: fmt.Sprintf("coordinates are not counted: %s and %s", a, b),
		})
		return w.end(Layout{})
	}
	r, err := RightInverse(b)
	if err != nil {
		return Layout{}, err
	}
	for _, c := range r.Guard().Inherited() {
		w.require(c)
	}
	r = w.inside(r, a)
	if w.err != nil {
		return w.end(Layout{})
	}
	n := w.counts(w.compose(a, r))
	// The modes of r, as far as they make up the n indices.
	var out []mode
	size := Const(1)
	for _, m := range r.modes() {
		next := w.mul(size, m.s)
		whole := atMostIf(next, n).decide()
		if whole == no {
			if part := w.floorDiv(n, size); !part.is(1) {
				out = append(out, mode{part, m.d})
			}
			break
		}
		if whole == unknown {
			w.refuse("whether all %s indices of %s count in %s, or %s of them, is not known", next, r, a, n)
			break
		}
		out, size = append(out, m), next
	}
	if len(out) == 0 {
		out = []mode{unit}
	}
	return w.end(group(w.trim(out)))
}

// inside returns the first modes of r that stay within the indices of a, cutting the last mode. Unknown relations
// become conditions.
func (w *operation) inside(r, a Layout) Layout {
	size := w.size(a)
	var out []mode
	reach := Const(1) // one beyond the greatest index
	for _, m := range r.modes() {
		d, _ := m.d.Int()
		next := w.add(reach, w.mul(w.sub(m.s, Const(1)), d))
		c := atMostIf(next, size)
		if c.decide() == no {
			if steps := w.add(Const(1), w.floorDiv(w.sub(size, reach), d)); !steps.is(1) {
				out = append(out, mode{steps, m.d})
			}
			break
		}
		w.require(c)
		out, reach = append(out, m), next
	}
	if len(out) == 0 {
		out = []mode{unit}
	}
	return group(out)
}

// counts returns the number of indices, from 0 on, that l maps to themselves.
func (w *operation) counts(l Layout) Int {
	ms := w.coalesceModes(l.modes())
	n := Const(1)
	if d, _ := ms[0].d.Int(); d.is(1) {
		n, ms = ms[0].s, ms[1:]
	}
	// The next mode of extent above 1 must not continue the count.
	var before []Guard
	for _, m := range ms {
		if m.s.is(1) {
			continue
		}
		if d, ok := m.d.Int(); ok {
			w.require(Condition{op: oneOf, alts: append(slices.Clip(before), Guard{distinctIf(d, n)})})
		}
		before = append(before, Guard{atMostIf(Const(2), m.s)})
		if atMost(Const(2), m.s) == yes {
			break
		}
	}
	return n
}

// CommonRefinement returns the coarsest flat shape that both shapes can be cut into, as [cute.CommonRefinement] does.
// If the sizes differ, the result has the larger size. Extents that are 1 for some values stay. The guard says that a
// known extent divides the extents that it cuts. CommonRefinement returns [cute.CodeUnknown] if it is not known which
// of two extents divides the other, and [cute.CodeNotDivisible].
func CommonRefinement(a, b Tuple) (Tuple, Guard, error) {
	w := begin("common_refinement")
	for _, t := range []Tuple{a, b} {
		l, err := New(t, t)
		if err != nil {
			return Tuple{}, nil, err
		}
		w.guard = w.guard.And(l.Guard())
	}
	l, err := w.end(group(w.refine(a, b)))
	return l.Shape(), l.Guard(), err
}

// refine returns the extents of the common refinement of two shapes, as modes. In each step it compares the first
// remaining extents of both shapes: the smaller becomes an extent of the result, and their quotient remains.
func (w *operation) refine(a, b Tuple) []mode {
	x, y := extentsOf(a), extentsOf(b)
	var out []mode
	for len(x) > 0 && len(y) > 0 && w.err == nil {
		switch s, t := x[0], y[0]; {
		case s.is(1):
			x = x[1:]
		case t.is(1):
			y = y[1:]
		case s.Equal(t):
			out, x, y = append(out, mode{s: s}), x[1:], y[1:]
		case w.cuts(s, t):
			out, x, y[0] = append(out, mode{s: s}), x[1:], w.quotient(t, s)
		case w.cuts(t, s):
			out, x[0], y = append(out, mode{s: t}), w.quotient(s, t), y[1:]
		case divides(s, t) == no && divides(t, s) == no:
			w.fail(&cute.Error{
				Code: cute.CodeNotDivisible, Op: w.op,
				Msg: fmt.Sprintf("%s and %s have no common refinement: neither of %s and %s divides the other", a, b, s, t),
			})
		default:
			w.refuse("%s and %s: which of %s and %s divides the other is not known", a, b, s, t)
		}
	}
	for _, rest := range append(x, y...) {
		if !rest.is(1) {
			out = append(out, mode{s: rest})
		}
	}
	if len(out) == 0 {
		out = []mode{{s: Const(1)}}
	}
	return out
}

func extentsOf(t Tuple) []Int {
	var out []Int
	for _, v := range t.leaves() {
		x, _ := v.Int()
		out = append(out, x)
	}
	return out
}

// cuts reports whether t is cut into parts of size s: s divides t, or s is known and t is unknown, so that s must
// divide t.
func (w *operation) cuts(s, t Int) bool {
	if divides(s, t) == yes {
		return true
	}
	return s.static() && !t.static() && divides(s, t) == unknown && atMost(t, s) != yes
}

// quotient returns x/y on the condition that y divides x.
func (w *operation) quotient(x, y Int) Int {
	if q, ok := w.exact(x, y); ok {
		return q
	}
	w.require(dividesIf(y, x))
	return w.floorDiv(x, y)
}

// CompatibleIf returns the condition under which every coordinate of the shape a is a coordinate of the shape b, as
// [cute.Compatible] reports; ok is false if the nesting alone rules it out. It returns [cute.CodeOverflow].
func CompatibleIf(a, b Tuple) (g Guard, ok bool, err error) {
	w := begin("compatible")
	ok = w.compatible(a, b)
	if w.err != nil {
		return nil, false, w.err
	}
	g, holds := w.guard.simplify()
	return g, ok && holds, nil
}

func (w *operation) compatible(a, b Tuple) bool {
	if x, leaf := a.Int(); leaf {
		w.require(Condition{op: isEqual, a: x, b: w.product(b)})
		return true
	}
	if a.kind() != isTuple || b.kind() != isTuple || len(a.elems()) != len(b.elems()) {
		return false
	}
	for i := range a.elems() {
		if !w.compatible(a.elems()[i], b.elems()[i]) {
			return false
		}
	}
	return true
}
