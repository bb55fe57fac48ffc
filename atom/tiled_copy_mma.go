package atom

import (
	"girih/cute"
	"girih/dtype"
)

// This file makes the tiled copies that load the operands of a TiledMMA and store its result
// (include/cute/atom/copy_atom.hpp, make_tiled_copy_A and its relatives).

// MakeTiledCopyA returns the tiled copy in which each thread holds the elements of A that the MMA needs in that thread,
// in the same order: CuTe's make_tiled_copy_A. It returns the errors of [TiledMMA.LayoutTV] and [MakeTiledCopyTV].
func MakeTiledCopyA(atom CopyAtom, mma TiledMMA) (TiledCopy, error) {
	return copyOperand(atom, mma, OperandA)
}

// MakeTiledCopyB is [MakeTiledCopyA] for B: CuTe's make_tiled_copy_B.
func MakeTiledCopyB(atom CopyAtom, mma TiledMMA) (TiledCopy, error) {
	return copyOperand(atom, mma, OperandB)
}

// MakeTiledCopyC is [MakeTiledCopyA] for C, which the copy loads or stores: CuTe's make_tiled_copy_C.
func MakeTiledCopyC(atom CopyAtom, mma TiledMMA) (TiledCopy, error) {
	return copyOperand(atom, mma, OperandC)
}

// MakeTiledCopyCAtom returns the smallest tiled copy that stores the first elements of C of each thread, as many as one
// operation reads: CuTe's make_tiled_copy_C_atom, for epilogues that store a part of the tile at a time. Its tiler
// picks the coordinates of those elements.
//
// It returns [cute.CodeNotDivisible] if a thread has fewer elements than the operation reads, [cute.CodeNotInjective]
// if no tiler picks the coordinates, and the errors of [TiledMMA.LayoutTV] and [MakeTiledCopyTV].
func MakeTiledCopyCAtom(atom CopyAtom, mma TiledMMA) (TiledCopy, error) {
	tv, shape, err := operandTV(mma, OperandC)
	if err != nil {
		return TiledCopy{}, err
	}
	return firstValues("make_tiled_copy_C_atom", atom, tv, shape)
}

func copyOperand(atom CopyAtom, mma TiledMMA, o Operand) (TiledCopy, error) {
	tv, shape, err := operandTV(mma, o)
	if err != nil {
		return TiledCopy{}, err
	}
	return MakeTiledCopyTV(atom, tv, shape)
}

// operandTV returns the thread-value layout of an operand, and the shape of its tile.
func operandTV(mma TiledMMA, o Operand) (cute.Layout, cute.Tuple, error) {
	tv, err := mma.LayoutTV(o)
	if err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	tile := mma.TileShape()
	x, y := o.Axes()
	return tv, cute.Ints(tile[x], tile[y]), nil
}

// NewCopyRequest returns the request to load A or B of an MMA from shared memory, or to store C there. The layout of
// shared memory has the modes (M,K), (N,K) or (M,N), which the tile of the MMA must divide. For AMD's instructions, the
// request has their architecture.
//
// It returns [cute.CodeType] if the MMA does not have the operand in registers (wgmma reads B, and often A, from shared
// memory, and tcgen05 has C in tensor memory), and the errors of [TiledMMA.LayoutTV].
func NewCopyRequest(mma TiledMMA, o Operand, memory cute.Inner, t dtype.Type) (CopyRequest, error) {
	if s := mma.atom.Space(o); s != Registers {
		return CopyRequest{}, fail(cute.CodeType, opCopiesFor, "%v of %s is in %v and not in registers", o, mma.atom.Name, s)
	}
	tv, shape, err := operandTV(mma, o)
	if err != nil {
		return CopyRequest{}, err
	}
	r := CopyRequest{Memory: memory, Type: t, LayoutTV: tv, Tile: shape}
	if isAMD(mma.atom.Arch) {
		r.Arch = mma.atom.Arch
	}
	if o == OperandC {
		r.Direction = RegistersToShared
	}
	return r, nil
}
