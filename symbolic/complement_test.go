package symbolic_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/symbolic"
)

func TestComplementsInShapesCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, complementInShapeCommutes)
}

func FuzzComplementInShape(f *testing.F) { f.Fuzz(rapid.MakeFuzz(complementInShapeCommutes)) }

// At all values, a complement in a shape is the complement of the numbers, which covers the size of the shape. With
// CuTe's rounding it is CuTe's complement.
func complementInShapeCommutes(t *rapid.T) {
	w := &world{}
	a := w.layout(t, "a", rapid.IntRange(numbers, compact).Draw(t, "kind of a"))
	modes := make([]symbolic.Int, rapid.IntRange(1, 3).Draw(t, "modes"))
	for i := range modes {
		modes[i] = w.extent(t, "extent")
	}
	target, err := symbolic.LayoutLeft(tuple(modes...))
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []struct {
		name     string
		symbolic func(symbolic.Layout, symbolic.Tuple) (symbolic.Layout, error)
		known    func(cute.Layout, cute.Tuple) (cute.Layout, error)
	}{
		{"complement", symbolic.Complement, cute.Complement},
		{"complement_exact", symbolic.ComplementExact, cute.ComplementExact},
		{"complement by mode", symbolic.ComplementByMode, cute.ComplementByMode},
	} {
		if r, err := op.symbolic(a, target.Shape()); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("%s(%v, %v)", op.name, a, target.Shape()), r, nil, []symbolic.Layout{a, target},
				func(l []cute.Layout) (cute.Layout, error) { return op.known(l[0], l[1].Shape()) })
		}
	}
}
