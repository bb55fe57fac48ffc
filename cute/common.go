package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file finds what two layouts or shapes have in common, and adds layouts (include/cute/layout.hpp,
// max_common_layout).

// MaxCommonLayout returns the largest layout r of indices on which a and b both count up from 0: a(r(i)) = b(r(i)) = i,
// inside the domains of both. A copy between a and b may move these elements as one vector. r is the part of b's right
// inverse that a follows, and r is the largest if b does not repeat offsets. The answer is exact even where CuTe
// refuses, or where CuTe's wrong composition makes its result too long. It returns [CodeCodomain] for coordinate
// strides, and [CodeOverflow].
func MaxCommonLayout(a, b Layout) (Layout, error) { return maxCommonLayout(a, b, caller{}) }

func maxCommonLayout(a, b Layout, call caller) (Layout, error) {
	const op = "max_common_layout"
	if a.cod != nil || b.cod != nil {
		return Layout{}, errorf(CodeCodomain, op, "coordinates are not counted: %v and %v", a, b)
	}
	call.trace.begin(opRightInverse, b, nil)
	r, err := rightInverse(b, call.trace)
	if err != nil {
		call.trace.drop()
		return Layout{}, err
	}
	call.trace.end(r)
	call.trace.follow(a, r)
	n := r.leaves()
	for last := n - 1; last >= 0; last-- {
		// The truncations of r to x steps of mode last agree up to some x; find the largest x by bisection.
		agrees, stops := int64(0), r.v[last]+1
		for stops-agrees > 1 {
			if err := call.ask(); err != nil {
				return Layout{}, err
			}
			x := agrees + (stops-agrees)/2
			if isFollowed(a, truncate(r, last, x)) {
				agrees = x
			} else {
				stops = x
			}
		}
		if agrees > 1 || (agrees == 1 && last == 0) {
			return Coalesce(truncate(r, last, agrees)), nil
		}
	}
	return unitMode, nil
}

// truncate returns the modes of the flat layout r up to the mode last, with x steps of that mode.
func truncate(r Layout, last int, x int64) Layout {
	n := r.leaves()
	v := make([]int64, 0, 2*(last+1))
	v = append(append(v, r.v[:last]...), x)
	v = append(v, r.v[n:n+last+1]...)
	return Layout{v: v, prof: unwrappedProfile(last + 1)}
}

// isFollowed reports whether a(r(i)) = i on all of r, and r stays in the domain of a.
func isFollowed(a, r Layout) bool {
	if last, err := r.Cosize(); err != nil || last > a.Size() {
		return false // r leaves the domain of a
	}
	c, err := Composition(a, r)
	if err != nil {
		return false
	}
	same, _ := Equivalent(c, Layout{v: []int64{r.Size(), 1}, prof: "."})
	return same
}

// MaxCommonVector returns the number of elements of [MaxCommonLayout]. It returns the errors of MaxCommonLayout.
func MaxCommonVector(a, b Layout) (int64, error) {
	r, err := MaxCommonLayout(a, b)
	if err != nil {
		return 0, err
	}
	return r.Size(), nil
}

// GreatestCommonDomain returns the largest layout of indices whose modes can be cut out of one leaf in either shape. It
// is NVIDIA's greatest_common_domain. PyCuTe uses it to split tensors of different shapes into a part that one loop
// walks, and a rest. A leaf begins at the product p of the extents before it and ends at e, p times its extent. If a
// leaf of the other shape runs from q to f, the two leaves share the factor from lcm(p,q) to gcd(e,f), provided that
// the lcm divides the gcd and is less:
//
//	(5,3,4)   1-5  5-15  15-60
//	(10,6)    1-10  10-60        share 1-5 and 30-60: (5,2):(1,30)
//
// Consider any other layout of such modes in which each stride is a multiple of the previous mode's extent times
// stride. Its size divides the size of the result. The shapes may have different sizes. The result is flat, and (1):(0)
// if nothing is in common.
//
// It returns the errors of a shape: [CodeExtent], [CodeCodomain] and [CodeOverflow].
func GreatestCommonDomain(a, b Tuple) (Layout, error) { return greatestCommonDomain(a, b, nil) }

func greatestCommonDomain(a, b Tuple, t *trace) (Layout, error) {
	const op = "greatest_common_domain"
	x, err := checkedExtents(op, a)
	if err != nil {
		return Layout{}, err
	}
	y, err := checkedExtents(op, b)
	if err != nil {
		return Layout{}, err
	}
	var s, d []int64
	p := int64(1)
	// In this order the modes ascend: two pairs of leaves that share a factor are never in opposite orders in the two
	// shapes.
	for _, extent := range x {
		e, q := p*extent, int64(1)
		for _, other := range y {
			f := q * other
			from, ok := ints.Mul(p, q/ints.GCD(p, q))
			to := ints.GCD(e, f)
			common := ok && to%from == 0 && to > from
			if common {
				s, d = append(s, to/from), append(d, from)
			}
			if t != nil && ok {
				m := Meeting{A: [2]int64{p, e}, B: [2]int64{q, f}, From: from, To: to}
				if common {
					m.Mode = Leaf{to / from, Int(from)}
				}
				t.add(m)
			}
			q = f
		}
		p = e
	}
	if len(s) == 0 {
		s, d = []int64{1}, []int64{0}
	}
	return New(Ints(s...), Ints(d...))
}

// LayoutAdd returns the coalesced layout r, as large as a and b, with r(i) = a(i) + b(i) at every index: NVIDIA's
// layout_add. Strides may be integers or coordinates.
//
// Let the cuts of a coalesced layout be its products of leading extents c below the size. The layout is i·d + Σ
// e·floor(i/c) with an e ≠ 0 for each cut. The functions floor(i/c) are linearly independent, since each first steps at
// its own c. So the sum has the cuts of both layouts, except those whose e cancel, and the sum is a layout exactly if,
// of every two cuts, one divides the other. A cut that cancels belongs to both layouts, so it divides, or is a multiple
// of, every other cut. Hence the sum is a layout exactly if the coalesced shapes have a common refinement. Otherwise
// the first cut that is not a multiple of the cut before it is the least index at which every layout fails:
//
//	(2,3):(1,5) and (3,2):(1,5) have the cuts 2 and 3; the sum is 0 2 7 11 ..., and a layout with 0 2 7 continues with 9
//
// It returns [CodeNotCongruent] if the sizes differ, [CodeNotRepresentable] with that least index if no layout is the
// sum, [CodeCodomain] if integers would be added to coordinates, and [CodeOverflow].
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

// overOneCodomain returns the coalesced layouts with their strides over the axes of both.
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

// A layoutSum is the sum of a and b; x and y are a and b, coalesced and over one codomain.
type layoutSum struct{ a, b, x, y Layout }

// refusal is the error that no layout is the sum: the cut next is not a multiple of the cut at, which precedes it.
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
	// Below the failing index the sum equals the sum of the layouts without cuts from next on; their last modes
	// continue.
	if upTo(x, next).addIndex(want, next) &&
		upTo(y, next).addIndex(want, next) {
		e.Witness.Want = coordTuple(want, x.cod)
		e.Msg += fmt.Sprintf("; at index %d the sum is %v, a layout would give %v", next, e.Witness.Value, e.Witness.Want)
	}
	return e
}

