package eval

import (
	"errors"
	"fmt"
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

// toLayout converts argument 0 back to a layout of CuTe, in the shape of argument 1 if there is one.
func (c *call) toLayout() (Value, error) {
	v, err := c.withoutShape()
	if _, encoded := c.args[0].(Encoding); err != nil || encoded || len(c.args) == 1 {
		return v, err
	}
	shape, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	reshape := func(l cute.Layout) (cute.Layout, error) {
		if n, err := shape.Product(); err != nil || n != l.Size() {
			return l, c.bad(1, fmt.Sprintf("a shape of %d elements, as many as the layout %v has", l.Size(), l))
		}
		return l.WithShape(shape)
	}
	switch v := v.(type) {
	case Layout:
		return layoutOf(reshape(v.Layout))
	case Composed:
		return functionValue(v.Map(reshape))
	}
	return nil, c.bad(1, "left out")
}

// withoutShape converts argument 0 to a layout of CuTe in the simplest shape.
func (c *call) withoutShape() (Value, error) {
	var l linear.Layout
	var err error
	if enc, ok := c.args[0].(Encoding); ok {
		if padded, ok := enc.Encoding.(*triton.PaddedShared); ok && len(c.args) > 1 {
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
	if l, err = withoutUnitOuts(l); err != nil {
		return nil, err
	}
	return c.linearToLayout(l)
}

// withoutUnitOuts drops outputs of size 1, except the last one.
func withoutUnitOuts(l linear.Layout) (linear.Layout, error) {
	for _, d := range l.OutDims() {
		if d.Size == 1 && len(l.OutDims()) > 1 {
			var err error
			if l, err = l.SqueezeOuts(d.Name); err != nil {
				return l, err
			}
		}
	}
	return l, nil
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
func (c *call) paddedLayout(padded *triton.PaddedShared) (Value, error) {
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

// pairOf calls of with two matrices, and f with other pairs of linear layouts.
//
//go:noinline
func pairOf(
	of func(a, b f2.Matrix) (f2.Matrix, error), f func(a, b linear.Layout) (linear.Layout, error),
) method {
	return func(c *call) (Value, error) {
		a, okA := c.args[0].(Matrix)
		b, okB := c.args[1].(Matrix)
		if !okA || !okB {
			v, err := linearPair(f)(c)
			return v, hintDimensions(err)
		}
		m, err := of(a.Matrix, b.Matrix)
		return Matrix{m}, ofF2As(c.fn.Name, err)
	}
}

// hintDimensions adds what makes the dimensions of two maps fit.
func hintDimensions(err error) error {
	g, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return err
	}
	hinted := *g
	switch g.Code {
	case cute.CodeName:
		hinted.Hint = "rename_in and rename_out rename a dimension of one map; matrix(...) leaves out the names"
	case cute.CodeNotCongruent:
		hinted.Hint = "grow_out adds values to an output; matrix(...) leaves out the names"
	}
	return &hinted
}

// alike calls f with two linear layouts. The result for two matrices is a matrix, and for two layouts a layout.
//
//go:noinline
func alike(f func(a, b linear.Layout) (linear.Layout, error)) method {
	return func(c *call) (Value, error) {
		if err := c.evenLayouts(); err != nil {
			return nil, err
		}
		v, err := linearPair(f)(c)
		if err != nil {
			return nil, err
		}
		l := v.(Linear).Layout
		a, b := c.args[0].Kind(), c.args[1].Kind()
		switch {
		case a == KindMatrix && b == KindMatrix:
			return Matrix{l.Matrix()}, nil
		case isCuTe(a) && isCuTe(b):
			return ofLinear(l), nil
		}
		return v, nil
	}
}

func isCuTe(k Kind) bool { return k == KindLayout || k == KindComposed || k == KindXor }

// evenLayouts refuses layouts whose size is not a power of two, and bare shapes.
func (c *call) evenLayouts() error {
	for i, v := range c.args {
		if t, ok := v.(Tuple); ok {
			err := typeError(c.fn.Name, fmt.Sprintf("argument %d", i+1), "a layout, a linear layout or a matrix", v)
			if l, bad := cute.LayoutLeft(t.Tuple); bad == nil {
				err.Hint = fmt.Sprintf("the layout is %v; the product of integers is written with *", l)
			}
			return c.env.fail(c.place(i), err)
		}
		if n := unevenSize(v); n != 0 {
			return c.env.fail(c.place(i), &cute.Error{
				Code: cute.CodeExtent, Op: c.fn.Name,
				Msg:  fmt.Sprintf("a map over bits has a power of two of elements, found %d in %v", n, v),
				Hint: "logical_product and logical_divide take any size",
			})
		}
	}
	return nil
}

// directProduct returns A × B.
func (c *call) directProduct() (Value, error) {
	a, okA := c.args[0].(Layout)
	b, okB := c.args[1].(Layout)
	if !okA || !okB || a.HasBasis() || b.HasBasis() {
		return alike(func(a, b linear.Layout) (linear.Layout, error) { return a.Product(b) })(c)
	}
	if err := c.evenLayouts(); err != nil {
		return nil, err
	}
	l, err := linear.FromLayout(a.Layout)
	if err != nil {
		return nil, err
	}
	if _, err := linear.FromLayout(b.Layout); err != nil {
		return nil, err
	}
	n, err := b.Cosize()
	if err != nil {
		return nil, err
	}
	apart, err := cute.New(cute.Int(n), cute.Int(1<<l.OutBits()))
	if err != nil {
		return nil, err
	}
	copies, err := cute.Composition(apart, b.Layout)
	if err != nil {
		return nil, err
	}
	return layoutOf(cute.MakeLayout(a.Layout, copies))
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
