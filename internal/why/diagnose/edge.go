package diagnose

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/machine/tile"
	"girih/internal/pattern"
	"girih/symbolic"
)

// edgeRules are demands on a tile of a tensor: the shape of its predicate, the alignment of its accesses, and the
// shared memory that it needs.
var edgeRules = ruleList{
	{says: "expects pred to have compatible shape", tool: toolDSL, op: "copy", function: "cute.copy(pred=)", look: predicateShape, demand: demandPredicate},
	{says: "expects pred|compatible|got", tool: toolDSL, op: "copy", function: "cute.copy(pred=)", look: predicateShape, demand: demandPredicate},
	{says: "predshape:", tool: toolDSL, op: "copy", function: "cute.copy(pred=)", look: predicateShape, demand: demandPredicate},
	{says: "ptr alignment|does not meet requirement", tool: toolDSL, op: "copy", function: "cute.copy", look: alignment, demand: "each address that one instruction accesses is a multiple of its width: the alignment of the pointer, and of all strides and offsets in bytes"},
	{says: "launch shared memory exceeds current gpu", tool: toolDSL, op: "launch", look: capacity, demand: demandCapacity},
	{says: "out of resource: shared memory", tool: toolTriton, op: "launch", look: capacity, demand: demandCapacity},
	{says: "bytes shared memory but device supports", tool: toolCutlass, op: "initialize", look: capacity, demand: demandCapacity},
	{says: "dynamic shared memory size to", tool: toolDriver, op: "launch", look: capacity, demand: demandCapacity},
	{says: "cudafuncattributemaxdynamicsharedmemorysize|invalid argument", tool: toolDriver, op: "launch", look: capacity, demand: demandCapacity},
	{says: "max_dynamic_shared_size_bytes|invalid", tool: toolDriver, op: "launch", look: capacity, demand: demandCapacity},
	{says: "failed to configure kernel dynamic shared memory", tool: toolDriver, op: "launch", look: capacity, demand: demandCapacity},
	{says: "uses too much shared data", tool: "ptxas", op: "shared memory", look: capacity, demand: "static shared memory has at most 49152 bytes; more is dynamic: extern __shared__ and cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"},
	{says: "smem usage exceeded capacity", tool: toolCutlass, op: "SharedStorage", look: capacity, demand: demandCapacity},
	{says: "smem usage is too high. can't create any smem buffers", tool: toolCutlass, op: "StageCountAutoCarveout", look: capacity, demand: demandCapacity},
	{says: "requires stages set to value", tool: toolCutlass, op: "CollectiveMma", look: capacity, demand: "a pipelined main loop has at least 2 stages; StageCountAuto gives fewer where two do not fit"},
}

const (
	demandPredicate = "a predicate has one truth value for each instruction: (RestV,(RestM,RestN,...)) for the data ((V,RestV),RestM,RestN,...), with stride 0 where it does not depend on a mode"
	demandCapacity  = "the shared memory of a CTA is at most what its target has"
)

const (
	reShapes    = pattern.Pattern(`(?:compatible|with)\D{0,24}?(\([\d(),_ ]*\))[^(]*?got[^(]*(\([\d(),_ ]*\))`)
	reMemref    = pattern.Pattern(`!cute\.memref<([\w.]+), (\w+)(?:, align<(\d+)>)?, "([^"]+)">`)
	reRequire   = pattern.Pattern(`(?:(src|dst) )?ptr alignment(?: \((\d+) bits\))? does not meet requirement(?: \((\d+) bits\))?`)
	reAtomBits  = pattern.Pattern(`(\d+) b>`)
	reAtomType  = pattern.Pattern(`atom\.\w+<(\w+),`)
	reAllocated = pattern.Pattern(`(?i)(?:allocated|required|requires):? (\d+)\D*?(?:max|hardware limit|device supports):? (\d+)`)
	reDynamic   = pattern.Pattern(`(?i)(?:dynamic shared memory size to|MaxDynamicSharedMemorySize,|SHARED_SIZE_BYTES,|kernel for) *(\d+)`)
	reAvailable = pattern.Pattern(`maximum available is (\d+)`)
	reTooMuch   = pattern.Pattern(`\(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\)`)
	reTargetSM  = pattern.Pattern(`\bsm_?(\d{2,3})`)
)

