package eval

import (
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file has the operations that are written with signs and parentheses, as rows of the same kind as functions.

// The signs of operations that are not calls of functions. The sign of a binary operator is the text of its
// [syntax.Op].
const (
	signNest   = "()"   // makes a tuple
	signTile   = "<>"   // makes a tiler
	signLayout = ":"    // shape and stride
	signChain  = "o o"  // function, offset and layout, F o offset o L
	signPair   = "o"    // composition
	signApply  = "L(c)" // a function and coordinates
)

// operators are the rows of operations written with signs. A sign that means the same as a function uses the function's
// row: see newTable.
func operators() []Builtin {
	return []Builtin{
		{Name: signNest, known: (*call).nest, dynamic: (*call).nestDynamic, bits: (*call).nestF2},
		{Name: signTile, known: (*call).makeTile, dynamic: (*call).makeDynamicTile, bits: (*call).noTile},
		{Name: signLayout, known: (*call).layoutOfTuples, dynamic: (*call).dynamicLayout, bits: (*call).xorLayout},
		{
			Name: signChain, known: (*call).chain, dynamic: (*call).dynamicChain, xor: (*call).xorChain,
			bits: (*call).bitsChain,
		},
		arithmeticOf(syntax.OpAdd), arithmeticOf(syntax.OpSub), arithmeticOf(syntax.OpMul),
		arithmeticOf(syntax.OpDiv), arithmeticOf(syntax.OpMod),
		{Name: syntax.OpEqual.String(), known: (*call).equal, dynamic: (*call).dynamicEqual, bits: (*call).equal},
	}
}

// nest makes a tuple of integers, tuples and coordinates. Other elements make a tile, because CuTe prints tiles so:
// (_,_32,_4:_2).
func (c *call) nest() (Value, error) {
	ts := make([]cute.Tuple, 0, len(c.args))
	for _, v := range c.args {
		switch v := v.(type) {
		case Tuple:
			ts = append(ts, v.Tuple)
		case Coord:
		default:
			return c.makeTile()
		}
	}
	if len(ts) == len(c.args) {
		return tupleOf(cute.MakeTuple(ts...))
	}
	cs := make([]cute.Coord, len(c.args))
	for i, v := range c.args {
		var err error
		if cs[i], err = asCoord(v); err != nil {
			return nil, c.env.fail(c.place(i), err)
		}
	}
	return Coord{cute.MakeCoord(cs...)}, nil
}

// isCoordinate reports whether a value is an integer, a tuple or a coordinate.
func isCoordinate(v Value) bool {
	switch v.(type) {
	case Tuple, DynamicTuple, Coord:
		return true
	}
	return false
}

func (c *call) nestDynamic() (Value, error) {
	if slices.ContainsFunc(c.args, func(v Value) bool { return !isCoordinate(v) }) {
		return dynamicTile(c.args)
	}
	return dynamicNest(c.args)
}

func (c *call) nestF2() (Value, error) {
	if slices.ContainsFunc(c.args, func(v Value) bool { return domainOf(v) == domainF2 }) {
		return f2Nest(c.args)
	}
	return c.noTile()
}

// makeTile makes a tuple of tilers.
func (c *call) makeTile() (Value, error) {
	ts := make([]cute.Tiler, len(c.args))
	for i, v := range c.args {
		t, err := asTiler(v)
		if err != nil {
			return nil, c.env.fail(c.place(i), err)
		}
		if _, checked := v.(Tile); !checked {
			if err := checkShapes(t); err != nil {
				return nil, c.env.fail(c.place(i), err)
			}
		}
		ts[i] = t
	}
	return Tile{cute.MakeTile(ts...)}, nil
}

func (c *call) makeDynamicTile() (Value, error) { return dynamicTile(c.args) }

// noTile refuses values over F2 as tilers. If an earlier operand is not a tiler either, that operand is refused first.
func (c *call) noTile() (Value, error) {
	if dynamic(c.args...) {
		return dynamicTile(c.args)
	}
	return c.makeTile()
}

// layoutOfTuples makes the layout shape:stride.
func (c *call) layoutOfTuples() (Value, error) {
	shape, okS := c.args[0].(Tuple)
	stride, okD := c.args[1].(Tuple)
	if !okS || !okD {
		return c.dynamicLayout() // refuses them
	}
	return layoutOf(cute.New(shape.Tuple, stride.Tuple))
}

// chain makes outer o offset o inner.
func (c *call) chain() (Value, error) {
	offset, err := asCoordinate(c.args[1], 0)
	if err != nil {
		return nil, err
	}
	return makeComposed(c.args[0], offset.(Tuple).Tuple, c.args[2])
}

func (c *call) dynamicChain() (Value, error) {
	offset, err := asCoordinate(c.args[1], 0)
	if err != nil {
		return nil, err
	}
	return makeDynamicComposed(c.args[0], offset, c.args[2])
}

// bitsChain refuses values over F2 that are not layouts.
func (c *call) bitsChain() (Value, error) {
	if dynamic(c.args...) {
		return c.dynamicChain()
	}
	return c.chain()
}

func (c *call) xorChain() (Value, error) {
	offset, err := asCoordinate(c.args[1], 0)
	if err != nil {
		return nil, err
	}
	t, known := offset.(Tuple)
	if !known || dynamic(c.args...) {
		return makeDynamicComposed(c.args[0], offset, c.args[2])
	}
	if err := stageable(c.args[0], c.args[2]); err != nil {
		return nil, err
	}
	return composedXor(c.args[0], t.Tuple, c.args[2])
}

// equal compares the kinds and the texts of two values.
func (c *call) equal() (Value, error) {
	a, b := c.args[0], c.args[1]
	return Bool(a.Kind() == b.Kind() && a.String() == b.String()), nil
}

func (c *call) dynamicEqual() (Value, error) {
	return compareDynamic(c.fn.Name, c.args[0], c.args[1], symbolic.EqualIf)
}

// arithmeticOf returns the row of a op b.
//
//go:noinline
func arithmeticOf(op syntax.Op) Builtin {
	return Builtin{
		Name: op.String(),
		known: func(c *call) (Value, error) {
			a, okA := c.args[0].(Tuple)
			b, okB := c.args[1].(Tuple)
			if !okA || !okB {
				return c.arithmetic(op)
			}
			t, _, err := knownRing.apply(op, a.Tuple, b.Tuple)
			if err == nil {
				c.noteArithmetic(op, a, b, t)
			}
			return Tuple{t}, err
		},
		dynamic: func(c *call) (Value, error) { return c.arithmetic(op) },
		bits:    func(c *call) (Value, error) { return bitsArithmetic(op, c.args[0], c.args[1]) },
	}
}

// arithmetic returns a op b for operands with run-time integers, and refuses operands that are not tuples.
func (c *call) arithmetic(op syntax.Op) (Value, error) {
	a, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, err
	}
	b, err := asDynamicTuple(c.args[1])
	if err != nil {
		return nil, err
	}
	t, g, err := runTimeRing.apply(op, a, b)
	return onRunTime.ofTuple(t, guardOf(c.args[0]).And(guardOf(c.args[1])).And(g), err)
}
