package cute

import (
	"cmp"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file decides injectivity by the sums of all coordinates, where the search for a relation between the strides is
// too long: strides without a structure, of which there are few in practice.

// collideByEnumeration is [collide] by looking at all sums of the terms.
func collideByEnumeration(a Layout, terms []term, stop Until) (*Witness, error) {
	if n := sizeOf(terms); n > EnumLimit {
		return nil, errorf(CodeLimit, "is_injective", "whether %v is injective is undecided after %d relations between %d strides, and their %d sums are more than the %d that are enumerated",
			a, int64(CollisionBudget), len(terms), n, int64(EnumLimit))
	}
	if len(terms[0].d) == 1 {
		return collideAlong(a, terms, stop)
	}
	planes := make([][]int64, 0, len(terms[0].d))
	for x := range terms[0].d {
		planes = append(planes, sums(terms, func(t term) int64 { return t.d[x] }))
	}
	index := sums(terms, func(t term) int64 { return t.index })
	order := make([]int, len(index))
	for i := range order {
		order[i] = i
	}
	compare := func(i, j int) int {
		for _, p := range planes {
			if c := cmp.Compare(p[i], p[j]); c != 0 {
				return c
			}
		}
		return 0
	}
	inOrder := func(i, j int) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	}
	if err := ints.SortFunc(order, inOrder, stop); err != nil {
		return nil, err
	}
	for n, j := range order[1:] {
		if i := order[n]; compare(i, j) == 0 {
			return pairWitness(a, min(index[i], index[j]), max(index[i], index[j])), nil
		}
	}
	return nil, nil
}

// collideAlong is collideByEnumeration for one axis, whose sums have an order. It finds the least sum that two
// coordinates have, and of those the first two, as the other way does.
func collideAlong(a Layout, terms []term, stop Until) (*Witness, error) {
	sorted, err := sortedSums(terms, stop)
	if err != nil {
		return nil, err
	}
	n := 1
	for n < len(sorted) && sorted[n] != sorted[n-1] {
		n++
	}
	if n == len(sorted) {
		return nil, nil
	}
	all := sums(terms, func(t term) int64 { return t.d[0] })
	if err := stop.ask(); err != nil {
		return nil, err
	}
	index := sums(terms, func(t term) int64 { return t.index })
	i := slices.Index(all, sorted[n])
	j := i + 1 + slices.Index(all[i+1:], sorted[n])
	return pairWitness(a, min(index[i], index[j]), max(index[i], index[j])), nil
}

// sortedSums returns the sums of terms along one axis in order. The sums of some terms, in order, and the same moved by
// multiples of the next stride merge to the sums of one term more: doubling the multiples takes a few passes over the
// result.
func sortedSums(terms []term, stop Until) ([]int64, error) {
	n := sizeOf(terms)
	out, next := make([]int64, 1, n), make([]int64, 0, n)
	for _, t := range terms {
		extent, once := t.most+1, slices.Clone(out)
		for b := bits.Len64(uint64(extent)) - 2; b >= 0; b-- {
			if err := stop.ask(); err != nil {
				return nil, err
			}
			c := extent >> (b + 1) // so many multiples are in out
			out, next = mergeMoved(next[:0], out, out, c*t.d[0]), out
			if c = extent >> b; c&1 == 1 {
				out, next = mergeMoved(next[:0], out, once, (c-1)*t.d[0]), out
			}
		}
	}
	return out, nil
}

// mergeMoved appends the numbers of a, and those of b plus by, to dst, all in order.
func mergeMoved(dst, a, b []int64, by int64) []int64 {
	i := 0
	for _, y := range b {
		y += by
		for i < len(a) && a[i] <= y {
			dst = append(dst, a[i])
			i++
		}
		dst = append(dst, y)
	}
	return append(dst, a[i:]...)
}

// sums returns Σ x_i·f(term i) for all coordinates x of the terms, which are at most EnumLimit.
func sums(terms []term, f func(term) int64) []int64 {
	v := make([]int64, 2*len(terms))
	for i, t := range terms {
		v[i], v[len(terms)+i] = t.most+1, f(t)
	}
	out, _ := Layout{v: v, prof: flatProfile(len(terms))}.AppendOffsets(nil)
	return out
}
