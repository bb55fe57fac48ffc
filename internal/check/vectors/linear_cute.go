package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/linear"
)

// runLinearCute runs a row of the section cute: whether a CuTe layout, with a swizzle or an offset, is a map over bits.
// The row records the map, or the index at which the layout is not one.
func runLinearCute(row linearRow) outcome {
	var c struct {
		Shape, Stride []int64
		Swizzle       []int
		Offset        int64
		Want          struct {
			Linear        bool
			Origin        int64
			Bases         []int64
			ImageDisjoint *bool `json:"image_disjoint"`
			FirstBad      *struct {
				Index, Layout int64
				Xor           int64 `json:"xor_of_bits"`
			} `json:"first_bad"`
		}
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	l, err := cuteMap(c.Shape, c.Stride, c.Swizzle, c.Offset)
	if bad := c.Want.FirstBad; bad != nil {
		want := fmt.Sprintf("not linear at %d: %d, not %d", bad.Index, bad.Layout, bad.Xor)
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Witness == nil {
			return row.mismatch(fmt.Sprint(l, err), want, "girih takes it for a map over bits, or gives no witness")
		}
		w := e.Witness
		if w.Index != bad.Index || !w.Value.Equal(cute.Int(bad.Layout)) || !w.Want.Equal(cute.Int(bad.Xor)) {
			return row.mismatch(e.Error(), want, "another witness")
		}
		return pass()
	}
	want := fmt.Sprintf("bases %v, origin %d", c.Want.Bases, c.Want.Origin)
	if err != nil {
		return row.mismatch(err.Error(), want, "girih refuses")
	}
	var bases []int64
	disjoint, used := true, int64(0)
	for _, b := range l.Bases()[0].Bases {
		bases = append(bases, b[0])
		disjoint = disjoint && used&b[0] == 0
		used |= b[0]
	}
	if !slices.Equal(bases, c.Want.Bases) || l.Origin()[0] != c.Want.Origin {
		return row.mismatch(fmt.Sprintf("bases %v, origin %d", bases, l.Origin()[0]), want, "another map")
	}
	if d := c.Want.ImageDisjoint; d != nil && *d != disjoint {
		return row.mismatch(fmt.Sprint("disjoint: ", disjoint), fmt.Sprint("disjoint: ", *d), "another claim about the bases")
	}
	return pass()
}

// cuteMap returns the layout of a row as a map over bits.
func cuteMap(shape, stride []int64, swizzle []int, offset int64) (linear.Layout, error) {
	l, err := cute.New(vectorOf(shape), vectorOf(stride))
	if err != nil {
		return linear.Layout{}, err
	}
	var outer cute.Outer
	switch {
	case len(swizzle) == 3:
		outer, err = cute.NewSwizzle(swizzle[0], swizzle[1], swizzle[2])
	case offset != 0:
		outer, err = cute.New(cute.Int(1), cute.Int(1))
	default:
		return linear.FromLayout(l)
	}
	if err != nil {
		return linear.Layout{}, err
	}
	f, err := cute.NewComposed(outer, cute.Int(offset), l)
	if err != nil {
		return linear.Layout{}, err
	}
	return linear.FromComposed(f)
}

func vectorOf(xs []int64) cute.Tuple {
	if len(xs) == 1 {
		return cute.Int(xs[0])
	}
	return cute.Ints(xs...)
}

// A numberOrList is the expected value in a row of pycute_f2: a number, or a tuple of numbers.
type numberOrList []int64

// UnmarshalJSON reads a number or a list; a sentence gives an empty list.
func (n *numberOrList) UnmarshalJSON(data []byte) error {
	var x int64
	if json.Unmarshal(data, &x) == nil {
		*n = numberOrList{x}
		return nil
	}
	var xs []int64
	if json.Unmarshal(data, &xs) == nil {
		*n = xs
	}
	return nil
}
