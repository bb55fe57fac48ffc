package cute

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"girih/internal/ints"
)

// This file implements right_inverse, and the inverse of bijections.

// RightInverse returns a layout r with a(r(i)) = i for every i below the size of r, as CuTe's right_inverse does. It
// takes the modes of a, coalesced, in the order of their strides, as long as each stride continues the offsets reached
// so far. If the size of r is not an offset of a, r is the largest right inverse. This is the case for all layouts
// without negative strides that are injective apart from modes of stride 0. Otherwise there may be a larger one: for
// (4,4):(4,-1) the result is 1:0, and 2:13 is a right inverse too. The values of r are indices of a. For coordinate
// strides the modes of r are nested as the axes in the coordinate. It returns [CodeCodomain] if a stride moves along
// several axes at once, and [CodeOverflow].
//
//go:noinline
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

// A step is a leaf of a layout seen from its codomain: extent s at stride d. One step along it adds index to the index,
// the product of the extents before it.
type step struct{ s, d, index int64 }

// stepsOf appends the leaves of extents s and strides d as steps, smallest stride first; equal strides keep their
// order. The strides are k numbers apart.
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

// inverseByAxis builds the inverse of a layout with coordinate strides from one inverse per axis, nested like the
// coordinate. The axes are coalesced together, so index steps count through all of a.
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
		// Every mode along an axis had extent 1, so only the nesting of the coordinate is left.
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

// This part implements left_inverse. If the strides, sorted, chain (each is a multiple of the previous stride, beyond
// what that stride's mode reaches), they are the radices of the inverse, and CuTe's construction gives the inverse:
//
//	a = (4,8):(1,5)   offsets x + 5·y, indices x + 4·y:   r = (5,8):(1,4)
//
// Other layouts may have an inverse too, with radices that are not strides; inverse_search.go looks for it.
//
//	a = (2,2):(2,3)   offsets 0 2 3 5:   r = (2,3):(1,1), since r(2), r(3), r(5) = 1, 1+1, 1+2

// LeftInverse returns a layout r with r(a(i)) = i for every i below a's size: it takes offsets back to colexicographic
// indices. Like every layout, r has an unbounded last mode, and r(−u) = −r(u). Modes of a with stride 0 do not count:
// then i is the least index with its offset, and a(r(a(i))) = a(i) for all i (CuTe's generalised inverse). For
// coordinate strides r takes coordinates, and its modes are nested as a's axes.
//
// If a is tractable, that is if its strides chain, r is the layout that CuTe gives. Otherwise r has the fewest modes,
// unless the search runs out of steps for a smaller number. Among such layouts r has large leading extents and small
// strides.
//
// It returns [CodeNotInjective] with the witness of [IsInjective] if two coordinates share an offset that stride 0 does
// not explain. It returns [CodeNotInvertible] if no layout is an inverse. The witness then is the coordinate of the
// least offset, in magnitude, such that no layout inverts the offsets up to it (above 4096 coordinates, the least in a
// sample). It returns [CodeCodomain] if a stride moves along several axes at once, [CodeLimit] if the question is
// undecided after [InverseBudget] steps, and [CodeOverflow] if the numbers of the inverse leave 64 bits.
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
	if isChain(terms) {
		if len(terms) == 0 || terms[0].d[0] > 0 {
			return chainInverse(c, axis, t.trace)
		}
		// Let b be c with negated strides, so that c(i) = −b(i). Layouts are odd functions, so r(u) = −s(u) for the
		// inverse s of b.
		c = c.negate()
		if t.trace != nil {
			t.trace.add(Negate{c})
		}
		r, err := chainInverse(c, axis, t.trace)
		if err != nil {
			return Layout{}, err
		}
		return r.negate(), nil
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

// termsAlong returns the leaves of c that move along one axis, with their strides along it, smallest first.
func termsAlong(c Layout, axis int) []term {
	all, _ := termsOf(c)
	var terms []term
	for _, t := range all {
		if t.d[axis] != 0 {
			terms = append(terms, term{t.most, t.index, t.d[axis : axis+1]})
		}
	}
	sort.Stable(ints.By(terms, func(a, b term) int { return cmp.Compare(norm(a.d), norm(b.d)) }))
	return terms
}

// isChain reports whether the strides have one sign and each is a multiple of the previous stride, beyond what that
// stride's mode reaches.
func isChain(terms []term) bool {
	for i := 1; i < len(terms); i++ {
		last, d := terms[i-1], terms[i].d[0]
		// If the signs differ, the quotient is negative, below every reach.
		if d%last.d[0] != 0 || d/last.d[0] <= last.most {
			return false
		}
	}
	return true
}

// negated returns the layout of the negative offsets.
func (l Layout) negate() Layout {
	v := slices.Clone(l.v)
	for i := l.leaves(); i < len(v); i++ {
		v[i] = -v[i]
	}
	return Layout{v: v, prof: l.prof, cod: l.cod}
}

// chainInverse returns the left inverse of the coalesced layout c, whose strides along the axis chain. Between two
// strides the inverse continues in steps of the smaller stride, so it also has values at the offsets in c's gaps.
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

// A Continue is what the right inverse does with one mode of A, coalesced, in the order of the strides. The offsets 0
// to Reached-1 are reached so far. If the mode's stride is Reached, the mode continues these offsets, and
// Mode.Extent:Index is a mode of the inverse.
type Continue struct {
	Mode    Leaf
	Index   int64 // what a step of the mode adds to the index of A
	Reached int64
}

// Continues reports whether the mode continues the reached offsets.
func (c Continue) Continues() bool {
	d, _ := c.Mode.Stride.Int64()
	return d == c.Reached
}

// A Chain is what the left inverse does with one mode of A, coalesced, in the order of the strides. Up to the stride of
// the mode, the inverse counts in steps of the stride before, as the mode Made. Made has extent 1 if there is nothing
// between the strides. The last Chain has no mode of A: its Made is for the last stride.
type Chain struct {
	Mode   Leaf
	Index  int64 // what a step of the mode adds to the index of A
	Before int64 // the stride before; 1 for the first mode
	Made   Leaf
}

// A Negate is a left inverse that is computed for the layout Of of the negative offsets. Layouts are odd functions, so
// the negated result inverts the offsets themselves.
type Negate struct{ Of Layout }

// A Search is a left inverse whose extents are not ratios of strides. It follows from the equations R(A(i)) = i, in the
// order of the offsets. If an equation has no integer solution with the modes so far, a new mode of the inverse begins
// there.
type Search struct {
	Strides []int64 // the strides of A, coalesced, smallest first; they do not chain
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

// inverse records what a right inverse does with one mode.
func (t *trace) inverse(s step, reached int64) {
	if t != nil {
		t.add(Continue{Leaf{s.s, Int(s.d)}, s.index, reached})
	}
}

// chain records what a left inverse does with one mode.
func (t *trace) chain(s step, before int64, made Leaf) {
	if t != nil {
		t.add(Chain{Leaf{s.s, Int(s.d)}, s.index, before, made})
	}
}
