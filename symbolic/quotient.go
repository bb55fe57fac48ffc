package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// This file divides. Divisors are positive: facts or a condition of the guard ensure it.

// exact returns x/y if y divides x as a polynomial, hence for all values.
func (c *calc) exact(x, y Int) (Int, bool) {
	switch {
	case c.err != nil:
		return afterError, false
	case y.static():
		return divideBy(x, y.k)
	case x.static():
		return Int{}, x.k == 0
	}
	// Divide the polynomials by their leading terms.
	var q Int
	var scratch calc
	for range maxTerms {
		if len(x.terms) == 0 {
			return q, x.k == 0 && scratch.err == nil
		}
		lead, by := x.terms[0], y.terms[0]
		rest, ok := lead.m.over(by.m)
		if !ok || lead.c%by.c != 0 {
			return Int{}, false
		}
		t := Int{k: lead.c / by.c}
		if len(rest) > 0 {
			t = Int{terms: []term{{lead.c / by.c, product(rest)}}}
		}
		q = scratch.add(q, t)
		x = scratch.sub(x, scratch.mul(t, y))
		if scratch.err != nil {
			return Int{}, false
		}
	}
	return Int{}, false
}

// divideBy returns x/n if n divides all coefficients.
func divideBy(x Int, n int64) (Int, bool) {
	if n == 1 {
		return x, true
	}
	if n == 0 || x.k%n != 0 {
		return Int{}, false
	}
	out := Int{k: x.k / n}
	if len(x.terms) == 0 {
		return out, n != -1 || x.k != -x.k || x.k == 0
	}
	out.terms = make([]term, len(x.terms))
	for i, t := range x.terms {
		if t.c%n != 0 {
			return Int{}, false
		}
		out.terms[i] = term{t.c / n, t.m}
	}
	return out, true
}

// split returns q and r with x = n·q + r and coefficients 0 ≤ r < n.
func split(x Int, n int64) (q, r Int) {
	q.k = ints.FloorDiv(x.k, n)
	r.k = x.k - q.k*n
	for _, t := range x.terms {
		by := ints.FloorDiv(t.c, n)
		if by != 0 {
			q.terms = append(q.terms, term{by, t.m})
		}
		if left := t.c - by*n; left != 0 {
			r.terms = append(r.terms, term{left, t.m})
		}
	}
	return q, r
}

// cancel returns x and y without the common atoms: atoms known to be positive that divide every term of x and of y.
func cancel(x, y Int) (Int, Int) {
	if x.k != 0 || y.k != 0 || len(x.terms) == 0 || len(y.terms) == 0 {
		return x, y
	}
	common := x.terms[0].m.atoms
	for _, t := range slices.Concat(x.terms, y.terms) {
		var both []*atom
		i := 0
		for _, a := range t.m.atoms {
			for i < len(common) && common[i].key < a.key {
				i++
			}
			if i < len(common) && common[i].key == a.key {
				both = append(both, a)
				i++
			}
		}
		common = both
	}
	common = slices.DeleteFunc(slices.Clone(common), func(a *atom) bool { return a.bounds().lo < 1 })
	if len(common) == 0 {
		return x, y
	}
	by := product(common)
	return x.without(by), y.without(by)
}

// reduce returns x and y after cancel, both divided by the greatest common divisor of their coefficients.
func reduce(x, y Int) (Int, Int) {
	x, y = cancel(x, y)
	g := ints.GCD(x.content(), y.content())
	if g > 1 {
		x, _ = divideBy(x, g)
		y, _ = divideBy(y, g)
	}
	return x, y
}

// content returns the greatest number that divides all coefficients of x; 0 for 0.
func (x Int) content() int64 {
	g := x.k
	for _, t := range x.terms {
		g = ints.GCD(g, t.c)
	}
	return g
}

// without returns x divided by a monomial, which divides all terms of x.
func (x Int) without(by monomial) Int {
	var c calc
	var out Int
	for _, t := range x.terms {
		rest, _ := t.m.over(by)
		if len(rest) == 0 {
			out = c.add(out, Const(t.c))
			continue
		}
		out = c.add(out, Int{terms: []term{{t.c, product(rest)}}})
	}
	return out
}

