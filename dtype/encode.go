package dtype

import (
	"math"
	"math/bits"
)

// Encode returns the code of the value of the type that is nearest to x. If two values are equally near, it chooses the
// even code (IEEE 754, roundTiesToEven). For integers it chooses the nearest integer. As in IEEE 754, a number that
// rounds to beyond the largest finite value becomes infinity in [F64], [F32], [TF32], [F16], [BF16] and [E5M2]. NaN
// becomes the positive quiet NaN. In a [TF32] the upper bits are rounded, and the lower 13 are 0.
//
// It returns [CodeRange] if there is no nearest value: above the largest value of any other type, for an infinity or
// NaN that the type cannot represent, for negative numbers (but not -0) in a type without a sign, and for zero in
// [UE8M0]. It returns [CodeType] for bits without a meaning.
func (t Type) Encode(x float64) (uint64, error) {
	return t.encode(decompose(x), noSaturation)
}

// EncodeInt is [Type.Encode] for an integer of up to 64 bits, with a single rounding.
func (t Type) EncodeInt(x int64) (uint64, error) {
	return t.encode(integer(x), noSaturation)
}

// EncodeSaturating is [Type.Encode], but accepts all numbers, as PTX's cvt.rn.satfinite does: numbers above the largest
// or below the smallest value, including infinities, become that value. NaN becomes the type's NaN; in a type without a
// NaN, NaN becomes the largest value of a float type and 0 in an integer type. It returns [CodeType] for bits without a
// meaning.
func (t Type) EncodeSaturating(x float64) (uint64, error) {
	return t.encode(decompose(x), saturateFinite)
}

// A saturation tells what happens to numbers outside the range of the type: CUDA's __nv_saturation_t.
type saturation uint8

const (
	noSaturation   saturation = iota // becomes infinity, or an error in a type without infinity
	saturateFinite                   // becomes the largest or the smallest value
)

// A number is a sign and significand * 2^exponent, or it is not finite.
type number struct {
	negative    bool
	significand uint64
	exponent    int
	inf, nan    bool
}

func decompose(x float64) number {
	n := number{negative: math.Signbit(x), inf: math.IsInf(x, 0), nan: math.IsNaN(x)}
	if n.inf || n.nan {
		return n
	}
	f, e := math.Frexp(math.Abs(x))
	n.significand, n.exponent = uint64(math.Ldexp(f, 53)), e-53
	return n
}

func integer(x int64) number {
	if x < 0 {
		return number{negative: true, significand: -uint64(x)}
	}
	return number{significand: uint64(x)}
}

// float returns the number as it is shown in messages.
func (n number) float() float64 {
	x := math.Ldexp(float64(n.significand), n.exponent)
	switch {
	case n.nan:
		return math.NaN()
	case n.inf:
		x = math.Inf(1)
	}
	if n.negative {
		return -x
	}
	return x
}

func (t Type) encode(n number, s saturation) (uint64, error) {
	if err := t.checkMeaning(); err != nil {
		return 0, err
	}
	if t.Kind() == Float {
		return t.encodeFloat(n, s)
	}
	return t.encodeInteger(n, s)
}

func (t Type) encodeInteger(n number, s saturation) (uint64, error) {
	width := t.Bits()
	most, least := ^uint64(0)>>(64-width), uint64(0) // the largest magnitudes above and below zero
	if t.Kind() == Signed {
		most, least = most>>1, most>>1+1
	}
	limit := most
	if n.negative {
		limit = least
	}
	m, fits := scale(n.significand, n.exponent, 0)
	switch {
	case n.nan && s == saturateFinite:
		m = 0
	case n.nan, s == noSaturation && (n.inf || !fits || m > limit):
		return 0, refuse(CodeRange, "%v is not near a value of %v: they reach from %s%d to %d", n.float(), t,
			minus(least), least, most)
	case n.inf, !fits, m > limit:
		m = limit
	}
	if n.negative {
		m = -m
	}
	return m & (^uint64(0) >> (64 - width)), nil
}

func minus(magnitude uint64) string {
	if magnitude > 0 {
		return "-"
	}
	return ""
}

