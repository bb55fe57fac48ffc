package symbolic

import (
	"fmt"
	"slices"

	"girih"
)

// This file implements the inverses. R(k) is found by counting up the values 0, 1, 2, ... of A: the mode with the stride 1
// comes first, then the one whose stride continues it, and so on.

// RightInverse returns R with a(R(k)) = k for all k below its size. It is as long as the strides that are known to
// continue allow, and the guard says when no other one does: where that cannot be a guard it returns [girih.CodeUnknown].
func RightInverse(a Layout) (Layout, error) {
	w := begin("right_inverse", a)
	ms := w.coalesced(a.modes())
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
	next, before := Const(1), -1
	for {
		at := slices.IndexFunc(left, func(i int) bool {
			d, ok := ms[i].d.Int()
			return ok && d.Equal(next)
		})
		if at < 0 {
			break
		}
		i := left[at]
		if i > 0 && before != i-1 {
			// A mode that continues the one before it in the layout is one with it, and counts from there.
			if d, ok := ms[i-1].d.Int(); ok {
				w.require(distinctIf(w.mul(ms[i-1].s, d), next))
			}
		}
		before = i
		out = append(out, mode{ms[i].s, Scalar(prefix[i])})
		next = w.mul(next, ms[i].s)
		left = slices.Delete(left, at, at+1)
	}
	for _, i := range left {
		d, ok := ms[i].d.Int()
		if !ok {
			w.fail(&girih.Error{Code: girih.CodeUnknown, Op: w.op, Msg: fmt.Sprintf("the right inverse of %s, along coordinates, needs known integers", a)})
			break
		}
		c := distinctIf(d, next)
		if c.decide() == unknown && !next.static() {
			w.refuse("whether the stride %s of %s continues the modes before it, %s = %s, is not known", d, a, d, next)
			break
		}
		w.require(c)
	}
	if len(out) == 0 {
		out = []mode{unit}
	}
	return w.end(group(w.trimmed(out)))
}

// Inverse returns the inverse of a, a bijection onto 0, ..., size-1. It returns [girih.CodeUnknown] if it is not known
// to be one.
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

// LeftInverse returns R with R(a(i)) = i for all i below the size of a. It returns [girih.CodeUnknown] unless a is known to
// be a bijection onto 0, ..., size-1, whose left inverse is its inverse.
func LeftInverse(a Layout) (Layout, error) {
	r, err := RightInverse(a)
	w := begin("left_inverse", a)
	if err != nil || !w.size(r).Equal(w.size(a)) {
		w.refuse("the left inverse of %s needs known integers, unless its strides are known to chain", a)
	}
	return w.end(r)
}

// size returns the product of the extents.
func (w *work) size(a Layout) Int {
	size := Const(1)
	for _, m := range a.modes() {
		size = w.mul(size, m.s)
	}
	return size
}
