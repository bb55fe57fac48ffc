package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// instructionRules are demands of a tensor core instruction or a copy that do not depend on a layout: its extents, its
// card, its operands (the CuTe DSL's cute/nvgpu/warpgroup/mma.py, tcgen05/mma.py and cpasync/copy.py; the control paths
// of cute/arch and cutlass/gemm/kernel; ptxas).
var instructionRules = ruleList{
	{says: "expects the n-mode to", tool: toolDSL, op: "make_tiled_mma", look: instructionExtent, demand: "the N of the instruction: a multiple of 8 up to 256 for wgmma (of integers 8, 16, 24, 32 and multiples of 16), of 8 or 16 for tcgen05.mma (PTX ISA 9.7.15.2, 9.7.16.2.1)"},
	{says: "expects the m-mode to", tool: toolDSL, op: "make_tiled_mma", look: instructionExtent, demand: "the M of the instruction: 64 for wgmma, 64, 128 or of two CTAs 128, 256 for tcgen05.mma (PTX ISA 9.7.15.2, 9.7.16.2.1)"},
	{says: "expects the instruction extent in the k-mode", tool: toolDSL, op: "make_tiled_mma", look: instructionExtent, demand: "the K of the instruction is 32 bytes of A: 8 elements of 32 bits, 16 of 16, 32 of 8, 64 of 4"},
	{says: "expected affine layout for|composed layout", tool: toolDSL, op: "make_fragment", look: swizzleOfPointer, demand: "a tensor that descriptors are made of has a plain layout, and its swizzle in the pointer: !cute.ptr<f16, smem, align<1024>, S<3,4,3>>", alone: true},
	{says: "a multicast mask to be provided", tool: toolDSL, op: "copy", look: multicastMask, demand: "a multicast copy takes mcast_mask=, 16 bits with one for each CTA of the cluster that gets the data"},
	{says: "expects num_multicast to be", tool: toolDSL, op: "make_tiled_tma_atom", look: multicastMask, demand: "num_multicast is the number of CTAs that share the tile: 1 without multicast, the extent of the cluster along the other mode with it"},
	{says: "unable to partition input tensors for tma", tool: toolDSL, op: "tma_partition", look: tmaPartition, demand: "mode 0 of both tensors is the tile of one copy, as many elements as the shared layout of the TMA atom: cute.group_modes(t, 0, 2)"},
	{says: "could not partition|tma", tool: toolDSL, op: "tma_partition", look: tmaPartition, demand: "mode 0 of both tensors is the tile of one copy, as many elements as the shared layout of the TMA atom: cute.group_modes(t, 0, 2)"},
	{says: "b aligned, but got|expected a multiple of", tool: toolDSL, op: "make_tiled_tma_atom", look: contiguousMultiple, demand: "the contiguous extent is a multiple of 16 bytes: the other dimensions of a packed tensor then have strides that are"},
	{says: "misaligned operand", tool: toolCutlass, op: "can_implement", look: misalignedOperand, alone: true, demand: "pointers and leading dimensions are multiples of the alignment that the kernel was built with, and of 16 bytes with TMA"},
	{says: "not supported on .target|sm_", tool: "ptxas", op: "target", look: architecture, alone: true, demand: demandArchitecture},
	{says: "without cute_arch_", tool: toolCute, op: "target", look: architecture, alone: true, demand: demandArchitecture},
	{says: "arch conditional mma instruction used without", tool: toolCutlass, op: "target", look: architecture, alone: true, demand: demandArchitecture},
	{says: "failed to find a valid layout", tool: toolTriton, op: "getDescriptor", look: tritonDescriptor, alone: true, demand: "the shared encoding of an operand of wgmma or tcgen05.mma is one that a matrix descriptor says: nvmma_shared, K-major, or M- or N-major of types that the instruction reads so"},
	{says: "tma gather/scatter only supports 2d tensors", tool: toolCute, op: "make_tma_copy", look: frameLayouts, demand: "tiled::gather4 and scatter4 take rows of a tensor of two dimensions, by four indices of rows (PTX ISA, cp.async.bulk.tensor)"},
	{says: "smemlayoutatom must evenly divide tile shape", tool: toolCutlass, op: "CollectiveMma", look: atomDivides, demand: "the atom of shared memory, 8 rows by the bytes of its swizzle, divides the tile in M or N and in K"},
	{says: "mn major layout except for 16bit", tool: toolCutlass, op: "CollectiveBuilder", look: keepKMajor, demand: "wgmma reads only elements of 16 bits M- or N-major out of shared memory (PTX ISA 9.7.15.5.2, imm-trans)"},
}