// upTo returns the coalesced layout without its modes from the cut on, so that the last mode left continues.
func upTo(l Layout, cut int64) Layout {
	n, c := 0, int64(1)
	for n < l.leaves() && c < cut {
		c *= l.v[n]
		n++
	}
	k := l.cod.axes()
	return Layout{v: slices.Concat(l.extents()[:n], l.strides()[:n*k]), prof: unwrappedProfile(n), cod: l.cod}
}

// MaxAlignment returns the length n of the vectors that make up the layout: each vector is n neighbours that begin at a
// multiple of n. As far as the layout is concerned, a copy may move n elements at once. n is the largest such number if
// no two elements share an offset. n divides the size of the contiguous modes and the strides of all others: 8 for
// (8,64):(1,72). The function is CuTe's max_alignment (include/cute/layout.hpp), the greatest common divisor of size<0>
// and stride<1> of logical_divide(L, right_inverse(L)).
//
// It returns [CodeCodomain] for coordinate strides, and the errors of [RightInverse] and [LogicalDivide].
func MaxAlignment(a Layout) (int64, error) {
	const op = "max_alignment"
	if a.cod != nil {
		return 0, errorf(CodeCodomain, op, "coordinates have no alignment: %v", a)
	}
	flat := Coalesce(a)
	run, err := RightInverse(flat)
	if err != nil {
		return 0, err
	}
	permuted, err := LogicalDivide(flat, run)
	if err != nil {
		return 0, err
	}
	modes := permuted.Modes()
	n := modes[0].Size()
	for _, m := range modes[1:] {
		for _, d := range m.strides() {
			n = ints.GCD(n, d)
		}
	}
	return n, nil
}

