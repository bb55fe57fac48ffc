package convert

import (
	"slices"
	"testing"

	"girih/f2"

	"pgregory.net/rapid"
)

// TestSegmentIsOptimal searches all segments: no other segment meets the wavefronts of both sides in fewer dimensions.
func TestSegmentIsOptimal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(0, 4).Draw(t, "d")
		draw := func(label string) []f2.Vector {
			var out []f2.Vector
			for range rapid.IntRange(0, d).Draw(t, label+" vectors") {
				out = append(out, f2.Vector(rapid.Uint64Range(0, 1<<d-1).Draw(t, label)))
			}
			return out
		}
		fixed := extend(nil, draw("fixed"), d)
		la, lb := draw("a"), draw("b")
		n := rapid.IntRange(0, d-len(fixed)).Draw(t, "n")
		a, b := f2.Span(slices.Concat(fixed, la)...), f2.Span(slices.Concat(fixed, lb)...)
		conflicts := func(seg []f2.Vector) int {
			s := f2.Span(seg...)
			return s.Intersection(a).Dim() + s.Intersection(b).Dim()
		}
		got := wavefronts{la, lb}.segment(fixed, d, n)
		if len(got) != n || f2.Span(slices.Concat(fixed, got)...).Dim() != len(fixed)+n {
			t.Fatalf("segment %v of %d bases beside %v", got, n, fixed)
		}
		best := -1
		var search func(seg []f2.Vector, from f2.Vector)
		search = func(seg []f2.Vector, from f2.Vector) {
			if len(seg) == n {
				if c := conflicts(seg); best < 0 || c < best {
					best = c
				}
				return
			}
			for v := from; v < 1<<d; v++ {
				if !f2.Span(slices.Concat(fixed, seg)...).Contains(v) {
					search(append(seg[:len(seg):len(seg)], v), v+1)
				}
			}
		}
		search(nil, 1)
		if conflicts(got) != best {
			t.Fatalf("segment %v beside %v for %v and %v has 2^%d conflicts, a search finds 2^%d", got, fixed, la, lb,
				conflicts(got), best)
		}
	})
}
