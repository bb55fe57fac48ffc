package linear

import (
	"slices"

	"girih/cute"
)

// ResizeIn returns the layout with an input dimension of the given size: a smaller size drops the last bases, a larger
// size appends zero bases. It returns [cute.CodeName] for an unknown dimension, [cute.CodeExtent] unless the size is a
// power of two, and [cute.CodeOverflow] for more than 62 bits.
func (l Layout) ResizeIn(in string, size int64) (Layout, error) {
	const op = "resize_in"
	i := l.ins.find(in)
	if i < 0 {
		return Layout{}, unknownDim(op, "input", in, l.ins)
	}
	n, err := sizeBits(op, in, size)
	if err != nil {
		return Layout{}, err
	}
	ins, err := l.ins.resize(op, i, n)
	if err != nil {
		return Layout{}, err
	}
	end := int(l.ins.off[i]) + int(l.ins.bits[i])
	kept := int(l.ins.off[i]) + min(n, int(l.ins.bits[i]))
	cols := make([]uint64, 0, ins.total)
	cols = append(cols, l.cols[:kept]...)
	cols = append(cols, make([]uint64, max(0, n-int(l.ins.bits[i])))...)
	cols = append(cols, l.cols[end:]...)
	return Layout{ins, l.outs, cols, l.origin}, nil
}

// resize returns the dimensions with n bits at place i.
func (d *dims) resize(op string, i, n int) (*dims, error) {
	sizes := make([]int, d.len())
	for j, b := range d.bits {
		sizes[j] = int(b)
	}
	sizes[i] = n
	return makeDims(op, d.names, sizes)
}

// ResizeOut returns the layout with a smaller size n of an output dimension. A basis coordinate that is a multiple of n
// becomes 0, so that the basis repeats other values.
//
// A larger coordinate with low bits, such as 5 for n = 4, could become 1, or 0 as in Triton. Such a coordinate is
// refused with [cute.CodeNotDivisible], which names the basis; with [Triton] it becomes 0. Other errors are
// [cute.CodeName] for an unknown dimension, and [cute.CodeExtent] unless n is a power of two that is at most the
// present size, and for an origin that does not fit.
func (l Layout) ResizeOut(out string, n int64, opts ...Option) (Layout, error) {
	const op = "resize_out"
	i := l.outs.find(out)
	if i < 0 {
		return Layout{}, unknownDim(op, "output", out, l.outs)
	}
	bits, err := sizeBits(op, out, n)
	if err != nil {
		return Layout{}, err
	}
	if bits > int(l.outs.bits[i]) {
		return Layout{}, fail(cute.CodeExtent, op,
			"expected a size of at most %d, the present one, for output dimension %q, found %d", int64(1)<<l.outs.bits[i], out, n)
	}
	if at := l.outs.at(i, l.origin); at >= uint64(n) {
		return Layout{}, fail(cute.CodeExtent, op,
			"expected an origin below the new size %d of output dimension %q, found %d", n, out, at)
	}
	outs, err := l.outs.resize(op, i, bits)
	if err != nil {
		return Layout{}, err
	}
	fit := slices.Clone(l.cols)
	for j, c := range fit {
		at := l.outs.at(i, c)
		if at < uint64(n) {
			continue
		}
		if at&uint64(n-1) != 0 && !slices.Contains(opts, Triton) {
			return Layout{}, l.at(j, fail(cute.CodeNotDivisible, op,
				"expected basis coordinates along %q below the new size %d or multiples of it, found %s", out, n, l.basisText(j)))
		}
		fit[j] = c &^ l.outs.mask(i)
	}
	return l.withOuts(fit, outs), nil
}

// withOuts returns l with the given columns. They are in l's output dimensions, and are moved by name to the dimensions
// outs, where they must fit.
func (l Layout) withOuts(cols []uint64, outs *dims) Layout {
	moves := make([]move, 0, l.outs.len())
	for i := range l.outs.len() {
		if j := outs.find(l.outs.names[i]); j >= 0 {
			moves = append(moves, move{l.outs.off[i], outs.off[j], min(l.outs.bits[i], outs.bits[j])})
		}
	}
	moved := make([]uint64, len(cols))
	for j, c := range cols {
		moved[j] = apply(moves, c)
	}
	return Layout{l.ins, outs, moved, apply(moves, l.origin)}
}

// EnsureNotLarger returns the layout with every output dimension cut to its size in the shape if the dimension is
// larger, as by [Layout.ResizeOut]; dimensions that the shape does not name stay. With [DropRegisters], the bases of
// the input dimension "register" that become zero are dropped. It is Triton's ensureLayoutNotLargerThan. It returns the
// errors of ResizeOut.
func (l Layout) EnsureNotLarger(shape []Dim, opts ...Option) (Layout, error) {
	r := l
	for _, d := range shape {
		if !l.HasOut(d.Name) {
			return Layout{}, unknownDim("ensure_not_larger", "output", d.Name, l.outs)
		}
		if r.OutSize(d.Name) <= d.Size {
			continue
		}
		var err error
		if r, err = r.ResizeOut(d.Name, d.Size, opts...); err != nil {
			return Layout{}, err
		}
	}
	if !slices.Contains(opts, DropRegisters) {
		return r, nil
	}
	return r.keepBases("register", func(j int) bool { return r.cols[j] != 0 || l.cols[j] == 0 }), nil
}

// keepBases returns the layout without those bases of an input dimension whose column keep rejects. A missing dimension
// loses no bases.
func (l Layout) keepBases(in string, keep func(col int) bool) Layout {
	i := l.ins.find(in)
	if i < 0 {
		return l
	}
	first, n := int(l.ins.off[i]), int(l.ins.bits[i])
	cols := slices.Clone(l.cols[:first])
	for j := first; j < first+n; j++ {
		if keep(j) {
			cols = append(cols, l.cols[j])
		}
	}
	kept := len(cols) - first
	cols = append(cols, l.cols[first+n:]...)
	// With fewer bits than before there cannot be too many.
	ins, _ := l.ins.resize("drop_bases", i, kept)
	return Layout{ins, l.outs, cols, l.origin}
}

// EnsureNotSmaller returns the layout with every output dimension grown to its size in the shape if it is smaller:
// bases that continue the output dimensions, in their order, are appended to the first input dimension. It is Triton's
// ensureLayoutNotSmallerThan. It returns [cute.CodeName] for a missing dimension of the shape, [cute.CodeRank] for a
// layout without input dimensions, and the errors of [Identity1D].
func (l Layout) EnsureNotSmaller(shape []Dim) (Layout, error) {
	const op = "ensure_not_smaller"
	for _, d := range shape {
		if !l.HasOut(d.Name) {
			return Layout{}, unknownDim(op, "output", d.Name, l.outs)
		}
		if _, err := sizeBits(op, d.Name, d.Size); err != nil {
			return Layout{}, err
		}
	}
	if l.ins.len() == 0 {
		return Layout{}, fail(cute.CodeRank, op, "expected an input dimension to grow, found none")
	}
	for _, out := range l.OutDims() {
		for _, d := range shape {
			if d.Name != out.Name || d.Size <= out.Size {
				continue
			}
			id, err := Identity1D(d.Size/out.Size, l.ins.names[0], out.Name)
			if err != nil {
				return Layout{}, err
			}
			if l, err = l.Product(id); err != nil {
				return Layout{}, err
			}
		}
	}
	return l, nil
}
