package sim

import "math/bits"

// This file records the accesses to global memory, for each line of 64 bytes: which warp read or wrote which bytes,
// which of its lanes did so (spread.go), and when. Usually one warp writes the whole line at once, and the line has one
// record. A line that several warps share has one record for each warp, down to single bytes.

const (
	lineBytes = 64
	pageLines = 64
	maxReads  = 4 // the number of read records that a line keeps; dropping older ones may hide a race
)

// A record is one access to bytes of a line.
type record struct {
	mask uint64 // one bit for each byte; 0 for no record
	team uint32
	time uint32 // the number of the operation, if inFlight
	at   uint32 // instruction, see grid.site, and the lane of byte 0, see spread
	who  uint16
	how  how
}

// A line records the accesses to 64 bytes of global memory.
type line struct {
	wrote, read [1]record
	more        *records
}

// records contains the records that do not fit into a line, and the points that order the words of the line.
type records struct {
	wrote, read []record
	bytes       uint64                     // the union of the bytes in wrote and read
	sync        *[lineBytes / 4]*syncPoint // nil for none
}

// linePage covers 4 KB of global memory.
type linePage [pageLines]line

// line returns the line that contains off.
func (s *segment) line(off uint64) *line {
	i := off / (lineBytes * pageLines)
	if s.lines == nil {
		s.lines = make([]*linePage, len(s.data)/(lineBytes*pageLines)+1)
	}
	p := s.lines[i]
	if p == nil {
		if s.store != nil { // otherwise the segment was made in this run
			s.store.keep(linePageBytes)
		}
		p = &linePage{}
		s.lines[i] = p
	}
	return &p[off/lineBytes%pageLines]
}

// rest returns the records that do not fit l, and creates them if there are none.
func (l *line) rest() *records {
	if l.more == nil {
		l.more = &records{}
	}
	return l.more
}

// moment returns the event of r.
func (r *record) moment() moment { return moment{r.team, r.time, r.who} }

// mustKnow reports whether the write r conflicts with the weak access a of w.
func (l *line) mustKnow(r *record, w *warp, a *second) bool {
	return r.isUnordered(w, a) && l.unread(r, w, a) != 0
}

// unread returns the bytes that both a and the write r cover, without the words that w knows a strong access has read
// after r.
func (l *line) unread(r *record, w *warp, a *second) uint64 {
	bytes := r.mask & a.bytes
	if !r.how.isStrong() || l.more == nil || l.more.sync == nil {
		return bytes
	}
	for i, p := range l.more.sync {
		if word := uint64(allBytes) << (4 * i); bytes&word != 0 && p != nil && p.isRead(w) {
			bytes &^= word
		}
	}
	return bytes
}

// noteRead keeps the record of a read. The record replaces earlier records of the same bytes by w, or known to w.
func (l *line) noteRead(w *warp, n record) {
	r := &l.read[0]
	if l.more == nil || len(l.more.read) == 0 {
		switch {
		case r.mask == 0, r.isNeedless(w, &n):
			*r = n
			return
		case r.absorbs(&n):
			return
		}
	}
	l.rest().bytes |= n.mask
	list := l.more.read
	for i := range list {
		if list[i].absorbs(&n) {
			return
		}
	}
	if !r.absorbs(&n) {
		l.addRead(w, &n)
	}
}

// absorbs adds the bytes of the read n to r, if r is a read by the same actor at the same time. It reports whether it
// did: r must not lose information, except that a byte may have been read by a second lane.
func (r *record) absorbs(n *record) bool {
	switch {
	case r.time != n.time || !r.sameActor(n):
		return false
	case r.unite(n):
		return true
	case r.mask == n.mask && r.how.spread() == n.how.spread() && r.how.spread() != manyLanes:
		r.how |= byMany // the lanes of all bytes differ
		return true
	case n.mask&^r.mask == 0:
		return true
	case r.mask&^n.mask == 0:
		*r = *n
		return true
	}
	return false
}

