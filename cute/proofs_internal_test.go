package cute

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// This file tests the theorems of docs/proofs.md about internals of the package: the verdict of the universal procedure
// of composition, and its refusals without a table.

// radices calls f with all layouts of the given rank with extents from 2 to most and the strides that d draws.
func radices(t *testing.T, rank int, most int64, d func() Tuple, f func(a Layout)) {
	t.Helper()
	s := make([]int64, rank)
	var fill func(i int)
	fill = func(i int) {
		if i == rank {
			a, err := New(Ints(s...), d())
			if err != nil {
				t.Fatal(err)
			}
			f(a)
			return
		}
		for s[i] = 2; s[i] <= most; s[i]++ {
			fill(i + 1)
		}
	}
	fill(0)
}

// verdictOf returns the verdict of the universal procedure for a∘b, and whether some layout has the values of a∘b.
func verdictOf(t *testing.T, a, b Layout) (v verdict, layout bool) {
	t.Helper()
	f, err := newMixedRadix(a, b.cod)
	if err != nil {
		t.Fatal(err)
	}
	r := heapModes(mostModes(b.leaves()), f.k)
	v = f.compose(&r, b.extents(), b.strides(), make([]uint8, b.leaves()))
	_, err = composeByTable(a, b, nil)
	return v, err == nil
}

// codeIn returns the code of an error of the package, and its witness.
func codeIn(err error) (Code, *Witness) {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code, e.Witness
	}
	return "", nil
}

// Theorem 3. Strides that are coordinates, with one axis for each mode, never coincide. The universal procedure then
// accepts exactly the layouts if b counts in one direction, and only layouts if b counts in both.
func TestUniversalIsExactForUnrelatedStrides(t *testing.T) {
	t.Parallel()
	most := int64(4)
	if testing.Short() {
		most = 3
	}
	both, missed := 0, 0
	for rank := 1; rank <= 3; rank++ {
		axes := make([]Tuple, rank)
		for i := range axes {
			axes[i], _ = Basis(1, i)
		}
		unrelated, err := MakeTuple(axes...)
		if err != nil {
			t.Fatal(err)
		}
		radices(t, rank, most, func() Tuple { return unrelated }, func(a Layout) {
			for _, s := range [][]int64{{2, 2}, {3, 2}, {4, 3}, {6, 2}} {
				for d0 := int64(0); d0 <= 7; d0++ {
					for d1 := int64(-7); d1 <= 7; d1++ {
						b, err := New(Ints(s...), Ints(d0, d1))
						if err != nil {
							t.Fatal(err)
						}
						v, layout := verdictOf(t, a, b)
						switch {
						case v == universal && !layout:
							t.Fatalf("%v o %v is accepted, and no layout", a, b)
						case v != universal && layout && (d0 == 0 || d1 >= 0):
							t.Fatalf("%v o %v is a layout, and not accepted", a, b)
						case v != universal && layout:
							missed++
						}
						if v == universal && d0 > 0 && d1 < 0 {
							both++
						}
					}
				}
			}
		})
	}
	if both == 0 || missed == 0 {
		t.Errorf("%d pairs that count both ways are accepted, %d only by their values: want some of both", both, missed)
	}
}

// Proposition 4. With one boundary between digits nothing can coincide, whatever the strides.
func TestTwoModesHaveNoCoincidences(t *testing.T) {
	t.Parallel()
	for d0 := int64(-2); d0 <= 4; d0++ {
		for d1 := int64(-3); d1 <= 9; d1++ {
			radices(t, 2, 4, func() Tuple { return Ints(d0, d1) }, func(a Layout) {
				for _, d := range [][2]int64{{1, 2}, {1, 3}, {2, 3}, {3, 1}, {5, 0}, {2, 7}, {5, 5}, {6, 4}} {
					for _, s := range [][2]int64{{2, 2}, {4, 3}, {6, 1}} {
						b, err := New(Ints(s[:]...), Ints(d[:]...))
						if err != nil {
							t.Fatal(err)
						}
						if v, layout := verdictOf(t, a, b); (v == universal) != layout {
							t.Fatalf("%v o %v: verdict %d, a layout: %v", a, b, v, layout)
						}
					}
				}
			})
		}
	}
}

// Theorem 5. A pair refused without a table is not a layout, and its value at the witness is the witness's value.
func TestLargeRefusalsAreRight(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	draw := func(most, least, reach int64) Layout {
		n := 1 + random.IntN(3)
		s, d := make([]int64, n), make([]int64, n)
		for i := range s {
			s[i], d[i] = 1+random.Int64N(most), least+random.Int64N(reach-least+1)
		}
		l, err := New(Ints(s...), Ints(d...))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	refused, open := 0, 0
	for i := range 20000 {
		a, b := draw(6, -1, []int64{2, 5, 40}[i%3]), draw(6, -3, 12)
		v, layout := verdictOf(t, a, b)
		if v == universal {
			continue
		}
		f, err := newMixedRadix(a, b.cod)
		if err != nil {
			t.Fatal(err)
		}
		err = newCompositionTable(f, a, b).refuseLarge()
		code, w := codeIn(err)
		switch {
		case code == CodeLimit:
			open++
			continue
		case code != CodeNotRepresentable || layout:
			t.Fatalf("%v o %v: %v, a layout: %v", a, b, err, layout)
		}
		refused++
		inner, err := b.Eval(w.Coord)
		if err != nil {
			t.Fatal(err)
		}
		if value, err := a.Eval(inner); err != nil || !value.Equal(w.Value) {
			t.Fatalf("%v o %v: at %v the value is %v, %v, said to be %v", a, b, w.Coord, value, err, w.Value)
		}
		if w.Want.Equal(w.Value) {
			t.Fatalf("%v o %v: the witness %v agrees with a layout", a, b, w.Coord)
		}
	}
	if refused < 500 || open < 5 {
		t.Errorf("%d refusals and %d undecided: too few to be a test", refused, open)
	}
}

// Theorem 12. A tile and its complement either split a digit or leave it whole. So no strides of the divided layout
// coincide where digits carry, and the table never decides.
func TestDividesHaveNoCoincidences(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 3))
	refused := 0
	for range 20000 {
		s, d := make([]int64, 3), make([]int64, 3)
		for i := range s {
			s[i], d[i] = 2+random.Int64N(4), random.Int64N(5)
		}
		a, err := New(Ints(s...), Ints(d...))
		if err != nil {
			t.Fatal(err)
		}
		x, y, gap := 2+random.Int64N(4), 1+random.Int64N(3), 1+random.Int64N(4)
		tile, err := New(Ints(x, y), Ints(gap, gap*x*(1+random.Int64N(3))))
		if err != nil {
			t.Fatal(err)
		}
		rest, err := Complement(tile, Int(a.Size()))
		if err != nil {
			t.Fatal(err)
		}
		tiles, err := MakeLayout(tile, rest)
		if err != nil {
			t.Fatal(err)
		}
		v, layout := verdictOf(t, a, tiles)
		if (v == universal) != layout {
			t.Fatalf("%v o %v: verdict %d, a layout: %v", a, tiles, v, layout)
		}
		if !layout {
			refused++
		}
	}
	if refused < 1000 {
		t.Errorf("only %d refusals", refused)
	}
}
