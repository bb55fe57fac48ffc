package codegen

import "girih/cute"

// A Value is what [Write] writes: a value of the algebra, or a list of them. Values are immutable; the zero Value
// is an empty list.
type Value struct {
	node node
	err  error // what was wrong with the parts it was made of
}

// Bool returns a truth value.
func Bool(b bool) Value { return Value{node: boolean(b)} }

// Tuple returns an integer or a tuple of integers.
func Tuple(t cute.Tuple) Value { return treeValue(t.String()) }

// Coord returns a coordinate with underscores.
func Coord(c cute.Coord) Value { return treeValue(c.String()) }

func treeValue(text string) Value {
	t, err := readTree(text)
	return Value{tuple{t}, err}
}

// Layout returns a layout.
func Layout(a cute.Layout) Value {
	n, err := readLayout(a.String())
	return Value{n, err}
}

// Swizzle returns a swizzle.
func Swizzle(w cute.Swizzle) Value { return Value{node: swizzle{w.B(), w.M(), w.S()}} }

// Composed returns a composed layout.
func Composed(c cute.Composed) Value {
	n, err := readChain(c.String())
	return Value{n, err}
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

// List returns the values of an operation that has several, or the numbers of a set.
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

// An Order is one of CuTe's two names in the place of a stride.
type Order string

// The orders.
const (
	LayoutLeft  Order = "LayoutLeft"
	LayoutRight Order = "LayoutRight"
)

// Named returns the value that an order is.
func Named(o Order) Value { return Value{node: order(o)} }

// root makes the zero Value an empty list.
func (v Value) root() node {
	if v.node == nil {
		return list{}
	}
	return v.node
}
