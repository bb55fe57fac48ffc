package sim

// What is known of global memory is kept for each line of 64 bytes, in records: who read or wrote which of its bytes, and
// when. A line that one warp writes at once, as most are, has one record; one that many share has one for each, down to
// bytes.

const (
	lineBytes = 64
	pageLines = 64
	maxReads  = 4 // records of reads that a line keeps; older ones are forgotten, and with them a race may be
)

// A record is one access to bytes of a line.
type record struct {
	mask uint64 // the bytes, a bit each; 0 for no record
	team uint32
	time uint32 // of one that is inFlight: the number of the operation
	at   uint32 // instruction and lane, see grid.site
	who  uint16
	how  how
}

// A line is what happened to 64 bytes of global memory.
type line struct {
	wrote, read [1]record
	more        *records
}

// records are those that do not fit a line, and what orders its words.
type records struct {
	wrote, read []record
	sync        [lineBytes / 4]*syncPoint
}

// linePage has 4 KB of global memory.
type linePage [pageLines]line

// line returns what is known of the line that has off.
func (s *segment) line(off uint64) *line {
	i := off / (lineBytes * pageLines)
	if s.lines == nil {
		s.lines = make([]*linePage, len(s.data)/(lineBytes*pageLines)+1)
	}
	p := s.lines[i]
	if p == nil {
		p = &linePage{}
		s.lines[i] = p
	}
	return &p[off/lineBytes%pageLines]
}

// rest returns the records that do not fit l, made if there are none.
func (l *line) rest() *records {
	if l.more == nil {
		l.more = &records{}
	}
	return l.more
}

// moment returns when r was.
func (r *record) moment() moment { return moment{r.team, r.time, r.who} }

// mine reports whether r is of w.
func (r *record) mine(w *warp) bool {
	return r.who == w.actor && r.team == w.clock.team && r.how&inFlight == 0
}

// unordered reports whether r is of bytes of mask and not known to w.
func (r *record) unordered(w *warp, mask uint64) bool {
	if r.mask&mask == 0 || r.mine(w) {
		return false
	}
	return r.how&inFlight != 0 || r.how&agreed == 0 && !w.knows(r.moment())
}

// readLine looks at the bytes of mask that w reads in l, and notes that. It returns the record of a write that the read
// conflicts with, or nil.
func (l *line) readLine(w *warp, mask uint64, now, at uint32) *record {
	if l.wrote[0].unordered(w, mask) && !w.mayReadOver(&l.wrote[0]) {
		return &l.wrote[0]
	}
	if l.more != nil {
		for i := range l.more.wrote {
			if r := &l.more.wrote[i]; r.unordered(w, mask) && !w.mayReadOver(r) {
				return r
			}
		}
	}
	l.noteRead(w, record{mask, w.clock.team, now, at, w.actor, 0})
	return nil
}

// mayReadOver reports whether a write that w does not know is one that orders.
func (w *warp) mayReadOver(r *record) bool {
	if r.how&(strong|byAtom) != 0 && r.how&inFlight == 0 {
		w.learn(r.moment())
		return true
	}
	return false
}

// noteRead keeps the record of a read. Where w has read other bytes of the line before, they are put together, as if all
// had been read then.
func (l *line) noteRead(w *warp, n record) {
	old := &l.read[0]
	if old.mask == 0 || old.add(w, n) {
		if old.mask == 0 {
			*old = n
		}
		return
	}
	list := l.rest().read
	for i := range list {
		if list[i].add(w, n) {
			return
		}
	}
	if len(list) < maxReads {
		l.more.read = append(list, n)
		return
	}
	list[int(n.time)%maxReads] = n
}

// add puts a read of w together with r, if one stands for both.
func (r *record) add(w *warp, n record) bool {
	same := r.who == n.who && r.team == n.team && r.how&inFlight == 0
	switch {
	case same && r.time == n.time:
		r.mask |= n.mask
		r.at = n.at
	case r.mask&^n.mask == 0 && (same || r.how&inFlight == 0 && w.knows(r.moment())):
		*r = n
	case same:
		r.mask |= n.mask
	default:
		return false
	}
	return true
}

