// Package convert plans how the elements of a tensor move from one distribution over registers, lanes, warps and blocks
// to another one.
//
// A distributed layout maps "register", "lane", "warp" and "block" to the coordinates of a tensor. [New] finds out
// which of these dimensions really have to move ([Minimal]) and what that takes:
//
//	[None]         the thread has what it needs, in the registers it needs
//	[Registers]    the thread has what it needs, in other registers
//	[WarpShuffle]  the elements are in the warp: [Shuffle] has the selects and shuffles, and what they cost
//	[SharedMemory] they go through shared memory: [OptimalSwizzle] has its layout, and what the accesses cost
//
// Everything is linear algebra over two elements, after "Linear Layouts: Robust Code Generation of Efficient Tensor
// Computation Using F2" (ASPLOS 2026), sections 5.3 and 5.4, and Triton's lowering of convert_layout. A conversion is
// always seen from the destination: it says for each place of the result where to read.
//
// Three things go beyond Triton. A shuffle is planned for every conversion inside a warp, not only for those that
// permute bits. Bank conflicts are counted exactly, also where several elements share a word. Layouts whose bases are
// not unit vectors are handled with intersections of subspaces, not of lists.
package convert
