package sim

// This file handles what some lanes of a warp do not know, because other lanes have waited without them:
//
//	@%first mbarrier.try_wait ...	// lane 0 knows what the copy has written
//	ld.shared.u32 %r1, [%data]	// lanes 1 to 31 know it only after a bar.warp.sync with lane 0
//
// The clock of a warp contains what any of its lanes has learned. Lanes that are unaware know only what the warp knew
// when other lanes first waited alone, and what all lanes have learned since; their reads and writes are checked
// against this. Releases and asynchronous operations use the clock of the warp, so in doubt an order is assumed.

// unaware contains the lanes that have not learned all that the clock of their warp contains, and what they know.
type unaware struct {
	lanes uint32
	knows clock
}

// acquireBy is acquire by the lanes of mask alone.
func (w *warp) acquireBy(mask uint32, c *clock) {
	u := w.unaware
	switch {
	case mask&w.live != w.live && u == nil:
		w.unaware = &unaware{w.live &^ mask, w.clock.copy()}
		w.unaware.knows.shared = w.clock.shared
	case mask&w.live != w.live:
		u.lanes &^= mask
	case u != nil:
		u.knows.join(c)
	}
	w.acquire(c)
}

// tell makes the lanes of mask, which have met, know what any of them knows.
func (w *warp) tell(mask uint32) {
	switch u := w.unaware; {
	case u == nil:
	case mask&w.live == w.live || u.lanes&w.live&^mask == 0 && mask&^u.lanes != 0:
		w.unaware = nil
	case mask&^u.lanes != 0:
		u.lanes &^= mask
	}
}

// hides reports whether a lane does not know an event of another warp, although other lanes of w do. If only some lanes
// of the event's warp are known, the event counts as known.
func (w *warp) hides(m moment, lane int) bool {
	u := w.unaware
	if u == nil || u.lanes>>lane&1 == 0 {
		return false
	}
	c := &u.knows
	if m.team == w.clock.team {
		i := int(m.who) - int(w.block.first)
		if m.who == w.actor || m.time <= w.team.born || m.time <= c.floor && i >= 0 && i < len(w.block.warps) {
			return false
		}
	}
	return !c.knows(m) && !c.knowsSome(m) && (c.shared == nil || !c.shared.knows(m) && !c.shared.knowsSome(m))
}

// unawareLane returns a lane of a that accesses bytes of r and does not know r, although other lanes of w do. It
// returns -1 if there is none.
func (r *record) unawareLane(w *warp, a *second) int {
	if w.unaware == nil || r.mine(w) || !w.knowsGlobal(r.moment()) {
		return -1
	}
	if a.lanes == 0 {
		if w.hides(r.moment(), a.lane) {
			return a.lane
		}
		return -1
	}
	for m := a.lanes & w.unaware.lanes; m != 0; m &= m - 1 {
		lane := lowest(m)
		if r.mask&a.bytes&w.bytesOf(lane, a.line) != 0 && w.hides(r.moment(), lane) {
			return lane
		}
	}
	return -1
}
