package address

import (
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// A place is a digit of an atom with what one step of it adds to the sum: c·(⌊a/n⌋ mod r), and c·⌊a/n⌋ if r is 0.
//
// The quotients of one atom whose divisors n_0 | n_1 | ... | n_m divide one another are sums of digits
// d_j = ⌊a/n_j⌋ mod (n_{j+1}/n_j), d_m = ⌊a/n_m⌋:
//
//	⌊a/n_i⌋ = Σ_{j≥i} d_j·(n_j/n_i),   hence   Σ c_i·⌊a/n_i⌋ = Σ_j C_j·d_j,   C_j = Σ_{i≤j} c_i·(n_j/n_i).
//
// Digits are independent of each other where a ranges over a whole multiple of n_m, so that what is concluded of a sum
// from the ranges of its digits is exact: 16·(t mod 8), which is 16·t - 128·⌊t/8⌋, is from 0 to 112.
type place struct {
	c      int64
	a      *atom
	n, r   int64
	lo, hi int64 // of the digit
}

// setPlaces takes the quotients of a sum apart into digits, and adds up the ranges of these.
func (s *Space) setPlaces(x *sum) {
	x.rest = x.k
	ts := x.terms
	for i := len(ts) - 1; i >= 0; i-- {
		if a := ts[i].a; a.op == opSum && (i == 0 || ts[i-1].a != a) {
			ts = x.remainder(ts, i)
			i = slices.IndexFunc(ts, func(t term) bool { return t.a == a })
		}
	}
	if len(ts) > 0 {
		x.places = make([]place, 0, len(ts))
	}
	for i := 0; i < len(ts); {
		j := i + 1
		for j < len(ts) && ts[j].a == ts[i].a {
			j++
		}
		x.places = s.appendPlaces(x.places, ts[i:j])
		i = j
	}
	x.lo, x.hi = x.rest, x.rest
	for _, p := range x.places {
		lo, hi := p.lo, p.hi
		if p.c < 0 {
			lo, hi = hi, lo
		}
		x.lo = s.plus(x.lo, s.mul(p.c, lo))
		x.hi = s.plus(x.hi, s.mul(p.c, hi))
	}
}

// remainder returns the terms with c·y in one piece, where term i, the first of the atom of the sum y, is -c·n·⌊y/n⌋
// and c·y is among the others: together they are c·(y mod n). The pieces of y are taken from the terms.
func (x *sum) remainder(ts []term, i int) []term {
	t := ts[i]
	y := t.a.x
	c := -t.c / t.n
	if -t.c%t.n != 0 {
		return ts
	}
	by, ok := ints.Mul(c, y.k)
	rest, fits := ints.Sub(x.rest, by)
	if !ok || !fits {
		return ts
	}
	out := make([]term, 0, len(ts)+1)
	at := 0
	for _, u := range y.terms {
		for at < len(ts) && compareTerms(ts[at], u) < 0 {
			out = append(out, ts[at])
			at++
		}
		if at == len(ts) || compareTerms(ts[at], u) != 0 {
			return ts
		}
		left, ok := ints.Mul(c, u.c)
		left = ts[at].c - left
		if have, _ := ints.Abs(ts[at].c); !ok || max(left, -left) >= have {
			return ts
		}
		if left != 0 {
			out = append(out, term{left, u.a, u.n})
		}
		at++
	}
	x.rest = rest
	// The atom of y has a higher number than those in y: what is left begins with term i or stands before it.
	out = append(out, ts[at:i]...)
	out = append(out, term{c, t.a, 1})
	return append(out, ts[i:]...)
}

// appendPlaces appends the digits of quotients of one atom. Divisors that do not divide the next larger ones begin
// chains of their own.
func (s *Space) appendPlaces(dst []place, ts []term) []place {
	if len(ts) == 1 { // the common case
		return appendPlace(dst, ts[0].c, ts[0], 0)
	}
	done := make([]bool, len(ts))
	for i := range ts {
		if done[i] {
			continue
		}
		c, last := ts[i].c, ts[i]
		for j := i + 1; j < len(ts); j++ {
			if done[j] || ts[j].n%last.n != 0 {
				continue
			}
			r := ts[j].n / last.n
			next, ok := ints.Mul(c, r)
			sum, fits := ints.Add(next, ts[j].c)
			if !ok || !fits {
				continue
			}
			done[j] = true
			dst = appendPlace(dst, c, last, r)
			c, last = sum, ts[j]
		}
		dst = appendPlace(dst, c, last, 0)
	}
	return dst
}

func appendPlace(dst []place, c int64, t term, r int64) []place {
	if c == 0 {
		return dst
	}
	p := place{c: c, a: t.a, n: t.n, r: r}
	p.lo, p.hi = t.a.span(t.n)
	if r > 0 && (p.lo < 0 || p.hi >= r) {
		p.lo, p.hi = 0, r-1
	}
	return append(dst, p)
}

// width returns the number of bits of a number that is not negative.
func width(x int64) int { return bits.Len64(uint64(x)) }

// powerOfTwo reports whether x is one.
func powerOfTwo(x int64) bool { return x > 0 && x&(x-1) == 0 }

// log returns the exponent of the highest power of two that divides x, which is not 0.
func log(x int64) int { return bits.TrailingZeros64(uint64(x)) }
