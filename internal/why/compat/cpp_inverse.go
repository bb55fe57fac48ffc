package compat

// This file models the inverses of CuTe's C++ headers.

// A placedLeaf is a leaf and the product of the extents before it.
type placedLeaf struct {
	layout
	place number
}

// byStride returns the leaves of l, sorted by stride. C++ sorts by exchanging leaves, which is not stable: the order of
// leaves with equal strides depends on the other leaves.
func (c *cpp) byStride(l layout) []placedLeaf {
	var ks []placedLeaf
	place := constant(1)
	for _, k := range l.modes() {
		if k.d.known {
			ks = append(ks, placedLeaf{k, place})
		}
		place = c.mul(place, k.s)
	}
	for i := range ks {
		for j := i + 1; j < len(ks); j++ {
			if ks[j].d.v < ks[i].d.v {
				ks[i], ks[j] = ks[j], ks[i]
			}
		}
	}
	return ks
}

// rightInverse selects each mode whose stride is where the selected modes before it end, and skips the others. Strides
// known at run time never match.
func (c *cpp) rightInverse(l layout) layout {
	out := []layout{leaf(constant(1), constant(0))}
	next := constant(1)
	for _, k := range c.byStride(c.coalesce(l)) {
		if both(k.d, next) && k.d.v == next.v {
			out = append(out, leaf(k.s, k.place))
			next = c.mul(k.s, k.d)
		}
	}
	return c.coalesce(tupleOf(out...))
}

// leftInverse stretches each mode up to the stride of the next mode.
func (c *cpp) leftInverse(l layout) (layout, error) {
	l = c.coalesce(l)
	for _, k := range l.modes() {
		if !k.d.known {
			return l, assertion("Left inverse requires static strides.")
		}
	}
	sorted := c.byStride(l)
	var out []layout
	size, d, before := constant(1), constant(0), l
	for _, k := range sorted {
		if k.d.is(0) {
			continue
		}
		if c.mod(k.d, size).v != 0 {
			return l, between(before, k.layout).refuse(assertText("Left inverse divisibility condition"),
				"the stride %d of the mode %s is no multiple of %d, the stride of the mode %s before it in the order of the strides",
				k.d.v, k.text(values), size.v, before.text(values))
		}
		out = append(out, leaf(c.div(k.d, size), d))
		size, d, before = c.mul(size, out[len(out)-1].s), k.place, k.layout
	}
	out = append(out, leaf(sorted[len(sorted)-1].s, d))
	return c.coalesce(tupleOf(out...)), nil
}
