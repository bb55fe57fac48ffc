package diagnose

import (
	"strings"
	"testing"
)

// A statedCase is a message that states its rule, shortened from a public report.
type statedCase struct {
	from string   // where messages like this one come from
	text string   // what users paste
	says []string // phrases that the findings must contain, checked by hand
	not  []string // phrases that the findings must not contain
}

// statedCases lists messages that are in no table.
var statedCases = []statedCase{
	{"tilelang 1191", "tvm.error.InternalError: Check failed: (M % kMPerWarp == 0) is false: M must be divisible by 16, but got 8", []string{"8 mod 16 = 8"}, nil},
	{"llm-compressor 57", "ValueError: Weight input_size_per_partition = 7392 is not divisible by min_thread_k = 128. Consider reducing tensor_parallel_size or running with --quantization gptq.", []string{"7392 mod 128 = 96", "= 7296, the nearest below", "= 7424, the nearest above"}, nil},
	{"llm-compressor 54", "RuntimeError: prob_m = 59136 is not divisible by thread_m = 512", []string{"59136 mod 512 = 256", "58880", "59392"}, nil},
	{
		"vllm 11128", "ERROR 12-12 01:40:53 engine.py:366] Traceback (most recent call last):\n" +
			"ERROR 12-12 01:40:53 engine.py:366]   File \"/usr/local/lib/python3.12/dist-packages/vllm/engine.py\", line 71, in __init__\n" +
			"ERROR 12-12 01:40:53 engine.py:366]     self.engine = LLMEngine(*args, **kwargs)\n" +
			"ERROR 12-12 01:40:53 engine.py:366] ValueError: Weight output_size_per_partition = 4304 is not divisible by  min_thread_n = 64.\n",
		[]string{"4304 mod 64 = 16", "4288", "4352"},
		nil,
	},
	{"TransformerEngine 1422", "AssertionError: FP8 execution requires 2D input matrices with height divisible by 8 and width divisible by 16, but got tensor with dims=[896, 712]", []string{"width = 712: 712 mod 16 = 8", "width = 704", "width = 720"}, []string{"896 mod"}},
	{"TransformerEngine 688", "AssertionError: Tensor dimensions are not compatible for FP8 execution: (2048 % 8 != 0, 767 % 16 != 0)", []string{"767 mod 16 = 15", "752", "768"}, []string{"2048 mod"}},
	{"DeepGEMM 140", "RuntimeError: Failed: Assertion error csrc/jit_kernels/impls/smxx_layout.hpp:136 'mn % 4 == 0 and num_groups == 1'", []string{"mn is a multiple of 4 and num_groups is 1", "the value of mn", "the value of num_groups"}, []string{"fails"}},
	{
		"DeepGEMM 106", "Traceback (most recent call last):\n  File \"/home/u/DeepGEMM/tests/test_core.py\", line 169, in test_gemm\n    deep_gemm.gemm_fp8_fp8_bf16_nt(x_fp8, y_fp8, out)\n" +
			"  File \"/x/site-packages/deep_gemm/jit_kernels/gemm.py\", line 167, in gemm_fp8_fp8_bf16_nt\n    assert n % 64 == 0 and k % 128 == 0\nAssertionError\n",
		[]string{"n is a multiple of 64 and k is a multiple of 128", "the value of n"},
		nil,
	},
	{
		"an assert with its arguments", "Traceback (most recent call last):\n  File \"run.py\", line 9, in <module>\n    gemm(x, y, n=7168, k=576)\n" +
			"  File \"gemm.py\", line 167, in gemm\n    assert n % 64 == 0 and k % 128 == 0\nAssertionError\n",
		[]string{"k = 576: 576 mod 128 = 64", "k = 512", "k = 640"},
		[]string{"7168 mod"},
	},
	{"triton 2266", "AssertionError('All values in both first input shape ([constexpr[16], constexpr[16]]) and second input shape ([constexpr[16], constexpr[1]]) must be >= 16!')", []string{"1 is 15 less than 16"}, nil},
	{"triton 4264", "python: lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp:390: LinearLayout mlir::triton::gpu::hopperMmaToLinearLayout(): Assertion `n == 16 || n == 32 || n == 64 || n == 128 || n == 256' failed.", []string{"n is 16 or 32 or 64 or 128 or 256", "the value of n"}, nil},
	{"triton 8426", "AssertionError: Input shapes should have M >= 16, N >= 16 and K >= 16", []string{"M is at least 16 and N is at least 16 and K is at least 16", "the value of N"}, []string{"fails"}},
	{"composable_kernel 1963", "include/ck_tile/core/utility/transpose_vectors.hpp:39:28: error: static assertion failed due to requirement '1 % 2 == 0': wrong!\n   39 |             static_assert((NX % 2 == 0 && NY % 2 == 0), \"wrong!\");\n", []string{"1 mod 2 = 1"}, nil},
	{
		"cutlass 3211", "sm120_builder.inl(158): error: static assertion failed with \"CTA tile for FP6 ElementD must have a contiguous extent that is a multiple of 128.\"\n    static_assert(!IsFP6 ||\n    ^\n          detected during:\n" +
			"            instantiation of \"auto cutlass::epilogue::collective::detail::sm120_compute_tile_shape_or_override<ElementC,TileShape_MNK,StrideD>() [with ElementC=cutlass::half_t, TileShape_MNK=cute::tuple<cute::_128, cute::_32, cute::_128>, StrideD=cute::tuple<int64_t, cute::C<1>, int64_t>]\" at line 492\n",
		[]string{"TileShape_MNK[1] = 32", "32 mod 128 = 32", "TileShape_MNK[1] = 128, the nearest above"},
		[]string{"TileShape_MNK[0] ="},
	},
	{"float8_experimental 279", "RuntimeError: Expected trailing dimension of mat1 to be divisible by 16 but got mat1 shape: (16x20).", []string{"20 mod 16 = 4", "= 16, the nearest below", "= 32, the nearest above"}, []string{"16 mod"}},
	{"FBGEMM 4812", "RuntimeError: Arg N (9) value is not a multiple of CShuffleBlockTransferScalarPerVector_NPerBlock (8 )", []string{"9 mod 8 = 1", "N = 8", "N = 16"}, nil},
	{"tattletale 53", "Error: gemm_cta: the allocated K (96) mod tileK (64) != 0. local_tile needs the view K to tile evenly", []string{"96 mod 64 = 32", "K = 64", "K = 128"}, nil},
	{"tilelang 3007", "tvm.error.InternalError: Vector size 4 is not divisible by coalesced width 8", []string{"4 mod 8 = 4", "coalesced width = 4"}, nil},
	{"DeepGEMM, scale factors", "RuntimeError: Assertion error (csrc/utils/layout.hpp:82): sf.stride(-2) == 1", []string{"sf.stride(-2) is 1", "the value of sf.stride(-2)"}, nil},
	{"the same with strides", "RuntimeError: Assertion error (csrc/utils/layout.hpp:82): sf.stride(-2) == 1\nsf.shape = (128, 4), sf.stride = (4, 1)", []string{"4 is 3 more than 1"}, nil},
	{"pytorch, matmul", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x100 and 128x256)", []string{"100 is 28 less than 128"}, nil},
	{"pytorch, sizes", "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1", []string{"3 is 1 less than 4"}, nil},
	{"pytorch, view", "RuntimeError: shape '[3, 4]' is invalid for input of size 10", []string{"12 is 2 more than 10"}, nil},
	{"pytorch, index", "IndexError: index 5 is out of bounds for dimension 0 with size 3", []string{"5 is not below 3"}, nil},
	{"pytorch, dim", "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)", []string{"2 is 1 more than 1"}, nil},
	{"pytorch, conv", "RuntimeError: Given groups=1, weight of size [64, 3, 7, 7], expected input[1, 1, 28, 28] to have 3 channels, but got 1 channels instead", []string{"1 is 2 less than 3"}, []string{"groups"}},
	{"pytorch, bmm", "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [4, 5] but got: [4, 6].", []string{"differ in extent 1: 6 and 5"}, nil},
	{"pytorch, device", "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!", []string{"got at least two devices"}, []string{"nearest", "mod"}},
	{"pytorch, dtype", "RuntimeError: expected m1 and m2 to have the same dtype, but got: c10::Half != float", []string{"got c10::Half != float"}, []string{"is not float", "nearest"}},
	{"pytorch, glog", "RuntimeError: Check failed: q.size(-1) == k.size(-1) (128 vs. 64)", []string{"128 is 64 more than 64"}, nil},
	{"tvm, glog", "tvm.error.InternalError: Check failed: lhs_extent == rhs_extent (128 vs. 96) : extents differ", []string{"128 is 32 more than 96"}, nil},
	{"flash-attention", "RuntimeError: FlashAttention forward only supports head dimension at most 256, got 512", []string{"512 is 256 more than 256"}, nil},
	{"flash-attention, head", "RuntimeError: head_size should be a multiple of 8, but got head_size = 100", []string{"100 mod 8 = 4", "head_size = 96", "head_size = 104"}, nil},
	{"vllm, paged attention", "ValueError: Head size 80 is not supported by PagedAttention. Supported head sizes are: [64, 96, 112, 128, 256].", []string{"80 is not 64, 96, 112, 128 or 256", "= 64, the nearest below", "= 96, the nearest above"}, nil},
	{"transformers", "ValueError: `hidden_size` must be divisible by `num_heads` (got `hidden_size`: 100 and `num_heads`: 12).", []string{"100 mod 12 = 4", "hidden_size = 96", "hidden_size = 108", "num_heads = 10"}, nil},
	{"transformers, groups", "ValueError: self.num_heads (12) must be divisible by self.num_kv_heads (5)", []string{"12 mod 5 = 2", "= 10, the nearest below", "= 15, the nearest above"}, nil},
	{"gluon", "ValueError: num_warps must be a power of 2, got 3", []string{"3 is between 2 and 4"}, nil},
	{"tcgen05", "ValueError: instr_shape M must be 64 or 128, got 96", []string{"96 is not 64 or 128", "= 64, the nearest below", "= 128, the nearest above"}, nil},
	{"wgmma of a library", "AssertionError: block_row_warps must be a multiple of 4 for WGMMA, got 2", []string{"2 mod 4 = 2", "block_row_warps = 4"}, nil},
	{"jit of a library", "RuntimeError: Invalid num_stages 9: must be between 2 and 8", []string{"9 is 1 more than 8", "num_stages = 8"}, nil},
	{"cuda grid", "ValueError: grid dimension y (70000) exceeds 65535", []string{"70000 is 4465 more than 65535"}, nil},
	{"tma span", "RuntimeError: TMA box inner extent (96 bytes) must not exceed the swizzle span (64 bytes)", []string{"96 is 32 more than 64"}, nil},
	{"an address", "RuntimeError: data pointer must be 16-byte aligned, got address 0x7f0000000008", []string{"mod 16 = 8"}, nil},
	{"strides of a type", "ValueError: the strides must be 16-byte aligned for a bulk copy of float16, got strides (130, 1)", []string{"260 mod 16 = 4", "= 128, the nearest below", "= 136, the nearest above"}, nil},
	{"strides of no type", "ValueError: the strides must be 16-byte aligned for a bulk copy, got strides (131, 1)", []string{"131 elements of 1, 2, 4 or 8 bytes do not keep the rule"}, nil},
	{"strides of one type", "ValueError: the strides must be 16-byte aligned for a bulk copy, got strides (130, 1)", []string{"130 of them keep the rule if one has 8 bytes"}, []string{"mod 16"}},
	{"bits", "ValueError: copy width must be a multiple of 128 bits, got 24 bytes", []string{"192 mod 128 = 64"}, nil},
	{"a parameter that is missing", "AssertionError: hidden_size must be divisible by group_size", []string{"hidden_size is a multiple of group_size", "the value of hidden_size", "the value of group_size"}, []string{"nearest"}},
	{"locals below", "AssertionError: BLOCK_K must be a multiple of 32\n    BLOCK_M = 128\n    BLOCK_K = 48\n    num_warps = 4\n", []string{"48 mod 32 = 16", "BLOCK_K = 32", "BLOCK_K = 64"}, []string{"128 mod"}},
	{"pytest", "E       assert (100 % 16) == 0\nE       AssertionError: K must be a multiple of 16\nE       assert 4 == 0\n", []string{"K is a multiple of 16"}, nil},
	{"a value that is right", "ValueError: N must be a multiple of 8, got 64", []string{"N = 64 keeps the rule"}, []string{"nearest"}},
	{"gcc", "tile.hpp:7:22: error: static assertion failed: N must be a multiple of 8\n    7 |   static_assert(N % 8 == 0, \"N must be a multiple of 8\");\n      |                 ~~~~~~^~~~\ntile.hpp:7:22: note: the comparison reduces to '(4 == 0)'\n", []string{"N % 8 = 4"}, []string{"nearest"}},
	{"gcc, with the frame", "tile.hpp: In instantiation of 'struct Tile<12>':\nmain.cpp:3:10:   required from here\ntile.hpp:7:22: error: static assertion failed: N must be a multiple of 8\n    7 |   static_assert(N % 8 == 0, \"N must be a multiple of 8\");\ntile.hpp:7:22: note: the comparison reduces to '(4 == 0)'\n", []string{"N % 8 = 4"}, nil},
	{"clang", "tile.hpp:7:3: error: static assertion failed due to requirement '12 % 8 == 0': N must be a multiple of 8\n    7 |   static_assert(N % 8 == 0, \"N must be a multiple of 8\");\ntile.hpp:7:23: note: expression evaluates to '4 == 0'\n", []string{"12 mod 8 = 4"}, nil},
	{
		"nvcc", "tile.hpp(7): error: static assertion failed with \"kN must be a multiple of 8\"\n    static_assert(kN % 8 == 0, \"kN must be a multiple of 8\");\n    ^\n          detected during instantiation of \"void f<kM,kN>() [with kM=64, kN=12]\" at line 20 of main.cu\n",
		[]string{"kN = 12: 12 mod 8 = 4", "kN = 8", "kN = 16"},
		[]string{"64 mod"},
	},
	{"a launch", "RuntimeError: kernel needs 131072 bytes of shared memory, at most 101376 are available", []string{"131072 is 29696 more than 101376"}, nil},
	{"two rules", "ValueError: M must be a multiple of 64 and N must be a multiple of 8, got M=96, N=64", []string{"96 mod 64 = 32", "M = 64", "M = 128"}, []string{"64 mod 8"}},
	{"many values", "ValueError: Expected M, N, K to be multiples of 16, but got M=100, N=64, K=30", []string{"100 mod 16 = 4", "30 mod 16 = 14", "N = 64 keeps"}, nil},
	{"numpy", "ValueError: operands could not be broadcast together with shapes (3,4) (5,)", nil, []string{"nearest", "differ in extent", "extents, "}},
	{"a rule for each mode", "ValueError: the last two dimensions of your block shape must be divisible by 8 and 128 respectively, got (100, 200)", []string{"100 mod 8 = 4", "200 mod 128 = 72"}, []string{"100 mod 128", "200 mod 8"}},
	{"illegal access", "RuntimeError: CUDA error: an illegal memory access was encountered", []string{"the message has no rule"}, []string{"nearest"}},
	{"no condition", "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    import foo\nValueError: something odd happened\n", []string{"the message has no rule"}, []string{"import foo"}},
	{"without the form of an error", "block size 2048 exceeds the maximum of 1024", []string{"2048 is 1024 more than 1024"}, nil},
	{"an ordinal is no value", "ValueError: buffer 1 must be 16-byte aligned", []string{"the value of buffer 1"}, []string{"1 mod"}},
}

