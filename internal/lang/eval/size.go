package eval

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// These limits on values ensure that every value can be traversed quickly. With names, a short program can make large
// values: let a = (a,a) doubles a value.
const (
	// MaxNodes limits the leaves and tuples of a value.
	MaxNodes = 1 << 18
	// MaxNesting limits the depth of its nesting.
	MaxNesting = 2 * syntax.MaxDepth
)

// checkSize returns an error of code [cute.CodeLimit] if a value made of vs would be too large or nested too deeply.
// checkSize is called before the value is made.
func checkSize(vs ...Value) error {
	sum := 1
	for _, v := range vs {
		n, depth := extent(v, MaxNodes)
		if sum += n; sum > MaxNodes {
			return &cute.Error{
				Code: cute.CodeLimit,
				Msg: fmt.Sprintf("a value has at most %d numbers and parentheses, and the %d operands here have more",
					MaxNodes, len(vs)),
				Hint: "names of large values are written out where they are used",
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

// extent returns the number of leaves and tuples of a value and the depth of its nesting. It may stop counting at most.
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
	case Brackets:
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

// The approximate memory, in bytes, of: a value itself; a node of a value; a node with run-time integers, and a part of
// its expression; a number in a list, which is a value.
const (
	valueBytes   = 128
	nodeBytes    = 10
	dynamicBytes = 96
	partBytes    = 24
	listBytes    = 96
	tableBytes   = 1 << 14 // the size of a value that has tables, such as a TiledMMA
)

// bytesOf returns the approximate memory of a value, in bytes.
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
	case Tile: // the tilers are shared, but the list of them is not
		return valueBytes + int64(v.Rank())*valueBytes
	case Tensor: // the parts are stored twice: as given, and split
		return 2*bytesOf(v.layoutValue()) + bytesOf(Tuple{v.Origin()})
	case Text:
		return valueBytes + int64(len(v.String()))
	case IndexMap:
		return valueBytes + mapBytes*int64(len(v.Map.String()))
	case List:
		return v.bytes()
	case F2:
		nodes, _ := v.extent()
		return int64(nodes) * 48
	}
	return bytesOfOther(v)
}

// mapBytes are the bytes of a map of indices for each byte of its text.
const mapBytes = 128

func (l List) bytes() int64 {
	sum := int64(valueBytes)
	for _, x := range l {
		if t, ok := x.(Tuple); ok && t.IsInt() {
			sum += listBytes
			continue
		}
		sum += bytesOf(x)
	}
	return sum
}

// bytesOfOther returns the approximate memory of a value with run-time integers, and tableBytes for the rest.
func bytesOfOther(v Value) int64 {
	switch v := v.(type) {
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
	}
	return tableBytes
}

// Keep sets f to be called with the approximate bytes of each value that an evaluation makes or binds, and with a
// negative number when these bytes are no longer needed. An error of f ends the evaluation with that error, of code
// [cute.CodeLimit]. nil removes the limit.
func (e *Env) Keep(f func(bytes int64) error) { e.keep = f }

// affords reserves the bytes of the next value, and returns an error if the limit on memory leaves too few. The bytes
// are reserved before the value is made, so that the budget always covers the heap.
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

// account charges a value of the statement to the limit on memory.
func (e *Env) account(x syntax.Expr, v Value) (Value, error) {
	if e.keep == nil || v == nil {
		return v, nil
	}
	switch x.(type) {
	case *syntax.Ident, *syntax.Int, *syntax.Bool, *syntax.Wildcard:
		return v, nil // no new value is made
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

// settle releases the memory of the statement, except for the value it binds.
func (e *Env) settle(s syntax.Stmt, v Value) error {
	if e.keep == nil {
		return nil
	}
	_ = e.keep(-e.passing - e.ahead) // releasing cannot fail
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
