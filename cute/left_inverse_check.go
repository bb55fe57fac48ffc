package cute

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file makes the equations that the search for a left inverse solves, and decides whether what it finds is
// one. Of a layout with many offsets a sample is enough to search with: a candidate that passes all points
// is checked on the whole, and where it fails is one more point.

// pointLimit is the number of offsets up to which all of them are points.
const pointLimit = 1 << 12

// A point is an equation for the inverse: it takes u > 0 to index, which is a colexicographic index or, where the
// offset is −u, the negative of one.
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

// sizeOf returns the number of coordinates of the terms.
func sizeOf(terms []term) int64 {
	n := int64(1)
	for _, t := range terms {
		n *= t.most + 1
	}
	return n
}

// pointsOf returns the points of the terms by increasing magnitude: all of them up to pointLimit, otherwise
// those at places where digits tend to carry.
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
	slices.SortFunc(points, comparePoints)
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

// sample returns places along t: the first ones, those next to powers of two, the middle and the last ones.
func (t term) sample() []int64 {
	ys := []int64{3, 5, 6, 7, 9, t.most / 2, t.most - 1, t.most}
	for y := int64(1); y <= t.most/2; y *= 2 {
		ys = append(ys, y, 2*y-1)
	}
	ys = slices.DeleteFunc(ys, func(y int64) bool { return y < 1 || y > t.most })
	slices.Sort(ys)
	return slices.Compact(ys)
}

// settle decides on the candidates of a branch that satisfies all points: the one with the smallest strides is
// the inverse, fails at a new point, or is too large to decide.
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

// candidate returns the layout with the radix products of the branch and the given strides. Its last extent
// is what the largest offset needs.
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

// failure decides whether r inverts the terms: searchFound if so, searchRefined with a point where it does not,
// and searchedAll if that is not known.
func (q *inverter) failure(r Layout) (point, searchEnd) {
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

// missedBy reports whether r is another number at p.
func (p point) missedBy(r Layout) bool {
	y, err := r.At(p.u)
	return err != nil || y != p.index
}

// failureByComposition is [inverter.failure] without enumeration: r∘b, for b with one mode for each
// term, must be the layout of b's shape whose strides are the indices.
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

// undecided is the error of a search that gave up with up to n radices.
func (q *inverter) undecided(n int) error {
	return errorf(CodeLimit, opLeftInverse, "whether some layout inverts %v is undecided: its strides do not chain, and a search among the layouts of up to %d modes did not end within %d looks at offsets",
		q.a, n+1, int64(InverseBudget))
}

// impossible is the error of a search that has seen everything.
func (q *inverter) impossible() error {
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
