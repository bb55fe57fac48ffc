// Package triton makes linear layouts from the layouts of Triton and Gluon, with the names and parameters that Triton
// prints. There are encodings for registers (blocked, nvidia_mma, amd_mfma, amd_wmma, dot_op, slice, linear,
// sm120_dot_scaled_scale), for shared memory (swizzled_shared, amd_rotating_shared, nvmma_shared, padded_shared,
// partitioned_shared, shared_linear, scale_smem_for_tmem_copy) and for the tensor memory of Blackwell (tensor_memory,
// tensor_memory_scales). [FromRecord] makes an [Encoding]; from.go lists their names.
//
// An encoding is a rule; with the shape of a tensor it is a layout, which [Encoding.Layout] returns. Its dimensions are
// named as in the paper on linear layouts (arXiv 2505.23819) and in Triton:
//
//	registers      register, lane, warp, block -> dim0, dim1, ...
//	shared memory  offset, block               -> dim0, dim1, ...   (offsets count elements, not bytes)
//	tensor memory  row, col, block             -> dim0, dim1        (a column has one element)
//
// A block is a CTA of a cluster (cga.go). The formulas restate Triton's LinearLayoutConversions.cpp of August 2026.
// Every encoding there that Triton itself can turn into a linear layout is supported, except for Intel's and the scales
// of scaled MFMA and WMMA.
//
// # Shapes and tiles
//
// An encoding describes a tile. A larger tensor repeats it, register by register or offset by offset, and a smaller
// tensor cuts it: bases that lead out of the tensor become 0, so several threads hold the same element. All sizes are
// powers of two. Operands that Triton rejects by an assertion or converts wrongly are refused here, with the numbers in
// the error.
//
// # Zero bases
//
// In register layouts a zero basis means that an element is held more than once. In nvmma_shared with fp4Padded,
// padded_shared and tensor_memory, a zero basis along offset or col means cells without an element.
//
// # Records
//
// [Encoding.String] and [Encoding.Record] write an encoding as girih read shows it:
//
//	blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0]}
//
// [FromRecord] makes an encoding from a name and fields, in the spelling of Triton or of Gluon: blocked or
// BlockedLayout, sizePerThread or size_per_thread. Read encoding.go and tile.go first, then the file of one encoding.
package triton
