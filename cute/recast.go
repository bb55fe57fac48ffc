package cute

import (
	"fmt"

	"girih/internal/ints"
)

// This file implements upcast, downcast and recast: the layout of the same memory in elements of another width
// (include/cute/layout.hpp, upcast, downcast, recast_layout).

// Upcast returns the layout in elements n times as wide: l(c)/n, in units of the wide element, where the coordinates of
// one wide element become one coordinate. A stride that is a multiple of n is divided by n. A mode of a smaller stride,
// which must divide n, loses the factor n/stride of its extent. A mode of extent 1 does not move: as in CuTe, its
// stride is divided if n divides it, and becomes 0 if neither divides the other.
//
// It returns [CodeNotDivisible] if n and the stride of a larger mode do not divide one another, if an extent is neither
// a multiple nor a divisor of the mode's steps in a wide element, or if several modes together overfill a wide element.
// It returns [CodeExtent] for n below 1. CuTe checks the strides only.
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

// An upcaster turns the leaves of l into the leaves of v, for elements n times as wide.
type upcaster struct {
	l      Layout
	n      int64
	v      []int64
	inside []int64 // the largest offset within a wide element, along each axis
}

// leaf rescales leaf i, and adds the leaf's largest offset within a wide element. It returns how many steps of the leaf
// one wide element holds, or 0 if neither the stride nor n divides the other.
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
			*d /= mag // keep the sign
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

// Downcast returns the layout in elements of 1/n of the width: the mode of stride 1 (or -1) has n times the extent, and
// the other modes have n times the stride.
//
// The parts of an element must be neighbours. So exactly one mode of extent above 1 must have the stride 1 or -1, or
// there must be no such mode but a mode 1:1. Otherwise it returns [CodeNotDivisible]. It returns [CodeExtent] for n
// below 1, [CodeCodomain] for coordinate strides and [CodeOverflow].
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

// unitStride returns the mode whose elements are neighbours, preferring an extent above 1, and the number of such
// modes; -1 and 0 if there is no such mode.
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

// Recast returns the layout of the same memory in elements of newBits instead of oldBits: [Upcast], [Downcast], or both
// if neither width divides the other. It returns their errors.
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

// A Rescale is what a recast does with one mode, for elements Factor times, or 1/Factor times, as wide. For wider
// elements, Fit steps of the mode are in one wide element. Fit is 0 if neither the stride nor the factor divides the
// other. Then, and if the extent is not a multiple or divisor of Fit, there is no result; CuTe checks the strides only.
type Rescale struct {
	Mode   Leaf
	Factor int64
	Fit    int64
	Into   Leaf // its extent is 0 if there is no result
}

// A Unit is the mode whose elements are neighbours, the only one that a downcast makes longer. It holds the mode's
// place among the leaves, or -1 if there is no such mode, and the number of such modes, which must be 1.
type Unit struct{ Leaf, Count int }

func (Rescale) derives() {}

func (Unit) derives() {}

// rescale records what happens to leaf i of l; if to is nil, there is no result.
func (t *trace) rescale(l Layout, to *Layout, i int, r Rescale) {
	r.Mode = t.leaf(l.extents()[i], l.stride(i))
	if to != nil {
		r.Into = t.leaf(to.extents()[i], to.stride(i))
	}
	t.add(r)
}

// The rest of this file recasts swizzles and composed layouts (include/cute/swizzle.hpp and swizzle_layout.hpp).

// Upcast returns the swizzle on offsets in elements n times as wide, n a power of two: M falls by log2 n, and bits
// below a wide element disappear. It returns [CodeNotDivisible] if n is not a power of two, or if the parts of a wide
// element would move apart, as they do if S is negative and the swizzle reads bits below the element.
func (w Swizzle) Upcast(n int64) (Swizzle, error) {
	if n < 1 || n&(n-1) != 0 {
		return Swizzle{}, errorf(CodeNotDivisible, "upcast", "a swizzle is recast by powers of two, found %d", n)
	}
	m, b := w.m, w.b
	if b > 0 && w.s < 0 && n>>min(m, 62) > 1 {
		return Swizzle{}, errorf(CodeNotDivisible, "upcast",
			"%v adds bits from within a wide element of %d to bits above it, which moves its parts apart", w, n)
	}
	for ; n > 1; n /= 2 {
		if m > 0 {
			m--
		} else if b > 0 {
			b--
		}
	}
	return NewSwizzle(b, m, w.s)
}

// Downcast returns the swizzle on offsets in elements of 1/n of the width, n a power of two: M grows by log2 n.
// It returns [CodeNotDivisible] if n is not a power of two, and [CodeSwizzle] if bits leave the range.
func (w Swizzle) Downcast(n int64) (Swizzle, error) {
	if n < 1 || n&(n-1) != 0 {
		return Swizzle{}, errorf(CodeNotDivisible, "downcast", "a swizzle is recast by powers of two, found %d", n)
	}
	m := w.m
	for ; n > 1; n /= 2 {
		m++
	}
	return NewSwizzle(w.b, m, w.s)
}

