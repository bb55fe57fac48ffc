package eval

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
	"girih/linear"
)

// This file inverts layouts with F2 strides and answers questions about them.

// integerLayout returns the integer layout with the offsets of x, if there is one.
func integerLayout(x linear.XorLayout) (cute.Layout, bool) {
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return cute.Layout{}, false
	}
	l, err := cute.Until(x.Stopped).Recognize(table)
	return l, err == nil
}

// xorOrLayout inverts a layout with F2 strides. If the inverse has no F2 strides, it inverts the integer layout with
// the same offsets.
//
//go:noinline
func xorOrLayout(
	f func(linear.XorLayout) (linear.XorLayout, error), g func(cute.Layout) (cute.Layout, error),
) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		x := c.args[0].(Xor)
		r, err := f(x.XorLayout)
		if hasCode(err, cute.CodeNotRepresentable) {
			if l, ok := integerLayout(x.XorLayout); ok {
				if inv, errL := g(l); errL == nil {
					c.env.note("the inverse of %v, which has the same offsets: F2 strides do not do", l)
					return Layout{inv}, nil
				}
			}
		}
		return xorOf(r, err)
	}
}

// xorRightInverse returns the largest right inverse with F2 strides, or an integer layout that inverts more offsets.
func (c *call) xorRightInverse() (Value, error) {
	x := c.args[0].(Xor)
	r, err := x.RightInverse()
	if err != nil {
		return nil, err
	}
	gap, err := x.Gap()
	if err != nil || r.Size() == gap {
		return xorOf(r, err)
	}
	if l, ok := integerLayout(x.XorLayout); ok {
		if inv, err := cute.RightInverse(l); err == nil && inv.Size() > r.Size() {
			c.env.note("the inverse of %v, which has the same offsets: with F2 strides it is %v", l, r)
			return Layout{inv}, nil
		}
	}
	return Xor{r}, nil
}

// valuesOf returns the shape of a function and all its offsets.
func valuesOf(op string, v Value) (cute.Tuple, []int64, error) {
	var f interface {
		AppendOffsets(dst []int64) ([]int64, error)
		Shape() cute.Tuple
	}
	switch v := v.(type) {
	case Xor:
		f = v.XorLayout
	case Composed:
		f = v.Composed
	default:
		l, err := asLayout(v)
		if err != nil {
			return cute.Tuple{}, nil, typeError(op, "the operand", "a layout", v)
		}
		f = l
	}
	table, err := f.AppendOffsets(nil)
	return f.Shape(), table, err
}

// xorEquivalent reports whether two functions of an index are equal. It compares their matrices over F2 if both are
// linear over bits, and otherwise all values. If one function has coordinates as values, offsetsAndCoordinates compares
// the two.
func (c *call) xorEquivalent() (Value, error) {
	var sizes [2]int64
	for i := range c.args {
		s, err := c.shape(i)
		if err != nil {
			return nil, err
		}
		if sizes[i], err = s.Product(); err != nil {
			return nil, err
		}
	}
	if sizes[0] != sizes[1] {
		c.env.note("the sizes are %d and %d", sizes[0], sizes[1])
		return Bool(false), nil
	}
	for i, a := range c.args {
		if l, ok := a.(Layout); ok && l.HasBasis() {
			return c.offsetsAndCoordinates(c.args[1-i].(Xor), l.Layout)
		}
	}
	if n := sizes[0]; n&(n-1) == 0 && isLinear(c.args[0]) && isLinear(c.args[1]) {
		return c.bitsEquivalent()
	}
	return c.sameOffsets()
}

// isLinear reports whether a value is a map over bits.
func isLinear(v Value) bool {
	_, err := asLinear(v)
	return err == nil
}

// sameOffsets compares all offsets of two functions of the same size.
func (c *call) sameOffsets() (Value, error) {
	var tables [2][]int64
	for i, a := range c.args {
		if l, ok := a.(Layout); ok {
			a = c.env.stoppable(Composed{l.Composed()})
		}
		var err error
		if _, tables[i], err = valuesOf(c.fn.Name, a); err != nil {
			return nil, err
		}
	}
	for i, y := range tables[0] {
		if z := tables[1][i]; y != z {
			c.env.note("at index %d the values are %d and %d", i, y, z)
			return Bool(false), nil
		}
	}
	return Bool(true), nil
}

