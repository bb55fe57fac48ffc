package linear

import (
	"math/bits"
	"slices"

	"girih/cute"
	"girih/f2"
)

// A Layout is a labelled F2-affine map from the coordinates of its input dimensions to the coordinates of its output
// dimensions. It is immutable. The zero Layout has no dimensions.
//
// The columns hold the basis vectors flat, starting with the first input dimension, so applying and composing take
// exclusive ors of machine words. The tables of dimensions are shared between layouts.
type Layout struct {
	ins, outs *dims
	cols      []uint64 // cols[j] is the flat image of flat bit j, without the origin
	origin    uint64   // the flat image of 0
}

// An In is an input dimension with its basis vectors: Bases[k] is the image of coordinate 2^k, one coordinate for each
// output dimension in order. The size of the dimension is 2^len(Bases); a dimension of size 1 exists without bases.
type In struct {
	Name  string
	Bases [][]int64
}

// An Option changes an operation that has a choice.
type Option int

const (
	// Triton selects Triton's answer if there is a choice; the package comment lists where.
	Triton Option = iota + 1
	// RequireSurjective makes [New] refuse a layout that does not reach every output.
	RequireSurjective
	// DropRegisters makes [Layout.EnsureNotLarger] drop the bases of the input dimension "register" that become zero.
	DropRegisters
)

// New returns the layout with the given bases and output sizes and origin 0. Only with [RequireSurjective] does New
// require that every output is reached.
//
// It returns [cute.CodeName] for an empty or repeated name, [cute.CodeExtent] for a size that is not a power of two and
// for a basis coordinate not below the size of its dimension, [cute.CodeRank] for a basis with too few or too many
// coordinates, [cute.CodeNegative] for a negative coordinate, [cute.CodeOverflow] for more than 62 bits on a side, and
// with RequireSurjective [cute.CodeNotInvertible], with the smallest output that is not reached as witness.
func New(ins []In, outs []Dim, opts ...Option) (Layout, error) {
	const op = "linear_layout"
	od, err := fromDims(op, outs)
	if err != nil {
		return Layout{}, err
	}
	l, err := build(op, ins, od)
	if err != nil {
		return Layout{}, err
	}
	if slices.Contains(opts, RequireSurjective) {
		if err := l.checkSurjective(op); err != nil {
			return Layout{}, err
		}
	}
	return l, nil
}

// NewInferred returns the layout with the given bases and inferred output sizes: the smallest power of two above every
// coordinate of the basis vectors. Every output must be reached. It returns the errors of [New] with
// [RequireSurjective].
func NewInferred(ins []In, outNames []string) (Layout, error) {
	const op = "linear_layout"
	outs := make([]Dim, len(outNames))
	for i, name := range outNames {
		outs[i] = Dim{name, 1}
		for _, in := range ins {
			for _, b := range in.Bases {
				if i < len(b) && b[i] >= 1<<MaxBits {
					return Layout{}, fail(cute.CodeOverflow, op,
						"expected coordinates below 2^%d, found %d in a basis of dimension %q", MaxBits, b[i], in.Name)
				}
				if i < len(b) && b[i] >= outs[i].Size {
					outs[i].Size = 1 << bits.Len64(uint64(b[i]))
				}
			}
		}
	}
	return New(ins, outs, RequireSurjective)
}

// build checks the bases against the output dimensions.
func build(op string, ins []In, od *dims) (Layout, error) {
	names, sizes := make([]string, len(ins)), make([]int, len(ins))
	for i, in := range ins {
		names[i], sizes[i] = in.Name, len(in.Bases)
	}
	id, err := makeDims(op, names, sizes)
	if err != nil {
		return Layout{}, err
	}
	cols := make([]uint64, 0, id.total)
	for _, in := range ins {
		for k, basis := range in.Bases {
			col, err := od.join(op, in.Name, k, basis)
			if err != nil {
				return Layout{}, err
			}
			cols = append(cols, col)
		}
	}
	return Layout{ins: id, outs: od, cols: cols}, nil
}

