package sim

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/ptx"
)

// One window contains the shared memory of all blocks of a cluster: bits 24 and up of an address are the block's rank
// (seen on an H100: a variable of block 1 is at 0x1000400, mapa(0x400, 1) is 0x1000400, and ld.shared of another
// block's address is an illegal instruction).
const (
	rankShift   = 24
	portable    = 8        // the largest cluster on every GPU (CUDA C++ Programming Guide, Thread Block Clusters)
	maxCluster  = 16       // the largest cluster if the launch allows non-portable sizes
	clusterWait = barriers // the value of path.bar for a path that waits at the barrier of the cluster
)

// cluster is a group of blocks that run at the same time and reach each other's shared memory.
type cluster struct {
	grid    *grid
	at      Dim
	blocks  []*block // by rank
	pending int      // threads that have neither arrived at the barrier nor exited
	live    int
	object  int32 // the number of the cluster in the log of the explainer
	phases  int32 // completed
	waiters []waiter
	done    bool
	stuck   bool // threads have read bytes that no thread wrote, and the other threads cannot continue
	team    team
	// The progress of the run when last no thread could continue, and how often in a row this has happened.
	progress int64
	refused  int

	arriving, passed clock // what threads knew that arrived at the barrier in this phase, and in completed phases
	// What threads had done that arrived by .relaxed. Other threads do not see the effects, but the actions are over.
	overArriving, overPassed clock
}

// clusters checks the clusters of a launch against the limits.
func (g *grid) clusters(l Launch) error {
	if err := g.requiredCluster(l); err != nil {
		return err
	}
	c, most := g.cluster, portable
	if l.NonPortable {
		most = maxCluster
	}
	least, extent := Dim{1, 1, 1}, Dim{maxCluster, maxCluster, maxCluster}
	if !least.within(c) || !c.within(extent) || c.count() > most {
		return errorf(CodeLaunch, "a cluster of %v, and it may have %d blocks, or %d that are not portable (CUDA C++ Programming Guide)",
			c, portable, maxCluster)
	}
	if d, ok := g.kernel.decl.Directive("maxclusterrank"); ok && len(d.Args) > 0 && int64(c.count()) > d.Args[0] {
		return errorf(CodeLaunch, "a cluster of %d blocks, and the kernel allows %d (PTX ISA, .maxclusterrank)",
			c.count(), d.Args[0])
	}
	if g.dim.X%c.X != 0 || g.dim.Y%c.Y != 0 || g.dim.Z%c.Z != 0 {
		return errorf(CodeLaunch, "a grid of %v, which clusters of %v do not divide (PTX ISA, Cluster of Cooperative Thread Arrays)",
			g.dim, c)
	}
	g.inClusters = Dim{g.dim.X / c.X, g.dim.Y / c.Y, g.dim.Z / c.Z}
	return nil
}

// requiredCluster sets g.cluster to the launch's cluster or, without one, to the kernel's required cluster.
func (g *grid) requiredCluster(l Launch) error {
	g.cluster, g.explicit = one(l.Cluster), l.Cluster != Dim{}
	decl := g.kernel.decl
	if d, ok := decl.Directive("reqnctapercluster"); ok {
		want := dimOf(d.Args)
		if g.explicit && want != g.cluster {
			return errorf(CodeLaunch, "a cluster of %v, and the kernel requires %v (PTX ISA, .reqnctapercluster)",
				g.cluster, want)
		}
		g.cluster, g.explicit = want, true
	} else if _, ok := decl.Directive("explicitcluster"); ok && !g.explicit {
		return errorf(CodeLaunch, "no cluster, and the kernel requires one (PTX ISA, .explicitcluster)")
	}
	return nil
}

// within reports whether no extent of d is larger than in e.
func (d Dim) within(e Dim) bool { return d.X <= e.X && d.Y <= e.Y && d.Z <= e.Z }

