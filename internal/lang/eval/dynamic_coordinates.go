package eval

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// This file applies functions of coordinates to run-time integers.

func (c *call) dynamicCrd2Idx() (Value, error) {
	if len(c.args) == 2 && isFunction(c.args[1]) {
		if at, err := asDynamicTuple(c.args[0]); err == nil && !at.HasOpen() {
			return c.env.dynamicApply(c.args[1], c.args[:1])
		}
	}
	shape, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	var t symbolic.Tuple
	var g symbolic.Guard
	if len(c.args) > 2 {
		stride, errD := asDynamicTuple(c.args[2])
		if errD != nil {
			return nil, c.bad(2, "a stride")
		}
		l, errL := symbolic.New(shape, stride)
		if errL != nil {
			return nil, errL
		}
		t, g, err = l.Eval(at)
	} else {
		t, g, err = symbolic.Crd2Idx(at, shape)
	}
	return simplify(DynamicTuple{t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1]))}, err)
}

func (c *call) dynamicIdx2Crd() (Value, error) {
	if len(c.args) > 2 {
		return nil, c.bad(2, "left out where integers are not known")
	}
	shape, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	if isFunction(c.args[1]) { // an offset of a function may have no coordinate, or several
		return nil, &cute.Error{
			Code: cute.CodeUnknown, Op: "idx2crd",
			Msg:  fmt.Sprintf("which coordinate of %s has the offset depends on integers that are known at run time", c.args[1]),
			Hint: "with the shape alone, idx2crd returns the coordinate of an index",
		}
	}
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "an index")
	}
	t, g, err := symbolic.Idx2Crd(at, shape)
	return simplify(DynamicTuple{t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1]))}, err)
}

func (c *call) dynamicIncrement() (Value, error) {
	shape, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	t, g, err := symbolic.Increment(at, shape)
	return simplify(DynamicTuple{t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1]))}, err)
}

func (c *call) dynamicCrd2Crd() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	from, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	to, err := c.dynamicShape(2)
	if err != nil {
		return nil, err
	}
	index, g, err := symbolic.Crd2Idx(at, from)
	if err != nil {
		return nil, err
	}
	r, h, err := symbolic.Idx2Crd(index, to)
	for _, a := range c.args {
		g = g.And(guardOf(a))
	}
	return simplify(DynamicTuple{r, g.And(h)}, err)
}

// sliceTuple slices or dices a tuple. Only the underscores of the coordinate matter, not its integers.
func sliceTuple(v Value, at symbolic.Tuple, f func(cute.Tuple, cute.Coord) (cute.Tuple, error)) (Value, error) {
	t, err := asDynamicTuple(v)
	if err != nil {
		return nil, err
	}
	r, err := symbolic.RearrangeTuples(func(ids ...cute.Tuple) (cute.Tuple, error) { return f(ids[0], at.Pattern()) }, t)
	return simplify(DynamicTuple{r, guardOf(v)}, err)
}

func (c *call) dynamicSlice() (Value, error) {
	at := c.slicedAt()
	return c.env.dynamicApply(c.args[at], []Value{c.args[1-at]})
}

func (c *call) dynamicDice() (Value, error) {
	place := c.slicedAt()
	at, err := asDynamicTuple(c.args[1-place])
	if err != nil {
		return nil, c.bad(1-place, "a coordinate")
	}
	if dynamic(c.args[1-place]) {
		return nil, c.bad(1-place, "a coordinate of known integers and _")
	}
	switch v := c.args[place].(type) {
	case Tuple, DynamicTuple, Coord:
		return sliceTuple(v, at, cute.Tuple.Dice)
	}
	return c.onInner(place, func(l symbolic.Layout) (symbolic.Layout, error) {
		return symbolic.Rearrange(func(ids ...cute.Layout) (cute.Layout, error) { return ids[0].Dice(at.Pattern()) }, l)
	})
}

func (c *call) dynamicSliceAndOffset() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	l, err := asDynamicLayout(c.args[1])
	if err != nil {
		return nil, err
	}
	s, off, err := l.Slice(at)
	if err != nil {
		return nil, err
	}
	v, err := simplify(DynamicLayout{s.If(guardOf(c.args[0]))}, nil)
	if err != nil {
		return nil, err
	}
	x, err := simplify(DynamicTuple{Tuple: off}, nil)
	return List{v, x}, err
}

func (c *call) dynamicDomainOffset() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	l, err := asDynamicLayout(c.args[1])
	if err != nil {
		return nil, err
	}
	off, g, err := l.Eval(at)
	if err != nil {
		return nil, err
	}
	x, err := simplify(DynamicTuple{off, g.And(guardOf(c.args[0]))}, nil)
	if err != nil {
		return nil, err
	}
	v, err := simplify(DynamicLayout{l}, nil)
	return List{v, x}, err
}

// isFunction reports whether a value is more than a shape: it maps coordinates to offsets by its own strides.
func isFunction(v Value) bool {
	switch v.(type) {
	case Layout, DynamicLayout, Composed, DynamicComposed:
		return true
	}
	return false
}
