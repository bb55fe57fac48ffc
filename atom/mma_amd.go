package atom

import (
	"iter"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file defines AMD's matrix instructions: MFMA and SMFMAC of CDNA 3 (gfx942) and CDNA 4 (gfx950), a wavefront of
// 64 lanes; WMMA of RDNA 3 (gfx11) and RDNA 4 (gfx12), of 32 lanes or of 64 (_w64).
//
// An MFMA of M by N by K in B blocks holds A like this: M lanes along a column, then the blocks, then the remaining
// lanes along K, each with K/(64/(M·B)) consecutive elements. C is held in rows of N lanes, 4 consecutive elements of a
// column in each lane (1 of f64): first the blocks that fit in 64 lanes side by side, then further rows.

const (
	sourceCDNA3 = "AMD Instinct MI300 ISA, 7.1 Matrix Arithmetic Opcodes; AMD matrix instruction calculator, cdna3"
	sourceCDNA4 = "AMD Instinct CDNA4 ISA, Matrix Arithmetic Opcodes; LLVM, IntrinsicsAMDGPU.td; ROCm composable_kernel, test/mx_mfma_op"
	sourceRDNA3 = "AMD RDNA3 ISA, 7.9 Wave Matrix Multiply Accumulate; AMD matrix instruction calculator, rdna3"
	sourceRDNA4 = "AMD RDNA4 ISA, Wave Matrix Multiply Accumulate; AMD matrix instruction calculator, rdna4"
)

// amd is the family of AMD's matrix instructions.
type amd struct{}

// An amdSpec is one instruction.
type amdSpec struct {
	name, arch, source string
	shape              [3]int64
	blocks             int64
	a, b, c            dtype.Type
	sparse, scaled     bool
	wave               int64
}

// specs returns all instructions.
func (amd) specs() []amdSpec {
	var out []amdSpec
	for _, r := range mfmaRows {
		out = append(out, r.specs()...)
	}
	return append(append(out, rdna("gfx1100", sourceRDNA3, rdna3Types())...), rdna("gfx1200", sourceRDNA4, rdna4Types())...)
}

// An mfmaRow is a set of instructions that differ in the types of A and B.
type mfmaRow struct {
	op     string // mfma, smfmac or mfma_scale
	arch   string
	shape  [3]int64
	blocks int64
	c      dtype.Type
	ab     string // the types of A and B as AMD spells them: "f16 bf16", "fp8_bf8"
}

func (r mfmaRow) specs() []amdSpec {
	source := sourceCDNA3
	if r.arch == cdna4 {
		source = sourceCDNA4
	}
	var out []amdSpec
	for ab := range strings.FieldsSeq(r.ab) {
		s := amdSpec{
			arch: r.arch, source: source, shape: r.shape, blocks: r.blocks, c: r.c, sparse: r.op == "smfmac",
			scaled: r.op == "mfma_scale", wave: 64,
		}
		a, b, two := strings.Cut(ab, "_")
		if !two {
			b = a
		}
		s.a, s.b = amdType(a, r.arch), amdType(b, r.arch)
		if r.isF8F6F4() {
			ab = "f8f6f4<" + letters(s.a) + "," + letters(s.b) + ">"
		}
		block := ""
		if r.blocks > 1 {
			block = strconv.FormatInt(r.blocks, 10) + "b_"
		}
		s.name = "v_" + r.op + "_" + amdName(r.c) + "_" + shapeName(r.shape[0], r.shape[1], r.shape[2]) + "_" + block + ab
		out = append(out, s)
	}
	return out
}

// isF8F6F4 reports whether the instruction takes any types of 4 to 8 bits, chosen by fields of the instruction.
func (r mfmaRow) isF8F6F4() bool {
	return r.arch == cdna4 && r.op != "smfmac" && r.shape[2] >= 64 && r.c == dtype.F32
}

// The machines and the lists of types of several rows.
const (
	cdna3  = "gfx942"
	cdna4  = "gfx950"
	cdna5  = "gfx1250"
	eights = "bf8_bf8 bf8_fp8 fp8_bf8 fp8_fp8"
	mixed  = "fp8_fp8 fp8_bf8 fp8_fp6 fp8_bf6 fp8_fp4 bf8_fp8 bf8_bf8 bf8_fp6 bf8_bf6 bf8_fp4 " +
		"fp6_fp8 fp6_bf8 fp6_fp6 fp6_bf6 fp6_fp4 bf6_fp8 bf6_bf8 bf6_fp6 bf6_bf6 bf6_fp4 " +
		"fp4_fp8 fp4_bf8 fp4_fp6 fp4_bf6 fp4_fp4"
)

// mfmaRows are the instructions of CDNA 3 and the dense instructions that CDNA 4 adds.
var mfmaRows = []mfmaRow{
	{"mfma", cdna3, [3]int64{16, 16, 8}, 1, dtype.F32, "xf32"},
	{"mfma", cdna3, [3]int64{32, 32, 4}, 1, dtype.F32, "xf32"},
	{"mfma", cdna3, [3]int64{32, 32, 1}, 2, dtype.F32, "f32"},
	{"mfma", cdna3, [3]int64{16, 16, 1}, 4, dtype.F32, "f32"},
	{"mfma", cdna3, [3]int64{4, 4, 1}, 16, dtype.F32, "f32"},
	{"mfma", cdna3, [3]int64{32, 32, 2}, 1, dtype.F32, "f32"},
	{"mfma", cdna3, [3]int64{16, 16, 4}, 1, dtype.F32, "f32"},
	{"mfma", cdna3, [3]int64{32, 32, 4}, 2, dtype.F32, "f16 bf16"},
	{"mfma", cdna3, [3]int64{16, 16, 4}, 4, dtype.F32, "f16 bf16"},
	{"mfma", cdna3, [3]int64{4, 4, 4}, 16, dtype.F32, "f16 bf16"},
	{"mfma", cdna3, [3]int64{32, 32, 8}, 1, dtype.F32, "f16 bf16"},
	{"mfma", cdna3, [3]int64{16, 16, 16}, 1, dtype.F32, "f16 bf16"},
	{"mfma", cdna3, [3]int64{32, 32, 4}, 2, dtype.S32, "i8"},
	{"mfma", cdna3, [3]int64{16, 16, 4}, 4, dtype.S32, "i8"},
	{"mfma", cdna3, [3]int64{4, 4, 4}, 16, dtype.S32, "i8"},
	{"mfma", cdna3, [3]int64{32, 32, 16}, 1, dtype.S32, "i8"},
	{"mfma", cdna3, [3]int64{16, 16, 32}, 1, dtype.S32, "i8"},
	{"mfma", cdna3, [3]int64{16, 16, 4}, 1, dtype.F64, "f64"},
	{"mfma", cdna3, [3]int64{4, 4, 4}, 4, dtype.F64, "f64"},
	{"mfma", cdna3, [3]int64{16, 16, 32}, 1, dtype.F32, eights},
	{"mfma", cdna3, [3]int64{32, 32, 16}, 1, dtype.F32, eights},
	{"smfmac", cdna3, [3]int64{16, 16, 32}, 1, dtype.F32, "f16 bf16"},
	{"smfmac", cdna3, [3]int64{32, 32, 16}, 1, dtype.F32, "f16 bf16"},
	{"smfmac", cdna3, [3]int64{16, 16, 64}, 1, dtype.S32, "i8"},
	{"smfmac", cdna3, [3]int64{32, 32, 32}, 1, dtype.S32, "i8"},
	{"smfmac", cdna3, [3]int64{16, 16, 64}, 1, dtype.F32, eights},
	{"smfmac", cdna3, [3]int64{32, 32, 32}, 1, dtype.F32, eights},
	{"mfma", cdna4, [3]int64{16, 16, 32}, 1, dtype.F32, "f16 bf16"},
	{"mfma", cdna4, [3]int64{32, 32, 16}, 1, dtype.F32, "f16 bf16"},
	{"mfma", cdna4, [3]int64{16, 16, 64}, 1, dtype.S32, "i8"},
	{"mfma", cdna4, [3]int64{32, 32, 32}, 1, dtype.S32, "i8"},
	{"mfma", cdna4, [3]int64{16, 16, 128}, 1, dtype.F32, mixed},
	{"mfma", cdna4, [3]int64{32, 32, 64}, 1, dtype.F32, mixed},
	{"mfma_scale", cdna4, [3]int64{16, 16, 128}, 1, dtype.F32, mixed},
	{"mfma_scale", cdna4, [3]int64{32, 32, 64}, 1, dtype.F32, mixed},
}

// amdType returns the type that AMD calls by the name: fp8 and bf8 are AMD's own on CDNA 3 and OCP's on later machines.
func amdType(name, arch string) dtype.Type {
	own := arch == cdna3
	switch name {
	case "f16":
		return dtype.F16
	case "bf16":
		return dtype.BF16
	case "f64":
		return dtype.F64
	case "xf32": // the type has 19 bits, like NVIDIA's tf32
		return dtype.TF32
	case "i8", "iu8":
		return dtype.S8
	case "iu4":
		return dtype.S4
	case "fp8":
		if own {
			return dtype.E4M3FNUZ
		}
		return dtype.E4M3
	case "bf8":
		if own {
			return dtype.E5M2FNUZ
		}
		return dtype.E5M2
	case "fp6":
		return dtype.E2M3
	case "bf6":
		return dtype.E3M2
	case "fp4":
		return dtype.E2M1
	}
	return dtype.F32
}

// amdName returns the name of the type of an accumulator.
func amdName(t dtype.Type) string {
	if t == dtype.S32 {
		return "i32"
	}
	return t.String()
}

func (s amdSpec) make() MMA {
	m := MMA{
		Operation: Operation{Name: s.name, Arch: s.arch, Source: s.source},
		Types:     Types{number(s.a), number(s.b), number(s.c), number(s.c)}, Shape: s.shape, Blocks: s.blocks,
		ThrID:  column(s.wave, 1),
		BMajor: KMajor,
	}
	if s.sparse {
		m.Types.A.Sparsity = 2
	}
	if s.arch == cdna3 || s.arch == cdna4 {
		s.mfma(&m)
	} else {
		s.wmma(&m)
	}
	if s.sparse {
		m.Sparse = &Sparse{Kept: 2, Of: 4, E: m.A, From: Registers}
	}
	group := func(l cute.Layout, e Element) RegisterGroup {
		return RegisterGroup{max(1, int(valuesOf(l))*e.Bits()/32), 32}
	}
	m.Registers = RegisterCounts{group(m.C, m.Types.D), group(m.A, m.Types.A), group(m.B, m.Types.B), group(m.C, m.Types.C)}
	m.Text = s.text(m.Registers)
	return m
}

// text writes the instruction with its vector registers.
func (s amdSpec) text(r RegisterCounts) string {
	mnemonic, _, mixed := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(s.name, "_w64"), "_gfx12"), "<")
	next := 0
	take := func(g RegisterGroup) string {
		first := next
		next += g.Count
		if g.Count == 1 {
			return "v" + strconv.Itoa(first)
		}
		return "v[" + strconv.Itoa(first) + ":" + strconv.Itoa(next-1) + "]"
	}
	d, a, b := take(r.D), take(r.A), take(r.B)
	text := mnemonic + " " + d + ", " + a + ", " + b
	switch {
	case s.sparse: // the instruction accumulates in D; its last operand is the index of the kept elements
		return text + ", " + take(RegisterGroup{1, 32})
	default:
		text += ", " + take(r.C)
	}
	if s.scaled {
		text += ", " + take(RegisterGroup{1, 32}) + ", " + take(RegisterGroup{1, 32})
	}
	if mixed {
		text += " cbsz:" + strconv.Itoa(formatCode(s.a)) + " blgp:" + strconv.Itoa(formatCode(s.b))
	}
	return text
}

