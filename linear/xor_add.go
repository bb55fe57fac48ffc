package linear

import (
	"math/bits"

	"girih/cute"
	"girih/f2"
)

// Add returns the coalesced layout with the offset x(i) ^ y(i) at every index, the sum over F2: NVIDIA's layout_add.
// Add cuts both layouts into their common refinement. A leaf can be cut at powers of two, where the digits below and
// above the cut share no bits, or anywhere if the leaf's stride is 0.
//
// It returns [cute.CodeNotCongruent] if the sizes differ, and [cute.CodeNotDivisible] if there is no common refinement.
func (x XorLayout) Add(y XorLayout) (XorLayout, error) {
	const op = "layout_add"
	if x.Size() != y.Size() {
		return XorLayout{}, fail(cute.CodeNotCongruent, op,
			"expected layouts of one size, found %v of size %d and %v of size %d", x, x.Size(), y, y.Size())
	}
	a, b := x.Coalesce(), y.Coalesce()
	shape, err := cute.CommonRefinement(a.Shape(), b.Shape())
	if err != nil {
		return XorLayout{}, fail(cute.CodeNotDivisible, op,
			"%v and %v cannot be cut alike: the shapes %v and %v have no common refinement", x, y, a.Shape(), b.Shape())
	}
	p, ok1 := a.cut(shape)
	q, ok2 := b.cut(shape)
	if !ok1 || !ok2 {
		return XorLayout{}, fail(cute.CodeNotDivisible, op,
			"%v and %v would have to be cut into %v, and an F2 stride can be cut at powers of two only", x, y, shape)
	}
	for i := range p {
		p[i] ^= q[i]
	}
	sum, err := NewXor(shape, p...)
	return sum.Coalesce(), err
}

// cut returns the strides of the leaves into which the shape cuts x; ok is false if a leaf whose stride is not 0 is not
// cut at a power of two.
func (x XorLayout) cut(shape cute.Tuple) ([]f2.Vector, bool) {
	var out []f2.Vector
	leaf, below := 0, int64(1) // the size of the parts of the leaf so far
	extents := x.Shape().Leaves()
	for _, s := range shape.Leaves() {
		if below&(below-1) != 0 && x.strides()[leaf] != 0 {
			return nil, false
		}
		out = append(out, x.strides()[leaf]<<bits.TrailingZeros64(uint64(below)))
		if below *= s; below == extents[leaf] && leaf < len(extents)-1 {
			leaf, below = leaf+1, 1
		}
	}
	return out, true
}