// startCluster makes a cluster ready to run, from the parts of an ended cluster if c is not nil.
func (g *grid) startCluster(c *cluster, at Dim) *cluster {
	if c == nil {
		c = &cluster{grid: g, blocks: make([]*block, g.cluster.count())}
	}
	c.at, c.done, c.stuck, c.refused = at, false, false, 0
	c.live = g.block.count() * len(c.blocks)
	c.pending = c.live
	c.begin((at.Z*g.inClusters.Y+at.Y)*g.inClusters.X + at.X)
	for rank, b := range c.blocks {
		in := g.cluster.at(rank)
		if b == nil {
			b = g.newBlock(c, rank)
			c.blocks[rank] = b
		}
		b.start(Dim{at.X*g.cluster.X + in.X, at.Y*g.cluster.Y + in.Y, at.Z*g.cluster.Z + in.Z})
	}
	return c
}

// round lets each warp run once, and returns how many instructions the warps executed.
func (c *cluster) round() (int64, *Finding) {
	var n int64
	c.done = true
	for _, b := range c.blocks {
		if b.done {
			continue
		}
		k, f := b.round()
		if n += k; f != nil {
			return n, f
		}
		c.done = c.done && b.done
	}
	if n > 0 || c.done || c.grid.isStopped() {
		return n, nil
	}
	if c.isWoken() {
		return n, nil
	}
	return n, c.unblock()
}

// isWoken reports whether some path can run.
func (c *cluster) isWoken() bool { return slices.ContainsFunc(c.blocks, (*block).woken) }

// unblock lets some path continue although all paths wait. If none can continue, it returns the finding.
func (c *cluster) unblock() *Finding {
	if c.refuse() {
		return nil
	}
	if c.doubtful() {
		c.stuck = true
		return nil
	}
	f := c.deadlock()
	if f.Kind != KindDivergent && c.loosen() {
		return nil
	}
	return f
}

// loosen releases lanes that wait at a join for lanes that wait for something else, since the released lanes may
// bring about what the other lanes wait for. It reports whether there are such lanes.
func (c *cluster) loosen() bool {
	for _, b := range c.blocks {
		for _, w := range b.warps {
			for _, p := range w.paths {
				if p.state != running && w.part(p) {
					return true
				}
			}
		}
	}
	return false
}

// loosenAll is loosen for lanes that wait for any other lanes.
func (c *cluster) loosenAll() bool {
	for _, b := range c.blocks {
		for _, w := range b.warps {
			for _, p := range w.paths {
				if w.part(p) {
					return true
				}
			}
		}
	}
	return false
}

// refusals limits how often in a row all paths that wait at mbarriers are answered no. After that answer a path asks
// again or does something else.
const refusals = 256

// refuse answers no to the paths that wait at an mbarrier without an answer, and lets them go on. It reports whether
// there was such a path.
func (c *cluster) refuse() bool {
	if c.refused == 0 || c.progress != c.grid.progress {
		c.progress, c.refused = c.grid.progress, 0
	}
	if c.refused++; c.refused > refusals {
		return false
	}
	any := false
	for _, b := range c.blocks {
		for _, w := range b.warps {
			for _, p := range w.paths {
				if p.state == waiting && p.on != nil {
					p.on.leave(p)
					p.state, p.on, p.refused = running, nil, true
					any = true
				}
			}
		}
	}
	return any
}

// doubtful reports whether a thread waits because it has read bytes that nobody wrote.
func (c *cluster) doubtful() bool {
	for _, b := range c.blocks {
		for _, w := range b.warps {
			for _, p := range w.paths {
				if p.doubt {
					return true
				}
			}
		}
	}
	return false
}

// end completes the operations that were still under way when the threads of a cluster exited.
func (c *cluster) end() {
	for _, b := range c.blocks {
		for _, m := range b.mbars {
			m.promised = nil
		}
		for _, w := range b.warps {
			w.landAll()
		}
	}
}

// deadlock returns the finding about a cluster in which no warp can go on.
func (c *cluster) deadlock() *Finding {
	var f *Finding
	for _, b := range c.blocks {
		if f = b.stuck(); f.Kind == KindDivergent {
			break
		}
	}
	return f
}

// anywhere returns a finding of the given kind about a path of the cluster. For a deadlock this is the first path that
// waits, otherwise the first path that does not wait.
func (c *cluster) anywhere(kind Kind) *Finding {
	for _, b := range c.blocks {
		for _, w := range b.warps {
			for _, p := range w.paths {
				if p.state == waiting == (kind == KindDeadlock) {
					return w.finding(p, kind, bits.TrailingZeros32(p.mask))
				}
			}
		}
	}
	for _, b := range c.blocks {
		for _, w := range b.warps {
			for _, p := range w.paths {
				return w.finding(p, kind, bits.TrailingZeros32(p.mask))
			}
		}
	}
	return &Finding{Kind: kind, Block: c.blocks[0].at}
}

