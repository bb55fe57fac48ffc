package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/internal/machine/tile"
	"girih/internal/pattern"
)

// supportRules lists messages that something is not supported. girih's tables list the supported values.
var supportRules = ruleList{
	{says: "mma_sync: unsupported configuration", tool: toolTileLang, op: "mma_sync", look: warpInstruction, alone: true, demand: "there is an mma.sync of these types and this M, N and K"},
	{says: "wgmma type or shape is not supported", tool: toolTriton, op: "wgmma", look: wgmmaTypes, alone: true, demand: "wgmma has the types of A and B, with the K of 32 bytes that they give (PTX ISA 9.7.15.5): f16, bf16, tf32, 8-bit floats and integers"},
	{says: "wgmma operand layout contiguity", tool: toolTileLang, op: "wgmma", look: operandMajor, alone: true, demand: "the layout of the shared operand is contiguous along the mode that the transposition of T.gemm says"},
	{says: "canproveequal(abs(source->scale), 1)", tool: toolTileLang, op: "layout inference", look: unitScale, alone: true, demand: "TVM proves that an index in the map of a buffer has the scale 1 or -1: an iterator that is multiplied by another number is not inverted"},
	{says: "exceeds the exact-check limit", tool: toolTileLang, op: "T.Parallel", look: exactCheck, alone: true, demand: "TileLang proves that the map of a T.Parallel loop is injective, by its prover or by counting the points up to this limit"},
	{says: "cudafuncsetattribute|maxdynamicsharedmemorysize|cudasuccess", tool: toolDriver, op: "launch", look: attribute, alone: true, demand: demandCapacity},
	{says: "cufuncsetattribute|max_dynamic_shared_size|success", tool: toolDriver, op: "launch", look: attribute, alone: true, demand: demandCapacity},
	{says: "strides/base must be", tool: toolTriton, op: "tensor descriptor", look: stridesAndBase, demand: "the base of a tensor descriptor is a multiple of 16 bytes, and so is each stride except the stride of the contiguous dimension"},
	{says: "base/strides must be", tool: toolTriton, op: "tensor descriptor", look: stridesAndBase, demand: "the base of a tensor descriptor is a multiple of 16 bytes, and so is each stride except the stride of the contiguous dimension"},
	{says: "strides and base must be", tool: toolTriton, op: "tensor descriptor", look: stridesAndBase, demand: "the base of a tensor descriptor is a multiple of 16 bytes, and so is each stride except the stride of the contiguous dimension"},
	{says: "base and strides must be", tool: toolTriton, op: "tensor descriptor", look: stridesAndBase, demand: "the base of a tensor descriptor is a multiple of 16 bytes, and so is each stride except the stride of the contiguous dimension"},
}

// stridesAndBase examines a tensor descriptor whose strides and base must be aligned.
func stridesAndBase(f *failure) {
	tmaTritonStride(f)
	tmaSlice(f)
}

const (
	reDataType = pattern.Pattern(`(?:DataType::k|cutlass::|tl::)?(\w+?)(?:_t)?$`)
	reShapeMNK = pattern.Pattern(`(?i)\bm?(\d+)[xn](\d+)[xk](\d+)\b`)
	reOperandT = pattern.Pattern(`(?i)\b(u?int[48]|s8|u8|s4|u4|half|f16|float16|bf16|bfloat16|tf32|tfloat32|f64|float64|double|fp8|e4m3|e5m2|float8_e4m3\w*|float8_e5m2\w*|float32|fp32|f32)\b`)
)

// elementNames maps the tools' names for operand types, in lower case, to package atom's names.
var elementNames = map[string]string{
	"int8": "s8", "uint8": "u8", "int4": "s4", "uint4": "u4", "s8": "s8", "u8": "u8", "s4": "s4", "u4": "u4",
	"float16": "f16", "half": "f16",
	"f16": "f16", "bfloat16": "bf16", "bf16": "bf16", "tfloat32": "tf32", "tf32": "tf32", "float64": "f64", "f64": "f64",
	"double":      "f64",
	"float8_e4m3": "e4m3", "float8_e4m3fn": "e4m3", "e4m3": "e4m3", "float8_e5m2": "e5m2", "e5m2": "e5m2", "fp8": "e4m3",
	"float32": "f32", "fp32": "f32", "f32": "f32",
}