// formatCode returns the value of the fields CBSZ and BLGP for the type of A and of B.
func formatCode(t dtype.Type) int {
	switch t {
	case dtype.E5M2:
		return 1
	case dtype.E2M3:
		return 2
	case dtype.E3M2:
		return 3
	case dtype.E2M1:
		return 4
	}
	return 0
}

// mfma sets the layouts of an instruction of CDNA.
func (s amdSpec) mfma(m *MMA) {
	rows, columns, k := s.shape[0], s.shape[1], s.shape[2]
	operand := func(rows int64, t dtype.Type) cute.Layout {
		lanes := 64 / (rows * s.blocks)
		each := k / lanes
		ts, td := group(mode{rows, 1}, mode{s.blocks, rows * k}, mode{lanes, each * rows})
		vs, vd := group(mode{each, rows})
		if s.isMixed() && t.Bits() == 8 { // two runs of 16 elements
			ts, td = group(mode{rows, 1}, mode{lanes, 16 * rows})
			vs, vd = group(mode{16, rows}, mode{2, 16 * lanes * rows})
		}
		return tv(ts, td, vs, vd)
	}
	m.A, m.B = operand(rows, s.a), operand(columns, s.b)
	height := int64(4)
	if s.c == dtype.F64 {
		height = 1
	}
	beside := max(1, 64*height/(rows*columns)) // the number of blocks that are side by side in the lanes
	lanes := 64 / (columns * beside)
	ts, td := group(mode{columns, rows}, mode{beside, rows * columns}, mode{lanes, height})
	vs, vd := group(mode{height, 1}, mode{rows / (height * lanes), height * lanes},
		mode{s.blocks / beside, beside * rows * columns})
	m.C = tv(ts, td, vs, vd)
	if s.scaled { // each lane has one factor, for its row and 32 elements along K
		m.Scale = &Scale{Type: dtype.UE8M0, Vector: 32, From: Registers}
		factor := func(rows int64) cute.Layout {
			return tv(cute.Ints(rows, 64/rows), cute.Ints(1, 32*rows), cute.Int(32), cute.Int(rows))
		}
		m.Scale.A, m.Scale.B = factor(rows), factor(columns)
	}
}

