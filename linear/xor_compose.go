package linear

import (
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/internal/ints"
)

// This file composes layouts with F2 strides, c -> x(b(c)), and divides them: a divide is x o (tile, rests), as for
// other layouts.

// Composition returns x o b, with the shape of b; a leaf is split if it needs several strides. The values of b are
// indices or coordinates of x, which is unbounded in its last mode, as in cute.Composition. The result is exact for all
// extents. If adding the indices of b's leaves does not carry in x, the composition is found leaf by leaf for any size,
// and otherwise from all values.
//
// It returns [cute.CodeNotRepresentable] if no layout with F2 strides is the composition, with the first coordinate at
// which every such layout fails, [cute.CodeNegative] for a negative index, [cute.CodeOverflow], [cute.CodeNotCongruent]
// for coordinates of another nesting, and [cute.CodeLimit] if more than [cute.EnumLimit] values would decide.
func (x XorLayout) Composition(b cute.Layout) (XorLayout, error) {
	f := xorFit{op: "composition", text: x.String() + " o " +
		b.String(), shape: b.Shape(), at: func(i int64) (int64, error) {
		c, err := b.Eval(cute.Int(i))
		if err != nil {
			return 0, err
		}
		return x.Eval(fillCoord(c, x.Shape()))
	}}
	f.linear = x.carriesNothing(b)
	if !f.linear && !b.HasBasis() && b.Size() <= cute.EnumLimit {
		table, err := b.AppendOffsets(nil)
		if err != nil {
			return XorLayout{}, err
		}
		f.at = func(i int64) (int64, error) { return x.Eval(cute.Int(table[i])) }
	}
	f.at = ints.Asking(x.stop(), f.at)
	return f.fit()
}

// fillCoord returns a coordinate of the shape with 0 for missing modes: the values of a layout lack the last axes if it
// does not move along them.
func fillCoord(c, shape cute.Tuple) cute.Tuple {
	if c.IsInt() {
		return c
	}
	if shape.IsInt() {
		if c.Rank() == 1 {
			return fillCoord(c.Modes()[0], shape) // a tile divides an integer shape as its only mode
		}
		return c
	}
	elems, modes := c.Modes(), shape.Modes()
	for i := range modes {
		if i == len(elems) {
			elems = append(elems, cute.Int(0))
		}
		elems[i] = fillCoord(elems[i], modes[i])
	}
	out, err := cute.MakeTuple(elems...)
	if err != nil {
		return c
	}
	return out
}

// carriesNothing reports whether the values of b at the bits of its digits are coordinates of x that share no bits and
// stay below the extents: then the sum of these coordinates is their exclusive or, digit by digit.
func (x XorLayout) carriesNothing(b cute.Layout) bool {
	extents := x.Shape().Leaves()
	seen := make([]int64, len(extents))
	step := int64(1)
	for _, s := range b.Shape().Leaves() {
		for k := range bits.Len64(uint64(s - 1)) {
			c, err := b.Eval(cute.Int(step << k))
			if err != nil {
				return false
			}
			at, err := cute.Idx2Crd(fillCoord(c, x.Shape()), x.Shape())
			if err != nil {
				return false
			}
			for i, d := range at.Leaves() {
				if d < 0 || seen[i]&d != 0 {
					return false
				}
				if seen[i] |= d; seen[i] >= extents[i] && i < len(extents)-1 {
					return false
				}
			}
		}
		step *= s
	}
	return true
}

// CompositionBy returns the composition of x with a tiler. With a layout, or an integer n, which is n:1, it is
// [XorLayout.Composition]. With a tile or a shape it composes mode by mode, and drops the modes of x beyond the tile.
// With cute.Keep it is x itself. It returns [cute.CodeRank] if the tile has more modes than x, and the errors of
// Composition.
func (x XorLayout) CompositionBy(t cute.Tiler) (XorLayout, error) {
	if t == cute.Keep {
		return x, nil
	}
	ts, b, err := tilers("composition", t)
	if err != nil {
		return XorLayout{}, err
	}
	if ts == nil {
		return x.Composition(b)
	}
	return x.eachMode("composition", ts, XorLayout.CompositionBy)
}

