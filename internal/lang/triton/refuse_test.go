package triton_test

import (
	"testing"

	"girih/cute"
	"girih/internal/lang/triton"
)

// Wrong parameters and shapes are refused with the numbers.
func TestRefusals(t *testing.T) {
	t.Parallel()
	type C = triton.CGA
	block := &triton.Blocked{
		SizePerThread: []int64{1, 4}, ThreadsPerWarp: []int64{8, 4}, WarpsPerCTA: []int64{4, 1}, Order: []int{1, 0},
	}
	edit := func(f func(e *triton.Blocked)) *triton.Blocked {
		e := *block
		f(&e)
		return &e
	}
	mma := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{2, 2}, InstrShape: []int64{16, 8}}
	wgmma := &triton.NvidiaMMA{VersionMajor: 3, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{16, 64, 16}}
	wide := &triton.NVMMAShared{SwizzlingByteWidth: 128, ElementBitWidth: 16}
	for _, c := range []struct {
		e     triton.Encoding
		shape []int64
		code  cute.Code
		text  string
	}{
		{block, []int64{64}, cute.CodeRank, "blocked: expected a tensor of 2 dimensions, as the encoding has, found the shape (64)"},
		{block, []int64{64, 48}, cute.CodeExtent, "blocked: expected powers of two in shape, found 48 at 1"},
		{block, []int64{64, 0}, cute.CodeExtent, "blocked: expected powers of two in shape, found 0 at 1"},
		{block, []int64{1 << 40, 1 << 40}, cute.CodeOverflow, "linear_layout: expected at most 62 bits on a side, found 80 up to dimension \"dim1\""},
		{edit(func(e *triton.Blocked) { e.Order = []int{1, 1} }), []int64{8, 8}, cute.CodeRank, "blocked: expected a permutation of the dimensions [0 1] in order, found [1 1]"},
		{edit(func(e *triton.Blocked) { e.Order = nil }), []int64{8, 8}, cute.CodeRank, "blocked: expected at least one dimension in order, found none"},
		{edit(func(e *triton.Blocked) { e.ThreadsPerWarp = []int64{8} }), []int64{8, 8}, cute.CodeRank, "blocked: expected 2 numbers in threadsPerWarp, one for each dimension, found 1"},
		{edit(func(e *triton.Blocked) { e.SizePerThread = []int64{1, 3} }), []int64{8, 8}, cute.CodeExtent, "blocked: expected powers of two in sizePerThread, found 3 at 1"},
		{edit(func(e *triton.Blocked) { e.CGA = C{CTAsPerCGA: []int64{2, 1}, CTASplitNum: []int64{4, 1}} }), []int64{8, 8}, cute.CodeNotDivisible, "blocked: expected at most as many parts as CTAs along a dimension, found CTASplitNum 4 for CTAsPerCGA 2 along dim0"},
		{edit(func(e *triton.Blocked) { e.CGA = C{CGALayout: [][]int64{{2, 0}}} }), []int64{8, 8}, cute.CodeNotInvertible, "blocked: expected CGALayout to reach every part along dim0, found none of its bases at 1"},
		{edit(func(e *triton.Blocked) { e.CGA = C{CGALayout: [][]int64{{1, 0}, {1, 0}}} }), []int64{8, 8}, cute.CodeNotInjective, "blocked: expected every basis of CGALayout once, found (1,0) again at 1"},
		{edit(func(e *triton.Blocked) { e.CGA = C{CGALayout: [][]int64{{1, 1}}} }), []int64{8, 8}, cute.CodeExtent, "blocked: expected bases of CGALayout that are zero or a power of two along one dimension, found (1,1) at 0"},
		{edit(func(e *triton.Blocked) { e.CGA = C{CGALayout: [][]int64{{1, 0}}, CTAOrder: []int{0, 1}} }), []int64{8, 8}, cute.CodeType, "blocked: expected CGALayout or CTAsPerCGA, CTASplitNum and CTAOrder, found both"},
		{&triton.NvidiaMMA{VersionMajor: 5, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{128, 64, 16}}, []int64{64, 64}, cute.CodeType, "nvidia_mma: expected version 2 (mma.sync) or 3 (wgmma), found 5"},
		{&triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{16, 4}}, []int64{64, 64}, cute.CodeNotDivisible, "nvidia_mma: expected M and N in instrShape to be multiples of 8, found 16 and 4"},
		{&triton.DotOperand{OpIdx: 1, Parent: wgmma, KWidth: 2}, []int64{16, 64}, cute.CodeType, "dot_op: expected opIdx 0: wgmma reads operand 1 from shared memory, so it has no layout in registers"},
		{&triton.DotOperand{OpIdx: 2, Parent: mma, KWidth: 2}, []int64{16, 64}, cute.CodeMode, "dot_op: expected 0 or 1 for opIdx, found 2"},
		{&triton.DotOperand{OpIdx: 0, Parent: mma}, []int64{16, 64}, cute.CodeExtent, "dot_op: expected a power of two for kWidth, found 0"},
		{&triton.DotOperand{OpIdx: 0, Parent: block, KWidth: 2}, []int64{16, 64}, cute.CodeExtent, "dot_op: expected kWidth 0 with a blocked parent, found 2"},
		{&triton.DotOperand{OpIdx: 0, Parent: wide, KWidth: 2}, []int64{16, 64}, cute.CodeType, "dot_op: expected a blocked, nvidia_mma, amd_mfma or amd_wmma encoding as parent, found nvmma_shared"},
		{&triton.DotOperand{}, []int64{16, 64}, cute.CodeType, "dot_op: expected a blocked, nvidia_mma, amd_mfma or amd_wmma encoding as parent, found none"},
		{&triton.Slice{Dim: 2, Parent: mma}, []int64{16}, cute.CodeMode, "slice: expected a dimension below 2, the rank of the parent, found 2"},
		{&triton.Slice{Dim: 0, Parent: mma}, []int64{16, 16}, cute.CodeRank, "slice: expected a tensor of 1 dimensions, one less than the parent's, found the shape (16,16)"},
		{&triton.Slice{Dim: 0, Parent: wide}, []int64{16}, cute.CodeType, "slice: expected an encoding of registers as parent, found nvmma_shared"},
		{&triton.MFMA{Version: 3, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{64, 4, 4}}, []int64{64, 64}, cute.CodeType, "amd_mfma: expected isTransposed with an instrShape of 64 by 4, found it false"},
		{&triton.WMMA{Version: 1, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{16, 16, 32}}, []int64{64, 64}, cute.CodeType, "amd_wmma: expected an instrShape of version 1, M, N, K one of [[16 16 16]], found [16 16 32]"},
		{&triton.DotOperand{Parent: &triton.WMMA{Version: 1, WarpsPerCTA: []int64{4, 1}}, KWidth: 4}, []int64{64, 64}, cute.CodeExtent, "dot_op: expected a kWidth of [8 16] for version 1, found 4"},
		{&triton.SwizzledShared{Vec: 8, PerPhase: 0, MaxPhase: 8, Order: []int{1, 0}}, []int64{64, 64}, cute.CodeExtent, "swizzled_shared: expected a power of two for perPhase, found 0"},
		{wide, []int64{64, 32}, cute.CodeNotDivisible, "nvmma_shared: expected at least 64 elements, 128 bytes of a swizzled row, along dim1 of the part of a CTA, found 32"},
		{wide, []int64{4, 64}, cute.CodeNotDivisible, "nvmma_shared: expected at least 8 rows of 128 bytes in the part of a CTA, found 4"},
		{wide, []int64{64}, cute.CodeRank, "nvmma_shared: expected a tensor of at least 2 dimensions with swizzlingByteWidth 128, found 1"},
		{&triton.NVMMAShared{SwizzlingByteWidth: 16, ElementBitWidth: 8}, []int64{64, 64}, cute.CodeType, "nvmma_shared: expected 0, 32, 64 or 128 for swizzlingByteWidth, found 16"},
		{&triton.PaddedShared{Intervals: []int64{32}, Paddings: []int64{4}, Order: []int{1, 0}}, []int64{64, 64}, cute.CodeNotRepresentable, "padded_shared: the padding is not linear over bits: element 36 is at offset 40, the exclusive or of the offsets 4 and 36 of elements 4 and 32 is 32"},
		{&triton.PaddedShared{Intervals: []int64{2}, Paddings: []int64{4}, Order: []int{0}}, []int64{4}, cute.CodeNotRepresentable, "padded_shared: no layout from offsets is linear and leaves the padding out: element 2 is at offset 6, and no element at offset 2"},
		{&triton.PaddedShared{Intervals: []int64{2, 2}, Paddings: []int64{4, 4}, Order: []int{0}}, []int64{4}, cute.CodeNotInjective, "padded_shared: expected every interval once, found 2 twice"},
		{&triton.PaddedShared{Intervals: []int64{2}, Paddings: []int64{4}}, []int64{4}, cute.CodeType, "padded_shared: expected an order, or bases of offset and block, found neither"},
		{&triton.PaddedShared{Intervals: []int64{2}, Paddings: []int64{2}, Order: []int{0}, Shape: []int64{8}}, []int64{4}, cute.CodeNotCongruent, "padded_shared: expected the shape (8) of the encoding, found (4)"},
		{&triton.PartitionedShared{NumPartitions: 2, NumGroups: 8, PartitionLayout: wide}, []int64{8, 64}, cute.CodeNotDivisible, "partitioned_shared: expected at least as many elements along dim0 as pieces, 2 times 8, found 8"},
		{&triton.PartitionedShared{NumPartitions: 2, NumGroups: 1, PartitionLayout: mma}, []int64{8, 64}, cute.CodeType, "partitioned_shared: expected an encoding of shared memory for partitionLayout, found nvidia_mma"},
		{&triton.Linear{Register: [][]int64{{1, 0}}, Lane: [][]int64{{1, 0}}}, []int64{2, 1}, cute.CodeNotInjective, "linear: expected every basis once, found (1,0) again at 0 of lane"},
		{&triton.Linear{Register: [][]int64{{1, 0}}, Warp: [][]int64{{1, 1}}}, []int64{2, 1}, cute.CodeExtent, "linear: expected bases of warp that are zero or a power of two along one dimension, found (1,1) at 0"},
		{&triton.SharedLinear{Offset: [][]int64{{1, 0}, {1, 0}}}, []int64{2, 1}, cute.CodeNotInjective, "shared_linear: expected 1 bases that are not zero for the 1 bits of an element, found 2: two places hold the same element"},
		{&triton.SharedLinear{Offset: [][]int64{{1, 0}}, Alignment: 3}, []int64{2, 1}, cute.CodeExtent, "shared_linear: expected a power of two for alignment, found 3"},
		{&triton.TensorMemory{BlockM: 32, BlockN: 32, ColStride: 1}, []int64{128, 64}, cute.CodeType, "tensor_memory: expected 64 or 128 for blockM, found 32"},
		{&triton.TensorMemory{BlockM: 128, BlockN: 32, ColStride: 1}, []int64{64, 64}, cute.CodeNotDivisible, "tensor_memory: expected at least the 128 rows of a block in the part of a CTA, found 64"},
		{&triton.ScaleSharedForTMEMCopy{}, []int64{64, 4}, cute.CodeNotDivisible, "scale_smem_for_tmem_copy: expected a multiple of 128 rows and of 4 columns, found 64 and 4"},
		{&triton.SM120DotScaledScale{OpIdx: 3, WarpsPerCTA: []int64{1, 1}}, []int64{64, 4}, cute.CodeMode, "sm120_dot_scaled_scale: expected 0 or 1 for opIdx, found 3"},
	} {
		_, err := c.e.Layout(c.shape...)
		wantCode(t, err, c.code, c.text)
	}
}
