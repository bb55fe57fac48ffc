package sim

import (
	"fmt"
	"math/bits"
)

// This file implements barrier.cluster (PTX ISA 9.7.13.3).

// placeOfBarrier names the barrier of c.
func (c *cluster) placeOfBarrier() uint64 { return placeCluster | c.place(0) }

// leave removes exiting threads from the barrier of the cluster.
func (c *cluster) leave(w *warp, mask uint32) {
	c.live -= bits.OnesCount32(mask)
	if n := bits.OnesCount32(mask &^ w.arrived); n > 0 {
		c.arrive(n)
	}
	w.arrived &^= mask
}

// arrive counts n threads that arrived or exited, and completes the phase if no other threads are missing.
func (c *cluster) arrive(n int) {
	if c.pending -= n; c.pending > 0 || c.live == 0 {
		return
	}
	c.pending = c.live
	c.passed.join(&c.arriving)
	c.overPassed.join(&c.overArriving)
	c.grid.progress++
	c.phases++
	for _, b := range c.blocks {
		for _, w := range b.warps {
			w.passed |= w.arrived
			w.arrived = 0
		}
	}
	c.grid.orders.release(c.placeOfBarrier(), c.waiters)
	list := c.waiters
	c.waiters = nil
	for _, x := range list {
		if x.mask&^x.w.passed != 0 {
			c.waiters = append(c.waiters, x)
			continue
		}
		x.w.passed &^= x.mask
		x.w.passCluster()
		x.p.state = running
		x.p.pc++
	}
}

// clusterBarrier reads barrier.cluster.arrive and .wait (PTX ISA, barrier.cluster).
func (d *decoder) clusterBarrier(o *opcode) (step, error) {
	o.skip("cluster")
	meet := (*warp).single
	if o.has("aligned") {
		meet = (*warp).alignLanes
	}
	if err := o.need(0, 0); err != nil {
		return nil, err
	}
	do := (*warp).clusterArrive
	switch o.one("arrive", "wait") {
	case "arrive":
		if o.skip("release"); o.has("relaxed") {
			do = (*warp).clusterArriveRelaxed
		}
	case "wait":
		o.skip("acquire")
		do = (*warp).clusterWait
	default:
		return nil, fmt.Errorf("expected .arrive or .wait")
	}
	return func(w *warp, mask uint32) status {
		if got, ok := meet(w, mask); ok {
			return do(w, mask, got)
		}
		if w.fault != nil {
			return failed
		}
		return blocked
	}, nil
}

// single is alignLanes for an instruction that lanes execute without the other lanes of their warp.
func (w *warp) single(mask uint32) (uint32, bool) {
	w.peers = w.peers[:0]
	return mask, true
}

// clusterArrive records that the lanes in got arrive at the barrier of the cluster. got holds the lanes of the current
// path and of the paths in w.peers.
func (w *warp) clusterArrive(_, got uint32) status {
	if again := got & (w.arrived | w.passed); again != 0 {
		return w.arrivesAgain(again)
	}
	w.arrived |= got
	w.block.grid.orders.meet(w.block.cluster.placeOfBarrier(), meets)
	w.publish(&w.block.cluster.arriving, byBarrier, got)
	w.block.grid.explain.arriveCluster(w, got, arrived{})
	w.block.cluster.arrive(bits.OnesCount32(got))
	return advance
}

// clusterArriveRelaxed is clusterArrive for .relaxed: others learn only what a fence has published, such as
// fence.mbarrier_init. They do know that the accesses are over, so that a block may end.
func (w *warp) clusterArriveRelaxed(_, got uint32) status {
	if again := got & (w.arrived | w.passed); again != 0 {
		return w.arrivesAgain(again)
	}
	c := w.block.cluster
	w.releaseFenced(&c.arriving)
	w.release(&c.overArriving)
	c.grid.explain.arriveCluster(w, got, arrived{relaxed: true})
	w.arrived |= got
	w.block.grid.orders.meet(c.placeOfBarrier(), meets)
	c.arrive(bits.OnesCount32(got))
	return advance
}

// arrivesAgain notes that lanes arrive twice in a phase.
func (w *warp) arrivesAgain(again uint32) status {
	return w.fail(KindBarrier, again,
		"arrives at the barrier of the cluster again, without a barrier.cluster.wait since (PTX ISA, barrier.cluster)")
}

// clusterWait waits for the phase in which the lanes of got arrived. The lanes of mask are on the current path.
func (w *warp) clusterWait(mask, got uint32) status {
	if got&^w.passed == 0 {
		w.passed &^= got
		w.passCluster()
		return advance
	}
	c := w.block.cluster
	w.p.state, w.p.bar = waiting, clusterWait
	c.waiters = append(c.waiters, waiter{w: w, p: w.p, mask: mask})
	for _, q := range w.peers {
		q.pc--
		q.state, q.bar = waiting, clusterWait
		c.waiters = append(c.waiters, waiter{w: w, p: q, mask: q.at})
	}
	return slept
}

// passCluster makes w know what the threads did before they arrived at the barrier of the cluster.
func (w *warp) passCluster() {
	c := w.block.cluster
	w.acquire(&c.passed)
	c.grid.explain.passCluster(w)
	w.over.join(&c.overPassed)
	w.hears(uint32(ones(len(c.blocks))))
}

// String says what the barrier of the cluster waits for.
func (c *cluster) String() string {
	return fmt.Sprintf("the barrier of the cluster, where %d of %d threads are missing", c.pending, c.live)
}
