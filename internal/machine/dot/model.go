package dot

import (
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// A Model is how an instruction adds.
type Model interface {
	// Add returns the code of c + a[0]·b[0] + a[1]·b[1] + ..., for codes in the order of k. For a sparse operation only
	// the held products are passed. There are at most 64 products.
	//
	// A NaN, infinity times 0, or infinities of both signs give the tensor core's NaN: all bits but the sign, without
	// the operand's payload. A Chain of f64 returns the operand that is NaN, made quiet (c before b before a), and
	// 0xfff8000000000000 for other invalid operations.
	Add(a, b []uint64, c uint64) uint64
	// String returns the model in words.
	String() string
}

// These constants are the numbers of bits that are kept below the largest term.
const (
	below25 = 25
	below13 = 13 // wgmma on 8-bit types
)

// ModelOf returns the model of an operation on sm_90. Each model was compared with an H200 (conformance/hardware,
// h200_instructions.jsonl). It returns [cute.CodeType] for operations that sm_90 lacks and for operations that consist
// of several instructions.
func ModelOf(m atom.MMA) (Model, error) {
	a, b, c := m.Types.A.Type, m.Types.B.Type, m.Types.C.Type
	opcode, _, _ := strings.Cut(m.Text, ".")
	saturate := strings.Contains(m.Text, ".satfinite")
	fused := Fused{A: a, B: b, C: c, Together: int(m.Shape[2]) / max(1, m.Types.A.Sparsity), Below: below25, Fraction: 23}
	if c == dtype.F16 {
		fused.Fraction, fused.Nearest = 10, true
	}
	switch {
	case m.Types.A.Parts > 1:
	case opcode == "wgmma" && c.Kind() == dtype.Float:
		if a.Bits() == 8 {
			fused.Below = below13
			fused.Fraction = min(fused.Fraction, below13)
		}
		return fused, nil
	case !slices.Contains([]string{"mma", "wgmma", "fma", "mad", "dp4a", "dp2a"}, opcode):
	case strings.Contains(m.Text, "x2 "), strings.Contains(m.Text, ".kind::"): // sm100 and sm120
	case c.Kind() == dtype.Signed:
		return Integers{a, b, c, saturate, strings.Contains(m.Text, ".xor.")}, nil
	case c == dtype.F64, opcode == "fma":
		return Chain{A: a, B: b, C: c, D: c, In: c}, nil
	case m.Threads() == 8: // the driver replaces the instruction by multiply-adds
		return Chain{A: a, B: b, C: c, D: m.Types.D.Type, In: dtype.F32, Last: true}, nil
	case a.Bits() == 8:
		fused.A, fused.B, fused.Together = dtype.F16, dtype.F16, fused.Together/2
		return Halves{a, b, fused}, nil
	case c == dtype.F16, c == dtype.F32:
		return fused, nil
	}
	return nil, &cute.Error{
		Code: cute.CodeType, Op: "dot",
		Msg: "no sum is known of " + m.Name + ", which sm_90 lacks or has as several instructions",
	}
}
