package convert

import (
	"testing"

	"girih/f2"
)

// TestAllPermutations factors every permutation of five register bits and one lane bit, and of four and two, for
// elements of 8 and of 16 bits. It runs the factors, including selectors, on all places.
func TestAllPermutations(t *testing.T) {
	t.Parallel()
	for _, n := range []struct{ regs, lanes int }{{5, 1}, {4, 2}, {3, 3}} {
		src := fromColumns(n.regs+n.lanes, upToUnits(n.regs + n.lanes)[:n.regs], upToUnits(n.regs + n.lanes)[n.regs:])
		permutations(upTo(n.regs+n.lanes), func(p []int) {
			cols := make([]f2.Vector, len(p))
			for from, to := range p {
				cols[to] = 1 << from
			}
			dst := fromColumns(len(p), cols[:n.regs], cols[n.regs:])
			for _, elemBits := range []int{8, 16} {
				s, err := NewShuffle(src, dst, elemBits)
				if err != nil || s.Permutation == nil {
					t.Fatalf("%v: %v", p, err)
				}
				simulateFactors(t, s, src, dst)
			}
		})
	}
}

// permutations calls f with every permutation of a list.
func permutations(list []int, f func([]int)) {
	var run func(k int)
	run = func(k int) {
		if k == len(list) {
			f(list)
			return
		}
		for i := k; i < len(list); i++ {
			list[k], list[i] = list[i], list[k]
			run(k + 1)
			list[k], list[i] = list[i], list[k]
		}
	}
	run(0)
}
