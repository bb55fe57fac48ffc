package device

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/why/explain"
)

// This file writes the instructions that take descriptors, as functions of CUDA C++ with inline PTX.

// asmOf writes the instruction that takes the descriptors of an operand stored in a given major: the instruction
// that the operand names, or else the smallest wgmma, or a tcgen05.mma of any M and N.
func asmOf(o descriptor.Operand, major atom.Major) string {
	m, err := atom.FindMMA(o.Name)
	if o.Format == descriptor.SM100 {
		i := descriptor.Instruction{Kind: kindOf(o), Sparse: strings.Contains(o.Name, ".sp"), Group: 1}
		if o.Pair {
			i.Group = 2
		}
		if i.Scale = dtype.UE8M0; strings.Contains(o.Name, "4X") || strings.Contains(o.Name, "block16") {
			i.Scale = dtype.UE4M3
		}
		if err != nil {
			return tcgen05Function(i, "uint32_t idesc")
		}
		if i, err = descriptor.InstructionOf(m); err == nil {
			return tcgen05Function(i, "")
		}
		return ""
	}
	if err != nil {
		if m, err = wgmmaNamed(o); err != nil {
			return ""
		}
	}
	if o.Which == atom.OperandA {
		m.AMajor = major
	} else {
		m.BMajor = major
	}
	note := ""
	if o.Name == "wgmma" && o.Which == atom.OperandA {
		note = "// N of 8; any other has other registers of d, and the same descriptors of A\n"
	}
	return note + wgmmaFunction(m)
}

// kindOf returns the kind of tcgen05.mma that reads the operand.
func kindOf(o descriptor.Operand) descriptor.Kind {
	if _, after, ok := strings.Cut(strings.ToLower(o.Name), "kind::"); ok {
		name, _, _ := strings.Cut(after, ".")
		if k, err := descriptor.FindKind(strings.Fields(name)[0]); err == nil {
			return k
		}
	}
	return descriptor.KindOf(o.Type)
}

// pieces of a wgmma's name in PTX: its extents, and the types of D, A and B.
var wgmmaName = regexp.MustCompile(`\.m64n(\d+)k\d+\.(\w+)\.(\w+)\.(\w+)`)

// wgmmaNamed returns CuTe's operation for a PTX name, or for any wgmma that reads the operand from shared memory.
func wgmmaNamed(o descriptor.Operand) (atom.MMA, error) {
	up := func(t dtype.Type) string { return strings.ToUpper(t.String()) }
	n, d, a, b := max(o.Rows, 8), "F32", up(o.Type), up(o.Type)
	if o.Which == atom.OperandA {
		n = 8
	}
	if o.Integer {
		d = "S32"
	}
	k := 256 / int64(o.Type.Bits())
	name, sparse := "SM90_", strings.Contains(o.Name, ".sp")
	if sparse {
		name, k = "SM90::GMMA::SPARSE::GMMA_", 2*k
	}
	if at := wgmmaName.FindStringSubmatch(strings.ToLower(o.Name)); at != nil {
		if _, err := fmt.Sscan(at[1], &n); err != nil {
			return atom.MMA{}, err
		}
		d, a, b = strings.ToUpper(at[2]), strings.ToUpper(at[3]), strings.ToUpper(at[4])
	}
	name += fmt.Sprintf("64x%dx%d_%s%s%s_SS", n, k, d, a, b)
	if o.Type.Bits() != 16 {
		name += "_TN"
	}
	return atom.FindMMA(name)
}

// A constraint is an operand of inline PTX: "l"(a_desc).
type constraint struct{ letter, value string }

// asmFunction writes a function with one instruction, predicated on p, which holds accumulate.
type asmFunction struct {
	head        string   // text before the body: a comment
	name        string   // the name of the function
	parameters  []string // the parameters of the function, before accumulate
	constants   []string // lines at the beginning of the body
	instruction string   // the text of the instruction with %0, %1, ...
	out, in     []constraint
}

