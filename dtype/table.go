package dtype

// A row has the facts about one type.
type row struct {
	name   string // the name in PTX, or a similar name
	bits   int    // the size as packed in memory
	kind   Kind
	ptx    bool   // PTX has a suffix with this name
	cpp    string // CUTLASS
	dsl    string // the name in the CuTe DSL
	triton string
	torch  string
	more   string // other spellings, with spaces between them: CUDA, MLIR, older names
	format format // the format of floating-point types
}

// A format says how the bits of a float are read.
type format struct {
	exponent, mantissa int // widths in bits
	bias               int
	unsigned           bool
	special            special
	shift              int // unused bits below the mantissa
}

// A special says which codes are not finite numbers.
type special uint8

const (
	finite   special = iota // all codes are finite
	ieee                    // the largest exponent means infinity (mantissa 0) or NaN
	allOnes                 // the code with all bits except the sign set is NaN
	minusNil                // the code of negative zero is NaN
	powers                  // as allOnes, but the smallest exponent is ordinary: no zero and no subnormal numbers
)

// table has one row for each type, in the order of the constants.
var table = [count]row{
	F64:      {"f64", 64, Float, true, "double", "Float64", "fp64", "float64", "", format{11, 52, 1023, false, ieee, 0}},
	F32:      {"f32", 32, Float, true, "float", "Float32", "fp32", "float32", "", format{8, 23, 127, false, ieee, 0}},
	TF32:     {"tf32", 32, Float, true, "tfloat32_t", "TFloat32", "", "", "tfloat32", format{8, 10, 127, false, ieee, 13}},
	F16:      {"f16", 16, Float, true, "half_t", "Float16", "fp16", "float16", "half __half", format{5, 10, 15, false, ieee, 0}},
	BF16:     {"bf16", 16, Float, true, "bfloat16_t", "BFloat16", "bf16", "bfloat16", "nv_bfloat16 __nv_bfloat16", format{8, 7, 127, false, ieee, 0}},
	E5M2:     {"e5m2", 8, Float, true, "float_e5m2_t", "Float8E5M2", "fp8e5", "float8_e5m2", "fp8e5m2 fp8_e5m2 f8e5m2 float8e5 __nv_fp8_e5m2", format{5, 2, 15, false, ieee, 0}},
	E4M3:     {"e4m3", 8, Float, true, "float_e4m3_t", "Float8E4M3FN", "fp8e4nv", "float8_e4m3fn", "e4m3fn fp8e4m3 fp8_e4m3 f8e4m3fn float8e4m3 float8_e4m3 float8e4nv __nv_fp8_e4m3", format{4, 3, 7, false, allOnes, 0}},
	UE4M3:    {"ue4m3", 8, Float, true, "float_ue4m3_t", "", "", "", "", format{4, 3, 7, true, allOnes, 0}},
	UE8M0:    {"ue8m0", 8, Float, true, "float_ue8m0_t", "Float8E8M0FNU", "", "float8_e8m0fnu", "e8m0 fp8e8m0 f8e8m0fnu __nv_fp8_e8m0", format{8, 0, 127, true, powers, 0}},
	E3M2:     {"e3m2", 6, Float, true, "float_e3m2_t", "Float6E3M2FN", "", "", "fp6e3m2 fp6_e3m2 f6e3m2fn float6_e3m2fn __nv_fp6_e3m2", format{3, 2, 3, false, finite, 0}},
	E2M3:     {"e2m3", 6, Float, true, "float_e2m3_t", "Float6E2M3FN", "", "", "fp6e2m3 fp6_e2m3 f6e2m3fn float6_e2m3fn __nv_fp6_e2m3", format{2, 3, 1, false, finite, 0}},
	E2M1:     {"e2m1", 4, Float, true, "float_e2m1_t", "Float4E2M1FN", "", "", "fp4 fp4e2m1 fp4_e2m1 f4e2m1fn float4_e2m1fn __nv_fp4_e2m1", format{2, 1, 1, false, finite, 0}},
	E5M2FNUZ: {"e5m2fnuz", 8, Float, false, "", "", "fp8e5b16", "float8_e5m2fnuz", "f8e5m2fnuz float8e5b16", format{5, 2, 16, false, minusNil, 0}},
	E4M3FNUZ: {"e4m3fnuz", 8, Float, false, "", "", "fp8e4b8", "float8_e4m3fnuz", "f8e4m3fnuz float8e4b8", format{4, 3, 8, false, minusNil, 0}},

	S64: {name: "s64", bits: 64, kind: Signed, ptx: true, cpp: "int64_t", dsl: "Int64", triton: "int64", torch: "int64", more: "i64"},
	S32: {name: "s32", bits: 32, kind: Signed, ptx: true, cpp: "int32_t", dsl: "Int32", triton: "int32", torch: "int32", more: "i32 int"},
	S16: {name: "s16", bits: 16, kind: Signed, ptx: true, cpp: "int16_t", dsl: "Int16", triton: "int16", torch: "int16", more: "i16 short"},
	S8:  {name: "s8", bits: 8, kind: Signed, ptx: true, cpp: "int8_t", dsl: "Int8", triton: "int8", torch: "int8", more: "i8"},
	S6:  {name: "s6", bits: 6, kind: Signed, cpp: "int6b_t", more: "i6 int6"},
	S4:  {name: "s4", bits: 4, kind: Signed, ptx: true, cpp: "int4b_t", dsl: "Int4", torch: "int4", more: "i4 int4_t"},
	S2:  {name: "s2", bits: 2, kind: Signed, cpp: "int2b_t", torch: "int2", more: "i2 int2_t"},

	U64: {name: "u64", bits: 64, kind: Natural, ptx: true, cpp: "uint64_t", dsl: "Uint64", triton: "uint64", torch: "uint64", more: "ui64"},
	U32: {name: "u32", bits: 32, kind: Natural, ptx: true, cpp: "uint32_t", dsl: "Uint32", triton: "uint32", torch: "uint32", more: "ui32 unsigned"},
	U16: {name: "u16", bits: 16, kind: Natural, ptx: true, cpp: "uint16_t", dsl: "Uint16", triton: "uint16", torch: "uint16", more: "ui16"},
	U8:  {name: "u8", bits: 8, kind: Natural, ptx: true, cpp: "uint8_t", dsl: "Uint8", triton: "uint8", torch: "uint8", more: "ui8"},
	U6:  {name: "u6", bits: 6, kind: Natural, cpp: "uint6b_t", more: "uint6"},
	U4:  {name: "u4", bits: 4, kind: Natural, ptx: true, cpp: "uint4b_t", torch: "uint4", more: "uint4_t ui4"},
	U3:  {name: "u3", bits: 3, kind: Natural, cpp: "uint3b_t", torch: "uint3"},
	U2:  {name: "u2", bits: 2, kind: Natural, cpp: "uint2b_t", torch: "uint2", more: "uint2_t ui2"},
	U1:  {name: "u1", bits: 1, kind: Natural, cpp: "uint1b_t", dsl: "Boolean", triton: "int1", torch: "bool", more: "bin1_t i1 uint1 pred"},

	B128: {name: "b128", bits: 128, kind: Raw, ptx: true, cpp: "uint128_t", more: "uint128 128b"},
	B64:  {name: "b64", bits: 64, kind: Raw, ptx: true, cpp: "uint64_t", more: "64b"},
	B32:  {name: "b32", bits: 32, kind: Raw, ptx: true, cpp: "uint32_t", more: "32b"},
	B16:  {name: "b16", bits: 16, kind: Raw, ptx: true, cpp: "uint16_t", more: "16b"},
	B8:   {name: "b8", bits: 8, kind: Raw, ptx: true, cpp: "uint8_t", more: "8b"},
	B6:   {name: "b6", bits: 6, kind: Raw, cpp: "uint6b_t", more: "6b"},
	B4:   {name: "b4", bits: 4, kind: Raw, cpp: "uint4b_t", more: "4b"},
	B2:   {name: "b2", bits: 2, kind: Raw, cpp: "uint2b_t", more: "2b"},
	B1:   {name: "b1", bits: 1, kind: Raw, ptx: true, cpp: "uint1b_t", more: "1b"},
}
