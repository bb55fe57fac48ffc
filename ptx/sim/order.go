package sim

// This file implements the accesses that order other accesses: atomic instructions, and loads and stores that are
// stronger than weak. The edges are the release and acquire patterns of the PTX ISA (Memory Consistency Model):
//
//	st.release [flag]			publishes what the thread knows to threads that acquire the flag
//	fence; st.relaxed [flag]		publishes what the thread knew at the fence
//	ld.acquire [flag]			learns what was released with the value that it reads
//	ld.relaxed [flag]; fence		learns the same, from the fence on
//
// An atomic instruction continues the releases of the value that it replaces; any other store ends them. Weak accesses
// order nothing. Thread fences order slightly more than in the ISA, as they do on all known hardware. If thread A
// executes a fence and then a barrier with thread B, then B may publish A's actions by a relaxed write, even if B's own
// fence came before the barrier. Also, a fence of A makes known what B has read, if B passed it to A by a barrier.

// A syncPoint is a word that orders accesses.
type syncPoint struct {
	clock    clock  // what threads that acquire the word learn
	near     *near  // what only threads of the same block or cluster learn; nil if nothing
	all      uint32 // if not 0, a thread that acquires the word knows everything up to this time, not only clock
	by       moment // the last release to the word
	learned  uint32 // warp.learned at the last release
	last     moment // the last write to the word by an access that orders
	releases uint32 // the number of changes to clock and near
	version  uint32 // the number of values that were written by plain stores rather than by atomic instructions
	object   int32  // the number of the word in the log of the explainer
	strong   strongWrite
	global   bool     // the word is in global memory
	plain    other    // the last weak write before the word became a syncPoint; its time is 0 if there is none
	readers  []moment // the strong reads of the last write, up to maxReaders
	met      *meetings
}

// near contains what was released with a scope smaller than the GPU.
type near struct {
	scope ambit
	of    moment // a warp of the block or cluster
	clock clock
}

const (
	// maxPoints limits the syncPoints of a run. An access to a further word orders everything that threads did before.
	maxPoints = 1 << 16

	// maxReleases limits the releases with exact clocks to words of global memory. Later releases order everything that
	// was done before, because exact clocks would take most of the running time.
	maxReleases = 1 << 17

	// maxReaders limits the strong reads that a syncPoint keeps.
	maxReaders = 8
)

// newPoint returns a new syncPoint, or nil if there are too many.
func (g *grid) newPoint() *syncPoint {
	if g.points >= maxPoints {
		return nil
	}
	g.points++
	g.keepClock(pointBytes)
	return &syncPoint{}
}

// keepClock counts more bytes and a clock as kept memory.
func (g *grid) keepClock(more int) { g.keep(more + 4*g.cluster.count()*(g.block.count()/lanes+1)) }

// releaseTo publishes at p what w may publish by an access: all that w knows if the access releases, otherwise
// what w knew at its fences.
func (w *warp) releaseTo(p *syncPoint, lane int, a orderedAccess) {
	if a.order&releases != 0 {
		p.add(w, &w.clock, scoped{a.how.scope(), 1 << lane})
		return
	}
	if c := w.clock.fenced; c != nil {
		p.add(w, c, scoped{a.how.scope(), 0})
	}
	if f := &w.fences; f.near != nil {
		p.add(w, f.near, scoped{min(f.nearScope, a.how.scope()), 0})
	}
}

// A scoped is the scope of a release, and the lanes whose last actions it publishes. There are no lanes if only fences
// publish.
type scoped struct {
	scope ambit
	lanes uint32
}

// add adds what c knows to what threads learn from p.
func (p *syncPoint) add(w *warp, c *clock, s scoped) {
	m := moment{w.clock.team, w.now, w.actor}
	if s.lanes == 0 {
		m.time = w.fences.time
	} else if p.by == m && p.learned == w.learned && s.scope == ofGPU && w.metAt() >= w.now {
		w.published = max(w.published, byAtomic)
		return
	}
	p.releases++
	to := &p.clock
	if s.scope == ofGPU {
		if s.lanes == 0 && p.by == m && p.learned == w.learned {
			return
		}
		p.by, p.learned = m, w.learned
	} else {
		to = p.nearOf(w, s.scope)
	}
	if p.global && p.isRough(w) {
		return
	}
	if to.times == nil && to.far == nil && to.parts == nil {
		to.team = w.clock.team
	}
	if s.lanes != 0 {
		w.publish(to, byAtomic, s.lanes)
		return
	}
	to.join(c)
}

// isRough counts a release to a word of global memory, and reports whether there are too many releases for exact
// clocks.
func (p *syncPoint) isRough(w *warp) bool {
	g := w.block.grid
	if g.releases++; g.releases <= maxReleases {
		return false
	}
	p.all = g.time
	w.published = max(w.published, byAtomic)
	return true
}

