package view

import (
	"math/bits"

	"girih/cute"
	"girih/linear"
	"girih/swizzle"
)

// FillOf returns what the fill of a composed layout with elements of so many bits is where nobody asks for another:
// what shows its swizzles. The offset modulo 8 is the same before and after a swizzle that leaves the lowest three bits
// alone, as those of shared memory do; what those change is the group of 4 banks, 16 bytes, that an element is in. One
// that moves elements within their group shows in the banks. Without a swizzle, and where the width of an element is
// not known, it is the offset.
func FillOf(c cute.Composed, elemBits int) ColorBy {
	var changed uint64 // the bits of the offset that a swizzle changes
	for f := range c.Stages() {
		if w, ok := f.(cute.Swizzle); ok {
			m := swizzle.MapOf(w)
			for j := range m.Bits() {
				changed |= m.Col(j) &^ (1 << j)
			}
		}
	}
	if c.HasBasis() {
		return ColorOffset
	}
	return fillOf(changed, elemBits)
}

// FillOfXor is [FillOf] of a layout with F2 strides, which does what a swizzle does where several bits of the index
// reach one bit of the offset; or, where none is reached by several, where a bit of the index reaches more than its
// highest one.
func FillOfXor(x linear.XorLayout, elemBits int) ColorBy {
	var seen, several, below uint64
	strides := x.Strides()
	for i, extent := range x.Shape().Leaves() {
		for d := uint64(1); d < uint64(extent); d <<= 1 {
			col := uint64(strides[i]) * d
			several |= seen & col
			seen |= col
			below |= col &^ (1 << (bits.Len64(col|1) - 1))
		}
	}
	if several != 0 {
		return fillOf(several, elemBits)
	}
	return fillOf(below, elemBits)
}

// fillOf returns the fill that shows a change of these bits of the offset.
func fillOf(changed uint64, elemBits int) ColorBy {
	if changed == 0 || elemBits <= 0 {
		return ColorOffset
	}
	// Elements of a group, and of a bank, as powers of two; an element of 6 bits is taken for one of 8.
	log := func(n int) int { return bits.Len(uint(max(n/elemBits, 1))) - 1 }
	group, bank := log(groupBits), log(8*bankBytes)
	switch {
	case changed>>group&7 != 0:
		return ColorGroup
	case changed&(1<<group-1)>>bank != 0:
		return ColorBank
	case changed&7 != 0:
		return ColorOffset
	}
	return ColorGroup
}

// groupBits is the width of 4 banks: what one thread of ldmatrix reads, and what swizzles of shared memory keep
// together.
const groupBits = 4 * 8 * bankBytes
