package atom

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file defines tcgen05.mma, the operations of sm100 on tensor memory (CuTe calls them UMMA). One thread starts
// them for its CTA, or for a pair of CTAs (2x1SM). C is in tensor memory, B in shared memory, A in shared memory (SS)
// or tensor memory (TS). M, N and the majors are template arguments, so that the traits are closed forms.

const sourceUMMA = "PTX ISA, TensorCore 5th Generation Family Instructions: tcgen05.mma; CUTLASS, cute/arch/mma_sm100_umma.hpp and cute/atom/mma_traits_sm100.hpp"

// umma is the family of tcgen05.mma in all its kinds.
type umma struct{}

// A ummaKind is a kind of tcgen05.mma, for one CTA and for a pair.
type ummaKind struct {
	prefix string // the part of the name before 2x1SM
	suffix string // the part of the name after SS or TS
	kind   string // the modifier .kind of the instruction
	types  []ummaTypes
	k      int64 // elements along K of one CTA; 0 means 32 bytes of A, or 64 if it is sparse
	// SS reads A from shared memory, and TS from tensor memory. Sparse operations have metadata.
	ss, ts, sparse bool
	vector         bool // the operation has scale factors, and a template argument for them
	noTypes        bool // the types are not template arguments
	scaled         bool // the operation has a template argument that scales C
}

// ummaTypes are the types of A, B, C and scale factors, and the number of elements that share a factor.
type ummaTypes struct {
	a, b, c dtype.Type
	parts   int // the parts of A and B
	scale   dtype.Type
	vector  int64
}

// ummaKinds are CuTe's operations.
func ummaKinds() []ummaKind {
	f16, bf16, tf32, f32, s32 := dtype.F16, dtype.BF16, dtype.TF32, dtype.F32, dtype.S32
	of := func(a, b, c dtype.Type) ummaTypes { return ummaTypes{a: a, b: b, c: c, parts: 1} }
	tf := []ummaTypes{of(tf32, tf32, f32)}
	half := []ummaTypes{of(f16, f16, f32), of(f16, f16, f16), of(bf16, bf16, f32)}
	scaledHalf := append(slices.Clone(half), ummaTypes{a: f16, b: f16, c: f32, parts: 2},
		ummaTypes{a: bf16, b: bf16, c: f32, parts: 2})
	var bytes, small, scaledSmall []ummaTypes
	for _, t := range pairs(s32, dtype.S8, dtype.U8) {
		bytes = append(bytes, of(t.a, t.b, s32))
	}
	for _, a := range smallFloats {
		for _, b := range smallFloats {
			small = append(small, of(a, b, f32), of(a, b, f16))
			scaledSmall = append(scaledSmall, ummaTypes{a, b, f32, 1, dtype.UE8M0, 32})
		}
	}
	four := func(scale dtype.Type, v int64) ummaTypes { return ummaTypes{dtype.E2M1, dtype.E2M1, f32, 1, scale, v} }
	fours := []ummaTypes{four(dtype.UE8M0, 32), four(dtype.UE8M0, 16), four(dtype.UE4M3, 16)}
	sparse := func(ts []ummaTypes) []ummaTypes { // one factor applies to twice as many logical elements
		out := slices.Clone(ts)
		for i := range out {
			out[i].vector *= 2
		}
		return out
	}
	return []ummaKind{
		{prefix: "SM100_MMA_TF32_", kind: "tf32", types: tf, ss: true, ts: true},
		{prefix: "SM100_MMA_F16BF16_", kind: "f16", types: half, ss: true, ts: true},
		{prefix: "SM100_MMA_TF32_", suffix: "_INTERLEAVED_CF32CTF32CTF32CF32_TN", kind: "tf32", ts: true, noTypes: true, types: []ummaTypes{{a: tf32, b: tf32, c: f32, parts: 2}}},
		{prefix: "SM100_MMA_TF32_", suffix: "_SCALED", kind: "tf32", types: tf, ss: true, ts: true, scaled: true},
		{prefix: "SM100_MMA_F16BF16_", suffix: "_SCALED", kind: "f16", types: scaledHalf, ss: true, ts: true, scaled: true},
		{prefix: "SM100_MMA_TF32_", suffix: "_SPARSE", kind: "tf32", types: tf, ss: true, sparse: true},
		{prefix: "SM100_MMA_F16BF16_", suffix: "_SPARSE", kind: "f16", types: half, ss: true, sparse: true},
		{prefix: "SM100_MMA_S8_", kind: "i8", types: bytes, ss: true, ts: true},
		{prefix: "SM100_MMA_S8_", suffix: "_SPARSE", kind: "i8", types: bytes, ss: true, sparse: true},
		{prefix: "SM100_MMA_F8F6F4_", kind: "f8f6f4", types: small, k: 32, ss: true, ts: true},
		{prefix: "SM100_MMA_F8F6F4_", suffix: "_SPARSE", kind: "f8f6f4", types: small, k: 64, ss: true, sparse: true},
		{prefix: "SM100_MMA_MXF8F6F4_", kind: "mxf8f6f4.block_scale", types: scaledSmall, k: 32, ss: true},
		{prefix: "SM100_MMA_MXF8F6F4_", suffix: "_SPARSE", kind: "mxf8f6f4.block_scale", types: sparse(scaledSmall), k: 64, ss: true, sparse: true},
		{prefix: "SM100_MMA_MXF4_", kind: "", types: fours, k: 64, ss: true, vector: true},
		{prefix: "SM100_MMA_MXF4NVF4_", suffix: "_SPARSE", kind: "", types: sparse(fours), k: 128, ss: true, sparse: true, vector: true},
		{prefix: "SM103::SM103_MXF4_ULTRA_", suffix: "_VS", kind: "", types: fours, k: 96, ss: true, vector: true},
	}
}