// join returns the coordinates of basis k of the dimension as a flat index.
func (d *dims) join(op, name string, k int, coords []int64) (uint64, error) {
	if len(coords) != d.len() {
		return 0, fail(cute.CodeRank, op, "expected %d coordinates, one for each of the output dimensions %s, found %d in the basis of %s=%d",
			d.len(), d.list(), len(coords), name, int64(1)<<k)
	}
	var flat uint64
	for i, x := range coords {
		if x < 0 {
			return 0, fail(cute.CodeNegative, op, "expected coordinates of at least 0, found %d along %q in the basis of %s=%d",
				x, d.names[i], name, int64(1)<<k)
		}
		if x>>d.bits[i] != 0 {
			return 0, fail(cute.CodeExtent, op, "expected coordinates below the size %d of output dimension %q, found %d in the basis of %s=%d",
				int64(1)<<d.bits[i], d.names[i], x, name, int64(1)<<k)
		}
		flat |= uint64(x) << d.off[i]
	}
	return flat, nil
}

// WithOrigin returns the layout with the given image of 0, one coordinate for each output dimension in order, and the
// same bases. It returns [cute.CodeRank], [cute.CodeNegative] or [cute.CodeExtent] for coordinates outside the outputs.
func (l Layout) WithOrigin(coords ...int64) (Layout, error) {
	const op = "with_origin"
	if len(coords) != l.outs.len() {
		return Layout{}, fail(cute.CodeRank, op,
			"expected %d coordinates, one for each of the output dimensions %s, found %d", l.outs.len(),
			l.outs.list(), len(coords))
	}
	origin, err := l.outs.joinCoords(op, "output", coords)
	if err != nil {
		return Layout{}, err
	}
	l.origin = origin
	return l, nil
}

// joinCoords returns the flat index of coordinates, one for each dimension.
func (d *dims) joinCoords(op, side string, coords []int64) (uint64, error) {
	var flat uint64
	for i, x := range coords {
		if x < 0 {
			return 0, fail(cute.CodeNegative, op, "expected coordinates of at least 0, found %d along %s dimension %q", x,
				side, d.names[i])
		}
		if x>>d.bits[i] != 0 {
			return 0, fail(cute.CodeExtent, op, "expected a coordinate below the size %d of %s dimension %q, found %d",
				int64(1)<<d.bits[i], side, d.names[i], x)
		}
		flat |= uint64(x) << d.off[i]
	}
	return flat, nil
}

// InDims returns the input dimensions with their sizes, the least significant first.
//
//go:noinline
func (l Layout) InDims() []Dim { return l.ins.export() }

// OutDims returns the output dimensions with their sizes, the least significant first.
//
//go:noinline
func (l Layout) OutDims() []Dim { return l.outs.export() }

// HasIn reports whether an input dimension has that name.
//
//go:noinline
func (l Layout) HasIn(name string) bool { return l.ins.find(name) >= 0 }

// HasOut reports whether an output dimension has that name.
//
//go:noinline
func (l Layout) HasOut(name string) bool { return l.outs.find(name) >= 0 }

// InSize returns the size of an input dimension; 1 for a missing one.
//
//go:noinline
func (l Layout) InSize(name string) int64 { return 1 << l.ins.bitsOf(name) }

// OutSize returns the size of an output dimension; 1 for a missing one.
func (l Layout) OutSize(name string) int64 { return 1 << l.outs.bitsOf(name) }

// InBits returns log2 of the number of inputs: the number of basis vectors.
func (l Layout) InBits() int { return l.ins.width() }

// OutBits returns log2 of the number of possible outputs.
func (l Layout) OutBits() int { return l.outs.width() }

