package descriptor

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// An Instruction is the instruction descriptor of tcgen05.mma: 32 bits with the types, the majors and the shape (PTX
// ISA 9.7.16.4.2, tables 42 to 44; cute/arch/mma_sm100_desc.hpp, InstrDescriptor and InstrDescriptorBlockScaled).
//
//	bits   f16, tf32, f8f6f4, i8     mxf8f6f4, mxf4, mxf4nvf4
//	0-1    sparsity selector         0
//	2      sparse                    sparse
//	3      saturate                  0
//	4-5    type of D                 scale factor ID of B
//	7-9    type of A                 type of A
//	10-12  type of B                 type of B
//	13-14  negate A, B               negate A, B
//	15-16  transpose A, B            transpose A, B
//	17-22  N / 8                     N / 8
//	23     0                         type of the scale factors
//	24-28  M / 16                    M / 16 (in PTX M / 128 in the bits 27-28, which is the same)
//	29-30  30-31: maximum shift      scale factor ID of A
//	31                               K of 96
type Instruction struct {
	Kind Kind
	// A, B and D are the types of the matrices, Scale is the type of the scale factors, or 0.
	A, B, D, Scale dtype.Type
	// AMajor and BMajor are the modes along which A and B are contiguous; MN is called "transpose".
	AMajor, BMajor atom.Major
	// M and N are the extents of the instruction, over both CTAs of a pair.
	M, N int64
	// NegateA and NegateB change the sign of a matrix, Saturate clamps sums of integers, Sparse says that A is sparse.
	NegateA, NegateB, Saturate, Sparse bool
	// Selector selects the metadata of a sparse A: 0 to 3.
	Selector int
	// MaxShift is the largest shift of B that tcgen05.mma.ws may make, in columns: 0, 8, 16 or 32.
	MaxShift int
	// ScaleA and ScaleB are the IDs of the scale factors: the byte of the word in tensor memory where they begin.
	ScaleA, ScaleB int
	// K96 says that K is 96, for 4-bit types on sm_103a.
	K96 bool

	// The bits do not contain Group and WS. Group is the number of CTAs that share the instruction, or 0 to derive it
	// from M (2 for M 256, otherwise 1). WS is true for a tcgen05.mma.ws.
	Group int
	WS    bool
}

// InstructionOf returns the instruction descriptor of an operation of sm100, as CuTe's make_instr_desc does: nothing
// negated, no saturation, IDs 0. It returns [cute.CodeType] for other operations, and the errors of
// [Instruction.Check].
func InstructionOf(m atom.MMA) (Instruction, error) {
	_, after, ok := strings.Cut(m.Text, ".kind::")
	if !ok || !strings.HasPrefix(m.Text, "tcgen05") {
		return Instruction{}, fail(cute.CodeType, "%s has no instruction descriptor: it is not a tcgen05.mma", m.Name)
	}
	k, err := FindKind(firstWord(after))
	if err != nil {
		return Instruction{}, err
	}
	i := Instruction{
		Kind: k, A: m.Types.A.Type, B: m.Types.B.Type, D: m.Types.D.Type, AMajor: m.AMajor, BMajor: m.BMajor,
		M: m.Shape[0], N: m.Shape[1], Sparse: m.Sparse != nil, K96: m.Shape[2] == 96, Group: int(m.Threads()),
	}
	if m.Scale != nil {
		i.Scale = m.Scale.Type
	}
	return i, i.Check()
}

// K returns the elements along K of one instruction, including the elements that a sparse A leaves out.
func (i Instruction) K() int64 {
	k := i.Kind.K()
	switch {
	case i.K96:
		k = 96
	case i.Sparse:
		k *= 2
	}
	return k
}

// CTAs returns the number of CTAs that share the instruction: Group, or the number that M implies.
func (i Instruction) CTAs() int {
	switch {
	case i.Group != 0:
		return i.Group
	case i.M > 128:
		return 2
	}
	return 1
}

// codes are the encodings of the types of a kind, in the order of [Kind.Types].
func (k Kind) codes() []uint32 {
	switch k {
	case KindF16, KindI8:
		return []uint32{0, 1}
	case KindTF32:
		return []uint32{2}
	case KindF8F6F4, KindMXF8F6F4:
		return []uint32{0, 1, 3, 4, 5}
	}
	return []uint32{1}
}

// results are the types of D of a kind, with their codes.
func (k Kind) results() map[dtype.Type]uint32 {
	switch k {
	case KindF16, KindF8F6F4:
		return map[dtype.Type]uint32{dtype.F16: 0, dtype.F32: 1}
	case KindI8:
		return map[dtype.Type]uint32{dtype.S32: 2}
	}
	return map[dtype.Type]uint32{dtype.F32: 1}
}

// code returns the encoding of a type of A or B.
func (k Kind) code(t dtype.Type) uint32 {
	if n := slices.Index(k.Types(), t); n >= 0 {
		return k.codes()[n]
	}
	return 0
}

// flag returns a bit for each of the given conditions, from bit at on.
func flag(at int, set ...bool) uint32 {
	bits := uint32(0)
	for i, x := range set {
		if x {
			bits |= 1 << (at + i)
		}
	}
	return bits
}

