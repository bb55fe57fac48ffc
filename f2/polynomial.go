package f2

import "math/bits"

// This file multiplies and divides vectors as polynomials: component i is the coefficient of x^i. This is the
// multiplication without carries of F2 strides, in which 2^k still shifts by k.

// Mul returns the product without carries. It returns an [*Error] if it has more than 64 components.
func (v Vector) Mul(w Vector) (Vector, error) {
	if v != 0 && w != 0 && v.Len()+w.Len()-1 > MaxRows {
		return 0, failf("mul", "expected a product of at most %d components, found %d from %d and %d", MaxRows,
			v.Len()+w.Len()-1, v, w)
	}
	var p Vector
	for x := w; x != 0; x &= x - 1 {
		p ^= v << bits.TrailingZeros64(uint64(x))
	}
	return p, nil
}

// DivMod returns the q and r with v = q·w + r, r of lower degree than w. It returns an [*Error] for w = 0.
func (v Vector) DivMod(w Vector) (q, r Vector, err error) {
	if w == 0 {
		return 0, 0, failf("divmod", "expected a divisor that is not 0, found %d by 0", v)
	}
	r = v
	for r.Len() >= w.Len() {
		k := r.Len() - w.Len()
		q |= 1 << k
		r ^= w << k
	}
	return q, r, nil
}
