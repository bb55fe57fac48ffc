package eval

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file defines the methods that make layouts and tuples of known integers. The same methods for run-time integers
// are in dynamic_construction.go.

func makeOrderedLayout(c *call) (Value, error) {
	s, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	o, err := c.order(s)
	if err != nil {
		return nil, err
	}
	return layoutOf(cute.MakeOrderedLayout(s, o))
}

func makeUnit(c *call) (Value, error) {
	path, err := c.numbers(0)
	if err != nil || len(path) == 0 {
		return integer(1), err
	}
	return tupleOf(cute.Basis(1, path...))
}

func makeBasisLike(c *call) (Value, error) {
	s, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.MakeBasisLike(s))
}

func makeSwizzle(c *call) (Value, error) {
	n, err := c.numbers(0)
	if err != nil {
		return nil, err
	}
	if len(n) != 3 {
		return nil, c.bad(0, "three integers with the rest")
	}
	w, err := cute.NewSwizzle(n[0], n[1], n[2])
	if err != nil {
		return nil, err
	}
	return Swizzle{w}, nil
}

func makeComposedLayout(c *call) (Value, error) {
	if _, err := c.tuple(1); err != nil {
		return nil, err
	}
	return c.chain()
}

func recognize(c *call) (Value, error) {
	if v, ok := c.args[0].(Composed); ok && len(c.args) == 1 {
		return functionValue(v.Map(always(cute.Coalesce)))
	}
	if l, ok := c.args[0].(List); ok && len(c.args) == 1 {
		c.args = l
	}
	coords, xs, err := c.table()
	if err != nil {
		return nil, err
	}
	if coords != nil {
		return layoutOf(cute.RecognizeCoordinates(coords))
	}
	l, err := c.env.stop().Recognize(xs)
	if err != nil {
		return c.recognizeSwizzled(xs, err)
	}
	return Layout{l}, nil
}

// table returns the entries of a table: as coordinates if at least one entry is a coordinate, and otherwise as
// integers.
func (c *call) table() (coords []cute.Tuple, xs []int64, err error) {
	entries := make([]cute.Tuple, len(c.args))
	for i := range c.args {
		if entries[i], err = c.tuple(i); err != nil {
			return nil, nil, err
		}
	}
	if t := entries[0]; len(entries) == 1 && t.Depth() > 0 {
		if t.Depth() == 1 && !t.HasBasis() {
			return nil, t.Leaves(), nil
		}
		entries = t.Modes()
	}
	for _, t := range entries {
		if !t.IsInt() {
			return entries, nil, nil
		}
		x, _ := t.Int64()
		xs = append(xs, x)
	}
	return nil, xs, nil
}

// order returns the order of the modes of a shape: argument 1 or, if it is missing, the strides of the layout that has
// the shape.
func (c *call) order(shape cute.Tuple) (cute.Tuple, error) {
	if len(c.args) > 1 {
		o, ok := c.args[1].(Order)
		if !ok {
			return c.tuple(1)
		}
		if o == "LayoutRight" {
			l, err := cute.LayoutRight(shape)
			return l.Stride(), err
		}
		return cute.Int(0), nil
	}
	switch v := c.args[0].(type) {
	case Layout:
		return v.Stride(), nil
	case Composed:
		return v.Composed.Layout().Stride(), nil
	}
	return cute.Int(0), nil
}

// layoutOf, tupleOf and intOf convert results of package cute to values.
func layoutOf(l cute.Layout, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return Layout{l}, nil
}

func tupleOf(t cute.Tuple, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return Tuple{t}, nil
}

//go:noinline
func intOf(x int64, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return integer(x), nil
}

// makeLayout returns shape:stride for tuples, and a concatenation if an argument is a layout.
func makeLayout(c *call) (Value, error) {
	if len(c.args) == 0 {
		return layoutOf(cute.MakeLayout())
	}
	_, shaped := c.args[0].(Tuple)
	if !shaped {
		return concatenate(c)
	}
	if len(c.args) == 1 {
		return onKnown.fromShape(cute.LayoutLeft)(c)
	}
	switch d := c.args[1].(type) {
	case Order:
		if len(c.args) == 2 {
			if d == "LayoutRight" {
				return onKnown.fromShape(cute.LayoutRight)(c)
			}
			return onKnown.fromShape(cute.LayoutLeft)(c)
		}
	case Tuple:
		if len(c.args) == 2 {
			return c.env.shapeStride(c.expr, c.args[0], d)
		}
	}
	return concatenate(c)
}

