package diagnose

import (
	"fmt"
	"strings"

	"girih/internal/pattern"
)

// wgmmaRules are ptxas's messages that wgmma does not run asynchronously (C7509 to C7520), each with the rule of the
// PTX ISA (9.7.15.7.1, wgmma.fence; 9.7.15.5, registers of wgmma.mma_async). The messages are found by their words,
// because their numbers have changed between versions of ptxas.
var wgmmaRules = ruleList{
	{says: "instructions are serialized due to", tool: "ptxas", op: "wgmma.mma_async", look: serialWgmma, alone: true, demand: demandPipeline},
	{says: "warpgroup.wait is injected", tool: "ptxas", op: "wgmma.wait_group", look: injectedSync, alone: true, demand: "a wgmma.wait_group is needed before the first access to the registers of a wgmma (PTX ISA 9.7.15.7.3)"},
	{says: "warpgroup.arrive is injected", tool: "ptxas", op: "wgmma.fence", look: injectedSync, alone: true, demand: "a wgmma.fence is needed before the first wgmma, and before each wgmma that reads registers that other instructions wrote (PTX ISA 9.7.15.7.1)"},
}

const demandPipeline = "from wgmma.fence to wgmma.wait_group nothing else touches the registers of the accumulators and of an A in registers, " +
	"and ptxas can see that: no calls, no branches that threads take differently (PTX ISA 9.7.15.7.1)"

// A serialization is one reason why ptxas serializes wgmma.
type serialization struct {
	says, fails, repair string
}

var serializations = []serialization{
	{
		"defining accumulator registers", "other instructions write the accumulators between wgmma.fence and wgmma.wait_group: clearing or scaling them, a copy into them, or moves that come of an array whose indices are not known when compiling",
		"clear with the first wgmma instead (tiled_mma.accumulate_ = GMMA::ScaleOut::Zero, scale-d = 0), scale after warpgroup_wait<0>(), and unroll the loops so that every index of a fragment is a constant; then warpgroup_fence_operand(accum), warpgroup_arrive()",
	},
	{
		"reading accumulator registers", "other instructions read the accumulators before wgmma.wait_group",
		"warpgroup_wait<0>() before the first read, warpgroup_fence_operand(accum) after it, and indices of the fragment that are constants: a move of registers is a read too",
	},
	{
		"defining input registers", "other instructions write the registers of A, or of a descriptor, between wgmma.fence and wgmma.wait_group",
		"load all of A before warpgroup_arrive(), with as many registers as wgmma in flight, or warpgroup_wait<0>() before the registers are written again",
	},
	{
		"crossing function boundary", "wgmma are in flight where a function is called that is not inlined",
		"__forceinline__ for the function that holds the fragments, or for the functions called between warpgroup_arrive() and warpgroup_wait<0>(); recursion, function pointers and printf keep a call",
	},
	{
		"extern calls", "a function that ptxas does not see is called between wgmma.fence and wgmma.wait_group: printf, assert and device functions of other files are such",
		"take printf and assert out of the loop, or compile what is called in the same file, inlined",
	},
	{
		"register resources", "the accumulators and what else is alive do not fit the registers of a thread, 255 at most",
		"a smaller tile, or more warpgroups for it (the cooperative schedule gives each of two half of the tile); register reconfiguration (cutlass::arch::warpgroup_reg_alloc<232>) for the consumers, and no maxrregcount below that",
	},
	{
		"ill formed pipeline", "on some path through the code wgmma.fence, commit_group and wait_group are not around the wgmma in this order",
		"one warpgroup_arrive(), the wgmma, warpgroup_commit_batch() and warpgroup_wait<N>() on every way, with no branch between that threads may take differently",
	},
	{
		"divergent path", "a fence or a wait is missing where threads of a warpgroup may go different ways",
		"write the fence (warpgroup_arrive()) and the wait (warpgroup_wait<0>()) yourself, where all 128 threads pass; conditions that are the same for the warpgroup as cutlass::canonical_warp_group_idx(), which ptxas sees",
	},
}

const reTileName = pattern.Pattern(`_(\d{2,3})x(\d{2,3})x(\d{2,3})_\d+x\d+x\d+_`)

// serialWgmma examines wgmma instructions that wait for each other.
func serialWgmma(f *failure) {
	words := strings.ToLower(oneLine(f.m.text + " " + firstLines(f.m.body, 4)))
	for _, s := range serializations {
		if strings.Contains(words, s.says) {
			f.Condition = s.fails
			f.repair(Repair{Say: s.repair})
			if s.says == "register resources" {
				f.accumulators(words)
			}
			f.repair(Repair{Say: "left as it is the result is right, but each wgmma waits for the one before it; girih sim KERNEL.ptx --run RUN.json shows where a fence or a wait is missing"})
			return
		}
	}
	f.missing("the rest of the message: what the instructions are serialized due to")
}

// accumulators adds the accumulator registers of the tile in a CUTLASS kernel's name.
func (f *failure) accumulators(words string) {
	m := reTileName.FindStringSubmatch(words)
	if m == nil {
		f.missing("the tile: its accumulators of 32 bits take M * N / 128 registers of each thread of a warpgroup, half of that with two warpgroups")
		return
	}
	rows, _ := integer(m[1])
	columns, _ := integer(m[2])
	f.operand("tile", fmt.Sprintf("%sx%sx%s", m[1], m[2], m[3]))
	n := rows * columns / 128
	f.Pair = fmt.Sprintf("%d and 255", n)
	f.Condition += fmt.Sprintf(": accumulators of 32 bits are %d * %d / 128 = %d registers for one warpgroup, %d for each of two",
		rows, columns, n, n/2)
}

// injectedSync examines a fence or a wait that ptxas has added.
func injectedSync(f *failure) {
	f.Condition = "ptxas found none there and has put one in: the result is right, but it waits earlier than needed"
	f.repair(Repair{Say: "write it where it belongs: warpgroup_arrive() before the wgmma of a k block, warpgroup_wait<N>() as late as the accumulators, or the stage, are needed"})
}
