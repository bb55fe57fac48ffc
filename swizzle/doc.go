// Package swizzle finds the permutation of offsets that a shared-memory tile needs, and analyses given permutations.
//
// A swizzle here is a linear map over bits: every bit of the new offset is the exclusive or of some bits of the old
// one. CuTe's Sw<B,M,S> ([cute.Swizzle]) is the special case in which each of B neighbouring bits is added to the bit S
// places below. [Map] is the general case. Offsets, and so all swizzles here, count elements; [InBytes] and [InBits]
// convert.
//
//	Solve          the smallest swizzle, map or padding that removes all bank conflicts, or a proof that there is none
//	Find           the swizzles that turn one table of offsets into another
//	Recognize      a table of offsets as swizzles after a layout
//	Compose        the composition of two swizzles as one swizzle, or why it is not one
//	Recast         a swizzle in another unit
//
// Every answer has been checked at every offset in question; every refusal is a [cute.Error].
package swizzle