func (f asmFunction) String() string {
	var b strings.Builder
	b.WriteString(f.head)
	fmt.Fprintf(&b, "__device__ __forceinline__ void %s(%s, bool accumulate) {\n", f.name, strings.Join(f.parameters, ", "))
	for _, line := range f.constants {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "  asm volatile(\"{\\n\\t.reg .pred p;\\n\\tsetp.ne.b32 p, %%%d, 0;\\n\\t\"\n", len(f.out)+len(f.in))
	opcode, operands, _ := strings.Cut(f.instruction, " ")
	lines := strings.Split(strings.TrimRight(explain.Wrap(operands, asmCols-20, "", ""), "\n"), "\n")
	fmt.Fprintf(&b, "               \"%s \"\n", opcode)
	for i, line := range lines {
		end := " \"\n"
		if i == len(lines)-1 {
			end = ";\\n\\t}\"\n"
		}
		fmt.Fprintf(&b, "               \"%s%s", line, end)
	}
	in := append(append([]constraint(nil), f.in...), constraint{"r", "static_cast<uint32_t>(accumulate)"})
	b.WriteString(explain.Wrap(cmp.Or(constraints(f.out), "// no results"), asmCols, "               : ", "                 "))
	b.WriteString(explain.Wrap(constraints(in)+" : \"memory\");", asmCols, "               : ", "                 "))
	b.WriteString("}\n")
	return b.String()
}

// asmCols is the width of code with inline PTX, in columns.
const asmCols = 110

func constraints(list []constraint) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%q(%s)", c.letter, c.value))
	}
	return strings.Join(parts, ", ")
}

// wgmmaFunction writes a wgmma, whose text marks the places of its operands (PTX ISA 9.7.15.5.2,
// wgmma.mma_async).
func wgmmaFunction(m atom.MMA) string {
	f := asmFunction{name: "mma"}
	opcode, operands, _ := strings.Cut(strings.TrimSuffix(m.Text, ";"), " ")
	words := strings.NewReplacer("scale-d", "p", "imm-scale-a", "1", "imm-scale-b", "1", "imm-trans-a",
		fmt.Sprint(int(m.AMajor)),
		"imm-trans-b", fmt.Sprint(int(m.BMajor)), "sp-sel", "0")
	f.instruction = opcode + " " + words.Replace(operands)
	registers, letter, typ := strings.Count(operands[:strings.Index(operands, "}")+1], "%"), "+r", "uint32_t"
	if m.Types.D.Type == dtype.F32 {
		letter, typ = "+f", "float"
	}
	f.parameters = []string{fmt.Sprintf("%s (&d)[%d]", typ, registers)}
	for i := range registers {
		f.out = append(f.out, constraint{letter, fmt.Sprintf("d[%d]", i)})
	}
	if m.AFrom == atom.SharedMemory {
		f.parameters = append(f.parameters, "uint64_t a_desc")
		f.in = append(f.in, constraint{"l", "a_desc"})
	} else {
		f.parameters = append(f.parameters, "const uint32_t (&a)[4]")
		for i := range 4 {
			f.in = append(f.in, constraint{"r", fmt.Sprintf("a[%d]", i)})
		}
	}
	f.parameters = append(f.parameters, "uint64_t b_desc")
	f.in = append(f.in, constraint{"l", "b_desc"})
	if m.Sparse != nil {
		f.parameters = append(f.parameters, "uint32_t metadata")
		f.in = append(f.in, constraint{"r", "metadata"})
	}
	return f.String()
}

// tcgen05Function writes a tcgen05.mma (PTX ISA 9.7.16.10.9, and its forms .sp and .ws): with metadata if it is sparse,
// and with two addresses of scale factors if its kind has them. If the instruction is not fully known, idesc is the
// parameter that brings its descriptor; otherwise idesc is empty.
func tcgen05Function(i descriptor.Instruction, idesc string) string {
	f := asmFunction{name: "mma"}
	name, operands := "tcgen05.mma", ""
	if i.WS {
		name += ".ws"
	}
	if i.Sparse {
		name += ".sp"
	}
	name += fmt.Sprintf(".cta_group::%d.kind::%v%s", i.CTAs(), i.Kind, scaleVector(i))
	take := func(parameter, letter, format string) {
		f.parameters = append(f.parameters, parameter)
		at := strings.Fields(parameter)
		operands += fmt.Sprintf(format, fmt.Sprintf("%%%d", len(f.in))) + ", "
		f.in = append(f.in, constraint{letter, at[len(at)-1]})
	}
	take("uint32_t d", "r", "[%s]")
	take("uint64_t a_desc", "l", "%s")
	take("uint64_t b_desc", "l", "%s")
	if i.Sparse {
		take("uint32_t metadata", "r", "[%s]")
	}
	take("uint32_t idesc", "r", "%s")
	if idesc == "" {
		f.parameters = f.parameters[:len(f.parameters)-1]
		f.constants = []string{fmt.Sprintf("constexpr uint32_t idesc = 0x%08xu;  // %v", i.Bits(), i)}
	}
	if i.Kind.Scaled() {
		take("uint32_t scale_a", "r", "[%s]")
		take("uint32_t scale_b", "r", "[%s]")
	}
	f.instruction = name + " " + operands + "p"
	return f.String()
}

