package cute

import (
	"girih/internal/ints"
)

// This file recasts swizzles and composed layouts (include/cute/swizzle.hpp and swizzle_layout.hpp).

// Upcast returns the swizzle on offsets in elements n times as wide, n a power of two: M falls by log2 n, and
// bits below a wide element are lost. It returns [CodeNotDivisible] if n is not a power of two, or if the parts of a
// wide element would move apart, as they do where S is negative and reads bits below it.
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
	inner, err := Recast(c.inner, oldBits, newBits)
	if err != nil {
		return Composed{}, err
	}
	g := ints.GCD(oldBits, newBits)
	up, down := newBits/g, oldBits/g
	out := Composed{inner: inner, stages: make([]stage, len(c.stages)), stop: c.stop}
	taken := make([]span, len(c.stages))
	if c.hasOuterLayout() {
		if taken, err = c.spans("recast_layout"); err != nil {
			return Composed{}, err
		}
	}
	for i, s := range c.stages {
		if out.stages[i], err = s.recast(up, down, taken[i]); err != nil {
			return Composed{}, err
		}
	}
	return out, nil
}

// hasOuterLayout reports whether a stage is a layout.
func (c Composed) hasOuterLayout() bool {
	for _, s := range c.stages {
		if _, ok := s.outer.(Layout); ok {
			return true
		}
	}
	return false
}

// recast returns the stage for elements of another width. A layout is applied to the numbers of taken.
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

// recastOuter recasts a layout whose argument, of taken, is an offset of the same memory: both its index and its value
// change their unit. That is exact where the n narrow elements of the wide element i have values in the wide element
// r(i): n·r(i) + 0, ..., n-1.
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

// inWide reports whether l(n·i + j) is one of n·w(i) + 0, ..., n-1 for the count numbers i from 0 and all j below n: as
// the sum of l(j) and l(n·i), so that it may say no where a carry happens to lead there.
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
