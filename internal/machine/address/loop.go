package address

import (
	"slices"

	"girih/internal/ints"
)

// This file determines how an expression changes from one iteration of a loop to the next.
//
//	invariant  x = Σ(terms whose atoms do not change) + Σ(the others): the first sum is computed before the loop.
//	affine     δ = x(i+step) - x(i) does not depend on i, as its canonical form shows. Then adding δ to x(i) gives
//	           x(i+step): one addition in each iteration, however expensive x is. Proof: the definition of δ.
//	toggle     x = y + Σ±2^p·b, b the lowest bit of the count, i = from + step·count, and x has bits. Then x(i+step) is
//	           x(i) xor the bits of x to which b contributes. Proof: counting by one flips the lowest bit each time; an
//	           exclusive or with the same mask flips exactly those bits.
//	alternate  x depends on the count only through its lowest bit, and so alternates between two values u and v; if x is
//	           one of them, u+v-x is the other.
//	range      if u < v, x ≤ x + c·(v-1-u) for c > 0: for example, i < K/8 implies 8·i + 7 < K if 8 divides K.
//	wrap       x = y + c·(count mod n), n and c constant. x(i+step) = x(i) + c, or x(i) + c - c·n if count+1 is a
//	           multiple of n. Proof: count mod n goes up by one, and from n-1 to 0.
//	ahead      x(i+step) - y(i) does not depend on i, and a register has y(i): the register plus the difference is
//	           x(i+step), if it is added before y is stepped. For n stages one register wraps, and the others follow it.

// A StepKind is the operation on a value at the end of an iteration.
type StepKind uint8

// The kinds of steps. A value without such a step is computed again.
const (
	StepNone      StepKind = iota // nothing: the value does not change
	StepAffine                    // add By
	StepToggle                    // exclusive or with the constant By
	StepAlternate                 // By minus the value
	StepWrap                      // add the constant By; if that gives End, subtract By·Period
	StepAnew
)

// A Motion is how an expression changes from one iteration to the next.
type Motion struct {
	Kind   StepKind
	By     Expr
	End    Expr  // for StepWrap, the value that is replaced by the value of the first count
	Period int64 // for StepWrap, the number of counts after which the values repeat
}

// A Counter is what a loop counts: the symbol is From, then From+Step, and so on. From does not change in the loop.
type Counter struct {
	Symbol *Symbol
	From   Expr
	Step   int64
}

// Split splits x into a sum of two: invariant has the terms whose symbols are of the given level or lower, and varying
// has the other terms. A constant that is added inside the digits of varying stays in varying; the rest of the constant
// goes to invariant.
func (s *Space) Split(x Expr, level int) (invariant, varying Expr) {
	if x.s.level <= level {
		return x, Expr{s.zero}
	}
	if in := x.s.halves; in[0] != nil && level == x.s.level-1 && s.err == nil {
		invariant = s.Plus(Expr{in[0]}, x.s.k)
		s.note(RuleInvariant, invariant, int64(level), x)
		return invariant, Expr{in[1]}
	}
	a, b := adder{s: s, k: x.s.k}, adder{s: s}
	for _, t := range x.s.terms {
		if t.a.level <= level {
			a.append(t)
		} else {
			b.append(t)
		}
	}
	varying = b.expr()
	b = adder{s: s}
	b.add(1, varying)
	b.k -= varying.s.rest // only the constant inside the digits stays in varying
	a.k = s.plus(a.k, varying.s.rest)
	invariant, varying = a.expr(), b.expr()
	s.note(RuleInvariant, invariant, int64(level), x)
	if level == x.s.level-1 && s.err == nil {
		x.s.halves = [2]*sum{s.Plus(invariant, -x.s.k).s, varying.s}
	}
	return invariant, varying
}

// Motion returns how x changes from one iteration to the next. If x has another symbol of the loop's level, such as a
// number that each iteration loads, x has no step.
func (s *Space) Motion(x Expr, c Counter) Motion {
	if x.s.level < c.Symbol.level {
		return Motion{Kind: StepNone}
	}
	counts, others := false, false
	x.Symbols(func(y *Symbol) {
		counts = counts || y == c.Symbol
		others = others || y != c.Symbol && y.level >= c.Symbol.level
	})
	switch {
	case others:
		return Motion{Kind: StepAnew}
	case !counts:
		return Motion{Kind: StepNone}
	}
	if m, ok := s.affine(x, c); ok {
		return m
	}
	if m, ok := s.periodic(x, c); ok {
		return m
	}
	return Motion{Kind: StepAnew}
}

