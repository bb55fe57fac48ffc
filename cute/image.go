package cute

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"girih/internal/ints"
)

// This file first lists the offsets of a layout as a set. If the offsets span at most EnumLimit integers, the set grows
// leaf by leaf in one array, whatever the size of the layout. If a layout has few offsets far apart, the offsets are
// evaluated and sorted.

// Image returns the distinct offsets of a in increasing order, in elements. It returns [CodeCodomain] for coordinate
// strides, and [CodeLimit] if a has more than [EnumLimit] coordinates (not counting repetitions by modes of stride 0)
// and its offsets span more than EnumLimit integers too.
func Image(a Layout) ([]int64, error) { return image(a, nil) }

func image(a Layout, stop Until) ([]int64, error) {
	const op = "image"
	terms, err := integerTerms(op, a)
	if err != nil {
		return nil, err
	}
	least, span := extremes(a, terms)
	if span < EnumLimit {
		set, err := reachable(terms, span, stop)
		list := []int64{}
		for i, r := range set {
			if r {
				list = append(list, least+int64(i))
			}
		}
		return list, err
	}
	m := layoutOf(a, terms)
	if err := checkEnum(op, m.Size(), a); err != nil {
		return nil, err
	}
	offsets, err := m.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	if err := ints.Sort(offsets, stop); err != nil {
		return nil, err
	}
	return slices.Compact(offsets), nil
}

