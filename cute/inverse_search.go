package cute

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"girih/internal/ints"
)

// This file searches for left inverses of layouts whose strides do not chain.
//
// A layout r with the radix products P_1 | P_2 | ... | P_j and the strides e_0, ..., e_j takes u to
//
//	e_0·(u mod P_1) + e_1·(⌊u/P_1⌋ mod P_2/P_1) + ... + e_j·⌊u/P_j⌋,
//
// so each offset u of a, whose index is the required value, gives a linear equation for the strides, which must be
// integers. The search takes the offsets by increasing magnitude. A radix product above u does not occur in u's
// equation, so the search chooses products as it proceeds. Before the equation of the next offset, products up to it
// and above the offset before may be added, each with one more free stride. A branch ends if no integer solution is
// left. It also ends if the equations force a stride to continue the stride before it, because then the two modes merge
// and fewer radices suffice. Dense stretches of offsets leave nothing to choose, which keeps the search small.
//
//	(2,2):(2,3)   r(2) = 1, r(3) = 2, r(5) = 3
//	at 2   2·e_0 = 1 has no solution; with P_1 = 2 it is e_1 = 1
//	at 3   e_0 + e_1 = 2, so e_0 = 1
//	at 5   e_0 + 2·e_1 = 3 holds:   r = (2,3):(1,1)
//
// The rank does not limit the number of radices of an inverse: (4,4):(3,11) needs the products 2, 4, 8 and 40.
// (theory.md A.8 considers rank+1 radices.) The logarithm of the largest offset limits it, and the search goes that
// far, few radices first.

// InverseBudget is how many times the search of [LeftInverse] may look at an offset before it gives up: some tenths of
// a second. Each number of modes, from one upwards, gets half of the remaining budget.
const InverseBudget = 1 << 23

// equationLooks is the cost of one equation with a free stride, in looks.
const equationLooks = 8

// An inverter looks for a layout through the points of a, the layout that consists of the terms.
type inverter struct {
	a      Layout
	terms  []term
	points []point // sorted by u
	listed bool    // all offsets are points

	radices []int64 // the radix products of the current branch
	row     []int64 // buffer for one equation
	inverse Layout
	looks   int  // the number of looks at offsets that the budget still allows
	deepest int  // the greatest number of points that some branch satisfied
	deeper  bool // a branch that ended might have continued with one more radix
	open    bool // some candidate was too large to decide

	stop    Until
	steps   int64
	stopped error // the error of stop
}

// A searchEnd says why a search stopped.
type searchEnd int

const (
	searchedAll searchEnd = iota
	searchFound
	searchRefined // a candidate failed at an offset that was not a point; the offset is now a point
	searchSpent   // the budget is spent
)

// searchInverse returns a left inverse at the offsets of the terms of a, which must be injective.
func searchInverse(a Layout, terms []term, stop Until) (Layout, error) {
	q := &inverter{a: a, terms: terms, points: pointsOf(terms), stop: stop}
	return q.run()
}

// run searches with more and more radices until the question is decided or the budget is spent.
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
			return Layout{}, q.undecidedError(n)
		case !q.deeper:
			return Layout{}, q.impossibleError()
		}
	}
}

// search looks for an inverse with at most n radices.
func (q *inverter) search(n int) searchEnd {
	for {
		q.deepest, q.deeper, q.radices = 0, false, q.radices[:0]
		if end := q.at(0, solutions{}.addUnknown(), n); end != searchRefined {
			return end
		}
	}
}

// at continues a branch that satisfies the points before k; up to left more radices may be added.
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
		// A single further radix would have to add 0, and would merge. Two further radices may cancel; the second is at
		// least twice the first.
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

// bounds returns the range of multiples of the last radix product that the next product may be: above the point before
// k, and at most point k.
func (q *inverter) bounds(k int) (least, most int64) {
	last := q.product()
	least = 2
	if k > 0 {
		least = max(least, q.points[k-1].u/last+1)
	}
	return least, q.points[k].u / last
}

