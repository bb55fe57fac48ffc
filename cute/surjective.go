package cute

import (
	"cmp"
	"slices"

	"girih/internal/ints"
)

// This file decides whether the offsets of a layout are without gaps. For integer strides the leaves are
// taken by increasing stride: as long as the next stride d is at most one more than what the leaves before it
// reach together, the offsets stay without gaps; otherwise that number is missed by all leaves, and it is
// the least one. Negative strides only shift that, since x·d and (s−1−x)·|d| run through the same numbers.
//
//	(4,3):(3,1)   1 ≤ 0+1, reach 2; 3 ≤ 2+1, reach 11: all of [0,12)
//	(4,2):(1,6)   1 ≤ 0+1, reach 3; 6 > 3+1: 4 is missed

// IsSurjective reports whether the offsets of a are all of [0, cosize); for coordinate strides, all of the box
// that [Layout.Coshape] gives. It takes no enumeration unless a stride moves along several axes at once.
//
// If they are not, Value of the witness is an offset that is not reached, for integer strides the least
// one, and the other fields are unused. A layout with a negative stride and an extent above 1 there is not
// surjective since it has offsets outside: the witness then is a coordinate, its index and its offset.
// It returns [CodeLimit] if a stride moves along several axes and a has more than [EnumLimit] coordinates.
func IsSurjective(a Layout) (bool, *Witness, error) { return isSurjective(a, nil) }

func isSurjective(a Layout, stop Until) (bool, *Witness, error) {
	if w := negativeOffset(a); w != nil {
		return false, w, nil
	}
	w, err := missedOffset("is_surjective", a, stop)
	return w == nil && err == nil, w, err
}

// IsBijective reports whether a is a bijection onto [0, size), for coordinate strides onto the box
// [Layout.Coshape]: its offsets are those numbers, each once. The witness is that of [IsSurjective] or, if all
// are reached, that of [IsInjective]. It returns the errors of these two.
func IsBijective(a Layout) (bool, *Witness, error) { return isBijective(a, nil) }

func isBijective(a Layout, stop Until) (bool, *Witness, error) {
	if w := negativeOffset(a); w != nil {
		return false, w, nil
	}
	return isCompact("is_bijective", a, stop)
}

// IsCompact reports whether a is injective and its offsets are an interval of size integers, for
// coordinate strides a box. With strides of at least 0 that is the same as [IsBijective]; with negative
// ones the interval may start below 0, as that of 4:-1 does. The witness holds in Value the least integer (or
// some point) within the interval (or box) of the extreme offsets that is not an offset, the other fields unused; if
// there is none it is that of [IsInjective]. It returns the errors of [IsBijective].
func IsCompact(a Layout) (bool, *Witness, error) {
	return isCompact("is_compact", a, nil)
}

func isCompact(op string, a Layout, stop Until) (bool, *Witness, error) {
	w, err := missedOffset(op, a, stop)
	if w != nil || err != nil {
		return false, w, err
	}
	// No offset is missed, so there are as many as the box has points, which is at most the size.
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

// leastOffset returns the least offset along each axis: the lower corner of the box around them.
func leastOffset(a Layout) []int64 {
	least := make([]int64, a.cod.axes())
	for i, s := range a.extents() {
		for x, d := range a.stride(i) {
			least[x] += (s - 1) * min(d, 0)
		}
	}
	return least
}

// firstGap returns the least number above 0 that the terms miss along axis x, counted from their least
// value and up to their greatest one, or 0 if they miss none.
func firstGap(terms []term, x int) int64 {
	sorted := slices.Clone(terms)
	slices.SortFunc(sorted, func(a, b term) int { return cmp.Compare(norm(a.d[x:x+1]), norm(b.d[x:x+1])) })
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

// missedByEnumeration is [missedOffset] for strides along several axes at once. Among the first n+1 points of
// the box, n the number of coordinates, one is missed if any point is.
func missedByEnumeration(op string, a Layout, terms []term, stop Until) (*Witness, error) {
	m := layoutOf(a, terms)
	n := m.Size()
	if err := checkEnum(op, n, a); err != nil {
		return nil, err
	}
	least := leastOffset(a)
	box := make([]int64, len(least)) // greatest place along each axis
	for _, t := range terms {
		for x, d := range t.d {
			box[x] += t.most * max(d, -d)
		}
	}
	seen := make([]bool, n+1)
	point, c := make([]int64, len(least)), make([]int64, m.leaves())
	move := func(j int, steps int64) { // a step too far may wrap, and is taken back
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
	free := int64(slices.Index(seen, false)) // n offsets leave one of n+1 places free
	if !pointInBox(least, box, free) {
		return nil, nil
	}
	return &Witness{Value: coordTuple(least, a.cod)}, nil
}

// placeInBox returns the colexicographic place of a point in the box with the given greatest places, counted
// from its corner, and whether it fits in 64 bits.
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

// pointInBox adds to corner the point at place i of the box, and reports whether there is one.
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
