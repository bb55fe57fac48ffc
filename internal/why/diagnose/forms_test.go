package diagnose

import "testing"

// TestStatedForms reads rules in other forms: several values in order, ranks, asserts over several lines, messages made
// from a format string in the source, and rules with an "if".
func TestStatedForms(t *testing.T) {
	t.Parallel()
	checkStated(t, []statedCase{
		{
			"pallas",
			"ValueError: The Pallas TPU lowering currently requires that the last two dimensions of your block shape are divisible by 8 and 128 respectively, or be equal to the respective dimensions of the overall array. Block spec for args[0] in pallas_call matmul_kernel at /x/y.py:12 has block shape (Blocked(block_size=12), Blocked(block_size=100)), array shape (512, 512), and index_map lambda i, j: (i, j), in memory space None.\n",
			[]string{"block shape[0] = 12: 12 mod 8 = 4", "100 mod 128 = 100, and array shape[1] is 512", "block shape[1] = 128"},
			[]string{"array shape[1] ="},
		},
		{
			"pytorch, conv2d",
			"RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [16, 64]\n",
			[]string{"2 is not 3 or 4"},
			[]string{"16", "64"},
		},
		{
			"rocprim",
			"/opt/rocm-5.7.0/include/rocprim/block/block_load.hpp:776:5: error: static assertion failed due to requirement 'BlockSize % ::rocprim::device_warp_size() == 0': BlockSize must be a multiple of hardware warpsize\n" +
				"    static_assert(BlockSize % ::rocprim::device_warp_size() == 0,\n",
			[]string{"BlockSize is a multiple of"},
			[]string{"nearest"},
		},
		{
			"clang, composable_kernel",
			"foo.hpp:12:3: error: static assertion failed due to requirement '96 % 64 == 0': KPerBlock must be divisible by K1\n" +
				"  static_assert(KPerBlock % K1 == 0, \"KPerBlock must be divisible by K1\");\n" +
				"foo.hpp:12:30: note: expression evaluates to '32 == 0'\n",
			[]string{"KPerBlock = 96, K1 = 64: 96 mod 64 = 32", "KPerBlock = 128"},
			[]string{"T.gemm"},
		},
		{
			"triton, arange",
			"triton.compiler.errors.CompilationError: at 10:18:\n" +
				"def kernel(x_ptr, BLOCK: tl.constexpr):\n" +
				"    offs = tl.arange(0, 96)\n" +
				"           ^\n" +
				"ValueError: arange's range must be a power of 2\n",
			[]string{"96 is between 64 and 128", "a block of 128"},
			[]string{"value of the constexpr"},
		},
		{
			"an assert over several lines",
			"Traceback (most recent call last):\n" +
				"  File \"gemm.py\", line 44, in launch\n" +
				"    assert (\n" +
				"        M % BLOCK_M == 0\n" +
				"        and N % BLOCK_N == 0\n" +
				"    ), f\"M={M}, N={N}, BLOCK_M={BLOCK_M}, BLOCK_N={BLOCK_N}\"\n" +
				"AssertionError: M=256, N=300, BLOCK_M=128, BLOCK_N=128\n",
			[]string{"N = 300, BLOCK_N = 128: 300 mod 128 = 44", "N = 384"},
			[]string{"256 mod"},
		},
		{
			"an assert with a message",
			"Traceback (most recent call last):\n" +
				"  File \"gemm.py\", line 44, in launch\n" +
				"    assert x.shape[1] == w.shape[0], f\"{x.shape} vs {w.shape}\"\n" +
				"           ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n" +
				"AssertionError: torch.Size([16, 64]) vs torch.Size([128, 32])\n",
			[]string{"x.shape[1] = 64, w.shape[0] = 128", "64 is 64 less than 128"},
			nil,
		},
		{
			"another rule",
			"ValueError: for M = 128, N must be a multiple of 16; got M=64, N=24\n",
			[]string{"this one is for M == 128, and M = 64"},
			[]string{"fails", "24 mod"},
		},
		{
			"TransformerEngine",
			"AssertionError: FP8 execution requires the product of all dimensions except the last to be divisible by 8 and the last dimension to be divisible by 16, but got tensor with dims=[3, 100]\n",
			[]string{"3 mod 8 = 3", "100 mod 16 = 4", "= 112"},
			[]string{"divby", "100 mod 8", "104"},
		},
		{
			"a descriptor of six modes",
			"AssertionError: Expected rank 1 to 5 but got 6 dimensions\n",
			[]string{"6 is 1 more than 5"},
			[]string{"is 1\n", "= 1,"},
		},
		{
			"mlir, a shape",
			"error: 'ttg.local_alloc' op result shape 64x100 must be a power of two\n",
			[]string{"100 is between 64 and 128"},
			[]string{"64 lies"},
		},
		{
			"mlir, an instruction",
			"k.py:12:4: error: 'nvvm.wgmma.mma_async' op unsupported shape: m64n300k16; n must be a multiple of 8 between 8 and 256\n",
			[]string{"300 mod 8 = 4", "n = 256"},
			nil,
		},
		{
			"cutlass, cooperative",
			"/c/sm90_gmma_builder.inl(200): error: static assertion failed with \"Cooperative kernel requires Tile Size to be greater than or equal to 128 along the M-dimension.\"\n" +
				"          detected during:\n" +
				"            instantiation of class \"cutlass::gemm::collective::CollectiveBuilder<Arch, OpClass, TileShape_MNK, ClusterShape_MNK> [with TileShape_MNK=cute::tuple<cute::_64, cute::_128, cute::_64>, ClusterShape_MNK=cute::tuple<cute::_1, cute::_1, cute::_1>]\"\n",
			[]string{"TileShape_MNK[0] = 64", "TileShape_MNK[0] = 128"},
			[]string{"TileShape_MNK[2]", "TileShape_MNK[1]"},
		},
		{
			"cutlass 2",
			"cutlass/gemm/threadblock/mma.h(100): error: static assertion failed with \"ThreadblockShape::kM must be divisible by WarpShape::kM\"\n" +
				"  static_assert(!(ThreadblockShape::kM % WarpShape::kM), \"ThreadblockShape::kM must be divisible by WarpShape::kM\");\n" +
				"          detected during instantiation of class \"Foo<ThreadblockShape, WarpShape> [with ThreadblockShape=cutlass::gemm::GemmShape<128, 128, 32>, WarpShape=cutlass::gemm::GemmShape<96, 64, 32>]\"\n",
			[]string{"ThreadblockShape::kM = 128, WarpShape::kM = 96: 128 mod 96 = 32"},
			[]string{"T.gemm"},
		},
		{
			"triton, static_assert",
			"triton.compiler.errors.CompileTimeAssertionFailure: at 31:4:\n" +
				"    tl.static_assert(BLOCK_K % GROUP == 0, \"BLOCK_K must be a multiple of GROUP\")\n" +
				"    ^\n" +
				"BLOCK_K must be a multiple of GROUP\n",
			[]string{"BLOCK_K is a multiple of GROUP", "the value of GROUP"},
			[]string{"fails"},
		},
		{
			"a cluster",
			"RuntimeError: cluster shape (4, 4, 1) exceeds the maximum of 8 CTAs per cluster\n",
			[]string{"16 is 8 more than 8"},
			nil,
		},
		{
			"cudnn",
			"cudnn_frontend._compiled_module.cudnnGraphNotSupportedError: hidden_dim shoud be multiple of 8, and hidden_dim shoud be less than 128, got 136\n",
			[]string{"136 is not below 128", "hidden_dim = 120"},
			[]string{"127"},
		},
	})
}