// insert continues the branch at point k with one more radix, at most the given multiple of the last product. Multiples
// that give the same quotients for all points are interchangeable, and so are their products with a further radix,
// since ⌊u/(m·P)⌋ is ⌊⌊u/P⌋/m⌋. So only the largest such multiple is tried. Large multiples come first, because they
// need the fewest digits.
func (q *inverter) insert(k int, s solutions, left int, most int64) searchEnd {
	last := q.product()
	least, _ := q.bounds(k)
	s = s.addUnknown()
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

// leastAlike returns the least m' such that the products m'·P and m·P give the same quotients for all points from k on,
// where P is the last product.
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

// equation returns the digits of u, the coefficients of the strides. The next call overwrites them.
func (q *inverter) equation(u int64) []int64 {
	q.row = q.row[:0]
	last := int64(1)
	for _, p := range q.radices {
		q.row = append(q.row, u/last%(p/last))
		last = p
	}
	return append(q.row, u/last)
}

// merges reports whether in all solutions some stride continues the stride before it.
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

// ends reports whether the search must stop; at some of its steps it asks stop.
func (q *inverter) ends() bool {
	if q.steps++; q.stopped == nil {
		q.stopped = q.stop.at(q.steps)
	}
	return q.stopped != nil
}

// The following functions make the equations, and decide whether a solution is an inverse. For a layout with many
// offsets the search uses a sample of them. A candidate that satisfies all points is checked on the whole layout; the
// place of a failure becomes one more point.

// pointLimit is the largest number of offsets at which every offset becomes a point.
const pointLimit = 1 << 12

// A point is an equation for the inverse: the inverse takes u > 0 to index. index is a colexicographic index or, if the
// offset is −u, the negative of that index.
type point struct{ u, index int64 }

// pointAt returns the point at the coordinate x, one number for each term.
func pointAt(terms []term, x []int64) point {
	var p point
	for i, t := range terms {
		p.u += x[i] * t.d[0]
		p.index += x[i] * t.index
	}
	if p.u < 0 {
		return point{-p.u, -p.index}
	}
	return p
}

// pointsOf returns the points of the terms by increasing magnitude: all of them up to pointLimit, otherwise a sample at
// places where digits tend to carry.
func pointsOf(terms []term) []point {
	var points []point
	if n := sizeOf(terms); n <= pointLimit {
		x := make([]int64, len(terms))
		for range n - 1 {
			increment(terms, x)
			points = append(points, pointAt(terms, x))
		}
	} else {
		points = samplePoints(terms)
	}
	sort.Sort(ints.By(points, comparePoints))
	return slices.Compact(points)
}

func comparePoints(a, b point) int {
	return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.index, b.index))
}

// increment makes x the next coordinate of the terms.
func increment(terms []term, x []int64) {
	for i, t := range terms {
		if x[i]++; x[i] <= t.most {
			return
		}
		x[i] = 0
	}
}

// samplePoints returns points along each term, with the terms of smaller stride at 0 and at their ends, and
// at the sums of two ends.
func samplePoints(terms []term) []point {
	var points []point
	low, high := make([]int64, len(terms)), make([]int64, len(terms))
	for i, t := range terms {
		for _, y := range t.sample() {
			low[i], high[i] = y, y
			points = append(points, pointAt(terms, low), pointAt(terms, high))
		}
		low[i], high[i] = 0, t.most
		for j := range i {
			low[i], low[j] = t.most, terms[j].most
			points = append(points, pointAt(terms, low))
			low[i], low[j] = 1, 1
			points = append(points, pointAt(terms, low))
			low[i], low[j] = 0, 0
		}
	}
	return points
}

// sample returns places along t: the first places, the places next to powers of two, the middle and the last places.
func (t term) sample() []int64 {
	ys := []int64{3, 5, 6, 7, 9, t.most / 2, t.most - 1, t.most}
	for y := int64(1); y <= t.most/2; y *= 2 {
		ys = append(ys, y, 2*y-1)
	}
	ys = slices.DeleteFunc(ys, func(y int64) bool { return y < 1 || y > t.most })
	slices.Sort(ys)
	return slices.Compact(ys)
}

// settle decides a branch that satisfies all points. Its candidate is the solution with the smallest strides. The
// candidate is the inverse, fails at a new point, or is too large to decide.
func (q *inverter) settle(s solutions) searchEnd {
	r, err := q.candidate(s.smallest())
	if err != nil {
		q.open = true
		return searchedAll
	}
	p, end := q.failure(r)
	switch end {
	case searchFound:
		q.inverse = r
	case searchSpent:
	case searchRefined:
		i, _ := slices.BinarySearchFunc(q.points, p, comparePoints)
		q.points = slices.Insert(q.points, i, p)
	default:
		q.open = true
	}
	return end
}

