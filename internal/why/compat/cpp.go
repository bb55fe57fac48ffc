package compat

import "slices"

// This file models the algebra of CuTe's C++ headers (include/cute/layout.hpp of CUTLASS 4.x): coalesce, composition,
// complement. The answers depend on which integers are compile-time constants: only constants merge and are checked.

type cpp struct{ calc }

// assertion returns a refusal by the compiler.
func assertion(text string) error { return refuse("%s", assertText(text)) }

func assertText(text string) string { return "does not compile: " + text }

// coalesce merges modes from the right to the left (bw_coalesce).
func (c *cpp) coalesce(l layout) layout { return c.merge(l, 1) }

// coalesceBeyond coalesces the left operand of a composition, which is evaluated beyond its size (coalesce_x). A last
// mode of extent 1 counts as a mode of extent 2, so that its stride is kept.
func (c *cpp) coalesceBeyond(l layout) layout { return c.merge(l, 2) }

// merge coalesces l. A last mode whose extent is the constant 1 counts as a mode of extent unit.
func (c *cpp) merge(l layout, unit int64) layout {
	ls := l.flat()
	last := ls[len(ls)-1]
	if last.s.is(1) {
		last = last.ofExtent(constant(unit))
	}
	out := []layout{last} // modes are appended from the right to the left
	for _, k := range slices.Backward(ls[:len(ls)-1]) {
		front := out[len(out)-1]
		end := c.mul(k.s, k.d)
		switch {
		case k.s.is(1):
		case len(out) == 1 && front.s.is(1):
			out[0] = k
		case front.s.known && both(end, front.d) && end.v == front.d.v:
			out[len(out)-1] = leaf(c.mul(k.s, front.s), k.d)
		default:
			out = append(out, k)
		}
	}
	if len(out) == 1 && out[0].s.is(1) {
		return leaf(constant(1), constant(0))
	}
	slices.Reverse(out)
	return ofLeaves(out)
}

// byProfile applies f to each mode of l that corresponds to a leaf of the profile.
func (c *cpp) byProfile(l layout, p profile, f func(layout) layout) (layout, error) {
	return l.byProfile(p, assertion("the profile has more modes than the layout"), f)
}

// compose composes the coalesced a with each leaf of b (composition_impl).
func (c *cpp) compose(a, b layout) (layout, error) {
	switch {
	case b.tuple:
		return ofModes(b.eachMode(len(b.kids), nil, func(k layout, _ int) (layout, error) { return c.compose(a, k) }))
	case len(b.path) > 0:
		m, ok := a.at(b.path)
		if !ok {
			return b, assertion("the stride names a mode that the left operand does not have")
		}
		return c.compose(m, leaf(b.s, b.d))
	case b.d.is(0):
		return b, nil
	case !a.tuple:
		return leaf(b.s, c.mul(b.d, a.d)), nil
	case a.hasNested():
		return b, assertion("an integer stride for a left operand composed by mode")
	}
	return c.composeLeaf(a.kids, b)
}

// composeLeaf moves the integral b through the modes of a. CuTe's condition on the stride is too weak: it accepts a
// stride that does not divide the extent of a mode that b crosses, and then the answer is wrong.
func (c *cpp) composeLeaf(a []layout, b layout) (layout, error) {
	var out []layout
	s, d := b.s, b.d
	for _, m := range a[:len(a)-1] {
		if both(m.s, d) && m.s.v != 0 && d.v%m.s.v != 0 && d.v >= m.s.v {
			return b, between(b, m).refuse(assertText("Stride Divisibility Condition"),
				"the leaf %s of the right operand reaches the mode %s of the left one with the stride %d: %d mod %d = %d, and %d is "+
					"not below %d", b.text(values), m.text(values), d.v, d.v, m.s.v, d.v%m.s.v, d.v, m.s.v)
		}
		r := c.abs(d)
		within := c.ceilDiv(m.s, r)
		next := c.mul(c.ceilDiv(r, m.s), signum(d))
		if within.is(1) || s.is(1) {
			d = next
			continue
		}
		n := smaller(within, s)
		if both(n, s) && n.v != 0 && s.v%n.v != 0 {
			return b, between(b, m).refuse(assertText("Shape Divisibility Condition"),
				"the leaf %s of the right operand takes %d of the mode %s of the left one, and %d does not divide its %d: remainder %d",
				b.text(values), n.v, m.text(values), n.v, s.v, s.v%n.v)
		}
		out = append(out, leaf(n, c.mul(d, m.d)))
		s, d = c.div(s, n), next
	}
	last := a[len(a)-1]
	if len(out) == 0 || !s.is(1) {
		out = append(out, leaf(s, c.mul(d, last.d)))
	}
	return ofLeaves(out), nil
}