func holes(a Layout, stop Until) ([]int64, error) {
	const op = "holes"
	terms, err := integerTerms(op, a)
	if err != nil {
		return nil, err
	}
	if firstGap(terms, 0) == 0 {
		return nil, nil
	}
	least, span := extremes(a, terms)
	if span >= EnumLimit {
		return nil, &Error{
			Code: CodeLimit, Op: op,
			Msg: fmt.Sprintf("the offsets of %v span the integers from %d to %d, more than the %d that are enumerated",
				a, least, least+span, int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	set, err := reachable(terms, span, stop)
	var list []int64
	for i, r := range set {
		if !r {
			list = append(list, least+int64(i))
		}
	}
	return list, err
}

// integerTerms returns the leaves of a that move, and refuses coordinate strides.
func integerTerms(op string, a Layout) ([]term, error) {
	if a.cod != nil {
		return nil, errorf(CodeCodomain, op, "the offsets of %v are coordinates, not integers", a)
	}
	terms, _ := termsOf(a)
	return terms, nil
}

// extremes returns the least offset of a layout of integers with the given terms, and the distance from it to the
// greatest offset.
func extremes(a Layout, terms []term) (least, span int64) {
	for _, t := range terms {
		span += t.most * norm(t.d)
	}
	return leastOffset(a)[0], span
}

// reachable reports which of the numbers 0, ..., span are sums of the terms, counted from the least offset. A term adds
// 0 to most times its stride. So a number is reachable if the number one stride below is reachable with a step of the
// term to spare: left holds the most spare steps at each number.
func reachable(terms []term, span int64, stop Until) ([]bool, error) {
	set := make([]bool, span+1)
	left := make([]int64, span+1)
	set[0] = true
	top := int64(0)
	for _, t := range terms {
		if err := stop.ask(); err != nil {
			return nil, err
		}
		d := norm(t.d)
		top += t.most * d
		for i := range top + 1 {
			switch {
			case set[i]:
				left[i] = t.most
			case i >= d && left[i-d] > 0:
				left[i] = left[i-d] - 1
				set[i] = true
			default:
				left[i] = 0
			}
		}
	}
	return set, nil
}

// The following functions decide whether the offsets of a layout have gaps. For integer strides the leaves are taken by
// increasing stride. As long as the next stride d is at most one more than the sum that the leaves before it reach, the
// offsets have no gaps. Otherwise that sum plus one is the least number that no coordinate reaches. Negative strides
// only shift the offsets, since x·d and (s−1−x)·|d| run through the same numbers, shifted.
//
//	(4,3):(3,1)   1 ≤ 0+1, reach 2; 3 ≤ 2+1, reach 11: all of [0,12)
//	(4,2):(1,6)   1 ≤ 0+1, reach 3; 6 > 3+1: 4 is missed

// IsSurjective reports whether the offsets of a are all of [0, cosize), or for coordinate strides all of the box that
// [Layout.Coshape] gives. It enumerates nothing unless a stride moves along several axes at once.
//
// If they are not, the Value of the witness is an offset that is not reached (the least such offset for integer
// strides), and its other fields are unused. A layout with a negative stride at an extent above 1 is not surjective
// because it has negative offsets; then the witness is a coordinate with its index and its offset. It returns
// [CodeLimit] if a stride moves along several axes and a has more than [EnumLimit] coordinates.
func IsSurjective(a Layout) (bool, *Witness, error) { return isSurjective(a, nil) }

func isSurjective(a Layout, stop Until) (bool, *Witness, error) {
	if w := negativeOffset(a); w != nil {
		return false, w, nil
	}
	w, err := missedOffset("is_surjective", a, stop)
	return w == nil && err == nil, w, err
}

// IsBijective reports whether a is a bijection onto [0, size), or for coordinate strides onto the box [Layout.Coshape]:
// each point of the target is the offset of exactly one coordinate. The witness is the witness of [IsSurjective] or, if
// all are reached, of [IsInjective]. It returns the errors of these two.
func IsBijective(a Layout) (bool, *Witness, error) { return isBijective(a, nil) }

func isBijective(a Layout, stop Until) (bool, *Witness, error) {
	if w := negativeOffset(a); w != nil {
		return false, w, nil
	}
	return isCompact("is_bijective", a, stop)
}

// IsCompact reports whether a is injective and its offsets are an interval of size integers, or for coordinate strides
// a box. Without negative strides IsCompact equals [IsBijective]; with negative strides the interval may start below 0,
// as for 4:-1. If an integer of the interval (or a point of the box) between the extreme offsets is not an offset, the
// Value of the witness is the least such integer (or some such point), and its other fields are unused. Otherwise the
// witness is the witness of [IsInjective]. It returns the errors of [IsBijective].
func IsCompact(a Layout) (bool, *Witness, error) {
	return isCompact("is_compact", a, nil)
}

func isCompact(op string, a Layout, stop Until) (bool, *Witness, error) {
	w, err := missedOffset(op, a, stop)
	if w != nil || err != nil {
		return false, w, err
	}
	// No offset is missed, so the box has as many points as there are distinct offsets: at most the size.
	n, err := a.Cosize()
	if err != nil {
		return false, nil, err
	}
	if n == a.Size() {
		return true, nil, nil
	}
	return isInjective(a, stop)
}

// negativeOffset returns a coordinate whose offset is negative, along some axis, or nil.
func negativeOffset(a Layout) *Witness {
	index := int64(1)
	for i, s := range a.extents() {
		if s > 1 && slices.Min(a.stride(i)) < 0 {
			c, _ := Idx2Crd(Int(index), a.Shape())
			return &Witness{Coord: c, Index: index, Value: coordTuple(a.stride(i), a.cod)}
		}
		index *= s
	}
	return nil
}

// missedOffset returns a point of the smallest box around the offsets that is not an offset, or nil.
func missedOffset(op string, a Layout, stop Until) (*Witness, error) {
	terms, _ := termsOf(a)
	at := leastOffset(a)
	if mixesAxes(terms) {
		return missedByEnumeration(op, a, terms, stop)
	}
	for x := range at {
		if gap := firstGap(terms, x); gap > 0 {
			at[x] += gap
			return &Witness{Value: coordTuple(at, a.cod)}, nil
		}
	}
	return nil, nil
}

// leastOffset returns the least offset along each axis: the lower corner of the smallest box around the offsets.
func leastOffset(a Layout) []int64 {
	least := make([]int64, a.cod.axes())
	for i, s := range a.extents() {
		for x, d := range a.stride(i) {
			least[x] += (s - 1) * min(d, 0)
		}
	}
	return least
}

// firstGap returns the least number above 0 that the terms miss along axis x, counted from their least value up to
// their greatest value, or 0 if they miss no number.
func firstGap(terms []term, x int) int64 {
	sorted := slices.Clone(terms)
	sort.Sort(ints.By(sorted, func(a, b term) int { return cmp.Compare(norm(a.d[x:x+1]), norm(b.d[x:x+1])) }))
	reach := int64(0)
	for _, t := range sorted {
		d := norm(t.d[x : x+1])
		if d-1 > reach {
			return reach + 1
		}
		reach += t.most * d
	}
	return 0
}

// missedByEnumeration is [missedOffset] for strides along several axes at once. If a has n coordinates and misses any
// point of the box, it misses one of the first n+1 points.
func missedByEnumeration(op string, a Layout, terms []term, stop Until) (*Witness, error) {
	m := layoutOf(a, terms)
	n := m.Size()
	if err := checkEnum(op, n, a); err != nil {
		return nil, err
	}
	least := leastOffset(a)
	box := make([]int64, len(least)) // the greatest digit along each axis
	for _, t := range terms {
		for x, d := range t.d {
			box[x] += t.most * max(d, -d)
		}
	}
	seen := make([]bool, n+1)
	point, c := make([]int64, len(least)), make([]int64, m.leaves())
	move := func(j int, steps int64) { // the last step of a loop may wrap, and is undone
		for x, d := range m.stride(j) {
			point[x] += steps * d
		}
	}
	for i := range n {
		if err := stop.at(i); err != nil {
			return nil, err
		}
		if i, ok := placeInBox(point, least, box); ok && i <= n {
			seen[i] = true
		}
		for j, s := range m.extents() {
			move(j, 1)
			if c[j]++; c[j] < s {
				break
			}
			move(j, -s)
			c[j] = 0
		}
	}
	free := int64(slices.Index(seen, false)) // n offsets leave at least one of n+1 places free
	if !pointInBox(least, box, free) {
		return nil, nil
	}
	return &Witness{Value: coordTuple(least, a.cod)}, nil
}

// placeInBox returns the colexicographic place of a point in a box, and whether it fits in 64 bits. The box has the
// given corner and the given greatest places along its axes.
func placeInBox(point, corner, box []int64) (int64, bool) {
	i := int64(0)
	for x, b := range slices.Backward(box) {
		scaled, ok := ints.Mul(i, b)
		if !ok {
			return 0, false
		}
		if i, ok = ints.Add(i+point[x]-corner[x], scaled); !ok {
			return 0, false
		}
	}
	return i, true
}

// pointInBox adds to corner the point at place i of the box, and reports whether the box has that place.
func pointInBox(corner, box []int64, i int64) bool {
	for x, b := range box {
		if i <= b {
			corner[x] += i
			return true
		}
		corner[x] += i % (b + 1)
		i /= b + 1
	}
	return i == 0
}

// The following functions ask the questions of [Composed.IsSurjectiveOnto], [Composed.IsInjectiveInto] and
// [Composed.IsBijectiveOnto] about the offsets of a layout.

func surjectiveOnto(op string, a Layout, codomain Tuple, stop Until) (bool, *Witness, error) {
	box, bound, err := boxes(op, a, codomain)
	if err != nil {
		return false, nil, err
	}
	if w := outsideOf(a, box, bound); w != nil {
		return false, w, nil
	}
	if w, err := missedOffset(op, a, stop); w != nil || err != nil {
		return false, w, err
	}
	for i, n := range box.v {
		if n < bound.v[i] {
			at := Tuple{v: make([]int64, len(box.v)), prof: box.prof}
			at.v[i] = n
			return false, &Witness{Value: at}, nil
		}
	}
	return true, nil, nil
}

func injectiveInto(a Layout, codomain Tuple, stop Until) (bool, *Witness, error) {
	box, bound, err := boxes("is_injective", a, codomain)
	if err != nil {
		return false, nil, err
	}
	if w := outsideOf(a, box, bound); w != nil {
		return false, w, nil
	}
	return isInjective(a, stop)
}

func bijectiveOnto(a Layout, codomain Tuple, stop Until) (bool, *Witness, error) {
	if ok, w, err := surjectiveOnto("is_bijective", a, codomain, stop); err != nil || !ok {
		return false, w, err
	}
	return isInjective(a, stop)
}

// An imageQuestion is a set of conditions on the values of a function in a codomain.
type imageQuestion int

const (
	asksOnce imageQuestion = 1 << iota // whether no value occurs twice
	asksAll                            // whether all elements occur
)

// boxes returns the box that the offsets span, and the codomain as a box of the same nesting.
func boxes(op string, a Layout, codomain Tuple) (box, bound Tuple, err error) {
	if err := checkShape(op, codomain); err != nil {
		return box, bound, err
	}
	if box, err = a.Coshape(); err != nil {
		return box, bound, err
	}
	if bound = codomain; a.cod == nil {
		n, err := codomain.Product()
		return box, Int(n), err
	}
	if !Congruent(box, bound) {
		return box, bound, errorf(CodeNotCongruent, op,
			"the offsets of %v take the box %v; the codomain %v must have that nesting", a, box, codomain)
	}
	return box, bound, nil
}

// outsideOf returns a coordinate of a whose offset is outside the bound, or nil; box is the box that a's offsets span.
func outsideOf(a Layout, box, bound Tuple) *Witness {
	if w := negativeOffset(a); w != nil {
		return w
	}
	for i, n := range box.v {
		if n <= bound.v[i] {
			continue
		}
		// No stride is negative here, so the last coordinate has the greatest offset along every axis.
		last := a.Size() - 1
		at, errC := Idx2Crd(Int(last), a.Shape())
		value, errV := a.Eval(at)
		if errC != nil || errV != nil {
			return nil // unreachable: both are within the size and the cosize
		}
		return &Witness{Coord: at, Index: last, Value: value}
	}
	return nil
}

// A Difference is the first place where two layouts differ as functions.
type Difference struct {
	Index int64 // the colexicographic index; if only the sizes differ, the smaller size
	A, B  Tuple // the offsets there
	Sizes bool  // the sizes differ and the offsets agree up to the smaller one
}

// Equivalent reports whether a and b are the same function on the same number of indices, and if not where they first
// differ. It compares coalesced forms, which are unique, so its cost depends on the number of modes and not on the
// size.
func Equivalent(a, b Layout) (bool, *Difference) {
	x, y := Coalesce(a), Coalesce(b)
	if x.Equal(y) {
		return true, nil
	}
	i := firstDifference(x, y)
	least := min(a.Size(), b.Size())
	d := &Difference{Index: i}
	if i >= least {
		d.Index, d.Sizes = least, true
	}
	// Beyond the smaller size, A and B are offsets of the extended function, used only in the message.
	d.A, _ = a.Eval(Int(d.Index))
	d.B, _ = b.Eval(Int(d.Index))
	return false, d
}

// firstDifference returns the first index at which two different coalesced layouts differ. Both are linear in their
// first mode. If the steps differ, the layouts differ at index 1. Otherwise, if the extents differ, the layouts differ
// where the shorter run ends, because there the next stride of a coalesced layout does not continue the run. If the
// first modes are equal, the rest decides in the same way, at the scale of that mode.
func firstDifference(x, y Layout) int64 {
	scale := int64(1)
	s, t := x.extents(), y.extents()
	for i := range min(len(s), len(t)) {
		if !sameStride(x, y, i) {
			return scale
		}
		if s[i] != t[i] {
			return scale * min(s[i], t[i])
		}
		scale *= s[i]
	}
	return scale
}

// sameStride reports whether two coalesced layouts have the same stride at leaf i; the integer 0 equals the coordinate
// 0.
func sameStride(x, y Layout, i int) bool {
	if x.extents()[i] == 1 && y.extents()[i] == 1 {
		return true
	}
	if x.cod == nil && y.cod == nil {
		return x.stride(i)[0] == y.stride(i)[0]
	}
	return string(appendVector(nil, x.stride(i), x.cod)) == string(appendVector(nil, y.stride(i), y.cod))
}

// coordNodes limits the steps of the search of CoordAt.
const coordNodes = 1 << 16

// CoordAt returns a coordinate of l, congruent to its shape and in bounds, that has the given offset: CuTe's
// get_hier_coord, for every layout. If several coordinates have the offset, it returns one of them. It returns
// [CodeNotInvertible] if no coordinate has the offset, [CodeCodomain] for coordinate strides, and [CodeLimit] if a
// layout with many overlapping modes would take too long to search.
func (l Layout) CoordAt(offset int64) (Tuple, error) {
	const op = "idx2crd"
	if l.cod != nil {
		return Tuple{}, errorf(CodeCodomain, op, "the offsets of %v are coordinates", l)
	}
	s := newCoordSearch(l, offset)
	found := s.from(0, s.target)
	switch {
	case found:
		return Tuple{v: s.c, prof: l.prof}, nil
	case s.nodes > coordNodes:
		return Tuple{}, errorf(CodeLimit, op, "no coordinate of %v with offset %d found in %d steps", l, offset, coordNodes)
	}
	return Tuple{}, errorf(CodeNotInvertible, op, "no coordinate of %v has the offset %d", l, offset)
}

// A coordSearch looks for c with Σ c·|stride| = target, the largest strides first. A leaf of negative stride is counted
// from its other end, so that all terms are positive.
type coordSearch struct {
	l      Layout
	order  []int   // leaves that move, largest stride first
	reach  []int64 // by position in order: the greatest sum of the leaves from there on
	target int64
	c      []int64
	nodes  int
}

func newCoordSearch(l Layout, offset int64) *coordSearch {
	n := l.leaves()
	s := &coordSearch{l: l, c: make([]int64, n), target: offset}
	for i := range n {
		if e, d := l.v[i], l.v[n+i]; e > 1 && d != 0 {
			s.order = append(s.order, i)
			if d < 0 {
				s.c[i] = e - 1
			}
		}
	}
	sort.Slice(s.order, func(i, j int) bool { return s.step(s.order[j]) < s.step(s.order[i]) })
	s.reach = make([]int64, len(s.order)+1)
	for j := len(s.order) - 1; j >= 0; j-- {
		i := s.order[j]
		s.reach[j] = s.reach[j+1] + (l.v[i]-1)*s.step(i) // the invariants of Layout bound this sum
	}
	// The least offset may be far below offset; if the difference wraps, it is out of reach anyway.
	for _, i := range s.order {
		if d := l.v[n+i]; d < 0 {
			s.target -= (l.v[i] - 1) * d
		}
	}
	return s
}

// step returns the magnitude of the stride of leaf i.
func (s *coordSearch) step(i int) int64 {
	d := s.l.v[s.l.leaves()+i]
	return max(d, -d)
}

// from chooses the coordinates of the leaves from place j of the order on.
func (s *coordSearch) from(j int, rest int64) bool {
	if s.nodes++; s.nodes > coordNodes || rest < 0 || rest > s.reach[j] {
		return false
	}
	if j == len(s.order) {
		return rest == 0
	}
	i := s.order[j]
	d, last := s.step(i), s.l.v[i]-1
	for x := min(last, rest/d); x >= 0 && rest-x*d <= s.reach[j+1]; x-- {
		if s.from(j+1, rest-x*d) {
			if s.c[i] = x; s.l.v[s.l.leaves()+i] < 0 {
				s.c[i] = last - x
			}
			return true
		}
	}
	return false
}
