package swizzle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSubspaceSearch compares the search with all subspaces of a small space, one after another.
func TestSubspaceSearch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	found := 0
	for range 400 {
		rows, bits := 1+r.IntN(2), 4+r.IntN(2)
		in := map[uint64]bool{}
		for x := uint64(1); x < 1<<bits; x++ {
			if r.IntN(4) > 0 {
				in[x] = true
			}
		}
		open := make([]uint64, 0, len(in))
		for x := range in {
			open = append(open, x)
		}
		slices.Sort(open)
		r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		s := subspaceSearch{rows: rows, in: in, check: func() {}}
		got := s.from([]uint64{0}, open)
		want := firstSubspace(in, open, rows+1, nil)
		if got != (want != nil) || got && !slices.Equal(s.basis, want) {
			t.Fatalf("rows %d of %v: found %v %v, expected %v", rows, open, got, s.basis, want)
		}
		if got {
			found++
		}
	}
	if found < 50 || found > 350 {
		t.Errorf("%d of 400 searches found a subspace", found)
	}
}

// firstSubspace returns the first basis of n differences whose sums are all differences, by trying all.
func firstSubspace(in map[uint64]bool, open []uint64, n int, basis []uint64) []uint64 {
	sums := []uint64{0}
	for _, b := range basis {
		for _, x := range sums {
			sums = append(sums, x^b)
		}
	}
	for _, x := range sums[1:] {
		if !in[x] {
			return nil
		}
	}
	if len(basis) == n {
		return basis
	}
	for i, d := range open {
		if !slices.Contains(sums, d) {
			if b := firstSubspace(in, open[i+1:], n, append(slices.Clone(basis), d)); b != nil {
				return b
			}
		}
	}
	return nil
}
