package cute

import (
	"cmp"
	"fmt"
	"slices"
)

// This file implements right_inverse, and the inverse of bijections.

// RightInverse returns a layout r with a(r(i)) = i for every i below its size, as CuTe's right_inverse: it
// takes the modes of a, coalesced, in the order of their strides as long as each stride continues the
// offsets reached so far. That is the largest right inverse if its size is no offset of a, and so for all layouts
// without negative strides that are injective but for modes of stride 0. Elsewhere there may be a larger one: that of
// (4,4):(4,-1) is 1:0, and 2:13 is one, too. The result has coordinate indices of a for values: for coordinate strides
// its modes stand as the axes do in the coordinate. It returns [CodeCodomain] if a stride moves along several axes at
// once, and [CodeOverflow].
func RightInverse(a Layout) (Layout, error) { return rightInverse(a, nil) }

func rightInverse(a Layout, t *trace) (Layout, error) {
	if a.cod != nil {
		return rightInverseByAxis(a, t)
	}
	var sb, db [stackModes]int64
	n := a.leaves() + 1
	c := modes{s: buffer(sb[:], n), d: buffer(db[:], n), k: 1, trace: t}
	c.coalesceZ(a.extents(), a.strides())
	return c.rightInverse(opRightInverse, 0)
}

const opRightInverse = "right_inverse"

// rightInverseByAxis is rightInverse for coordinate strides.
func rightInverseByAxis(a Layout, t *trace) (Layout, error) {
	return inverseByAxis(opRightInverse, a, t, func(c Layout, axis int) (Layout, error) {
		m := modes{s: c.extents(), d: c.strides(), n: c.leaves(), k: c.cod.axes(), trace: t}
		return m.rightInverse(opRightInverse, axis)
	})
}

// rightInverse returns the right inverse of the coalesced modes c along one axis.
func (c *modes) rightInverse(op string, axis int) (Layout, error) {
	var buf [fewModes]step
	var sb, db [stackModes]int64
	m := modes{s: buffer(sb[:], c.n+1), d: buffer(db[:], c.n+1), k: 1}
	next := int64(1)
	for _, t := range stepsOf(buf[:0], c.s[:c.n], c.d[axis:], c.k) {
		if c.trace != nil {
			c.trace.inverse(t, next)
		}
		if t.d == next {
			m.pushInteger(t.s, t.index, 0)
			next = t.s * t.d // at most the size of c
		}
	}
	if m.n == 0 {
		m.pushInteger(1, 0, 0)
	}
	return m.layout(op, unwrappedProfile(m.n), nil)
}

// A step is a leaf of a layout seen from its codomain: extent s at stride d, and the product of the extents
// before it, which is what one step along it adds to the index.
type step struct{ s, d, index int64 }

// stepsOf appends the leaves of extents s and strides d, which are k numbers apart, smallest stride first, equal ones
// in place.
func stepsOf(dst []step, s, d []int64, k int) []step {
	index := int64(1)
	for i, e := range s {
		if x := d[i*k]; e > 1 {
			dst = append(dst, step{e, x, index})
			j := len(dst) - 1
			for ; j > 0 && dst[j-1].d > x; j-- {
				dst[j] = dst[j-1]
			}
			dst[j] = step{e, x, index}
		}
		index *= e
	}
	return dst
}

// inverseByAxis builds the inverse of a layout into coordinates: one inverse for each axis, in the nesting
// of the coordinate. The axes are coalesced together, so that index steps count through all of a.
func inverseByAxis(op string, a Layout, t *trace, f func(c Layout, axis int) (Layout, error)) (Layout, error) {
	for i := range a.leaves() {
		if err := singleAxis(op, a, i); err != nil {
			return Layout{}, err
		}
	}
	t.begin("coalesce", a, nil)
	c, err := coalesceAny(a, caller{trace: t})
	if err != nil {
		return Layout{}, err
	}
	t.end(c)
	if c.cod == nil {
		// Every mode along an axis had extent 1: only the nesting of the coordinate is left.
		c = Layout{v: []int64{1, 0}, prof: "."}
	}
	axis := -1
	var build func(prof string, path []int) (Layout, error)
	build = func(prof string, path []int) (Layout, error) {
		if prof == "." {
			if c.cod != nil && axis+1 < c.cod.axes() && slices.Equal(c.cod.paths[axis+1], path) {
				axis++
				t.axis(c, axis, nil)
				l, err := f(c, axis)
				if err == nil {
					t.end(l)
				}
				return l, err
			}
			return Layout{v: []int64{1, 0}, prof: "."}, nil
		}
		var parts []Layout
		m := modesOf(prof)
		for i := 0; m.next(); i++ {
			p, err := build(m.prof, append(path[:len(path):len(path)], i))
			if err != nil {
				return Layout{}, err
			}
			parts = append(parts, p)
		}
		return MakeLayout(parts...)
	}
	return build(a.cod.prof, nil)
}

