package descriptor

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// A Kind is a kind of tcgen05.mma, which determines the types of A and B and the format of the instruction descriptor
// (PTX ISA 9.7.16.2.1, table 39). The zero Kind is invalid.
type Kind uint8

// The kinds.
const (
	KindF16      Kind = iota + 1 // KindF16: f16 and bf16.
	KindTF32                     // KindTF32: tf32.
	KindF8F6F4                   // KindF8F6F4: e4m3, e5m2, e2m3, e3m2 and e2m1, a byte for each in shared memory.
	KindI8                       // KindI8: s8 and u8.
	KindMXF8F6F4                 // KindMXF8F6F4: the types of f8f6f4 with a scale factor of ue8m0 for 32.
	KindMXF4                     // KindMXF4: e2m1, packed, with a scale factor of ue8m0 for 32.
	KindMXF4NVF4                 // KindMXF4NVF4: e2m1, packed, with a factor of ue8m0 or ue4m3 for 16 or 32.
)

var kindNames = [...]string{"none", "f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"}

// String returns the name in PTX, without ".kind::": "f16".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "none"
}

// FindKind returns the kind of a name such as "f16" or ".kind::mxf4nvf4". It returns [cute.CodeName] if there is none.
func FindKind(name string) (Kind, error) {
	text := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(name), "."), "kind::")
	if i := slices.Index(kindNames[1:], text); i >= 0 {
		return Kind(i + 1), nil
	}
	return 0, fail(cute.CodeName, "expected a kind of tcgen05.mma, %s, found %.40q", strings.Join(kindNames[1:], ", "),
		name)
}

// KindOf returns the kind that multiplies a type without scale factors, or with scale factors if there is no other
// kind, and 0 if there is none.
func KindOf(t dtype.Type) Kind {
	switch t {
	case dtype.E2M1:
		return KindMXF4
	case dtype.F32:
		return KindTF32
	}
	for k := KindF16; k <= KindMXF4NVF4; k++ {
		if slices.Contains(k.Types(), t) {
			return k
		}
	}
	return 0
}

// Types returns the types of A and B, in the order of their codes.
func (k Kind) Types() []dtype.Type {
	switch k {
	case KindF16:
		return []dtype.Type{dtype.F16, dtype.BF16}
	case KindTF32:
		return []dtype.Type{dtype.TF32}
	case KindF8F6F4, KindMXF8F6F4:
		return []dtype.Type{dtype.E4M3, dtype.E5M2, dtype.E2M3, dtype.E3M2, dtype.E2M1}
	case KindI8:
		return []dtype.Type{dtype.U8, dtype.S8}
	case KindMXF4, KindMXF4NVF4:
		return []dtype.Type{dtype.E2M1}
	}
	return nil
}

// Scaled reports whether the kind has scale factors.
func (k Kind) Scaled() bool { return k >= KindMXF8F6F4 }

// K returns the elements along K of one dense instruction: 32 bytes of A. A sparse instruction has twice as many. K of
// 96 on sm_103a is a bit of the descriptor ([Instruction.K96]).
func (k Kind) K() int64 {
	switch k {
	case KindF16:
		return 16
	case KindTF32:
		return 8
	case KindMXF4, KindMXF4NVF4:
		return 64
	}
	return 32
}
