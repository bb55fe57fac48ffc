package girih_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// Every offset of a layout has a coordinate inside its bounds, and no other number has one.
func TestCoordAt(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		image := oracle.Image(oracle.Of(l))
		for x := image[0] - 2; x <= image[len(image)-1]+2; x++ {
			c, err := l.CoordAt(x)
			if _, found := slices.BinarySearch(image, x); !found {
				wantCode(t, "the coordinate of no offset", err, girih.CodeNotInvertible)
				continue
			}
			noError(t, "the coordinate of an offset", err)
			at, err := l.Eval(c)
			noError(t, "eval", err)
			if !at.Equal(girih.Int(x)) || !girih.Congruent(c, l.Shape()) {
				t.Fatalf("%v has the offset %d at %v, where it is %v", l, x, c, at)
			}
			if inside, err := girih.ElemLess(c, l.Shape()); err != nil || !inside {
				t.Fatalf("%v has the offset %d at %v, out of its bounds", l, x, c)
			}
		}
	})
}

func TestCoordAtHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.HugeLayouts().Draw(t, "l")
		i := drawIndex(t, l)
		x := valueAt(l, i)
		c, err := l.CoordAt(x.Int64())
		if errorCode(err) == girih.CodeLimit {
			return
		}
		noError(t, "the coordinate of an offset", err)
		sum := new(big.Int)
		for j, d := range l.Stride().Leaves() {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(d), big.NewInt(c.Leaves()[j])))
		}
		if inside, err := girih.ElemLess(c, l.Shape()); sum.Cmp(x) != 0 || err != nil || !inside {
			t.Fatalf("%v has the offset %v at %v, where it is %v", l, x, c, sum)
		}
	})
}
