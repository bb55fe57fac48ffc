package girih

import (
	"fmt"

	"girih/internal/ints"
)

// This file implements logical_divide: A∘(B,B*), where B* is the complement of the tile B in the shape of A
// (include/cute/layout.hpp, logical_divide). Mode 0 of the result runs within a tile, mode 1 over the tiles.
//
// As in CuTe, B* rounds up, so the tiles may cover more than A has. Where the tile ends inside the last mode
// of coalesced A the extra elements are A's own extension; where it ends inside an inner mode, A is first
// padded: that mode's extent grows to a multiple of what the tile takes of it.
//
//	(5,4):(1,30) by 4:1   the tile takes 4 of the first mode, whose 5 grow to 8
//	(8,4):(1,30) o (4,8):(1,4) = (4,(2,4)):(1,(4,30)), 32 elements for 20

// A Division is the result of a divide: the layout, and what was padded to make the tiles whole.
type Division struct {
	Layout
	Padding Padding
}

// Padding tells the real elements of a padded result from those that were added. It is zero if none were.
type Padding struct {
	Added    int64 // coordinates of the result that stand for no element
	Elements int64 // coordinates that stand for elements
	// Coord maps each coordinate of the result to the coordinate of the divided layout, coalesced, that it
	// stands for, and Bound is the shape of that layout: a coordinate c is real exactly if Coord(c) is less
	// than Bound in every leaf. This is the identity tensor with which CuTe kernels predicate.
	Coord Layout
	Bound Tuple
}

// None reports whether nothing was padded.
func (p Padding) None() bool { return p.Added == 0 }

// String says what was padded, or returns "".
func (p Padding) String() string {
	if p.None() {
		return ""
	}
	return fmt.Sprintf("padded %d to %d elements: real where %v < %v", p.Elements, p.Elements+p.Added, p.Coord, p.Bound)
}

// Contains reports whether the coordinate c of the padded result stands for an element.
// It returns the errors of [Layout.Eval].
func (p Padding) Contains(c Tuple) (bool, error) {
	if p.None() {
		return true, nil
	}
	x, err := p.Coord.Eval(c)
	if err != nil {
		return false, err
	}
	return lessWhereBoth(x, p.Bound), nil
}

// lessWhereBoth compares leaf by leaf; axes that x does not have are at 0.
func lessWhereBoth(x, bound Tuple) bool {
	if x.prof == "." || bound.prof == "." {
		return x.v[0] < bound.v[0]
	}
	bs := bound.Modes()
	for i, m := range x.Modes() {
		if !lessWhereBoth(m, bs[i]) {
			return false
		}
	}
	return true
}

// LogicalDivide divides a by the tiler: with a layout the result is ((tile),(rest)), with a tile or a shape
// each mode becomes (tile,rest) and modes beyond the tile stay as they are.
//
// It returns [CodeRank] if the tile has more modes than a, [CodeNotComplementable] if a tile has no
// complement, [CodeNotRepresentable] with a witness if the tile does not fit a's modes even after padding,
// [CodeNegative] and [CodeOverflow].
func LogicalDivide(a Layout, t Tiler) (Division, error) { return divide("logical_divide", a, t) }

// LogicalDivideExact is [LogicalDivide], and refuses with [CodeNotDivisible] instead of padding.
func LogicalDivideExact(a Layout, t Tiler) (Layout, error) {
	return refusePadding("logical_divide", a, t, LogicalDivide)
}

func refusePadding(op string, a Layout, t Tiler, f func(Layout, Tiler) (Division, error)) (Layout, error) {
	d, err := f(a, t)
	if err != nil {
		return Layout{}, err
	}
	if !d.Padding.None() {
		return Layout{}, &Error{
			Code: CodeNotDivisible, Op: op,
			Msg:  fmt.Sprintf("%v does not divide %v evenly: %v", t, a, d.Padding),
			Hint: "the divide that is not exact returns the padded layout and the predicate",
		}
	}
	return d.Layout, nil
}

