package eval

import (
	"errors"
	"slices"

	"girih/linear"
	"girih/symbolic"

	"girih/cute"
)

func questionBuiltins() []Builtin {
	const group = "questions"
	return []Builtin{
		{
			Name: "shape", Params: "L", Group: group, plain: 1, Aliases: []string{"get_shape"},
			Doc:     "Returns the shape of a layout; shape<1>(L) is that of a mode.",
			Example: "shape((4,(2,3)):(1,(4,8)))", Output: "(4,(2,3))",
			dynamic: dynamicPart(symbolic.Layout.Shape), xor: (*call).xorShape, ofMode: true,
			known: func(c *call) (Value, error) {
				l, err := c.mode()
				if err != nil {
					return nil, err
				}
				return Tuple{l.Shape()}, nil
			},
		},
		{
			Name: "stride", Params: "L", Group: group, plain: 1, Aliases: []string{"get_stride"},
			Doc:     "Returns the stride of a layout, in elements; stride<1>(L) is that of a mode.",
			Example: "stride((4,(2,3)):(1,(4,8)))", Output: "(1,(4,8))",
			dynamic: dynamicPart(symbolic.Layout.Stride), xor: (*call).xorStride, ofMode: true,
			known: func(c *call) (Value, error) {
				if v, ok := c.args[0].(Composed); ok {
					return nil, typeError("stride", "the operand", "a layout, since a composed one has no strides", v)
				}
				l, err := c.mode()
				if err != nil {
					return nil, err
				}
				return Tuple{l.Stride()}, nil
			},
		},
		{
			Name: "size", Params: "x", Group: group, plain: 1, long: true,
			Doc:     "Returns the number of elements: the product of the extents. size<1>(x) is that of a mode. Of a tiled MMA or copy it is the number of threads.",
			Example: "size((4,(2,3)):(1,(4,8)))", Output: "24",
			dynamic: (*call).dynamicSize, bits: (*call).bitsSize, ofMode: true, ofShape: true,
			known: func(c *call) (Value, error) {
				if n, ok := threadsOf(c.args[0]); ok && len(c.args)+len(c.tmpl) == 1 {
					return integer(n), nil
				}
				s, err := c.modeShape()
				if err != nil {
					return nil, err
				}
				return intOf(s.Product())
			},
		},
		{
			Name: "cosize", Params: "L", Group: group, plain: 1,
			Doc: "Returns the number of offsets from the least to the greatest: 1 + the sum of (extent-1)*|stride|; " +
				"for coordinate strides the product of that over the axes. Of a composed layout or one with F2 strides it is 1 + the greatest offset.",
			Example: "cosize((4,3):(1,8))", Output: "20",
			dynamic: (*call).dynamicCosize, xor: (*call).xorCosize, bits: (*call).bitsCosize, ofMode: true,
			known: cosize,
		},
		{
			Name: "coshape", Params: "L", Group: group, plain: 1,
			Doc:     "Returns the shape of the smallest box that holds all offsets: an integer, or a tuple for coordinate strides.",
			Example: "coshape((4,3):(2@1,5@0))", Output: "(11,7)",
			dynamic: (*call).dynamicCoshape, xor: (*call).xorCosize, bits: (*call).bitsCosize, ofMode: true,
			known: func(c *call) (Value, error) {
				if _, ok := c.args[0].(Composed); ok {
					return cosize(c) // a box of one axis
				}
				l, err := c.mode()
				if err != nil {
					return nil, err
				}
				return tupleOf(l.Coshape())
			},
		},
		{
			Name: "rank", Params: "x", Group: group, plain: 1, long: true,
			Doc:     "Returns the number of top-level modes; that of an integer is 1.",
			Example: "rank((4,(2,3)):(1,(4,8)))", Output: "2",
			dynamic: (*call).dynamicRank, bits: (*call).bitsRank, ofMode: true, ofShape: true,
			known: func(c *call) (Value, error) {
				switch v := c.args[0].(type) {
				case Tile:
					return integer(int64(v.Rank())), nil
				case Coord:
					return integer(int64(v.Rank())), nil
				}
				s, err := c.modeShape()
				return integer(int64(s.Rank())), err
			},
		},
		{
			Name: "depth", Params: "x", Group: group, plain: 1, long: true,
			Doc:     "Returns the depth of the nesting: 0 for an integer, 1 for a flat tuple.",
			Example: "depth((4,(2,3)):(1,(4,8)))", Output: "2",
			dynamic: (*call).dynamicRank, ofMode: true, ofShape: true,
			known: func(c *call) (Value, error) {
				s, err := c.modeShape()
				return integer(int64(s.Depth())), err
			},
		},
		{
			Name: "product", Params: "x", Group: group, Aliases: []string{"tuple_product"},
			Doc:     "Returns the product of all leaves of a tuple.",
			Example: "product((2,(3,4)))", Output: "24",
			dynamic: (*call).dynamicSize, ofShape: true,
			known: func(c *call) (Value, error) {
				t, err := c.shape(0)
				if err != nil {
					return nil, err
				}
				return intOf(t.Product())
			},
		},
		{
			Name: "product_each", Params: "x", Group: group, Aliases: []string{"tuple_product_each"},
			Doc:     "Returns the products of the modes of a tuple; that of an integer is a 1-tuple.",
			Example: "product_each((4,(16,32)))", Output: "(4,512)",
			dynamic: (*call).dynamicProductEach, ofShape: true,
			known: func(c *call) (Value, error) {
				t, err := c.shape(0)
				if err != nil {
					return nil, err
				}
				return tupleOf(cute.ProductEach(t))
			},
		},
		{
			Name: "ceil_div", Params: "a, b", Group: group,
			Doc: "Divides rounding up: integers, tuples mode by mode, a tuple by an integer from left to right. " +
				"Where b is a layout it is the number of its tiles in a.",
			Example: "ceil_div((4,5,6), 7)", Output: "(1,3,6)",
			dynamic: dynamicQuotients("ceil_div", symbolic.CeilDivPositive), ofShape: true,
			known: ceilDiv,
		},
		{
			Name: "shape_div", Params: "a, b", Group: group,
			Doc:     "Divides shapes like ceil_div, where of each two integers one must divide the other.",
			Example: "shape_div((4,5,6), 40)", Output: "(1,1,3)",
			dynamic: dynamicQuotients("shape_div", symbolic.ShapeDiv), ofShape: true,
			known: tuplePair(cute.ShapeDiv),
		},
		{
			Name: "inner_product", Params: "a, b", Group: group,
			Doc:     "Sums the products of the leaves of a and b in the same places: of a coordinate and strides the offset.",
			Example: "inner_product((1,(2,3)), (100,(10,1)))", Output: "123",
			known: func(c *call) (Value, error) {
				a, err := c.tuple(0)
				if err != nil {
					return nil, err
				}
				b, err := c.tuple(1)
				if err != nil {
					return nil, err
				}
				n, err := cute.InnerProduct(a, b)
				return Tuple{cute.Int(n)}, err
			},
		},
		{
			Name: "elem_less", Params: "a, b", Group: group,
			Doc:     "Reports whether every leaf of a is less than that of b in its place: the test of a predicate.",
			Example: "elem_less((3,4), (5,6))", Output: "true",
			dynamic: (*call).dynamicLess,
			known: func(c *call) (Value, error) {
				a, err := c.tuple(0)
				if err != nil {
					return nil, err
				}
				b, err := c.tuple(1)
				if err != nil {
					return nil, err
				}
				less, err := cute.ElemLess(a, b)
				return Bool(less), err
			},
		},
		{
			Name: "congruent", Params: "A, B", Group: group, Aliases: []string{"is_congruent"},
			Doc:     "Reports whether the shapes have the same nesting.",
			Example: "congruent((4,(2,2)), (1,(3,5)))", Output: "true",
			dynamic: (*call).dynamicRank, ofShape: true,
			known: relation(cute.Congruent),
		},
		{
			Name: "weakly_congruent", Params: "A, B", Group: group, Aliases: []string{"is_weakly_congruent"},
			Doc:     "Reports whether A has the nesting of B after some modes of B are taken as one.",
			Example: "weakly_congruent((4,4), (1,(3,5)))", Output: "true",
			dynamic: (*call).dynamicRank, ofShape: true,
			known: relation(cute.WeaklyCongruent),
		},
		{
			Name: "compatible", Params: "A, B", Group: group, Aliases: []string{"is_compatible"},
			Doc:     "Reports whether every coordinate of shape A is one of shape B: B refines A.",
			Example: "compatible((4,6), ((2,2),6))", Output: "true",
			dynamic: (*call).dynamicCompatible, ofShape: true,
			known: relation(cute.Compatible),
		},
		{
			Name: "is_injective", Params: "L, codomain?", Group: group,
			Doc: "Reports whether no two coordinates have the same offset; if not, a note names two. With a codomain, an integer or a shape, " +
				"all offsets must also lie in it.",
			Example: "is_injective((4,3):(1,4))", Output: "true",
			dynamic: dynamicQuestion(symbolic.Injective), xor: xorClaim(injective), bits: bitsClaim(linear.Layout.IsInjective),
			known: claim(cute.Composed.IsInjective, cute.Composed.IsInjectiveInto),
		},
		{
			Name: "is_surjective", Params: "L, codomain?", Group: group,
			Doc: "Reports whether every offset below the cosize is reached; if not, a note names one. With a codomain, an integer or a shape, the " +
				"offsets must be all of it and no others.",
			Example: "is_surjective((4,3):(1,5))", Output: "false",
			dynamic: dynamicQuestion(symbolic.Surjective), xor: xorClaim(surjective), bits: bitsClaim(linear.Layout.IsSurjective),
			known: claim(cute.Composed.IsSurjective, cute.Composed.IsSurjectiveOnto),
		},
		{
			Name: "is_bijective", Params: "L, codomain?", Group: group,
			Doc: "Reports whether the offsets are 0, ..., size-1, each once, or with a codomain, an integer or a shape, those of the codomain; if not, a " +
				"note says where it fails.",
			Example: "is_bijective((4,3):(3,1))", Output: "true",
			dynamic: dynamicQuestion(symbolic.Bijective), xor: xorClaim(bijective), bits: bitsClaim(linear.Layout.IsInvertible),
			known: claim(cute.Composed.IsBijective, cute.Composed.IsBijectiveOnto),
		},
		{
			Name: "is_compact", Params: "L", Group: group,
			Doc:     "Reports whether the offsets are distinct and without gaps; with negative strides they may begin below 0.",
			Example: "is_compact((4,3):(-1,4))", Output: "true",
			dynamic: dynamicQuestion(symbolic.IsCompact), xor: xorClaim(bijective),
			known: claim(cute.Composed.IsCompact, nil),
		},
		{
			Name: "image", Params: "L", Group: group,
			Doc:     "Returns the set of offsets.",
			Example: "image((2,2):(1,4))", Output: "{0,1,4,5}",
			xor: (*call).xorImage, bits: (*call).bitsImage,
			known: numberSet(cute.Composed.Image),
		},
		{
			Name: "holes", Params: "L", Group: group,
			Doc:     "Returns the integers between the least and the greatest offset that are not offsets.",
			Example: "holes((2,2):(1,4))", Output: "{2,3}",
			xor:   (*call).xorHoles,
			known: numberSet(cute.Composed.Holes),
		},
		{
			Name: "offsets", Params: "L", Group: group,
			Doc:     "Returns the offsets of all indices in colexicographic order.",
			Example: "offsets((2,3):(3,1))", Output: "{0,3,1,4,2,5}",
			xor:   (*call).xorOffsets,
			known: offsets,
		},
		{
			Name: "equivalent", Params: "A, B", Group: group,
			Doc:     "Reports whether two layouts are the same function of indices; if not, a note names the first difference. A == B asks for the same text.",
			Example: "equivalent((2,(1,6)):(1,(6,2)), 12:1)", Output: "true",
			dynamic: (*call).dynamicEquivalent, xor: (*call).xorEquivalent, bits: (*call).bitsEquivalent,
			known: equivalent,
		},
		{
			Name: "nullspace", Params: "L", Group: group,
			Doc:     "Returns the layout of the indices that L maps to 0 because their strides are 0.",
			Example: "nullspace((2,3,4):(1,0,2))", Output: "3:2",
			dynamic: onDynamicLayout(symbolic.Nullspace),
			xor:     func(c *call) (Value, error) { return layoutOf(c.args[0].(Xor).Nullspace()) },
			known:   onLayout(always(cute.Nullspace)),
		},
		{
			Name: "max_common_layout", Params: "A, B", Group: group,
			Doc:     "Returns the largest layout of indices on which A and B both count 0, 1, 2, ...",
			Example: "max_common_layout((2,4):(4,1), (2,4):(4,1))", Output: "(4,2):(2,1)",
			dynamic: (*call).dynamicCommonLayout,
			known:   maxCommonLayout,
		},
		{
			Name: "max_common_vector", Params: "A, B", Group: group,
			Doc:     "Returns the number of elements that A and B have in common as one vector.",
			Example: "max_common_vector((4,8):(1,4), (4,8):(1,16))", Output: "4",
			dynamic: (*call).dynamicCommonVector,
			known:   maxCommonVector,
		},
		{
			Name: "max_alignment", Params: "L", Group: group,
			Doc: "Returns the largest number of elements n such that L is made of vectors of n neighbours which begin at multiples of n: what one " +
				"access may move, if the pointer is aligned so. Behind a swizzle Sw<B,M,S> it is 2^M at most.",
			Example: "max_alignment((8,64):(72,1))", Output: "8",
			dynamic: (*call).dynamicAlignment,
			known: func(c *call) (Value, error) {
				if v, ok := c.args[0].(Composed); ok {
					return intOf(v.MaxAlignment())
				}
				l, err := c.layout(0)
				if err != nil {
					return nil, err
				}
				return intOf(cute.MaxAlignment(l))
			},
		},
		{
			Name: "common_refinement", Params: "S, T", Group: group,
			Doc: "Returns the coarsest flat shape that has every product of leading extents of both among its own: both can be cut into it. Where the sizes " +
				"differ it has the larger one, and begins with a refinement of the smaller shape.",
			Example: "common_refinement((4,6), (8,3))", Output: "(4,2,3)",
			dynamic: (*call).dynamicRefinement, ofShape: true,
			known: func(c *call) (Value, error) {
				v, err := tuplePair(cute.CommonRefinement)(c)
				if err == nil {
					c.noteSizes()
				}
				return v, err
			},
		},
		{
			Name: "domain_distribute", Params: "S, n", Group: group,
			Doc: "Returns a layout of n elements of the shape S, as indices that grow, which divides S evenly: each leaf in turn takes the " +
				"factors of n that it has and those before it have left. It has fewer elements than n if S lacks factors of it.",
			Example: "domain_distribute((15,14), 6)", Output: "(3,2):(1,15)", ofShape: true,
			known: func(c *call) (Value, error) {
				s, err := c.shape(0)
				if err != nil {
					return nil, err
				}
				n, err := c.integer(1)
				if err != nil {
					return nil, err
				}
				return layoutOf(cute.DomainDistribute(s, n))
			},
		},
		{
			Name: "greatest_common_domain", Params: "S, T", Group: group,
			Doc: "Returns the largest layout of indices whose modes can be cut out of one leaf in either shape: the factors that both have at the same " +
				"places. It is (1):(0) if they have none in common.",
			Example: "greatest_common_domain((5,3,4), (10,6))", Output: "(5,2):(1,30)",
			known: func(c *call) (Value, error) {
				a, err := c.shape(0)
				if err != nil {
					return nil, err
				}
				b, err := c.shape(1)
				if err != nil {
					return nil, err
				}
				return layoutOf(cute.GreatestCommonDomain(a, b))
			},
		},
		{
			Name: "inner", Params: "C", Group: group, Aliases: []string{"layout_b", "composed_get_outer"},
			Doc: "Returns the layout inside a composed layout, which takes the coordinates. The CuTe DSL calls it C.outer: " +
				"its C.inner is the swizzle.",
			Example: "inner(Sw<3,4,3> o 0 o (8,64):(64,1))", Output: "(8,64):(64,1)",
			dynamic: dynamicStage(DynamicComposed.innerLayout),
			known: func(c *call) (Value, error) {
				v, ok := c.args[0].(Composed)
				if !ok {
					return nil, c.bad(0, "a composed layout")
				}
				c.noteStage()
				return Layout{v.Composed.Layout()}, nil
			},
		},
		{
			Name: "outer", Params: "C", Group: group, Aliases: []string{"layout_a", "composed_get_inner"},
			Doc: "Returns the function that a composed layout applies last. The CuTe DSL calls it C.inner: its C.outer is the " +
				"layout.",
			Example: "outer(Sw<3,4,3> o 0 o (8,64):(64,1))", Output: "Sw<3,4,3>",
			dynamic: dynamicStage(DynamicComposed.outerFunction),
			known: func(c *call) (Value, error) {
				v, ok := c.args[0].(Composed)
				if !ok {
					return nil, c.bad(0, "a composed layout")
				}
				c.noteStage()
				switch f := v.Outer().(type) {
				case cute.Swizzle:
					return Swizzle{f}, nil
				case cute.Layout:
					return Layout{f}, nil
				}
				return nil, c.bad(0, "a composed layout")
			},
		},
		{
			Name: "offset", Params: "C", Group: group, Aliases: []string{"composed_get_offset"},
			Doc:     "Returns the offset that a composed layout adds before its outer function.",
			Example: "offset(Sw<3,4,3> o 8 o (8,64):(64,1))", Output: "8",
			dynamic: dynamicStage(DynamicComposed.outerOffset),
			known: func(c *call) (Value, error) {
				v, ok := c.args[0].(Composed)
				if !ok {
					return nil, c.bad(0, "a composed layout")
				}
				return Tuple{v.Offset()}, nil
			},
		},
	}
}