// A Follow is one of the first offsets of B in max_common_layout: the index that B's right inverse maps that offset to,
// and the value of A at that index. A follows B if the value equals the offset and the index is in A's domain. The
// first offset at which A does not follow is the last one recorded.
type Follow struct {
	Offset, Index int64
	Value         Tuple
	Follows       bool
}

// mostFollows limits the recorded offsets: readers look at the first few, and the layout gives the rest.
const mostFollows = 17

func (Follow) derives() {}

// follow records how far a follows b at the indices r.
func (t *trace) follow(a, r Layout) {
	if t == nil {
		return
	}
	for k := range min(r.Size(), mostFollows) {
		i, err := r.At(k)
		if err != nil {
			return
		}
		v, err := a.Eval(Int(i))
		if err != nil {
			return
		}
		f := Follow{Offset: k, Index: i, Value: v, Follows: v.Equal(Int(k)) && i < a.Size()}
		if t.add(f); !f.Follows {
			return
		}
	}
}

// A Meeting compares a leaf of one shape with a leaf of another. Each runs from the product of the extents before it to
// that product times its extent. From is the least common multiple of their beginnings and To the greatest common
// divisor of their ends. If From divides To and is less, Mode is what the leaves have in common; otherwise Mode's
// extent is 0.
type Meeting struct {
	A, B     [2]int64
	From, To int64
	Mode     Leaf
}

func (Meeting) derives() {}

// summands records the cuts of each layout of a sum.
func (t *trace) summands(layouts ...Layout) {
	for _, l := range layouts {
		c := Coalesce(l)
		t.add(Cuts{c, cutsOf(c.extents())})
	}
}

// turn records a cut with the values of a and b at the cut, if the values fit in 64 bits.
func (t *trace) turn(a, b Layout, s Turn) {
	var errA, errB error
	s.A, errA = a.Eval(Int(s.At))
	s.B, errB = b.Eval(Int(s.At))
	if errA == nil && errB == nil {
		t.add(s)
	}
}

// DomainDistribute returns a layout of n growing indices into the shape that divides the shape evenly
// (include/cute/layout.hpp, domain_distribute). Each leaf in turn takes the greatest common divisor of its extent and
// the rest of n: 6 elements of (15,14) are (3,2):(1,15). The result has fewer than n elements if the extents lack
// factors of n. CuTe's cooperative_copy finds the vectors and the threads of a tile in this way. It returns
// [CodeExtent] for n below 1, and the errors of [New].
func DomainDistribute(shape Tuple, n int64) (Layout, error) {
	const op = "domain_distribute"
	if n < 1 {
		return Layout{}, errorf(CodeExtent, op, "expected a positive number of elements, found %d", n)
	}
	a, err := LayoutLeft(shape.Flatten())
	if err != nil {
		return Layout{}, err
	}
	// One step along a leaf adds the product of the extents before the leaf to the index.
	v := make([]int64, len(a.v))
	copy(v, a.v)
	for i := range a.leaves() {
		v[i] = ints.GCD(a.v[i], n)
		n /= v[i]
	}
	return Coalesce(Layout{v: v, prof: a.prof}), nil
}
