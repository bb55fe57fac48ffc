package vectors

import (
	"fmt"
	"slices"

	"girih/f2"
	"girih/linear"
)

// This file checks girih against the section bank_conflicts of linear_layout_cases.json: how many wavefronts beyond the
// first an access to shared memory needs. Wavefronts are counted word by word, for every warp and instruction, from the
// layouts alone.

// wordBits is the width of a bank.
const wordBits = 32

// runBankConflicts runs a row. A row is documented if only Triton's formula gives the recorded number. The formula is
// an estimate for instructions that move less than a word.
func runBankConflicts(row linearRow) outcome {
	var c struct {
		Shape            []int64
		Bitwidth         int64
		NumBanks         int64
		LaneAddr         []int
		Register, Shared encodingJSON
		Want             int64
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	regs, err := c.Register.layout(c.Shape)
	var shared linear.Layout
	if err == nil {
		shared, err = c.Shared.layout(c.Shape)
	}
	a := access{bits: c.Bitwidth, banks: c.NumBanks}
	if err == nil {
		err = a.find(regs, shared, c.LaneAddr)
	}
	if err != nil {
		return row.mismatch(err.Error(), fmt.Sprint(c.Want), "girih refuses")
	}
	got := a.extraWavefronts()
	switch {
	case got == c.Want:
		return pass()
	case a.vec*a.bits < wordBits && a.estimate() == c.Want:
		return outcome{
			verdict: documented, kind: conflictEstimate, by: "Triton", expr: row.ID,
			got: fmt.Sprint(got), want: fmt.Sprint(c.Want),
		}
	}
	return row.mismatch(fmt.Sprint(got), fmt.Sprint(c.Want), "another number of wavefronts")
}

// An access is a register layout in terms of offsets in elements: offsets[r][lane + warp * lanes] for register r.
// Registers that hold copies are left out.
type access struct {
	offsets      [][]int64
	lanes, warps int64
	bits, banks  int64 // the width of an element, the number of banks
	vec          int64 // elements per instruction; registers lists the first register of each instruction
	registers    []int
	phase        int64 // the bits of the lane index that vary within a wavefront
}

// find fills in a for a register layout that accesses a shared layout. An instruction moves up to 128 bits of elements
// that are consecutive in both layouts. A wavefront consists of as many consecutive lanes as the banks can serve or, if
// laneAddr lists lane bits, of the lanes that differ only in these bits.
func (a *access) find(regs, shared linear.Layout, laneAddr []int) (err error) {
	if a.bits < 1 || a.bits > 128 || a.banks < 1 {
		return fmt.Errorf("expected elements of 1 to 128 bits and a bank, found %d bits and %d banks", a.bits, a.banks)
	}
	if a.offsets, err = offsetsOf(regs, shared); err != nil {
		return err
	}
	a.lanes, a.warps = regs.InSize("lane"), regs.InSize("warp")
	a.vectorise(128 / a.bits)
	if len(laneAddr) == 0 {
		a.phase = max(1, min(a.banks/max(1, a.vec*a.bits/wordBits), a.lanes)) - 1
	}
	for _, bit := range laneAddr {
		a.phase |= 1 << bit
	}
	return nil
}

// offsetsOf returns, for every register of every thread of block 0, the smallest offset that holds the register's
// element.
func offsetsOf(regs, shared linear.Layout) ([][]int64, error) {
	where := make(map[string]int64)
	for o := shared.InSize("offset") - 1; o >= 0; o-- {
		at, err := shared.At(o, 0)
		if err != nil {
			return nil, err
		}
		where[fmt.Sprint(at)] = o
	}
	var moving int64 // register bits with a nonzero basis; the others only select copies
	for k, b := range regs.Bases()[0].Bases {
		if slices.ContainsFunc(b, func(x int64) bool { return x != 0 }) {
			moving |= 1 << k
		}
	}
	lanes := regs.InSize("lane")
	var offsets [][]int64
	for r := range regs.InSize("register") {
		if r&^moving != 0 {
			continue
		}
		list := make([]int64, lanes*regs.InSize("warp"))
		for thread := range list {
			at, err := regs.At(r, int64(thread)%lanes, int64(thread)/lanes, 0)
			if err != nil {
				return nil, err
			}
			o, ok := where[fmt.Sprint(at)]
			if !ok {
				return nil, fmt.Errorf("no offset holds the element %v", at)
			}
			list[thread] = o
		}
		offsets = append(offsets, list)
	}
	return offsets, nil
}

// vectorise finds the largest power of two, up to most, such that every thread holds runs of that many elements at
// consecutive offsets, each run aligned to its length. It also finds the first register of every run.
func (a *access) vectorise(most int64) {
	for a.vec = most; ; a.vec /= 2 {
		if a.registers = a.runs(a.vec); a.registers != nil {
			return
		}
	}
}

// runs returns the first register of every run of vec elements, or nil if the registers cannot be divided into such
// runs.
func (a *access) runs(vec int64) []int {
	var starts []int
	for r, list := range a.offsets {
		if list[0]%vec == 0 {
			starts = append(starts, r)
		}
	}
	if int64(len(starts))*vec != int64(len(a.offsets)) {
		return nil
	}
	for _, r := range starts {
		for x := range vec {
			if !slices.ContainsFunc(a.offsets, func(list []int64) bool { return follows(a.offsets[r], list, x, vec) }) {
				return nil
			}
		}
	}
	return starts
}

// follows reports whether, in every thread, a register is x elements after the aligned first register of a run.
func follows(first, list []int64, x, vec int64) bool {
	for thread, o := range list {
		if first[thread]%vec != 0 || o != first[thread]+x {
			return false
		}
	}
	return true
}

// extraWavefronts returns the largest number of distinct words in one bank, minus one, over all wavefronts of all
// instructions.
func (a *access) extraWavefronts() int64 {
	var most int64
	for warp := range a.warps {
		for _, r := range a.registers {
			for first := range a.lanes {
				if first&a.phase == 0 {
					most = max(most, a.words(r, first, warp))
				}
			}
		}
	}
	return most - 1
}

// words returns the largest number of distinct words in one bank for the wavefront whose first lane is first.
func (a *access) words(r int, first, warp int64) int64 {
	perBank := make(map[int64]map[int64]bool)
	most := 0
	for lane := range a.lanes {
		if lane&^a.phase != first {
			continue
		}
		from := a.offsets[r][lane+warp*a.lanes] * a.bits
		for word := from / wordBits; word*wordBits < from+a.vec*a.bits; word++ {
			bank := word % a.banks
			if perBank[bank] == nil {
				perBank[bank] = make(map[int64]bool)
			}
			perBank[bank][word] = true
			most = max(most, len(perBank[bank]))
		}
	}
	return int64(most)
}

// estimate returns the result of Triton's formula, 2^d - 1. d is the dimension of the intersection of two spaces: the
// span of the lanes' offsets, and the offset bits above the banks. The formula ignores that elements may share a word.
func (a *access) estimate() int64 {
	var lanes, above []f2.Vector
	for bit := int64(1); bit < a.lanes; bit *= 2 {
		if bit&a.phase != 0 {
			lanes = append(lanes, f2.Vector(a.offsets[a.registers[0]][bit]^a.offsets[a.registers[0]][0]))
		}
	}
	for bit := uint64(a.banks * wordBits / a.bits); bit != 0; bit *= 2 {
		above = append(above, f2.Vector(bit))
	}
	return 1<<f2.Span(lanes...).Intersection(f2.Span(above...)).Dim() - 1
}
