package compat

import (
	"cmp"
	"sort"
)

// This file models NVIDIA's pycute (python/pycute/layout.py), the oldest of the algebras, used for tests and tutorials.
// It computes with Python's integers, whose quotients round down.

type pycute struct{ calc }

// assertionError returns a refusal by Python.
func assertionError() error { return refuse("AssertionError") }

// floorDiv returns a/b rounded down.
func (c *pycute) floorDiv(a, b number) number {
	q := c.div(a, b)
	if b.v != 0 && a.v%b.v != 0 && (a.v < 0) != (b.v < 0) {
		q.v--
	}
	return q
}

// multiple reports whether a is a multiple of b.
func (c *pycute) multiple(a, b number) bool { return c.mod(a, b).v == 0 }

func (c *pycute) coalesce(l layout) layout {
	out := []layout{leaf(constant(1), constant(0))}
	for _, k := range l.flat() {
		last := out[len(out)-1]
		switch {
		case k.s.v == 1:
		case last.s.v == 1:
			out[len(out)-1] = k
		case c.mul(last.s, last.d).v == k.d.v:
			out[len(out)-1] = last.ofExtent(c.mul(last.s, k.s))
		default:
			out = append(out, k)
		}
	}
	return ofLeaves(out)
}

func (c *pycute) byProfile(l layout, p profile) (layout, error) {
	return l.byProfile(p, assertionError(), c.coalesce)
}

// eachMode applies f to the first n modes and keeps the other modes.
func (c *pycute) eachMode(l layout, n int, f func(m layout, i int) (layout, error)) (layout, error) {
	return ofModes(l.eachMode(n, assertionError(), f))
}

// byMode applies f with the tiler, mode by mode if the tiler has modes.
func (c *pycute) byMode(a layout, t tiler, f split) (layout, error) {
	switch t.kind {
	case tileKeep:
		return a, nil
	case tileExtent:
		return f(a, leaf(t.layout.s, constant(1)))
	case tileLayout:
		return f(a, t.layout)
	}
	return c.eachMode(a, len(t.modes), func(m layout, i int) (layout, error) {
		r, err := c.byMode(m, t.modes[i], f)
		return r, inMode(i, err)
	})
}

// composition returns a o b. Dividing the rest of b by a mode of a drops the remainder, so elements get lost.
func (c *pycute) composition(a, b layout) (layout, error) {
	if b.tuple {
		return c.eachMode(b, len(b.kids), func(m layout, _ int) (layout, error) { return c.composition(a, m) })
	}
	if b.d.v == 0 {
		return leaf(b.s, constant(0)), nil
	}
	var out []layout
	s, d := b.s, b.d
	modes := c.coalesce(a).modes()
	for _, m := range modes[:len(modes)-1] {
		if !c.multiple(m.s, d) && !c.multiple(d, m.s) {
			return b, between(b, m).refuse(assertionError().Error(),
				"the leaf %s of the right operand reaches the mode %s of the left one with the stride %d: neither of %d and %d "+
					"divides the other", b.text(values), m.text(values), d.v, d.v, m.s.v)
		}
		n := number{v: min(max(1, c.floorDiv(m.s, d).v), s.v), known: true}
		if n.v != 1 {
			out = append(out, leaf(n, c.mul(d, m.d)))
		}
		s = c.floorDiv(s, n)
		d = c.negative(c.floorDiv(c.negative(d), m.s))
		if c.err != nil {
			return b, c.err
		}
	}
	if s.v != 1 || len(out) == 0 {
		out = append(out, leaf(s, c.mul(d, modes[len(modes)-1].d)))
	}
	return ofLeaves(out), nil
}

func (c *pycute) negative(a number) number { return c.sub(constant(0), a) }

// sortLeaves returns the leaves in Python's order of the tuples (stride, extent, place).
func (c *pycute) sortLeaves(l layout) []placedLeaf {
	var ks []placedLeaf
	place := constant(1)
	for _, k := range l.flat() {
		ks = append(ks, placedLeaf{k, place})
		place = c.mul(place, k.s)
	}
	compare := func(a, b placedLeaf) int {
		if x := compareStrides(a.layout, b.layout); x != 0 {
			return x
		}
		if x := cmp.Compare(a.s.v, b.s.v); x != 0 {
			return x
		}
		return cmp.Compare(a.place.v, b.place.v)
	}
	sort.SliceStable(ks, func(i, j int) bool { return compare(ks[i], ks[j]) < 0 })
	return ks
}

