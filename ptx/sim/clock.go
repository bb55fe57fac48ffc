package sim

import "slices"

// This file implements the clocks that record who knows which events. Each warp is an actor, and so is each
// mbarrier, for the asynchronous operations that it completes. A run has one time, a counter that advances at each
// synchronization. An event is a pair of an actor and a time. A clock gives a time for each actor: the actor's events
// up to that time come before everything that the owner of the clock does next. The lanes of a warp are one actor; what
// they know of each other, and what others know of only some lanes, is in lane.go and in the parts of a clock.
//
// A warp that synchronizes publishes its clock and begins a new epoch, so that others do not know its later actions.
// Every edge that might order two events is assumed to order them: if in doubt, there is an order and no race.

// A moment is an event: an actor of a team, and a time.
type moment struct {
	team uint32
	time uint32 // 0 for never
	who  uint16
}

// A team is all warps of a cluster: they reach each other's shared memory. The actors of a team are the warps from 0
// up, then the mbarriers that complete asynchronous operations.
type team struct {
	number uint32
	born   uint32 // when the team started: it has no earlier event
	warps  []*warp
	actors int
}

// maxActors limits the actors of a team; further mbarriers share the last actor.
const maxActors = 1 << 12

// begin starts the clocks of c when c starts; number is the number of c in the grid.
func (c *cluster) begin(number int) {
	g, t := c.grid, &c.team
	t.number, t.born, t.warps = uint32(number), g.tick(), t.warps[:0]
	c.object, c.phases = 0, 0
	c.arriving, c.passed = clock{team: t.number}, clock{team: t.number}
	c.overArriving, c.overPassed = clock{team: t.number}, clock{team: t.number}
	t.actors = (g.block.count() + lanes - 1) / lanes * len(c.blocks)
}

// join makes w the next actor of t.
func (w *warp) join(t *team) {
	w.team, w.actor = t, uint16(len(t.warps))
	t.warps = append(t.warps, w)
	w.clock = clock{team: t.number, floor: t.born}
	w.now, w.published, w.learned, w.folded = w.block.grid.tick(), unpublished, 0, t.born
	w.copies, w.bulk, w.polled = groups{}, groups{}, nil
	w.moves, w.issued, w.after = nil, nil, nil
	w.frozen = frozen{}
	w.pairs, w.unaware = nil, nil
	w.fences, w.heardLast, w.sights, w.over = fencing{}, nil, w.sights[:0], clock{team: t.number}
	w.gave, w.got = synced{}, synced{}
	w.everything = 0
	w.logged = warpLog{}
}

// newActor returns an actor that is not a warp.
func (t *team) newActor() uint16 {
	if t.actors < maxActors {
		t.actors++
	}
	return uint16(t.actors - 1)
}

// clock records which events come before an event.
type clock struct {
	team  uint32   // the team of the actors in times
	floor uint32   // all warps of the block are known up to this time
	base  uint32   // all actors of the team are known up to this time
	times []uint32 // by actor of the team: the time up to which it is known
	far   *far     // what is known of other teams; nil if nothing is
	parts []part   // warps with some known lanes, but not all; clocks do not share this slice
	// fenced is what a thread knew at a fence, and may publish by a later relaxed write. seen is what relaxed reads have
	// seen, and what a later fence makes known. Both are nil for nothing, and do not change once made.
	fenced, seen *clock
	// proxied is, for each space, what is ordered before accesses of the async proxy (proxy.go); nil if nothing is.
	proxied [proxySpaces]*clock
	order   *fenceOrder // what is known of fence.sc (fencesc.go); nil if nothing is
	shared  *clock      // what is known only for accesses to shared memory (sharedonly.go); nil if nothing is
	tensor  *clock      // what is known only for accesses to tensor memory (tmem_order.go); nil if nothing is
}

// A part says that some lanes of a warp are known up to a time, while the other lanes of the warp are not.
type part struct {
	moment
	lanes uint32
}

// maxParts limits the parts of a clock. If there are more, the oldest part counts for all lanes of its warp.
const maxParts = 16

