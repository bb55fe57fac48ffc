package eval

import (
	"girih/cute"
	"girih/symbolic"
)

// constructionRows returns the built-ins that make layouts of shapes, strides and orders.
func constructionRows() []Builtin {
	return []Builtin{
		{
			Name: "make_layout", Params: "shape, stride?", arity: from(0),
			known: makeLayout, dynamic: (*call).dynamicMakeLayout, xor: (*call).xorMake, bits: (*call).bitsConcat,
			Doc: "Returns the layout shape:stride. Without a stride, or with LayoutLeft, the layout is compact and " +
				"column-major; with LayoutRight, it is row-major. make_layout(L0, L1, ...) concatenates layouts.",
			Example: "make_layout((4,(2,2)), (2,(1,8)))", Output: "(4,(2,2)):(2,(1,8))",
		},
		{
			Name: "make_ordered_layout", Params: "shape, order?",
			Doc: "Returns the compact layout of the shape whose modes vary in the given order: the mode with the " +
				"smallest number varies fastest, and equal numbers go from left to right. The order may be " +
				"LayoutLeft or LayoutRight. Without an order, a layout keeps the order of its strides, and in a " +
				"shape mode 0 varies fastest.",
			Example: "make_ordered_layout((2,3,4,5), (1,3,0,2))", Output: "(2,3,4,5):(4,40,1,8)",
			dynamic: (*call).dynamicOrdered, ofShape: true,
			known: makeOrderedLayout,
		},
		{
			Name: "make_layout_like", Params: "L",
			Doc: "Returns the compact layout of L's shape in the order of L's strides; modes of stride 0 keep " +
				"stride 0.",
			Example: "make_layout_like((4,(2,3)):(6,(0,1)))", Output: "(4,(2,3)):(3,(0,1))",
			dynamic: onRunTime.onInner(symbolic.Like),
			known:   onKnown.onInner(cute.MakeLayoutLike),
		},
		{
			Name: "make_identity_layout", Params: "shape",
			Doc:     "Returns the layout that maps each coordinate of the shape to itself; its strides are coordinates.",
			Example: "make_identity_layout(((2,3),4))", Output: "((2,3),4):((1@0@0,1@1@0),1@1)",
			dynamic: onRunTime.fromShape(symbolic.Identity), ofShape: true,
			known: onKnown.fromShape(cute.MakeIdentityLayout),
		},
	}
}

// integerRows returns the built-ins that make integers and coordinates for strides.
func integerRows() []Builtin {
	return []Builtin{
		{
			Name: "E", Params: "mode, ...", arity: from(0), plain: -1, symbol: true,
			Doc: "Returns the unit coordinate at the path, outermost mode first: E(1) is 1@1, E(0,1) is 1@1@0, in C++ E<0,1>{}. " +
				"4*E(0) + 2*E(1) is the stride 4@0+2@1. A bare E is still a run-time integer.",
			Example: "(4,8):(4*E(0) + 2*E(1), E(1))", Output: "(4,8):(4@0+2@1,1@1)",
			known: makeUnit,
		},
		{
			Name: "Int32", Params: "n",
			Doc: "Returns n as a run-time integer of the CuTe DSL, which prints it as ? at trace time; its number " +
				"is known here. Values with such integers are computed with their numbers, and a note shows what " +
				"the CuTe DSL prints at trace time.",
			Example: "make_layout((2,(1,6)), (1,(Int32(8),2)))", Output: "(2,(1,6)):(1,(8,2))",
			known: using((*call).giveNumber, 32), dynamic: using((*call).giveNumber, 32),
		},
		{
			Name: "Int64", Params: "n",
			Doc:     "Returns n as a run-time integer of 64 bits: see Int32.",
			Example: "Int64(8) * 2", Output: "16",
			known: using((*call).giveNumber, 64), dynamic: using((*call).giveNumber, 64),
		},
		{
			Name: "as_arithmetic_tuple", Params: "t, ...",
			Aliases: []string{"ArithTuple", "ArithmeticTuple", "make_arithmetic_tuple"},
			Doc: "Returns the tuple as one coordinate for a stride, element i along axis i: (4,2) is 4@0+2@1. " +
				"Several arguments are the elements. In a layout, a tuple next to an extent is read the same way: " +
				"4:(1,2) is 4:1@0+2@1.",
			Example: "as_arithmetic_tuple((4,(0,2)))", Output: "4@0+2@1@1",
			dynamic: asArithmeticTuple,
			known:   asArithmeticTuple,
		},
		{
			Name: "make_basis_like", Params: "shape",
			Doc: "Returns a tuple with the nesting of the shape, whose leaves are the unit coordinates of their own " +
				"places.",
			Example: "make_basis_like((2,(3,4)))", Output: "(1@0,(1@0@1,1@1@1))",
			dynamic: onRunTime.strideFrom(symbolic.Identity), ofShape: true,
			known: makeBasisLike,
		},
	}
}

