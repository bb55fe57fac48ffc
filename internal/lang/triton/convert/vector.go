package convert

import (
	"slices"

	"girih/f2"
)

// vectorBases returns the lowest offset bits of the memory, which one access of the narrower side moves. They are
// registers of both sides, at most 128 bits. If they are less than a word of 32 bits, the cheapest vectors fill the
// word: registers of one side that are warps of the other side, then warps of both, then warps of either.
func vectorBases(a, b side, elemBits int) []f2.Vector {
	most, word := log2(128/elemBits), log2(max(32/elemBits, 1))
	v := common(a.regs, b.regs)
	v = v[:min(len(v), most)]
	if len(v) >= word {
		return v
	}
	outside := func(x f2.Vector) bool { return !f2.Span(v...).Contains(x) }
	oneSided := larger(common(keep(a.regs, outside), b.warps), common(keep(b.regs, outside), a.warps))
	v = extend(v, oneSided, word)
	v = extend(v, common(a.warps, b.warps), word)
	for i := range max(len(a.warps), len(b.warps)) {
		for _, warps := range [][]f2.Vector{a.warps, b.warps} {
			if i < len(warps) {
				v = extend(v, warps[i:i+1], word)
			}
		}
	}
	return v
}

// larger returns the longer list; of two equally long lists, the list with the smallest vector.
func larger(a, b []f2.Vector) []f2.Vector {
	switch {
	case len(a) != len(b):
		if len(a) > len(b) {
			return a
		}
		return b
	case len(a) > 0 && slices.Min(a) < slices.Min(b):
		return a
	}
	return b
}

// extend appends vectors that are independent of the vectors before them, up to n vectors in total.
func extend(v, more []f2.Vector, n int) []f2.Vector {
	v = slices.Clone(v)
	for _, x := range more {
		if len(v) < n && !f2.Span(v...).Contains(x) {
			v = append(v, x)
		}
	}
	return v
}

// tileBases returns the 128 contiguous bits of accesses whose tiles have contiguous lanes: the first registers common
// to both sides, then the contiguous lanes of the side with more such lanes, which must be registers or the same lanes
// on the other side. It reports whether that is possible.
func tileBases(a, b side, elemBits int) ([]f2.Vector, bool) {
	if len(a.tile.Contiguous) > len(b.tile.Contiguous) {
		a, b = b, a
	}
	v := common(a.regs, b.regs)
	n := log2(128/elemBits) - len(b.tile.Contiguous)
	if n < 0 || len(v) < n {
		return nil, false
	}
	v = v[:n:n]
	own := len(b.tile.Contiguous) - len(a.tile.Contiguous)
	for i, bit := range b.tile.Contiguous {
		x := b.lanes[bit]
		switch {
		case x == 0:
			return nil, false
		case i < own && !slices.Contains(a.regs, x):
			return nil, false
		case i >= own && a.lanes[a.tile.Contiguous[i-own]] != x:
			return nil, false
		}
		v = append(v, x)
	}
	return v, f2.Span(v...).Dim() == len(v)
}
