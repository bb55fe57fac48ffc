package diagnose

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// copyRules are the conditions of copies (include/cute/atom/copy_atom.hpp, copy_traits*.hpp, algorithm/copy.hpp).
var copyRules = ruleList{
	{says: "src failed to vectorize into registers", tool: toolCute, op: "copy", function: "copy_unpack (include/cute/atom/copy_traits.hpp)", look: vectorize, demand: demandVector},
	{says: "dst failed to vectorize into registers", tool: toolCute, op: "copy", function: "copy_unpack (include/cute/atom/copy_traits.hpp)", look: vectorize, demand: demandVector},
	{says: "layout doesn't vectorize into registers", tool: toolCute, op: "copy", function: "copy_unpack (include/cute/atom)", look: vectorize, demand: demandVector},
	{
		says: "uses too few vals for selected copyatom", tool: toolCute, op: "make_tiled_copy",
		function: "TiledCopy (include/cute/atom/copy_atom.hpp)", look: fewValues,
		demand: "the values of a thread in a TiledCopy are a multiple of the values that one instruction moves for a thread",
	},
	{
		says: "uses too few thrs for selected copyatom", tool: toolCute, op: "make_tiled_copy",
		function: "TiledCopy (include/cute/atom/copy_atom.hpp)", look: fewValues,
		demand: "the threads of a TiledCopy are a multiple of the threads that execute one instruction",
	},
	{
		says: "src/dst partitioning does not match the instruction requirement", tool: toolCute, op: "copy",
		function: "Copy_Atom::call (include/cute/atom/copy_atom.hpp)", look: vectorize,
		demand: "the first mode of the source or of the destination has as many values as one instruction moves for a thread",
	},
	{
		says: "copyatom rank-mismatch", tool: toolCute, op: "copy", function: "copy (include/cute/algorithm/copy.hpp)",
		look:   copyRanks,
		demand: "source and destination of a copy have the same number of modes: (CPY, CPY_M, CPY_N) on both sides",
	},
	{
		says: "copyoperation is not valid for", tool: toolCute, op: "Copy_Atom",
		function: "Copy_Atom (include/cute/atom/copy_atom.hpp)", look: atomType,
		demand: "the bits that the instruction moves for a thread are a whole number of values of the type",
	},
	{
		says: "rank of tensor to be partitioned too small", tool: toolCute, op: "partition_S",
		function: "TiledCopy::tidfrg_S (include/cute/atom/copy_atom.hpp)", look: frameLayouts,
		demand: "a tensor that a TiledCopy partitions has at least as many modes as the tiler of the TiledCopy",
	},
	{
		says: "memory pointed to by atomtvlayout does not exist in the datalayout", tool: toolCute, op: "make_cotiled_copy",
		look:   frameLayouts,
		demand: "each offset that a thread names is one that the layout of the data has",
	},
	{says: "attempting a subbit write", tool: toolCute, op: "copy", look: frameLayouts, demand: "a copy moves whole bits"},
	{
		says: "ambiguous scatter detected in copy", tool: toolCute, op: "copy", look: frameLayouts,
		demand: "where the destination has stride 0, so that several values go to one place, the source has too",
	},
	{says: "ambiguous race-condition detected", tool: toolCute, op: "copy", look: frameLayouts, demand: "no two values of the source go to one place of the destination"},
	{says: "expected gmem source for cp.async", tool: toolCute, op: "copy", look: space, demand: "cp.async reads global memory: the source tensor has a gmem_ptr (make_gmem_ptr)"},
	{says: "expected smem destination for cp.async", tool: toolCute, op: "copy", look: space, demand: "cp.async writes shared memory: the destination tensor has an smem_ptr (make_smem_ptr)"},
	{says: "cp.async requires sizeof(src_value_type) == sizeof(dst_value_type)", tool: toolCute, op: "copy", look: space, demand: "cp.async copies elements of one size"},
	{says: "cp.async sizeof(ts) is not supported", tool: toolCute, op: "copy", look: space, demand: "cp.async copies 4, 8 or 16 bytes; CACHEGLOBAL only 16"},
	{says: "source and destination tensors to have the same size in mode-1", tool: toolDSL, op: "copy", look: gotPair, demand: "cute.copy: after the first mode, source and destination have the same sizes"},
	{says: "source and destination tensors to have the same rank", tool: toolDSL, op: "copy", look: gotPair, demand: "cute.copy: source and destination have the same number of modes"},
	{says: "the number value of copyatom's source layout", tool: toolDSL, op: "make_tiled_copy_C_atom", look: gotPair, demand: "one instruction moves at most the values that a thread has in C"},
}

const demandVector = "the values of one instruction lie next to each other on both sides, at multiples of the width of its registers, so that they recast to whole registers"

