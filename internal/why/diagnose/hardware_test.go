package diagnose

import (
	"strings"
	"testing"
)

// A pasted is a text, with phrases that the answer must contain and a phrase that it must not contain.
type pasted struct {
	name, text string
	says       []string
	not        string
}

// checkPasted reads the texts and checks the findings for the phrases.
func checkPasted(t *testing.T, all []pasted) {
	t.Helper()
	for _, c := range all {
		r, err := Read(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(strings.Fields(summary(r)), " ")
		for _, s := range c.says {
			if !strings.Contains(said, strings.Join(strings.Fields(s), " ")) {
				t.Errorf("%s: %q is missing in\n%s", c.name, s, summary(r))
			}
		}
		if c.not != "" && strings.Contains(said, c.not) {
			t.Errorf("%s: %q is in\n%s", c.name, c.not, summary(r))
		}
	}
}

// gmma returns an error of nvcc about make_gmma_desc.
func gmma(engine, layout, major string) string {
	return `mma_traits_sm90_gmma.hpp(283): error: static assertion failed with "Not a canonical GMMA_K Layout: Expected stride failure."` +
		"\n  detected during:\n    " +
		`instantiation of "cute::SM90::GmmaDescriptor cute::SM90::GMMA::make_gmma_desc<MajorMode,TEngine,TLayout>(const cute::Tensor<TEngine, TLayout> &) [with ` +
		"MajorMode=cute::SM90::GMMA::Major::" + major + ", TEngine=cute::ViewEngine<" + engine + ">, TLayout=cute::Layout<" +
		layout + `>]" at line 372` + "\n"
}

// TestNoDescriptor reads errors about tensors in shared memory that no descriptor can describe, and checks the reasons.
func TestNoDescriptor(t *testing.T) {
	t.Parallel()
	const swizzled = "cute::swizzle_ptr<cute::Swizzle<3, 4, 3>, cute::smem_ptr<cutlass::half_t *>>"
	checkPasted(t, []pasted{
		{
			"rows without a swizzle",
			gmma("cute::smem_ptr<cutlass::half_t *>", "cute::tuple<cute::_64, cute::_16>, cute::tuple<cute::_64, cute::_1>", "K"),
			[]string{"reads element (1,0) at byte 144, and (64,16):(64,1) has it at 128", "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (64,64))"},
			"",
		},
		{
			"rows of two swizzles",
			gmma(swizzled, "cute::tuple<cute::_64, cute::_16>, cute::tuple<cute::C<128>, cute::_1>", "K"),
			[]string{"Sw<3,3,3> o 0 o (64,16):(128,1) has it at 288", "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (64,128))"},
			"",
		},
		{
			"the other major",
			gmma(swizzled, "cute::tuple<cute::_64, cute::_16>, cute::tuple<cute::_64, cute::_1>", "MN"),
			[]string{"the layout is K-major, and legal so: SW128, K-major, start 0, LBO 16, SBO 1024", "OperandMajorMode.K"},
			"",
		},
		{
			"the tile of four instructions",
			gmma(swizzled, "cute::tuple<cute::_64, cute::_64>, cute::tuple<cute::_64, cute::_1>", "K"),
			[]string{"wgmma can read it", "has K = 16, and here K is 64", "Shape<_64,_16>"},
			"",
		},
		{
			"8 bits that are M-major",
			gmma("cute::smem_ptr<cutlass::float_e4m3_t *>",
				"cute::tuple<cute::_64, cute::_32>, cute::tuple<cute::_1, cute::_64>", "MN"),
			[]string{"wgmma reads elements of 16 bits alone MN-major", "9.7.15.5.2"},
			"",
		},
		{
			"a type that wgmma has not",
			gmma("cute::smem_ptr<double *>", "cute::tuple<cute::_64, cute::_16>, cute::tuple<cute::_16, cute::_1>", "K"),
			[]string{"wgmma multiplies f16, bf16, tf32, e4m3, e5m2, s8 and u8, found f64"},
			"",
		},
		{
			"known when the kernel runs",
			gmma("cute::smem_ptr<cutlass::half_t *>", "cute::tuple<int, cute::_16>, cute::tuple<int, cute::_1>", "K"),
			[]string{"missing   the layout of the shared tensor"},
			"",
		},
		{
			"clang",
			"gemm.cu:5:3: error: static assertion failed due to requirement 'stride_00 == expected_stride_00': Not a canonical GMMA_K Layout: Expected stride failure.\n" +
				"gemm.cu:9:1: note: in instantiation of function template specialization 'cute::SM90::GMMA::make_gmma_desc<cute::SM90::GMMA::Major::K, " +
				"cute::ViewEngine<cute::smem_ptr<cutlass::half_t *>>, cute::Layout<cute::tuple<cute::C<64>, cute::C<16>>, cute::tuple<cute::C<72>, cute::C<1>>>>' requested here\n",
			[]string{"(64,16):(72,1) has it at", "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (64,64))"},
			"",
		},
		{
			"a swizzle of 4 bits",
			"copy_traits_sm90_tma_swizzle.hpp(51): error: static assertion failed with \"Expected B = 0,1,2, or 3 when M == 4. Unsupported layout swizzle.\"\n" +
				"  instantiation of \"cute::TMA::SmemSwizzleBits cute::detail::get_tma_swizzle_bits(cute::Swizzle<B, M, S>) [with B=4, M=4, S=3]\" at line 70\n",
			[]string{"Swizzle<4,4,3>: the hardware has B from 0 to 3"},
			"",
		},
		{
			"a swizzle of elements, of a tensor map",
			"copy_traits_sm90_tma_swizzle.hpp(97): error: static assertion failed with \"Expected 128b=16B=(2^4)B to 512b=64B=(2^6)B base swizzle.\"\n" +
				"  instantiation of \"cute::TMA::SmemSwizzleBase cute::detail::get_tma_swizzle_base(cute::Swizzle<B, M, S>) [with B=3, M=3, S=3]\" at line 112\n",
			[]string{"moves pieces of 2^3 = 8 bytes", "Swizzle<3,4,3> on bytes"},
			"",
		},
		{
			"a swizzle of sm100 for wgmma",
			"mma_traits_sm90_gmma.hpp(141): error: static assertion failed with \"Unsupported layout swizzle\"\n" +
				"  instantiation of \"cute::SM90::GMMA::LayoutType cute::SM90::GMMA::layout_type(const cute::Tensor<Engine, cute::Layout<Shape, Stride>> &) " +
				"[with Engine=cute::ViewEngine<cute::swizzle_ptr<cute::Swizzle<2, 5, 2>, cute::smem_ptr<cute::uint128_t *>>>, Shape=cute::tuple<cute::_64, cute::_2>, Stride=cute::tuple<cute::_8, cute::_1>]\" at line 207\n",
			[]string{"moves pieces of 2^5 = 32 bytes"},
			"",
		},
		{
			"cutlass 3078: the CuTe DSL, with the operation",
			"error: failed to legalize operation 'cute_nvgpu.make_gmma_smem_desc' that was explicitly marked illegal\n note: see current operation: %9 = " +
				`"cute_nvgpu.make_gmma_smem_desc"(%8) <{layout = #cute.layout<"((64,16),2,4):((64,1),4096,16)">, major = #cute_nvgpu.major<mn>}> : (!cute.ptr<bf16, smem, align<1024>, S<3,4,3>>) -> !cute_nvgpu.smem_desc`,
			[]string{"legal so: SW128, K-major", "SmemLayoutAtomKind.MN_SW128", "Layout_MN_SW128_Atom<bfloat16_t>"},
			"",
		},
		{
			"the sentence alone",
			"failed to legalize operation 'cute_nvgpu.make_gmma_smem_desc' that was explicitly marked illegal",
			[]string{"print(sA.layout())"},
			"",
		},
	})
}

// TestDescriptorsOfAModule checks that a dump of a module is not an error.
func TestDescriptorsOfAModule(t *testing.T) {
	t.Parallel()
	r, err := Read(
		`%9 = "cute_nvgpu.make_gmma_smem_desc"(%8) <{layout = #cute.layout<"((64,16),2,4,(1,7)):((64,1),4096,16,(0,8192))">, major = #cute_nvgpu.major<k>}> : (!cute.ptr<f16, smem, align<1024>, S<3,4,3>>) -> !cute_nvgpu.smem_desc`,
		nil)
	if err != nil || len(r.Findings) != 0 {
		t.Errorf("%+v, %v", r.Findings, err)
	}
}

// TestSerializedWgmma reads messages of ptxas about wgmma, each with a reason for the serialization.
func TestSerializedWgmma(t *testing.T) {
	t.Parallel()
	const prefix = "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to "
	checkPasted(t, []pasted{
		{"TensorRT-LLM 2116", prefix + "non wgmma instructions defining accumulator registers of a wgmma between start and end of the pipeline stage in the function 'selp_b16'\n", []string{"write the accumulators", "ScaleOut::Zero"}, ""},
		{"a read", prefix + "non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function\n", []string{"read the accumulators before wgmma.wait_group"}, ""},
		{"an operand", prefix + "non wgmma instructions defining input registers of a wgmma between start and end of the pipeline stage in the function 'f'\n", []string{"write the registers of A"}, ""},
		{
			"cutlass 1840", prefix + "insufficient register resources for the wgmma pipeline in the function '_ZN7cutlass13device_kernelI125cutlass3x_sm90_tensorop_s64x256x16gemm_" +
				"bf16_bf16_f32_bf16_bf16_128x256x64_1x1x1_0_nnn_align8_warpspecialized_pingpong_epi_tmaEEvNT_6ParamsE'\n",
			[]string{"128 * 256 / 128 = 256 registers for one warpgroup, 128 for each of two", "warpgroup_reg_alloc"},
			"",
		},
		{"registers of another kernel", prefix + "insufficient register resources for the function 'main_kernel'\n", []string{"M * N / 128"}, ""},
		{"wrapped", "ptxas info\n: (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to wgmma\npipeline crossing function boundary at a function call in the function\n'_Z11gemm_device'\n", []string{"a function is called that is not inlined"}, ""},
		{"printf", prefix + "the presence of Extern calls in the function 'f'\n", []string{"printf"}, ""},
		{"a branch", prefix + "program dependence on compiler-inserted WG.DP in divergent path in the function 'f'\n", []string{"where all 128 threads pass"}, ""},
		{"structure", prefix + "ill formed pipeline stage in the function 'f'\n", []string{"warpgroup_commit_batch()"}, ""},
		{"cut off", "wgmma.mma_async instructions are serialized due to", []string{"the rest of the message"}, ""},
		{"injected", "ptxas info : (C7517) warpgroup.wait is injected in around line 1034 by compiler to allow use of registers defined by GMMA in function 'f'\n", []string{"warpgroup_wait<N>()"}, ""},
	})
}

// TestFaults reads reports of accesses that the card or compute-sanitizer stopped.
func TestFaults(t *testing.T) {
	t.Parallel()
	const at = "=========     at gemm_kernel(float*)+0x3d0 in gemm.cu:97\n=========     by thread (1,0,0) in block (0,0,0)\n"
	checkPasted(t, []pasted{
		{
			"a padded row", "========= Invalid __shared__ read of size 16 bytes\n" + at + "=========     Address 0x1108 is misaligned\n",
			[]string{"caller gemm.cu:97", "0x1108 mod 16 = 8", "multiple of 8 bytes", "UniversalCopy<uint64_t>"},
			"predicate",
		},
		{
			"behind the end", "========= Invalid __global__ write of size 4 bytes\n" + at + "=========     Address 0x7f2a4e000400 is out of bounds\n" +
				"=========     and is 1 bytes after the nearest allocation at 0x7f2a4e000000 of size 1024 bytes\n",
			[]string{"1 bytes after the nearest allocation, 0x7f2a4e000000 of 1024 bytes", "girih predicate"},
			"misaligned",
		},
		{"cut off", "Invalid __global__ read of size 16 bytes", []string{"which follows"}, ""},
		{"cutlass 1561", "CUDA get error, code:716, msg:misaligned address", []string{"girih align"}, ""},
		{"PyTorch", "RuntimeError: CUDA error: misaligned address\nCUDA kernel errors might be asynchronously reported", []string{"compute-sanitizer"}, ""},
		{"Triton", "RuntimeError: Triton Error [CUDA]: misaligned address", []string{"girih align"}, ""},
		{"the driver", "CUDA_ERROR_MISALIGNED_ADDRESS", []string{"girih align"}, ""},
	})
}

// TestSentencesOfTensorMaps reads sentences about parameters of tensor maps, from documentation and from tools.
func TestSentencesOfTensorMaps(t *testing.T) {
	t.Parallel()
	checkPasted(t, []pasted{
		{"the documentation", "boxDim[0]*elementSizeInBytes must be a multiple of 16 bytes", []string{"8 elements of 16 bits"}, ""},
		{"with its number", "boxDim[1] must be <= 256, but got 512", []string{"boxDim[1] is 512, outside 1 to 256", "boxDim[1] = 256, in 2 copies"}, ""},
		{"an address", "globalAddress must be aligned to 16 bytes", []string{"shift the tile by its coordinates"}, ""},
		{"strides", "each globalStrides[i] must be a multiple of 16 and less than 2^40", []string{"pad the rows"}, ""},
		{"source is no sentence", "uint32_t boxDim[2] = {64, 64};\nuint64_t globalDim[2] = {4096, 4096};\n", nil, "cuTensorMapEncodeTiled"},
	})
}
