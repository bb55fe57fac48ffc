package diagnose

import (
	"fmt"
	"math/bits"
	"strings"

	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// tritonRules are the messages of Triton and TileLang about layouts and tiles.
var tritonRules = ruleList{
	{says: "arange's range must be a power of 2", tool: toolTriton, op: "tl.arange", look: powerOfTwo, demand: "the extents of Triton's tensors are powers of two: tl.arange(a, b) needs b-a to be one"},
	{says: "must be a power of 2", tool: toolTriton, from: "triton|tl.|constexpr", op: "tensor", look: powerOfTwo, demand: "the extents of Triton's tensors are powers of two"},
	{says: "must be power of 2", tool: toolTriton, from: "triton|tl.|constexpr", op: "tensor", look: powerOfTwo, demand: "the extents of Triton's tensors are powers of two"},
	{says: "exceeds triton maximum tensor numel", tool: toolTriton, op: "tensor", look: numel, demand: "a tensor of Triton has at most 1048576 elements"},
	{says: "cannot make_shape_compatible: incompatible dimensions", tool: toolTriton, op: "broadcast", look: broadcast, demand: "broadcasting needs equal extents, or 1 on one side"},
	{says: "gettotalindimsize() ==", tool: toolTriton, op: "reshapeIns", look: linearAssert, demand: "reshaping the inputs of a linear layout keeps the product of their sizes"},
	{says: "gettotaloutdimsize() ==", tool: toolTriton, op: "reshapeOuts", look: linearAssert, demand: "reshaping the outputs of a linear layout keeps the product of their sizes; a swizzle with fewer rows than its period, or a tile smaller than one instruction's, makes them differ"},
	{says: "issurjective()", tool: toolTriton, op: "invert", look: linearAssert, demand: "a linear layout that is inverted reaches each of its outputs"},
	{says: "instrn >= numcolsperchunk", tool: toolTriton, op: "stmatrix", look: linearAssert, demand: "the N of one instruction is at least the columns of a swizzled chunk"},
	{says: "m must be divisible by", tool: toolTileLang, from: "tilelang|tvm|check failed|t.gemm", op: "T.gemm", look: tileLangDivides, demand: "the block of T.gemm is a whole number of instruction tiles in M: 16, or 64 for wgmma"},
	{says: "n must be divisible by", tool: toolTileLang, from: "tilelang|tvm|check failed|t.gemm", op: "T.gemm", look: tileLangDivides, demand: "the block of T.gemm is a whole number of instruction tiles in N"},
	{says: "k must be divisible by", tool: toolTileLang, from: "tilelang|tvm|check failed|t.gemm", op: "T.gemm", look: tileLangDivides, demand: "the block of T.gemm is a whole number of instruction tiles in K"},
	{says: "warp_m % 16 == 0", tool: toolTileLang, op: "T.gemm", look: warpTile, demand: "each warp has a multiple of 16 rows of the block: block_M over the warps in M"},
	{says: "warp_n % 8 == 0", tool: toolTileLang, op: "T.gemm", look: warpTile, demand: "each warp has a multiple of 8 columns of the block: block_N over the warps in N"},
	{says: "layout infer conflict between", tool: toolTileLang, op: "layout inference", look: fragments, demand: "all buffers of a T.Parallel loop are spread over the threads in one way"},
	{says: "get different layout for", tool: toolTileLang, op: "layout inference", look: fragments, demand: "a buffer has one layout in the whole kernel"},
	{says: "no available layout found", tool: toolTileLang, op: "layout inference", symptom: true, look: fragments, demand: "the elements of a fragment are a whole number for each thread, or replicated evenly"},
}

const (
	reGotInt    = pattern.Pattern(`(?i)divisible by (\d+),? but got (-?\d+)`)
	reDims      = pattern.Pattern(`at index (\d+): (\d+) and (\d+)`)
	reNumel     = pattern.Pattern(`numel \((\d+)\) exceeds[^(]*\((\d+)\)`)
	reWarp      = pattern.Pattern(`(warp_[mn])\s*=\s*(-?\d+)`)
	reFragment  = pattern.Pattern(`(\w+)?\s*(?:layout:\s*)?Fragment\(?[\[(]\s*([\[(]?[\d, ]+[\])]?,?)\s*-> ?[\[(]([\d, ]*)[\])](.*)`)
	reReplicate = pattern.Pattern(`replicate:? (\d+)`)
	reThread    = pattern.Pattern(`thread:? (\d+)`)
	reArange    = pattern.Pattern(`\barange\((\d+), ?(\d+)\)`)
	reNumbers   = pattern.Pattern(`\d+`)
)

// powerOfTwo examines an extent that is not a power of two.
func powerOfTwo(f *failure) {
	n, ok := f.oddExtent()
	if !ok {
		f.missing("the extent: the value of the constexpr in the line that the message points at")
		f.repair(Repair{Say: "round the block up with triton.next_power_of_2(n), and mask the loads and stores: mask=offsets < n"})
		return
	}
	p := int64(1) << bits.Len64(uint64(n))
	f.Condition = fmt.Sprintf("%d is between %d and %d", n, p/2, p)
	f.repair(Repair{
		Say: fmt.Sprintf("a block of %d with mask=offsets < %d", p, n), Expr: fmt.Sprintf("ceil_div(%d,%d)", n, p), Result: "1",
	})
	f.repair(Repair{
		Say: fmt.Sprintf("a block of %d, %d times", p/2, (n+p/2-1)/(p/2)), Expr: fmt.Sprintf("ceil_div(%d,%d)", n, p/2),
		Result: fmt.Sprint((n + p/2 - 1) / (p / 2)),
	})
}

// oddExtent returns the only number in a message that is not a power of two, or else the extent of the arange in the
// source.
func (f *failure) oddExtent() (n int64, ok bool) {
	isOdd := func(x int64) bool { return x > 2 && x&(x-1) != 0 }
	for _, s := range reNumbers.FindAllString(strings.ReplaceAll(f.m.text, "power of 2", ""), -1) {
		x, ok := integer(s)
		if !ok || !isOdd(x) {
			continue
		}
		if n != 0 && n != x {
			return 0, false
		}
		n = x
	}
	if m := reArange.FindStringSubmatch(f.m.body + f.m.above); m != nil && n == 0 && strings.Contains(f.m.text, "arange") {
		from, okFrom := integer(m[1])
		to, okTo := integer(m[2])
		if okFrom && okTo && isOdd(to-from) {
			n = to - from
		}
	}
	return n, n != 0
}

// numel examines a tensor with too many elements.
func numel(f *failure) {
	if m := reNumel.FindStringSubmatch(f.m.text); m != nil {
		f.Pair = m[1] + " and " + m[2]
		f.Condition = m[1] + " elements, at most " + m[2]
	}
	f.repair(Repair{Say: "smaller blocks and a loop over them, or more programs in the grid"})
}

// broadcast examines two extents that cannot be broadcast.
func broadcast(f *failure) {
	if m := reDims.FindStringSubmatch(f.m.text); m != nil {
		f.Pair = m[2] + " and " + m[3]
		f.Condition = fmt.Sprintf("dimension %s has %s on one side and %s on the other, and neither is 1", m[1], m[2], m[3])
	}
	f.repair(Repair{Say: "index one of them with [:, None] and the other with [None, :], or transpose it"})
}

// linearAssert lists the layouts in the text as operands.
func linearAssert(f *failure) {
	f.Condition = "false: " + oneLine(f.m.text)
	for _, it := range reader.Read(f.m.body).Items {
		if it.Fault == "" && len(f.Operands) < 4 && (it.Record != "" || it.Kind == reader.KindLayout) {
			f.operand(strings.TrimSpace(it.Name+" "+it.Record), it.Text)
		}
	}
	if len(f.Operands) == 0 {
		f.missing("the encodings: the #blocked, #shared and #mma lines of the module (MLIR_ENABLE_DUMP=1), or what print_tensor_layout prints; linear and convert take them")
	}
}

// tileLangDivides examines an extent that an instruction does not divide.
func tileLangDivides(f *failure) {
	m := reGotInt.FindStringSubmatch(f.m.text)
	if m == nil {
		return
	}
	n, _ := integer(m[1])
	x, _ := integer(m[2])
	if n <= 0 {
		return
	}
	f.Pair = fmt.Sprintf("%d and %d", x, n)
	f.Condition = fmt.Sprintf("%d mod %d = %d", x, n, x%n)
	if up := roundUp(max(x, 1), n); up%n == 0 {
		f.repair(Repair{
			Say:  fmt.Sprintf("a block of %d, padded with zeros beyond %d", up, x),
			Expr: fmt.Sprintf("mod(%d,%d)", up, n), Result: "0",
		})
	}
}

// warpTile examines the number of rows or columns of one warp.
func warpTile(f *failure) {
	m := reWarp.FindStringSubmatch(f.m.text)
	if m == nil {
		return
	}
	n := int64(16)
	if m[1] == "warp_n" {
		n = 8
	}
	x, _ := integer(m[2])
	f.Pair = fmt.Sprintf("%d and %d", x, n)
	f.Condition = fmt.Sprintf("%s = %d: %d mod %d = %d", m[1], x, x, n, x%n)
	if x > 0 && n%x == 0 {
		f.repair(Repair{
			Say: fmt.Sprintf("a block %d times as large in this mode, or %d times fewer warps there: fewer threads, or another warp policy",
				n/x, n/x), Expr: fmt.Sprintf("mod(%d,%d)", x*(n/x), n), Result: "0",
		})
	}
}

// fragments examines two different distributions of a buffer over threads.
func fragments(f *failure) {
	var counts []string
	for _, line := range strings.Split(firstLines(f.m.body, 12), "\n") {
		m := reFragment.FindStringSubmatch(line)
		if m == nil || len(f.Operands) >= 4 {
			continue
		}
		shape, _ := integers(m[2])
		regs, _ := integers(m[3])
		rep, thr := int64(1), int64(0)
		if r := reReplicate.FindStringSubmatch(m[4]); r != nil {
			rep, _ = integer(r[1])
		}
		if r := reThread.FindStringSubmatch(m[4]); r != nil {
			thr, _ = integer(r[1])
		}
		f.operand(fmt.Sprintf("fragment %d", len(f.Operands)+1), oneLine(strings.TrimSpace(line)))
		if size, per := all(shape), all(regs); size > 0 && per > 0 {
			say := fmt.Sprintf("%d elements * %d copies in %d registers each need %d threads", size, rep, per, size*rep/per)
			if thr > 0 {
				say += fmt.Sprintf(" of %d", thr)
			}
			counts = append(counts, say)
		}
	}
	f.Condition = strings.Join(counts, "; ")
	if len(f.Operands) < 2 {
		f.missing("both fragments: the lines with Fragment(...) below the message")
	}
	f.repair(Repair{Say: "give the buffer its layout with T.annotate_layout, or choose a number of threads that divides the elements of both buffers without replication"})
}

func all(ns []int64) int64 {
	p := int64(1)
	for _, n := range ns {
		if n <= 0 || p > (1<<40)/n {
			return 0
		}
		p *= n
	}
	if len(ns) == 0 {
		return 0
	}
	return p
}