// noun names the group of threads that wait for each other.
func (c *cluster) noun() string {
	if len(c.blocks) > 1 {
		return "cluster"
	}
	return "block"
}

// rank returns the number of b in its cluster.
func (b *block) rank() int { return int(b.shared.base >> rankShift) }

// inCluster returns the position of b in its cluster.
func (b *block) inCluster() Dim { return b.grid.cluster.at(b.rank()) }

// explicitCluster returns the predicate %is_explicit_cluster.
func (d *decoder) explicitCluster() int {
	d.preds = append(d.preds, "%is_explicit_cluster")
	p := len(d.preds) - 1
	d.before = append(d.before, func(w *warp, mask uint32) status {
		v := uint32(0)
		if w.block.grid.explicit {
			v = all
		}
		w.f.setPredicate(p, mask, v)
		return advance
	})
	return p
}

// peer returns the shared memory at an address of the window, or nil if the cluster has no such block or the block
// has ended.
func (b *block) peer(address uint64) *segment {
	if o := b.owner(address); o != nil && o.live > 0 {
		return &o.shared
	}
	return nil
}

// owner returns the block of the cluster whose shared memory contains an address of the window, or nil.
func (b *block) owner(address uint64) *block {
	if rank := address >> rankShift; rank < uint64(len(b.cluster.blocks)) {
		return b.cluster.blocks[rank]
	}
	return nil
}

// reachesExited reports whether an access is to the shared memory of a block that has ended.
func (b *block) reachesExited(space ptx.Space, address uint64) bool {
	if space == "" && address&^(windowSize-1) == sharedWindow || space == "shared::cluster" {
		o := b.owner(address & (windowSize - 1))
		return o != nil && o.live == 0
	}
	return false
}

// nearShared says what is wrong with an address of .shared::cta.
func (b *block) nearShared(address uint64) string {
	if o := b.owner(address); o != nil && o != b {
		return fmt.Sprintf("that is in block %d of the cluster, and only .shared::cluster leads from block %d there",
			o.rank(), b.rank())
	}
	s := &b.shared
	return fmt.Sprintf("the shared memory of the block is from 0x%x to 0x%x", s.base, s.base+uint64(len(s.data)))
}

// nearPeer says what is wrong with an address of .shared::cluster.
func (b *block) nearPeer(address uint64) string {
	o := b.owner(address)
	switch {
	case o == nil:
		return fmt.Sprintf("that is in block %d of a cluster of %d", address>>rankShift, len(b.cluster.blocks))
	case o.live == 0:
		return fmt.Sprintf("all threads of block %v, number %d of the cluster, have exited; it has to wait, by barrier.cluster, until no other block reads or writes its shared memory (PTX ISA, Shared State Space)",
			o.at, o.rank())
	}
	return o.nearShared(address)
}

// leavings returns the finding about what is still in use when the last thread of b exits, or nil.
func (b *block) leavings() *Finding {
	if f := b.leftEarly(); f != nil {
		return f
	}
	return b.leak()
}

// leftEarly returns the finding that another block accesses the shared memory of b, and nothing orders the access
// before the exit of the last thread of b; nil if there is no such access.
func (b *block) leftEarly() *Finding {
	if f := b.leftInFlight(); f != nil || !b.shared.remote {
		return f
	}
	for i, page := range b.shared.words {
		if page == nil {
			continue
		}
		for k := range page.words {
			x := &page.words[k]
			address := b.shared.base + uint64(i*pageWords+k)*4
			if x.far.time != 0 && !b.endedAfter(x.far.time, x.far.who, x.far.at) {
				// An actor that is not a warp is an mbarrier, which completed a copy to its block.
				return b.peerAccess(b.warpOf(x.far.who), x.far.at, address)
			}
			isWarp := int(x.writer) < len(b.cluster.team.warps)
			if x.how&fromFar != 0 && isWarp && !b.endedAfter(x.wrote, x.writer, x.wroteAt) {
				return b.peerAccess(b.warpOf(x.writer), x.wroteAt, address)
			}
		}
	}
	return nil
}

