package eval

import (
	"girih/cute"
	"girih/linear"
	"girih/symbolic"
)

// partRows returns the built-ins that return parts and sizes of layouts, or of modes of layouts.
func partRows() []Builtin {
	return []Builtin{
		{
			Name: "shape", Params: "L", plain: 1, Aliases: []string{"get_shape"},
			Doc:     "Returns the shape of a layout; shape<1>(L) is the shape of mode 1.",
			Example: "shape((4,(2,3)):(1,(4,8)))", Output: "(4,(2,3))",
			dynamic: onRunTime.part(symbolic.Layout.Shape), xor: (*call).xorShape, ofMode: true,
			known: onKnown.part(cute.Layout.Shape), index: (*call).indexShape,
		},
		{
			Name: "stride", Params: "L", plain: 1, Aliases: []string{"get_stride"},
			Doc:     "Returns the stride of a layout, in elements; stride<1>(L) is the stride of mode 1.",
			Example: "stride((4,(2,3)):(1,(4,8)))", Output: "(1,(4,8))",
			dynamic: onRunTime.part(symbolic.Layout.Stride), xor: (*call).xorStride, ofMode: true,
			known: getStride,
		},
		{
			Name: "size", Params: "x", plain: 1, long: true,
			Doc: "Returns the number of elements: the product of the extents. size<1>(x) is the size of mode 1. For " +
				"a tiled MMA or copy, returns the number of threads.",
			Example: "size((4,(2,3)):(1,(4,8)))", Output: "24",
			dynamic: (*call).dynamicSize, bits: (*call).bitsSize, ofMode: true, ofShape: true,
			known: getSize,
		},
		{
			Name: "cosize", Params: "L", plain: 1,
			Doc: "Returns the number of offsets from the least to the greatest: 1 + the sum of (extent-1)*|stride|. " +
				"For coordinate strides, returns the product of these numbers over the axes. For a composed layout " +
				"or a layout with F2 strides, returns 1 + the greatest offset.",
			Example: "cosize((4,3):(1,8))", Output: "20",
			dynamic: (*call).dynamicCosize, xor: (*call).xorCosize, bits: (*call).bitsCosize, ofMode: true,
			known: cosize,
			index: (*call).indexCosize,
		},
		{
			Name: "coshape", Params: "L", plain: 1,
			Doc:     "Returns the shape of the smallest box that holds all offsets: an integer, or a tuple for coordinate strides.",
			Example: "coshape((4,3):(2@1,5@0))", Output: "(11,7)",
			dynamic: onRunTime.ask(symbolic.Layout.Coshape), xor: (*call).xorCosize, bits: (*call).bitsCosize, ofMode: true,
			known: getCoshape,
			index: (*call).indexCoshape,
		},
		{
			Name: "rank", Params: "x", plain: 1, long: true,
			Doc:     "Returns the number of top-level modes; an integer has rank 1.",
			Example: "rank((4,(2,3)):(1,(4,8)))", Output: "2",
			dynamic: (*call).dynamicRank, bits: (*call).bitsRank, ofMode: true, ofShape: true,
			known: getRank,
		},
		{
			Name: "depth", Params: "x", plain: 1, long: true,
			Doc:     "Returns the depth of the nesting: 0 for an integer, 1 for a flat tuple.",
			Example: "depth((4,(2,3)):(1,(4,8)))", Output: "2",
			dynamic: (*call).dynamicRank, ofMode: true, ofShape: true,
			known: getDepth,
		},
	}
}

