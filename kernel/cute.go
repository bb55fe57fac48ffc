package kernel

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/emit"
	"girih/ptx"
)

// CuTe returns the kernel as CuTe C++ for nvcc and the headers of CUTLASS: the tensors, tiled operations, loops and
// conditions of the traced function, under the names that CuTe's examples give them, and the function launch_NAME of
// [Kernel.CUDA]. CuTe chooses the instructions, so they may differ from the instructions of Module: copies with
// predicates move element by element.
//
// It returns an *[Error] with [cute.CodeType] and the line of the first operation that is more than tensors, copies,
// products, barriers, loops and conditions: scalar code except sums and products, carried values, atomic operations,
// shuffles, PTX, the algebra of layouts on tensors. It also returns [cute.CodeType] for a kernel without [K.Grid] and
// for an infinite constant, [cute.CodeNegative] for a number that C++ would round to zero, [cute.CodeOverflow] for one
// that does not fit in 32 bits, and [cute.CodeName] for a name that the text has for two things.
func (k *Kernel) CuTe() (string, error) {
	p, err := k.program()
	if err != nil {
		return "", err
	}
	src, err := emit.CPP(p)
	if err != nil {
		return "", err
	}
	args := k.Signature()
	var b strings.Builder
	for _, line := range p.About {
		b.WriteString("// " + line + "\n")
	}
	b.WriteString("// For nvcc -std=c++17 --expt-relaxed-constexpr -I CUTLASS/include.\n")
	k.cuteHeaders(&b, args)
	b.WriteString(cuteHelpers(src.Device) + src.Device + "\n")
	k.cuteLaunch(&b, args, src)
	return b.String(), nil
}

// DSL returns the kernel as Python for the CuTe DSL of CUTLASS: the functions NAME_kernel and NAME, which launches it
// and takes pointers and numbers in the order of [Kernel.Signature]. The lines about come first. The text has the
// layouts of the trace, and says that it was not run. DSL returns the errors of [Kernel.CuTe], and [cute.CodeName] for
// a name that Python does not allow.
func (k *Kernel) DSL(about ...string) (string, error) {
	p, err := k.program()
	if err != nil {
		return "", err
	}
	for _, q := range p.Params {
		if slices.Contains(reserved, q.Name) {
			return "", &cute.Error{
				Code: cute.CodeName, Op: "dsl", Msg: fmt.Sprintf("the name %q has another meaning in Python", q.Name),
			}
		}
	}
	text, err := emit.DSL(p)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, line := range append(append(about, p.About...), "This file was not run: girih has no CuTe DSL to compile it.") {
		b.WriteString("# " + ascii(line) + "\n")
	}
	b.WriteString("import cutlass\nimport cutlass.cute as cute\nimport cutlass.utils\n\n\n" + text)
	return b.String(), nil
}

