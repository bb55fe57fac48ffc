package eval

import (
	"strings"

	"girih/cute"
)

// This file defines the values of the language whose integers are known. The other kinds are in the files *_values.go
// and in dynamic.go.

// A Kind names a kind of value, as error messages and the JSON output do.
type Kind string

// The kinds of values.
const (
	KindInt      Kind = "int"
	KindBool     Kind = "bool"
	KindTuple    Kind = "tuple"
	KindCoord    Kind = "coord" // a coordinate with underscores
	KindLayout   Kind = "layout"
	KindComposed Kind = "composed_layout"
	KindSwizzle  Kind = "swizzle"
	KindTile     Kind = "tile"
	KindList     Kind = "list"
	KindOrder    Kind = "order" // LayoutLeft and LayoutRight
)

// A Value is the result of an expression: [Bool], [Tuple], [Coord], [Layout], [Composed], [Swizzle], [Tile], [List],
// [Order], or one of the kinds in the other files. String returns its canonical text, on one line.
type Value interface {
	Kind() Kind
	String() string
	value() // seals the interface
}

type (
	// A Bool is a truth value.
	Bool bool
	// A Tuple is an integer or a tuple of integers.
	Tuple struct{ cute.Tuple }
	// A Coord is a coordinate with underscores, or just _.
	Coord struct{ cute.Coord }
	// A Layout is a layout of integers or coordinates.
	Layout struct{ cute.Layout }
	// A Composed is a layout after which other functions are applied, such as swizzles.
	Composed struct{ cute.Composed }
	// A Swizzle is a swizzle that is not part of a composed layout.
	Swizzle struct{ cute.Swizzle }
	// A Tile is a tuple of tilers.
	Tile struct{ cute.Tile }
	// A List holds the values of an operation with several results, or the numbers of a set.
	List []Value
	// An Order is LayoutLeft or LayoutRight, in the place of a stride.
	Order string
)

func (Bool) value()     {}
func (Tuple) value()    {}
func (Coord) value()    {}
func (Layout) value()   {}
func (Composed) value() {}
func (Swizzle) value()  {}
func (Tile) value()     {}
func (List) value()     {}
func (Order) value()    {}

// Kind returns [KindBool].
func (Bool) Kind() Kind { return KindBool }

// Kind returns [KindInt] or [KindTuple].
func (t Tuple) Kind() Kind {
	if t.IsInt() {
		return KindInt
	}
	return KindTuple
}

// Kind returns [KindCoord].
func (Coord) Kind() Kind { return KindCoord }

// Kind returns [KindLayout].
func (Layout) Kind() Kind { return KindLayout }

// Kind returns [KindComposed].
func (Composed) Kind() Kind { return KindComposed }

// Kind returns [KindSwizzle].
func (Swizzle) Kind() Kind { return KindSwizzle }

// Kind returns [KindTile].
func (Tile) Kind() Kind { return KindTile }

// Kind returns [KindList].
func (List) Kind() Kind { return KindList }

// Kind returns [KindOrder].
func (Order) Kind() Kind { return KindOrder }

// String returns "true" or "false".
func (b Bool) String() string {
	if b {
		return "true"
	}
	return "false"
}

// String returns the values in braces, as {0,2,4}.
func (l List) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range l {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(v.String())
	}
	b.WriteByte('}')
	return b.String()
}

// String returns the name.
func (o Order) String() string { return string(o) }

// integer returns x as a value.
//
//go:noinline
func integer(x int64) Tuple { return Tuple{cute.Int(x)} }
