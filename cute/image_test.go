package cute_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// checkImage compares the image and the holes with the definition.
func checkImage(t *rapid.T) {
	m := drawModel(t)
	a := m.layout(t)
	image, err := cute.Image(a)
	holes, err2 := a.Composed().Holes()
	if a.HasBasis() {
		if codeOf(err) != cute.CodeCodomain || codeOf(err2) != cute.CodeCodomain {
			t.Fatalf("image(%v): %v; holes: %v", a, err, err2)
		}
		return
	}
	if err != nil || err2 != nil {
		t.Fatalf("image(%v): %v; holes: %v", a, err, err2)
	}
	reached := map[int64]bool{}
	for _, o := range m.offsets() {
		reached[o[0]] = true
	}
	least, span := m.box()
	var want, missing []int64
	for x := least[0]; x < least[0]+span[0]; x++ {
		if reached[x] {
			want = append(want, x)
		} else {
			missing = append(missing, x)
		}
	}
	if !slices.Equal(image, want) || !slices.Equal(holes, missing) {
		t.Fatalf("%v: image %v, holes %v; expected %v, %v", a, image, holes, want, missing)
	}
}

func TestImage(t *testing.T) { rapid.Check(t, checkImage) }
func FuzzImage(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkImage)) }

// TestImageFarApart covers the enumeration: few offsets over a large span.
func TestImageFarApart(t *testing.T) {
	t.Parallel()
	const far = 1 << 60
	for _, c := range []struct{ s, d, want []int64 }{
		{[]int64{2, 2}, []int64{far, -far}, []int64{-far, 0, far}},
		{[]int64{3, 2}, []int64{-far, 7}, []int64{-2 * far, -2*far + 7, -far, -far + 7, 0, 7}},
		{[]int64{math.MaxInt64 / 2, 2}, []int64{0, far}, []int64{0, far}},
	} {
		a := flatLayout(t, c.s, c.d)
		if got, err := cute.Image(a); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("image(%v) = %v, %v; expected %v", a, got, err, c.want)
		}
		if holes, err := a.Composed().Holes(); codeOf(err) != cute.CodeLimit {
			t.Errorf("holes(%v) = %d numbers, %v; expected limit", a, len(holes), err)
		}
	}
}

func TestImageLimits(t *testing.T) {
	t.Parallel()
	huge := flatLayout(t, []int64{1 << 32}, []int64{2})
	if _, err := cute.Image(huge); codeOf(err) != cute.CodeLimit {
		t.Errorf("image(%v): %v", huge, err)
	}
	if _, err := huge.Composed().Holes(); codeOf(err) != cute.CodeLimit {
		t.Errorf("holes(%v): %v", huge, err)
	}
	// One layout has many coordinates over a short span, another a long span without holes.
	dense := flatLayout(t, []int64{1 << 20, 1 << 20, 1 << 20}, []int64{1, 1, -1})
	if got, err := cute.Image(dense); err != nil || len(got) != 3<<20-2 {
		t.Errorf("image(%v) has %d numbers, %v", dense, len(got), err)
	}
	full := flatLayout(t, []int64{1 << 31, 1 << 31}, []int64{-(1 << 31), 1})
	if got, err := full.Composed().Holes(); err != nil || len(got) != 0 {
		t.Errorf("holes(%v) = %d numbers, %v", full, len(got), err)
	}
}

func TestCodomain(t *testing.T) { holds(t, checkCodomain) }
func FuzzCodomain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkCodomain)) }

// The questions about a codomain agree with the set of the offsets.
func checkCodomain(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	box, err := a.Coshape()
	noError(t, "coshape", err)
	leaves := box.Leaves()
	for i := range leaves {
		leaves[i] = max(1, leaves[i]+rapid.SampledFrom([]int64{0, 0, 0, 0, -1, 1, 3}).Draw(t, "wider"))
	}
	codomain, err := cute.Ints(leaves...).Unflatten(box)
	noError(t, "codomain", err)
	if n, err := codomain.Product(); err != nil || n > 1<<12 {
		return
	}
	table := oracle.Of(a).Table()
	inside := map[string]bool{} // the points of the codomain
	for _, c := range oracle.Coords(leaves) {
		at, err := cute.Ints(c...).Unflatten(codomain)
		noError(t, "point", err)
		inside[pointText(oracle.PointOf(at))] = true
	}
	seen := map[string]bool{}
	maps, injective := true, true
	for _, v := range table {
		p := pointText(v)
		maps = maps && inside[p]
		injective = injective && !seen[p]
		seen[p] = true
	}
	onto := maps && len(seen) == len(inside)
	for _, c := range []struct {
		name string
		f    func(cute.Composed, cute.Tuple) (bool, *cute.Witness, error)
		want bool
	}{
		{"is_injective", cute.Composed.IsInjectiveInto, maps && injective},
		{"is_surjective", cute.Composed.IsSurjectiveOnto, onto},
		{"is_bijective", cute.Composed.IsBijectiveOnto, onto && injective},
	} {
		got, w, err := c.f(a.Composed(), codomain)
		switch {
		case err != nil || got != c.want || got != (w == nil):
			t.Fatalf("%s(%v, %v) = %t, %v, %v, want %t", c.name, a, codomain, got, w, err, c.want)
		case got:
		case w.Other != nil:
			checkCollision(t, a, w)
		case w.Coord.Rank() > 0: // an offset outside
			if o, err := a.Eval(w.Coord); err != nil || !o.Equal(w.Value) || inside[pointText(oracle.PointOf(o))] {
				t.Fatalf("%s(%v, %v): the offset of %v is %v, %v", c.name, a, codomain, w.Coord, o, err)
			}
		default:
			p := pointText(oracle.PointOf(w.Value))
			if !inside[p] || seen[p] {
				t.Fatalf("%s(%v, %v): %v is reached, or outside", c.name, a, codomain, w.Value)
			}
		}
	}
}

