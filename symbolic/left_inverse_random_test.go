package symbolic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

// A composition with a left inverse does not depend on when numbers are substituted: where the guard holds, known
// integers give the same function.
func TestLeftInversesComposed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var scope Scope
		m, _ := scope.Named("M", NoFacts())
		n, _ := scope.Named("N", NoFacts())
		at := Values{m: rapid.Int64Range(1, 8).Draw(t, "M"), n: rapid.Int64Range(1, 8).Draw(t, "N")}
		twice, _ := Mul(Of(m), Const(2))
		both, _ := Mul(Of(m), Of(n))
		extents := []Int{Of(m), Of(n), Const(1), Const(2), Const(4)}
		layout := func(name string) Layout {
			var shape, stride []Tuple
			for range rapid.IntRange(1, 3).Draw(t, "rank of "+name) {
				shape = append(shape, Number(rapid.SampledFrom(extents).Draw(t, "extent")))
				step := rapid.SampledFrom(append(extents[:len(extents):len(extents)], twice, both, Const(0), Const(8)))
				stride = append(stride, Number(step.Draw(t, "stride")))
			}
			l, err := New(Nest(shape...), Nest(stride...))
			if err != nil {
				t.Skip(err)
			}
			return l
		}
		a, b := layout("a"), layout("b")
		knownA, err := a.At(at)
		knownB, err2 := b.At(at)
		inverse, err3 := LeftInverse(a)
		if err != nil || err2 != nil || err3 != nil {
			t.Skip(err, err2, err3)
		}
		knownInverse, err := cute.LeftInverse(knownA)
		if err != nil {
			t.Skip(err) // not injective there
		}
		open, err := Composition(b, inverse)
		if err != nil {
			t.Skip(err)
		}
		got, err := open.At(at)
		if err != nil {
			t.Skip(err) // the guard does not hold
		}
		want, err := cute.Composition(knownB, knownInverse)
		if err != nil {
			t.Fatalf("%v o left_inverse(%v) = %v if %v; of the numbers: %v", b, a, open, open.Guard(), err)
		}
		x, err := got.AppendOffsets(nil)
		y, err2 := want.AppendOffsets(nil)
		if err != nil || err2 != nil || !slices.Equal(x, y) {
			t.Fatalf("%v o left_inverse(%v) = %v if %v, that is %v; of the numbers: %v", b, a, open, open.Guard(), got, want)
		}
	})
}
