package tiled

import (
	"strings"

	"girih/atom"
	"girih/dtype"
	"girih/internal/machine/dot"
)

// An Adding describes how an instruction adds its products.
type Adding struct {
	// Measured says that the sum was compared with an H200's, bit for bit.
	Measured bool
	// Text is the order and the roundings in words, or "" if [Gemm] does not execute the instruction.
	Text string

	model summer
}

// Arithmetic returns how [Gemm] adds the products of an instruction. For instructions of an H200 it adds as the card
// does, which was measured (conformance/hardware, h200_instructions.jsonl). For other instructions, Gemm uses the
// reference order: integers exactly, wrapping around; numbers by multiply-adds in the order of k, starting from C, each
// rounded once to the type of C, to the nearest, ties to even.
//
// A product of complex numbers is four instructions on their parts, in CuTe's order: to the real part it adds all
// re·re, then all −im·im; to the imaginary part all im·re, then all re·im.
func Arithmetic(m atom.MMA) Adding {
	if m.Scale != nil || m.Sparse != nil || m.Blocks > 1 {
		return Adding{}
	}
	if m.Types.A.Parts > 1 {
		if m.Types.A.Parts != 2 || m.Types.B.Parts != 2 || m.Types.C.Parts != 2 || m.Types.A.Type != dtype.F64 ||
			m.Types.B.Type != dtype.F64 || m.Types.C.Type != dtype.F64 {
			return Adding{}
		}
		// Each of the four is the instruction on real numbers, and adds in the same way.
		for _, e := range []*atom.Element{&m.Types.A, &m.Types.B, &m.Types.C, &m.Types.D} {
			e.Parts = 1
		}
		real := Arithmetic(m)
		real.Text = "on the parts re·re, im·re, −im·im, re·im: " + real.Text
		return real
	}
	if model, err := dot.ModelOf(m); err == nil && wasCompared(m) {
		return Adding{true, model.String(), model}
	}
	r := referenceOf(m.Types)
	if r == nil {
		return Adding{}
	}
	return Adding{false, r.String(), r}
}

// wasCompared reports whether an instruction of the model was compared. UniversalFMA takes any types; only four of them
// were compared.
func wasCompared(m atom.MMA) bool {
	switch m.Types.C.Type {
	case dtype.F32, dtype.F64, dtype.F16, dtype.S32:
		return true
	}
	return !strings.HasPrefix(m.Name, "UniversalFMA<")
}
