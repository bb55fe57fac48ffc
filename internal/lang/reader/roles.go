package reader

// A role says what a known name builds.
type role uint8

const (
	roleNone role = iota
	roleTuple
	roleTile
	roleLayout
	roleOrdered
	roleIdentity
	roleSwizzle
	roleComposition
	roleComposed
	roleCompose
	roleInt
	roleScaled
	roleUnit
	roleRatio
	roleXor
	roleTensor
	roleMakeTensor
	roleTiledMMA
	roleMMAAtom
	roleTiledCopy
	roleCopyAtom
	roleTraits
	roleStrided
	roleOrder
	roleGluon
	roleLinear
	roleParse
	roleCall
)

// roles are the names that can begin a value, of all dialects: of what is qualified, the last part.
var roles = func() map[string]role {
	m := make(map[string]role, 256)
	for r, names := range map[role][]string{
		roleTuple: {
			"Shape", "Stride", "Step", "Coord", "IntTuple", "tuple", "ArithmeticTuple", "ArithTuple", "Size", "make_shape",
			"make_stride", "make_coord", "make_tuple", "make_int_tuple", "make_step", "make_arithmetic_tuple",
		},
		roleTile:        {"Tile", "make_tile", "make_tiler", "MakeTile"},
		roleLayout:      {"Layout", "make_layout", "MakeLayout"},
		roleOrdered:     {"make_ordered_layout"},
		roleIdentity:    {"make_identity_layout", "make_identity_tensor"},
		roleSwizzle:     {"Sw", "S", "Swizzle", "make_swizzle", "swizzled_layout", "NewSwizzle"},
		roleComposition: {"composition"},
		roleCompose:     {"compose"},
		roleComposed:    {"ComposedLayout", "make_composed_layout", "NewComposed"},
		roleInt:         {"Int", "C", "constant", "integral_constant", "Constexpr", "constexpr_int"},
		roleScaled:      {"ScaledBasis"},
		roleUnit:        {"E"},
		roleRatio:       {"R"},
		roleXor:         {"F2"},
		roleTensor:      {"Tensor", "tensor"},
		roleMakeTensor:  {"make_tensor"},
		roleTiledMMA:    {"TiledMMA", "make_tiled_mma"},
		roleMMAAtom:     {"MMA_Atom", "make_mma_atom"},
		roleTiledCopy:   {"TiledCopy", "make_tiled_copy", "make_tiled_copy_tv", "make_tiled_copy_impl"},
		roleCopyAtom:    {"Copy_Atom", "make_copy_atom"},
		roleTraits:      {"MMA_Traits", "Copy_Traits"},
		roleStrided:     {"as_strided", "empty_strided"},
		roleOrder:       {"LayoutLeft", "LayoutRight", "GenColMajor", "GenRowMajor"},
		roleLinear:      {"DistributedLinearLayout", "LinearLayout", "from_bases"},
		roleParse:       {"MustParse", "MustParseTuple", "MustParseCoord", "MustParseTiler"},
		roleCall: {
			"coalesce", "complement", "complement_exact", "weak_complement", "right_inverse", "left_inverse", "inverse",
			"make_layout_like", "make_basis_like",
			"layout_left", "layout_right", "compact_col_major", "compact_row_major", "tile_to_shape", "recognize", "crd2idx",
			"idx2crd", "crd2crd", "slice", "dice", "slice_and_offset", "domain_offset", "cosize", "coshape", "product_each",
			"shape_div", "ceil_div", "elem_less", "congruent", "weakly_congruent", "compatible", "is_injective", "is_surjective",
			"is_bijective", "is_compact", "holes", "nullspace", "max_common_layout", "max_common_vector", "common_refinement",
			"greatest_common_domain", "layout_add", "coalesce_z",
			"upcast", "downcast", "recast_layout", "group_modes", "flatten", "unflatten", "append_to_rank", "prepend_to_rank",
			"tile_unzip", "filter_zeros", "filter", "with_shape", "logical_divide", "zipped_divide", "tiled_divide",
			"flat_divide", "logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product",
			"raked_product", "size", "rank", "depth", "shape", "stride", "get", "select", "take", "zip", "append", "prepend",
			"logical_divide_exact", "zipped_divide_exact", "tiled_divide_exact", "flat_divide_exact", "local_tile", "ceil",
			"equivalent", "image", "offsets", "inner", "outer", "offset", "product", "increment", "eval", "reverse", "replace",
			"ss_smem_selector", "sm100_smem_selector", "make_smem_layout_atom",
		},
	} {
		for _, name := range names {
			m[name] = r
		}
	}
	for name := range gluonTypes {
		m[name] = roleGluon
	}
	return m
}()
