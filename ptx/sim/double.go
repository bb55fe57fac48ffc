package sim

import (
	"math"
	"math/big"
)

// This file has arithmetic on .f64. Go rounds to nearest even; for other roundings the exact result decides.

// doubleOps returns an operation on codes of .f64.
func doubleOps(o *opcode, mode rounding) floatOps {
	rounded := mode != unstated
	val := math.Float64frombits
	const sign = 1 << 63
	approx := o.has("approx")
	ftz := o.has("ftz")
	two := func(near func(x, y float64) float64, exact func(x, y, near float64) *big.Float) floatOps {
		return floatOps{op2: func(p, q uint64) uint64 {
			x, y := val(p), val(q)
			n := near(x, y)
			n = directed64(n, mode, func() *big.Float {
				if !finite(x, y) {
					return nil
				}
				return exact(x, y, n)
			})
			if o.name == "div" {
				return nan64(n, p, q)
			}
			return nan64(n, q, p)
		}}
	}
	switch o.name {
	case "add":
		return two(func(x, y float64) float64 { return mode.zero(x+y, x, y) }, exactSum)
	case "sub":
		return two(func(x, y float64) float64 { return mode.zero(x-y, x, -y) }, func(x, y, near float64) *big.Float {
			return exactSum(x, -y, near)
		})
	case "mul":
		return two(func(x, y float64) float64 { return x * y }, func(x, y, _ float64) *big.Float {
			return new(big.Float).SetPrec(exactPrec).Mul(exactly(x), exactly(y))
		})
	case "div":
		if !rounded {
			return floatOps{}
		}
		return two(func(x, y float64) float64 { return x / y }, quotient)
	case "fma", "mad":
		if !rounded {
			return floatOps{}
		}
		return floatOps{op3: func(p, q, r uint64) uint64 {
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
		}}
	case "min", "max":
		name := o.name
		return floatOps{op2: func(p, q uint64) uint64 {
			x, y := val(p), val(q)
			switch {
			case x != x && y != y:
				return nan64(y, q)
			case x != x:
				return q
			case y != y:
				return p
			}
			if less := x < y || x == y && p&sign != 0; less == (name == "min") {
				return p
			}
			return q
		}}
	case "neg", "abs": // an H100 only makes a NaN quiet
		return floatOps{op1: func(x uint64) uint64 {
			switch v := val(x); {
			case v != v:
				return nan64(v, x)
			case o.name == "neg":
				return x ^ sign
			}
			return x &^ sign
		}}
	case "copysign":
		return floatOps{op2: func(x, y uint64) uint64 { return x&sign | y&^sign }}
	case "rcp", "sqrt", "rsqrt":
		switch {
		case approx && ftz:
			return grossRoots(o)
		case approx != (o.name == "rsqrt"):
			return floatOps{}
		}
		return doubleRoots(o, mode)
	}
	return floatOps{}
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

// nan64 returns the code of r. If r is NaN, it is the first NaN among the operands, made quiet, or the NaN that
// operations return.
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