// predicateShape examines a predicate whose shape does not match the data.
func predicateShape(f *failure) {
	m := reShapes.FindStringSubmatch(f.m.text)
	if m == nil {
		f.missing("the two shapes: expects pred to have compatible shape with: ... but got actual predShape: ...")
		return
	}
	want, errW := cute.ParseTuple(strings.ReplaceAll(m[1], "_", ""))
	got, errG := cute.ParseTuple(strings.ReplaceAll(m[2], "_", ""))
	if errW != nil || errG != nil {
		f.Condition = oneLine(fmt.Sprintf("the predicate has %s, the data %s", m[2], m[1]))
		return
	}
	f.operand("data", want.String())
	f.operand("pred", got.String())
	f.Pair = want.String() + " and " + got.String()
	fault := tile.PredicateShape{Want: want, Got: got}.Judge()
	f.Condition = fault.Text
	switch fault.Fault {
	case "":
		f.Condition = "both have the same modes"
	case "sliced":
		f.offerSlice(got, fault.Modes)
	case "values":
		f.repair(Repair{Say: "make the predicate of the partition without its first mode: (t.shape[0][1], cute.size(t, mode=[1]), cute.size(t, mode=[2])), " +
			"and compare the coordinate of the first element of each instruction, c[(0, v), m, n]"})
	default:
		f.repair(Repair{
			Say: fmt.Sprintf("a predicate of the shape %s, stride 0 along the modes whose edges are never crossed", want),
		})
	}
	f.repair(Repair{Say: "girih predicate EXTENTS --tile TILE --tiled EXPR writes the predicate of a tile, in C++ and in the CuTe DSL"})
}

// offerSlice offers to slice a predicate as its data was sliced, if the predicate has too many modes.
func (f *failure) offerSlice(got cute.Tuple, extra []int) {
	n := got.LeafCount()
	index := make([]string, n)
	for i := range index {
		index[i] = "None"
	}
	names := []string{"m", "n", "k"}
	for i, x := range extra {
		index[x] = fmt.Sprintf("i%d", i)
		if len(extra) == 1 && x > 0 && x <= len(names) {
			index[x] = names[x-1]
		}
	}
	f.repair(Repair{Say: fmt.Sprintf("use pred[%s] with data sliced the same way: src[%[1]s] and dst[%[1]s]",
		strings.Join(index, ", "))})
	for _, m := range reMemref.FindAllStringSubmatch(f.m.body, maxMemrefs) {
		l, ok := layout(m[4])
		if !ok || !l.Shape().Equal(got) {
			continue
		}
		f.operand("pred layout", l.String())
		strides := l.Flatten().Stride().Leaves()
		for _, x := range extra {
			if x < len(strides) && strides[x] == 0 {
				f.repair(Repair{Say: fmt.Sprintf("mode %d of the predicate %s has stride 0: its truth values are the same for each "+
					"of the %d, so index 0 is right too", x, l, got.Leaves()[x])})
			}
		}
		return
	}
}

// maxMemrefs limits the tensors that are read from one diagnostic.
const maxMemrefs = 8

