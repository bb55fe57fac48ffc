package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/linear"
	"girih/symbolic"
)

func structureBuiltins() []Builtin {
	const group = "structure"
	return []Builtin{
		{
			Name: "get", Params: "x, mode, ...", arity: from(1), Group: group, plain: 1, long: true, Aliases: []string{"mode", "layout"},
			Doc:     "Returns the mode of a layout, a tuple or a tile at a path: get<1,0>(L), or get(L, 1, 0), is mode 0 of mode 1.",
			Example: "get<1,0>((4,(2,3)):(1,(4,8)))", Output: "2:4",
			dynamic: (*call).dynamicGet, moves: []int{0}, picks: true,
			known: getMode,
		},
		{
			Name: "select", Params: "x, mode, ...", arity: from(1), Group: group, plain: 1,
			Doc:     "Returns the given modes in the given order, as a tuple of them; a mode may be taken twice.",
			Example: "select<2,0>((4,2,8):(1,4,8))", Output: "(8,4):(8,1)",
			dynamic: (*call).dynamicSelect, moves: []int{0}, picks: true,
			known: func(c *call) (Value, error) {
				n, err := c.numbers(1)
				if err != nil {
					return nil, err
				}
				return c.structure(
					func(l cute.Layout) (cute.Layout, error) { return l.Select(n...) },
					func(t cute.Tuple) (cute.Tuple, error) { return t.Select(n...) },
					func(t []Value) (Value, error) { return pick(t, n) })
			},
		},
		{
			Name: "take", Params: "x, begin, end", arity: between(1, 3), Group: group, plain: 1, long: true,
			Doc:     "Returns the modes begin, begin+1, ..., end-1.",
			Example: "take<1,3>((2,3,4):(1,2,6))", Output: "(3,4):(2,6)",
			moves: []int{0}, picks: true,
			known: ranged(cute.Layout.Take, cute.Tuple.Take),
		},
		{
			Name: "group_modes", Params: "x, begin, end", arity: between(1, 3), Group: group, plain: 1, Aliases: []string{"group"},
			Doc:     "Returns x with the modes begin, ..., end-1 grouped into one.",
			Example: "group_modes<1,3>((4,5,6):(1,4,20))", Output: "(4,(5,6)):(1,(4,20))",
			moves: []int{0},
			known: ranged(cute.Layout.GroupModes, cute.Tuple.GroupModes),
		},
		{
			Name: "flatten", Params: "x", Group: group, long: true,
			Doc:     "Returns x with all leaves at the top level.",
			Example: "flatten((3,(4,5)):(8,(1,4)))", Output: "(3,4,5):(8,1,4)",
			moves: []int{0},
			known: func(c *call) (Value, error) {
				if k, ok := c.args[0].(Coord); ok {
					return flattenCoord(k), nil
				}
				return c.structure(
					func(l cute.Layout) (cute.Layout, error) { return l.Flatten(), nil },
					func(t cute.Tuple) (cute.Tuple, error) { return t.Flatten(), nil }, nil)
			},
		},
		{
			Name: "unflatten", Params: "x, profile", Group: group,
			Doc:     "Returns the leaves of a layout or a tuple in the nesting of the profile, whose leaves, numbers or _, do not matter.",
			Example: "unflatten((3,4,5):(8,1,4), (0,(0,0)))", Output: "(3,(4,5)):(8,(1,4))",
			moves: []int{0},
			known: func(c *call) (Value, error) {
				p, err := c.profile(1)
				if err != nil {
					return nil, err
				}
				return c.structure(
					func(l cute.Layout) (cute.Layout, error) { return l.Unflatten(p) },
					func(t cute.Tuple) (cute.Tuple, error) { return t.Unflatten(p) }, nil)
			},
		},
		{
			Name: "append", Params: "x, mode", arity: between(1, 3), Group: group, plain: 1,
			Doc: "Returns x with the mode added at the end. append<N>(x, mode) adds it until x has rank N; " +
				"without a mode it adds 1:0.",
			Example: "append((4,2):(1,4), 3:8)", Output: "(4,2,3):(1,4,8)",
			moves: []int{0, 1},
			known: func(c *call) (Value, error) {
				return c.pad(cute.Layout.AppendMode, cute.Layout.AppendToRank, cute.Tuple.AppendToRank)
			},
		},
		{
			Name: "prepend", Params: "x, mode", arity: between(1, 3), Group: group, plain: 1,
			Doc: "Returns x with the mode added in front. prepend<N>(x, mode) adds it until x has rank N; " +
				"without a mode it adds 1:0.",
			Example: "prepend<3>((4,2):(1,4))", Output: "(1,4,2):(0,1,4)",
			moves: []int{0, 1},
			known: func(c *call) (Value, error) {
				return c.pad(cute.Layout.PrependMode, cute.Layout.PrependToRank, cute.Tuple.PrependToRank)
			},
		},
		{
			Name: "append_to_rank", Params: "x, mode, rank", Group: group, plain: 1,
			Doc:     "Returns x with the mode added at the end until it has the given rank: append_to_rank<3>(x, mode).",
			Example: "append_to_rank<3>(4:1, 1:0)", Output: "(4,1,1):(1,0,0)",
			moves: []int{0, 1},
			known: func(c *call) (Value, error) {
				return c.padTo(cute.Layout.AppendToRank, cute.Tuple.AppendToRank)
			},
		},
		{
			Name: "prepend_to_rank", Params: "x, mode, rank", Group: group, plain: 1,
			Doc:     "Returns x with the mode added in front until it has the given rank: prepend_to_rank<3>(x, mode).",
			Example: "prepend_to_rank<3>((4,8), 1)", Output: "(1,4,8)",
			moves: []int{0, 1},
			known: func(c *call) (Value, error) {
				return c.padTo(cute.Layout.PrependToRank, cute.Tuple.PrependToRank)
			},
		},
		{
			Name: "replace", Params: "L, mode, X", Group: group, plain: 2,
			Doc:     "Returns L with one mode replaced: replace(L, 1, X), or replace<1>(L, X).",
			Example: "replace((4,2):(1,4), 1, 8:16)", Output: "(4,8):(1,16)",
			moves: []int{0, last},
			known: func(c *call) (Value, error) {
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
			},
		},
		{
			Name: "reverse", Params: "L", Group: group,
			Doc:     "Returns L with its top-level modes in the opposite order.",
			Example: "reverse((4,(2,3)):(1,(4,8)))", Output: "((2,3),4):((4,8),1)",
			moves: []int{0},
			known: func(c *call) (Value, error) { return c.domain(0, cute.Layout.Reverse) },
		},
		{
			Name: "zip", Params: "A, B, ...", arity: from(1), Group: group,
			Doc: "Returns the pairs of the modes of the layouts: (a,b) and (c,d) give ((a,c),(b,d)). " +
				"One layout ((a,b),(c,d)) is zipped by its modes.",
			Example: "zip((2,3):(1,2), (4,5):(6,24))", Output: "((2,4),(3,5)):((1,6),(2,24))",
			dynamic: (*call).dynamicZip, moves: all,
			known: func(c *call) (Value, error) {
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
			},
		},
		{
			Name: "tile_unzip", Params: "L, tiler", Group: group, Aliases: []string{"unzip"},
			Doc: "Gathers the pairs (tile,rest) of L, which stand where the tiler has its leaves, into " +
				"((tiles),(rests)): the step from logical_divide to zipped_divide.",
			Example: "tile_unzip(((4,2),(3,5)):((1,4),(8,24)), <4,3>)", Output: "((4,3),(2,5)):((1,8),(4,24))",
			moves: []int{0},
			known: func(c *call) (Value, error) {
				t, err := c.tiler(1)
				if err != nil {
					return nil, err
				}
				return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return cute.TileUnzip(l, t) })
			},
		},
		{
			Name: "filter_zeros", Params: "L", Group: group,
			Doc:     "Returns L with the extent 1 wherever the stride is 0.",
			Example: "filter_zeros((2,(4,3)):(0,(1,0)))", Output: "(1,(4,1)):(0,(1,0))",
			dynamic: inDynamicLayout(symbolic.FilterZeros),
			xor:     onXor(func(x linear.XorLayout) (linear.XorLayout, error) { return x.FilterZeros(), nil }),
			known:   func(c *call) (Value, error) { return c.domain(0, always(cute.FilterZeros)) },
		},
		{
			Name: "filter", Params: "L", Group: group,
			Doc:     "Returns L without its modes of stride 0, coalesced.",
			Example: "filter((2,(4,3)):(0,(1,4)))", Output: "12:1",
			dynamic: inDynamicLayout(filterDynamic),
			xor:     onXor(func(x linear.XorLayout) (linear.XorLayout, error) { return x.FilterZeros().Coalesce(), nil }),
			known:   func(c *call) (Value, error) { return c.domain(0, always(cute.Filter)) },
		},
		{
			Name: "with_shape", Params: "L, shape", Group: group,
			Doc:     "Returns L composed with the compact column-major layout of the shape.",
			Example: "with_shape((4,6):(6,1), (2,2,6))", Output: "(2,2,6):(6,12,1)",
			dynamic: (*call).dynamicWithShape, xor: (*call).xorWithShape,
			known: func(c *call) (Value, error) {
				s, err := c.shape(1)
				if err != nil {
					return nil, err
				}
				return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return c.env.stop().WithShape(l, s) })
			},
		},
	}
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

// tilerValue returns a tiler as the value it is.
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

// coordValue returns a coordinate as a tuple if nothing in it is open.
func coordValue(k cute.Coord) Value {
	if t, closed := k.Tuple(); closed {
		return Tuple{t}
	}
	return Coord{k}
}

// flattenCoord returns the leaves of a coordinate at the top level.
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

// pick returns the given modes of a tile or coordinate as one.
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

// indexes reports whether T[...] asks for an element or a slice, as it does of a tensor, and with underscores.
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

// ranged calls a function of modes [begin, end).
func ranged(
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

// orArguments returns err, or if it is nil says how the function is called.
func orArguments(err error, c *call) error {
	if err != nil {
		return err
	}
	return &cute.Error{Code: cute.CodeRank, Op: c.fn.Name, Msg: fmt.Sprintf("expected %s(%s)", c.fn.Name, c.fn.Params)}
}

// pad adds one mode, or with a template argument as many as reach the rank.
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
