package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file has the methods that take, group, nest and replace modes. They work on known integers; dynamic_rearrange.go
// calls them with numbered leaves for run-time integers, and xorRearrange for F2 strides.

func selectModes(c *call) (Value, error) {
	n, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	return c.structure(
		func(l cute.Layout) (cute.Layout, error) { return l.Select(n...) },
		func(t cute.Tuple) (cute.Tuple, error) { return t.Select(n...) },
		func(t []Value) (Value, error) { return pick(t, n) })
}

func flatten(c *call) (Value, error) {
	if k, ok := c.args[0].(Coord); ok {
		return flattenCoord(k), nil
	}
	return c.structure(
		func(l cute.Layout) (cute.Layout, error) { return l.Flatten(), nil },
		func(t cute.Tuple) (cute.Tuple, error) { return t.Flatten(), nil }, nil)
}

func unflatten(c *call) (Value, error) {
	p, err := c.profile(1)
	if err != nil {
		return nil, err
	}
	return c.structure(
		func(l cute.Layout) (cute.Layout, error) { return l.Unflatten(p) },
		func(t cute.Tuple) (cute.Tuple, error) { return t.Unflatten(p) }, nil)
}

func appendMode(c *call) (Value, error) {
	return c.pad(cute.Layout.AppendMode, cute.Layout.AppendToRank, cute.Tuple.AppendToRank)
}

func prependMode(c *call) (Value, error) {
	return c.pad(cute.Layout.PrependMode, cute.Layout.PrependToRank, cute.Tuple.PrependToRank)
}

func appendToRank(c *call) (Value, error) {
	return c.padTo(cute.Layout.AppendToRank, cute.Tuple.AppendToRank)
}

func prependToRank(c *call) (Value, error) {
	return c.padTo(cute.Layout.PrependToRank, cute.Tuple.PrependToRank)
}

func replaceMode(c *call) (Value, error) {
	last := len(c.args) - 1
	x, err := c.layout(last)
	if err != nil {
		return nil, err
	}
	c.args = c.args[:last]
	n, err := c.numbers(1)
	if err != nil || len(n) != 1 {
		return nil, orArguments(err, c)
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return l.Replace(n[0], x) })
}

func zipModes(c *call) (Value, error) {
	if len(c.args) == 1 {
		return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return cute.Zip(l.Modes()...) })
	}
	ls := make([]cute.Layout, len(c.args))
	for i := range ls {
		var err error
		if ls[i], err = c.layout(i); err != nil {
			return nil, err
		}
	}
	return layoutOf(cute.Zip(ls...))
}

func tileUnzip(c *call) (Value, error) {
	t, err := c.tiler(1)
	if err != nil {
		return nil, err
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return cute.TileUnzip(l, t) })
}

func withShape(c *call) (Value, error) {
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return c.env.stop().WithShape(l, s) })
}

// structure applies an operation to a layout, a composed layout, a tuple, or the modes of a tile or coordinate.
func (c *call) structure(
	onLayout func(cute.Layout) (cute.Layout, error),
	onTuple func(cute.Tuple) (cute.Tuple, error),
	onModes func([]Value) (Value, error),
) (Value, error) {
	switch v := c.args[0].(type) {
	case Tuple:
		return tupleOf(onTuple(v.Tuple))
	case Tile:
		if onModes != nil {
			return onModes(tileModes(v))
		}
	case Coord:
		if onModes != nil {
			return onModes(coordModes(v))
		}
	case Layout, Composed, Tensor:
		return c.domain(0, onLayout)
	}
	return nil, c.bad(0, "a layout or a tuple")
}

func tileModes(t Tile) []Value {
	var vs []Value
	for _, m := range t.Modes() {
		vs = append(vs, tilerValue(m))
	}
	return vs
}

// tilerValue returns a tiler as a value.
//
//go:noinline
func tilerValue(t cute.Tiler) Value {
	switch t := t.(type) {
	case cute.Layout:
		return Layout{t}
	case cute.Tuple:
		return Tuple{t}
	case cute.Tile:
		return Tile{t}
	}
	return Coord{cute.Open}
}

func coordModes(k Coord) []Value {
	var vs []Value
	for _, m := range k.Modes() {
		vs = append(vs, coordValue(m))
	}
	return vs
}

// coordValue returns a coordinate as a value: a tuple if it has no underscores.
func coordValue(k cute.Coord) Value {
	if t, closed := k.Tuple(); closed {
		return Tuple{t}
	}
	return Coord{k}
}

// flattenCoord returns a coordinate with all leaves at the top level.
func flattenCoord(k Coord) Value {
	ms := k.Modes()
	if len(ms) == 1 && ms[0].String() == k.String() {
		return k
	}
	var flat []cute.Coord
	var walk func(c cute.Coord)
	walk = func(c cute.Coord) {
		ms := c.Modes()
		if len(ms) == 1 && ms[0].String() == c.String() {
			flat = append(flat, c)
			return
		}
		for _, m := range ms {
			walk(m)
		}
	}
	walk(k.Coord)
	return Coord{cute.MakeCoord(flat...)}
}

