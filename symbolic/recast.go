package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file implements the recasts, and other operations on single modes.

// Downcast returns the layout whose elements are n times smaller: strides grow n-fold, and the mode of stride 1 has n
// times the extent. The guard says that no other mode has stride 1. It returns [cute.CodeUnknown] if it is not known
// which mode has stride 1, [cute.CodeNotDivisible] if no mode or several have it, [cute.CodeExtent] and
// [cute.CodeOverflow].
func Downcast(a Layout, n int64) (Layout, error) {
	w := begin("downcast", a)
	if n < 1 {
		return Layout{}, &cute.Error{Code: cute.CodeExtent, Op: w.op, Msg: fmt.Sprintf("a factor is at least 1, found %d", n)}
	}
	if n == 1 {
		return a, nil
	}
	u := w.unitStrides(a)
	w.needOneUnit(a, u, n)
	if w.err != nil {
		return w.end(a)
	}
	i, earlier := -1, false // earlier: an earlier mode of extent 1 could have stride 1
	return w.end(w.eachMode(a, func(m mode) mode {
		i++
		d, _ := m.d.Int()
		if isUnit(d) && (!m.s.is(1) || u.neighbours == 0 && i == u.single) {
			if earlier {
				w.require(atMostIf(Const(2), m.s)) // else the parts of an element would be there
			}
			return mode{w.mul(m.s, Const(n)), m.d}
		}
		if !d.static() && !m.s.is(1) {
			w.require(distinctIf(d, Const(1)))
			w.require(distinctIf(d, Const(-1)))
		}
		earlier = earlier || m.s.is(1) && (!d.static() || isUnit(d))
		return mode{m.s, w.scaleVector(m.d, Const(n))}
	}))
}

// isUnit reports whether a stride is 1 or -1.
func isUnit(d Int) bool { return d.is(1) || d.is(-1) }

// unitStrides says which modes of a layout have the stride 1 or -1.
type unitStrides struct {
	neighbours int  // how many modes may have more than one element
	single     int  // the first of the other modes, or -1
	unknown    int  // how many strides are not known
	sure       bool // none of the neighbours can have the extent 1
}

func (w *operation) unitStrides(a Layout) unitStrides {
	u := unitStrides{single: -1, sure: true}
	for i, m := range a.modes() {
		d, ok := m.d.Int()
		switch {
		case !ok:
			w.refuse("the strides of %s are coordinates", a)
		case !d.static():
			u.unknown++
		case !isUnit(d):
		case !m.s.is(1):
			u.neighbours++
			u.sure = u.sure && atMost(Const(2), m.s) == yes
		case u.single < 0:
			u.single = i
		}
	}
	return u
}

// needOneUnit refuses a layout without exactly one mode of stride 1: the n parts of an element have no single place.
func (w *operation) needOneUnit(a Layout, u unitStrides, n int64) {
	switch {
	case u.neighbours == 0 && u.unknown > 0:
		w.refuse("which mode of %s has the stride 1 is not known", a)
	case u.neighbours == 0 && u.single < 0, u.neighbours > 1:
		e := &cute.Error{
			Code: cute.CodeNotDivisible, Op: w.op,
			Msg: fmt.Sprintf("expected one mode of stride 1 in %s, found %d: the %d parts of an element must be neighbours", a,
				u.neighbours, n),
		}
		if u.sure {
			w.never(e)
		}
		w.fail(e)
	}
}

// Upcast returns the layout whose elements are n times larger. A stride that n divides shrinks n-fold; a mode whose
// stride divides n loses the part inside one element. If neither divides the other, the mode must have extent 1, and
// its stride becomes 0. It returns [cute.CodeUnknown] if divisibility or the extent is not known,
// [cute.CodeNotDivisible], and [cute.CodeExtent].
func Upcast(a Layout, n int64) (Layout, error) {
	w := begin("upcast", a)
	if n < 1 {
		return Layout{}, &cute.Error{Code: cute.CodeExtent, Op: w.op, Msg: fmt.Sprintf("a factor is at least 1, found %d", n)}
	}
	inside, small := Const(0), 0 // the largest offset within a wide element
	l := w.eachMode(a, func(m mode) mode {
		d, ok := m.d.Int()
		if !ok {
			w.refuse("the strides of %s are coordinates", a)
			return m
		}
		if q, ok := divideBy(d, n); ok {
			return mode{m.s, Scalar(q)}
		}
		mag := max(d.k, -d.k)
		enters := d.static() && mag > 0 && n%mag == 0
		if m.s.is(1) && !enters {
			return mode{m.s, Vector{}}
		}
		if !d.static() {
			// CuTe divides here, which is right if n divides the stride.
			w.require(dividesIf(Const(n), d))
			return mode{m.s, Scalar(w.floorDiv(d, Const(n)))}
		}
		if enters {
			steps := Const(n / mag)
			w.require(Condition{op: oneOf, alts: []Guard{{dividesIf(steps, m.s)}, {dividesIf(m.s, steps)}}})
			inside = w.add(inside, w.mul(w.sub(w.min(m.s, steps), Const(1)), Const(mag)))
			small++
			return mode{w.ceilDiv(m.s, steps), Scalar(Const(d.k / mag))}
		}
		if atMost(Const(2), m.s) == yes {
			w.never(&cute.Error{
				Code: cute.CodeNotDivisible, Op: w.op,
				Msg: fmt.Sprintf("neither of the stride %s of %s and %d divides the other", d, a, n),
			})
			return m
		}
		w.require(Condition{op: isEqual, a: m.s, b: Const(1)}.of(strict))
		return mode{m.s, Vector{}}
	})
	if small > 1 {
		// Together the small strides must not reach the next wide element.
		w.require(atMostIf(inside, Const(n-1)))
	}
	return w.end(l)
}

