package sim

import "math/bits"

// This file determines the lanes of a warp that accessed the bytes of a record of global memory. In most records, each
// byte was accessed by one lane, and the lane is a linear function of the byte. For example, thread 5 stores the bytes
// 20 to 23 in
//
//	st.global.u32 [%base+4*%lane], %r1;
//
// Other accesses have several records per line, or, if they only read, one record whose lanes are not known. A lane
// that is not known counts as ordered before and after the other lanes of its warp.

// The lane that accessed byte b of a record is (at + b>>shift) mod 32. The three bits from inSpread are 6 - shift, so
// that they are 0 if one lane accessed all bytes.
const (
	oneLane   = 0
	manyLanes = 7 // the lanes are not known
	laneBits  = byMany | 7*inSpread
)

// spread returns the three bits of h that say which lane accessed which byte.
func (h how) spread() int { return int(h/inSpread) & 7 }

// spreadOver returns the bits of how for consecutive lanes whose accesses begin 1<<shift bytes apart.
func spreadOver(shift int) how { return how(6-shift) * inSpread }

// lane returns the lane that accessed byte b of a line.
func (r *record) lane(b int) int {
	if r.how.spread() == manyLanes {
		return int(r.at & 31)
	}
	return (int(r.at) + b>>(6-r.how.spread())) & 31
}

// other returns the write r as an access to the first byte of mask.
func (r *record) other(mask uint64) other {
	lane := r.lane(bits.TrailingZeros64(r.mask&mask) & 63)
	return other{r.moment(), r.at&^31 | uint32(lane), r.how, true}
}

// mine reports whether r is an access by w.
func (r *record) mine(w *warp) bool {
	return r.who == w.actor && r.team == w.clock.team && r.how&inFlight == 0
}

// isBefore reports whether r comes before the accesses of all lanes of w in n.
func (r *record) isBefore(w *warp, n *record) bool {
	if r.mine(w) {
		return r.time <= w.metAt() || (r.at^n.at)&31 == 0 && (r.how|n.how)&byMany == 0 && r.how.spread() == n.how.spread()
	}
	return w.knowsGlobal(r.moment())
}

// isUnordered reports whether r covers bytes of a and is not visible to w.
func (r *record) isUnordered(w *warp, a *second) bool {
	switch {
	case r.mask&a.bytes == 0:
		return false
	case r.how&inFlight != 0:
		return true
	case r.how&agreed != 0 && (!a.write || r.how&byOperation == 0): // a copy may still overwrite what a writes
		return false
	case r.who == w.actor && r.team == w.clock.team:
		same := (r.how|a.how)&byMany == 0 && int(r.at&31) == a.lane && r.how.spread() == a.how.spread()
		if same || r.time <= w.metAt() {
			return false
		}
		lane, _ := r.crosses(w, a)
		return lane >= 0
	case w.knowsGlobal(r.moment()):
		return r.unawareLane(w, a) >= 0
	}
	return len(w.clock.parts) == 0 || r.unknownByte(w, r.mask&a.bytes) >= 0
}

// unknownByte returns the first byte of mask that was accessed by a lane which w does not know, or -1. Its caller has
// checked that w knows some lanes of the warp of r.
func (r *record) unknownByte(w *warp, mask uint64) int {
	if r.how.spread() == manyLanes || r.how&byMany != 0 {
		if w.clock.knowsSome(r.moment()) {
			return -1
		}
		return bits.TrailingZeros64(mask)
	}
	for m := mask; m != 0; m &= m - 1 {
		if b := bits.TrailingZeros64(m); !w.clock.knowsLane(r.moment(), r.lane(b)) {
			return b
		}
	}
	return -1
}

// crosses returns a lane of a and a byte of r such that the lane accesses the byte, another lane of w has accessed it,
// and nothing orders the two accesses. The lane is -1 if there is none. Lanes that execute one store together are
// compared elsewhere.
func (r *record) crosses(w *warp, a *second) (lane, at int) {
	if r.how.spread() == manyLanes || r.at&^31 == w.site() && r.time == w.now {
		return -1, 0
	}
	if a.lanes == 0 {
		return r.crossesLane(w, a.lane, a.bytes)
	}
	for m := a.lanes; m != 0; m &= m - 1 {
		lane := lowest(m)
		if i, at := r.crossesLane(w, lane, a.bytes&w.bytesOf(lane, a.line)); i >= 0 {
			return i, at
		}
	}
	return -1, 0
}

// bytesOf returns the bytes that a lane accesses now in a line.
func (w *warp) bytesOf(lane int, line uint64) uint64 {
	from, n := w.off[lane]-line*lineBytes, w.width
	if from >= lineBytes { // the access begins before the line
		return ones(n) >> min(-from, 64)
	}
	return ones(min(n, lineBytes)) << from
}

// crossesLane is crosses for a lane that accesses the bytes of mask.
func (r *record) crossesLane(w *warp, lane int, mask uint64) (int, int) {
	for m := r.mask & mask; m != 0; m &= m - 1 {
		b := bits.TrailingZeros64(m)
		of := r.lane(b)
		if !w.knowsOwn(r.time, of, lane) || r.how&byMany != 0 && of == lane && w.knowsNone(r.time, lane) {
			return lane, b
		}
	}
	return -1, 0
}

// knowsNone reports whether a lane of w knows no other lane of w at a time.
func (w *warp) knowsNone(time uint32, lane int) bool {
	for i := range lanes {
		if i != lane && w.knowsOwn(time, i, lane) {
			return false
		}
	}
	return true
}

// unite adds the bytes of n to r if the lanes of the result can be represented. Both records must belong to the same
// event.
func (r *record) unite(n *record) bool {
	if r.mask == 0 {
		*r = *n
		return true
	}
	if (r.at^n.at)&31 == 0 && (r.how^n.how)&laneBits == 0 {
		r.mask |= n.mask
		return true
	}
	if (r.how|n.how)&byMany != 0 || r.how.spread() == manyLanes || n.how.spread() == manyLanes {
		return false
	}
	a, b := r, n
	switch {
	case a.how.spread() != oneLane:
	case n.how.spread() != oneLane:
		a, b = n, r
	default: // two lanes
		shift := bits.Len64(uint64(bits.OnesCount64(r.mask))) - 1
		if shift > 5 {
			return false
		}
		at := r.at - uint32(bits.TrailingZeros64(r.mask)>>shift)
		a = &record{mask: r.mask, at: at, how: r.how&^laneBits | spreadOver(shift)}
		if !a.covers(r) {
			return false
		}
	}
	if b.how.spread() != oneLane || !a.covers(b) {
		return false
	}
	r.mask, r.at, r.how = r.mask|n.mask, r.at&^31|a.at&31, a.how
	return true
}

// covers reports whether n has a single lane, and r has the same lane for the bytes of n.
func (r *record) covers(n *record) bool {
	shift := 6 - r.how.spread()
	first, last := bits.TrailingZeros64(n.mask), 63-bits.LeadingZeros64(n.mask)
	return first>>shift == last>>shift && r.lane(first) == int(n.at&31)
}