// pick returns the given modes of a tile or coordinate as one value.
func pick(modes []Value, n []int) (Value, error) {
	var ts []cute.Tiler
	var cs []cute.Coord
	for _, i := range n {
		if i < 0 || i >= len(modes) {
			return nil, &cute.Error{
				Code: cute.CodeMode, Op: "select",
				Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", i, len(modes)),
			}
		}
		if k, err := asCoord(modes[i]); err == nil {
			cs = append(cs, k)
		}
		t, err := asTiler(modes[i])
		if err != nil {
			return nil, err
		}
		ts = append(ts, t)
	}
	if len(cs) == len(ts) {
		return coordValue(cute.MakeCoord(cs...)), nil
	}
	return Tile{cute.MakeTile(ts...)}, nil
}

// indexes reports whether T[...] is an element or a slice: either T is a tensor, or the brackets contain underscores.
func (c *call) indexes() bool {
	x, ok := c.expr.(*syntax.Call)
	if !ok || !x.Index {
		return false
	}
	_, ok = c.args[0].(Tensor)
	return ok || slices.ContainsFunc(c.args[1:], func(v Value) bool {
		t, err := asDynamicTuple(v)
		if err != nil {
			return false
		}
		_, closed := t.Pattern().Tuple()
		return !closed
	})
}

func getMode(c *call) (Value, error) {
	if c.indexes() {
		of := *c
		of.args, of.tmpl = c.args[:1:1], nil
		for _, m := range c.tmpl {
			of.args = append(of.args, integer(m))
		}
		of.args = append(of.args, c.args[1:]...)
		return of.apply()
	}
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	for _, p := range path {
		if p < 0 {
			return nil, &cute.Error{Code: cute.CodeMode, Op: "get", Msg: fmt.Sprintf("modes are numbered from 0, found %d", p)}
		}
	}
	switch v := c.args[0].(type) {
	case Tensor:
		if c.written == "layout" {
			of := *c
			of.args = append([]Value{v.layoutValue()}, c.args[1:]...)
			return getMode(&of)
		}
	case Tile, Coord:
		for _, p := range path {
			var modes []Value
			switch v := v.(type) {
			case Tile:
				modes = tileModes(v)
			case Coord:
				modes = coordModes(v)
			default:
				return nil, c.bad(0, "nested deeper")
			}
			if p >= len(modes) {
				return nil, &cute.Error{
					Code: cute.CodeMode, Op: "get",
					Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes)),
				}
			}
			v = modes[p]
		}
		return v, nil
	case Tuple:
		return tupleOf(v.Mode(path...))
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return l.Mode(path...) })
}

// onRange returns the method that calls a function with a range of modes [begin, end).
//
//go:noinline
func onRange(
	onLayout func(cute.Layout, int, int) (cute.Layout, error),
	onTuple func(cute.Tuple, int, int) (cute.Tuple, error),
) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		n, err := c.numbers(1)
		if err != nil || len(n) != 2 {
			return nil, orArguments(err, c)
		}
		return c.structure(
			func(l cute.Layout) (cute.Layout, error) { return onLayout(l, n[0], n[1]) },
			func(t cute.Tuple) (cute.Tuple, error) { return onTuple(t, n[0], n[1]) }, nil)
	}
}

// orArguments returns err; if err is nil, it returns an error that explains how to call the function.
func orArguments(err error, c *call) error {
	if err != nil {
		return err
	}
	return &cute.Error{Code: cute.CodeRank, Op: c.fn.Name, Msg: fmt.Sprintf("expected %s(%s)", c.fn.Name, c.fn.Params)}
}

// pad adds one mode; with a number in <...>, it adds modes up to that rank.
func (c *call) pad(
	one func(cute.Layout, cute.Layout) (cute.Layout, error),
	onLayout func(cute.Layout, int, cute.Layout) (cute.Layout, error),
	onTuple func(cute.Tuple, int, cute.Tuple) (cute.Tuple, error),
) (Value, error) {
	if c.tmpl != nil {
		return c.padTo(onLayout, onTuple)
	}
	if len(c.args) != 2 {
		return nil, orArguments(nil, c)
	}
	if t, ok := c.args[0].(Tuple); ok {
		if x, ok := c.args[1].(Tuple); ok {
			return tupleOf(onTuple(t.Tuple, t.Rank()+1, x.Tuple))
		}
	}
	x, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return one(l, x) })
}

func (c *call) padTo(
	onLayout func(cute.Layout, int, cute.Layout) (cute.Layout, error),
	onTuple func(cute.Tuple, int, cute.Tuple) (cute.Tuple, error),
) (Value, error) {
	n, err := c.numbers(2)
	if err != nil || len(n) != 1 {
		return nil, orArguments(err, c)
	}
	if t, ok := c.args[0].(Tuple); ok {
		x := cute.Int(1)
		if len(c.args) > 1 {
			if x, err = c.tuple(1); err != nil {
				return nil, err
			}
		}
		return tupleOf(onTuple(t.Tuple, n[0], x))
	}
	x := cute.MustParse("1:0")
	if len(c.args) > 1 {
		l, ok := c.args[1].(Layout)
		if !ok {
			return nil, c.bad(1, "a layout")
		}
		x = l.Layout
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return onLayout(l, n[0], x) })
}
