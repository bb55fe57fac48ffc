package cute_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// The whole table, the iterator and the single offsets agree with the definition.
func TestOffsets(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		want := oracle.Of(l).Ints()
		prefix := []int64{7, 8, 9}
		got, err := l.AppendOffsets(slices.Clone(prefix))
		noError(t, "offsets", err)
		if !slices.Equal(got, append(prefix, want...)) {
			t.Fatalf("the offsets of %v are %v, want %v after %v", l, got, want, prefix)
		}
		next := int64(0)
		for i, off := range l.All() {
			if i != next || off != want[i] {
				t.Fatalf("%v: (%d,%d) in the iteration, want (%d,%d)", l, i, off, next, want[next])
			}
			next++
			if at, err := l.At(i); err != nil || at != off {
				t.Fatalf("%v at %d is %d, %v, want %d", l, i, at, err, off)
			}
		}
		if next != l.Size() {
			t.Fatalf("%v: the iteration ends after %d of %d", l, next, l.Size())
		}
	})
}

// A loop may stop at any place.
func TestAllStops(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		stop := rapid.Int64Range(0, l.Size()-1).Draw(t, "stop")
		seen := int64(0)
		for i := range l.All() {
			seen++
			if i == stop {
				break
			}
		}
		if seen != stop+1 {
			t.Fatalf("%v: %d pairs up to index %d", l, seen, stop)
		}
	})
}

// The numbers of coordinate offsets come one for each axis in use.
func TestOffsetsAlongAxes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.MultiAxis().Draw(t, "l")
		if !l.HasBasis() {
			return
		}
		got, err := l.AppendOffsets(nil)
		noError(t, "offsets", err)
		table := oracle.Of(l).Table()
		var axes []string
		all, _ := oracle.TreeOf(mustEval(t, l)).Axes()
		for _, axis := range all {
			if slices.ContainsFunc(oracle.Of(l).D, func(d oracle.Vector) bool { return d[axis] != 0 }) {
				axes = append(axes, axis)
			}
		}
		if len(got) != len(table)*len(axes) {
			t.Fatalf("%v has %d numbers for %d offsets along %v", l, len(got), len(table), axes)
		}
		for i, v := range table {
			for a, axis := range axes {
				if got[i*len(axes)+a] != v[axis] {
					t.Fatalf("%v at %d is %v, want %v along %v", l, i, got[i*len(axes):(i+1)*len(axes)], v, axes)
				}
			}
		}
		for range l.All() {
			t.Fatalf("%v iterates over integers", l)
		}
	})
}

// mustEval returns the value of l at 0, whose nesting names the axes in order.
func mustEval(t *rapid.T, l cute.Layout) cute.Tuple {
	t.Helper()
	v, err := l.Eval(cute.Int(0))
	noError(t, "eval", err)
	return v
}
