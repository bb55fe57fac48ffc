package cute

import "testing"

// TestSearchFromFewPoints starts the search with a single point, so that it has to find the others through
// candidates that fail, and once more with candidates checked by composition and not on all offsets. The answers
// are those of the search with all points, which left_inverse_test.go compares with brute force.
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