// alignment examines the pointers of a copy that are not aligned to its width.
func alignment(f *failure) {
	m := reRequire.FindStringSubmatch(f.m.text)
	bits := f.accessBits(m)
	if bits < 8 || bits > 1<<16 || bits&(bits-1) != 0 {
		f.missing("the width of the instruction in bits: the type of the atom has it, as in universal_copy<f32, 128 b>")
		return
	}
	if m != nil && m[2] != "" {
		f.Condition = fmt.Sprintf("of the %s pointer only %s bits are certain, the instruction takes %d",
			side(m[1]), m[2], bits)
	}
	found := false
	for _, r := range reMemref.FindAllStringSubmatch(f.m.body, maxMemrefs) {
		if r[2] == "gmem" || r[2] == "smem" || r[2] == "generic" {
			found = f.judgeAlignment(r, bits) || found
		}
	}
	if !found {
		f.missing("the types of the tensors: the line 'see current operation' below the message has them, as !cute.memref<f16, gmem, align<2>, ...>")
		f.repair(Repair{Say: fmt.Sprintf("declare the pointer: from_dlpack(x, assumed_align=%d), or make_ptr(..., assumed_align=%[1]d)%s",
			bits/8, f.strides(bits))})
	}
	f.repair(Repair{Say: "girih align LAYOUT --type TYPE --align BYTES --at COORD says which term of an address is too little aligned"})
}

// accessBits returns the width in bits of the instruction in a message, or 0. m is the match of reRequire.
func (f *failure) accessBits(m []string) int64 {
	if m != nil && m[3] != "" {
		if bits, _ := integer(m[3]); bits != 0 {
			return bits
		}
	}
	if a := reAtomBits.FindStringSubmatch(f.m.text); a != nil {
		bits, _ := integer(a[1])
		return bits
	}
	return 0
}

// strides returns how to declare strides that are known at run time, if the message gives the type of the elements.
func (f *failure) strides(bits int64) string {
	m := reAtomType.FindStringSubmatch(f.m.text)
	if m == nil {
		return ""
	}
	typ, err := dtype.Parse(m[1])
	if err != nil || int64(typ.Bits()) >= bits {
		return ""
	}
	return fmt.Sprintf("; and strides and offsets that are known at run time: cute.assume(stride, divby=%d)",
		bits/int64(typ.Bits()))
}

func side(s string) string {
	switch s {
	case "src":
		return "source"
	case "dst":
		return "destination"
	}
	return "one"
}

// judgeAlignment records the alignment that is certain for one tensor of a copy, and the declarations that are missing.
func (f *failure) judgeAlignment(r []string, bits int64) bool {
	typ, err := dtype.Parse(r[1])
	if err != nil {
		return false
	}
	p := tile.Pointer{Type: typ, Space: tile.Space(r[2]), Align: max(int64(typ.Bits())/8, 1)}
	if n, ok := integer(r[3]); ok && n > 0 && n <= 1<<20 && n&(n-1) == 0 {
		p.Align = n
	}
	a, err := tile.NewAlignment(p, f.view(r[4]))
	if err != nil {
		return false
	}
	f.operand(r[2], fmt.Sprintf("%v o %s", p, r[4]))
	for _, n := range a.Needs(bits) {
		if n.Name == "nothing is contiguous" {
			continue
		}
		text := fmt.Sprintf("%v: %v, and %d bytes are needed", p, n.Divisor, bits/8)
		if strings.Contains(n.Name, "contiguous") {
			continue // another rule checks the values of one instruction
		}
		if f.Condition != "" {
			f.Condition += "; "
		}
		f.Condition += text
		say := n.Say
		if n.DSL != "" {
			say += ": " + n.DSL
		}
		f.repair(Repair{Say: say})
	}
	if w := p.Align * 8; w < bits && w >= int64(typ.Bits()) {
		f.repair(Repair{Say: fmt.Sprintf("without another declaration: a copy of num_bits_per_copy=%d, %d element(s) of %s", w,
			w/int64(typ.Bits()), typ)})
	}
	return true
}

// view returns the layout in a text, or the layout of one element if the text has no layout.
func (f *failure) view(text string) tile.View {
	v := tile.View{Layout: symbolic.FromLayout(one)}
	if x, err := f.eval(text); err == nil {
		switch l := x.Value.(type) {
		case eval.Layout:
			v.Layout = symbolic.FromLayout(l.Layout)
		case eval.DynamicLayout:
			v.Layout = l.Layout
		}
	}
	return v
}

