package kernel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"girih/dtype"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tensormap"
)

// CUDA returns the kernel as CUDA C++ for nvcc: a __global__ function with its name whose body is the PTX, with the
// comments of [Kernel.Listing], and a function launch_NAME that checks its integers, makes its tensor maps, and
// launches it on a stream with the number of blocks of [K.Grid]. The registers have names that nvcc does not use, and
// parameters and shared memory are operands, so nothing depends on the names that nvcc gives.
func (k *Kernel) CUDA() string {
	var b strings.Builder
	for _, line := range k.about() {
		b.WriteString("// " + line + "\n")
	}
	b.WriteString("#include <cstdint>\n#include <cuda_runtime.h>\n")
	if len(k.maps) > 0 {
		b.WriteString("#include <cuda.h>\n")
	}
	b.WriteString("\n")
	k.cudaKernel(&b)
	b.WriteString("\n")
	k.cudaLaunch(&b)
	return b.String()
}

// cudaType returns the type of a parameter of the kernel, or of its launch.
func (p Param) cudaType() string {
	switch {
	case p.Pointer:
		return "void *"
	case p.Facts.Max != 0 && p.Type.Bits() == 32:
		return "int "
	case p.Type == dtype.F64:
		return "double "
	case p.Type == dtype.F32:
		return "float "
	case p.Type.Bits() == 64:
		return "int64_t "
	}
	return "int "
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
func (k *Kernel) cudaKernel(b *strings.Builder) {
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
			b.WriteString(p.cudaType() + p.Name)
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
	notes := k.notes()
	var write func(stmts []ptx.Stmt)
	line := func(text string) {
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

// c returns an expression of the kernel's numbers as C.
func c(x address.Expr) string {
	return strings.NewReplacer("·", "*", " mod ", "%").Replace(x.String())
}

// cudaLaunch writes the host function.
func (k *Kernel) cudaLaunch(b *strings.Builder) {
	fmt.Fprintf(b, "// launch_%s returns cudaErrorInvalidValue for numbers that the kernel was not made for.\n", k.Name)
	fmt.Fprintf(b, "inline cudaError_t launch_%s(", k.Name)
	var checks, args []string
	for _, p := range k.Params {
		typ := p.cudaType()
		if !p.Pointer && p.Facts.Max != 0 {
			typ = "int64_t " // so that nothing overflows
		}
		b.WriteString(typ + p.Name + ", ")
		args = append(args, p.Name)
		if p.Map {
			args[len(args)-1] = p.Name + "_map"
		} else if typ == "int64_t " && p.Type.Bits() == 32 {
			args[len(args)-1] = "(int)" + p.Name
		}
		switch {
		case p.Pointer:
			checks = append(checks, fmt.Sprintf("(uintptr_t)%s %% 16", p.Name))
		case p.Facts.Max != 0:
			checks = append(checks, fmt.Sprintf("%s < %d || %[1]s > %[3]d", p.Name, p.Facts.Min, p.Facts.Max))
			if p.Facts.Div > 1 {
				checks = append(checks, fmt.Sprintf("%s %% %d", p.Name, p.Facts.Div))
			}
		}
	}
	b.WriteString("cudaStream_t stream = 0)\n{\n")
	fmt.Fprintf(b, "    if (%s) return cudaErrorInvalidValue;\n", strings.Join(checks, " || "))
	for _, m := range k.maps {
		m.cuda(b)
	}
	if k.Dynamic > 0 {
		fmt.Fprintf(b, "    cudaError_t launch_status = cudaFuncSetAttribute(\n        %s, cudaFuncAttributeMaxDynamicSharedMemorySize, %d);\n",
			k.Name, k.Dynamic)
		b.WriteString("    if (launch_status != cudaSuccess) return launch_status;\n")
	}
	grid := []string{"1"}
	if len(k.grid) > 0 {
		grid = nil
	}
	for _, x := range k.grid {
		grid = append(grid, c(x))
	}
	fmt.Fprintf(b, "    %s<<<dim3(%s), %d, %d, stream>>>(%s);\n", k.Name, strings.Join(grid, ", "), k.Threads, k.Dynamic,
		strings.Join(args, ", "))
	b.WriteString("    return cudaGetLastError();\n}\n")
}

// cuda writes the code that encodes the tensor map of a parameter.
func (p mapParam) cuda(b *strings.Builder) {
	dims, strides := make([]string, len(p.dims)), make([]string, len(p.dims)-1)
	for axis, dim := range p.dims {
		dims[dim] = "(cuuint64_t)" + c(p.extents[axis])
		if dim > 0 {
			strides[dim-1] = fmt.Sprintf("(cuuint64_t)(%s) * %d", c(p.strides[axis]), p.plan.Type.Bits()/8)
		}
	}
	list := func(xs []string) string { return "{" + strings.Join(xs, ", ") + "}" }
	box, ones := make([]string, len(dims)), slices.Repeat([]string{"1"}, len(dims))
	for i, n := range p.plan.Box {
		box[i] = fmt.Sprint(n)
	}
	if len(strides) == 0 {
		strides = []string{"0"} // not read
	}
	m := p.plan
	fmt.Fprintf(b, `    alignas(64) CUtensorMap %[1]s_map;
    {
        cuuint64_t map_dims[] = %[2]s, map_strides[] = %[3]s;
        cuuint32_t map_box[] = %[4]s, map_steps[] = %[5]s;
        void *map_encode = nullptr;
        cudaDriverEntryPointQueryResult map_found;
        cudaError_t map_error = cudaGetDriverEntryPointByVersion("%[6]s", &map_encode, 12000,
            cudaEnableDefault, &map_found);
        if (map_error != cudaSuccess || !map_encode) return cudaErrorNotSupported;
        CUresult map_result = ((decltype(&%[6]s))map_encode)(&%[1]s_map, %[7]v, %[8]d, %[1]s,
            map_dims, map_strides, map_box, map_steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE, %[9]v, %[10]v, %[11]v);
        if (map_result != CUDA_SUCCESS) return cudaErrorInvalidValue;
    }
`, p.name, list(dims), list(strides), list(box), list(ones), tensormap.Tiled.Function(), m.Type, len(dims), m.Swizzle,
		m.Promotion, m.Fill)
}