// nearOf returns the clock of p for the block or cluster of w.
func (p *syncPoint) nearOf(w *warp, s ambit) *clock {
	if p.near == nil || !w.reaches(min(s, p.near.scope), p.near.of) {
		p.near = &near{scope: s, of: moment{w.clock.team, 0, w.actor}, clock: clock{team: w.clock.team}}
	}
	p.near.scope = max(p.near.scope, s)
	return &p.near.clock
}

// begin ends the releases of the value that w replaces, unless the value was written by w.
func (p *syncPoint) begin(w *warp) {
	if p.last.team == w.clock.team && p.last.who == w.actor {
		return
	}
	p.clock, p.near, p.by = clock{}, nil, moment{}
	p.releases++
	p.version++
}

// forget ends the releases of the value that a weak store replaces.
func (p *syncPoint) forget() {
	p.clock, p.near, p.by, p.last, p.plain, p.readers = clock{}, nil, moment{}, moment{}, other{}, p.readers[:0]
	p.releases++
	p.version++
}

// acquireFrom makes known to w what was released to p. If the access does not acquire, it becomes known at the next
// fence.
func (w *warp) acquireFrom(p *syncPoint, a orderedAccess) {
	if p.releases == 0 || w.polled == p && w.polledWhen == p.releases && w.polledBy == a.order && w.polledFor == a.lanes {
		return // the common case of a counter, or of a thread that polls
	}
	w.polled, w.polledWhen, w.polledBy, w.polledFor = p, p.releases, a.order, a.lanes
	if p.all > 0 {
		w.knowAll(p.all)
		return
	}
	s := a.how.scope()
	if s == ofGPU || w.reaches(s, p.last) {
		w.learn(p, &p.clock, a)
	}
	if n := p.near; n != nil && w.reaches(min(s, n.scope), n.of) {
		w.learn(p, &n.clock, a)
	}
}

// learn makes known to w what c knows, now or at the next fence.
func (w *warp) learn(p *syncPoint, c *clock, a orderedAccess) {
	if a.order&acquires != 0 {
		w.acquireBy(a.lanes, c)
	} else if c.times != nil || c.far != nil || c.parts != nil {
		w.see(c, p.last, a.lanes)
	}
}

