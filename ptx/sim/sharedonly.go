package sim

// This file implements arrivals at mbarriers of other blocks with the scope of a block, which is the default:
//
//	block 1: st [d], 1; mbarrier.arrive.shared::cluster.b64 _, [block 0's mbarrier]
//	block 0: mbarrier.try_wait [its mbarrier]; ld [d]
//
// According to the PTX ISA, such an arrival orders nothing, because its scope does not contain the threads that wait.
// On an H200, the result depends on where the data is. In global memory, block 0 read the old value in up to a quarter
// of 10^8 runs. In shared memory this never happened, and kernels rely on it: CUTLASS releases stages in this way.
// Therefore such an arrival orders accesses to shared memory only, and a conflict in global memory is a race. In a
// strict run the arrival orders nothing; see mbarrierUse.arrivalOf.

// publishShared adds to c what w knows, and what the lanes of mask have done so far, for shared memory only. What w
// knows of fences is added for both memories.
func (w *warp) publishShared(c *clock, mask uint32) {
	sum := clock{team: w.clock.team}
	w.publish(&sum, byBarrier, mask)
	flat := sum.copy()
	if sum.shared != nil {
		flat.join(sum.shared)
	}
	c.joinFenced(&sum)
	c.union(&c.shared, &flat)
}

// knowsShared reports whether accesses to shared memory are ordered after an event of one lane.
func (c *clock) knowsShared(m moment, lane int) bool {
	return c.knows(m) || c.knowsLane(m, lane) || c.shared != nil && (c.shared.knows(m) || c.shared.knowsLane(m, lane))
}
