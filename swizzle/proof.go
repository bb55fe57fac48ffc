package swizzle

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"girih/banks"
)

// A Reason is the kind of a [Proof].
type Reason string

// These are the reasons why accesses cannot all be free of conflicts.
const (
	// ReasonCount: one phase wants more different words than it has banks for, because another access moves the vectors
	// with these words as a whole.
	ReasonCount Reason = "count"
	// ReasonClique: any two granules of a set are wanted together, and there are fewer banks for them than granules.
	ReasonClique Reason = "clique"
	// ReasonSubspace: the differences within phases contain a whole subspace with more dimensions than bank bits, and
	// every linear map takes a difference to bank 0.
	ReasonSubspace Reason = "subspace"
	// ReasonSearch: an exhaustive search has found no linear map.
	ReasonSearch Reason = "search"
)

// A Proof says why accesses cannot all be free of conflicts.
type Proof struct {
	Reason Reason
	// Always reports that the proof holds for every arrangement of the tile in which the accesses are possible, linear
	// or not, padded or not. Otherwise it holds for linear maps that keep all granules whole.
	Always bool
	// Accesses cannot be free together. If any one of them is left out, the others can be, unless Reason is
	// ReasonCount.
	Accesses []string
	Warp     int     // for ReasonCount, the instruction, counted from 0
	Lanes    []int   // for ReasonCount: the lanes that are too many for one place in the banks
	Offsets  []int64 // the offsets that are too many, in elements; for ReasonSubspace a basis of the differences
	Places   int     // the number of places in the banks for the offsets
	Maps     int64   // for ReasonSearch: the number of excluded maps, each with other offsets in bank 0
	Text     string  // the proof in words
}

// granuleText names the elements that stay together: "the 16-byte vectors of ldmatrix.x4".
func (t *tile) granuleText() string {
	bytes := (int64(t.ElemBits)<<t.granule + 7) / 8
	for i, v := range t.vec {
		if v == t.granule && v > 0 {
			return fmt.Sprintf("the %d-byte vectors of %s", bytes, t.accesses[i].Name)
		}
	}
	return fmt.Sprintf("the %d-byte words", bytes)
}

// wholes returns the granules that some access moves as one vector. They stay whole in every arrangement in which the
// accesses are possible.
func (t *tile) wholes() map[uint64]bool {
	whole := make(map[uint64]bool)
	for i, a := range t.accesses {
		if t.vec[i] != t.granule {
			continue
		}
		for _, warp := range a.warps {
			for _, x := range warp {
				if x != banks.Inactive {
					whole[uint64(x)>>t.granule] = true
				}
			}
		}
	}
	return whole
}

// crowd returns, as indices into offs, the largest set of lanes of a phase in different granules but at one place
// within them. Each lane needs a separate bank in every arrangement that keeps the granules whole. If whole is not nil,
// only lanes in those granules count.
func (t *tile) crowd(p phase, whole map[uint64]bool) []int {
	byPlace := make(map[uint64][]int)
	var best []int
	for i, x := range p.offs {
		if whole != nil && !whole[x>>t.granule] {
			continue
		}
		place := x & (1<<t.granule - 1) >> max(t.shift, 0)
		set := byPlace[place]
		if slices.ContainsFunc(set, func(j int) bool { return p.offs[j]>>t.granule == x>>t.granule }) {
			continue
		}
		set = append(set, i)
		byPlace[place] = set
		if len(set) > len(best) {
			best = set
		}
	}
	return best
}

// placesOf returns the number of places in the banks for granules of an access.
func (t *tile) placesOf(access int) int {
	return 1 << t.rowsOf(bits.TrailingZeros(uint(t.accesses[access].rule.Banks())))
}

// least returns, by access, the extra wavefronts of every arrangement, counted phase by phase.
func (t *tile) least() []int {
	out := make([]int, len(t.accesses))
	whole := t.wholes()
	for ai, a := range t.accesses {
		places := t.placesOf(ai)
		for wi, warp := range a.warps {
			for _, lanes := range t.conflictGroups(ai, warp) {
				if n := len(t.crowd(phaseOf(ai, wi, lanes, warp), whole)); n > places {
					out[ai] += a.rule.Passes() * ((n+places-1)/places - 1)
				}
			}
		}
	}
	return out
}

