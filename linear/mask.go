package linear

import (
	"slices"

	"girih/cute"
	"girih/f2"
)

// RemoveZeroBasesAlongDim returns the layout without the bases of an input dimension that are zero in every output. It
// returns [cute.CodeName] for an unknown dimension.
func (l Layout) RemoveZeroBasesAlongDim(in string) (Layout, error) {
	if !l.HasIn(in) {
		return Layout{}, unknownDim("remove_zero_bases_along_dim", "input", in, l.ins)
	}
	return l.keepBases(in, func(j int) bool { return l.cols[j] != 0 }), nil
}

// FreeVariableMasks returns, for each input dimension in order, a mask of redundant bits: if all of them are 0, there
// is exactly one input for every output that is reached. Redundant bits are the columns without a pivot in the reduced
// echelon form of [Layout.Matrix], so the masks depend on the order of the dimensions. A bit in the mask may still
// change the
// output: of the bases 1, 2, 3 the third is redundant.
func (l Layout) FreeVariableMasks() []Coord {
	_, pivots := l.Matrix().RREF()
	free := ^uint64(0)
	for _, p := range pivots {
		free &^= 1 << p
	}
	masks := make([]Coord, l.ins.len())
	for i := range masks {
		masks[i] = Coord{l.ins.names[i], int64(l.ins.at(i, free))}
	}
	return masks
}

// InputBasisMask returns the mask of the bits of an input dimension that change at least one of the given output
// dimensions. It returns [cute.CodeName] for a missing dimension.
func (l Layout) InputBasisMask(in string, outs ...string) (int64, error) {
	s, err := l.Sublayout([]string{in}, outs)
	if err != nil {
		return 0, err
	}
	var mask int64
	for k, c := range s.cols {
		if c != 0 {
			mask |= 1 << k
		}
	}
	return mask, nil
}

// OutputBasisMask returns the mask of those bits of an output dimension that are set in some basis of the given input
// dimensions. It returns [cute.CodeName] for a missing dimension.
func (l Layout) OutputBasisMask(ins []string, out string) (int64, error) {
	s, err := l.Sublayout(ins, []string{out})
	if err != nil {
		return 0, err
	}
	var mask uint64
	for _, c := range s.cols {
		mask |= c
	}
	return int64(mask), nil
}

// FactorMaximalIdentityPrefix returns the largest n such that l is the product of the identity of size n, from the
// input dimension to the output dimension, and another layout. It also returns that other layout ([Layout.DivideLeft]),
// and [cute.CodeName] for a missing dimension.
func (l Layout) FactorMaximalIdentityPrefix(in, out string) (int64, Layout, error) {
	const op = "factor_maximal_identity_prefix"
	if !l.HasIn(in) {
		return 0, Layout{}, unknownDim(op, "input", in, l.ins)
	}
	if !l.HasOut(out) {
		return 0, Layout{}, unknownDim(op, "output", out, l.outs)
	}
	for n := min(l.InSize(in), l.OutSize(out)); n > 1; n /= 2 {
		id, err := Identity1D(n, in, out)
		if err != nil {
			return 0, Layout{}, err
		}
		if rest, err := l.DivideLeft(id); err == nil {
			return n, rest, nil
		}
	}
	return 1, l, nil
}

// NumConsecutiveInOut returns the largest n such that, from every multiple of n, n consecutive inputs along the first
// input dimension are consecutive along the first output dimension: the number of [Layout.FactorMaximalIdentityPrefix].
// It is 1 for a layout without dimensions.
func (l Layout) NumConsecutiveInOut() int64 {
	if l.ins.len() == 0 || l.outs.len() == 0 {
		return 1
	}
	// Both dimensions are there, so the error is always nil.
	n, _, _ := l.FactorMaximalIdentityPrefix(l.ins.names[0], l.outs.names[0])
	return n
}

// ContiguousElemsAlongOutputDim returns the largest power of two n such that sums of bases reach the coordinates 0..n-1
// along an output dimension, with any coordinates in the other outputs. It returns [cute.CodeName] for an unknown
// dimension.
func (l Layout) ContiguousElemsAlongOutputDim(out string) (int64, error) {
	s, err := l.Sublayout(l.ins.allNames(), []string{out})
	if err != nil {
		return 0, err
	}
	image := s.Matrix().Image()
	n := 0
	for n < s.outs.width() && image.Contains(1<<n) {
		n++
	}
	return 1 << n, nil
}

// Complement returns a layout, from an input dimension of the given name, that completes the bases of l to a basis of
// all outputs: its bases are the smallest unit vectors that are not reached. The concatenation with l
// ([Layout.ConcatIns]) is surjective. It returns [cute.CodeName] for an empty name.
func (l Layout) Complement(in string) (Layout, error) {
	units := l.Matrix().Complement()
	ins, err := makeDims("complement", []string{in}, []int{len(units)})
	if err != nil {
		return Layout{}, err
	}
	cols := make([]uint64, len(units))
	for j, u := range units {
		cols[j] = uint64(u)
	}
	return Layout{ins: ins, outs: l.outs, cols: cols}, nil
}

// FromMatrix returns the layout of a matrix whose columns are split into input dimensions and whose rows into output
// dimensions, the first dimension lowest: the inverse of [Layout.Matrix]. It returns [cute.CodeExtent] unless the sizes
// match the matrix, and the errors of [New].
func FromMatrix(m f2.Matrix, ins, outs []Dim) (Layout, error) {
	const op = "from_matrix"
	id, err := fromDims(op, ins)
	if err != nil {
		return Layout{}, err
	}
	od, err := fromDims(op, outs)
	if err != nil {
		return Layout{}, err
	}
	if id.width() != m.Cols() || od.width() != m.Rows() {
		return Layout{}, fail(cute.CodeExtent, op, "expected inputs and outputs of %d and %d bits, as the matrix has columns and rows, found %d and %d",
			m.Cols(), m.Rows(), id.width(), od.width())
	}
	cols := make([]uint64, m.Cols())
	for j, c := range m.Columns() {
		cols[j] = uint64(c)
	}
	return Layout{ins: id, outs: od, cols: slices.Clip(cols)}, nil
}
