package diagnose

import (
	"fmt"
	"strings"

	"girih/internal/pattern"
)

// tmaRules are the conditions of TMA copies (include/cute/atom/copy_traits_sm90_tma.hpp).
var tmaRules = ruleList{
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
	{says: "gmem_prob_stride[|0b1111", tool: toolCute, op: "make_tma_copy", look: tmaStride, demand: "each stride of global memory but that of the contiguous mode is a multiple of 16 bytes"},
	{says: "gmem_address|0b1111", tool: toolCute, op: "make_tma_copy", look: tmaStride, demand: "global memory begins at a multiple of 16 bytes"},
	{says: "smem_box_shape[", tool: toolCute, op: "make_tma_copy", look: tmaBox, demand: "a box has at most 256 elements in each mode"},
	{says: "gmem_prob_shape[", tool: toolCute, op: "make_tma_copy", look: tmaBox, demand: "each extent of global memory is 1 to 2^32"},
	{says: "sm90_tma_load requires the destination be shared memory", tool: toolCute, op: "copy", look: frameLayouts, demand: "a TMA load writes shared memory (make_smem_ptr)"},
	{says: "expected smem src for sm90_tma_store", tool: toolCute, op: "copy", look: frameLayouts, demand: "a TMA store reads shared memory (make_smem_ptr)"},
	{says: "bulk copy requires copy vector size align to 16b", tool: toolCute, op: "copy", look: frameLayouts, demand: "a bulk copy moves a multiple of 16 bytes"},
	{says: "expected at least 128-bits for blkcp", tool: toolCute, op: "copy", look: frameLayouts, demand: "a bulk copy moves at least 16 contiguous bytes"},
	{says: "set .with() before use", tool: toolCute, op: "copy", look: tmaWith, demand: "a TMA copy is given its barrier: copy(tma.with(mbar, mask), src, dst)"},
	{says: "params must be set via .with()", tool: toolCute, op: "copy", look: tmaWith, demand: "a TMA copy is given its barrier: copy(tma.with(mbar, mask), src, dst)"},
	{
		says: "failed to initialize the tma descriptor", tool: toolDriver, op: "cuTensorMapEncodeTiled", look: noDump,
		demand: "the driver takes the address, extents, strides, box and swizzle of the descriptor",
	},
	{says: "use cpasync.make_tiled_tma_atom to obtain a copy atom for tma", tool: toolDSL, op: "make_copy_atom", demand: "the copy atom of a TMA operation comes from cpasync.make_tiled_tma_atom(op, tensor, smem_layout, tile), which makes the descriptor"},
	{says: "expects a pointer to an mbarrier to be provided via", tool: toolDSL, op: "copy", demand: "cute.copy of a TMA atom takes tma_bar_ptr=, the barrier that counts its bytes"},
}

// tmaSizes looks at a tile and a layout of shared memory of different sizes.
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
	f.missing("the lines above the message, from TMA Desc Addr: on: they have the numbers that the driver refused")
}

func tmaWith(f *failure) {
	f.repair(Repair{Say: "copy(tma_load.with(barrier), gA, sA); copy(tma_load.with(barrier, mask), gA, sA) for multicast"})
}

// A descriptor is the dump that CUTLASS prints when the driver refuses a TMA descriptor. Strides are in bytes.
type descriptor struct {
	fields map[string]string
	start  int
	end    int
}

// formatBits has the bits of an element of each CUtensorMapDataType (CUDA driver API), in order.
var formatBits = []int64{8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 4, 6}

// swizzleBytes has the span of each CUtensorMapSwizzle in bytes: none, 32, 64, 128.
var swizzleBytes = []int64{0, 32, 64, 128, 128, 128, 128}

// descriptorHead begins the dump of a descriptor.
const descriptorHead = "TMA Desc Addr:"

// descriptors finds the dumps of TMA descriptors in a text and checks them.
func (r *Report) descriptors(text string) {
	for at := 0; len(r.Findings) < maxFindings; {
		i := strings.Index(text[at:], descriptorHead)
		if i < 0 {
			return
		}
		start := at + i
		at = start + len(descriptorHead)
		d := readDescriptor(text[start:min(start+4096, len(text))])
		d.start, d.end = start, start+len(descriptorHead)
		if f, ok := d.check(); ok {
			r.keep(f)
		}
	}
}

// readDescriptor reads the lines "boxDim         (64,256,1,1,1)".
func readDescriptor(text string) descriptor {
	d := descriptor{fields: map[string]string{}}
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if i == 0 {
			continue
		}
		if len(fields) != 2 || len(d.fields) > 16 {
			break
		}
		d.fields[fields[0]] = fields[1]
	}
	return d
}

