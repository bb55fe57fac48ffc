package cute_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

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

// Layouts that agree for a while: tiny strides, or one that is the other with its last part changed.
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
