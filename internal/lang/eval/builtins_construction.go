package eval

import (
	"girih/cute"
	"girih/symbolic"
)

func constructionBuiltins() []Builtin {
	const group = "construction"
	return []Builtin{
		{
			Name: "make_layout", Params: "shape, stride?", arity: from(0), Group: group,
			known: makeLayout, dynamic: (*call).dynamicMakeLayout, xor: (*call).xorMake, bits: (*call).bitsConcat,
			Doc: "Returns the layout shape:stride; without a stride, or with LayoutLeft, the compact column-major " +
				"layout, with LayoutRight the row-major one. Given layouts, make_layout(L0, L1, ...) returns their concatenation.",
			Example: "make_layout((4,(2,2)), (2,(1,8)))", Output: "(4,(2,2)):(2,(1,8))",
		},
		{
			Name: "make_ordered_layout", Params: "shape, order?", Group: group,
			Doc: "Returns the compact layout of the shape whose modes vary in the given order: the mode with the " +
				"smallest number is the fastest. Equal numbers go from left to right. The order may be LayoutLeft or LayoutRight; " +
				"without one it is that of the strides of a layout, and mode 0 first for a shape.",
			Example: "make_ordered_layout((2,3,4,5), (1,3,0,2))", Output: "(2,3,4,5):(4,40,1,8)",
			dynamic: (*call).dynamicOrdered, ofShape: true,
			known: func(c *call) (Value, error) {
				s, err := c.shape(0)
				if err != nil {
					return nil, err
				}
				o, err := c.order(s)
				if err != nil {
					return nil, err
				}
				return layoutOf(cute.MakeOrderedLayout(s, o))
			},
		},
		{
			Name: "make_layout_like", Params: "L", Group: group,
			Doc:     "Returns the compact layout of L's shape in the order of L's strides; modes of stride 0 keep it.",
			Example: "make_layout_like((4,(2,3)):(6,(0,1)))", Output: "(4,(2,3)):(3,(0,1))",
			dynamic: (*call).dynamicLike,
			known: func(c *call) (Value, error) {
				if v, ok := c.args[0].(Composed); ok {
					return layoutOf(cute.MakeLayoutLike(v.Composed.Layout()))
				}
				l, err := c.layout(0)
				if err != nil {
					return nil, err
				}
				return layoutOf(cute.MakeLayoutLike(l))
			},
		},
		{
			Name: "make_identity_layout", Params: "shape", Group: group,
			Doc:     "Returns the layout that maps each coordinate of the shape to itself; its strides are coordinates.",
			Example: "make_identity_layout(((2,3),4))", Output: "((2,3),4):((1@0@0,1@1@0),1@1)",
			dynamic: fromDynamicShape(symbolic.Identity), ofShape: true,
			known: fromShape(cute.MakeIdentityLayout),
		},
		{
			Name: "E", Params: "mode, ...", arity: from(0), Group: group, plain: -1, symbol: true,
			Doc: "Returns the unit coordinate at the path, outermost mode first: E(1) is 1@1, E(0,1) is 1@1@0, in C++ E<0,1>{}. " +
				"4*E(0) + 2*E(1) is the stride 4@0+2@1. A bare E is still a run-time integer.",
			Example: "(4,8):(4*E(0) + 2*E(1), E(1))", Output: "(4,8):(4@0+2@1,1@1)",
			known: func(c *call) (Value, error) {
				path, err := c.numbers(0)
				if err != nil || len(path) == 0 {
					return integer(1), err
				}
				return tupleOf(cute.Basis(1, path...))
			},
		},
		{
			Name: "Int32", Params: "n", Group: group,
			Doc: "Returns n as an integer of run time, as the CuTe DSL's: at trace time it is ?, and its number is known. " +
				"A value with such integers is the one with their numbers; a note has what the CuTe DSL prints at trace time.",
			Example: "make_layout((2,(1,6)), (1,(Int32(8),2)))", Output: "(2,(1,6)):(1,(8,2))",
			known: given(32), dynamic: given(32),
		},
		{
			Name: "Int64", Params: "n", Group: group,
			Doc:     "Returns n as an integer of run time of 64 bits: see Int32.",
			Example: "Int64(8) * 2", Output: "16",
			known: given(64), dynamic: given(64),
		},
		{
			Name: "as_arithmetic_tuple", Params: "t, ...", Group: group,
			Aliases: []string{"ArithTuple", "ArithmeticTuple", "make_arithmetic_tuple"},
			Doc: "Returns the tuple as one coordinate, element i along axis i, for a stride: (4,2) is 4@0+2@1. Several arguments are the " +
				"elements. In a layout a tuple beside an extent is read so anyway: 4:(1,2) is 4:1@0+2@1.",
			Example: "as_arithmetic_tuple((4,(0,2)))", Output: "4@0+2@1@1",
			dynamic: asArithmeticTuple,
			known:   asArithmeticTuple,
		},
		{
			Name: "make_basis_like", Params: "shape", Group: group,
			Doc:     "Returns the tuple like the shape whose leaves are the unit coordinates at their own places.",
			Example: "make_basis_like((2,(3,4)))", Output: "(1@0,(1@0@1,1@1@1))",
			dynamic: strideOf(symbolic.Identity), ofShape: true,
			known: func(c *call) (Value, error) {
				s, err := c.shape(0)
				if err != nil {
					return nil, err
				}
				return tupleOf(cute.MakeBasisLike(s))
			},
		},
		{
			Name: "layout_left", Params: "shape", Group: group,
			Doc:     "Returns the compact column-major layout of the shape.",
			Example: "layout_left((4,(2,2)))", Output: "(4,(2,2)):(1,(4,8))",
			dynamic: fromDynamicShape(compactLeft), ofShape: true,
			known: fromShape(cute.LayoutLeft),
		},
		{
			Name: "layout_right", Params: "shape", Group: group,
			Doc:     "Returns the compact row-major layout of the shape.",
			Example: "layout_right((4,(2,2)))", Output: "(4,(2,2)):(4,(2,1))",
			dynamic: fromDynamicShape(compactRight), ofShape: true,
			known: fromShape(cute.LayoutRight),
		},
		{
			Name: "compact_col_major", Params: "shape", Group: group,
			Doc:     "Returns the strides of the compact column-major layout of the shape.",
			Example: "compact_col_major((4,(2,2)))", Output: "(1,(4,8))",
			dynamic: strideOf(compactLeft), ofShape: true,
			known: strideFrom(cute.LayoutLeft),
		},
		{
			Name: "compact_row_major", Params: "shape", Group: group,
			Doc:     "Returns the strides of the compact row-major layout of the shape.",
			Example: "compact_row_major((4,(2,2)))", Output: "(4,(2,1))",
			dynamic: strideOf(compactRight), ofShape: true,
			known: strideFrom(cute.LayoutRight),
		},
		{
			Name: "make_swizzle", Params: "B, M, S", Group: group,
			Doc:     "Returns the swizzle Sw<B,M,S>, whose unit is that of the offsets it is applied to.",
			Example: "make_swizzle(3, 4, 3)", Output: "Sw<3,4,3>",
			known: func(c *call) (Value, error) {
				n, err := c.numbers(0)
				if err != nil {
					return nil, err
				}
				if len(n) != 3 {
					return nil, c.bad(0, "three integers with the rest")
				}
				w, err := cute.NewSwizzle(n[0], n[1], n[2])
				if err != nil {
					return nil, err
				}
				return Swizzle{w}, nil
			},
		},
		{
			Name: "make_composed_layout", Params: "outer, offset, inner", Group: group,
			Doc:     "Returns the function c -> outer(offset + inner(c)); outer is a swizzle or a layout.",
			Example: "make_composed_layout(Sw<3,4,3>, 0, (8,64):(64,1))", Output: "Sw<3,4,3> o 0 o (8,64):(64,1)",
			dynamic: (*call).dynamicChain, xor: (*call).xorComposed,
			known: func(c *call) (Value, error) {
				if _, err := c.tuple(1); err != nil {
					return nil, err
				}
				return c.chain()
			},
		},
		{
			Name: "make_tuple", Params: "x, ...", arity: from(0), Group: group,
			Aliases: []string{"make_shape", "make_stride", "make_coord", "make_int_tuple", "make_tile"},
			Doc: "Returns the tuple of its arguments: the shape, stride or coordinate if they are integers and " +
				"tuples, the tile if they are tilers.",
			Example: "make_shape(4, make_shape(2, 2))", Output: "(4,(2,2))",
			dynamic: (*call).dynamicMakeTuple,
			known:   makeTuple,
		},
		{
			Name: "tile_to_shape", Params: "block, shape, order?", Group: group,
			Doc: "Repeats the block to fill the shape: blocked_product with the number of blocks in each mode, which vary " +
				"in the given order, mode 0 fastest if none is given. Where the block does not divide the shape the number is rounded up.",
			Example: "tile_to_shape((8,64):(64,1), (128,64))", Output: "((8,16),(64,1)):((64,512),(1,0))",
			dynamic: (*call).dynamicTileToShape, xor: (*call).xorTileToShape,
			known: tileToShape,
		},
		{
			Name: "recognize", Params: "offset, ...", Group: group, long: true, lists: true,
			Doc: "Returns the coalesced layout that has the given offsets at the indices 0, 1, 2, ..., or the swizzled one, or the first " +
				"index at which every layout fails. Tuples are coordinates: recognize((0,0), (1,0), (0,1), (1,1)) is (2,2):(1@0,1@1). " +
				"The only argument may be the tuple of all, or a composed layout, which stands for its offsets.",
			Example: "recognize(0, 4, 8, 1, 5, 9)", Output: "(3,2):(4,1)",
			known: func(c *call) (Value, error) {
				if v, ok := c.args[0].(Composed); ok && len(c.args) == 1 {
					return functionValue(v.Map(always(cute.Coalesce)))
				}
				coords, xs, err := c.table()
				if err != nil {
					return nil, err
				}
				if coords != nil {
					return layoutOf(cute.RecognizeCoordinates(coords))
				}
				l, err := c.env.stop().Recognize(xs)
				if err != nil {
					return c.recognizeSwizzled(xs, err)
				}
				return Layout{l}, nil
			},
		},
	}
}