// count proves by counting the words of one phase; it reports false if the count proves nothing.
func (t *tile) count() (Proof, bool) {
	whole := t.wholes()
	for _, p := range t.phases {
		places, set := t.placesOf(p.access), t.crowd(p, whole)
		always := len(set) > places
		if !always {
			set = t.crowd(p, nil)
		}
		if len(set) <= places {
			continue
		}
		name := t.accesses[p.access].Name
		pr := Proof{Reason: ReasonCount, Always: always, Accesses: []string{name}, Warp: p.warp, Places: places}
		for _, i := range set {
			pr.Lanes = append(pr.Lanes, p.lanes[i])
			pr.Offsets = append(pr.Offsets, int64(p.offs[i]))
		}
		scope := "in every arrangement, linear or not, padded or not"
		if !always {
			scope = "in every arrangement that does so everywhere"
		}
		pr.Text = fmt.Sprintf(
			"%s: %d lanes served together (%s of instruction %d) want words at the same place in different vectors. "+
				"As %s stay whole, such words are in only %d banks, so this takes at least %d wavefronts instead of 1: %s.",
			name, len(set), lanesText(pr.Lanes), p.warp, t.granuleText(), places, (len(set)+places-1)/places, scope)
		return pr, true
	}
	return Proof{}, false
}

// lanesText names lanes, with runs as in "lanes 0-7".
func lanesText(lanes []int) string {
	ls := slices.Sorted(slices.Values(lanes))
	var parts []string
	for i := 0; i < len(ls); {
		j := i
		for j+1 < len(ls) && ls[j+1] == ls[j]+1 {
			j++
		}
		switch {
		case j > i:
			parts = append(parts, fmt.Sprintf("%d-%d", ls[i], ls[j]))
		default:
			parts = append(parts, fmt.Sprint(ls[i]))
		}
		i = j + 1
	}
	if len(parts) > 8 {
		parts = append(parts[:7], fmt.Sprintf("... %d", ls[len(ls)-1]))
	}
	return "lanes " + strings.Join(parts, ",")
}

// searchProof is the proof by exhaustion.
func (t *tile) searchProof(accesses []int, ans linearAnswer) Proof {
	pr := Proof{Reason: ReasonSearch, Places: 1 << ans.rows, Maps: subspaces(ans.bits, ans.rows)}
	for _, ai := range accesses {
		pr.Accesses = append(pr.Accesses, t.accesses[ai].Name)
	}
	of := fmt.Sprint(pr.Maps)
	if pr.Maps == 1<<63-1 {
		of = "more than 2^63"
	}
	pr.Text = fmt.Sprintf("%s: no linear map that keeps %s whole. What conflicts depends on the subspace that goes to bank 0 alone; of the %s subspaces of codimension up to %d over the %d bits that matter, "+
		"each contains the difference of two lanes that are served together (%d steps of a search that leaves out none).",
		strings.Join(pr.Accesses, " and "), t.granuleText(), of, ans.rows, ans.bits, ans.steps)
	return pr
}

// prove explains why no linear map frees the accesses, after the search has excluded all maps. It looks for the
// strongest argument about the fewest accesses.
func (t *tile) prove(ans linearAnswer) Proof {
	if pr, ok := t.count(); ok {
		return pr
	}
	// Leave out accesses one by one as long as the others cannot be freed.
	var left []int
	for i := range t.accesses {
		left = append(left, i)
	}
	for i := 0; i < len(left); {
		without := slices.Delete(slices.Clone(left), i, i+1)
		if a, _, _ := t.exists(t.clashesOf(without)); a.exhausted {
			left, ans = without, a
			continue
		}
		i++
	}
	if pr, ok := t.clique(left); ok {
		return pr
	}
	ds, _ := t.granules(t.clashesOf(left))
	if pr, ok := t.subspace(left, ds, ans.rows); ok {
		return pr
	}
	return t.searchProof(left, ans)
}

// clashesOf returns the clashes of some accesses.
func (t *tile) clashesOf(accesses []int) []clash {
	var cs []clash
	for _, c := range t.clashes {
		if slices.Contains(accesses, t.phases[c.phase].access) {
			cs = append(cs, c)
		}
	}
	return cs
}