// Bits returns the descriptor. Fields that do not fit lose bits; [Instruction.Check] reports them.
func (i Instruction) Bits() uint32 {
	bits := flag(2, i.Sparse) | i.Kind.code(i.A)<<7 | i.Kind.code(i.B)<<10 |
		flag(13, i.NegateA, i.NegateB, i.AMajor == atom.MNMajor, i.BMajor == atom.MNMajor) |
		uint32(i.N>>3)&0x3f<<17 | uint32(i.M>>4)&0x1f<<24
	if i.Kind.Scaled() {
		return bits | uint32(i.ScaleB)&3<<4 | flag(23, i.Scale == dtype.UE8M0) | uint32(i.ScaleA)&3<<29 | flag(31, i.K96)
	}
	shift := max(slices.Index(shifts, i.MaxShift), 0)
	return bits | uint32(i.Selector)&3 | flag(3, i.Saturate) | i.Kind.results()[i.D]<<4 | uint32(shift)<<30
}

// shifts are the maximum shifts by their codes.
var shifts = []int{0, 8, 16, 32}

// DecodeInstruction returns the fields of an instruction descriptor of a kind. The number of CTAs follows from M. It
// returns [cute.CodeNotRepresentable] for reserved bits that are set and for codes that are not a type of the kind, and
// the errors of [Instruction.Check].
func DecodeInstruction(k Kind, bits uint32) (Instruction, error) {
	if k == 0 || k > KindMXF4NVF4 {
		return Instruction{}, fail(cute.CodeType, "expected a kind of tcgen05.mma")
	}
	reserved := k.reservedBits()
	if bad := bits & reserved; bad != 0 {
		return Instruction{}, fail(cute.CodeNotRepresentable, "an instruction descriptor of kind::%v has 0 in the bits %s, found 1 in %s of %#08x",
			k, ranges(uint64(reserved)), ranges(uint64(bad)), bits)
	}
	is := func(at int) bool { return bits>>at&1 == 1 }
	major := func(at int) atom.Major {
		if is(at) {
			return atom.MNMajor
		}
		return atom.KMajor
	}
	i := Instruction{
		Kind: k, Sparse: is(2), NegateA: is(13), NegateB: is(14), N: int64(bits>>17&0x3f) << 3,
		M: int64(bits>>24&0x1f) << 4, D: dtype.F32, AMajor: major(15), BMajor: major(16),
	}
	for _, x := range []struct {
		name string
		at   int
		to   *dtype.Type
	}{{"A", 7, &i.A}, {"B", 10, &i.B}} {
		n := slices.Index(k.codes(), bits>>x.at&7)
		if n < 0 {
			return Instruction{}, fail(cute.CodeNotRepresentable, "the type of %s of kind::%v is a code of %v, found %d (PTX ISA 9.7.16.4.2)",
				x.name, k, k.codes(), bits>>x.at&7)
		}
		*x.to = k.Types()[n]
	}
	if k.Scaled() {
		i.ScaleB, i.ScaleA, i.K96, i.Scale = int(bits>>4&3), int(bits>>29&3), k != KindMXF8F6F4 && is(31), dtype.UE4M3
		if is(23) {
			i.Scale = dtype.UE8M0
		}
		return i, i.Check()
	}
	i.Selector, i.Saturate, i.MaxShift = int(bits&3), is(3), shifts[bits>>30]
	if i.D = k.resultOf(bits >> 4 & 3); i.D == 0 {
		return Instruction{}, fail(cute.CodeNotRepresentable,
			"kind::%v has no type of D with the code %d (PTX ISA 9.7.16.4.2, table 42)", k, bits>>4&3)
	}
	i.WS = i.M == 32 || i.MaxShift != 0
	return i, i.Check()
}

// reservedBits returns the bits that must be 0.
func (k Kind) reservedBits() uint32 {
	switch k {
	case KindMXF8F6F4:
		return 3 | 1<<3 | 1<<6 | 7<<24 | 1<<31
	case KindMXF4, KindMXF4NVF4:
		return 3 | 1<<3 | 1<<6 | 1<<12 | 7<<24
	}
	return 1<<6 | 1<<23 | 1<<29
}

// resultOf returns the type of D with a code, or 0.
func (k Kind) resultOf(code uint32) dtype.Type {
	for t, c := range k.results() {
		if c == code {
			return t
		}
	}
	return 0
}

// String returns the fields: "kind::f16, f32 = f16 (K-major) * f16 (K-major), M 128, N 256, K 16, cta_group::1".
func (i Instruction) String() string {
	b := fmt.Sprintf("kind::%v, %v = %s%v (%v-major) * %s%v (%v-major), M %d, N %d, K %d, cta_group::%d", i.Kind, i.D,
		sign(flag(0, i.NegateA)), i.A, i.AMajor, sign(flag(0, i.NegateB)), i.B, i.BMajor, i.M, i.N, i.K(), i.CTAs())
	for _, x := range []struct {
		is   bool
		text string
	}{
		{i.WS, "ws"},
		{i.Sparse, fmt.Sprintf("sparse, selector %d", i.Selector)},
		{i.Saturate, "saturate"},
		{i.MaxShift != 0, fmt.Sprintf("maximum shift %d", i.MaxShift)},
		{i.Kind.Scaled(), fmt.Sprintf("scale factors %v, IDs %d and %d", i.Scale, i.ScaleA, i.ScaleB)},
	} {
		if x.is {
			b += ", " + x.text
		}
	}
	return b
}

// sign returns the sign of a matrix as text.
func sign(bits uint32) string {
	if bits != 0 {
		return "-"
	}
	return ""
}
