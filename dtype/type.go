package dtype

import "fmt"

// A Type is an element type: one of the constants of this package. The zero Type is not valid.
type Type uint8

// The element types. Each is documented by its row in the table of this package.
const (
	none     Type = iota
	F64           // F64: IEEE double precision.
	F32           // F32: IEEE single precision.
	TF32          // TF32: the upper 19 of the 32 bits of an F32; the tensor cores ignore the other bits.
	F16           // F16: IEEE half precision.
	BF16          // BF16: the upper 16 bits of an F32.
	E5M2          // E5M2: 5 bits of exponent, 2 of mantissa; IEEE: with infinities and NaNs.
	E4M3          // E4M3: OCP's E4M3FN: no infinity, NaN is 0x7f and 0xff, the largest value is 448.
	UE4M3         // UE4M3: E4M3 without a sign, in the low 7 of 8 bits; NaN is 0x7f.
	UE8M0         // UE8M0: a power of two from 2^-127 to 2^127; NaN is 0xff, and there is no zero.
	E3M2          // E3M2: 6 bits, finite only; the largest value is 28.
	E2M3          // E2M3: 6 bits, finite only; the largest value is 7.5.
	E2M1          // E2M1: 4 bits, finite only: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
	E5M2FNUZ      // E5M2FNUZ: AMD's E5M2 with bias 16; NaN is 0x80.
	E4M3FNUZ      // E4M3FNUZ: AMD's E4M3 with bias 8; NaN is 0x80, the largest value is 240.
	S64           // S64: a signed integer of 64 bits.
	S32           // S32: a signed integer of 32 bits.
	S16           // S16: a signed integer of 16 bits.
	S8            // S8: a signed integer of 8 bits.
	S6            // S6: a signed integer of 6 bits.
	S4            // S4: a signed integer of 4 bits.
	S2            // S2: a signed integer of 2 bits.
	U64           // U64: a natural number of 64 bits.
	U32           // U32: a natural number of 32 bits.
	U16           // U16: a natural number of 16 bits.
	U8            // U8: a natural number of 8 bits.
	U6            // U6: a natural number of 6 bits.
	U4            // U4: a natural number of 4 bits.
	U3            // U3: a natural number of 3 bits.
	U2            // U2: a natural number of 2 bits.
	U1            // U1: one bit as a number, also the type of truth values.
	B128          // B128: 128 bits without a meaning.
	B64           // B64: 64 bits without a meaning.
	B32           // B32: 32 bits without a meaning.
	B16           // B16: 16 bits without a meaning.
	B8            // B8: 8 bits without a meaning.
	B6            // B6: 6 bits without a meaning.
	B4            // B4: 4 bits without a meaning.
	B2            // B2: 2 bits without a meaning.
	B1            // B1: 1 bit without a meaning.
	count
)

// A Kind says what the codes of a type mean.
type Kind uint8

// The kinds.
const (
	Float   Kind = iota + 1 // Float: an exponent and a mantissa, with or without a sign.
	Signed                  // Signed: an integer in two's complement.
	Natural                 // Natural: an integer that is not negative.
	Raw                     // Raw: bits without a meaning, which have a width only.
)

// String returns the kind in words: "float", "signed integer", "natural number", "raw bits".
func (k Kind) String() string {
	switch k {
	case Float:
		return "float"
	case Signed:
		return "signed integer"
	case Natural:
		return "natural number"
	case Raw:
		return "raw bits"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// valid reports whether t is one of the constants.
func (t Type) valid() bool { return t > none && t < count }

// row returns the facts about t; for an unknown type they are all zero.
func (t Type) row() *row {
	if !t.valid() {
		return &row{}
	}
	return &table[t]
}

// All returns every type, in the order of the package comment.
func All() []Type {
	ts := make([]Type, 0, count-1)
	for t := none + 1; t < count; t++ {
		ts = append(ts, t)
	}
	return ts
}

// String returns the name of the type in PTX, without the dot: "f16". If PTX has no name for it, it returns the closest
// one: "e4m3fnuz". Parse reads it.
func (t Type) String() string {
	if !t.valid() {
		return fmt.Sprintf("Type(%d)", uint8(t))
	}
	return t.row().name
}

// Bits returns the width of an element in bits, as it is packed in memory: 4 for [E2M1]. It is 32 for [TF32] and 8 for
// [UE4M3], which do not use all bits. It returns 0 for a Type that is not one of the constants.
//
//go:noinline
func (t Type) Bits() int { return t.row().bits }

// Kind returns what the codes of the type mean, or 0 for a Type that is not one of the constants.
//
//go:noinline
func (t Type) Kind() Kind { return t.row().kind }

// CPP returns the name of the type in CUTLASS (numeric_types.h, integer_subbyte.h), such as "half_t", or "" if there is
// no such name. For bits without a meaning, CPP returns the unsigned integer of that width, the type as which CUTLASS
// copies them.
//
//go:noinline
func (t Type) CPP() string { return t.row().cpp }

// PTX returns the name of the type as the suffix of a PTX instruction, such as ".f16", or "" if there is no such name.
//
//go:noinline
func (t Type) PTX() string {
	if r := t.row(); r.ptx {
		return "." + r.name
	}
	return ""
}

// DSL returns the name of the type in CUTLASS's Python package, which the CuTe DSL uses, such as "Float16", or "" if
// there is no such name.
//
//go:noinline
func (t Type) DSL() string { return t.row().dsl }

// Triton returns the name of the type in Triton's text form, such as "fp16", or "" if there is no such name.
func (t Type) Triton() string { return t.row().triton }

// Torch returns the name of the type in PyTorch, such as "float16", or "" if there is no such name. NumPy uses the same
// names.
func (t Type) Torch() string { return t.row().torch }
