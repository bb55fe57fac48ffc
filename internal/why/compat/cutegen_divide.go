package compat

import "slices"

// This file models the divides and products of cutegen.

// divide is the logical divide by a layout. The complement is taken in the extents of a as written. If the tile does
// not divide these extents, the result may have elements that a does not have, or lack some of a's.
func (c *cutegen) divide(a, b layout) (layout, error) {
	rest, err := c.gaps(b)
	if err != nil {
		return a, err
	}
	ls := slices.Clone(rest.modes())
	last := ls[len(ls)-1]
	ls = ls[:len(ls)-1]
	n, d := last.d, last.d
	for _, k := range a.flat() {
		s := c.quotientUp(k.s, n)
		n = c.quotientUp(n, k.s)
		ls = append(ls, leaf(s, d))
		d = c.mul(d, s)
	}
	return composition(c)(a, tupleOf(b, c.coalesce(tupleOf(ls...))))
}

// product is the logical product with a layout. The gaps need no end, as the last mode of places is unbounded.
func (c *cutegen) product(a, b layout) (layout, error) {
	places, err := c.gaps(a)
	if err != nil {
		return a, err
	}
	copies, err := composition(c)(places, b)
	return tupleOf(a, copies), err
}

// A joiner makes a layout from modes. A tiler has split the leading modes; split counts them.
type joiner func(modes []layout, split int) (layout, error)

// inPlace leaves the modes as they are.
func inPlace(modes []layout, _ int) (layout, error) { return tupleOf(modes...), nil }

// tilesFirst makes ((A,B),(a,b,x)) from (A,a), (B,b) and x.
func tilesFirst(modes []layout, split int) (layout, error) {
	var tiles, rests []layout
	for _, m := range modes[:split] {
		if m.rank() != 2 {
			return noLayout, errorLeaf()
		}
		tiles, rests = append(tiles, m.kids[0]), append(rests, m.kids[1])
	}
	return tupleOf(tupleOf(tiles...), tupleOf(append(rests, modes[split:]...)...)), nil
}

// byMode applies f by the tiler. If the tiler has modes, f is applied mode by mode, and the results are joined.
func (c *cutegen) byMode(a layout, t tiler, f split, join joiner) (layout, error) {
	switch t.kind {
	case tileKeep:
		return a, nil
	case tileExtent, tileLayout:
		return f(a, c.layoutOf(t))
	}
	n := len(t.modes)
	modes, err := a.eachMode(n, thrown("got a RHS tile with too many modes"), func(m layout, i int) (layout, error) {
		return c.byMode(m, t.modes[i], f, join)
	})
	if err != nil {
		return a, err
	}
	return join(modes, n)
}

// layoutOf returns the layout of a tiler that is a layout or an extent.
func (c *cutegen) layoutOf(t tiler) layout {
	if t.kind == tileLayout {
		return t.layout
	}
	return c.compactLeft(t.layout)
}

// compactLeft returns the column-major layout of a shape. Extents of 1 have stride 0.
func (c *cutegen) compactLeft(shape layout) layout {
	zero := constant(0)
	return c.compact(shape, constant(1), &zero)
}

// compositionBy composes with any tiler; modes of a beyond the tiler's are dropped.
func (c *cutegen) compositionBy(a layout, t tiler) (layout, error) {
	switch t.kind {
	case tileKeep:
		return a, nil
	case tileExtent, tileLayout:
		return composition(c)(a, c.layoutOf(t))
	}
	n, tooMany := len(t.modes), thrown("detail::composition got a RHS tile with too many modes")
	modes, err := a.eachMode(n, tooMany, func(m layout, i int) (layout, error) { return c.compositionBy(m, t.modes[i]) })
	if err != nil {
		return a, err
	}
	return tupleOf(modes[:n]...), nil
}

// tile unpacks the rest, and flatten unpacks both parts.
func (c *cutegen) tile(l layout) layout {
	return tupleOf(append([]layout{l.kids[0]}, l.kids[1].modes()...)...)
}

func (c *cutegen) flatten(l layout) layout {
	return tupleOf(slices.Concat(l.kids[0].modes(), l.kids[1].modes())...)
}

// modewise is the product in which each mode pairs a mode of the block with a mode of the copies. In a raked product,
// each pair is coalesced.
func (c *cutegen) modewise(a, b layout, o order) (layout, error) {
	rank := max(a.rank(), b.rank())
	r, err := c.product(pad(a, rank), pad(b, rank))
	if err != nil {
		return r, err
	}
	first, second := r.kids[0], r.kids[1]
	if o == copiesFirst {
		first, second = second, first
	}
	var out layout
	switch {
	case !first.tuple:
		out = tupleOf(tupleOf(first, second))
	case !second.tuple || len(first.kids) != len(second.kids):
		return r, errorLeaf()
	default:
		out = zip(first.kids, second.kids)
	}
	if o == copiesFirst {
		for i, m := range out.kids {
			out.kids[i] = c.coalesce(m)
		}
	}
	return out, nil
}
