package sim

import (
	"fmt"
	"slices"

	"girih/ptx"
	"girih/tmem"
)

// This file implements tcgen05.ld, tcgen05.st and tcgen05.wait (PTX ISA 9.7.16.8). A warp reaches 32 lanes of tensor
// memory. Package tmem defines the thread and the register that hold a column.
//
// A load gives the registers their values at once. The PTX ISA respects the dependence of an instruction on a loaded
// register even without tcgen05.wait::ld (9.7.16.6.4.5), so to use a register early is no fault, and a load has
// completed when each lane has used one of its registers: CuTe's tutorials and the kernels of CUTLASS deallocate after
// that. Until then, and without a wait, the cells may not be written or deallocated (CUTLASS, pull request 3652).

// A tensorMove is one tcgen05.ld or tcgen05.st.
type tensorMove struct {
	access tmem.Access
	at     access
	regs   []int
	cells  []int32 // by register, then thread, then half of a packed register: the cell, relative to the address
	halves int     // cells of a register: 1 or, packed, 2
	runs   []tensorRun
	reduce func(x, y uint64) uint64 // of .red, else nil
	result int                      // slot of redVal
}

// missingLoad is the wait that a tcgen05.ld lacks.
const missingLoad = "tcgen05.wait::ld"

func (d *decoder) tensorMove(o *opcode) (step, error) {
	u, err := d.newTensorMove(o)
	if err != nil {
		return nil, err
	}
	a, r := u.access, d.reader(o)
	split := func() {
		if a.Shape != "16x32bx2" {
			return
		}
		c, ok := r.ops.next().(ptx.Int)
		if u.access.Split = int64(c); !ok || c < 0 || c >= tmem.Columns {
			r.fail("expected immHalfSplitoff, a number of columns")
		}
	}
	if a.Store {
		u.at = r.address("")
		split()
		u.regs = r.srcs(ptx.B32)
	} else {
		u.regs = r.dsts()
		watched := u.regs
		if u.reduce != nil {
			u.result = r.dst()
			watched = append(slices.Clip(watched), u.result)
		}
		u.at = r.address("")
		split()
		d.wgmmas.loads(watched)
	}
	if n := int(a.Registers()); r.err == nil && len(u.regs) != n {
		r.fail("%d registers, expected %d", len(u.regs), n)
	}
	if r.err == nil {
		r.err = u.place()
	}
	return r.end(u.step)
}

// newTensorMove reads the opcode. A tcgen05.ld.red also reduces the registers of each thread (PTX ISA 9.7.16.8.3).
func (d *decoder) newTensorMove(o *opcode) (u *tensorMove, err error) {
	u = &tensorMove{halves: 1}
	words := string(o.Op)
	if o.has("red") {
		if err := d.needsTarget(o, "sm_101", "sm_103", "sm_110"); err != nil {
			return nil, err
		}
		if !o.Op.Has("32x32b") {
			return nil, fmt.Errorf("the instruction %s is not known: the PTX ISA does not say whether .red reduces both halves of a lane together",
				o.Op)
		}
		t := o.typ()
		if u.reduce, err = o.reductionOf(t); err != nil {
			return nil, err
		}
		if o.Op.Has("x1") || !o.Op.Has("min") && !o.Op.Has("max") || t.Bits() != 32 {
			return nil, fmt.Errorf("expected .x2 or more, .min or .max, and .u32, .s32 or .f32")
		}
		words = "tcgen05.ld.sync.aligned"
		for _, m := range o.mods {
			if m == "32x32b" || len(m) > 1 && m[0] == 'x' {
				words += "." + m
			}
		}
	}
	u.access, err = tmem.ParseAccess(words)
	o.useAll()
	return u, err
}

// place finds the cells of the registers.
func (u *tensorMove) place() error {
	bits := int64(tmem.ColumnBits)
	if u.access.Packed {
		bits, u.halves = 16, 2
	}
	l, err := u.access.ThreadValue(bits)
	if err != nil {
		return err
	}
	offsets, err := l.AppendOffsets(nil) // the thread is the fastest mode
	if err != nil {
		return err
	}
	u.cells = make([]int32, len(offsets))
	for i, at := range offsets {
		cell := int32(cellOf(at, bits))
		if half := int32(u.access.Columns()) / 2 * 4; u.access.Shape == "16x32bx2" && u.access.Split == 0 &&
			cell%(4*tmem.Columns) >= half {
			cell -= half // package tmem puts the second half after the first one, PTX puts it at the address
		}
		u.cells[(i/lanes/u.halves*lanes+i%lanes)*u.halves+i/lanes%u.halves] = cell
	}
	u.runs = tensorRuns(u.cells)
	return nil
}

// cellOf returns the offset of the cell that contains an element, for a layout of package tmem that counts elements of
// a width in bits.
func cellOf(offset, bits int64) uint64 {
	lane := int64(1<<16) * tmem.ColumnBits / bits
	return cellOffset(int(offset/lane), int(offset%lane*bits/tmem.ColumnBits))
}

