package sim

import (
	"math"
	"math/big"
	"math/bits"
)

// rounding is a rounding mode (PTX ISA 9.7.3, 9.7.9.21).
type rounding uint8

const (
	unstated rounding = iota // no mode is stated: to nearest even, or an error
	toEven                   // .rn
	toZero                   // .rz
	toDown                   // .rm
	toUp                     // .rp
	toAway                   // .rna: ties away from zero
)

// roundings lists the modifiers of each mode; the last four are for conversions to integers.
var roundings = [...]struct {
	mod  string
	mode rounding
}{
	{"rn", toEven},
	{"rz", toZero},
	{"rm", toDown},
	{"rp", toUp},
	{"rna", toAway},
	{"rni", toEven},
	{"rzi", toZero},
	{"rmi", toDown},
	{"rpi", toUp},
}

// rounding reads the rounding modifier.
//
//go:noinline
func (o *opcode) rounding() rounding {
	for _, r := range roundings {
		if o.has(r.mod) {
			return r.mode
		}
	}
	return unstated
}

// format is a binary floating-point format of up to 32 bits. A code consists of sign, exponent and mantissa.
type format struct {
	exp, man int
	shift    int    // zero bits below the mantissa: 13 for tf32
	top      uint64 // the code of the largest finite value
	inf      bool   // the format has infinities, with the code top+1
	nan      uint64 // the NaN that operations return, 0 if the format has no NaN
}

var (
	formatF32  = &format{exp: 8, man: 23, top: 0x7f7fffff, inf: true, nan: 0x7fffffff}
	formatF16  = &format{exp: 5, man: 10, top: 0x7bff, inf: true, nan: 0x7fff}
	formatBF16 = &format{exp: 8, man: 7, top: 0x7f7f, inf: true, nan: 0x7fff}
	formatTF32 = &format{exp: 8, man: 10, shift: 13, top: 0x3fbff, inf: true, nan: 0x3ffff}
	formatE5M2 = &format{exp: 5, man: 2, top: 0x7b, inf: true, nan: 0x7f}
	formatE4M3 = &format{exp: 4, man: 3, top: 0x7e, nan: 0x7f}
	formatE3M2 = &format{exp: 3, man: 2, top: 0x1f}
	formatE2M3 = &format{exp: 2, man: 3, top: 0x1f}
	formatE2M1 = &format{exp: 2, man: 1, top: 0x7}
)

// width returns the number of bits of a code.
func (f *format) width() int { return 1 + f.exp + f.man + f.shift }

func (f *format) sign() uint64 { return 1 << (f.width() - 1) }

// value returns the exact value of a code.
func (f *format) value(code uint64) float64 {
	if f == formatF32 {
		return float64(math.Float32frombits(uint32(code)))
	}
	c := code & (f.sign() - 1) >> f.shift
	neg := code&f.sign() != 0
	e, m := int(c>>f.man), c&ones(f.man)
	bias := 1<<(f.exp-1) - 1
	v := 0.0
	switch {
	case c > f.top && f.inf && m == 0 && c == f.top+1:
		v = math.Inf(1)
	case c > f.top:
		v = math.NaN()
	case e == 0:
		v = math.Ldexp(float64(m), 1-bias-f.man)
	default:
		v = math.Float64frombits(uint64(e-bias+1023)<<52 | m<<(52-f.man))
	}
	if neg {
		return math.Copysign(v, -1)
	}
	return v
}

// round returns the code of x rounded by mode. x must be exact, or rounded to odd: its last bit is 1 if anything was
// lost, so that rounding x to fewer bits gives the right result.
func (f *format) round(x float64, mode rounding) uint64 {
	if x != x {
		if f.nan == 0 {
			return f.top
		}
		return f.nan << f.shift
	}
	code := f.magnitude(x, mode) << f.shift
	if math.Signbit(x) {
		code |= f.sign()
	}
	return code
}

// roundFlushed is round for .ftz: subnormal results become zero. As on an H100, a result is subnormal if it is so after
// rounding without a lower limit of exponents, so a value rounded up to the least normal number stays.
func (f *format) roundFlushed(x float64, mode rounding) uint64 {
	least := uint64(1) << f.man
	if math.Abs(x) >= f.value(least) || x != x {
		return f.round(x, mode)
	}
	zero := f.round(math.Copysign(0, x), mode)
	if f.magnitude(2*x, mode) == 2*least { // twice the least normal number
		return zero | least
	}
	return zero
}

// roundFinite is round, but stops at the largest finite values, as .satfinite requires.
func (f *format) roundFinite(x float64, mode rounding) uint64 {
	if x != x {
		return f.round(x, mode)
	}
	code := min(f.magnitude(x, mode), f.top) << f.shift
	if math.Signbit(x) {
		code |= f.sign()
	}
	return code
}