func (s *Space) affine(x Expr, c Counter) (Motion, bool) {
	if by, ok := steady(x.s, c); ok {
		y := s.Const(by)
		s.note(RuleAffine, y, 0, x)
		return Motion{Kind: StepAffine, By: y}, s.err == nil
	}
	outer := s.err
	next := s.Substitute(x, c.Symbol, s.Add(c.Symbol.expr, s.Const(c.Step)))
	by := s.Sub(next, x)
	if s.err != nil || s.depends(by, c.Symbol) {
		s.err = outer // beyond the last iteration a value may overflow
		return Motion{}, false
	}
	s.note(RuleAffine, by, 0, x)
	return Motion{Kind: StepAffine, By: by}, true
}

// steady returns the difference that one step adds to x, if the symbol occurs in x only multiplyOut.
func steady(x *sum, c Counter) (by int64, ok bool) {
	a, unit := c.Symbol.atom, c.Symbol.facts.Div
	for _, t := range x.terms {
		switch {
		case t.a == a && t.n == 1 && c.Step%unit == 0:
			by, ok = ints.Mul(t.c, c.Step/unit)
			if !ok {
				return 0, false
			}
		case t.a.level >= c.Symbol.level:
			return 0, false
		}
	}
	return by, ok
}

// Below returns an upper bound of x if u < v: x itself, or x + c·(v-1-u) for a c that cancels a term of x, whichever
// has the smallest upper bound.
//
// Proof: v-1-u and c are at least 0.
func (s *Space) Below(x, u, v Expr) Expr {
	best := x
	for _, y := range s.Bounds(x, u, v) {
		if y.s.hi < best.s.hi {
			best = y
		}
	}
	s.note(RuleRange, best, 0, x)
	return best
}

// Bounds returns the upper bounds of x that [Space.Below] chooses from, apart from x. Another comparison may lead from
// a larger one to a small one: if i < z and z < n+1, then i-n has the bound z-n-1, whose bound is -1.
func (s *Space) Bounds(x, u, v Expr) (out []Expr) {
	gap := s.Sub(s.Sub(v, u), s.Const(1))
	for _, t := range gap.s.terms {
		i := slices.IndexFunc(x.s.terms, func(o term) bool { return o.a == t.a && o.n == t.n })
		if i < 0 || x.s.terms[i].c%t.c != 0 || -x.s.terms[i].c/t.c < 1 {
			continue
		}
		outer := s.err
		y := s.Add(x, s.Scale(gap, -x.s.terms[i].c/t.c))
		if s.err != outer {
			s.err = outer // the sum may exceed 64 bits; then it is not used
			continue
		}
		out = append(out, y)
	}
	return out
}

// MultiplyOut returns expressions that are negative exactly where x is, each without one of the quotients ⌊a/n⌋ in x.
// So bounds of a count bound its rows: ⌊i/18⌋ - 18 is negative where i - 324 is.
//
// Proof: r + ⌊a/n⌋ is negative where ⌊a/n⌋ < -r, which is where a < -n·r. And r - ⌊a/n⌋ is negative where ⌊a/n⌋ is at
// least r+1, which is where a is at least n·(r+1). If the factor of the quotient is c or -c, ⌊x/c⌋ has the sign of x.
func (s *Space) MultiplyOut(x Expr) (out []Expr) {
	for _, t := range x.s.terms {
		if t.n == 1 {
			continue
		}
		outer := s.err
		if y, ok := s.multiplyOut(x, t); ok && s.err == outer {
			out = append(out, y)
		}
		s.err = outer // the product may exceed 64 bits; then it is not used
	}
	return out
}

func (s *Space) multiplyOut(x Expr, t term) (Expr, bool) {
	if c := max(t.c, -t.c); c != 1 {
		if c < 0 {
			return x, false // -2^63
		}
		x, t.c = s.Div(x, c), t.c/c
		if !slices.Contains(x.s.terms, t) {
			return x, false
		}
	}
	y := s.Scale(s.Sub(x, s.single(t)), t.n)
	if t.c < 0 {
		y = s.Plus(y, t.n-1)
	}
	b := adder{s: s}
	b.add(1, y)
	b.quotient(t.c, t.a, 1)
	return b.expr(), true
}

func (s *Space) depends(x Expr, sym *Symbol) bool {
	found := false
	x.Symbols(func(y *Symbol) { found = found || y == sym })
	return found
}

// maxPeriodic limits the nesting of divisions in an expression whose period is searched for.
const maxPeriodic = 8

