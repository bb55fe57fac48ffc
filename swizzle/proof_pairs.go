package swizzle

import (
	"fmt"
	"slices"
	"strings"

	"girih/banks"
)

// This file contains proofs by pairs of offsets that lanes want together: sets of granules that all clash with each
// other, and spaces of differences.

// maxCliqueVertices bounds the number of granules in the search for a clique.
const maxCliqueVertices = 1 << 14

// clique looks for more granules than places such that every two are wanted together, growing a set greedily from each
// granule. Such a set is a proof.
func (t *tile) clique(accesses []int) (Proof, bool) {
	places := 0
	whole := t.wholes()
	near := make(map[uint64]map[uint64]bool) // by granule: the granules that must be in other places
	for _, ai := range accesses {
		a := t.accesses[ai]
		if places == 0 {
			places = t.placesOf(ai)
		}
		if t.placesOf(ai) != places {
			return Proof{}, false
		}
		for wi, warp := range a.warps {
			for _, lanes := range t.conflictGroups(ai, warp) {
				t.connect(phaseOf(ai, wi, lanes, warp), whole, near)
			}
		}
	}
	if len(near) > maxCliqueVertices {
		return Proof{}, false
	}
	starts := make([]uint64, 0, len(near))
	for v := range near {
		starts = append(starts, v)
	}
	slices.Sort(starts)
	for _, v := range starts {
		t.check()
		set := grow(v, near, places+1)
		if len(set) <= places {
			continue
		}
		pr := Proof{Reason: ReasonClique, Always: true, Places: places}
		for _, ai := range accesses {
			pr.Accesses = append(pr.Accesses, t.accesses[ai].Name)
		}
		for _, g := range set {
			pr.Offsets = append(pr.Offsets, int64(g<<t.granule))
		}
		pr.Text = fmt.Sprintf(
			"%s: of the %d offsets %s every two are wanted by lanes that are served together, and there are %d places in the banks that keep %s whole: "+
				"two of them share one, in every arrangement, linear or not, padded or not.",
			strings.Join(pr.Accesses, " and "), len(set), numbersText(pr.Offsets), places, t.granuleText())
		return pr, true
	}
	return Proof{}, false
}

// conflictGroups returns the lanes of each phase in an instruction.
func (t *tile) conflictGroups(access int, warp []int64) [][]int {
	a := t.accesses[access]
	addrs := make([]int64, len(warp))
	for i, x := range warp {
		if addrs[i] = banks.Inactive; x != banks.Inactive {
			addrs[i] = t.address(uint64(x))
		}
	}
	c, err := a.rule.Count(addrs)
	if err != nil {
		return nil // collect has counted them
	}
	if c.Merged {
		return a.rule.MergedPhases()
	}
	return a.rule.Phases()
}

// connect records the pairs of granules that a phase wants together, at the same place within the granule.
func (t *tile) connect(p phase, whole map[uint64]bool, near map[uint64]map[uint64]bool) {
	mask := uint64(1)<<t.granule - 1
	for i, x := range p.offs {
		for _, y := range p.offs[:i] {
			gx, gy := x>>t.granule, y>>t.granule
			if gx == gy || !whole[gx] || !whole[gy] || x&mask>>max(t.shift, 0) != y&mask>>max(t.shift, 0) {
				continue
			}
			for _, e := range [][2]uint64{{gx, gy}, {gy, gx}} {
				if near[e[0]] == nil {
					near[e[0]] = make(map[uint64]bool)
				}
				near[e[0]][e[1]] = true
			}
		}
	}
}

// grow returns a set of at most want vertices that are pairwise connected, starting with v.
func grow(v uint64, near map[uint64]map[uint64]bool, want int) []uint64 {
	set := []uint64{v}
	open := slices.Sorted(func(yield func(uint64) bool) {
		for w := range near[v] {
			if !yield(w) {
				return
			}
		}
	})
	for len(open) > 0 && len(set) < want {
		// Take the vertex with the most neighbours among the others.
		best, most := open[0], -1
		for _, w := range open {
			n := 0
			for _, x := range open {
				if near[w][x] {
					n++
				}
			}
			if n > most {
				best, most = w, n
			}
		}
		set = append(set, best)
		open = slices.DeleteFunc(open, func(w uint64) bool { return !near[best][w] })
	}
	return set
}

// numbersText lists at most twelve numbers.
func numbersText(xs []int64) string {
	var parts []string
	for i, x := range xs {
		if i == 11 && len(xs) > 12 {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, fmt.Sprint(x))
	}
	return strings.Join(parts, ", ")
}

// subspaceLimit bounds the steps of the search for a subspace of differences.
const subspaceLimit = 2_000_000

// subspace proves that there is no map if it finds a subspace of differences with more dimensions than bank bits.
func (t *tile) subspace(accesses []int, ds []difference, rows int) (Proof, bool) {
	s := subspaceSearch{rows: rows, in: make(map[uint64]bool, len(ds)), check: t.check}
	var all []uint64
	for _, d := range ds {
		if d.rows != 1<<rows-1 {
			return Proof{}, false
		}
		s.in[d.bits] = true
		all = append(all, d.bits)
	}
	if !s.from([]uint64{0}, all) {
		return Proof{}, false
	}
	pr := Proof{Reason: ReasonSubspace, Places: 1 << rows}
	for _, ai := range accesses {
		pr.Accesses = append(pr.Accesses, t.accesses[ai].Name)
	}
	for _, d := range s.basis {
		pr.Offsets = append(pr.Offsets, int64(d<<t.granule))
	}
	pr.Text = fmt.Sprintf("%s: every sum, without carry, of %s is the difference of two lanes that are served together. These %d differences are a space of %d dimensions, "+
		"and a linear map to %d bank bits takes one of them to 0: two lanes then want different words of one bank.",
		strings.Join(pr.Accesses, " and "), numbersText(pr.Offsets), 1<<len(s.basis)-1, len(s.basis), rows)
	return pr, true
}

// A subspaceSearch looks for a subspace, of more than rows dimensions, that consists of 0 and given differences.
type subspaceSearch struct {
	rows  int
	in    map[uint64]bool // the differences
	basis []uint64        // a basis of the subspace so far
	steps int
	check func()
}

// from extends the basis by differences in open, and reports whether the basis becomes long enough. span lists the sums
// of basis vectors, 0 first. The sums of a difference in open with all of span are differences, too.
//
// Of all bases of a subspace the search finds the first one: it takes the first possible difference each time. Its
// subspace is in span and in open, so the search goes back when both together have too few elements for a subspace.
func (s *subspaceSearch) from(span, open []uint64) bool {
	if len(s.basis) > s.rows {
		return true
	}
	for i, d := range open {
		if len(span)+len(open)-i < 2<<s.rows {
			return false
		}
		var rest []uint64
		for _, e := range open[i+1:] {
			if s.steps++; s.steps > subspaceLimit {
				return false
			}
			if s.steps%256 == 0 {
				s.check()
			}
			if !slices.ContainsFunc(span, func(x uint64) bool { return !s.in[e^d^x] }) { // 0 is no difference
				rest = append(rest, e)
			}
		}
		wider := slices.Clone(span)
		for _, x := range span {
			wider = append(wider, x^d)
		}
		s.basis = append(s.basis, d)
		if s.from(wider, rest) {
			return true
		}
		s.basis = s.basis[:len(s.basis)-1]
	}
	return false
}
