package reader

import (
	"slices"
	"sync"

	"girih/internal/lang/eval"
)

// This file maps known names to their roles: make_shape builds a tuple, Swizzle a swizzle. build.go builds them.

// A role is the kind of value that a known name builds.
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

// everyday are names of operations that mean something else in most texts, so calls with these names are not values.
var everyday = []string{"abs", "floor", "group", "layout", "min", "mod", "mode"}

// roleNames are the names of each role, except for calls and classes of Gluon.
var roleNames = [...][]string{
	roleTuple: {
		"Shape", "Stride", "Step", "Coord", "IntTuple", "tuple", "ArithmeticTuple", "ArithTuple", "Size", "make_shape",
		"make_stride", "make_coord", "make_tuple", "make_int_tuple", "make_step", "make_arithmetic_tuple",
		"make_inttuple_iter", "ArithmeticTupleIterator", "ArithTupleIterator", // the coordinate that a tensor counts from
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
}

// roles are the names that can begin a value, in all dialects. A qualified name is listed by its last part. The
// operations of girih's language have the role of a call, unless another role is given.
var roles = sync.OnceValue(func() map[string]role {
	m := make(map[string]role, 512)
	for _, b := range eval.Builtins() {
		for _, name := range slices.Concat([]string{b.Name}, b.Aliases) {
			if b.OnLayouts() && !slices.Contains(everyday, name) {
				m[name] = roleCall
			}
		}
	}
	for r, names := range roleNames {
		for _, name := range names {
			m[name] = role(r)
		}
	}
	for name := range gluonTypes {
		m[name] = roleGluon
	}
	return m
})
