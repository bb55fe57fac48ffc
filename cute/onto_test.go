package cute_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/oracle"
)

func TestCodomain(t *testing.T) { holds(t, checkCodomain) }
func FuzzCodomain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkCodomain)) }

// The questions about a codomain are those about the set of its offsets.
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
		f    func(cute.Layout, cute.Tuple) (bool, *cute.Witness, error)
		want bool
	}{
		{"is_injective", cute.IsInjectiveInto, maps && injective},
		{"is_surjective", cute.IsSurjectiveOnto, onto},
		{"is_bijective", cute.IsBijectiveOnto, onto && injective},
	} {
		got, w, err := c.f(a, codomain)
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

// pointText spells a point; maps print in order of their keys.
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
		for _, f := range []func(cute.Layout, cute.Tuple) (bool, *cute.Witness, error){
			cute.IsInjectiveInto, cute.IsSurjectiveOnto, cute.IsBijectiveOnto,
		} {
			ok, _, err := f(parse(c.a), cute.MustParseTuple(c.codomain))
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
		_, _, err := cute.IsSurjectiveOnto(parse("(4,3):(1@0,1@1)"), cute.MustParseTuple(codomain))
		wantCode(t, "is_surjective onto "+codomain, err, code)
	}
}

func ExampleIsSurjectiveOnto() {
	ok, w, err := cute.IsSurjectiveOnto(cute.MustParse("(4,3):(1,4)"), cute.Int(16))
	fmt.Println(ok, err, "missing:", w.Value)
	ok, w, err = cute.IsSurjectiveOnto(cute.MustParse("(4,3):(1,4)"), cute.Int(8))
	fmt.Println(ok, err, "outside:", w.Value, "of", w.Coord)
	// Output:
	// false <nil> missing: 12
	// false <nil> outside: 11 of (3,2)
}

func ExampleIsInjectiveInto() {
	ok, _, err := cute.IsInjectiveInto(cute.MustParse("(4,3):(1,5)"), cute.Int(16))
	fmt.Println(ok, err)
	// Output: true <nil>
}

func ExampleIsBijectiveOnto() {
	ok, _, err := cute.IsBijectiveOnto(cute.MustParse("(4,3):(1@0,1@1)"), cute.Ints(4, 3))
	fmt.Println(ok, err)
	// Output: true <nil>
}
