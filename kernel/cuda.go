package kernel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"girih/dtype"
	"girih/ptx"
)

// CUDA returns the kernel as CUDA C++ for nvcc: a __global__ function with its name whose body is the PTX, with the
// comments of [Kernel.Listing], and a function launch_NAME that checks its integers and addresses, and launches it on a
// stream with the number of blocks of [K.Grid]. The arguments of launch_NAME have the order of [Kernel.Signature]; each
// thread keeps the tensor maps of its last launch. The registers have names that nvcc does not use, and parameters and
// shared memory are operands, so nothing depends on the names that nvcc gives.
func (k *Kernel) CUDA() string {
	var b strings.Builder
	for _, line := range k.about() {
		b.WriteString("// " + line + "\n")
	}
	args := k.Signature()
	k.cudaHeaders(&b, args)
	k.cudaKernel(&b, args)
	b.WriteString("\n")
	k.cudaLaunch(&b, args)
	return b.String()
}

// cudaTypes have the names of types that CUDA C++ names otherwise than CUTLASS, with their headers.
var cudaTypes = map[dtype.Type][2]string{
	dtype.F32: {"float"}, dtype.F64: {"double"}, dtype.TF32: {"float"},
	dtype.F16: {"__half", "cuda_fp16.h"}, dtype.BF16: {"__nv_bfloat16", "cuda_bf16.h"},
	dtype.E4M3: {"__nv_fp8_e4m3", "cuda_fp8.h"}, dtype.E5M2: {"__nv_fp8_e5m2", "cuda_fp8.h"},
}

// CUDA returns the type of the elements, or of the number, in CUDA C++: "__half". Elements below a byte, and types
// that CUDA C++ does not have, are bytes.
func (p Param) CUDA() string {
	switch name, ok := cudaTypes[p.Type]; {
	case ok:
		return name[0]
	case p.Type.Bits() < 8 || p.Type.Kind() == dtype.Float:
		return "unsigned char"
	}
	return p.Type.CPP()
}

// cudaType returns the type of a parameter of the kernel, or of its launch.
func (a Argument) cudaType() string {
	switch {
	case a.Pointer && a.Writes:
		return a.CUDA() + " *"
	case a.Pointer:
		return "const " + a.CUDA() + " *"
	case a.Facts.Max != 0 && a.Type.Bits() == 32:
		return "int "
	}
	return a.CUDA() + " "
}

// constraint returns the letter of the registers that hold a parameter.
func (p Param) constraint() string {
	switch {
	case p.Pointer:
		return "l"
	case p.Facts.Max != 0 && p.Type.Bits() == 32:
		return "r"
	case p.Type == dtype.F64:
		return "d"
	case p.Type == dtype.F32:
		return "f"
	case p.Type.Bits() == 64:
		return "l"
	}
	return "r"
}

