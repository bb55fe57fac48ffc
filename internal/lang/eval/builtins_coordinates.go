package eval

import (
	"girih/cute"
)

func coordinateBuiltins() []Builtin {
	const group = "coordinates"
	return []Builtin{
		{
			Name: "crd2idx", Params: "coord, shape, stride?", Group: group,
			Doc:     "Returns the colexicographic index of a coordinate of the shape, or with a stride, or a layout in place of the shape, its offset.",
			Example: "crd2idx((1,2), (4,8))", Output: "9",
			dynamic: (*call).dynamicCrd2Idx, xor: (*call).xorCrd2Idx, bits: (*call).xorCrd2Idx,
			known: crd2idx,
		},
		{
			Name: "idx2crd", Params: "index, shape, stride?", Group: group,
			Doc: "Returns the coordinate of the shape that has the index, its last mode not reduced; with a stride, or a " +
				"layout in place of the shape, the coordinate that has the offset.",
			Example: "idx2crd(100, (3,(4,5)))", Output: "(1,(1,8))",
			dynamic: (*call).dynamicIdx2Crd, xor: (*call).xorIdx2Crd, bits: (*call).xorIdx2Crd,
			known: idx2crd,
		},
		{
			Name: "crd2crd", Params: "coord, from, to", Group: group,
			Doc:     "Returns the coordinate of the shape to that has the index of coord in the shape from.",
			Example: "crd2crd((3,1), (4,6), (2,(2,6)))", Output: "(1,(1,1))",
			dynamic: (*call).dynamicCrd2Crd, ofShape: true,
			known: func(c *call) (Value, error) {
				x, err := c.tuple(0)
				if err != nil {
					return nil, err
				}
				from, err := c.shape(1)
				if err != nil {
					return nil, err
				}
				to, err := c.shape(2)
				if err != nil {
					return nil, err
				}
				return tupleOf(cute.Crd2Crd(x, from, to))
			},
		},
		{
			Name: "increment", Params: "coord, shape", Group: group, Aliases: []string{"increment_coord"},
			Doc:     "Returns the coordinate that follows coord in colexicographic order.",
			Example: "increment((3,2), (4,8))", Output: "(0,3)",
			dynamic: (*call).dynamicIncrement, ofShape: true,
			known: tuplePair(cute.Increment),
		},
		{
			Name: "eval", Params: "L, coord, ...", arity: from(1), Group: group, Aliases: []string{"layout_eval"},
			Doc:     "Returns the offset of a coordinate: the same as L(coord).",
			Example: "eval((4,8):(8,1), (1,2))", Output: "10",
			dynamic: (*call).dynamicApply, bits: (*call).bitsApply,
			known: (*call).apply,
		},
		{
			Name: "slice", Params: "coord, L", Group: group, Aliases: []string{"slice_"},
			Doc:     "Returns the modes of a layout or tuple that the coordinate leaves open with _, without the offset of the fixed ones.",
			Example: "slice((1,(_,2)), (2,(3,4)):(12,(1,3)))", Output: "(3):(1)",
			dynamic: (*call).dynamicSlice, xor: (*call).xorSlice,
			known: func(c *call) (Value, error) {
				x, at, err := c.sliced()
				if err != nil {
					return nil, err
				}
				if k, ok := c.args[at].(Coord); ok {
					return modesWhere(k, x, open)
				}
				return c.env.slice(c.args[at], x)
			},
		},
		{
			Name: "dice", Params: "coord, L", Group: group,
			Doc:     "Returns the modes of a layout or tuple that the coordinate fixes: the counterpart of slice.",
			Example: "dice((1,(_,2)), (2,(3,4)):(12,(1,3)))", Output: "(2,4):(12,3)",
			dynamic: (*call).dynamicDice, xor: (*call).xorDice,
			known: func(c *call) (Value, error) {
				x, at, err := c.sliced()
				if err != nil {
					return nil, err
				}
				switch v := c.args[at].(type) {
				case Coord:
					return modesWhere(v, x, fixed)
				case Tuple:
					return tupleOf(v.Dice(x))
				}
				return c.domain(at, func(l cute.Layout) (cute.Layout, error) { return l.Dice(x) })
			},
		},
		{
			Name: "slice_and_offset", Params: "coord, L", Group: group,
			Doc: "Returns the layout of the modes that the coordinate leaves open and the offset of the fixed ones; for a composed " +
				"layout the offset is added inside. A swizzled layout decays to a layout where it can. The offset of F2 strides, F2(n), is added without carries.",
			Example: "slice_and_offset((1,(_,2)), (2,(3,4)):(12,(1,3)))", Output: "{(3):(1),18}",
			dynamic: (*call).dynamicSliceAndOffset, xor: (*call).xorSliceAndOffset,
			known: sliceAndOffset,
		},
		{
			Name: "decay", Params: "C", Group: group,
			Doc:     "Returns the layout and the offset that a composed layout is the sum of, and refuses one that is none.",
			Example: "decay(Sw<2,0,2> o 4 o (4):(1))", Output: "{((2,2)):((-1,2)),5}",
			known: func(c *call) (Value, error) {
				v, ok := c.args[0].(Composed)
				if !ok {
					return nil, c.bad(0, "a composed layout")
				}
				l, offset, err := v.Decay()
				return List{Layout{l}, integer(offset)}, err
			},
		},
		{
			Name: "domain_offset", Params: "coord, L", Group: group,
			Doc:     "Returns L and the offset of the coordinate, from which L goes on. A composed layout takes the offset inside, and a tensor begins there.",
			Example: "domain_offset((1,2), (4,8):(8,1))", Output: "{(4,8):(8,1),10}",
			dynamic: (*call).dynamicDomainOffset, xor: (*call).xorDomainOffset,
			known: domainOffset,
		},
	}
}

