// Package tmem describes the tensor memory of NVIDIA's Blackwell GPUs as a place: where tcgen05.mma, tcgen05.ld,
// tcgen05.st and tcgen05.cp put an element, which thread holds it in which register, and how buffers share the
// columns.
//
// Tensor memory has 128 lanes (CuTe: data paths, DP) and 512 columns of 32 bits for each CTA. An [Address] has the
// lane in the bits 31-16 and the column in the bits 15-0. A [Place] is one element: a lane, a column, and the first
// bit in the column.
//
// A [Tensor] is a matrix in tensor memory. [Accumulator] and [OperandA] make the tensors that an instruction
// requires, and [Tensor.Layout] is the layout that CuTe prints for them: from the coordinate to an address in units
// of elements, in which a lane is 65536·32/bits apart from the next:
//
//	M 128, N 64, f32    (128,64):(65536,1)
//	M 64, N 64, f32     ((16,4),64):((65536,2097152),1)    16 lanes for each warp
//
// An [Access] is a tcgen05.ld or tcgen05.st; [Access.ThreadValue] maps the threads of a warp and their values to
// addresses, a [Partition] finds the thread and the register of an element and the element of a register, and
// [Access.TiledCopy] is CuTe's make_tmem_copy. A [Fill] is a tcgen05.cp. [Alloc] packs buffers into an allocation. A
// [ScaleFactors] says where the scale factors of a block-scaled tcgen05.mma are in global, shared and tensor memory.
//
// A tensor of an instruction with cta_group::2 is the part of one CTA, as in CuTe: row m of the pair is row m mod M/2
// of the CTA with rank m div M/2 in the pair.
//
// Each fact has two sources: the PTX ISA (9.7.16 for addresses and allocation, 9.7.16.2.3 for the shapes of the
// copies, 9.7.16.10.5 for the layouts of accumulators and 9.7.16.10.7 for scale factors) and CUTLASS 4.7
// (cute/atom/mma_traits_sm100_frag.hpp, cute/atom/copy_traits_sm100.hpp, cute/arch/tmem_allocator_sm100.hpp,
// cutlass/detail/sm100_blockscaled_layout.hpp). Where they differ, the comment says which source is followed.
package tmem

import (
	"fmt"

	"girih/cute"
)

// The size of tensor memory, for each CTA.
const (
	// Lanes is the number of lanes.
	Lanes = 128
	// Columns is the number of columns.
	Columns = 512
	// ColumnBits is the width of a column, in bits.
	ColumnBits = 32
	// WarpLanes is the number of lanes that a warp reaches.
	WarpLanes = 32
)

// laneStride is the distance of two lanes in an [Address].
const laneStride = 1 << 16

const op = "tmem"

// fail returns an error with the package's operation name.
//
//go:noinline
func fail(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// withHint adds a hint to an error.
//
//go:noinline
func withHint(e *cute.Error, format string, args ...any) *cute.Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// parse returns the layout of a text that fits the format of a table.
func parse(format string, args ...any) cute.Layout {
	return cute.MustParse(fmt.Sprintf(format, args...))
}