// ceilDiv returns (a+b-1)/b, as CuTe computes it. For negative numbers this is not the quotient rounded up.
func (c *calc) ceilDiv(a, b number) number { return c.div(c.sub(c.add(a, b), constant(1)), b) }

// ceilDivEach divides a shape by n, extent by extent from the left to the right.
func (c *cpp) ceilDivEach(shape layout, n number) layout {
	if !shape.tuple {
		return extent(c.ceilDiv(shape.s, n))
	}
	kids := make([]layout, len(shape.kids))
	for i, k := range shape.kids {
		kids[i] = c.ceilDivEach(k, n)
		n = c.ceilDiv(n, c.size(k))
	}
	return tupleOf(kids...)
}

// coalesceShape multiplies neighboring extents if both are constants or neither is.
func (c *cpp) coalesceShape(shape layout) layout {
	var out []layout
	for _, k := range shape.flat() {
		if n := len(out); n > 0 && out[n-1].s.known == k.s.known {
			out[n-1] = out[n-1].ofExtent(c.mul(out[n-1].s, k.s))
			continue
		}
		out = append(out, k)
	}
	return ofLeaves(out)
}

// compactLeft returns the column-major layout of a shape. Constant extents of 1 have stride 0.
func (c *cpp) compactLeft(shape layout, from number) layout {
	zero := constant(0)
	return c.compact(shape, from, &zero)
}

// filter coalesces l after dropping its modes of constant stride 0.
func (c *cpp) filter(l layout) layout {
	ls := slices.Clone(l.flat())
	for i := range ls {
		if ls[i].d.is(0) {
			ls[i] = ls[i].ofExtent(constant(1))
		}
	}
	return c.coalesce(tupleOf(ls...))
}

// complement returns the complement of l in a shape; without a shape, in the size of l's codomain. Quotients of strides
// drop their remainders, so a layout that has no complement gets one anyway.
func (c *cpp) complement(l layout, shape layout) (layout, error) {
	l = c.filter(l)
	if shape == nil {
		shape = extent(c.cosize(l))
	}
	if !l.tuple && l.d.is(0) {
		return c.compactLeft(c.coalesceShape(shape), constant(1)), nil
	}
	rest := slices.Clone(l.modes())
	if len(rest) > 1 && slices.ContainsFunc(rest, func(k layout) bool { return !k.d.known }) {
		return l, assertion("Dynamic-stride complement only for rank-1 layouts")
	}
	var out []layout
	block, before := constant(1), l
	for len(rest) > 0 {
		k := slices.MinFunc(rest, compareStrides) // the first of the leaves with the smallest stride
		i := slices.IndexFunc(rest, func(l layout) bool { return l.d.v == k.d.v })
		rest = slices.Delete(rest, i, i+1)
		gap := c.div(k.d, block)
		if gap.is(0) {
			return l, between(before, k).refuse(assertText("Non-injective Layout detected in complement."),
				"the stride %d of the mode %s is smaller than %d = %d*%d, the block that %s covers", k.d.v, k.text(values),
				block.v, before.s.v, before.d.v, before.text(values))
		}
		out = append(out, leaf(gap, block))
		block, before = c.mul(k.d, k.s), k
	}
	more := c.compactLeft(c.coalesceShape(c.ceilDivEach(shape, block)), block)
	return c.coalesce(tupleOf(append(out, more.flat()...)...)), nil
}