// smallFloats are the types of kind f8f6f4, in CuTe's order.
var smallFloats = []dtype.Type{dtype.E2M1, dtype.E3M2, dtype.E2M3, dtype.E4M3, dtype.E5M2}

// A ummaOp is a kind for one CTA or two, with A in shared or in tensor memory.
type ummaOp struct {
	ummaKind
	pair   bool
	tensor bool // A is in tensor memory
}

// ops returns all operations of CuTe's headers.
func (umma) ops() iter.Seq[ummaOp] {
	return func(yield func(ummaOp) bool) {
		for _, k := range ummaKinds() {
			for i := range 4 {
				o := ummaOp{k, i >= 2, i%2 == 1}
				if (o.tensor && k.ts || !o.tensor && k.ss) && !yield(o) {
					return
				}
			}
		}
	}
}

func (o ummaOp) name() string {
	n := o.prefix
	if o.pair {
		n += "2x1SM_"
	}
	if o.tensor {
		return n + "TS" + o.suffix
	}
	return n + "SS" + o.suffix
}

// ummaSize holds the template arguments that are not types.
type ummaSize struct {
	m, n           int64
	aMajor, bMajor Major
	scaleC         int64
}

// largest returns the largest tile of the operation.
func (o ummaOp) largest() ummaSize {
	if o.pair {
		return ummaSize{m: 256, n: 256}
	}
	return ummaSize{m: 128, n: 256}
}

// check refuses what the static_asserts of CuTe's headers refuse, by their rules.
func (o ummaOp) check(t ummaTypes, s ummaSize) error {
	name := o.name()
	if ms := o.extentsM(t); !slices.Contains(ms, s.m) {
		return fail(cute.CodeExtent, opAtom, "%s takes M of %s, found %d", name, orList(ms), s.m)
	}
	step := o.step(t, s)
	short := s.n == 8 && o.kind == "i8" && !o.pair
	if !short && (s.n < step || s.n > 256 || s.n%step != 0) {
		return fail(cute.CodeNotDivisible, opAtom, "%s with M %d takes N of a multiple of %d up to 256, found %d", name,
			s.m, step, s.n)
	}
	sm103 := o.prefix[:5] == "SM103"
	if s.aMajor == MNMajor && (o.tensor || sm103) || s.bMajor == MNMajor && (o.noTypes || sm103) {
		return fail(cute.CodeType, opAtom,
			"%s takes only K-major matrices if they are in tensor memory, complex or for sm103, found Major::MN", name)
	}
	return nil
}

// extentsM returns the values that M can have.
func (o ummaOp) extentsM(t ummaTypes) []int64 {
	switch {
	case o.pair && (t.vector == 0 || o.vector):
		return []int64{128, 256}
	case o.pair:
		return []int64{256}
	case t.vector > 0:
		return []int64{128}
	}
	return []int64{64, 128}
}

// step returns the number that N must be a multiple of.
func (o ummaOp) step(t ummaTypes, s ummaSize) int64 {
	wide := o.tensor || o.kind == "i8" || o.kind == "f8f6f4" && (o.sparse || s.bMajor == MNMajor)
	switch {
	case o.prefix[:5] == "SM103":
		return 16
	case o.pair && wide:
		return 32
	case o.pair:
		return 16
	case o.kind == "i8", o.kind == "f8f6f4" && !o.tensor && !o.sparse && s.bMajor == MNMajor:
		return 16
	case wide && s.m == 128:
		return 16
	}
	return 8
}

