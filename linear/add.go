package linear

import (
	"slices"

	"girih/cute"
)

// Xor returns the sum of two maps over F2, x ↦ l(x) xor m(x), with the larger size of each output dimension. It returns
// [cute.CodeNotCongruent] unless the input dimensions of both agree in names, order and sizes, and the output
// dimensions in names and order, and [cute.CodeOverflow] for more than 62 bits.
func (l Layout) Xor(m Layout) (Layout, error) {
	const op = "xor"
	if !l.ins.equal(m.ins) {
		return Layout{}, fail(cute.CodeNotCongruent, op,
			"expected the same input dimensions in the same order, found %s and %s", l.ins.list(), m.ins.list())
	}
	if !l.outs.sameNames(m.outs) {
		return Layout{}, fail(cute.CodeNotCongruent, op,
			"expected output dimensions of the same names in the same order, found %s and %s", l.outs.list(), m.outs.list())
	}
	sizes := make([]int, l.outs.len())
	for i := range sizes {
		sizes[i] = int(max(l.outs.bits[i], m.outs.bits[i]))
	}
	outs, err := makeDims(op, l.outs.names, sizes)
	if err != nil {
		return Layout{}, err
	}
	sum, other := l.withOuts(l.cols, outs), m.withOuts(m.cols, outs)
	for j := range sum.cols {
		sum.cols[j] ^= other.cols[j]
	}
	sum.origin ^= other.origin
	return sum, nil
}

// GrowOut returns the layout with an output dimension enlarged to size n: its matrix with zero rows added. It returns
// [cute.CodeName] for an unknown dimension, [cute.CodeExtent] unless n is a power of two that is at least the present
// size, and [cute.CodeOverflow] for more than 62 bits.
func (l Layout) GrowOut(out string, n int64) (Layout, error) {
	const op = "grow_out"
	i := l.outs.find(out)
	if i < 0 {
		return Layout{}, unknownDim(op, "output", out, l.outs)
	}
	bits, err := sizeBits(op, out, n)
	if err != nil {
		return Layout{}, err
	}
	if bits < int(l.outs.bits[i]) {
		return Layout{}, fail(cute.CodeExtent, op,
			"expected a size of at least %d, the present one, for output dimension %q, found %d",
			int64(1)<<l.outs.bits[i], out, n)
	}
	outs, err := l.outs.resize(op, i, bits)
	if err != nil {
		return Layout{}, err
	}
	return l.withOuts(slices.Clone(l.cols), outs), nil
}
