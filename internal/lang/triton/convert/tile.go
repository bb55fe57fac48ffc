package convert

import (
	"slices"

	"girih/f2"
)

// A Tile describes the lanes that work together in one access of shared memory: the lanes whose elements are contiguous
// in memory, and the lanes whose addresses are served in one wavefront. Lanes are given as bits of the lane number. In
// the zero Tile no lanes are contiguous, and a wavefront serves as many lanes as the banks allow.
//
// The zero Tile describes ld.shared and st.shared (PTX ISA, "Data Movement"): 128-bit accesses are served in quarters
// of a warp, 64-bit accesses in halves. The tiles of ldmatrix and stmatrix (PTX ISA, "ldmatrix") are:
//
//	             Contiguous  Address  Registers
//	             {0, 1}      {2,3,4}  0          four lanes hold the 16 bytes of a row; eight rows make a wavefront
//	with .trans  {2, 3, 4}   {0, 1}   1          eight lanes hold a row of 16-bit elements; four lanes with two
//	                                             registers hold the eight rows
type Tile struct {
	Contiguous []int // lane bits whose elements follow the elements of the registers in memory
	Address    []int // lane bits whose addresses share a wavefront; if empty, as many as the banks can serve
	Registers  int   // 1 if the rows of two registers share a wavefront with those addresses, otherwise 0
	Transposed bool  // the access transposes: it needs elements of 16 bits
}

// valid reports whether the tile fits the lanes and the element.
func (t Tile) valid(lanes, elemBits int) bool {
	for i, b := range slices.Concat(t.Contiguous, t.Address) {
		if b < 0 || b >= lanes || slices.Index(slices.Concat(t.Contiguous, t.Address), b) != i {
			return false
		}
	}
	if t.Registers < 0 || t.Registers > 1 || t.Transposed && elemBits != 16 {
		return false
	}
	return len(t.Contiguous) == 0 || elemBits <= 32 && 1<<len(t.Contiguous)*elemBits <= 128
}

// A side is one of the two layouts of a conversion, flat: the basis vectors of its input dimensions.
type side struct {
	regs, lanes, warps, blocks []f2.Vector
	tile                       Tile
}

// phase returns the lanes whose addresses share a wavefront when each moves vecBits bits.
func (s side) phase(vecBits, banks int) []f2.Vector {
	if len(s.tile.Address) > 0 {
		out := make([]f2.Vector, len(s.tile.Address))
		for i, b := range s.tile.Address {
			out[i] = s.lanes[b]
		}
		return out
	}
	drop := log2(max(vecBits, 32)/32) + len(s.lanes) - log2(banks)
	return s.lanes[:len(s.lanes)-min(max(drop, 0), len(s.lanes))]
}

func log2(n int) int {
	k := 0
	for n > 1 {
		n, k = n/2, k+1
	}
	return k
}

// common returns the vectors that both lists have, in the order of a, if all are unit vectors or zero; otherwise a
// basis of the intersection of their spans.
func common(a, b []f2.Vector) []f2.Vector {
	isUnit := func(v f2.Vector) bool { return v.Weight() <= 1 }
	all := slices.Concat(a, b)
	if !slices.ContainsFunc(all, func(v f2.Vector) bool { return !isUnit(v) }) {
		return keep(a, func(v f2.Vector) bool { return v != 0 && slices.Contains(b, v) })
	}
	return f2.Span(a...).Intersection(f2.Span(b...)).Basis()
}

// keep returns the vectors that are accepted, each once.
//
//go:noinline
func keep(vs []f2.Vector, accept func(f2.Vector) bool) []f2.Vector {
	var out []f2.Vector
	for _, v := range vs {
		if accept(v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
