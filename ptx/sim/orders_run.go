package sim

// This file runs a kernel in one order of an Orders. All clusters begin at once, and agents take single steps.

// maxLonely limits the instructions of a step that do not synchronise.
const maxLonely = 1 << 12

// High bits that distinguish the kinds of places and agents; the low bits are an address or a number.
const (
	placeBarrier = 1 << 62 // barriers of a block, and its pool of registers
	placeCluster = 1 << 61 // the barrier of a cluster
	agentMbar    = 1 << 63 // the completion of the operations of an mbarrier
)

// runOrder runs the kernel in the current order.
func (g *grid) runOrder() error {
	o, total := g.orders, g.inClusters.count()
	if most := g.hold(); total > most {
		return errorf(CodeLaunch, "%d clusters of blocks: expected up to %d, as many as a GPU runs at once, to enumerate orders",
			total, most)
	}
	for i := range total {
		g.active = append(g.active, g.startCluster(nil, g.inClusters.at(i)))
		if g.over != nil {
			return g.over
		}
	}
	for len(g.active) > 0 {
		if err := g.endError(); err != nil {
			return err
		}
		if o.enable(g); len(o.list) == 0 {
			if err := g.relieve(); err != nil {
				return err
			}
			continue
		}
		o.relieved = false
		a, ok := o.choose()
		if !ok {
			break
		}
		progress := g.progress
		f := g.step(a)
		o.watch(a, progress)
		if o.took(); o.over != nil {
			break
		}
		if f != nil {
			return f
		}
		g.endClusters()
	}
	if o.over != nil {
		return o.over
	}
	return nil
}

// endClusters removes the clusters whose threads have exited.
func (g *grid) endClusters() {
	list := g.active[:0]
	for _, c := range g.active {
		live := 0
		for _, b := range c.blocks {
			b.done = b.live == 0
			live += b.live
		}
		if live > 0 {
			list = append(list, c)
		} else {
			c.done = true
			c.end()
		}
	}
	g.active = list
}

// enable lists the agents that can take a step.
func (o *Orders) enable(g *grid) {
	o.list = o.list[:0]
	for _, c := range g.active {
		for _, b := range c.blocks {
			for _, w := range b.warps {
				for _, p := range w.paths {
					if id := w.agent(p); p.state == running && !o.polls(id, g.progress) {
						o.list = append(o.list, agent{id: id, w: w, p: p})
					}
				}
			}
			for _, m := range b.mbars {
				if _, n := m.outstanding(); m.ready() && m.tx == n {
					o.list = append(o.list, agent{id: agentID(agentMbar | c.place(m.address())), bar: m})
				}
			}
		}
	}
}

// agent returns the agentID of p, a path of w. Its lowest lane identifies the path.
func (w *warp) agent(p *path) agentID {
	n := uint64(w.block.cluster.team.number)<<16 | uint64(w.actor)
	return agentID(n<<5 | uint64(lowest(p.mask)))
}

// place returns the place of a shared memory address of the cluster.
func (c *cluster) place(address uint64) uint64 { return uint64(c.team.number)<<32 | address }

// place returns the place of the word at off of s.
func (s *segment) place(off uint64) uint64 {
	if s.owner == nil {
		return (s.base + off) &^ 3
	}
	return s.owner.cluster.place(s.base+off) &^ 3
}

// place returns the place of barrier id of b.
func (b *block) place(id int) uint64 {
	return placeBarrier | b.cluster.place(uint64(b.rank())<<8|uint64(id))
}

// step lets an agent take a step.
func (g *grid) step(a agent) error {
	o := g.orders
	if a.bar != nil {
		o.touch(a.bar.place(), alters)
		w := a.bar.block.warps[0]
		if f, op := a.bar.land(); op != nil {
			if w.noteFault(f, op); !w.goesOn() {
				return w.fault
			}
		}
		return nil
	}
	for n := 0; n < maxLonely; n++ {
		k := -1
		for i, p := range a.w.paths {
			if p == a.p && p.state == running {
				k = i
			}
		}
		if k < 0 {
			return nil
		}
		a.w.turn = k - 1
		done := a.w.run(1)
		g.trace.ran(a.w, done)
		if g.steps += int64(done); a.w.fault != nil {
			return a.w.fault
		}
		if g.over != nil {
			return g.over
		}
		if f := a.w.block.cluster.endless(); f != nil {
			return f
		}
		if done == 0 || len(o.touched) > 0 {
			return nil
		}
	}
	return nil
}

// loosen releases lanes for which other lanes of their warp wait, in warps where no path can run.
func (g *grid) loosen() (freed bool) {
	for _, c := range g.active {
		for _, b := range c.blocks {
			for _, w := range b.warps {
				freed = w.next() == nil && w.loosen() || freed
			}
		}
	}
	return freed
}