// offsetsAndCoordinates compares offsets with coordinates, which differ unless both are 0. The first value that is not
// 0 is at coordinate 1 of the first leaf with a stride.
func (c *call) offsetsAndCoordinates(x Xor, l cute.Layout) (Value, error) {
	var at []int64
	for _, shape := range []cute.Tuple{x.Shape(), l.Shape()} {
		before := int64(1)
		for _, s := range shape.Leaves() {
			if s > 1 {
				at = append(at, before)
			}
			before *= s
		}
	}
	slices.Sort(at)
	for _, i := range at {
		y, err := x.Eval(cute.Int(i))
		if err != nil {
			return nil, err
		}
		v, err := l.Eval(cute.Int(i))
		if err != nil {
			return nil, err
		}
		if y != 0 || slices.ContainsFunc(v.Leaves(), func(n int64) bool { return n != 0 }) {
			c.env.note("at index %d the offset is %d and the coordinate %v", i, y, v)
			return Bool(false), nil
		}
	}
	return Bool(true), nil
}

// A property is a question about a layout: whether all offsets are distinct, whether no offset is missing, or both.
type property struct{ injective, surjective bool }

var (
	injective  = property{injective: true}
	surjective = property{surjective: true}
	bijective  = property{true, true}
)

// xorClaim answers a question about a layout by its own coordinates.
//
//go:noinline
func xorClaim(p property) method {
	return func(c *call) (Value, error) { return c.xorClaim(p) }
}

func (c *call) xorClaim(p property) (Value, error) {
	x, isXor := c.args[0].(Xor)
	if !isXor {
		return nil, c.bad(0, "the layout with F2 strides")
	}
	if len(c.args) > 1 {
		return c.claimWithin(x.XorLayout, p)
	}
	if p.injective {
		ok, i, j, err := x.Injective()
		if err != nil {
			return nil, err
		}
		if !ok {
			at, errA := cute.Idx2Crd(cute.Int(i), x.Shape())
			other, errB := cute.Idx2Crd(cute.Int(j), x.Shape())
			y, errY := x.Eval(cute.Int(i))
			if err := errors.Join(errA, errB, errY); err != nil {
				return nil, err
			}
			c.env.note("%v and %v have the same offset %d", at, other, y)
			return Bool(false), nil
		}
		if !p.surjective {
			return Bool(true), nil
		}
	}
	gap, err := x.Gap()
	if err != nil {
		return nil, err
	}
	most, err := x.Cosize()
	if err == nil && gap != most {
		c.env.note("the offset %d is the first that breaks it", gap)
	}
	return Bool(gap == most), err
}

// claimWithin answers a question about a codomain from all offsets.
func (c *call) claimWithin(x linear.XorLayout, p property) (Value, error) {
	codomain, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	n, err := codomain.Product()
	if err != nil {
		return nil, err
	}
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(table, func(y int64) bool { return y >= n }); i >= 0 {
		c.env.note("the offset %d, of index %d, is outside the codomain %s", table[i], i, c.args[1])
		return Bool(false), nil
	}
	if p.injective {
		i, j, err := ints.Twice(table, c.env.stop())
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			c.env.note("the indices %d and %d have the same offset %d", i, j, table[i])
			return Bool(false), nil
		}
	}
	if !p.surjective {
		return Bool(true), nil
	}
	missed := ints.LeastMissing(table)
	if missed < n {
		c.env.note("the offset %d is the first that breaks it", missed)
	}
	return Bool(missed >= n), nil
}

// xorOffsets lists the offsets in order.
func (c *call) xorOffsets() (Value, error) { return c.numbersOf(c.xorTable()) }

func (c *call) xorTable() ([]int64, error) {
	x := c.args[0].(Xor)
	if err := c.listable(x.Size()); err != nil {
		return nil, err
	}
	return x.AppendOffsets(nil)
}

// xorImage lists the offsets as a set.
func (c *call) xorImage() (Value, error) { return c.numbersOf(c.xorSet()) }

func (c *call) xorSet() ([]int64, error) {
	table, err := c.xorTable()
	if err != nil {
		return nil, err
	}
	if err := ints.Sort(table, c.env.stop()); err != nil {
		return nil, err
	}
	return slices.Compact(table), nil
}

// xorHoles lists the numbers between offsets that are not offsets themselves.
func (c *call) xorHoles() (Value, error) {
	table, err := c.xorSet()
	if err != nil {
		return nil, err
	}
	if err := c.listable(table[len(table)-1]); err != nil {
		return nil, err
	}
	holes := []int64{}
	for i, y := range table[1:] {
		if y-table[i]+int64(len(holes)) > cute.EnumLimit {
			return nil, &cute.Error{
				Code: cute.CodeLimit, Op: "holes",
				Msg: fmt.Sprintf("expected at most %d holes, found more in %v", cute.EnumLimit, c.args[0]),
			}
		}
		for z := table[i] + 1; z < y; z++ {
			holes = append(holes, z)
		}
	}
	return c.numbersOf(holes, nil)
}
