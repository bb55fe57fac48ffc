package cute

import (
	"cmp"
	"fmt"
	"slices"
)

// This file implements left_inverse. Where the strides, sorted, chain, each a multiple of the one before and
// beyond its reach, the inverse has them as its radices and CuTe's construction gives it:
//
//	a = (4,8):(1,5)   offsets x + 5·y, indices x + 4·y:   r = (5,8):(1,4)
//
// Other layouts may have an inverse as well, with radices that are not strides; left_inverse_search.go looks
// for it.
//
//	a = (2,2):(2,3)   offsets 0 2 3 5:   r = (2,3):(1,1), since r(2), r(3), r(5) = 1, 1+1, 1+2

// LeftInverse returns a layout r with r(a(i)) = i for every i below a's size: it takes offsets back to colexicographic
// indices. r is evaluated as layouts are, with its last mode unbounded and r(−u) = −r(u). Modes of a with
// stride 0 do not count: i then is the least index with its offset, and a(r(a(i))) = a(i) for all (CuTe's
// generalised inverse). For coordinate strides r takes coordinates, its modes standing as a's axes do.
//
// If a is tractable, that is if its strides chain, r is the layout that CuTe gives. Otherwise it is one with the
// fewest modes, unless the search runs out of steps for a smaller number, and among those one with large leading
// extents and small strides.
//
// It returns [CodeNotInjective] with the witness of [IsInjective] if other coordinates share an offset, and
// [CodeNotInvertible] if no layout is an inverse; its witness is the coordinate of the least offset, in
// magnitude, such that no layout inverts the offsets up to that one (above 4096 coordinates, the least of a
// sample). It returns [CodeCodomain] if a stride moves along several axes at once, [CodeLimit] if the question
// is undecided after [InverseBudget] steps, and [CodeOverflow] if the numbers of the inverse leave 64 bits.
func LeftInverse(a Layout) (Layout, error) { return leftInverse(a, caller{}) }

func leftInverse(a Layout, t caller) (Layout, error) {
	if a.cod == nil {
		c := Coalesce(a)
		return leftInverseAlong(a, c, 0, t)
	}
	return inverseByAxis(opLeftInverse, a, t.trace, func(c Layout, axis int) (Layout, error) {
		return leftInverseAlong(a, c, axis, t)
	})
}

const opLeftInverse = "left_inverse"

// leftInverseAlong returns the left inverse of a along one axis of its coalesced form c.
func leftInverseAlong(a, c Layout, axis int, t caller) (Layout, error) {
	terms := termsAlong(c, axis)
	if chained(terms) {
		if len(terms) == 0 || terms[0].d[0] > 0 {
			return chainInverse(c, axis, t.trace)
		}
		// a(i) = −b(i) for b with the strides negated, and layouts are odd: r(u) = −s(u) for the inverse s of b.
		c = c.negated()
		if t.trace != nil {
			t.trace.add(Negate{c})
		}
		r, err := chainInverse(c, axis, t.trace)
		if err != nil {
			return Layout{}, err
		}
		return r.negated(), nil
	}
	w, err := collide(a, terms, t.Until)
	if err != nil {
		return Layout{}, err
	}
	if w != nil {
		return Layout{}, &Error{
			Code: CodeNotInjective, Op: opLeftInverse,
			Msg: fmt.Sprintf("%v has the offset %v at %v and at %v: nothing takes it back to both",
				a, w.Value, w.Coord, *w.Other),
			Witness: w,
		}
	}
	if t.trace != nil {
		t.trace.add(searchOf(terms))
	}
	return searchInverse(a, terms, t.Until)
}

// termsAlong returns the leaves of c that move along one axis, with their stride along it, smallest first.
func termsAlong(c Layout, axis int) []term {
	all, _ := termsOf(c)
	var terms []term
	for _, t := range all {
		if t.d[axis] != 0 {
			terms = append(terms, term{t.most, t.index, t.d[axis : axis+1]})
		}
	}
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(norm(a.d), norm(b.d)) })
	return terms
}

// chained reports whether the strides have one sign and each is a multiple of the one before, beyond its reach.
func chained(terms []term) bool {
	for i := 1; i < len(terms); i++ {
		last, d := terms[i-1], terms[i].d[0]
		// Of different signs the quotient is negative, and below every reach.
		if d%last.d[0] != 0 || d/last.d[0] <= last.most {
			return false
		}
	}
	return true
}

// negated returns the layout of the negative offsets.
func (l Layout) negated() Layout {
	v := slices.Clone(l.v)
	for i := l.leaves(); i < len(v); i++ {
		v[i] = -v[i]
	}
	return Layout{v: v, prof: l.prof, cod: l.cod}
}

// chainInverse returns the left inverse of the coalesced layout c, whose strides along the axis chain: between two
// strides it goes on in the steps of the smaller one, so that it also maps the offsets in c's gaps to something.
func chainInverse(c Layout, axis int, trace *trace) (Layout, error) {
	m := heapModes(2*c.leaves()+1, 1)
	last, before := step{s: 1, d: 1}, int64(0)
	for _, t := range stepsOf(nil, c.extents(), c.strides()[axis:], c.cod.axes()) {
		if t.d == 0 {
			continue
		}
		if t.d%last.d != 0 {
			return Layout{}, errorf(CodeNotInvertible, opLeftInverse,
				"the strides of %v do not chain: %d is not a multiple of %d", c, t.d, last.d)
		}
		gap := t.d / last.d
		if gap > 1 {
			m.pushInteger(gap, before, 0)
		}
		trace.chain(t, last.d, Leaf{gap, Int(before)})
		last, before = t, t.index
	}
	if last.s > 1 {
		m.pushInteger(last.s, before, 0)
		trace.chain(step{}, last.d, Leaf{last.s, Int(before)})
	}
	if m.n == 0 {
		m.putAlong(1, 0, 0)
	}
	return m.layout(opLeftInverse, unwrappedProfile(m.n), nil)
}
