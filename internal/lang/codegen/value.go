package codegen

import "girih"

// A Value is what [Write] writes: a value of the algebra, or a list of them. Values are immutable; the zero Value
// is an empty list.
type Value struct {
	node node
	err  error // what was wrong with the parts it was made of
}

// Bool returns a truth value.
func Bool(b bool) Value { return Value{node: boolean(b)} }

// Tuple returns an integer or a tuple of integers.
func Tuple(t girih.Tuple) Value { return treeValue(t.String()) }

// Coord returns a coordinate with underscores.
func Coord(c girih.Coord) Value { return treeValue(c.String()) }

func treeValue(text string) Value {
	t, err := readTree(text)
	return Value{tuple{t}, err}
}

// Layout returns a layout.
func Layout(a girih.Layout) Value {
	n, err := readLayout(a.String())
	return Value{n, err}
}

// Swizzle returns a swizzle.
func Swizzle(w girih.Swizzle) Value { return Value{node: swizzle{w.B(), w.M(), w.S()}} }

// Composed returns a composed layout.
func Composed(c girih.Composed) Value {
	n, err := readChain(c.String())
	return Value{n, err}
}

// Tiler returns a tiler: a layout, a shape, a tile or [girih.Keep].
func Tiler(t girih.Tiler) Value {
	switch t := t.(type) {
	case girih.Layout:
		return Layout(t)
	case girih.Tuple:
		return Tuple(t)
	case girih.Tile:
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
		return Value{err: &girih.Error{Code: girih.CodeType, Op: "codegen", Msg: "expected a tiler, found none"}}
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
