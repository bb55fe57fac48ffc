package cute_test

import (
	"errors"
	"slices"
	"testing"

	"girih/cute"

	"pgregory.net/rapid"
)

// smallLayout draws a layout of a few elements.
func smallLayout(t *rapid.T, name string, leaves int) cute.Layout {
	n := rapid.IntRange(1, leaves).Draw(t, name)
	s, d := make([]int64, n), make([]int64, n)
	for i := range s {
		s[i] = rapid.Int64Range(1, 4).Draw(t, "extent")
		d[i] = rapid.Int64Range(0, 6).Draw(t, "stride")
	}
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// allTables returns the tables of all layouts of n elements whose strides are from 0 to most.
func allTables(n, most int64) [][]int64 {
	if n == 1 {
		return [][]int64{{0}}
	}
	var all [][]int64
	for s := int64(2); s <= n; s++ {
		if n%s != 0 {
			continue
		}
		for _, rest := range allTables(n/s, most) {
			for d := range most + 1 {
				var table []int64
				for _, x := range rest {
					for k := range s {
						table = append(table, x+k*d)
					}
				}
				all = append(all, table)
			}
		}
	}
	slices.SortFunc(all, slices.Compare[[]int64])
	return slices.CompactFunc(all, slices.Equal[[]int64])
}

// agreeing returns the number of indices, from the first on, at which A o X is B.
func agreeing(a, b cute.Layout, x []int64) int {
	for i := range x {
		u, err := a.At(x[i])
		v, _ := b.At(int64(i))
		if err != nil || u != v {
			return i
		}
	}
	return len(x)
}

// SolveInner finds the least of all layouts X with A o X = B, and names the first index at which all fail.
func TestSolveInner(t *testing.T) {
	t.Parallel()
	solved, beyond, refused := 0, 0, 0
	property := func(t *rapid.T) {
		a := smallLayout(t, "a", 3)
		b := smallLayout(t, "b", 2)
		if rapid.Bool().Draw(t, "solvable") {
			if c, err := cute.Composition(a, b); err == nil {
				b = c
			}
		}
		most := max(a.Size(), 12)
		if b.Size() > 12 || most > 20 || b.Size() == 1 {
			return
		}
		var inside [][]int64
		deepest, any := 0, false
		for _, x := range allTables(b.Size(), most) {
			n := agreeing(a, b, x)
			deepest = max(deepest, n)
			any = any || n == len(x)
			if n == len(x) && slices.Max(x) < a.Size() {
				inside = append(inside, x)
			}
		}
		s, err := cute.Until(nil).SolveInner(a, b)
		if err != nil {
			refused++
			e, ok := errors.AsType[*cute.Error](err)
			if !ok || e.Code != cute.CodeNotRepresentable || any {
				t.Fatalf("%v o X = %v: %v, and %v", a, b, err, inside)
			}
			checkWitness(t, a, b, int(e.Witness.Index), deepest, most)
			return
		}
		got, err := s.X.AppendOffsets(nil)
		if err != nil || agreeing(a, b, got) != len(got) || len(got) != int(b.Size()) {
			t.Fatalf("%v o X = %v: %v, %v", a, b, s.X, err)
		}
		solved++
		if s.Beyond {
			beyond++
			if _, err := s.X.WithShape(b.Shape()); err == nil {
				inside = slices.DeleteFunc(inside, func(x []int64) bool { return !hasShape(x, b) })
			}
			if len(inside) > 0 {
				t.Fatalf("%v o X = %v: %v, and %v is inside", a, b, s.X, inside)
			}
			return
		}
		checkOthers(t, a, b, s, inside)
	}
	for round := 0; round == 0 || solved*beyond*refused == 0 && round < 50; round++ {
		rapid.Check(t, property)
	}
	if solved == 0 || beyond == 0 || refused == 0 {
		t.Errorf("%d solved, %d beyond the domain, %d refused", solved, beyond, refused)
	}
}

// hasShape reports whether a layout in the shape of B, or in a finer one, has the values of x.
func hasShape(x []int64, b cute.Layout) bool {
	p := int64(1)
	for _, m := range b.Flatten().Modes() {
		p *= m.Size()
		for i := range x {
			if r := int64(i) % p; x[i] != x[r]+x[int64(i)-r] {
				return false
			}
		}
	}
	return true
}

// checkWitness checks the index of a refusal: it is the first at which B has a value that A has nowhere; if there is no
// such index, it is the first at which every layout fails. The layouts with strides up to most agree below deepest.
func checkWitness(t *rapid.T, a, b cute.Layout, index, deepest int, most int64) {
	const far = 2000 // B has values of at most 51, and A reaches them below this index or never
	known := true    // no layout with a greater stride agrees longer: a stride is an index at which A has a value of B
	for i := range int(b.Size()) {
		first, last := indexRange(a, b, int64(i), far)
		if first < 0 {
			if index != i {
				t.Fatalf("%v o X = %v: refused at %d; A has no value of index %d", a, b, index, i)
			}
			return
		}
		known = known && (i > deepest || last <= most)
	}
	if index < deepest || known && index != deepest {
		t.Fatalf("%v o X = %v: refused at %d, layouts agree below %d", a, b, index, deepest)
	}
}

// indexRange returns the first and the last index below far at which A has the value B(i), or -1. If the last mode of A
// has the stride 0, A has no other values beyond its domain, so its size is far enough.
func indexRange(a, b cute.Layout, i, far int64) (first, last int64) {
	if y, _ := a.At(a.Size()); y == 0 {
		far = a.Size()
	}
	want, _ := b.At(i)
	first, last = -1, -1
	for x := range far {
		if y, err := a.At(x); err == nil && y == want {
			if last = x; first < 0 {
				first = x
			}
		}
	}
	return first, last
}

// checkOthers checks that X is the least solution and that the others are solutions, all of them unless there are more.
func checkOthers(t *rapid.T, a, b cute.Layout, s cute.Solutions, inside [][]int64) {
	got, _ := s.X.AppendOffsets(nil)
	inShape := s.X.Shape().Rank() == b.Shape().Rank() // other solutions may not be in the shape of B
	if n := b.Size(); inShape && n&(n-1) == 0 && !slices.Equal(got, inside[0]) {
		t.Fatalf("%v o X = %v: %v, and %v is less", a, b, s.X, inside[0])
	}
	for _, x := range s.Others {
		table, err := x.AppendOffsets(nil)
		if err != nil || agreeing(a, b, table) != len(table) || slices.Equal(table, got) {
			t.Fatalf("%v o X = %v: %v is no other solution", a, b, x)
		}
	}
	if n := b.Size(); n&(n-1) == 0 && !s.More && len(s.Others)+1 != len(inside) {
		t.Fatalf("%v o X = %v: %v and %v, want %d: %v", a, b, s.X, s.Others, len(inside), inside)
	}
}

// SolveOuter finds a layout X with X o A = B if there is one.
func TestSolveOuter(t *testing.T) {
	t.Parallel()
	solved, refused := 0, 0
	property := func(t *rapid.T) {
		a := smallLayout(t, "a", 2)
		b := smallLayout(t, "b", 2)
		if rapid.Bool().Draw(t, "solvable") {
			if c, err := cute.Composition(b, a); err == nil {
				b = c
			}
		}
		if a.Size() != b.Size() || a.Size() == 1 {
			return
		}
		us, _ := a.AppendOffsets(nil)
		ys, _ := b.AppendOffsets(nil)
		s, err := cute.Until(nil).SolveOuter(a, b)
		if err == nil {
			solved++
			for i, u := range us {
				if y, err := s.X.At(u); err != nil || y != ys[i] || u >= s.X.Size() {
					t.Fatalf("X o %v = %v: %v has %d at %d", a, b, s.X, y, u)
				}
			}
			return
		}
		refused++
		if !errors.Is(err, cute.CodeNotRepresentable) {
			t.Fatal(err)
		}
		// No layout with one of a few sizes is a solution.
		top := slices.Max(us) + 1
		if top > 12 {
			return
		}
		for n := top; n <= 12; n++ {
			for _, x := range allTables(n, 24) {
				if !slices.ContainsFunc(us, func(u int64) bool { return x[u] != ys[slices.Index(us, u)] }) && isFunction(us, ys) {
					t.Fatalf("X o %v = %v: %v, and %v solves it", a, b, err, x)
				}
			}
		}
	}
	for round := 0; round == 0 || solved*refused == 0 && round < 50; round++ {
		rapid.Check(t, property)
	}
	if solved == 0 || refused == 0 {
		t.Errorf("%d solved, %d refused", solved, refused)
	}
}

// isFunction reports whether equal us have equal ys.
func isFunction(us, ys []int64) bool {
	at := map[int64]int64{}
	for i, u := range us {
		if y, ok := at[u]; ok && y != ys[i] {
			return false
		}
		at[u] = ys[i]
	}
	return true
}

func TestSolveKnown(t *testing.T) {
	t.Parallel()
	inner := func(a, b string) (cute.Solutions, error) {
		return cute.Until(nil).SolveInner(cute.MustParse(a), cute.MustParse(b))
	}
	outer := func(a, b string) (cute.Solutions, error) {
		return cute.Until(nil).SolveOuter(cute.MustParse(a), cute.MustParse(b))
	}
	for _, c := range []struct {
		solve func(a, b string) (cute.Solutions, error)
		a, b  string
		want  string // X, or a code
		index int64  // the index of the witness
	}{
		{inner, "(4,8):(8,1)", "(8,4):(1,8)", "(8,4):(4,1)", 0},
		{inner, "(6,2):(8,2)", "((2,2),3):((24,2),8)", "((2,2),3):((3,6),1)", 0},
		{inner, "4:2", "8:2", "8:1", 0}, // beyond the domain of A
		{inner, "4:2", "4:3", "not_representable", 1},
		{inner, "(2,2):(1,3)", "3:1", "not_representable", 2},
		{inner, "(4,2):(1,2)", "4:2", "(2,2):(2,8)", 0},
		{inner, "(2,2,2):(1,2,4)", "(2,3):(4,1)", "(2,3):(4,1)", 0},
		{outer, "(4,8):(8,1)", "(4,8):(1,4)", "(8,4):(4,1)", 0},
		{outer, "(2,3):(1,4)", "(2,3):(5,1)", "(4,3):(5,1)", 0},
		{outer, "(4,2):(0,1)", "(4,2):(1,4)", "not_representable", 0},
		{outer, "(4,2):(0,1)", "(4,2):(0,3)", "2:3", 0},
		{outer, "(2,2):(2,3)", "4:1", "(2,3):(1,1)", 0},
		{outer, "(2,2,2):(3,4,5)", "8:1", "not_representable", 6},
		{outer, "4:1", "8:1", "not_congruent", 0},
		{outer, "(4,3):(1,4)", "(3,4):(1,3)", "12:1", 0},
		{inner, "4:1@0", "4:1", "codomain", 0},
	} {
		s, err := c.solve(c.a, c.b)
		got, index := s.X.String(), int64(0)
		if e, ok := errors.AsType[*cute.Error](err); ok {
			got = string(e.Code)
			if e.Witness != nil {
				index = e.Witness.Index
			}
		}
		if got != c.want || index != c.index {
			t.Errorf("%s and %s: %s at %d, %v, want %s at %d", c.a, c.b, got, index, err, c.want, c.index)
		}
	}
}
