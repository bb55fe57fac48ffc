package swizzle_test

import (
	"math/bits"
	"slices"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"

	"pgregory.net/rapid"
)

// A drawn problem, and its offsets.
type problem struct {
	swizzle.Problem
	table []int64
	full  bool // the offsets fill the memory up to the last one
}

// rule returns how a target serves an instruction.
func rule(t testing.TB, target, name string, elemBits int) banks.Rule {
	t.Helper()
	r, err := parseRule(target, name, elemBits)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parseRule(target, name string, elemBits int) (banks.Rule, error) {
	m, err := banks.ParseTarget(target)
	if err != nil {
		return banks.Rule{}, err
	}
	a, err := banks.ParseAccess(name, elemBits)
	if err != nil {
		return banks.Rule{}, err
	}
	return m.Rule(a)
}

// bitLayout returns the layout in which bit j of the index has the stride strides[j].
func bitLayout(strides []int64) cute.Layout {
	shape := make([]cute.Tuple, len(strides))
	stride := make([]cute.Tuple, len(strides))
	for j, d := range strides {
		shape[j], stride[j] = cute.Int(2), cute.Int(d)
	}
	s, err := cute.MakeTuple(shape...)
	if err != nil {
		panic(err)
	}
	d, err := cute.MakeTuple(stride...)
	if err != nil {
		panic(err)
	}
	l, err := cute.New(s, d)
	if err != nil {
		panic(err)
	}
	return l
}

// drawProblem draws a tile whose index bits are in any order in memory, perhaps with free elements between rows, and
// accesses whose threads take index bits in any order.
func drawProblem(t *rapid.T) problem {
	return drawAlike(t, rapid.IntRange(1, 3).Draw(t, "accesses"), []string{"8", "16", "32", "64", "128"},
		[]int{8, 16, 32, 64}, true)
}

// drawAlike draws a tile with one of the given element widths, and the given number of accesses of the given widths,
// all on one target.
func drawAlike(t *rapid.T, accesses int, widths []string, elems []int, pads bool) problem {
	target := rapid.SampledFrom([]string{"sm90", "sm90", "gfx942", "gfx950"}).Draw(t, "target")
	elem := rapid.SampledFrom(elems).Draw(t, "element")
	lanes := 5
	if target != "sm90" {
		lanes = 6
	}
	n := rapid.IntRange(lanes+1, 9).Draw(t, "bits")
	strides := make([]int64, n) // by place in memory, lowest first
	pad := int64(0)
	if pads && rapid.IntRange(0, 3).Draw(t, "padded") == 0 {
		pad = rapid.Int64Range(1, 16).Draw(t, "pad")
	}
	cut := rapid.IntRange(3, n).Draw(t, "row")
	for j := range strides {
		strides[j] = 1 << j
		if j >= cut {
			strides[j] += pad << (j - cut)
		}
	}
	order := rapid.Permutation(iota(n)).Draw(t, "order") // index bit -> place in memory
	byIndex := make([]int64, n)
	for j, p := range order {
		byIndex[j] = strides[p]
	}
	l := bitLayout(byIndex)
	p := problem{Problem: swizzle.Problem{Layout: l, ElemBits: elem}}
	table, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.table = table
	p.full = pad == 0
	for range accesses {
		if a, ok := drawAccess(t, target, elem, lanes, order, l, widths); ok {
			p.Accesses = append(p.Accesses, a)
		}
	}
	return p
}

// drawAccess draws an access; it reports false if the tile does not admit it.
func drawAccess(t *rapid.T, target string, elem, lanes int, order []int, l cute.Layout,
	widths []string,
) (swizzle.Access, bool) {
	width := rapid.SampledFrom(widths).Draw(t, "width")
	name := rapid.SampledFrom([]string{"ld.", "st."}).Draw(t, "op") + width
	if width == "128" && target == "sm90" && rapid.Bool().Draw(t, "matrix") {
		name = "ldmatrix.x4"
	}
	r, err := parseRule(target, name, elem)
	if err != nil || r.Access().Bits() < elem {
		return swizzle.Access{}, false
	}
	vec := bits.TrailingZeros(uint(r.Access().Bits() / elem))
	if len(order) < lanes+vec {
		return swizzle.Access{}, false
	}
	// The values take the bits that are lowest in memory, then the bits that no lane takes.
	var rest []int
	for place := vec; place < len(order); place++ {
		rest = append(rest, place)
	}
	rest = rapid.Permutation(rest).Draw(t, "places")
	index := func(place int) int64 { return 1 << slices.Index(order, place) }
	var thr, val []int64
	for _, place := range rest[:lanes] {
		thr = append(thr, index(place))
	}
	if rapid.IntRange(0, 4).Draw(t, "broadcast") == 0 {
		thr[rapid.IntRange(0, lanes-1).Draw(t, "lane bit")] = 0
	}
	for place := range vec {
		val = append(val, index(place))
	}
	for _, place := range rest[lanes:] {
		val = append(val, index(place))
	}
	if len(val) == 0 {
		val = []int64{0}
	}
	tv, err := cute.MakeLayout(bitLayout(thr), bitLayout(val))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := banks.NewPlan(r, l, elem, banks.TV(tv))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Count(mustOffsets(t, l)); err != nil {
		return swizzle.Access{}, false // padded rows are not aligned
	}
	return swizzle.Access{Name: name, Plan: plan}, true
}

func mustOffsets(t *rapid.T, l banks.Memory) []int64 {
	table, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func iota(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

// extraOf returns the extra wavefronts that the plans count after moving the offsets; ok is false if a vector is not
// whole.
func (p problem) extraOf(f func(int64) int64) (extra int, ok bool) {
	moved := make([]int64, len(p.table))
	for i, x := range p.table {
		moved[i] = f(x)
	}
	for _, a := range p.Accesses {
		c, err := a.Plan.Count(moved)
		if err != nil {
			return 0, false
		}
		extra += c.Wavefronts - c.Ideal
	}
	return extra, true
}

// free reports whether, after moving the offsets, no instruction has a conflict and vectors stay whole.
func (p problem) free(f func(int64) int64) bool {
	moved := make([]int64, len(p.table))
	for i, x := range p.table {
		moved[i] = f(x)
	}
	for _, a := range p.Accesses {
		for w := range a.Plan.Warps() {
			for i := range a.Plan.Instructions() {
				addrs, err := a.Plan.Addresses(nil, moved, w, i)
				if err != nil {
					return false
				}
				if c, err := a.Plan.Rule().Count(addrs); err != nil || c.Wavefronts > c.Ideal {
					return false
				}
			}
		}
	}
	return true
}

// grows reports whether f takes an offset beyond the last one.
func (p problem) grows(f func(int64) int64) bool {
	last := slices.Max(p.table)
	return slices.ContainsFunc(p.table, func(x int64) bool { return f(x) > last })
}

// The swizzles found are all the smallest swizzles that the plans report as free of conflicts; if none is found, no
// swizzle is free of conflicts. Other answers are free of conflicts, in place, and keep vectors whole.
func TestSolveAgainstAllSwizzles(t *testing.T) {
	t.Parallel()
	kinds := map[swizzle.Kind]int{}
	defer func() { t.Log(kinds) }()
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		if len(p.Accesses) == 0 {
			return
		}
		sol, err := swizzle.Solve(p.Problem)
		if err != nil {
			t.Fatal(err)
		}
		same := func(x int64) int64 { return x }
		if extra, _ := p.extraOf(same); (extra == 0) != (sol.Kind == swizzle.KindFree) {
			t.Fatalf("%d extra wavefronts, found %s", extra, sol.Kind)
		}
		if sol.Kind == swizzle.KindFree {
			return
		}
		p.wantSwizzles(t, sol)
		kinds[sol.Kind+swizzle.Kind(sol.Proof.Reason)]++
		switch sol.Kind {
		case swizzle.KindMap:
			f := func(x int64) int64 { return at(t, sol.Map, x) }
			if extra, ok := p.extraOf(f); !ok || extra > 0 || p.full && p.grows(f) {
				t.Fatalf("%v: %d extra wavefronts, vectors whole %t, grows %t", sol.Map, extra, ok, p.grows(f))
			}
		case swizzle.KindPadding:
			if sol.Proof.Always {
				t.Fatalf("%v does what cannot be: %s", sol.Paddings[0], sol.Proof.Text)
			}
			for _, pad := range sol.Paddings {
				p.wantPadding(t, pad)
			}
		case swizzle.KindImpossible:
			p.wantProof(t, sol.Proof)
			if sol.Best.Extra == 0 || sol.Best.Extra < sol.Best.Least {
				t.Fatalf("the compromise has %d extra wavefronts, at least %d", sol.Best.Extra, sol.Best.Least)
			}
		case swizzle.KindUnknown:
			t.Fatalf("undecided: %v elem %d, %v %v %+v", p.Layout, p.ElemBits, p.Accesses[0].Name,
				p.Accesses[0].Plan.Rule().Target(), sol)
		}
	})
}

// wantSwizzles compares the swizzles of a solution with the result of trying all swizzles.
func (p problem) wantSwizzles(t *rapid.T, sol swizzle.Solution) {
	n := bits.Len64(uint64(slices.Max(p.table)))
	var inPlace, others []cute.Swizzle
	for _, w := range allSwizzles(n) {
		f := func(x int64) int64 { return at(t, w, x) }
		if !p.free(f) {
			continue
		}
		if p.grows(f) {
			others = append(others, w)
		} else {
			inPlace = append(inPlace, w)
		}
	}
	want := inPlace
	if len(want) == 0 && !p.full {
		want = others
	}
	if (len(want) > 0) != (sol.Kind == swizzle.KindSwizzle) {
		t.Fatalf("%s: all of these swizzles do: %v", sol.Kind, want)
	}
	if len(want) == 0 {
		return
	}
	least := n
	for _, w := range want {
		least = min(least, w.B())
	}
	if len(inPlace) == 0 {
		return // growth counts before B
	}
	for _, c := range sol.Swizzles {
		if c.Swizzle.B() != least || !slices.Contains(want, c.Swizzle) {
			t.Fatalf("found %v, the swizzles that do are %v", c.Swizzle, want)
		}
		for _, w := range c.Same {
			for _, x := range p.table {
				if at(t, w, x) != at(t, c.Swizzle, x) {
					t.Fatalf("%v and %v differ at %d", w, c.Swizzle, x)
				}
			}
		}
	}
	for _, w := range want {
		found := w.B() > least
		for _, c := range sol.Swizzles {
			found = found || c.Swizzle == w || slices.Contains(c.Same, w)
		}
		if !found {
			t.Fatalf("%v does too, found %v", w, sol.Swizzles)
		}
	}
}

// wantPadding checks that the padding is free of conflicts, and that no smaller padding at the same row length is.
func (p problem) wantPadding(t *rapid.T, pad swizzle.Padding) {
	table := mustOffsets(t, pad.Layout)
	extraAt := func(moved []int64) (int, bool) {
		sum := 0
		for _, a := range p.Accesses {
			c, err := a.Plan.Count(moved)
			if err != nil {
				return 0, false
			}
			sum += c.Wavefronts - c.Ideal
		}
		return sum, true
	}
	if extra, ok := extraAt(table); !ok || extra > 0 {
		t.Fatalf("%v: %d extra wavefronts, vectors whole %t", pad.Layout, extra, ok)
	}
	if len(pad.Pads) != 1 {
		return
	}
	for add := range pad.Pads[0].Elements {
		moved := make([]int64, len(p.table))
		for i, x := range p.table {
			moved[i] = x + x/pad.Pads[0].Every*add
		}
		if extra, ok := extraAt(moved); ok && extra == 0 {
			t.Fatalf("%v: %d elements would do", pad, add)
		}
	}
}

// If each of two accesses is freed by some map, one map frees both, provided that the tile is linear over bits and the
// widths are the same.
func TestTwoAccessesAlwaysWork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawAlike(t, 2, []string{rapid.SampledFrom([]string{"32", "64", "128"}).Draw(t, "both")},
			[]int{8, 16, 32, 64}, false)
		if len(p.Accesses) < 2 || p.Accesses[0].Plan.Rule().Banks() != p.Accesses[1].Plan.Rule().Banks() {
			return
		}
		for i := range p.Accesses {
			alone := p
			alone.Accesses = p.Accesses[i : i+1]
			if sol, err := swizzle.Solve(alone.Problem); err != nil || sol.Kind == swizzle.KindPadding ||
				sol.Kind == swizzle.KindImpossible {
				return
			}
		}
		sol, err := swizzle.Solve(p.Problem)
		if err != nil || sol.Kind == swizzle.KindPadding || sol.Kind == swizzle.KindImpossible {
			t.Fatalf("%s, %v", sol.Kind, err)
		}
	})
}
