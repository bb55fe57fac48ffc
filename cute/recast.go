package cute

import (
	"fmt"

	"girih/internal/ints"
)

// This file implements upcast, downcast and recast: the layout of the same memory seen with elements of
// another width (include/cute/layout.hpp, upcast, downcast, recast_layout).

// Upcast returns the layout in elements n times as wide: l(c)/n, in units of the wide element, with the
// coordinates that fall into one wide element made one. A stride that is a multiple of n is divided by it; a mode of a
// smaller stride, which must divide n, loses the factor n/stride of its extent. A mode of extent 1 does not move: its
// stride is divided where n divides it, as in CuTe, and is 0 where neither divides the other.
//
// It returns [CodeNotDivisible] if neither of n and some stride of a larger mode divides the other, if an extent is not
// a multiple (or a divisor) of what falls into one wide element, or if several modes together overfill one; and
// [CodeExtent] for n below 1. CuTe checks the strides only.
func Upcast(l Layout, n int64) (Layout, error) { return upcast(l, n, nil) }

func upcast(l Layout, n int64, t *trace) (Layout, error) {
	const op = "upcast"
	if err := checkFactor(op, n); err != nil {
		return Layout{}, err
	}
	u := upcaster{l, n, append([]int64(nil), l.v...), make([]int64, l.cod.axes())}
	v := u.v
	var refused error
	for i := range l.leaves() {
		fit, err := u.leaf(i)
		if t != nil {
			to := &Layout{v: v, prof: l.prof, cod: l.cod}
			if err != nil {
				to = nil
			}
			t.rescale(l, to, i, Rescale{Factor: n, Fit: fit})
		}
		if refused == nil {
			refused = err
		}
		if refused != nil && t == nil {
			return Layout{}, refused
		}
	}
	if refused != nil {
		return Layout{}, refused
	}
	for _, x := range u.inside {
		if x >= n {
			return Layout{}, errorf(CodeNotDivisible, op,
				"the small strides of %v reach offset %d inside a wide element of %d: their sum carries into the next one", l, x, n)
		}
	}
	return finish(op, v, l.profile(), l.cod)
}

// An upcaster turns the leaves of l into those of v, for elements n times as wide.
type upcaster struct {
	l      Layout
	n      int64
	v      []int64
	inside []int64 // the largest offset within a wide element, along each axis
}

// leaf changes leaf i, and adds the largest offset that it has within a wide element. It returns how many steps of the
// leaf one wide element holds, 0 if neither of the stride and n divides the other.
func (u upcaster) leaf(i int) (fit int64, err error) {
	const op = "upcast"
	l, v, n, inside := u.l, u.v, u.n, u.inside
	k, leaves := len(inside), l.leaves()
	for a := range k {
		d := &v[leaves+i*k+a]
		mag := max(*d, -*d)
		here := int64(1)
		switch {
		case mag == 0:
			continue
		case mag%n == 0:
			*d /= n
		case n%mag == 0:
			here = n / mag
			inside[a] += (min(v[i], n/mag) - 1) * mag
			*d /= mag // the sign
		case v[i] == 1:
			clear(v[leaves+i*k : leaves+i*k+k])
		default:
			return 0, errorf(CodeNotDivisible, op, "neither of the stride %d of %v and %d divides the other", *d, l, n)
		}
		if fit != 0 && fit != here && v[i] > 1 {
			return fit, errorf(CodeNotDivisible, op,
				"the stride %s of %v enters a wide element along one axis and leaves it along another",
				appendVector(nil, l.stride(i), l.cod), l)
		}
		fit = here
	}
	fit = max(fit, 1)
	if v[i]%fit != 0 && fit%v[i] != 0 {
		return fit, errorf(CodeNotDivisible, op,
			"the extent %d of %v at stride %s is not a multiple of %d, so the last wide element would be cut",
			v[i], l, appendVector(nil, l.stride(i), l.cod), fit)
	}
	v[i] = ints.CeilDiv(v[i], fit)
	return fit, nil
}

