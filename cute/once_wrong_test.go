package cute_test

import (
	"errors"
	"math"
	"testing"

	"girih/cute"
)

// This file holds answers that were wrong once.

func TestOnceWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		right func() bool
	}{
		{"a padded divide of what ends in 1:1 can be asked for its elements", func() bool {
			d, err := cute.LogicalDivide(parse("(2,1):(1,1)"), parse("4:1"))
			if err != nil {
				return false
			}
			c, err := cute.Idx2Crd(cute.Int(1), d.Shape())
			if err != nil {
				return false
			}
			in, err := d.Padding.Contains(c)
			return in && err == nil
		}},
		{"the coordinates of a padded divide fit its shape", func() bool {
			d, err := cute.LogicalDivide(parse("(5,2,3):(1,8,77)"), parse("4:1"))
			return err == nil && cute.Compatible(d.Shape(), d.Padding.Coord.Shape())
		}},
		{"the coordinates of a padded tiled divide fit its shape", func() bool {
			d, err := cute.TiledDivide(parse("(6,2):(1,10)"), parse("5:1"))
			return err == nil && cute.Compatible(d.Shape(), d.Padding.Coord.Shape())
		}},
		{"a divide by coordinates reaches all of a nested mode", func() bool {
			d, err := cute.LogicalDivide(parse("(3,(2,2)):(1,(3,6))"), parse("(2,3):(1@0,1@1)"))
			return err != nil || !d.Padding.None()
		}},
		{"a tile of coordinates that repeats elements adds none", func() bool {
			d, err := cute.LogicalDivide(parse("(4,3):(1,4)"), parse("(2,2):(1@0,0)"))
			return err == nil && d.Padding.None()
		}},
		{"an upcast keeps the wide elements that a diagonal visits apart", func() bool {
			_, err1 := cute.Upcast(parse("4:1@0+2@1"), 4)
			_, err2 := cute.Upcast(parse("4:1@0+4@1"), 4)
			return err1 != nil && err2 != nil
		}},
		{"an upcast of a swizzle that moves the parts of a wide element apart is refused", func() bool {
			w, err := cute.NewSwizzle(3, 1, -3)
			if err != nil {
				return false
			}
			_, err = w.Upcast(4)
			return err != nil
		}},
		{"a coordinate may leave out modes at every level in a chain", func() bool {
			_, err := cute.NewComposed(parse("(2,(2,2),2):(1,(2,4),8)"), cute.Int(0), parse("(2,2):(1@0@1,1@2)"))
			return err == nil
		}},
		{"a witness says what a layout would give, or nothing, where that does not fit 64 bits", func() bool {
			_, err := cute.Recognize([]int64{0, math.MaxInt64, math.MinInt64})
			e, ok := errors.AsType[*cute.Error](err)
			return ok && (e.Witness == nil || !e.Witness.Want.Equal(cute.Int(-2)))
		}},
		{"what two layouts have in common lies inside both", func() bool {
			n, err := cute.MaxCommonVector(parse("2:1"), parse("8:1"))
			return err == nil && n == 2
		}},
		{"a profile without modes has no more modes than a layout", func() bool {
			_, err := cute.CoalesceProfile(parse("4:1"), cute.Tuple{})
			return err == nil
		}},
		{"a complement has the stride 0 where its extent is 1", func() bool {
			c, err := cute.Complement(parse("(2,3):(1@0,1@2)"), cute.MustParseTuple("(2,1,3)"))
			return err == nil && c.String() == "(1,1,1):(0,0,0)"
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if !test.right() {
				t.Error("this is wrong again")
			}
		})
	}
}
