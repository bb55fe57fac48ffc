package eval

import (
	"errors"
	"slices"

	"girih/cute"
)

// This file has the methods of questions about layouts and tuples of known integers: their sizes, their offsets, and
// what two of them have in common. functions.go answers the questions about composed layouts.

func getStride(c *call) (Value, error) {
	if v, ok := c.args[0].(Composed); ok {
		return nil, typeError("stride", "the operand", "a layout, since a composed one has no strides", v)
	}
	l, err := c.mode()
	if err != nil {
		return nil, err
	}
	return Tuple{l.Stride()}, nil
}

func getSize(c *call) (Value, error) {
	if n, ok := threadsOf(c.args[0]); ok && len(c.args)+len(c.tmpl) == 1 {
		return integer(n), nil
	}
	of := *c
	if t, ok := c.args[0].(Tile); ok {
		shapes, err := c.shapesOfTile(t)
		if err != nil {
			return nil, err
		}
		of.args = append([]Value{shapes}, c.args[1:]...)
	}
	s, err := of.modeShape()
	if err != nil {
		return nil, err
	}
	return intOf(s.Product())
}

// shapesOfTile returns the shapes of the elements of a tile.
func (c *call) shapesOfTile(t Tile) (Value, error) {
	modes := t.Modes()
	shapes := make([]cute.Tuple, len(modes))
	for i, m := range modes {
		switch m := m.(type) {
		case cute.Layout:
			shapes[i] = m.Shape()
		case cute.Tuple:
			shapes[i] = m
		default:
			return nil, c.bad(0, "a tile of layouts and shapes, which have a size")
		}
	}
	return tupleOf(cute.MakeTuple(shapes...))
}

func getCoshape(c *call) (Value, error) {
	if _, ok := c.args[0].(Composed); ok {
		return cosize(c) // the codomain is a box with one axis
	}
	l, err := c.mode()
	if err != nil {
		return nil, err
	}
	return tupleOf(l.Coshape())
}

func getRank(c *call) (Value, error) {
	switch v := c.args[0].(type) {
	case Tile:
		return integer(int64(v.Rank())), nil
	case Coord:
		return integer(int64(v.Rank())), nil
	}
	s, err := c.modeShape()
	return integer(int64(s.Rank())), err
}

func getDepth(c *call) (Value, error) {
	s, err := c.modeShape()
	return integer(int64(s.Depth())), err
}

func getProduct(c *call) (Value, error) {
	t, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	return intOf(t.Product())
}

func getProductEach(c *call) (Value, error) {
	t, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.ProductEach(t))
}

func innerProduct(c *call) (Value, error) {
	a, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	b, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	n, err := cute.InnerProduct(a, b)
	return Tuple{cute.Int(n)}, err
}

func elemLess(c *call) (Value, error) {
	a, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	b, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	less, err := cute.ElemLess(a, b)
	return Bool(less), err
}

func maxAlignment(c *call) (Value, error) {
	if v, ok := c.args[0].(Composed); ok {
		return intOf(v.MaxAlignment())
	}
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	return intOf(cute.MaxAlignment(l))
}

func commonRefinement(c *call) (Value, error) {
	v, err := onKnown.onShapes(noConditions(cute.CommonRefinement))(c)
	if err == nil {
		c.noteSizes()
	}
	return v, err
}

func domainDistribute(c *call) (Value, error) {
	s, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	n, err := c.integer(1)
	if err != nil {
		return nil, err
	}
	return layoutOf(cute.DomainDistribute(s, n))
}

func greatestCommonDomain(c *call) (Value, error) {
	a, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	b, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return layoutOf(cute.GreatestCommonDomain(a, b))
}

func getLayoutB(c *call) (Value, error) {
	v, ok := c.args[0].(Composed)
	if !ok {
		return nil, c.bad(0, "a composed layout")
	}
	c.noteStage()
	return Layout{v.Composed.Layout()}, nil
}

func getLayoutA(c *call) (Value, error) {
	v, ok := c.args[0].(Composed)
	if !ok {
		return nil, c.bad(0, "a composed layout")
	}
	c.noteStage()
	switch f := v.Outer().(type) {
	case cute.Swizzle:
		return Swizzle{f}, nil
	case cute.Layout:
		return Layout{f}, nil
	}
	return nil, c.bad(0, "a composed layout")
}

