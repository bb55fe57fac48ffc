package linear

import (
	"slices"

	"girih/cute"
)

// ReshapeIns returns the layout with the given input dimensions, which split the bits of the old dimensions anew, the
// first dimension lowest. It returns [cute.CodeExtent] for sizes that are not powers of two or have a different
// product, and the errors of [New] for names.
func (l Layout) ReshapeIns(dims ...Dim) (Layout, error) {
	ins, err := l.ins.reshape("reshape_ins", dims)
	if err != nil {
		return Layout{}, err
	}
	l.ins = ins
	return l, nil
}

// ReshapeOuts returns the layout with the given output dimensions, which split the bits of the old dimensions anew, the
// first dimension lowest. It returns the errors of [Layout.ReshapeIns].
func (l Layout) ReshapeOuts(dims ...Dim) (Layout, error) {
	outs, err := l.outs.reshape("reshape_outs", dims)
	if err != nil {
		return Layout{}, err
	}
	l.outs = outs
	return l, nil
}

func (d *dims) reshape(op string, list []Dim) (*dims, error) {
	e, err := fromDims(op, list)
	if err != nil {
		return nil, err
	}
	if e.width() != d.width() {
		return nil, fail(cute.CodeExtent, op, "expected sizes whose product is 2^%d as for %s, found 2^%d for %s",
			d.width(), d.list(), e.width(), e.list())
	}
	return e, nil
}

// FlattenIns returns the layout with one input dimension, which has the name of the first. A layout without input
// dimensions stays as it is.
func (l Layout) FlattenIns() Layout {
	l.ins = l.ins.flatten()
	return l
}

// FlattenOuts returns the layout with one output dimension, which has the name of the first. A layout without output
// dimensions stays as it is.
func (l Layout) FlattenOuts() Layout {
	l.outs = l.outs.flatten()
	return l
}

//go:noinline
func (d *dims) flatten() *dims {
	if d.len() < 2 {
		return d
	}
	return &dims{d.names[:1:1], []uint8{uint8(d.total)}, []uint8{0}, d.total}
}

// SqueezeIns returns the layout without an input dimension of size 1. It returns [cute.CodeName] for an unknown
// dimension and [cute.CodeExtent] for a larger dimension.
func (l Layout) SqueezeIns(in string) (Layout, error) {
	ins, err := l.ins.squeeze("squeeze_ins", "input", in)
	if err != nil {
		return Layout{}, err
	}
	l.ins = ins
	return l, nil
}

// SqueezeOuts returns the layout without an output dimension of size 1. It returns [cute.CodeName] for an unknown
// dimension and [cute.CodeExtent] for a larger dimension.
func (l Layout) SqueezeOuts(out string) (Layout, error) {
	outs, err := l.outs.squeeze("squeeze_outs", "output", out)
	if err != nil {
		return Layout{}, err
	}
	l.outs = outs
	return l, nil
}

func (d *dims) squeeze(op, side, name string) (*dims, error) {
	i := d.find(name)
	if i < 0 {
		return nil, unknownDim(op, side, name, d)
	}
	if d.bits[i] != 0 {
		return nil, fail(cute.CodeExtent, op, "expected %s dimension %q to have size 1, found %d", side, name,
			int64(1)<<d.bits[i])
	}
	return &dims{
		slices.Delete(slices.Clone(d.names), i, i+1),
		slices.Delete(slices.Clone(d.bits), i, i+1),
		slices.Delete(slices.Clone(d.off), i, i+1),
		d.total,
	}, nil
}

// ConcatIns returns the layout with the inputs of both, x, y ↦ l(x) xor m(y): the matrices side by side. It returns
// [cute.CodeNotCongruent] unless l and m have the same output dimensions, with order and sizes, [cute.CodeName] if l
// and m share an input dimension, and [cute.CodeOverflow] for more than 62 bits.
func (l Layout) ConcatIns(m Layout) (Layout, error) {
	const op = "concat_ins"
	if !l.outs.equal(m.outs) {
		return Layout{}, fail(cute.CodeNotCongruent, op,
			"expected the same output dimensions in the same order, found %s and %s", l.outs.list(), m.outs.list())
	}
	ins, err := fromDims(op, slices.Concat(l.ins.export(), m.ins.export()))
	if err != nil {
		return Layout{}, err
	}
	return Layout{ins, l.outs, slices.Concat(l.cols, m.cols), l.origin ^ m.origin}, nil
}

// ConcatOuts returns the layout with the outputs of both, x ↦ l(x), m(x): the matrices one above the other. It returns
// [cute.CodeNotCongruent] unless l and m have the same input dimensions, with order and sizes, [cute.CodeName] if l and
// m share an output dimension, and [cute.CodeOverflow] for more than 62 bits.
func (l Layout) ConcatOuts(m Layout) (Layout, error) {
	const op = "concat_outs"
	if !l.ins.equal(m.ins) {
		return Layout{}, fail(cute.CodeNotCongruent, op,
			"expected the same input dimensions in the same order, found %s and %s", l.ins.list(), m.ins.list())
	}
	outs, err := fromDims(op, slices.Concat(l.outs.export(), m.outs.export()))
	if err != nil {
		return Layout{}, err
	}
	cols := make([]uint64, len(l.cols))
	for j := range cols {
		cols[j] = l.cols[j] | m.cols[j]<<l.outs.width()
	}
	return Layout{l.ins, outs, cols, l.origin | m.origin<<l.outs.width()}, nil
}

// ReshapeTensor returns the layout of the tensor with the given shape, whose output dimensions are "dim0", "dim1", ....
// Elements keep their row-major order, the last dimension fastest. It is Triton's reshapeLayout. It returns the errors
// of [Layout.ReshapeOuts].
func (l Layout) ReshapeTensor(shape ...int64) (Layout, error) {
	old := l.outs.allNames()
	slices.Reverse(old)
	r, err := l.TransposeOuts(old...)
	if err != nil {
		return Layout{}, err
	}
	dims := make([]Dim, len(shape))
	names := make([]string, len(shape))
	for i, n := range shape {
		names[i] = dimName(i)
		dims[len(shape)-1-i] = Dim{names[i], n}
	}
	if r, err = r.ReshapeOuts(dims...); err != nil {
		return Layout{}, err
	}
	return r.TransposeOuts(names...)
}

// TransposeTensor returns the layout of the transposed tensor: dimension i of the result keeps its name and has the
// coordinates and the size of dimension order[i] of l. It is Triton's transposeLinearLayout. With [Triton], the sizes
// are inferred from the bases, as in [NewInferred], so that outputs that are not reached are lost. It returns
// [cute.CodeRank] unless order permutes the places of the output dimensions.
func (l Layout) TransposeTensor(order []int, opts ...Option) (Layout, error) {
	const op = "transpose_tensor"
	if err := checkOrder(op, order, l.outs.len()); err != nil {
		return Layout{}, err
	}
	names := l.outs.allNames()
	dims := make([]Dim, len(names))
	moved := make([]string, len(names))
	for i, from := range order {
		moved[i] = names[from]
		dims[i] = Dim{names[i], 1 << l.outs.bits[from]}
	}
	r, err := l.TransposeOuts(moved...)
	if err != nil {
		return Layout{}, err
	}
	if r, err = r.ReshapeOuts(dims...); err != nil {
		return Layout{}, err
	}
	if !slices.Contains(opts, Triton) || r.origin != 0 {
		return r, nil
	}
	return NewInferred(r.Bases(), names)
}