// warpInstruction lists the extents that mma.sync supports for a type.
func warpInstruction(f *failure) {
	fr := f.m.frame("mma_sync", "exec", "MmaDispatcher")
	typ, shape := "", [3]int64{}
	if fr != nil {
		for i, n := range []string{"M", "N", "K"} {
			shape[i], _ = integer(fr.value(n))
		}
		typ = fr.param("AType", "A_type", "AElement")
	}
	if m := reShapeMNK.FindStringSubmatch(f.m.body); shape[2] == 0 && m != nil {
		for i := range 3 {
			shape[i], _ = integer(m[i+1])
		}
	}
	if m := reDataType.FindStringSubmatch(typ); m != nil {
		typ = elementNames[strings.ToLower(m[1])]
	}
	if m := reOperandT.FindStringSubmatch(f.m.body); typ == "" && m != nil {
		typ = elementNames[strings.ToLower(m[1])]
	}
	if typ == "" {
		f.missing("the types and M, N, K: the line of the backtrace with mma_sync<...> has them; girih atom mma TYPE lists what there is")
		return
	}
	f.operand("A", typ)
	has := instructions(typ, 32)
	if shape[2] > 0 {
		asked := fmt.Sprintf("%dx%dx%d", shape[0], shape[1], shape[2])
		f.operand("MxNxK", asked)
		f.Pair = asked + " and " + strings.Join(has, ", ")
		if !slices.Contains(has, asked) {
			f.Condition = fmt.Sprintf("there is no mma.sync of %s with %s: there are %s", typ, asked, strings.Join(has, ", "))
		} else {
			f.Condition = fmt.Sprintf("mma.sync of %s has %s, so it is the library that does not, ", typ, asked) +
				"or not with these types of B and C"
		}
		f.kOf(shape, has)
	} else {
		f.Condition = fmt.Sprintf("mma.sync of %s has %s", typ, strings.Join(has, ", "))
	}
	f.repair(Repair{Say: "girih atom mma " + typ + " lists the instructions of this type, with their layouts"})
}

// kOf offers the K of an instruction that has the same M and N.
func (f *failure) kOf(shape [3]int64, has []string) {
	for _, s := range has {
		var m, n, k int64
		if _, err := fmt.Sscanf(s, "%dx%dx%d", &m, &n, &k); err == nil && m == shape[0] && n == shape[1] && k != shape[2] {
			f.repair(Repair{Say: fmt.Sprintf("a block_K that is a multiple of %d: the K of %s", k, s)})
		}
	}
}