func getOffset(c *call) (Value, error) {
	v, ok := c.args[0].(Composed)
	if !ok {
		return nil, c.bad(0, "a composed layout")
	}
	return Tuple{v.Offset()}, nil
}

func (c *call) xorNullspace() (Value, error) { return layoutOf(c.args[0].(Xor).Nullspace()) }

// noteSizes notes the sizes of two shapes if they differ.
func (c *call) noteSizes() {
	a, errA := c.shape(0)
	b, errB := c.shape(1)
	m, errM := a.Product()
	n, errN := b.Product()
	if errors.Join(errA, errB, errM, errN) == nil && m != n {
		c.env.note("the sizes are %d and %d: the first extents of the result refine the smaller shape, all of them the larger one",
			m, n)
	}
}

func layoutPair(f func(a, b cute.Layout) (Value, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := c.layout(0)
		if err != nil {
			return nil, err
		}
		b, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		return f(a, b)
	}
}

// always gives a function without an error result the signature of a function that returns an error.
//
//go:noinline
func always(f func(cute.Layout) cute.Layout) func(cute.Layout) (cute.Layout, error) {
	return func(l cute.Layout) (cute.Layout, error) { return f(l), nil }
}

//go:noinline
func relation(f func(a, b cute.Tuple) bool) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := c.shape(0)
		if err != nil {
			return nil, err
		}
		b, err := c.shape(1)
		if err != nil {
			return nil, err
		}
		return Bool(f(a, b)), nil
	}
}

// numbersOf returns integers as a list. It makes a few thousand at a time and checks the time limit in between.
func (c *call) numbersOf(xs []int64, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	if err := c.env.affords(int64(len(xs)) * listBytes); err != nil { // checked before the list is made
		return nil, err
	}
	vs := make(List, 0, len(xs))
	for part := range slices.Chunk(xs, 1<<12) {
		if err := c.env.inTime(c.expr); err != nil {
			return nil, err
		}
		for _, x := range cute.Ints(part...).Modes() { // the tuples share one array
			vs = append(vs, Tuple{x})
		}
	}
	return vs, nil
}

func offsets(c *call) (Value, error) {
	if v, ok := c.args[0].(Composed); ok {
		if err := c.listable(v.Size()); err != nil {
			return nil, err
		}
		return c.numbersOf(v.AppendOffsets(nil))
	}
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	if err := c.listable(l.Size()); err != nil {
		return nil, err
	}
	if !l.HasBasis() {
		return c.numbersOf(l.AppendOffsets(nil))
	}
	if _, err := l.AppendOffsets(nil); err != nil { // returns the error for a list that is too large
		return nil, err
	}
	var vs List
	for i := range l.Size() {
		t, err := l.Eval(cute.Int(i))
		if err != nil {
			return nil, err
		}
		vs = append(vs, Tuple{t})
	}
	return vs, nil
}

func equivalent(c *call) (Value, error) {
	for _, v := range c.args {
		if _, ok := v.(Composed); ok {
			return c.equivalentFunctions()
		}
	}
	a, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	b, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	same, d := cute.Equivalent(a, b)
	switch {
	case same:
	case d.Sizes:
		c.env.note("the sizes are %d and %d; the offsets agree up to the smaller one", a.Size(), b.Size())
	default:
		at, err := cute.Idx2Crd(cute.Int(d.Index), a.Shape())
		if err != nil {
			return nil, err
		}
		c.env.note("the first difference is at index %d, coordinate %v of the first layout: %v and %v", d.Index, at, d.A, d.B)
	}
	return Bool(same), nil
}

// ceilDiv divides shapes, or counts the tiles of a layout in a shape.
func ceilDiv(c *call) (Value, error) {
	a, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if t, ok := c.args[1].(Tile); ok && t.Rank() == 1 {
		c.args[1] = tilerValue(t.Modes()[0])
	}
	if l, ok := c.args[1].(Layout); ok {
		// A divide results in the same number of tiles, unless the tiles, rounded up mode by mode, do not cover the
		// shape.
		r, err := cute.Complement(l.Layout, a)
		if err != nil {
			return nil, err
		}
		if tiles, err := cute.ComplementByMode(l.Layout, a); err == nil && tiles.Size() > r.Size() {
			r = tiles
		}
		return Tuple{r.Shape()}, nil
	}
	b, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.CeilDiv(a, b))
}
