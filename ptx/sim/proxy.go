package sim

import (
	"math/bits"
	"slices"
	"strings"

	"girih/ptx"
)

// This file implements the async proxy. Bulk copies, tensor copies, st.async, red.async and wgmma access memory by the
// async proxy; threads access it by the generic proxy. A write by a thread is ordered before such an access only if
// there is a fence.proxy.async between the write and the access, in the thread that writes or in any thread that knows
// the write. (PTX ISA, Memory Consistency Model, proxies: the ISA has axioms for other proxies; the sections about
// cp.async.bulk and wgmma demand this fence.)
//
//	st.shared; fence.proxy.async; bar.sync; cp.async.bulk.global.shared::cta	ordered
//	st.shared; bar.sync; fence.proxy.async; cp.async.bulk.global.shared::cta	ordered, if the thread that copies fences
//	st.shared; bar.sync; cp.async.bulk.global.shared::cta				a race
//
// The completion of an asynchronous operation acts as a fence for the bytes that the operation has written.

// proxySpace is a kind of memory to which a fence of the async proxy may apply.
type proxySpace uint8

const (
	proxyShared proxySpace = iota
	proxyGlobal
	proxyMbarrier // mbarriers; fence.mbarrier_init applies to them, too
	proxyTensor   // tensor memory, whose fence is tcgen05.fence::before_thread_sync
	proxySpaces
)

// proxyFence returns the step of a fence.proxy.async, in all its forms.
func proxyFence(o *opcode) step {
	spaces := []proxySpace{proxyGlobal, proxyMbarrier, proxyShared}
	if o.Op.Has("mbarrier_init") {
		spaces = spaces[1:2]
	} else if o.Op.Has(string(ptx.Global)) {
		spaces = spaces[:1]
	} else if slices.ContainsFunc(o.mods, func(m string) bool {
		return isSharedSpace(ptx.Space(strings.TrimPrefix(m, "sync_restrict::")))
	}) {
		spaces = spaces[1:]
	}
	return func(w *warp, mask uint32) status {
		w.fenceProxy(spaces, mask)
		w.learned++ // the next snapshot includes the fence
		w.block.grid.explain.fenceProxy(w, mask, spaces)
		return advance
	}
}

// proxyFenceOneWay returns the step of a fence.proxy.async::generic, which is also a release or an acquire: with the
// two forms around it, a relaxed arrival at the barrier of the cluster orders. The fence orders accesses of the generic
// proxy before accesses of the async proxy, which is the only direction that this package checks. Here it also orders
// accesses of the generic proxy, which is more than the PTX ISA says.
func proxyFenceOneWay(o *opcode) step {
	fence := proxyFence(o)
	return func(w *warp, mask uint32) status {
		w.fenceMemory(memoryFence{scope: ofCluster}, mask)
		fence(w, mask)
		w.fenceMemory(memoryFence{scope: ofCluster}, mask)
		w.block.grid.explain.fence(w, mask, ofCluster)
		return advance
	}
}

// isSharedSpace reports whether a modifier is a space of shared memory.
func isSharedSpace(s ptx.Space) bool {
	return s == ptx.Shared || s == "shared::cta" || s == "shared::cluster"
}

// fenceProxy makes what w knows, and what the lanes of mask have done, ordered before accesses of the async proxy to
// the given spaces. The fence of an elected lane does not cover what other lanes did since the lanes met.
func (w *warp) fenceProxy(spaces []proxySpace, mask uint32) {
	if mask&w.live == w.live {
		c := w.snapshot().copy() // copy leaves out the effects of earlier fences, which the snapshot contains
		if w.clock.shared != nil {
			c.join(w.clock.shared)
		}
		for _, s := range spaces {
			w.clock.proxied[s] = &c
		}
		return
	}
	c := &clock{team: w.clock.team}
	w.share(c)
	flat := c.copy()
	if c = &flat; w.clock.shared != nil {
		c.join(w.clock.shared)
	}
	w.publishLanes(c, mask)
	w.published = max(w.published, byAtomic)
	for _, s := range spaces {
		w.clock.union(&w.clock.proxied[s], c)
	}
}

// knowsParts reports whether w knows only some lanes of a warp, so that two words of one write may differ.
func (w *warp) knowsParts() bool {
	for _, c := range [...]*clock{&w.clock, w.clock.shared, w.clock.proxied[proxyShared]} {
		if c != nil && len(c.parts) > 0 {
			return true
		}
	}
	return false
}

// snapshot returns a clock of what w knows and has done now, which does not change later.
func (w *warp) snapshot() *clock {
	if f := &w.frozen; f.clock != nil && f.time == w.now && f.learned == w.learned && w.published >= byAtomic {
		return f.clock // nothing has happened since the last snapshot
	}
	c := &clock{team: w.clock.team}
	w.share(c)
	c.fenced, c.seen = nil, nil
	c.mark(w.actor, w.now)
	w.published = max(w.published, byAtomic)
	w.frozen = frozen{c, w.now, w.learned}
	return c
}

// frozen is the last snapshot of a warp, and the epoch and warp.learned at that time.
type frozen struct {
	clock   *clock
	time    uint32
	learned uint32
}

// byProxy reports whether o accesses r by the async proxy. cp.async uses the generic proxy, and tensor maps have their
// own proxy.
func (o *operation) byProxy(r *region) bool { return (o.engine || o.warpgroup > 0) && !r.object }