// addRead keeps the record of a read that no record contains yet. If the line is full, it adds n to a record of w, or
// replaces another record.
func (l *line) addRead(w *warp, n *record) {
	r, list := &l.read[0], l.more.read
	r.supersede(w, n)
	empty, old := false, (*record)(nil) // old is a record of w
	for i := range list {
		x := &list[i]
		if x.supersede(w, n); x.mask == 0 {
			empty = true
		} else if x.sameActor(n) && (old == nil || old.time != n.time) {
			old = x
		}
	}
	if empty {
		list, old = without(list, 0), nil
	}
	switch {
	case r.mask == 0:
		*r = *n
	case len(list) < maxReads:
		list = append(list, *n)
	case old != nil && old.time == n.time:
		old.join(n)
	case r.sameActor(n): // n counts as a read at r.time, which may hide a race but never adds one
		r.join(n)
	case old != nil:
		old.join(n)
	default:
		list[int(n.time)%maxReads] = *n
	}
	l.more.read = list
}

// join adds the bytes of n to r. The lanes of the result are then not known.
func (r *record) join(n *record) {
	r.mask |= n.mask
	if (r.at^n.at)&31 != 0 || (r.how^n.how)&laneBits != 0 {
		r.how = r.how&^laneBits | manyLanes*inSpread
	}
}

// sameActor reports whether r and n have the same actor, and are of the same kind.
func (r *record) sameActor(n *record) bool {
	return r.who == n.who && r.team == n.team && (r.how^n.how)&^laneBits == 0
}

// isNeedless reports whether n makes the earlier record r unnecessary.
func (r *record) isNeedless(w *warp, n *record) bool {
	return r.mask&^n.mask == 0 && r.isEarlier(w, n)
}

// supersede removes the bytes that n covers from r.
func (r *record) supersede(w *warp, n *record) {
	if r.mask&n.mask != 0 && r.isEarlier(w, n) {
		r.mask &^= n.mask
	}
}

// isEarlier reports whether r comes before the read n.
func (r *record) isEarlier(w *warp, n *record) bool {
	return r.time != n.time && r.how&inFlight == 0 && (r.isBefore(w, n) || r.who != w.actor && r.sameActor(n))
}

// writeLine checks the write a by w. It returns the record that conflicts with the write, or nil.
func (l *line) writeLine(w *warp, a *second) *record {
	if l.wrote[0].mask&a.bytes != 0 && l.mustKnow(&l.wrote[0], w, a) {
		return &l.wrote[0]
	}
	if l.read[0].mask&a.bytes != 0 && l.read[0].isUnordered(w, a) {
		return &l.read[0]
	}
	if l.more == nil || l.more.bytes&a.bytes == 0 {
		return nil
	}
	for i := range l.more.wrote {
		if r := &l.more.wrote[i]; r.mask&a.bytes != 0 && l.mustKnow(r, w, a) {
			return r
		}
	}
	for i := range l.more.read {
		if r := &l.more.read[i]; r.mask&a.bytes != 0 && r.isUnordered(w, a) {
			return r
		}
	}
	return nil
}

// noteWrite keeps the record of a write, and removes the earlier records of its bytes.
func (l *line) noteWrite(n record) {
	if n.mask == ^uint64(0) && l.more == nil {
		l.wrote[0], l.read[0].mask = n, 0
		return
	}
	l.forget(n.mask)
	o := &l.wrote[0]
	if o.mask == 0 {
		*o = n
		return
	}
	if o.isSameStore(&n) && o.unite(&n) {
		return
	}
	more := l.rest()
	more.bytes |= n.mask | o.mask
	for i := range more.wrote {
		if x := &more.wrote[i]; x.isSameStore(&n) && x.unite(&n) {
			return
		}
	}
	if more.wrote == nil {
		more.wrote = make([]record, 0, firstRecords)
	}
	more.wrote = append(more.wrote, *o)
	*o = n
}

// firstRecords is the capacity of the first list of records that do not fit into a line.
const firstRecords = 4

// isSameStore reports whether r and n belong to the same instruction and the same epoch, and readers must know both or
// neither.
func (r *record) isSameStore(n *record) bool {
	return r.time == n.time && r.at>>5 == n.at>>5 && r.sameActor(n) && (r.how^n.how)&agreed == 0
}

// forget removes the bytes of mask from all records.
func (l *line) forget(mask uint64) {
	l.wrote[0].mask &^= mask
	l.read[0].mask &^= mask
	if l.more == nil || l.more.bytes&mask == 0 {
		return
	}
	l.more.wrote = without(l.more.wrote, mask)
	l.more.read = without(l.more.read, mask)
	l.more.bytes &^= mask
}

