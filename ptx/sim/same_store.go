package sim

// This file records stores of the value that is there already, in shared memory. Such a store is a write by the PTX
// ISA, although the value does not tell whether it came before or after another access:
//
//	warp 0: st.shared [x], 0 (onto a 0)	warp 1: ld.shared [x]		a race, same value
//	warp 0: st.shared [x], 0 (onto a 0)	warp 1: st.shared [x], 5	a race: 0 or 5 is left

// A sameStore is the last store to a word that did not change it.
type sameStore struct {
	time  uint32 // 0 for none
	at    uint32 // instruction and lane
	who   uint16
	bytes uint8
}

// sameOf returns the record of the word at off, and creates it if there is none.
func (p *wordPage) sameOf(g *grid, off uint64) *sameStore {
	if p.same == nil {
		g.keep(pageWords * 12)
		p.same = &[pageWords]sameStore{}
	}
	return &p.same[off/4%pageWords]
}

// unknownSame returns a store that left bytes of the word at off as they were, and does not come before the access by
// w; nil if there is none.
func (p *wordPage) unknownSame(w *warp, off uint64, by byLane) *sameStore {
	r := &p.same[off/4%pageWords]
	switch {
	case r.time == 0 || r.bytes&by.bytes == 0:
		return nil
	case r.who == w.actor && (r.at&^31 == w.site() || w.knowsOwn(r.time, int(r.at&31), by.lane)):
		return nil // lanes of one instruction are compared elsewhere
	case r.who != w.actor && w.knowsAt(moment{w.clock.team, r.time, r.who}, r.at, by.lane):
		return nil
	}
	return r
}

// checkSame checks an access to a word against the last store that did not change the word. If the access changes it,
// the result depends on the order of the two, and x is GradeRace; otherwise x is GradeSame.
func (w *warp) checkSame(page *wordPage, p crossing, by byLane, x Grade) bool {
	r := page.unknownSame(w, p.address-p.seg.base, by)
	if r == nil {
		return true
	}
	note := func() { w.noteConflict(by.lane, p, other{moment{w.clock.team, r.time, r.who}, r.at, 0, true}) }
	if x == GradeSame {
		return w.checkAs(x, r.at, note)
	}
	note()
	return w.goesOn()
}

// overSame is checkSame for a store that changes the word.
func (w *warp) overSame(page *wordPage, p crossing, by byLane) bool {
	ok := w.checkSame(page, p, by, GradeRace)
	page.same[(p.address-p.seg.base)/4%pageWords].time = 0
	return ok
}
