package dot

import (
	"math"
	"math/big"
)

// A Rounding is how doubles are rounded: .rn, .rz, .rm and .rp of PTX.
type Rounding uint8

// The roundings.
const (
	Nearest Rounding = iota // to the nearest number; ties to the even one
	Zero                    // towards zero
	Down                    // towards negative infinity
	Up                      // towards positive infinity
)

// String returns "to the nearest", "towards zero", "down to" or "up to".
func (r Rounding) String() string {
	return [...]string{"to the nearest", "towards zero", "down to", "up to"}[r&3]
}

// fma returns x·y + z, given its value rounded to the nearest: that value, or the adjacent double on the other side of
// the exact value.
func (r Rounding) fma(x, y, z, nearest float64) float64 {
	if math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0) {
		return nearest
	}
	exact := new(big.Float).SetPrec(4400).SetFloat64(x) // enough for any sum of doubles and products of two
	exact.Mul(exact, big.NewFloat(y))
	product := exact.Sign()
	exact.Add(exact, big.NewFloat(z))
	if exact.Sign() == 0 {
		// The sign of a sum of opposites depends on the rounding.
		if r == Down && (product != 0 || math.Signbit(z) != (math.Signbit(x) != math.Signbit(y))) {
			return math.Copysign(0, -1)
		}
		return nearest
	}
	rest := exact.Cmp(new(big.Float).SetFloat64(nearest)) // the sign of the exact value minus the nearest one
	towards := math.Inf(rest)
	switch {
	case rest == 0,
		r == Up && rest < 0, r == Down && rest > 0,
		r == Zero && rest == exact.Sign():
		return nearest
	}
	return math.Nextafter(nearest, towards)
}
