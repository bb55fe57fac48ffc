package triton

import (
	"slices"

	"girih/cute"
	"girih/linear"
)

// wmma is #ttg.amd_wmma, AMDWMMALayout in Gluon: the accumulator of a matrix instruction of RDNA 3 (Version 1), RDNA 4
// (Version 2) or gfx1250 (Version 3) in the registers of warps of 32 lanes.
//
// The warps form a grid of WarpsPerCTA, the last dimension first, with TilesPerWarp adjacent tiles in each warp (ones
// if missing). In newer Triton, the lists Warp and Register give, in units of a tile, the bases of the warp and of the
// tile in a warp instead: ctaLayout in MLIR, warp_bases and reg_bases in Gluon. InstrShape is [M, N, K], 16 by 16 by 16
// if missing.
//
// [Encoding.Layout] returns [cute.CodeType] for other versions and for shapes that the version does not have,
// [cute.CodeRank] for lists of the wrong length or unless the rank is 2 or 3, and [cute.CodeExtent] for numbers that
// are not powers of two.
type wmma struct {
	Version      int
	IsTransposed bool
	WarpsPerCTA  []int64
	TilesPerWarp []int64
	Warp         [][]int64
	Register     [][]int64
	InstrShape   []int64
	CGA          cluster
}

const opWMMA = "amd_wmma"

// wmmaShapes are the instructions of each version: M, N, K.
var wmmaShapes = map[int][][3]int64{
	1: {{16, 16, 16}},
	2: {{16, 16, 16}, {16, 16, 32}},
	3: {{16, 16, 4}, {16, 16, 32}, {16, 16, 64}, {16, 16, 128}, {32, 16, 64}, {32, 16, 128}},
}

func (e *wmma) rank() int {
	switch {
	case len(e.WarpsPerCTA) > 0:
		return len(e.WarpsPerCTA)
	case len(e.Warp) > 0:
		return len(e.Warp[0])
	case len(e.Register) > 0:
		return len(e.Register[0])
	}
	return 0
}

func (e *wmma) cga() *cluster { return &e.CGA }

func (e *wmma) instr() []int64 {
	if len(e.InstrShape) == 0 {
		return []int64{16, 16, 16}
	}
	return e.InstrShape
}

func (e *wmma) check(rank int) error {
	const op = opWMMA
	if rank != 2 && rank != 3 {
		return fail(cute.CodeRank, op, "expected a tensor of 2 or 3 dimensions, found %d", rank)
	}
	shapes, ok := wmmaShapes[e.Version]
	if !ok {
		return fail(cute.CodeType, op, "expected version 1, 2 or 3, found %d", e.Version)
	}
	if mnk := e.instr(); len(mnk) != 3 || !slices.Contains(shapes, [3]int64(mnk)) {
		return fail(cute.CodeType, op, "expected an instrShape of version %d, M, N, K one of %v, found %v",
			e.Version, shapes, mnk)
	}
	if len(e.WarpsPerCTA) == 0 {
		if len(e.TilesPerWarp) > 0 {
			return fail(cute.CodeType, op, "expected warpsPerCTA with tilesPerWarp, found none")
		}
		return nil
	}
	if len(e.Warp)+len(e.Register) > 0 {
		return fail(cute.CodeType, op, "expected warpsPerCTA or ctaLayout, found both")
	}
	return first(checkPowers(op, "warpsPerCTA", e.WarpsPerCTA),
		checkSizes(op, "tilesPerWarp", orOnes(e.TilesPerWarp, rank), rank))
}

