package cute

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestCompositionPathsAgree checks that the loop for plain integers agrees with the general procedure.
func TestCompositionPathsAgree(t *testing.T) {
	t.Parallel()
	leaves := func(t *rapid.T, name string) Layout {
		n := rapid.IntRange(1, 5).Draw(t, name)
		v := make([]int64, 0, 2*n)
		for range n {
			v = append(v, rapid.Int64Range(1, 9).Draw(t, "extent"))
		}
		for range n {
			v = append(v, rapid.OneOf(rapid.Int64Range(0, 40), rapid.Int64Range(0, 1<<62)).Draw(t, "stride"))
		}
		return Layout{v: v, prof: flatProfile(n)}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := leaves(t, "A"), leaves(t, "B")
		f, err := newMixedRadix(a, nil)
		if err != nil || f.n > fewModes {
			t.Skip("too many modes for the plain loop")
		}
		x, y := heapModes(mostModes(5), 1), heapModes(mostModes(5), 1)
		cx, cy := make([]uint8, 5), make([]uint8, 5)
		vx := f.composeIntegers(&x, b.extents(), b.strides(), cx)
		vy := f.composeAxes(&y, b.extents(), b.strides(), cy)
		if vx != universal || vy != universal {
			// The loop and the procedure may notice a carry and an overflow in different orders.
			if (vx == universal) != (vy == universal) {
				t.Fatalf("%v o %v: verdicts %d and %d", a, b, vx, vy)
			}
			return
		}
		if !slices.Equal(cx, cy) || !slices.Equal(x.s[:x.n], y.s[:y.n]) || !slices.Equal(x.d[:x.n], y.d[:y.n]) {
			t.Fatalf("%v o %v: modes %v:%v and %v:%v", a, b, x.s[:x.n], x.d[:x.n], y.s[:y.n], y.d[:y.n])
		}
	})
}

// TestCompositionBoundsAgree checks that the table of values is the same with and without overflow checks.
func TestCompositionBoundsAgree(t *testing.T) {
	t.Parallel()
	leaves := func(t *rapid.T, name string, least int64) Layout {
		n := rapid.IntRange(1, 4).Draw(t, name)
		v := make([]int64, 0, 2*n)
		for range n {
			v = append(v, rapid.Int64Range(1, 6).Draw(t, "extent"))
		}
		for range n {
			v = append(v, rapid.OneOf(rapid.Int64Range(least, 6), rapid.Int64Range(1<<58, 1<<62)).Draw(t, "stride"))
		}
		return Layout{v: v, prof: flatProfile(n)}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := leaves(t, "A", -6), leaves(t, "B", 0)
		f, err := newMixedRadix(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		fast, slow := newCompositionTable(f, a, b), newCompositionTable(f, a, b)
		slow.bound = false
		x, errX := fast.decide(nil)
		y, errY := slow.decide(nil)
		if !x.Equal(y) || (errX == nil) != (errY == nil) || errX != nil && errX.Error() != errY.Error() {
			t.Fatalf("%v o %v: %v, %v without checks (%v), %v, %v with them", a, b, x, errX, fast.bound, y, errY)
		}
	})
}

// If the first entries of a table decide, all entries decide in the same way.
func TestRecognizeFirst(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	decided := 0
	for range 20000 {
		// table contains the values of a layout, some of them changed.
		var table []int64
		n := int64(1)
		table = append(table, 0)
		for range 1 + random.IntN(4) {
			s, d := 1+random.Int64N(4), random.Int64N(9)
			for x := int64(1); x < s; x++ {
				for _, y := range table[:n] {
					table = append(table, y+x*d)
				}
			}
			n *= s
		}
		for range random.IntN(3) {
			table[random.Int64N(n)]++
		}
		table[0] = 0
		all, first := heapModes(64, 1), heapModes(64, 1)
		want, _ := all.recognize(table, caller{})
		bad, more, _ := first.recognizeFirst(table[:1+random.Int64N(n)], n, caller{})
		if more {
			continue
		}
		if decided++; !reflect.DeepEqual(bad, want) {
			t.Fatalf("%v: %v, want %v", table, bad, want)
		}
	}
	if decided < 1000 {
		t.Errorf("%d tables are decided", decided)
	}
}

// Enumeration finds colliding coordinates exactly if some exist: the first two with the least shared sum.
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

// TestSearchFromFewPoints starts the search with a single point, so that the search must find the other points through
// candidates that fail. It repeats the search with candidates checked by composition instead of at all offsets. All
// answers equal the answers of the search with all points, which inverse_test.go compares with brute force.
func TestSearchFromFewPoints(t *testing.T) {
	t.Parallel()
	refined := 0
	for d0 := int64(1); d0 <= 9; d0++ {
		for d1 := int64(-9); d1 <= 9; d1++ {
			for d2 := int64(0); d2 <= 9; d2++ {
				a, err := New(Ints(2, 3, 2), Ints(d0, d1, d2))
				if err != nil {
					t.Fatal(err)
				}
				terms := termsAlong(a, 0)
				if w, err := collide(a, terms, nil); w != nil || err != nil {
					continue
				}
				_, err = searchInverse(a, terms, nil)
				q := &inverter{a: a, terms: terms, points: pointsOf(terms)[:1]}
				r, err2 := q.run()
				if (err == nil) != (err2 == nil) {
					t.Fatalf("left_inverse(%v): %v with all points, %v with one", a, err, err2)
				}
				if len(q.points) > 1 {
					refined++
				}
				if err2 != nil {
					continue
				}
				for _, p := range pointsOf(terms) {
					if p.missedBy(r) {
						t.Fatalf("left_inverse(%v) = %v does not take %d to %d", a, r, p.u, p.index)
					}
				}
				if _, end := q.failureByComposition(r); end != searchFound {
					t.Fatalf("left_inverse(%v) = %v: composition does not confirm it", a, r)
				}
			}
		}
	}
	if refined < 500 {
		t.Errorf("only %d searches needed more points", refined)
	}
}

// TestSamplePoints checks that a sample has the ends of each mode and no point twice.
func TestSamplePoints(t *testing.T) {
	t.Parallel()
	a, err := New(Ints(1000, 70, 3), Ints(7, -7001, 1<<40))
	if err != nil {
		t.Fatal(err)
	}
	terms := termsAlong(a, 0)
	have := map[point]bool{}
	for _, p := range pointsOf(terms) {
		if have[p] || p.u <= 0 {
			t.Errorf("the point %v comes twice, or is not above 0", p)
		}
		have[p] = true
	}
	x := make([]int64, len(terms))
	for i, t1 := range terms {
		for _, y := range []int64{1, t1.most} {
			x[i] = y
			if !have[pointAt(terms, x)] {
				t.Errorf("no point at %v", x)
			}
		}
		x[i] = t1.most
	}
}
