package eval

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// What values are at most, so that no value takes long to look through: names let a short program write large ones, as
// let a = (a,a) does, which doubles.
const (
	// MaxNodes is the number of leaves and tuples of a value.
	MaxNodes = 1 << 18
	// MaxNesting is the depth of its nesting.
	MaxNesting = 2 * syntax.MaxDepth
)

// checkSize returns an error of code [cute.CodeLimit] where values together are more than one value may be, or are
// nested more deeply than what they are put into may be. It is asked before that is made.
func checkSize(vs ...Value) error {
	sum := 1
	for _, v := range vs {
		n, depth := extent(v, MaxNodes)
		if sum += n; sum > MaxNodes {
			return &cute.Error{
				Code: cute.CodeLimit,
				Msg: fmt.Sprintf("a value has at most %d numbers and parentheses, and the %d operands here have more",
					MaxNodes, len(vs)),
				Hint: "names that stand for large values are written out where they are used",
			}
		}
		if depth >= MaxNesting {
			return &cute.Error{
				Code: cute.CodeLimit,
				Msg:  fmt.Sprintf("a value nests at most %d levels deep, and an operand here has as many", MaxNesting),
			}
		}
	}
	return nil
}

// extent returns the number of leaves and tuples of a value, and the depth of its nesting. It may end its count at
// most.
func extent(v Value, most int) (nodes, depth int) {
	switch v := v.(type) {
	case Tuple:
		return v.NodeCount(), v.Depth()
	case Coord:
		return v.NodeCount(), v.Depth()
	case Layout:
		return v.Shape().NodeCount(), v.Depth()
	case Xor:
		return v.Shape().NodeCount(), v.Shape().Depth()
	case Composed:
		return leaves(v) + stages(v), v.Shape().Depth()
	case Tile:
		return v.NodeCount(), v.Depth()
	case Tensor:
		nodes, depth = extent(v.layoutValue(), most)
		return nodes + v.Origin().NodeCount(), depth
	case DynamicTuple:
		return v.Tuple.NodeCount(most)
	case DynamicLayout:
		return v.Shape().NodeCount(most)
	case DynamicTile:
		return v.Tiler.NodeCount(most)
	case DynamicComposed:
		nodes, depth = v.Inner.Shape().NodeCount(most)
		return nodes + leaves(v) + stages(v), depth
	case F2:
		return v.extent()
	}
	return 1, 0
}

// extent returns the number of numbers and parentheses, and the depth.
func (x F2) extent() (nodes, depth int) {
	nodes = 1
	for _, e := range x.Elems {
		n, d := e.extent()
		if nodes, depth = nodes+n, max(depth, 1+d); nodes > MaxNodes {
			break
		}
	}
	return nodes, depth
}

// What values take in memory, in bytes, roughly: of a value itself, of a number and a node of it, of a node with
// run-time integers and a part of their expressions, and of a number in a list, which is a value.
const (
	valueBytes   = 128
	nodeBytes    = 10
	dynamicBytes = 96
	partBytes    = 24
	listBytes    = 96
	tableBytes   = 1 << 14 // of a value that has tables, such as a TiledMMA
)

// bytesOf returns roughly what a value takes in memory.
func bytesOf(v Value) int64 {
	switch v := v.(type) {
	case Bool, Swizzle, Order:
		return 16
	case Tuple:
		return valueBytes + int64(v.NumberCount())*8 + int64(v.NodeCount())*nodeBytes
	case Coord:
		return valueBytes + int64(v.NodeCount())*nodeBytes
	case Layout:
		return valueBytes + int64(v.Shape().NumberCount()+v.Stride().NumberCount())*8 + int64(v.Shape().NodeCount())*nodeBytes
	case Composed:
		return int64(leaves(v))*2*nodeBytes + int64(stages(v))*valueBytes + bytesOf(Layout{v.Layout()})
	case Tile: // its tilers are shared, its list is not
		return valueBytes + int64(v.Rank())*valueBytes
	case Xor:
		return tableBytes
	case Tensor: // its parts are there as they are and taken apart
		return 2*bytesOf(v.layoutValue()) + bytesOf(Tuple{v.Origin()})
	case Text:
		return valueBytes + int64(len(v.String()))
	case List:
		sum := int64(valueBytes)
		for _, x := range v {
			if t, ok := x.(Tuple); ok && t.IsInt() {
				sum += listBytes
				continue
			}
			sum += bytesOf(x)
		}
		return sum
	case DynamicTuple:
		nodes, _ := v.Tuple.NodeCount(MaxNodes)
		return int64(nodes)*dynamicBytes + int64(v.Tuple.Parts())*partBytes
	case DynamicLayout:
		return bytesOf(DynamicTuple{Tuple: v.Shape()}) + bytesOf(DynamicTuple{Tuple: v.Stride()})
	case DynamicTile:
		nodes, _ := v.Tiler.NodeCount(MaxNodes)
		return int64(nodes) * 4 * dynamicBytes
	case DynamicComposed:
		return int64(leaves(v)+stages(v))*valueBytes + bytesOf(DynamicLayout{v.Inner})
	case F2:
		nodes, _ := v.extent()
		return int64(nodes) * 48
	}
	return tableBytes
}

// Keep has f called with the bytes, roughly, of the values that evaluations make and bind from now on, and with a
// negative number when they are no longer needed; an error of f ends the evaluation with that error, of code
// [cute.CodeLimit]. nil takes the limit away.
func (e *Env) Keep(f func(bytes int64) error) { e.keep = f }

// affords holds the bytes of the value that is made next, and returns an error if the limit on memory leaves fewer. The
// bytes are held before they are made, so that the budget knows who fills the heap.
func (e *Env) affords(bytes int64) error {
	if e.keep == nil {
		return nil
	}
	if err := e.keep(bytes); err != nil {
		return &cute.Error{Code: cute.CodeLimit, Msg: err.Error()}
	}
	e.ahead += bytes
	return nil
}

// made takes a value of the statement into account.
func (e *Env) made(x syntax.Expr, v Value) (Value, error) {
	if e.keep == nil || v == nil {
		return v, nil
	}
	switch x.(type) {
	case *syntax.Ident, *syntax.Int, *syntax.Bool, *syntax.Wildcard:
		return v, nil // nothing is made
	}
	n := bytesOf(v)
	ahead := e.ahead
	e.ahead, e.passing = 0, e.passing+ahead
	if err := e.keep(n - ahead); err != nil {
		return nil, e.fail(x, &cute.Error{Code: cute.CodeLimit, Msg: err.Error()})
	}
	e.passing += n - ahead
	return v, nil
}

// settle gives back what the values of the statement took, all but what is bound.
func (e *Env) settle(s syntax.Stmt, v Value) error {
	if e.keep == nil {
		return nil
	}
	_ = e.keep(-e.passing - e.ahead) // there is less of it
	e.passing, e.ahead = 0, 0
	if s.Name == "" || v == nil {
		return nil
	}
	n := bytesOf(v) + int64(len(s.Name)) + valueBytes
	if err := e.keep(n - e.bytes[s.Name]); err != nil {
		return e.fail(s.X, &cute.Error{Code: cute.CodeLimit, Msg: err.Error()})
	}
	if e.bytes == nil {
		e.bytes = make(map[string]int64)
	}
	e.bytes[s.Name] = n
	return nil
}
