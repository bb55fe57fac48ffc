package eval

import (
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/internal/ints"
	"girih/internal/lang/triton"
	"girih/linear"
)

// This file has the methods that make linear layouts, and that convert them back to layouts of CuTe or to layouts with
// F2 strides.

func makeF2(c *call) (Value, error) {
	if x, ok := c.args[0].(F2); ok {
		return x, nil
	}
	n, err := c.integer(0)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, &cute.Error{
			Code: cute.CodeNegative, Op: "F2",
			Msg: "expected a number of at least 0, found " + c.args[0].String(),
		}
	}
	return F2{Number: f2.Vector(n)}, nil
}

func hasPart(c *call) (Value, error) {
	a, errA := asLinear(c.args[0])
	if errA != nil {
		return nil, errA
	}
	b, errB := asLinear(c.args[1])
	return Bool(errB == nil && a.HasPart(b)), errB
}

// linear converts argument 0 to a linear layout.
func (c *call) linear() (Value, error) {
	if enc, ok := c.args[0].(Encoding); ok {
		l, err := c.encodingLayout(enc, 1)
		return Linear{l}, err
	}
	var names []string
	if len(c.args) > 1 {
		n, ok := c.args[1].(Names)
		if !ok {
			return nil, c.bad(1, "names of dimensions")
		}
		names = n
	}
	l, err := asLinear(c.args[0], names...)
	return Linear{l}, err
}

// toLayout converts argument 0 back to a layout of CuTe.
func (c *call) toLayout() (Value, error) {
	var l linear.Layout
	var err error
	if enc, ok := c.args[0].(Encoding); ok {
		if padded, ok := enc.Encoding.(triton.PaddedShared); ok && len(c.args) > 1 {
			return c.paddedLayout(padded)
		}
		l, err = c.encodingLayout(enc, 1)
	} else {
		if v, ok := unevenLayout(c.args[0]); ok {
			return v, nil
		}
		if l, err = asLinear(c.args[0]); err == nil {
			c.env.noteUneven(c.args[0])
		}
	}
	if err != nil {
		return nil, err
	}
	for _, d := range l.OutDims() {
		if d.Size == 1 && len(l.OutDims()) > 1 {
			if l, err = l.SqueezeOuts(d.Name); err != nil {
				return nil, err
			}
		}
	}
	return c.linearToLayout(l)
}

// linearToLayout returns a map with several outputs as a layout of coordinates. It returns a map with one output as the
// layout of its values, with a swizzle outside if necessary.
func (c *call) linearToLayout(l linear.Layout) (Value, error) {
	if len(l.OutDims()) > 1 {
		r, offset, err := l.ToLayout()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(offset.Leaves(), func(x int64) bool { return x != 0 }) {
			c.env.note("the value at 0 is %v: the layout is without it", offset)
		}
		return Layout{r}, nil
	}
	r, err := l.ToComposed()
	if err != nil {
		return nil, err
	}
	if r.Outer() == nil {
		return Layout{r.Layout()}, nil
	}
	return Composed{r}, nil
}

// unevenLayout returns a value whose size is not a power of two as a CuTe layout with that size and the same values, if
// there is one.
func unevenLayout(v Value) (Value, bool) {
	if unevenSize(v) == 0 {
		return nil, false
	}
	if l, err := asLayout(v); err == nil {
		return Layout{l}, !l.HasBasis()
	}
	if _, table, err := valuesOf("to_layout", v); err == nil {
		if l, err := cute.Recognize(table); err == nil {
			return Layout{l}, true
		}
	}
	_, ok := v.(Composed)
	return v, ok
}

// toXor converts argument 0 to a layout with F2 strides.
func (c *call) toXor() (Value, error) {
	if x, ok := c.args[0].(Xor); ok && unevenSize(x) != 0 {
		return x, nil
	}
	if n := unevenSize(c.args[0]); n != 0 {
		if shape, table, err := valuesOf("to_xor", c.args[0]); err == nil {
			for _, s := range []cute.Tuple{shape, cute.Int(n)} {
				at := ints.Asking(c.env.stop(), func(i int64) (int64, error) { return table[i], nil })
				if x, err := linear.FitXor(s, at); err == nil {
					return Xor{x}, nil
				}
			}
		}
	}
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	c.env.noteUneven(c.args[0])
	return xorOf(l.ToXor())
}

// paddedLayout returns the layout from each element, counted without padding, to its place in padded memory.
func (c *call) paddedLayout(padded triton.PaddedShared) (Value, error) {
	shape, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	n, err := shape.Product()
	if err != nil {
		return nil, err
	}
	l, err := padded.Physical(n)
	return Layout{l}, err
}

// linearPair calls f with two linear layouts.
//
//go:noinline
func linearPair(f func(a, b linear.Layout) (linear.Layout, error)) method {
	return func(c *call) (Value, error) {
		a, err := asLinear(c.args[0])
		if err != nil {
			return nil, err
		}
		b, err := asLinear(c.args[1])
		if err != nil {
			return nil, err
		}
		l, err := f(a, b)
		return Linear{l}, err
	}
}
