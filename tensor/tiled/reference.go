package tiled

import (
	"math"
	"math/big"

	"girih/atom"
	"girih/dtype"
)

// This file implements the reference order, for instructions that were not measured on any card.

// A summer adds products to a number, all as codes. Every dot.Model is one.
type summer interface {
	Add(a, b []uint64, c uint64) uint64
	String() string
}

// referenceOf returns the reference order for the elements, or nil if there is none: the type of C must be a usual one,
// and sums of floats cannot be integers.
func referenceOf(t atom.Types) summer {
	a, b, c := t.A.Type, t.B.Type, t.C.Type
	for _, x := range []dtype.Type{a, b, c} {
		if x.Kind() == dtype.Raw || x.Kind() == 0 {
			return nil
		}
	}
	switch c {
	case dtype.F64, dtype.F32, dtype.F16, dtype.BF16:
		if wide(a) || wide(b) {
			return nil
		}
		short := significand(a)+significand(b) <= 53
		return multiplyAdds{a, b, c, short}
	}
	if c.Kind() == dtype.Float || a.Kind() == dtype.Float || b.Kind() == dtype.Float {
		return nil
	}
	return wrapping{a, b, c}
}

// wide reports whether a type has integers that a float64 cannot hold.
func wide(t dtype.Type) bool { return t.Kind() != dtype.Float && t.Bits() > 53 }

// significand returns an upper bound of the significant bits of a type's numbers.
func significand(t dtype.Type) int {
	switch t {
	case dtype.F64:
		return 53
	case dtype.F32, dtype.TF32:
		return 24
	}
	return t.Bits()
}

// multiplyAdds is the reference order of numbers: multiply-adds in the order of k, starting from C, each rounded once
// to the type of C, to the nearest, ties to even.
type multiplyAdds struct {
	a, b, c dtype.Type
	short   bool // products are exact in float64
}

// String returns the order in words.
func (m multiplyAdds) String() string {
	return "one product after the other, each rounded to the nearest " + m.c.String()
}

// Add returns the code of the sum.
func (m multiplyAdds) Add(a, b []uint64, c uint64) uint64 {
	for i := range a {
		x, y, z := value(m.a, a[i]), value(m.b, b[i]), value(m.c, c)
		c = code(m.c, m.one(x, y, z))
	}
	return c
}

// one returns x·y + z, rounded so that the later rounding to the type of C is right.
func (m multiplyAdds) one(x, y, z float64) float64 {
	nearest := math.FMA(x, y, z)
	if m.c == dtype.F64 || nearest-nearest != 0 {
		return nearest
	}
	// It rounds to odd: if 53 bits cannot hold the sum, the last bit is 1, so that no inexact sum seems to be halfway
	// between two results.
	rest := 0
	if m.short {
		p := x * y
		v := nearest - p
		e := (p - (nearest - v)) + (z - v)
		switch {
		case e > 0:
			rest = 1
		case e < 0:
			rest = -1
		}
	} else {
		exact := new(big.Float).SetPrec(4400).SetFloat64(x) // enough for any sum of a double and a product of two
		exact.Mul(exact, big.NewFloat(y))
		exact.Add(exact, big.NewFloat(z))
		rest = exact.Cmp(big.NewFloat(nearest))
	}
	bits := math.Float64bits(nearest)
	if rest == 0 || bits&1 == 1 {
		return nearest
	}
	if (rest > 0) == (nearest > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}

// value returns the value of a code, NaN for invalid codes.
func value(t dtype.Type, code uint64) float64 {
	x, err := t.Decode(code)
	if err != nil {
		return math.NaN()
	}
	return x
}

// code returns the code of a number in a type that has infinities and NaN.
func code(t dtype.Type, x float64) uint64 {
	c, err := t.Encode(x)
	if err != nil {
		return 0 // the types of referenceOf encode every float64
	}
	return c
}

// wrapping is the exact sum of integers, modulo the width of C.
type wrapping struct{ a, b, c dtype.Type }

// String returns the order in words.
func (wrapping) String() string { return "exact, wraps around" }

// Add returns the code of the sum.
func (m wrapping) Add(a, b []uint64, c uint64) uint64 {
	for i := range a {
		c += whole(m.a, a[i]) * whole(m.b, b[i])
	}
	return c & (math.MaxUint64 >> (64 - m.c.Bits()))
}

// whole returns the integer of a code, modulo 2^64.
func whole(t dtype.Type, code uint64) uint64 {
	if n := 64 - t.Bits(); t.Kind() == dtype.Signed {
		return uint64(int64(code<<n) >> n)
	}
	return code
}