func (u *tensorMove) step(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	x, ok := w.uniform(u.at.at.slot, all)
	if !ok {
		return failed
	}
	t, use := w.block.tensor(), tensorAccess{at: tmem.Address(uint32(x) + uint32(u.at.at.offset)), what: "reads"}
	first, last := int(use.at.Lane()), int(use.at.Lane()+u.access.Lanes())-1
	if own := w.id % warpgroup * lanes; first < own || last >= own+lanes {
		return w.fail(KindTensor, all, "accesses the lanes %d to %d of tensor memory, and warp %d of a block reaches the lanes %d to %d (PTX ISA 9.7.16.8.1)",
			first, last, w.id, own, own+lanes-1)
	}
	regs := u.regs
	if u.reduce != nil {
		regs = append(slices.Clip(regs), u.result)
	}
	o := &operation{missing: missingLoad, tmem: &tensorOp{regs: regs}}
	into := &o.reads
	if u.access.Store {
		o.missing, into, use.what = "tcgen05.wait::st", &o.writes, "writes"
	}
	var st status
	if *into, st = use.regions(w, t, u.runs); st != advance {
		return st
	}
	if st := w.begin(o, all); st != advance {
		return st
	}
	w.moves = append(w.moves, o)
	base := int(cellOffset(first, int(use.at.Column())))
	for i, s := range u.regs {
		cells := u.cells[i*lanes*u.halves : (i+1)*lanes*u.halves]
		if u.access.Store {
			u.store(w, s, base, cells)
		} else {
			u.load(w, s, base, cells)
		}
	}
	if u.reduce != nil {
		u.reduceLoaded(w)
	}
	w.block.grid.recorder().tensorMove(w, u, base)
	return advance
}

// reduceLoaded reduces the registers of each thread.
func (u *tensorMove) reduceLoaded(w *warp) {
	f := w.f
	for lane := range lanes {
		v := f.regs[u.regs[0]][lane]
		for _, s := range u.regs[1:] {
			v = u.reduce(v, f.regs[s][lane])
		}
		f.regs[u.result][lane] = v
	}
	f.taint(u.result, w.p.pc, all, u.regs...)
}

// load reads a register. A cell that nobody wrote leaves the register of its thread without a value.
func (u *tensorMove) load(w *warp, slot, base int, cells []int32) {
	f, seg, bits := w.f, &w.block.tmem.seg, tmem.ColumnBits/u.halves
	f.def[slot] = all
	delete(f.why, slot)
	for lane := range lanes {
		v := uint64(0)
		for h := range u.halves {
			off := uint64(base + int(cells[lane*u.halves+h]))
			if !seg.isDefined(off, 4) {
				if f.def[slot] == all {
					if f.why == nil {
						f.why = map[int]origin{}
					}
					f.why[slot] = origin{slot, w.p.pc, w.lost(seg, off, reading{lane, 4})}
				}
				f.def[slot] &^= 1 << lane
			}
			v |= seg.read(off, 4) & ones(bits) << (h * bits)
		}
		f.regs[slot][lane] = v
	}
}

// store writes a register. A register without a value leaves its cells without one.
func (u *tensorMove) store(w *warp, slot, base int, cells []int32) {
	f, seg, bits := w.f, &w.block.tmem.seg, tmem.ColumnBits/u.halves
	for lane := range lanes {
		for h := range u.halves {
			off := uint64(base + int(cells[lane*u.halves+h]))
			seg.write(off, 4, f.regs[slot][lane]>>(h*bits)&ones(bits))
			if f.def[slot]>>lane&1 == 1 {
				seg.define(off, 4)
			} else {
				seg.lose(off, 4, f.why[slot].load)
			}
		}
	}
}

// tensorWait reads tcgen05.wait, after which the loads or stores of the warp have completed.
func tensorWait(o *opcode, kind string) (step, error) {
	if err := o.needAligned(); err != nil {
		return nil, err
	}
	missing := "tcgen05." + kind
	return func(w *warp, mask uint32) status {
		if st := w.whole(mask); st != advance {
			return st
		}
		n := 0
		for _, x := range w.moves {
			if x.missing == missing {
				x.land(w.event())
			} else {
				w.moves[n] = x
				n++
			}
		}
		clear(w.moves[n:])
		w.moves = w.moves[:n]
		return advance
	}, o.need(0, 0)
}

// loads records the registers that a tcgen05.ld writes.
func (u *wgmmaUses) loads(slots []int) {
	if u.loaded == nil {
		u.loaded = map[int]bool{}
	}
	for _, s := range slots {
		u.loaded[s] = true
	}
}

// watchLoads wraps the instructions that read registers which tcgen05.ld writes.
func (f *function) watchLoads(u *wgmmaUses) {
	for pc, x := range u.used {
		for _, s := range x.reads {
			if u.loaded[s] {
				f.code[pc].do = dependent{x.reads, f.code[pc].do}.run
				break
			}
		}
	}
}

// dependent is an instruction that reads registers which a tcgen05.ld writes.
type dependent struct {
	reads []int
	do    step
}

func (d dependent) run(w *warp, mask uint32) status {
	n := 0
	for _, o := range w.moves {
		if o.missing == missingLoad && o.tmem.loads(d.reads) {
			if o.tmem.used |= mask; o.tmem.used == all {
				o.land(w.event())
				continue
			}
		}
		w.moves[n] = o
		n++
	}
	w.moves = w.moves[:n]
	return d.do(w, mask)
}

// loads reports whether a tcgen05.ld writes one of some registers.
func (o *tensorOp) loads(slots []int) bool {
	for _, s := range slots {
		if slices.Contains(o.regs, s) {
			return true
		}
	}
	return false
}

// tensorOperand returns the address in a lane of an instruction that one thread issues.
func (w *warp) tensorOperand(a *access, lane int) tmem.Address {
	return tmem.Address(w.addressOf(a, lane))
}
