package descriptor

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// An Operand is a matrix that an instruction reads from shared memory by a descriptor. Do not change the fields.
type Operand struct {
	// Name is the name of the instruction, or "wgmma" or "tcgen05" for any instruction of this family.
	Name   string
	Format Format
	// Which is A or B.
	Which atom.Operand
	// Type is the type of the elements, Bits is the bits of an element in shared memory: 8 for the 4- and 6-bit types
	// that the kinds f8f6f4 and mxf8f6f4 read.
	Type dtype.Type
	Bits int64
	// Rows and K are the extents that one instruction reads from the memory of one CTA, in elements. For a sparse A,
	// only the stored half counts, and for a pair of CTAs only half of the rows. Rows is 0 if it may be any number of
	// rows that the instruction supports.
	Rows, K int64
	// Majors are the majors that the operand may have.
	Majors []atom.Major
	// Integer reports whether N has the extents of integer types. Pair reports whether two CTAs share the instruction.
	Integer, Pair bool
}

// OperandOf returns the operand of an instruction, with the major of the instruction. It returns [cute.CodeType] for C,
// for operands that are not in shared memory, for instructions without descriptors, and for a major in which the
// instruction does not read the type: wgmma reads only elements of 16 bits MN-major (PTX ISA 9.7.15.5.2, imm-trans;
// cute/arch/mma_sm90_gmma.hpp, where the others are _TN), tcgen05.mma elements of 8, 16 and 32 bits (PTX ISA
// 9.7.16.10.3, table 52; cute/arch/mma_sm100_desc.hpp, a_major_).
func OperandOf(m atom.MMA, o atom.Operand) (Operand, error) {
	from, major, e := m.AFrom, m.AMajor, m.Types.A
	switch o {
	case atom.OperandB:
		from, major, e = m.BFrom, m.BMajor, m.Types.B
	case atom.OperandC:
		from = m.CFrom
	}
	if from != atom.SharedMemory || o > atom.OperandB {
		return Operand{}, fail(cute.CodeType, "%v of %s has no descriptor: it is in %v", o, m.Name, from)
	}
	out := Operand{Name: m.Name, Which: o, Type: e.Type, Bits: int64(e.Type.Bits()), Integer: m.Types.C.Type == dtype.S32}
	switch {
	case strings.HasPrefix(m.Arch, "sm90") && m.Threads() == 128:
	case strings.HasPrefix(m.Arch, "sm10"):
		out.Format = SM100
		if out.Bits < 8 && strings.Contains(m.Text, "f8f6f4") {
			out.Bits = 8
		}
	default:
		return Operand{}, fail(cute.CodeType, "%v of %s has no descriptor", o, m.Name)
	}
	out.Rows, out.K = m.Extents(o)
	if o == atom.OperandA {
		out.K /= int64(max(e.Sparsity, 1))
	}
	if out.Pair = m.Threads() == 2; out.Pair {
		out.Rows /= 2
	}
	out.Majors = []atom.Major{major}
	return out, out.check()
}

// check refuses majors that the instruction does not have for the type.
func (o Operand) check() error {
	own := o.ownMajors()
	for _, m := range o.Majors {
		if slices.Contains(own, m) {
			continue
		}
		if o.Format == SM90 {
			return withHint(fail(cute.CodeType, "wgmma reads elements of 16 bits alone MN-major, found %v of %d bits for %v of %s "+
				"(PTX ISA 9.7.15.5.2, imm-trans)", o.Type, o.Bits, o.Which, o.Name), "lay it out K-major, as the TN operations of CuTe take it")
		}
		return withHint(fail(cute.CodeType, "tcgen05.mma reads elements of 8, 16 and 32 bits MN-major, found %v of %d bits for %v of %s "+
			"(PTX ISA 9.7.16.10.3, table 52)", o.Type, o.Type.Bits(), o.Which, o.Name), "lay it out K-major")
	}
	return nil
}

// ownMajors returns the majors in which the instruction reads the type.
func (o Operand) ownMajors() []atom.Major {
	bits := o.Type.Bits()
	if o.Format == SM90 && bits == 16 || o.Format == SM100 && bits >= 8 {
		return []atom.Major{atom.KMajor, atom.MNMajor}
	}
	return []atom.Major{atom.KMajor}
}

// patterns returns the patterns of a major: INTER, SW32, SW64 and SW128; for 32-bit elements that tcgen05 reads
// MN-major only SW128_32B (PTX ISA 9.7.16.10.3, table 52; cutlass/gemm/collective/builders/sm100_common.inl).
func (o Operand) patterns(major atom.Major) []Pattern {
	if o.Format == SM100 && major == atom.MNMajor && o.Type.Bits() == 32 {
		return []Pattern{SW128Base}
	}
	return []Pattern{INTER, SW32, SW64, SW128}
}