// compactRows returns the built-ins that make compact layouts.
func compactRows() []Builtin {
	return []Builtin{
		{
			Name: "layout_left", Params: "shape",
			Doc:     "Returns the compact column-major layout of the shape.",
			Example: "layout_left((4,(2,2)))", Output: "(4,(2,2)):(1,(4,8))",
			dynamic: onRunTime.fromShape(symbolic.LayoutLeft), ofShape: true,
			known: onKnown.fromShape(cute.LayoutLeft),
		},
		{
			Name: "layout_right", Params: "shape",
			Doc:     "Returns the compact row-major layout of the shape.",
			Example: "layout_right((4,(2,2)))", Output: "(4,(2,2)):(4,(2,1))",
			dynamic: onRunTime.fromShape(symbolic.LayoutRight), ofShape: true,
			known: onKnown.fromShape(cute.LayoutRight),
		},
		{
			Name: "compact_col_major", Params: "shape",
			Doc:     "Returns the strides of the compact column-major layout of the shape.",
			Example: "compact_col_major((4,(2,2)))", Output: "(1,(4,8))",
			dynamic: onRunTime.strideFrom(symbolic.LayoutLeft), ofShape: true,
			known: onKnown.strideFrom(cute.LayoutLeft),
		},
		{
			Name: "compact_row_major", Params: "shape",
			Doc:     "Returns the strides of the compact row-major layout of the shape.",
			Example: "compact_row_major((4,(2,2)))", Output: "(4,(2,1))",
			dynamic: onRunTime.strideFrom(symbolic.LayoutRight), ofShape: true,
			known: onKnown.strideFrom(cute.LayoutRight),
		},
	}
}

// compositeRows returns the built-ins that make values of several parts.
func compositeRows() []Builtin {
	return []Builtin{
		{
			Name: "make_swizzle", Params: "B, M, S",
			Doc:     "Returns the swizzle Sw<B,M,S>. Its unit is the unit of the offsets to which it is applied.",
			Example: "make_swizzle(3, 4, 3)", Output: "Sw<3,4,3>",
			known: makeSwizzle,
		},
		{
			Name: "make_composed_layout", Params: "inner, offset, outer",
			Doc: "Returns the function c -> inner(offset + outer(c)), with the names of the CuTe DSL; inner is a swizzle or a " +
				"layout, and outer takes the coordinates.",
			Example: "make_composed_layout(Sw<3,4,3>, 0, (8,64):(64,1))", Output: "Sw<3,4,3> o 0 o (8,64):(64,1)",
			dynamic: (*call).dynamicChain, xor: (*call).xorComposed,
			known: makeComposedLayout,
		},
		{
			Name: "make_tuple", Params: "x, ...", arity: from(0),
			Aliases: []string{"make_shape", "make_stride", "make_coord", "make_int_tuple", "make_tile"},
			Doc: "Returns the tuple of its arguments: a shape, stride or coordinate if they are integers and " +
				"tuples, a tile if they are tilers.",
			Example: "make_shape(4, make_shape(2, 2))", Output: "(4,(2,2))",
			dynamic: (*call).dynamicMakeTuple,
			known:   makeTuple,
		},
		{
			Name: "tile_to_shape", Params: "block, shape, order?",
			Doc: "Repeats the block to fill the shape: a blocked_product with the number of blocks in each mode. The blocks vary " +
				"in the given order, by default mode 0 fastest. If the block does not divide the shape, the number is rounded up.",
			Example: "tile_to_shape((8,64):(64,1), (128,64))", Output: "((8,16),(64,1)):((64,512),(1,0))",
			dynamic: (*call).dynamicTileToShape, xor: (*call).xorTileToShape,
			known: tileToShape,
		},
		{
			Name: "tile_to_mma_shape", Params: "block, shape, order?",
			Doc:     "Tiles to a shape that partition_shape_A returns, and divides by mode 0: CuTe's UMMA::tile_to_mma_shape.",
			Example: "tile_to_mma_shape((8,64):(64,1), ((16,16),2,4))", Output: "((16,16),2,4):((64,1),1024,16)",
			known: tileToMMAShape,
		},
		{
			Name: "recognize", Params: "offset, ...", long: true, lists: true,
			Doc: "Returns the coalesced layout, or the swizzled layout, that has the given offsets at the indices " +
				"0, 1, 2, .... If there is none, the error names the first index at which every layout fails. " +
				"Tuples are coordinates: recognize((0,0), (1,0), (0,1), (1,1)) is (2,2):(1@0,1@1). A single " +
				"argument may be a tuple of all offsets, or a composed layout, whose offsets are used.",
			Example: "recognize(0, 4, 8, 1, 5, 9)", Output: "(3,2):(4,1)",
			known: recognize, index: (*call).recognizeMap,
		},
		{
			Name: "index_map", Params: "shape, map", lists: true,
			Doc: "Returns the layout with the values of a map of indices over a shape: lambda i, j: i * 8 + j, def, a lambda of C++, " +
				"with // % min max ^ & | << >>, comparisons and conditions, and one result or several, which are a coordinate. The " +
				"layout may be swizzled, have F2 strides or be a linear layout. If none has the values, the result is the map, which " +
				"is_bijective, image, recognize and others take, and a note names the first index at which every layout fails. " +
				"TileLang's T.Layout and T.Fragment are this function.",
			Example: "index_map((32,8), lambda r, c: r*8 + (c ^ (r % 8)))", Output: "Sw<3,0,3> o 0 o (32,8):(8,1)",
			known: (*call).needsMap, index: (*call).makeIndexMap,
		},
	}
}
