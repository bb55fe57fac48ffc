package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

// This file implements setmaxnreg, by which warps release and request registers (PTX ISA 9.7.19.5). A block has the
// registers with which it was launched, the same number for each warp. A warp may get registers that another warp
// releases. All four warps of a warpgroup must execute each setmaxnreg, and must meet before the next one.

const (
	fileRegisters = 1 << 16 // registers of a multiprocessor
	mostRegisters = 256     // most registers of a thread at launch: it uses 255, and gets a multiple of 8
	registerWait  = barriers + 1
)

// registerPool counts the registers of a block.
type registerPool struct {
	total int // 0 if neither the kernel nor the launch states the number of registers; setmaxnreg is then ignored
	free  int
}

// A registerChange is one setmaxnreg that a warp has executed.
type registerChange struct {
	in   *instr
	inc  bool
	n    int
	when moment
}

// is reports whether two warps may execute these changes together.
func (a registerChange) is(b registerChange) bool { return a.inc == b.inc && a.n == b.n }

// String writes the change as in PTX.
func (a registerChange) String() string {
	if a.inc {
		return fmt.Sprintf("setmaxnreg.inc %d", a.n)
	}
	return fmt.Sprintf("setmaxnreg.dec %d", a.n)
}

// String says what a path that requests registers waits for.
func (r *registerPool) String() string {
	return fmt.Sprintf("setmaxnreg, while %d registers of the %d of the block are free", lanes*r.free, lanes*r.total)
}

// registersOf returns the number of registers that a thread of the kernel has at launch, or 0 if neither the launch nor
// .maxnreg and .minnctapersm determine that number.
func (g *grid) registersOf() int {
	decl := g.kernel.decl
	if g.registers > 0 {
		return int(up(int64(g.registers), 8)) // warps get registers in units of 256
	}
	if d, ok := decl.Directive("maxnreg"); ok && len(d.Args) > 0 {
		return int(up(min(max(d.Args[0], 0), mostRegisters), 8))
	}
	d, ok := decl.Directive("minnctapersm")
	if !ok || len(d.Args) == 0 || d.Args[0] < 1 {
		return 0
	}
	t, ok := decl.Directive("maxntid")
	if !ok {
		if t, ok = decl.Directive("reqntid"); !ok {
			return 0
		}
	}
	threads := int64(1)
	for _, n := range t.Args {
		threads *= max(n, 1)
	}
	return int(min(fileRegisters/max(threads, 1)/d.Args[0]/8*8, mostRegisters))
}

// setMaxRegisters reads setmaxnreg.
func (d *decoder) setMaxRegisters(o *opcode) (step, error) {
	o.types()
	if !o.has("sync") || !o.has("aligned") {
		return nil, fmt.Errorf("expected .sync and .aligned")
	}
	how := o.one("inc", "dec")
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	n, ok := o.Operands[0].(ptx.Int)
	if !ok || how == "" || n < 24 || n > 256 || n%8 != 0 {
		return nil, fmt.Errorf("%s registers: expected a multiple of 8 from 24 to 256", o.Operands[0])
	}
	return func(w *warp, mask uint32) status {
		if _, st := w.alignedLanes(mask); st != advance {
			return st
		}
		return w.changeRegisters(registerChange{in: w.instr(), inc: how == "inc", n: int(n)}, mask)
	}, nil
}

// changeRegisters executes a setmaxnreg.
func (w *warp) changeRegisters(x registerChange, mask uint32) status {
	if st := w.agreeOnRegisters(x); st != advance {
		return st
	}
	switch pool := &w.block.pool; {
	case pool.total == 0:
		w.block.grid.note(x.in, w.block, "setmaxnreg may have no effect, and is ignored here: neither .maxnreg nor "+
			".minnctapersm with .maxntid or .reqntid says how many registers a thread begins with (PTX ISA, setmaxnreg; ptxas "+
			"says C7508 if it ignores it); the field registers of a run states the number")
	case x.inc && x.n < w.registers || !x.inc && x.n > w.registers:
		return w.fail(KindArgument, mask, "%d registers, and the warp has %d", x.n, w.registers)
	default:
		if st := w.setRegisters(x.n); st != advance {
			return st
		}
	}
	x.when = w.event()
	w.changes = append(w.changes, x)
	return advance
}