// Atoms returns the layouts in which the instruction reads the operand, for each of its majors: INTER, SW32, SW64 and
// SW128; for 32-bit elements that tcgen05 reads MN-major only SW128_32B.
func (o Operand) Atoms() []Atom {
	var out []Atom
	for _, major := range o.Majors {
		for _, p := range o.patterns(major) {
			if a, err := makeAtom(p, major, o.Type, o.Bits); err == nil {
				out = append(out, a)
			}
		}
	}
	return out
}

// AtomsOf returns the layouts in which the instruction reads the operand from shared memory, in the instruction's
// major: [Operand.Atoms] of [OperandOf], or nothing if OperandOf refuses.
func AtomsOf(m atom.MMA, o atom.Operand) []Atom {
	x, err := OperandOf(m, o)
	if err != nil {
		return nil
	}
	return x.Atoms()
}

// ptxShape matches the shape in the name of a PTX instruction.
var ptxShape = regexp.MustCompile(`\.m(\d+)n(\d+)k(\d+)\b`)

// FindOperand returns the operand of an instruction by its name: a name of CuTe, as for [atom.FindMMA], where majors
// that are missing in the name are open; a name of PTX, such as wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 or
// tcgen05.mma.cta_group::1.kind::f16; or "wgmma" or "tcgen05" for any of them. If the name does not have the type, it
// must be given (not 0); tcgen05 reads a type of 4 bits packed unless the name has the kind f8f6f4 or mxf8f6f4. It
// returns [cute.CodeName] for an unknown instruction, [cute.CodeType] for types that the instruction does not have, and
// the errors of [OperandOf].
func FindOperand(name string, t dtype.Type, o atom.Operand) (Operand, error) {
	text := strings.TrimSpace(name)
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(lower, "wgmma"), lower == "gmma", lower == "sm90":
		return findWgmma(lower, t, o)
	case strings.HasPrefix(lower, "tcgen05"), lower == "umma", lower == "sm100":
		return findTcgen05(lower, t, o)
	}
	m, err := atom.FindMMA(text)
	if err != nil {
		return Operand{}, withInstructions(err)
	}
	out, err := OperandOf(m, o)
	if err != nil {
		return out, err
	}
	if t != 0 && int64(t.Bits()) != int64(out.Type.Bits()) {
		return Operand{}, fail(cute.CodeType, "%v of %s is %v, found %v", o, m.Name, out.Type, t)
	}
	if !strings.Contains(text, "Major::") && !strings.Contains(text, "<MN") && !strings.Contains(text, "<K") {
		out.Majors = out.ownMajors()
	}
	return out, nil
}

// withInstructions adds the other names of instructions to the hint.
func withInstructions(err error) error {
	e, ok := err.(*cute.Error)
	if !ok || e.Code != cute.CodeName {
		return err
	}
	c := *e
	if c.Hint != "" {
		c.Hint += "; "
	}
	c.Hint += "wgmma and tcgen05 mean any of their instructions"
	return &c
}

// findWgmma reads a name of wgmma.
func findWgmma(name string, t dtype.Type, o atom.Operand) (Operand, error) {
	out := Operand{Name: "wgmma", Format: SM90, Which: o}
	if o > atom.OperandB {
		return Operand{}, fail(cute.CodeType, "C of wgmma has no descriptor: it is in registers")
	}
	n, t, err := readWgmma(name, t, o)
	if err != nil {
		return Operand{}, err
	}
	if ptxShape.MatchString(name) {
		out.Name = name
	}
	switch t {
	case dtype.F16, dtype.BF16, dtype.TF32, dtype.E4M3, dtype.E5M2:
	case dtype.F32:
		t = dtype.TF32
	case dtype.S8, dtype.U8:
		out.Integer = true
	case 0:
		return Operand{}, fail(cute.CodeType, "expected the type of %v", o)
	default:
		return Operand{}, fail(cute.CodeType, "wgmma multiplies f16, bf16, tf32, e4m3, e5m2, s8 and u8, found %v "+
			"(PTX ISA 9.7.15.3; b1 has no operation in CuTe)", t)
	}
	out.Type, out.Bits = t, int64(t.Bits())
	out.K = 256 / out.Bits
	if strings.Contains(name, ".sp.") && o == atom.OperandB {
		out.K *= 2
	}
	if o == atom.OperandA {
		out.Rows = 64
	} else if n != 0 {
		if !out.takes(n) {
			return Operand{}, out.wrongRows(n)
		}
		out.Rows = n
	}
	out.Majors = out.ownMajors()
	return out, nil
}

// readWgmma returns N and the type of the operand from a name with the shape m64nNkK, and 0 and t from other names. The
// two types must agree.
func readWgmma(name string, t dtype.Type, o atom.Operand) (int64, dtype.Type, error) {
	at := ptxShape.FindStringSubmatchIndex(name)
	if at == nil {
		return 0, t, nil
	}
	if name[at[2]:at[3]] != "64" {
		return 0, 0, fail(cute.CodeExtent, "M of wgmma is 64, found %s", name[at[2]:at[3]])
	}
	n, _ := strconv.ParseInt(name[at[4]:at[5]], 10, 64)
	types := strings.Split(strings.TrimPrefix(name[at[1]:], "."), ".")
	if len(types) <= 1+int(o) {
		return n, t, nil
	}
	own, err := dtype.Parse(types[1+int(o)])
	if err != nil {
		return 0, 0, fail(cute.CodeName, "%v", err)
	}
	if t != 0 && own != t {
		return 0, 0, fail(cute.CodeType, "%v of %s is %v, found %v", o, name, own, t)
	}
	return n, own, nil
}

