package sim

import "fmt"

// This file handles reads of bytes that no thread has written yet. Such a read is always wrong, but only later events
// show the kind of mistake: a race if another thread writes the bytes and nothing orders the write with the read,
// otherwise a missing value. Therefore the path that reads waits, and the other paths continue.

// doubtSteps limits the instructions that other paths execute during such a wait, counted once for a warp.
const doubtSteps = 1 << 20

// suspect keeps the finding that was just noted, if it says that an operation will write bytes that a thread has read,
// and that nothing orders the two. Later events show whether the operation or the reader is too early: if another
// thread reads bytes that the operation has not delivered, that read becomes the finding. suspect reports whether the
// operation may begin.
func (w *warp) suspect() bool {
	f, g := w.fault, w.block.grid
	if g.tally != nil {
		return w.goesOn()
	}
	if f.Kind != KindRace || !f.over {
		return false
	}
	if g.suspected == nil {
		g.suspected = f
		g.limit = min(g.limit, g.steps+doubtSteps)
	}
	w.fault = nil
	return true
}

// settle returns the finding that ended a run: err, or the finding that suspect kept.
func (g *grid) settle(err error) error {
	f, ok := err.(*Finding)
	if s := g.suspected; s != nil && (err == nil || ok && f.Kind != KindReadPending) {
		return s
	}
	return err
}

// doubt makes the current path wait because of the finding just noted, unless the path has already waited at this
// instruction.
func (w *warp) doubt() status {
	g := w.block.grid
	if w.p.excused == w.p.pc+1 {
		return failed
	}
	if g.doubt == nil {
		g.doubt = w.fault
		g.limit = min(g.limit, g.steps+doubtSteps)
	}
	w.fault = nil
	w.p.state, w.p.doubt = waiting, true
	return blocked
}

// matters is doubt for a load of bytes that nobody wrote, when an instruction uses the value.
func (w *warp) matters(load *Finding) status {
	f := *load
	if in := w.instr(); in.src != nil {
		f.Message += fmt.Sprintf("; %s at line %s uses the value", in.src.Op, w.block.grid.program.line(in))
	}
	w.fault = &f
	return w.doubt()
}

// reading is a read of n bytes by a lane.
type reading struct{ lane, n int }

// lost returns the finding to report if the value read at off is used: no thread wrote the bytes, or the stored value
// was itself missing.
func (w *warp) lost(seg *segment, off uint64, r reading) *Finding {
	for i := range uint64(r.n) {
		if seg.isDefined(off+i, 1) {
			continue
		}
		if cause := seg.causes[(off+i)/4]; cause != nil {
			return cause
		}
	}
	old := w.fault
	w.unwritten(seg, r.lane, seg.base+off, r.n)
	f := w.fault
	w.fault = old
	return f
}

// lose removes the value of the n bytes at off, because the stored value was missing. cause is the finding of the load
// that the stored value was computed from, or nil.
func (s *segment) lose(off, n uint64, cause *Finding) {
	if s.forget(off, n); cause == nil {
		return
	}
	if s.causes == nil {
		s.causes = map[uint64]*Finding{}
	}
	for i := off / 4; i <= (off+n-1)/4; i++ {
		s.causes[i] = cause
	}
}

// doubtful is doubt for a failed load by the lanes of mask, if the load failed because nobody wrote the bytes. It
// records the read, so that a later write conflicts with the read.
func (w *warp) doubtful(a *access, mask uint32) status {
	f := w.fault
	if f.Kind != KindUninitialised {
		return failed
	}
	n := a.unit * a.count
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		seg, at := w.segmentOf(a.space, lane, w.f.regs[a.at.slot][lane]+uint64(a.at.offset))
		if seg == nil || !seg.tracked || !seg.holds(at, n) || at&uint64(n-1) != 0 {
			continue
		}
		w.off[lane] = at - seg.base
		if w.noteReads(seg, 1<<lane, n) >= 0 {
			return failed
		}
	}
	return w.doubt()
}
