package atom

import (
	"fmt"

	"girih/cute"
	"girih/internal/ints"
)

// This file implements the partitions of a TiledCopy (include/cute/atom/copy_atom.hpp, tidfrg_S, tile2thrfrg, retile).

// spread applies the operation's map from (thread, value) of one side to the reference to the whole tile, and
// returns (thread, (value of the operation, operations)) -> index in the tile.
func (c TiledCopy) spread(toReference cute.Layout) (cute.Layout, error) {
	ref := c.atom.ValRef.Modes()
	atoms, err := cute.ZippedDivideExact(c.tv, cute.Ints(ref[0].Size(), ref[1].Size())) // ((thr,val),(restThr,restVal))
	if err != nil {
		return cute.Layout{}, err
	}
	modes := atoms.Modes()
	one, err := cute.Composition(modes[0], toReference) // (thr,val) of this side
	if err != nil {
		return cute.Layout{}, err
	}
	zipped, err := cute.Zip(one, modes[1]) // ((thr,restThr),(val,restVal))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.CoalesceProfile(zipped, spreadProfile)
}

var spreadProfile = cute.MustParseTuple("(1,(1,1))")

// A ThrCopy is a TiledCopy seen by one thread: CuTe's ThrCopy.
type ThrCopy struct {
	TiledCopy
	thread int64
}

// Thread returns the view of the thread of that number: CuTe's get_slice. It returns [cute.CodeMode] unless
// 0 ≤ thread < c.Size().
func (c TiledCopy) Thread(thread int64) (ThrCopy, error) {
	if n := c.Size(); thread < 0 || thread >= n {
		return ThrCopy{}, fail(cute.CodeMode, "get_slice", "expected a thread from 0 to %d of %v, found %d", n-1,
			c.tv, thread)
	}
	return ThrCopy{c, thread}, nil
}

// Index returns the number of the thread.
func (t ThrCopy) Index() int64 { return t.thread }

// PartitionS returns the part of the source tensor that the thread reads, as a layout ((value of the operation,
// operations), rest of M, rest of N, ...) and the offset where it starts, in the units of the tensor's strides: CuTe's
// partition_S. For an identity tensor the offset is a coordinate. It returns the errors of [TiledCopy.ThrfrgS].
func (t ThrCopy) PartitionS(tensor cute.Layout) (cute.Layout, cute.Tuple, error) {
	return t.partition("partition_S", tensor, t.source)
}

// PartitionD returns the part of the destination tensor that the thread writes: CuTe's partition_D. It returns the
// errors of [TiledCopy.ThrfrgD].
func (t ThrCopy) PartitionD(tensor cute.Layout) (cute.Layout, cute.Tuple, error) {
	return t.partition("partition_D", tensor, t.dest)
}

func (t ThrCopy) partition(op string, tensor, side cute.Layout) (cute.Layout, cute.Tuple, error) {
	s, err := t.divide(op, tensor, side)
	if err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	modes := s.Own.Modes()
	offset, err := modes[0].Eval(cute.Int(t.thread))
	if err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	own, err := cute.MakeLayout(append(modes[1:2:2], s.Rest.Modes()...)...)
	return own, offset, err
}

// PartitionSComposed does the same as [ThrCopy.PartitionS] for a composed layout, such as one with a swizzle. The
// offset of the thread is added inside. It returns the errors of PartitionS.
func (t ThrCopy) PartitionSComposed(tensor cute.Composed) (cute.Composed, error) {
	return t.partitionComposed("partition_S", tensor, t.source)
}

// PartitionDComposed does the same as [ThrCopy.PartitionD] for a composed layout. It returns the errors of PartitionD.
func (t ThrCopy) PartitionDComposed(tensor cute.Composed) (cute.Composed, error) {
	return t.partitionComposed("partition_D", tensor, t.dest)
}

func (t ThrCopy) partitionComposed(op string, tensor cute.Composed, side cute.Layout) (cute.Composed, error) {
	all, err := tensor.Map(func(l cute.Layout) (cute.Layout, error) { return t.thrfrg(op, l, side) })
	if err != nil {
		return cute.Composed{}, err
	}
	thread, err := cute.Fixed(cute.Int(t.thread))
	if err != nil {
		return cute.Composed{}, err
	}
	rest, err := all.Layout().Mode(2)
	if err != nil {
		return cute.Composed{}, err
	}
	open := cute.Open
	if rest.Depth() > 0 { // the modes of the rest come after the values, on the same level
		opens := make([]cute.Coord, rest.Rank())
		for i := range opens {
			opens[i] = cute.Open
		}
		open = cute.MakeCoord(opens...)
	}
	return all.SliceAndOffset(cute.MakeCoord(thread, cute.Open, open))
}

