// Package descriptor checks whether wgmma and tcgen05.mma can read a matrix in shared memory, and makes the descriptors
// with which they find it.
//
// An [Atom] is the smallest tile of one of the canonical layouts, CuTe's Layout_K_SW128_Atom and its relatives;
// [Select] returns the atom that a builder of CUTLASS chooses. An [Operand] is a matrix that an instruction reads, and
// [Operand.Fit] says whether the instruction can read it in a given layout of shared memory: the pattern, K-major or
// MN-major, and the descriptor of each step; or the first core matrix that is out of place and the nearest legal
// layout:
//
//	Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)), f16, A of wgmma
//	SW128, K-major: start 0, LBO 16, SBO 1024, 32 bytes further for each of 4 steps along K
//
// A [Matrix] is the descriptor of 64 bits, in the format of sm90 or sm100, and an [Instruction] is the 32-bit
// descriptor that tcgen05.mma takes in addition. Both are encoded and decoded, and [Matrix.Layout] returns the layout
// that the hardware reads with a descriptor.
//
// A core matrix is 8 rows of 16 bytes: 8 along M or N by 16 bytes along K in a K-major matrix, 8 along K by 16 bytes
// along M or N in an MN-major matrix.
//
// Each fact has two sources: the PTX ISA 9.0 (9.7.15.5.1.2, Shared Memory Matrix Layout, for wgmma; 9.7.16.3, 9.7.16.4
// and 9.7.16.10 for tcgen05) and CUTLASS 4.7 (cute/arch/mma_sm90_desc.hpp, cute/arch/mma_sm100_desc.hpp,
// cute/atom/mma_traits_sm90_gmma.hpp, cute/atom/mma_traits_sm100.hpp).
package descriptor

import (
	"fmt"

	"girih/cute"
)

const op = "descriptor"

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