// one is the layout with one element.
var one = cute.MustParse("1:0")

// capacity examines a kernel that needs more shared memory than the device has.
func capacity(f *failure) {
	need, limit := f.sharedBytes()
	switch {
	case need > 0 && limit == 0:
		f.Condition = fmt.Sprintf("%d bytes of dynamic shared memory are asked for, and the device has fewer for a CTA", need)
	case need > 0 && need <= limit:
		f.Condition = fmt.Sprintf("%d bytes of dynamic shared memory are asked for and %d are there, but static shared memory counts "+
			"too: more than %d bytes of it", need, limit, limit-need)
		f.Pair = fmt.Sprintf("%d and %d", need, limit)
	case need > 0:
		f.Condition = fmt.Sprintf("%d bytes are asked for, %d are there: %d too many", need, limit, need-limit)
		f.Pair = fmt.Sprintf("%d and %d", need, limit)
	}
	var same, fits []string
	for _, t := range tile.Targets() {
		if t.PerBlock == limit {
			same = append(same, t.Name)
		}
		if need > 0 && t.PerBlock >= need && t.NVIDIA() {
			fits = append(fits, t.Name)
		}
	}
	if len(same) > 0 {
		f.operand("limit", fmt.Sprintf("%d bytes, the limit of %s", limit, strings.Join(same, ", ")))
	}
	if m := reTargetSM.FindStringSubmatch(f.m.text); m != nil && limit == 0 {
		if t, err := tile.FindTarget("sm" + m[1]); err == nil {
			f.operand("limit", t.String())
		}
	}
	f.fitShared(need, limit, fits)
	f.repair(Repair{Say: "girih budget '(BM,BN,BK)' --type TYPE --target TARGET says how many stages fit, and what each buffer takes"})
}

// sharedBytes returns the bytes of shared memory that a message says are needed, and the limit. Either is 0 if unknown.
func (f *failure) sharedBytes() (need, limit int64) {
	if m := reAllocated.FindStringSubmatch(oneLine(f.m.text + " " + firstLines(f.m.body, 3))); m != nil {
		need, _ = integer(m[1])
		limit, _ = integer(m[2])
	} else if m := reTooMuch.FindStringSubmatch(f.m.text); m != nil {
		need, limit = hexadecimal(m[1]), hexadecimal(m[2])
	} else if m := reDynamic.FindStringSubmatch(f.m.text); m != nil {
		need, _ = integer(m[1])
		if m := reAvailable.FindStringSubmatch(f.m.text); m != nil {
			limit, _ = integer(m[1])
		}
	}
	return need, limit
}

// fitShared offers ways to make a kernel fit in shared memory. fits lists the targets with enough shared memory.
func (f *failure) fitShared(need, limit int64, fits []string) {
	switch {
	case limit == 48<<10 && len(fits) > 0 && need > limit:
		f.repair(Repair{Say: fmt.Sprintf("49152 bytes is the limit without opting in: as dynamic shared memory %d bytes fit %s",
			need, strings.Join(fits, ", "))})
	case len(fits) > 0 && need > limit:
		f.repair(Repair{Say: fmt.Sprintf("%d bytes fit %s; kernels that were tuned there need fewer stages or smaller tiles here",
			need, strings.Join(fits, ", "))})
	case need > 0 && need > limit:
		f.repair(Repair{Say: fmt.Sprintf("no target has %d bytes for a CTA", need)})
	case need > 0:
		f.repair(Repair{Say: fmt.Sprintf("make the static shared memory dynamic too, or ask for fewer than %d bytes", need)})
	default:
		f.missing("the tiles, the types and the stages: girih budget computes with them what fits")
	}
}

// hexadecimal reads a number of at most ten digits.
func hexadecimal(text string) int64 {
	n := int64(0)
	for _, c := range text[:min(len(text), 10)] {
		n = n*16 + int64(strings.IndexRune("0123456789abcdef", c))
	}
	return n
}