// divide runs a divide, and for a padded one also divides the identity to find what each coordinate stands for.
func divide(op string, a Layout, t Tiler) (Division, error) {
	r, added, err := divideBy(op, a, t)
	if err != nil || added == 0 {
		return Division{Layout: r}, err
	}
	id, err := identityFor(a, t, nil)
	if err != nil {
		return Division{}, err
	}
	coord, _, err := divideBy(op, id, t)
	if err != nil {
		return Division{}, err
	}
	bound, err := boundFor(a, t)
	if err != nil {
		return Division{}, err
	}
	return Division{r, Padding{Added: added, Elements: r.Size() - added, Coord: coord, Bound: bound}}, nil
}

// divideBy returns the logical divide and the number of coordinates that were added.
func divideBy(op string, a Layout, t Tiler) (Layout, int64, error) {
	if t == Keep {
		return a, 0, nil
	}
	ts, ok := byMode(t)
	if !ok {
		b, err := whole(op, t)
		if err != nil {
			return Layout{}, 0, err
		}
		return divideWhole(op, a, b)
	}
	if err := checkTileRank(op, a, len(ts)); err != nil {
		return Layout{}, 0, err
	}
	as := a.Modes()
	real := int64(1)
	for i := range as {
		added := int64(0)
		if i < len(ts) {
			var err error
			if as[i], added, err = divideBy(op, as[i], ts[i]); err != nil {
				return Layout{}, 0, err
			}
		}
		real *= as[i].Size() - added // at most the size of a, times that of tiles with stride 0
	}
	r, err := MakeLayout(as...)
	if err != nil {
		return Layout{}, 0, err
	}
	return r, r.Size() - real, nil
}

// divideWhole divides a by the layout b.
func divideWhole(op string, a, b Layout) (Layout, int64, error) {
	var sb, db [stackModes]int64
	m := modes{s: sb[:0], d: db[:0], k: a.cod.axes()}
	m = m.coalesceZ(a.extents(), a.strides())
	shape := Tuple{v: m.s, prof: unwrappedProfile(m.len())}
	if m.len() > 1 && m.s[m.len()-1] == 1 {
		shape = Tuple{v: m.s[:m.len()-1], prof: unwrappedProfile(m.len() - 1)}
	}
	if b.cod != nil {
		shape = a.Shape()
	}
	rest, err := complementTo(op, b, shape, false)
	if err != nil {
		return Layout{}, 0, err
	}
	tiles, err := pair(b, rest)
	if err != nil {
		return Layout{}, 0, err
	}
	added, repeat, err := padding(op, a, b, rest)
	if err != nil {
		return Layout{}, 0, err
	}
	r, err := Composition(a, tiles)
	if err == nil || b.cod != nil {
		return r, added * repeat, err
	}
	padded, ok := m.padTo(a, b, shape, rest)
	if !ok {
		return Layout{}, 0, err
	}
	r, err2 := Composition(padded, tiles)
	if err2 != nil {
		return Layout{}, 0, err
	}
	return r, added * repeat, nil
}

// pair returns (a,b). It is MakeLayout for two layouts without its general cost.
func pair(a, b Layout) (Layout, error) {
	if a.cod != nil || b.cod != nil {
		return MakeLayout(a, b)
	}
	n, m := a.leaves(), b.leaves()
	v := make([]int64, 2*(n+m))
	copy(v, a.v[:n])
	copy(v[n:], b.v[:m])
	copy(v[n+m:], a.v[n:])
	copy(v[2*n+m:], b.v[m:])
	return finish("make_layout", v, joinProfiles(a.profile(), b.profile()), nil)
}

