package cute_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/long"
	"girih/internal/check/oracle"
)

// wantComposition stops unless girih's answer to a∘b is right: the layout with the values a(b(c)) in the shape of b,
// or, if no layout has these values, a refusal with the smallest index at which every candidate fails.
func wantComposition(t rapid.TB, a, b cute.Layout) {
	t.Helper()
	x, y := oracle.Of(a), oracle.Of(b)
	values, ok := oracle.Compose(x, y)
	r, err := cute.Composition(a, b)
	if !ok {
		if errorCode(err) != cute.CodeNotCongruent {
			t.Fatalf("%v o %v = %v, %v, but b addresses modes that a does not have", a, b, r, err)
		}
		return
	}
	table, ok := oracle.Encode(b.Size(), values)
	if !ok {
		tooLarge(t, a, b)
	}
	fit := oracle.Refines(table[0], y.S)
	if fit.Ok != (err == nil) {
		t.Fatalf("%v o %v = %v, %v; a layout has these values: %v", a, b, r, err, fit.Ok)
	}
	if fit.Ok {
		wantRefined(t, r, b, values)
		return
	}
	wantWitness(t, err, a, b, fit, values)
}

// wantRefined stops unless r has the values in the shape of b with each leaf replaced by one coalesced mode or group.
func wantRefined(t rapid.TB, r, b cute.Layout, values []oracle.Vector) {
	t.Helper()
	if got := oracle.Of(r).Table(); !slices.EqualFunc(got, values, oracle.Vector.Equal) {
		t.Fatalf("the composition with %v is %v with the values %v, want %v", b, r, got, values)
	}
	shape := oracle.TreeOf(b.Shape())
	if !shape.Compatible(oracle.TreeOf(r.Shape())) {
		t.Fatalf("the composition with %v is %v, which does not refine its shape", b, r)
	}
	for _, m := range leavesIn(r, shape) {
		if c := cute.Coalesce(m); !c.Flatten().Equal(m.Flatten()) {
			t.Fatalf("the leaf %v of the composition %v with %v is not coalesced: %v", m, r, b, c)
		}
	}
}

// tooLarge skips values that the oracle cannot encode in 64 bits: for several axes the oracle multiplies the axes'
// ranges. A drawn case is drawn again; a case in a table fails.
func tooLarge(t rapid.TB, a, b cute.Layout) {
	t.Helper()
	if drawn, ok := t.(*rapid.T); ok {
		drawn.Skip("too large for the oracle")
	}
	t.Fatalf("the values of %v o %v are too large to compare", a, b)
}

// leavesIn returns the modes of r in the places of the shape's leaves.
func leavesIn(r cute.Layout, shape oracle.Tree) []cute.Layout {
	if shape.IsLeaf {
		return []cute.Layout{r}
	}
	var out []cute.Layout
	for i, m := range r.Modes() {
		out = append(out, leavesIn(m, shape.Modes[i])...)
	}
	return out
}

// wantWitness stops unless the error names the place where the last candidates fail.
func wantWitness(t rapid.TB, err error, a, b cute.Layout, fit oracle.Fit, values []oracle.Vector) {
	t.Helper()
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil {
		t.Fatalf("%v o %v: %v, want %q with a witness", a, b, err, cute.CodeNotRepresentable)
	}
	w := e.Witness
	if w.Index != fit.Index {
		t.Fatalf("%v o %v: the witness is at index %d, want %d: %v", a, b, w.Index, fit.Index, err)
	}
	if at, err := cute.Crd2Idx(w.Coord, b.Shape()); err != nil || at != w.Index || !cute.Congruent(w.Coord, b.Shape()) {
		t.Fatalf("%v o %v: the witness %v is at index %d, %v, said to be at %d", a, b, w.Coord, at, err, w.Index)
	}
	if got := oracle.PointOf(w.Value); !got.Equal(values[w.Index]) {
		t.Fatalf("%v o %v: the value at %v is said to be %v, want %v", a, b, w.Coord, w.Value, values[w.Index])
	}
	all, ok := oracle.Encode(b.Size(), values, []oracle.Vector{oracle.PointOf(w.Want)})
	if !ok {
		tooLarge(t, a, b)
	}
	if want := oracle.Refines(all[0], oracle.Of(b).S).Want; len(want) != 1 || want[0] != all[1][0] {
		t.Fatalf("%v o %v: at %v a layout is said to give %v, want %v", a, b, w.Coord, w.Want, want)
	}
}