// knowsLane reports whether an event of one lane is known.
func (c *clock) knowsLane(m moment, lane int) bool {
	for _, p := range c.parts {
		if p.who == m.who && m.team == p.team && m.time <= p.time && p.lanes>>lane&1 == 1 {
			return true
		}
	}
	return false
}

// knowsSome reports whether an event of a warp is known for some lanes of that warp.
func (c *clock) knowsSome(m moment) bool {
	for _, p := range c.parts {
		if p.who == m.who && p.team == m.team && m.time <= p.time {
			return true
		}
	}
	return false
}

// addPart adds a part, and reports whether the part was new.
func (c *clock) addPart(p part) bool {
	for i := range c.parts {
		if c.parts[i].covers(&p) {
			return false
		}
	}
	if c.knows(p.moment) {
		return false
	}
	list := c.parts[:0]
	for _, x := range c.parts {
		switch {
		case p.covers(&x):
		case x.moment == p.moment:
			p.lanes |= x.lanes
		case !c.knows(x.moment):
			list = append(list, x)
		}
	}
	if c.parts = append(list, p); len(c.parts) > maxParts {
		c.know(c.parts[0].moment)
		c.parts = slices.Delete(c.parts, 0, 1)
	}
	return true
}

// covers reports whether p says at least what o says.
func (p *part) covers(o *part) bool {
	return p.who == o.who && p.time >= o.time && o.lanes&^p.lanes == 0 && p.team == o.team
}

// joinParts adds parts, and reports whether one of them was new.
func (c *clock) joinParts(list []part) (more bool) {
	for _, p := range list {
		more = c.addPart(p) || more
	}
	return more
}

// know records that all lanes of an actor are known up to a time.
func (c *clock) know(m moment) {
	if m.team == c.team {
		c.mark(m.who, m.time)
		return
	}
	times := make([]uint32, m.who+1)
	times[m.who] = m.time
	c.far = joinFar(c.far, &far{teams: []farTeam{{m.team, 0, times}}}, c.team)
}

// far is what a clock knows of other teams. It does not change once made.
type far struct {
	floor uint32    // everything of other teams is known up to this time
	teams []farTeam // sorted by the number of the team
}

// farTeam is what a clock knows of one other team.
type farTeam struct {
	number uint32
	base   uint32 // all actors of the team are known up to this time
	times  []uint32
}

// maxFar limits the other teams whose actors a clock distinguishes. If there are more, all other teams count as known
// up to the latest of their times. The order in such a large grid is therefore imprecise, but no finding is false.
const maxFar = 64

// knows reports whether an event of another actor is known.
func (c *clock) knows(m moment) bool {
	if m.team == c.team {
		return m.time <= c.base || int(m.who) < len(c.times) && c.times[m.who] >= m.time
	}
	if c.far == nil {
		return false
	}
	if m.time <= c.far.floor {
		return true
	}
	for i := range c.far.teams {
		if t := &c.far.teams[i]; t.number == m.team {
			return m.time <= t.base || int(m.who) < len(t.times) && t.times[m.who] >= m.time
		}
	}
	return false
}

// mark records that an actor of the team is known up to a time.
func (c *clock) mark(who uint16, time uint32) {
	for int(who) >= len(c.times) {
		c.times = append(c.times, 0)
	}
	c.times[who] = max(c.times[who], time)
}

// join adds what o knows, and reports whether that was new.
func (c *clock) join(o *clock) bool {
	if o.team == c.team {
		more := joinTimes(&c.times, o.times)
		if o.base > c.base {
			c.base, more = o.base, true
		}
		if f := joinFar(c.far, o.far, c.team); f != c.far {
			c.far, more = f, true
		}
		more = c.joinParts(o.parts) || more
		return c.joinFenced(o) || more
	}
	more := c.joinFenced(o)
	f := joinFar(c.far, o.far, c.team)
	if t := (&far{teams: []farTeam{{o.team, o.base, o.times}}}); !f.covers(t, c.team) {
		t.teams[0].times = slices.Clone(o.times) // o.times will change
		f = joinFar(f, t, c.team)
	}
	if f != c.far {
		c.far, more = f, true
	}
	if o.far != nil {
		for _, t := range o.far.teams {
			if t.number == c.team {
				more = joinTimes(&c.times, t.times) || more
				if t.base > c.base {
					c.base, more = t.base, true
				}
			}
		}
		if n := o.far.floor; n > c.base {
			c.base, more = n, true // this also covers actors of this team without a time
		}
	}
	return c.joinParts(o.parts) || more
}

