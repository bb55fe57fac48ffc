package swizzle

import (
	"errors"
	"fmt"
	"math/bits"

	"girih/cute"
)

// Compose returns the swizzle outer o inner, which applies inner first: Sw<3,0,3> o Sw<1,2,3> = Sw<2,0,3>. It returns
// [cute.CodeNotRepresentable] with the reason if the composition is not a single swizzle; [Map.After] returns it as a
// map.
func Compose(outer, inner cute.Swizzle) (cute.Swizzle, error) {
	w, err := MapOf(outer).After(MapOf(inner)).Swizzle()
	if e, ok := errors.AsType[*cute.Error](err); ok {
		e.Op = "composition"
		e.Msg = fmt.Sprintf("%v o %v = ", outer, inner) + e.Msg
		e.Hint = "keep both, one after the other, or their formula"
	}
	return w, err
}

// Inverse returns the swizzle that undoes w. It is w itself: |S| is at least B, so w changes no bit that it reads.
func Inverse(w cute.Swizzle) cute.Swizzle { return w }

// Recast converts a swizzle of offsets in units of fromBits bits to units of toBits bits, so that the same bytes move:
// Sw<3,3,3> in units of 16 bits is Sw<3,4,3> in units of 8 bits. M changes by log2 of the ratio. If M would fall below
// 0, the lowest bits of B are lost, which only swap parts of one wide unit. It returns [cute.CodeNotDivisible] unless
// the ratio is a power of two, [cute.CodeExtent] for widths that are not positive, and the errors of
// [cute.Swizzle.Upcast] and [cute.Swizzle.Downcast].
func Recast(w cute.Swizzle, fromBits, toBits int) (cute.Swizzle, error) {
	const op = "recast_swizzle"
	if fromBits < 1 || toBits < 1 {
		return cute.Swizzle{}, &cute.Error{
			Code: cute.CodeExtent, Op: op, Msg: fmt.Sprintf("expected units of at least 1 bit, found %d and %d",
				fromBits, toBits),
		}
	}
	wide, narrow := max(fromBits, toBits), min(fromBits, toBits)
	if ratio := wide / narrow; wide%narrow != 0 || ratio&(ratio-1) != 0 {
		return cute.Swizzle{}, &cute.Error{
			Code: cute.CodeNotDivisible, Op: op,
			Msg: fmt.Sprintf("%v on units of %d bits is none on units of %d bits: their ratio %d/%d is not a power of two", w,
				fromBits, toBits, fromBits, toBits),
		}
	}
	if toBits > fromBits {
		return w.Upcast(int64(toBits / fromBits))
	}
	return w.Downcast(int64(fromBits / toBits))
}

// InBytes converts a swizzle of offsets in elements to byte addresses, which is how CuTe prints the swizzle of an
// smem_ptr: Sw<3,3,3> on half elements is Sw<3,4,3> on bytes. It returns the errors of [Recast].
func InBytes(w cute.Swizzle, elementBits int) (cute.Swizzle, error) {
	return Recast(w, elementBits, 8)
}

// InBits converts a swizzle of offsets in elements to offsets in bits. It returns the errors of [Recast].
func InBits(w cute.Swizzle, elementBits int) (cute.Swizzle, error) {
	return Recast(w, elementBits, 1)
}

// InElements converts a swizzle of byte addresses to offsets in elements. It returns the errors of [Recast].
func InElements(w cute.Swizzle, elementBits int) (cute.Swizzle, error) {
	return Recast(w, 8, elementBits)
}

// Recast converts the map of offsets in units of fromBits bits to units of toBits bits, so that the same bytes move. It
// returns [cute.CodeNotDivisible] unless the ratio is a power of two and, for wider units, the map does not read or
// change bits within a unit. It also returns [cute.CodeExtent] for widths that are not positive, and [cute.CodeLimit]
// above [MaxBits] bits.
func (m Map) Recast(fromBits, toBits int) (Map, error) {
	if _, err := Recast(cute.Swizzle{}, fromBits, toBits); err != nil {
		return Map{}, err
	}
	if toBits <= fromBits {
		shift := bits.TrailingZeros(uint(fromBits / toBits))
		cols := make([]uint64, shift, shift+len(m.cols))
		for j := range cols {
			cols[j] = 1 << j
		}
		for _, c := range m.cols {
			cols = append(cols, c<<shift)
		}
		return NewMap(cols)
	}
	shift := bits.TrailingZeros(uint(toBits / fromBits))
	var cols []uint64
	for j, c := range m.cols {
		low := uint64(1)<<shift - 1
		if j < shift && c != 1<<j || j >= shift && c&low != 0 {
			return Map{}, &cute.Error{
				Code: cute.CodeNotDivisible, Op: "recast_swizzle",
				Msg: fmt.Sprintf("%s on units of %d bits moves parts of units of %d bits", m, fromBits, toBits),
			}
		}
		if j >= shift {
			cols = append(cols, c>>shift)
		}
	}
	return NewMap(cols)
}