// Inverse returns the inverse of a bijection from indices to [0, size): the layout r with r(a(i)) = i and
// a(r(i)) = i. It returns [CodeNotInvertible] if a is not such a bijection; [RightInverse] and
// [LeftInverse] invert on one side only.
func Inverse(a Layout) (Layout, error) { return fullInverse(a, nil) }

func fullInverse(a Layout, t *trace) (Layout, error) {
	r, err := rightInverse(a, t)
	if err != nil {
		return Layout{}, err
	}
	if r.Size() != a.Size() {
		return Layout{}, &Error{
			Code: CodeNotInvertible, Op: "inverse",
			Msg: fmt.Sprintf("%v is not a bijection onto the offsets below %d: its offsets are without gaps only up to %d",
				a, a.Size(), r.Size()),
			Hint: "right_inverse inverts the part without gaps, left_inverse maps offsets back to indices",
		}
	}
	return r, nil
}

// This file implements left_inverse. Where the strides, sorted, chain, each a multiple of the one before and
// beyond its reach, the inverse has them as its radices and CuTe's construction gives it:
//
//	a = (4,8):(1,5)   offsets x + 5·y, indices x + 4·y:   r = (5,8):(1,4)
//
// Other layouts may have an inverse as well, with radices that are not strides; inverse_search.go looks
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

// A Continue is what the right inverse does with one mode of A, coalesced, in the order of the strides: if its stride
// is the number of offsets that are reached, 0 to Reached-1, it continues them, and Mode.Extent:Index is a mode of the
// inverse.
type Continue struct {
	Mode    Leaf
	Index   int64 // what a step of the mode adds to the index of A
	Reached int64
}

// Continues reports whether the mode continues the offsets that are reached.
func (c Continue) Continues() bool {
	d, _ := c.Mode.Stride.Int64()
	return d == c.Reached
}

// A Chain is what the left inverse does with one mode of A, coalesced, in the order of the strides: up to its stride
// the inverse counts on in steps of the stride before, as the mode Made, of extent 1 if there is nothing between them.
// The last one has no mode of A, and Made is for the last stride.
type Chain struct {
	Mode   Leaf
	Index  int64 // what a step of the mode adds to the index of A
	Before int64 // the stride before, 1 for the first
	Made   Leaf
}

// A Negate is a left inverse that is found for the layout of the negative offsets: as layouts are odd, what takes those
// back takes the offsets back with the sign turned.
type Negate struct{ Of Layout }

// A Search is a left inverse whose extents are no ratios of strides: it follows from the equations R(A(i)) = i, in the
// order of the offsets. A new mode of it begins where that of an offset has no solution in integers with those before.
type Search struct {
	Strides []int64 // of A, coalesced, smallest first, which do not chain
}

func searchOf(terms []term) Search {
	var s Search
	for _, t := range terms {
		s.Strides = append(s.Strides, t.d[0])
	}
	return s
}

func (Search) derives() {}

func (Continue) derives() {}

func (Chain) derives() {}

func (Negate) derives() {}

// inverse takes down what becomes of a mode in a right inverse.
func (t *trace) inverse(s step, reached int64) {
	if t != nil {
		t.add(Continue{Leaf{s.s, Int(s.d)}, s.index, reached})
	}
}

// chain takes down what becomes of a mode in a left inverse.
func (t *trace) chain(s step, before int64, made Leaf) {
	if t != nil {
		t.add(Chain{Leaf{s.s, Int(s.d)}, s.index, before, made})
	}
}
