package oracle

import (
	"errors"
	"fmt"
	"slices"

	"girih/internal/ints"
)

// Places returns the first n places, in ascending order, at which copies of the block cover the offsets from 0 on, each
// offset once. It also returns how many offsets these copies cover without a gap. The places are forced: the least
// offset that no copy covers yet must be the start of the next copy, because a block starts at 0 and has no negative
// offsets. Places reports false if copies overlap.
func Places(block []int64, n int) (places []int64, covered int64, ok bool) {
	taken := map[int64]bool{}
	for len(places) < n {
		for _, x := range block {
			if taken[covered+x] {
				return nil, 0, false
			}
			taken[covered+x] = true
		}
		places = append(places, covered)
		for taken[covered] {
			delete(taken, covered)
			covered++
		}
	}
	return places, covered, true
}

// Period returns the least number of offsets, above 0, that up to n copies of the block cover exactly. It reports false
// if there is no such number.
func Period(block []int64, n int) (int64, bool) {
	for k := 1; k <= n; k++ {
		_, covered, ok := Places(block, k)
		if !ok {
			return 0, false
		}
		if covered == int64(k*len(block)) {
			return covered, true
		}
	}
	return 0, false
}

// Block returns the offsets of l without its broadcast modes (modes of stride 0), and how often l has each offset.
// Block returns an error if two coordinates share an offset or an offset is negative.
func Block(l Layout) (offsets []int64, repeat int64, err error) {
	repeat = 1
	var s, d []int64
	for i, x := range l.S {
		if len(l.D[i]) == 0 {
			repeat *= x
			continue
		}
		s, d = append(s, x), append(d, l.D[i][""])
	}
	offsets = Flat(s, d).Ints()
	sorted := slices.Sorted(slices.Values(offsets))
	if sorted[0] < 0 {
		return nil, 0, fmt.Errorf("the offset %d is negative", sorted[0])
	}
	if len(slices.Compact(sorted)) != len(offsets) {
		return nil, 0, errors.New("two coordinates have the same offset")
	}
	return offsets, repeat, nil
}

// Complementable reports whether some layout is a complement of l: copies of l's block cover the offsets below some
// period, and the places of the copies, in ascending order, are a layout.
func Complementable(l Layout) bool {
	block, _, err := Block(l)
	if err != nil {
		return false
	}
	top := slices.Max(block) + 1
	period, ok := Period(block, int(2*top))
	if !ok {
		return false
	}
	places, _, _ := Places(block, int(period)/len(block))
	_, _, ok = IsLayout(places)
	return ok
}

// CheckComplement returns an error unless c is the complement of a up to the size of a cotarget: the copies of a's
// block at the offsets of c, which ascend, cover [0, k) once, and k is the least multiple of the block's period that is
// at least the size.
func CheckComplement(a, c Layout, size int64) error {
	block, _, err := Block(a)
	if err != nil {
		return fmt.Errorf("the block: %w", err)
	}
	period, ok := Period(block, int(2*slices.Max(block)+2))
	if !ok {
		return errors.New("the block does not tile")
	}
	want, _, ok := Places(block, int(ints.CeilDiv(size, period)*period)/len(block))
	if !ok {
		return errors.New("the copies of the block overlap")
	}
	if got := c.Ints(); !slices.Equal(got, want) {
		return fmt.Errorf("the offsets are %v, want %v", got, want)
	}
	return nil
}

// CheckWeakComplement returns an error unless c is a weak complement of a: the offsets of c ascend from 0, no other
// offset of c is an offset of a, and copies of a's block at the offsets of c do not overlap.
func CheckWeakComplement(a, c Layout) error {
	block, _, err := Block(a)
	if err != nil {
		return fmt.Errorf("the block: %w", err)
	}
	taken := map[int64]bool{}
	last := int64(-1)
	for i, o := range c.Ints() {
		if (i == 0 && o != 0) || o <= last {
			return fmt.Errorf("the offset %d follows %d", o, last)
		}
		if last = o; o > 0 && slices.Contains(block, o) {
			return fmt.Errorf("the offset %d is one of the layout's", o)
		}
		for _, x := range block {
			if taken[o+x] {
				return fmt.Errorf("two copies of the block reach the offset %d", o+x)
			}
			taken[o+x] = true
		}
	}
	return nil
}

// PlacesOf returns the places of the copies of a in the logical product of a and b. The place for a coordinate y of b
// is place number |b(y)| of [Places], negated if b(y) is negative.
func PlacesOf(a, b Layout) ([]int64, error) {
	block, _, err := Block(a)
	if err != nil {
		return nil, fmt.Errorf("the block: %w", err)
	}
	orders := b.Ints()
	all, _, ok := Places(block, int(max(slices.Max(orders), -slices.Min(orders)))+1)
	if !ok {
		return nil, errors.New("the copies of the block overlap")
	}
	places := make([]int64, len(orders))
	for i, y := range orders {
		if places[i] = all[max(y, -y)]; y < 0 {
			places[i] = -places[i]
		}
	}
	return places, nil
}

// CheckProduct returns an error unless r is the logical product of a and b: mode 0 is a, and mode 1 leads to the copies
// of a at the places of [PlacesOf].
func CheckProduct(a, b, r Layout) error {
	if r.Rank() != 2 || r.Mode(0).Size() != a.Size() || r.Mode(1).Size() != b.Size() {
		return fmt.Errorf("expected modes of %d and %d elements", a.Size(), b.Size())
	}
	places, err := PlacesOf(a, b)
	if err != nil {
		return err
	}
	table := a.Ints()
	for i, got := range r.Ints() {
		if want := table[i%len(table)] + places[i/len(table)]; got != want {
			return fmt.Errorf("index %d has the offset %d, want %d", i, got, want)
		}
	}
	return nil
}
