package triton

import (
	"math/bits"

	"girih/cute"
	"girih/linear"
)

// A cluster describes how a tensor is divided among the CTAs of a cluster (CGA); these CTAs are the blocks of the
// layout. The zero cluster is one CTA.
//
// CTAsPerCGA is the number of CTAs along each dimension, and CTASplitNum the number of parts into which the dimension
// is divided; the other CTAs hold copies. CTAOrder lists the dimensions; CTAs have consecutive numbers along the first.
// If only some of the lists are given, the others have Gluon's defaults: ones, and the last dimension first. CGALayout
// gives the bases instead: the places of CTA 1, 2, 4, ... along each dimension, in units of the part of one CTA.
type cluster struct {
	CTAsPerCGA  []int64
	CTASplitNum []int64
	CTAOrder    []int
	CGALayout   [][]int64
}

// trivial reports whether nothing is stated.
func (c *cluster) trivial() bool {
	return len(c.CTAsPerCGA)+len(c.CTASplitNum)+len(c.CTAOrder)+len(c.CGALayout) == 0
}

// bases returns the bases of the blocks, and the number of parts into which they divide each dimension.
func (c *cluster) bases(op string, rank int) (bases [][]int64, parts []int64, err error) {
	if len(c.CGALayout) > 0 {
		return c.explicit(op, rank)
	}
	ctas, split, order := orOnes(c.CTAsPerCGA, rank), orOnes(c.CTASplitNum, rank), c.CTAOrder
	if len(order) == 0 {
		order = rowMajor(rank)
	}
	for _, check := range []error{
		checkSizes(op, "CTAsPerCGA", ctas, rank),
		checkSizes(op, "CTASplitNum", split, rank),
		checkOrder(op, "CTAOrder", order, rank),
	} {
		if check != nil {
			return nil, nil, check
		}
	}
	t := newTile(op, rank, block)
	for _, d := range order {
		if split[d] > ctas[d] {
			return nil, nil, fail(cute.CodeNotDivisible, op,
				"expected at most as many parts as CTAs along a dimension, found CTASplitNum %d for CTAsPerCGA %d along dim%d",
				split[d], ctas[d], d)
		}
		t.identity(block, split[d], d)
		t.zeros(block, ctas[d]/split[d])
	}
	return t.in(block).Bases, t.size, t.err
}

// explicit checks the bases of CGALayout: each basis is zero or a power of two along one dimension, and together they
// reach every part once.
func (c *cluster) explicit(op string, rank int) (bases [][]int64, parts []int64, err error) {
	if len(c.CTAsPerCGA)+len(c.CTASplitNum)+len(c.CTAOrder) > 0 {
		return nil, nil, fail(cute.CodeType, op, "expected CGALayout or CTAsPerCGA, CTASplitNum and CTAOrder, found both")
	}
	parts = ones(rank)
	reached := make([]int64, rank) // the bits of each dimension that a basis sets
	for k, basis := range c.CGALayout {
		d, err := basisOf{"CGALayout", k, basis}.axis(op, rank)
		if err != nil {
			return nil, nil, err
		}
		if d < 0 {
			continue
		}
		if reached[d]&basis[d] != 0 {
			return nil, nil, fail(cute.CodeNotInjective, op, "expected every basis of CGALayout once, found %v again at %d",
				cute.Ints(basis...), k)
		}
		reached[d] |= basis[d]
	}
	for d, r := range reached {
		if r&(r+1) != 0 {
			return nil, nil, fail(cute.CodeNotInvertible, op,
				"expected CGALayout to reach every part along dim%d, found none of its bases at %d", d, (r+1)&^r)
		}
		if bits.Len64(uint64(r)) > linear.MaxBits-1 {
			return nil, nil, fail(cute.CodeOverflow, op, "expected at most 2^%d parts along dim%d, found 2^%d",
				linear.MaxBits-1, d, bits.Len64(uint64(r)))
		}
		parts[d] = r + 1
	}
	return c.CGALayout, parts, nil
}

// A basisOf is vector k of the bases with a name.
type basisOf struct {
	name   string
	k      int
	vector []int64
}

// axis returns the dimension along which the basis is a power of two, or -1 if it is zero everywhere.
func (b basisOf) axis(op string, rank int) (int, error) {
	if len(b.vector) != rank {
		return -1, fail(cute.CodeRank, op, "expected %d coordinates in the bases of %s, found %v at %d", rank, b.name,
			cute.Ints(b.vector...), b.k)
	}
	at := -1
	for d, x := range b.vector {
		if x == 0 {
			continue
		}
		if at >= 0 || !isPower(x) {
			return -1, fail(cute.CodeExtent, op,
				"expected bases of %s that are zero or a power of two along one dimension, found %v at %d", b.name,
				cute.Ints(b.vector...), b.k)
		}
		at = d
	}
	return at, nil
}

// perCTA returns the shape of the part of one CTA. A dimension that is smaller than its number of parts has parts of 1.
func (c *cluster) perCTA(op string, shape []int64) ([]int64, error) {
	_, parts, err := c.bases(op, len(shape))
	if err != nil {
		return nil, err
	}
	per := make([]int64, len(shape))
	for d, n := range shape {
		per[d] = n / min(n, parts[d])
	}
	return per, nil
}

// without returns the cluster changed so that its CTAs hold copies along a dimension instead of dividing it.
func (c *cluster) without(op string, rank, dim int) (*cluster, error) {
	if c.trivial() {
		return c, nil
	}
	bases, _, err := c.bases(op, rank)
	if err != nil {
		return nil, err
	}
	return &cluster{CGALayout: project(bases, func(b []int64) []int64 { b[dim] = 0; return b })}, nil
}

// project applies a function to copies of the bases.
//
//go:noinline
func project(bases [][]int64, f func([]int64) []int64) [][]int64 {
	out := make([][]int64, len(bases))
	for k, b := range bases {
		out[k] = f(append([]int64(nil), b...))
	}
	return out
}

// combine returns the layout of a tensor with one part for each CTA. The tile is fitted to the part, growing in the
// given order, and the blocks follow.
func (c *cluster) combine(t *tile, shape []int64, order []int) (linear.Layout, error) {
	bases, parts, err := c.bases(t.op, len(shape))
	if err != nil {
		return linear.Layout{}, err
	}
	per := make([]int64, len(shape))
	cut := make([]int64, len(shape))
	for d, n := range shape {
		cut[d] = min(n, parts[d])
		per[d] = n / cut[d]
	}
	if t.err == nil {
		t.fit(per, order)
	}
	t.in(block)
	t.product(block, project(bases, func(b []int64) []int64 {
		for d := range b {
			if b[d] >= cut[d] {
				b[d] = 0
			}
		}
		return b
	}))
	t.times(cut)
	return t.layout()
}
