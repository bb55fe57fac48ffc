package cute

import (
	"fmt"
	"slices"
)

// LayoutAdd returns the coalesced layout r of the size of a and b with r(i) = a(i) + b(i) at every index: NVIDIA's
// layout_add. Strides may be integers or coordinates.
//
// A coalesced layout with the cuts c (products of leading extents, below the size) is i·d + Σ e·floor(i/c), each e not
// 0, and the functions floor(i/c) are linearly independent: the one of c is the first to step at c. So the sum has the
// cuts of both, but for those where the e cancel, and it is a layout exactly if of every two of them one divides the
// other. A cut that cancels is one of both, and so divides, or is a multiple of, every other one; hence the sum is a
// layout exactly if the coalesced shapes have a common refinement. Otherwise the first cut that the one before it does
// not divide is the least index at which every layout fails:
//
//	(2,3):(1,5) and (3,2):(1,5) have the cuts 2 and 3; the sum is 0 2 7 11 ..., and a layout with 0 2 7 goes on with 9
//
// It returns [CodeNotCongruent] if the sizes differ, [CodeNotRepresentable] if no layout is the sum, with that index,
// [CodeCodomain] if integers would be added to coordinates, and [CodeOverflow].
func LayoutAdd(a, b Layout) (Layout, error) { return layoutAdd(a, b, caller{}) }

func layoutAdd(a, b Layout, c caller) (Layout, error) {
	const op = "layout_add"
	n := a.Size()
	if n != b.Size() {
		return Layout{}, errorf(CodeNotCongruent, op,
			"expected layouts of one size, found %v of size %d and %v of size %d", a, n, b, b.Size())
	}
	if c.trace != nil {
		c.trace.summands(a, b)
	}
	x, y, err := overOneCodomain(a, b)
	if err != nil {
		return Layout{}, err
	}
	p := cutsOf(x.extents())
	cuts := slices.Concat(p[1:len(p)-1], cutsOf(y.extents())[1:])
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	k := x.cod.axes()
	m := heapModes(len(cuts), k)
	at := int64(1)
	for _, next := range cuts {
		if next%at != 0 {
			if c.trace != nil {
				c.trace.add(Turn{At: at, Next: next})
			}
			return Layout{}, layoutSum{a, b, x, y}.refusal(at, next)
		}
		if next > at {
			sum := make([]int64, k)
			if !x.addIndex(sum, at) || !y.addIndex(sum, at) {
				return Layout{}, overflowError(op, "the sums of the offsets of %v and %v", a, b)
			}
			if c.trace != nil {
				c.trace.turn(a, b, Turn{At: at, Next: next, Sum: coordTuple(sum, x.cod)})
			}
			m.push(next/at, sum, 0)
		}
		at = next
	}
	if m.n == 0 {
		m.putAlong(1, 0, 0)
	}
	return m.layout(op, unwrappedProfile(m.n), x.cod)
}

// overOneCodomain returns the coalesced layouts with strides over the axes of both.
func overOneCodomain(a, b Layout) (x, y Layout, err error) {
	cod, err := unifyCodomains(a.cod, b.cod)
	if err != nil {
		return x, y, err
	}
	var out [2]Layout
	for i, l := range []Layout{Coalesce(a), Coalesce(b)} {
		d, err := rebase(nil, l.strides(), l.cod, cod)
		if err != nil {
			return x, y, err
		}
		out[i] = Layout{v: slices.Concat(l.extents(), d), prof: l.prof, cod: cod}
	}
	return out[0], out[1], nil
}

// cutsOf returns the products of leading extents, from 1 to the product of all, which fits.
func cutsOf(extents []int64) []int64 {
	cuts := make([]int64, 1, len(extents)+1)
	cuts[0] = 1
	for i, s := range extents {
		cuts = append(cuts, cuts[i]*s)
	}
	return cuts
}

// A layoutSum is the sum of a and b, which are x and y over one codomain, coalesced.
type layoutSum struct{ a, b, x, y Layout }

// refusal says that no layout is the sum: the cut next is the first one that is no multiple of the one before it, at.
func (s layoutSum) refusal(at, next int64) *Error {
	x, y := s.x, s.y
	value, want := make([]int64, x.cod.axes()), make([]int64, x.cod.axes())
	e := errorf(CodeNotRepresentable, "layout_add",
		"no layout is the sum of %v and %v: one turns at index %d and the other at %d, and neither divides the other",
		s.a, s.b, at, next)
	if !x.addIndex(value, next) || !y.addIndex(value, next) {
		return e
	}
	e.Witness = &Witness{Coord: Int(next), Index: next, Value: coordTuple(value, x.cod)}
	// Up to there the sum is that of the layouts without their cuts from next on, whose last modes count on.
	if upTo(x, next).addIndex(want, next) &&
		upTo(y, next).addIndex(want, next) {
		e.Witness.Want = coordTuple(want, x.cod)
		e.Msg += fmt.Sprintf("; at index %d the sum is %v, a layout would give %v", next, e.Witness.Value, e.Witness.Want)
	}
	return e
}

// upTo returns the coalesced layout without its modes from the cut on, the last mode counting on.
func upTo(l Layout, cut int64) Layout {
	n, c := 0, int64(1)
	for n < l.leaves() && c < cut {
		c *= l.v[n]
		n++
	}
	k := l.cod.axes()
	return Layout{v: slices.Concat(l.extents()[:n], l.strides()[:n*k]), prof: unwrappedProfile(n), cod: l.cod}
}