// without removes the bytes of mask from records, and removes records without bytes from the list.
func without(list []record, mask uint64) []record {
	n := 0
	for _, r := range list {
		if r.mask &^= mask; r.mask != 0 {
			list[n] = r
			n++
		}
	}
	return list[:n]
}

// lineMask returns the bytes of a line that an access to n bytes from off covers, at most to the end of the line, and
// their number.
func lineMask(off uint64, n uint64) (mask, bytes uint64) {
	at := off % lineBytes
	bytes = min(n, lineBytes-at)
	return ones(int(bytes)) << at, bytes
}

// A lineAccess is an access to a line by lanes of one instruction.
type lineAccess struct {
	second
	seg *segment
	now uint32
	at  uint32 // the instruction
	n   uint64 // bytes per lane
	ok  func(w *warp, a *lineAccess) bool

	last  int    // the last lane
	off   uint64 // the offset of the last lane
	apart uint64 // the distance between the offsets of neighbouring lanes, if there are several
}

// record returns the record of a.
func (a *lineAccess) record(w *warp) record {
	return record{a.bytes, w.clock.team, a.now, a.at | uint32(a.lane), w.actor, a.how}
}

// eachLine calls a.ok for the lines that the lanes of mask access at w.off, n bytes each. Lanes that are neighbours in
// a line are handled together. It returns a lane that has a finding, or -1.
func (w *warp) eachLine(a *lineAccess, mask uint32, n int) int {
	a.at, a.n = w.site(), uint64(n)
	if apart, ok := w.evenly(mask); ok && n&(n-1) == 0 && n <= 32 && w.off[lowest(mask)]&(a.n-1) == 0 {
		switch {
		case apart == 0 && !a.write:
			return w.oneLine(a, mask)
		case apart >= a.n && apart <= 32 && apart&(apart-1) == 0:
			return w.eachOfRow(a, mask, apart)
		}
	}
	return w.eachGroup(a, mask)
}

// evenly reports whether the lanes of mask are consecutive and their offsets equally spaced, and returns the distance.
func (w *warp) evenly(mask uint32) (apart uint64, ok bool) {
	first := lowest(mask)
	row := mask >> first
	if row&(row+1) != 0 || row == 1 {
		return 0, false
	}
	off := w.off[first]
	apart = w.off[first+1] - off
	bad := uint64(0)
	if mask == all {
		for i, x := range &w.off {
			bad |= x - off ^ uint64(i)*apart
		}
		return apart, bad == 0
	}
	for _, x := range w.off[first : first+bits.OnesCount32(mask)] {
		bad |= x ^ off
		off += apart
	}
	return apart, bad == 0
}

// oneLine is eachLine for several lanes that read the same bytes.
func (w *warp) oneLine(a *lineAccess, mask uint32) int {
	a.last = lowest(mask)
	a.begin(a.last, w.off[a.last], 0)
	a.bytes, _ = lineMask(w.off[a.last], a.n)
	a.lanes, a.how = mask, byMany
	if !a.ok(w, a) {
		return a.last
	}
	return -1
}

// eachOfRow is eachLine for consecutive lanes whose offsets are apart bytes apart; apart is a power of two.
func (w *warp) eachOfRow(a *lineAccess, mask uint32, apart uint64) int {
	lane, shift := lowest(mask), bits.TrailingZeros64(apart)&7
	off, left := w.off[lane], bits.OnesCount32(mask)
	comb := ones(int(a.n)) // the bytes of the lanes that fit into a line
	for k := apart; k < lineBytes; k *= 2 {
		comb |= comb << k
	}
	a.lanes, a.how = mask, spreadOver(shift)
	for left > 0 {
		at := off % lineBytes
		k := min(left, int((lineBytes-at+apart-1)>>shift))
		a.bytes = comb & ones(k<<shift) << at
		a.line, a.last = off/lineBytes, lane
		a.lane = (lane - int(at>>shift)) & 31
		if !a.ok(w, a) {
			return lane
		}
		off, lane, left = off+uint64(k)<<shift, lane+k, left-k
	}
	return -1
}

