package diagnose

import (
	"fmt"

	"girih/internal/pattern"
	"girih/tensormap"
)

// tmaRules are the conditions of TMA copies (include/cute/atom/copy_traits_sm90_tma.hpp), and the conditions on the
// parameters of the driver's function.
var tmaRules = append(parameterRules(), copyEngineRules...)

var copyEngineRules = ruleList{
	{
		says: "tma requires cta_tile and slayout top-level", tool: toolCute, op: "make_tma_copy",
		function: "make_tma_copy (include/cute/atom/copy_traits_sm90_tma.hpp)", look: tmaSizes,
		demand: "the layout of shared memory has as many elements as the tile that one CTA copies",
	},
	{
		says: "could not find a common tile-gmem vectorization", tool: toolCute, op: "make_tma_copy", look: tmaMajor,
		demand: "the tile contains the mode of global memory with stride 1, and shared memory is contiguous along it too",
	},
	{
		says: "majorness of smem doesn't match majorness of gmem", tool: toolCute, op: "make_tma_copy", look: tmaMajor,
		demand: "global and shared memory are contiguous along the same mode: a K-major tensor takes a K-major atom (Layout_K_SW128_Atom), an M-major one Layout_MN_SW128_Atom",
	},
	{
		says: "number of active ctas in tma must divide domain size", tool: toolCute, op: "make_tma_copy", look: frameLayouts,
		demand: "with multicast, the CTAs share the tile evenly",
	},
	{says: "tensormap must be non-null", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: tmaObject, demand: "there is a CUtensorMap to write to"},
	{says: "tensormap address must be 64", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: tmaObject, demand: "the CUtensorMap itself begins at a multiple of 64 bytes"},
	{says: "gmem_prob_stride[|0b1111", tool: toolCute, op: "make_tma_copy", look: tmaStride, demand: "each stride of global memory except the stride of the contiguous mode is a multiple of 16 bytes"},
	{says: "gmem_address|0b1111", tool: toolCute, op: "make_tma_copy", look: tmaStride, demand: "global memory begins at a multiple of 16 bytes"},
	{says: "smem_box_shape[", tool: toolCute, op: "make_tma_copy", look: tmaBox, demand: "a box has at most 256 elements in each mode"},
	{says: "gmem_prob_shape[", tool: toolCute, op: "make_tma_copy", look: tmaBox, demand: "each extent of global memory is 1 to 2^32"},
	{says: "sm90_tma_load requires the destination be shared memory", tool: toolCute, op: "copy", look: frameLayouts, demand: "a TMA load writes shared memory (make_smem_ptr)"},
	{says: "expected smem src for sm90_tma_store", tool: toolCute, op: "copy", look: frameLayouts, demand: "a TMA store reads shared memory (make_smem_ptr)"},
	{says: "bulk copy requires copy vector size align to 16b", tool: toolCute, op: "copy", look: frameLayouts, demand: "a bulk copy moves a multiple of 16 bytes"},
	{says: "expected at least 128-bits for blkcp", tool: toolCute, op: "copy", look: frameLayouts, demand: "a bulk copy moves at least 16 contiguous bytes"},
	{says: "set .with() before use", tool: toolCute, op: "copy", look: tmaWith, demand: "a TMA copy is given its barrier: copy(tma.with(mbar, mask), src, dst)"},
	{says: "params must be set via .with()", tool: toolCute, op: "copy", look: tmaWith, demand: "a TMA copy is given its barrier: copy(tma.with(mbar, mask), src, dst)"},
	{says: "at least 16 bytes in the last dimension", tool: toolTriton, op: "tensor descriptor", look: tmaSentence, demand: demandOf(tensormap.RuleBoxBytes)},
	{says: "strides must be 16-byte aligned", tool: toolTriton, op: "tensor descriptor", look: tmaTritonStride, demand: demandOf(tensormap.RuleStride)},
	{says: "stride must be 16-byte aligned", tool: toolTriton, op: "tensor descriptor", look: tmaTritonStride, demand: demandOf(tensormap.RuleStride)},
	{says: "strides to be 16-byte aligned", tool: toolTriton, op: "tensor descriptor", look: tmaTritonStride, demand: demandOf(tensormap.RuleStride)},
	{says: "strides must be 32-byte aligned", tool: toolTriton, op: "tensor descriptor", look: tmaTritonStride, demand: demandOf(tensormap.RuleStridePacked)},
	{says: "required 128-bit tma smem alignment", tool: toolDSL, op: "tma_partition", look: tmaSharedStride, demand: "each instruction begins at a multiple of 16 bytes of shared memory: so do the strides of the modes that count instructions"},
	{says: "meet tma alignment requirement", tool: toolCutlass, op: "CollectiveBuilder", look: tmaAlignment, demand: demandOf(tensormap.RuleStride) + "; the builder knows it by its alignments: Alignment × bits of an element is a multiple of 128"},
	{says: "failed to create tensor map", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump, demand: "the driver takes the address, extents, strides, box and swizzle of the tensor map"},
	{says: "base must be 16-byte aligned", tool: toolTriton, op: "tensor descriptor", look: tmaSlice, demand: demandOf(tensormap.RuleAddress)},
	{says: "block offset start must be 16-byte aligned", tool: toolTriton, op: "tensor descriptor", look: tmaSlice, demand: "a block of a tensor descriptor begins at a multiple of 16 bytes along the contiguous dimension"},
	{says: "tensor descriptor last dim", tool: toolTriton, op: "tensor descriptor", look: tmaContiguous, demand: "the last dimension of a tensor descriptor has stride 1: a tensor map has no number for the stride of its contiguous dimension"},
	{says: "last dimension must be contiguous", tool: toolTriton, op: "tensor descriptor", look: tmaContiguous, demand: "the last dimension of a tensor descriptor has stride 1: a tensor map has no number for the stride of its contiguous dimension"},
	{says: "expected 1 <= ndim <= 5", tool: toolTriton, op: "tensor descriptor", look: tmaSentence, demand: demandOf(tensormap.RuleRank)},
	{says: "must have at least 8 rows", tool: toolTriton, op: "tensor descriptor", look: tmaRows, demand: "a block that the tensor cores read, or that a gather or scatter fills, has the 8 rows after which the swizzle of shared memory repeats"},
	{says: "must have at least|columns", tool: toolTriton, op: "tensor descriptor", look: tmaRows, demand: "a row of a gather or scatter has 32 bytes at least, the span of the smallest swizzle"},
	{says: "cutensormapencode|invalid_value", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump, demand: "the driver takes the address, extents, strides, box and swizzle of the tensor map"},
	{says: "cutensormapencode|invalid argument", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump, demand: "the driver takes the address, extents, strides, box and swizzle of the tensor map"},
	{says: "cutensormapencode", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump, demand: "the driver takes the address, extents, strides, box and swizzle of the tensor map"},
	{says: "error in tma descriptor creation", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump, demand: "the driver takes the address, extents, strides, box and swizzle of the tensor map"},
	{
		says: "failed to initialize the tma descriptor", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump,
		demand: "the driver takes the address, extents, strides, box and swizzle of the descriptor",
	},
	{says: "use cpasync.make_tiled_tma_atom to obtain a copy atom for tma", tool: toolDSL, op: "make_copy_atom", demand: "the copy atom of a TMA operation comes from cpasync.make_tiled_tma_atom(op, tensor, smem_layout, tile), which makes the descriptor"},
	{says: "expects a pointer to an mbarrier to be provided via", tool: toolDSL, op: "copy", demand: "cute.copy of a TMA atom takes tma_bar_ptr=, the barrier that counts its bytes"},
}

