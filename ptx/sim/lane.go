package sim

// This file orders the lanes of a warp, which are separate threads. A warp is one actor with one clock, and each record
// of shared memory contains the lane. A lane knows what another lane of its warp has done
//
//   - up to the last time at which the whole warp met, the time of the warp in its own clock: at a bar.warp.sync, or at
//     any barrier or mbarrier at which the other lanes arrived and this warp waited;
//   - up to the last bar.warp.sync in which both took part, if not the whole warp took part (lanePairs).
//
// Hardware lets lanes that execute a .sync.aligned instruction together continue together, so the instruction counts as
// a meeting, too. unaware.go handles what lanes learn by a wait without the other lanes, and spread.go handles lanes in
// the records of global memory.

// lanePairs is, for each pair of lanes of a warp, the time up to which the first knows the second.
type lanePairs [lanes][lanes]uint32

// metAt returns the time up to which all lanes of w know each other.
func (w *warp) metAt() uint32 {
	n := w.clock.floor
	if int(w.actor) < len(w.clock.times) {
		n = max(n, w.clock.times[w.actor])
	}
	return max(n, w.clock.base, w.team.born)
}

// meetLanes orders what the lanes of mask have done before what they do next. how says how much of the current epoch
// they know of each other.
func (w *warp) meetLanes(mask uint32, how published) {
	w.block.grid.explain.meet(w, mask)
	w.tell(mask)
	if mask&w.live == w.live {
		if w.metAt() < w.now {
			w.clock.mark(w.actor, w.now)
			w.learned++
		}
		w.published = max(w.published, how)
		return
	}
	if w.pairs == nil {
		w.block.grid.keep(lanes * lanes * 4)
		w.pairs = &lanePairs{}
	}
	var sum [lanes]uint32
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		w.pairs[i][i] = w.now
		for k, t := range w.pairs[i] {
			sum[k] = max(sum[k], t)
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		w.pairs[lowest(m)] = sum
	}
	w.learned++
	w.published = max(w.published, how)
}

// meetAligned is meetLanes for lanes that execute a .sync.aligned instruction together. The PTX ISA does not order
// them.
func (w *warp) meetAligned(mask uint32) {
	if !w.block.grid.strict {
		w.meetLanes(mask, byAtomic)
	}
}

// knowsOwn reports whether a lane of w knows an event of another lane of w.
func (w *warp) knowsOwn(time uint32, of, lane int) bool {
	if of == lane || time <= w.metAt() || w.pairs != nil && w.pairs[lane][of] >= time {
		return true
	}
	m := moment{w.clock.team, time, w.actor}
	return w.knowsLane(m, of) || w.clock.shared != nil && w.clock.shared.knows(m)
}

// publishLanes adds to c what the lanes of mask have done and know of the other lanes.
func (w *warp) publishLanes(c *clock, mask uint32) {
	if mask&w.live == w.live {
		c.know(moment{w.clock.team, w.now, w.actor})
		return
	}
	c.addPart(part{moment{w.clock.team, w.now, w.actor}, mask})
	if w.pairs == nil {
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		for k, t := range w.pairs[lowest(m)] {
			if t > 0 && mask>>k&1 == 0 {
				c.addPart(part{moment{w.clock.team, t, w.actor}, 1 << k})
			}
		}
	}
}

// unknownLanes reports whether another lane of w has read x since the lanes met. Only the first and the last reader of
// a word are recorded. b is the set of bytes that lane writes.
func (w *warp) unknownLanes(x *word, b uint8, lane int) bool {
	if x.bytes>>4&b == 0 || x.mixed || x.readers>>w.id&1 == 0 {
		return false
	}
	return x.reader == uint8(w.id) && !w.knowsOwn(x.read, int(x.readAt&31), lane) ||
		x.first == uint8(w.id) && !w.knowsOwn(x.read, int(x.firstAt&31), lane)
}

// knowsRead reports whether w knows the read of x at the time at by warp i of the block: some lanes of warp i are
// known, and they include the first and the last reader.
func (w *warp) knowsRead(x *word, at moment, i int) bool {
	if w.knows(at) {
		return true
	}
	if !w.knowsSome(at) {
		return false
	}
	return !(x.reader == uint8(i) && !w.knowsLane(at, int(x.readAt&31))) &&
		!(x.first == uint8(i) && !w.knowsLane(at, int(x.firstAt&31)))
}