// eachGroup is eachLine for any lanes.
func (w *warp) eachGroup(a *lineAccess, mask uint32) int {
	a.lanes = 0
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		off := w.off[lane]
		b, k := lineMask(off, a.n)
		if a.lanes != 0 && off/lineBytes == a.line && k == a.n && a.takes(lane, off, b) {
			continue
		}
		if a.lanes != 0 && !a.ok(w, a) {
			return a.last
		}
		a.begin(lane, off, b)
		for left := a.n - k; left > 0; left -= k {
			if !a.ok(w, a) {
				return lane
			}
			off += k
			b, k = lineMask(off, left)
			a.begin(lane, off, b)
		}
	}
	if !a.ok(w, a) {
		return a.last
	}
	return -1
}

// begin sets a to the access of a single lane; takes adds others.
func (a *lineAccess) begin(lane int, off, bytes uint64) {
	a.bytes, a.line, a.lanes, a.how, a.lane, a.last, a.off = bytes, off/lineBytes, 1<<lane, 0, lane, lane, off
}

// takes adds a lane to a, and reports whether this is possible. The lanes of a read need not be known.
func (a *lineAccess) takes(lane int, off, bytes uint64) bool {
	apart, next := off-a.off, lane == a.last+1
	shift := bits.TrailingZeros64(apart) & 63
	if a.lanes&(a.lanes-1) != 0 { // several lanes
		next = apart == a.apart && (a.how == byMany || a.how.spread() != manyLanes && next)
	} else if apart == 0 && !a.write {
		a.how, next = byMany, true
	} else if next = next && apart == 1<<shift && apart >= a.n && shift < 6 && off&(a.n-1) == 0; next {
		a.how = spreadOver(shift)
		a.lane = (lane - int(off%lineBytes>>shift)) & 31
	}
	if !next {
		if a.write {
			return false
		}
		a.how = manyLanes * inSpread
	}
	a.apart, a.last, a.off = apart, lane, off
	a.bytes |= bytes
	a.lanes |= 1 << lane
	return true
}

// readLines checks and records the reads of the lanes of mask at w.off, n bytes each. It returns a lane that has a
// finding, or -1.
func (w *warp) readLines(seg *segment, mask uint32, n int) int {
	return w.eachLine(&lineAccess{seg: seg, now: w.epoch(byBarrier), ok: (*warp).readOne}, mask, n)
}

func (w *warp) readOne(a *lineAccess) bool {
	l := a.seg.line(a.line * lineBytes)
	// The common case is a line to which no thread writes.
	r := &l.read[0]
	if l.wrote[0].mask == 0 && l.more == nil && (r.mask == 0 || r.who == w.actor && r.team == w.clock.team &&
		r.time == a.now && r.how == a.how && int(r.at&31) == a.lane) {
		if r.mask != 0 {
			r.mask |= a.bytes
			return true
		}
		*r = a.record(w)
		return true
	}
	was := l.countKept()
	if r := l.unknownWrite(w, &a.second); r != nil {
		w.lineConflict(a.seg, a.line*lineBytes, r, a.second)
		if !w.goesOn() {
			return false
		}
	}
	l.noteRead(w, a.record(w))
	w.keepRecords(l, was)
	return true
}

// writeLines checks and records the writes of the lanes of mask at w.off, n bytes each.
func (w *warp) writeLines(seg *segment, mask uint32, n int) int {
	a := lineAccess{seg: seg, now: w.epoch(byAtomic), ok: (*warp).writeOne, second: second{write: true}}
	return w.eachLine(&a, mask, n)
}

func (w *warp) writeOne(a *lineAccess) bool {
	l := a.seg.line(a.line * lineBytes)
	if r := l.writeLine(w, &a.second); r != nil {
		w.lineConflict(a.seg, a.line*lineBytes, r, a.second)
		if !w.goesOn() {
			return false
		}
	}
	if l.more != nil && l.more.sync != nil {
		l.endReleases(a.bytes)
	}
	was := l.countKept()
	l.noteWrite(a.record(w))
	w.keepRecords(l, was)
	return true
}

// endReleases ends the releases at words that a weak store overwrites.
func (l *line) endReleases(bytes uint64) {
	for i, p := range l.more.sync {
		if p != nil && bytes>>(4*i)&allBytes != 0 {
			p.forget()
		}
	}
}