// findTcgen05 reads a name of tcgen05.mma.
func findTcgen05(name string, t dtype.Type, o atom.Operand) (Operand, error) {
	out := Operand{Name: "tcgen05", Format: SM100, Which: o, Pair: strings.Contains(name, "cta_group::2")}
	if o > atom.OperandB {
		return Operand{}, fail(cute.CodeType, "C of tcgen05.mma has no descriptor: it is in tensor memory")
	}
	if t == 0 {
		return Operand{}, fail(cute.CodeType, "expected the type of %v", o)
	}
	if t == dtype.F32 {
		t = dtype.TF32
	}
	out.Type, out.Bits = t, int64(t.Bits())
	kind := KindOf(t)
	if at := strings.Index(name, "kind::"); at >= 0 {
		out.Name = name
		k, err := FindKind(firstWord(name[at+len("kind::"):]))
		if err != nil {
			return Operand{}, err
		}
		if !slices.Contains(k.Types(), t) {
			return Operand{}, fail(cute.CodeType, "kind::%v multiplies %s, found %v (PTX ISA 9.7.16.2.1, table 39)", k,
				typeList(k.Types()), t)
		}
		kind = k
	}
	if kind == 0 {
		return Operand{}, fail(cute.CodeType, "no kind of tcgen05.mma multiplies %v (PTX ISA 9.7.16.2.1, table 39)", t)
	}
	if kind == KindF8F6F4 || kind == KindMXF8F6F4 {
		out.Bits = 8
	}
	out.Integer = kind == KindI8
	out.K = kind.K()
	if strings.Contains(name, ".sp") && o == atom.OperandB {
		out.K *= 2
	}
	out.Majors = out.ownMajors()
	return out, nil
}

// firstWord returns the part before the next qualifier.
func firstWord(text string) string {
	if at := strings.IndexAny(text, ". "); at >= 0 {
		return text[:at]
	}
	return text
}

// typeList joins types with commas.
func typeList(ts []dtype.Type) string {
	var parts []string
	for _, t := range ts {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, ", ")
}

// takes reports whether the instruction can have an operand with this number of rows.
func (o Operand) takes(rows int64) bool {
	switch {
	case o.Which == atom.OperandA && o.Format == SM90:
		return rows == 64
	case o.Which == atom.OperandA:
		return rows == 64 || rows == 128 // half of the 128 or 256 rows of a pair
	}
	n, step := rows, int64(8)
	if o.Pair {
		n, step = 2*rows, 16
	}
	if n < step || n > 256 || n%step != 0 {
		return false
	}
	if !o.Integer {
		return true
	}
	if o.Pair {
		return n%32 == 0
	}
	return n%16 == 0 || n == 8 || n == 24
}

// rowsFor returns the largest number of rows of the instruction that divides the rows of a tile, or 0.
func (o Operand) rowsFor(tile int64) int64 {
	if o.Rows != 0 {
		return o.Rows
	}
	for n := min(tile, 256); n > 0; n-- {
		if tile%n == 0 && o.takes(n) {
			return n
		}
	}
	return 0
}

// shapes returns the section of the PTX ISA that lists the instruction's shapes.
func (o Operand) shapes() string {
	if o.Format == SM100 {
		return "9.7.16.2.1, table 39"
	}
	return "9.7.15.2"
}

// wrongRows refuses rows that the instruction does not have.
func (o Operand) wrongRows(rows int64) *cute.Error {
	of := "wgmma"
	if o.Format == SM100 {
		of = "tcgen05.mma"
	}
	rule := "N of a multiple of 8 from 8 to 256"
	switch {
	case o.Which == atom.OperandA && o.Format == SM90:
		rule = "M of 64"
	case o.Which == atom.OperandA:
		rule = "M of 64 or 128 in a CTA"
	case o.Integer && o.Pair:
		rule = "N of a multiple of 16 from 16 to 128 in each of two CTAs"
	case o.Integer:
		rule = "N of 8, 24, or a multiple of 16 up to 256, of integers"
	case o.Pair:
		rule = "N of a multiple of 8 from 8 to 128 in each of two CTAs"
	}
	e := fail(cute.CodeExtent, "%s has %s, found %d (PTX ISA %s)", of, rule, rows, o.shapes())
	for d := int64(1); d <= 256; d++ {
		for _, n := range []int64{rows + d, rows - d} {
			if o.takes(n) {
				return withHint(e, "the nearest is %d", n)
			}
		}
	}
	return e
}