// tupleRows returns the built-ins that compute with tuples.
func tupleRows() []Builtin {
	return []Builtin{
		{
			Name: "product", Params: "x", Aliases: []string{"tuple_product"},
			Doc:     "Returns the product of all leaves of a tuple.",
			Example: "product((2,(3,4)))", Output: "24",
			dynamic: (*call).dynamicSize, ofShape: true,
			known: getProduct,
		},
		{
			Name: "product_each", Params: "x", Aliases: []string{"tuple_product_each"},
			Doc:     "Returns the product of each mode of a tuple; the result for an integer is a 1-tuple.",
			Example: "product_each((4,(16,32)))", Output: "(4,512)",
			dynamic: (*call).dynamicProductEach, ofShape: true,
			known: getProductEach,
		},
		{
			Name: "ceil_div", Params: "a, b",
			Doc: "Divides and rounds up: integers, tuples mode by mode, a tuple by an integer from left to right. " +
				"If b is a layout, returns the number of its tiles in a.",
			Example: "ceil_div((4,5,6), 7)", Output: "(1,3,6)",
			dynamic: dynamicQuotients("ceil_div", symbolic.CeilDivPositive), ofShape: true,
			known: ceilDiv,
		},
		{
			Name: "shape_div", Params: "a, b",
			Doc:     "Divides shapes like ceil_div, but of every two integers one must divide the other.",
			Example: "shape_div((4,5,6), 40)", Output: "(1,1,3)",
			dynamic: dynamicQuotients("shape_div", symbolic.ShapeDiv), ofShape: true,
			known: onKnown.onShapes(noConditions(cute.ShapeDiv)),
		},
		{
			Name: "inner_product", Params: "a, b",
			Doc: "Sums the products of the leaves of a and b in the same places. For a coordinate and strides, the " +
				"sum is the offset.",
			Example: "inner_product((1,(2,3)), (100,(10,1)))", Output: "123",
			known: innerProduct,
		},
		{
			Name: "elem_less", Params: "a, b",
			Doc: "Reports whether every leaf of a is less than the leaf of b in the same place: the test of a " +
				"predicate.",
			Example: "elem_less((3,4), (5,6))", Output: "true",
			dynamic: (*call).dynamicLess,
			known:   elemLess,
		},
	}
}

// relationRows returns the built-ins that compare shapes.
func relationRows() []Builtin {
	return []Builtin{
		{
			Name: "congruent", Params: "A, B", Aliases: []string{"is_congruent"},
			Doc:     "Reports whether the shapes have the same nesting.",
			Example: "congruent((4,(2,2)), (1,(3,5)))", Output: "true",
			dynamic: (*call).dynamicRank, ofShape: true,
			known: relation(cute.Congruent),
		},
		{
			Name: "weakly_congruent", Params: "A, B", Aliases: []string{"is_weakly_congruent"},
			Doc:     "Reports whether B has the nesting of A if some modes of B are taken as integers.",
			Example: "weakly_congruent((4,4), (1,(3,5)))", Output: "true",
			dynamic: (*call).dynamicRank, ofShape: true,
			known: relation(cute.WeaklyCongruent),
		},
		{
			Name: "compatible", Params: "A, B", Aliases: []string{"is_compatible"},
			Doc:     "Reports whether every coordinate of shape A is a coordinate of shape B: B refines A.",
			Example: "compatible((4,6), ((2,2),6))", Output: "true",
			dynamic: (*call).dynamicCompatible, ofShape: true,
			known: relation(cute.Compatible),
		},
	}
}