func (s amdSpec) isMixed() bool { return strings.Contains(s.name, "f8f6f4") }

// rdna3Types are the types of WMMA of RDNA 3: D and C, A and B, K.
func rdna3Types() []string {
	return []string{"f32 f16 16", "f32 bf16 16", "f16 f16 16", "bf16 bf16 16", "i32 iu8 16", "i32 iu4 16"}
}

// rdna4Types are the types of RDNA 4.
func rdna4Types() []string {
	return append(rdna3Types(), "i32 iu4 32", "f32 fp8_fp8 16", "f32 fp8_bf8 16", "f32 bf8_fp8 16", "f32 bf8_bf8 16")
}

// rdna returns the instructions of an RDNA architecture, for wavefronts of 32 and, on RDNA 3, of 64 lanes.
func rdna(arch, source string, rows []string) []amdSpec {
	var out []amdSpec
	for _, row := range rows {
		f := strings.Fields(row)
		k, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			continue
		}
		a, b, two := strings.Cut(f[1], "_")
		if !two {
			b = a
		}
		c := dtype.S32
		if f[0] != "i32" {
			c = amdType(f[0], arch)
		}
		name := "v_wmma_" + f[0] + "_16x16x" + f[2] + "_" + f[1]
		if arch != "gfx1100" {
			name += "_gfx12"
		}
		s := amdSpec{
			name: name, arch: arch, source: source, shape: [3]int64{16, 16, k}, blocks: 1, a: amdType(a, arch),
			b: amdType(b, arch), c: c, wave: 32,
		}
		out = append(out, s)
		if arch == "gfx1100" {
			s.name, s.wave = name+"_w64", 64
			out = append(out, s)
		}
	}
	return out
}

