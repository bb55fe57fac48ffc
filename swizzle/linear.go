package swizzle

import (
	"cmp"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// SearchLimit bounds the steps of each search in [Solve]; a search takes a few seconds at most.
const SearchLimit = 50_000_000

// maxTies bounds how many maps of the same cost are compared.
const maxTies = 2000

// bankRows returns the number of bank bits that a general map can change: the bits above the granule.
func (t *tile) bankRows() int {
	rows := 0
	for _, a := range t.accesses {
		rows = max(rows, t.rowsOf(bits.TrailingZeros(uint(a.rule.Banks()))))
	}
	return rows
}

// rowsOf returns the number of bank bits above the granule, given the number of all bank bits.
func (t *tile) rowsOf(banks int) int { return max(banks-(t.granule-t.shift), 0) }

// granules returns the differences of granules that a map must keep in different banks. possible is false if no map can
// keep them apart because a difference has no bank bit above the granule.
func (t *tile) granules(cs []clash) (ds []difference, possible bool) {
	possible = true
	seen := make(map[difference]bool)
	for i, c := range cs {
		t.checkAt(i)
		d, needed := t.difference(c)
		switch {
		case !needed || seen[d]:
		case d.rows == 0:
			possible = false
		default:
			seen[d] = true
			ds = append(ds, d)
		}
	}
	byBits := func(a, b difference) int { return cmp.Or(cmp.Compare(a.bits, b.bits), cmp.Compare(a.rows, b.rows)) }
	_ = ints.SortFunc(ds, byBits, t.checkStop)
	return ds, possible
}

// difference returns the difference of the granules of a clash. That difference is not needed if there is only one
// granule, or if the places within the granules keep the words in different banks.
func (t *tile) difference(c clash) (d difference, needed bool) {
	if c.diff&(1<<t.granule-1)>>max(t.shift, 0) != 0 {
		return d, false
	}
	d.bits = c.diff >> t.granule
	d.rows = uint8(1<<t.rowsOf(int(c.banks)) - 1)
	return d, d.bits != 0
}

// A linearAnswer is what the search for a general map found.
type linearAnswer struct {
	m        Map
	found    bool
	grows    int64
	smallest bool // the cost is certainly the least
	// exhausted reports that certainly no map exists, not even a map that moves the tile out of its place.
	exhausted bool
	bits      int // bits of granules that occur in differences
	rows      int
	steps     int64
}

// exists looks for a map, in place or not, that removes the given clashes and keeps granules whole.
func (t *tile) exists(cs []clash) (ans linearAnswer, s *columnSearch, yes bool) {
	ds, possible := t.granules(cs)
	rows := t.bankRows()
	s = newColumnSearch(ds, rows, SearchLimit, t.check)
	ans = linearAnswer{bits: len(s.bits), rows: rows}
	if !possible {
		ans.exhausted = true
		return ans, s, false
	}
	yes, done := s.feasible()
	ans.steps, ans.exhausted = s.steps, !yes && done
	return ans, s, yes
}

// linear returns the cheapest map that removes the given clashes, keeps granules whole, and keeps the tile in its place
// if some cheapest map does. Maps are ordered by [Map.Cost], then by the number of terms. check simulates each map
// first.
func (t *tile) linear(cs []clash, check func(Map) bool) linearAnswer {
	ans, s, yes := t.exists(cs)
	if !yes {
		return ans
	}
	fallback := slices.Clone(s.cols)
	found, _, done := s.cheapest(maxTies)
	ans.smallest = done
	if !done {
		found = append(found, fallback)
	}
	n := max(t.bits-t.granule, ans.rows)
	for _, cols := range found {
		m, ok := t.mapOf(s.complete(cols, n))
		if !ok || !check(m) {
			continue
		}
		grows := t.grows(m.apply)
		if t.full && grows > 0 {
			continue
		}
		if !ans.found || cmp.Or(cmp.Compare(grows, ans.grows), cmp.Compare(len(m.Terms()), len(ans.m.Terms()))) < 0 {
			ans.m, ans.grows, ans.found = m, grows, true
		}
	}
	return ans
}

// mapOf returns the map of offsets for a map of granules.
func (t *tile) mapOf(image []uint64) (Map, bool) {
	cols := make([]uint64, t.granule, t.granule+len(image))
	for j := range cols {
		cols[j] = 1 << j
	}
	for _, c := range image {
		cols = append(cols, c<<t.granule)
	}
	m, err := NewMap(cols)
	return m, err == nil
}
