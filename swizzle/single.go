package swizzle

import "girih/cute"

// This file tries all single swizzles.

// keeps reports whether a linear map keeps the elements at each address adjacent and aligned, in every access.
func (t *tile) keeps(f func(uint64) uint64) bool {
	for i, v := range t.vec {
		for e := range v {
			if f(1<<e) != 1<<e {
				return false
			}
		}
		for _, x := range t.starts[i] {
			if f(x)&(1<<v-1) != 0 {
				return false
			}
		}
	}
	return true
}

// frees reports whether a linear map keeps any two lanes that are served together in different banks or in the same
// word.
func (t *tile) frees(f func(uint64) uint64) bool {
	for _, c := range t.clashes {
		if t.sameBank(f(c.diff), c.banks) {
			return false
		}
	}
	return true
}

// A grown is a found swizzle, and the number of elements by which the tile grows with it.
type grown struct {
	Choice
	grows int64
}

// singles returns the smallest swizzles that free all accesses, each with the swizzles that are the same function on
// the tile. Swizzles that keep the tile in its place come first, then swizzles with less growth; singles returns all
// functions with the least B among the best of these. tried is the number of swizzles that were tried.
func (t *tile) singles() (best []grown, tried int) {
	all := candidates(t.bits)
	var ok []cute.Swizzle
	for _, w := range all {
		t.check()
		f := func(x uint64) uint64 { return fast(w, x) }
		if t.frees(f) && t.keeps(f) {
			ok = append(ok, w)
		}
	}
	for _, c := range choices(ok, t.span) {
		f := func(x uint64) uint64 { return fast(c.Swizzle, x) }
		g := grown{c, t.grows(f)}
		if t.full && g.grows > 0 {
			continue
		}
		if len(best) > 0 && !g.better(best[0]) && best[0].better(g) {
			continue
		}
		// An answer of the algebra counts only after simulating every instruction.
		if !t.conflictFree(f) {
			continue
		}
		if len(best) > 0 && g.better(best[0]) {
			best = best[:0]
		}
		best = append(best, g)
	}
	return best, len(all)
}

// better reports whether g needs less memory than h, or the same memory and fewer bits.
func (g grown) better(h grown) bool {
	if g.grows != h.grows {
		return g.grows < h.grows
	}
	return g.Swizzle.B() < h.Swizzle.B()
}
