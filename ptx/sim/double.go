package sim

import (
	"math"
	"math/big"
)

// This file implements arithmetic on .f64. Go rounds to nearest even; other roundings use the exact result too.

// doubleOps returns an operation on codes of .f64.
func doubleOps(o *opcode, mode rounding) floatOps {
	rounded := mode != unstated
	approx, ftz := o.has("approx"), o.has("ftz")
	switch o.name {
	case "add", "sub", "mul":
		return doubleArithmetic(o.name, mode)
	case "div":
		if rounded {
			return doubleArithmetic(o.name, mode)
		}
	case "fma", "mad":
		if rounded {
			return floatOps{op3: doubleFMA(mode)}
		}
	case "min", "max":
		return floatOps{op2: doubleMinMax(o.name)}
	case "neg", "abs", "copysign":
		return doubleSign(o.name)
	case "rcp", "sqrt", "rsqrt":
		switch {
		case approx && ftz:
			return grossRoots(o)
		case approx == (o.name == "rsqrt"):
			return doubleRoots(o, mode)
		}
	}
	return floatOps{}
}

// doubleArithmetic returns add, sub, mul or div of .f64. near is rounded to nearest; for other roundings, exact is on
// the same side of near as the exact result.
func doubleArithmetic(name string, mode rounding) floatOps {
	var near func(x, y float64) float64
	var exact func(x, y, near float64) *big.Float
	switch name {
	case "add":
		near, exact = func(x, y float64) float64 { return mode.zero(x+y, x, y) }, exactSum
	case "sub":
		near = func(x, y float64) float64 { return mode.zero(x-y, x, -y) }
		exact = func(x, y, near float64) *big.Float { return exactSum(x, -y, near) }
	case "mul":
		near = func(x, y float64) float64 { return x * y }
		exact = func(x, y, _ float64) *big.Float {
			return new(big.Float).SetPrec(exactPrec).Mul(exactly(x), exactly(y))
		}
	case "div":
		near, exact = func(x, y float64) float64 { return x / y }, quotient
	}
	return floatOps{op2: func(p, q uint64) uint64 {
		x, y := math.Float64frombits(p), math.Float64frombits(q)
		n := near(x, y)
		n = directed64(n, mode, func() *big.Float {
			if !finite(x, y) {
				return nil
			}
			return exact(x, y, n)
		})
		if name == "div" {
			return nan64(n, p, q)
		}
		return nan64(n, q, p)
	}}
}

// doubleFMA returns fma of .f64, rounded by mode.
func doubleFMA(mode rounding) func(p, q, r uint64) uint64 {
	val := math.Float64frombits
	return func(p, q, r uint64) uint64 {
		x, y, z := val(p), val(q), val(r)
		exact := func() *big.Float {
			if !finite(x, y, z) {
				return nil
			}
			v := new(big.Float).SetPrec(exactPrec).Mul(exactly(x), exactly(y))
			return v.Add(v, exactly(z))
		}
		n := directed64(math.FMA(x, y, z), mode, exact)
		if n == 0 && exact().Sign() == 0 {
			n = mode.zero(n, x*y, z)
		}
		return nan64(n, q, r, p)
	}
}

// doubleMinMax returns min or max of .f64: a number wins over NaN, and -0 is less than +0.
//
//go:noinline
func doubleMinMax(name string) func(p, q uint64) uint64 {
	return func(p, q uint64) uint64 {
		x, y := math.Float64frombits(p), math.Float64frombits(q)
		switch {
		case x != x && y != y:
			return nan64(y, q)
		case x != x:
			return q
		case y != y:
			return p
		}
		if less := x < y || x == y && p&doubleSignBit != 0; less == (name == "min") {
			return p
		}
		return q
	}
}

const doubleSignBit = 1 << 63

// doubleSign returns neg, abs or copysign of .f64.
//
//go:noinline
func doubleSign(name string) floatOps {
	if name == "copysign" {
		return floatOps{op2: func(x, y uint64) uint64 { return x&doubleSignBit | y&^doubleSignBit }}
	}
	return floatOps{op1: func(x uint64) uint64 {
		switch v := math.Float64frombits(x); {
		case v != v: // an H100 only makes the NaN quiet
			return nan64(v, x)
		case name == "neg":
			return x ^ doubleSignBit
		}
		return x &^ doubleSignBit
	}}
}

// grossRoots returns rcp and rsqrt of .f64 with .approx.ftz, which read and return only the upper 32 bits (PTX ISA
// 9.7.3.13, 9.7.3.17).
func grossRoots(o *opcode) floatOps {
	fn := transcendental(o.name)
	return floatOps{op1: func(p uint64) uint64 {
		p &^= 0xffffffff
		if p>>52&0x7ff == 0 {
			p &= 1 << 63
		}
		r := math.Float64bits(fn(math.Float64frombits(p))) &^ 0xffffffff
		if r>>52&0x7ff == 0 {
			r &= 1 << 63
		}
		if v := math.Float64frombits(r); v != v {
			return 0x7fffffff00000000
		}
		return r
	}}
}

// doubleRoots returns rcp and sqrt of .f64, and rsqrt, which PTX has as .approx only.
func doubleRoots(o *opcode, mode rounding) floatOps {
	val := math.Float64frombits
	switch o.name {
	case "rsqrt":
		return floatOps{op1: func(p uint64) uint64 { return nan64(1/math.Sqrt(val(p)), p) }}
	case "rcp":
		return floatOps{op1: func(p uint64) uint64 {
			x := val(p)
			n := 1 / x
			return nan64(directed64(n, mode, func() *big.Float {
				if !finite(x) || x == 0 {
					return nil
				}
				return quotient(1, x, n)
			}), p)
		}}
	case "sqrt":
		return floatOps{op1: func(p uint64) uint64 {
			x := val(p)
			n := math.Sqrt(x)
			return nan64(directed64(n, mode, func() *big.Float {
				if !finite(x, n) || x == 0 {
					return nil
				}
				return new(big.Float).SetPrec(400).Sqrt(exactly(x).SetPrec(400))
			}), p)
		}}
	}
	return floatOps{}
}

func exactSum(x, y, _ float64) *big.Float {
	return new(big.Float).SetPrec(exactPrec).Add(exactly(x), exactly(y))
}

// quotient returns a number on the same side of near as x / y.
func quotient(x, y, near float64) *big.Float {
	if y == 0 || !finite(near) {
		if y == 0 {
			return nil
		}
		return exactly(near)
	}
	// A quotient of two float64 that is not a float64 differs from every float64 by more than 2^-200 of its size.
	return new(big.Float).SetPrec(400).Quo(exactly(x).SetPrec(400), exactly(y).SetPrec(400))
}

// nan64 returns the code of r. If r is NaN, the result is the first NaN among the operands, made quiet, or the NaN that
// operations return if no operand is NaN.
func nan64(r float64, operands ...uint64) uint64 {
	if r == r {
		return math.Float64bits(r)
	}
	for _, x := range operands {
		if v := math.Float64frombits(x); v != v {
			return x | 1<<51
		}
	}
	return 0xfff8000000000000
}
