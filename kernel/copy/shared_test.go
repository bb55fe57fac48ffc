package copy

import (
	"math/rand/v2"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"
)

// A table is a memory given by the place of each element.
type table struct {
	shape cute.Tuple
	at    []int64
}

func (t table) AppendOffsets(dst []int64) ([]int64, error) { return append(dst, t.at...), nil }
func (t table) Shape() cute.Tuple                          { return t.shape }
func (t table) Size() int64                                { return int64(len(t.at)) }
func (t table) HasBasis() bool                             { return false }
func (t table) String() string                             { return "the tile" }

// solve calls the solver with the layout of a plan's tile, and the accesses of the first warp.
func solve(t *testing.T, p *Plan) swizzle.Solution {
	t.Helper()
	tile := table{cute.Ints(p.tile...), p.places()}
	deep := int64(1)
	for _, d := range p.load.digits {
		if d.mode == p.b {
			deep = d.step
		}
	}
	var accesses []swizzle.Access
	add := func(name string, f *phase, r *banks.Rule, next, width int64) {
		lanes := min(f.items, 32)
		var at []int64 // of lane and value
		c := make([]int64, len(p.modes))
		for v := range width {
			for lane := range lanes {
				f.coordinate(lane, c)
				c[p.a] += next
				c[p.b] += v
				at = append(at, p.index(c))
			}
		}
		plan, err := banks.NewPlan(*r, tile, int(8*p.elem), banks.TV(table{cute.Ints(lanes, width), at}))
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		accesses = append(accesses, swizzle.Access{Name: name, Plan: plan})
	}
	add("put", &p.load, rule("st", deep*p.elem), 0, deep)
	if p.va > 1 {
		add("put next", &p.load, rule("st", deep*p.elem), 1, deep)
	}
	add("take", &p.store, rule("ld", p.vb*p.elem), 0, p.vb)
	s, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: int(8 * p.elem), Accesses: accesses})
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return s
}

// index returns the number of an element of the tile, the first mode fastest.
func (p *Plan) index(c []int64) int64 {
	x := int64(0)
	for i := len(c) - 1; i >= 0; i-- {
		x = x*p.tile[i] + c[i]
	}
	return x
}

// places returns the places of the elements of the tile.
func (p *Plan) places() []int64 {
	n := p.bytes() / p.elem
	out := make([]int64, n)
	c := make([]int64, len(p.modes))
	for i := range n {
		x := i
		for m := range c {
			c[m], x = x%p.tile[m], x/p.tile[m]
		}
		out[i] = p.shared.at(c)
	}
	return out
}

// TestSolver checks that the planner counts no conflicts in a tile exactly if the solver finds none. The copies in
// docs/performance.md have few conflicts.
func TestSolver(t *testing.T) {
	t.Parallel()
	check := func(src, dst cute.Layout, bytes int64) *Plan {
		p, err := New(src, dst, Options{Bytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		if p.way == Blocks {
			if s := solve(t, p); (s.Kind == swizzle.KindFree) != (p.shared.conflict == 0) {
				t.Errorf("%d conflicts, and the solver says %s\n%v", p.shared.conflict, s.Kind, p)
			}
		}
		return p
	}
	for _, c := range []struct {
		src, dst string
		bytes    int64
		most     int64 // conflicts that are known to remain
	}{
		{"(16384,16384):(16384,1)", "(16384,16384):(1,16384)", 2, 0},
		{"(16384,16384):(16384,1)", "(16384,16384):(1,16384)", 4, 0},
		{"(16384,16384):(16384,1)", "(16384,16384):(1,16384)", 8, 0},
		{"(16384,16384):(16384,1)", "(16384,16384):(1,16384)", 1, 4},
		{"(256,12544,64):(12544,1,3211264)", "(256,12544,64):(1,256,3211264)", 2, 0},
		{"(12544,256,64):(256,1,3211264)", "(12544,256,64):(1,12544,3211264)", 2, 0},
		{"(4095,4097,16):(4097,1,16777215)", "(4095,4097,16):(1,4095,16777215)", 2, 0},
		{"(32,48,24,40,56):(107520,56,3440640,2688,1)", "(32,48,24,40,56):(1,32,1536,36864,1474560)", 4, 4},
	} {
		if p := check(cute.MustParse(c.src), cute.MustParse(c.dst), c.bytes); p.shared.conflict > c.most {
			t.Errorf("%d conflicts\n%v", p.shared.conflict, p)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	plans, with := 0, 0
	for range 60 {
		var extents []int64
		for range 2 + rng.IntN(3) {
			extents = append(extents, []int64{3, 7, 16, 24, 31, 32, 33, 64, 65, 100, 128, 129, 200, 256}[rng.IntN(14)])
		}
		strides, next := make([]int64, len(extents)), int64(1)
		for _, i := range rng.Perm(len(extents)) {
			strides[i], next = next, next*extents[i]
		}
		src, err := cute.New(cute.Ints(extents...), cute.Ints(strides...))
		if err != nil {
			t.Fatal(err)
		}
		dst, err := cute.LayoutLeft(cute.Ints(extents...))
		if err != nil {
			t.Fatal(err)
		}
		if p := check(src, dst, []int64{1, 2, 2, 4, 8}[rng.IntN(5)]); p.way == Blocks {
			if plans++; p.shared.conflict > 0 {
				with++
			}
		}
	}
	if with*2 > plans {
		t.Errorf("%d of %d random plans have conflicts", with, plans)
	}
}
