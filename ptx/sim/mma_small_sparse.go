package sim

import (
	"fmt"
	"strings"

	"girih/atom"
)

// This file finds mma.sp::ordered_metadata with a kind. Where its stored elements and their metadata are, the PTX ISA
// says together with integers of 8 and 4 bits (9.7.14.6.2.6 and 9.7.14.6.2.8), and CuTe's traits of sm_120 agree
// (cute/atom/mma_traits_sm120_sparse.hpp). The scale factors are as in the dense operation with half of K.

// denseShapes replaces the shapes of sparse operations by the shapes of dense ones, as far as there are any.
var denseShapes = strings.NewReplacer(".sp::ordered_metadata", "", ".m16n8k64", ".m16n8k32", ".m16n8k128", ".m16n8k64",
	".m16n8k32", ".")

// findSparseSmall returns the operation of an opcode with a kind and a sparse A.
func findSparseSmall(opcode string) (atom.MMA, error) {
	dense, err := findMMA(denseShapes.Replace(opcode), atom.Registers)
	if err != nil {
		return dense, err
	}
	as := "m16n8k64.row.col.s32.s8.s8.s32"
	if dense.Shape[2] == 64 {
		as = "m16n8k128.row.col.s32.s4.s4.s32"
	}
	m, err := atom.FindPTX("mma.sp::ordered_metadata.sync.aligned."+as, atom.Registers)
	if err != nil {
		return m, fmt.Errorf("%s: %w", as, err)
	}
	m.Text, m.Types, m.C, m.Registers.C, m.Registers.D = opcode, dense.Types, dense.C, dense.Registers.C, dense.Registers.D
	if dense.Scale != nil {
		scale := *dense.Scale
		scale.Vector *= 2
		m.Scale = &scale
	}
	return m, nil
}