// saysAll returns everything that a report says, line by line.
func saysAll(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString("demands " + f.Demand + "\n")
		if f.Condition != "" {
			b.WriteString("fails " + f.Condition + "\n")
		}
		b.WriteString(f.Fact + "\n" + strings.Join(f.Missing, "\n") + "\n")
		for _, x := range f.Repairs {
			b.WriteString(x.Say + "\n")
		}
	}
	return b.String()
}

// checkStated checks that each message has one finding with the expected phrases.
func checkStated(t *testing.T, cases []statedCase) {
	t.Helper()
	for _, c := range cases {
		r, err := Read(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 {
			t.Errorf("%s: %d findings", c.from, len(r.Findings))
		}
		said := saysAll(r)
		for _, s := range c.says {
			if !strings.Contains(said, s) {
				t.Errorf("%s: %q is not in\n%s", c.from, s, said)
			}
		}
		for _, s := range c.not {
			if strings.Contains(said, s) {
				t.Errorf("%s: %q is in\n%s", c.from, s, said)
			}
		}
	}
}

// TestStated reads messages that state their own rule.
func TestStated(t *testing.T) {
	t.Parallel()
	checkStated(t, statedCases)
	if n := len(statedCases); n < 60 {
		t.Errorf("%d messages", n)
	}
}
