package oracle

import (
	"math/big"
	"slices"
	"sync"
)

// IsLayout reports whether a layout of integers has the table, and returns its extents and strides. It tries every
// first extent: the first mode m:d must give x·d + f(m·j) at x + m·j, and the values f(m·j) must be a layout again.
func IsLayout(g []int64) (s, d []int64, ok bool) {
	if len(g) == 0 || g[0] != 0 {
		return nil, nil, false
	}
	if len(g) == 1 {
		return nil, nil, true
	}
	for m := 2; m <= len(g); m++ {
		if len(g)%m != 0 || !repeats(g, m) {
			continue
		}
		var rest []int64
		for j := 0; j < len(g); j += m {
			rest = append(rest, g[j])
		}
		if s, d, ok := IsLayout(rest); ok {
			return append([]int64{int64(m)}, s...), append([]int64{g[1]}, d...), true
		}
	}
	return nil, nil, false
}

// repeats reports whether every block of m entries counts up in steps of g[1].
func repeats(g []int64, m int) bool {
	for i, x := range g {
		if x != g[i-i%m]+int64(i%m)*g[1] {
			return false
		}
	}
	return true
}

// A Fit says how far layouts can follow a table.
type Fit struct {
	Ok    bool
	Index int64   // the greatest first failure of a candidate, if none fits
	Want  []int64 // the values of the candidates that fail at Index
}

// Refines decides whether a layout whose shape refines the given extents has the table, which is in colexicographic
// order over these extents. A candidate cuts each extent into factors; its strides are forced, since each stride is the
// value at one index. Candidates of finer cuts match wherever coarser candidates do, so Refines tries the cuts into
// primes, in every order. The witness is the smallest index at which all candidates have failed: the greatest of their
// first failures.
func Refines(table, extents []int64) Fit {
	best := Fit{Index: -1}
	var try func(leaf int, index int64, s, unit []int64) bool
	try = func(leaf int, index int64, s, unit []int64) bool {
		if leaf == len(extents) {
			return best.add(table, s, unit)
		}
		for _, order := range ordersOf(extents[leaf]) {
			step, s2, unit2 := index, slices.Clone(s), slices.Clone(unit)
			for _, p := range order {
				s2, unit2 = append(s2, p), append(unit2, step)
				step *= p
			}
			if try(leaf+1, index*extents[leaf], s2, unit2) {
				return true
			}
		}
		return false
	}
	if table[0] != 0 {
		return Fit{Want: []int64{0}}
	}
	if try(0, 1, nil, nil) {
		return Fit{Ok: true}
	}
	return best
}

// add tries the candidate with the extents s. Its mode j has the table's value at index unit[j] as stride.
func (f *Fit) add(table, s, unit []int64) bool {
	c := make([]int64, len(s))
	for i, value := range table {
		want := int64(0)
		for j, x := range c {
			if x != 0 {
				want += x * table[unit[j]]
			}
		}
		if want != value {
			if int64(i) > f.Index {
				f.Index, f.Want = int64(i), nil
			}
			if int64(i) == f.Index && !slices.Contains(f.Want, want) {
				f.Want = append(f.Want, want)
			}
			return false
		}
		for j := range c {
			if c[j]++; c[j] < s[j] {
				break
			}
			c[j] = 0
		}
	}
	return true
}

// smallOrders holds the orders of the prime factors of small numbers, which tests ask for again and again.
var smallOrders = sync.OnceValue(func() [65][][]int64 {
	var out [65][][]int64
	for n := 1; n < len(out); n++ {
		out[n] = primeOrders(int64(n))
	}
	return out
})

func ordersOf(n int64) [][]int64 {
	if small := smallOrders(); n < int64(len(small)) {
		return small[n]
	}
	return primeOrders(n)
}

// primeOrders returns every order of the prime factors of n.
func primeOrders(n int64) [][]int64 {
	if n == 1 {
		return [][]int64{nil}
	}
	var out [][]int64
	for p := int64(2); p <= n; p++ {
		if n%p != 0 || !big.NewInt(p).ProbablyPrime(0) {
			continue
		}
		for _, rest := range primeOrders(n / p) {
			out = append(out, append([]int64{p}, rest...))
		}
	}
	return out
}
