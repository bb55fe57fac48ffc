package kernel

import "girih/internal/machine/address"

// This file has the bits of indices: exclusive or, and, or. They are of numbers that are not negative.

// Range returns bounds of i for all threads, blocks and parameters, which its symbols and their facts imply.
func (i Index) Range() (least, most int64) {
	if k := i.k(); k.live() {
		return k.expr(i).Range()
	}
	return i.n, i.n
}

// Xor returns the exclusive or of i and j. It fails with [cute.CodeNegative] for a number of a thread that may be
// negative.
func (i Index) Xor(j Index) Index {
	return i.with(j, "xor", func(a, b int64) (int64, bool) { return a ^ b, true }, (*address.Space).Xor)
}

// And returns the bits that i and j both have. It has the errors of [Index.Xor].
func (i Index) And(j Index) Index {
	return i.with(j, "and", func(a, b int64) (int64, bool) { return a & b, true }, (*address.Space).Both)
}

// Or returns the bits that i or j has. It has the errors of [Index.Xor].
func (i Index) Or(j Index) Index {
	return i.with(j, "or", func(a, b int64) (int64, bool) { return a | b, true }, (*address.Space).Either)
}
