package cute

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestCompositionPathsAgree holds the loop for plain integers to the general procedure.
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
			// They may notice a carry and an overflow in a different order.
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

// TestCompositionBoundsAgree holds the table of values without checks to the one with them.
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