// magnitude returns the code of |x|; the sign of x matters for directed roundings.
func (f *format) magnitude(x float64, mode rounding) uint64 {
	mode = mode.ofMagnitude(x)
	x = math.Abs(x)
	if math.IsInf(x, 0) {
		return f.beyond()
	}
	if x == 0 {
		return 0
	}
	b := math.Float64bits(x)
	e, m := int(b>>52)-1023, b&(1<<52-1)|1<<52
	if b>>52 == 0 {
		m = b
		e = -1022
		n := bits.LeadingZeros64(m) - 11
		m <<= n
		e -= n
	}
	bias := 1<<(f.exp-1) - 1
	at := max(e, 1-bias)
	drop := min(at-e+52-f.man, 62) // bits to drop; at 62, all of m is below half of the last place
	k, rest, half := m>>drop, m&ones(drop), uint64(1)<<(drop-1)
	switch mode {
	case toEven, unstated:
		if rest > half || rest == half && k&1 == 1 {
			k++
		}
	case toAway:
		if rest >= half {
			k++
		}
	case toUp:
		if rest != 0 {
			k++
		}
	}
	code := uint64(at+bias-1)<<f.man + k
	switch {
	case code <= f.top:
		return code
	case mode == toZero:
		return f.top
	}
	return f.beyond()
}

// ofMagnitude returns the mode that rounds |x| as mode rounds x: up and down become away from zero or toward zero.
func (mode rounding) ofMagnitude(x float64) rounding {
	switch neg := math.Signbit(x); {
	case mode == toDown && neg, mode == toUp && !neg:
		return toUp
	case mode == toDown, mode == toUp:
		return toZero
	}
	return mode
}

// beyond returns the code for results that are too large: infinity; NaN in a format without infinities; or the largest
// value in a format with neither.
func (f *format) beyond() uint64 {
	if !f.inf && f.nan == 0 {
		return f.top
	}
	return f.top + 1
}

// odd returns s rounded to odd instead of to nearest. s is an exact sum rounded to nearest, and err has the sign of the
// exact sum minus s.
func odd(s, err float64) float64 {
	b := math.Float64bits(s)
	if err == 0 || err != err || b&1 == 1 || math.IsInf(s, 0) {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// addOdd returns x + y rounded to odd. The error of a sum is exact in float64 (Knuth's TwoSum).
func addOdd(x, y float64) float64 {
	s := x + y
	if math.IsInf(s, 0) || s != s {
		return s
	}
	xx := s - y
	yy := s - xx
	return odd(s, (x-xx)+(y-yy))
}

// sum returns x + y for a later rounding by mode: an exact 0, or x + y rounded to odd.
func (mode rounding) sum(x, y float64) float64 { return mode.zero(addOdd(x, y), x, y) }

// fma returns x*y + z for a later rounding by mode, if x*y is exact in float64.
func (mode rounding) fma(x, y, z float64) float64 {
	p := x * y // a variable, so that Go does not fuse the operations
	return mode.sum(p, z)
}

// zero returns s, the sum of x and y. If mode rounds toward negative infinity, an exact 0 that is the sum of opposite
// values, or of zeros of both signs, becomes negative (IEEE 754, 6.3).
func (mode rounding) zero(s, x, y float64) float64 {
	if s == 0 && mode == toDown && (x != 0 || math.Signbit(x) != math.Signbit(y)) {
		return math.Copysign(0, -1)
	}
	return s
}

// divOdd returns x / y rounded to odd, for x and y that are values of float32.
func divOdd(x, y float64) float64 {
	q := x / y
	if q == 0 || math.IsInf(q, 0) || q != q || math.IsInf(y, 0) {
		return q
	}
	return odd(q, math.Copysign(1, y)*math.FMA(-q, y, x))
}

// sqrtOdd returns the square root of x rounded to odd.
func sqrtOdd(x float64) float64 {
	s := math.Sqrt(x)
	if s == 0 || s != s || math.IsInf(s, 0) {
		return s
	}
	return odd(s, math.FMA(-s, s, x))
}

// exactPrec is a precision at which every sum and product of float64 values is exact.
const exactPrec = 4400

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(exactPrec).SetFloat64(x) }

// direct returns a result rounded by mode, given near, the same result rounded to nearest. diff is the sign of the
// exact result minus near. If near has overflowed, the exact result counts as beyond the largest value.
func direct(near float64, diff int, mode rounding) float64 {
	down := mode == toDown || mode == toZero && (near > 0 || near == 0 && diff > 0)
	if near == 0 && diff < 0 && mode == toZero {
		return math.Copysign(0, -1)
	}
	switch {
	case down && diff < 0:
		return math.Nextafter(near, math.Inf(-1))
	case !down && diff > 0:
		return math.Nextafter(near, math.Inf(1))
	}
	return near
}

// directed64 rounds the result of exact by mode, for .f64 and directed modes. near is the result rounded to
// nearest.
func directed64(near float64, mode rounding, exact func() *big.Float) float64 {
	if mode <= toEven || near != near {
		return near
	}
	x := exact()
	if x == nil {
		return near
	}
	if math.IsInf(near, 0) { // the exact result is finite
		return direct(near, -int(math.Copysign(1, near)), mode)
	}
	return direct(near, x.Cmp(exactly(near)), mode)
}

// finite reports whether all values are finite.
func finite(list ...float64) bool {
	for _, x := range list {
		if math.IsInf(x, 0) || x != x {
			return false
		}
	}
	return true
}
