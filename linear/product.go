package linear

// Product returns the direct sum l·m, Triton's operator *: the bases of l, then the bases of m with each coordinate
// shifted beyond the size that l declares for that output dimension. So in every shared dimension, l has the low bits
// and m has the high bits, and the sizes multiply. The order of dimensions is the [Supremum] of the orders in l and m.
//
// Only the declared sizes of l matter, not its image: after a layout with bases [1] in an output of size 8, the bases
// of m start at 8. The product is associative, and [Empty] is neutral. It returns [cute.CodeOverflow] for more than 62
// bits, and the errors of Supremum; with [Triton], the order of l wins in a conflict.
func (l Layout) Product(m Layout, opts ...Option) (Layout, error) {
	const op = "product"
	ins, err := mergeDims(op, l.ins, m.ins, opts)
	if err != nil {
		return Layout{}, err
	}
	outs, err := mergeDims(op, l.outs, m.outs, opts)
	if err != nil {
		return Layout{}, err
	}
	low := l.outs.moves(outs, noShift)
	high := m.outs.moves(outs, func(i int) int { return l.outs.bitsOf(m.outs.names[i]) })
	cols := make([]uint64, 0, ins.width())
	for i := range ins.len() {
		for _, c := range l.colsOf(ins.names[i]) {
			cols = append(cols, apply(low, c))
		}
		for _, c := range m.colsOf(ins.names[i]) {
			cols = append(cols, apply(high, c))
		}
	}
	return Layout{ins, outs, cols, apply(low, l.origin) | apply(high, m.origin)}, nil
}

// colsOf returns the columns of an input dimension, nil if it is missing.
//
//go:noinline
func (l Layout) colsOf(name string) []uint64 {
	i := l.ins.find(name)
	if i < 0 {
		return nil
	}
	return l.cols[l.ins.off[i] : l.ins.off[i]+l.ins.bits[i]]
}

// mergeDims returns the dimensions of both lists in the order of the supremum, with sizes multiplied.
func mergeDims(op string, d, e *dims, opts []Option) (*dims, error) {
	switch {
	case e.len() == 0:
		return d, nil
	case d.len() == 0:
		return e, nil
	}
	names, err := Supremum(d.names, e.names, opts...)
	if err != nil {
		return nil, err
	}
	sizes := make([]int, len(names))
	for i, name := range names {
		sizes[i] = d.bitsOf(name) + e.bitsOf(name)
	}
	return makeDims(op, names, sizes)
}