// writeLine looks at the bytes of mask that w writes in l. It returns the record that the write conflicts with, or nil.
func (l *line) writeLine(w *warp, mask uint64) *record {
	if l.wrote[0].unordered(w, mask) && l.wrote[0].how&strong == 0 {
		return &l.wrote[0]
	}
	if l.read[0].unordered(w, mask) {
		return &l.read[0]
	}
	if l.more == nil {
		return nil
	}
	for i := range l.more.wrote {
		if r := &l.more.wrote[i]; r.unordered(w, mask) && r.how&strong == 0 {
			return r
		}
	}
	for i := range l.more.read {
		if r := &l.more.read[i]; r.unordered(w, mask) {
			return r
		}
	}
	return nil
}

// noteWrite keeps the record of a write, and forgets what was known of its bytes before.
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

// forget takes the bytes of mask out of all records.
func (l *line) forget(mask uint64) {
	l.wrote[0].mask &^= mask
	l.read[0].mask &^= mask
	if l.more == nil {
		return
	}
	l.more.wrote = without(l.more.wrote, mask)
	l.more.read = without(l.more.read, mask)
}

// without takes the bytes of mask out of records, and those without bytes out of the list.
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

// lineMask returns which bytes of the line of off are the n from there on, at most up to its end, and how many those
// are.
func lineMask(off uint64, n uint64) (mask, bytes uint64) {
	at := off % lineBytes
	bytes = min(n, lineBytes-at)
	return ones(int(bytes)) << at, bytes
}

// readLines looks at what the lanes of mask read at w.off, n bytes each, and notes that. It returns a lane of which a
// finding was noted, or -1.
func (w *warp) readLines(seg *segment, mask uint32, n int) int {
	now, at := w.epoch(byBarrier), w.site()
	var cur, bytes uint64
	last := -1
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		for off, left := w.off[lane], uint64(n); left > 0; {
			b, k := lineMask(off, left)
			if last < 0 || off/lineBytes != cur {
				if last >= 0 && !w.readOne(seg, cur, bytes, now, at|uint32(last)) {
					return last
				}
				cur, bytes, last = off/lineBytes, 0, lane
			}
			bytes |= b
			off, left = off+k, left-k
		}
	}
	if !w.readOne(seg, cur, bytes, now, at|uint32(last)) {
		return last
	}
	return -1
}

func (w *warp) readOne(seg *segment, i, bytes uint64, now, at uint32) bool {
	l := seg.line(i * lineBytes)
	// What most reads are: of a line that nobody writes to.
	if l.wrote[0].mask == 0 && l.more == nil && l.read[0].who == w.actor && l.read[0].team == w.clock.team && l.read[0].time == now {
		l.read[0].mask |= bytes
		return true
	}
	if r := l.readLine(w, bytes, now, at); r != nil {
		w.lineConflict(seg, i*lineBytes, r, access2{bytes: bytes, lane: int(at & 31)})
		return false
	}
	return true
}

// writeLines looks at what the lanes of mask write at w.off, n bytes each, and notes that.
func (w *warp) writeLines(seg *segment, mask uint32, n int) int {
	now, at := w.epoch(byAtomic), w.site()
	var cur, bytes uint64
	last := -1
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		for off, left := w.off[lane], uint64(n); left > 0; {
			b, k := lineMask(off, left)
			if last < 0 || off/lineBytes != cur {
				if last >= 0 && !w.writeOne(seg, cur, bytes, now, at|uint32(last)) {
					return last
				}
				cur, bytes, last = off/lineBytes, 0, lane
			}
			bytes |= b
			off, left = off+k, left-k
		}
	}
	if !w.writeOne(seg, cur, bytes, now, at|uint32(last)) {
		return last
	}
	return -1
}

func (w *warp) writeOne(seg *segment, i, bytes uint64, now, at uint32) bool {
	l := seg.line(i * lineBytes)
	if r := l.writeLine(w, bytes); r != nil {
		w.lineConflict(seg, i*lineBytes, r, access2{bytes: bytes, lane: int(at & 31), write: true})
		return false
	}
	n := record{bytes, w.clock.team, now, at, w.actor, 0}
	if l.more != nil && w.releaseStores(l, bytes) {
		n.how = strong
	}
	l.noteWrite(n)
	return true
}

// releaseStores lets a plain store to words that atomic instructions use order what the warp did before, as those that
// give a lock back are used. It reports whether there is such a word.
func (w *warp) releaseStores(l *line, bytes uint64) bool {
	any := false
	for i, p := range l.more.sync {
		if p != nil && bytes>>(4*i)&allBytes != 0 {
			w.storeRelease(p)
			any = true
		}
	}
	return any
}
