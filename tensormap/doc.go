// Package tensormap plans, checks and encodes the tensor maps of NVIDIA's copy engine, the TMA: what the driver
// requires of a map, the map that copies a tile of a tensor into a layout of shared memory, and where each element
// arrives.
//
//	Map.Check      every rule of the driver's documentation that a map breaks, with what to change
//	Map.Remarks    what the rules allow, and what still goes wrong
//	Make           the map, the instructions and the coordinates that copy a tile, as CuTe's make_tma_copy finds them
//	Convolution    the im2col map of a convolution's activations
//	Cluster        which CTA of a cluster loads which part, and for which CTAs
//	Map.Landings   the byte of shared memory at which each element of a box lands
//	Map.Stores     the elements of a box that a store or a reduction writes, which continue past the end of a row
//
// A [Map] has the arguments of cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide, in the
// driver's order: dimension 0 is the contiguous one. Extents and boxes are in elements, strides in bytes.
//
// Sources: the CUDA Driver API, "Tensor Map Object Management" (the rules); the PTX ISA, section "Tensors" (boxes,
// im2col, interleave, swizzling); the CUDA Programming Guide, "Tensor Memory Access"; and
// include/cute/atom/copy_traits_sm90_tma.hpp of CUTLASS 4.7 (the plan). The package calls no driver.
package tensormap