// joinFenced adds what o knows of fences, and for shared memory only.
func (c *clock) joinFenced(o *clock) (more bool) {
	more = c.union(&c.fenced, o.fenced)
	more = c.union(&c.seen, o.seen) || more
	for i, p := range o.proxied {
		more = c.union(&c.proxied[i], p) || more
	}
	more = c.union(&c.shared, o.shared) || more
	more = c.union(&c.tensor, o.tensor) || more
	if o.order != nil && o.order != c.order {
		more = c.joinOrder(o.order) || more
	}
	return more
}

// union makes *a a clock of the team of c that knows what *a and b know, and reports whether b knows more than *a. A
// nil clock knows nothing.
func (c *clock) union(a **clock, b *clock) bool { return b != nil && b != *a && c.uniteInto(a, b) }

// uniteInto is union for another clock.
func (c *clock) uniteInto(a **clock, b *clock) bool {
	if *a == nil && b.team == c.team {
		*a = b
		return true
	}
	sum := clock{team: c.team}
	if *a != nil {
		sum = (*a).copy()
		sum.proxied, sum.order, sum.shared, sum.tensor = (*a).proxied, (*a).order, (*a).shared, (*a).tensor
	}
	if !sum.join(b) {
		return false
	}
	*a = &sum
	return true
}

// copy returns a copy of c as a set of events: without what c knows of fences, and for shared memory only.
func (c *clock) copy() clock {
	o := *c
	o.times, o.parts, o.fenced, o.seen = slices.Clone(c.times), slices.Clone(c.parts), nil, nil
	o.proxied, o.order, o.shared, o.tensor = [proxySpaces]*clock{}, nil, nil, nil
	return o
}

// joinTimes raises the times of a to the times of b.
func joinTimes(a *[]uint32, b []uint32) bool {
	more := false
	for len(*a) < len(b) {
		*a = append(*a, 0)
	}
	to := (*a)[:len(b)]
	for i, t := range b {
		if t > to[i] {
			to[i], more = t, true
		}
	}
	return more
}

// covers reports whether f knows everything that b knows of teams other than own.
func (f *far) covers(b *far, own uint32) bool {
	if b == nil || f == b {
		return true
	}
	if f == nil || b.floor > f.floor {
		return false
	}
	i := 0
	for k := range b.teams {
		t, mine := &b.teams[k], farTeam{}
		for i < len(f.teams) && f.teams[i].number < t.number {
			i++
		}
		if i < len(f.teams) && f.teams[i].number == t.number {
			mine = f.teams[i]
		}
		if t.number != own && !mine.covers(t, f.floor) {
			return false
		}
	}
	return true
}

// covers reports whether t and a time up to which everything is known cover what o knows.
func (t *farTeam) covers(o *farTeam, floor uint32) bool {
	known := max(floor, t.base)
	if o.base > known {
		return false
	}
	for i, v := range o.times {
		if v > known && (i >= len(t.times) || t.times[i] < v) {
			return false
		}
	}
	return true
}

// joinFar returns what a and b together know of teams other than own. It returns a itself if b adds nothing.
func joinFar(a, b *far, own uint32) *far {
	if a.covers(b, own) {
		return a
	}
	if a == nil {
		a = &far{}
	}
	out := &far{floor: max(a.floor, b.floor), teams: make([]farTeam, 0, max(len(a.teams), len(b.teams)))}
	for x, y := a.teams, b.teams; len(x)+len(y) > 0; {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].number < y[0].number:
			out.add(&x[0], own)
			x = x[1:]
		case len(x) == 0 || y[0].number < x[0].number:
			out.add(&y[0], own)
			y = y[1:]
		default:
			out.add(x[0].join(&y[0]), own)
			x, y = x[1:], y[1:]
		}
	}
	if len(out.teams) > maxFar {
		for _, t := range out.teams {
			out.floor = max(out.floor, t.base)
			for _, v := range t.times {
				out.floor = max(out.floor, v)
			}
		}
		out.teams = nil
	}
	return out
}

