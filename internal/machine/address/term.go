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

// Dividends returns the least and the greatest value of all numbers that x divides, or of 0 if there is none. Divisions
// round down here and towards zero in C, and a dividend may be larger than x.
func (x Expr) Dividends() (lo, hi int64) {
	x.s.dividends(func(a *atom) { lo, hi = min(lo, a.lo), max(hi, a.hi) })
	return lo, hi
}

// dividends calls f for each number that is divided.
func (x *sum) dividends(f func(*atom)) {
	for _, p := range x.places {
		if p.divisor() > 1 || p.isReduced() {
			f(p.a)
		}
		p.a.dividends(f)
	}
}

func (a *atom) dividends(f func(*atom)) {
	if a.op == opSum {
		a.x.dividends(f)
	}
	for _, s := range a.args {
		if s.n > 1 {
			f(s.a)
		}
		s.a.dividends(f)
	}
}
