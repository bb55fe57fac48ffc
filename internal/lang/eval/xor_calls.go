package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file applies functions of CuTe layouts to layouts with F2 strides.

// xorTakeMode replaces argument 0 by its mode at the numbers of the call.
func (c *call) xorTakeMode() error {
	if len(c.args)+len(c.tmpl) == 1 {
		return nil
	}
	get := *c
	get.fn = table().byName["get"]
	v, err := get.xorRearrange()
	if err != nil {
		return err
	}
	c.args, c.tmpl = []Value{v}, nil
	return nil
}

// asXor converts a value to a layout with F2 strides. A layout with integer strides is accepted if all its offsets are
// 0.
func asXor(v Value) (linear.XorLayout, error) {
	if x, ok := v.(Xor); ok {
		return x.XorLayout, nil
	}
	l, err := asLayout(v)
	if err != nil {
		return linear.XorLayout{}, err
	}
	s := l.Shape().Leaves()
	for i, d := range l.Stride().Leaves() {
		if d != 0 && s[i] > 1 {
			return linear.XorLayout{}, &cute.Error{
				Code: cute.CodeCodomain, Op: "make_layout",
				Msg:  fmt.Sprintf("strides next to F2 strides are F2 strides or 0, found the strides of %v", l),
				Hint: "integer strides add with carries and F2 strides without: to_xor(...) is a layout with F2 strides, if it is one",
			}
		}
	}
	return linear.NewXor(l.Shape(), make([]f2.Vector, len(s))...)
}

//go:noinline
func xorOf(x linear.XorLayout, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return Xor{x}, nil
}

//go:noinline
func onXor(f func(linear.XorLayout) (linear.XorLayout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		x, ok := c.args[0].(Xor)
		if !ok {
			return nil, c.bad(0, "a layout with F2 strides")
		}
		return xorOf(f(x.XorLayout))
	}
}

// xorRearrange calls a function that only moves modes with numbered leaves, as rearrange does.
func (c *call) xorRearrange() (Value, error) {
	var at []int
	var xs []linear.XorLayout
	for i, a := range c.args {
		if !c.fn.isMoved(i, len(c.args)) {
			continue
		}
		x, err := asXor(a)
		if err != nil {
			return nil, err
		}
		at, xs = append(at, i), append(xs, x)
	}
	return xorOf(linear.Rearrange(func(ls ...cute.Layout) (cute.Layout, error) {
		called := *c
		called.args = slices.Clone(c.args)
		for i, l := range ls {
			called.args[at[i]] = Layout{l}
		}
		v, err := c.fn.known(&called)
		if err != nil {
			return cute.Layout{}, err
		}
		return asLayout(v)
	}, xs...))
}

// xorMake makes a layout of a shape and F2 strides, or concatenates layouts.
func (c *call) xorMake() (Value, error) {
	if len(c.args) == 2 {
		if d, ok := c.args[1].(F2); ok {
			return xorLayout(c.args[0], d)
		}
	}
	parts := make([]linear.XorLayout, len(c.args))
	for i, a := range c.args {
		var err error
		if parts[i], err = asXor(a); err != nil {
			return nil, err
		}
	}
	return xorOf(linear.Concat(parts...))
}

func (c *call) xorCoalesce() (Value, error) {
	x, ok := c.args[0].(Xor)
	if !ok {
		return c.fn.known(c)
	}
	if len(c.args) == 1 {
		return Xor{x.Coalesce()}, nil
	}
	p, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	return xorOf(x.CoalesceProfile(p))
}

func (c *call) xorShape() (Value, error) { return Tuple{c.args[0].(Xor).Shape()}, nil }

func (c *call) xorStride() (Value, error) { return strideOfXor(c.args[0].(Xor).XorLayout), nil }

// strideOfXor returns the F2 strides in the nesting of the shape.
func strideOfXor(x linear.XorLayout) F2 {
	strides := x.Strides()
	var nest func(t cute.Tuple) F2
	nest = func(t cute.Tuple) F2 {
		if t.IsInt() {
			n := strides[0]
			strides = strides[1:]
			return F2{Number: n}
		}
		out := F2{Nested: true}
		for _, m := range t.Modes() {
			out.Elems = append(out.Elems, nest(m))
		}
		return out
	}
	return nest(x.Shape())
}

