package tensormap

import "girih"

// A Cluster is a cluster of M by N CTAs that compute neighbouring tiles of a matrix product; the rank of CTA (m,n) is
// m + M·n, as CUTLASS counts them.
type Cluster struct{ M, N int64 }

// A Part is what one CTA of a cluster does for an operand.
type Part struct {
	Rank, M, N int64
	// Slice is the number of the part of the tile that it loads: the CTA of [Instruction].
	Slice int64
	// Mask has a bit for the rank of each CTA into whose shared memory the part goes.
	Mask uint16
}

// PartsA returns the parts of the CTAs for the operand A: those of one m have the same tile of A, and share it along n
// (create_tma_multicast_mask and make_tma_copy_A_sm90 in include/cute/atom/copy_traits_sm90_tma.hpp). The error has the
// code CodeLimit for more than 16 CTAs, or less than one.
func (c Cluster) PartsA() ([]Part, error) {
	return c.parts(func(p Part) (slice, first, step, n int64) { return p.N, p.M, c.M, c.N })
}

// PartsB returns the parts of the CTAs for the operand B: those of one n have the same tile of B, and share it along
// m. The error is that of [Cluster.PartsA].
func (c Cluster) PartsB() ([]Part, error) {
	return c.parts(func(p Part) (slice, first, step, n int64) { return p.M, p.N * c.M, 1, c.M })
}

func (c Cluster) parts(of func(Part) (slice, first, step, n int64)) ([]Part, error) {
	if c.M < 1 || c.N < 1 || c.M > 16 || c.N > 16 || c.M*c.N > 16 {
		return nil, refuse(girih.CodeLimit, "a cluster has 8 CTAs, 16 where a kernel asks for it",
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
