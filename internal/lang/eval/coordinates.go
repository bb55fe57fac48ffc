package eval

import (
	"girih/cute"
)

// This file defines the methods that convert and slice coordinates of known integers. The same methods for run-time
// integers are in dynamic_coordinates.go.

func crd2crd(c *call) (Value, error) {
	x, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	from, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	to, err := c.shape(2)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.Crd2Crd(x, from, to))
}

func sliceModes(c *call) (Value, error) {
	x, at, err := c.sliceOperands()
	if err != nil {
		return nil, err
	}
	if k, ok := c.args[at].(Coord); ok {
		return modesWhere(k, x, isOpen)
	}
	return c.env.slice(c.args[at], x)
}

func diceModes(c *call) (Value, error) {
	x, at, err := c.sliceOperands()
	if err != nil {
		return nil, err
	}
	switch v := c.args[at].(type) {
	case Coord:
		return modesWhere(v, x, isFixed)
	case Tuple:
		return tupleOf(v.Dice(x))
	}
	return c.domain(at, func(l cute.Layout) (cute.Layout, error) { return l.Dice(x) })
}

func decay(c *call) (Value, error) {
	v, ok := c.args[0].(Composed)
	if !ok {
		return nil, c.bad(0, "a composed layout")
	}
	l, offset, err := v.Decay()
	return List{Layout{l}, integer(offset)}, err
}

// sliceOperands returns the coordinate of a slice, and the index of the sliced argument.
func (c *call) sliceOperands() (cute.Coord, int, error) {
	at := c.slicedAt()
	x, err := c.coord(1 - at)
	return x, at, err
}

// slicedAt returns the index of the sliced argument. CuTe writes the coordinate first, and the CuTe DSL writes it last.
// The second order is assumed only where the first is impossible: the first argument is a layout, or the only tuple
// with underscores is the second.
func (c *call) slicedAt() int {
	second, err := asDynamicTuple(c.args[1])
	if err != nil {
		return 1
	}
	first, err := asDynamicTuple(c.args[0])
	if err != nil {
		return 0
	}
	if _, closed := first.Pattern().Tuple(); !closed {
		return 1
	}
	if _, closed := second.Pattern().Tuple(); closed {
		return 1
	}
	return 0
}

// isOpen reports whether a mode of a coordinate is an underscore; isFixed reports the opposite.
func isOpen(m cute.Coord) bool  { return m.String() == "_" }
func isFixed(m cute.Coord) bool { return m.String() != "_" }

// modesWhere returns those modes of the coordinate k for which kept is true of the mode of x at the same place.
func modesWhere(k Coord, x cute.Coord, kept func(m cute.Coord) bool) (Value, error) {
	ks, xs := k.Modes(), x.Modes()
	if len(ks) != len(xs) {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "slice",
			Msg: "expected a coordinate with the modes of " + k.String() + ", found " + x.String(),
		}
	}
	var modes []cute.Coord
	for i := range xs {
		if kept(xs[i]) {
			modes = append(modes, ks[i])
		}
	}
	return coordValue(cute.MakeCoord(modes...)), nil
}

func crd2idx(c *call) (Value, error) {
	x, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		l, err := c.shapeStride()
		if err != nil {
			return nil, err
		}
		return evalAt(Layout{l}, x)
	}
	switch f := c.args[1].(type) {
	case Layout, Composed:
		return evalAt(f, x)
	}
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return intOf(cute.Crd2Idx(x, s))
}

// shapeStride makes the layout of arguments 1 and 2, a shape and a stride.
func (c *call) shapeStride() (cute.Layout, error) {
	s, err := c.tuple(1)
	if err != nil {
		return cute.Layout{}, err
	}
	d, err := c.tuple(2)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(s, d)
}

func idx2crd(c *call) (Value, error) { return c.eachOf(crdOfIndex) }

func crdOfIndex(c *call) (Value, error) {
	i, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		l, err := c.shapeStride()
		if err != nil {
			return nil, err
		}
		return coordAt(l, i)
	}
	switch f := c.args[1].(type) {
	case Layout:
		return coordAt(f.Layout, i)
	case Composed:
		off, ok := i.Int64()
		if !ok {
			return nil, c.bad(0, "an integer offset")
		}
		return tupleOf(f.CoordAt(off))
	}
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.Idx2Crd(i, s))
}

func coordAt(l cute.Layout, i cute.Tuple) (Value, error) {
	off, ok := i.Int64()
	if !ok {
		return nil, &cute.Error{Code: cute.CodeType, Op: "idx2crd", Msg: "expected an integer offset, found " + i.String()}
	}
	return tupleOf(l.CoordAt(off))
}

func sliceAndOffset(c *call) (Value, error) {
	x, at, err := c.sliceOperands()
	if err != nil {
		return nil, err
	}
	if v, ok := c.args[at].(Composed); ok {
		r, offset, err := v.DecaySlice(x)
		if err == nil && r.Outer() == nil {
			return List{Layout{r.Layout()}, integer(offset)}, nil
		}
		return List{Composed{r}, integer(offset)}, err
	}
	l, err := c.layout(at)
	if err != nil {
		return nil, err
	}
	s, off, err := l.SliceAndOffset(x)
	return List{Layout{s}, Tuple{off}}, err
}

// getHierCoord implements get_hier_coord(L, offset).
func getHierCoord(c *call) (Value, error) {
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	offset, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	return coordAt(l, offset)
}

// getFlatCoord implements get_flat_coord(L, offset): for a layout of rank 1, as in CuTe, an integer.
func getFlatCoord(c *call) (Value, error) {
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	if l.Rank() == 1 {
		return get1DCoord(c)
	}
	v, err := getHierCoord(c)
	if err != nil {
		return nil, err
	}
	out := make([]int64, l.Rank())
	for i, m := range v.(Tuple).Modes() {
		if out[i], err = cute.Crd2Idx(m, l.Modes()[i].Shape()); err != nil {
			return nil, err
		}
	}
	return Tuple{cute.Ints(out...)}, nil
}

// get1DCoord implements get_1d_coord(L, offset).
func get1DCoord(c *call) (Value, error) {
	v, err := getHierCoord(c)
	if err != nil {
		return nil, err
	}
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	i, err := cute.Crd2Idx(v.(Tuple).Tuple, l.Shape())
	return integer(i), err
}
