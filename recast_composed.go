package girih

import (
	"fmt"

	"girih/internal/ints"
)

// This file recasts swizzles and composed layouts (include/cute/swizzle.hpp and swizzle_layout.hpp).

// Upcast returns the swizzle on offsets in elements n times as wide, n a power of two: M falls by log2 n, and
// bits below a wide element are lost. It returns [CodeNotDivisible] if n is not a power of two, or if the parts of a
// wide element would move apart, as they do where S is negative and reads bits below it.
func (w Swizzle) Upcast(n int64) (Swizzle, error) {
	if n < 1 || n&(n-1) != 0 {
		return Swizzle{}, &Error{Code: CodeNotDivisible, Op: "upcast", Msg: fmt.Sprintf("a swizzle is recast by powers of two, found %d", n)}
	}
	m, b := w.m, w.b
	if b > 0 && w.s < 0 && n>>min(m, 62) > 1 {
		return Swizzle{}, &Error{
			Code: CodeNotDivisible, Op: "upcast",
			Msg: fmt.Sprintf("%v adds bits from within a wide element of %d to bits above it, which moves its parts apart", w, n),
		}
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
		return Swizzle{}, &Error{Code: CodeNotDivisible, Op: "downcast", Msg: fmt.Sprintf("a swizzle is recast by powers of two, found %d", n)}
	}
	m := w.m
	for ; n > 1; n /= 2 {
		m++
	}
	return NewSwizzle(w.b, m, w.s)
}

// Recast returns the chain with every part recast from elements of oldBits to elements of newBits: swizzles,
// offsets and layouts. It returns the errors of [Recast], [Swizzle.Upcast] and [Swizzle.Downcast], [CodeNotDivisible] if
// an offset is not on an element's boundary, and [CodeCodomain] for a coordinate as offset.
func (c Composed) Recast(oldBits, newBits int64) (Composed, error) {
	inner, err := Recast(c.inner, oldBits, newBits)
	if err != nil {
		return Composed{}, err
	}
	g := ints.GCD(oldBits, newBits)
	up, down := newBits/g, oldBits/g
	out := Composed{inner: inner, stages: make([]stage, len(c.stages))}
	for i, s := range c.stages {
		if out.stages[i], err = s.recast(up, down); err != nil {
			return Composed{}, err
		}
	}
	return out, nil
}

func (s stage) recast(up, down int64) (stage, error) {
	x, ok := s.offset.Int64()
	if !ok {
		return stage{}, &Error{Code: CodeCodomain, Op: "recast_layout", Msg: fmt.Sprintf("coordinates have no width: offset %v", s.offset)}
	}
	if x%up != 0 {
		return stage{}, &Error{Code: CodeNotDivisible, Op: "recast_layout", Msg: fmt.Sprintf("the offset %d is not a multiple of %d, the boundary of a wide element", x, up)}
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
		l, err := recastOuter(f, up, down)
		r.outer = l
		return r, err
	}
	return r, nil
}

// recastOuter recasts a layout whose argument is an offset of the same memory: both its index and its value
// change their unit, which is exact only where index up·i has the value up·r(i).
func recastOuter(l Layout, up, down int64) (Layout, error) {
	r, err := Recast(l, down, up)
	if err != nil {
		return Layout{}, err
	}
	wide, narrow, n := r, l, up
	if down > 1 {
		wide, narrow, n = l, r, down
	}
	every, err := Composition(narrow, Layout{v: []int64{wide.Size(), n}, prof: "."})
	if err != nil {
		return Layout{}, err
	}
	scaled, err := Composition(Layout{v: []int64{1, n}, prof: "."}, wide)
	if err != nil {
		return Layout{}, err
	}
	if same, _ := Equivalent(every, scaled); !same || (up > 1 && down > 1) {
		return Layout{}, &Error{
			Code: CodeNotDivisible, Op: "recast_layout",
			Msg: fmt.Sprintf("the outer layout %v does not keep the parts of a wide element together", l),
		}
	}
	return r, nil
}
