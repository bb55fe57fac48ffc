package address

import "girih/internal/ints"

// A Term is a part of a sum: a constant multiple of a quotient. Equal terms of one [Space] are equal as Go values.
type Term struct{ t term }

// Terms yields the terms of x: x is their sum and the constant.
func (x Expr) Terms(yield func(Term) bool) {
	for _, t := range x.s.terms {
		if !yield(Term{t}) {
			return
		}
	}
}

// Base returns x without its constant, and the constant. Unlike [Space.Constant] it needs no Space.
func (x Expr) Base() (base Expr, k int64) { return Expr{x.s.base}, x.s.k }

// At returns the value of the term, with the errors of [Expr.At].
func (t Term) At(v Values) (int64, error) {
	e := evaluation{values: v}
	if t.t.a.depth > 2 {
		e.known = map[*atom]int64{}
	}
	y := t.t.c * ints.FloorDiv(e.atom(t.t.a), t.t.n)
	return y, e.err
}

// Range returns bounds of the term. They are finite, but may exceed what its symbols allow.
func (t Term) Range() (lo, hi int64, ok bool) {
	lo, hi = t.t.a.span(t.t.n)
	if t.t.c < 0 {
		lo, hi = hi, lo
	}
	lo, ok = ints.Mul(lo, t.t.c)
	hi, ok2 := ints.Mul(hi, t.t.c)
	return lo, hi, ok && ok2
}

// Symbols calls f once for each symbol in the term.
func (t Term) Symbols(f func(*Symbol)) { t.t.a.symbols(map[*atom]bool{}, f) }

// RoundsNegative reports whether x contains a division whose dividend may be negative, which rounds down here and
// towards zero in C.
func (x Expr) RoundsNegative() bool { return x.s.roundsNegative() }

func (x *sum) roundsNegative() bool {
	for _, p := range x.places {
		if divides := p.divisor() > 1 || p.isReduced(); divides && p.a.lo < 0 || p.a.roundsNegative() {
			return true
		}
	}
	return false
}

func (a *atom) roundsNegative() bool {
	if a.op == opSum && a.x.roundsNegative() {
		return true
	}
	for _, f := range a.args {
		if f.n > 1 && f.a.lo < 0 || f.a.roundsNegative() {
			return true
		}
	}
	return false
}