const demandArchitecture = "wgmma and setmaxnreg are of sm_90a alone, tcgen05 of sm_100a, sm_103a, sm_110a and their families; TMA is of sm_90 and newer"

const (
	reSatisfy   = pattern.Pattern(`(\d+) <= [MN] <= (\d+) and [MN] % (\d+) == 0`)
	reOneOf     = pattern.Pattern(`-mode to be (\d+)(?: or (\d+))?`)
	reGotExtent = pattern.Pattern(`(?i)but got (\d+)`)
	reComposed  = pattern.Pattern(`composed layout instead: (\S+ o \S+ o .*)`)
	reMultiple  = pattern.Pattern(`expected a multiple of (\d+)`)
	reGotNamed  = pattern.Pattern(`but got (\w+)=(\d+)`)
	reTarget    = pattern.Pattern(`(?i)\bsm_?(\d{2,3})(a|f)?\b`)
	reFeature   = pattern.Pattern(`(?i)\b(wgmma|tcgen05|setmaxnreg|tma|cp\.async\.bulk)`)
)

// instructionExtent examines an extent that an instruction does not support.
func instructionExtent(f *failure) {
	text := oneLine(f.m.text + " " + firstLines(f.m.body, 3))
	m := reGotExtent.FindStringSubmatch(text)
	if m == nil {
		f.missing("the extent: the value after 'but got'")
		return
	}
	got, _ := integer(m[1])
	legal, condition := extentRule(text, got)
	if legal == nil {
		return
	}
	f.Condition = condition
	f.Pair = m[1]
	f.nearestExtent(got, legal)
	if strings.Contains(text, "K-mode") {
		f.repair(Repair{Say: "a larger K of the tile is several instructions: cute.gemm goes over them, mode 2 of the partitioned tensors"})
		return
	}
	f.repair(Repair{Say: "the extent of the tile is another one: make_tiled_mma repeats the instruction along M and N, by atom_layout_mnk over warpgroups " +
		"and by the shape of the tile within one; it has to be a multiple"})
}

// extentRule returns which extents a message calls legal, and why got is not legal. If the wording is unknown, legal is
// nil.
func extentRule(text string, got int64) (legal func(int64) bool, condition string) {
	if s := reSatisfy.FindStringSubmatch(text); s != nil {
		low, _ := integer(s[1])
		high, _ := integer(s[2])
		step, _ := integer(s[3])
		condition = fmt.Sprintf("%d is outside %d to %d", got, low, high)
		if got >= low && got <= high && step > 0 {
			condition = fmt.Sprintf("%d mod %d = %d", got, step, got%step)
		}
		return func(n int64) bool { return n >= low && n <= high && step > 0 && n%step == 0 }, condition
	}
	if s := reOneOf.FindStringSubmatch(text); s != nil {
		a, _ := integer(s[1])
		b, _ := integer(s[2])
		condition = strings.TrimSuffix(fmt.Sprintf("%d, and the instruction has %d or %d", got, a, b), " or 0")
		return func(n int64) bool { return n == a || n == b && b > 0 }, condition
	}
	if strings.Contains(text, "8*i") { // the legal extents for integers, as the message states them in words
		return func(n int64) bool { return n == 8 || n == 24 || n > 0 && n <= 256 && n%16 == 0 },
			fmt.Sprintf("%d is neither 8 nor 24, nor a multiple of 16 up to 256", got)
	}
	return nil, ""
}

// nearestExtent offers the nearest legal extents below and above got.
func (f *failure) nearestExtent(got int64, legal func(int64) bool) {
	const most = 512
	var near []string
	for n := min(got, most) - 1; n > 0 && len(near) == 0; n-- {
		if legal(n) {
			near = append(near, fmt.Sprint(n))
		}
	}
	for n := got + 1; got < most && n <= most; n++ {
		if legal(n) {
			near = append(near, fmt.Sprint(n))
			break
		}
	}
	if len(near) > 0 {
		f.repair(Repair{Say: "the nearest: " + strings.Join(near, ", or ")})
	}
}