// eachMode returns the layout with f applied to every mode.
func (w *operation) eachMode(a Layout, f func(mode) mode) Layout {
	ms := a.modes()
	for i, m := range ms {
		ms[i] = f(m)
	}
	i, j := -1, -1
	return layoutOf(
		a.Shape().mapLeaves(func(Vector) Vector { i++; return Scalar(ms[i].s) }),
		a.Stride().mapLeaves(func(Vector) Vector { j++; return ms[j].d }),
	)
}

// Like returns the compact layout of a's shape in the order of its strides. Unknown strides come after known ones, in
// the order of the modes; a stride 0 stays. It returns [cute.CodeUnknown] if the order depends on an unknown stride
// that has a name.
func Like(a Layout) (Layout, error) {
	w := begin("make_layout_like", a)
	ms := a.modes()
	var places []int
	for i, m := range ms {
		if !m.d.zero() {
			places = append(places, i)
		}
	}
	magnitude := make([]Int, len(ms))
	for _, i := range places {
		d, ok := ms[i].d.Int()
		if !ok {
			w.refuse("the strides of %s are coordinates", a)
			return w.end(Layout{})
		}
		if magnitude[i] = w.abs(d); d.anonymous() {
			magnitude[i] = d // CuTe supposes that unknown strides are positive
		}
		if !d.static() && !ms[i].s.is(1) {
			w.require(or(atMostIf(ms[i].s, Const(1)), distinctIf(d, Const(0))))
		}
	}
	slices.SortStableFunc(places, func(i, j int) int { return w.compareStrides(magnitude[i], magnitude[j]) })
	next := Const(1)
	for _, i := range places {
		ms[i].d = Scalar(next)
		if ms[i].s.is(1) {
			ms[i].d = Vector{}
		}
		next = w.mul(next, ms[i].s)
	}
	k := -1
	out := layoutOf(a.Shape(), a.Stride().mapLeaves(func(Vector) Vector { k++; return ms[k].d }))
	return w.end(out)
}

// compareStrides orders two strides as CuTe does. If the order is not known and a stride has no name, it adds a
// condition.
func (w *operation) compareStrides(d, e Int) int {
	switch {
	case d.static() && e.static():
		return int(max(-1, min(1, d.k-e.k)))
	case below(d, e) == yes:
		return -1
	case below(e, d) == yes:
		return 1
	case !d.Equal(e) && !(d.anonymous() || e.anonymous()):
		w.refuse("which of the strides %s and %s is smaller is not known", d, e)
	case !d.Equal(e):
		// In CuTe's order the unknown stride with the smaller number comes first.
		w.require(atMostIf(d, e))
	}
	return 0
}

// Increment returns the next coordinate of the shape in colexicographic order; the last mode counts on beyond its
// extent. It returns [cute.CodeNotCongruent].
func Increment(at, shape Tuple) (Tuple, Guard, error) {
	w := begin("increment")
	if !congruent(at, shape) {
		return Tuple{}, nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: w.op, Msg: fmt.Sprintf("expected a coordinate of the shape %s, found %s", shape, at),
		}
	}
	l, err := LayoutLeft(shape)
	if err != nil {
		return Tuple{}, nil, err
	}
	// A coordinate beyond its extent would carry.
	extents, coords := shape.leaves(), at.leaves()
	for i := range len(extents) - 1 {
		c, okC := coords[i].Int()
		s, okS := extents[i].Int()
		if okC && okS {
			w.require(atMostIf(Const(0), c))
			w.require(atMostIf(w.add(c, Const(1)), s))
		}
	}
	index := w.value(l.Shape(), l.Stride(), at)
	x, _ := index.Int()
	next := w.coordinate(Number(w.add(x, Const(1))), shape)
	out, err := w.end(Layout{})
	return next, out.Guard(), err
}

// Pattern returns t as a coordinate of package cute with 0 in place of every integer.
func (t Tuple) Pattern() cute.Coord {
	switch t.kind() {
	case isOpen:
		return cute.Open
	case isLeaf:
		c, _ := cute.Fixed(cute.Int(0))
		return c
	}
	cs := make([]cute.Coord, len(t.elems()))
	for i, e := range t.elems() {
		cs[i] = e.Pattern()
	}
	return cute.MakeCoord(cs...)
}

// Modes returns the tilers for the single modes, or t alone if it does not tile mode by mode.
func (t Tiler) Modes() []Tiler {
	if t.modes {
		return t.elems
	}
	return []Tiler{t}
}

// LeafCount returns the number of leaves of the layouts in t; _ counts as one.
func (t Tiler) LeafCount() int {
	switch {
	case t.keep:
		return 1
	case !t.modes:
		return t.layout.Shape().LeafCount()
	}
	n := 0
	for _, e := range t.elems {
		n += e.LeafCount()
	}
	return n
}

// Layout returns the layout that t is.
func (t Tiler) Layout() (Layout, bool) { return t.layout, !t.modes && !t.keep }
