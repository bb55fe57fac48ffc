// Package descriptor checks a matrix in shared memory against the requirements of wgmma and tcgen05.mma, and makes the
// descriptors with which they find it.
//
// An [Atom] is the smallest tile of one of the canonical layouts, CuTe's Layout_K_SW128_Atom and its relatives;
// [Select] says which one a builder of CUTLASS takes. An [Operand] is a matrix that an instruction reads, and
// [Operand.Fit] says whether a layout of shared memory is what it can read: which pattern, K-major or MN-major, and the
// descriptor of each step, or the first core matrix that is out of place and the nearest layout that is legal:
//
//	Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)), f16, A of wgmma
//	SW128, K-major: start 0, LBO 16, SBO 1024, 32 bytes further for each of 4 steps along K
//
// A [Matrix] is the descriptor of 64 bits, in the format of sm90 or that of sm100, and an [Instruction] the one of 32
// bits that tcgen05.mma takes beside it. Both are encoded and decoded, and [Matrix.Layout] leads back: from a
// descriptor to the layout that the hardware reads.
//
// A core matrix is 8 rows of 16 bytes: 8 along M or N by 16 bytes along K of a matrix that is K-major, 8 along K by 16
// bytes along M or N of one that is MN-major.
//
// Facts are from two sources each: the PTX ISA 9.0 (9.7.15.5.1.2, Shared Memory Matrix Layout, of wgmma; 9.7.16.3,
// 9.7.16.4 and 9.7.16.10 of tcgen05) and CUTLASS 4.7 (cute/arch/mma_sm90_desc.hpp, cute/arch/mma_sm100_desc.hpp,
// cute/atom/mma_traits_sm90_gmma.hpp, cute/atom/mma_traits_sm100.hpp).
package descriptor

import (
	"fmt"

	"girih/cute"
)

const op = "descriptor"

// fail returns an error about what was asked.
func fail(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// withHint adds what to do about an error.
func withHint(e *cute.Error, format string, args ...any) *cute.Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}
