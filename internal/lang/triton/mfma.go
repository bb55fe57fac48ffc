package triton

import (
	"slices"

	"girih/cute"
	"girih/linear"
)

// mfma is #ttg.amd_mfma, AMDMFMALayout in Gluon: the accumulator of a matrix core instruction of CDNA (Version 1 is
// gfx908, 2 gfx90a, 3 gfx942, 4 gfx950) in the registers of warps of 64 lanes (AMD's matrix instruction calculator
// prints the layout of one instruction).
//
// InstrShape is [M, N] or [M, N, K], with M by N one of 32 by 32, 16 by 16, 64 by 4 and 4 by 64. IsTransposed swaps M
// and N, so that a thread holds consecutive elements of a row; 64 by 4 is always transposed. TilesPerWarp is the number
// of adjacent tiles of a warp along each dimension, all ones if missing. ElementBitWidth is the width of an element of
// the result, 32 or 64; 0 means 32.
//
// [Encoding.Layout] returns [cute.CodeType] for other versions, shapes and widths, [cute.CodeRank] for lists of the
// wrong length or unless the rank is 2 or 3, and [cute.CodeExtent] for numbers that are not powers of two.
type mfma struct {
	Version         int
	WarpsPerCTA     []int64
	InstrShape      []int64
	IsTransposed    bool
	TilesPerWarp    []int64
	ElementBitWidth int64
	CGA             cluster
}

func (e *mfma) rank() int     { return len(e.WarpsPerCTA) }
func (e *mfma) cga() *cluster { return &e.CGA }

const opMFMA = "amd_mfma"

// mfmaLanes is the number of lanes of a warp of CDNA.
const mfmaLanes = 64

func (e *mfma) check() error {
	const op = opMFMA
	rank := len(e.WarpsPerCTA)
	if rank != 2 && rank != 3 {
		return fail(cute.CodeRank, op, "expected 2 or 3 numbers in warpsPerCTA, found %d", rank)
	}
	if e.Version < 1 || e.Version > 4 {
		return fail(cute.CodeType, op, "expected a version from 1 (gfx908) to 4 (gfx950), found %d", e.Version)
	}
	if n := len(e.InstrShape); n != 2 && n != 3 {
		return fail(cute.CodeRank, op, "expected M, N and K in instrShape, found %d numbers", n)
	}
	mn := [2]int64{e.InstrShape[0], e.InstrShape[1]}
	if !slices.Contains([][2]int64{{32, 32}, {16, 16}, {64, 4}, {4, 64}}, mn) {
		return fail(cute.CodeType, op,
			"expected 32 by 32, 16 by 16, 64 by 4 or 4 by 64 as M and N of instrShape, found %d by %d", mn[0], mn[1])
	}
	if mn[0] == 64 && !e.IsTransposed {
		return fail(cute.CodeType, op, "expected isTransposed with an instrShape of 64 by 4, found it false")
	}
	if w := e.ElementBitWidth; w != 0 && w != 32 && w != 64 {
		return fail(cute.CodeType, op, "expected 32 or 64 for elementBitWidth, found %d", w)
	}
	return first(checkPowers(op, "warpsPerCTA", e.WarpsPerCTA), checkSizes(op, "tilesPerWarp", e.tiles(), rank))
}

func (e *mfma) tiles() []int64 { return orOnes(e.TilesPerWarp, len(e.WarpsPerCTA)) }

// Layout returns register, lane, warp, block -> dim0, dim1, ...: the tiles of a warp and the warps follow each other
// along N, the tile of all warps repeats along N in registers, and then along M in the same way. It returns the errors
// of [Encoding] and [mfma].
func (e *mfma) Layout(shape ...int64) (linear.Layout, error) {
	if err := first(e.check(), checkShape(opMFMA, len(e.WarpsPerCTA), shape)); err != nil {
		return linear.Layout{}, err
	}
	per, err := e.CGA.perCTA(opMFMA, shape)
	if err != nil {
		return linear.Layout{}, err
	}
	rank := len(shape)
	m, n := rank-2, rank-1
	t := newTile(opMFMA, rank, register, lane, warp)
	e.instruction(t, m, n)
	tiles, warps := e.tiles(), e.WarpsPerCTA
	t.identity(register, tiles[n], n)
	t.identity(warp, warps[n], n)
	t.identity(register, per[n]/t.size[n], n)
	t.identity(register, tiles[m], m)
	t.identity(warp, warps[m], m)
	if rank == 3 {
		t.identity(warp, warps[0], 0)
	}
	return e.CGA.combine(t, shape, rowMajor(rank))
}

// instruction lays out the result of one instruction: each lane holds 4 consecutive elements of a column (1 of f64),
// the lanes follow each other along the row and then along the column, and registers repeat this along the column.
func (e *mfma) instruction(t *tile, m, n int) {
	rows, cols := e.InstrShape[0], e.InstrShape[1]
	if e.IsTransposed {
		m, n, rows, cols = n, m, cols, rows
	}
	height := int64(4)
	if e.ElementBitWidth == 64 {
		height = 1
	}
	t.identity(register, height, m)
	t.identity(lane, cols, n)
	t.identity(lane, mfmaLanes/cols, m)
	t.identity(register, rows*cols/(mfmaLanes*height), m)
}

// operand returns the layout of an operand: KWidth consecutive elements along K in a lane, lanes along the other
// dimension first. Warps along K hold copies.
func (e *mfma) operand(d *dotOperand, cga *cluster, shape []int64) (linear.Layout, error) {
	if err := first(e.check(), checkPower(opDot, "kWidth", d.KWidth)); err != nil {
		return linear.Layout{}, err
	}
	rank := len(shape)
	k, other := d.k(rank), d.other(rank)
	lanes := e.InstrShape[d.OpIdx]
	t := newTile(opDot, rank, register, lane, warp)
	t.identity(register, d.KWidth, k)
	t.identity(lane, lanes, other)
	t.identity(lane, mfmaLanes/lanes, k)
	if lanes == 64 { // an instruction of 64 by 4 has one operand of 64 by 64
		t.identity(register, 16, k)
	}
	t.identity(register, shape[k]/t.size[k], k)
	t.identity(register, e.tiles()[other], other)
	// Warps along K come after the warps along N. The tile covers all of K, so the fit makes the warps along K hold
	// copies.
	t.nd(warp, e.WarpsPerCTA, rowMajor(rank))
	return cga.combine(t, shape, d.order(rank))
}
