package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

// This file implements setmaxnreg, by which warps release and request registers (PTX ISA 9.7.19.5). A block has the
// registers that it was launched with, the same number for each warp. A warp may get registers that another releases.

const (
	fileRegisters = 1 << 16 // registers of a multiprocessor
	mostRegisters = 255     // most registers of a thread at launch
	registerWait  = barriers + 1
)

// registerPool counts the registers of a block.
type registerPool struct {
	total int // 0 if the kernel does not state its number of registers: then setmaxnreg is ignored
	free  int
}

// String says what a path that requests registers waits for.
func (r *registerPool) String() string {
	return fmt.Sprintf("setmaxnreg, while %d registers of the %d of the block are free", lanes*r.free, lanes*r.total)
}

// registersOf returns the number of registers that a thread of the kernel has at launch, or 0 if .maxnreg and
// .minnctapersm do not determine that number.
func (g *grid) registersOf() int {
	decl := g.kernel.decl
	if d, ok := decl.Directive("maxnreg"); ok && len(d.Args) > 0 {
		return int(min(max(d.Args[0], 0), mostRegisters))
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
		if pool := &w.block.pool; pool.total == 0 {
			return advance
		} else if how == "inc" && int(n) < w.registers || how == "dec" && int(n) > w.registers {
			return w.fail(KindArgument, mask, "%d registers, and the warp has %d", n, w.registers)
		}
		return w.setRegisters(int(n))
	}, nil
}

// setRegisters gives n registers to each thread of w, or makes the current path wait for them.
func (w *warp) setRegisters(n int) status {
	pool := &w.block.pool
	if n-w.registers > pool.free {
		w.again()
		w.p.state, w.p.bar = waiting, registerWait
		return blocked
	}
	pool.free -= n - w.registers
	w.registers = n
	w.block.grid.progress++
	w.block.wakeRegisters()
	return advance
}

// again makes the paths in w.peers wait at the current instruction, to execute the instruction again.
func (w *warp) again() {
	for _, q := range w.peers {
		q.pc--
		q.state = meeting
	}
}

// wakeRegisters lets the paths that wait for registers request them again.
func (b *block) wakeRegisters() {
	for _, w := range b.warps {
		for _, p := range w.paths {
			if p.state == waiting && p.bar == registerWait && p.on == nil {
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
		w.block.wakeRegisters()
	}
}