// join returns what t and o know of one team.
func (t *farTeam) join(o *farTeam) *farTeam {
	switch {
	case t.covers(o, 0):
		return t
	case o.covers(t, 0):
		return o
	}
	times := slices.Clone(t.times)
	joinTimes(&times, o.times)
	return &farTeam{t.number, max(t.base, o.base), times}
}

// add adds what is known of the team t, whose number is the highest yet, unless t is own or has nothing new. Several
// clocks may share its times, which do not change.
func (f *far) add(t *farTeam, own uint32) {
	if t.number == own {
		return
	}
	late := t.base > f.floor
	for _, v := range t.times {
		late = late || v > f.floor
	}
	if late {
		f.teams = append(f.teams, *t)
	}
}

// tick advances the time of the run.
func (g *grid) tick() uint32 {
	g.time++
	return g.time
}

// published says how much of the current epoch of a warp others may know.
type published uint8

const (
	unpublished published = iota
	// An atomic published the epoch: later actions of the warp are in a new epoch, except reads of global memory.
	byAtomic
	byBarrier // a barrier published all of the epoch: all later actions of the warp are in a new epoch
)

// release adds to c what w knows and has done so far. Later actions of w are not included.
func (w *warp) release(c *clock) { w.publish(c, byBarrier, all) }

// publish adds to c what w knows, and what the lanes of mask have done so far.
func (w *warp) publish(c *clock, how published, mask uint32) {
	w.share(c)
	w.publishLanes(c, mask)
	w.published = max(w.published, how)
}

// releaseFenced adds to c what w knew at its last fence.
func (w *warp) releaseFenced(c *clock) {
	if w.clock.fenced != nil {
		c.join(w.clock.fenced)
	}
	if w.fences.near != nil {
		c.join(w.fences.near)
	}
}

// share adds what w knows to c.
func (w *warp) share(c *clock) {
	if w.clock.floor > w.folded {
		w.folded = w.clock.floor
		for i := range w.block.warps {
			w.clock.mark(w.block.first+uint16(i), w.folded)
		}
	}
	c.join(&w.clock)
}

// acquire makes the events that c knows come before all that w does from here on.
func (w *warp) acquire(c *clock) {
	fenced, seen := w.clock.fenced, w.clock.seen
	if w.clock.join(c) {
		w.learned++
	}
	if c.seen != nil {
		w.fences.seers = all
	}
	if w.block.grid.strict {
		w.clock.fenced, w.clock.seen = fenced, seen // fences belong to one thread
	}
}

// epoch returns the time of what w does now. If at least so of the current epoch was published, a new epoch begins.
func (w *warp) epoch(so published) uint32 {
	if w.published >= so {
		w.published = unpublished
		w.now = w.block.grid.tick()
	}
	return w.now
}

// knows reports whether an event comes before what w does now in shared memory.
func (w *warp) knows(m moment) bool {
	return w.knowsGlobal(m) || w.clock.shared != nil && w.clock.shared.knows(m)
}

// knowsGlobal reports whether an event comes before the next actions of w in global memory.
func (w *warp) knowsGlobal(m moment) bool {
	if m.team == w.clock.team {
		if m.who == w.actor || m.time <= w.team.born {
			return true
		}
		if m.time <= w.clock.floor && int(m.who)-int(w.block.first) < len(w.block.warps) && m.who >= w.block.first {
			return true
		}
	}
	return w.clock.knows(m)
}

// allKnown makes all warps of the block known to each other up to now, when they all wait at the same barrier.
func (b *block) allKnown() {
	now := b.grid.tick()
	for _, w := range b.warps {
		w.clock.floor = now
		w.published, w.unaware = byBarrier, nil
	}
}
