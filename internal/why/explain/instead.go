package explain

import (
	"fmt"

	"girih"
)

// This file looks for what works near a composition that is no layout.

// insteadOfComposition adds what works near A o B.
func insteadOfComposition(x *Explanation, a, b girih.Layout) {
	if x.Failure == nil || x.Failure.Code != string(girih.CodeNotRepresentable) {
		return
	}
	nearest(x, b, func(near girih.Layout) (string, string, bool) {
		r, err := girih.Composition(a, near)
		return a.String() + " o " + near.String(), r.String(), err == nil
	})
	if t, ok := byModes(a, b); ok {
		if r, err := girih.CompositionBy(a, t); err == nil {
			x.instead("mode by mode, if B was meant as a tile of A's modes (another function: a shape or <...> tiles by mode)",
				a.String()+" o "+t.String(), r.String())
		}
	}
	if c, err := girih.NewComposed(a, girih.Int(0), b); err == nil {
		x.instead("the function as it is, not as one layout but as a chain that is evaluated in two steps",
			c.String(), c.String())
	}
}

// byModes returns the tile of B's modes if A has as many.
func byModes(a, b girih.Layout) (girih.Tile, bool) {
	if b.HasBasis() || b.Rank() < 2 || b.Rank() > a.Rank() {
		return girih.Tile{}, false
	}
	var ts []girih.Tiler
	for _, m := range b.Modes() {
		ts = append(ts, m)
	}
	return girih.MakeTile(ts...), true
}

// mostTries bounds the compositions that the search for a near operand makes.
const mostTries = 96

// nearest looks for the nearest layouts that differ from b in one extent, or in one stride, and work: for which try
// returns an expression and its value.
func nearest(x *Explanation, b girih.Layout, try func(near girih.Layout) (expr, value string, ok bool)) {
	if b.HasBasis() {
		return
	}
	changes := []struct {
		what   string
		change func(f leaf, by int64) (leaf, int64, bool)
	}{
		{"extent", func(f leaf, by int64) (leaf, int64, bool) { return leaf{f.s + by, f.d}, f.s, f.s+by >= 2 }},
		{"stride", func(f leaf, by int64) (leaf, int64, bool) {
			d, _ := f.d.Int64()
			return integerLeaf(f.s, d+by), d, f.s > 1 && d+by != 0 && (d+by < 0) == (d < 0)
		}},
	}
	leaves := leavesOf(b)
	for _, c := range changes {
		tries := 0
		for dist := int64(1); dist <= 8 && tries < mostTries; dist++ {
			if alternative(x, b, leaves, dist, &tries, c.what, c.change, try) {
				break
			}
		}
	}
}

// alternative looks for a layout that works among those in which one leaf of b is changed by dist, and adds the first.
func alternative(x *Explanation, b girih.Layout, leaves []leaf, dist int64, tries *int, what string,
	change func(f leaf, by int64) (leaf, int64, bool), try func(near girih.Layout) (expr, value string, ok bool),
) bool {
	for j, f := range leaves {
		for _, by := range []int64{-dist, dist} {
			g, old, ok := change(f, by)
			if !ok {
				continue
			}
			*tries++
			near, err := withLeaf(b, leaves, j, g)
			if err != nil || near.Size() > 1<<16 {
				continue
			}
			expr, value, ok := try(near)
			if ok {
				x.instead(fmt.Sprintf("with the %s %d instead of %d in the leaf %v: %v", what, old+by, old, f, g), expr, value)
				return true
			}
		}
	}
	return false
}

// withLeaf returns b with leaf j replaced.
func withLeaf(b girih.Layout, leaves []leaf, j int, g leaf) (girih.Layout, error) {
	parts := make([]girih.Layout, len(leaves))
	for i, f := range leaves {
		if i == j {
			f = g
		}
		l, err := girih.New(girih.Int(f.s), f.d)
		if err != nil {
			return l, err
		}
		parts[i] = l
	}
	return nested(b.Shape(), parts)
}