// table returns the entries of a table, as coordinates if one of them is one, or as integers.
func (c *call) table() (coords []cute.Tuple, xs []int64, err error) {
	entries := make([]cute.Tuple, len(c.args))
	for i := range c.args {
		if entries[i], err = c.tuple(i); err != nil {
			return nil, nil, err
		}
	}
	if t := entries[0]; len(entries) == 1 && t.Depth() > 0 {
		if t.Depth() == 1 && !t.HasBasis() {
			return nil, t.Leaves(), nil
		}
		entries = t.Modes()
	}
	for _, t := range entries {
		if !t.IsInt() {
			return entries, nil, nil
		}
		x, _ := t.Int64()
		xs = append(xs, x)
	}
	return nil, xs, nil
}

// order returns the order of the modes of a shape: argument 1, or where there is none the strides of the layout that
// has the shape.
func (c *call) order(shape cute.Tuple) (cute.Tuple, error) {
	if len(c.args) > 1 {
		o, ok := c.args[1].(Order)
		if !ok {
			return c.tuple(1)
		}
		if o == "LayoutRight" {
			l, err := cute.LayoutRight(shape)
			return l.Stride(), err
		}
		return cute.Int(0), nil
	}
	switch v := c.args[0].(type) {
	case Layout:
		return v.Stride(), nil
	case Composed:
		return v.Composed.Layout().Stride(), nil
	}
	return cute.Int(0), nil
}

