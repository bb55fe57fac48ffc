package sim

// A thread that reads what nobody has written yet is wrong in any case. Which mistake it is shows later: if somebody
// writes it without an order between the two, it is a race, and otherwise the value is missing. So the path waits, and
// the others go on.

// doubtSteps is how many instructions the others may execute until then, counted once for a warp.
const doubtSteps = 1 << 20

// doubt lets the current path wait because of the finding that was just noted.
func (w *warp) doubt() status {
	g := w.block.grid
	if g.doubt == nil {
		g.doubt = w.fault
		g.limit = min(g.limit, g.steps+doubtSteps)
	}
	w.fault = nil
	w.p.state, w.p.doubt = waiting, true
	return blocked
}

// doubtful is doubt for a load by lanes of mask that failed, if it failed for that reason. It notes what they read, so
// that who writes it conflicts with that.
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
