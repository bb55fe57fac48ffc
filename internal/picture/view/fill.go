package view

import (
	"math/bits"

	"girih/cute"
	"girih/linear"
	"girih/swizzle"
)

// FillOf returns the default meaning of fills for a composed layout with elements of elemBits bits, which shows the
// effect of its swizzles. Swizzles of shared memory leave the lowest three bits of the offset unchanged, so the
// offset modulo 8 would not show them. They change the group of 4 banks, 16 bytes, that contains an element. A
// swizzle that moves elements within their group shows in the banks. Without a swizzle, or if the width of an element
// is unknown, the fill is the offset.
func FillOf(c cute.Composed, elemBits int) ColorBy {
	var changed uint64 // the bits of the offset that swizzles change
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

// FillOfXor is [FillOf] for a layout with F2 strides. Such a layout acts like a swizzle if several bits of the index
// affect one bit of the offset. If no bit of the offset is affected by several, it acts like one if a bit of the
// index affects more than the highest bit of its stride.
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

// fillOf returns the fill that shows a change of the given bits of the offset.
func fillOf(changed uint64, elemBits int) ColorBy {
	if changed == 0 || elemBits <= 0 {
		return ColorOffset
	}
	// Elements of a group and of a bank as powers of two; an element of 6 bits counts as 8.
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

// groupBits is the width of 4 banks, 16 bytes: the unit that a thread of ldmatrix reads and that swizzles of shared
// memory keep together.
const groupBits = 4 * 8 * bankBytes
