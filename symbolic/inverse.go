package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file implements the inverses. The right inverse R(k) is found by counting up the values 0, 1, 2, ... of A: the
// mode of stride 1 comes first, then the mode whose stride continues that mode, and so on.

// RightInverse returns R with a(R(k)) = k for all k below its size. R extends as far as strides are known to continue
// it, and the guard says that no other stride does. RightInverse returns [cute.CodeUnknown] for strides along
// coordinates, and if a stride without a name may continue an extent without one.
func RightInverse(a Layout) (Layout, error) {
	w := begin("right_inverse", a)
	ms := w.coalesceModes(a.modes())
	prefix := make([]Int, len(ms)) // the step of each mode in the index
	size := Const(1)
	for i, m := range ms {
		prefix[i] = size
		size = w.mul(size, m.s)
	}
	left := make([]int, 0, len(ms))
	for i, m := range ms {
		if !m.s.is(1) && !m.d.zero() {
			left = append(left, i)
		}
	}
	var out []mode
	var taken []int
	next := Const(1)
	starts := []Int{next}
	for {
		at := slices.IndexFunc(left, func(i int) bool {
			d, ok := ms[i].d.Int()
			return ok && d.Equal(next)
		})
		if at < 0 {
			break
		}
		i := left[at]
		taken = append(taken, i)
		out = append(out, mode{ms[i].s, Scalar(prefix[i])})
		next = w.mul(next, ms[i].s)
		starts = append(starts, next)
		left = slices.Delete(left, at, at+1)
	}
	w.otherwise(ms, taken, left, starts)
	for _, i := range left {
		d, ok := ms[i].d.Int()
		if !ok {
			w.fail(&cute.Error{
				Code: cute.CodeUnknown, Op: w.op,
				Msg: fmt.Sprintf("the right inverse of %s, along coordinates, needs known integers", a),
			})
			break
		}
		c := distinctIf(d, next)
		if c.decide() == unknown && !next.static() && (d.anonymous() || next.anonymous()) {
			w.refuse("whether the stride %s of %s continues the modes before it, %s = %s, is not known", d, a, d, next)
			break
		}
		w.require(c)
	}
	if len(out) == 0 {
		out = []mode{unit}
	}
	return w.end(group(w.trim(out)))
}

// otherwise requires that the modes left out do not change the modes taken, whose strides are starts. A mode left out
// must not have a stride in starts, and must not merge with the next mode if that mode was taken and continues it. Two
// modes taken have the same stride only if all modes between them have extent 1, which changes nothing.
func (w *operation) otherwise(ms []mode, taken, left []int, starts []Int) {
	for _, j := range left {
		d, ok := ms[j].d.Int()
		if !ok {
			continue // refused
		}
		for k, i := range taken {
			// Of two modes with equal strides the first in the layout is taken, unless its extent is 1 or the other
			// mode merges with the mode taken before.
			apart := distinctIf(d, starts[k])
			if one := k > 0 && i < taken[k-1] && taken[k-1] < j; j > i && !one {
				apart = or(atMostIf(Const(2), ms[i].s), apart)
			}
			w.require(apart)
			if j < i {
				w.require(distinctIf(w.mul(ms[j].s, d), starts[k]))
			}
		}
	}
}

// Inverse returns the inverse of a, a bijection onto 0, ..., size-1. It returns [cute.CodeUnknown] if a is not known to
// be a bijection.
func Inverse(a Layout) (Layout, error) {
	r, err := RightInverse(a)
	if err != nil {
		return Layout{}, err
	}
	w := begin("inverse", a)
	if !w.size(r).Equal(w.size(a)) {
		w.refuse("whether %s is a bijection onto 0, ..., size-1 is not known", a)
	}
	return w.end(r)
}

// LeftInverse returns R with R(a(i)) = i for all i below the size of a. The strides of a must chain, as in
// [cute.LeftInverse]: in sorted order, each stride is a multiple of the stride before and beyond the reach of that
// mode. Modes of stride 0 do not count. It returns [cute.CodeUnknown] if the order of the strides is not known, or if
// they are not known to chain.
func LeftInverse(a Layout) (Layout, error) {
	if r, err := Inverse(a); err == nil {
		return r, nil
	}
	w := begin("left_inverse", a)
	if a.HasAxes() {
		w.fail(&cute.Error{
			Code: cute.CodeUnknown, Op: w.op,
			Msg: fmt.Sprintf("the left inverse of %s, along coordinates, needs known integers", a),
		})
		return w.end(Layout{})
	}
	var out []mode
	last, before := link{s: Const(1), gap: Const(1)}, Const(0)
	links := w.ascending(a)
	for i, l := range links {
		ratio, ok := w.exact(l.gap, last.gap)
		if !ok {
			if divides(last.gap, l.gap) == no {
				w.refuse("the strides of %s do not chain, %s is no multiple of %s: its left inverse needs known integers", a,
					l.gap, last.gap)
				break
			}
			w.require(dividesIf(last.gap, l.gap))
			ratio = w.floorDiv(l.gap, last.gap)
		}
		w.require(atMostIf(Const(1), l.gap))
		w.require(atMostIf(last.s, ratio))
		if !ratio.is(1) {
			out = append(out, mode{ratio, Scalar(before)})
		}
		// If all numbers are known, modes of extent 1 are left out, and then values in the gap next to such a mode have
		// another inverse.
		filled := Same(l.gap, w.mul(last.gap, last.s))
		if i+1 < len(links) {
			filled = filled.And(Same(links[i+1].gap, w.mul(l.gap, l.s)))
		}
		w.unique = w.unique.And(Guard{{op: oneOf, alts: []Guard{{atMostIf(Const(2), l.s)}, filled}}})
		last, before = l, l.before
	}
	if !last.s.is(1) {
		out = append(out, mode{last.s, Scalar(before)})
	}
	if len(out) == 0 {
		out = []mode{unit}
	}
	return w.end(group(out))
}

// ascending returns the modes of a that count as links, smallest stride first: each with its extent, its stride, and
// the step of its elements in the index.
func (w *operation) ascending(a Layout) []link {
	var left, out []link
	index := Const(1)
	for _, m := range w.coalesceModes(a.modes()) {
		if d, _ := m.d.Int(); !m.s.is(1) && !d.is(0) {
			left = append(left, link{s: m.s, before: index, gap: d})
		}
		index = w.mul(index, m.s)
	}
	for len(left) > 0 {
		at := slices.IndexFunc(left, func(x link) bool {
			return !slices.ContainsFunc(left, func(y link) bool { return atMost(x.gap, y.gap) != yes })
		})
		if at < 0 {
			// Conditions will say that a known stride is the smallest; without known strides, that the first written
			// stride is.
			at = slices.IndexFunc(left, func(x link) bool {
				return !slices.ContainsFunc(left, func(y link) bool {
					return atMost(x.gap, y.gap) == no || (y.gap.static() && !x.gap.static() && atMost(y.gap, x.gap) != no)
				})
			})
		}
		at = max(at, 0)
		out = append(out, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return out
}

// size returns the product of the extents.
func (w *operation) size(a Layout) Int {
	size := Const(1)
	for _, m := range a.modes() {
		size = w.mul(size, m.s)
	}
	return size
}
