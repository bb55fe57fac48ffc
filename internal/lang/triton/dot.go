package triton

import (
	"strconv"

	"girih/cute"
	"girih/linear"
)

// dotOperand is #ttg.dot_op, DotOperandLayout in Gluon: operand 0 (M by K) or 1 (K by N) of a dot whose result has the
// encoding Parent, a [blocked], [nvidiaMMA], [mfma] or [wmma]. KWidth is the number of consecutive elements along K in
// a thread; it is 0 for a blocked parent. CTAs that divide the result along the operand's dimension K hold copies of
// it.
//
// [Encoding.Layout] returns [cute.CodeMode] unless OpIdx is 0 or 1, [cute.CodeType] for another parent and for operand
// 1 of wgmma, [cute.CodeExtent] for a KWidth that the instruction does not have, and the errors of the parent.
type dotOperand struct {
	OpIdx  int
	Parent Encoding
	KWidth int64
}

const opDot = "dot_op"

// An operator is the encoding of a dot's result; it determines the encodings of the operands.
type operator interface {
	Encoding
	// cga returns how the result is divided among the CTAs of a cluster.
	cga() *cluster
	operand(d *dotOperand, cga *cluster, shape []int64) (linear.Layout, error)
}

func (e *dotOperand) rank() int {
	if e.Parent == nil {
		return 0
	}
	return e.Parent.rank()
}

// k returns the dimension that is summed over, and other returns the other dimension of the matrix.
func (e *dotOperand) k(rank int) int     { return rank - 1 - e.OpIdx }
func (e *dotOperand) other(rank int) int { return rank - 2 + e.OpIdx }

// order returns the dimensions in the order in which operands grow: K, the other dimension, the batches.
func (e *dotOperand) order(rank int) []int {
	if e.OpIdx == 0 {
		return rowMajor(rank)
	}
	return colMajor(rank)
}

// Layout returns register, lane, warp, block -> dim0, dim1, ...: a larger operand repeats the tile in registers, along
// K first. It returns the errors of [Encoding] and [dotOperand].
func (e *dotOperand) Layout(shape ...int64) (linear.Layout, error) {
	if e.OpIdx < 0 || e.OpIdx > 1 {
		return linear.Layout{}, fail(cute.CodeMode, opDot, "expected 0 or 1 for opIdx, found %d", e.OpIdx)
	}
	parent, ok := e.Parent.(operator)
	if !ok {
		return linear.Layout{}, fail(cute.CodeType, opDot,
			"expected a blocked, nvidia_mma, amd_mfma or amd_wmma encoding as parent, found %s", describe(e.Parent))
	}
	if err := checkShape(opDot, parent.rank(), shape); err != nil {
		return linear.Layout{}, err
	}
	if len(shape) < 2 {
		return linear.Layout{}, fail(cute.CodeRank, opDot,
			"expected an operand of at least 2 dimensions, found the shape %v", cute.Ints(shape...))
	}
	cga, err := parent.cga().without(opDot, len(shape), e.k(len(shape)))
	if err != nil {
		return linear.Layout{}, err
	}
	return parent.operand(e, cga, shape)
}

// describe returns the name of the kind of an encoding.
func describe(e Encoding) string {
	if e == nil {
		return "none"
	}
	return e.Record().Name
}

func itoa(n int) string { return strconv.Itoa(n) }