// tmaSizes examines a tile and a shared memory layout of different sizes.
func tmaSizes(f *failure) {
	for _, fr := range f.m.frames {
		s, v := fr.value("SLayout", "SmemLayout", "TB"), fr.value("CTA_V_Map", "CTA_Tiler", "CtaTiler", "VShape", "VStride")
		if s == "" {
			continue
		}
		f.operand("slayout", s)
		f.operand("cta tile", v)
		a, okA := product(shapeOf(s))
		b, okB := product(shapeOf(v))
		if okA && okB && a != b {
			f.Pair = fmt.Sprintf("%d and %d", a, b)
			f.Condition = fmt.Sprintf("the layout of shared memory has %d elements, the tile %d", a, b)
			return
		}
	}
	if f.Condition == "" {
		f.missing("both sizes: print size(slayout) and size(cta_tile)")
	}
}

func tmaMajor(f *failure) {
	frameLayouts(f)
	f.repair(Repair{Say: "take the atom of the other majorness (Layout_K_... for a tensor with stride 1 along K, Layout_MN_... otherwise), and a tile with an extent above 1 in the mode of stride 1"})
	if len(f.Operands) == 0 {
		f.missing("the layouts of global and shared memory: print(gA.layout()) and print(sA.layout())")
	}
}

const reBracket = pattern.Pattern(`gmem_prob_stride\[(\d)\]|smem_box_shape\[(\d)\]|gmem_prob_shape\[(\d)\]`)

func tmaStride(f *failure) {
	if m := reBracket.FindStringSubmatch(f.m.text); m != nil {
		f.Condition = "the stride of mode " + m[1] + " in bytes has one of its low four bits set, so 16 does not divide it"
	}
	f.repair(Repair{Say: "pad the leading dimension to a multiple of 16 bytes: 8 elements of 16 bits, 4 of 32, 16 of 8; or copy with cp.async instead"})
	f.missing("the strides of the tensor: print it, or paste the TMA descriptor dump that follows")
}

func tmaBox(f *failure) {
	if m := reBracket.FindStringSubmatch(f.m.text); m != nil {
		f.Condition = "mode " + m[1] + m[2] + m[3] + " is outside the range: false is " + oneLine(f.m.text)
	}
	f.repair(Repair{Say: "copy the tile in several boxes: a smaller tile, or a layout of shared memory that splits the mode"})
	f.missing("the shape of the tile: print it, or paste the TMA descriptor dump that follows")
}

func noDump(f *failure) {
	f.repair(Repair{Say: "check, in this order: the strides in bytes are multiples of 16; the box has 1 to 256 elements in each dimension, and " +
		"dimension 0 of it a multiple of 16 bytes, no more than the span of the swizzle; the address is a multiple of 16; all of it: " +
		"girih tma 'SHAPE:STRIDE' --box TILE --type TYPE"})
	f.missing("the arguments of the tensor map: print dims, strides, box, swizzle and type, or paste the lines above the message, from TMA Desc " +
		"Addr: on; they have the numbers that the driver refused")
}

func tmaWith(f *failure) {
	f.repair(Repair{Say: "copy(tma_load.with(barrier), gA, sA); copy(tma_load.with(barrier, mask), gA, sA) for multicast"})
}