// wmma sets the layouts of an instruction of RDNA. On RDNA 3 each lane holds a whole row of A, and lanes 16 apart hold
// the same row; they take the elements of a column of C in turn. A 16-bit element of C occupies a register. On RDNA 4 a
// row of A is split between two lanes 16 apart, which take runs of the row in turn: 4 elements of 16 bits, or K/2
// smaller elements. One of these lanes holds rows 0-7 of a column of C, and the other holds rows 8-15.
func (s amdSpec) wmma(m *MMA) {
	k, copies := s.shape[2], s.wave/16
	var ts, td, vs, vd cute.Tuple
	if s.arch == "gfx1100" {
		ts, td = tuple(mode{16, 1}, mode{copies, 0})
		vs, vd = group(mode{k, 16})
		m.A = tv(ts, td, vs, vd)
		ts, td = tuple(mode{16, 16}, mode{copies, 1})
		vs, vd = group(mode{16 / copies, copies})
		if s.c.Bits() == 16 {
			m.Types.C.Held, m.Types.D.Held = 32, 32
		}
	} else {
		run := k / 2
		if s.a.Bits() == 16 {
			run = 4
		}
		ts, td = tuple(mode{16, 1}, mode{2, 16 * run})
		vs, vd = group(mode{run, 16}, mode{k / (2 * run), 32 * run})
		m.A = tv(ts, td, vs, vd)
		ts, td = tuple(mode{16, 16}, mode{2, 8})
		vs, vd = group(mode{8, 1})
	}
	m.B, m.C = m.A, tv(ts, td, vs, vd)
}

func (f amd) find(name string) (*MMA, error) {
	lower := strings.ToLower(name)
	if !strings.HasPrefix(lower, "v_") {
		return nil, nil
	}
	for _, s := range f.specs() {
		if strings.ToLower(s.name) == lower {
			m := s.make()
			return &m, nil
		}
	}
	return nil, nil
}

func (f amd) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for _, s := range f.specs() {
			if !yield(s.make()) {
				return
			}
		}
	}
}

func (f amd) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range f.specs() {
			if !yield(s.name) {
				return
			}
		}
	}
}