// Downcast returns the layout in elements of 1/n of the width: the mode of stride 1 (or -1) gets n times the
// extent, the other strides n times the length.
//
// It returns [CodeNotDivisible] unless exactly one mode of extent above 1 has stride 1 or -1, or none has and
// a mode 1:1 is there, since the parts of an element must be neighbours; [CodeExtent] for n below 1,
// [CodeCodomain] for coordinate strides and [CodeOverflow].
func Downcast(l Layout, n int64) (Layout, error) { return downcast(l, n, nil) }

func downcast(l Layout, n int64, t *trace) (Layout, error) {
	const op = "downcast"
	if err := checkFactor(op, n); err != nil {
		return Layout{}, err
	}
	if l.cod != nil {
		return Layout{}, errorf(CodeCodomain, op, "coordinates have no smaller elements: %v", l)
	}
	if n == 1 {
		return l, nil
	}
	at, count := unitStride(l)
	if t != nil {
		t.add(Unit{at, count})
	}
	if at < 0 || count > 1 {
		return Layout{}, &Error{
			Code: CodeNotDivisible, Op: op,
			Msg: fmt.Sprintf("expected one mode of stride 1 in %v, found %d: the %d parts of an element must be neighbours",
				l, count, n),
			Hint: "coalesce the layout, or downcast before the tile that breaks the run",
		}
	}
	v := append([]int64(nil), l.v...)
	leaves, ok := l.leaves(), true
	for i := range leaves {
		var o bool
		if i == at {
			v[i], o = ints.Mul(v[i], n)
		} else {
			v[leaves+i], o = ints.Mul(v[leaves+i], n)
		}
		if ok = ok && o; ok && t != nil {
			t.rescale(l, &Layout{v: v, prof: l.prof}, i, Rescale{Factor: n, Fit: 1})
		}
	}
	if !ok {
		return Layout{}, overflowError(op, "the strides of %v times %d", l, n)
	}
	return finish(op, v, l.profile(), nil)
}

// unitStride returns the mode whose elements are neighbours, preferring one of extent above 1, and the number
// of those; -1 and 0 if there is none.
func unitStride(l Layout) (at, count int) {
	at = -1
	single := -1
	n := l.leaves()
	for i := range n {
		if d := l.v[n+i]; d != 1 && d != -1 {
			continue
		}
		if l.v[i] == 1 {
			if single < 0 {
				single = i
			}
			continue
		}
		at = i
		count++
	}
	if at < 0 && single >= 0 {
		return single, 1
	}
	return at, count
}

// Recast returns the layout of memory seen with elements of newBits instead of oldBits: [Upcast],
// [Downcast], or both when neither width divides the other. It returns their errors.
func Recast(l Layout, oldBits, newBits int64) (Layout, error) {
	return recast(l, oldBits, newBits, nil)
}

func recast(l Layout, oldBits, newBits int64, t *trace) (Layout, error) {
	const op = "recast_layout"
	if oldBits < 1 || newBits < 1 {
		return Layout{}, errorf(CodeExtent, op, "element widths are at least 1 bit, found %d and %d", oldBits, newBits)
	}
	g := ints.GCD(oldBits, newBits)
	up, down := newBits/g, oldBits/g
	if t != nil {
		t.begin("upcast", l, Int(up))
	}
	wide, err := upcast(l, up, t.over(l.cod))
	if err != nil {
		return Layout{}, err
	}
	if t.end(wide); t != nil {
		t.begin("downcast", wide, Int(down))
	}
	r, err := downcast(wide, down, t.over(wide.cod))
	if err == nil {
		t.end(r)
	}
	return r, err
}

func checkFactor(op string, n int64) error {
	if n < 1 {
		return errorf(CodeExtent, op, "the factor is at least 1, found %d", n)
	}
	return nil
}