func concatenate(c *call) (Value, error) {
	ls := make([]cute.Layout, len(c.args))
	for i := range c.args {
		var err error
		if ls[i], err = c.layout(i); err != nil {
			return nil, err
		}
	}
	return layoutOf(cute.MakeLayout(ls...))
}

func makeTuple(c *call) (Value, error) {
	coords := true
	for _, a := range c.args {
		switch a.(type) {
		case Tuple, Coord:
		default:
			coords = false
		}
	}
	if !coords || c.written == "make_tile" {
		ts := make([]cute.Tiler, len(c.args))
		for i := range c.args {
			var err error
			if ts[i], err = c.tiler(i); err != nil {
				return nil, err
			}
		}
		return Tile{cute.MakeTile(ts...)}, nil
	}
	cs := make([]cute.Coord, len(c.args))
	ts := make([]cute.Tuple, 0, len(c.args))
	for i, a := range c.args {
		if t, ok := a.(Tuple); ok {
			ts = append(ts, t.Tuple)
			continue
		}
		var err error
		if cs[i], err = c.coord(i); err != nil {
			return nil, err
		}
	}
	if len(ts) == len(cs) {
		return tupleOf(cute.MakeTuple(ts...))
	}
	for i := range c.args {
		var err error
		if cs[i], err = c.coord(i); err != nil {
			return nil, err
		}
	}
	return Coord{cute.MakeCoord(cs...)}, nil
}

func tileToShape(c *call) (Value, error) {
	target, order, err := c.targetAndOrder()
	if err != nil {
		return nil, err
	}
	v, err := c.domain(0, func(l cute.Layout) (cute.Layout, error) { return c.env.stop().TileToShape(l, target, order) })
	if err != nil {
		return nil, err
	}
	c.noteRounding(v, target)
	return v, nil
}

// tileToMMAShape tiles to the shape (MMA_M·M,MMA_K·K,...), as ((MMA_M,M),(MMA_K,K),...), and divides by (MMA_M,MMA_K).
func tileToMMAShape(c *call) (Value, error) {
	shape, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	modes := shape.Modes()
	if len(modes) < 3 || modes[0].Rank() != 2 || modes[0].IsInt() {
		return nil, &cute.Error{Code: cute.CodeRank, Op: c.fn.Name, Msg: fmt.Sprintf(
			"expected a shape as partition_shape_A returns, ((MMA_M,MMA_K),M,K,...), found %v", shape)}
	}
	matrix := modes[0].Modes()
	whole := slices.Clone(modes[1:])
	for i, n := range matrix {
		if whole[i], err = cute.MakeTuple(n, modes[1+i]); err != nil {
			return nil, err
		}
	}
	target, err := cute.MakeTuple(whole...)
	if err != nil {
		return nil, err
	}
	args := append([]Value{c.args[0], Tuple{target}}, c.args[2:]...)
	tiled, err := c.env.builtin(c.expr, "tile_to_shape", args...)
	if err != nil {
		return nil, err
	}
	by, err := cute.ProductEach(modes[0])
	if err != nil {
		return nil, err
	}
	return c.env.builtin(c.expr, "tiled_divide", tiled, Tuple{by})
}

// targetAndOrder returns the arguments of tile_to_shape after the block. A missing order is ().
func (c *call) targetAndOrder() (target, order cute.Tuple, err error) {
	if target, err = c.shape(1); err != nil {
		return target, order, err
	}
	if len(c.args) == 3 {
		if o, ok := c.args[2].(Order); !ok {
			if order, err = c.tuple(2); err != nil {
				return target, order, err
			}
		} else if o == "LayoutRight" {
			n := target.Rank()
			xs := make([]int64, n)
			for i := range xs {
				xs[i] = int64(n - 1 - i)
			}
			order = cute.Ints(xs...)
		}
	}
	return target, order, nil
}

// noteRounding notes that a result of tile_to_shape is larger than its target.
func (c *call) noteRounding(v Value, target cute.Tuple) {
	var got cute.Tuple
	switch v := v.(type) {
	case Layout:
		got = v.Shape()
	case Composed:
		got = v.Shape()
	case Xor:
		got = v.Shape()
	}
	want, err1 := cute.ProductEach(target)
	have, err2 := cute.ProductEach(got)
	if err1 == nil && err2 == nil && !want.Equal(have) {
		c.env.note("the block does not divide %v: the result has the shape %v, rounded up", want, have)
	}
}