func orList(ns []int64) string {
	var parts []string
	for _, n := range ns {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	return strings.Join(parts, " or ")
}

// elements returns the elements of A, B and C.
func (o ummaOp) elements(t ummaTypes) Types {
	a, b, c := Element{Type: t.a, Parts: t.parts}, Element{Type: t.b, Parts: t.parts}, number(t.c)
	if o.sparse {
		a.Sparsity = 2
	}
	return Types{a, b, c, c}
}

// make returns the operation with the given types and sizes.
func (o ummaOp) make(t ummaTypes, s ummaSize) MMA {
	k := o.k
	if k == 0 {
		k = 256 / int64(t.a.Bits()*t.parts)
		if o.sparse {
			k *= 2
		}
	}
	whole := func(rows, columns int64) cute.Layout {
		if o.pair {
			return halves(rows, columns)
		}
		return wholeMatrix(1, rows, columns)
	}
	m := MMA{
		Operation: Operation{Name: o.fullName(t, s), Arch: "sm100a", Text: o.text(t), Source: sourceUMMA},
		Types:     o.elements(t), Shape: [3]int64{s.m, s.n, k}, Blocks: 1, ThrID: column(1, 0),
		A: whole(s.m, k), B: whole(s.n, k), C: whole(s.m, s.n),
		AFrom: SharedMemory, BFrom: SharedMemory, CFrom: TensorMemory, AMajor: s.aMajor, BMajor: s.bMajor,
		Registers: RegisterCounts{A: RegisterGroup{1, 64}, B: RegisterGroup{1, 64}, C: RegisterGroup{1, 32}},
	}
	if o.pair {
		m.ThrID = column(2, 1)
	}
	if o.prefix[:5] == "SM103" {
		m.Arch = "sm103a"
	}
	if o.tensor {
		m.AFrom, m.Registers.A = TensorMemory, RegisterGroup{1, 32}
	}
	if t.vector > 0 {
		m.Scale = &Scale{Type: t.scale, Vector: t.vector, From: TensorMemory}
	}
	if o.sparse {
		m.Sparse = &Sparse{Kept: 2, Of: 4, From: TensorMemory}
		switch {
		case t.a == dtype.TF32:
			m.Sparse.Kept, m.Sparse.Of = 1, 2
		case o.vector:
			m.Sparse.Kept, m.Sparse.Of = 4, 8
		}
	}
	return m
}

// fullName returns the name with its template arguments.
func (o ummaOp) fullName(t ummaTypes, s ummaSize) string {
	b := make([]byte, 0, 128)
	b = append(append(b, o.name()...), '<')
	typeName := func(t dtype.Type, parts int) {
		if parts == 2 {
			b = append(append(append(b, "complex<"...), cppName(t)...), ">,"...)
			return
		}
		b = append(append(b, cppName(t)...), ',')
	}
	if !o.noTypes {
		typeName(t.a, t.parts)
		typeName(t.b, t.parts)
		typeName(t.c, 1)
	}
	if t.vector > 0 {
		typeName(t.scale, 1)
	}
	b = append(strconv.AppendInt(b, s.m, 10), ',')
	b = append(strconv.AppendInt(b, s.n, 10), ',')
	if o.vector {
		b = append(strconv.AppendInt(b, t.vector, 10), ',')
	}
	b = append(append(b, "UMMA::Major::"...), s.aMajor.String()...)
	b = append(append(b, ",UMMA::Major::"...), s.bMajor.String()...)
	if o.scaled {
		b = append(b, ',')
		b = strconv.AppendInt(b, s.scaleC, 10)
	}
	return string(append(b, '>'))
}

// text writes the instruction: D and C in tensor memory, A, B, the metadata, the instruction descriptor, scale factors,
// and the operands that are not registers, by their names in the manual.
func (o ummaOp) text(t ummaTypes) string {
	opcode := "tcgen05.mma"
	if o.sparse {
		opcode += ".sp"
	}
	group := ".cta_group::1"
	if o.pair {
		group = ".cta_group::2"
	}
	i := newInstruction(opcode + group + ".kind::" + o.kindOf(t)).address()
	if o.tensor {
		i.address()
	} else {
		i.scalar()
	}
	i.scalar()
	if o.sparse {
		i.address()
	}
	i.scalar()
	if t.vector > 0 {
		i.address().address()
	} else {
		i.words("disable-output-lane")
	}
	i.words("enable-input-d")
	if o.scaled {
		i.words("scale-input-d")
	}
	return i.String()
}

// kindOf returns the kind of the instruction. For 4-bit types it depends on the scale factors: .block16 and .block32
// count only stored elements.
func (o ummaOp) kindOf(t ummaTypes) string {
	if o.kind != "" {
		return o.kind
	}
	v := t.vector
	if o.sparse {
		v /= 2
	}
	switch {
	case v == 16:
		return "mxf4nvf4.block_scale.block16"
	case o.prefix[:5] == "SM103":
		return "mxf4nvf4.block_scale.block32"
	}
	return "mxf4.block_scale.block32"
}

func (u umma) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for o := range u.ops() {
			for _, t := range o.types {
				if !yield(o.make(t, o.largest())) {
					return
				}
			}
		}
	}
}

func (u umma) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for o := range u.ops() {
			for _, t := range o.types {
				if !yield(o.fullName(t, o.largest())) {
					return
				}
			}
		}
	}
}
