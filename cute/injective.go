package cute

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"girih/internal/ints"
)

// This file decides injectivity. A mode of stride 0 decides at once. Otherwise a collision is a relation between the
// strides; collider looks for such relations without enumerating the domain.
//
//	(4,3):(3,4)   4·3 = 3·4, but the coordinates reach 3 and 2 only: injective
//	(5,4):(3,4)   (4,0) and (0,3) both have the offset 12

// CollisionBudget is how many partial relations between strides [IsInjective] examines before it enumerates the domain;
// the size of the domain limits their number too. Layouts whose strides chain need one relation for each leaf.
const CollisionBudget = 1 << 22

// IsInjective reports whether no two coordinates of a have the same offset. It looks at the strides and not at the
// domain, so it is exact for layouts of any size. If a is not injective, the witness is two coordinates, congruent to
// a's shape, with the same offset: Coord with its Index is the smaller one, Other the other, and Value their offset. It
// returns [CodeLimit] if [CollisionBudget] does not decide it and a has more than [EnumLimit] coordinates.
func IsInjective(a Layout) (bool, *Witness, error) { return isInjective(a, nil) }

func isInjective(a Layout, stop Until) (bool, *Witness, error) {
	c := Coalesce(a)
	moving, still := termsOf(c)
	if len(still) > 0 {
		return false, collision(a, still[:1], []int64{1}), nil
	}
	w, err := collide(a, moving, stop)
	return w == nil && err == nil, w, err
}

// A term is a leaf of extent above 1 as a summand of the offset: up to most steps of d. d has one number for each axis.
// Each step adds index to the colexicographic index.
type term struct {
	most, index int64
	d           []int64
}

// termsOf returns the leaves of c whose extent is not 1: first those that move, then those with stride 0.
func termsOf(c Layout) (moving, still []term) {
	index := int64(1)
	for i, s := range c.extents() {
		t := term{s - 1, index, c.stride(i)}
		switch {
		case s == 1:
		case isZero(t.d):
			still = append(still, t)
		default:
			moving = append(moving, t)
		}
		index *= s
	}
	return moving, still
}

// layoutOf returns the layout of the given terms of a, one mode each, over all axes of a.
func layoutOf(a Layout, terms []term) Layout {
	v := make([]int64, 0, len(terms)*(1+a.cod.axes()))
	for _, t := range terms {
		v = append(v, t.most+1)
	}
	for _, t := range terms {
		v = append(v, t.d...)
	}
	return Layout{v: v, prof: flatProfile(len(terms)), cod: a.cod}
}

// collide returns two coordinates of a at which the given terms of a have the same sum, or nil if there are no such
// coordinates. No term may have the stride 0. If no term moves along several axes, it treats each axis on its own.
func collide(a Layout, terms []term, stop Until) (*Witness, error) {
	for _, group := range groupByAxis(terms) {
		s := newCollider(group)
		s.stop = stop
		found := s.find(0)
		if s.stopped != nil {
			return nil, s.stopped
		}
		if s.nodes > s.budget {
			return collideByEnumeration(a, group, stop)
		}
		if found {
			return collision(a, s.terms, s.y), nil
		}
	}
	return nil, nil
}

// groupByAxis returns one group of terms for each axis, with their strides along that axis, if each term moves along
// one axis only. Otherwise it returns all terms as one group.
func groupByAxis(terms []term) [][]term {
	if len(terms) == 0 || mixesAxes(terms) {
		return [][]term{terms}
	}
	groups := make([][]term, len(terms[0].d))
	for _, t := range terms {
		for x, d := range t.d {
			if d != 0 {
				groups[x] = append(groups[x], term{t.most, t.index, t.d[x : x+1]})
			}
		}
	}
	return groups
}

// mixesAxes reports whether some term moves along several axes at once.
func mixesAxes(terms []term) bool {
	for _, t := range terms {
		used := 0
		for _, d := range t.d {
			if d != 0 {
				used++
			}
		}
		if used > 1 {
			return true
		}
	}
	return false
}

// collision returns the witness whose coordinates are the positive and the negative part of y, a relation of the terms.
func collision(a Layout, terms []term, y []int64) *Witness {
	var i, j int64
	for t, x := range y {
		i += max(x, 0) * terms[t].index
		j += max(-x, 0) * terms[t].index
	}
	return pairWitness(a, min(i, j), max(i, j))
}

// pairWitness returns the witness of two indices i < j, below the size of a, with the same offset.
func pairWitness(a Layout, i, j int64) *Witness {
	c, _ := Idx2Crd(Int(i), a.Shape())
	other, _ := Idx2Crd(Int(j), a.Shape())
	value, _ := a.Eval(c)
	return &Witness{Coord: c, Index: i, Value: value, Other: &other}
}

// The collider finds collisions without looking at the domain. Two coordinates have the same offset exactly if their
// difference y, with |y_i| ≤ s_i−1 at each leaf, is not 0 and Σ y_i·d_i = 0. Every such y is the difference of its
// positive and its negative part, which are coordinates. So the question is whether the strides have a relation of
// small integers. The search goes depth first from the largest stride down. The rest of the sum must be within reach of
// the remaining leaves and divisible by the greatest common divisor of their strides. That leaves an arithmetic
// progression of values for each y_i, and the last two leaves follow from solving the equation.
//
//	(4,3,5):(1,5,7)   7 is within reach of 3·1 + 2·5 = 13: y = (·,·,1) leaves −7 for strides 5 and 1;
//	                  5·y with |−7 − 5·y| ≤ 3 is y = −1, then −2·1:  (−2,−1,1), that is (2,1,0) and (0,0,1)

