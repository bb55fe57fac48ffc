package judge

import (
	"slices"
	"sort"
)

// This file evaluates layouts, and decides by looking at every value whether a function is a layout.

// MaxValues is the largest number of values that a check looks at.
const MaxValues = 1 << 18

// A Leaf is one extent and its stride.
type Leaf struct{ S, D int64 }

// Leaves is a layout as its leaves, the first one fastest. The last leaf is unbounded.
type Leaves []Leaf

// Size returns the product of the extents, or MaxValues+1 if it is larger than MaxValues.
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

// At returns the value at index i. The index in the last leaf may exceed its extent, and division truncates towards
// zero, as in C++.
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

// Coalesce returns the unique shortest list of leaves for the same function. It is empty for a layout of size 1.
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

// isLayout reports whether some layout has the values of the table. Its first mode can only be the longest run
// 0, d, 2d, ... at the front: the run must divide the table, every block of that length must repeat the first one
// shifted, and the shifts must be a layout again.
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
// along each leaf of b must be a layout, and a must add them up.
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
// together: A* = (gaps, n:block). It reports false if the strides do not chain. No complement exists then (Shah, "CuTe
// layout algebra", Def. 2.5; necessary by Colfax, arXiv 2601.05972, 2.1.6.21).
func (ls Leaves) gaps() (free Leaves, block int64, ok bool) {
	free, block, whole, ok := ls.gapsThatFit()
	return free, block, ok && whole
}

// gapsThatFit is gaps for any layout. A gap that is not a multiple of the block before it gets as many copies of that
// block as fit; whole reports whether there is no such gap. It reports false if modes overlap.
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

// star returns the offsets of the copies of ls: first the copies in its gaps, then one block after the other.
// The last leaf is unbounded.
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