// layoutOf and tupleOf make values of results of the algebra.
func layoutOf(l cute.Layout, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return Layout{l}, nil
}

func tupleOf(t cute.Tuple, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return Tuple{t}, nil
}

func intOf(x int64, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return integer(x), nil
}

// fromShape calls a function of one shape.
func fromShape(f func(cute.Tuple) (cute.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		s, err := c.shape(0)
		if err != nil {
			return nil, err
		}
		return layoutOf(f(s))
	}
}

func strideFrom(f func(cute.Tuple) (cute.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		s, err := c.shape(0)
		if err != nil {
			return nil, err
		}
		l, err := f(s)
		if err != nil {
			return nil, err
		}
		return Tuple{l.Stride()}, nil
	}
}

// makeLayout is shape:stride for tuples, and the concatenation where an argument is a layout.
func makeLayout(c *call) (Value, error) {
	if len(c.args) == 0 {
		return layoutOf(cute.MakeLayout())
	}
	_, shaped := c.args[0].(Tuple)
	if !shaped {
		return concatenate(c)
	}
	if len(c.args) == 1 {
		return fromShape(cute.LayoutLeft)(c)
	}
	switch d := c.args[1].(type) {
	case Order:
		if len(c.args) == 2 {
			if d == "LayoutRight" {
				return fromShape(cute.LayoutRight)(c)
			}
			return fromShape(cute.LayoutLeft)(c)
		}
	case Tuple:
		if len(c.args) == 2 {
			return c.env.shapeStride(c.expr, c.args[0], d)
		}
	}
	return concatenate(c)
}

