package address

import (
	"math/bits"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// This file divides by constants. Write x = k + Σ C·d over the digits of x (see place), L and H for partial sums.
//
//	multiples   ⌊(n·q·d + x)/n⌋ = q·d + ⌊x/n⌋: multiples of n leave the quotient.
//	            Proof: adding the integer q·d to x/n adds it to the floor.
//	low part    ⌊(g·H + L)/n⌋ = ⌊H/(n/g)⌋ if g | n and 0 ≤ L < g.
//	            Proof: H ≤ H + L/g < H+1, so ⌊(g·H+L)/g⌋ = H, and ⌊y/n⌋ = ⌊⌊y/g⌋/(n/g)⌋ for every integer y. The
//	            constant is divided between H and L so that L begins at 0 or more: if L is from lo to hi and
//	            e = ⌊lo/g⌋, this is possible exactly if ⌊hi/g⌋ = e, and adds e to H.
//	range       is the low part for g = n: if x is between n·q and n·q+n-1, the result is q.
//	digit       ⌊(⌊a/m⌋ mod r)/n⌋ = ⌊a/(m·n)⌋ mod (r/n) if n | r.
//	            Proof: write ⌊a/m⌋ = r·h + n·v + u with 0 ≤ u < n and n·v+u < r; both sides are v.
//	two values  ⌊(k + c·d)/n⌋ for d of 0 or 1 is ⌊k/n⌋ + (⌊(k+c)/n⌋ - ⌊k/n⌋)·d: every function of d has this form.
//	complement  ⌊x/n⌋ = -⌊(n-1-x)/n⌋. Proof: -⌊x/n⌋ = ⌈-x/n⌉ = ⌊(-x+n-1)/n⌋.
//	bits        for n = 2^w and an x that has bits, the bits from w on.
//
// A remainder that no rule splits becomes an atom, whose coefficients are reduced modulo n to 0 to n-1, so that x and x
// + n·y have the same atom.

// Div returns ⌊x/n⌋ for n ≥ 1: it rounds down, also for negative x.
func (s *Space) Div(x Expr, n int64) Expr {
	switch {
	case n < 1:
		return s.fail(cute.CodeExtent, "expected a divisor of at least 1, found %d", n)
	case n == 1:
		return x
	case len(x.s.terms) == 0:
		return s.Const(ints.FloorDiv(x.s.k, n))
	}
	for d := x.s.divs; d != nil; d = d.next {
		if d.n == n {
			return Expr{d.y}
		}
	}
	if s.depth++; s.depth > MaxDepth {
		s.depth--
		return s.fail(cute.CodeLimit, "more than %d divisions within one another", MaxDepth)
	}
	y := s.divide(x, n)
	s.depth--
	if s.err == nil {
		y.s.setBounds(ints.FloorDiv(x.s.lo, n), ints.FloorDiv(x.s.hi, n))
		d := s.arena.divs.one()
		*d = division{n, y.s, x.s.divs}
		x.s.divs = d
	}
	return y
}

// Mod returns x - n·⌊x/n⌋, which is between 0 and n-1.
func (s *Space) Mod(x Expr, n int64) Expr {
	q := s.Div(x, n)
	b := adder{s: s}
	b.add(1, x)
	b.add(-n, q)
	y := b.expr()
	if s.err == nil {
		y.s.setBounds(0, n-1)
	}
	s.note(RuleRemainder, y, n, x, q)
	return y
}

// CeilDiv returns ⌈x/n⌉ for n ≥ 1.
func (s *Space) CeilDiv(x Expr, n int64) Expr { return s.Div(s.Add(x, s.Const(n-1)), n) }

// A dividend is the rest that must still be divided: k + Σ c·d over the places, by n.
type dividend struct {
	s      *Space
	k, n   int64
	places []place
	out    adder // the finished part of the quotient
}

func (s *Space) divide(x Expr, n int64) Expr {
	d := dividend{s: s, k: x.s.rest, n: n, out: adder{s: s}}
	lent := len(s.arena.lent)
	s.arena.lent = append(s.arena.lent, x.s.places...)
	d.places = slices.Clip(s.arena.lent[lent:])
	defer func() { s.arena.lent = s.arena.lent[:lent] }()
	negative := slices.ContainsFunc(d.places, func(p place) bool { return p.c < 0 })
	if negative && powerOfTwo(n) {
		if y, ok := s.shiftBits(x, log(n)); ok {
			s.note(RuleBits, y, n, x)
			return y
		}
	}
	if negative && !slices.ContainsFunc(d.places, func(p place) bool { return p.c > 0 }) {
		y := s.Scale(s.Div(s.Sub(s.Const(n-1), x), n), -1)
		s.note(RuleComplement, y, n, x)
		return y
	}
	d.multiples(truncate)
	if !d.isDone() {
		d.multiples(positive)
	}
	y := d.finish()
	s.note(RuleDigit, y, n, x)
	return y
}

func (d *dividend) isDone() bool { return len(d.places) == 0 || d.n == 1 || d.s.err != nil }

// truncate and positive return the quotient of a stride that is moved out. The remainder has the sign of the stride, or
// is positive.
func truncate(c, n int64) int64 { return c / n }
func positive(c, n int64) int64 { return ints.FloorDiv(c, n) }

// multiples moves multiples of n out, and then drops the parts that cannot carry.
func (d *dividend) multiples(quotient func(c, n int64) int64) {
	for {
		kept := d.places[:0]
		for _, p := range d.places {
			q := quotient(p.c, d.n)
			rest := p.c - q*d.n
			if q != 0 {
				p.c = q
				d.out.place(p)
			}
			if rest != 0 {
				p.c = rest
				kept = append(kept, p)
			}
		}
		d.places = kept
		q := ints.FloorDiv(d.k, d.n)
		d.out.k = d.s.plus(d.out.k, q)
		d.k -= q * d.n
		if d.isDone() || !d.lowPart() {
			return
		}
	}
}

// lowPart drops a part that cannot carry, and reports whether it found one. It tries the largest g first.
func (d *dividend) lowPart() bool {
	tried := int64(0)
	for {
		g := int64(0) // the largest value that is smaller than the previous g
		for _, p := range d.places {
			if f := ints.GCD(p.c, d.n); f > g && f > 1 && (tried == 0 || f < tried) {
				g = f
			}
		}
		if tried == 0 {
			g = d.n // everything is in the low part
		}
		if g <= 1 {
			return false
		}
		tried = g
		lo, hi, ok := d.lowRange(g)
		e := ints.FloorDiv(lo, g)
		if !ok || ints.FloorDiv(hi, g) != e {
			continue
		}
		d.places = slices.DeleteFunc(d.places, func(p place) bool { return p.c%g != 0 })
		for i := range d.places {
			d.places[i].c /= g
		}
		d.k, d.n = e, d.n/g
		return true
	}
}

// lowRange returns the range of the constant and the digits whose factors g does not divide, and whether it fits in 64
// bits.
func (d *dividend) lowRange(g int64) (lo, hi int64, ok bool) {
	lo, hi, ok = d.k, d.k, true
	for _, p := range d.places {
		if p.c%g == 0 {
			continue
		}
		a, b := p.lo, p.hi
		if p.c < 0 {
			a, b = b, a
		}
		a, ok1 := ints.Mul(p.c, a)
		b, ok2 := ints.Mul(p.c, b)
		var ok3, ok4 bool
		lo, ok3 = ints.Add(lo, a)
		hi, ok4 = ints.Add(hi, b)
		ok = ok && ok1 && ok2 && ok3 && ok4
	}
	return lo, hi, ok
}

// finish returns the quotient, with an atom for the part that no rule could split.
func (d *dividend) finish() Expr {
	if d.n == 1 {
		for _, p := range d.places {
			d.out.place(p)
		}
		d.out.k = d.s.plus(d.out.k, d.k)
		return d.out.expr()
	}
	if len(d.places) == 0 {
		return d.out.expr() // k is below n
	}
	if len(d.places) == 1 && d.oneDigit(d.places[0]) {
		return d.out.expr()
	}
	b := adder{s: d.s, k: d.k}
	for _, p := range d.places {
		b.place(p)
	}
	x := b.expr()
	if d.s.err != nil {
		return x
	}
	if len(x.s.places) != len(d.places) { // digits that combine form a different dividend
		d.out.add(1, d.s.Div(x, d.n))
		return d.out.expr()
	}
	if powerOfTwo(d.n) {
		if y, ok := d.s.shiftBits(x, log(d.n)); ok {
			d.out.add(1, y)
			return d.out.expr()
		}
	}
	a := d.s.register(atom{op: opSum, x: x.s, lo: x.s.lo, hi: x.s.hi, level: x.s.level, depth: x.s.depth + 1})
	if lo, hi := a.span(d.n); lo == hi {
		d.out.k = d.s.plus(d.out.k, lo)
	} else {
		d.out.append(term{1, a, d.n})
	}
	return d.out.expr()
}

// oneDigit adds the quotient of k + c·d if d has two values, or if dividing it gives a digit, and reports whether it
// did.
func (d *dividend) oneDigit(p place) bool {
	if p.hi-p.lo == 1 {
		first, second := ints.FloorDiv(d.k+p.c*p.lo, d.n), ints.FloorDiv(d.k+p.c*p.hi, d.n)
		p.c = second - first
		d.out.k = d.s.plus(d.out.k, first-p.c*p.lo)
		if p.c != 0 {
			d.out.place(p)
		}
		return true
	}
	n, ok := ints.Mul(p.n, d.n)
	if p.c != 1 || d.k != 0 || !ok || p.r%d.n != 0 {
		return false
	}
	d.out.place(place{c: 1, a: p.a, n: n, r: p.r / d.n})
	return true
}

// And returns x & mask, x in two's complement, for a mask that is not negative.
func (s *Space) And(x Expr, mask int64) Expr {
	if mask < 0 {
		return s.fail(cute.CodeNegative, "expected a mask of at least 0, found %d", mask)
	}
	b := adder{s: s}
	for rest := uint64(mask); rest != 0; {
		low := bits.TrailingZeros64(rest)
		w := bits.TrailingZeros64(^(rest >> low))
		// Return w digits of x, starting with bit low.
		d := s.Div(x, 1<<low)
		if low+w < 63 {
			d = s.Mod(d, 1<<w)
		}
		b.add(1<<low, d)
		rest &^= (1<<w - 1) << low
	}
	y := b.expr()
	if s.err == nil {
		y.s.setBounds(0, mask)
	}
	s.note(RuleMask, y, mask, x)
	return y
}