func TestCompositionOfAny(t *testing.T) {
	holds(t, func(t *rapid.T) {
		wantComposition(t, anyLayout().Draw(t, "a"), gen.Layouts().Draw(t, "b"))
	})
}

// Compact left operands with right operands that fit are the common case; most such compositions are layouts.
func TestCompositionInDomain(t *testing.T) {
	holds(t, func(t *rapid.T) {
		wantComposition(t, gen.CompactLayouts().Draw(t, "a"), gen.Chained(32).Draw(t, "b"))
	})
}

func TestCompositionOfPowersOfTwo(t *testing.T) {
	holds(t, func(t *rapid.T) {
		wantComposition(t, gen.PowersOfTwo().Draw(t, "a"), gen.PowersOfTwo().Draw(t, "b"))
	})
}

func TestCompositionWithCoordinates(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "a")
		wantComposition(t, a, gen.Into(a.Shape()).Draw(t, "b"))
	})
}

func TestCompositionWithForeignCoordinates(t *testing.T) {
	holds(t, func(t *rapid.T) {
		wantComposition(t, anyLayout().Draw(t, "a"), gen.MultiAxis().Draw(t, "b"))
	})
}

// (A∘B)∘C = A∘(B∘C) where C stays inside B and B inside A.
func TestCompositionIsAssociative(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		b := gen.CompactLayouts().Draw(t, "b")
		c := gen.CompactLayouts().Draw(t, "c")
		if b.Size() > a.Size() || c.Size() > b.Size() {
			a, b, c = bySize(a, b, c)
		}
		if !staysBelow(b, a.Size()) || !staysBelow(c, b.Size()) {
			return
		}
		ab, err1 := cute.Composition(a, b)
		bc, err2 := cute.Composition(b, c)
		if err1 != nil || err2 != nil {
			return
		}
		left, err1 := cute.Composition(ab, c)
		right, err2 := cute.Composition(a, bc)
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("(%v o %v) o %v: %v, %v, but with the other parentheses %v, %v", a, b, c, left, err1, right, err2)
		}
		if same, diff := cute.Equivalent(left, right); err1 == nil && !same {
			t.Fatalf("(%v o %v) o %v = %v, with the other parentheses %v: they differ at %+v", a, b, c, left, right, diff)
		}
	})
}

// bySize returns three layouts, the largest first.
func bySize(ls ...cute.Layout) (a, b, c cute.Layout) {
	slices.SortStableFunc(ls, func(x, y cute.Layout) int { return int(y.Size() - x.Size()) })
	return ls[0], ls[1], ls[2]
}

func staysBelow(l cute.Layout, n int64) bool {
	image := oracle.Image(oracle.Of(l))
	return image[0] >= 0 && image[len(image)-1] < n
}

func TestCompositionFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, want string }{
		{"(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)"},
		// Diagonals: one step of B moves two digits of A. NVIDIA's code refuses these.
		{"(4,4):(4,1)", "(2,2):(1,5)", "(2,2):(4,5)"},
		{"(5,3):(7,1)", "2:3", "2:21"},
		// Weakly divisible: the last mode of A is unbounded, and modes that B does not reach do not matter.
		{"(8,6,8):(1,16,108)", "8:4", "(2,4):(4,16)"},
		{"(4,2,8):(3,12,97)", "3:3", "3:9"},
		{"(4,2):(1,100)", "2:3", "2:3"},
		// NVIDIA's code gives the second mode the stride 100 here, although A(9) is 101.
		{"(8,3):(1,100)", "6:3", "(3,2):(3,101)"},
		{"(3,6,2,8):(1,10,100,1000)", "16:9", "(2,2,4):(30,100,1000)"},
		{"(3,6,2,8):(1,10,100,1000)", "6:72", "6:2000"},
		// If strides coincide, the composition is a layout although digits carry.
		{"(2,2,2):(1,3,5)", "(2,2):(1,3)", "(2,2):(1,4)"},
		{"(2,2,2):(1,1,3)", "3:3", "3:2"},
		// A last mode of extent 1 decides the values beyond the layout's size.
		{"(4,1):(3,4)", "3:16", "3:16"},
		{"1:1", "8:1", "8:1"},
		{"1:0", "8:1", "8:0"},
		{"(4,3,1):(3,1,0)", "24:1", "(4,3,2):(3,1,0)"},
		{"(2,2):(0,1)", "1:3", "1:0"},
		// Coordinate strides select a mode of A and compose with that mode.
		{"((2,3),4):((5,7),11)", "(6,2):(1@0,2@1)", "((2,3),2):((5,7),22)"},
		{"(4,6,8,10):(2,3,5,7)", "(2,2,2):(1@0,1@2,1@3)", "(2,2,2):(2,5,7)"},
		// The result keeps B's nesting, and may exceed the size of A.
		{"(4,3):(3,1)", "(24):(1)", "((4,6)):((3,1))"},
		{"(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"},
		// B counts down: an integer layout is odd.
		{"(4,6):(1,10)", "8:-2", "(2,4):(-2,-10)"},
		{"(4,6):(1,10)", "3:-1", "3:-1"},
		// B counts in both directions, with digits that cancel.
		{"(4,4):(1,10)", "(2,2):(5,-5)", "(2,2):(11,-11)"},
		{"12:1", "(2,2):(1,3)", "(2,2):(1,3)"},
		{"(6,3):(21,7)", "4:3", "(2,2):(63,7)"},
		{"4:0", "3:5", "3:0"},
		{"():()", "4:1", "4:0"},
		{"4:1", "():()", "():()"},
	} {
		r, err := cute.Composition(parse(test.a), parse(test.b))
		wantText(t, test.a+" o "+test.b, r, err, test.want)
		wantComposition(t, parse(test.a), parse(test.b))
	}
}

func TestCompositionRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b    string
		witness string // coordinate, index, the value there, the value of every candidate
	}{
		// Colfax and NVIDIA's documentation state that composition distributes over injective B; here it does not.
		{"(6,2):(1,7)", "(3,2):(2,3)", "(2,1) 5 8 7"},
		// CuTe's code returns wrong layouts for these.
		{"(4,3):(1,100)", "4:3", "3 3 201 105"},
		{"(3,3):(1,100)", "4:2", "3 3 200 103"},
		{"(6,3):(1,100)", "4:4", "3 3 200 106"},
		{"(4,6,8):(2,3,5)", "6:3", "3 3 8 13"},
		{"(3,2):(1,101)", "(2,2):(1,2)", "(1,1) 3 101 3"},
		{"(8,6):(6,8)", "(3,3):(1,3)", "(2,2) 8 8 48"},
		{"(2,8,2):(12,6,6)", "4:12", "3 3 24 66"},
		// A run of 2 steps does not divide the extent 3.
		{"(6,3):(3,1)", "3:3", "2 2 1 18"},
		{"(2,2):(1,100)", "3:1", "2 2 100 2"},
		{"(5,4):(1,30)", "(4,5):(1,4)", "(1,1) 5 30 5"},
		// One digit has both signs: the digits of -1 and 4 do not cancel to the digits of 3.
		{"(4,4):(1,10)", "(2,2):(-1,4)", "(1,1) 3 3 9"},
		// These compositions fail along a coordinate.
		{"((6,2),4):((1,7),100)", "(3,2,4):(2@0,3@0,1@1)", "(2,1,0) 5 8 7"},
	} {
		a, b := parse(test.a), parse(test.b)
		what := test.a + " o " + test.b
		wantComposition(t, a, b)
		r, err := cute.Composition(a, b)
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil {
			t.Errorf("%s = %v, %v, want a witness", what, r, err)
			continue
		}
		w := e.Witness
		if got := fmt.Sprint(w.Coord, " ", w.Index, " ", w.Value, " ", w.Want); got != test.witness {
			t.Errorf("%s: witness %s, want %s", what, got, test.witness)
		}
	}
	// This case is above EnumLimit; the number of steps until a digit carries is near 2^63.
	a, b := parse("(9223372036854775807,1):(1,1)"), parse("(16777216,2):(2,9223372036821221377)")
	_, err := cute.Composition(a, b)
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Witness == nil || e.Witness.Index != 33554431 || !e.Witness.Coord.Equal(cute.Ints(16777215, 1)) {
		t.Errorf("%v o %v: %v, want a witness at (16777215,1)", a, b, err)
	}
	// This composition is a layout, but too large to decide.
	_, err = cute.Composition(parse("(4096,4096):(1,5000)"), parse("(2048,4095):(4097,-4097)"))
	wantCode(t, "digits that cancel, above EnumLimit", err, cute.CodeLimit)
	_, err = cute.Composition(parse("(4,4):(4,1)"), parse("2:1@2"))
	wantCode(t, "(4,4):(4,1) o 2:1@2", err, cute.CodeNotCongruent)
	_, err = cute.Composition(parse("4:1"), parse("(2,2):(1@0,1@1)"))
	wantCode(t, "4:1 o (2,2):(1@0,1@1)", err, cute.CodeNotCongruent)
}