// relieve is called when no agent can take a step, because paths wait or repeat a loop. It lets some paths continue, as
// an ordinary run does, or returns the finding that no path can.
func (g *grid) relieve() error {
	if g.loosen() {
		return nil
	}
	again := g.orders.relieved
	g.orders.relieved = true
	spins := false
	for _, c := range g.active {
		if spins = spins || c.isWoken(); c.isWoken() {
			continue
		}
		if f := c.unblock(); f != nil {
			return f
		}
	}
	switch {
	case g.allStuck():
		return g.unstick()
	case !spins || !again:
		return nil
	}
	for _, c := range g.active {
		if c.loosenAll() {
			return nil
		}
	}
	if g.excuse() {
		return nil
	}
	return g.active[0].doubtOr(KindDeadlock,
		"the threads that do not wait repeat what they do, and nobody changes what they ask for:")
}

// A poller is an agent that only reads: its positions after its last steps, and what it read there.
type poller struct {
	seen     []glance
	loop     []glance // if the agent repeats a loop: the steps of the loop
	progress int64    // the progress of the run when the loop was found
}

// A glance is a step that only reads, with the position of its path and the values of all registers after the step.
type glance struct {
	pc     int
	hash   uint64
	places []uint64
	when   []uint32 // the versions of the places that it read
}

// maxSeen limits the steps of a loop that is recognised.
const maxSeen = 1 << 6

// watch checks whether an agent that has taken a step has returned to an earlier state. The agent then waits until
// another agent has changed something that it reads, because another round would change nothing. before is the progress
// of the run before the step.
func (o *Orders) watch(a agent, before int64) {
	if a.p == nil {
		return
	}
	progress := a.w.block.grid.progress != before
	now := glance{pc: a.p.pc}
	for _, t := range o.touched {
		progress = progress || t.as != reads
		now.places, now.when = append(now.places, t.place), append(now.when, o.at(t.place).version)
	}
	if progress || a.p.state != running {
		delete(o.polling, a.id)
		return
	}
	x := o.polling[a.id]
	if x == nil {
		x = &poller{}
		o.polling[a.id] = x
	}
	now.hash, x.loop, x.progress = a.p.hash(), nil, a.w.block.grid.progress
	if x.seen = append(x.seen, now); len(x.seen) > maxSeen {
		x.seen = x.seen[1:]
	}
	for i := len(x.seen) - 2; i >= 0 && o.isCurrent(x.seen[i+1]); i-- {
		if s := x.seen[i]; s.pc == now.pc && s.hash == now.hash {
			x.loop = x.seen[i+1:]
			return
		}
	}
}

// isCurrent reports whether no place that a glance read has changed since.
func (o *Orders) isCurrent(x glance) bool {
	for i, place := range x.places {
		if o.at(place).version != x.when[i] {
			return false
		}
	}
	return true
}

// polls reports whether an agent repeats a loop, and nothing that it reads has changed.
func (o *Orders) polls(id agentID, progress int64) bool {
	x := o.polling[id]
	if x == nil || x.loop == nil {
		return false
	}
	strong := false // a loop with only weak reads ends when anything changes
	for _, s := range x.loop {
		strong = strong || len(s.places) > 0
		if !o.isCurrent(s) {
			return false
		}
	}
	return strong || x.progress == progress
}

// touchBytes records an access to bytes of s by an instruction that is stronger than weak.
func (g *grid) touchBytes(s *segment, off uint64, a orderedAccess) {
	as := reads
	if a.orders() {
		as = alters
	}
	for end := off + uint64(a.bytes); off < end; off += 4 {
		g.orders.touch(s.place(off), as)
	}
}

// place returns the place of m.
func (m *mbarrier) place() uint64 { return m.block.cluster.place(m.address()) }

// touch records an access to m.
func (m *mbarrier) touch(as touchKind) {
	if o := m.block.grid.orders; o != nil {
		o.touch(m.place(), as)
	}
}

// meet records that the current step arrives at a barrier. A barrier with a count of threads may complete without some
// threads, so the order of arrivals matters there.
func (o *Orders) meet(place uint64, as touchKind) {
	if o == nil {
		return
	}
	o.touch(place, as)
	o.arrived[place] = append(o.arrived[place], o.depth)
}

// release records that a barrier has completed, so that the waiting paths continue after all steps that arrived.
func (o *Orders) release(place uint64, waiters []waiter) {
	if o == nil {
		return
	}
	for _, x := range waiters {
		id := x.w.agent(x.p)
		o.after[id] = append(o.after[id], o.arrived[place]...)
	}
	delete(o.arrived, place)
}