// periodic finds steps of expressions that depend on the count modulo a number. They need a count that is the symbol
// divided by the step.
func (s *Space) periodic(x Expr, c Counter) (Motion, bool) {
	if _, ok := c.From.Int64(); !ok || c.Step < 1 {
		return Motion{}, false
	}
	first, _ := c.From.Int64()
	if first%c.Step != 0 || x.s.depth > maxPeriodic {
		return Motion{}, false
	}
	a := c.Symbol.atom
	unit := c.Symbol.facts.Div
	if c.Step%unit != 0 {
		return Motion{}, false
	}
	unit = c.Step / unit // how much the atom grows in one step
	if m, digit, ok := s.wrap(x, a, unit); ok {
		// The count starts again where the digit would reach the period.
		at, known := s.Substitute(digit, c.Symbol, c.From).Int64()
		if !known {
			return Motion{}, false
		}
		m.End = s.Add(s.Substitute(x, c.Symbol, c.From), s.Const(m.By.s.k*(m.Period-at)))
		s.note(RuleWrap, m.By, m.Period, x)
		return m, s.err == nil
	}
	if !lowBitOnly(x.s, a, unit) {
		return Motion{}, false
	}
	if mask, ok := s.toggledBits(x, a, unit); ok {
		y := s.Const(int64(mask))
		s.note(RuleToggle, y, int64(mask), x)
		return Motion{Kind: StepToggle, By: y}, true
	}
	u := s.Substitute(x, c.Symbol, s.Const(first))
	v := s.Substitute(x, c.Symbol, s.Const(first+c.Step))
	by := s.Add(u, v)
	s.note(RuleAlternate, by, 0, x)
	return Motion{Kind: StepAlternate, By: by}, s.err == nil
}

// wrap finds x = y + c·((d + e) mod n) with the count d, a number e that may be 0, and n > 2.
func (s *Space) wrap(x Expr, a *atom, unit int64) (m Motion, digit Expr, ok bool) {
	var at *place
	for i := range x.s.places {
		p := &x.s.places[i]
		switch {
		case at == nil && p.r > 2 && p.counts(a, unit):
			at = p
		case p.a.mentions(a):
			return m, digit, false
		}
	}
	if at == nil {
		return m, digit, false
	}
	d := *at
	d.c = 1
	b := adder{s: s}
	b.place(d)
	return Motion{Kind: StepWrap, By: s.Const(at.c), Period: at.r}, b.expr(), true
}

// counts reports whether the digit is a digit of the count ⌊a/unit⌋, possibly plus a number.
func (p *place) counts(a *atom, unit int64) bool {
	if p.a == a {
		return p.n == unit
	}
	if p.a.op != opSum || p.n != 1 || len(p.a.x.terms) != 1 {
		return false
	}
	t := p.a.x.terms[0]
	return t.a == a && t.n == unit && t.c == 1
}

// mentions reports whether b occurs in a.
func (a *atom) mentions(b *atom) bool {
	if a == b {
		return true
	}
	if a.op == opSum {
		for _, t := range a.x.terms {
			if t.a.mentions(b) {
				return true
			}
		}
	}
	for _, f := range a.args {
		if f.a.mentions(b) {
			return true
		}
	}
	return false
}

// lowBitOnly reports whether x depends on a only through ⌊a/unit⌋ mod 2.
func lowBitOnly(x *sum, a *atom, unit int64) bool {
	for _, p := range x.places {
		if p.a == a && p.n == unit && p.r == 2 {
			continue
		}
		if p.a.mentions(a) && !p.a.lowBitOnly(p, a, unit) {
			return false
		}
	}
	return true
}

// lowBitOnly reports whether the place p of the atom b depends on a only through the bit of a with value unit.
func (b *atom) lowBitOnly(p place, a *atom, unit int64) bool {
	switch b.op {
	case opSum:
		return lowBitOnly(b.x, a, unit)
	case opXor:
		if !p.isSlice() || p.n != p.n&-p.n {
			return false
		}
		for _, f := range b.args {
			if !f.a.mentions(a) {
				continue
			}
			// The only bit of a that is read must be the bit with value unit.
			if f.a != a || f.n<<(f.from+log(p.n)) != unit || width(p.hi) != 1 {
				return false
			}
		}
		return true
	}
	return false
}

// toggledBits returns the bits of x to which bit ⌊a/unit⌋ mod 2 contributes, if x has bits.
func (s *Space) toggledBits(x Expr, a *atom, unit int64) (mask uint64, ok bool) {
	m := s.mixture()
	defer m.release()
	if !m.addAll(x) {
		return 0, false
	}
	for _, c := range m.parts {
		if c.a != a {
			if c.a.mentions(a) {
				return 0, false
			}
			continue
		}
		from := log(int64(c.mask)) - c.shift
		if c.mask&(c.mask-1) != 0 || c.n<<from != unit {
			return 0, false
		}
		mask |= c.mask
	}
	return mask, mask != 0
}