// ThrfrgS returns the source tensor with the modes (thread, (value of the operation, operations), (rest of M, rest of
// N, ...)): CuTe's tidfrg_S. The tensor has at least the modes of the tile. Its strides may be coordinates, as in an
// identity tensor.
//
// It returns [cute.CodeRank] if the tensor has fewer modes, [cute.CodeNotDivisible] if the tile does not divide it,
// where CuTe rounds up and leaves predication to the caller, and the errors of [cute.ZippedDivide] and
// [cute.Composition].
func (c TiledCopy) ThrfrgS(tensor cute.Layout) (cute.Layout, error) {
	return c.thrfrg("tidfrg_S", tensor, c.source)
}

// ThrfrgD is [TiledCopy.ThrfrgS] for the destination: CuTe's tidfrg_D.
func (c TiledCopy) ThrfrgD(tensor cute.Layout) (cute.Layout, error) {
	return c.thrfrg("tidfrg_D", tensor, c.dest)
}

func (c TiledCopy) thrfrg(op string, tensor, side cute.Layout) (cute.Layout, error) {
	s, err := c.divide(op, tensor, side)
	if err != nil {
		return cute.Layout{}, err
	}
	return s.Join()
}

// TidfrgStages are the layouts of a tensor in each step to the threads and values of a tiled copy.
type TidfrgStages struct {
	Tiles cute.Layout // zipped_divide by the tile: ((TileM,TileN),(RestM,RestN))
	Side  cute.Layout // the thread-value layout
	Own   cute.Layout // composition of mode 0 of Tiles with Side: (thread, (value of the operation, operations))
	Rest  cute.Layout // mode 1 of Tiles
}

// Join returns the last stage, (thread, value, rest). It returns the errors of [cute.MakeLayout].
func (s *TidfrgStages) Join() (cute.Layout, error) {
	return cute.MakeLayout(append(s.Own.Modes(), s.Rest)...)
}

// ThrfrgStagesS returns the stages of [TiledCopy.ThrfrgS]. It returns the errors of ThrfrgS, and the
// stages before the error.
func (c TiledCopy) ThrfrgStagesS(tensor cute.Layout) (TidfrgStages, error) {
	return c.divide("tidfrg_S", tensor, c.source)
}

// ThrfrgStagesD is [TiledCopy.ThrfrgStagesS] for the destination. It returns the errors of [TiledCopy.ThrfrgD].
func (c TiledCopy) ThrfrgStagesD(tensor cute.Layout) (TidfrgStages, error) {
	return c.divide("tidfrg_D", tensor, c.dest)
}

// divide divides the tensor into tiles, and arranges a tile as (thread, value).
func (c TiledCopy) divide(op string, tensor, side cute.Layout) (s TidfrgStages, err error) {
	if n := tilerRank(c.tiler); tensor.Rank() < n {
		return s, fail(cute.CodeRank, op,
			"Rank of tensor to be partitioned too small: %v has %d modes, and the tile %s has %d", tensor, tensor.Rank(),
			tilerText(c.tiler), n)
	}
	tiles, err := cute.ZippedDivide(tensor, c.tile)
	if err != nil {
		return s, err
	}
	s.Tiles, s.Side = tiles.Layout, side
	if !tiles.Padding.None() {
		return s, c.doesNotFit(op, tensor)
	}
	modes := tiles.Modes()
	s.Rest = modes[1]
	s.Own, err = cute.Composition(modes[0], side)
	return s, err
}

// doesNotFit returns the error for the mode of the tensor that the tile does not divide.
func (c TiledCopy) doesNotFit(op string, tensor cute.Layout) error {
	e := fail(cute.CodeNotDivisible, op, "the tile %s does not divide the tensor %v", tilerText(c.tiler), tensor)
	tile, ok := c.tile.(cute.Tile)
	if !ok {
		return e
	}
	for i, t := range tile.Modes() {
		mode, err := tensor.Mode(i)
		if err != nil {
			return err
		}
		shape, err := tilerShape(op, t)
		if err != nil {
			return err
		}
		if n, err := shape.Product(); err == nil && mode.Size()%n != 0 {
			e.Msg = fmt.Sprintf("expected a multiple of %d elements along mode %d of the tensor, found %d in %v", n, i,
				mode.Size(), tensor)
			e.Hint = fmt.Sprintf("partition a tensor of %d and predicate with its identity tensor", ints.RoundUp(mode.Size(), n))
			break
		}
	}
	return e
}

// tilerRank returns the number of modes that a tiler tiles.
func tilerRank(t cute.Tiler) int {
	switch t := t.(type) {
	case cute.Tile:
		return t.Rank()
	case cute.Tuple:
		return t.Rank()
	}
	return 1
}

