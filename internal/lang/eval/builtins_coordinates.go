package eval

import (
	"girih/cute"
)

// coordinateRows returns the built-ins that convert coordinates and indices.
func coordinateRows() []Builtin {
	return []Builtin{
		{
			Name: "crd2idx", Params: "coord, shape, stride?",
			Doc: "Returns the colexicographic index of a coordinate of the shape. With a stride, or with a layout " +
				"in place of the shape, returns the offset.",
			Example: "crd2idx((1,2), (4,8))", Output: "9",
			dynamic: (*call).dynamicCrd2Idx, xor: (*call).xorCrd2Idx, bits: (*call).xorCrd2Idx,
			known: crd2idx,
		},
		{
			Name: "idx2crd", Params: "index, shape, stride?",
			Doc: "Returns the coordinate of the shape that has the index; its last mode is not reduced. With a " +
				"stride, or with a layout in place of the shape, returns the coordinate that has the offset. For a list " +
				"in braces, {0,1,8}, returns the list of the coordinates.",
			Example: "idx2crd(100, (3,(4,5)))", Output: "(1,(1,8))",
			dynamic: (*call).dynamicIdx2Crd, xor: (*call).xorIdx2Crd, bits: (*call).xorIdx2Crd,
			known: idx2crd,
		},
		{
			Name: "get_hier_coord", Params: "L, offset",
			Doc:     "Returns the coordinate of the layout that has the offset, as idx2crd(offset, L).",
			Example: "get_hier_coord((4,(2,4)):(8,(1,2)), 9)", Output: "(1,(1,0))",
			known: getHierCoord,
		},
		{
			Name: "get_flat_coord", Params: "L, offset",
			Doc: "Returns the coordinate of the layout that has the offset, with one number for each mode: get_hier_coord, " +
				"whose parts of each mode become an index.",
			Example: "get_flat_coord((4,(2,4)):(8,(1,2)), 9)", Output: "(1,1)",
			known: getFlatCoord,
		},
		{
			Name: "get_1d_coord", Params: "L, offset",
			Doc:     "Returns the index of the layout that has the offset: get_hier_coord, which becomes an index.",
			Example: "get_1d_coord((4,(2,4)):(8,(1,2)), 9)", Output: "5",
			known: get1DCoord,
		},
		{
			Name: "crd2crd", Params: "coord, from, to",
			Doc:     "Returns the coordinate in shape to that has the same index as coord in shape from.",
			Example: "crd2crd((3,1), (4,6), (2,(2,6)))", Output: "(1,(1,1))",
			dynamic: (*call).dynamicCrd2Crd, ofShape: true,
			known: crd2crd,
		},
		{
			Name: "increment", Params: "coord, shape", Aliases: []string{"increment_coord"},
			Doc:     "Returns the coordinate that follows coord in colexicographic order.",
			Example: "increment((3,2), (4,8))", Output: "(0,3)",
			dynamic: (*call).dynamicIncrement, ofShape: true,
			known: onKnown.onShapes(noConditions(cute.Increment)),
		},
	}
}

// applicationRows returns the built-ins that apply layouts to coordinates, and slice them.
func applicationRows() []Builtin {
	return []Builtin{
		{
			Name: "eval", Params: "L, coord, ...", arity: from(1), Aliases: []string{"layout_eval"},
			Doc:     "Returns the offset of a coordinate, as L(coord) does.",
			Example: "eval((4,8):(8,1), (1,2))", Output: "10",
			dynamic: (*call).dynamicApply, bits: (*call).bitsApply,
			known: (*call).apply, index: (*call).applyMap,
		},
		{
			Name: "slice", Params: "coord, L", Aliases: []string{"slice_"},
			Doc: "Returns the modes of a layout or tuple that the coordinate leaves open with _, without the offset " +
				"of the fixed modes.",
			Example: "slice((1,(_,2)), (2,(3,4)):(12,(1,3)))", Output: "(3):(1)",
			dynamic: (*call).dynamicSlice, xor: (*call).xorSlice,
			known: sliceModes,
		},
		{
			Name: "dice", Params: "coord, L",
			Doc:     "Returns the modes of a layout or tuple that the coordinate fixes: the counterpart of slice.",
			Example: "dice((1,(_,2)), (2,(3,4)):(12,(1,3)))", Output: "(2,4):(12,3)",
			dynamic: (*call).dynamicDice, xor: (*call).xorDice,
			known: diceModes,
		},
		{
			Name: "slice_and_offset", Params: "coord, L",
			Doc: "Returns the layout of the modes that the coordinate leaves open, and the offset of the fixed " +
				"modes. For a composed layout, the offset is added inside. A swizzled layout decays to a layout if " +
				"it can. The offset of F2 strides, F2(n), is added without carries.",
			Example: "slice_and_offset((1,(_,2)), (2,(3,4)):(12,(1,3)))", Output: "{(3):(1),18}",
			dynamic: (*call).dynamicSliceAndOffset, xor: (*call).xorSliceAndOffset,
			known: sliceAndOffset,
		},
		{
			Name: "decay", Params: "C",
			Doc:     "Returns the layout and the offset whose sum is the composed layout; refuses if there is none.",
			Example: "decay(Sw<2,0,2> o 4 o (4):(1))", Output: "{((2,2)):((-1,2)),5}",
			known: decay,
		},
		{
			Name: "domain_offset", Params: "coord, L",
			Doc: "Returns L and the offset of the coordinate, where L then begins. A composed layout gets the " +
				"offset inside, and a tensor begins there.",
			Example: "domain_offset((1,2), (4,8):(8,1))", Output: "{(4,8):(8,1),10}",
			dynamic: (*call).dynamicDomainOffset, xor: (*call).xorDomainOffset,
			known: domainOffset,
		},
	}
}
