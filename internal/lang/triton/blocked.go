package triton

import (
	"girih/cute"
	"girih/linear"
)

// blocked implements #ttg.blocked, BlockedLayout in Gluon: every thread holds a block of SizePerThread elements, the
// threads of a warp form a grid of ThreadsPerWarp blocks, and the warps form a grid of WarpsPerCTA. Order lists the
// dimensions; registers, lanes and warps are numbered along the first dimension first.
//
// [Encoding.Layout] returns [cute.CodeRank] if the lists differ in length or Order is not a permutation, and
// [cute.CodeExtent] for numbers that are not powers of two.
type blocked struct {
	SizePerThread  []int64
	ThreadsPerWarp []int64
	WarpsPerCTA    []int64
	Order          []int
	CGA            cluster
}

func (e *blocked) rank() int     { return len(e.Order) }
func (e *blocked) cga() *cluster { return &e.CGA }

const opBlocked = "blocked"

func (e *blocked) check() error {
	return first(
		checkOrder(opBlocked, "order", e.Order, len(e.Order)),
		checkSizes(opBlocked, "sizePerThread", e.SizePerThread, len(e.Order)),
		checkSizes(opBlocked, "threadsPerWarp", e.ThreadsPerWarp, len(e.Order)),
		checkSizes(opBlocked, "warpsPerCTA", e.WarpsPerCTA, len(e.Order)),
	)
}

// Layout returns register, lane, warp, block -> dim0, dim1, ...: a tensor larger than the tile of all warps repeats the
// tile in registers, the first dimension of Order first. It returns the errors of [Encoding] and [blocked].
func (e *blocked) Layout(shape ...int64) (linear.Layout, error) {
	if err := first(e.check(), checkShape(opBlocked, len(e.Order), shape)); err != nil {
		return linear.Layout{}, err
	}
	t := newTile(opBlocked, len(shape), register, lane, warp)
	t.nd(register, e.SizePerThread, e.Order)
	t.nd(lane, e.ThreadsPerWarp, e.Order)
	t.nd(warp, e.WarpsPerCTA, e.Order)
	return e.CGA.combine(t, shape, e.Order)
}

// operand returns the layout of an operand of a dot whose result is blocked: every thread holds all of K, and threads
// and warps along K hold copies.
func (e *blocked) operand(d *dotOperand, cga *cluster, shape []int64) (linear.Layout, error) {
	if d.KWidth != 0 {
		return linear.Layout{}, fail(cute.CodeExtent, opDot, "expected kWidth 0 with a blocked parent, found %d", d.KWidth)
	}
	if err := e.check(); err != nil {
		return linear.Layout{}, err
	}
	k := d.k(len(shape))
	size := append([]int64(nil), e.SizePerThread...)
	size[k] = shape[k]
	t := newTile(opDot, len(shape), register, lane, warp)
	t.nd(register, size, e.Order)
	t.ndBroadcast(lane, e.ThreadsPerWarp, e.Order, k)
	t.ndBroadcast(warp, e.WarpsPerCTA, e.Order, k)
	return cga.combine(t, shape, e.Order)
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
