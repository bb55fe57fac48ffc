package tmem

import (
	"girih/atom"
	"girih/cute"
	"girih/descriptor"
)

// Fragment returns the tensor for a part of an operand of an MMA, with tiles[i] matrices of the instruction along mode
// i+1 of the part: (MMA,MMA_M,MMA_N,...) for C, CuTe's make_fragment_C, and (MMA,MMA_M,MMA_K,...) for an A in tensor
// memory. An instruction that reads A from tensor memory has the rows of A and of C in the same lanes, so that all
// their tiles begin in the same lane.
//
// It returns [cute.CodeType] for an operand in other memory, and the errors of [descriptor.InstructionOf],
// [Accumulator], [OperandA] and [Tensor.Tile].
func Fragment(m atom.MMA, o atom.Operand, tiles ...int64) (Tensor, error) {
	if m.Space(o) != atom.TensorMemory {
		return Tensor{}, fail(cute.CodeType, "%v of %s is in %v, not in tensor memory", o, m.Name, m.Space(o))
	}
	in, err := descriptor.InstructionOf(m)
	if err != nil {
		return Tensor{}, err
	}
	var of Tensor
	if o == atom.OperandC {
		of, err = Accumulator(in)
	} else {
		of, err = OperandA(in, m.Shape[2])
	}
	if err != nil {
		return Tensor{}, err
	}
	if m.AFrom == atom.TensorMemory {
		return of.TileColumns(tiles...)
	}
	return of.Tile(tiles...)
}
