package judge

import (
	"slices"
	"sort"
)

// This file evaluates layouts, and decides from every value whether a function is a layout.

// MaxValues is the largest number of values that a check looks at.
const MaxValues = 1 << 18

// A Leaf is one extent and its stride.
type Leaf struct{ S, D int64 }

// Leaves lists the leaves of a layout, the fastest first. The last leaf is unbounded.
type Leaves []Leaf

// Size returns the product of the extents, or MaxValues+1 if it is larger than MaxValues.
//
//go:noinline
func (ls Leaves) Size() int64 {
	n := int64(1)
	for _, l := range ls {
		if l.S > MaxValues || n*l.S > MaxValues {
			return MaxValues + 1
		}
		n *= l.S
	}
	return n
}

// At returns the value at index i. The index in the last leaf may exceed the leaf's extent, and division truncates
// towards zero, as in C++.
//
//go:noinline
func (ls Leaves) At(i int64) int64 {
	v := int64(0)
	for k, l := range ls {
		x := i
		if k < len(ls)-1 {
			x, i = i%l.S, i/l.S
		}
		v += x * l.D
	}
	return v
}

// Table returns the values at all indices below the size, which must be at most MaxValues.
func (ls Leaves) Table() []int64 {
	t := append(make([]int64, 0, ls.Size()), 0)
	for _, l := range ls {
		n := len(t)
		for x := int64(1); x < l.S; x++ {
			for _, v := range t[:n] {
				t = append(t, v+x*l.D)
			}
		}
	}
	return t
}

// Coalesce returns the unique shortest list of leaves for the same function. The list is empty for a layout of size 1.
func (ls Leaves) Coalesce() Leaves {
	var out Leaves
	for _, l := range ls {
		if l.S == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].S*out[n-1].D == l.D {
			out[n-1].S *= l.S
			continue
		}
		out = append(out, l)
	}
	return out
}

// Equal reports whether two layouts are the same function on the same number of indices.
func (ls Leaves) Equal(other Leaves) bool { return slices.Equal(ls.Coalesce(), other.Coalesce()) }

// Injective reports whether no value of the table occurs twice.
func Injective(table []int64) bool {
	seen := make(map[int64]bool, len(table))
	for _, v := range table {
		if seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// isLayout reports whether some layout has the values of the table. The first mode of such a layout can only be the
// longest run 0, d, 2d, ... at the front: the length of the run must divide the length of the table, every block of
// that length must be the first block plus a shift, and the shifts must be the values of a layout.
func isLayout(t []int64) bool {
	for len(t) > 1 {
		if t[0] != 0 {
			return false
		}
		run := 2
		for run < len(t) && t[run] == int64(run)*t[1] {
			run++
		}
		if len(t)%run != 0 {
			return false
		}
		shifts := make([]int64, 0, len(t)/run)
		for at := 0; at < len(t); at += run {
			for x := range run {
				if t[at+x] != t[at]+t[x] {
					return false
				}
			}
			shifts = append(shifts, t[at])
		}
		t = shifts
	}
	return len(t) == 0 || t[0] == 0
}

// composable reports whether some layout has the values a(b(i)), with leaves that refine the leaves of b: the values
// along each leaf of b must form a layout, and a(b(i)) must be the sum of one value from each leaf.
func composable(a, b Leaves) bool {
	sums := []int64{0}
	for _, l := range b {
		along := make([]int64, l.S)
		for x := range along {
			along[x] = a.At(int64(x) * l.D)
		}
		if !isLayout(along) {
			return false
		}
		n := len(sums)
		for _, v := range along[1:] {
			for _, u := range sums[:n] {
				sums = append(sums, u+v)
			}
		}
	}
	for i, v := range b.Table() {
		if a.At(v) != sums[i] {
			return false
		}
	}
	return true
}

// gaps returns the modes that fill the gaps of ls, smallest first, and the block that ls and these modes cover
// together: A* = (gaps, n:block). It reports false if the strides do not chain, because then no complement exists
// (Shah, "CuTe layout algebra", Def. 2.5; necessary by Colfax, arXiv 2601.05972, 2.1.6.21).
func (ls Leaves) gaps() (free Leaves, block int64, ok bool) {
	free, block, whole, ok := ls.gapsThatFit()
	return free, block, ok && whole
}

// gapsThatFit is gaps for any layout. If a gap is not a multiple of the block before it, as many copies of that block
// as fit fill the gap, and whole is false. ok is false if modes overlap.
func (ls Leaves) gapsThatFit() (free Leaves, block int64, whole, ok bool) {
	sorted := slices.Clone(ls)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].D < sorted[j].D })
	block, whole = 1, true
	for _, l := range sorted {
		if l.S == 1 || l.D == 0 {
			continue
		}
		if l.D < block {
			return nil, 0, false, false
		}
		whole = whole && l.D%block == 0
		if l.D/block > 1 {
			free = append(free, Leaf{l.D / block, block})
		}
		block = l.S * l.D
	}
	return free, block, whole, true
}

// star returns the layout of the offsets of the copies of ls: first the copies in the gaps of ls, then one block after
// another. The last leaf is unbounded.
func (ls Leaves) star() (Leaves, bool) {
	free, block, _, ok := ls.gapsThatFit()
	return append(free, Leaf{1, block}), ok
}

// Repeats returns how often the modes of stride 0 repeat every value.
func (ls Leaves) Repeats() int64 {
	n := int64(1)
	for _, l := range ls {
		if l.D == 0 {
			n *= l.S
		}
	}
	return n
}