// vectorize examines the layouts of the values that one instruction copies.
func vectorize(f *failure) {
	fr := f.m.frame("copy_unpack", "call", "copy")
	if fr == nil {
		f.missing("the backtrace below the message: it names the CopyOp and the layouts SLayout and DLayout")
		return
	}
	side, other := "src", "dst"
	if strings.Contains(strings.ToLower(f.Message), "dst") && !strings.Contains(strings.ToLower(f.Message), "src") {
		side, other = "dst", "src"
	}
	op := copyOperation(fr.param("AnyCPYTraits", "Args", "CopyAtom", "CopyArgs"))
	bits, elem := f.widths(op, fr)
	f.operand("CopyOp", op)
	layouts := map[string]string{"src": fr.value("SLayout", "SrcLayout"), "dst": fr.value("DLayout", "DstLayout")}
	for _, s := range []string{side, other} {
		f.operand(s, layouts[s])
	}
	f.Pair = strings.Trim(op+" and "+layouts[side], " and")
	if elem > 0 {
		f.operand("value", fmt.Sprintf("%d bits", elem))
	}
	if layouts[side] == "" {
		f.missing("the layout of " + side + ": the backtrace has it as " +
			map[string]string{"src": "SLayout", "dst": "DLayout"}[side])
		return
	}
	l, ok := layout(layouts[side])
	if !ok || bits == 0 || elem == 0 {
		if dynamic(layouts[side]) {
			f.Condition = layouts[side] + " has integers that are known at run time only, so that no contiguous vector can be seen when compiling"
			f.repair(Repair{Say: "give the contiguous mode static extent and stride (Int<8>{}, Int<1>{}), or use UniversalCopy of one element"})
		}
		return
	}
	f.run(l, op, bits, elem)
}

// widths returns the bits of one register of the operation and the bits of one value, or 0 if the text does not say.
func (f *failure) widths(op string, fr *frame) (bits, elem int64) {
	if c, err := atom.FindCopy(op); err == nil {
		side := c.From
		if strings.Contains(strings.ToLower(f.Message), "dst") {
			side = c.To
		}
		bits = side.Unit
	}
	for _, p := range []string{"SEngine", "SrcEngine", "DEngine", "DstEngine"} {
		if t, ok := elementOf(fr.param(p)); ok {
			return bits, int64(t.Bits())
		}
	}
	return bits, 0
}

// elementOf returns the element type of an engine: half_t of ViewEngine<smem_ptr<cutlass::half_t*>>.
func elementOf(engine string) (dtype.Type, bool) {
	for rest := engine; ; {
		_, inside, ok := strings.Cut(rest, "<")
		if !ok {
			return 0, false
		}
		end := strings.IndexAny(inside, "<>,*&")
		if end < 0 {
			end = len(inside)
		}
		if t, err := dtype.Parse(typeName(inside[:end])); err == nil {
			return t, true
		}
		rest = inside
	}
}

// copyOperation returns the operation in Copy_Traits<UniversalCopy<cutlass::uint128_t, cutlass::uint128_t>> as package
// atom spells it: UniversalCopy<uint128_t>.
func copyOperation(text string) string {
	name := typeName(strings.Trim(text, "{} "))
	for _, wrap := range []string{"Copy_Atom<", "Copy_Traits<"} {
		if inside, ok := strings.CutPrefix(name, wrap); ok {
			name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inside), ">"))
		}
	}
	parts := split(name, ',')
	if len(parts) == 0 {
		return ""
	}
	name = strings.ReplaceAll(strings.ReplaceAll(parts[0], "unsigned int", "uint32_t"), " ", "")
	base, inside, ok := strings.Cut(name, "<")
	if !ok {
		return name
	}
	args := split(strings.TrimSuffix(inside, ">"), ',')
	if len(args) == 0 {
		return base
	}
	return base + "<" + args[0] + ">"
}

// run records how many values are adjacent in the layout of one instruction, and offers operations of that width.
func (f *failure) run(l cute.Layout, op string, bits, elem int64) {
	need := max(bits/elem, 1)
	n := l.Size()
	run := int64(1)
	for i := int64(1); i < min(n, 1<<12); i++ {
		at, err := l.At(i)
		if err != nil || at != i {
			break
		}
		run++
	}
	if run < min(n, need) {
		at, _ := l.At(run)
		before, _ := l.At(run - 1)
		f.Condition = fmt.Sprintf(
			"%s takes %d values of %d bits that lie next to each other; values %d and %d of %s lie %d elements apart (%d bits)",
			op, need, elem, run-1, run, l, at-before, (at-before)*elem)
	} else if n != need {
		f.Condition = fmt.Sprintf("%s takes %d values of %d bits; the mode %s has %d", op, need, elem, l, n)
	}
	for w := run * elem; w >= elem; w -= elem {
		if w%8 != 0 || w > 128 || w&(w-1) != 0 {
			continue
		}
		name := fmt.Sprintf("UniversalCopy<uint%d_t>", w)
		c, err := atom.FindCopy(name)
		if err != nil || w >= bits && strings.HasPrefix(op, "UniversalCopy") {
			continue
		}
		expr := fmt.Sprintf("recast_layout(%d, %d, %s)", elem, w, l)
		if v, err := f.result(expr); err == nil {
			f.repair(Repair{
				Say:  fmt.Sprintf("%s: %d value(s) at a time fit this layout (%d bits instead of %d)", c.Name, w/elem, w, bits),
				Expr: expr, Result: v,
			})
			break
		}
	}
	if run < need {
		f.offerTransposed(op, elem)
		f.repair(Repair{Say: "let each thread's values go along the contiguous mode of the memory: the value layout has its extent in the mode of stride 1, " +
			"(8,1) for a column-major tensor and (1,8) for a row-major one, and the thread layout the order of the memory"})
		f.missing("the layout of the whole shared or global tensor: with it, it can be said which copy operations fit and why the others do not")
	}
}

