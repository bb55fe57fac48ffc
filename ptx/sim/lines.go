package sim

// This file records the accesses to global memory, for each line of 64 bytes: which warp read or wrote which bytes,
// and when. A line that one warp writes at once, the usual case, has one record. A line that several warps share has
// one record for each warp, down to single bytes.

const (
	lineBytes = 64
	pageLines = 64
	maxReads  = 4 // records of reads that a line keeps; dropping older ones may hide a race
)

// A record is one access to bytes of a line.
type record struct {
	mask uint64 // one bit for each byte; 0 for no record
	team uint32
	time uint32 // the number of the operation, if inFlight
	at   uint32 // instruction and lane, see grid.site
	who  uint16
	how  how
}

// A line records the accesses to 64 bytes of global memory.
type line struct {
	wrote, read [1]record
	more        *records
}

// records holds the records that do not fit into a line, and the points that order the line's words.
type records struct {
	wrote, read []record
	sync        [lineBytes / 4]*syncPoint
	points      int // number of them
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

// mine reports whether r is an access by w.
func (r *record) mine(w *warp) bool {
	return r.who == w.actor && r.team == w.clock.team && r.how&inFlight == 0
}

// isUnordered reports whether r covers bytes in mask and is not visible to w.
func (r *record) isUnordered(w *warp, mask uint64) bool {
	if r.mask&mask == 0 || r.mine(w) {
		return false
	}
	return r.how&inFlight != 0 || r.how&agreed == 0 && !w.knows(r.moment()) && !w.knowsSome(r.moment())
}

// mustKnow reports whether the write r conflicts with a weak access of w to bytes of mask.
func (l *line) mustKnow(r *record, w *warp, mask uint64) bool {
	if !r.isUnordered(w, mask) {
		return false
	}
	if !r.how.isStrong() || l.more == nil {
		return true
	}
	for i, p := range l.more.sync {
		if r.mask&mask>>(4*i)&allBytes != 0 && (p == nil || !p.isRead(w)) {
			return true
		}
	}
	return false
}

// readLine checks and records a read by w of the bytes of mask in l. It returns the record of a write that conflicts
// with the read, or nil.
func (l *line) readLine(w *warp, mask uint64, now, at uint32) *record {
	if r := l.unknownWrite(w, mask); r != nil {
		return r
	}
	l.noteRead(w, record{mask, w.clock.team, now, at, w.actor, 0})
	return nil
}

// noteRead keeps the record of a read. The record replaces earlier ones of the same bytes that are by w or known to w.
func (l *line) noteRead(w *warp, n record) {
	r := &l.read[0]
	if (l.more == nil || len(l.more.read) == 0) && (r.mask == 0 || r.replaces(w, &n)) {
		if r.mask != 0 && r.time == n.time && r.how == n.how {
			n.mask |= r.mask
		}
		*r = n
		return
	}
	list := l.rest().read
	for i := range list {
		if x := &list[i]; x.time == n.time && x.sameActor(&n) {
			x.mask |= n.mask
			return
		}
	}
	if r.time == n.time && r.sameActor(&n) {
		r.mask |= n.mask
		return
	}
	l.addRead(w, &n)
}

// addRead keeps the record of a read that is in no record yet. If the line is full, n is added to a record of w, or
// replaces another record.
func (l *line) addRead(w *warp, n *record) {
	r, list := &l.read[0], l.more.read
	r.supersede(w, n)
	empty, old := false, (*record)(nil) // old is a record of w with another time
	for i := range list {
		x := &list[i]
		if x.supersede(w, n); x.mask == 0 {
			empty = true
		} else if x.sameActor(n) {
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
	case r.sameActor(n): // as if w had read these bytes at r.time: weaker than the truth
		r.mask |= n.mask
	case old != nil:
		old.mask |= n.mask
	default:
		list[int(n.time)%maxReads] = *n
	}
	l.more.read = list
}

// sameActor reports whether r and n have the same actor.
func (r *record) sameActor(n *record) bool {
	return r.who == n.who && r.team == n.team && r.how == n.how
}

// replaces reports whether the record r is not needed in addition to n.
func (r *record) replaces(w *warp, n *record) bool {
	if r.sameActor(n) && r.time == n.time {
		return true
	}
	return r.mask&^n.mask == 0 && r.how&inFlight == 0 && (r.sameActor(n) || w.knows(r.moment()))
}

// supersede removes the bytes that n covers from r.
func (r *record) supersede(w *warp, n *record) {
	if r.mask&n.mask != 0 && r.time != n.time && r.how&inFlight == 0 && (r.sameActor(n) || w.knows(r.moment())) {
		r.mask &^= n.mask
	}
}

// writeLine checks a write by w of the bytes of mask in l. It returns the record that conflicts with the write, or
// nil.
func (l *line) writeLine(w *warp, mask uint64) *record {
	if l.wrote[0].mask&mask != 0 && l.mustKnow(&l.wrote[0], w, mask) {
		return &l.wrote[0]
	}
	if l.read[0].mask&mask != 0 && l.read[0].isUnordered(w, mask) {
		return &l.read[0]
	}
	if l.more == nil {
		return nil
	}
	for i := range l.more.wrote {
		if r := &l.more.wrote[i]; l.mustKnow(r, w, mask) {
			return r
		}
	}
	for i := range l.more.read {
		if r := &l.more.read[i]; r.isUnordered(w, mask) {
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
	o := &l.wrote[0]
	same := o.who == n.who && o.team == n.team && o.time == n.time && o.how == n.how && o.at>>5 == n.at>>5
	l.forget(n.mask)
	if same && o.mask != 0 {
		o.mask |= n.mask
		return
	}
	if o.mask != 0 {
		more := l.rest()
		more.wrote = append(more.wrote, *o)
	}
	*o = n
}

// forget removes the bytes of mask from all records.
func (l *line) forget(mask uint64) {
	l.wrote[0].mask &^= mask
	l.read[0].mask &^= mask
	if l.more == nil {
		return
	}
	l.more.wrote = without(l.more.wrote, mask)
	l.more.read = without(l.more.read, mask)
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

// A lineAccess is an access of lanes of one instruction to a line.
type lineAccess struct {
	seg   *segment
	index uint64 // of the line
	bytes uint64
	now   uint32
	at    uint32 // the instruction, and the first of the lanes
	ok    func(w *warp, a *lineAccess) bool
}

// eachLine calls a.ok for the lines that the lanes of mask access at w.off, n bytes each. Lanes that are neighbours in
// a line are handled together. It returns a lane that has a finding, or -1.
func (w *warp) eachLine(a *lineAccess, mask uint32, n int) int {
	site, last := w.site(), -1
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		for off, left := w.off[lane], uint64(n); left > 0; {
			b, k := lineMask(off, left)
			if last < 0 || off/lineBytes != a.index {
				if last >= 0 && !a.ok(w, a) {
					return last
				}
				a.index, a.bytes, a.at, last = off/lineBytes, 0, site|uint32(lane), lane
			}
			a.bytes |= b
			off, left = off+k, left-k
		}
	}
	if !a.ok(w, a) {
		return last
	}
	return -1
}

// readLines checks and records the reads of the lanes of mask at w.off, n bytes each. It returns a lane that has a
// finding, or -1.
func (w *warp) readLines(seg *segment, mask uint32, n int) int {
	return w.eachLine(&lineAccess{seg: seg, now: w.epoch(byBarrier), ok: (*warp).readOne}, mask, n)
}

func (w *warp) readOne(a *lineAccess) bool {
	l := a.seg.line(a.index * lineBytes)
	// The common case: a line that nobody writes to.
	r := &l.read[0]
	if l.wrote[0].mask == 0 && l.more == nil && r.who == w.actor && r.team == w.clock.team && r.time == a.now &&
		r.how == 0 {
		r.mask |= a.bytes
		return true
	}
	was := l.countKept()
	if r := l.readLine(w, a.bytes, a.now, a.at); r != nil {
		w.lineConflict(a.seg, a.index*lineBytes, r, second{bytes: a.bytes, lane: int(a.at & 31)})
		if !w.goesOn() {
			return false
		}
		l.noteRead(w, record{a.bytes, w.clock.team, a.now, a.at, w.actor, 0})
	}
	w.keepRecords(l, was)
	return true
}

// writeLines checks and records the writes of the lanes of mask at w.off, n bytes each.
func (w *warp) writeLines(seg *segment, mask uint32, n int) int {
	return w.eachLine(&lineAccess{seg: seg, now: w.epoch(byAtomic), ok: (*warp).writeOne}, mask, n)
}

func (w *warp) writeOne(a *lineAccess) bool {
	l := a.seg.line(a.index * lineBytes)
	if r := l.writeLine(w, a.bytes); r != nil {
		w.lineConflict(a.seg, a.index*lineBytes, r, second{bytes: a.bytes, lane: int(a.at & 31), write: true})
		if !w.goesOn() {
			return false
		}
	}
	n := record{a.bytes, w.clock.team, a.now, a.at, w.actor, 0}
	if l.more != nil && l.more.points > 0 {
		l.endReleases(a.bytes)
	}
	was := l.countKept()
	l.noteWrite(n)
	w.keepRecords(l, was)
	return true
}

// endReleases ends what was released to the words that a weak store replaces.
func (l *line) endReleases(bytes uint64) {
	for i, p := range l.more.sync {
		if p != nil && bytes>>(4*i)&allBytes != 0 {
			p.forget()
		}
	}
}
