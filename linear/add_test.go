package linear_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/linear"
	"pgregory.net/rapid"
)

// Every value of the sum is the exclusive or of the values, and a layout with a larger output has the same values.
func TestXorAndGrow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) linear.Layout {
			x, y := rapid.Int64Range(0, 3).Draw(t, label+" x"), rapid.Int64Range(0, 2).Draw(t, label+" y")
			bases := make([][]int64, 3)
			for k := range bases {
				bases[k] = []int64{rapid.Int64Range(0, 1<<x-1).Draw(t, "x"), rapid.Int64Range(0, 1<<y-1).Draw(t, "y")}
			}
			l, err := linear.New([]linear.In{{Name: "i", Bases: bases}},
				[]linear.Dim{{Name: "x", Size: 1 << x}, {Name: "y", Size: 1 << y}})
			if err != nil {
				t.Fatal(err)
			}
			if l, err = l.WithOrigin(rapid.Int64Range(0, 1<<x-1).Draw(t, "x0"),
				rapid.Int64Range(0, 1<<y-1).Draw(t, "y0")); err != nil {
				t.Fatal(err)
			}
			return l
		}
		a, b := draw("a"), draw("b")
		sum, err := a.Xor(b)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := a.GrowOut("x", 16)
		if err != nil || grown.OutSize("x") != 16 || grown.OutSize("y") != a.OutSize("y") {
			t.Fatalf("grown to %v: %v", grown, err)
		}
		for i := range int64(8) {
			p, errP := a.At(i)
			q, errQ := b.At(i)
			s, errS := sum.At(i)
			g, errG := grown.At(i)
			if errP != nil || errQ != nil || errS != nil || errG != nil {
				t.Fatal(errP, errQ, errS, errG)
			}
			for k := range p {
				if s[k] != p[k]^q[k] || g[k] != p[k] {
					t.Fatalf("at %d: %v xor %v is %v, grown %v", i, p, q, s, g)
				}
			}
		}
	})
	l := line(4, 1, 2)
	_, other := l.Xor(line(8, 1))
	_, names := l.Xor(must(linear.Identity1D(4, "i", "p")))
	_, unknown := l.GrowOut("p", 8)
	_, smaller := l.GrowOut("o", 2)
	for err, code := range map[error]cute.Code{
		other: cute.CodeNotCongruent, names: cute.CodeNotCongruent, unknown: cute.CodeName, smaller: cute.CodeExtent,
	} {
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
}
