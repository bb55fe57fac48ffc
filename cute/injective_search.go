package cute

import (
	"cmp"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file finds collisions without looking at the domain. Two coordinates have the same offset exactly if
// their difference y, with |y_i| ≤ s_i−1 at each leaf, is not 0 and has Σ y_i·d_i = 0; every such y is the
// difference of its positive and its negative part, which are coordinates. So the question is one of small
// integer relations between the strides, found depth first from the largest stride down: what is left must
// be within reach of the remaining leaves and divisible by the greatest common divisor of their strides,
// which leaves an arithmetic progression of values for each y_i, and for the last two leaves solves the
// equation outright.
//
//	(4,3,5):(1,5,7)   7 is within reach of 3·1 + 2·5 = 13: y = (·,·,1) leaves −7 for strides 5 and 1;
//	                  5·y with |−7 − 5·y| ≤ 3 is y = −1, then −2·1:  (−2,−1,1), that is (2,1,0) and (0,0,1)

// A collider looks for a relation y between its terms. The methods work on level j: the terms before j have
// their y, and sum[j] is what those add up to.
type collider struct {
	terms  []term
	nodes  int64
	budget int64
	reach  [][]int64 // reach[j][x] is the most that the terms from j on add along axis x
	gcd    [][]int64 // gcd[j][x] divides all that they add
	sum    [][]int64
	y      []int64
	lead   int // the first level with y ≠ 0, or len(terms)

	stop    Until
	stopped error // of stop
}

func newCollider(terms []term) *collider {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(norm(b.d), norm(a.d)) })
	n := len(terms)
	s := &collider{terms: terms, y: make([]int64, n), lead: n, budget: CollisionBudget}
	if size := sizeOf(terms); size <= EnumLimit {
		s.budget = min(s.budget, size+64)
	}
	k := 0
	if n > 0 {
		k = len(terms[0].d)
	}
	for range n + 1 {
		s.reach = append(s.reach, make([]int64, k))
		s.gcd = append(s.gcd, make([]int64, k))
		s.sum = append(s.sum, make([]int64, k))
	}
	for j := n - 1; j >= 0; j-- {
		for x, d := range terms[j].d {
			s.reach[j][x] = s.reach[j+1][x] + terms[j].most*max(d, -d)
			s.gcd[j][x] = ints.GCD(s.gcd[j+1][x], d)
		}
	}
	return s
}

// norm returns the largest magnitude in d.
func norm(d []int64) int64 {
	m := int64(0)
	for _, x := range d {
		m = max(m, x, -x)
	}
	return m
}

// find reports whether the terms from j on can make the sum 0, with some y ≠ 0 in all; y holds how. A relation
// and its negative are the same, so the first y that is not 0 is positive.
func (s *collider) find(j int) bool {
	if s.nodes++; s.nodes > s.budget || !s.possible(j) {
		return false
	}
	if err := s.stop.at(s.nodes); err != nil {
		s.stopped, s.nodes = err, s.budget+1
		return false
	}
	if j == len(s.terms) {
		return s.lead < j
	}
	p := s.progression(j)
	up, down := p.around()
	if s.lead >= j {
		down.n = 0
	}
	for up.n > 0 || down.n > 0 {
		// From 0 outwards: relations of small numbers are the likely ones.
		y := up.next
		if up.n == 0 || down.n > 0 && -down.next < up.next {
			y = down.advance()
		} else {
			up.advance()
		}
		s.choose(j, y)
		if s.find(j + 1) {
			return true
		}
		if s.nodes > s.budget {
			return false
		}
	}
	s.choose(j, 0)
	return false
}

// choose sets y at level j.
func (s *collider) choose(j int, y int64) {
	s.y[j] = y
	switch {
	case y != 0:
		s.lead = min(s.lead, j)
	case s.lead == j:
		s.lead = len(s.terms)
	}
	for x, d := range s.terms[j].d {
		s.sum[j+1][x] = s.sum[j][x] + y*d
	}
}

// possible reports whether the remaining terms may take the sum to 0: a necessary condition for each axis.
func (s *collider) possible(j int) bool {
	for x, sum := range s.sum[j] {
		if max(sum, -sum) > s.reach[j][x] {
			return false
		}
		if g := s.gcd[j][x]; g != 0 && sum%g != 0 {
			return false
		}
	}
	return true
}

// A progression is the n numbers next, next+step, ...
type progression struct{ next, step, n int64 }

// advance returns the next number and drops it.
func (p *progression) advance() int64 {
	y := p.next
	p.n--
	if p.n > 0 {
		p.next += p.step
	}
	return y
}

// around splits p into its numbers from 0 upwards and those below 0 downwards.
func (p progression) around() (up, down progression) {
	if p.n == 0 || p.next >= 0 {
		return p, progression{}
	}
	below := min(p.n, ints.CeilDiv(-p.next, p.step))
	down = progression{p.next + (below-1)*p.step, -p.step, below}
	if up.n = p.n - below; up.n > 0 {
		up.next, up.step = down.next+p.step, p.step
	}
	return up, down
}

// progression returns the values of y at level j that leave what the remaining terms may still make up, as
// far as the axis tells that allows the fewest.
func (s *collider) progression(j int) progression {
	t := s.terms[j]
	best := progression{n: -1}
	for x, d := range t.d {
		if d == 0 {
			continue
		}
		sum := s.sum[j][x]
		if d < 0 {
			d, sum = -d, -sum
		}
		// |sum + y·d| ≤ reach
		r := s.reach[j+1][x]
		lo, hi := max(-t.most, -ints.FloorDiv(r+sum, d)), min(t.most, ints.FloorDiv(r-sum, d))
		p := progression{next: lo, step: 1}
		// sum + y·d ≡ 0 modulo the divisor g of the rest: y·(d/h) ≡ −sum/h modulo g/h, h = gcd(d, g)
		if g := s.gcd[j+1][x]; g > 0 {
			h := s.gcd[j][x]
			p.step = g / h
			y := mulMod(mod(-(sum/h), p.step), inverseMod(d/h, p.step), p.step)
			p.next = lo + mod(y-lo, p.step)
		}
		if p.next <= hi {
			p.n = (hi-p.next)/p.step + 1
		}
		if best.n < 0 || p.n < best.n {
			best = p
		}
	}
	return best
}

// mod returns the residue of a in [0, m).
func mod(a, m int64) int64 {
	if a %= m; a < 0 {
		a += m
	}
	return a
}

// mulMod returns a·b modulo m for a and b in [0, m).
func mulMod(a, b, m int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(bits.Rem64(hi, lo, uint64(m)))
}

// inverseMod returns the inverse of a modulo m, which must be coprime to it; 0 for m = 1.
func inverseMod(a, m int64) int64 {
	_, u, _ := bezout(a%m, m)
	return mod(u, m)
}
