package compat

import "sort"

// This file models the algebra below the CuTe DSL (cutegen): coalesce, composition, complement, inverses. cutegen
// differs from the C++ headers in when it coalesces, in which direction, and in the conditions that it checks. All
// integers are constants.

type cutegen struct{ calc }

// errorLeaf is the refusal of an algebra that puts the leaf x into its result instead of throwing an exception.
func errorLeaf() error { return refuse("x:x, its error value") }

// thrown is the error for an exception of the algebra.
func thrown(text string) error { return refuse("throws: %s", text) }

// fold merges the leaves from the left to the right (coalesce_). A last mode of extent 1 stays. If all modes have
// extent 1, the last one stays.
func (c *cutegen) fold(ls []layout) []layout {
	var out []layout
	for _, k := range ls {
		n := len(out)
		if n > 0 && out[n-1].s.v == 1 {
			// Drop this mode of extent 1, because another mode follows. Its neighbors may then merge.
			out = out[:n-1]
			n--
		}
		if n > 0 && c.mul(out[n-1].s, out[n-1].d).v == k.d.v {
			out[n-1] = out[n-1].ofExtent(c.mul(out[n-1].s, k.s))
			continue
		}
		out = append(out, k)
	}
	return out
}

// coalesceBeyond preserves the function also beyond the size (coalesce_z).
func (c *cutegen) coalesceBeyond(l layout) layout { return ofLeaves(c.fold(l.flat())) }

// coalesce also drops a last mode of extent 1, unless it is the only mode.
func (c *cutegen) coalesce(l layout) layout {
	ls := c.fold(l.flat())
	if n := len(ls); n > 1 && ls[n-1].s.v == 1 {
		ls = ls[:n-1]
	}
	return ofLeaves(ls)
}

// byProfile applies f to each mode of l that corresponds to a leaf of the profile.
func (c *cutegen) byProfile(l layout, p profile, f func(layout) layout) (layout, error) {
	return l.byProfile(p, errorLeaf(), f)
}

func (c *cutegen) compose(a, b layout) (layout, error) {
	switch {
	case b.tuple:
		return ofModes(b.eachMode(len(b.kids), nil, func(k layout, _ int) (layout, error) { return c.compose(a, k) }))
	case len(b.path) > 0:
		m, ok := a.at(b.path)
		if !ok {
			return b, errorLeaf()
		}
		return c.compose(m, leaf(b.s, b.d))
	case b.d.v == 0:
		return b, nil
	case !a.tuple:
		return leaf(b.s, c.mul(b.d, a.d)), nil
	case a.hasNested():
		return b, noModel("an integer stride for a left operand composed by mode")
	}
	return c.composeLeaf(a.kids, b)
}

// composeLeaf is the C++ loop, with the same weak condition on the stride. It coalesces a result of several modes.
func (c *cutegen) composeLeaf(a []layout, b layout) (layout, error) {
	var out []layout
	s, d := b.s, b.d
	for _, m := range a[:len(a)-1] {
		r := c.abs(d)
		if m.s.v == 0 || r.v == 0 {
			return b, errorLeaf()
		}
		if d.v%m.s.v != 0 && d.v >= m.s.v {
			return b, errorLeaf()
		}
		within, next := c.quotientUp(m.s, r), c.mul(c.quotientUp(r, m.s), signum(d))
		if within.v == 1 || s.v == 1 {
			d = next
			continue
		}
		n := smaller(within, s)
		if n.v == 0 || s.v%n.v != 0 {
			return b, errorLeaf()
		}
		out = append(out, leaf(n, c.mul(d, m.d)))
		s, d = c.div(s, n), next
	}
	tail := leaf(s, c.mul(d, a[len(a)-1].d))
	switch {
	case len(out) == 0:
		return tail, nil
	case s.v == 1:
		return ofLeaves(out), nil
	}
	return c.coalesce(tupleOf(append(out, tail)...)), nil
}

// quotientUp returns a/b rounded up, also for negative numbers.
func (c *cutegen) quotientUp(a, b number) number {
	q := c.div(a, b)
	if b.v != 0 && a.v%b.v != 0 && (a.v < 0) == (b.v < 0) {
		q.v++
	}
	return q
}

// byStride returns the leaves sorted by stride, each with the product of the extents before it.
func (c *cutegen) byStride(ls []layout) []placedLeaf {
	var ks []placedLeaf
	place := constant(1)
	for _, k := range ls {
		ks = append(ks, placedLeaf{k, place})
		place = c.mul(place, k.s)
	}
	compare := func(a, b placedLeaf) int { return compareStrides(a.layout, b.layout) }
	sort.SliceStable(ks, func(i, j int) bool { return compare(ks[i], ks[j]) < 0 })
	return ks
}

// gaps is the complement without a shape: the modes that fill the gaps, and 1:n, where the last block ends at n.
func (c *cutegen) gaps(l layout) (layout, error) {
	var out []layout
	block := constant(1)
	for _, k := range c.byStride(l.flat()) {
		if k.d.v == 0 || k.s.v == 1 {
			continue
		}
		if k.d.v < block.v {
			return l, thrown("complement input layout is non-injective")
		}
		out = append(out, leaf(c.div(k.d, block), block))
		block = c.mul(k.d, k.s)
	}
	return c.coalesceBeyond(tupleOf(append(out, leaf(constant(1), block))...)), nil
}

// complement is the complement in a shape. It does not check for overlapping modes, which yield extents of 0.
func (c *cutegen) complement(l layout, shape layout) layout {
	var rest []layout
	for _, k := range l.flat() {
		if k.d.v != 0 && k.s.v != 1 {
			rest = append(rest, k)
		}
	}
	rest = c.fold(rest)
	if len(rest) == 0 {
		// If no modes are left, the stride of the complement is 1, as in pycute.
		return leaf(c.size(shape), constant(1))
	}
	var out []layout
	block := constant(1)
	for _, k := range c.byStride(rest) {
		out = append(out, leaf(c.div(k.d, block), block))
		block = c.mul(k.d, k.s)
	}
	more := constant(1)
	n := block
	for _, k := range shape.flat() {
		more = c.mul(more, c.quotientUp(k.s, n))
		n = c.quotientUp(n, k.s)
	}
	return c.coalesce(tupleOf(append(out, leaf(more, block))...))
}

// rightInverse is the C++ algorithm.
func (c *cutegen) rightInverse(l layout) layout {
	var out []layout
	next := int64(1)
	for _, k := range c.byStride(c.fold(l.flat())) {
		if k.d.v == 0 || k.s.v == 1 || k.d.v != next {
			continue
		}
		out = append(out, leaf(k.s, k.place))
		next = c.mul(k.s, k.d).v
	}
	if len(out) == 0 {
		return leaf(constant(1), constant(0))
	}
	return c.coalesce(tupleOf(out...))
}

// leftInverse is the C++ algorithm, except for modes of stride 0 and the condition for a refusal.
func (c *cutegen) leftInverse(l layout) (layout, error) {
	out := []layout{leaf(constant(1), constant(0))}
	size := constant(1)
	for _, k := range c.byStride(c.fold(l.flat())) {
		if k.d.v == 0 || k.s.v == 1 {
			continue
		}
		if c.mod(k.d, size).v != 0 {
			return l, thrown("left inverse input layout is non-injective")
		}
		gap := c.div(k.d, size)
		out[len(out)-1] = out[len(out)-1].ofExtent(gap)
		size = c.mul(size, gap)
		out = append(out, leaf(k.s, k.place))
	}
	return c.coalesceBeyond(tupleOf(out...)), nil
}