// program returns the kernel as its operations, and refuses a kernel that does more.
func (k *Kernel) program() (*emit.Program, error) {
	refuse := func(op, hint, format string, args ...any) *cute.Error {
		return &cute.Error{Code: cute.CodeType, Op: op, Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
	if x := k.beyond; x != nil {
		e := &Error{Err: refuse(x.op, "write it as PTX or CUDA C++", "%s cannot be written as CuTe: it has %s",
			k.Name, x.op)}
		if at := placesOf(x.pcs[:]); len(at) > 0 {
			e.File, e.Line, e.Calls = at[0].File, at[0].Line, at[1:]
		}
		return nil, e
	}
	if len(k.grid) == 0 {
		return nil, refuse("grid", "say k.Grid", "%s does not say how many blocks it has", k.Name)
	}
	p := &emit.Program{
		Name: k.Name, About: k.about(), Threads: k.Threads, Blocks: k.residents(), Cluster: k.Cluster, Steps: k.steps,
		Grid: k.grid, Shared: k.Shared,
	}
	for i, line := range p.About {
		p.About[i] = ascii(line)
	}
	for _, a := range k.Signature() {
		p.Params = append(p.Params, emit.Param{
			Name: a.Name, CPP: strings.TrimSpace(a.cuteType()), Type: a.Type, Map: a.Map, Pointer: a.Pointer,
		})
	}
	return p, nil
}

// cuteType returns the type of a parameter with CUTLASS's name of its elements.
func (a Argument) cuteType() string {
	if !a.Pointer {
		return a.cudaType()
	}
	if a.Writes {
		return a.Type.CPP() + "*"
	}
	return "const " + a.Type.CPP() + "*"
}

// cuteHeaders writes the headers of CuTe, and the headers of the launch's types.
func (k *Kernel) cuteHeaders(b *strings.Builder, args []Argument) {
	headers := []string{
		"cute/tensor.hpp", "cute/algorithm/axpby.hpp", "cute/algorithm/gemm.hpp", "cutlass/numeric_types.h", "cstdint",
	}
	if k.has90() {
		headers = append(headers, "cute/arch/cluster_sm90.hpp", "cutlass/arch/barrier.h", "cutlass/arch/reg_reconfig.h",
			"cutlass/cutlass.h")
	}
	for _, a := range args {
		if h := cudaTypes[a.Type][1]; h != "" {
			headers = append(headers, h)
		}
	}
	slices.Sort(headers)
	for _, h := range slices.Compact(headers) {
		fmt.Fprintf(b, "#include <%s>\n", h)
	}
	b.WriteString("\nusing namespace cute;\n\n")
}

// has90 reports whether the kernel needs a chip of sm_90 or later.
func (k *Kernel) has90() bool { return !newer("sm_90", k.Module.Target[0]) }

// residents returns the blocks of a multiprocessor that the kernel states, or 0.
func (k *Kernel) residents() int64 {
	for _, d := range k.Module.Func(ptx.Name(k.Name)).Directives {
		if d.Name == "minnctapersm" && len(d.Args) > 0 {
			return d.Args[0]
		}
	}
	return 0
}

// cuteHelpers returns the functions that CuTe does not have and the kernel uses.
func cuteHelpers(device string) string {
	if !strings.Contains(device, "copy_zfill(") {
		return ""
	}
	return `// Copies the elements for which prd holds, and writes zeros for the others.
template <class Prd, class Src, class Dst>
CUTE_DEVICE void copy_zfill(Prd const& prd, Src const& src, Dst&& dst)
{
  CUTE_UNROLL
  for (int i = 0; i < size(dst); ++i) {
    dst(i) = prd(i) ? typename Src::value_type(src(i)) : typename Src::value_type(0);
  }
}

`
}

// cuteLaunch writes the host function.
func (k *Kernel) cuteLaunch(b *strings.Builder, args []Argument, src emit.Source) {
	k.cudaHead(b, args)
	if src.Shared {
		b.WriteString("    cudaError_t launch_status;\n")
	}
	device, types := k.Name+"_device", []string{}
	for _, a := range args {
		if a.Pointer {
			fmt.Fprintf(b, "    auto %s_gmem = reinterpret_cast<%s>(%[1]s);\n", a.Name, a.cuteType())
		}
	}
	for _, m := range src.Maps {
		fmt.Fprintf(b, "    auto tma_%s = %s;\n", m[0], m[1])
		types = append(types, "decltype(tma_"+m[0]+")")
	}
	if len(types) > 0 {
		fmt.Fprintf(b, "    auto device = %s<%s>;\n", device, strings.Join(types, ", "))
		device = "device"
	}
	bytes := "0"
	if src.Shared {
		bytes = "int(sizeof(SharedStorage))"
		fmt.Fprintf(b, "    launch_status = cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %s);\n",
			device, bytes)
		b.WriteString("    if (launch_status != cudaSuccess) return launch_status;\n")
	}
	var params []string
	for _, a := range args {
		switch {
		case a.Map:
			params = append(params, "tma_"+a.Name)
		case a.Pointer:
			params = append(params, a.Name+"_gmem")
		case a.Facts.Max != 0 && a.Type.Bits() == 32:
			params = append(params, "int("+a.Name+")")
		default:
			params = append(params, a.Name)
		}
	}
	k.allowCluster(b, device)
	fmt.Fprintf(b, "    %s<<<dim3(%s), %d, %s, stream>>>(%s);\n", device, k.cudaGrid(), k.Threads, bytes,
		strings.Join(params, ", "))
	b.WriteString("    return cudaGetLastError();\n}\n")
}
