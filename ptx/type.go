package ptx

// Type is a type as PTX writes it, without the dot: "f32", "b64", "e4m3x2". The constants are the types of most
// registers and variables; [Type.Bits] also knows the other types. An [Op] may contain unknown types; a parsed [Var]
// has a known type.
type Type string

// Fundamental types (PTX ISA 5.2.1) and the packed and alternate types of 16 and 32 bits (5.2.3, 5.2.5).
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
	S16x2  Type = "s16x2"
	U16x2  Type = "u16x2"
)

// Bits returns the width of t in bits: the width of the container for packed types, 1 for predicates, 64 for opaque
// references (5.3), and 0 for a string that is not a type.
//
//go:noinline
func (t Type) Bits() int {
	switch t {
	case Pred, "b1":
		return 1
	case "b4", "s4", "u4", "e2m1":
		return 4
	case "b6", "e2m3", "e3m2":
		return 6
	case U8, S8, B8, "e4m3", "e5m2", "ue8m0", "ue4m3", "e2m1x2":
		return 8
	case U16, S16, B16, F16, BF16, "e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x4", "ue8m0x2":
		return 16
	case U32, S32, B32, F32, TF32, F16x2, BF16x2, S16x2, U16x2, "s8x4", "u8x4", "e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4":
		return 32
	case U64, S64, B64, F64, F32x2, "texref", "samplerref", "surfref":
		return 64
	case B128:
		return 128
	}
	return 0
}

// Space is a state space as PTX writes it, without the dot (PTX ISA 5.1); in an [Op] it may have a second part,
// as in "shared::cta".
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

// Linkage says which modules see a symbol (PTX ISA 11.6). With the zero value, only its own module sees a symbol.
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
