package sim

// Accesses that order: atomic instructions, and loads and stores that are more than weak. Whoever reads a word so knows
// what those did before who wrote it so. The scopes are not looked at, nor the fences: kernels that leave one out are
// told nothing, and those that have them in another place than expected are told nothing wrong.

// noteSame looks at bytes that lanes have written and that had these values before. It conflicts with operations in
// flight only. Where it is not ordered after who wrote them first, those who read them know of one of the two, and need
// not know of which.
func (w *warp) noteSame(seg *segment, mask uint32, n int) bool {
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		off := w.off[lane]
		if seg.owner == nil {
			if !w.sameLine(seg, off, lane, n) {
				return false
			}
			continue
		}
		for end := off + uint64(n); off < end; off += 4 {
			x := seg.word(off)
			if x.filling|x.draining != 0 {
				w.writeConflict(seg, off, x, lane)
				return false
			}
			if x.wrote != 0 && !w.knowsWrite(x) {
				x.how |= agreed
			}
			if p := seg.pointIf(off); p != nil {
				w.storeRelease(p)
			}
		}
	}
	return true
}

func (w *warp) sameLine(seg *segment, off uint64, lane, n int) bool {
	l := seg.line(off)
	mask, _ := lineMask(off, uint64(n))
	for _, list := range l.all() {
		for i := range list {
			r := &list[i]
			if !r.unordered(w, mask) {
				continue
			}
			if r.how&inFlight != 0 {
				w.lineConflict(seg, off/lineBytes*lineBytes, r, access2{bytes: mask, lane: lane, write: true})
				return false
			}
			r.how |= agreed
		}
	}
	if l.more != nil {
		w.releaseStores(l, mask)
	}
	return true
}

// A syncPoint is a word that orders.
type syncPoint struct {
	clock   clock
	all     uint32 // everything up to here is known to those who acquire it; 0 for what clock says
	by      moment // the last one that released to it
	learned uint32 // and what it knew then
}

// maxPoints is of how many words a run keeps apart who released to them. What is released to one more orders all that
// was done before, by anyone.
const maxPoints = 1 << 16

// newPoint returns a word's.
func (g *grid) newPoint() *syncPoint {
	g.points++
	return &syncPoint{}
}

// releaseTo lets others who acquire p know what w has done.
func (w *warp) releaseTo(p *syncPoint) {
	m := moment{w.clock.team, w.now, w.actor}
	if p.by == m && p.learned == w.learned {
		w.published = max(w.published, byAtomic)
		return
	}
	g := w.block.grid
	p.by, p.learned = m, w.learned
	switch {
	case g.points > maxPoints:
		p.all = g.time
		w.published = max(w.published, byAtomic)
		return
	case p.clock.times == nil && p.clock.far == nil:
		p.clock.team = w.clock.team
	}
	w.publish(&p.clock, byAtomic)
}

// acquireFrom lets w know what was released to p.
func (w *warp) acquireFrom(p *syncPoint) {
	if p.all > 0 {
		w.knowAll(p.all)
	}
	w.acquire(&p.clock)
}

// knowAll lets w know everything up to a time.
func (w *warp) knowAll(time uint32) {
	more := w.clock.upTo(time)
	if w.clock.floor < time {
		w.clock.floor, more = time, true
	}
	if f := joinFar(w.clock.far, &far{floor: time}, w.clock.team); f != w.clock.far {
		w.clock.far, more = f, true
	}
	if more {
		w.learned++
	}
}

// learn lets w know a write that it has seen by an access that orders, and all that its writer has done: more than it
// may know, never less.
func (w *warp) learn(m moment) {
	if t := w.block.grid.team(m.team); t != nil && int(m.who) < len(t.warps) {
		var c clock
		c.team = m.team
		t.warps[m.who].publish(&c, byAtomic)
		w.acquire(&c)
		return
	}
	w.knowAll(m.time)
}

// team returns a team that runs, or nil.
func (g *grid) team(number uint32) *team {
	for _, c := range g.active {
		if c.team.number == number {
			return &c.team
		}
	}
	return nil
}

// storeRelease is a plain store to a word that orders.
func (w *warp) storeRelease(p *syncPoint) { w.releaseTo(p) }

// point returns what orders the word of shared memory at off, made if there is none.
func (s *segment) point(g *grid, off uint64) *syncPoint {
	if s.owner == nil {
		list := &s.line(off).rest().sync
		if list[off%lineBytes/4] == nil {
			list[off%lineBytes/4] = g.newPoint()
		}
		return list[off%lineBytes/4]
	}
	page := s.wordPage(off)
	if page.sync == nil {
		page.sync = &[pageWords]*syncPoint{}
	}
	if page.sync[off/4%pageWords] == nil {
		page.sync[off/4%pageWords] = g.newPoint()
	}
	return page.sync[off/4%pageWords]
}

