package address

import (
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// A place is a digit of an atom and its weight in the sum: c·(⌊a/n⌋ mod r), or c·⌊a/n⌋ if r is 0.
//
// If the divisors n_0 | n_1 | ... | n_m of the quotients of one atom divide one another, the quotients are sums of
// digits d_j = ⌊a/n_j⌋ mod (n_{j+1}/n_j), d_m = ⌊a/n_m⌋:
//
//	⌊a/n_i⌋ = Σ_{j≥i} d_j·(n_j/n_i),   hence   Σ c_i·⌊a/n_i⌋ = Σ_j C_j·d_j,   C_j = Σ_{i≤j} c_i·(n_j/n_i).
//
// Digits are independent of each other if a ranges over a whole multiple of n_m. Then the ranges of the digits give the
// exact range of their sum: 16·(t mod 8), which is 16·t - 128·⌊t/8⌋, is between 0 and 112.
type place struct {
	c      int64
	a      *atom
	n, r   int64
	lo, hi int64 // the range of the digit
}

// A view is a sum as its places and a constant, with the range that follows from the ranges of the digits.
type view struct {
	places []place
	rest   int64
	lo, hi int64
}

// setView splits the quotients of a sum into digits. If the terms contain c·y - c·n·⌊y/n⌋ for a divided sum y, which is
// c times the remainder of y, it combines them if that gives fewer digits or a smaller range.
func (s *Space) setView(x *sum) {
	ts := x.terms
	var buffers [2][16]place // for v, and for a candidate that may be better
	at := 0
	v, ok := viewOf(buffers[at][:0], ts, x.k)
	for i := len(ts) - 1; i >= 0; i-- {
		a := ts[i].a
		if a.op != opSum || i > 0 && ts[i-1].a == a {
			continue
		}
		us, rest, can := remainder(ts, i, v.rest)
		if !can {
			continue
		}
		w, can := viewOf(buffers[1-at][:0], us, rest)
		if !can || ok && len(w.places) > len(v.places) && uint64(w.hi)-uint64(w.lo) >= uint64(v.hi)-uint64(v.lo) {
			continue
		}
		if ok { // both bounds hold
			w.lo, w.hi = max(v.lo, w.lo), min(v.hi, w.hi)
		}
		ts, v, ok, at = us, w, true, 1-at
		i = slices.IndexFunc(ts, func(t term) bool { return t.a == a })
	}
	if ok {
		x.places, x.rest, x.lo, x.hi = s.arena.places.keep(v.places), v.rest, v.lo, v.hi
		x.known |= fits
	}
}

// viewOf returns the digits of a sum, which it appends to places; ok is false if a value may exceed 64 bits.
func viewOf(places []place, ts []term, k int64) (v view, ok bool) {
	v = view{rest: k, lo: k, hi: k}
	for i := 0; i < len(ts); {
		j := i + 1
		for j < len(ts) && ts[j].a == ts[i].a {
			j++
		}
		places = appendPlaces(places, ts[i:j])
		i = j
	}
	ok = true
	for i := range places {
		p := &places[i]
		lo, hi := p.lo, p.hi
		if p.c < 0 {
			lo, hi = hi, lo
		}
		lo, ok1 := ints.Mul(p.c, lo)
		hi, ok2 := ints.Mul(p.c, hi)
		var ok3, ok4 bool
		v.lo, ok3 = ints.Add(v.lo, lo)
		v.hi, ok4 = ints.Add(v.hi, hi)
		ok = ok && ok1 && ok2 && ok3 && ok4
	}
	v.places = places
	return v, ok
}

// remainder combines terms into c·y - c·n·⌊y/n⌋, where term i, the first term of the atom of the sum y, is -c·n·⌊y/n⌋:
// it subtracts c·y from the other terms.
func remainder(ts []term, i int, k int64) (us []term, rest int64, ok bool) {
	t := ts[i]
	y := t.a.x
	if t.c%t.n != 0 {
		return nil, 0, false
	}
	c := -t.c / t.n
	by, ok := ints.Mul(c, y.k)
	rest, fits := ints.Sub(k, by)
	ok = ok && fits
	us = make([]term, 0, len(ts)+len(y.terms)+1)
	at := 0
	for _, u := range y.terms {
		for at < len(ts) && compareTerms(ts[at], u) < 0 {
			us = append(us, ts[at])
			at++
		}
		left, fits := ints.Mul(-c, u.c)
		ok = ok && fits
		if at < len(ts) && compareTerms(ts[at], u) == 0 {
			left, fits = ints.Add(ts[at].c, left)
			ok = ok && fits
			at++
		}
		if left != 0 {
			us = append(us, term{left, u.a, u.n})
		}
	}
	// The atom of y has a higher number than the atoms in y: the remaining terms are before term i, or begin with it.
	us = append(us, ts[at:i]...)
	us = append(us, term{c, t.a, 1})
	return append(us, ts[i:]...), rest, ok
}

// appendPlaces appends the digits of quotients of one atom. A divisor that does not divide the next larger one ends its
// chain; the next one begins a new chain.
func appendPlaces(dst []place, ts []term) []place {
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

// powerOfTwo reports whether x is a power of two.
func powerOfTwo(x int64) bool { return x > 0 && x&(x-1) == 0 }

// log returns the exponent of the largest power of two that divides x ≠ 0.
func log(x int64) int { return bits.TrailingZeros64(uint64(x)) }