func (c *call) xorCosize() (Value, error) {
	x := c.args[0].(Xor)
	n, err := x.Cosize()
	if b := x.Bound(); err == nil && b != n {
		c.env.note("1 + the greatest offset; the smallest domain over F2 that holds all of them, PyCuTe's coshape, is %d", b)
	}
	return intOf(n, err)
}

func (c *call) xorWithShape() (Value, error) {
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	x, ok := c.args[0].(Xor)
	if !ok {
		return c.fn.known(c)
	}
	return xorOf(x.WithShape(s))
}

// xorSliced returns the layout and the coordinate of a slice, which may come in either order.
func (c *call) xorSliced() (Xor, cute.Coord, error) {
	for i, a := range c.args {
		if x, ok := a.(Xor); ok {
			k, err := c.coord(1 - i)
			return x, k, err
		}
	}
	return Xor{}, cute.Coord{}, c.bad(1, "a layout")
}

func (c *call) xorSlice() (Value, error) {
	x, k, err := c.xorSliced()
	if err != nil {
		return nil, err
	}
	return c.env.slice(x, k)
}

func (c *call) xorSliceAndOffset() (Value, error) {
	x, k, err := c.xorSliced()
	if err != nil {
		return nil, err
	}
	s, offset, err := x.SliceAndOffset(k)
	return List{Xor{s}, F2{Number: f2.Vector(offset)}}, err
}

// sliceXor returns the modes that the coordinate leaves open, and notes the offset of the fixed modes.
func (e *Env) sliceXor(x Xor, k cute.Coord) (Value, error) {
	s, offset, err := x.SliceAndOffset(k)
	if err == nil && offset != 0 {
		e.note("the slice leaves out the offset F2(%d) of the fixed modes, which is added without carries: "+
			"slice_and_offset returns both", offset)
	}
	return xorOf(s, err)
}

func (c *call) xorDice() (Value, error) {
	x, k, err := c.xorSliced()
	if err != nil {
		return nil, err
	}
	return xorOf(linear.Rearrange(func(ls ...cute.Layout) (cute.Layout, error) { return ls[0].Dice(k) }, x.XorLayout))
}

func (c *call) xorDomainOffset() (Value, error) {
	at, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	x, ok := c.args[1].(Xor)
	if !ok {
		return nil, c.bad(1, "a layout")
	}
	offset, err := x.Eval(at)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(at.Leaves(), func(d int64) bool { return d != 0 }) {
		c.env.note("the offset is added without carries: the sum is L at c + %v for the coordinates c whose digits share "+
			"no bit with the digits of %v", at, at)
	}
	return List{x, F2{Number: f2.Vector(offset)}}, nil
}

// xorOperand returns argument 1 as a layout with F2 strides, or the layout of arguments 1 and 2.
func (c *call) xorOperand() (Xor, error) {
	if len(c.args) == 3 {
		d, ok := c.args[2].(F2)
		if !ok {
			return Xor{}, c.bad(2, "F2 strides")
		}
		v, err := xorLayout(c.args[1], d)
		if err != nil {
			return Xor{}, err
		}
		return v.(Xor), nil
	}
	x, ok := c.args[1].(Xor)
	if !ok {
		return x, c.bad(1, "a layout with F2 strides")
	}
	return x, nil
}

func (c *call) xorCrd2Idx() (Value, error) {
	at, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	x, err := c.xorOperand()
	if err != nil {
		return nil, err
	}
	return intOf(x.Eval(at))
}

// xorIdx2Crd returns the coordinate that has an offset, or splits a number without carries.
func (c *call) xorIdx2Crd() (Value, error) {
	if len(c.args) == 2 {
		if _, ok := c.args[1].(Xor); !ok {
			return c.bitsIdx2Crd()
		}
	}
	x, err := c.xorOperand()
	if err != nil {
		return nil, err
	}
	var offset int64
	if x, ok := c.args[0].(F2); ok {
		n, isNumber := x.number()
		if !isNumber {
			return nil, c.bad(0, "an offset")
		}
		offset = int64(n)
	} else if offset, err = c.integer(0); err != nil {
		return nil, err
	}
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	i := slices.Index(table, offset)
	if i < 0 {
		return nil, &cute.Error{
			Code: cute.CodeNotInvertible, Op: "idx2crd",
			Msg: fmt.Sprintf("no coordinate of %v has the offset %d", x, offset),
		}
	}
	return tupleOf(cute.Idx2Crd(cute.Int(int64(i)), x.Shape()))
}
