package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// The signs of operations that no function is called for. Those of two operands are the texts of their [syntax.Op].
const (
	signNest   = "()"   // the elements of parentheses in one value
	signTile   = "<>"   // those of a tiler
	signLayout = ":"    // shape and stride
	signChain  = "o o"  // function, offset and layout, F o offset o L
	signPair   = "o"    // composition
	signApply  = "L(c)" // a function and coordinates
)

// operators are the rows of what is written with signs. What is the same as a function has the row of that: see table.
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

// nest puts integers, tuples and coordinates into parentheses; CuTe prints tiles so, too: (_,_32,_4:_2).
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

// noTile refuses values over F2 as tilers, or what is none before them.
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
		return c.dynamicLayout() // which refuses them
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

// bitsChain refuses values over F2 other than layouts.
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
func arithmeticOf(op syntax.Op) Builtin {
	return Builtin{
		Name: op.String(),
		known: func(c *call) (Value, error) {
			a, okA := c.args[0].(Tuple)
			b, okB := c.args[1].(Tuple)
			if !okA || !okB {
				return dynamicArithmetic(op, c.args[0], c.args[1])
			}
			t, err := arithmetic(op, a.Tuple, b.Tuple)
			return Tuple{t}, err
		},
		dynamic: func(c *call) (Value, error) { return dynamicArithmetic(op, c.args[0], c.args[1]) },
		bits:    func(c *call) (Value, error) { return bitsArithmetic(op, c.args[0], c.args[1]) },
	}
}

func arithmetic(op syntax.Op, a, b cute.Tuple) (cute.Tuple, error) {
	switch op {
	case syntax.OpAdd:
		return a.Add(b)
	case syntax.OpSub:
		return a.Sub(b)
	}
	x, okX := unwrapInt(a)
	y, okY := unwrapInt(b)
	if op == syntax.OpMul {
		if okY {
			return a.Scale(y)
		}
		if okX {
			return b.Scale(x)
		}
	}
	if !okX || !okY {
		return cute.Tuple{}, &cute.Error{
			Code: cute.CodeType,
			Msg:  fmt.Sprintf("%s takes integers, found %v and %v", op, a, b),
		}
	}
	if y == 0 || (y == -1 && x < 0 && -x == x) {
		return cute.Tuple{}, &cute.Error{
			Code: cute.CodeOverflow,
			Msg:  fmt.Sprintf("%d %s %d is not a 64-bit integer", x, op, y),
		}
	}
	if op == syntax.OpDiv {
		return cute.Int(x / y), nil
	}
	return cute.Int(x % y), nil
}
