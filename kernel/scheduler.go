package kernel

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/symbolic"
)

// This file gives tiles to blocks: loops of persistent kernels over the tiles of a grid of tiles.

// A TileScheduler says which tiles there are, in which order blocks take them, and how: CUTLASS's tile schedulers.
type TileScheduler struct {
	// Tiles are the numbers of tiles along M and N, and along further modes such as the matrices of a batch. They may be
	// run-time numbers of at least 1; the number of all tiles has at most 31 bits.
	Tiles []Index
	// Group is the number of rows of tiles that are worked on at one time: down a column of Group tiles, then down the
	// next column. The blocks that run together then share rows and columns of tiles in the L2 cache. 1, like 0, goes
	// along N first. The last group may have fewer rows.
	Group int64
	// Counter makes blocks take the next tile when they have finished one. Its first element, a u32 in global memory, is
	// 0 before the kernel and after it. Without a counter block b takes the tiles b, b + blocks, b + 2·blocks and so on.
	Counter Tensor
}

// ForTiles executes body for each tile that the block takes, with the number of the tile among the block's own, from 0
// on, and the coordinates of the tile: one number for each of Tiles. All blocks together take each tile once. The grid
// has one dimension, which [K.Grid] states.
//
// In a kernel with clusters the tiles are given to clusters, and all blocks of a cluster get the same ones. With a
// counter, all threads of the block execute ForTiles; without one, warps of several roles may have a loop each, and all
// of them visit the same tiles.
//
// It fails with [cute.CodeRank] without tiles or for another grid, [cute.CodeExtent] for a negative group and for
// numbers of tiles that may be below 1, [cute.CodeMode] for a counter in a kernel with clusters, the errors of
// [K.AtomicRef] for a counter that is no u32 in global memory, and the [cute.CodeOverflow] of [Index.DivMod].
//
//go:noinline
func (k *K) ForTiles(s TileScheduler, body func(turn Index, tile []Index)) {
	const op = "tile_scheduler"
	total := Int(1)
	for _, n := range s.Tiles {
		if least, _ := k.expr(n).Range(); least < 1 {
			k.refuse(op, cute.CodeExtent, "expected at least 1 tile along each mode, found %v, from %d on", n, least)
		}
		total = total.Mul(n)
	}
	size := k.clusterSize()
	switch {
	case !k.ready():
		return
	case body == nil:
		k.noFunction(op)
	case len(s.Tiles) == 0:
		k.refuse(op, cute.CodeRank, "expected the numbers of tiles, found none")
	case len(k.grid) != 1 || max(k.cluster[1], k.cluster[2]) > 1:
		k.advise("state the blocks first: k.Grid(blocks)").refuse(op, cute.CodeRank,
			"expected a grid of one dimension, found %d, and clusters of %v", len(k.grid), k.cluster)
	case s.Group < 0:
		k.refuse(op, cute.CodeExtent, "expected a group of at least 1 row of tiles, found %d", s.Group)
	case s.Counter.root != nil && size > 1:
		k.advise("leave out the counter, or the cluster").refuse(op, cute.CodeMode,
			"the blocks of a cluster of %d would take different tiles from the counter", size)
	}
	blocks := k.of(k.grid[0], nil)
	visit := func(turn, i Index) { body(turn, k.tileAt(s, i)) }
	if s.Counter.root != nil {
		k.takeTiles(s.Counter, total, blocks, visit)
		return
	}
	k.forStep("ForTiles", [3]Index{k.BlockIdx(0).Div(size), total, blocks.Div(size).Max(Int(1))}, visit)
}

// tileAt returns the coordinates of a tile.
func (k *K) tileAt(s TileScheduler, i Index) []Index {
	out := make([]Index, len(s.Tiles))
	if len(out) == 1 {
		out[0] = i
		return out
	}
	m, n := s.Tiles[0], s.Tiles[1]
	rest, area := i, m.Mul(n)
	if len(out) > 2 {
		rest, i = i.DivMod(area)
		for j := 2; j < len(out)-1; j++ {
			rest, out[j] = rest.DivMod(s.Tiles[j])
		}
		out[len(out)-1] = rest
	}
	if s.Group <= 1 {
		out[0], out[1] = i.DivMod(n)
	} else {
		group, within := i.DivMod(n.Mul(Int(s.Group)))
		first := group.Mul(Int(s.Group))
		rows := m.Sub(first).Min(Int(s.Group)).Max(Int(1)) // of the last group: fewer
		column, row := within.DivMod(rows)
		out[0], out[1] = first.Add(row), column
	}
	for j, c := range out { // the body around forgets it
		k.given = append(k.given, [2]address.Expr{k.expr(c), k.expr(s.Tiles[j])})
	}
	return out
}

// takeTiles is a loop over tiles that the blocks take from a counter. Each block takes one number beyond the tiles, so
// the counter wraps to 0 at the last number that any block takes.
func (k *K) takeTiles(counter Tensor, total, blocks Index, visit func(turn, i Index)) {
	slot := k.Shared("tile", dtype.U32, cute.MustParse("1:0"))
	_, most := k.expr(total).Range()
	n, zero := total.Value(dtype.U32), k.Number(dtype.U32, 0)
	if _, known := total.Int64(); known {
		n = k.ValueOf(total, dtype.U32)
	}
	last := k.ValueOf(total.Add(blocks).Sub(Int(1)), dtype.U32)
	next := func() Value {
		k.If(k.ThreadIdx().Equal(Int(0)), func() {
			k.Store(k.AtomicRef(ScopeDevice, counter, Int(0)).FetchInc(last, AcqRel), slot, Int(0))
		})
		k.Sync()
		v := k.Load(slot, Int(0))
		k.Sync() // all threads have read it
		return v
	}
	facts := symbolic.Facts{Max: max(most-1, 0)}
	k.While([]Value{next(), zero}, func(v []Value) Cond { return v[0].Less(n) }, func(v []Value) []Value {
		i := v[0].Index(facts)
		k.given = append(k.given, [2]address.Expr{k.expr(i), k.expr(total)})
		visit(v[1].Index(facts), i)
		return []Value{next(), v[1].Add(k.Number(dtype.U32, 1))}
	})
}
