package address

import (
	"math"
	"math/bits"

	"girih/internal/ints"
	"girih/ptx"
)

// quotient32 computes the lowest 32 bits of ⌊x/n⌋.
func (c *Code) quotient32(at target, x Expr, n int64) ptx.Operand {
	if !x.s.fits32() {
		r := c.quotient64(target{valueKey{at.key.x, at.key.a, 64}, at.level}, x, n)
		return c.let(at, "cvt.u32.u64", r)
	}
	r := c.value32(x)
	if powerOfTwo(n) {
		if x.s.lo < 0 {
			return c.let(at, "shr.s32", r, ptx.Int(log(n)))
		}
		return c.let(at, "shr.u32", r, ptx.Int(log(n)))
	}
	if x.s.lo < 0 { // ⌊x/n⌋ = ⌊(x+q·n)/n⌋ - q
		q := -ints.FloorDiv(x.s.lo, n)
		up := c.s.Add(x, c.s.Const(q*n))
		return c.let(at, "add.s32", c.quotient32(c.scratch(at, up, n), up, n), ptx.Int(-q))
	}
	if n > math.MaxUint32 {
		return ptx.Int(0)
	}
	if m, shift, ok := reciprocal(n, x.s.hi); ok {
		o := ptx.Op("mul.lo.u32")
		if shift >= 32 {
			o, shift = "mul.hi.u32", shift-32
		}
		if shift == 0 {
			return c.let(at, o, r, ptx.Int(int32(m)))
		}
		p := c.let(target{valueKey{a: c.reciprocalKey(x, n), bits: 32}, at.level}, o, r, ptx.Int(int32(m)))
		return c.let(at, "shr.u32", p, ptx.Int(shift))
	}
	return c.let(at, "div.u32", r, ptx.Int(int32(n)))
}

// scratch returns the target for the quotient of a number that is not a canonical expression.
func (c *Code) scratch(at target, x Expr, n int64) target {
	return target{valueKey{a: c.reciprocalKey(x, -n), bits: at.key.bits}, at.level}
}

// reciprocalKey returns the atom that identifies a step of the division of x by n in a [valueKey].
func (c *Code) reciprocalKey(x Expr, n int64) *atom {
	return c.s.register(atom{op: opSum, x: x.s, width: -1}, source{a: c.s.nothing(), n: n})
}

// nothing returns an atom that is part of keys.
func (s *Space) nothing() *atom { return s.register(atom{op: opProduct, width: -1}) }

// reciprocal returns m and s with ⌊x/n⌋ = ⌊x·m/2^s⌋ for all x from 0 to hi, where x·m fits in 32 bits, or s is at least
// 32 and m fits.
//
// Proof: with m = ⌈2^s/n⌉ and e = m·n - 2^s, x·m/2^s = x/n + x·e/(n·2^s). The fraction of x/n is at most (n-1)/n, so
// that the floor is the same if x·e < 2^s.
func reciprocal(n, hi int64) (m int64, shift int, ok bool) {
	for s := bits.Len64(uint64(n)) - 1; s < 63; s++ {
		m := (int64(1)<<s-1)/n + 1
		e := m*n - 1<<s
		errs, fits := ints.Mul(hi, e)
		if !fits || errs >= 1<<s {
			continue
		}
		product, fits := ints.Mul(hi, m)
		if fits && product <= math.MaxUint32 && s < 32 || s >= 32 && m <= math.MaxUint32 {
			return m, s, true
		}
	}
	return 0, 0, false
}
