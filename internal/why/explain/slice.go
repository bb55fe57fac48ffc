package explain

import (
	"fmt"

	"girih/cute"
)

// slice explains slice, dice and slice_and_offset.
func slice(op *Operation, x *Explanation) {
	c, ok := arg[cute.Coord](op, 0)
	if !ok {
		t, isTuple := arg[cute.Tuple](op, 0)
		if !isTuple {
			return
		}
		var err error
		if c, err = cute.Fixed(t); err != nil {
			return
		}
	}
	l, ok := arg[cute.Layout](op, 1)
	if !ok || op.Err != nil {
		return
	}
	x.Source = "CuTe, include/cute/underscore.hpp, slice and dice"
	switch op.Name {
	case "dice":
		x.Rule = "The modes that the coordinate fixes with a number; those left open by _ are dropped."
	default:
		x.Rule = "The modes that the coordinate leaves open with _; each fixed mode adds coordinate times stride to the offset at which the slice begins."
	}
	rows := [][]string{{"mode", "coordinate", "", "offset"}}
	d, err := cute.DeriveSlice(l, c)
	if err != nil {
		return
	}
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			rows = append(rows, []string{s.A.String(), fmt.Sprint(s.B), "fixed", s.To.String()})
		case cute.OpenMode:
			rows = append(rows, []string{s.Mode.String(), "_", "stays", ""})
		}
	}
	r, off := d.Result, d.To
	if op.Name == "dice" {
		if r, err = l.Dice(c); err != nil {
			return
		}
		x.sayf("The fixed part: %v.", r).show(columns(rows...)...)
		return
	}
	x.sayf("What stays is %v, and it begins at offset %v:", r, off).show(columns(rows...)...)
	if got, ok := op.layoutResult(); ok {
		r = got
	}
	if c.HasOpen() {
		x.verify(fmt.Sprintf("%v + R(i) is the value of L with the open modes at i,", off), r.Size(), sliceAgrees(l, c, r, off))
	}
}

// sliceAgrees returns a function that reports whether the offset off plus r(i), element i of the slice, equals the
// value of l at c after the open modes of c are set to the coordinate of i in r.
func sliceAgrees(l cute.Layout, c cute.Coord, r cute.Layout, off cute.Tuple) func(i int64) bool {
	return func(i int64) bool {
		open, err := cute.Idx2Crd(cute.Int(i), r.Shape())
		if err != nil {
			return false
		}
		digits := open.Flatten().Leaves()
		full, ok := fillOpen(c, l.Shape(), &digits)
		if !ok {
			return false
		}
		want, ok1 := at(l, full)
		got, ok2 := at(r, cute.Int(i))
		if !ok1 || !ok2 {
			return false
		}
		sum, err := got.Add(off)
		if err != nil {
			return false
		}
		return sameValue(sum, want)
	}
}

// fillOpen returns c, a coordinate in shape, with its open leaves replaced by the digits in order.
func fillOpen(c cute.Coord, shape cute.Tuple, digits *[]int64) (cute.Tuple, bool) {
	if t, closed := c.Tuple(); closed {
		return t, true
	}
	if c.String() == "_" {
		if shape.IsInt() {
			if len(*digits) == 0 {
				return shape, false
			}
			d := (*digits)[0]
			*digits = (*digits)[1:]
			return cute.Int(d), true
		}
		parts := make([]cute.Tuple, shape.Rank())
		for i, m := range shape.Modes() {
			var ok bool
			if parts[i], ok = fillOpen(cute.Open, m, digits); !ok {
				return shape, false
			}
		}
		t, err := cute.MakeTuple(parts...)
		return t, err == nil
	}
	cs, ss := c.Modes(), shape.Modes()
	if len(cs) != len(ss) {
		return shape, false
	}
	parts := make([]cute.Tuple, len(cs))
	for i := range cs {
		var ok bool
		if parts[i], ok = fillOpen(cs[i], ss[i], digits); !ok {
			return shape, false
		}
	}
	t, err := cute.MakeTuple(parts...)
	return t, err == nil
}
