package dot

import (
	"math"
	"strconv"
	"sync"

	"girih/dtype"
)

// Chain adds one product after the other: fused multiply-adds, each rounded once to the nearest, ties to even.
type Chain struct {
	A, B, C, D dtype.Type
	// In is the type in which the chain is summed; the result is rounded to D at the end.
	In dtype.Type
	// Last says that the chain begins with 0 and c is added at the end, with its own rounding.
	Last bool
	// Rounding is the rounding of doubles.
	Rounding Rounding
}

// Add returns the code of the sum.
func (m Chain) Add(a, b []uint64, c uint64) uint64 {
	c = convert(m.C, m.In, c)
	sum := c
	if m.Last {
		sum = 0
	}
	for i := range a {
		sum = m.fma(a[i], b[i], sum)
	}
	if m.Last {
		sum = add(m.In, sum, c)
	}
	return convert(m.In, m.D, sum)
}

// String returns a text such as "one product after the other, each rounded to the nearest f64".
func (m Chain) String() string {
	s := "one product after the other, each rounded " + m.Rounding.String() + " " + m.In.String()
	if m.Last {
		s += ", then c"
	}
	if m.In != m.D {
		s += "; the result to the nearest " + m.D.String()
	}
	return s
}

// convert returns the code of a number in another type.
func convert(from, to dtype.Type, code uint64) uint64 {
	if from == to {
		return code
	}
	return encode(to, decode(from, code))
}

// fma returns a·b + c, rounded once to the type of the chain, which is also the type of c.
func (m Chain) fma(a, b, c uint64) uint64 {
	if m.In == dtype.F64 {
		return double(a, b, c, m.Rounding)
	}
	// The product of two 24-bit numbers has 48 bits, so it is exact. A sum of 53 bits that is rounded to odd can be
	// rounded again to the 24 bits of f32.
	return encode(m.In, odd(decode(m.A, a)*decode(m.B, b), decode(m.In, c)))
}

// add returns x + y of one type, rounded to the nearest.
func add(t dtype.Type, x, y uint64) uint64 {
	if t != dtype.F32 {
		return encode(t, odd(decode(t, x), decode(t, y)))
	}
	s := math.Float32frombits(uint32(x)) + math.Float32frombits(uint32(y))
	if s != s {
		return formatOf(t).nan()
	}
	return uint64(math.Float32bits(s))
}

// odd returns x + y rounded to odd: the last bit of an inexact sum is 1.
func odd(x, y float64) float64 {
	s := x + y
	if s-s != 0 {
		return s
	}
	v := s - x
	rest := (x - (s - v)) + (y - v)
	if rest != 0 && math.Float64bits(s)&1 == 0 {
		if (rest > 0) == (s > 0) {
			return math.Float64frombits(math.Float64bits(s) + 1)
		}
		return math.Float64frombits(math.Float64bits(s) - 1)
	}
	return s
}

// decode returns the value of a code of at most 32 bits.
func decode(t dtype.Type, code uint64) float64 {
	v, err := t.Decode(code)
	if err != nil {
		return math.NaN()
	}
	return v
}

// encode returns the code of a number as a card writes it: a NaN has all bits except the sign.
func encode(t dtype.Type, v float64) uint64 {
	if math.IsNaN(v) {
		return formatOf(t).nan()
	}
	c, err := t.Encode(v)
	if err != nil {
		return formatOf(t).nan()
	}
	return c
}

// double is fma of doubles. If an operand is NaN, the result is that NaN, made quiet: c if it is NaN, then b, then a.
// Any other invalid operation gives the negative NaN without a payload.
func double(a, b, c uint64, r Rounding) uint64 {
	for _, code := range [3]uint64{b, c, a} {
		if math.IsNaN(math.Float64frombits(code)) {
			return code | 1<<51
		}
	}
	x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
	v := math.FMA(x, y, z)
	if math.IsNaN(v) {
		return 0xfff8 << 48
	}
	if r != Nearest {
		v = r.fma(x, y, z, v)
	}
	return math.Float64bits(v)
}

// Halves is the driver's replacement for mma.sync on 8-bit types that the chip lacks. The operands become f16. A first
// instruction multiplies the elements with k = 0 or 1 modulo 4, starting from 0; a second one multiplies the others,
// starting from the first sum; c is added at the end. Each instruction is the fused sum Step.
type Halves struct {
	A, B dtype.Type
	Step Fused // the model of f16
}

// Add returns the code of the sum.
func (m Halves) Add(a, b []uint64, c uint64) uint64 {
	var buffer [4][most]uint64
	halves := [4][]uint64{buffer[0][:0], buffer[1][:0], buffer[2][:0], buffer[3][:0]}
	ca, cb := inF16(m.A), inF16(m.B)
	for i := range a {
		h := 2 * (i / 2 % 2)
		halves[h] = append(halves[h], ca[a[i]&0xff])
		halves[h+1] = append(halves[h+1], cb[b[i]&0xff])
	}
	sum := m.Step.Add(halves[2], halves[3], m.Step.Add(halves[0], halves[1], 0))
	return add(m.Step.C, sum, c)
}

// inF16 returns the codes of an 8-bit type in f16.
func inF16(t dtype.Type) *[256]uint64 {
	if codes, ok := f16Codes.Load(t); ok {
		return codes.(*[256]uint64)
	}
	codes := new([256]uint64)
	for c := range codes {
		codes[c] = encode(dtype.F16, decode(t, uint64(c)))
	}
	f16Codes.Store(t, codes)
	return codes
}

var f16Codes sync.Map // from dtype.Type to the result of inF16

// String returns the model in words.
func (m Halves) String() string {
	return "as f16 in two steps, k modulo 4 below 2 first: " + m.Step.String() + "; then c, rounded to the nearest"
}

// Integers is the exact sum of integers, which wraps around or saturates.
type Integers struct {
	A, B, C  dtype.Type
	Saturate bool
	Xor      bool // the product of two bits is their exclusive or
}

// Add returns the code of the sum.
func (m Integers) Add(a, b []uint64, c uint64) uint64 {
	sum := integer(m.C, c)
	for i := range a {
		x, y := integer(m.A, a[i]), integer(m.B, b[i])
		if m.Xor {
			sum += x ^ y
		} else {
			sum += x * y
		}
	}
	return m.end(sum)
}

// end returns the code of a sum.
func (m Integers) end(sum int64) uint64 {
	if m.Saturate {
		sum = min(max(sum, math.MinInt32), math.MaxInt32)
	}
	return uint64(uint32(sum))
}

// integer returns the value of a code; raw bits are their own value.
func integer(t dtype.Type, code uint64) int64 {
	if t.Kind() == dtype.Signed {
		n := 64 - t.Bits()
		return int64(code<<n) >> n
	}
	return int64(code)
}

// String returns the model in words.
func (m Integers) String() string {
	if m.Saturate {
		return "exact, ends at the limits of s32"
	}
	return "exact, wraps around"
}

// String returns the model in words.
func (m Fused) String() string {
	s := strconv.Itoa(m.Together) + " products at once, cut off " + strconv.Itoa(m.Below) + " bits below the largest, "
	if m.Nearest {
		return s + "rounded to the nearest " + m.C.String()
	}
	return s + "cut off to " + strconv.Itoa(m.Fraction) + " bits behind the point"
}