// Bases returns the input dimensions with their basis vectors, without the origin.
func (l Layout) Bases() []In {
	ins := make([]In, l.ins.len())
	for i := range ins {
		ins[i] = In{l.ins.names[i], make([][]int64, l.ins.bits[i])}
		for k := range ins[i].Bases {
			ins[i].Bases[k] = l.outs.split(l.cols[int(l.ins.off[i])+k])
		}
	}
	return ins
}

// Basis returns basis vector k of an input dimension, the change of the value by coordinate 2^k: one coordinate for
// each output dimension. It returns [cute.CodeName] for a missing dimension and [cute.CodeMode] for a missing bit.
func (l Layout) Basis(in string, k int) ([]int64, error) {
	i := l.ins.find(in)
	if i < 0 {
		return nil, unknownDim("basis", "input", in, l.ins)
	}
	if k < 0 || k >= int(l.ins.bits[i]) {
		return nil, fail(cute.CodeMode, "basis", "expected a bit from 0 to %d of input dimension %q of size %d, found %d",
			int(l.ins.bits[i])-1, in, int64(1)<<l.ins.bits[i], k)
	}
	return l.outs.split(l.cols[int(l.ins.off[i])+k]), nil
}

// Origin returns the image of 0, one coordinate for each output dimension.
//
//go:noinline
func (l Layout) Origin() []int64 { return l.outs.split(l.origin) }

// IsLinear reports whether the image of 0 is 0.
func (l Layout) IsLinear() bool { return l.origin == 0 }

// Matrix returns the matrix of the basis vectors, without the origin: row r is flat output bit r, column j flat input
// bit j.
func (l Layout) Matrix() f2.Matrix {
	cols := make([]f2.Vector, len(l.cols))
	for j, c := range l.cols {
		cols[j] = f2.Vector(c)
	}
	m, err := f2.NewMatrix(l.outs.width(), cols)
	if err != nil {
		// The columns of a layout are inside its output dimensions; build and every operation make sure of that.
		return f2.Matrix{}
	}
	return m
}

// Rank returns the dimension of the span of the basis vectors: 2^Rank outputs are reached.
func (l Layout) Rank() int { return l.Matrix().Rank() }

// IsSurjective reports whether every output is reached.
func (l Layout) IsSurjective() bool { return l.Rank() == l.outs.width() }

// IsInjective reports whether no output is reached twice.
func (l Layout) IsInjective() bool { return l.Rank() == l.ins.width() }

// IsInvertible reports whether every output is reached exactly once.
func (l Layout) IsInvertible() bool { return l.ins.width() == l.outs.width() && l.IsSurjective() }

// checkSurjective returns an error whose witness is the smallest output that is not reached.
func (l Layout) checkSurjective(op string) error {
	m := l.Matrix()
	missing := m.Complement()
	if len(missing) == 0 {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotInvertible, Op: op,
		Msg: "expected every output of " + l.outs.list() + " to be reached, found none for " +
			l.outs.text(uint64(missing[0])^l.origin) +
			"; the bases have rank " + itoa(m.Rank()) + " of " + itoa(l.outs.width()),
		Witness: &cute.Witness{Value: l.outs.tuple(uint64(missing[0]) ^ l.origin)},
	}
}

// Equal reports whether l and m have the same dimensions in the same order, with the same sizes, and the same values.
func (l Layout) Equal(m Layout) bool {
	return l.ins.equal(m.ins) && l.outs.equal(m.outs) && slices.Equal(l.cols, m.cols) && l.origin == m.origin
}

// EqualIgnoringOutSizes reports whether l and m have the same dimensions in the same order and the same values; the
// sizes of output dimensions may differ.
func (l Layout) EqualIgnoringOutSizes(m Layout) bool {
	if !l.ins.equal(m.ins) || !l.outs.sameNames(m.outs) {
		return false
	}
	for i := range l.outs.len() {
		if l.outs.at(i, l.origin) != m.outs.at(i, m.origin) {
			return false
		}
		for j, c := range l.cols {
			if l.outs.at(i, c) != m.outs.at(i, m.cols[j]) {
				return false
			}
		}
	}
	return true
}
