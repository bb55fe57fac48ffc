package swizzle_test

import (
	"slices"

	"girih/banks"
	"girih/swizzle"

	"pgregory.net/rapid"
)

// served returns, for every phase of every instruction of the named accesses, the offsets of its lanes.
func (p problem) served(t *rapid.T, names []string) [][]int64 {
	var out [][]int64
	for _, a := range p.Accesses {
		if !slices.Contains(names, a.Name) {
			continue
		}
		for w := range a.Plan.Warps() {
			for i := range a.Plan.Instructions() {
				addrs, err := a.Plan.Addresses(nil, p.table, w, i)
				if err != nil {
					t.Fatal(err)
				}
				c, err := a.Plan.Rule().Count(addrs)
				if err != nil {
					t.Fatal(err)
				}
				phases := a.Plan.Rule().Phases()
				if c.Merged {
					phases = a.Plan.Rule().MergedPhases()
				}
				for _, lanes := range phases {
					var offs []int64
					for _, l := range lanes {
						if l < len(addrs) && addrs[l] != banks.Inactive {
							offs = append(offs, addrs[l]*8/int64(p.ElemBits))
						}
					}
					out = append(out, offs)
				}
			}
		}
	}
	return out
}

// wantProof checks a proof against the phases.
func (p problem) wantProof(t *rapid.T, pr swizzle.Proof) {
	phases := p.served(t, pr.Accesses)
	if len(phases) == 0 || pr.Text == "" {
		t.Fatalf("no phases of %v, text %q", pr.Accesses, pr.Text)
	}
	together := func(a, b int64) bool {
		return slices.ContainsFunc(phases, func(offs []int64) bool {
			return slices.Contains(offs, a) && slices.Contains(offs, b)
		})
	}
	switch pr.Reason {
	case swizzle.ReasonCount, swizzle.ReasonClique:
		if len(pr.Offsets) <= pr.Places {
			t.Fatalf("%d offsets have %d places: %s", len(pr.Offsets), pr.Places, pr.Text)
		}
		granule := p.granule()
		for i, x := range pr.Offsets {
			for _, y := range pr.Offsets[:i] {
				if pr.Reason == swizzle.ReasonCount && !together(x, y) {
					t.Fatalf("the offsets %d and %d are not served together: %s", x, y, pr.Text)
				}
				if x/granule == y/granule {
					t.Fatalf("the offsets %d and %d are in one granule of %d: %s", x, y, granule, pr.Text)
				}
			}
		}
	case swizzle.ReasonSubspace:
		span := []int64{0}
		for _, d := range pr.Offsets {
			for _, x := range span[:len(span):len(span)] {
				span = append(span, x^d)
			}
		}
		slices.Sort(span)
		if n := len(slices.Compact(span)); n <= pr.Places || n != 1<<len(pr.Offsets) {
			t.Fatalf("%d differences for %d places: %s", n, pr.Places, pr.Text)
		}
		in := map[int64]bool{}
		for _, offs := range phases {
			for i, x := range offs {
				for _, y := range offs[:i] {
					in[(x^y)/p.granule()*p.granule()] = true
				}
			}
		}
		for _, d := range span[1:] {
			if !in[d] {
				t.Fatalf("%d is no difference: %s", d, pr.Text)
			}
		}
	case swizzle.ReasonSearch:
		if pr.Maps < 1 {
			t.Fatalf("no maps: %s", pr.Text)
		}
	default:
		t.Fatalf("no reason: %v", pr)
	}
}

// granule returns the number of elements that maps keep together: the widest vector, at least a word.
func (p problem) granule() int64 {
	n := max(32/int64(p.ElemBits), 1)
	for _, a := range p.Accesses {
		n = max(n, int64(a.Plan.Vector()))
	}
	return n
}