func tuplePair(f func(a, b cute.Tuple) (cute.Tuple, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := c.shape(0)
		if err != nil {
			return nil, err
		}
		b, err := c.shape(1)
		if err != nil {
			return nil, err
		}
		return tupleOf(f(a, b))
	}
}

// noteSizes notes that two shapes have different sizes.
func (c *call) noteSizes() {
	a, errA := c.shape(0)
	b, errB := c.shape(1)
	m, errM := a.Product()
	n, errN := b.Product()
	if errors.Join(errA, errB, errM, errN) == nil && m != n {
		c.env.note("the sizes are %d and %d: the first extents of the result refine the smaller shape, all of them the larger one",
			m, n)
	}
}

func layoutPair(f func(a, b cute.Layout) (Value, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := c.layout(0)
		if err != nil {
			return nil, err
		}
		b, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		return f(a, b)
	}
}

// always gives an operation that has no error the form of those that have one.
func always(f func(cute.Layout) cute.Layout) func(cute.Layout) (cute.Layout, error) {
	return func(l cute.Layout) (cute.Layout, error) { return f(l), nil }
}

func onLayout(f func(cute.Layout) (cute.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		l, err := c.layout(0)
		if err != nil {
			return nil, err
		}
		return layoutOf(f(l))
	}
}