// swizzleOfPointer examines a layout's swizzle that belongs in the pointer.
func swizzleOfPointer(f *failure) {
	say := "smem.allocate_tensor(TYPE, layout.outer, 1024, layout.inner), or cute.make_tensor(cute.recast_ptr(ptr, layout.inner, TYPE), layout.outer): " +
		"the inner one is the swizzle"
	if m := reComposed.FindStringSubmatch(f.m.text); m != nil {
		l := strings.Replace(m[1], "S<", "Sw<", 1)
		if _, err := f.result(l); err == nil {
			f.operand("layout", l)
			f.Condition = fmt.Sprintf("the swizzle %s is in the layout", strings.SplitN(l, " o ", 2)[0])
		}
	}
	f.repair(Repair{Say: say})
}

// multicastMask explains how a multicast mask is made.
func multicastMask(f *failure) {
	f.repair(Repair{Say: "girih tma GLOBAL --box TILE --type TYPE --multicast A@MxN writes the masks of a cluster of M by N, which CTA loads which slice, and num_multicast"})
	f.repair(Repair{Say: "A goes to the CTAs along N, B to those along M: cute.make_layout_image_mask(cta_layout_mnk, coord, mode=1) for A and 0 for B, " +
		"cpasync.create_tma_multicast_mask(cta_layout_vmnk, coord, mcast_mode=2) for A and 1 for B"})
}

// tmaPartition compares the first modes of the tensors in a text.
func tmaPartition(f *failure) {
	size := map[string]string{}
	for _, it := range reader.Read(f.m.body[:min(len(f.m.body), maxValue)]).Items {
		if it.Fault != "" || it.Name == "" || len(f.Operands) >= 4 {
			continue
		}
		f.operand(it.Name, it.Text)
		l := tensorLayout(it.Text)
		if n, ok := product(modes(shapeOf(l))[0]); ok {
			size[it.Name] = fmt.Sprint(n)
		}
	}
	var names, says []string
	for name := range size {
		names = append(names, name)
	}
	slices.Sort(names)
	differ := false
	for _, name := range names {
		says = append(says, fmt.Sprintf("mode 0 of %s has %s elements", name, size[name]))
		differ = differ || size[name] != size[names[0]]
	}
	if f.Condition = strings.Join(says, ", "); len(says) > 1 && !differ {
		f.Condition += ": both the same, but each has to be all of the tile"
	}
	f.repair(Repair{Say: "cute.group_modes(sA, 0, 2) and cute.group_modes(gA, 0, 2), so that mode 0 is the tile, followed by the stages and the tiles along K; " +
		"cta_coord 0 and cute.make_layout(1) without multicast"})
	f.missing("the layout of the TMA atom (print(tma_atom)), and both tensors as they are passed; girih tma 'GLOBAL' --smem 'SHARED' --type TYPE shows the tile")
}

// contiguousMultiple examines an extent of the contiguous mode that is not a multiple of 16 bytes.
func contiguousMultiple(f *failure) {
	n, got := reMultiple.FindStringSubmatch(f.m.text), reGotNamed.FindStringSubmatch(f.m.text)
	if n == nil || got == nil {
		return
	}
	step, _ := integer(n[1])
	x, _ := integer(got[2])
	if step <= 0 || x <= 0 {
		return
	}
	f.Pair = fmt.Sprintf("%d and %d", x, step)
	f.Condition = fmt.Sprintf("%s = %d: %d mod %d = %d", got[1], x, x, step, x%step)
	f.repair(Repair{Say: fmt.Sprintf("pad %s to %d with zeros: they add nothing to the sums, and rows or columns of the result beyond %d are left out",
		got[1], roundUp(x, step), x)})
}

func misalignedOperand(f *failure) {
	f.missing("the pointers, the leading dimensions and the alignments: problem size, lda, ldb, ldc, ldd, and AlignmentA to D of the kernel")
	f.repair(Repair{Say: "girih align 'SHAPE:STRIDE' --type TYPE --align BYTES --want 128 says which stride breaks the rule: a leading dimension has to be a multiple of " +
		"16 bytes, 8 elements of 16 bits, 16 of 8, 32 of 4"})
	f.repair(Repair{Say: "pad the leading dimension; or build the kernel with a smaller alignment, without TMA: KernelCpAsyncWarpSpecialized with Alignment 1, 2 or 4"})
}