// agreeOnRegisters checks that the other warps of the warpgroup can also execute setmaxnreg x. The warps must meet
// between two setmaxnreg. Kernels of Triton do not meet before a second setmaxnreg with the same number, which changes
// nothing and is therefore accepted.
func (w *warp) agreeOnRegisters(x registerChange) status {
	k := len(w.changes)
	again := k > 0 && w.changes[k-1].n == x.n && !w.block.grid.strict
	for _, v := range w.warpgroup() {
		switch n := len(v.changes); {
		case n > k && !v.changes[k].is(x):
			return w.fail(KindDivergent, all, "warp %d of the same warpgroup has executed %v at line %s here: all warps of a "+
				"warpgroup execute the same setmaxnreg (PTX ISA, setmaxnreg)",
				v.id, v.changes[k], w.block.grid.program.line(v.changes[k].in))
		case again:
		case n < k && v.live != 0, n >= k && k > 0 && v != w && !w.knows(v.changes[k-1].when):
			return w.fail(KindDivergent, all, "warp %d may not have executed the %v at line %s yet: the warps of a warpgroup "+
				"have to synchronize before the next setmaxnreg (PTX ISA, setmaxnreg)",
				v.id, w.changes[k-1], w.block.grid.program.line(w.changes[k-1].in))
		}
	}
	for _, v := range w.warpgroup() {
		if v.live == 0 && len(v.changes) <= k {
			return w.failMissedChange(v, w, x)
		}
	}
	return advance
}

// warpgroup returns the warps of the warpgroup of w.
func (w *warp) warpgroup() []*warp {
	first := w.id / warpgroup * warpgroup
	return w.block.warps[first:min(first+warpgroup, len(w.block.warps))]
}

// leaveRegisters checks whether w, which ends, has executed each setmaxnreg that another warp of its warpgroup has
// executed. It returns false if not.
func (w *warp) leaveRegisters() bool {
	k := len(w.changes)
	for _, v := range w.warpgroup() {
		if len(v.changes) > k {
			w.failMissedChange(w, v, v.changes[k])
			return false
		}
	}
	return true
}

// failMissedChange notes the finding that warp less has ended without setmaxnreg x, which warp more of the same
// warpgroup executes.
func (w *warp) failMissedChange(less, more *warp, x registerChange) status {
	program := w.block.grid.program
	w.fail(KindDivergent, all, "warp %d has ended without the %v at line %s, which warp %d of the same warpgroup executes: "+
		"all warps of a warpgroup have to (PTX ISA, setmaxnreg)", less.id, x, program.line(x.in), more.id)
	w.fault.Pos, w.fault.Op, w.fault.Source = x.in.src.Pos, x.in.src.Op, program.source(x.in.loc)
	return failed
}

// setRegisters gives n registers to each thread of w, or makes the current path wait for them.
func (w *warp) setRegisters(n int) status {
	if o := w.block.grid.orders; o != nil {
		o.touch(w.block.place(barriers), alters)
	}
	pool := &w.block.pool
	if n-w.registers > pool.free {
		w.again()
		w.p.state, w.p.bar = waiting, registerWait
		return blocked
	}
	pool.free -= n - w.registers
	w.registers = n
	w.block.grid.progress++
	w.block.wake(registerWait)
	return advance
}

// again makes the paths in w.peers wait at the current instruction, to execute the instruction again.
func (w *warp) again() {
	for _, q := range w.peers {
		q.pc--
		q.state = meeting
	}
}

// wake lets the paths that wait for something from a pool, registerWait or tensorPool, request it again.
func (b *block) wake(pool int) {
	for _, w := range b.warps {
		for _, p := range w.paths {
			if p.state == waiting && p.bar == pool && p.on == nil {
				p.state = running
			}
		}
	}
}

// giveBack releases the registers of a warp whose threads have exited.
func (w *warp) giveBack() {
	if w.block.pool.total > 0 && bits.OnesCount32(w.live) == 0 {
		w.block.pool.free += w.registers
		w.registers = 0
		w.block.wake(registerWait)
	}
}