func relation(f func(a, b cute.Tuple) bool) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := c.shape(0)
		if err != nil {
			return nil, err
		}
		b, err := c.shape(1)
		if err != nil {
			return nil, err
		}
		return Bool(f(a, b)), nil
	}
}

// numbersOf lists integers, a few thousand at a time: the limits of the evaluation are asked between them.
func (c *call) numbersOf(xs []int64, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	if err := c.env.affords(int64(len(xs)) * listBytes); err != nil { // before the list is made
		return nil, err
	}
	vs := make(List, 0, len(xs))
	for part := range slices.Chunk(xs, 1<<12) {
		if err := c.env.inTime(c.expr); err != nil {
			return nil, err
		}
		for _, x := range cute.Ints(part...).Modes() { // which share one array
			vs = append(vs, Tuple{x})
		}
	}
	return vs, nil
}

func offsets(c *call) (Value, error) {
	if v, ok := c.args[0].(Composed); ok {
		if err := c.listable(v.Size()); err != nil {
			return nil, err
		}
		return c.numbersOf(v.AppendOffsets(nil))
	}
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	if err := c.listable(l.Size()); err != nil {
		return nil, err
	}
	if !l.HasBasis() {
		return c.numbersOf(l.AppendOffsets(nil))
	}
	if _, err := l.AppendOffsets(nil); err != nil { // refuses what is too large
		return nil, err
	}
	var vs List
	for i := range l.Size() {
		t, err := l.Eval(cute.Int(i))
		if err != nil {
			return nil, err
		}
		vs = append(vs, Tuple{t})
	}
	return vs, nil
}

