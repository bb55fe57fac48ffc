package tensormap

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// A Type is the type of a map's elements, a CUtensorMapDataType; its value is the driver's number.
type Type uint8

// The types, as the driver numbers them (CUDA Driver API, CUtensorMapDataType).
const (
	UInt8      Type = iota // 8 bits
	UInt16                 // 16 bits
	UInt32                 // 32 bits
	Int32                  // 32 bits
	UInt64                 // 64 bits
	Int64                  // 64 bits
	Float16                // 16 bits
	Float32                // 32 bits
	Float64                // 64 bits
	BFloat16               // 16 bits
	Float32FTZ             // 32 bits; sums flush subnormal numbers to zero
	TFloat32               // 32 bits; a load rounds each element to tf32
	TFloat32FTZ
	U4Align8  // 16 values of 4 bits in 8 bytes, in global and in shared memory
	U4Align16 // 16 values of 4 bits in 8 bytes, followed by 8 unused bytes in shared memory
	U6Align16 // 16 values of 6 bits in 12 bytes, followed by 4 unused bytes in shared memory
	typeCount
)

// A typeRow has the facts about one type.
type typeRow struct {
	name  string // the name in the driver, without CU_TENSOR_MAP_DATA_TYPE_
	ptx   string // the name in the PTX ISA
	bits  int64  // the width of an element in global memory
	gap   int64  // bytes that 16 elements leave unused in shared memory
	float bool
}

var typeRows = [typeCount]typeRow{
	UInt8:       {"UINT8", "u8", 8, 0, false},
	UInt16:      {"UINT16", "u16", 16, 0, false},
	UInt32:      {"UINT32", "u32", 32, 0, false},
	Int32:       {"INT32", "s32", 32, 0, false},
	UInt64:      {"UINT64", "u64", 64, 0, false},
	Int64:       {"INT64", "s64", 64, 0, false},
	Float16:     {"FLOAT16", "f16", 16, 0, true},
	Float32:     {"FLOAT32", "f32", 32, 0, true},
	Float64:     {"FLOAT64", "f64", 64, 0, true},
	BFloat16:    {"BFLOAT16", "bf16", 16, 0, true},
	Float32FTZ:  {"FLOAT32_FTZ", "f32.ftz", 32, 0, true},
	TFloat32:    {"TFLOAT32", "tf32", 32, 0, true},
	TFloat32FTZ: {"TFLOAT32_FTZ", "tf32.ftz", 32, 0, true},
	U4Align8:    {"16U4_ALIGN8B", "b4x16", 4, 0, false},
	U4Align16:   {"16U4_ALIGN16B", "b4x16_p64", 4, 8, false},
	U6Align16:   {"16U6_ALIGN16B", "b6x16_p32", 6, 4, false},
}

const typePrefix = "CU_TENSOR_MAP_DATA_TYPE_"

// isKnown reports whether the driver has a type of this number.
func (t Type) isKnown() bool { return t < typeCount }

// String returns the driver's name, such as CU_TENSOR_MAP_DATA_TYPE_FLOAT16, or the number if there is no such type.
func (t Type) String() string {
	if !t.isKnown() {
		return strconv.Itoa(int(t))
	}
	return typePrefix + typeRows[t].name
}

// PTX returns the name of the type in the PTX ISA, such as f16 or b4x16_p64, or "".
func (t Type) PTX() string {
	if !t.isKnown() {
		return ""
	}
	return typeRows[t].ptx
}

// Bits returns the bits of an element in global memory, or 0 if there is no such type.
func (t Type) Bits() int64 {
	if !t.isKnown() {
		return 0
	}
	return typeRows[t].bits
}

// Float reports whether the elements are floating-point numbers that may be filled with NaN.
func (t Type) Float() bool { return t.isKnown() && typeRows[t].float }

// isPadded reports whether 16 elements take 16 bytes of shared memory and leave some of them unused.
func (t Type) isPadded() bool { return t == U4Align16 || t == U6Align16 }

// sharedBits returns the bits of an element in shared memory: a byte for each element of a padded type.
func (t Type) sharedBits() int64 {
	if t.isPadded() {
		return 8
	}
	return t.Bits()
}

// TypeOf returns the type that CUTLASS uses for elements of t (to_CUtensorMapDataType,
// include/cute/arch/copy_sm90_desc.hpp): bytes for 8 bits of any kind, U4Align8 for 4 bits, U6Align16 for 6. The error
// has the code CodeType for elements of 1, 2, 3 or 128 bits, which no map supports.
func TypeOf(t dtype.Type) (Type, error) {
	switch t {
	case dtype.F16:
		return Float16, nil
	case dtype.BF16:
		return BFloat16, nil
	case dtype.TF32:
		return TFloat32, nil
	case dtype.F32:
		return Float32, nil
	case dtype.F64:
		return Float64, nil
	case dtype.S32:
		return Int32, nil
	case dtype.S64:
		return Int64, nil
	}
	switch t.Bits() {
	case 4:
		return U4Align8, nil
	case 6:
		return U6Align16, nil
	case 8:
		return UInt8, nil
	case 16:
		return UInt16, nil
	case 32:
		return UInt32, nil
	case 64:
		return UInt64, nil
	}
	return 0, refuse(cute.CodeType, "copy pairs of elements as a wider type, 8 bits at least",
		"no tensor map has elements of type %s, %d bits: there are 4, 6, 8, 16, 32 and 64", t, t.Bits())
}

// ParseType reads the driver's name or number (CU_TENSOR_MAP_DATA_TYPE_FLOAT16, FLOAT16, 6), the name in the PTX ISA
// (b4x16_p64), or any name that [dtype.Parse] knows. The error has the code CodeName, or the codes of [TypeOf].
func ParseType(name string) (Type, error) {
	s := strings.ToUpper(strings.TrimSpace(name))
	s = strings.TrimPrefix(s, typePrefix)
	for t, row := range typeRows {
		if s == row.name || s == strconv.Itoa(t) || s == strings.TrimPrefix(row.name, "16") {
			return Type(t), nil
		}
	}
	s = strings.TrimPrefix(strings.TrimSpace(name), ".")
	if t, err := dtype.Parse(s); err == nil {
		return TypeOf(t)
	}
	for t, row := range typeRows {
		if strings.EqualFold(s, row.ptx) {
			return Type(t), nil
		}
	}
	return 0, refuse(cute.CodeName, "the driver's are "+typePrefix+"UINT8 to 16U6_ALIGN16B, 0 to 15",
		"%q is no type of elements", name)
}

// refuse returns an error of this package.
//
//go:noinline
func refuse(code cute.Code, hint, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "tma", Msg: fmt.Sprintf(format, args...), Hint: hint}
}
