package linear

import (
	"math/bits"
	"slices"

	"girih/cute"
)

// Apply returns the value at the coordinates, which name every input dimension once in any order. The value has one
// coordinate for each output dimension, in order.
//
// It returns [cute.CodeNotCongruent] for missing, repeated or unknown dimensions, and [cute.CodeNegative] or
// [cute.CodeExtent] for a coordinate outside its dimension. With [Triton], such a coordinate wraps: only its low bits
// count.
func (l Layout) Apply(coords []Coord, opts ...Option) ([]Coord, error) {
	const op = "apply"
	values := make([]int64, l.ins.len())
	seen := make([]bool, l.ins.len())
	for _, c := range coords {
		i := l.ins.find(c.Name)
		if i < 0 || seen[i] {
			return nil, fail(cute.CodeNotCongruent, op, "expected each of the input dimensions %s once, found %q",
				l.ins.list(), c.Name)
		}
		seen[i] = true
		values[i] = c.Value
		if slices.Contains(opts, Triton) {
			values[i] &= 1<<l.ins.bits[i] - 1
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		return nil, fail(cute.CodeNotCongruent, op, "expected each of the input dimensions %s once, found none for %q",
			l.ins.list(), l.ins.names[i])
	}
	at, err := l.At(values...)
	if err != nil {
		return nil, err
	}
	out := make([]Coord, len(at))
	for i, x := range at {
		out[i] = Coord{l.outs.names[i], x}
	}
	return out, nil
}

// At returns the value at the coordinates, one for each input dimension in order. The value has one coordinate for each
// output dimension. It returns [cute.CodeRank] for too few or too many coordinates, and [cute.CodeNegative] or
// [cute.CodeExtent] for a coordinate outside its dimension.
func (l Layout) At(coords ...int64) ([]int64, error) {
	const op = "apply"
	if len(coords) != l.ins.len() {
		return nil, fail(cute.CodeRank, op, "expected %d coordinates, one for each of the input dimensions %s, found %d",
			l.ins.len(), l.ins.list(), len(coords))
	}
	flat, err := l.ins.joinCoords(op, "input", coords)
	if err != nil {
		return nil, err
	}
	return l.outs.split(l.flat(flat)), nil
}

// Flat returns the flat value at a flat index: on both sides, the first dimension has the lowest bits. It returns
// [cute.CodeExtent] for an index outside the layout.
func (l Layout) Flat(x uint64) (uint64, error) {
	if x>>l.ins.width() != 0 {
		return 0, fail(cute.CodeExtent, "apply", "expected a flat index below %d, found %d", int64(1)<<l.ins.width(), x)
	}
	return l.flat(x), nil
}

func (l Layout) flat(x uint64) uint64 { return xorColumns(l.cols, x) ^ l.origin }

// xorColumns returns the sum of the columns that x selects.
func xorColumns(cols []uint64, x uint64) uint64 {
	var y uint64
	for ; x != 0; x &= x - 1 {
		y ^= cols[bits.TrailingZeros64(x)]
	}
	return y
}