// check says which limits of the driver the descriptor breaks (CUDA driver API, cuTensorMapEncodeTiled).
func (d descriptor) check() (Finding, bool) {
	f := Finding{
		Tool: toolDriver, Op: "cuTensorMapEncodeTiled", Message: "Failed to initialize the TMA descriptor", Times: 1,
		Start: d.start, End: d.end,
		Function: "make_tma_copy_desc (include/cute/atom/copy_traits_sm90_tma.hpp)",
		Demand:   "the address and the strides are multiples of 16 bytes, extents are 1 to 2^32, a box has 1 to 256 elements in each mode, a whole number of 16 bytes in the contiguous one, and no more than the span of the swizzle there",
	}
	dims, ok1 := integers(d.fields["globalDim"])
	strides, ok2 := integers(d.fields["globalStrides"])
	box, ok3 := integers(d.fields["boxDim"])
	format, ok4 := integer(d.fields["format"])
	if !ok1 || !ok2 || !ok3 || !ok4 || format < 0 || int(format) >= len(formatBits) {
		return f, false
	}
	for _, name := range []string{"globalDim", "globalStrides", "boxDim", "swizzle"} {
		f.operand(name, d.fields[name])
	}
	rank, ok := integer(d.fields["dim"])
	if !ok || rank < 1 || rank > 5 {
		rank = int64(len(dims))
	}
	bits := formatBits[format]
	f.operand("element", fmt.Sprintf("%d bits", bits))
	var why []string
	for i := 1; i < min(int(rank), len(strides)); i++ {
		if strides[i]%16 != 0 {
			why = append(why, fmt.Sprintf("the stride of mode %d is %d bytes: %d mod 16 = %d", i, strides[i], strides[i],
				strides[i]%16))
			f.repair(Repair{
				Say: fmt.Sprintf("pad the stride of mode %d to %d bytes, %d elements", i, roundUp(strides[i], 16),
					roundUp(strides[i], 16)*8/bits), Expr: fmt.Sprintf("mod(%d,16)", roundUp(strides[i], 16)), Result: "0",
			})
		}
		if strides[i] >= 1<<40 {
			why = append(why, fmt.Sprintf("the stride of mode %d is %d bytes, 2^40 or more", i, strides[i]))
		}
	}
	for i := range min(int(rank), len(dims)) {
		if dims[i] < 1 || dims[i] > 1<<32 {
			why = append(why, fmt.Sprintf("the extent of mode %d is %d, outside 1 to 2^32", i, dims[i]))
		}
	}
	for i := range min(int(rank), len(box)) {
		if box[i] < 1 || box[i] > 256 {
			why = append(why, fmt.Sprintf("the box has %d elements in mode %d, outside 1 to 256", box[i], i))
			if d, _ := divisors(max(box[i], 1), 256); box[i] > 256 && d > 1 {
				f.repair(Repair{
					Say:  fmt.Sprintf("boxes of %d in mode %d, %d of them", d, i, box[i]/d),
					Expr: fmt.Sprintf("mod(%d,%d)", box[i], d), Result: "0",
				})
			}
		}
	}
	why = append(why, d.inner(&f, box[0]*bits/8, bits)...)
	if a := d.fields["gmem_address"]; strings.HasPrefix(a, "0x") && !strings.HasSuffix(a, "0") {
		why = append(why, "the address "+a+" is no multiple of 16")
		f.repair(Repair{Say: "start the tensor at a multiple of 16 bytes"})
	}
	f.Condition = strings.Join(why, "; ")
	if len(why) == 0 {
		f.Condition = "none of these is broken"
		f.missing("the number behind the message (1 is CUDA_ERROR_INVALID_VALUE) and the versions of driver and GPU: with these dimensions the descriptor keeps all limits that girih knows")
	}
	return f, true
}

// inner checks the contiguous mode of the box, of so many bytes.
func (d descriptor) inner(f *Finding, bytes, bits int64) (why []string) {
	if bytes%16 != 0 {
		why = append(why, fmt.Sprintf("the contiguous mode of the box has %d bytes: %d mod 16 = %d", bytes, bytes, bytes%16))
		f.repair(Repair{
			Say: fmt.Sprintf("a box of %d elements along the contiguous mode, %d bytes", roundUp(bytes, 16)*8/bits,
				roundUp(bytes, 16)), Expr: fmt.Sprintf("mod(%d,16)", roundUp(bytes, 16)), Result: "0",
		})
	}
	s, ok := integer(d.fields["swizzle"])
	if !ok || s < 0 || int(s) >= len(swizzleBytes) {
		return why
	}
	if span := swizzleBytes[s]; span > 0 && bytes > span {
		why = append(why, fmt.Sprintf("the contiguous mode of the box has %d bytes, more than the %d of the swizzle",
			bytes, span))
		f.repair(Repair{
			Say: fmt.Sprintf("a box of %d elements along the contiguous mode: the atom of the swizzle, repeated by tile_to_shape",
				span*8/bits), Expr: fmt.Sprintf("ceil_div(%d,%d)", bytes, span), Result: fmt.Sprint((bytes + span - 1) / span),
		})
	}
	return why
}