// mapRows returns the built-ins that ask whether a layout is a one-to-one map.
func mapRows() []Builtin {
	return []Builtin{
		{
			Name: "is_injective", Params: "L, codomain?",
			Doc: "Reports whether no two coordinates have the same offset; if not, a note names two. With a " +
				"codomain, an integer or a shape, all offsets must also be in the codomain.",
			Example: "is_injective((4,3):(1,4))", Output: "true",
			dynamic: dynamicQuestion(symbolic.Injective), xor: xorClaim(injective), bits: bitsClaim(linear.Layout.IsInjective),
			known: claim(cute.Composed.IsInjective, cute.Composed.IsInjectiveInto),
			index: indexClaim(indexQuestion{once: true}),
		},
		{
			Name: "is_surjective", Params: "L, codomain?",
			Doc: "Reports whether every offset below the cosize is reached; if not, a note names one. With a " +
				"codomain, an integer or a shape, the offsets must be all of the codomain and no others.",
			Example: "is_surjective((4,3):(1,5))", Output: "false",
			dynamic: dynamicQuestion(symbolic.Surjective), xor: xorClaim(surjective), bits: bitsClaim(linear.Layout.IsSurjective),
			known: claim(cute.Composed.IsSurjective, cute.Composed.IsSurjectiveOnto),
			index: indexClaim(indexQuestion{all: true}),
		},
		{
			Name: "is_bijective", Params: "L, codomain?",
			Doc: "Reports whether the offsets are 0, ..., size-1, each once; if not, a note says where it fails. " +
				"With a codomain, an integer or a shape, the offsets must be exactly the codomain.",
			Example: "is_bijective((4,3):(3,1))", Output: "true",
			dynamic: dynamicQuestion(symbolic.Bijective), xor: xorClaim(bijective), bits: bitsClaim(linear.Layout.IsInvertible),
			known: claim(cute.Composed.IsBijective, cute.Composed.IsBijectiveOnto),
			index: indexClaim(indexQuestion{once: true, all: true}),
		},
		{
			Name: "is_compact", Params: "L",
			Doc:     "Reports whether the offsets are distinct and without gaps; with negative strides they may begin below 0.",
			Example: "is_compact((4,3):(-1,4))", Output: "true",
			dynamic: dynamicQuestion(symbolic.IsCompact), xor: xorClaim(bijective),
			known: claim(cute.Composed.IsCompact, nil),
		},
	}
}

// offsetRows returns the built-ins that list the offsets of a layout, or compare them.
func offsetRows() []Builtin {
	return []Builtin{
		{
			Name: "image", Params: "L",
			Doc:     "Returns the set of offsets.",
			Example: "image((2,2):(1,4))", Output: "{0,1,4,5}",
			xor: (*call).xorImage, bits: (*call).bitsImage,
			known: numberSet(cute.Composed.Image),
			index: (*call).indexImage,
		},
		{
			Name: "holes", Params: "L",
			Doc:     "Returns the integers between the least and the greatest offset that are not offsets.",
			Example: "holes((2,2):(1,4))", Output: "{2,3}",
			xor:   (*call).xorHoles,
			known: numberSet(cute.Composed.Holes),
		},
		{
			Name: "offsets", Params: "L",
			Doc:     "Returns the offsets of all indices in colexicographic order.",
			Example: "offsets((2,3):(3,1))", Output: "{0,3,1,4,2,5}",
			xor:   (*call).xorOffsets,
			known: offsets,
			index: (*call).indexValues,
		},
		{
			Name: "equivalent", Params: "A, B",
			Doc: "Reports whether two layouts are the same function of indices; if not, a note names the first " +
				"difference. A == B compares the texts instead.",
			Example: "equivalent((2,(1,6)):(1,(6,2)), 12:1)", Output: "true",
			dynamic: (*call).dynamicEquivalent, xor: (*call).xorEquivalent, bits: (*call).bitsEquivalent,
			known: equivalent,
			index: (*call).equivalentMaps,
		},
		{
			Name: "nullspace", Params: "L",
			Doc: "Returns the layout of the indices that L maps to 0 because their strides are 0; for a matrix or a " +
				"linear layout, a basis of all inputs that it maps to 0, as kernel does.",
			Example: "nullspace((2,3,4):(1,0,2))", Output: "3:2",
			dynamic: onRunTime.onLayout(symbolic.Nullspace),
			xor:     (*call).xorNullspace,
			bits:    kernelOf,
			known:   onKnown.onLayout(always(cute.Nullspace)),
		},
	}
}