// isProxied reports whether a fence of the async proxy comes between the write o, which w knows, and the current action
// of w.
func (w *warp) isProxied(o *other, s proxySpace) bool {
	if o.time <= w.everything || o.team == w.clock.team && o.time <= w.team.born {
		return true
	}
	c := w.clock.proxied[s]
	return c != nil && (c.knows(o.moment) || c.knowsLane(o.moment, int(o.site&31)))
}

// wordProxied reports whether the async proxy may access bytes of the word x at off. If it may not, this is a finding,
// and the result is true if the run continues.
func (w *warp) wordProxied(x *word, at crossing, lane int) bool {
	switch copied := x.how&byOperation != 0; {
	case x.wrote == 0, copied && (!w.block.grid.strict || int(x.writer) >= len(w.team.warps)):
		return true
	}
	o := other{moment{w.clock.team, x.wrote, x.writer}, x.wroteAt, x.how, true}
	return w.isProxied(&o, proxyShared) || w.failProxy(lane, at, o)
}

// mayWriteByProxy reports whether the async proxy may write bytes of x. If it may not, this is a finding, and the
// result is true if the run continues. Bytes that threads have read since they were written are as in readProxied:
// kernels of Triton keep the address of tensor memory where a copy goes later. So are mbarriers that have ended.
func (w *warp) mayWriteByProxy(x *word, seg *segment, off uint64, by byLane) bool {
	at := crossing{seg, seg.base + off, true}
	again := !w.block.grid.strict && (x.bytes&by.bytes&^(x.bytes>>4) == 0 && x.readers != 0 || w.block.grid.isEnd(x.wroteAt))
	return (x.bytes&by.bytes == 0 || again || w.wordProxied(x, at, by.lane)) && w.readProxied(x, seg, at, by)
}

// readProxied reports whether the async proxy may write bytes of x that threads have read. The PTX ISA requires a fence
// of the async proxy in between. Common code omits this fence, and no hardware was seen to fail without it in shared
// memory.
func (w *warp) readProxied(x *word, seg *segment, at crossing, by byLane) bool {
	if !w.block.grid.strict || x.bytes>>4&by.bytes == 0 || x.read <= w.team.born {
		return true
	}
	for m := x.readers; m != 0; m &= m - 1 {
		i, site := lowest(m), x.readAt
		if x.first == uint8(i) && x.reader != uint8(i) {
			site = x.firstAt
		}
		o := other{moment{w.clock.team, x.read, seg.owner.first + uint16(i)}, site, 0, false}
		if !w.block.grid.isBulk(site) && !w.isProxied(&o, proxyShared) {
			return w.failProxy(by.lane, at, o)
		}
	}
	return true
}

// isBulk reports whether the instruction at a site is a bulk copy. Its reads use the async proxy, so they need no fence
// before a write by the async proxy. This occurs in a ring of stages: bulk store, wait_group.read, arrive, bulk load.
func (g *grid) isBulk(site uint32) bool {
	src := g.at(site)
	return src != nil && src.Op.Has("bulk")
}

// isEnd reports whether the instruction at a site ends an mbarrier.
func (g *grid) isEnd(site uint32) bool {
	src := g.at(site)
	return src != nil && src.Op.Has("inval")
}

// initProxied reports whether a fence comes between the init of m and an operation of the async proxy that completes at
// m. If it does not, this is a finding, and the result is true if the run continues. Only the PTX ISA requires the
// fence: kernels without it work on all known hardware.
func (w *warp) initProxied(m *mbarrier, lane int) bool {
	if !w.block.grid.strict {
		return true
	}
	x := m.block.shared.word(m.off)
	o := other{moment{w.clock.team, x.wrote, x.writer}, x.wroteAt, x.how, true}
	at := crossing{&m.block.shared, m.address(), true}
	return x.wrote == 0 || w.isProxied(&o, proxyMbarrier) || w.failProxy(lane, at, o)
}

// lineProxied is wordProxied for the bytes of mask in the line at at. If the async proxy writes, it is readProxied for
// these bytes. On an H200, reads of global memory returned what a later bulk store wrote, 626 times in 10^9.
func (w *warp) lineProxied(l *line, mask uint64, at crossing, lane int) bool {
	lists := l.all()
	first := 0 // the writes of l
	if at.write {
		first = 1 // the reads of l
	}
	for _, list := range [][]record{lists[first], lists[first+2]} {
		for i := range list {
			r := &list[i]
			if r.mask&mask == 0 || r.how&(byOperation|inFlight) != 0 {
				continue
			}
			o := r.other(mask)
			o.write = !at.write
			if !w.isProxied(&o, proxyGlobal) {
				at.address += uint64(bits.TrailingZeros64(r.mask & mask))
				return w.failProxy(lane, at, o)
			}
		}
	}
	return true
}

// failProxy notes the finding that a fence of the async proxy is missing between o and the access of lane. It reports
// whether the run continues.
func (w *warp) failProxy(lane int, p crossing, o other) bool {
	g := w.block.grid
	if !w.repeats(KindRace, o.site) {
		who, _ := w.actorOf(o)
		src := g.at(o.site)
		done := "read"
		if o.write {
			done = "written"
		}
		w.fail(KindRace, 1<<lane, "%s address 0x%x of %s by the async proxy, which %s at line %s has %s for %s, and no "+
			"fence.proxy.async is between the two: it is missing after line %s, before the barrier that tells this thread",
			p.verb(), p.address, p.seg.name, src.Op, g.lineAt(o.site), done, who, g.lineAt(o.site))
		w.fault.Address = p.address
		w.fault.otherAt(src)
	}
	return w.goesOn()
}
