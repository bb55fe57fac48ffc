package kernel

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/ptx"
)

// This file refuses names that PTX or C++ refuse. The names of a kernel and of its parameters are identifiers in the
// PTX, which ptxas reads, and in [Kernel.CUDA], which nvcc reads. ptxas takes the names of instructions, WARP_SZ apart.

// keywords are the words that no name may be: keywords of C++20, words that nvcc's headers or its preprocessor define,
// and the types in the text of [Kernel.CUDA].
var keywords = wordsOf(`
	alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
	concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do
	double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
	new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return
	short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
	typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
	NULL WARP_SZ assert linux unix
	CUresult CUtensorMap GIRIH_TENSOR_MAP cudaDriverEntryPointQueryResult cudaError_t cudaStream_t cuuint32_t cuuint64_t
	dim3 int64_t uint64_t uintptr_t`)

// functions are names of C functions and of variables that nvcc declares, which a kernel cannot have: it is extern "C".
var functions = wordsOf(`
	abort abs acos acosh asin asinh atan atan2 atanh blockDim blockIdx cbrt ceil clock copysign cos cosh cospi div erf erfc
	exit exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod free frexp gridDim hypot ilogb isfinite isinf isnan j0 j1
	jn labs ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround main malloc max memcpy memset min modf nan
	nearbyint nextafter norm pow printf puts rand remainder remquo rhypot rint round rsqrt scalbln scalbn signbit sin
	sincos sinh sqrt tan tanh tgamma threadIdx trunc warpSize y0 y1 yn`)

func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

// locals are the names that [Kernel.CUDA] uses in the function that launches a kernel, apart from its parameters and
// types.
var locals = wordsOf(`
	launch_device launch_ready launch_status stream std girih_tensor_map cudaErrorInvalidValue
	cudaFuncAttributeMaxDynamicSharedMemorySize cudaFuncSetAttribute cudaGetDevice cudaGetLastError cudaSuccess`)

// checkKernelName refuses a kernel name that PTX or C++ refuse.
func (k *K) checkKernelName() {
	switch name := k.name; {
	case !isIdentifier(name):
		k.refuseName("the name of a kernel", name)
	case functions[name] || locals[name]:
		k.advise("choose another name, such as %s_kernel", name).refuse("trace", cute.CodeName,
			"CUDA C++ or the launch declares %s, and a kernel of this name would be declared twice", name)
	}
}

// checkName refuses a parameter name that PTX or C++ refuse, or that another parameter or the text of [Kernel.CUDA]
// has: the tensor map of x is x_map there.
func (k *K) checkName(p Param) {
	name := p.Name
	taken := slices.Contains([]string{k.name, k.name + "_shared", "launch_" + k.name}, name) || locals[name] ||
		p.Map && name+"_map" == k.name
	for _, q := range k.params {
		switch {
		case q.Name == name:
			k.refuse("trace", cute.CodeName, "there are two parameters of the name %s", name)
		case q.Map && name == q.Name+"_map", p.Map && q.Name == name+"_map":
			taken = true
		}
	}
	switch {
	case !isIdentifier(name):
		k.refuseName("the name of a parameter", name)
	case taken:
		k.advise("choose another name").refuse("trace", cute.CodeName,
			"the parameter %s has a name that the kernel or its launch in CUDA C++ has", name)
	}
}

func (k *K) refuseName(what, name string) {
	k.advise("begin with a letter, go on with letters, digits and _, and avoid the words of C++").refuse("trace",
		cute.CodeName, "expected %s that PTX and C++ take, found %q", what, name)
}

// isIdentifier reports whether a name is an identifier of PTX and of C++.
func isIdentifier(name string) bool {
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && ptx.Name(name) != ptx.Sink && !keywords[name] && !strings.HasPrefix(name, "__")
}