// Recast returns the chain with every part recast from elements of oldBits to elements of newBits: swizzles,
// offsets and layouts. It returns the errors of [Recast], [Swizzle.Upcast] and [Swizzle.Downcast], [CodeNotDivisible]
// if an offset is not on an element's boundary, and [CodeCodomain] for a coordinate as offset.
func (c Composed) Recast(oldBits, newBits int64) (Composed, error) {
	inner, err := Recast(c.inner(), oldBits, newBits)
	if err != nil {
		return Composed{}, err
	}
	g := ints.GCD(oldBits, newBits)
	up, down := newBits/g, oldBits/g
	out := make([]stage, len(c.stages()))
	taken := make([]span, len(c.stages()))
	if c.hasOuterLayout() {
		if taken, err = c.spans("recast_layout"); err != nil {
			return Composed{}, err
		}
	}
	for i, s := range c.stages() {
		if out[i], err = s.recast(up, down, taken[i]); err != nil {
			return Composed{}, err
		}
	}
	return composedOf(out, inner, c.stop()), nil
}

// hasOuterLayout reports whether a stage is a layout.
func (c Composed) hasOuterLayout() bool {
	for _, s := range c.stages() {
		if _, ok := s.outer.(Layout); ok {
			return true
		}
	}
	return false
}

// recast returns the stage for elements of another width; the arguments of its layout are in taken.
func (s stage) recast(up, down int64, taken span) (stage, error) {
	x, ok := s.offset.Int64()
	if !ok {
		return stage{}, errorf(CodeCodomain, "recast_layout", "coordinates have no width: offset %v", s.offset)
	}
	if x%up != 0 {
		return stage{}, errorf(CodeNotDivisible, "recast_layout",
			"the offset %d is not a multiple of %d, the boundary of a wide element", x, up)
	}
	x, ok = ints.Mul(x/up, down)
	if !ok {
		return stage{}, overflowError("recast_layout", "the offset %v times %d", s.offset, down)
	}
	r := stage{offset: Int(x)}
	switch f := s.outer.(type) {
	case Swizzle:
		w, err := f.Upcast(up)
		if err != nil {
			return stage{}, err
		}
		r.outer, err = w.Downcast(down)
		return r, err
	case Layout:
		l, err := recastOuter(f, up, down, taken)
		r.outer = l
		return r, err
	}
	return r, nil
}

// recastOuter recasts a layout whose argument, in the span taken, is an offset into the same memory. Both the index and
// the value change their unit. The recast is exact if the n narrow elements of wide element i have the values n·r(i) +
// 0, ..., n-1 of wide element r(i).
func recastOuter(l Layout, up, down int64, taken span) (Layout, error) {
	if up == 1 && down == 1 {
		return l, nil
	}
	r, err := Recast(l, down, up)
	if err != nil {
		return Layout{}, err
	}
	if taken.least < 0 {
		return Layout{}, errorf(CodeNegative, "recast_layout",
			"expected numbers of at least 0 for the outer layout %v, found %d", l, taken.least)
	}
	wide, narrow, n, last := r, l, up, taken.most/up
	if down > 1 {
		wide, narrow, n, last = l, r, down, taken.most
	}
	if up > 1 && down > 1 ||
		!narrow.inWide(wide, n, last+1) && !narrow.inWide(wide, n, max(last+1, ints.CeilDiv(narrow.Size(), n))) {
		return Layout{}, errorf(CodeNotDivisible, "recast_layout",
			"the outer layout %v does not keep the parts of a wide element together", l)
	}
	return r, nil
}

// inWide reports whether l(n·i + j) is one of n·w(i) + 0, ..., n-1 for i from 0 to count-1 and all j below n. It
// computes l(n·i + j) as l(n·i) + l(j), so it may report false if only a carry makes the values right.
func (l Layout) inWide(w Layout, n, count int64) bool {
	parts, err1 := Composition(l, Layout{v: []int64{n, count, 1, n}, prof: "(..)"})
	whole, err2 := Composition(Layout{v: []int64{1, n}, prof: "."}, w)
	if err1 != nil || err2 != nil {
		return false
	}
	modes := parts.Modes()
	if whole, err2 = Composition(whole, Layout{v: []int64{count, 1}, prof: "."}); err2 != nil {
		return false
	}
	terms, err := integerTerms("recast_layout", modes[0])
	if err != nil {
		return false
	}
	least, reach := extremes(modes[0], terms)
	same, _ := Equivalent(modes[1], whole)
	return same && least >= 0 && least+reach < n
}