func (t Type) encodeFloat(n number, s saturation) (uint64, error) {
	f := &t.row().format
	largest := f.largest()
	var digits uint64
	switch {
	case n.nan:
		nan, ok := f.nan()
		if !ok && s == noSaturation {
			return 0, refuse(CodeRange, "%v has no NaN", t)
		}
		if !ok {
			nan = largest << f.shift
		}
		return nan, nil
	case f.isBelow(n):
		if s == noSaturation {
			return 0, refuse(CodeRange, "%v is not near a value of %v: the smallest is %v", n.float(), t, f.magnitude(0))
		}
		return 0, nil
	case n.inf:
		digits = largest + 1
	default:
		digits = f.round(n)
	}
	switch {
	case digits <= largest:
	case s == saturateFinite:
		digits = largest
	case f.special != ieee:
		return 0, refuse(CodeRange, "%v is beyond the largest value of %v, %v, and there is no infinity", n.float(), t,
			f.magnitude(largest))
	default:
		digits = largest + 1 // the code of infinity follows the code of the largest value
	}
	code := digits << f.shift
	if n.negative && !f.unsigned && (digits != 0 || f.special != minusNil) {
		code |= 1 << f.sign()
	}
	return code, nil
}

// isBelow reports whether a number, not NaN, is below all values of the format: a negative number if the format has no
// sign, and 0 if the format has no zero.
func (f *format) isBelow(n number) bool {
	zero := n.significand == 0 && !n.inf
	return zero && f.special == powers || !zero && n.negative && f.unsigned
}

// round returns the exponent and mantissa that are nearest to a finite magnitude, as if the exponent had no upper
// limit up to 2^63. The digits of consecutive values are consecutive integers, so a carry out of the mantissa is
// the next exponent.
func (f *format) round(n number) uint64 {
	if n.significand == 0 {
		return 0
	}
	top := n.exponent + bits.Len64(n.significand) - 1 // the exponent of the leading one
	e := top + f.bias                                 // the exponent field of a normal number
	if e > 1<<f.exponent {
		return f.largest() + 1
	}
	lowest := 1
	if f.special == powers {
		lowest = 0
	}
	e = max(e, lowest)
	exponent := n.exponent - (e - f.bias - f.mantissa)
	if f.special == powers {
		q, _ := scale(n.significand, exponent, uint64(e)+1)
		return uint64(e) + q - min(q, 1) // q is 0, 1 or 2; a number below the smallest value becomes the smallest value
	}
	q, _ := scale(n.significand, exponent, 0) // below 2^(mantissa+1), or equal to it after rounding up
	return uint64(e)<<f.mantissa + q - 1<<f.mantissa
}

// scale returns significand * 2^exponent rounded to the nearest integer, and whether the integer fits in 64 bits. If
// two integers are equally near, it chooses the integer that is even after code is added.
func scale(significand uint64, exponent int, code uint64) (uint64, bool) {
	switch {
	case significand == 0:
		return 0, true
	case exponent >= 0:
		return significand << min(exponent, 63), bits.Len64(significand)+exponent <= 64
	case exponent < -64:
		return 0, true
	}
	drop := -exponent
	var q uint64
	if drop < 64 {
		q = significand >> drop
	}
	half := uint64(1) << (drop - 1)
	rest := significand & (half<<1 - 1)
	if rest > half || rest == half && (q+code)&1 == 1 {
		q++
	}
	return q, true
}

// largest returns the exponent and mantissa of the largest finite value.
func (f *format) largest() uint64 {
	all := uint64(1)<<(f.exponent+f.mantissa) - 1
	switch f.special {
	case ieee:
		return all - 1<<f.mantissa
	case allOnes, powers:
		return all - 1
	default:
		return all
	}
}

// nan returns the code of the NaN that Encode gives, if there is one.
func (f *format) nan() (uint64, bool) {
	all := uint64(1)<<(f.exponent+f.mantissa) - 1
	switch f.special {
	case ieee: // the quiet NaN, in which the highest bit of the mantissa is set
		return (f.largest() + 1 + 1<<(f.mantissa-1)) << f.shift, true
	case allOnes, powers:
		return all, true
	case minusNil:
		return 1 << f.sign(), true
	default:
		return 0, false
	}
}
