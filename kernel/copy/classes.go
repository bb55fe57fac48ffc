package copy

import (
	"maps"
	"slices"
	"sort"

	"girih/banks"
	"girih/internal/ints"
)

// This file groups blocks that access memory alike, so that a prediction examines one block of each class and still
// counts exactly. Two blocks with the same extents differ only in where they begin on each side. For sectors, the place
// within a sector matters. A swizzle reads and changes bits below some power of two; then the place modulo that power
// matters.
//
//	64 rows of 65 words   rows begin at the words 0, 65, 130, ..., at the places 0, 1, ..., 7 of a sector: 8 classes
//
// A mode whose extents have no common refinement is examined tile by tile.

// A class is a group of blocks that access memory alike: their number, and the first of them.
type class struct{ count, block int64 }

// maxClasses limits the classes that a prediction examines. Above it, blocks are sampled.
const maxClasses = 256

// A spot distinguishes classes: it says where a block begins on both sides, in bytes modulo the period of the side;
// which modes end in it; its tiles of mixed modes; and, for [Rows], its distance from the ends of src, because words of
// a run may reach beyond them.
type spot struct{ src, dst, ends, mixed, before, after int64 }

// widest is the most bytes of a word.
const widest = 16

// period returns a power of two; an address modulo the period determines the sectors.
func (e *end) period() int64 {
	if e.swizzle == nil {
		return banks.SectorBytes
	}
	w := e.swizzle
	return max(banks.SectorBytes, e.bytes<<min(w.M()+w.B()+max(w.S(), -w.S()), 40))
}

// classes returns the classes of the blocks, or nil if there are more than [maxClasses].
func (p *Plan) classes() []class {
	if p.way == Rows && p.src.swizzle != nil {
		return p.eachBlock() // their distance from the ends is not known
	}
	src, dst := p.src.period(), p.dst.period()
	now := map[spot]class{{}: {count: 1}}
	stride := int64(1)
	for _, m := range p.order {
		s := step{p: p, m: m, mode: p.modes[m], tile: p.tile[m]}
		x, y := s.tile*s.mode.Src*p.elem, s.tile*s.mode.Dst*p.elem
		groups := s.groups(max(src/ints.LowestBit(x|src), dst/ints.LowestBit(y|dst)))
		if len(groups)*len(now) > 64*maxClasses {
			return p.eachBlock()
		}
		next := map[spot]class{}
		for at, c := range now {
			for _, g := range groups {
				to := s.at(at, g.block)
				if !s.mode.mixed {
					to.src, to.dst = (at.src+g.block*x)&(src-1), (at.dst+g.block*y)&(dst-1)
				}
				sum, ok := next[to]
				if block := c.block + g.block*stride; !ok || block < sum.block {
					sum.block = block
				}
				sum.count += c.count * g.count
				next[to] = sum
			}
		}
		if now, stride = next, stride*p.pieces(m); len(now) > maxClasses {
			return p.eachBlock()
		}
	}
	list := slices.Collect(maps.Values(now))
	sort.Slice(list, func(i, j int) bool { return list[i].block < list[j].block })
	return list
}

// eachBlock returns a class for each block, or nil if there are too many.
func (p *Plan) eachBlock() []class {
	if p.blocks > maxClasses {
		return nil
	}
	out := make([]class, p.blocks)
	for i := range out {
		out[i] = class{1, int64(i)}
	}
	return out
}

// A step is the tiles of one mode.
type step struct {
	p    *Plan
	m    int
	mode Mode
	tile int64
}

// groups divides the tiles into groups; block is the first tile of each. Tiles near the ends, tiles of mixed modes and
// a smaller tile are alone; the others are grouped by their place, which repeats.
func (s *step) groups(repeat int64) []class {
	whole := s.mode.Extent / s.tile
	alone := int64(0)
	switch {
	case s.mode.mixed:
		alone = whole
	case s.p.readsWords() && s.mode.Src != 0:
		alone = min(whole, ints.CeilDiv(widest, s.tile*abs(s.mode.Src)*s.p.elem))
	}
	if alone > maxClasses {
		alone = maxClasses + 1 // too many in any case
	}
	var out []class
	for i := range alone {
		out = append(out, class{1, i})
	}
	last := max(alone, whole-alone)
	for i := range min(last-alone, repeat) {
		out = append(out, class{ints.CeilDiv(last-alone-i, repeat), alone + i})
	}
	for i := last; i < s.p.pieces(s.m); i++ {
		out = append(out, class{1, i})
	}
	return out
}

// at returns the position of tile i of the mode, except for its place in a sector.
func (s *step) at(from spot, i int64) spot {
	n := s.p.pieces(s.m)
	if (i+1)*s.tile > s.mode.Extent {
		from.ends |= 1 << s.m
	}
	if s.p.lead(s.m) > 0 && (i == 0 || (i+1)*s.tile > s.mode.Extent) {
		from.mixed = from.mixed*(n+1) + i + 1 // the first tile and up to two last ones differ
	}
	if s.mode.mixed {
		from.mixed = from.mixed*n + i
	}
	if s.p.readsWords() {
		d := s.mode.Src * s.p.elem
		before, after := i*s.tile*abs(d), max(0, s.mode.Extent-(i+1)*s.tile)*abs(d)
		if d < 0 {
			before, after = after, before
		}
		from.before, from.after = min(from.before+before, widest), min(from.after+after, widest)
	}
	return from
}

// readsWords reports whether words of src may reach beyond runs, and so beyond the ends of src.
func (p *Plan) readsWords() bool { return p.way == Rows || p.way == Shifted }
