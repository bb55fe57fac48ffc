package tile_test

import (
	"errors"
	"fmt"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
	"girih/internal/machine/tile"
	"girih/symbolic"
)

// tiledCopy makes a TiledCopy for a test.
func tiledCopy(t testing.TB, op, typ, threads, values string) atom.TiledCopy {
	t.Helper()
	a, err := atom.FindCopyAtom(op, typ)
	if err != nil {
		t.Fatal(err)
	}
	c, err := atom.MakeTiledCopy(a, cute.MustParse(threads), cute.MustParse(values))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// known makes extents of integers.
func known(extents ...int64) symbolic.Tuple { return symbolic.FromTuple(cute.Ints(extents...)) }

// copyCases are copies with a tile each: rows, columns, several instructions, copies larger than the tile.
var copyCases = []struct {
	op, typ, threads, values string
	tile                     []int64
}{
	{"UniversalCopy<uint128_t>", "half_t", "(4,2):(2,1)", "(1,8)", []int64{8, 16}},
	{"UniversalCopy<uint128_t>", "half_t", "(4,2):(2,1)", "(1,8)", []int64{2, 16}},
	{"UniversalCopy<uint128_t>", "half_t", "(4,2):(2,1)", "(1,8)", []int64{6, 24}},
	{"UniversalCopy<uint32_t>", "half_t", "(4,2):(2,1)", "(1,8)", []int64{8, 16}},
	{"UniversalCopy<uint32_t>", "half_t", "(2,4):(1,2)", "(4,2)", []int64{8, 16}},
	{"UniversalCopy<uint16_t>", "half_t", "(2,4):(1,2)", "(2,2)", []int64{8, 8}},
	{"SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", "half_t", "(2,4):(4,1)", "(4,1)", []int64{16, 4}},
	{"UniversalCopy<uint32_t>", "uint8_t", "8", "4", []int64{48}},
	{"UniversalCopy<uint32_t>", "uint8_t", "8", "4", []int64{24}},
}

// TestPredicateCopiesEachElementOnce tries every extent up to slightly more than two tiles. With the predicate as its
// code fills it, each element of the tensor must be copied exactly once, and nothing else; a predicate is refused only
// if some instruction has elements on both sides of the edge.
func TestPredicateCopiesEachElementOnce(t *testing.T) {
	t.Parallel()
	for _, c := range copyCases {
		copier := tiledCopy(t, c.op, c.typ, c.threads, c.values)
		limit := []int64{2*c.tile[0] + 3}
		if len(c.tile) > 1 {
			limit = append(limit, c.tile[1]*3/2)
		}
		each(limit, func(extents []int64) {
			p, err := tile.NewPredicate(tile.PartitionS(copier), known(extents...), cute.Ints(c.tile...))
			count, torn := byForce(t, copier, p, extents, c.tile)
			name := fmt.Sprintf("%s %s %s %v of %v", c.op, c.threads, c.values, c.tile, extents)
			if e, refused := errors.AsType[*cute.Error](err); refused {
				if e.Code != cute.CodeNotDivisible || !torn {
					t.Fatalf("%s: refused by %v, an instruction on the edge: %v", name, err, torn)
				}
				return
			}
			if torn {
				t.Fatalf("%s: an instruction lies on the edge, and there is a predicate", name)
			}
			for at, n := range count {
				if n != 1 {
					t.Fatalf("%s: element %d is copied %d times", name, at, n)
				}
			}
		})
	}
}

// each calls f for all extents from 1 on.
func each(limit []int64, f func([]int64)) {
	at := make([]int64, len(limit))
	for i := range at {
		at[i] = 1
	}
	for {
		f(append([]int64(nil), at...))
		i := 0
		for ; i < len(at); i++ {
			if at[i]++; at[i] <= limit[i] {
				break
			}
			at[i] = 1
		}
		if i == len(at) {
			return
		}
	}
}

// byForce runs the copy of all tiles as the code says and counts how often each element of the tensor is copied; an
// element outside the tensor fails the test. torn says that some instruction has elements on both sides of an edge.
func byForce(t *testing.T, c atom.TiledCopy, p tile.Predicate, extents, cta []int64) (count []int, torn bool) {
	t.Helper()
	cover := make([]int64, len(cta))
	grid := make([]int64, len(cta))
	size := int64(1)
	for k, n := range cta {
		m, _ := c.Shape().Product()
		if modes := c.Shape().Modes(); len(modes) > 0 {
			m, _ = modes[k].Product()
		}
		cover[k] = ints.RoundUp(n, m)
		grid[k] = (extents[k] + n - 1) / n
		size *= extents[k]
	}
	count = make([]int, size)
	identity, err := cute.MakeIdentityLayout(cute.Ints(cover...))
	if err != nil {
		t.Fatal(err)
	}
	for thread := range c.Size() {
		thr, err := c.Thread(thread)
		if err != nil {
			t.Fatal(err)
		}
		part, offset, err := thr.PartitionS(identity)
		if err != nil {
			t.Fatal(err)
		}
		coords := coordinates(t, part, offset, len(cta))
		first, _ := part.Modes()[0].Mode(0)
		values := int(first.Size())
		each(grid, func(block []int64) {
			local := func(x []int64) bool {
				for k := range x {
					if x[k] >= cta[k] || (block[k]-1)*cta[k]+x[k] >= extents[k] {
						return false
					}
				}
				return true
			}
			truth := filled(p, coords, values, local)
			for i := 0; i < len(coords); i += values {
				in := 0
				for v := range values {
					if local(coords[i+v]) {
						in++
					}
				}
				if in != 0 && in != values {
					torn = true
				}
				if truth == nil || !truth[i/values] {
					continue
				}
				for v := range values {
					at, scale := int64(0), int64(1)
					for k, x := range coords[i+v] {
						g := (block[k]-1)*cta[k] + x
						if g >= extents[k] {
							t.Fatalf("%v of %v: thread %d copies the element %d of mode %d", cta, extents, thread, g, k)
						}
						at += g * scale
						scale *= extents[k]
					}
					count[at]++
				}
			}
		})
	}
	return count, torn
}

// coordinates returns the coordinates of the elements of a part, in colexicographic order.
func coordinates(t *testing.T, part cute.Layout, offset cute.Tuple, rank int) [][]int64 {
	t.Helper()
	var list [][]int64
	for i := range part.Size() {
		x, err := part.Eval(cute.Int(i))
		if err == nil {
			x, err = x.Add(offset)
		}
		if err != nil {
			t.Fatal(err)
		}
		at := x.Leaves()
		if len(at) != rank {
			t.Fatalf("%v is no coordinate of %d modes", x, rank)
		}
		list = append(list, at)
	}
	return list
}

// filled returns the truth value of each instruction of a thread, as a kernel computes it: once for each offset of the
// predicate, from the first value of the first instruction with that offset.
func filled(p tile.Predicate, coords [][]int64, values int, local func([]int64) bool) []bool {
	offsets, err := p.Layout().AppendOffsets(nil)
	if err != nil || len(offsets)*values != len(coords) || p.Partition().String() == "" {
		return nil // refused
	}
	memory := make(map[int64]bool)
	truth := make([]bool, len(offsets))
	for i, at := range offsets {
		if _, ok := memory[at]; !ok {
			memory[at] = local(coords[i*values])
		}
		truth[i] = memory[at]
	}
	return truth
}

// TestSymbolsStandForAllTheirValues substitutes extents for a symbol: results for the symbol must hold for each value,
// and must be needed for at least one.
func TestSymbolsStandForAllTheirValues(t *testing.T) {
	t.Parallel()
	c := tiledCopy(t, "UniversalCopy<uint64_t>", "half_t", "(4,2):(2,1)", "(1,4)")
	for _, f := range []symbolic.Facts{
		symbolic.NoFacts(),
		{Div: 2, Min: 1, Max: 64},
		{Div: 4, Min: 1, Max: 1 << 40},
		{Div: 8, Min: 1, Max: 1 << 40},
		{Div: 16, Min: 1, Max: 1 << 40},
		{Div: 12, Min: 1, Max: 1 << 40},
		{Div: 1, Min: 4, Max: 4},
		{Div: 1, Min: 3, Max: 5},
		{Div: 1, Min: 24, Max: 24},
		{Div: 4, Min: 17, Max: 23},
		{Div: 1, Min: 16, Max: 17},
	} {
		var scope symbolic.Scope
		s, err := scope.Named("K", f)
		if err != nil {
			t.Fatal(err)
		}
		k := symbolic.Number(symbolic.Of(s))
		p, err := tile.NewPredicate(tile.PartitionS(c), symbolic.Nest(symbolic.Number(symbolic.Const(8)), k), cute.Ints(4, 16))
		refused, ragged := false, false
		for v := max(f.Min, 1); v <= min(f.Max, 64); v++ {
			if s.Admits(v) != nil {
				continue
			}
			q, err := tile.NewPredicate(tile.PartitionS(c), known(8, v), cute.Ints(4, 16))
			if err != nil {
				refused = true
				continue
			}
			ragged = ragged || q.Edges()[1].Ragged
		}
		if refused != (err != nil) {
			t.Fatalf("%v: %v, of its values: refused %v", f, err, refused)
		}
		if err == nil && p.Edges()[1].Ragged != ragged {
			t.Fatalf("%v: ragged %v, of its values %v", f, p.Edges()[1].Ragged, ragged)
		}
	}
}

// TestPredicateOfAnMMA counts the elements of an epilogue.
func TestPredicateOfAnMMA(t *testing.T) {
	t.Parallel()
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	mma, err := atom.MakeTiledMMA(m, cute.MustParse("(2,1,1)"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := tile.NewPredicate(tile.PartitionMMA(mma, atom.OperandC), known(33, 24), cute.Ints(64, 24))
	if err != nil {
		t.Fatal(err)
	}
	// The values of an instruction go along both modes, so mode 0 stays; the rest of N needs no comparison.
	if got, want := p.Layout().String(), "(4,2,3):(1,4,0)"; got != want {
		t.Errorf("the predicate is %s, expected %s", got, want)
	}
	places, err := p.Places()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[tile.Place]int64)
	for i, at := range places {
		if at.Thread < 0 {
			t.Fatalf("element %d has no thread", i)
		}
		row := int64(i) % 64
		if old, ok := seen[at]; ok && (old < 33) != (row < 33) {
			t.Fatalf("one truth value of thread %d guards rows %d and %d", at.Thread, old, row)
		}
		seen[at] = row
	}
}

// TestRefusals causes each error, and checks its code.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := tiledCopy(t, "UniversalCopy<uint128_t>", "half_t", "(4,2):(2,1)", "(1,8)")
	for _, x := range []struct {
		p       tile.Partition
		extents symbolic.Tuple
		cta     cute.Tuple
		code    cute.Code
	}{
		{tile.Partition{}, known(8, 16), cute.Ints(8, 16), cute.CodeType},
		{tile.PartitionS(c), known(8), cute.Ints(8, 16), cute.CodeRank},
		{tile.PartitionS(c), known(8, 0), cute.Ints(8, 16), cute.CodeExtent},
		{tile.PartitionS(c), known(8, -5), cute.Ints(8, 16), cute.CodeExtent},
		{tile.PartitionS(c), known(8, 16), cute.Ints(8, 0), cute.CodeExtent},
		{tile.PartitionS(c), known(8, 16), cute.Ints(1<<40, 16), cute.CodeLimit},
		{tile.PartitionS(c), known(8, 16), cute.Ints(1<<15, 1<<15), cute.CodeLimit},
		{tile.PartitionS(c), known(8), cute.Int(8), cute.CodeRank},
		{tile.PartitionS(c), known(8, 20), cute.Ints(8, 16), cute.CodeNotDivisible},
	} {
		_, err := tile.NewPredicate(x.p, x.extents, x.cta)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != x.code {
			t.Errorf("%v of %v: expected %s, found %v", x.cta, x.extents, x.code, err)
		}
	}
}
