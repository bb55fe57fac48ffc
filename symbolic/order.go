package symbolic

import (
	"math"
	"slices"

	"girih/internal/ints"
)

// A verdict is what the facts say about a condition.
type verdict int

const (
	unknown verdict = iota
	yes             // the condition holds for all values that the facts admit
	no              // the condition holds for none of these values
)

// not returns the verdict about the opposite.
func (v verdict) not() verdict {
	switch v {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

// A span is a range of integers; [math.MinInt64] and [math.MaxInt64] mean no bound.
type span struct{ lo, hi int64 }

var anywhere = span{math.MinInt64, math.MaxInt64}

func (s span) hasLo() bool { return s.lo != math.MinInt64 }
func (s span) hasHi() bool { return s.hi != math.MaxInt64 }

// atMost says whether x ≤ y.
func atMost(x, y Int) verdict {
	if len(x.terms) == 0 && len(y.terms) == 0 {
		if x.k <= y.k {
			return yes
		}
		return no
	}
	if x.size()+y.size() > maxCompared || x.over() != nil || y.over() != nil {
		return unknown
	}
	var c calc
	d := c.sub(y, x)
	if c.err != nil {
		return unknown
	}
	if atLeast(d, 0, 3) {
		return yes
	}
	if minus := c.scale(d, -1); c.err == nil && atLeast(minus, 1, 3) {
		return no
	}
	return unknown
}

// atLeast reports whether x is known to be at least least. It uses the ranges of the terms, and replaces functions by
// their bounds, up to the given number of times.
func atLeast(x Int, least int64, depth int) bool {
	if r := bounds(x); r.hasLo() && r.lo >= least || isShifted(x, least) {
		return true
	}
	if depth == 0 || x.over() != nil {
		return false
	}
	for i, t := range x.terms {
		for j, a := range t.m.atoms {
			for _, y := range t.below(a, j) {
				var c calc
				rest := Int{k: x.k, terms: slices.Concat(x.terms[:i], x.terms[i+1:])}
				if sum := c.add(rest, y); c.err == nil && atLeast(sum, least, depth-1) {
					return true
				}
			}
		}
	}
	return false
}

// below returns lower bounds of the term. Atom j, a function, is replaced: a minimum by either argument, a quotient by
// its dividend. The other atoms must not be negative.
func (t term) below(a *atom, j int) []Int {
	if a.op != opMin && a.op != opCeil && a.op != opFloor {
		return nil
	}
	var c calc
	rest, ok := c.otherAtoms(t, j)
	if !ok {
		return nil
	}
	var out []Int
	add := func(factor int64, x Int) {
		if p := c.prod(Const(factor), x, rest); c.err == nil {
			out = append(out, p)
		}
	}
	if a.op == opMin {
		if t.c < 0 {
			add(t.c, a.args[0])
			add(t.c, a.args[1])
		}
		return out
	}
	q, ok := a.args[1].Int64()
	if !ok || q < 1 || t.c%q != 0 {
		return nil
	}
	// q·⌊x/q⌋ is from x-q+1 to x, and q·⌈x/q⌉ from x to x+q-1.
	x := a.args[0]
	switch {
	case a.op == opCeil && t.c < 0:
		x = c.add(x, Const(q-1))
	case a.op == opFloor && t.c > 0:
		x = c.sub(x, Const(q-1))
	}
	add(t.c/q, x)
	return out
}

// otherAtoms returns the product of all atoms of a term but one; ok is false if one of them may be negative.
func (c *calc) otherAtoms(t term, but int) (product Int, ok bool) {
	product = Const(1)
	for i, b := range t.m.atoms {
		if i == but {
			continue
		}
		if b.bounds().lo < 0 {
			return product, false
		}
		product = c.mul(product, variable(b))
	}
	return product, true
}

// below says whether x < y.
func below(x, y Int) verdict { return atMost(y, x).not() }

// distinct says whether x ≠ y.
func distinct(x, y Int) verdict {
	if x.Equal(y) {
		return no
	}
	if atMost(x, y) == no || atMost(y, x) == no {
		return yes
	}
	var k calc
	if d := k.sub(x, y); k.err == nil && len(d.terms) > 0 && d.k%(Int{terms: d.terms}).content() != 0 {
		return yes // 4N is never 1
	}
	return unknown
}

// bounds returns a range that holds all values of x, term by term.
func bounds(x Int) span {
	sum := span{x.k, x.k}
	for _, t := range x.terms {
		r := span{t.c, t.c}
		for _, a := range t.m.atoms {
			r = r.times(a.bounds())
		}
		sum = sum.plus(r)
	}
	return sum
}

func (s span) plus(t span) span {
	out := anywhere
	if s.hasLo() && t.hasLo() {
		if x, ok := ints.Add(s.lo, t.lo); ok {
			out.lo = x
		}
	}
	if s.hasHi() && t.hasHi() {
		if x, ok := ints.Add(s.hi, t.hi); ok {
			out.hi = x
		}
	}
	return out
}

func (s span) times(t span) span {
	if s.lo == s.hi {
		s, t = t, s
	}
	if t.lo == t.hi {
		// By a known number.
		out := anywhere
		if t.lo < 0 {
			if s.hasHi() {
				out.lo = orNoBound(s.hi, t.lo, math.MinInt64)
			}
			if s.hasLo() {
				out.hi = orNoBound(s.lo, t.lo, math.MaxInt64)
			}
			return out
		}
		if s.hasLo() {
			out.lo = orNoBound(s.lo, t.lo, math.MinInt64)
		}
		if s.hasHi() {
			out.hi = orNoBound(s.hi, t.lo, math.MaxInt64)
		}
		return out
	}
	if !s.hasLo() || !t.hasLo() || s.lo < 0 || t.lo < 0 {
		return anywhere
	}
	out := span{orNoBound(s.lo, t.lo, math.MinInt64), math.MaxInt64}
	if s.hasHi() && t.hasHi() {
		out.hi = orNoBound(s.hi, t.hi, math.MaxInt64)
	}
	return out
}

func orNoBound(a, b, none int64) int64 {
	if p, ok := ints.Mul(a, b); ok {
		return p
	}
	return none
}

// bounds returns a range that holds all values of the atom.
func (a *atom) bounds() span {
	switch a.op {
	case opSymbol:
		lo, hi := a.sym.facts.quotients()
		return span{lo, hi}
	case opMin:
		x, y := bounds(a.args[0]), bounds(a.args[1])
		return span{min(x.lo, y.lo), min(x.hi, y.hi)}
	case opAbs:
		x := bounds(a.args[0])
		if x.hasLo() && x.hasHi() {
			return span{0, max(x.hi, -x.lo)}
		}
		return span{0, math.MaxInt64}
	case opMod:
		y := bounds(a.args[1])
		if y.hasHi() {
			y.hi--
		}
		return span{0, y.hi}
	case opCeil, opFloor:
		divide := ints.FloorDiv
		if a.op == opCeil {
			divide = ints.CeilDiv
		}
		return bounds(a.args[0]).over(bounds(a.args[1]), divide)
	}
	return anywhere
}

// over returns the range of quotients, rounded by divide, of nonnegative numbers in s by positive numbers in t.
func (s span) over(t span, divide func(a, b int64) int64) span {
	if !s.hasLo() || s.lo < 0 {
		return anywhere
	}
	out := span{divide(min(s.lo, 1), math.MaxInt64), s.hi} // lo is 1 if s.lo > 0 and divide rounds up
	if t.lo > 1 && s.hasHi() {
		out.hi = divide(s.hi, t.lo)
	}
	if t.hasHi() && t.hi > 0 {
		out.lo = divide(s.lo, t.hi)
	}
	return out
}

// isShifted writes each atom as its least value plus a nonnegative number, and reports whether then no coefficient is
// negative, so that x ≥ least. For linear polynomials without upper bounds it misses nothing.
func isShifted(x Int, least int64) bool {
	const most = 24 // terms of x
	if len(x.terms) > most {
		return false
	}
	var c calc
	sum := Const(x.k)
	for _, t := range x.terms {
		p := Const(t.c)
		for _, a := range t.m.atoms {
			r := a.bounds()
			if !r.hasLo() {
				return false
			}
			p = c.mul(p, c.add(variable(a), Const(r.lo)))
		}
		sum = c.add(sum, p)
	}
	if c.err != nil || sum.k < least {
		return false
	}
	for _, t := range sum.terms {
		if t.c < 0 {
			return false
		}
	}
	return true
}

// divides tells whether x divides y and is positive. If x may be positive, divides assumes that it is.
func divides(x, y Int) verdict {
	if atMost(x, Const(0)) == yes {
		return no
	}
	if x.size()+y.size() > maxCompared || x.over() != nil || y.over() != nil {
		return unknown
	}
	y, x = cancel(y, x)
	var c calc
	if _, ok := c.exact(y, x); ok {
		return yes
	}
	if !x.static() {
		if y.static() {
			// A larger number does not divide one that is not 0.
			if r := bounds(x); y.k != 0 && r.hasLo() && r.lo > max(y.k, -y.k) {
				return no
			}
		}
		return unknown
	}
	if y.static() {
		return no
	}
	if _, r := split(y, x.k); r.static() {
		return no // the remainder is the same for all values
	}
	return unknown
}
