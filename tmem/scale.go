package tmem

import (
	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/ints"
)

// ScaleFactors are the scale factors of one operand of a block-scaled tcgen05.mma: a byte for each row of A or column
// of B and for each Vector elements along K. Their coordinate is (row, k), with k in elements, so a layout has stride
// 0 for the elements that share a factor.
//
//	kind                K    Vector  factors along K
//	mxf8f6f4            32   32      1 (.scale_vec::1X, .block32)
//	mxf4, mxf4nvf4      64   32      2 (.scale_vec::2X, .block32)
//	mxf4nvf4            64   16      4 (.scale_vec::4X, .block16)
//
// In global and in shared memory 128 rows by 4 factors are a block of 512 bytes (CuTe's Sm1xxBlockScaledBasicChunk):
// row r and factor f are at byte 16·(r mod 32) + 4·(r div 32) + f. tcgen05.cp.32x128b.warpx4 copies a block to 32
// lanes of 4 columns, so that a column holds the 4 factors of 32 rows, and to the lanes of all four warps, because
// each part of the tensor core reads the 32 lanes of one warp and needs all factors of B (PTX ISA 9.7.16.10.7).
type ScaleFactors struct {
	Instruction descriptor.Instruction
	Operand     atom.Operand // atom.OperandA or atom.OperandB
	Vector      int64        // elements along K for each factor: 16 or 32, twice as many with a sparse A
}

// blockFactors is the number of factors along K in a block, and in a column of tensor memory.
const blockFactors = 4

// Check returns an error unless the instruction has such scale factors: [cute.CodeType] for a kind without scale
// factors and for an operand other than A and B, [cute.CodeExtent] for a Vector that the kind does not have and for a
// K of 96, and the errors of [descriptor.Instruction.Check].
func (s ScaleFactors) Check() error {
	i := s.Instruction
	if err := i.Check(); err != nil {
		return err
	}
	if !i.Kind.Scaled() || s.Operand != atom.OperandA && s.Operand != atom.OperandB {
		return fail(cute.CodeType, "expected A or B of a kind with scale factors, found %v of kind::%v", s.Operand, i.Kind)
	}
	if i.K96 {
		return fail(cute.CodeExtent, "expected a K of 32 or 64, found 96")
	}
	unit := int64(16)
	if i.Sparse {
		unit = 32
	}
	if s.Vector != 2*unit && (s.Vector != unit || i.Kind != descriptor.KindMXF4NVF4) {
		return withHint(fail(cute.CodeExtent, "expected %d elements for each factor of kind::%v, found %d", 2*unit, i.Kind,
			s.Vector), "kind::mxf4nvf4 also has %d", unit)
	}
	return nil
}

// PerStep returns the number of factors along K that one instruction reads: 1, 2 or 4 (.scale_vec::1X, 2X or 4X). It
// returns 0 if [ScaleFactors.Check] returns an error.
func (s ScaleFactors) PerStep() int64 {
	if s.Check() != nil {
		return 0
	}
	return s.Instruction.K() / s.Vector
}

// GlobalLayout returns the layout (row, k) -> byte in global memory, for a matrix of rows by k elements: blocks of
// 128 rows by 4 factors, along K first (CuTe's tile_atom_to_shape_SFA and _SFB). The blocks at the edges are whole:
// the layout has at least the extents that are asked for. It returns the errors of [ScaleFactors.Check] and
// [cute.TileToShape].
func (s ScaleFactors) GlobalLayout(rows, k int64) (cute.Layout, error) {
	if err := s.Check(); err != nil {
		return cute.Layout{}, err
	}
	return cute.TileToShape(parse("((32,4),(%d,4)):((16,4),(0,1))", s.Vector), cute.Ints(rows, k), cute.Ints(2, 1))
}