// knowAll makes everything up to a time known to w.
func (w *warp) knowAll(time uint32) {
	if w.everything >= time {
		return
	}
	w.everything, w.unaware = time, nil
	w.clock.base = max(w.clock.base, time)
	w.clock.floor = max(w.clock.floor, time)
	w.clock.far = joinFar(w.clock.far, &far{floor: time}, w.clock.team)
	w.learned++
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

// point creates the syncPoint of the word at off, or returns nil if there are too many.
func (s *segment) point(g *grid, off uint64) *syncPoint {
	if s.owner == nil {
		p := g.newPoint()
		if p != nil {
			p.global = true
			more := s.line(off).rest()
			if more.sync == nil {
				g.keep(lineBytes / 4 * 8)
				more.sync = &[lineBytes / 4]*syncPoint{}
			}
			more.sync[off%lineBytes/4] = p
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
		if more := s.line(off).more; more != nil && more.sync != nil {
			return more.sync[off%lineBytes/4]
		}
		return nil
	}
	if page := s.wordPage(off); page.sync != nil {
		return page.sync[off/4%pageWords]
	}
	return nil
}

// orderedAccess describes an access that is stronger than weak.
type orderedAccess struct {
	bytes int
	how   how
	order order
	lanes uint32 // the lanes that execute the instruction: what one of them acquires counts for all
}

// writes reports whether the access changes memory.
func (a orderedAccess) writes() bool { return a.order&(writes|keeps) == writes }

// orders reports whether the access may publish something: it is a write, possibly of the value that is already there.
func (a orderedAccess) orders() bool { return a.order&writes != 0 }

// orderAccess checks and records an ordering access of one lane to the bytes at off. It returns false if a finding ends
// the run.
func (w *warp) orderAccess(seg *segment, off uint64, lane int, a orderedAccess) bool {
	if !seg.tracked {
		return true
	}
	if g := w.block.grid; g.orders != nil {
		g.touchBytes(seg, off, a)
	}
	w.block.grid.explain.strong(w, spot{seg, off}, lane, a)
	if seg.owner != nil {
		return w.orderedWords(seg, off, lane, a)
	}
	return w.orderedLine(seg, off, lane, a)
}

// orderedLanes is orderAccess for all lanes of mask, at w.off.
func (w *warp) orderedLanes(seg *segment, mask uint32, a orderedAccess) bool {
	a.lanes = mask
	w.width = 0
	w.block.grid.polls++
	if a.writes() {
		w.epoch(byAtomic)
	} else {
		w.epoch(byBarrier)
	}
	for m := mask; m != 0; m &= m - 1 {
		if lane := lowest(m); !w.orderAccess(seg, w.off[lane], lane, a) {
			return false
		}
	}
	return true
}

func (w *warp) orderedWords(seg *segment, off uint64, lane int, a orderedAccess) bool {
	by := byLane{lane, wordBytes(off, a.bytes), a.how}
	at := w.site() | uint32(lane)
	for end := off + uint64(a.bytes); off < end; off += 4 {
		x := seg.word(off)
		if !w.orderedWord(seg, off, by, a) {
			return false
		}
		a.order &^= observes
		if x.how.isStrong() && !w.knowsWrite(x, lane) && (!a.writes() || a.how&byAtom != 0) {
			w.meets(moment{w.clock.team, x.wrote, x.writer})
			if !a.writes() {
				a.order |= observes
			}
		}
		plain := other{}
		if x.bytes&by.bytes != 0 && !x.how.isStrong() {
			plain = other{moment{w.clock.team, x.wrote, x.writer}, x.wroteAt, x.how, true}
		}
		if !w.order(crossing{seg, seg.base + off, a.writes()}, lane, a, plain) {
			return false
		}
		if !a.writes() {
			x.noteFar(w, farRead{w.now, at, w.actor, by.bytes, 1 + uint8(a.how.scope())})
			seg.remote = seg.remote || w.block != seg.owner
			continue
		}
		h := a.how
		if w.block != seg.owner {
			h |= fromFar
			seg.remote = true
		}
		x.noteWrite(w.actor, w.now, by.bytes, h)
		x.wroteAt = at
	}
	return true
}

// orderedWord checks an ordering access to one word.
func (w *warp) orderedWord(seg *segment, off uint64, by byLane, a orderedAccess) bool {
	x := seg.word(off)
	filling := x.filling != 0 && !(by.isAtomic() && w.block.grid.ops[x.filling].atomic())
	if a.writes() {
		if w.mayWrite(x, seg, off, by) {
			return true
		}
		o := w.writeConflict(seg, off, x, by)
		if !filling && x.draining == 0 {
			w.turnAround(by.lane, crossing{seg, seg.base + off, true}, o)
		}
		return w.goesOn()
	}
	if filling || x.bytes&by.bytes != 0 && !w.mayRead(x, seg, off, by) {
		if w.readConflict(seg, off, x, by.lane); !w.goesOn() {
			return false
		}
		seg.defineAll(off, 4)
		return true
	}
	if a.order&keeps == 0 || x.draining != 0 || w.mayWrite(x, seg, off, by) {
		return true
	}
	return w.checkAs(GradeSame, x.readAt, func() { w.writeConflict(seg, off, x, by) })
}

// order acquires from a word and releases to the word, as a says. before is the last weak write of the word. The result
// is false if an access that writes is not ordered after the last weak write; this holds even if other accesses came
// between.
func (w *warp) order(at crossing, lane int, a orderedAccess, before other) bool {
	off, g := at.address-at.seg.base, w.block.grid
	p := at.seg.pointIf(off)
	if p == nil && (a.order&observes != 0 || a.orders() && w.publishes(a) || w.hasPassed()) {
		p = at.seg.point(g, off)
	}
	if p == nil && g.points >= maxPoints {
		w.knowAll(g.time)
	}
	if p == nil {
		return true
	}
	w.synchronise(p, lane, a) // before the check, because an access that acquires may learn of the weak write
	if p.plain.time != 0 && p.plain.who != w.actor && !w.knowsAt(p.plain.moment, p.plain.site, lane) {
		if w.noteConflict(lane, at, p.plain); !w.goesOn() {
			return false
		}
	}
	if before.time != 0 {
		p.plain = before
	}
	return true
}

// synchronise acquires from p and releases to p, as a says.
func (w *warp) synchronise(p *syncPoint, lane int, a orderedAccess) {
	w.block.grid.explain.synchronise(w, p, lane, a)
	if (!a.orders() || a.how&byAtom != 0) && a.order&deaf == 0 {
		w.acquireFrom(p, a)
	}
	if a.writes() {
		if a.how&byAtom == 0 {
			p.begin(w)
		}
		p.last, p.readers = moment{w.clock.team, w.now, w.actor}, p.readers[:0]
	} else {
		p.read(w)
	}
	if a.orders() {
		w.releaseTo(p, lane, a)
		w.block.grid.explain.publish(w, p, lane, a)
	}
	w.meetFences(p, a)
}

// publishes reports whether an access of w may order other accesses: it is a release, continues releases, or comes
// after a fence.
func (w *warp) publishes(a orderedAccess) bool {
	return a.how&byAtom != 0 || a.order&releases != 0 || w.clock.fenced != nil || w.fences.near != nil
}

// read records that w has read the word of p by a strong access. The write whose value it read comes before the later
// actions of w (PTX ISA, causality order: observation, then base causality).
func (p *syncPoint) read(w *warp) {
	me := moment{w.clock.team, w.now, w.actor}
	for i := range p.readers {
		if x := &p.readers[i]; x.who == me.who && x.team == me.team {
			return // the earlier read is known to more threads
		}
	}
	if len(p.readers) < maxReaders {
		p.readers = append(p.readers, me)
	} else {
		p.readers[int(me.time)%maxReaders] = me
	}
}

// isRead reports whether the last write to the word of p comes before the current action of w, because w knows that it
// was read.
func (p *syncPoint) isRead(w *warp) bool {
	for _, m := range p.readers {
		if m.who == w.actor && m.team == w.clock.team || w.knows(m) || w.knowsSome(m) {
			return true
		}
	}
	return false
}

// hasRead is isRead for a word.
func (w *warp) hasRead(seg *segment, off uint64) bool {
	p := seg.pointIf(off)
	return p != nil && p.isRead(w)
}

func (w *warp) orderedLine(seg *segment, off uint64, lane int, a orderedAccess) bool {
	l := seg.line(off)
	mask, _ := lineMask(off, uint64(a.bytes))
	u := overLine{orderedAccess: a, second: second{bytes: mask, lane: lane, write: a.writes()}}
	if bad := u.find(w, l); bad != nil {
		w.lineConflict(seg, off/lineBytes*lineBytes, bad, u.second)
		if !w.goesOn() {
			return false
		}
	} else if a.order&keeps != 0 { // the few reads in l.more are ignored
		r := &l.read[0]
		meets := !r.isUnordered(w, &u.second) || r.how&inFlight != 0 || w.mayMeet(a.how, r.how, r.moment())
		if !meets && !w.checkAs(GradeSame, r.at, func() {
			w.lineConflict(seg, off/lineBytes*lineBytes, r, second{bytes: mask, lane: lane, write: true})
		}) {
			return false
		}
	}
	plain := u.plain
	for o := off; o < off+uint64(a.bytes); o += 4 {
		if !w.order(crossing{seg, seg.base + o, a.writes()}, lane, u.orderedAccess, plain) {
			return false
		}
	}
	if u.saw != nil {
		w.sight(u.saw, seg.pointIf(off), a.order)
	}
	was := l.countKept()
	n := record{mask, w.clock.team, w.now, w.site() | uint32(lane), w.actor, a.how}
	if a.writes() {
		l.noteWrite(n)
	} else {
		l.noteRead(w, n)
	}
	w.keepRecords(l, was)
	return true
}

// overLine is an ordering access to bytes of a line.
type overLine struct {
	orderedAccess
	second second
	plain  other   // the last weak write to these bytes
	saw    *record // a strong write that the access has read without being ordered after it, or nil
}

// find returns an access to l that conflicts with u, or nil. It also notes the last weak write. A write that a strong
// read has observed comes before everything after the read.
func (u *overLine) find(w *warp, l *line) *record {
	for k, list := range l.all() {
		if k%2 == 1 && !u.writes() { // reads
			continue
		}
		if k%2 == 0 {
			u.lastWeak(list)
		}
		bad := u.conflict(w, list)
		if bad != nil && (k%2 == 1 || bad.how&inFlight != 0 || l.mustKnow(bad, w, &u.second)) {
			return bad
		}
	}
	return nil
}

// lastWeak notes the last weak write among the writes of list.
func (u *overLine) lastWeak(list []record) {
	for i := range list {
		if r := &list[i]; r.mask&u.second.bytes != 0 && !r.how.isStrong() && r.how&inFlight == 0 {
			u.plain = r.other(u.second.bytes)
		}
	}
}

// conflict returns an access of list that conflicts with u, or nil.
func (u *overLine) conflict(w *warp, list []record) *record {
	for i := range list {
		r := &list[i]
		both := r.how&byAtom != 0 && u.how&byAtom != 0
		switch {
		case !r.isUnordered(w, &u.second):
		case r.how&inFlight != 0 && !both, r.how&inFlight == 0 && !w.mayMeet(u.how, r.how, r.moment()):
			return r
		case r.how&inFlight == 0 && (!u.writes() || u.how&byAtom != 0):
			w.meets(r.moment())
			u.saw = r
			if !u.writes() {
				u.order |= observes
			}
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