// padding returns how many elements the tiles have more than a, and how often the tile repeats each because
// of its modes with stride 0. It refuses tiles that miss elements.
func padding(op string, a, b, rest Layout) (added, repeat int64, err error) {
	distinct, repeat := int64(1), int64(1)
	for i, s := range b.extents() {
		if isZero(b.stride(i)) {
			repeat *= s
		} else {
			distinct *= s
		}
	}
	covered, ok := ints.Mul(distinct, rest.Size())
	// The gaps of the tile are part of rest, so covered counts every offset of the tiles once.
	if _, ok2 := ints.Mul(covered, repeat); !ok || !ok2 {
		return 0, 0, overflowError(op, "the size of the tiles of %v by %v", a, b)
	}
	if covered < a.Size() {
		return 0, 0, &Error{
			Code: CodeNotDivisible, Op: op,
			Msg: fmt.Sprintf("the tiles of %v, rounded up mode by mode, reach %d of the %d elements of %v", b, covered, a.Size(), a),
		}
	}
	return covered - a.Size(), repeat, nil
}

// padTo returns a, coalesced to m, with the mode that the tile's block ends in grown to a multiple of what the
// block takes of it.
func (m modes) padTo(a, b Layout, shape Tuple, rest Layout) (Layout, bool) {
	_, left, err := modes{k: 1}.fillGaps(b, 0)
	if err != nil {
		return Layout{}, false
	}
	s := append([]int64(nil), m.s...)
	for i := 0; i < len(shape.v) && left > 1; i++ {
		if left <= s[i] {
			s[i] = ints.CeilDiv(s[i], left) * left // the cotarget was divided the same way without overflow
			left = 1
			break
		}
		if left%s[i] != 0 {
			return Layout{}, false
		}
		left /= s[i]
	}
	p := modes{s: s, d: m.d, k: m.k}
	l, err := p.layout("logical_divide", flatProfile(len(s)), a.cod)
	return l, err == nil
}

// identityFor returns the layout that maps each coordinate of a to itself, its axes below the path, with the
// coalesced shape wherever t divides a mode as a whole.
func identityFor(a Layout, t Tiler, path []int) (Layout, error) {
	shape, subs, err := dividedShape(a, t)
	if err != nil {
		return Layout{}, err
	}
	if subs == nil {
		return identityAt(shape, path)
	}
	as := a.Modes()
	for i := range as {
		if as[i], err = identityFor(as[i], subs[i], append(path[:len(path):len(path)], i)); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(as...)
}

// boundFor returns the shape whose coordinates the identity of [identityFor] produces.
func boundFor(a Layout, t Tiler) (Tuple, error) {
	shape, subs, err := dividedShape(a, t)
	if err != nil || subs == nil {
		return shape, err
	}
	bounds := make([]Tuple, len(subs))
	for i, m := range a.Modes() {
		if bounds[i], err = boundFor(m, subs[i]); err != nil {
			return Tuple{}, err
		}
	}
	return MakeTuple(bounds...)
}

// dividedShape returns the shape that t divides as a whole, or the tilers of a's modes if it tiles by mode.
func dividedShape(a Layout, t Tiler) (shape Tuple, subs []Tiler, err error) {
	if ts, ok := byMode(t); ok {
		subs = append(subs, ts...)
		for len(subs) < a.Rank() {
			subs = append(subs, Keep)
		}
		return Tuple{}, subs, nil
	}
	if b, isLayout := t.(Layout); t == Keep || (isLayout && b.cod != nil) {
		return a.Shape(), nil, nil
	}
	c, err := Coalesce(a)
	return c.Shape(), nil, err
}

// identityAt returns the identity layout of the shape with its axes below the path.
func identityAt(shape Tuple, path []int) (Layout, error) {
	if shape.prof == "." {
		if len(path) == 0 {
			return New(shape, Int(1))
		}
		unit, err := Basis(1, path...)
		if err != nil {
			return Layout{}, err
		}
		return New(shape, unit)
	}
	var parts []Layout
	for i, m := range shape.Modes() {
		p, err := identityAt(m, append(path[:len(path):len(path)], i))
		if err != nil {
			return Layout{}, err
		}
		parts = append(parts, p)
	}
	return MakeLayout(parts...)
}
