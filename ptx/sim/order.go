package sim

// This file implements accesses that order: atomic instructions, and loads and stores that are stronger than .weak. A
// thread that reads a word by such an access knows what earlier writers of the word did before they wrote the word by
// such an access. Scopes and fences are ignored: a kernel that omits a scope or a fence gets no finding, and a kernel
// with a fence in an unusual place gets no wrong finding.

// noteSame checks writes that did not change the bytes. Such writes conflict only with operations in flight. If nothing
// orders the write after the first write of the same value, readers need to know only one of the two writes, no matter
// which.
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
				if w.writeConflict(seg, off, x, byLane{lane: lane, bytes: wordBytes(off, n)}); !w.goesOn() {
					return false
				}
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
			if !r.isUnordered(w, mask) {
				continue
			}
			if r.how&inFlight != 0 {
				w.lineConflict(seg, off/lineBytes*lineBytes, r, second{bytes: mask, lane: lane, write: true})
				if !w.goesOn() {
					return false
				}
				continue
			}
			r.how |= agreed
		}
	}
	if l.more != nil {
		w.releaseStores(l, mask)
	}
	return true
}

// A syncPoint is a word that orders accesses.
type syncPoint struct {
	clock    clock
	all      uint32 // if not 0, a thread that acquires the word knows everything up to this time, not only clock
	by       moment // the last release to the word
	learned  uint32 // warp.learned at that release
	releases uint32 // the number of releases
	global   bool   // the word is in global memory
	plain    other  // the last plain write before the word became a syncPoint; time 0 for none
}

// maxPoints limits the syncPoints of a run. An access to any further word orders everything that threads did before.
const maxPoints = 1 << 16

// maxReleases limits the releases with exact clocks to words of global memory. Later releases order everything that was
// done before: exact clocks would take most of the running time.
const maxReleases = 1 << 17

// newPoint returns a new syncPoint, or nil if there are too many.
func (g *grid) newPoint() *syncPoint {
	if g.points >= maxPoints {
		return nil
	}
	g.points++
	g.keep(pointBytes + 4*g.cluster.count()*(g.block.count()/lanes+1))
	return &syncPoint{}
}

// releaseTo makes what w has done known to the threads that acquire p later.
func (w *warp) releaseTo(p *syncPoint) {
	m := moment{w.clock.team, w.now, w.actor}
	if p.by == m && p.learned == w.learned {
		w.published = max(w.published, byAtomic)
		return
	}
	p.by, p.learned = m, w.learned
	p.releases++
	if g := w.block.grid; p.global {
		if g.releases++; g.releases > maxReleases {
			p.all = g.time
			w.published = max(w.published, byAtomic)
			return
		}
	}
	if p.clock.times == nil && p.clock.far == nil {
		p.clock.team = w.clock.team
	}
	w.publish(&p.clock, byAtomic)
}

// acquireFrom makes known to w what was released to p.
func (w *warp) acquireFrom(p *syncPoint) {
	if w.polled == p && w.polledWhen == p.releases {
		return // the common case of a thread that polls
	}
	w.polled, w.polledWhen = p, p.releases
	if p.all > 0 {
		w.knowAll(p.all)
		return
	}
	w.acquire(&p.clock)
}

// knowAll makes known to w everything up to a time.
func (w *warp) knowAll(time uint32) {
	if w.everything >= time {
		return
	}
	w.everything = time
	w.clock.base = max(w.clock.base, time)
	w.clock.floor = max(w.clock.floor, time)
	w.clock.far = joinFar(w.clock.far, &far{floor: time}, w.clock.team)
	w.learned++
}

// learn makes known to w a write that w has seen by an ordering access, and everything that the writer has done so far.
// This may be too much, but never too little.
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

// team returns the running team with that number, or nil.
func (g *grid) team(number uint32) *team {
	for _, c := range g.active {
		if c.team.number == number {
			return &c.team
		}
	}
	return nil
}

// storeRelease treats a plain store to the word of p as a release.
func (w *warp) storeRelease(p *syncPoint) {
	p.plain = other{}
	w.releaseTo(p)
}

// point creates the syncPoint of the word at off, or returns nil if there are too many.
func (s *segment) point(g *grid, off uint64) *syncPoint {
	if s.owner == nil {
		p := g.newPoint()
		if p != nil {
			p.global = true
			s.line(off).rest().sync[off%lineBytes/4] = p
		}
		return p
	}
	page := s.wordPage(off)
	if page.sync == nil {
		page.sync = &[pageWords]*syncPoint{}
	}
	page.sync[off/4%pageWords] = g.newPoint()
	return page.sync[off/4%pageWords]
}

// pointIf returns the syncPoint of a word, or nil.
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

// An order says whether an access acquires, releases, or both.
type order uint8

const (
	acquires order = 1 << iota
	releases
)

// orderAccess checks and records an ordering access of one lane to the bytes at off. It returns false if a finding ends
// the run.
func (w *warp) orderAccess(seg *segment, off uint64, lane int, a orderedAccess) bool {
	if !seg.tracked {
		return true
	}
	if seg.owner != nil {
		return w.orderedWords(seg, off, lane, a)
	}
	return w.orderedLine(seg, off, lane, a)
}

// orderedLanes is orderAccess for all lanes of mask, at w.off.
func (w *warp) orderedLanes(seg *segment, mask uint32, a orderedAccess) bool {
	w.width = 0
	w.block.grid.polls++
	if a.how != 0 {
		w.epoch(byAtomic)
	}
	for m := mask; m != 0; m &= m - 1 {
		if lane := lowest(m); !w.orderAccess(seg, w.off[lane], lane, a) {
			return false
		}
	}
	return true
}