// offerTransposed offers the transposing ldmatrix before narrower copies.
func (f *failure) offerTransposed(op string, elem int64) {
	trans := strings.NewReplacer("U32x4_LDSM_N", "U16x8_LDSM_T", "U32x2_LDSM_N", "U16x4_LDSM_T", "U32x1_LDSM_N",
		"U16x2_LDSM_T").Replace(op)
	if _, err := atom.FindCopy(trans); err == nil && elem == 16 && trans != op {
		f.Repairs = append([]Repair{
			{Say: trans + " loads the transposed matrices, for 16-bit elements that are contiguous along the other mode"},
		}, f.Repairs...)
	}
}

// copyRanks examines a source and a destination of different ranks.
func copyRanks(f *failure) {
	fr := f.m.frame("copy", "copy_if")
	if fr == nil {
		f.missing("the layouts of source and destination: SrcLayout and DstLayout in the backtrace")
		return
	}
	src, dst := fr.value("SrcLayout", "SLayout"), fr.value("DstLayout", "DLayout")
	f.operand("src", src)
	f.operand("dst", dst)
	if src == "" || dst == "" {
		return
	}
	n, m := len(modes(shapeOf(src))), len(modes(shapeOf(dst)))
	f.Pair = src + " and " + dst
	f.Condition = fmt.Sprintf("the source %s has %s, the destination %s has %d", src, count(n, "mode"), dst, m)
	a, okA := layout(src)
	b, okB := layout(dst)
	if okA && okB {
		x := a.Size()
		y := b.Size()
		if x == y {
			wide, narrow, who := src, b, "destination"
			if n < m {
				wide, narrow, who = dst, a, "source"
			}
			f.offer("give the "+who+" the shape of the other: they have the same number of elements",
				operation{op: "with_shape", args: []string{narrow.String(), shapeOf(wide)}})
		}
	}
	f.repair(Repair{Say: "or partition both with the same TiledCopy (partition_S, partition_D), or retile_S/retile_D the fragment"})
}

// atomType examines an operation that does not accept values of the given type.
func atomType(f *failure) {
	fr := f.m.frame("Copy_Atom")
	if fr == nil {
		f.missing("the operation and its type: the line of the backtrace with Copy_Atom<...>")
		return
	}
	op, typ := "", ""
	if n := len(fr.args); n > 0 {
		op, typ = copyOperation(fr.args[0]), typeName(fr.args[n-1])
	}
	f.operand("CopyOp", op)
	f.operand("value type", typ)
	if _, err := atom.FindCopyAtom(op, typ); err != nil {
		f.Condition = err.Error()
	}
	f.otherType(op)
}

// otherType offers the first type in its list with which the operation forms a Copy_Atom.
func (f *failure) otherType(op string) {
	for _, typ := range []string{"half_t", "uint8_t", "uint16_t", "uint32_t"} {
		if a, err := atom.FindCopyAtom(op, typ); err == nil {
			expr := fmt.Sprintf("copy_atom(%q,%q)", op, typ)
			if v, err := f.result(expr); err == nil {
				f.repair(Repair{
					Say:  fmt.Sprintf("values of %s: %s moves %d of them for each thread; recast the tensors", typ, op, a.NumVal()),
					Expr: expr, Result: v,
				})
			}
			return
		}
	}
}

// space examines a tensor in a memory space that the instruction does not access.
func space(f *failure) {
	fr := f.m.frame("copy_unpack", "call")
	if fr == nil {
		return
	}
	src, dst := fr.param("TS", "SEngine"), fr.param("TD", "DEngine")
	f.operand("src engine", typeName(src))
	f.operand("dst engine", typeName(dst))
	f.operand("src", fr.value("SLayout"))
	f.operand("dst", fr.value("DLayout"))
	f.repair(Repair{Say: "make_gmem_ptr(p) or make_smem_ptr(p) in make_tensor says where a pointer points to; a copy to registers takes UniversalCopy and not cp.async"})
}