// complement is the complement up to m. Its assertions are too weak: the modes of the result may overlap.
func (c *pycute) complement(l layout, m number) (layout, error) {
	var out []layout
	block := constant(1)
	for _, k := range c.sortLeaves(l) {
		if k.d.v == 0 || k.s.v == 1 {
			continue
		}
		end := c.mul(k.s, k.d)
		if block.v > end.v {
			return l, assertionError()
		}
		out = append(out, leaf(c.floorDiv(k.d, block), block))
		block = end
	}
	out = append(out, leaf(c.floorDiv(c.sub(c.add(m, block), constant(1)), block), block))
	return c.coalesce(tupleOf(out...)), nil
}

// rightInverse stops at the first mode that does not fit; the other tools skip that mode and continue.
func (c *pycute) rightInverse(l layout) layout {
	var out []layout
	next := int64(1)
	for _, k := range c.sortLeaves(l) {
		if k.s.v == 1 {
			continue
		}
		if k.d.v != next {
			break
		}
		out = append(out, leaf(k.s, k.place))
		next = c.mul(k.s, k.d).v
	}
	return c.coalesce(tupleOf(out...))
}

// leftInverse fills the gaps of l with its complement and inverts the result.
func (c *pycute) leftInverse(l layout) (layout, error) {
	rest, err := c.complement(l, constant(1))
	if err != nil {
		return l, err
	}
	return c.rightInverse(tupleOf(l, rest)), nil
}

func (c *pycute) divide(a, b layout) (layout, error) {
	rest, err := c.complement(b, c.size(a))
	if err != nil {
		return a, err
	}
	return c.composition(a, tupleOf(b, rest))
}

func (c *pycute) product(a, b layout) (layout, error) {
	rest, err := c.complement(a, c.mul(c.size(a), c.cosizeLast(b)))
	if err != nil {
		return a, err
	}
	copies, err := c.composition(rest, b)
	return tupleOf(a, copies), err
}

// cosizeLast returns 1 plus the value at the last index: the size of the codomain unless strides are negative.
func (c *pycute) cosizeLast(l layout) number {
	n := constant(1)
	for _, k := range l.flat() {
		n = c.add(n, c.mul(c.sub(k.s, constant(1)), k.d))
	}
	return n
}

// logicalProduct is the logical product with any tiler. For an integer it divides instead, which is a bug in pycute.
func (c *pycute) logicalProduct(a layout, t tiler) (layout, error) {
	switch t.kind {
	case tileExtent:
		return c.byMode(a, t, c.divide)
	case tileModes:
		return c.eachMode(a, len(t.modes), func(m layout, i int) (layout, error) { return c.logicalProduct(m, t.modes[i]) })
	}
	return c.byMode(a, t, c.product)
}

// zip collects the tiles and the rests of the modes that f splits (hier_unzip). If the tiler is _, the tile is 1:0 and
// the rest is the mode.
func (c *pycute) zip(a layout, t tiler, f func(layout, tiler) (layout, error)) (layout, error) {
	switch t.kind {
	case tileKeep:
		return tupleOf(leaf(constant(1), constant(0)), a), nil
	case tileExtent, tileLayout:
		return f(a, t)
	}
	modes := a.modes()
	if len(modes) < len(t.modes) {
		return a, assertionError()
	}
	var tiles, rests []layout
	for i, m := range t.modes {
		pair, err := c.zip(modes[i], m, f)
		if err != nil {
			return a, err
		}
		tiles, rests = append(tiles, pair.kids[0]), append(rests, pair.kids[1])
	}
	return tupleOf(tupleOf(tiles...), tupleOf(append(rests, modes[len(t.modes):]...)...)), nil
}

// tile unpacks the rest.
func (c *pycute) tile(l layout) layout {
	return tupleOf(append([]layout{l.kids[0]}, l.kids[1].modes()...)...)
}
