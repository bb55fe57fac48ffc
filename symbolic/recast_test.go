package symbolic_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/symbolic"
)

func TestUpcastsCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, upcastCommutes)
}

func FuzzUpcast(f *testing.F) { f.Fuzz(rapid.MakeFuzz(upcastCommutes)) }

// At all values that its guard admits, a recast layout equals the recast of the known integers, and the stride of a
// mode of extent 1 is never refused.
func upcastCommutes(t *rapid.T) {
	w := &world{}
	a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
	if rapid.Bool().Draw(t, "a mode of extent 1") {
		one := rapid.SampledFrom([]symbolic.Int{symbolic.Const(1), w.extent(t, "an extent")}).Draw(t, "one")
		d := symbolic.Const(rapid.Int64Range(-9, 9).Draw(t, "its stride"))
		l, err := symbolic.New(nested([]symbolic.Tuple{a.Shape(), symbolic.Number(one)}),
			nested([]symbolic.Tuple{a.Stride(), symbolic.Number(d)}))
		if err != nil {
			t.Fatal(err)
		}
		a = l
	}
	n := rapid.SampledFrom([]int64{1, 2, 3, 4, 8}).Draw(t, "n")
	r, err := symbolic.Upcast(a, n)
	if err != nil {
		refusedBy(t, err)
		for range 6 {
			at := w.values(t)
			x, bad := bare(a, at)
			if bad != nil {
				continue
			}
			if c, known := cute.Upcast(x, n); known == nil && err.(*cute.Error).Code != cute.CodeUnknown {
				t.Fatalf("upcast<%d>(%v): %v, but at %v it is %v", n, a, err, show(at), c)
			}
		}
		return
	}
	wantSubstitution(t, w, fmt.Sprintf("upcast<%d>(%v)", n, a), r, nil, []symbolic.Layout{a},
		func(l []cute.Layout) (cute.Layout, error) { return cute.Upcast(l[0], n) })
}