// endedAfter reports whether an event of the team at a site comes before the exit of the last thread of b.
func (b *block) endedAfter(time uint32, who uint16, site uint32) bool {
	t := &b.cluster.team
	m := moment{t.number, time, who}
	return time <= t.born || b.gone.knowsShared(m, int(site&31))
}

// warpOf returns the warp of an actor of the team, or the first warp of b if the actor is not a warp.
func (b *block) warpOf(who uint16) *warp {
	if t := &b.cluster.team; int(who) < len(t.warps) {
		return t.warps[who]
	}
	return b.warps[0]
}

// peerAccess returns the finding that a warp of another block has accessed the shared memory of b.
func (b *block) peerAccess(w *warp, site uint32, address uint64) *Finding {
	in := b.grid.at(site)
	return &Finding{
		Kind: KindExited, Pos: in.Pos, Op: in.Op, Source: b.grid.program.source(b.grid.locOf(site)), Block: w.block.at,
		Thread: w.thread(int(site & 31)), Address: address,
		Message: fmt.Sprintf("accesses address 0x%x, the shared memory of block %v, number %d of the cluster; nothing orders that before the end of its last thread: a barrier.cluster is missing before it exits",
			address, b.at, b.rank()),
	}
}

func clusterRow(name string) row {
	switch name {
	case "mapa":
		return (*decoder).mapa
	case "getctarank":
		return (*decoder).ctaRank
	}
	return nil
}

// sharedAddress reads the source of mapa and getctarank: a variable, or a register with an address of the window or a
// generic address.
func (d *decoder) sharedAddress(o ptx.Operand, t ptx.Type, space ptx.Space) (int, error) {
	if s, ok := o.(ptx.Sym); ok {
		s.Generic = space == ""
		return d.symbolAddress(s)
	}
	if name, ok := o.(ptx.Name); ok {
		if s := d.lookup(name); s != nil && s.kind == symVar {
			return d.symbolAddress(ptx.Sym{Name: name, Generic: space == ""})
		}
	}
	return d.src(o, t)
}

// mapa reads mapa: the address of the same place in the shared memory of another block.
func (d *decoder) mapa(o *opcode) (step, error) {
	if err := o.need(3, 3); err != nil {
		return nil, err
	}
	t, space := o.typ(), o.space()
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	a, err := d.sharedAddress(o.Operands[1], t, space)
	if err != nil {
		return nil, err
	}
	rank, err := d.src(o.Operands[2], ptx.U32)
	if err != nil {
		return nil, err
	}
	return d.inWindow(a, space, map2(dst, [2]int{a, rank}, func(x, r uint64) uint64 {
		const low = 1<<rankShift - 1
		return x&^(windowSize-1) | r<<rankShift&(windowSize-1) | x&low
	})), nil
}

// ctaRank reads getctarank: the rank of the block whose shared memory contains an address.
func (d *decoder) ctaRank(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	t, space := o.typ(), o.space()
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	a, err := d.sharedAddress(o.Operands[1], t, space)
	if err != nil {
		return nil, err
	}
	return d.inWindow(a, space, map1(dst, a, func(x uint64) uint64 { return x & (windowSize - 1) >> rankShift })), nil
}

// inWindow returns do with a preceding check that generic addresses are in shared memory.
func (d *decoder) inWindow(a int, space ptx.Space, do step) step {
	if space != "" {
		return do
	}
	return func(w *warp, mask uint32) status {
		for m := mask & w.f.def[a]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m)
			if x := w.f.regs[a][i]; x&^(windowSize-1) != sharedWindow {
				return w.fail(KindArgument, 1<<i, "address 0x%x is not in the window of shared memory (PTX ISA, %s)", x,
					w.instr().src.Op)
			}
		}
		return do(w, mask)
	}
}

// sharedConstant returns the slot of the shared memory address that is v in the block of rank 0.
func (d *decoder) sharedConstant(v uint64) int {
	if s, ok := d.shared[v]; ok {
		return s
	}
	s := d.newSlot(ptx.Name(fmt.Sprintf("shared 0x%x", v)), 64)
	d.consts = append(d.consts, &constant{s, v, true})
	d.shared[v] = s
	return s
}
