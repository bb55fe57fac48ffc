package sim

import (
	"fmt"

	"girih/ptx"
)

// This file checks the use of tensor maps that the kernel changes (PTX ISA, membar and fence, .proxy.tensormap). Copies
// read a map through the tensormap proxy, and may use an old version of the map unless
//
//	fence.proxy.tensormap::generic.acquire.SCOPE [map], 128;
//
// comes after the change, whether tensormap.replace, tensormap.cp_fenceproxy or a plain store made the change. The
// fence also counts for the threads that wait at a later barrier. That the change itself comes before the copy is
// checked in the same way as for other bytes.

// A mapFence is a fence.proxy.tensormap::generic.acquire on a tensor map.
type mapFence struct {
	moment
	tick uint32
}

// mapAcquire reads fence.proxy.tensormap::generic.acquire.
func (d *decoder) mapAcquire(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	if o.Operands[1] != ptx.Int(mapBytes) {
		return nil, fmt.Errorf("operand %s: expected %d bytes", o.Operands[1], mapBytes)
	}
	a, err := d.address(o.Operands[0], "")
	if err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		if st := w.needValues(mask, a.at.slot); st != advance {
			return st
		}
		for m := mask; m != 0; m &= m - 1 {
			w.fenceMap(w.addressOf(&a, lowest(m)))
			w.block.grid.explain.fenceMap(w, lowest(m), w.addressOf(&a, lowest(m)))
		}
		return advance
	}, nil
}

// fenceMap records an acquire on the tensor map at an address.
func (w *warp) fenceMap(address uint64) {
	l, g := w.block.grid.log, w.block.grid
	if l == nil {
		return
	}
	list, x := l.maps[address], mapFence{w.event(), g.tick()}
	for i := range list {
		if list[i].team == x.team && list[i].who == x.who {
			list[i] = x
			return
		}
	}
	g.keep(regionBytesOf)
	l.maps[address] = append(list, x)
}

// mayUseMap reports whether a copy of a lane may use the tensor map at an address. If the kernel has changed the map
// without a later fence that acquires it, this is a finding, and the copy may only happen if the run continues.
func (w *warp) mayUseMap(at region, address uint64) bool {
	if !w.keepsLog(at.seg) {
		return true
	}
	changed, writer := uint32(0), uint32(manySites)
	for half := address; half < address+mapBytes; half += mapAlign {
		p, in := w.block.grid.log.page(half, nil), half%logPageBytes
		if p != nil && p.wrote[in/64] != 0 && p.changed[in/mapAlign] > changed {
			changed, writer = p.changed[in/mapAlign], p.writerIn(in)
		}
	}
	if changed == 0 {
		return true
	}
	for _, f := range w.block.grid.log.maps[address] {
		if f.tick > changed && (f.who == w.actor && f.team == w.clock.team || w.knows(f.moment)) {
			return true
		}
	}
	w.failMapFence(at, address, writer)
	return w.goesOn()
}

// writerIn returns the record of an instruction that wrote some of the 64 bytes at in.
func (p *logPage) writerIn(in uint64) uint32 {
	if p.wrote[in/64]&(1<<granuleBytes-1) != 0 {
		return p.writer[in/granuleBytes]
	}
	return p.writer[in/granuleBytes+1]
}

// failMapFence notes the finding that a copy uses a map that the kernel has changed, without a fence since then.
func (w *warp) failMapFence(at region, address uint64, writer uint32) {
	if w.repeats(KindRace, writer) {
		return
	}
	var src *ptx.Instr
	by, g := "the kernel", w.block.grid
	if writer != manySites {
		if src = g.at(writer); src != nil {
			by = fmt.Sprintf("%s at line %s", src.Op, g.lineAt(writer))
		}
	}
	w.fail(KindRace, 1<<at.lane, "uses the tensor map at address 0x%x, which %s has changed: no "+
		"fence.proxy.tensormap::generic.acquire of the map comes between the two (PTX ISA, membar and fence)", address, by)
	w.fault.Address = address
	w.fault.otherAt(src)
}
