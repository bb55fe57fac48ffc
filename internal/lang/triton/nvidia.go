package triton

import (
	"girih/cute"
	"girih/linear"
)

// nvidiaMMA is #ttg.nvidia_mma, NVMMADistributedLayout in Gluon: the accumulator of mma.sync (VersionMajor 2) or of
// wgmma (VersionMajor 3) in registers. Each group of 4 lanes holds rows of 8 elements, two in each lane, and 8 groups
// hold 8 rows (PTX ISA, "Matrix Fragments for mma.m16n8k16"; "Register Fragments and Shared Memory Matrix Layouts" for
// wgmma).
//
// InstrShape is [M, N] for version 2, with ones before for batches ([1, 16, 8]), and [M, N, K] for version 3, where M
// is the 16 rows of one warp.
//
// [Encoding.Layout] returns [cute.CodeType] for other versions: Triton has removed the layout of version 1, and the
// accumulator of version 5 is in tensor memory ([TensorMemory]). It returns [cute.CodeRank]
// for lists of the wrong length, [cute.CodeExtent] for numbers that are not powers of two, and
// [cute.CodeNotDivisible] unless M and N are multiples of 8.
type nvidiaMMA struct {
	VersionMajor int
	VersionMinor int
	WarpsPerCTA  []int64
	InstrShape   []int64
	CGA          cluster
}

func (e *nvidiaMMA) rank() int     { return len(e.WarpsPerCTA) }
func (e *nvidiaMMA) cga() *cluster { return &e.CGA }

const opNvidiaMMA = "nvidia_mma"

func (e *nvidiaMMA) check() error {
	const op = opNvidiaMMA
	rank := len(e.WarpsPerCTA)
	if rank < 2 {
		return fail(cute.CodeRank, op, "expected at least 2 numbers in warpsPerCTA, found %d", rank)
	}
	if e.VersionMajor != 2 && e.VersionMajor != 3 {
		return &cute.Error{
			Code: cute.CodeType, Op: op,
			Msg:  "expected version 2 (mma.sync) or 3 (wgmma), found " + itoa(e.VersionMajor),
			Hint: "the accumulator of version 5 (tcgen05) is a tensor_memory encoding",
		}
	}
	if e.VersionMajor == 3 && (rank != 2 || len(e.InstrShape) != 3) {
		return fail(cute.CodeRank, op,
			"expected 2 numbers in warpsPerCTA and 3 in instrShape, M, N and K, for version 3, found %d and %d", rank,
			len(e.InstrShape))
	}
	if e.VersionMajor == 2 && len(e.InstrShape) != rank {
		return fail(cute.CodeRank, op, "expected %d numbers in instrShape, as in warpsPerCTA, for version 2, found %d", rank,
			len(e.InstrShape))
	}
	if err := first(checkPowers(op, "warpsPerCTA", e.WarpsPerCTA), checkPowers(op, "instrShape", e.InstrShape)); err != nil {
		return err
	}
	m, n := e.instr()
	for _, b := range e.InstrShape[:len(e.InstrShape)-2] {
		if e.VersionMajor == 2 && b != 1 {
			return fail(cute.CodeExtent, op, "expected 1 for the batches in instrShape, found %v", cute.Ints(e.InstrShape...))
		}
	}
	if m%8 != 0 || n%8 != 0 {
		return fail(cute.CodeNotDivisible, op, "expected M and N in instrShape to be multiples of 8, found %d and %d", m, n)
	}
	return nil
}

// instr returns M and N of the instruction.
func (e *nvidiaMMA) instr() (m, n int64) {
	if e.VersionMajor == 3 {
		return e.InstrShape[0], e.InstrShape[1]
	}
	rank := len(e.InstrShape)
	return e.InstrShape[rank-2], e.InstrShape[rank-1]
}

// warpOrder returns the dimensions. Warps have consecutive numbers along the first: N for mma.sync, M for wgmma.
func (e *nvidiaMMA) warpOrder() []int {
	if e.VersionMajor == 3 {
		return colMajor(len(e.WarpsPerCTA))
	}
	return rowMajor(len(e.WarpsPerCTA))
}

// Layout returns register, lane, warp, block -> dim0, dim1, ...: a larger tensor repeats the tile of all warps in
// registers, along N first. It returns the errors of [Encoding] and [nvidiaMMA].
func (e *nvidiaMMA) Layout(shape ...int64) (linear.Layout, error) {
	if err := first(e.check(), checkShape(opNvidiaMMA, len(e.WarpsPerCTA), shape)); err != nil {
		return linear.Layout{}, err
	}
	rank := len(shape)
	t := newTile(opNvidiaMMA, rank, register, lane, warp)
	m, n := e.instr()
	t.nvidia(span{rank - 2, m}, span{rank - 1, n}, 2)
	t.nd(warp, e.WarpsPerCTA, e.warpOrder())
	return e.CGA.combine(t, shape, rowMajor(rank))
}

// A span is a number of elements along a dimension.
type span struct {
	dim int
	n   int64
}

// nvidia lays out a matrix for NVIDIA's tensor cores: width consecutive elements in a thread and 4 threads along the
// inner dimension, and 8 threads along the outer dimension. Registers repeat this to the outer and then to the inner
// number of elements.
func (t *tile) nvidia(outer, inner span, width int64) {
	t.identity(register, width, inner.dim)
	t.identity(lane, 4, inner.dim)
	t.identity(lane, 8, outer.dim)
	t.identity(register, outer.n/8, outer.dim)
	t.identity(register, inner.n/(4*width), inner.dim)
}

// operand returns the layout of an operand of mma.sync, or of the left operand of wgmma, in registers: consecutive
// elements along K, and warps along K hold copies.
func (e *nvidiaMMA) operand(d *dotOperand, cga *cluster, shape []int64) (linear.Layout, error) {
	if err := first(e.check(), checkPower(opDot, "kWidth", d.KWidth)); err != nil {
		return linear.Layout{}, err
	}
	if e.VersionMajor == 3 && d.OpIdx == 1 {
		return linear.Layout{}, fail(cute.CodeType, opDot, "expected opIdx 0: wgmma reads operand 1 from shared memory, so it has no layout in registers")
	}
	if d.KWidth > 1<<20 {
		return linear.Layout{}, fail(cute.CodeExtent, opDot, "expected a kWidth of at most %d, found %d", 1<<20, d.KWidth)
	}
	rank := len(shape)
	m, _ := e.instr()
	depth := 8 * d.KWidth // elements along K; the instruction for f64 has half as many
	if m == 8 {
		depth = 4 * d.KWidth
	}
	other := int64(8)
	if d.OpIdx == 0 {
		other = m
	}
	t := newTile(opDot, rank, register, lane, warp)
	t.nvidia(span{d.other(rank), other}, span{d.k(rank), depth}, d.KWidth)
	t.ndBroadcast(warp, e.WarpsPerCTA, e.warpOrder(), d.k(rank))
	return cga.combine(t, shape, d.order(rank))
}