// candidate returns the layout with the radix products of the branch and the given strides. Its last extent is just
// large enough for the largest offset.
func (q *inverter) candidate(strides []int64) (Layout, error) {
	above, below := int64(0), int64(0)
	for _, t := range q.terms {
		above += t.most * max(t.d[0], 0)
		below += t.most * max(-t.d[0], 0)
	}
	n := len(strides)
	v := make([]int64, 0, 2*n)
	last := int64(1)
	for _, p := range q.radices {
		v = append(v, p/last)
		last = p
	}
	top, ok := ints.Add(max(above, below)/last, 1)
	if !ok {
		return Layout{}, overflowError(opLeftInverse, "the inverse of %v", q.a)
	}
	r, err := finish(opLeftInverse, append(append(v, top), strides...), flatProfile(n), nil)
	if err != nil {
		return Layout{}, err
	}
	return Coalesce(r), nil
}

// failure decides whether r inverts the terms: it returns searchFound if so, searchRefined with a point at which r
// fails, and searchedAll if it cannot tell.
func (q *inverter) failure(r Layout) (point, searchEnd) {
	if q.listed {
		return point{}, searchFound
	}
	n := sizeOf(q.terms)
	if n > EnumLimit {
		return q.failureByComposition(r)
	}
	x := make([]int64, len(q.terms))
	for range n - 1 {
		if q.looks--; q.ends() {
			return point{}, searchSpent
		}
		increment(q.terms, x)
		if p := pointAt(q.terms, x); p.missedBy(r) {
			return p, searchRefined
		}
	}
	return point{}, searchFound
}

// missedBy reports whether r has a different value at p.
func (p point) missedBy(r Layout) bool {
	y, err := r.At(p.u)
	return err != nil || y != p.index
}

// failureByComposition is [inverter.failure] without enumeration: for the layout b with one mode for each term, r∘b
// must be the layout of b's shape whose strides are the indices.
func (q *inverter) failureByComposition(r Layout) (point, searchEnd) {
	n := len(q.terms)
	b, want := make([]int64, 2*n), make([]int64, 2*n)
	for i, t := range q.terms {
		b[i], want[i] = t.most+1, t.most+1
		b[n+i], want[n+i] = t.d[0], t.index
	}
	c, err := Composition(r, Layout{v: b, prof: flatProfile(n)})
	var index int64
	if err == nil {
		same, difference := Equivalent(c, Layout{v: want, prof: flatProfile(n)})
		if same {
			return point{}, searchFound
		}
		index = difference.Index
	} else {
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Witness == nil {
			return point{}, searchedAll
		}
		index = e.Witness.Index
	}
	x := splitIndex(nil, Int(index), Tuple{v: b[:n], prof: flatProfile(n)}, nil)
	if p := pointAt(q.terms, x); p.missedBy(r) {
		return p, searchRefined
	}
	return point{}, searchedAll
}

// undecidedError is the error of a search that gave up at up to n radices.
func (q *inverter) undecidedError(n int) error {
	return errorf(CodeLimit, opLeftInverse, "whether some layout inverts %v is undecided: its strides do not chain, and a search among the layouts of up to %d modes did not end within %d looks at offsets",
		q.a, n+1, int64(InverseBudget))
}

// impossibleError is the error of a search that has tried everything.
func (q *inverter) impossibleError() error {
	p := q.points[q.deepest]
	index := max(p.index, -p.index)
	c, _ := Idx2Crd(Int(index), q.a.Shape())
	value, _ := q.a.Eval(c)
	return &Error{
		Code: CodeNotInvertible, Op: opLeftInverse,
		Msg: fmt.Sprintf("no layout takes the offsets of %v back to their indices: each one that does so for the smaller offsets fails at %v, the offset of %v (index %d)",
			q.a, value, c, index),
		Witness: &Witness{Coord: c, Index: index, Value: value},
		Hint:    "right_inverse inverts the part without gaps; a composition of several layouts can invert any injective one",
	}
}

const opLeftInverse = "left_inverse"