// orderedAccess describes an access that orders.
type orderedAccess struct {
	bytes int
	order order
	how   how // how it writes: byAtom or strong; 0 for a load
}

func (w *warp) orderedWords(seg *segment, off uint64, lane int, a orderedAccess) bool {
	by := byLane{lane, wordBytes(off, a.bytes), a.how == byAtom}
	at := w.site() | uint32(lane)
	for end := off + uint64(a.bytes); off < end; off += 4 {
		x := seg.word(off)
		filling := x.filling != 0 && !(by.atomic && w.block.grid.ops[x.filling].atomic())
		switch {
		case filling && a.how == 0:
			if w.readConflict(seg, off, x, lane); !w.goesOn() {
				return false
			}
			seg.defineAll(off, 4)
		case filling, x.draining != 0 && a.how != 0:
			if w.writeConflict(seg, off, x, by); !w.goesOn() {
				return false
			}
		}
		plain := other{}
		if x.bytes&by.bytes != 0 && x.how&(strong|byAtom) == 0 {
			plain = other{moment{w.clock.team, x.wrote, x.writer}, x.wroteAt, x.how, true}
			if !w.knowsWrite(x) {
				if by.atomic && w.block.grid.points < maxPoints {
					if w.writeConflict(seg, off, x, by); !w.goesOn() {
						return false
					}
				}
				w.learn(plain.moment)
			}
		}
		if by.atomic && !w.mayWrite(x, seg, off, by) {
			w.turnAround(lane, crossing{seg, seg.base + off, true}, w.writeConflict(seg, off, x, by))
			if !w.goesOn() {
				return false
			}
		}
		if !w.order(crossing{seg, seg.base + off, a.how != 0}, lane, a, plain) {
			return false
		}
		if a.how != 0 {
			h := a.how
			if w.block != seg.owner {
				h |= fromFar
				seg.remote = true
			}
			x.noteWrite(w.actor, w.now, by.bytes, h)
			x.wroteAt = at
		}
	}
	return true
}

// order acquires from a word and releases to the word, as a.order says. before is the last plain write of the word. The
// result is false if an atomic access is not ordered after the last plain write, even if other accesses came between.
func (w *warp) order(at crossing, lane int, a orderedAccess, before other) bool {
	off := at.address - at.seg.base
	p := at.seg.pointIf(off)
	if p == nil && (a.order&releases != 0 || a.how == byAtom) {
		if p = at.seg.point(w.block.grid, off); p == nil {
			if a.order&acquires != 0 {
				w.knowAll(w.block.grid.time)
			}
			return true
		}
	}
	if p == nil {
		return true
	}
	if a.how == byAtom {
		if p.plain.time != 0 && p.plain.who != w.actor && !w.knows(p.plain.moment) {
			if w.noteConflict(lane, at, p.plain); !w.goesOn() {
				return false
			}
		}
		if before.time != 0 {
			p.plain = before
		}
	}
	if a.order&acquires != 0 {
		w.acquireFrom(p)
	}
	if a.order&releases != 0 {
		w.releaseTo(p)
	}
	return true
}

func (w *warp) orderedLine(seg *segment, off uint64, lane int, a orderedAccess) bool {
	l := seg.line(off)
	mask, _ := lineMask(off, uint64(a.bytes))
	u := overLine{orderedAccess: a, mask: mask}
	bad := u.writes(w, l.wrote[:])
	if bad == nil {
		bad = u.reads(l.read[:])
	}
	if l.more != nil && bad == nil {
		if bad = u.writes(w, l.more.wrote); bad == nil {
			bad = u.reads(l.more.read)
		}
	}
	if bad != nil {
		w.lineConflict(seg, off/lineBytes*lineBytes, bad, second{bytes: mask, lane: lane, write: a.how != 0})
		if !w.goesOn() {
			return false
		}
	}
	plain := u.plain
	for o := off; o < off+uint64(a.bytes); o += 4 {
		if !w.order(crossing{seg, seg.base + o, a.how != 0}, lane, a, plain) {
			return false
		}
	}
	if a.how != 0 {
		l.noteWrite(record{mask, w.clock.team, w.now, w.site() | uint32(lane), w.actor, a.how})
	}
	return true
}

// overLine is an ordering access to bytes of a line.
type overLine struct {
	orderedAccess
	mask  uint64
	plain other // the last plain write to these bytes
}

// writes returns a write of list that conflicts with the access, or nil. w learns of the other writes that it does not
// know.
func (u *overLine) writes(w *warp, list []record) *record {
	for i := range list {
		r := &list[i]
		if r.mask&u.mask == 0 {
			continue
		}
		weak := r.how&(strong|byAtom|inFlight) == 0
		if weak {
			u.plain = other{r.moment(), r.at, r.how, true}
		}
		switch {
		case !r.isUnordered(w, u.mask), r.how&byAtom != 0 && u.how == byAtom:
		case r.how&inFlight != 0, weak && u.how == byAtom && w.block.grid.points < maxPoints:
			return r
		case r.how&byAtom == 0:
			w.learn(r.moment())
		}
	}
	return nil
}

// reads returns a read in flight, from list, that conflicts with the access, or nil. Only a write conflicts.
func (u *overLine) reads(list []record) *record {
	for i := range list {
		if r := &list[i]; u.how != 0 && r.mask&u.mask != 0 && r.how&inFlight != 0 {
			return r
		}
	}
	return nil
}

// all returns the records of l in four lists: writes, reads, more writes, more reads.
func (l *line) all() [4][]record {
	out := [4][]record{l.wrote[:], l.read[:]}
	if l.more != nil {
		out[2], out[3] = l.more.wrote, l.more.read
	}
	return out
}