func concatenate(c *call) (Value, error) {
	ls := make([]cute.Layout, len(c.args))
	for i := range c.args {
		var err error
		if ls[i], err = c.layout(i); err != nil {
			return nil, err
		}
	}
	return layoutOf(cute.MakeLayout(ls...))
}

func makeTuple(c *call) (Value, error) {
	coords := true
	for _, a := range c.args {
		switch a.(type) {
		case Tuple, Coord:
		default:
			coords = false
		}
	}
	if !coords || c.written == "make_tile" {
		ts := make([]cute.Tiler, len(c.args))
		for i := range c.args {
			var err error
			if ts[i], err = c.tiler(i); err != nil {
				return nil, err
			}
		}
		return Tile{cute.MakeTile(ts...)}, nil
	}
	cs := make([]cute.Coord, len(c.args))
	ts := make([]cute.Tuple, 0, len(c.args))
	for i, a := range c.args {
		if t, ok := a.(Tuple); ok {
			ts = append(ts, t.Tuple)
			continue
		}
		var err error
		if cs[i], err = c.coord(i); err != nil {
			return nil, err
		}
	}
	if len(ts) == len(cs) {
		return tupleOf(cute.MakeTuple(ts...))
	}
	for i := range c.args {
		var err error
		if cs[i], err = c.coord(i); err != nil {
			return nil, err
		}
	}
	return Coord{cute.MakeCoord(cs...)}, nil
}

func tileToShape(c *call) (Value, error) {
	target, order, err := c.targetAndOrder()
	if err != nil {
		return nil, err
	}
	v, err := c.domain(0, func(l cute.Layout) (cute.Layout, error) { return c.env.stop().TileToShape(l, target, order) })
	if err != nil {
		return nil, err
	}
	c.noteRounding(v, target)
	return v, nil
}

// targetAndOrder returns the arguments of tile_to_shape after the block; without an order () stands for it.
func (c *call) targetAndOrder() (target, order cute.Tuple, err error) {
	if target, err = c.shape(1); err != nil {
		return target, order, err
	}
	if len(c.args) == 3 {
		if o, ok := c.args[2].(Order); !ok {
			if order, err = c.tuple(2); err != nil {
				return target, order, err
			}
		} else if o == "LayoutRight" {
			n := target.Rank()
			xs := make([]int64, n)
			for i := range xs {
				xs[i] = int64(n - 1 - i)
			}
			order = cute.Ints(xs...)
		}
	}
	return target, order, nil
}

// noteRounding notes a tile_to_shape that is larger than its target.
func (c *call) noteRounding(v Value, target cute.Tuple) {
	var got cute.Tuple
	switch v := v.(type) {
	case Layout:
		got = v.Shape()
	case Composed:
		got = v.Shape()
	case Xor:
		got = v.Shape()
	}
	want, err1 := cute.ProductEach(target)
	have, err2 := cute.ProductEach(got)
	if err1 == nil && err2 == nil && !want.Equal(have) {
		c.env.note("the block does not divide %v: the result has the shape %v, rounded up", want, have)
	}
}
