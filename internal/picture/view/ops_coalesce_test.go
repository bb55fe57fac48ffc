package view

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

// TestMerges checks that leaves joined in a picture of coalesce have the extent of their result in total, and that
// all dropped leaves have extent 1.
func TestMerges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.Layouts(), gen.MultiAxis()).Draw(t, "a")
		operands := []cute.Tiler{a}
		if n := rapid.IntRange(0, a.Rank()).Draw(t, "modes of the profile"); n > 0 {
			profile, err := cute.MakeTuple(slices.Repeat([]cute.Tuple{cute.Int(1)}, n)...)
			if err != nil {
				t.Fatal(err)
			}
			operands = append(operands, profile)
		}
		d, err := cute.Derive("coalesce", operands...)
		if err != nil {
			t.Fatal(err)
		}
		m := newMerge(d)
		from, to := leafLayouts(a), leafLayouts(d.Result)
		if len(m.before) != len(from) || len(m.after) != len(to) {
			t.Fatalf("%v: %v becomes %v", d.B, m.before, m.after)
		}
		extents := make([]int64, len(to))
		for k := range extents {
			extents[k] = 1
		}
		for i, k := range m.into {
			if k >= 0 {
				extents[k] *= from[i].Size()
			} else if from[i].Size() > 1 {
				t.Fatalf("%v: %s is dropped", d.B, m.before[i])
			}
		}
		for k, l := range to {
			if extents[k] != l.Size() || m.joined[k] == 0 && l.String() != "1:0" {
				t.Fatalf("%v: of %v into %v, %s has %d of %d elements", d.B, m.before, m.into, m.after[k], extents[k], l.Size())
			}
		}
	})
}

// A leaf of extent 1 outside of the profile is kept.
func TestMergeBeyondProfile(t *testing.T) {
	t.Parallel()
	d, err := cute.Derive("coalesce", cute.MustParse("(7,(1)):(2,(9))"), cute.Ints(1))
	if err != nil {
		t.Fatal(err)
	}
	if m := newMerge(d); !slices.Equal(m.into, []int{0, 1}) {
		t.Errorf("%v into %v of %v", m.before, m.into, m.after)
	}
}
