package sim

import "girih/internal/machine/chain"

// This file checks stores of values that memory has already: see GradeSame.

// noteSame checks writes that did not change the bytes: they conflict with operations in flight, and by a lesser grade
// with other accesses. If nothing orders such a write after the first write of the same value, readers need to know
// only one of the two writes, no matter which.
func (w *warp) noteSame(seg *segment, mask uint32, n int) bool {
	w.block.grid.explain.access(w, lanesAt{seg, mask, n}, chain.Access{Write: true})
	if seg.owner == nil {
		w.width = n
		a := lineAccess{seg: seg, now: w.epoch(byAtomic), ok: (*warp).sameLine, second: second{write: true}}
		return w.eachLine(&a, mask, n) < 0
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		off := w.off[lane]
		for end := off + uint64(n); off < end; off += 4 {
			if !w.sameWord(seg, off, byLane{lane: lane, bytes: wordBytes(off, n)}) {
				return false
			}
		}
	}
	return true
}

func (w *warp) sameWord(seg *segment, off uint64, by byLane) bool {
	x := seg.word(off)
	if x.filling|x.draining != 0 {
		if w.writeConflict(seg, off, x, by); !w.goesOn() {
			return false
		}
	} else if !w.mayWrite(x, seg, off, by) {
		site := x.readAt
		if x.bytes&by.bytes != 0 && !w.mayRead(x, seg, off, by) {
			site = x.wroteAt
		}
		if !w.checkAs(GradeSame, site, func() { w.writeConflict(seg, off, x, by) }) {
			return false
		}
	}
	page := seg.wordPage(off)
	if page.same != nil && !w.checkSame(page, crossing{seg, seg.base + off, true}, by, GradeSame) {
		return false
	}
	*page.sameOf(w.block.grid, off) = sameStore{w.epoch(byAtomic), w.site() | uint32(by.lane), w.actor, by.bytes}
	other := x.writer == w.actor && x.wroteAt&^31 == w.site() && int(x.wroteAt&31) != by.lane
	if x.wrote != 0 && (other || !w.knowsWrite(x, by.lane)) {
		x.how |= agreed
	}
	return true
}

func (w *warp) sameLine(a *lineAccess) bool {
	l := a.seg.line(a.line * lineBytes)
	if l.more == nil && l.wrote[0].mask|l.read[0].mask == 0 {
		return true
	}
	for k, list := range l.all() {
		for i := range list {
			r, wrote := &list[i], k%2 == 0
			if wrote && r.mask&a.bytes != 0 && w.storesNow(r) {
				l.blur(r, a.bytes) // by another lane of this store
			}
			if !r.isUnordered(w, &a.second) || r.how&inFlight == 0 && !l.mustKnow(r, w, &a.second) {
				continue
			}
			if !w.sameConflict(r, a) {
				return false
			}
			switch {
			case !wrote || r.how&inFlight != 0:
			case r.mine(w):
				l.blur(r, a.bytes)
			default:
				r.how |= agreed
			}
		}
	}
	return true
}

// storesNow reports whether r is a write by the present instruction of w.
func (w *warp) storesNow(r *record) bool { return r.mine(w) && r.at&^31 == w.site() && r.time == w.now }

// sameConflict notes that a, which does not change memory, conflicts with r.
func (w *warp) sameConflict(r *record, a *lineAccess) bool {
	note := func() { w.lineConflict(a.seg, a.line*lineBytes, r, a.second) }
	if r.how&inFlight == 0 {
		return w.checkAs(GradeSame, r.at, note)
	}
	note()
	return w.goesOn()
}

// blur forgets which lanes have written the bytes of mask that r covers, since more than one lane has.
func (l *line) blur(r *record, mask uint64) {
	if r.how.spread() == manyLanes {
		return
	}
	if rest := r.mask &^ mask; rest != 0 {
		n := *r
		n.mask = rest
		more := l.rest()
		more.bytes |= rest
		more.wrote = append(more.wrote, n)
	}
	r.mask &= mask
	r.how = r.how&^laneBits | manyLanes*inSpread
}
