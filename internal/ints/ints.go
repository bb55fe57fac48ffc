// Package ints does integer arithmetic on int64 that reports overflow instead of wrapping,
// and the exact and ceiling divisions of the layout algebra.
package ints

import (
	"math"
	"math/bits"
)

// Mul returns a·b and whether it fits in an int64.
func Mul(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// Mul64 is unsigned: a negative operand has added 2^64 times the other operand to the product.
	hi -= uint64((a>>63)&b) + uint64((b>>63)&a)
	return int64(lo), int64(hi) == int64(lo)>>63
}

// Add returns a+b and whether it fits in an int64.
func Add(a, b int64) (int64, bool) {
	c := a + b
	return c, (a^c)&(b^c) >= 0
}

// Sub returns a−b and whether it fits in an int64.
func Sub(a, b int64) (int64, bool) {
	c := a - b
	return c, (a^b)&(a^c) >= 0
}

// Abs returns |a| and whether it fits in an int64: only the most negative number does not.
func Abs(a int64) (int64, bool) {
	if a < 0 {
		return -a, a != math.MinInt64
	}
	return a, true
}

// CeilDiv returns ⌈a/b⌉ for b > 0. It cannot overflow.
func CeilDiv(a, b int64) int64 {
	q := a / b
	if q*b < a {
		q++
	}
	return q
}

// FloorDiv returns ⌊a/b⌋ for b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// FloorMod returns a − b·⌊a/b⌋ for b > 0, which is 0 to b−1.
func FloorMod(a, b int64) int64 { return a - FloorDiv(a, b)*b }

// RoundUp returns the smallest multiple of b that is at least a, for a ≥ 0 and b > 0. It must fit in an int64.
func RoundUp(a, b int64) int64 { return CeilDiv(a, b) * b }

// GCD returns the greatest common divisor of |a| and |b|; GCD(0, 0) is 0. Both magnitudes must fit in an int64, as the
// strides of a layout do.
func GCD(a, b int64) int64 {
	if a < 0 {
		a = -a
	}
	if b < 0 {
		b = -b
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// LowestBit returns the largest power of two that divides a, and 0 for 0.
func LowestBit(a int64) int64 { return a & -a }