// commonRows returns the built-ins that find what two layouts or shapes have in common.
func commonRows() []Builtin {
	return []Builtin{
		{
			Name: "max_common_layout", Params: "A, B",
			Doc:     "Returns the largest layout of indices on which A and B both count 0, 1, 2, ...",
			Example: "max_common_layout((2,4):(4,1), (2,4):(4,1))", Output: "(4,2):(2,1)",
			dynamic: (*call).dynamicCommonLayout,
			known:   maxCommonLayout,
		},
		{
			Name: "max_common_vector", Params: "A, B",
			Doc:     "Returns the number of elements that A and B have in common as one vector.",
			Example: "max_common_vector((4,8):(1,4), (4,8):(1,16))", Output: "4",
			dynamic: (*call).dynamicCommonVector,
			known:   maxCommonVector,
		},
		{
			Name: "max_alignment", Params: "L",
			Doc: "Returns the largest n such that L consists of vectors of n neighbours that begin at multiples of " +
				"n: the number of elements that one access may move, if the pointer has that alignment. With a " +
				"swizzle Sw<B,M,S>, n is at most 2^M.",
			Example: "max_alignment((8,64):(72,1))", Output: "8",
			dynamic: (*call).dynamicAlignment,
			known:   maxAlignment,
		},
		{
			Name: "common_refinement", Params: "S, T",
			Doc: "Returns the coarsest flat shape into which both S and T can be cut: its products of leading " +
				"extents include all of theirs. If the sizes differ, it has the larger size and begins with a " +
				"refinement of the smaller shape.",
			Example: "common_refinement((4,6), (8,3))", Output: "(4,2,3)",
			dynamic: onRunTime.onShapes(symbolic.CommonRefinement), ofShape: true,
			known: commonRefinement,
		},
		{
			Name: "domain_distribute", Params: "S, n",
			Doc: "Returns a layout of n elements of the shape S, as growing indices, that divides S evenly: each " +
				"leaf in turn uses the factors of n that it has and that the leaves before it have left. It has " +
				"fewer elements than n if S lacks factors of n.",
			Example: "domain_distribute((15,14), 6)", Output: "(3,2):(1,15)", ofShape: true,
			known: domainDistribute,
		},
		{
			Name: "greatest_common_domain", Params: "S, T",
			Doc: "Returns the largest layout of indices whose modes can be cut out of one leaf in either shape: the " +
				"factors that both shapes have in the same places. It is (1):(0) if there are none.",
			Example: "greatest_common_domain((5,3,4), (10,6))", Output: "(5,2):(1,30)",
			known: greatestCommonDomain,
		},
	}
}

// stageRows returns the built-ins that return the parts of a composed layout.
func stageRows() []Builtin {
	return []Builtin{
		{
			Name: "layout_a", Params: "C", Aliases: []string{"inner", "composed_get_inner"},
			Doc: "Returns the function that a composed layout applies last, a swizzle or a layout: layout_a() in C++, " +
				"C.inner in the CuTe DSL.",
			Example: "layout_a(Sw<3,4,3> o 0 o (8,64):(64,1))", Output: "Sw<3,4,3>",
			dynamic: dynamicStage(DynamicComposed.firstPart),
			known:   getLayoutA,
		},
		{
			Name: "layout_b", Params: "C", Aliases: []string{"outer", "composed_get_outer"},
			Doc: "Returns the layout of a composed layout that takes the coordinates: layout_b() in C++, C.outer in the " +
				"CuTe DSL.",
			Example: "layout_b(Sw<3,4,3> o 0 o (8,64):(64,1))", Output: "(8,64):(64,1)",
			dynamic: dynamicStage(DynamicComposed.lastPart),
			known:   getLayoutB,
		},
		{
			Name: "offset", Params: "C", Aliases: []string{"composed_get_offset"},
			Doc:     "Returns the offset that a composed layout adds to the values of layout_b, before layout_a.",
			Example: "offset(Sw<3,4,3> o 8 o (8,64):(64,1))", Output: "8",
			dynamic: dynamicStage(DynamicComposed.outerOffset),
			known:   getOffset,
		},
	}
}
