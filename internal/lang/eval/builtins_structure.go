package eval

import (
	"girih/cute"
	"girih/linear"
	"girih/symbolic"
)

// structureRows returns the built-ins that take and group modes.
func structureRows() []Builtin {
	return []Builtin{
		{
			Name: "get", Params: "x, mode, ...", arity: from(1), plain: 1, long: true, Aliases: []string{"mode", "layout"},
			Doc:     "Returns the mode of a layout, a tuple or a tile at a path: get<1,0>(L), or get(L, 1, 0), is mode 0 of mode 1.",
			Example: "get<1,0>((4,(2,3)):(1,(4,8)))", Output: "2:4",
			dynamic: (*call).dynamicGet, moves: []int{0}, picks: true,
			known: getMode,
		},
		{
			Name: "select", Params: "x, mode, ...", arity: from(1), plain: 1,
			Doc:     "Returns the given modes in the given order, as one tuple; a mode may be selected twice.",
			Example: "select<2,0>((4,2,8):(1,4,8))", Output: "(8,4):(8,1)",
			dynamic: (*call).dynamicSelect, moves: []int{0}, picks: true,
			known: selectModes,
		},
		{
			Name: "take", Params: "x, begin, end", arity: between(1, 3), plain: 1, long: true,
			Doc:     "Returns the modes begin, begin+1, ..., end-1.",
			Example: "take<1,3>((2,3,4):(1,2,6))", Output: "(3,4):(2,6)",
			moves: []int{0}, picks: true,
			known: onRange(cute.Layout.Take, cute.Tuple.Take),
		},
		{
			Name: "group_modes", Params: "x, begin, end", arity: between(1, 3), plain: 1, Aliases: []string{"group"},
			Doc:     "Returns x with the modes begin, ..., end-1 grouped into one.",
			Example: "group_modes<1,3>((4,5,6):(1,4,20))", Output: "(4,(5,6)):(1,(4,20))",
			moves: []int{0},
			known: onRange(cute.Layout.GroupModes, cute.Tuple.GroupModes),
		},
	}
}

// nestingRows returns the built-ins that change the nesting and the rank.
func nestingRows() []Builtin {
	return []Builtin{
		{
			Name: "flatten", Params: "x", long: true,
			Doc:     "Returns x with all leaves at the top level.",
			Example: "flatten((3,(4,5)):(8,(1,4)))", Output: "(3,4,5):(8,1,4)",
			moves: []int{0},
			known: flatten,
		},
		{
			Name: "unflatten", Params: "x, profile",
			Doc: "Returns the leaves of a layout or a tuple in the nesting of the profile. The values of its " +
				"leaves, numbers or _, do not matter.",
			Example: "unflatten((3,4,5):(8,1,4), (0,(0,0)))", Output: "(3,(4,5)):(8,(1,4))",
			moves: []int{0},
			known: unflatten,
		},
		{
			Name: "append", Params: "x, mode", arity: between(1, 3), plain: 1,
			Doc: "Returns x with the mode added at the end. append<N>(x, mode) adds it until x has rank N; " +
				"without a mode it adds 1:0.",
			Example: "append((4,2):(1,4), 3:8)", Output: "(4,2,3):(1,4,8)",
			moves: []int{0, 1},
			known: appendMode,
		},
		{
			Name: "prepend", Params: "x, mode", arity: between(1, 3), plain: 1,
			Doc: "Returns x with the mode added at the front. prepend<N>(x, mode) adds it until x has rank N; " +
				"without a mode it adds 1:0.",
			Example: "prepend<3>((4,2):(1,4))", Output: "(1,4,2):(0,1,4)",
			moves: []int{0, 1},
			known: prependMode,
		},
		{
			Name: "append_to_rank", Params: "x, mode, rank", plain: 1,
			Doc:     "Returns x with the mode added at the end until it has the given rank: append_to_rank<3>(x, mode).",
			Example: "append_to_rank<3>(4:1, 1:0)", Output: "(4,1,1):(1,0,0)",
			moves: []int{0, 1},
			known: appendToRank,
		},
		{
			Name: "prepend_to_rank", Params: "x, mode, rank", plain: 1,
			Doc: "Returns x with the mode added at the front until it has the given rank: prepend_to_rank<3>(x, " +
				"mode).",
			Example: "prepend_to_rank<3>((4,8), 1)", Output: "(1,4,8)",
			moves: []int{0, 1},
			known: prependToRank,
		},
	}
}

// modeRows returns the built-ins that replace, order and filter modes.
func modeRows() []Builtin {
	return []Builtin{
		{
			Name: "replace", Params: "L, mode, X", plain: 2,
			Doc:     "Returns L with one mode replaced: replace(L, 1, X), or replace<1>(L, X).",
			Example: "replace((4,2):(1,4), 1, 8:16)", Output: "(4,8):(1,16)",
			moves: []int{0, last},
			known: replaceMode,
		},
		{
			Name: "reverse", Params: "L",
			Doc:     "Returns L with its top-level modes in the opposite order.",
			Example: "reverse((4,(2,3)):(1,(4,8)))", Output: "((2,3),4):((4,8),1)",
			moves: []int{0},
			known: onKnown.inLayout(cute.Layout.Reverse),
		},
		{
			Name: "zip", Params: "A, B, ...", arity: from(1),
			Doc: "Returns the pairs of the modes of the layouts: (a,b) and (c,d) become ((a,c),(b,d)). A single " +
				"layout ((a,b),(c,d)) is zipped by its modes.",
			Example: "zip((2,3):(1,2), (4,5):(6,24))", Output: "((2,4),(3,5)):((1,6),(2,24))",
			dynamic: (*call).dynamicZip, moves: all,
			known: zipModes,
		},
		{
			Name: "tile_unzip", Params: "L, tiler", Aliases: []string{"unzip"},
			Doc: "Gathers the pairs (tile,rest) of L, which are at the leaves of the tiler, into ((tiles),(rests)): " +
				"the step from logical_divide to zipped_divide.",
			Example: "tile_unzip(((4,2),(3,5)):((1,4),(8,24)), <4,3>)", Output: "((4,3),(2,5)):((1,8),(4,24))",
			moves: []int{0},
			known: tileUnzip,
		},
		{
			Name: "filter_zeros", Params: "L",
			Doc:     "Returns L with extent 1 wherever the stride is 0.",
			Example: "filter_zeros((2,(4,3)):(0,(1,0)))", Output: "(1,(4,1)):(0,(1,0))",
			dynamic: onRunTime.inLayout(symbolic.FilterZeros),
			xor:     onXor(func(x linear.XorLayout) (linear.XorLayout, error) { return x.FilterZeros(), nil }),
			known:   onKnown.inLayout(always(cute.FilterZeros)),
		},
		{
			Name: "filter", Params: "L",
			Doc:     "Returns L without its modes of stride 0, coalesced.",
			Example: "filter((2,(4,3)):(0,(1,4)))", Output: "12:1",
			dynamic: onRunTime.inLayout(filterDynamic),
			xor:     onXor(func(x linear.XorLayout) (linear.XorLayout, error) { return x.FilterZeros().Coalesce(), nil }),
			known:   onKnown.inLayout(always(cute.Filter)),
		},
		{
			Name: "with_shape", Params: "L, shape",
			Doc:     "Returns L composed with the compact column-major layout of the shape.",
			Example: "with_shape((4,6):(6,1), (2,2,6))", Output: "(2,2,6):(6,12,1)",
			dynamic: (*call).dynamicWithShape, xor: (*call).xorWithShape,
			known: withShape,
		},
	}
}