// ctaLayout returns the bases of the warp and of the tile in a warp, and the number of tiles along each dimension.
func (e *wmma) ctaLayout(rank int) (warps, registers [][]int64, sizes []int64, err error) {
	if len(e.WarpsPerCTA) > 0 {
		t := newTile(opWMMA, rank, warp, register)
		tiles := orOnes(e.TilesPerWarp, rank)
		for _, d := range rowMajor(rank) {
			t.identity(register, tiles[d], d)
			t.identity(warp, e.WarpsPerCTA[d], d)
		}
		return t.in(warp).Bases, t.in(register).Bases, t.size, t.err
	}
	sizes = ones(rank)
	for name, bases := range map[string][][]int64{"warp": e.Warp, "register": e.Register} {
		for k, b := range bases {
			if len(b) != rank {
				return nil, nil, nil, fail(cute.CodeRank, opWMMA,
					"expected %d coordinates in the bases of %s in ctaLayout, found %v at %d", rank, name, cute.Ints(b...), k)
			}
			for d, x := range b {
				if x < 0 || x > 1<<30 {
					return nil, nil, nil, fail(cute.CodeExtent, opWMMA,
						"expected coordinates from 0 to 2^30 in the bases of %s in ctaLayout, found %v at %d", name, cute.Ints(b...), k)
				}
				for sizes[d] <= x {
					sizes[d] *= 2
				}
			}
		}
	}
	return e.Warp, e.Register, sizes, nil
}

// Layout returns register, lane, warp, block -> dim0, dim1, ...: a larger tensor repeats the tile of all warps in
// registers, along N first. It returns the errors of [Encoding] and [wmma].
func (e *wmma) Layout(shape ...int64) (linear.Layout, error) {
	rank := len(shape)
	if err := first(checkShape(opWMMA, e.rank(), shape), e.check(rank)); err != nil {
		return linear.Layout{}, err
	}
	warps, registers, sizes, err := e.ctaLayout(rank)
	if err != nil {
		return linear.Layout{}, err
	}
	m, n := rank-2, rank-1
	if e.IsTransposed {
		m, n = n, m
	}
	t := newTile(opWMMA, rank, register, lane, warp)
	if e.Version == 1 { // lanes 16 to 31 hold the odd rows
		t.identity(lane, 16, n)
		t.identity(lane, 2, m)
		t.identity(register, 8, m)
	} else {
		t.identity(register, 8, m)
		t.identity(lane, 16, n)
		t.identity(lane, 2, m)
		t.identity(register, e.instr()[0]/16, m)
	}
	t.product(register, registers)
	t.product(warp, warps)
	t.times(sizes)
	return e.CGA.combine(t, shape, rowMajor(rank))
}

// operand returns the layout of an operand: KWidth consecutive elements along K in a lane, 16 lanes along the other
// dimension, and the other 16 lanes along K (copies in version 1). Warps along K hold copies; tiles along K are
// removed.
func (e *wmma) operand(d *dotOperand, cga *cluster, shape []int64) (linear.Layout, error) {
	rank := len(shape)
	if err := e.check(rank); err != nil {
		return linear.Layout{}, err
	}
	if err := e.checkWidth(d.KWidth); err != nil {
		return linear.Layout{}, err
	}
	warps, registers, sizes, err := e.ctaLayout(rank)
	if err != nil {
		return linear.Layout{}, err
	}
	mnk := e.instr()
	side := d.OpIdx
	if e.IsTransposed && mnk[0] != mnk[1] {
		side = 1 - side // the operands of an instruction that is not square are swapped too
	}
	k, other := d.k(rank), d.other(rank)
	t := newTile(opDot, rank, register, lane, warp)
	t.identity(register, d.KWidth, k)
	t.identity(lane, 16, other)
	if e.Version == 1 {
		t.zeros(lane, 2)
	} else {
		t.identity(lane, 2, k)
	}
	t.identity(register, mnk[2]/(2*d.KWidth), k)
	t.identity(register, mnk[side]/16, other)
	still := func(b []int64) []int64 { b[k] = 0; return b }
	t.product(register, slices.DeleteFunc(project(registers, still), isZero))
	t.product(warp, project(warps, still))
	sizes[k] = 1
	t.times(sizes)
	return cga.combine(t, shape, d.order(rank))
}

func (e *wmma) checkWidth(width int64) error {
	widths := map[int][]int64{1: {8, 16}, 2: {4, 8, 16}}[e.Version]
	if widths != nil && !slices.Contains(widths, width) {
		return fail(cute.CodeExtent, opDot, "expected a kWidth of %v for version %d, found %d", widths, e.Version, width)
	}
	return checkPower(opDot, "kWidth", width)
}
