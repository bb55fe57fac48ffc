package python

import (
	"math"
	"math/big"
)

// This file computes exp, log and powers of floats with bigPrec bits, and rounds once: the result is the float nearest
// to the true value, unless that is within 2^-60 of the middle between two floats.

const bigPrec = 160

// power returns a ** b by the rules of IEEE 754 for infinities, zeros and nan.
func power(a, b float64) float64 {
	r := math.Pow(a, b)
	if r == 0 && a != 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a) != 1 {
		return r // smaller than every float
	}
	if math.IsInf(r, 0) || r != r || r == 0 || r == 1 || a == 0 || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return r
	}
	y := bigLog(new(big.Float).SetPrec(bigPrec).SetFloat64(math.Abs(a)))
	y.Mul(y, new(big.Float).SetPrec(bigPrec).SetFloat64(b))
	var f float64
	if n := math.Abs(b); n == math.Trunc(n) && n <= 64 {
		f = intPowerOf(math.Abs(a), int(b))
	} else {
		f, _ = bigExp(y).Float64()
	}
	return math.Copysign(f, r)
}

// intPowerOf returns a ** n for |n| <= 64, from the exact product.
func intPowerOf(a float64, n int) float64 {
	const prec = 53 * 64
	x, one := new(big.Float).SetPrec(prec).SetFloat64(1), new(big.Float).SetPrec(prec).SetFloat64(1)
	for range max(n, -n) {
		x.Mul(x, new(big.Float).SetFloat64(a))
	}
	if n < 0 {
		x.Quo(one, x)
	}
	f, _ := x.Float64()
	return f
}

// exactly returns f(x), rounded once.
func exactly(x float64, f func(*big.Float) *big.Float) float64 {
	if rough := math.Exp(x); rough == 0 || math.IsInf(rough, 0) || rough != rough || x == 0 {
		return rough
	}
	y, _ := f(new(big.Float).SetPrec(bigPrec).SetFloat64(x)).Float64()
	return y
}

// bigExp returns e ** x for |x| < 1024: the series of x / 2^40, squared 40 times.
func bigExp(x *big.Float) *big.Float {
	const halvings = 40
	prec := uint(bigPrec + 2*halvings)
	small := new(big.Float).SetPrec(prec).SetMantExp(x, -halvings)
	sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
	for n := int64(1); n < 12; n++ {
		term.Mul(term, small)
		term.Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns the natural logarithm of x > 0: of its mantissa by the series of atanh, and of its power of two.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float).SetPrec(bigPrec + 64)
	exp := x.MantExp(m) // x = m 2^exp, 1/2 <= m < 1
	if f, _ := m.Float64(); f < math.Sqrt2/2 {
		m.SetMantExp(m, 1)
		exp--
	}
	sum := atanhSeries(m)
	two := atanhSeries(big.NewFloat(2).SetPrec(bigPrec + 64))
	return sum.Add(sum, two.Mul(two, new(big.Float).SetInt64(int64(exp))))
}

// atanhSeries returns log(m) = 2 atanh(z) = 2 (z + z^3/3 + z^5/5 + ...) with z = (m-1)/(m+1).
func atanhSeries(m *big.Float) *big.Float {
	one := big.NewFloat(1).SetPrec(m.Prec())
	z := new(big.Float).Quo(new(big.Float).Sub(m, one), new(big.Float).Add(m, one))
	square := new(big.Float).Mul(z, z)
	sum := new(big.Float).Copy(z)
	for n := int64(3); n < 200; n += 2 {
		z.Mul(z, square)
		sum.Add(sum, new(big.Float).Quo(z, new(big.Float).SetPrec(m.Prec()).SetInt64(n)))
	}
	return sum.Mul(sum, big.NewFloat(2))
}
