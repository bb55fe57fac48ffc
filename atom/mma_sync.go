package atom

import (
	"iter"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file defines the operations of mma.sync: of a quad-pair on sm70, of a warp from sm75 on.

const (
	sourceQuadPair = "PTX ISA, Matrix Fragments for mma.m8n8k4 with .f16 floating point type; CUTLASS, cute/atom/mma_traits_sm70.hpp"
	sourceWarp     = "PTX ISA, Multiply-and-Accumulate Instruction: mma, Matrix Fragments; CUTLASS, cute/atom/mma_traits_"
)

// quadpair is the family of mma.m8n8k4 on halves. 8 threads execute the instruction, two groups of 4 that are 16
// threads apart; the four quad-pairs of a warp multiply four pairs of matrices.
type quadpair struct{}

func (quadpair) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for _, acc := range []dtype.Type{dtype.F16, dtype.F32} {
			for _, ab := range []string{"TN", "NT", "NN", "TT"} {
				if !yield(makeQuadPair(acc, ab)) {
					return
				}
			}
		}
	}
}

func makeQuadPair(acc dtype.Type, ab string) MMA {
	// A matrix that is contiguous along K (T for A, N for B) has 4 elements along K in each thread, a row for each
	// thread. A matrix that is contiguous along M or N has 4 elements along that mode in each thread: 4 threads hold
	// the upper halves of 4 columns, the other 4 the lower halves.
	alongK := tv(cute.Int(8), cute.Int(1), cute.Int(4), cute.Int(8))
	across := tv(cute.Ints(4, 2), cute.Ints(8, 4), cute.Int(4), cute.Int(1))
	word := map[byte]string{'T': "row", 'N': "col"}
	f16, c := number(dtype.F16), number(acc)
	m := MMA{
		Operation: Operation{
			Name: "SM70_8x8x4_" + letters(acc) + "F16F16" + letters(acc) + "_" + ab, Arch: "sm70", Source: sourceQuadPair,
		},
		Types: Types{f16, f16, c, c}, Shape: [3]int64{8, 8, 4}, Blocks: 1,
		A: alongK, B: alongK, C: tv(cute.Int(8), cute.Int(1), cute.Int(8), cute.Int(8)),
	}
	m.ThrID = cute.MustParse("(4,2):(1,16)")
	if ab[0] == 'N' {
		m.A, m.AMajor = across, MNMajor
	}
	if ab[1] == 'T' {
		m.B, m.BMajor = across, MNMajor
	}
	regs := 4
	if acc == dtype.F32 {
		m.C, regs = cute.MustParse("((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"), 8
	}
	m.Registers = RegisterCounts{
		D: RegisterGroup{regs, 32}, A: RegisterGroup{2, 32}, B: RegisterGroup{2, 32}, C: RegisterGroup{regs, 32},
	}
	opcode := "mma.sync.aligned.m8n8k4." + word[ab[0]] + "." + word[ab[1]] + acc.PTX() + ".f16.f16" + acc.PTX()
	m.Text = newInstruction(opcode).vector(regs).vector(2).vector(2).vector(regs).String()
	return m
}

func (q quadpair) find(name string) (*MMA, error) {
	if !strings.HasPrefix(name, "SM70_") {
		return nil, nil
	}
	return findIn(q, name), nil
}

func (q quadpair) names() iter.Seq[string] { return namesOf(q) }

// warp is the family of mma.sync of a whole warp.
type warp struct{}

// A warpRow is a set of operations of a warp: all its shapes with all its types and all its variants.
type warpRow struct {
	arch     string
	shapes   [][3]int64
	types    []warpTypes
	variants []variant
}

// warpTypes are the types of D and C, of A, and of B.
type warpTypes struct{ acc, a, b dtype.Type }

// A variant is a suffix of the name and the text that it adds to the opcode.
type variant struct{ name, ptx string }

