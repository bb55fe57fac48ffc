package linear

import (
	"slices"

	"girih/cute"
)

// TransposeIns returns the layout with its input dimensions in another order; the basis vectors stay with their
// dimensions. It returns [cute.CodeNotCongruent] unless names lists every input dimension once.
func (l Layout) TransposeIns(names ...string) (Layout, error) {
	ins, err := l.ins.transpose("transpose_ins", "input", names)
	if err != nil {
		return Layout{}, err
	}
	cols := make([]uint64, 0, len(l.cols))
	for _, name := range names {
		cols = append(cols, l.colsOf(name)...)
	}
	return Layout{ins, l.outs, cols, l.origin}, nil
}

// TransposeOuts returns the layout with its output dimensions in another order; the coordinates stay with their
// dimensions. It returns [cute.CodeNotCongruent] unless names lists every output dimension once.
func (l Layout) TransposeOuts(names ...string) (Layout, error) {
	outs, err := l.outs.transpose("transpose_outs", "output", names)
	if err != nil {
		return Layout{}, err
	}
	return l.withOuts(l.cols, outs), nil
}

// transpose returns the dimensions in the order of the names.
func (d *dims) transpose(op, side string, names []string) (*dims, error) {
	sizes := make([]int, len(names))
	for i, name := range names {
		if d.find(name) < 0 || slices.Index(names, name) != i {
			return nil, fail(cute.CodeNotCongruent, op, "expected each of the %s dimensions %s once, found %q", side,
				d.list(), names)
		}
		sizes[i] = d.bitsOf(name)
	}
	if len(names) != d.len() {
		return nil, fail(cute.CodeNotCongruent, op, "expected each of the %s dimensions %s once, found %q", side,
			d.list(), names)
	}
	return makeDims(op, slices.Clone(names), sizes)
}

// RenameIn returns the layout with another name for an input dimension, in the same place. It returns [cute.CodeName]
// if the dimension is missing, or the new name is empty or taken.
func (l Layout) RenameIn(from, to string) (Layout, error) {
	ins, err := l.ins.rename("rename_in", "input", from, to)
	if err != nil {
		return Layout{}, err
	}
	l.ins = ins
	return l, nil
}

// RenameOut returns the layout with another name for an output dimension, in the same place. It returns [cute.CodeName]
// if the dimension is missing, or the new name is empty or taken.
func (l Layout) RenameOut(from, to string) (Layout, error) {
	outs, err := l.outs.rename("rename_out", "output", from, to)
	if err != nil {
		return Layout{}, err
	}
	l.outs = outs
	return l, nil
}

func (d *dims) rename(op, side, from, to string) (*dims, error) {
	i := d.find(from)
	if i < 0 {
		return nil, unknownDim(op, side, from, d)
	}
	if to == "" || to != from && d.find(to) >= 0 {
		return nil, fail(cute.CodeName, op,
			"expected a new name for %q that is not empty and not one of the %s dimensions %s, found %q", from, side,
			d.list(), to)
	}
	names := slices.Clone(d.names)
	names[i] = to
	return &dims{names, d.bits, d.off, d.total}, nil
}

// Sublayout returns the layout restricted to some input dimensions (the others are 0) and projected to some output
// dimensions. The dimensions keep their order and sizes; the order of the names does not matter. It returns
// [cute.CodeName] for the name of a missing dimension.
func (l Layout) Sublayout(ins, outs []string) (Layout, error) {
	const op = "sublayout"
	id, err := l.ins.keep(op, "input", ins)
	if err != nil {
		return Layout{}, err
	}
	od, err := l.outs.keep(op, "output", outs)
	if err != nil {
		return Layout{}, err
	}
	r := Layout{ins: id, outs: l.outs, cols: make([]uint64, 0, id.width()), origin: l.origin}
	for _, name := range id.names {
		r.cols = append(r.cols, l.colsOf(name)...)
	}
	return r.withOuts(r.cols, od), nil
}

// keep returns the dimensions whose names are listed, in their own order.
func (d *dims) keep(op, side string, names []string) (*dims, error) {
	for _, name := range names {
		if d.find(name) < 0 {
			return nil, unknownDim(op, side, name, d)
		}
	}
	keep := make([]string, 0, len(names))
	sizes := make([]int, 0, len(names))
	for i := range d.len() {
		if slices.Contains(names, d.names[i]) {
			keep, sizes = append(keep, d.names[i]), append(sizes, int(d.bits[i]))
		}
	}
	return makeDims(op, keep, sizes)
}