// SharedLayout returns the layout (row, k) -> byte in shared memory, for the tile of one CTA: blocks of 128 rows by 4
// factors, along the rows first (CuTe's deduce_smem_layoutSFA and _SFB). The extents are rounded up to whole blocks.
// It returns the errors of [ScaleFactors.Check] and [cute.TileToShape].
func (s ScaleFactors) SharedLayout(rows, k int64) (cute.Layout, error) {
	if err := s.Check(); err != nil {
		return cute.Layout{}, err
	}
	return cute.TileToShape(parse("((32,4),(%d,4)):((16,4),(0,1))", s.Vector), cute.Ints(rows, k), cute.Ints(1, 2))
}

// Tensor returns the factors of the tile of one CTA in tensor memory: (row, k, copy), with elements of 8 bits. Row r
// is in lane r mod 32 of the column r div 32; a column has 4 factors along K, and the next 4 factors are in the
// columns after all rows. The four copies are in the lanes of the four warps.
//
// With M 128 and cta_group::2 (data path B), the upper half of the columns of D belongs to the warps 2 and 3: these
// have the factors of the upper half of the rows of B, in two copies (CuTe's ScaleFactorDuplicated2by2).
//
// It returns the errors of [ScaleFactors.Check], [cute.CodeNotDivisible] unless rows is a multiple of 32, or of 64
// for two halves, [cute.CodeExtent] unless rows and k are positive, and [cute.CodeMode] if the factors need more than
// 512 columns. k is rounded up to 4 factors.
func (s ScaleFactors) Tensor(rows, k int64) (Tensor, error) {
	if err := s.Check(); err != nil {
		return Tensor{}, err
	}
	halves := int64(1)
	if i := s.Instruction; s.Operand == atom.OperandB && i.M == 128 && i.CTAs() == 2 {
		halves = 2
	}
	const most = Columns * WarpLanes * blockFactors * 32
	switch {
	case rows < 1 || k < 1:
		return Tensor{}, fail(cute.CodeExtent, "expected positive extents, found %d rows and k %d", rows, k)
	case rows%(WarpLanes*halves) != 0:
		return Tensor{}, fail(cute.CodeNotDivisible, "expected a multiple of %d rows, found %d", WarpLanes*halves, rows)
	case rows > most || k > most:
		return Tensor{}, fail(cute.CodeMode, "expected factors in %d columns, found %d rows and k %d", Columns, rows, k)
	}
	words := rows / WarpLanes / halves
	steps := ints.CeilDiv(k, s.Vector*blockFactors)
	return newTensor(parse("(((32,%d),%d),(%d,(4,%d)),%d):(((1,512),64),(0,(128,%d)),32)", words, halves, s.Vector, steps,
		4/halves, 512*words), 8, 8)
}

// A ScaleStep is where the factors of one instruction begin.
type ScaleStep struct {
	// Column is the column from the first one of [ScaleFactors.Tensor] on.
	Column int64
	// ID is SFA_ID or SFB_ID of the instruction descriptor: the byte of the columns.
	ID int
}

// Step returns where the factors of instruction number step along K begin, for a tile of some rows in tensor memory.
// It returns the errors of [ScaleFactors.Tensor], and [cute.CodeNegative] for a negative step.
func (s ScaleFactors) Step(rows, step int64) (ScaleStep, error) {
	if step < 0 {
		return ScaleStep{}, fail(cute.CodeNegative, "expected a step from 0 on, found %d", step)
	}
	if step >= Columns*blockFactors {
		return ScaleStep{}, fail(cute.CodeMode, "expected factors in %d columns, found step %d", Columns, step)
	}
	t, err := s.Tensor(rows, (step+1)*s.Instruction.K())
	if err != nil {
		return ScaleStep{}, err
	}
	p, err := t.Place(0, step*s.Instruction.K(), 0)
	if err != nil {
		return ScaleStep{}, err
	}
	return ScaleStep{Column: p.Column, ID: int(p.Bit / 8)}, nil
}
