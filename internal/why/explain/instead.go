package explain

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file searches for compositions that work and are similar to a composition that does not work.

// insteadOfComposition adds similar compositions that work.
func insteadOfComposition(x *Explanation, a, b cute.Layout) {
	if x.Failure == nil || x.Failure.Code != string(cute.CodeNotRepresentable) {
		return
	}
	nearest(x, b, func(near cute.Layout) (string, string, bool) {
		r, err := cute.Composition(a, near)
		return a.String() + " o " + near.String(), r.String(), err == nil
	})
	if t, ok := byModes(a, b); ok {
		if r, err := cute.CompositionBy(a, t); err == nil {
			x.instead("mode by mode, if B was meant as a tile of A's modes (another function: a shape or <...> tiles by mode)",
				a.String()+" o "+t.String(), r.String())
		}
	}
	if c, err := cute.NewComposed(a, cute.Int(0), b); err == nil {
		x.instead("the function as it is, not as one layout but as a chain that is evaluated in two steps",
			c.String(), c.String())
	}
}

// byModes returns a tile whose modes are B's modes, if A has at least as many modes as B.
func byModes(a, b cute.Layout) (cute.Tile, bool) {
	if b.HasBasis() || b.Rank() < 2 || b.Rank() > a.Rank() {
		return cute.Tile{}, false
	}
	var ts []cute.Tiler
	for _, m := range b.Modes() {
		ts = append(ts, m)
	}
	return cute.MakeTile(ts...), true
}

// mostTries limits the compositions that the search tries.
const mostTries = 96

// A change gives a leaf another extent or stride. Its function returns the new leaf and the old number, or false if the
// change is impossible.
type change struct {
	what string
	of   func(f leaf, by int64) (leaf, int64, bool)
}

// changes lists the changes that a search tries.
var changes = [...]change{
	{"extent", func(f leaf, by int64) (leaf, int64, bool) {
		return leaf{Extent: f.Extent + by, Stride: f.Stride}, f.Extent, f.Extent+by >= 2
	}},
	{"stride", func(f leaf, by int64) (leaf, int64, bool) {
		d, _ := f.Stride.Int64()
		return integerLeaf(f.Extent, d+by), d, f.Extent > 1 && d+by != 0 && (d+by < 0) == (d < 0)
	}},
}

// A search looks for layouts near b for which try succeeds; try returns an expression and its value.
type search struct {
	b      cute.Layout
	leaves []leaf
	try    func(near cute.Layout) (expr, value string, ok bool)
	tries  int
}

// nearest tries layouts near b. It offers the nearest layout that differs in one extent, and the nearest that differs
// in one stride, for which try succeeds.
func nearest(x *Explanation, b cute.Layout, try func(near cute.Layout) (expr, value string, ok bool)) {
	if b.HasBasis() {
		return
	}
	for _, c := range changes {
		s := search{b: b, leaves: leavesOf(b), try: try}
		for dist := int64(1); dist <= 8 && s.tries < mostTries; dist++ {
			if s.tryChange(x, c, dist) {
				break
			}
		}
	}
}

// tryChange tries the layouts in which one leaf is changed by dist, and offers the first layout that works.
func (s *search) tryChange(x *Explanation, c change, dist int64) bool {
	for j, f := range s.leaves {
		for _, by := range []int64{-dist, dist} {
			g, old, ok := c.of(f, by)
			if !ok {
				continue
			}
			s.tries++
			leaves := slices.Clone(s.leaves)
			leaves[j] = g
			near, err := withLeaves(s.b, leaves)
			if err != nil || near.Size() > 1<<16 {
				continue
			}
			if expr, value, ok := s.try(near); ok {
				x.instead(fmt.Sprintf("with the %s %d instead of %d in the leaf %v: %v", c.what, old+by, old, f, g), expr, value)
				return true
			}
		}
	}
	return false
}
