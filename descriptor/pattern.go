package descriptor

import (
	"fmt"

	"girih/cute"
)

// A Pattern is one of the canonical forms in which wgmma and tcgen05.mma read a matrix from shared memory: rows of 16,
// 32, 64 or 128 bytes along the contiguous mode, whose pieces of 16 bytes are swizzled.
type Pattern uint8

// The patterns, as CuTe names them.
const (
	INTER Pattern = iota // INTER: rows of 16 bytes, not swizzled.
	SW32                 // SW32: rows of 32 bytes, Sw<1,4,3> on byte addresses.
	SW64                 // SW64: rows of 64 bytes, Sw<2,4,3>.
	SW128                // SW128: rows of 128 bytes, Sw<3,4,3>.
	// SW128Base: rows of 128 bytes in pieces of 32, Sw<2,5,2>, 4 rows: CuTe's SW128_32B of sm100.
	SW128Base
)

var patternNames = [...]string{"INTER", "SW32", "SW64", "SW128", "SW128_32B"}

// String returns the name in CuTe: "INTER", "SW32", "SW64", "SW128", "SW128_32B".
func (p Pattern) String() string {
	if int(p) < len(patternNames) {
		return patternNames[p]
	}
	return fmt.Sprintf("Pattern(%d)", uint8(p))
}

// Width returns the bytes of a row of the pattern: 16, 32, 64 or 128.
func (p Pattern) Width() int64 { return unit << min(p, SW128) }

// Rows returns the rows of an atom of the pattern: 8, and 4 of SW128_32B.
func (p Pattern) Rows() int64 {
	if p == SW128Base {
		return 4
	}
	return 8
}

// Align returns the number of bytes by which the address of a tile must be divisible so that the base offset is 0 (PTX
// ISA, 9.7.16.4.1, table 41): 1024 for rows of 128 bytes, 512 for 64, 256 for 32, and 16 if nothing is swizzled.
func (p Pattern) Align() int64 {
	if p == INTER {
		return unit
	}
	return 8 * p.Width()
}

// Swizzle returns the swizzle of byte addresses; for INTER it is Sw<0,4,3>, which changes nothing.
func (p Pattern) Swizzle() cute.Swizzle {
	b, m, s := p.bits()
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		return cute.Swizzle{}
	}
	return w
}

// bits returns B, M and S of the swizzle of byte addresses.
func (p Pattern) bits() (b, m, s int) {
	if p == SW128Base {
		return 2, 5, 2
	}
	return int(p), 4, 3
}

// swizzleByte maps an address before the swizzle to the address after it, and back: the swizzle is its own inverse.
// base is the row of 128 bytes, modulo 8, in which the pattern begins.
func (p Pattern) swizzleByte(at, base int64) int64 {
	b, m, _ := p.bits()
	return at ^ (at>>7-base)&(1<<b-1)<<m
}
