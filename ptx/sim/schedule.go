package sim

import "fmt"

// This file decides which cluster and which warp runs next. The warps of a cluster take turns, each of a quantum of
// instructions. A cluster runs to its end, unless it takes long or waits for others. With a seed, the first cluster or
// warp, the next one and the length of a turn are random.

const (
	turn     = 1 << 20 // after this many instructions, a cluster that has not ended lets others run
	askTurn  = 1 << 10 // the same for a cluster that only polls
	resident = 132     // the number of blocks that the smallest GPU runs at one time
	quantum  = 128     // instructions of one warp before the turn of the next warp, if the launch does not say
)

// run runs all clusters, in order. Long-running clusters take turns.
func (g *grid) run() error {
	most, hold := max(resident/g.cluster.count(), 1), g.hold()
	total := g.inClusters.count()
	g.sequence = g.order(total)
	for g.begun < total || len(g.active) > 0 {
		// More clusters than multiprocessors are active only if all of them wait for clusters that have not begun.
		if g.idle > len(g.active) && len(g.active) == most {
			most = min(2*most, hold)
		}
		if g.begun < total && len(g.active) < most && g.another() {
			g.active = append(g.active, g.startCluster(g.takeSpare(), g.inClusters.at(g.sequence(g.begun))))
			if g.over != nil {
				return g.over
			}
			g.begun++
		} else {
			g.rotate()
		}
		// The newest cluster runs first: older clusters are still active only if a cluster waits for others.
		c := g.active[len(g.active)-1]
		if err := g.turn(c); err != nil {
			return err
		}
		if c.done {
			c.end()
			g.active = g.active[:len(g.active)-1]
			g.spare = append(g.spare, c)
			continue
		}
		if full := g.begun == total || len(g.active) >= hold; full && g.idle > 2*len(g.active) {
			if err := g.unstick(); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeSpare returns a cluster that has ended and whose memory a new cluster may use, or nil.
func (g *grid) takeSpare() *cluster {
	n := len(g.spare)
	if n == 0 {
		return nil
	}
	c := g.spare[n-1]
	g.spare = g.spare[:n-1]
	return c
}

// rotate makes the oldest active cluster the newest.
func (g *grid) rotate() {
	first := g.active[0]
	copy(g.active, g.active[1:])
	g.active[len(g.active)-1] = first
}

// unstick is called when no active cluster makes progress. It lets the paths that wait in doubt go on, or returns their
// finding; if there are none, the run looks for spinning paths from now on.
func (g *grid) unstick() error {
	if !g.allStuck() || g.doubt == nil {
		g.watch = true
		return nil
	}
	if g.excuse() {
		return nil
	}
	return g.doubt
}

// hold returns the number of clusters that a GPU holds at one time, as limited by threads and shared memory. No more
// clusters than this may wait for each other.
func (g *grid) hold() int {
	warps := (g.block.count() + lanes - 1) / lanes
	shared := int(g.kernel.dynamic) - sharedStart + g.dynamic + 1<<10
	blocks := resident * max(min(32, 64/warps, (MaxShared+1<<10)/shared), 1)
	return max(blocks/g.cluster.count(), 1)
}

// turn runs a cluster until its turn ends, or the cluster has ended or is stuck.
func (g *grid) turn(c *cluster) error {
	budget, asked, since, last := g.draw(turn), g.polls, int64(0), g.progress
	for budget > 0 && !c.done && !c.stuck && (since < askTurn || g.polls == asked) {
		if err := g.endError(); err != nil {
			return err
		}
		n, f := c.round()
		if g.over != nil {
			return g.over
		}
		if f != nil {
			return f
		}
		budget -= n
		since += n
		if g.progress != last {
			last, since, asked, g.idle, g.watch = g.progress, 0, g.polls, 0, false
		}
		g.steps += n
		if f := c.endless(); f != nil {
			return f
		}
	}
	g.recording.watch(g.steps, g.limit)
	if since > 0 || c.stuck {
		g.idle++
	}
	return nil
}

// endless returns a finding if the run has more instructions than the launch allows, or will never end. It returns nil
// if neither is the case, or if the run goes on after the finding.
func (c *cluster) endless() *Finding {
	g := c.grid
	if g.steps > g.limit && !g.excuse() {
		return c.doubtOr(KindSteps, fmt.Sprintf("more than %d instructions:", g.limit))
	}
	if g.watch && g.spins() && !g.excuse() {
		return c.doubtOr(KindDeadlock, "the threads that do not wait repeat what they do, and nobody changes what they ask for:")
	}
	return nil
}

// doubtOr returns the finding of a path that waits in doubt. If there is none, it returns a finding with text and the
// places of the warps.
func (c *cluster) doubtOr(kind Kind, text string) *Finding {
	g := c.grid
	if g.doubt != nil {
		return g.doubt
	}
	f := c.anywhere(KindSteps)
	f.Kind, f.Message = kind, text+where(g.active)
	return f
}

// allStuck reports whether all active clusters are stuck because threads have read bytes that nobody wrote.
func (g *grid) allStuck() bool {
	for _, c := range g.active {
		if !c.stuck {
			return false
		}
	}
	return true
}

// spin detects that a path returns to a place with the same values in all registers, while no thread has changed
// memory: then the path will return there forever.
type spin struct {
	progress int64 // progress of the run, unchanged since the first observation
	hash     uint64
	pc       int
	seen     int
	found    bool
}

// observe checks p, a path of w, where it has stopped.
func (w *warp) observe(p *path) {
	s := &p.spin
	if g := w.block.grid; s.progress != g.progress || s.seen == 0 {
		*s = spin{progress: g.progress}
	}
	s.seen++
	refresh := s.seen&(s.seen-1) == 0 // at 1, 2, 4, 8, ... stops: the path may enter its loop late
	if s.found || !refresh && s.pc != p.pc {
		return
	}
	h := p.hash()
	if !refresh || s.pc == p.pc {
		s.found = s.seen > 1 && s.pc == p.pc && s.hash == h
	}
	if refresh {
		s.pc, s.hash = p.pc, h
	}
}

// hash returns a hash of all registers of the lanes of p.
func (p *path) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(p.mask)
	for f := p.frame; f != nil; f = f.up {
		for i := range f.regs {
			for m := p.mask; m != 0; m &= m - 1 {
				h = (h ^ f.regs[i][lowest(m)]) * prime
				h ^= h >> 29
			}
		}
		for _, v := range f.pred {
			h = (h ^ uint64(v&p.mask)) * prime
			h ^= h >> 29
		}
	}
	return h
}

// spins reports whether all paths that can run are spinning.
func (g *grid) spins() bool {
	some := false
	for _, c := range g.active {
		for _, b := range c.blocks {
			for _, w := range b.warps {
				for _, p := range w.paths {
					if p.state != running {
						continue
					}
					if some = true; !p.spin.found || p.spin.progress != g.progress {
						return false
					}
					if w.part(p) { // a lane of p may hold a lock that the waiting lanes want
						g.progress++
						return false
					}
				}
			}
		}
	}
	for _, c := range g.active {
		if some && c.loosen() {
			g.progress++
			return false
		}
	}
	return some
}

// next returns the next random number of the seed.
func (g *grid) next() uint64 {
	g.random += 0x9e3779b97f4a7c15
	z := g.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a random number below n.
func (g *grid) below(n int) int { return int(g.next() % uint64(n)) }

// draw returns the length of a turn: n or, with a seed, a random power of two up to about n.
func (g *grid) draw(n int64) int64 {
	if !g.seeded {
		return n
	}
	m := int64(1)
	for i := g.below(21); i > 0 && m < n; i-- {
		m *= 2
	}
	return m
}

// another reports whether to begin another cluster next: without a seed, always.
func (g *grid) another() bool {
	return !g.seeded || len(g.active) == 0 || g.idle > len(g.active) || g.below(4) == 0
}

// order returns the order in which n clusters begin, as a function from the position to the cluster.
func (g *grid) order(n int) func(i int) int {
	if !g.seeded || n < 3 {
		return func(i int) int { return i }
	}
	first, step := g.below(n), 1+g.below(n-1)
	for gcd(step, n) != 1 {
		step--
	}
	return func(i int) int { return int((uint64(first) + uint64(i)*uint64(step)) % uint64(n)) }
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// each returns the i-th of n warps in the given round.
func (g *grid) each(round uint64, i, n int) int {
	if !g.seeded {
		return i
	}
	at := int((round>>1)%uint64(n)) + i
	if at >= n {
		at -= n
	}
	if round&1 == 1 {
		return n - 1 - at
	}
	return at
}