// pointIf returns what orders a word, or nil.
func (s *segment) pointIf(off uint64) *syncPoint {
	if s.owner == nil {
		if more := s.line(off).more; more != nil {
			return more.sync[off%lineBytes/4]
		}
		return nil
	}
	if page := s.wordPage(off); page.sync != nil {
		return page.sync[off/4%pageWords]
	}
	return nil
}

// An order says how an access orders.
type order uint8

const (
	acquires order = 1 << iota
	releases
)

// ordered is an access of one lane that orders: n bytes at off. It reports whether there is no finding.
func (w *warp) ordered(seg *segment, off uint64, lane int, a orderedAccess) bool {
	if !seg.tracked {
		return true
	}
	if seg.owner != nil {
		return w.orderedWords(seg, off, lane, a)
	}
	return w.orderedLine(seg, off, lane, a)
}

// orderedLanes is ordered for all lanes of mask, at w.off.
func (w *warp) orderedLanes(seg *segment, mask uint32, a orderedAccess) bool {
	w.width = 0
	w.block.grid.polls++
	if a.how != 0 {
		w.epoch(byAtomic)
	}
	for m := mask; m != 0; m &= m - 1 {
		if lane := lowest(m); !w.ordered(seg, w.off[lane], lane, a) {
			return false
		}
	}
	return true
}

// orderedAccess is what an access that orders does.
type orderedAccess struct {
	bytes int
	order order
	how   how // of what it writes: byAtom or strong; 0 for a load
}

func (w *warp) orderedWords(seg *segment, off uint64, lane int, a orderedAccess) bool {
	b := wordBytes(off, a.bytes)
	at := w.site() | uint32(lane)
	for end := off + uint64(a.bytes); off < end; off += 4 {
		x := seg.word(off)
		switch {
		case x.filling != 0 && a.how == 0:
			w.readConflict(seg, off, x, lane)
			return false
		case x.filling|x.draining != 0 && a.how != 0:
			w.writeConflict(seg, off, x, lane)
			return false
		}
		if x.bytes&b != 0 && x.how&(strong|byAtom) == 0 && !w.knowsWrite(x) {
			if a.how == byAtom && seg.pointIf(off) == nil {
				w.writeConflict(seg, off, x, lane)
				return false
			}
			w.learn(moment{w.clock.team, x.wrote, x.writer})
		}
		if a.how == byAtom && (x.bytes>>4&b != 0 && w.unknownReader(x, seg) >= 0 ||
			x.farTime != 0 && x.far != w.actor && !w.knows(moment{w.clock.team, x.farTime, x.far})) {
			w.writeConflict(seg, off, x, lane)
			return false
		}
		w.order(seg, off, a)
		if a.how != 0 {
			h := a.how
			if w.block != seg.owner {
				h |= fromFar
				seg.remote = true
			}
			x.noteWrite(w.actor, w.now, b, h)
			x.wroteAt = at
		}
	}
	return true
}

// order acquires and releases.
func (w *warp) order(seg *segment, off uint64, a orderedAccess) {
	if a.order&acquires != 0 {
		if p := seg.pointIf(off); p != nil {
			w.acquireFrom(p)
		}
	}
	if a.order&releases != 0 {
		w.releaseTo(seg.point(w.block.grid, off))
	}
}

func (w *warp) orderedLine(seg *segment, off uint64, lane int, a orderedAccess) bool {
	l := seg.line(off)
	mask, _ := lineMask(off, uint64(a.bytes))
	for k, list := range l.all() {
		for i := range list {
			r := &list[i]
			if r.how&inFlight == 0 && k&1 == 1 || !r.unordered(w, mask) {
				continue
			}
			if r.how&inFlight != 0 && (k&1 == 0 || a.how != 0) ||
				r.how&inFlight == 0 && a.how == byAtom && r.how&(strong|byAtom) == 0 && seg.pointIf(off) == nil {
				w.lineConflict(seg, off/lineBytes*lineBytes, r, access2{bytes: mask, lane: lane, write: a.how != 0})
				return false
			}
			if r.how&(byAtom|inFlight) == 0 {
				w.learn(r.moment())
			}
		}
	}
	for o := off; o < off+uint64(a.bytes); o += 4 {
		w.order(seg, o, a)
	}
	if a.how != 0 {
		l.noteWrite(record{mask, w.clock.team, w.now, w.site() | uint32(lane), w.actor, a.how})
	}
	return true
}

// all returns the records of l: of writes, of reads, and again those that did not fit.
func (l *line) all() [4][]record {
	out := [4][]record{l.wrote[:], l.read[:]}
	if l.more != nil {
		out[2], out[3] = l.more.wrote, l.more.read
	}
	return out
}
