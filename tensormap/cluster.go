package tensormap

import (
	"math"

	"girih/cute"
)

const manyCTAs = "a cluster has 8 CTAs, 16 where a kernel asks for it"

// A Cluster is a cluster of M by N CTAs that compute neighbouring tiles of a matrix product. The rank of CTA (m,n) is m
// + M·n, as CUTLASS counts.
type Cluster struct{ M, N int64 }

// A Part is what one CTA of a cluster does for an operand.
type Part struct {
	Rank, M, N int64
	// Slice is the number of the part of the tile that the CTA loads: the CTA of [Instruction].
	Slice int64
	// Mask has a bit for the rank of each CTA whose shared memory receives the part.
	Mask uint16
}

// PartsA returns the parts of the CTAs for the operand A: CTAs with the same m have the same tile of A, and share it
// along n (create_tma_multicast_mask and make_tma_copy_A_sm90 in include/cute/atom/copy_traits_sm90_tma.hpp). The error
// has the code CodeLimit for more than 16 CTAs, or fewer than one.
func (c Cluster) PartsA() ([]Part, error) {
	return c.parts(func(p Part) (slice, first, step, n int64) { return p.N, p.M, c.M, c.N })
}

// PartsB returns the parts of the CTAs for the operand B: CTAs with the same n have the same tile of B, and share it
// along m. The errors are the same as for [Cluster.PartsA].
func (c Cluster) PartsB() ([]Part, error) {
	return c.parts(func(p Part) (slice, first, step, n int64) { return p.M, p.N * c.M, 1, c.M })
}

func (c Cluster) parts(of func(Part) (slice, first, step, n int64)) ([]Part, error) {
	if c.M < 1 || c.N < 1 || c.M > 16 || c.N > 16 || c.M*c.N > 16 {
		return nil, refuse(cute.CodeLimit, manyCTAs,
			"a cluster of %dx%d CTAs does not have 1 to 16", c.M, c.N)
	}
	var list []Part
	for n := range c.N {
		for m := range c.M {
			p := Part{Rank: m + c.M*n, M: m, N: n}
			slice, first, step, count := of(p)
			p.Slice = slice
			for i := range count {
				p.Mask |= 1 << (first + i*step)
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// MulticastMask returns a bit for each CTA that differs only in modes that the coordinate leaves open: the mask of a
// load whose data these CTAs share (create_tma_multicast_mask in include/cute/atom/copy_traits_sm90_tma.hpp). The
// layout maps the coordinates of a cluster to ranks; CUTLASS's has the modes (V,M,N,K).
//
// It returns [cute.CodeLimit] for ranks outside 0 to 15, which have no bit, and for layouts of more than 65536 CTAs,
// [cute.CodeCodomain] for a layout of coordinates, and the errors of [cute.Layout.SliceAndOffset].
func MulticastMask(cluster cute.Layout, at cute.Coord) (uint16, error) {
	if cluster.HasBasis() {
		return 0, refuse(cute.CodeCodomain, "", "expected a layout of ranks, found %s", cluster)
	}
	shared, first, err := cluster.SliceAndOffset(at)
	if err != nil {
		return 0, err
	}
	rank, ok := first.Int64()
	if !ok {
		return 0, refuse(cute.CodeCodomain, "", "expected a rank at %s, found %s", at, first)
	}
	if !at.HasOpen() {
		shared, err = cute.LayoutLeft(cute.Int(1)) // only that CTA
		if err != nil {
			return 0, err
		}
	}
	if shared.Size() > 1<<16 {
		return 0, refuse(cute.CodeLimit, manyCTAs, "%s has %d CTAs", shared, shared.Size())
	}
	var mask uint16
	for i := range shared.Size() {
		x, err := shared.At(i)
		if err != nil {
			return 0, err
		}
		sum, carry := rank+x, max(rank, -rank, x, -x) > 1<<60 || min(rank, x) == math.MinInt64
		if carry || sum < 0 || sum > 15 {
			return 0, refuse(cute.CodeLimit, manyCTAs, "the mask has a bit for the ranks 0 to 15, and %s at %s has others: %d + %d",
				cluster, at, rank, x)
		}
		mask |= 1 << sum
	}
	return mask, nil
}
