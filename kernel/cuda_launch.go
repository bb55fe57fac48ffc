package kernel

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/address"
	"girih/tensormap"
)

// This file writes what launches a kernel in CUDA C++.

// cudaHeaders writes the headers of the types, and the tensor maps of the launch.
func (k *Kernel) cudaHeaders(b *strings.Builder, args []Argument) {
	headers := []string{"cstdint", "cuda_runtime.h"}
	if k.Dynamic > 0 {
		headers = append(headers, "atomic")
	}
	if len(k.maps) > 0 {
		headers = append(headers, "algorithm", "cuda.h")
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
	b.WriteString("\n")
	if len(k.maps) > 0 {
		fmt.Fprintf(b, cudaMap, tensormap.Tiled.Function())
	}
}

// cudaMap is a tensor map of the host.
const cudaMap = `#ifndef GIRIH_TENSOR_MAP
#define GIRIH_TENSOR_MAP
// A tensor map, and what it was encoded from: it is encoded again only for another address or other extents.
template <int N> struct girih_tensor_map {
    CUtensorMap map;
    const void *from = nullptr;
    cuuint64_t dims[N] = {}, strides[N] = {};

    cudaError_t set(const void *at, const cuuint64_t (&d)[N], const cuuint64_t (&s)[N], const cuuint32_t (&box)[N],
        CUtensorMapDataType type, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
    {
        if (from == at && std::equal(d, d + N, dims) && std::equal(s, s + N, strides)) return cudaSuccess;
        static void *encode = [] {
            void *f = nullptr;
            cudaDriverEntryPointQueryResult found;
            cudaError_t e = cudaGetDriverEntryPointByVersion("%[1]s", &f, 12000, cudaEnableDefault, &found);
            return e == cudaSuccess ? f : nullptr;
        }();
        if (!encode) return cudaErrorNotSupported;
        from = nullptr;
        cuuint32_t steps[N];
        std::fill(steps, steps + N, 1);
        CUresult r = ((decltype(&%[1]s))encode)(&map, type, N, (void *)at, d, s, box, steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, fill);
        if (r != CUDA_SUCCESS) return cudaErrorInvalidValue;
        std::copy(d, d + N, dims), std::copy(s, s + N, strides);
        from = at;
        return cudaSuccess;
    }
};
#endif

`

// c returns an expression of the kernel's numbers as C.
func c(x address.Expr) string {
	return strings.NewReplacer("·", "*", " mod ", "%").Replace(x.String())
}

// cudaHead writes the beginning of the host function: its arguments, and the checks of them.
func (k *Kernel) cudaHead(b *strings.Builder, args []Argument) {
	fmt.Fprintf(b, "// launch_%s returns cudaErrorInvalidValue for numbers that the kernel was not made for.\n", k.Name)
	fmt.Fprintf(b, "inline cudaError_t launch_%s(", k.Name)
	for _, a := range args {
		typ := a.cudaType()
		if !a.Pointer && a.Facts.Max != 0 {
			typ = "int64_t " // so that nothing overflows
		}
		b.WriteString(typ + a.Name + ", ")
	}
	b.WriteString("cudaStream_t stream = 0)\n{\n")
	if checks := k.cudaChecks(args); len(checks) > 0 {
		fmt.Fprintf(b, "    if (%s) return cudaErrorInvalidValue;\n", strings.Join(checks, " || "))
	}
}

// cudaGrid returns the numbers of blocks.
func (k *Kernel) cudaGrid() string {
	if len(k.grid) == 0 {
		return "1"
	}
	var grid []string
	for _, x := range k.grid {
		grid = append(grid, c(x))
	}
	return strings.Join(grid, ", ")
}

// cudaLaunch writes the host function.
func (k *Kernel) cudaLaunch(b *strings.Builder, args []Argument) {
	k.cudaHead(b, args)
	if k.Dynamic+int64(len(k.maps)) > 0 {
		b.WriteString("    cudaError_t launch_status;\n")
	}
	for _, m := range k.maps {
		m.cuda(b)
	}
	if k.Dynamic > 0 {
		fmt.Fprintf(b, cudaShared, k.Name, k.Dynamic)
	}
	var params []string
	for _, p := range k.Params {
		switch {
		case p.Map:
			params = append(params, p.Name+"_map.map")
		case !p.Pointer && p.Facts.Max != 0 && p.Type.Bits() == 32:
			params = append(params, "(int)"+p.Name)
		default:
			params = append(params, p.Name)
		}
	}
	k.allowCluster(b, k.Name)
	fmt.Fprintf(b, "    %s<<<dim3(%s), %d, %d, stream>>>(%s);\n", k.Name, k.cudaGrid(), k.Threads, k.Dynamic,
		strings.Join(params, ", "))
	b.WriteString("    return cudaGetLastError();\n}\n")
}

// allowCluster allows clusters that are not portable.
func (k *Kernel) allowCluster(b *strings.Builder, device string) {
	if c := k.Cluster; c[0]*c[1]*c[2] > portableCluster {
		fmt.Fprintf(b, "    if (cudaError_t e = cudaFuncSetAttribute(%s, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)) return e;\n",
			device)
	}
}

// cudaShared asks for shared memory, once on each device.
const cudaShared = `    static std::atomic<uint64_t> launch_ready{0}; // a bit for each device
    int launch_device = 0;
    if ((launch_status = cudaGetDevice(&launch_device)) != cudaSuccess) return launch_status;
    if (launch_device > 63 || !(launch_ready >> launch_device & 1)) {
        launch_status = cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %d);
        if (launch_status != cudaSuccess) return launch_status;
        if (launch_device < 64) launch_ready |= uint64_t(1) << launch_device;
    }
`

// cudaChecks returns conditions for numbers and addresses that the kernel was not made for.
func (k *Kernel) cudaChecks(args []Argument) (checks []string) {
	for _, a := range args {
		switch {
		case a.Pointer:
			checks = append(checks, fmt.Sprintf("(uintptr_t)%s %% %d", a.Name, a.Facts.Div))
		case a.Facts.Max != 0:
			checks = append(checks, fmt.Sprintf("%s < %d || %[1]s > %[3]d", a.Name, a.Facts.Min, a.Facts.Max))
			if a.Facts.Div > 1 {
				checks = append(checks, fmt.Sprintf("%s %% %d", a.Name, a.Facts.Div))
			}
		}
	}
	return checks
}

// cuda writes the code that encodes the tensor map of a parameter.
func (p mapParam) cuda(b *strings.Builder) {
	dims, strides := make([]string, len(p.dims)), make([]string, len(p.dims))
	strides[len(strides)-1] = "0" // not read
	for axis, dim := range p.dims {
		dims[dim] = "(cuuint64_t)" + c(p.extents[axis])
		if dim > 0 {
			strides[dim-1] = fmt.Sprintf("(cuuint64_t)(%s) * %d", c(p.strides[axis]), p.plan.Type.Bits()/8)
		}
	}
	box := make([]string, len(dims))
	for i, n := range p.plan.Box {
		box[i] = fmt.Sprint(n)
	}
	m := p.plan
	fmt.Fprintf(b, `    thread_local girih_tensor_map<%d> %s_map;
    launch_status = %[2]s_map.set(%[2]s, {%s}, {%s}, {%s},
        %v, %v, %v, %v);
    if (launch_status != cudaSuccess) return launch_status;
`, len(dims), p.name, strings.Join(dims, ", "), strings.Join(strides, ", "), strings.Join(box, ", "), m.Type, m.Swizzle,
		m.Promotion, m.Fill)
}
