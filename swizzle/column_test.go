package swizzle

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// allMatrices calls f with every map of n bits, invertible or not, as columns.
func allMatrices(n int, f func(cols []uint64)) {
	cols := make([]uint64, n)
	for x := range uint64(1) << (n * n) {
		for j := range cols {
			cols[j] = x >> (j * n) & (1<<n - 1)
		}
		f(cols)
	}
}

// avoids reports whether the lowest rows of the map take no difference to 0.
func avoids(cols []uint64, rows int, ds []difference) bool {
	for _, d := range ds {
		var y uint64
		for rest := d.bits; rest != 0; rest &= rest - 1 {
			y ^= cols[bits.TrailingZeros64(rest)]
		}
		if y&uint64(d.rows) == 0 {
			return false
		}
	}
	return true
}

// differences draws differences of n bits in all rows, or in some of the lowest rows.
func differences(t *rapid.T, n, rows int) []difference {
	mixed := rapid.Bool().Draw(t, "mixed")
	xs := rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1<<n-1), 0, min(1<<n-1, 7), rapid.ID).Draw(t, "differences")
	var ds []difference
	for _, x := range xs {
		d := difference{x, 1<<rows - 1}
		if mixed && rapid.Bool().Draw(t, "narrow") {
			d.rows = 1<<rapid.IntRange(1, rows).Draw(t, "rows") - 1
		}
		ds = append(ds, d)
	}
	return ds
}

// The search finds the cheapest of all maps, and fails only if no map exists.
func TestCheapestAgainstAllMaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		rows := rapid.IntRange(1, min(n, 3)).Draw(t, "rows")
		ds := differences(t, n, rows)
		least := -1
		allMatrices(n, func(cols []uint64) {
			cost := 0
			for j, c := range cols {
				cost += bits.OnesCount64(c ^ 1<<j)
			}
			if (least < 0 || cost < least) && avoids(cols, rows, ds) {
				if _, err := NewMap(cols); err == nil {
					least = cost
				}
			}
		})
		s := newColumnSearch(ds, rows, SearchLimit, nil)
		yes, done := s.feasible()
		if !done || yes != (least >= 0) {
			t.Fatalf("feasible %t, done %t: the least cost of all maps is %d", yes, done, least)
		}
		if !yes {
			return
		}
		found, cost, done := s.cheapest(1000)
		if !done || cost != least || len(found) == 0 {
			t.Fatalf("found %d maps of cost %d, done %t: the least cost of all maps is %d", len(found), cost, done, least)
		}
		for _, cols := range found {
			image := s.complete(cols, n)
			m, err := NewMap(image)
			if err != nil || m.Cost() != cost || !avoids(image, rows, ds) {
				t.Fatalf("columns %v: map %v of cost %d, %v", cols, image, m.Cost(), err)
			}
		}
	})
}

// There are patterns of three address bits, eight vectors each, in a tile of 64 vectors. Any four patterns are free
// together. No map frees all twenty, because the uniform matroid of rank 3 on 6 elements is not binary. A map can free
// sixteen.
func TestPatternsOfThreeBitsOfSix(t *testing.T) {
	t.Parallel()
	var triples [][]difference
	for set := range uint64(64) {
		if bits.OnesCount64(set) != 3 {
			continue
		}
		var ds []difference
		for sub := set; sub != 0; sub = (sub - 1) & set {
			ds = append(ds, difference{sub, 7})
		}
		triples = append(triples, ds)
	}
	if len(triples) != 20 {
		t.Fatalf("%d patterns", len(triples))
	}
	ok := 0
	for a := range triples {
		for b := range a {
			for c := range b {
				for d := range c {
					var ds []difference
					for _, i := range []int{a, b, c, d} {
						ds = append(ds, triples[i]...)
					}
					if yes, done := newColumnSearch(ds, 3, SearchLimit, nil).feasible(); yes && done {
						ok++
					}
				}
			}
		}
	}
	if ok != 4845 {
		t.Errorf("%d of 4845 sets of four patterns are free together", ok)
	}
	var all []difference
	for _, ds := range triples {
		all = append(all, ds...)
	}
	if yes, done := newColumnSearch(all, 3, SearchLimit, nil).feasible(); yes || !done {
		t.Errorf("all twenty: found %t, done %t", yes, done)
	}
	// The best kernel frees the bases of the graphic matroid of the complete graph on four vertices: its spanning
	// trees.
	best := 0
	s := newColumnSearch(all, 3, SearchLimit, nil)
	n := s.each(func(cols []uint8) {
		free := 0
		for _, ds := range triples {
			good := true
			for _, d := range ds {
				good = good && s.at(cols, d.bits) != 0
			}
			if good {
				free++
			}
		}
		best = max(best, free)
	})
	if best != 16 || n != 1395 {
		t.Errorf("at most %d patterns are free with one of %d maps, want 16 of 1395", best, n)
	}
}

// Any two subspaces whose dimensions are at most the number of bank bits can be kept apart at once.
func TestTwoSubspacesAlwaysWork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		rows := rapid.IntRange(1, min(n, 5)).Draw(t, "rows")
		var ds []difference
		for range 2 {
			span := []uint64{0}
			for len(span) < 1<<rows {
				v := rapid.Uint64Range(1, 1<<n-1).Draw(t, "vector")
				fresh := true
				for _, x := range span {
					fresh = fresh && x != v
				}
				if !fresh {
					if rapid.Bool().Draw(t, "smaller") {
						break
					}
					continue
				}
				for _, x := range span[:len(span):len(span)] {
					span = append(span, x^v)
				}
			}
			for _, x := range span[1:] {
				ds = append(ds, difference{x, 1<<rows - 1})
			}
		}
		s := newColumnSearch(ds, rows, SearchLimit, nil)
		if yes, done := s.feasible(); !yes || !done {
			t.Fatalf("found %t, done %t", yes, done)
		}
	})
}

// The result of subspaces is the number of kernels that each enumerates, over all ranks.
func TestSubspaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, k int
		want int64
	}{{0, 3, 1}, {2, 1, 4}, {3, 3, 16}, {6, 3, 1 + 63 + 651 + 1395}, {63, 6, 1<<63 - 1}} {
		if got := subspaces(c.n, c.k); got != c.want {
			t.Errorf("subspaces(%d, %d) = %d, want %d", c.n, c.k, got, c.want)
		}
	}
}
