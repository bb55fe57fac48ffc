package diagnose

import "testing"

// TestInstructions reads demands of instructions on extents, card and operands, as many tools word them.
func TestInstructions(t *testing.T) {
	t.Parallel()
	checkPasted(t, []pasted{
		{"N of wgmma", "DSLUserCodeError: expects the N-mode to satisfy 8 <= N <= 256 and N % 8 == 0. but got 20", []string{"20 mod 8 = 4", "the nearest: 16, or 24"}, ""},
		{"N beyond the last", "OpError: expects the N-mode to satisfy 8 <= N <= 256 and N % 8 == 0. but got 264", []string{"264 is outside 8 to 256", "the nearest: 256"}, ""},
		{"N of two CTAs", "OpError: expects the N-mode to satisfy 32 <= N <= 256 and N % 32 == 0, but got 48", []string{"48 mod 32 = 16", "the nearest: 32, or 64"}, ""},
		{"N of 0", "OpError: expects the N-mode to satisfy 16 <= N <= 256 and N % 16 == 0, but got 0", []string{"0 is outside 16 to 256", "the nearest: 16"}, ""},
		{"N of integers", "OpError: expects the N-mode to satisfy N=8*i where i={1,2,3,4} \nSuggestion: or N=16*i where i={3,4,...,15,16}. But got 40", []string{"the nearest: 32, or 48"}, ""},
		{"M of wgmma", "OpError: expects the M-mode to be 64, but got 128", []string{"128, and the instruction has 64", "atom_layout_mnk"}, " or 0"},
		{"M of tcgen05", "OpError: expects the M-mode to be 128 or 256, but got 64", []string{"64, and the instruction has 128 or 256", "the nearest: 128"}, ""},
		{"K", "OpError: expects the instruction extent in the K-mode to be 16, but got 64", []string{"several instructions", "the nearest: 16"}, "atom_layout_mnk"},
		{"cut off", "OpError: expects the M-mode to be 64", []string{"the value after 'but got'"}, ""},
		{
			"a swizzle in the layout",
			"Expected affine layout for MmaF16BF16Trait's operand A, but got composed layout instead: S<3,4,3> o 0 o (64,64):(64,1)\nPlease use recast_ptr",
			[]string{"the swizzle Sw<3,4,3> is in the layout", "recast_ptr(ptr, layout.inner, TYPE)"},
			"",
		},
		{"no mask", "error: expects a multicast mask to be provided via the mcast_mask kw argument", []string{"--multicast A@MxN", "mcast_mode=2"}, ""},
		{
			"cutlass 2345", "error: unable to partition input tensors for TMA\nsA: tensor<ptr<f16, smem, align<1024>> o S<3,4,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))>\n" +
				"gA: tensor<(0,?{div=128}) o (64,64,64):(1@1,1@0,64@0)>\n",
			[]string{"mode 0 of gA has 64 elements, mode 0 of sA has 128 elements", "group_modes(sA, 0, 2)"},
			"",
		},
		{
			"CuTe DSL, before a launch",
			"CantImplementError: [alignment] A requires the contiguous k dimension to be 16B aligned, but got k=100 with dtype Float16; expected a multiple of 8 elements",
			[]string{"k = 100: 100 mod 8 = 4", "pad k to 104"},
			"",
		},
		{"CUTLASS", "Got cutlass error: Error Misaligned Operand at: 112", []string{"girih align", "16 bytes, 8 elements of 16 bits"}, ""},
		{"ptxas", "ptxas a.ptx, line 9; error   : Instruction 'wgmma.mma_async' not supported on .target 'sm_90'", []string{"wgmma is compiled for sm_90, which has it not", "arch=compute_90a,code=sm_90a"}, ""},
		{"CUTLASS on the card", "ERROR : Arch conditional MMA instruction used without targeting sm90a compute capability. Aborting.", []string{"sm_90a"}, ""},
		{"CuTe on the card", "Attempting to use tcgen05.alloc without CUTE_ARCH_TCGEN05_TMEM_ENABLED", []string{"compute_100a"}, ""},
		{
			"triton 8606", "#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>\nLLVM ERROR: Failed to find a valid layout\n",
			[]string{"elements of 32 bits that are M- or N-major (transposed)", "9.7.15.5.2"},
			"",
		},
		{
			"triton, an encoding of ldmatrix", "LLVM ERROR: Failed to find a valid layout\n#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n",
			[]string{"as ldmatrix reads them"},
			"",
		},
		{
			"triton, an encoding that is right", "#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>\nLLVM ERROR: Failed to find a valid layout\n",
			[]string{"fewer than 128 bytes along its contiguous mode", "MLIR_ENABLE_DUMP"},
			"M- or N-major (",
		},
		{"triton, the sentence alone", "LLVM ERROR: Failed to find a valid layout", []string{"MLIR_ENABLE_DUMP"}, ""},
		{"tilelang 3106", "TMA innermost box dim 12 (=24 bytes) is not a whole 16-byte multiple", []string{"12 × 2 bytes = 24 bytes, no multiple of 16", "boxDim[0] = 16"}, ""},
	})
}
