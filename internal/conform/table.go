package conform

import (
	"cmp"
	"slices"
)

// This file evaluates layouts, and decides by looking at every value whether a function is a layout.

// maxTable is the largest number of values that a check looks at. Rows above it are judged by text alone.
const maxTable = 1 << 18

// A leaf is one extent and its stride.
type leaf struct{ s, d int64 }

// leaves is a layout as its leaves, the first one fastest. The last leaf is unbounded.
type leaves []leaf

// size returns the product of the extents, or maxTable+1 if it is larger than maxTable.
func (ls leaves) size() int64 {
	n := int64(1)
	for _, l := range ls {
		if l.s > maxTable || n*l.s > maxTable {
			return maxTable + 1
		}
		n *= l.s
	}
	return n
}

// at returns the value at index i. The last leaf is not reduced, and division truncates towards zero, as in C++.
func (ls leaves) at(i int64) int64 {
	v := int64(0)
	for k, l := range ls {
		x := i
		if k < len(ls)-1 {
			x, i = i%l.s, i/l.s
		}
		v += x * l.d
	}
	return v
}

// table returns the values at all indices below the size, which must be at most maxTable.
func (ls leaves) table() []int64 {
	t := append(make([]int64, 0, ls.size()), 0)
	for _, l := range ls {
		n := len(t)
		for x := int64(1); x < l.s; x++ {
			for _, v := range t[:n] {
				t = append(t, v+x*l.d)
			}
		}
	}
	return t
}

// coalesce returns the unique shortest leaves of the same function: none for a layout of size 1.
func (ls leaves) coalesce() leaves {
	var out leaves
	for _, l := range ls {
		if l.s == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].s*out[n-1].d == l.d {
			out[n-1].s *= l.s
			continue
		}
		out = append(out, l)
	}
	return out
}

// equal reports whether two layouts are the same function on the same number of indices.
func (ls leaves) equal(other leaves) bool { return slices.Equal(ls.coalesce(), other.coalesce()) }

// injective reports whether no value of the table occurs twice.
func injective(table []int64) bool {
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

// composable reports whether some layout whose leaves refine those of b has the values a(b(i)): the values along
// each leaf of b must be a layout, and a must add them up.
func composable(a, b leaves) bool {
	sums := []int64{0}
	for _, l := range b {
		along := make([]int64, l.s)
		for x := range along {
			along[x] = a.at(int64(x) * l.d)
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
	for i, v := range b.table() {
		if a.at(v) != sums[i] {
			return false
		}
	}
	return true
}

// gaps returns the modes that fill what ls leaves free of its codomain, smallest first, and the block that both
// cover together: A* = (gaps, n:block). It reports false if the strides do not chain, which is when no complement
// exists (Shah, "CuTe layout algebra", Def. 2.5; necessary by Colfax, arXiv 2601.05972, 2.1.6.21).
func (ls leaves) gaps() (free leaves, block int64, ok bool) {
	free, block, whole, ok := ls.gapsThatFit()
	return free, block, ok && whole
}

// gapsThatFit is gaps where a gap that is no multiple of the block before it is filled as far as copies of that block
// fit; whole reports whether that never happens. It reports false if modes overlap.
func (ls leaves) gapsThatFit() (free leaves, block int64, whole, ok bool) {
	sorted := slices.Clone(ls)
	slices.SortStableFunc(sorted, func(a, b leaf) int { return cmp.Compare(a.d, b.d) })
	block, whole = 1, true
	for _, l := range sorted {
		if l.s == 1 || l.d == 0 {
			continue
		}
		if l.d < block {
			return nil, 0, false, false
		}
		whole = whole && l.d%block == 0
		if l.d/block > 1 {
			free = append(free, leaf{l.d / block, block})
		}
		block = l.s * l.d
	}
	return free, block, whole, true
}

// star returns the places of the copies of ls: those that fit into its gaps, then one block after the other without
// end, as leaves of which the last one is unbounded.
func (ls leaves) star() (leaves, bool) {
	free, block, _, ok := ls.gapsThatFit()
	return append(free, leaf{1, block}), ok
}

// repeats returns how often the modes of stride 0 repeat every value.
func (ls leaves) repeats() int64 {
	n := int64(1)
	for _, l := range ls {
		if l.d == 0 {
			n *= l.s
		}
	}
	return n
}