// instructions returns the shapes of the dense instructions for a type of A and a number of threads.
func instructions(typ string, threads int64) (list []string) {
	for m := range atom.MMAs() {
		s := fmt.Sprintf("%dx%dx%d", m.Shape[0], m.Shape[1], m.Shape[2])
		if m.ThrID.Size() == threads && m.Sparse == nil && m.Scale == nil && m.Types.A.String() == typ &&
			strings.HasPrefix(m.Name, "SM") &&
			!slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// wgmmaTypes lists the types that wgmma supports.
func wgmmaTypes(f *failure) {
	if m := reOperandT.FindStringSubmatch(f.m.text + "\n" + f.m.body); m != nil {
		if typ := elementNames[strings.ToLower(m[1])]; typ == "f32" || typ == "f64" {
			f.operand("A and B", typ)
			f.Condition = typ + " is no type of A and B of wgmma"
			f.repair(Repair{Say: "f32 through tf32 (input_precision=\"tf32\"), with both operands K-major, or cast to f16 or bf16 before the dot"})
		} else {
			f.operand("A and B", typ)
		}
	}
	if f.Condition == "" {
		f.missing("the types of A, B and C and the shape of the instruction: the ttng.warp_group_dot of the module (MLIR_ENABLE_DUMP=1) has them")
	}
	f.repair(Repair{Say: "girih atom sm90 wgmma lists the types and shapes that wgmma has: M = 64, N a multiple of 8 up to 256 (of integers 8, 16, 24, 32 and multiples of 16)"})
}

const reMajorFlags = pattern.Pattern(`(?i)k_major=(True|False).*?k_major=(True|False) for transposed=(True|False)`)

// operandMajor examines a wgmma operand that is contiguous along the wrong mode.
func operandMajor(f *failure) {
	if m := reMajorFlags.FindStringSubmatch(oneLine(f.m.text + " " + firstLines(f.m.body, 6))); m != nil {
		is := map[string]string{"true": "K-major", "false": "M- or N-major"}
		f.Condition = fmt.Sprintf("the layout in shared memory is %s, and with transposed=%s a row-major one is %s",
			is[strings.ToLower(m[1])], m[3],
			is[strings.ToLower(m[2])])
		f.Pair = is[strings.ToLower(m[1])] + " and " + is[strings.ToLower(m[2])]
	}
	f.repair(Repair{Say: "girih descriptor 'LAYOUT' --type TYPE --instr wgmma --operand B says whether wgmma reads the layout, and with which LBO and SBO; (8,64):(1,8) of " +
		"f16, the row-major (K,N) tile with N = 8, is legal without a swizzle"})
	f.repair(Repair{Say: "an N of 16 or more for the operand, or the transposed layout of it in shared memory"})
	f.missing("the shape of the operand and its layout in shared memory")
}

// unitScale examines a map that TVM cannot invert.
func unitScale(f *failure) {
	f.Condition = "an index of the map has a scale that is not known to be 1 or -1, such as i * 2 or a dynamic factor"
	f.repair(Repair{Say: "write the map so that each loop variable is used whole, or only divided and taken modulo constants that divide its extent; girih read 'T.Layout([...], lambda ...)' " +
		"says which layout a map is, or where it stops being one"})
	f.missing("the map: the T.Parallel loop and the index expressions in it, or the T.Layout or T.Fragment")
}

const mayBe = "the map may be injective"

const rePoints = pattern.Pattern(`(?i)limit of (\d+)(?: points)?`)

// exactCheck examines a map that TileLang could not prove injective because the map has too many points to count.
func exactCheck(f *failure) {
	limit, points := int64(0), int64(0)
	if m := rePoints.FindStringSubmatch(f.m.text); m != nil {
		limit, _ = integer(m[1])
	}
	for _, m := range reParallel.FindAllStringSubmatch(f.m.above+"\n"+f.m.body, 8) {
		if ns, ok := integers(m[1]); ok && all(ns) > limit {
			points = all(ns)
			f.operand("T.Parallel", "("+oneLine(m[1])+")")
			break
		}
	}
	switch {
	case points > 0 && limit > 0:
		f.Pair = fmt.Sprintf("%d and %d", points, limit)
		f.Condition = fmt.Sprintf("the loop has %d points, %d more than the %d that are counted, "+
			"and the prover gave up: "+mayBe, points,
			points-limit, limit)
	case limit > 0:
		f.Condition = fmt.Sprintf("the loop has more than the %d points that are counted, and the prover gave up: "+mayBe,
			limit)
	}
	f.repair(Repair{Say: "a loop of fewer points: split the T.Parallel, or give the buffers their layouts with T.annotate_layout; a newer TileLang may prove it"})
	f.repair(Repair{Say: "girih eval 'is_injective(LAYOUT)' decides it for a layout of any size"})
}

const reParallel = pattern.Pattern(`T\.Parallel\(([\d, ]+)\)`)

// attribute examines a call that did not get the shared memory that it requested.
func attribute(f *failure) {
	capacity(f)
	if f.Condition != "" {
		return
	}
	f.Condition = "the driver refused the size: more than a CTA may have on this device, less the static shared memory of the kernel; or the error is one of an earlier launch"
	var list []string
	for _, t := range tile.Targets() {
		if t.NVIDIA() {
			list = append(list, fmt.Sprintf("%s %d", t.Name, t.PerBlock))
		}
	}
	f.operand("limits", strings.Join(list, ", ")+" bytes")
	f.missing("the size: print what is passed as the last argument, and the static shared memory (cuobjdump -res-usage)")
}
