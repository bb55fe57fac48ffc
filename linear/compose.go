package linear

import (
	"girih/cute"
)

// Compose returns the layout that applies l and then m, x ↦ m(l(x)): Triton's l.compose(m). The output dimensions of l
// must be the input dimensions of m, in any order, and no output may be larger than the input of that name. The result
// has the inputs of l and the outputs of m. It returns [cute.CodeNotCongruent] for other names and [cute.CodeExtent]
// for a larger dimension.
func (l Layout) Compose(m Layout) (Layout, error) {
	const op = "compose"
	if l.outs == m.ins || l.outs.equal(m.ins) {
		return l.withColumns(m.cols, m), nil
	}
	if !l.outs.sameSet(m.ins) {
		return Layout{}, fail(cute.CodeNotCongruent, op, "expected the output dimensions of the inner layout to be the input dimensions of the outer one, found %s and %s",
			l.outs.list(), m.ins.list())
	}
	cols := make([]uint64, l.outs.width())
	for i := range l.outs.len() {
		from := m.colsOf(l.outs.names[i])
		if int(l.outs.bits[i]) > len(from) {
			return Layout{}, fail(cute.CodeExtent, op, "expected size %d or less of dimension %q of the inner layout, as in the outer one, found %d",
				int64(1)<<len(from), l.outs.names[i], int64(1)<<l.outs.bits[i])
		}
		copy(cols[l.outs.off[i]:], from[:l.outs.bits[i]])
	}
	return l.withColumns(cols, m), nil
}

// withColumns applies l, then the columns of m in the order of l's outputs.
func (l Layout) withColumns(cols []uint64, m Layout) Layout {
	out := make([]uint64, len(l.cols))
	for j, c := range l.cols {
		out[j] = xorColumns(cols, c)
	}
	return Layout{l.ins, m.outs, out, xorColumns(cols, l.origin) ^ m.origin}
}
