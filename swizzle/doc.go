// Package swizzle finds the permutation of offsets that a shared-memory tile needs, and says what a given one is.
//
// A swizzle here is a linear map over bits: every bit of the new offset is the exclusive or of some bits of the old
// one. CuTe's Sw<B,M,S> ([cute.Swizzle]) is the special case in which B neighbouring bits are each added to the bit S
// places below. [Map] is the general case. Offsets, and so all swizzles here, count elements; [InBytes] and [InBits]
// convert.
//
//	Solve          the smallest swizzle, map or padding that frees accesses of bank conflicts, or a proof that none does
//	Find           the swizzles that turn one table of offsets into another
//	Recognize      a table of offsets as swizzles after a layout
//	Compose        swizzles after each other: one swizzle again, or why not
//	Recast         a swizzle in another unit
//	EqualOn        whether two swizzles are one function on the offsets of a layout
//
// Everything that is returned has been checked at every offset that it was asked for; every refusal is a [cute.Error].
package swizzle
