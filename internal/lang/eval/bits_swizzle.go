package eval

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/linear"
	"girih/swizzle"
)

// This file computes with swizzles and swizzled layouts as maps over bits.

// ofLinear returns a map in the simplest possible form: a layout, a swizzled layout, a layout with F2 strides, or the
// map itself.
func ofLinear(l linear.Layout) Value {
	if c, err := l.ToComposed(); err == nil {
		if c.Outer() == nil {
			return Layout{c.Layout()}
		}
		return Composed{c}
	}
	if x, err := l.ToXor(); err == nil {
		return Xor{x}
	}
	return Linear{l}
}

// swizzlePair returns v o w as one swizzle if possible, and otherwise as a map.
func swizzlePair(v, w cute.Swizzle) (Value, error) {
	u, err := swizzle.Compose(v, w)
	if err == nil {
		return Swizzle{u}, nil
	}
	if e, ok := errors.AsType[*cute.Error](err); ok && e.Code != cute.CodeNotRepresentable {
		return nil, err
	}
	n := max(v.M()+v.B()+max(v.S(), -v.S()), w.M()+w.B()+max(w.S(), -w.S()))
	a, err := linear.FromSwizzle(v, n)
	if err != nil {
		return nil, err
	}
	b, err := linear.FromSwizzle(w, n)
	if err != nil {
		return nil, err
	}
	l, err := b.Compose(a)
	return Linear{l}, err
}

// mapAfterSwizzle returns l o w as a product of maps over bits, if both are such maps on the indices of l.
func mapAfterSwizzle(l Value, shape cute.Tuple, w cute.Swizzle) (Value, error) {
	a, err := asLinear(l)
	if err != nil {
		return nil, err
	}
	if n, err := shape.Product(); err != nil || n != 1<<a.InBits() {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "composition",
			Msg: fmt.Sprintf("a swizzle permutes a power of two of indices, %v has %d", l, n),
		}
	}
	b, err := linear.FromSwizzle(w, a.InBits())
	if err != nil {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "composition",
			Msg: fmt.Sprintf("%v takes indices out of %v, which has 2^%d elements", w, l, a.InBits()),
		}
	}
	if b, err = b.RenameOut("offset", "index"); err != nil {
		return nil, err
	}
	r, err := b.Compose(a)
	if err != nil {
		return nil, err
	}
	v := ofLinear(r)
	// The domain of the result is the domain of the layout.
	switch x := v.(type) {
	case Layout:
		if y, err := x.WithShape(shape); err == nil {
			return Layout{y}, nil
		}
	case Composed:
		if y, err := x.Map(func(in cute.Layout) (cute.Layout, error) { return in.WithShape(shape) }); err == nil {
			return Composed{y}, nil
		}
	}
	return v, nil
}

// recognizeSwizzled returns the swizzled layout with the values of a table, if there is one. Otherwise it returns
// cause, the error that no layout has these values.
func (c *call) recognizeSwizzled(table []int64, cause error) (Value, error) {
	r, err := swizzle.Recognize(table)
	if err != nil {
		return nil, cause
	}
	if len(r.Swizzles) == 0 {
		if r.Origin != 0 || len(table)&(len(table)-1) != 0 {
			return nil, cause
		}
		in := linear.In{Name: "index"}
		for k := 1; k < len(table); k <<= 1 {
			in.Bases = append(in.Bases, []int64{table[k]})
		}
		top := int64(0)
		for _, x := range table {
			top |= x
		}
		size := int64(1)
		for size <= top {
			size <<= 1
		}
		l, err := linear.New([]linear.In{in}, []linear.Dim{{Name: "offset", Size: size}})
		if err != nil {
			return nil, cause
		}
		c.env.note("no layout and no two swizzles have these offsets: F2 strides do")
		return ofLinear(l), nil
	}
	var v Value = Layout{r.Layout}
	for i := len(r.Swizzles) - 1; i >= 0; i-- {
		offset := int64(0)
		if i == len(r.Swizzles)-1 {
			offset = r.Origin
		}
		if v, err = makeComposed(Swizzle{r.Swizzles[i]}, cute.Int(offset), v); err != nil {
			return nil, err
		}
	}
	return v, nil
}