// divisor reports whether y is a valid divisor: y is not known to be 0 or negative, and no error occurred so far.
func (c *calc) divisor(y Int) bool {
	if c.err == nil && atMost(y, Const(0)) == yes {
		c.fail(&cute.Error{Code: cute.CodeExtent, Msg: fmt.Sprintf("expected a positive number to divide by, found %s", y)})
	}
	return c.err == nil
}

// ceilDiv returns ⌈x/y⌉ for x ≥ 0 and y > 0.
func (c *calc) ceilDiv(x, y Int) Int {
	if !c.divisor(y) {
		return afterError
	}
	x, y = reduce(x, y)
	if q, ok := c.exact(x, y); ok {
		return q
	}
	if y.static() {
		q, r := split(x, y.k)
		if r.static() {
			return c.add(q, Const(1)) // 0 < r < y
		}
		if a, by, ok := nestedQuotient(r, opCeil, y.k); ok {
			return c.add(q, c.ceilDiv(a, by))
		}
		if len(q.terms) > 0 || q.k != 0 {
			return c.add(q, c.ceilDiv(r, y))
		}
	}
	if atMost(Const(1), x) == yes && atMost(x, y) == yes {
		return Const(1)
	}
	return c.function(opCeil, x, y)
}

// nestedQuotient returns a and b·n if r is a quotient of a by a number b, rounded in the same direction: ⌈⌈a/b⌉/n⌉ =
// ⌈a/(b·n)⌉, and likewise for rounding down.
func nestedQuotient(r Int, o op, n int64) (a, by Int, ok bool) {
	x, ok := lone(r, o)
	if !ok {
		return Int{}, Int{}, false
	}
	b, ok := x.args[1].Int64()
	if !ok {
		return Int{}, Int{}, false
	}
	p, ok := ints.Mul(b, n)
	return x.args[0], Const(p), ok
}

// floorDiv returns ⌊x/y⌋ for y > 0.
func (c *calc) floorDiv(x, y Int) Int {
	if !c.divisor(y) {
		return afterError
	}
	x, y = reduce(x, y)
	if q, ok := c.exact(x, y); ok {
		return q
	}
	if y.static() {
		q, r := split(x, y.k)
		if r.static() {
			return q
		}
		if a, by, ok := nestedQuotient(r, opFloor, y.k); ok {
			return c.add(q, c.floorDiv(a, by))
		}
		if len(q.terms) > 0 || q.k != 0 {
			return c.add(q, c.floorDiv(r, y))
		}
	}
	if atMost(Const(0), x) == yes && below(x, y) == yes {
		return Const(0)
	}
	return c.function(opFloor, x, y)
}

// mod returns x - y·⌊x/y⌋ for y > 0.
func (c *calc) mod(x, y Int) Int {
	if !c.divisor(y) {
		return afterError
	}
	if _, ok := c.exact(x, y); ok {
		return Const(0)
	}
	if y.static() {
		_, r := split(x, y.k)
		if r.static() {
			return r
		}
		x = r
	}
	if atMost(Const(0), x) == yes && below(x, y) == yes {
		return x
	}
	return c.function(opMod, x, y)
}

// min returns the smaller of x and y.
func (c *calc) min(x, y Int) Int {
	switch {
	case atMost(x, y) == yes:
		return x
	case atMost(y, x) == yes:
		return y
	}
	if x.static() || !y.static() && y.key() < x.key() {
		x, y = y, x // a known number comes last
	}
	return c.function(opMin, x, y)
}

// abs returns |x|.
func (c *calc) abs(x Int) Int {
	switch {
	case atMost(Const(0), x) == yes:
		return x
	case atMost(x, Const(0)) == yes:
		return c.mul(x, Const(-1))
	}
	return c.function(opAbs, x)
}

// lone returns the atom of x, if x is a single atom of the given kind.
func lone(x Int, o op) (*atom, bool) {
	if x.k != 0 || len(x.terms) != 1 || x.terms[0].c != 1 || len(x.terms[0].m.atoms) != 1 {
		return nil, false
	}
	a := x.terms[0].m.atoms[0]
	return a, a.op == o
}
