package compat

import "slices"

// This file models the divides and products of CuTe's C++ headers.

// divide is the logical divide by a layout. The complement is taken in a's coalesced shape. If the tile does not divide
// that shape, each extent of the rest is rounded up.
func (c *cpp) divide(a, b layout) (layout, error) {
	shape := c.coalesce(a)
	rest, err := c.complement(b, shape)
	if err != nil {
		return a, err
	}
	return composition(c)(a, tupleOf(b, rest))
}

// product is the logical product with a layout.
func (c *cpp) product(a, b layout) (layout, error) {
	m := extent(c.mul(c.size(a), c.cosize(b)))
	places, err := c.complement(a, m)
	if err != nil {
		return a, err
	}
	copies, err := composition(c)(places, b)
	return tupleOf(a, copies), err
}

// byMode applies f with the tiler. If the tiler has modes, f is applied mode by mode, and beyond keeps or drops the
// modes of a that follow the tiler's.
func (c *cpp) byMode(a layout, t tiler, f split, beyond func([]layout) []layout) (layout, error) {
	switch t.kind {
	case tileKeep:
		return a, nil
	case tileExtent:
		return f(a, c.compactLeft(t.layout, constant(1)))
	case tileLayout:
		return f(a, t.layout)
	}
	n := len(t.modes)
	modes, err := a.eachMode(n, assertion("Too many modes in tiler."), func(m layout, i int) (layout, error) {
		r, err := c.byMode(m, t.modes[i], f, beyond)
		return r, inMode(i, err)
	})
	if err != nil {
		return a, err
	}
	return tupleOf(append(modes[:n:n], beyond(modes[n:])...)...), nil
}

func keepModes(ms []layout) []layout { return ms }
func dropModes([]layout) []layout    { return nil }

// logical is a logical divide or product by any tiler.
func (c *cpp) logical(a layout, t tiler, f split) (layout, error) {
	return c.byMode(a, t, f, keepModes)
}

// zip2 collects, from the modes that the tiler splits, the tiles in one mode and the rests in another.
func (c *cpp) zip2(a layout, t tiler, f split) (layout, error) {
	r, err := c.logical(a, t, f)
	if err != nil {
		return r, err
	}
	return c.unzip(r, t)
}

// unzip turns ((A,a),(B,b),x) into ((A,B),(a,b,x)), guided by the tiler (zip2_by).
func (c *cpp) unzip(l layout, t tiler) (layout, error) {
	if t.kind != tileModes {
		if !l.tuple || len(l.kids) != 2 {
			return l, assertion("Mismatched ranks: a mode that _ leaves alone must be a pair (tile,rest)")
		}
		return l, nil
	}
	var tiles, rests []layout
	for i, m := range t.modes {
		pair, err := c.unzip(l.kids[i], m)
		if err != nil {
			return l, err
		}
		tiles, rests = append(tiles, pair.kids[0]), append(rests, pair.kids[1])
	}
	return tupleOf(tupleOf(tiles...), tupleOf(append(rests, l.kids[len(t.modes):]...)...)), nil
}

// tile unpacks the rest, and flatten unpacks both parts. A part of one mode stays as it is: repeat<1>(_) is _, not (_).
func (c *cpp) tile(l layout) layout {
	return tupleOf(append([]layout{l.kids[0]}, unpackMany(l.kids[1])...)...)
}

func (c *cpp) flatten(l layout) layout {
	return tupleOf(slices.Concat(unpackMany(l.kids[0]), unpackMany(l.kids[1]))...)
}

// unpackMany returns the modes of l if there are several, and l itself otherwise.
func unpackMany(l layout) []layout {
	if len(l.kids) > 1 {
		return l.kids
	}
	return []layout{l}
}

// An order says whether a block or its copies come first in each mode of a product.
type order uint8

const (
	blockFirst  order = iota // the blocked product
	copiesFirst              // the raked product
)

// modewise is the product in which each mode pairs a mode of the block with a mode of the copies.
func (c *cpp) modewise(a, b layout, o order) (layout, error) {
	rank := max(a.rank(), b.rank())
	r, err := c.product(pad(a, rank), pad(b, rank))
	if err != nil {
		return r, err
	}
	first, second := r.kids[0], r.kids[1]
	if o == copiesFirst {
		first, second = second, first
	}
	switch {
	case !first.tuple:
		return tupleOf(tupleOf(first, second)), nil
	case !second.tuple || len(first.kids) != len(second.kids):
		return r, assertion("zip: Mismatched Ranks")
	}
	return zip(first.kids, second.kids), nil
}

// pad appends modes 1:0 until l has the given rank.
func pad(l layout, rank int) layout {
	if l.rank() == rank {
		return l
	}
	modes := slices.Clone(l.modes())
	for len(modes) < rank {
		modes = append(modes, leaf(constant(1), constant(0)))
	}
	return tupleOf(modes...)
}

// zip pairs the modes of two layouts of equal rank.
func zip(a, b []layout) layout {
	pairs := make([]layout, len(a))
	for i := range a {
		pairs[i] = tupleOf(a[i], b[i])
	}
	return tupleOf(pairs...)
}
