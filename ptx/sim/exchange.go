package sim

// This file executes a collective for a group of lanes that have met. In most cases, they are at one instruction, and
// its operands are in one frame. Otherwise the operands are copied to a frame of the warp, and the results from there.

// slots are the operands of a collective: registers and predicates by number, -1 for an operand that it does not
// have.
type slots struct {
	dst, a, b, c int
	p, q         int    // the predicate that is written, and the predicate that is read
	not          uint32 // all ones if q is negated
}

// noOperands has no operand.
var noOperands = slots{-1, -1, -1, -1, -1, -1, 0}

// copied are the operands in the frame to which they are copied.
var copied = slots{dst: 0, a: 1, b: 2, c: 3, p: 1, q: 2}

// An exchange executes a collective for the lanes of mask, with the operands x in f. All operands have values, except
// possibly a of a shfl.
type exchange func(w *warp, f *frame, x *slots, mask uint32)

// exchange executes the collective of the current path for the lanes of group, whose membermask is v. The lanes are at
// this instruction, or at other instructions where they meet the current path.
func (w *warp) exchange(group, v uint32) status {
	c := w.p.sync
	gone, apart := uint32(0), false
	for _, q := range w.paths {
		if w.lanesAt(q)&group != 0 {
			gone |= q.freed
			apart = apart || q.sync != c || q.frame != w.f
		}
	}
	if gone &= v &^ w.live; c.reads && gone != 0 {
		return w.fail(KindDivergent, group&w.p.at, "the membermask has lanes 0x%08x, which have gone past it and exited", gone)
	}
	w.spun = 0
	if apart {
		w.exchangeCopies(group)
	} else {
		c.do(w, w.f, &c.x, group)
	}
	return advance
}

// exchangeCopies executes the collective of the current path for the lanes of group, which are at several instructions
// or in several calls.
func (w *warp) exchangeCopies(group uint32) {
	f := w.copyFrame()
	for _, q := range w.paths {
		if mask := w.lanesAt(q) & group; mask != 0 {
			w.collect(f, q, mask)
		}
	}
	w.p.sync.do(w, f, &copied, group)
	for _, q := range w.paths {
		if mask := w.lanesAt(q) & group; mask != 0 {
			q.deliver(f, mask)
		}
	}
}

// copyFrame returns the frame for copies of operands, without values.
func (w *warp) copyFrame() *frame {
	f := w.apart
	if f == nil {
		w.block.grid.keep(4 * registerBytes)
		f = &frame{regs: make([]vector, 4), def: make([]uint32, 4), pred: make([]uint32, 3), pdef: make([]uint32, 3)}
		w.apart = f
	}
	clear(f.def)
	clear(f.pred)
	return f
}

// collect copies the operands of the lanes of mask, which are at q, to f.
func (w *warp) collect(f *frame, q *path, mask uint32) {
	from, x := q.frame, &q.sync.x
	for _, s := range [...]struct{ to, slot int }{{copied.a, x.a}, {copied.b, x.b}, {copied.c, x.c}} {
		if s.slot < 0 {
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			f.regs[s.to][lowest(m)] = from.regs[s.slot][lowest(m)]
		}
		f.def[s.to] |= from.def[s.slot] & mask
	}
	if x.q >= 0 {
		f.pred[copied.q] |= (from.pred[x.q] ^ x.not) & mask
	}
	if x.a >= 0 && mask&^from.def[x.a] != 0 {
		f.because(copied.a, origin{load: w.lackOf(q, x.a, mask)})
	}
}

// lackOf returns the finding about a register of q that has no value in some lanes of mask. It is reported if the value
// is used.
func (w *warp) lackOf(q *path, slot int, mask uint32) *Finding {
	if load := q.frame.why[slot].load; load != nil {
		return load
	}
	p := w.p
	w.p, w.f = q, q.frame
	w.failUndefined(mask, slot)
	load := w.fault
	w.p, w.f, w.fault, w.lack = p, p.frame, nil, lack{}
	return load
}

// deliver copies the results of the lanes of mask, which are at p, from f.
func (p *path) deliver(f *frame, mask uint32) {
	to, x := p.frame, &p.sync.x
	if x.dst >= 0 {
		for m := mask; m != 0; m &= m - 1 {
			to.regs[x.dst][lowest(m)] = f.regs[copied.dst][lowest(m)]
		}
		to.def[x.dst] = to.def[x.dst]&^mask | f.def[copied.dst]&mask
		if mask&^f.def[copied.dst] != 0 {
			to.because(x.dst, origin{x.dst, p.pc, f.why[copied.dst].load})
		}
	}
	if x.p >= 0 {
		to.setPredicate(x.p, mask, f.pred[copied.p])
	}
}

// pathOf returns the path of a lane that executes the current collective.
func (w *warp) pathOf(lane int) *path {
	for _, q := range w.paths {
		if q.mask>>lane&1 == 1 {
			return q
		}
	}
	return w.p
}
