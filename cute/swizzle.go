package cute

import (
	"fmt"
)

// A Swizzle permutes offsets by an exclusive or of B bits: the bits M+|S|..M+|S|+B-1 of the offset are added,
// without carry, to the bits M..M+B-1 (for S < 0 the other way round). Its unit is that of the offsets it is
// applied to: elements in a layout, bytes in CuTe's smem_ptr prints (include/cute/swizzle.hpp).
// The zero Swizzle is the identity.
type Swizzle struct{ b, m, s int }

// NewSwizzle returns Sw<b,m,s>. It returns [CodeSwizzle] unless b ≥ 0, m ≥ 0, |s| ≥ b and all bits lie below 63.
func NewSwizzle(b, m, s int) (Swizzle, error) {
	dist := max(s, -s)
	if b < 0 || m < 0 || b > 62 || m > 62 || dist > 62 || dist < b || m+dist+b > 63 {
		return Swizzle{}, errorf(CodeSwizzle, "make_swizzle",
			"expected B >= 0, M >= 0, |S| >= B and M+|S|+B <= 63, found Sw<%d,%d,%d>", b, m, s)
	}
	return Swizzle{b, m, s}, nil
}

// B returns the number of bits that are changed, each by adding another bit to it.
func (w Swizzle) B() int { return w.b }

// M returns the number of low bits that are neither read nor changed.
func (w Swizzle) M() int { return w.m }

// S returns the distance, in bits, from the bits that change up to those that are added to them; it is negative if
// those lie below.
func (w Swizzle) S() int { return w.s }

// At returns the swizzled offset. It returns [CodeNegative] for a negative offset, whose bits CuTe does not define.
func (w Swizzle) At(x int64) (int64, error) {
	if x < 0 {
		return 0, errorf(CodeNegative, "swizzle", "a swizzle is applied to offsets of at least 0, found %d", x)
	}
	return x ^ w.moved(x), nil
}

// moved returns the bits of x that are read, at the places of those to which they are added.
func (w Swizzle) moved(x int64) int64 {
	mask := int64(1)<<w.b - 1
	if w.s >= 0 {
		return x & (mask << (w.m + w.s)) >> w.s
	}
	return x & (mask << w.m) << -w.s
}

// apply swizzles every number of the table. It reports whether none is negative; if one is, the table is spoilt.
func (w Swizzle) apply(table []int64) bool {
	up, down := max(w.s, 0), max(-w.s, 0)
	mask := (int64(1)<<w.b - 1) << (w.m + up)
	sign := int64(0)
	for i, x := range table {
		sign |= x
		table[i] = x ^ (x & mask >> up << down)
	}
	return sign >= 0
}

// String returns the canonical text "Sw<3,4,3>".
func (w Swizzle) String() string { return fmt.Sprintf("Sw<%d,%d,%d>", w.b, w.m, w.s) }
