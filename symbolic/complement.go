package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// This file implements complement. The algorithm visits the strides of A, smallest first, and keeps the block that they
// cover so far. The order of the strides must be known, and each stride must be known to be a multiple of the block;
// the gaps, the block and the cotarget may be unknown.

// Complement returns the layout that fills the part of the codomain that a leaves free, up to the cotarget, as
// [cute.Complement] does. It returns [cute.CodeUnknown] if it is not known in which order the strides are, or whether a
// stride is a multiple of the block before it, and the errors of cute.Complement.
func Complement(a Layout, cotarget Tuple) (Layout, error) {
	return begin("complement", a).complement(a, cotarget)
}

// ComplementExact is [Complement] on the condition that the block of a divides the size of the cotarget, as in
// [cute.ComplementExact]: a and the result together cover exactly the cotarget.
func ComplementExact(a Layout, cotarget Tuple) (Layout, error) {
	w := begin("complement_exact", a)
	w.whole = true
	return w.complement(a, cotarget)
}

// ComplementByMode is [Complement] with the rounding of CuTe, as in [cute.ComplementByMode]: the block is divided by
// the modes of the cotarget from left to right, each rounded up. Along axes it is Complement. It returns the errors of
// Complement.
func ComplementByMode(a Layout, cotarget Tuple) (Layout, error) {
	w := begin("complement", a)
	w.byMode = !a.HasAxes()
	return w.complement(a, cotarget)
}

func (w *operation) complement(a Layout, cotarget Tuple) (Layout, error) {
	if a.HasAxes() {
		return w.end(w.complementByAxis(a, cotarget))
	}
	g := w.gaps(a)
	if w.err != nil {
		return w.end(Layout{})
	}
	var extents []Int
	for _, v := range cotarget.leaves() {
		x, ok := v.Int()
		if !ok {
			return Layout{}, &cute.Error{
				Code: cute.CodeCodomain, Op: w.op,
				Msg: fmt.Sprintf("the strides of %s are integers, so the cotarget is a shape, found %s", a, cotarget),
			}
		}
		extents = append(extents, x)
	}
	return w.end(group(w.filledTo(g, extents)))
}

// complementByAxis is the complement of a layout with coordinate strides: its modes have the nesting of the cotarget's
// axes, and the modes along one axis fill the gaps of that axis.
func (w *operation) complementByAxis(a Layout, cotarget Tuple) Layout {
	var ms []axisMode
	for _, m := range a.modes() {
		if m.d.zero() {
			continue // a mode of extent 1 stays: it shows how its axis nests
		}
		if len(m.d.parts) > 1 {
			w.fail(&cute.Error{
				Code: cute.CodeCodomain, Op: w.op, Msg: fmt.Sprintf("the stride %s of %s moves along several axes at once", m.d, a),
			})
			return Layout{}
		}
		p := m.d.parts[0]
		ms = append(ms, axisMode{path(p.axis), mode{m.s, Scalar(p.x)}})
	}
	return w.complementInside(a, cotarget, nil, ms)
}

// An axisMode is a mode of integers along an axis.
type axisMode struct {
	path []int
	mode mode
}

// complementInside is the complement of the modes whose axes begin with the path at, up to the target at that path.
func (w *operation) complementInside(a Layout, target Tuple, at []int, ms []axisMode) Layout {
	var here []mode
	for _, m := range ms {
		if len(m.path) == len(at) {
			here = append(here, m.mode)
		}
	}
	if len(here) < len(ms) || len(at) == 0 {
		return w.complementModes(a, target, at, ms)
	}
	var free []mode
	if len(here) == 0 {
		free = w.trim([]mode{{w.product(target), Scalar(Const(1))}})
	} else {
		var extents []Int
		for _, v := range target.leaves() {
			x, _ := v.Int()
			extents = append(extents, x)
		}
		free = w.filledTo(w.gaps(group(here)), extents)
	}
	if w.err != nil {
		return Layout{}
	}
	for j, m := range free {
		x, _ := m.d.Int()
		free[j].d = OnAxis(x, at...)
	}
	return group(free)
}

// complementModes is the complement of modes along axes inside the path at: one mode for each mode of the target.
func (w *operation) complementModes(a Layout, target Tuple, at []int, ms []axisMode) Layout {
	inside := make([][]axisMode, len(target.Modes()))
	_, leaf := target.Leaf()
	whole := func(m axisMode) bool { return len(m.path) == len(at) } // along the axis of the path at itself
	for _, m := range ms {
		if leaf || slices.ContainsFunc(ms, whole) || m.path[len(at)] >= len(inside) {
			w.fail(&cute.Error{
				Code: cute.CodeNotCongruent, Op: w.op, Msg: fmt.Sprintf("the axes of %s do not address the cotarget", a),
			})
			return Layout{}
		}
		i := m.path[len(at)]
		inside[i] = append(inside[i], m)
	}
	modes := make([]Layout, len(inside))
	for i, t := range target.Modes() {
		modes[i] = w.complementInside(a, t, append(slices.Clip(at), i), inside[i])
		if w.err != nil {
			return Layout{}
		}
	}
	return nest(modes...)
}

// trim coalesces modes and drops modes of extent 1.
func (w *operation) trim(ms []mode) []mode {
	ms = w.join(ms)
	if len(ms) == 1 && ms[0].s.is(1) {
		ms[0].d = Vector{}
	}
	return ms
}

// A gapFill holds the modes that fill the gaps between the modes of a layout, and the block that all these modes cover.
type gapFill struct {
	modes []mode
	block Int
	chain []link
	plain bool // no mode turns out to have extent 1
}

// A link is a mode of the layout whose gaps are filled: its extent, the block before it, and the gap between them.
type link struct{ s, before, gap Int }

