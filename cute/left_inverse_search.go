package cute

// This file searches for left inverses of layouts whose strides do not chain.
//
// A layout r with the radix products P_1 | P_2 | ... | P_j and the strides e_0, ..., e_j takes u to
//
//	e_0·(u mod P_1) + e_1·(⌊u/P_1⌋ mod P_2/P_1) + ... + e_j·⌊u/P_j⌋,
//
// so each offset u of a, with its index for the value, is a linear equation for the strides, to be solved in
// integers. Take the offsets by increasing magnitude. A radix product above u has no part in u's equation, so
// the products are chosen on the way: before the equation of the next offset, products up to it and
// above the offset before may be added, each with one more free stride, and the branch ends where no integer
// solution is left. It also ends where the equations force a stride to continue the one before it: the two
// modes are one, and fewer radices do. Dense stretches of offsets leave nothing to choose, which keeps
// the search small.
//
//	(2,2):(2,3)   r(2) = 1, r(3) = 2, r(5) = 3
//	at 2   2·e_0 = 1 has no solution; with P_1 = 2 it is e_1 = 1
//	at 3   e_0 + e_1 = 2, so e_0 = 1
//	at 5   e_0 + 2·e_1 = 3 holds:   r = (2,3):(1,1)
//
// How many radices an inverse needs is not bounded by the rank: (4,4):(3,11) needs the products 2, 4, 8 and 40.
// (theory.md A.8 looks at rank+1 of them.) It is bounded by the logarithm of the largest offset, and the
// search goes that far, few radices first.

// InverseBudget is the number of looks at an offset that the search of [LeftInverse] takes before it gives up:
// some tenths of a second. Each number of modes, from one upwards, gets half of what is left.
const InverseBudget = 1 << 23

// equationLooks is what one equation with a free stride costs, in looks.
const equationLooks = 8

// An inverter looks for a layout through the points of the layout a, made by terms.
type inverter struct {
	a      Layout
	terms  []term
	points []point // by increasing u

	radices []int64 // the radix products of the branch at hand
	row     []int64 // buffer for one equation
	inverse Layout
	looks   int  // at offsets, that are left
	deepest int  // the greatest number of points that some branch satisfied
	deeper  bool // some branch ended where one more radix might have saved it
	open    bool // some candidate was too large to decide

	stop    Until
	steps   int64
	stopped error // of stop
}

// A searchEnd says why a search stopped.
type searchEnd int

const (
	searchedAll searchEnd = iota
	searchFound
	searchRefined // a candidate failed at an offset that was not among the points, and now is
	searchSpent   // the budget
)

// searchInverse returns an inverse through the offsets that the terms of a, which are injective, make up.
func searchInverse(a Layout, terms []term, stop Until) (Layout, error) {
	q := &inverter{a: a, terms: terms, points: pointsOf(terms), stop: stop}
	return q.run()
}

// run searches with more and more radices until the question is decided or the budget spent.
func (q *inverter) run() (Layout, error) {
	budget, spent := InverseBudget, false
	for n := 0; ; n++ {
		q.looks = budget / 2
		budget -= q.looks
		end := q.search(n)
		if q.stopped != nil {
			return Layout{}, q.stopped
		}
		budget += max(q.looks, 0)
		switch {
		case end == searchFound:
			return q.inverse, nil
		case end == searchSpent && n <= len(q.terms):
			spent = true
		case end == searchSpent || !q.deeper && (spent || q.open):
			return Layout{}, q.undecided(n)
		case !q.deeper:
			return Layout{}, q.impossible()
		}
	}
}

// search looks for an inverse with at most n radices.
func (q *inverter) search(n int) searchEnd {
	for {
		q.deepest, q.deeper, q.radices = 0, false, q.radices[:0]
		if end := q.at(0, solutions{}.unknown(), n); end != searchRefined {
			return end
		}
	}
}

// at continues a branch that satisfies the points before k, where up to left more radices may be added.
func (q *inverter) at(k int, s solutions, left int) searchEnd {
	if k == len(q.points) {
		return q.settle(s)
	}
	if q.looks--; q.looks < 0 || q.ends() {
		return searchSpent
	}
	q.deepest = max(q.deepest, k)
	if len(s.basis) > 0 {
		q.looks -= equationLooks - 1
	}
	next, o := s.require(q.equation(q.points[k].u), q.points[k].index)
	if o == tooLarge {
		q.open = true
	}
	if o == holds || o == narrows && !q.merges(next) {
		if end := q.at(k+1, next, left); end != searchedAll {
			return end
		}
	}
	least, most := q.bounds(k)
	need := 1
	if o == holds {
		// One more radix here would have to add 0, and merge. Two may cancel, the second at least twice the first.
		need, most = 2, most/2
	}
	if least > most {
		return searchedAll
	}
	if left < need {
		q.deeper = true
		return searchedAll
	}
	return q.insert(k, s, left, most)
}

// product returns the last radix product.
func (q *inverter) product() int64 {
	if n := len(q.radices); n > 0 {
		return q.radices[n-1]
	}
	return 1
}

// bounds returns the least and the greatest multiple of the last radix product that may be the next one, if
// that lies above the point before k and not above point k.
func (q *inverter) bounds(k int) (least, most int64) {
	last := q.product()
	least = 2
	if k > 0 {
		least = max(least, q.points[k-1].u/last+1)
	}
	return least, q.points[k].u / last
}

// insert continues the branch at point k with one more radix, at most the given multiple of the last product.
// Multiples with the same quotients for all points are interchangeable, and so are the products of
// a further radix with them, since ⌊u/(m·P)⌋ is ⌊⌊u/P⌋/m⌋: the largest stands for all. Large ones come
// first, as they take the fewest digits.
func (q *inverter) insert(k int, s solutions, left int, most int64) searchEnd {
	last := q.product()
	least, _ := q.bounds(k)
	s = s.unknown()
	for m := most; m >= least; {
		q.radices = append(q.radices, m*last)
		end := q.at(k, s, left-1)
		q.radices = q.radices[:len(q.radices)-1]
		if end != searchedAll {
			return end
		}
		m = q.leastAlike(k, m) - 1
	}
	return searchedAll
}

// leastAlike returns the least m' such that the products m'·P and m·P have the same quotients for all points
// from k on, P the last product.
func (q *inverter) leastAlike(k int, m int64) int64 {
	last, least := q.product(), int64(2)
	for _, p := range q.points[k:] {
		q.looks--
		u := p.u / last
		if least = max(least, u/(u/m+1)+1); least == m {
			break
		}
	}
	return least
}

// equation returns the digits of u, which the strides multiply. It is valid until the next call.
func (q *inverter) equation(u int64) []int64 {
	q.row = q.row[:0]
	last := int64(1)
	for _, p := range q.radices {
		q.row = append(q.row, u/last%(p/last))
		last = p
	}
	return append(q.row, u/last)
}

// merges reports whether some stride continues the one before it in all solutions.
func (q *inverter) merges(s solutions) bool {
	last := int64(1)
	for i, p := range q.radices {
		m := p / last
		last = p
		forced := continues(m, s.x[i:i+1], s.x[i+1:i+2])
		for _, b := range s.basis {
			forced = forced && continues(m, b[i:i+1], b[i+1:i+2])
		}
		if forced {
			return true
		}
	}
	return false
}

// ends asks at some of the steps of the search whether it may go on.
func (q *inverter) ends() bool {
	if q.steps++; q.stopped == nil {
		q.stopped = q.stop.at(q.steps)
	}
	return q.stopped != nil
}
