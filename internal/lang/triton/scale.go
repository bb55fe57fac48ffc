package triton

import (
	"girih/cute"
	"girih/linear"
)

// sm120DotScaledScale is the layout of the scale factors of mma.sync with block scaling on SM 120 in registers, for
// operand OpIdx 0 or 1 of a dot whose result WarpsPerCTA warps compute. Each thread holds all scales along K of its
// rows. The threads in a group of four hold copies, except that for operand 0 half of the threads hold the row 8 below
// (PTX ISA, "Block Scaling for mma.sync", with thread-id 0 and byte-id 0). The scales have the shape M by K or N by K,
// where K is divided by the number of elements of a scale.
//
// [Encoding.Layout] returns [cute.CodeMode] unless OpIdx is 0 or 1, [cute.CodeRank] unless there are 2 or 3 numbers of
// warps and [cute.CodeExtent] unless they are powers of two.
type sm120DotScaledScale struct {
	OpIdx       int
	WarpsPerCTA []int64
	CGA         cluster
}

// scaleSharedForTMEMCopy is the layout of scale factors in shared memory that tcgen05.cp copies to tensor memory. It
// has chunks of 128 rows by 4 scales. A chunk has 32 groups of 16 scales: 4 scales of each of 4 rows that are 32 apart.
//
// [Encoding.Layout] returns [cute.CodeNotDivisible] unless the shape is a multiple of 128 by 4.
type scaleSharedForTMEMCopy struct {
	CGA cluster
}

const (
	opScale       = "sm120_dot_scaled_scale"
	opScaleShared = "scale_smem_for_tmem_copy"
)

func (e *sm120DotScaledScale) rank() int    { return len(e.WarpsPerCTA) }
func (e *scaleSharedForTMEMCopy) rank() int { return 2 }

// Layout returns register, lane, warp, block -> dim0, dim1, ... It returns the errors of [Encoding] and
// [sm120DotScaledScale].
func (e *sm120DotScaledScale) Layout(shape ...int64) (linear.Layout, error) {
	rank := len(e.WarpsPerCTA)
	if rank != 2 && rank != 3 {
		return linear.Layout{}, fail(cute.CodeRank, opScale, "expected 2 or 3 numbers in warpsPerCTA, found %d", rank)
	}
	if err := first(checkPowers(opScale, "warpsPerCTA", e.WarpsPerCTA), checkShape(opScale, rank, shape)); err != nil {
		return linear.Layout{}, err
	}
	if e.OpIdx < 0 || e.OpIdx > 1 {
		return linear.Layout{}, fail(cute.CodeMode, opScale, "expected 0 or 1 for opIdx, found %d", e.OpIdx)
	}
	rows, k := rank-2, rank-1
	t := newTile(opScale, rank, register, lane, warp)
	t.identity(register, shape[k], k)
	t.size[rows] = 8
	lowest := make([]int64, rank)
	if e.OpIdx == 0 {
		lowest[rows] = 8
		t.size[rows] = 16
	}
	t.push(lane, lowest)
	t.zeros(lane, 2)
	for _, r := range []int64{1, 2, 4} {
		basis := make([]int64, rank)
		basis[rows] = r
		t.push(lane, basis)
	}
	// The warps of the result run along M and N. Along the dimension that the operand lacks, warps hold copies.
	for _, d := range rowMajor(rank) {
		switch {
		case d < rows:
			t.identity(warp, e.WarpsPerCTA[d], d)
		case d == rows+e.OpIdx:
			t.identity(warp, e.WarpsPerCTA[d], rows)
		default:
			t.zeros(warp, e.WarpsPerCTA[d])
		}
	}
	return e.CGA.combine(t, shape, upTo(rank))
}

// Layout returns offset, block -> dim0, dim1. It returns the errors of [Encoding] and [scaleSharedForTMEMCopy].
func (e *scaleSharedForTMEMCopy) Layout(shape ...int64) (linear.Layout, error) {
	if err := checkShape(opScaleShared, 2, shape); err != nil {
		return linear.Layout{}, err
	}
	if shape[0]%128 != 0 || shape[1]%4 != 0 {
		return linear.Layout{}, fail(cute.CodeNotDivisible, opScaleShared,
			"expected a multiple of 128 rows and of 4 columns, found %d and %d", shape[0], shape[1])
	}
	t := newTile(opScaleShared, 2, offset)
	t.identity(offset, 4, 1)
	t.push(offset, []int64{32, 0})
	t.push(offset, []int64{64, 0})
	t.identity(offset, 32, 0)
	t.size[0] = 128
	t.identity(offset, shape[1]/4, 1)
	t.identity(offset, shape[0]/128, 0)
	return e.CGA.combine(t, shape, upTo(2))
}
