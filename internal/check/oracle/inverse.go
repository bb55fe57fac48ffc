package oracle

import (
	"fmt"
	"slices"
)

// CheckRightInverse returns an error unless r is a right inverse of a: for all coordinates c of r, r(c) is an index of
// a and a(r(c)) = c. The mode of r at an axis of a counts along that axis.
func CheckRightInverse(a, r Layout) error {
	for _, c := range Coords(r.S) {
		index := Vector{}
		for j, x := range c {
			index = index.plus(x, r.D[j])
		}
		if i := index[""]; i < 0 || i >= a.Size() {
			return fmt.Errorf("at %v: %d is not an index below %d", c, i, a.Size())
		}
		want := r.Shape.countAt(c, a)
		if got := a.Index(index[""]); !got.Equal(want) {
			return fmt.Errorf("at %v: index %d has the value %v, want %v", c, index[""], got, want)
		}
	}
	return nil
}

// countAt returns the offset in the codomain of a that the coordinate c of the shape t represents: for each axis of a,
// the index of c within the mode of t at that axis.
func (t Tree) countAt(c []int64, a Layout) Vector {
	axes := map[string]bool{}
	for _, v := range a.D {
		for axis := range v {
			axes[axis] = true
		}
	}
	if len(axes) == 0 {
		axes[""] = true
	}
	want := Vector{}
	shape := Layout{Shape: t, S: Numbers(t.Leaves()), D: make([]Vector, len(c))}
	for j, x := range c {
		shape.D[j] = Number(x) // stores the coordinate where the mode finds it
	}
	for axis := range axes {
		m, ok := shape.at(axis)
		if !ok {
			continue
		}
		index, size := int64(0), int64(1)
		for j, s := range m.S {
			index += m.D[j][""] * size
			size *= s
		}
		want = want.plus(index, Vector{axis: 1})
	}
	return want
}

// LargestRightInverse returns the size of the largest right inverse of an injective layout of integers. The value of
// the inverse at i is forced: the index at which the layout has the value i. The inverse ends where these values are no
// longer a layout, or where a layout in also does not have the value i at this index.
func LargestRightInverse(a Layout, also ...Layout) int64 {
	at := map[int64]int64{}
	for i, x := range a.Ints() {
		at[x] = int64(i)
	}
	var forced []int64
	for i := int64(0); ; i++ {
		index, ok := at[i]
		for _, l := range also {
			ok = ok && index < l.Size() && l.Index(index).Equal(Number(i))
		}
		if !ok {
			break
		}
		forced = append(forced, index)
	}
	for n := len(forced); n > 0; n-- {
		if _, _, ok := IsLayout(forced[:n]); ok {
			return int64(n)
		}
	}
	return 0
}

// Injective reports whether no two coordinates of l have the same offset.
func Injective(l Layout) bool {
	table := l.Table()
	for i, v := range table {
		if slices.ContainsFunc(table[:i], v.Equal) {
			return false
		}
	}
	return true
}

// Surjective reports whether the offsets of l, which are integers, are exactly 0 to n-1.
func Surjective(l Layout, n int64) bool {
	image := Image(l)
	return int64(len(image)) == n && image[0] == 0 && image[n-1] == n-1
}

// Image returns the integer offsets of l in ascending order, each once.
func Image(l Layout) []int64 {
	return slices.Compact(slices.Sorted(slices.Values(l.Ints())))
}
