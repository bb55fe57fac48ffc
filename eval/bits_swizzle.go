package eval

import (
	"errors"
	"fmt"

	"girih"
	"girih/linear"
	"girih/swizzle"
)

// This file computes with swizzles and swizzled layouts as maps over bits.

// ofLinear returns a map as a layout, a swizzled layout, a layout with F2 strides, or itself: the first that it is.
func ofLinear(l linear.Layout) (Value, error) {
	if c, err := l.ToComposed(); err == nil {
		if c.Outer() == nil {
			return Layout{c.Layout()}, nil
		}
		return Composed{c}, nil
	}
	if x, err := l.ToXor(); err == nil {
		return Xor{x}, nil
	}
	return Linear{l}, nil
}

// swizzlePair returns v o w: one swizzle, if it is one, or else the map.
func swizzlePair(v, w girih.Swizzle) (Value, error) {
	u, err := swizzle.Compose(v, w)
	if err == nil {
		return Swizzle{u}, nil
	}
	if e, ok := errors.AsType[*girih.Error](err); ok && e.Code != girih.CodeNotRepresentable {
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

// afterSwizzle returns l o w: the swizzle permutes the indices of the layout.
func afterSwizzle(l Value, shape girih.Tuple, w girih.Swizzle) (Value, error) {
	a, err := asLinear(l)
	if err != nil {
		return nil, err
	}
	if n, err := shape.Product(); err != nil || n != 1<<a.InBits() {
		return nil, &girih.Error{Code: girih.CodeExtent, Op: "composition", Msg: fmt.Sprintf("a swizzle permutes a power of two of indices, %v has %d", l, n)}
	}
	b, err := linear.FromSwizzle(w, a.InBits())
	if err != nil {
		return nil, &girih.Error{
			Code: girih.CodeExtent, Op: "composition",
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
	v, err := ofLinear(r)
	if err != nil {
		return nil, err
	}
	// The domain is that of the layout.
	switch x := v.(type) {
	case Layout:
		if y, err := x.WithShape(shape); err == nil {
			return Layout{y}, nil
		}
	case Composed:
		if y, err := x.Map(func(in girih.Layout) (girih.Layout, error) { return in.WithShape(shape) }); err == nil {
			return Composed{y}, nil
		}
	}
	return v, nil
}

// onLayoutOr calls f with a layout, or g with a swizzled one as a map over bits; a swizzle is its own inverse.
func onLayoutOr(f func(girih.Layout) (girih.Layout, error), g func(linear.Layout) (linear.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		switch v := c.args[0].(type) {
		case Swizzle:
			return Swizzle{swizzle.Inverse(v.Swizzle)}, nil
		case Composed:
			if n := v.Composed.Size(); n&(n-1) != 0 {
				return nil, &girih.Error{
					Code: girih.CodeNotInvertible, Op: c.fn.Name,
					Msg: fmt.Sprintf("a composed layout is inverted bit by bit: expected a power of two of elements, found %d in %v", n, v),
				}
			}
			l, err := linear.FromComposed(v.Composed)
			if err != nil {
				return nil, err
			}
			if l, err = g(l); err != nil {
				return nil, err
			}
			return ofLinear(l)
		}
		return onLayout(f)(c)
	}
}

// recognizeSwizzled returns the swizzled layout that a table is, if it is one; cause says why it is no layout.
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
		return ofLinear(l)
	}
	var v Value = Layout{r.Layout}
	for i := len(r.Swizzles) - 1; i >= 0; i-- {
		offset := int64(0)
		if i == len(r.Swizzles)-1 {
			offset = r.Origin
		}
		if v, err = makeComposed(Swizzle{r.Swizzles[i]}, girih.Int(offset), v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// equivalentChains compares functions of which one is composed, value by value.
func (c *call) equivalentChains() (Value, error) {
	var tables [2][]int64
	for i, a := range c.args {
		f, ok := a.(Composed)
		if !ok {
			l, err := c.layout(i)
			if err != nil {
				return nil, err
			}
			if f.Composed, err = f.Map(func(girih.Layout) (girih.Layout, error) { return l, nil }); err != nil {
				return nil, err
			}
		}
		var err error
		if tables[i], err = f.AppendOffsets(nil); err != nil {
			return nil, err
		}
	}
	if len(tables[0]) != len(tables[1]) {
		c.env.note("the sizes are %d and %d", len(tables[0]), len(tables[1]))
		return Bool(false), nil
	}
	for i, x := range tables[0] {
		if y := tables[1][i]; x != y {
			c.env.note("at index %d the values are %d and %d", i, x, y)
			return Bool(false), nil
		}
	}
	return Bool(true), nil
}

// claimOfChain answers is_injective, is_surjective, is_bijective and is_compact by the values of a composed layout.
func (c *call) claimOfChain(v Composed) (Value, error) {
	table, err := v.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	first := make(map[int64]int, len(table))
	least, most, twice := table[0], table[0], -1
	for i, y := range table {
		if _, seen := first[y]; seen && twice < 0 {
			twice = i
		} else if !seen {
			first[y] = i
		}
		least, most = min(least, y), max(most, y)
	}
	from := int64(0)
	switch c.fn.Name {
	case "is_compact":
		from = least
	case "is_injective":
		from = most + 1 // gaps do not matter
	}
	if twice >= 0 && c.fn.Name != "is_surjective" {
		c.env.note("the indices %d and %d have the same offset %d", first[table[twice]], twice, table[twice])
		return Bool(false), nil
	}
	for y := from; y <= most; y++ {
		if _, ok := first[y]; !ok {
			c.env.note("the offset %d is the first that breaks it", y)
			return Bool(false), nil
		}
	}
	if least < from && c.fn.Name == "is_bijective" {
		c.env.note("the offset %d is the first that breaks it", least)
		return Bool(false), nil
	}
	return Bool(true), nil
}
