package eval

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// This file makes tuples and layouts with run-time integers.

// dynamicMakeTuple makes a tuple of integers and coordinates, or a tile of tilers.
func (c *call) dynamicMakeTuple() (Value, error) {
	for _, a := range c.args {
		if _, err := asDynamicTuple(a); err != nil || c.written == "make_tile" {
			return dynamicTile(c.args)
		}
	}
	return dynamicNest(c.args)
}

func (c *call) dynamicMakeLayout() (Value, error) {
	if _, err := asDynamicTuple(c.args[0]); err == nil {
		switch s := c.argOr(1).(type) {
		case nil:
			return onRunTime.fromShape(symbolic.LayoutLeft)(c)
		case Order:
			if s == "LayoutRight" {
				return onRunTime.fromShape(symbolic.LayoutRight)(c)
			}
			return onRunTime.fromShape(symbolic.LayoutLeft)(c)
		}
		return c.env.shapeStride(c.expr, c.args[0], c.args[1])
	}
	ls := make([]symbolic.Layout, len(c.args))
	for i, a := range c.args {
		var err error
		if ls[i], err = asDynamicLayout(a); err != nil {
			return nil, c.bad(i, "a layout")
		}
	}
	l, err := symbolic.Make(ls...)
	return simplify(DynamicLayout{l}, err)
}

// dynamicShape returns argument i as a shape: a tuple, or the shape of a layout.
func (c *call) dynamicShape(i int) (symbolic.Tuple, error) {
	switch a := c.args[i].(type) {
	case Tuple, DynamicTuple:
		return asDynamicTuple(a)
	case Composed, DynamicComposed:
		d, err := asDynamicComposed(a)
		return d.Inner.Shape(), err
	case Layout, DynamicLayout:
		l, err := asDynamicLayout(a)
		return l.Shape(), err
	}
	return symbolic.Tuple{}, c.bad(i, "a shape")
}

func (c *call) dynamicOrdered() (Value, error) {
	s, err := c.dynamicShape(0)
	if err != nil {
		return nil, err
	}
	o, err := c.dynamicOrder(s)
	if err != nil {
		return nil, err
	}
	l, err := symbolic.Ordered(s, o)
	return simplify(DynamicLayout{l.If(guardOf(c.args[0]))}, err)
}

// dynamicOrder returns one number for each leaf of the shape: from argument 1 or, if it is missing, from the strides of
// the layout that has the shape.
func (c *call) dynamicOrder(shape symbolic.Tuple) ([]int64, error) {
	order := symbolic.Number(symbolic.Const(0))
	var err error
	switch a := c.argOr(1).(type) {
	case nil:
		if _, err := asDynamicTuple(c.args[0]); err == nil {
			break
		}
		l, err := c.dynamicInnerOf(0)
		if err != nil {
			return nil, err
		}
		order = l.Stride()
	case Order:
		out := make([]int64, shape.LeafCount())
		for i := range out {
			out[i] = int64(i)
			if a == "LayoutRight" {
				out[i] = int64(-i)
			}
		}
		return out, nil
	default:
		if order, err = asDynamicTuple(a); err != nil {
			return nil, c.bad(1, "an integer or a tuple")
		}
	}
	return c.spreadOrder(nil, order, shape)
}

// spreadOrder appends the order's number for each leaf of the shape. Unknown numbers cannot be ordered. CuTe C++ puts
// unknown numbers last for all values, so its result differs from the result with known numbers.
func (c *call) spreadOrder(dst []int64, order, shape symbolic.Tuple) ([]int64, error) {
	modes, inner := order.Modes(), shape.Modes()
	if v, leaf := order.Leaf(); leaf {
		x, isInt := v.Int()
		number, known := x.Int64()
		switch {
		case !isInt:
			return nil, &cute.Error{
				Code: cute.CodeCodomain, Op: c.fn.Name,
				Msg: fmt.Sprintf("coordinates have no order: %s", order),
			}
		case !known:
			return nil, &cute.Error{
				Code: cute.CodeUnknown, Op: c.fn.Name, Msg: fmt.Sprintf("which mode comes first depends on %s", x),
				Hint: "write numbers for the order; CuTe C++ puts a mode whose number is not known last",
			}
		}
		for range shape.LeafCount() {
			dst = append(dst, number)
		}
		return dst, nil
	}
	if _, leaf := shape.Leaf(); leaf || order.Open() || len(modes) != len(inner) {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: c.fn.Name,
			Msg: fmt.Sprintf("the order must have one number for each mode of the shape %s, found %s", shape, order),
		}
	}
	for i, m := range modes {
		var err error
		if dst, err = c.spreadOrder(dst, m, inner[i]); err != nil {
			return nil, err
		}
	}
	return dst, nil
}