// tilers returns the tilers of the modes, or the layout that t is.
func tilers(op string, t cute.Tiler) ([]cute.Tiler, cute.Layout, error) {
	switch t := t.(type) {
	case cute.Layout:
		return nil, t, nil
	case cute.Tile:
		return append([]cute.Tiler{}, t.Modes()...), cute.Layout{}, nil
	case cute.Tuple:
		if t.HasBasis() {
			return nil, cute.Layout{}, fail(cute.CodeCodomain, op,
				"a tiler is a layout, a shape, a tile or _, found the coordinate %v", t)
		}
		if t.IsInt() {
			l, err := cute.New(t, cute.Int(1))
			return nil, l, err
		}
		ts := []cute.Tiler{}
		for _, m := range t.Modes() {
			ts = append(ts, m)
		}
		return ts, cute.Layout{}, nil
	}
	return nil, cute.Layout{}, fail(cute.CodeType, op, "expected a layout, a shape or a tile, found %v", t)
}

// eachMode calls f with each mode and its tiler, and concatenates the results.
func (x XorLayout) eachMode(op string, ts []cute.Tiler, f func(XorLayout, cute.Tiler) (XorLayout, error)) (XorLayout,
	error,
) {
	parts := x.Modes()
	if len(ts) > len(parts) {
		return XorLayout{}, &cute.Error{
			Code: cute.CodeRank, Op: op, Msg: fmt.Sprintf("the tile has %d modes, more than the %d of %v", len(ts),
				len(parts), x),
			Hint: "a layout as tiler, (4,6):(1,4), tiles the whole domain; a tile or a shape tiles mode by mode",
		}
	}
	parts = parts[:len(ts):len(ts)]
	for i, t := range ts {
		var err error
		if parts[i], err = f(parts[i], t); err != nil {
			return XorLayout{}, err
		}
	}
	return Concat(parts...)
}

// Swizzled returns w o x: the swizzle is applied to every stride. It returns [cute.CodeNotRepresentable] if the extent
// of a leaf is not a power of two and the swizzled leaf has no F2 strides, and the errors of [FitXor].
func (x XorLayout) Swizzled(w cute.Swizzle) (XorLayout, error) {
	return xorFit{op: "composition", text: w.String() + " o " +
		x.String(), shape: x.Shape(), linear: true, at: ints.Asking(x.stop(), func(i int64) (int64, error) {
		y, err := x.Eval(cute.Int(i))
		if err != nil {
			return 0, err
		}
		return w.At(y)
	})}.fit()
}

// WithShape returns x composed with the compact column-major layout of the given shape. It returns the errors of
// cute.LayoutLeft and [XorLayout.Composition].
func (x XorLayout) WithShape(shape cute.Tuple) (XorLayout, error) {
	b, err := cute.LayoutLeft(shape)
	if err != nil {
		return XorLayout{}, err
	}
	return x.Composition(b)
}

// Divide divides x by a tiler with one of girih's divides, such as cute.ZippedDivide. The result is x o (tile, rests),
// with the tiles and rests of the domain; a mode that the tiler divides as a whole is one index of the domain. The
// padding also refers to the domain. It returns the errors of divide and of [XorLayout.Composition].
func (x XorLayout) Divide(divide func(cute.Layout, cute.Tiler) (cute.Division, error), t cute.Tiler) (XorLayout,
	cute.Padding, error,
) {
	shape, err := domainOf(x.Shape(), t)
	if err != nil {
		return XorLayout{}, cute.Padding{}, err
	}
	id, err := cute.MakeIdentityLayout(shape)
	if err != nil {
		return XorLayout{}, cute.Padding{}, err
	}
	d, err := divide(id, t)
	if err != nil {
		return XorLayout{}, cute.Padding{}, renameError(err, []cute.Layout{id}, []XorLayout{x})
	}
	r, err := x.Composition(d.Layout)
	return r, d.Padding, err
}

// domainOf returns the shape with an integer in place of each mode that the tiler divides as a whole.
func domainOf(shape cute.Tuple, t cute.Tiler) (cute.Tuple, error) {
	if t == cute.Keep {
		return shape, nil
	}
	ts, _, err := tilers("logical_divide", t)
	if err != nil {
		return shape, err
	}
	if ts == nil {
		n, err := shape.Product()
		return cute.Int(n), err
	}
	if shape.IsInt() {
		shape = cute.Ints(shape.Leaves()...)
	}
	elems := shape.Modes()
	for i := range elems {
		if i < len(ts) {
			if elems[i], err = domainOf(elems[i], ts[i]); err != nil {
				return shape, err
			}
		}
	}
	return cute.MakeTuple(elems...)
}
