package triton

import (
	"girih/cute"
	"girih/linear"
)

// partitionedShared is #ttg.partitioned_shared, PartitionedSharedLayout in Gluon: a tensor in NumPartitions buffers of
// shared memory. Dimension PartitionDim is cut into NumPartitions * NumGroups pieces; piece p is in buffer p mod
// NumPartitions, as group p / NumPartitions, and PartitionLayout lays out one piece. If PartitionLayout is padded, its
// linear component is used.
//
// [Encoding.Layout] returns [cute.CodeExtent] unless there are at least 2 partitions and both numbers are powers of
// two, [cute.CodeMode] for a dimension that does not exist, [cute.CodeNotDivisible] for a dimension with fewer
// elements than pieces, [cute.CodeType] for a PartitionLayout that does not describe shared memory, and its errors.
type partitionedShared struct {
	NumPartitions   int64
	NumGroups       int64
	PartitionDim    int
	PartitionLayout Encoding
}

const opPartitioned = "partitioned_shared"

func (e *partitionedShared) rank() int {
	if e.PartitionLayout == nil {
		return 0
	}
	return e.PartitionLayout.rank()
}

// Layout returns offset, block, partition -> dim0, dim1, ... It returns the errors of [Encoding] and
// [partitionedShared].
func (e *partitionedShared) Layout(shape ...int64) (linear.Layout, error) {
	const op = opPartitioned
	if err := first(checkPower(op, "numPartitions", e.NumPartitions), checkPower(op, "numGroups", e.NumGroups),
		checkShape(op, e.rank(), shape)); err != nil {
		return linear.Layout{}, err
	}
	d := e.PartitionDim
	if d < 0 || d >= len(shape) {
		return linear.Layout{}, fail(cute.CodeMode, op, "expected a dimension below %d for partitionDim, found %d",
			len(shape), d)
	}
	if e.NumPartitions < 2 {
		return linear.Layout{}, fail(cute.CodeExtent, op, "expected at least 2 partitions, found %d", e.NumPartitions)
	}
	if e.NumPartitions > shape[d] || e.NumGroups > shape[d]/e.NumPartitions {
		return linear.Layout{}, fail(cute.CodeNotDivisible, op,
			"expected at least as many elements along dim%d as pieces, %d times %d, found %d", d, e.NumPartitions,
			e.NumGroups, shape[d])
	}
	piece := append([]int64(nil), shape...)
	piece[d] /= e.NumPartitions * e.NumGroups
	l, err := e.piece(piece)
	if err != nil {
		return linear.Layout{}, err
	}
	t := newTile(op, len(shape))
	t.ins = l.Bases()
	copy(t.size, piece)
	t.identity(partition, e.NumPartitions, d)
	t.identity(offset, e.NumGroups, d)
	return t.layout()
}

// piece returns the layout of one piece.
func (e *partitionedShared) piece(shape []int64) (linear.Layout, error) {
	switch p := e.PartitionLayout.(type) {
	case *PaddedShared:
		return p.Component(shape...)
	case *swizzledShared, *amdRotatingShared, *nvmmaShared, *sharedLinear:
		return p.Layout(shape...)
	}
	return linear.Layout{}, fail(cute.CodeType, opPartitioned,
		"expected an encoding of shared memory for partitionLayout, found %s", describe(e.PartitionLayout))
}
