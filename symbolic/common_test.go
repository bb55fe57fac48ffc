package symbolic_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/symbolic"
)

// If the guard admits the values, the common part of two layouts is the same whether values are substituted before or
// after.
func TestCommonLayoutsCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
		b := a
		if rapid.Bool().Draw(t, "two layouts") {
			b = w.layout(t, "b", rapid.IntRange(numbers, free).Draw(t, "kind of b"))
		}
		r, err := symbolic.MaxCommonLayout(a, b)
		if refusedBy(t, err) {
			return
		}
		wantSubstitution(t, w, fmt.Sprintf("max_common_layout(%v, %v)", a, b), r, nil, []symbolic.Layout{a, b},
			func(l []cute.Layout) (cute.Layout, error) { return cute.MaxCommonLayout(l[0], l[1]) })
	})
}

// A left inverse takes every offset back to its index, at all values that the guard admits.
func TestLeftInversesInvert(t *testing.T) {
	t.Parallel()
	inverted := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
		r, err := symbolic.LeftInverse(a)
		if refusedBy(t, err) {
			return
		}
		for range 6 {
			at := w.values(t)
			if ok, err := r.Guard().Holds(at); err != nil || !ok {
				continue
			}
			l, errL := bare(a, at)
			inv, errR := bare(r, at)
			if errL != nil || errR != nil {
				t.Fatal(errL, errR)
			}
			if l.Size() > 1<<14 {
				continue
			}
			inverted++
			for i := range l.Size() {
				y, err := l.At(i)
				if err != nil {
					t.Fatal(err)
				}
				j, err := inv.At(y)
				if err != nil {
					t.Fatal(err)
				}
				if again, err := l.At(j); err != nil || again != y || (i != j && !hasZero(l)) {
					t.Fatalf("left_inverse(%v) = %v if %v: at %v, %v takes %d to %d, and %v takes that to %d", a, r, r.Guard(),
						show(at), l, i, y, inv, j)
				}
			}
		}
	})
	if inverted == 0 {
		t.Error("nothing was inverted")
	}
}

// hasZero reports whether a mode of l repeats offsets.
func hasZero(l cute.Layout) bool {
	n := len(l.Shape().Leaves())
	for i := range n {
		if l.Shape().Leaves()[i] > 1 && l.Stride().Leaves()[i] == 0 {
			return true
		}
	}
	return false
}

// At all values, the common refinement is the refinement of the shapes there, apart from extents that are 1.
func TestCommonRefinementsCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	refined := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", numbers).Shape()
		b := w.layout(t, "b", numbers).Shape()
		if rapid.Bool().Draw(t, "cut one") {
			// A shape and the same shape cut elsewhere have the same size.
			x, err := a.Product()
			if err != nil {
				t.Fatal(err)
			}
			b = symbolic.Number(x)
		}
		r, g, err := symbolic.CommonRefinement(a, b)
		if refusedBy(t, err) {
			return
		}
		for range 6 {
			at := w.values(t)
			if ok, err := g.Holds(at); err != nil || !ok {
				continue
			}
			x, errA := a.At(at)
			y, errB := b.At(at)
			got, errR := r.At(at)
			if errA != nil || errB != nil || errR != nil {
				t.Fatal(errA, errB, errR)
			}
			want, err := cute.CommonRefinement(x, y)
			if err != nil {
				t.Fatalf("common_refinement(%v, %v) = %v if %v: at %v it is %v, and for known integers %v", a, b, r, g,
					show(at), got, err)
			}
			refined++
			if !slices.Equal(beyondOne(got), beyondOne(want)) {
				t.Fatalf("common_refinement(%v, %v) = %v if %v: at %v it is %v, and for known integers %v", a, b, r, g,
					show(at), got, want)
			}
		}
	})
	if refined == 0 {
		t.Error("nothing was refined")
	}
}

func beyondOne(t cute.Tuple) []int64 {
	return slices.DeleteFunc(slices.Clone(t.Leaves()), func(x int64) bool { return x == 1 })
}

// Shapes are compatible at exactly the values that the condition admits.
func TestCompatibleIf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		inner := w.layout(t, "inner", numbers).Shape()
		a, b := symbolic.Nest(symbolic.Number(w.extent(t, "first")), symbolic.Number(w.extent(t, "second"))),
			symbolic.Nest(inner, symbolic.Number(w.extent(t, "third")))
		if rapid.Bool().Draw(t, "other way") {
			a, b = b, a
		}
		g, ok, err := symbolic.CompatibleIf(a, b)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			at := w.values(t)
			x, errA := a.At(at)
			y, errB := b.At(at)
			holds, err := g.Holds(at)
			if errA != nil || errB != nil || err != nil {
				t.Fatal(errA, errB, err)
			}
			if want := cute.Compatible(x, y); want != (ok && holds) {
				t.Fatalf("compatible(%v, %v) is %v if %v: at %v it is %v", a, b, ok, g, show(at), want)
			}
		}
	})
}

// If the guard admits the values, complements and divides along axes are the same whether values are substituted before
// or after.
func TestAxesCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		axes, second := [][]int{{0}, {1, 0}, {1, 1}, {2}}, symbolic.Nest(symbolic.Number(w.extent(t, "y")),
			symbolic.Number(w.extent(t, "z")))
		if rapid.Bool().Draw(t, "flat") {
			axes, second = [][]int{{0}, {1}, {2}}, second.Modes()[0]
		}
		n := rapid.IntRange(1, 3).Draw(t, "modes")
		shape, stride := make([]symbolic.Tuple, n), make([]symbolic.Tuple, n)
		for i := range shape {
			shape[i] = symbolic.Number(symbolic.Const(rapid.SampledFrom([]int64{1, 2, 3, 4}).Draw(t, "extent")))
			step := symbolic.Const(rapid.SampledFrom([]int64{1, 1, 2, 4}).Draw(t, "stride"))
			stride[i] = symbolic.Leaf(symbolic.OnAxis(step, rapid.SampledFrom(axes).Draw(t, "axis")...))
		}
		b, err := symbolic.New(nested(shape), nested(stride))
		if err != nil {
			t.Fatal(err)
		}
		target := symbolic.Nest(symbolic.Number(w.extent(t, "x")), second, symbolic.Number(w.extent(t, "v")))
		a, err := symbolic.LayoutLeft(target)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := symbolic.Complement(b, target); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("complement(%v, %v)", b, target), r, nil, []symbolic.Layout{a, b},
				func(l []cute.Layout) (cute.Layout, error) { return cute.Complement(l[1], l[0].Shape()) })
		}
		if d, err := symbolic.Divide(a, symbolic.Whole(b), symbolic.Zipped); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("zipped_divide(%v, %v)", a, b), d.Layout, nil, []symbolic.Layout{a, b},
				func(l []cute.Layout) (cute.Layout, error) {
					d, err := cute.ZippedDivide(l[0], l[1])
					return d.Layout, err
				})
		}
	})
}
