package codegen

import (
	"slices"

	"girih/cute"
)

// A Value is the input of [Write]: a value of the algebra, or a list of values. Values are immutable, and the zero
// Value is an empty list.
type Value struct {
	node node
	err  error // the reason why a part of the value cannot be written
}

// Bool returns a truth value.
func Bool(b bool) Value { return Value{node: boolean(b)} }

// Tuple returns an integer or a tuple of integers.
func Tuple(t cute.Tuple) Value { return Value{node: tuple{treeOf(t)}} }

// Coord returns a coordinate with underscores.
func Coord(c cute.Coord) Value { return Value{node: tuple{coordTree(c)}} }

// Layout returns a layout.
func Layout(a cute.Layout) Value { return Value{node: layoutNode(a)} }

// Swizzle returns a swizzle.
func Swizzle(w cute.Swizzle) Value { return Value{node: swizzleNode(w)} }

// ComposedLayout returns a composed layout.
func ComposedLayout(c cute.Composed) Value {
	chain := composed{inner: layoutNode(c.Layout())}
	for outer, offset := range c.Stages() {
		s := stage{offset: treeOf(offset)}
		switch f := outer.(type) {
		case cute.Swizzle:
			s.outer = swizzleNode(f)
		case cute.Layout:
			s.outer = layoutNode(f)
		}
		chain.stages = append(chain.stages, s)
	}
	if chain.stages == nil {
		return Value{node: chain.inner}
	}
	return Value{node: chain}
}

// Tiler returns a tiler: a layout, a shape, a tile or [cute.Keep].
func Tiler(t cute.Tiler) Value {
	switch t := t.(type) {
	case cute.Layout:
		return Layout(t)
	case cute.Tuple:
		return Tuple(t)
	case cute.Tile:
		ms := t.Modes()
		nodes := make(tile, len(ms))
		for i, m := range ms {
			v := Tiler(m)
			if v.err != nil {
				return v
			}
			nodes[i] = v.node
		}
		return Value{node: nodes}
	case nil:
		return Value{err: &cute.Error{Code: cute.CodeType, Op: "codegen", Msg: "expected a tiler, found none"}}
	}
	return Value{node: keep{}}
}

// List returns the values of an operation with several results, or the numbers of a set.
func List(vs ...Value) Value {
	nodes := make(list, len(vs))
	for i, v := range vs {
		if v.err != nil {
			return v
		}
		nodes[i] = v.root()
	}
	return Value{node: nodes}
}

// An Order is one of CuTe's two names for a stride.
type Order string

// The orders.
const (
	LayoutLeft  Order = "LayoutLeft"
	LayoutRight Order = "LayoutRight"
)

// OrderValue returns an order as a value.
func OrderValue(o Order) Value { return Value{node: order(o)} }

// root returns the node, which for the zero Value is an empty list.
func (v Value) root() node {
	if v.node == nil {
		return list{}
	}
	return v.node
}

// treeOf returns the tree of a tuple.
func treeOf(t cute.Tuple) tree {
	if t.NodeCount() > 1 || t.LeafCount() == 0 {
		modes := t.Modes()
		b := make(branch, len(modes))
		for i, m := range modes {
			b[i] = treeOf(m)
		}
		return b
	}
	var n number // the number of a leaf without terms is 0
	var s sum
	t.Terms(func(x int64, path []int) {
		if len(path) == 0 {
			n = static(x)
			return
		}
		s = append(s, term{static(x), slices.Clone(path)})
	})
	if s == nil {
		return n
	}
	return s
}

// coordTree returns the tree of a coordinate, in which leaves may be underscores.
func coordTree(c cute.Coord) tree {
	if t, closed := c.Tuple(); closed {
		return treeOf(t)
	}
	if c.NodeCount() == 1 {
		return open{}
	}
	modes := c.Modes()
	b := make(branch, len(modes))
	for i, m := range modes {
		b[i] = coordTree(m)
	}
	return b
}

func layoutNode(a cute.Layout) layout { return layout{treeOf(a.Shape()), treeOf(a.Stride())} }

func swizzleNode(w cute.Swizzle) swizzle { return swizzle{w.B(), w.M(), w.S()} }
