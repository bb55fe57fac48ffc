package dtype

import (
	"math"
	"math/big"
	"testing"
)

// This file finds the code of a number by comparing the number with the value of every code.

// small returns the types with few enough codes to try them all.
func small() []Type {
	var ts []Type
	for _, t := range All() {
		if t.Kind() != Raw && t.Bits() <= 16 {
			ts = append(ts, t)
		}
	}
	return ts
}

// codes returns the number of codes of a small type.
func (t Type) codes() uint64 { return 1 << t.width() }

// decodes returns the value of every code of a small type.
func decodes(t *testing.T, typ Type) []float64 {
	t.Helper()
	values := make([]float64, typ.codes())
	for c := range values {
		x, err := typ.Decode(uint64(c))
		if err != nil {
			t.Fatalf("%v: Decode(%#x): %v", typ, c, err)
		}
		values[c] = x
	}
	return values
}

// nearest returns, by exact distances, the code of the finite value nearest to x, and the even code if two are equally
// near. A zero has the sign of x.
func nearest(values []float64, x float64) uint64 {
	best, at := new(big.Float), -1
	for c, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		d := new(big.Float).SetPrec(2200).SetFloat64(x)
		d.Sub(d, new(big.Float).SetPrec(2200).SetFloat64(v)).Abs(d)
		order := -1
		if at >= 0 {
			order = d.Cmp(best)
		}
		sameZero := v == 0 && values[max(at, 0)] == 0 && math.Signbit(v) == math.Signbit(x)
		if order < 0 || order == 0 && (sameZero || values[at] != v && c%2 == 0) {
			best, at = d, c
		}
	}
	return uint64(at)
}
