package ptx

// Type is a type as PTX writes it, without the dot: "f32", "b64", "pred". A string holds what is still to be invented:
// an [Op] may name types that are not listed here; a [Var] may not.
type Type string

// Fundamental types (PTX ISA 5.2.1), packed and alternate floating-point types (5.2.3, 5.2.5), opaque types (5.3).
const (
	U8  Type = "u8"
	U16 Type = "u16"
	U32 Type = "u32"
	U64 Type = "u64"
	S8  Type = "s8"
	S16 Type = "s16"
	S32 Type = "s32"
	S64 Type = "s64"

	B8   Type = "b8"
	B16  Type = "b16"
	B32  Type = "b32"
	B64  Type = "b64"
	B128 Type = "b128"

	F16    Type = "f16"
	F16x2  Type = "f16x2"
	BF16   Type = "bf16"
	BF16x2 Type = "bf16x2"
	TF32   Type = "tf32"
	F32    Type = "f32"
	F32x2  Type = "f32x2"
	F64    Type = "f64"
	Pred   Type = "pred"

	E4M3    Type = "e4m3"
	E5M2    Type = "e5m2"
	E4M3x2  Type = "e4m3x2"
	E5M2x2  Type = "e5m2x2"
	E4M3x4  Type = "e4m3x4"
	E5M2x4  Type = "e5m2x4"
	E2M3    Type = "e2m3"
	E3M2    Type = "e3m2"
	E2M1    Type = "e2m1"
	E2M3x2  Type = "e2m3x2"
	E3M2x2  Type = "e3m2x2"
	E2M1x2  Type = "e2m1x2"
	E2M3x4  Type = "e2m3x4"
	E3M2x4  Type = "e3m2x4"
	E2M1x4  Type = "e2m1x4"
	UE8M0   Type = "ue8m0"
	UE8M0x2 Type = "ue8m0x2"
	UE4M3   Type = "ue4m3"

	B1    Type = "b1"
	B4    Type = "b4"
	B6    Type = "b6"
	S4    Type = "s4"
	U4    Type = "u4"
	S8x4  Type = "s8x4"
	U8x4  Type = "u8x4"
	S16x2 Type = "s16x2"
	U16x2 Type = "u16x2"

	TexRef     Type = "texref"
	SamplerRef Type = "samplerref"
	SurfRef    Type = "surfref"
)

// Bits returns the width of t in bits: that of the container of packed types, 1 for predicates, 64 for opaque
// references, and 0 for what is not a type.
func (t Type) Bits() int {
	switch t {
	case Pred, B1:
		return 1
	case B4, S4, U4, E2M1:
		return 4
	case B6, E2M3, E3M2:
		return 6
	case U8, S8, B8, E4M3, E5M2, UE8M0, UE4M3, E2M1x2:
		return 8
	case U16, S16, B16, F16, BF16, E4M3x2, E5M2x2, E2M3x2, E3M2x2, E2M1x4, UE8M0x2:
		return 16
	case U32, S32, B32, F32, TF32, F16x2, BF16x2, S16x2, U16x2, S8x4, U8x4, E4M3x4, E5M2x4, E2M3x4, E3M2x4:
		return 32
	case U64, S64, B64, F64, F32x2, TexRef, SamplerRef, SurfRef:
		return 64
	case B128:
		return 128
	}
	return 0
}

// Space is a state space as PTX writes it, without the dot (PTX ISA 5.1); in an [Op] it may have a second part,
// "shared::cta".
type Space string

// State spaces.
const (
	Reg    Space = "reg"
	SReg   Space = "sreg"
	Const  Space = "const"
	Global Space = "global"
	Local  Space = "local"
	Param  Space = "param"
	Shared Space = "shared"
	Tex    Space = "tex"
)

// isSpace reports whether variables can be declared in s.
func isSpace(s Space) bool {
	switch s {
	case Reg, SReg, Const, Global, Local, Param, Shared, Tex:
		return true
	}
	return false
}

// Linkage says who sees a symbol (PTX ISA 11.6). The zero value stands for a symbol of this module alone.
type Linkage string

// Linking directives.
const (
	Extern  Linkage = "extern"
	Visible Linkage = "visible"
	Weak    Linkage = "weak"
	Common  Linkage = "common"
)

// isLinkage reports whether l is a linking directive.
func isLinkage(l Linkage) bool { return l == Extern || l == Visible || l == Weak || l == Common }