// RetileS returns a fragment of registers that was made for another partition, such as a partition of a [TiledMMA], as
// this copy addresses it: CuTe's retile_S. Mode 0 of the fragment has the first values of the thread-value layout, or
// all of them and more, as when an epilogue stores a part of an accumulator at a time. The values of one operation are
// gathered from all modes.
//
//	fragment ((2,2,2),4,4):((1,2,4),8,32) of A, ldmatrix.x4 -> ((8,1),4,4):((1,0),8,32)
//
// It returns [cute.CodeRank] if the fragment does not have one mode more than the tile, [cute.CodeNotInvertible] if the
// thread-value layout has no right inverse on all of the tile, [cute.CodeNotDivisible] if mode 0 and the values do not
// divide one another or if the operation does not divide the rest of the fragment, and the errors of [cute.Upcast],
// [cute.LogicalProduct] and [cute.ZippedDivide].
func (t ThrCopy) RetileS(fragment cute.Layout) (cute.Layout, error) {
	return t.retile("retile_S", fragment)
}

// RetileD is [ThrCopy.RetileS] for the destination: CuTe's retile_D, which does the same.
func (t ThrCopy) RetileD(fragment cute.Layout) (cute.Layout, error) {
	return t.retile("retile_D", fragment)
}

func (c TiledCopy) retile(op string, fragment cute.Layout) (cute.Layout, error) {
	if c.tv.Rank() != 2 || fragment.Rank() != 1+c.shape.Rank() {
		return cute.Layout{}, fail(cute.CodeRank, op,
			"expected a fragment with a mode of values and the %d modes of the tile %v, found %v", c.shape.Rank(),
			c.shape, fragment)
	}
	values := fragment.Modes()[0].Size()
	if n := c.tv.Modes()[1].Size(); n%values != 0 && values%n != 0 {
		return cute.Layout{}, fail(cute.CodeNotDivisible, op,
			"mode 0 of the fragment %v has %d values, and a thread has %d in %v: neither divides the other", fragment,
			values, n, c.tv)
	}
	mn, err := c.valueBlocks(op, values)
	if err != nil {
		return cute.Layout{}, err
	}
	operations, err := c.operationsOf(mn, values)
	if err != nil {
		return cute.Layout{}, err
	}
	extents, err := cute.ProductEach(mn.Shape())
	if err != nil {
		return cute.Layout{}, err
	}
	tile, err := extents.PrependToRank(1+extents.Rank(), cute.Int(values))
	if err != nil {
		return cute.Layout{}, err
	}
	tiles, err := cute.ZippedDivideExact(fragment, tile) // ((V,TileM,TileN),(1,RestM,RestN))
	if err != nil {
		return cute.Layout{}, err
	}
	modes := tiles.Modes()
	gathered, err := cute.Composition(modes[0], operations)
	if err != nil {
		return cute.Layout{}, err
	}
	rest := modes[1].Modes()[1:]
	return cute.MakeLayout(append([]cute.Layout{gathered}, rest...)...)
}

// valueBlocks returns the layout (m,n) -> block of values of the tile: the inverse of the thread-value layout, with
// thread + threads·value divided by the values of all threads.
func (c TiledCopy) valueBlocks(op string, values int64) (cute.Layout, error) {
	inverse, err := cute.RightInverse(c.tv)
	if err != nil {
		return cute.Layout{}, err
	}
	if elements, err := c.shape.Product(); err != nil || inverse.Size() < elements {
		return cute.Layout{}, fail(cute.CodeNotInvertible, op,
			"%v has a right inverse on %d elements of the tile %v, which has %d: whose the others are is not known", c.tv,
			inverse.Size(), c.shape, elements)
	}
	mn, err := inverse.WithShape(c.shape) // (m,n) -> thread + threads·value
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.Upcast(mn, c.threads()*values)
}

// operationsOf returns the layout (values of one operation, operations) -> (v,m,n), for mn as valueBlocks returns it.
func (c TiledCopy) operationsOf(mn cute.Layout, values int64) (cute.Layout, error) {
	blocks, err := cute.RightInverse(mn)
	if err != nil {
		return cute.Layout{}, err
	}
	block, err := cute.LayoutLeft(cute.Int(values))
	if err != nil {
		return cute.Layout{}, err
	}
	order, err := cute.LogicalProduct(block, blocks) // (v, blocks) -> (v,m,n)
	if err != nil {
		return cute.Layout{}, err
	}
	one, err := cute.LayoutLeft(cute.Int(c.atom.NumVal()))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.ZippedDivideExact(order, one)
}