// scaleVector writes the qualifiers of scale factors (PTX ISA 9.7.16.10.7.1): for K of 96, .block16 and .block32 take
// the role that .scale_vec has for other K.
func scaleVector(i descriptor.Instruction) string {
	block := ".block32"
	if i.Scale == dtype.UE4M3 {
		block = ".block16"
	}
	switch {
	case !i.Kind.Scaled():
		return ""
	case i.K96:
		return ".block_scale" + block
	case i.Kind != descriptor.KindMXF4NVF4:
		return ".block_scale"
	case i.Scale == dtype.UE4M3:
		return ".block_scale.scale_vec::4X"
	}
	return ".block_scale.scale_vec::2X"
}

// Instruction writes an instruction descriptor of tcgen05.mma, and the instruction.
func Instruction(i descriptor.Instruction) []Code {
	return []Code{{CuTe, instructionCuTe(i)}, {CUDA, tcgen05Function(i, "")}}
}

// instructionCuTe writes CuTe's make_instr_desc or make_instr_desc_block_scaled (cute/arch/mma_sm100_desc.hpp),
// omitting arguments that equal their defaults.
func instructionCuTe(i descriptor.Instruction) string {
	d := i.D.CPP()
	if i.D == dtype.S32 {
		d = "int32_t"
	}
	call, args := "make_instr_desc", []string{typeOfKind(i.Kind, i.A), typeOfKind(i.Kind, i.B), d}
	if i.Kind.Scaled() {
		call, args = "make_instr_desc_block_scaled", append(args, i.Scale.CPP())
	}
	args = append(args, fmt.Sprint(i.M), fmt.Sprint(i.N), "UMMA::Major::"+i.AMajor.String(),
		"UMMA::Major::"+i.BMajor.String())
	type option struct {
		is   bool
		text string
	}
	sign := map[bool]string{false: "UMMA::ScaleIn::One", true: "UMMA::ScaleIn::Neg"}
	options := []option{{i.NegateA, sign[i.NegateA]}, {i.NegateB, sign[i.NegateB]}}
	if !i.Kind.Scaled() {
		options = append(options, option{i.Saturate, map[bool]string{
			false: "UMMA::Saturate::False", true: "UMMA::Saturate::True",
		}[i.Saturate]})
	}
	options = append(options, option{i.Sparse, fmt.Sprint(i.Sparse)})
	if !i.Kind.Scaled() {
		options = append(options, option{i.MaxShift != 0, fmt.Sprintf("UMMA::MaxShift::MaxShift%d", i.MaxShift)})
	}
	last := 0
	for n, o := range options {
		if o.is {
			last = n + 1
		}
	}
	for _, o := range options[:last] {
		args = append(args, o.text)
	}
	text := fmt.Sprintf("// %#08x\n", i.Bits()) +
		explain.Wrap(fmt.Sprintf("auto idesc = UMMA::%s<%s>();", call, strings.Join(args, ", ")), asmCols, "", "    ")
	for _, f := range []struct {
		name  string
		value int
	}{{"sparse_id2_", i.Selector}, {"a_sf_id_", i.ScaleA}, {"b_sf_id_", i.ScaleB}, {"k_size_", map[bool]int{true: 1}[i.K96]}} {
		if f.value != 0 {
			text += fmt.Sprintf("idesc.%s = %d;\n", f.name, f.value)
		}
	}
	return strings.TrimRight(text, "\n")
}

// typeOfKind returns the name of a type of A or B in CuTe's kinds f8f6f4 and mxf8f6f4: float_e2m1_t stands
// for another code.
func typeOfKind(k descriptor.Kind, t dtype.Type) string {
	if (k == descriptor.KindF8F6F4 || k == descriptor.KindMXF8F6F4) && t.Bits() < 8 {
		return "cutlass::detail::" + strings.TrimSuffix(t.CPP(), "_t") + "_unpacksmem_t"
	}
	return t.CPP()
}
