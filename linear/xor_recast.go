package linear

import (
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/f2"
)

// This file recasts layouts with F2 strides to elements of another width. An element n = 2^m times as wide holds the
// offsets that differ only in the lowest m bits. So a bit of a digit must move either within a wide element or by whole
// wide elements.

// Upcast returns the layout in elements n times as wide, as cute.Upcast does. A stride whose lowest bits are 0 loses
// these bits. A mode of stride 1, 2, ... below n loses the part of its extent that is inside a wide element. It returns
// [cute.CodeNotDivisible] if n is not a power of two, if a stride moves within a wide element and across elements at
// once, as in a swizzle that exchanges parts of an element, or if an extent is not a multiple of its part inside a wide
// element. It returns [cute.CodeExtent] for n below 1.
func (x XorLayout) Upcast(n int64) (XorLayout, error) {
	const op = "upcast"
	if err := recastable(op, n); err != nil {
		return XorLayout{}, err
	}
	low := f2.Vector(n - 1)
	m := low.Len()
	at := -1
	var bad error
	strides := make([]f2.Vector, len(x.strides()))
	shape := renumber(x.Shape(), func(s int64) int64 {
		at++
		d := x.strides()[at]
		within := 0
		for k := range bits.Len64(uint64(s - 1)) {
			switch y := d << k; {
			case y&low == 0:
			case y > low && bad == nil:
				bad = fail(cute.CodeNotDivisible, op,
					"the stride F2(%d) of %v moves by %d at digit %d: over wide elements of %d and within them at once", uint64(d), x,
					uint64(y), int64(1)<<k, n)
			default:
				within++
			}
		}
		fit := int64(1) << within
		if s%fit != 0 && bad == nil {
			bad = fail(cute.CodeNotDivisible, op,
				"the extent %d of %v at stride F2(%d) is not a multiple of %d, so the last wide element would be cut", s, x,
				uint64(d), fit)
		}
		strides[at] = d << within >> m
		return s / fit
	})
	if bad != nil {
		return XorLayout{}, bad
	}
	return NewXor(shape, strides...)
}

// Downcast returns the layout in elements of 1/n of the width, as cute.Downcast does: the extent of the mode of stride
// F2(1) grows n-fold, and so do the other strides. It returns [cute.CodeNotDivisible] if n is not a power of two, and
// unless exactly one mode of extent above 1 has stride F2(1), or no such mode does and there is a mode 1:F2(1). It
// returns [cute.CodeExtent] for n below 1, and the errors of [NewXor].
func (x XorLayout) Downcast(n int64) (XorLayout, error) {
	const op = "downcast"
	if err := recastable(op, n); err != nil || n == 1 {
		return x, err
	}
	unit, count := -1, 0
	for i, s := range x.Shape().Leaves() {
		if x.strides()[i] == 1 && (s > 1 || unit < 0) {
			unit = i
		}
		if x.strides()[i] == 1 && s > 1 {
			count++
		}
	}
	if unit < 0 || count > 1 {
		return XorLayout{}, &cute.Error{
			Code: cute.CodeNotDivisible, Op: op,
			Msg: fmt.Sprintf("expected one mode of stride F2(1) in %v, found %d: the %d parts of an element must be neighbours",
				x, count, n),
			Hint: "coalesce the layout, or downcast before the tile that breaks the run",
		}
	}
	strides := make([]f2.Vector, len(x.strides()))
	at, fits := -1, true
	shape := renumber(x.Shape(), func(s int64) int64 {
		if at++; at == unit {
			strides[at] = 1
			fits = fits && s <= (1<<MaxBits)/n
			return s * n
		}
		p, ok := times(x.strides()[at], f2.Vector(n))
		strides[at], fits = p, fits && ok
		return s
	})
	if !fits {
		return XorLayout{}, fail(cute.CodeOverflow, op, "expected offsets of at most %d bits, found more in %v times %d",
			MaxBits, x, n)
	}
	return NewXor(shape, strides...)
}

// Recast returns the layout for elements of newBits instead of oldBits: [XorLayout.Upcast], [XorLayout.Downcast], or
// both if neither width divides the other. It returns their errors.
func (x XorLayout) Recast(oldBits, newBits int64) (XorLayout, error) {
	if oldBits < 1 || newBits < 1 {
		return XorLayout{}, fail(cute.CodeExtent, "recast_layout", "element widths are at least 1 bit, found %d and %d",
			oldBits, newBits)
	}
	a, b := oldBits, newBits
	for b != 0 {
		a, b = b, a%b
	}
	wide, err := x.Upcast(newBits / a)
	if err != nil {
		return XorLayout{}, err
	}
	return wide.Downcast(oldBits / a)
}

func recastable(op string, n int64) error {
	if n < 1 {
		return fail(cute.CodeExtent, op, "the factor is at least 1, found %d", n)
	}
	if notPowerOfTwo(n) || n > 1<<MaxBits {
		return fail(cute.CodeNotDivisible, op,
			"F2 strides are bits of offsets: expected a factor that is a power of two, found %d", n)
	}
	return nil
}