// exhaust composes every coalesced layout of rank up to 2, with extents 2..6 and the given strides, with every b. It
// returns the number of pairs, and how many of them are layouts.
func exhaust(t *testing.T, strides []int64, bs []cute.Layout, every int) (pairs, layouts int) {
	t.Helper()
	operands := rank2(strides)
	flat := make([]oracle.Layout, len(bs))
	tables := make([][]int64, len(bs))
	var reach int64
	for i, b := range bs {
		flat[i] = oracle.Of(b)
		tables[i] = flat[i].Ints()
		for _, x := range tables[i] {
			reach = max(reach, x, -x)
		}
	}
	for k, a := range operands {
		x := oracle.Of(a)
		extended := make([]int64, reach+1)
		for i := range extended {
			extended[i] = x.Index(int64(i))[""]
		}
		for i, b := range bs {
			if (k*len(bs)+i)%every != 0 {
				continue
			}
			values := make([]int64, len(tables[i]))
			for j, y := range tables[i] {
				values[j] = extended[max(y, -y)]
				if y < 0 {
					values[j] = -values[j]
				}
			}
			pairs++
			if checkPair(t, a, b, flat[i].S, values) {
				layouts++
			}
		}
	}
	return pairs, layouts
}

// checkPair fails the test unless a∘b is right, and reports whether it is a layout. It is wantComposition for
// integers, fast enough for hundreds of thousands of pairs.
func checkPair(t *testing.T, a, b cute.Layout, s, values []int64) bool {
	t.Helper()
	fit := oracle.Refines(values, s)
	r, err := cute.Composition(a, b)
	if fit.Ok != (err == nil) {
		t.Fatalf("%v o %v = %v, %v; a layout has these values: %v", a, b, r, err, fit.Ok)
	}
	if !fit.Ok {
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil || e.Witness.Index != fit.Index {
			t.Fatalf("%v o %v: %v, want a witness at %d", a, b, err, fit.Index)
		}
		return false
	}
	i := 0
	shape, stride := r.Shape().Leaves(), r.Stride().Leaves()
	c := make([]int64, len(shape))
	for value := int64(0); ; i++ {
		if i >= len(values) || values[i] != value {
			t.Fatalf("%v o %v = %v with the value %d at %d, want %v", a, b, r, value, i, values)
		}
		j := 0
		for ; j < len(c); j++ {
			c[j]++
			value += stride[j]
			if c[j] < shape[j] {
				break
			}
			value -= stride[j] * c[j]
			c[j] = 0
		}
		if j == len(c) {
			break
		}
	}
	if i != len(values)-1 {
		t.Fatalf("%v o %v = %v with %d values, want %d", a, b, r, i+1, len(values))
	}
	return true
}