// pointText returns the text of a point; maps print in the order of their keys.
func pointText(v oracle.Vector) string {
	w := oracle.Vector{}
	for axis, x := range v {
		if x != 0 {
			w[axis] = x
		}
	}
	return fmt.Sprint(w)
}

func TestCodomainFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, codomain string
		want        []bool // injective, surjective, bijective
	}{
		{"4:2", "4", []bool{false, false, false}},
		{"4:2", "7", []bool{true, false, false}},
		{"(4,3):(3,1)", "12", []bool{true, true, true}},
		{"(4,3):(3,1)", "(2,6)", []bool{true, true, true}},
		{"(4,3):(1,2)", "8", []bool{false, true, false}},
		{"(4,3):(1,2)", "9", []bool{false, false, false}},
		{"4:-1", "4", []bool{false, false, false}},
		{"(4,3):(1@0,1@1)", "(4,3)", []bool{true, true, true}},
		{"(4,3):(1@0,1@1)", "(4,4)", []bool{true, false, false}},
	} {
		var got []bool
		for _, f := range []func(cute.Composed, cute.Tuple) (bool, *cute.Witness, error){
			cute.Composed.IsInjectiveInto, cute.Composed.IsSurjectiveOnto, cute.Composed.IsBijectiveOnto,
		} {
			ok, _, err := f(parse(c.a).Composed(), cute.MustParseTuple(c.codomain))
			if err != nil {
				t.Error(err)
			}
			got = append(got, ok)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s into %s: %v, want %v", c.a, c.codomain, got, c.want)
		}
	}
	for code, codomain := range map[cute.Code]string{cute.CodeNotCongruent: "12", cute.CodeExtent: "(4,0)"} {
		_, _, err := parse("(4,3):(1@0,1@1)").Composed().IsSurjectiveOnto(cute.MustParseTuple(codomain))
		wantCode(t, "is_surjective onto "+codomain, err, code)
	}
}

// wantEquivalent stops unless girih's answer is what the tables say, with the first index where they differ.
func wantEquivalent(t rapid.TB, a, b cute.Layout) {
	t.Helper()
	x, y := oracle.Of(a), oracle.Of(b)
	s, u := x.Table(), y.Table()
	first := 0
	for first < min(len(s), len(u)) && s[first].Equal(u[first]) {
		first++
	}
	same, diff := cute.Equivalent(a, b)
	if want := len(s) == len(u) && first == len(s); same != want || (diff == nil) != same {
		t.Fatalf("%v and %v: equivalent = %v, %+v, want %v", a, b, same, diff, want)
	}
	if same {
		return
	}
	sizes := first == min(len(s), len(u))
	if diff.Index != int64(first) || diff.Sizes != sizes {
		t.Fatalf("%v and %v differ first at %d (sizes: %v), said to be %+v", a, b, first, sizes, *diff)
	}
	if !oracle.PointOf(diff.A).Equal(x.Index(diff.Index)) || !oracle.PointOf(diff.B).Equal(y.Index(diff.Index)) {
		t.Fatalf("%v and %v at %d are %v and %v, said to be %v and %v",
			a, b, first, x.Index(diff.Index), y.Index(diff.Index), diff.A, diff.B)
	}
}

func TestEquivalent(t *testing.T) {
	holds(t, func(t *rapid.T) {
		wantEquivalent(t, gen.Layouts().Draw(t, "a"), gen.Layouts().Draw(t, "b"))
	})
}

// Layouts that agree for a while: with tiny strides, or with only the last part changed.
func TestEquivalentOfSimilar(t *testing.T) {
	holds(t, func(t *rapid.T) {
		wantEquivalent(t, gen.TinyStrides().Draw(t, "a"), gen.TinyStrides().Draw(t, "b"))
		a := gen.Layouts().Draw(t, "a")
		b, err := a.AppendMode(gen.Chained(8).Draw(t, "last"))
		noError(t, "append", err)
		c, err := a.AppendMode(gen.Chained(8).Draw(t, "other last"))
		noError(t, "append", err)
		wantEquivalent(t, b, c)
		wantEquivalent(t, b, b.Flatten())
		wantEquivalent(t, coalesce(t, b), b)
	})
}

func TestEquivalentFacts(t *testing.T) {
	t.Parallel()
	for _, test := range [][2]string{
		{"12:1", "(2,(1,6)):(1,(6,2))"},
		{"1:5", "():()"},
		{"(4,2):(1,4)", "(4,2):(1,5)"},
		{"8:1", "(4,2):(1,4)"},
		{"4:1", "8:1"},
		{"4:1", "(4,2):(1,0)"},
		{"(2,2,3):(1,5,9)", "(2,2,3):(1,5,8)"},
		{"(2,6):(1,7)", "(2,2,3):(1,7,1)"},
		{"4:1@0", "(2,2):(1@0,2@0)"},
		{"4:1@0", "4:1@1"},
		{"(2,2):(1@0,1@1)", "(2,2):(1@0,2@1)"},
		{"1:0", "3:1@0"},
	} {
		wantEquivalent(t, parse(test[0]), parse(test[1]))
	}
}