// cudaKernel writes the device function.
func (k *Kernel) cudaKernel(b *strings.Builder, args []Argument) {
	bounds := fmt.Sprint(k.Threads)
	f := k.Module.Func(ptx.Name(k.Name))
	for _, d := range f.Directives {
		if d.Name == "minnctapersm" {
			bounds += fmt.Sprintf(", %d", d.Args[0])
		}
	}
	b.WriteString("extern \"C\" __global__ void ")
	if k.Cluster != [3]int64{} {
		fmt.Fprintf(b, "__cluster_dims__(%d, %d, %d) ", k.Cluster[0], k.Cluster[1], k.Cluster[2])
	}
	fmt.Fprintf(b, "__launch_bounds__(%s)\n%s(", bounds, k.Name)
	operands := map[ptx.Name]int{}
	var inputs []string
	for i, p := range k.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		operands[ptx.Name(p.Name)] = i
		value := p.Name
		if p.Map {
			b.WriteString("const __grid_constant__ CUtensorMap " + p.Name)
			value = "&" + p.Name
		} else {
			b.WriteString(args[slices.IndexFunc(args, func(a Argument) bool { return a.Name == p.Name })].cudaType() + p.Name)
		}
		inputs = append(inputs, fmt.Sprintf("%q(%s)", p.constraint(), value))
	}
	b.WriteString(")\n{\n")
	if k.Shared > 0 {
		operands[ptx.Name(k.Name+"_shared")] = len(inputs)
		inputs = append(inputs, `"r"((unsigned)__cvta_generic_to_shared(`+k.Name+`_shared))`)
		if k.Dynamic > 0 {
			fmt.Fprintf(b, "    extern __shared__ __align__(%d) unsigned char %s_shared[];\n", sharedAlign, k.Name)
		} else {
			fmt.Fprintf(b, "    __shared__ __align__(%d) unsigned char %s_shared[%d];\n", sharedAlign, k.Name,
				k.Shared)
		}
	}
	// Some configurations of nvcc compile for compute_90 in addition to sm_90a; there the features of sm_90a must not
	// occur.
	chip, special := strings.CutSuffix(strings.TrimPrefix(k.Module.Target[0], "sm_"), "a")
	if special {
		fmt.Fprintf(b, "#if defined(__CUDA_ARCH_FEAT_SM%s_ALL)\n", chip)
	}
	b.WriteString("    asm volatile(\n        \"{\\n\"\n")
	k.cudaBody(b, f, operands)
	fmt.Fprintf(b, "        \"}\\n\"\n        :: %s\n        : \"memory\");\n", strings.Join(inputs, ", "))
	if special {
		b.WriteString("#endif\n")
	}
	b.WriteString("}\n")
}

// registers are the names that a Builder gives out.
var registers = regexp.MustCompile(`%(p|rs|r|rd|rq)([0-9]+)\b|%(p|rs|r|rd|rq)<`)

// cudaBody writes the statements as strings.
func (k *Kernel) cudaBody(b *strings.Builder, f *ptx.Func, operands map[ptx.Name]int) {
	notes, names := k.notes(), k.legend("")
	var write func(stmts []ptx.Stmt)
	line := func(text string) {
		text = names.rename(text)
		text = registers.ReplaceAllStringFunc(text, func(r string) string { return r[1:] })
		text = strings.ReplaceAll(text, "%", "%%")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "$L", "L"), "\x00", "%")
		b.WriteString("        \"" + text + "\\n\"\n")
	}
	write = func(stmts []ptx.Stmt) {
		for _, s := range stmts {
			for _, note := range notes[s] {
				b.WriteString("        // " + note + "\n")
			}
			switch s := s.(type) {
			case *ptx.Block:
				line("{")
				write(s.Stmts)
				line("}")
			case *ptx.Var:
				if s.Space != ptx.Shared {
					line(s.String())
				}
			case *ptx.Instr:
				if text := cudaInstr(s, operands); text != "" {
					line(text)
				}
			default:
				line(s.String())
			}
		}
	}
	for _, text := range names.lines {
		if note, ok := strings.CutPrefix(text, "// "); ok {
			b.WriteString("        // " + note + "\n")
			continue
		}
		line(text)
	}
	write(f.Body.Stmts)
}

// cudaInstr returns the text of an instruction, with operands of the asm statement for parameters and shared memory.
func cudaInstr(in *ptx.Instr, operands map[ptx.Name]int) string {
	switch {
	case in.Op == "cvta.param.u64":
		return "" // &map is a generic address
	case len(in.Operands) != 2:
		return in.String()
	}
	from := in.Operands[1]
	if a, ok := from.(ptx.Addr); ok && in.Op.Name() == "ld" && in.Op.Space() == ptx.Param {
		from = a.Base
	}
	name, ok := from.(ptx.Name)
	if n, known := operands[name]; ok && known {
		typ := in.Op.Type()
		return (&ptx.Instr{Op: "mov." + ptx.Op(typ), Operands: []ptx.Operand{
			in.Operands[0], ptx.Name(fmt.Sprintf("\x00%d", n)),
		}}).String()
	}
	return in.String()
}
