// Package triton has the layouts of Triton and Gluon, by their names and parameters there, as linear layouts:
// [blocked], [nvidiaMMA], [mfma], [wmma], [dotOperand], [slice] and [distributedLinear] for registers, [swizzledShared],
// [amdRotatingShared], [nvmmaShared], [PaddedShared], [partitionedShared], [sharedLinear] and [scaleSharedForTMEMCopy]
// for shared memory, [TensorMemory] and [tensorMemoryScales] for the tensor memory of Blackwell, [sm120DotScaledScale]
// for its scales in registers.
//
// An encoding is a rule; with the shape of a tensor it is a layout, which [Encoding.Layout] returns. Its dimensions are
// named as in the paper on linear layouts (arXiv 2505.23819) and in Triton:
//
//	registers      register, lane, warp, block -> dim0, dim1, ...
//	shared memory  offset, block               -> dim0, dim1, ...   (offsets count elements, not bytes)
//	tensor memory  row, col, block             -> dim0, dim1        (a column has one element)
//
// A block is a CTA of a cluster ([cluster]). The formulas are those of Triton's LinearLayoutConversions.cpp of August 2026,
// stated again; every encoding there that Triton itself can turn into a linear layout has one here, except for Intel's
// and the scales of scaled mfma and wmma.
//
// # Shapes and tiles
//
// An encoding describes a tile; a larger tensor repeats it, register by register or offset by offset, and a smaller one
// cuts it: bases that lead out of the tensor become 0, so several threads hold the same element. All sizes are powers
// of two. What Triton asserts, and what it answers wrongly, is refused here with the numbers.
//
// # Zero bases
//
// In register layouts a zero basis means that an element is held more than once. In [nvmmaShared] with FP4Padded,
// [PaddedShared] and [TensorMemory] a zero basis along offset or col means cells without an element.
//
// # Records
//
// [Encoding.String] and [Encoding.Record] write an encoding as girih read shows it:
//
//	blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0]}
//
// and [FromRecord] makes one of a name and fields, in the spelling of Triton or of Gluon: blocked or BlockedLayout,
// sizePerThread or size_per_thread.
package triton