// sliced returns the coordinate of a slice and the place of what is sliced.
func (c *call) sliced() (cute.Coord, int, error) {
	at := c.slicedAt()
	x, err := c.coord(1 - at)
	return x, at, err
}

// slicedAt returns the place of what is sliced. CuTe writes the coordinate first, the CuTe DSL last: that order is
// understood where the other cannot be meant, which is before a layout, and before a tuple that alone has underscores.
func (c *call) slicedAt() int {
	second, err := asDynamicTuple(c.args[1])
	if err != nil {
		return 1
	}
	first, err := asDynamicTuple(c.args[0])
	if err != nil {
		return 0
	}
	if _, closed := first.Pattern().Tuple(); !closed {
		return 1
	}
	if _, closed := second.Pattern().Tuple(); closed {
		return 1
	}
	return 0
}

// open reports whether a mode of a coordinate is an underscore, fixed whether it is none.
func open(m cute.Coord) bool  { return m.String() == "_" }
func fixed(m cute.Coord) bool { return m.String() != "_" }

// modesWhere returns the modes of a coordinate with underscores that are kept for the modes of x.
func modesWhere(k Coord, x cute.Coord, kept func(m cute.Coord) bool) (Value, error) {
	ks, xs := k.Modes(), x.Modes()
	if len(ks) != len(xs) {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "slice",
			Msg: "expected a coordinate with the modes of " + k.String() + ", found " + x.String(),
		}
	}
	var modes []cute.Coord
	for i := range xs {
		if kept(xs[i]) {
			modes = append(modes, ks[i])
		}
	}
	return coordValue(cute.MakeCoord(modes...)), nil
}

func crd2idx(c *call) (Value, error) {
	x, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		l, err := c.shapeStride()
		if err != nil {
			return nil, err
		}
		return evalAt(Layout{l}, x)
	}
	switch f := c.args[1].(type) {
	case Layout, Composed:
		return evalAt(f, x)
	}
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return intOf(cute.Crd2Idx(x, s))
}

// shapeStride makes the layout of arguments 1 and 2.
func (c *call) shapeStride() (cute.Layout, error) {
	s, err := c.tuple(1)
	if err != nil {
		return cute.Layout{}, err
	}
	d, err := c.tuple(2)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(s, d)
}

func idx2crd(c *call) (Value, error) {
	i, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		l, err := c.shapeStride()
		if err != nil {
			return nil, err
		}
		return coordAt(l, i)
	}
	switch f := c.args[1].(type) {
	case Layout:
		return coordAt(f.Layout, i)
	case Composed:
		off, ok := i.Int64()
		if !ok {
			return nil, c.bad(0, "an integer offset")
		}
		return tupleOf(f.CoordAt(off))
	}
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.Idx2Crd(i, s))
}

func coordAt(l cute.Layout, i cute.Tuple) (Value, error) {
	off, ok := i.Int64()
	if !ok {
		return nil, &cute.Error{Code: cute.CodeType, Op: "idx2crd", Msg: "expected an integer offset, found " + i.String()}
	}
	return tupleOf(l.CoordAt(off))
}

func sliceAndOffset(c *call) (Value, error) {
	x, at, err := c.sliced()
	if err != nil {
		return nil, err
	}
	if v, ok := c.args[at].(Composed); ok {
		r, offset, err := v.DecaySlice(x)
		if err == nil && r.Outer() == nil {
			return List{Layout{r.Layout()}, integer(offset)}, nil
		}
		return List{Composed{r}, integer(offset)}, err
	}
	l, err := c.layout(at)
	if err != nil {
		return nil, err
	}
	s, off, err := l.SliceAndOffset(x)
	return List{Layout{s}, Tuple{off}}, err
}