var (
	plain     = []variant{{}}
	saturated = []variant{{}, {"_SATURATE", ".satfinite"}}
	bitwise   = []variant{{"_XORPOPC", ".xor.popc"}, {"_ANDPOPC", ".and.popc"}}
)

// warpRows are the operations of CuTe's headers mma_sm75.hpp, mma_sm80.hpp, mma_sm89.hpp and mma_sm90.hpp.
func warpRows() []warpRow {
	f16, bf16, tf32, f32, f64, s32 := dtype.F16, dtype.BF16, dtype.TF32, dtype.F32, dtype.F64, dtype.S32
	halves := []warpTypes{{f16, f16, f16}, {f32, f16, f16}, {f32, bf16, bf16}}
	bytes := pairs(s32, dtype.S8, dtype.U8)
	nibbles := pairs(s32, dtype.S4, dtype.U4)
	return []warpRow{
		{"SM75", [][3]int64{{16, 8, 8}}, halves[:2], plain},
		{"SM75", [][3]int64{{8, 8, 16}}, bytes[:1], plain},
		{"SM80", [][3]int64{{16, 8, 8}, {16, 8, 16}}, halves, plain},
		{"SM80", [][3]int64{{16, 8, 4}, {16, 8, 8}}, []warpTypes{{f32, tf32, tf32}}, plain},
		{"SM80", [][3]int64{{8, 8, 4}}, []warpTypes{{f64, f64, f64}}, plain},
		{"SM80", [][3]int64{{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, bytes, saturated},
		{"SM80", [][3]int64{{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, nibbles, saturated},
		{"SM80", [][3]int64{{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}, []warpTypes{{s32, dtype.B1, dtype.B1}}, bitwise},
		{"SM89", [][3]int64{{16, 8, 32}}, slices.Concat(pairs(f32, dtype.E4M3, dtype.E5M2), pairs(f16, dtype.E4M3, dtype.E5M2)), plain},
		{"SM90", [][3]int64{{16, 8, 4}, {16, 8, 8}, {16, 8, 16}}, []warpTypes{{f64, f64, f64}}, plain},
	}
}

// pairs returns the four ways to take A and B from two types.
func pairs(acc, x, y dtype.Type) []warpTypes {
	return []warpTypes{{acc, x, x}, {acc, x, y}, {acc, y, x}, {acc, y, y}}
}

func (warp) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for _, r := range warpRows() {
			for _, t := range r.types {
				for _, s := range r.shapes {
					for _, v := range r.variants {
						if !yield(makeWarp(r.arch, s, t, v)) {
							return
						}
						if t.a == dtype.F64 && !yieldComplex(r.arch, s, yield) {
							return
						}
					}
				}
			}
		}
	}
}

func makeWarp(arch string, s [3]int64, t warpTypes, v variant) MMA {
	m, n, k := s[0], s[1], s[2]
	w := perRegister(t.a.Bits())
	acc := number(t.acc)
	op := MMA{
		Operation: Operation{
			Name: arch + "_" + shapeName(m, n, k) + "_" + letters(t.acc) + letters(t.a) + letters(t.b) + letters(t.acc) +
				"_TN" + v.name,
			Arch: strings.ToLower(arch), Source: sourceWarp + strings.ToLower(arch) + ".hpp",
		},
		Types: Types{number(t.a), number(t.b), acc, acc}, Shape: s, Blocks: 1, ThrID: column(32, 1),
		A: operandFragment(m, k, w), B: operandFragment(n, k, w), C: accumulatorFragment(m, n),
	}
	spellAsCuTe(&op)
	op.Registers = registersFor(op)
	r := op.Registers
	opcode := "mma.sync.aligned" + instructionShape(s) + ".row.col" +
		t.acc.PTX() + t.a.PTX() + t.b.PTX() + t.acc.PTX() + v.ptx
	op.Text = newInstruction(opcode).vector(r.D.Count).vector(r.A.Count).vector(r.B.Count).vector(r.C.Count).String()
	return op
}

// spellAsCuTe writes the layouts of 4-bit and 1-bit types as CuTe's header does: with the 8 elements of a register in
// parentheses of their own, and one layout with the strides in parentheses where the extents are not.
func spellAsCuTe(op *MMA) {
	alone := func(l *cute.Layout, rows int64) {
		*l = tv(cute.Ints(4, 8), cute.Ints(8*rows, 1), cute.Ints(8), cute.Ints(rows))
	}
	switch m, k := op.Shape[0], op.Shape[2]; op.Types.A.Type.Bits() {
	case 4:
		if k == 32 {
			alone(&op.B, 8)
			if m == 8 {
				alone(&op.A, 8)
			}
		}
	case 1:
		if m == 16 && k == 128 {
			op.spelledA = "((4,8),(32,2)):((512,1),((16,8)))"
		}
	}
}

// registersFor counts the registers of an operation whose operands are all in registers of 32 bits, or of 64 for
// doubles.
func registersFor(m MMA) RegisterCounts {
	count := func(l cute.Layout, e Element) RegisterGroup {
		bits := 32
		if e.Type == dtype.F64 {
			bits = 64
		}
		return RegisterGroup{int(valuesOf(l)) * e.Bits() / bits, bits}
	}
	return RegisterCounts{count(m.C, m.Types.D), count(m.A, m.Types.A), count(m.B, m.Types.B), count(m.C, m.Types.C)}
}

// yieldComplex yields the operations on complex doubles that CuTe builds from the operation on doubles of the same
// shape.
func yieldComplex(arch string, s [3]int64, yield func(MMA) bool) bool {
	if !yield(makeComplex(arch, s, plainProduct)) {
		return false
	}
	return arch != "SM80" || yield(makeComplex(arch, s, gaussProduct))
}

// A complexProduct multiplies complex doubles with multiplications of doubles.
type complexProduct struct {
	types string   // the types of D, A, B and C, as in the name
	parts int      // doubles per element of C
	steps []string // the operands of each multiplication
}

var (
	// plainProduct uses four multiplications.
	plainProduct = complexProduct{"C64C64C64C64", 2, []string{
		"d.re, a.re, b.re, c.re", "d.im, a.im, b.re, c.im", "d.re, -a.im, b.im, d.re", "d.im, a.re, b.im, d.im",
	}}
	// gaussProduct uses three multiplications, by Gauss's trick.
	gaussProduct = complexProduct{"GC64C64C64GC64", 3, []string{
		"d.t0, a.re, b.re, c.t0", "d.t1, a.im, b.im, c.t1", "d.t2, a.re+a.im, b.re+b.im, c.t2",
	}}
)

// makeComplex returns the operation on complex doubles.
func makeComplex(arch string, s [3]int64, p complexProduct) MMA {
	op := makeWarp(arch, s, warpTypes{dtype.F64, dtype.F64, dtype.F64}, variant{})
	one := op.Text[:strings.IndexByte(op.Text, ' ')]
	text := make([]string, len(p.steps))
	for i, operands := range p.steps {
		text[i] = one + " " + operands + ";"
	}
	e, acc := Element{Type: dtype.F64, Parts: 2}, Element{Type: dtype.F64, Parts: p.parts}
	op.Name = arch + "_" + shapeName(s[0], s[1], s[2]) + "_" + p.types + "_TN"
	op.Text = strings.Join(text, "\n")
	op.Types = Types{e, e, acc, acc}
	op.Registers = registersFor(op)
	return op
}

func (w warp) find(name string) (*MMA, error) {
	for _, p := range []string{"SM75_", "SM80_", "SM89_", "SM90_16x8x"} {
		if strings.HasPrefix(name, p) {
			return findIn(w, name), nil
		}
	}
	return nil, nil
}

func (w warp) names() iter.Seq[string] { return namesOf(w) }
