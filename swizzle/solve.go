package swizzle

import "girih/cute"

// A Kind says what an answer of [Solve] is.
type Kind string

// The kinds of answers, in the order in which [Solve] looks for them.
const (
	KindFree       Kind = "free"       // KindFree: the tile has no conflicts as it is.
	KindSwizzle    Kind = "swizzle"    // KindSwizzle: one Sw<B,M,S> frees all accesses.
	KindMap        Kind = "map"        // KindMap: no single swizzle frees all accesses; a linear map of bits does.
	KindPadding    Kind = "padding"    // KindPadding: no linear map frees all accesses; free elements between rows do.
	KindImpossible Kind = "impossible" // KindImpossible: no such change frees all accesses, with a proof.
	KindUnknown    Kind = "unknown"    // KindUnknown: nothing was found, and a search ended at its limit.
)

// A Solution is the answer of [Solve].
type Solution struct {
	Kind   Kind
	Before []Cost // the costs of the tile as it is, by access
	After  []Cost // the costs with the first answer, or with the compromise

	// Swizzles lists the smallest swizzles for KindSwizzle: all different functions on the tile with the least B.
	Swizzles []Choice
	// Map is the cheapest map for KindMap, by [Map.Cost], then by the number of its terms. Cheapest is false if the
	// search for a cheaper map ended at its limit.
	Map      Map
	Cheapest bool
	// Grows is the number of elements by which a swizzle or a map makes the tile longer: 0 if possible.
	Grows int64
	// Paddings lists, for KindPadding, the least padding for each row length, the smallest memory first.
	Paddings []Padding
	// Proof says why no linear map frees all accesses, for KindPadding, KindImpossible and KindUnknown. If there is no
	// proof, Reason is not set.
	Proof Proof
	// Best is the best answer with conflicts, for KindImpossible and KindUnknown.
	Best *Compromise

	// Tried and Padded are the numbers of swizzles and paddings that were tried. Granule is the number of elements that
	// a map keeps together: the widest vector, at least a word of 4 bytes. PairsDone says that Padded includes paddings
	// at two row lengths.
	Tried, Padded int
	Granule       int
	PairsDone     bool
	// Checked counts the instructions that were simulated with the answer.
	Checked int
}

// Solve finds the smallest change of a tile's offsets after which no access has a bank conflict: all smallest single
// swizzles, Sw o 0 o Layout; if there are none, a linear map of bits; if there is none, the least padding; if there is
// none, a proof and the best compromise. "Conflict-free" means one wavefront for each phase, as the machine's rules
// ([banks.Rule]) count them, and every answer has been simulated, instruction by instruction.
//
// Solve tries swizzles with S > 0 and S < 0. All answers keep the elements at one address adjacent, in order and
// aligned. If the tile fills its memory, swizzles and maps are bijections of that memory; otherwise they make the tile
// longer only if nothing else helps. Maps keep words of 4 bytes, and the widest vector of all accesses, whole
// everywhere in the tile. Solve pads plain layouts without negative strides, at one stride or at two.
//
// It returns [cute.CodeRank] for a problem without accesses, [cute.CodeNotDivisible] for elements whose bits are not a
// power of two, for an access narrower than an element and for addresses that are not aligned, [cute.CodeExtent] for an
// offset outside the tile, [cute.CodeNegative] for negative offsets, [cute.CodeLimit] above [TileLimit], [LaneLimit]
// and [ClashLimit] and for an error of Stop, and the errors of [banks.Plan.Addresses] and of the layout's
// AppendOffsets.
func Solve(p Problem) (sol Solution, err error) {
	defer catch(&err)
	t, err := prepare(p)
	if err != nil {
		return Solution{}, err
	}
	sol.Granule = 1 << t.granule
	for _, a := range t.accesses {
		sol.Checked += len(a.warps)
	}
	before, free, ok := t.simulate(func(x uint64) uint64 { return x })
	if !ok {
		return Solution{}, internalError("the accesses fit the tile, and their simulation fails")
	}
	if err := t.judge(func(x uint64) uint64 { return x }, before); err != nil {
		return Solution{}, err
	}
	sol.Before = before
	if free {
		sol.Kind, sol.After = KindFree, before
		return sol, nil
	}
	for _, step := range []func(*Solution) error{t.bySwizzle, t.byMap, t.byPadding, t.byCompromise} {
		if err := step(&sol); err != nil || sol.Kind != "" {
			return sol, err
		}
	}
	return sol, nil
}

func (t *tile) bySwizzle(sol *Solution) error {
	best, tried := t.singles()
	sol.Tried = tried
	if len(best) == 0 {
		return nil
	}
	sol.Kind, sol.Grows = KindSwizzle, best[0].grows
	for _, g := range best {
		sol.Swizzles = append(sol.Swizzles, g.Choice)
	}
	w := best[0].Swizzle
	return t.after(sol, func(x uint64) uint64 { return fast(w, x) })
}

func (t *tile) byMap(sol *Solution) error {
	ans := t.linear(t.clashes, func(m Map) bool { return t.conflictFree(m.apply) })
	switch {
	case ans.found:
		sol.Kind, sol.Map, sol.Cheapest, sol.Grows = KindMap, ans.m, ans.smallest, ans.grows
		return t.after(sol, ans.m.apply)
	case ans.exhausted:
		sol.Proof = t.prove(ans)
	}
	return nil
}

func (t *tile) byPadding(sol *Solution) error {
	p, ok := t.newPads()
	if !ok {
		return nil
	}
	if sol.Paddings = p.single(); len(sol.Paddings) == 0 {
		sol.Paddings, sol.PairsDone = p.double()
	}
	sol.Padded = p.tried
	if len(sol.Paddings) == 0 {
		return nil
	}
	sol.Kind = KindPadding
	return t.after(sol, sol.Paddings[0].move)
}

func (t *tile) byCompromise(sol *Solution) error {
	sol.Kind = KindImpossible
	if sol.Proof.Reason == "" {
		sol.Kind = KindUnknown
	}
	best, err := t.compromise()
	if err != nil {
		return err
	}
	sol.Best, sol.After = &best, best.Costs
	return nil
}

// after simulates the answer.
func (t *tile) after(sol *Solution, f func(uint64) uint64) error {
	costs, free, ok := t.simulate(f)
	if !free || !ok {
		return internalError("the answer does not stand its simulation")
	}
	sol.After = costs
	return t.judge(f, costs)
}

// Apply returns the swizzle after the layout: Sw o 0 o Layout. It returns the errors of [cute.NewComposed].
func (c Choice) Apply(l cute.Inner) (cute.Composed, error) {
	return cute.NewComposed(c.Swizzle, cute.Int(0), l)
}