// A collider looks for a relation y between its terms. Its methods work at a level j: the terms before j have values y
// and add up to sum[j].
type collider struct {
	terms  []term
	nodes  int64
	budget int64
	reach  [][]int64 // reach[j][x] is the most that the terms from j on can add along axis x
	gcd    [][]int64 // gcd[j][x] divides everything that the terms from j on can add along axis x
	sum    [][]int64
	y      []int64
	lead   int // the first level with y ≠ 0; len(terms) if there is none

	stop    Until
	stopped error // the error of stop
}

func newCollider(terms []term) *collider {
	terms = slices.Clone(terms)
	sort.Stable(ints.By(terms, func(a, b term) int { return cmp.Compare(norm(b.d), norm(a.d)) }))
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

// find reports whether the terms from j on can bring the sum to 0, with y ≠ 0 at some level; if so, y is the relation.
// A relation and its negative are the same collision, so the first nonzero y is positive.
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
		// From 0 outwards, because relations of small numbers are likely.
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

// possible reports whether the remaining terms may bring the sum to 0: a necessary condition for each axis.
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

// progression returns the values of y at level j after which the remaining terms may still reach the sum 0. Each axis
// gives a progression; it returns the shortest.
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

// The rest of this file decides injectivity from the sums at all coordinates. It is for strides without structure, for
// which the search for a relation takes too long. Such strides are rare.

// collideByEnumeration is [collide] by enumerating all sums of the terms.
func collideByEnumeration(a Layout, terms []term, stop Until) (*Witness, error) {
	if n := sizeOf(terms); n > EnumLimit {
		return nil, errorf(CodeLimit, "is_injective", "whether %v is injective is undecided after %d relations between %d strides, and their %d sums are more than the %d that are enumerated",
			a, int64(CollisionBudget), len(terms), n, int64(EnumLimit))
	}
	if len(terms[0].d) == 1 {
		return collideAlong(a, terms, stop)
	}
	planes := make([][]int64, 0, len(terms[0].d))
	for x := range terms[0].d {
		planes = append(planes, sums(terms, func(t term) int64 { return t.d[x] }))
	}
	index := sums(terms, func(t term) int64 { return t.index })
	order := make([]int, len(index))
	for i := range order {
		order[i] = i
	}
	compare := func(i, j int) int {
		for _, p := range planes {
			if c := cmp.Compare(p[i], p[j]); c != 0 {
				return c
			}
		}
		return 0
	}
	inOrder := func(i, j int) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	}
	if err := ints.SortFunc(order, inOrder, stop); err != nil {
		return nil, err
	}
	for n, j := range order[1:] {
		if i := order[n]; compare(i, j) == 0 {
			return pairWitness(a, min(index[i], index[j]), max(index[i], index[j])), nil
		}
	}
	return nil, nil
}

// collideAlong is collideByEnumeration for one axis, whose sums are ordered. It finds the least sum that two
// coordinates share, and the first two of these coordinates, as collideByEnumeration does.
func collideAlong(a Layout, terms []term, stop Until) (*Witness, error) {
	sorted, err := sortedSums(terms, stop)
	if err != nil {
		return nil, err
	}
	n := 1
	for n < len(sorted) && sorted[n] != sorted[n-1] {
		n++
	}
	if n == len(sorted) {
		return nil, nil
	}
	all := sums(terms, func(t term) int64 { return t.d[0] })
	if err := stop.ask(); err != nil {
		return nil, err
	}
	index := sums(terms, func(t term) int64 { return t.index })
	i := slices.Index(all, sorted[n])
	j := i + 1 + slices.Index(all[i+1:], sorted[n])
	return pairWitness(a, min(index[i], index[j]), max(index[i], index[j])), nil
}

// sortedSums returns the sums of terms along one axis in order. It adds one term at a time: it merges the sorted sums
// so far with copies shifted by multiples of the next stride. Doubling the number of copies takes few passes.
func sortedSums(terms []term, stop Until) ([]int64, error) {
	n := sizeOf(terms)
	out, next := make([]int64, 1, n), make([]int64, 0, n)
	for _, t := range terms {
		extent, once := t.most+1, slices.Clone(out)
		for b := bits.Len64(uint64(extent)) - 2; b >= 0; b-- {
			if err := stop.ask(); err != nil {
				return nil, err
			}
			c := extent >> (b + 1) // out has c copies
			out, next = mergeMoved(next[:0], out, out, c*t.d[0]), out
			if c = extent >> b; c&1 == 1 {
				out, next = mergeMoved(next[:0], out, once, (c-1)*t.d[0]), out
			}
		}
	}
	return out, nil
}

// mergeMoved merges the sorted lists a and b + by, appended to dst.
func mergeMoved(dst, a, b []int64, by int64) []int64 {
	i := 0
	for _, y := range b {
		y += by
		for i < len(a) && a[i] <= y {
			dst = append(dst, a[i])
			i++
		}
		dst = append(dst, y)
	}
	return append(dst, a[i:]...)
}

// sums returns Σ x_i·f(term i) for all coordinates x of the terms; there are at most EnumLimit.
func sums(terms []term, f func(term) int64) []int64 {
	v := make([]int64, 2*len(terms))
	for i, t := range terms {
		v[i], v[len(terms)+i] = t.most+1, f(t)
	}
	out, _ := Layout{v: v, prof: flatProfile(len(terms))}.AppendOffsets(nil)
	return out
}

// sizeOf returns the number of coordinates of the terms.
func sizeOf(terms []term) int64 {
	n := int64(1)
	for _, t := range terms {
		n *= t.most + 1
	}
	return n
}
