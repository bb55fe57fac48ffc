// Package convert plans how the elements of a tensor move from one distribution over registers, lanes, warps and blocks
// to another.
//
// A distributed layout maps "register", "lane", "warp" and "block" to the coordinates of a tensor. [New] finds the
// dimensions that must move ([Minimal]), and how they move:
//
//	[None]         nothing: each thread has its elements in the right registers
//	[Registers]    each thread has its elements, in other registers
//	[WarpShuffle]  the elements are in the warp: [Shuffle] counts the selects and shuffles
//	[SharedMemory] the elements go through shared memory: [OptimalSwizzle] has its layout and the cost of the accesses
//
// Everything is linear algebra over F2, after "Linear Layouts: Robust Code Generation of Efficient Tensor Computation
// Using F2" (ASPLOS 2026), sections 5.3 and 5.4, and Triton's lowering of convert_layout. A conversion maps each place
// of the destination to the place in the source to read from.
//
// This package goes beyond Triton in three ways. A shuffle is planned for every conversion inside a warp, not only for
// permutations of bits. Bank conflicts are counted exactly, even if several elements share a word. Layouts whose bases
// are not unit vectors are handled with intersections of subspaces, not of lists.
package convert