func equivalent(c *call) (Value, error) {
	for _, v := range c.args {
		if _, ok := v.(Composed); ok {
			return c.equivalentFunctions()
		}
	}
	a, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	b, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	same, d := cute.Equivalent(a, b)
	switch {
	case same:
	case d.Sizes:
		c.env.note("the sizes are %d and %d; the offsets agree up to the smaller one", a.Size(), b.Size())
	default:
		at, err := cute.Idx2Crd(cute.Int(d.Index), a.Shape())
		if err != nil {
			return nil, err
		}
		c.env.note("the first difference is at index %d, coordinate %v of the first layout: %v and %v", d.Index, at, d.A, d.B)
	}
	return Bool(same), nil
}

// ceilDiv divides shapes, or counts the tiles of a layout in a shape.
func ceilDiv(c *call) (Value, error) {
	a, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if t, ok := c.args[1].(Tile); ok && t.Rank() == 1 {
		c.args[1] = tilerValue(t.Modes()[0])
	}
	if l, ok := c.args[1].(Layout); ok {
		// A divide has as many tiles, rounded up mode by mode, unless they do not reach all of the shape.
		r, err := cute.Complement(l.Layout, a)
		if err != nil {
			return nil, err
		}
		if tiles, err := cute.ComplementByMode(l.Layout, a); err == nil && tiles.Size() > r.Size() {
			r = tiles
		}
		return Tuple{r.Shape()}, nil
	}
	b, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return tupleOf(cute.CeilDiv(a, b))
}
