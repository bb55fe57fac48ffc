package sim

import "math/bits"

// This file checks that a block of a cluster is known to run before another block accesses its shared memory. All
// blocks of a cluster run at the same time, but they do not begin at the same time, and an access to a block that has
// not begun is a fault on a GPU ("cluster target block not present"). A warp knows that a block runs after one of these
// events:
//
//	barrier.cluster has completed a phase,
//	an action of a thread of the block is ordered before the access,
//	the warp has read a strong write by the block, or
//	a copy or an arrival by the block has completed at an mbarrier.
//
// The warp may learn of the event itself, or from a warp with which it has synchronized. Memory order is not needed, so
// barrier.cluster.arrive.relaxed is sufficient, and so is a flag that ld.relaxed reads. For example, a producer that
// begins a multicast after its own mbarrier.init and bar.sync does not know whether the other blocks run.

// A hearing contains, by rank, the time at which a warp first learned that a block of its cluster runs; 0 if it does
// not know.
type hearing [maxCluster]uint32

// hears records that w has learned that the blocks with these ranks run.
func (w *warp) hears(ranks uint32) {
	for m := ranks; m != 0; m &= m - 1 {
		if at := &w.heard[bits.TrailingZeros32(m)]; *at == 0 {
			*at = w.epoch(byBarrier)
		}
	}
}

// running returns the ranks of the blocks that w knows to run, as a mask.
func (w *warp) running() (ranks uint32) {
	for rank, at := range w.heard {
		if at != 0 {
			ranks |= 1 << rank
		}
	}
	return ranks
}

// meets records that w has read a strong write. The block of the writer runs, and so do the blocks that the writer
// knows to be running.
func (w *warp) meets(wrote moment) {
	if wrote.team == w.clock.team && int(wrote.who) < len(w.team.warps) {
		w.hears(w.team.warps[wrote.who].running())
	}
}

// knowsBegun reports whether w knows that o runs.
func (w *warp) knowsBegun(o *block) bool {
	if o == w.block {
		return true
	}
	rank := o.rank()
	if w.heard[rank] != 0 {
		return true
	}
	for _, v := range w.team.warps {
		m := moment{w.clock.team, v.heard[rank], v.actor}
		if m.time != 0 && (w.knows(m) || w.knowsSome(m)) {
			w.hears(1 << rank)
			return true
		}
	}
	return false
}

// mayReach reports whether a lane of w may access seg. If seg is the shared memory of a block that may not have begun,
// this is a finding, and the access may only happen if the run continues.
func (w *warp) mayReach(seg *segment, lane int, address uint64) bool {
	if seg.owner == nil || w.knowsBegun(seg.owner) {
		return true
	}
	if !w.repeats(KindBegun, 0) {
		w.fail(KindBegun, 1<<lane, "accesses address 0x%x, the shared memory of block %v, number %d of the cluster, which may not "+
			"have begun: a barrier.cluster, arrive and wait, is missing before it (CUDA C++ Programming Guide, Distributed Shared Memory)",
			address, seg.owner.at, seg.owner.rank())
		w.fault.Address = address
	}
	return w.goesOn()
}
