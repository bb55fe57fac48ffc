package cute

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Two coordinates that collide are found by enumeration just when there are some: of the least sum that several have,
// the first two.
func TestCollideByEnumeration(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "leaves")
		s, d := make([]int64, n), make([]int64, n)
		strides := rapid.OneOf(rapid.Int64Range(-40, 40), rapid.Int64Range(-4000, 4000)).
			Filter(func(x int64) bool { return x != 0 })
		for i := range s {
			s[i] = rapid.Int64Range(2, 7).Draw(t, "extent")
			d[i] = strides.Draw(t, "stride")
		}
		a, err := New(Ints(s...), Ints(d...))
		if err != nil {
			t.Fatal(err)
		}
		terms, _ := termsOf(a)
		offsets, err := a.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Sorted(slices.Values(offsets))
		if got, err := sortedSums(terms, nil); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v: sums %v, %v, want %v", a, got, err, want)
		}
		w, err := collideByEnumeration(a, terms, nil)
		if err != nil {
			t.Fatal(err)
		}
		k := 1
		for k < len(want) && want[k] != want[k-1] {
			k++
		}
		if k == len(want) {
			if w != nil {
				t.Fatalf("%v is injective, found %v", a, w)
			}
			return
		}
		i := slices.Index(offsets, want[k])
		j := i + 1 + slices.Index(offsets[i+1:], want[k])
		if w == nil || w.Index != int64(i) || !w.Value.Equal(Int(want[k])) {
			t.Fatalf("%v: found %+v, want the indices %d and %d", a, w, i, j)
		}
		if x, err := a.Eval(*w.Other); err != nil || !x.Equal(w.Value) || w.Other.Equal(w.Coord) {
			t.Fatalf("%v: %v has the value %v, want %v", a, w.Other, x, w.Value)
		}
	})
}