// architecture examines an instruction that the code's target does not have.
func architecture(f *failure) {
	words := strings.ToLower(f.m.text)
	target := "sm_90a"
	feature := ""
	if m := reFeature.FindStringSubmatch(words); m != nil {
		feature = m[1]
	}
	if strings.Contains(words, "tcgen05") || strings.Contains(words, "sm100") || strings.Contains(words, "umma") {
		target = "sm_100a"
	}
	if strings.Contains(words, "sm120") {
		target = "sm_120a"
	}
	if m := reTarget.FindStringSubmatch(words); m != nil && strings.Contains(words, ".target") {
		f.operand("target", "sm_"+m[1]+m[2])
		f.Condition = strings.TrimSpace(fmt.Sprintf("%s is compiled for sm_%s%s, which has it not", feature, m[1], m[2]))
	}
	f.repair(Repair{Say: fmt.Sprintf("compile for %[1]s: -gencode arch=compute_%[2]s,code=%[1]s, -DCUTLASS_NVCC_ARCHS=%[2]s, CUTE_DSL_ARCH=%[1]s; the a is part of it",
		target, strings.TrimPrefix(target, "sm_"))})
}

// tritonDescriptor examines a module's shared encodings for which Triton cannot make a matrix descriptor.
func tritonDescriptor(f *failure) {
	for _, it := range reader.Read(f.m.body[:min(len(f.m.body), maxValue)]).Items {
		f.sharedEncoding(it)
	}
	if f.Condition == "" {
		for _, it := range f.before() {
			f.sharedEncoding(it)
		}
	}
	f.repair(Repair{Say: "load the operand as it is in memory, K-major, and transpose in registers; or convert it to 16 bits before the dot"})
	if f.Condition == "" {
		f.missing("the encodings: the #shared and #mma lines of the module (MLIR_ENABLE_DUMP=1), and the shapes of the memdesc operands of the dot; girih descriptor " +
			"takes their layouts")
	}
}

// before returns the values in the text before the first message.
func (f *failure) before() []reader.Item { return reader.Read(f.m.before).Items }

const (
	reTransposed = pattern.Pattern(`transposed ?= ?true`)
	reElement    = pattern.Pattern(`elementBitWidth ?= ?(\d+)`)
	reWidth      = pattern.Pattern(`swizzlingByteWidth ?= ?(\d+)`)
)

// sharedEncoding examines a shared memory encoding that the instruction cannot read.
func (f *failure) sharedEncoding(it reader.Item) {
	kind, _, _ := strings.Cut(it.Text, "{")
	if kind != "nvmma_shared" && kind != "swizzled_shared" || len(f.Operands) >= 4 {
		return
	}
	f.operand(strings.TrimSpace(it.Name+" encoding"), it.Text)
	bits := int64(16)
	if m := reElement.FindStringSubmatch(it.Text); m != nil {
		bits, _ = integer(m[1])
	}
	switch {
	case f.Condition != "":
	case kind == "swizzled_shared":
		f.Condition = "swizzled_shared swizzles vectors by rows as ldmatrix reads them: no descriptor says that"
	case reTransposed.MatchString(it.Text) && bits != 16:
		f.Condition = fmt.Sprintf("elements of %d bits that are M- or N-major (transposed): wgmma reads only 16-bit elements so (PTX ISA 9.7.15.5.2)",
			bits)
	default:
		if m := reWidth.FindStringSubmatch(it.Text); m != nil && m[1] != "0" {
			f.repair(Repair{Say: fmt.Sprintf("a larger block, if it has fewer than 8 rows, or fewer than %s bytes along its contiguous mode: those are the rows "+
				"that %s swizzles", m[1], it.Text)})
		}
	}
}

// atomDivides examines a tile that a shared memory atom does not divide.
func atomDivides(f *failure) {
	frameLayouts(f)
	f.repair(Repair{Say: "girih descriptor --select MN,K --type TYPE --major K|MN names the widest atom that divides a tile: a BLK_K of 96 elements of 16 bits " +
		"takes Layout_K_SW64_Atom, and one of 128 bytes Layout_K_SW128_Atom"})
	f.missing("the atom and the tile: SmemLayoutAtomA, SmemLayoutAtomB and TileShape_MNK of the backtrace")
}

// keepKMajor offers the repair for operands that must be K-major.
func keepKMajor(f *failure) {
	frameLayouts(f)
	f.repair(Repair{Say: "lay the operand out K-major (TN: A row-major, B column-major); or exchange A and B so that the operand that is not K-major has 16-bit elements"})
}
