package dot

import (
	"math/bits"

	"girih/dtype"
)

// Fused adds floats as tensor cores do: the exact products of a step and the previous sum. Each term is cut off,
// towards zero, Below bits under the largest place of the terms; the rest is added as integers.
//
// The place of a number is the exponent of its leading bit; for a subnormal number, the smallest exponent of its type.
// The place of a product is the sum of the places of its factors: the product of two significands may be almost 4, but
// that does not raise its place. Terms that are 0 have no place.
type Fused struct {
	A, B, C dtype.Type
	// Together is the number of products added in a step, in the order of k.
	Together int
	// Below is the number of bits of a term that are kept below the largest place.
	Below int
	// Fraction is the number of bits of the significand that the sum of a step keeps, without the leading one: 23 for
	// f32.
	Fraction int
	// Nearest says that the sum of a step is rounded to the nearest, ties to even, instead of towards zero.
	Nearest bool
}

// A term is (-1)^negative · significand · 2^exponent.
type term struct {
	negative    bool
	significand uint64
	exponent    int
	place       int
}

// A format is how a type encodes a number.
type format struct {
	exponent, mantissa int // bits
	unused             int // low bits of the code that are ignored
	infinity           bool
}

func formatOf(t dtype.Type) format {
	switch t {
	case dtype.F16:
		return format{5, 10, 0, true}
	case dtype.BF16:
		return format{8, 7, 0, true}
	case dtype.TF32:
		return format{8, 10, 13, true}
	case dtype.E5M2:
		return format{5, 2, 0, true}
	case dtype.E4M3:
		return format{4, 3, 0, false}
	}
	return format{8, 23, 0, true}
}

func (f format) bias() int { return 1<<(f.exponent-1) - 1 }

// A class is the kind of a code: a number, infinity or NaN.
type class uint8

const (
	number class = iota
	infinity
	nan
)

// read splits a code into its parts.
func (f format) read(code uint64) (term, class) {
	code >>= f.unused
	t := term{negative: code>>(f.mantissa+f.exponent)&1 == 1, significand: code & (1<<f.mantissa - 1)}
	exponent := int(code >> f.mantissa & (1<<f.exponent - 1))
	if exponent == 1<<f.exponent-1 {
		switch {
		case f.infinity && t.significand == 0:
			return t, infinity
		case f.infinity, t.significand == 1<<f.mantissa-1:
			return t, nan
		}
	}
	if exponent > 0 {
		t.significand |= 1 << f.mantissa
	}
	t.place = max(exponent, 1) - f.bias()
	t.exponent = t.place - f.mantissa
	return t, number
}

// write returns the code of a number whose bits fit in the type, or of infinity if it is too large.
func (f format) write(t term) uint64 {
	sign := uint64(0)
	if t.negative {
		sign = 1 << (f.mantissa + f.exponent)
	}
	if t.significand == 0 {
		return sign
	}
	exponent := t.exponent + bits.Len64(t.significand) - 1 + f.bias()
	if exponent >= 1<<f.exponent-1 {
		return sign | f.infinite()
	}
	least := 1 - f.bias() - f.mantissa // the exponent of the last bit of subnormal numbers
	if exponent <= 0 {
		return sign | shift(t.significand, t.exponent-least)
	}
	return sign | uint64(exponent)<<f.mantissa | shift(t.significand, f.mantissa+1-bits.Len64(t.significand))&
		(1<<f.mantissa-1)
}

func (f format) infinite() uint64 { return (1<<f.exponent - 1) << f.mantissa }

// The NaN of tensor cores has all bits except the sign.
func (f format) nan() uint64 { return 1<<(f.mantissa+f.exponent) - 1 }

// shift shifts to the left by n bits, or to the right if n is negative.
func shift(x uint64, n int) uint64 {
	if n < 0 {
		return x >> min(-n, 64)
	}
	return x << n
}

// Add returns the code of c + a[0]·b[0] + a[1]·b[1] + ..., as the instruction adds it.
func (m Fused) Add(a, b []uint64, c uint64) uint64 {
	for len(a) > 0 {
		n := min(m.Together, len(a))
		c = m.step(a[:n], b[:n], c)
		a, b = a[n:], b[n:]
	}
	return c
}

// In a Mixed sum C has one type and D another, such as for wmma on halves: C is converted to the type of the sum, and
// the result is rounded to the nearest D.
type Mixed struct {
	Sum  Fused
	C, D dtype.Type
}

// Add returns the code of the sum.
func (m Mixed) Add(a, b []uint64, c uint64) uint64 {
	return convert(m.Sum.C, m.D, m.Sum.Add(a, b, convert(m.C, m.Sum.C, c)))
}

// String returns the model in words.
func (m Mixed) String() string {
	return m.Sum.String() + "; from " + m.C.String() + " and to the nearest " + m.D.String()
}

// most limits the products of a step.
const most = 64

// step adds the products of one step.
func (m Fused) step(a, b []uint64, c uint64) uint64 {
	fa, fb, fc := formatOf(m.A), formatOf(m.B), formatOf(m.C)
	var buffer [most + 1]term
	terms := buffer[:0]
	var special specials
	for i := range a {
		x, kx := fa.read(a[i])
		y, ky := fb.read(b[i])
		p := term{x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent, x.place + y.place}
		switch {
		case kx == nan || ky == nan,
			kx == infinity && ky == number && y.significand == 0, ky == infinity && kx == number && x.significand == 0:
			special.add(nan, p)
		case kx == infinity || ky == infinity:
			special.add(infinity, p)
		}
		terms = append(terms, p)
	}
	t, k := fc.read(c)
	special.add(k, t)
	terms = append(terms, t)
	switch special.sum {
	case nan:
		return fc.nan()
	case infinity:
		return fc.write(term{negative: special.negative, significand: 1, exponent: 1 << fc.exponent})
	}
	return fc.write(m.round(fc, sum(terms, m.Below)))
}

// A specials is the class of a sum (number, infinity or NaN), derived from the classes of its terms. Infinities of both
// signs give a NaN.
type specials struct {
	sum      class
	negative bool // the infinity is negative
}

// add adds a term of class k.
func (s *specials) add(k class, t term) {
	switch {
	case k == nan, s.sum == infinity && k == infinity && t.negative != s.negative:
		s.sum = nan
	case k == infinity && s.sum == number:
		s.sum, s.negative = infinity, t.negative
	}
}

// sum adds terms, each cut off at below bits under the largest place of the terms.
func sum(terms []term, below int) term {
	place, any := 0, false
	for _, t := range terms {
		if t.significand != 0 && (!any || t.place > place) {
			place, any = t.place, true
		}
	}
	if !any {
		return term{}
	}
	total := int64(0)
	for _, t := range terms {
		x := int64(shift(t.significand, t.exponent-place+below))
		if t.negative {
			x = -x
		}
		total += x
	}
	if total < 0 {
		return term{negative: true, significand: uint64(-total), exponent: place - below}
	}
	return term{significand: uint64(total), exponent: place - below}
}

// round rounds t to the bits of the fraction that m keeps, or to fewer bits if the result is subnormal.
func (m Fused) round(f format, t term) term {
	drop := max(bits.Len64(t.significand)-1-m.Fraction, 1-f.bias()-m.Fraction-t.exponent)
	if drop <= 0 {
		return t
	}
	kept := shift(t.significand, -drop)
	if m.Nearest && drop <= 64 {
		rest, half := t.significand-shift(kept, drop), shift(1, drop-1)
		if rest > half || rest == half && kept&1 == 1 {
			kept++
		}
	}
	return term{t.negative, kept, t.exponent + drop, 0}
}