// rank2 returns the coalesced layouts of extents 2..6 and the given strides, each once.
func rank2(strides []int64) []cute.Layout {
	seen := map[string]bool{}
	var out []cute.Layout
	for s0 := int64(2); s0 <= 6; s0++ {
		for s1 := int64(2); s1 <= 6; s1++ {
			for _, d0 := range strides {
				for _, d1 := range strides {
					l, err := cute.New(cute.Ints(s0, s1), cute.Ints(d0, d1))
					if err != nil {
						continue
					}
					if l = cute.Coalesce(l); seen[l.String()] {
						continue
					}
					seen[l.String()] = true
					out = append(out, l)
				}
			}
		}
	}
	return out
}

// rank1 returns the layouts n:r with n up to most and r in the strides.
func rank1(most int64, strides []int64) []cute.Layout {
	var out []cute.Layout
	for n := int64(1); n <= most; n++ {
		for _, r := range strides {
			l, err := cute.New(cute.Int(n), cute.Int(r))
			if err == nil {
				out = append(out, l)
			}
		}
	}
	return out
}

// span returns the integers of [lo, hi].
func span(lo, hi int64) []int64 {
	var out []int64
	for x := lo; x <= hi; x++ {
		out = append(out, x)
	}
	return out
}

// For all small pairs, no answer is wrong, no representable pair is refused, and every witness is where the last
// candidate fails.
func TestCompositionExhaustively(t *testing.T) {
	t.Parallel()
	every := 1
	switch {
	case testing.Short():
		every = 17
	case !long.Tests():
		every = 4
	}
	for _, test := range []struct {
		name    string
		strides []int64
		bs      []cute.Layout
		least   int // pairs
	}{
		{"rank 1", span(0, 8), rank1(12, span(1, 12)), 200_000},
		{"negative", []int64{-7, -3, -1, 0, 1, 2, 6}, rank1(8, span(-6, 6)), 50_000},
		{"rank 2", []int64{0, 1, 3, 7}, rank2([]int64{-2, 1, 2, 3, 5}), 60_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pairs, layouts := exhaust(t, test.strides, test.bs, every)
			t.Logf("%d pairs, %d of them layouts", pairs, layouts)
			if pairs*every < test.least || layouts == 0 || layouts == pairs {
				t.Errorf("%d pairs, %d of them layouts, want at least %d of both kinds", pairs, layouts, test.least/every)
			}
		})
	}
}

// Both operands have three modes, with strides so small that carries cancel by coincidence.
func TestCompositionOfRandomTriples(t *testing.T) {
	t.Parallel()
	pairs, layouts := 24000, 0
	switch {
	case testing.Short():
		pairs /= 10
	case !long.Tests():
		pairs /= 4
	}
	random := rand.New(rand.NewPCG(3, 5))
	for i := range pairs {
		most := []int64{2, 4, 12, 40}[i%4]
		a := randomTriple(random, 6, most)
		b := randomTriple(random, 4, []int64{3, 6, 12}[i%3])
		x := oracle.Of(a)
		y := oracle.Of(b)
		values := y.Ints()
		for j, v := range values {
			values[j] = x.Index(v)[""]
		}
		if checkPair(t, a, b, y.S, values) {
			layouts++
		}
	}
	t.Logf("%d pairs, %d of them layouts", pairs, layouts)
	if layouts < pairs/20 || layouts > pairs*19/20 {
		t.Errorf("%d of %d pairs are layouts: too one-sided to be a test", layouts, pairs)
	}
}

// randomTriple returns a layout of three modes with extents of 1 to most and strides up to reach; some are negative.
func randomTriple(random *rand.Rand, most, reach int64) cute.Layout {
	s, d := make([]int64, 3), make([]int64, 3)
	for i := range s {
		s[i] = 1 + random.Int64N(most)
		d[i] = random.Int64N(reach + 1)
		if random.IntN(12) == 0 {
			d[i] = -d[i]
		}
	}
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	if err != nil {
		panic(err)
	}
	return l
}