// filledTo returns the complement up to the cotarget's size, or up to its modes one by one. The block of an exact
// complement must divide the size.
func (w *operation) filledTo(g gapFill, cotarget []Int) []mode {
	switch {
	case w.byMode:
	case w.whole:
		cotarget = []Int{w.prod(cotarget...)}
		whole := dividesIf(g.block, cotarget[0])
		if g.plain {
			whole.strength = strict
		}
		w.require(whole)
	case !g.block.is(1): // a block of 1 covers each mode, whatever its extent
		cotarget = []Int{w.prod(cotarget...)}
	}
	return w.fillModes(g, cotarget, cotarget)
}

// fillModes returns the complement up to the cotarget. For a divide, cotarget is the padded shape, and given is the
// shape before padding.
func (w *operation) fillModes(g gapFill, cotarget, given []Int) []mode {
	rest := w.rest(cotarget, g.block)
	// If the last mode has extent 1, it covers nothing and leaves no gap before it. In that case the same is true of
	// the mode before it.
	var larger []Guard
	filling := w.product(group(rest).Shape())
	for _, l := range slices.Backward(g.chain) {
		filling = w.mul(filling, l.gap)
		larger = append(larger, Guard{atMostIf(Const(2), l.s)})
		if !l.gap.is(1) {
			same := Condition{op: isEqual, a: filling, b: w.product(group(w.rest(given, l.before)).Shape())}
			w.require(Condition{op: oneOf, alts: append(slices.Clip(larger), Guard{same})})
		}
	}
	return w.trim(slices.Concat(g.modes, rest))
}

// gaps looks for the gaps of a.
func (w *operation) gaps(a Layout) gapFill {
	left, plain := w.movingLeaves(a)
	g := gapFill{block: Const(1), plain: plain}
	if w.err != nil {
		return g
	}
	for len(left) > 0 {
		at := leastStride(left)
		if at < 0 {
			w.refuse("which stride of %s is the smallest is not known", a)
			return g
		}
		s, d := left[at].s, left[at].d
		left = slices.Delete(left, at, at+1)
		gap := w.gapBefore(a, d, g)
		if w.err != nil {
			return g
		}
		w.require(atMostIf(Const(1), gap))
		if !gap.is(1) {
			g.modes = append(g.modes, mode{gap, Scalar(g.block)})
		}
		g.chain = append(g.chain, link{s, g.block, gap})
		g.block = w.mul(s, d)
	}
	return g
}

// A stridedLeaf is a leaf with a stride that is an integer.
type stridedLeaf struct{ s, d Int }

// movingLeaves returns the leaves of a that may have more than one element and whose stride is not 0. plain reports
// whether none of them can have the extent 1.
func (w *operation) movingLeaves(a Layout) (leaves []stridedLeaf, plain bool) {
	plain = true
	for _, m := range a.modes() {
		d, ok := m.d.Int()
		if !ok {
			w.fail(&cute.Error{
				Code: cute.CodeUnknown, Op: w.op,
				Msg: fmt.Sprintf("the complement of %s, along coordinates, needs known integers", a),
			})
			return nil, plain
		}
		if !m.s.is(1) && !d.is(0) {
			leaves = append(leaves, stridedLeaf{m.s, d})
			plain = plain && atMost(Const(2), m.s) == yes
		}
	}
	return leaves, plain
}

// leastStride returns the place of the smallest stride, or -1 if no stride is known to be at most every other.
func leastStride(leaves []stridedLeaf) int {
	if len(leaves) == 1 {
		return 0
	}
	return slices.IndexFunc(leaves, func(x stridedLeaf) bool {
		return !slices.ContainsFunc(leaves, func(y stridedLeaf) bool { return atMost(x.d, y.d) != yes })
	})
}

// gapBefore returns the gap between the block that the smaller strides of a cover and the stride d, in blocks.
func (w *operation) gapBefore(a Layout, d Int, g gapFill) Int {
	if d.static() && d.k < 0 {
		w.refuseGaps(g, &cute.Error{
			Code: cute.CodeNegative, Op: w.op,
			Msg: fmt.Sprintf("the stride %s of %s is negative: the operation needs strides of at least 0", d, a),
		})
		return Int{}
	}
	gap, ok := w.exact(d, g.block)
	switch {
	case ok:
	case divides(g.block, d) == no:
		w.refuseGaps(g, &cute.Error{
			Code: cute.CodeNotComplementable, Op: w.op,
			Msg: fmt.Sprintf("%s has no complement: the stride %s is not a multiple of %s, the block that the smaller strides cover",
				a, d, g.block),
		})
	default:
		w.refuse("whether the stride %s of %s is a multiple of %s, the block that the smaller strides cover, is not known",
			d, a, g.block)
	}
	return gap
}

// refuseGaps refuses a layout that has no complement. There is no complement for any values of the symbols if no leaf
// can have extent 1, except in a product: a single copy needs no complement.
func (w *operation) refuseGaps(g gapFill, e *cute.Error) {
	if g.plain && !strings.HasSuffix(w.op, "_product") && w.op != "tile_to_shape" {
		w.never(e)
		return
	}
	w.fail(e)
}

// rest returns the modes that repeat the block up to the cotarget. The block is divided by the extents from left to
// right, each rounded up.
func (w *operation) rest(cotarget []Int, block Int) []mode {
	var out []mode
	left := block
	for _, s := range cotarget {
		share := s
		if !left.is(1) {
			share, left = w.ceilDiv(s, left), w.ceilDiv(left, s)
		}
		out = append(out, mode{share, Scalar(block)})
		block = w.mul(block, share)
	}
	return out
}
