package sim

import "math/bits"

// Asynchronous operations: copies, reductions, multiplications by the tensor core. One that was begun has marked
// what it reads and writes; until it has completed nobody may write to either, nor read what it writes. It lands as
// late as it may: when a wait that lets a thread know of it has to succeed. From then on what it did is an event of
// the actor that completed it, the warp that waited or the mbarrier, and all that makes that known to others holds
// for it.
//
// How to add one, as cpasync.go does:
//
//	o := &operation{reads: ..., writes: ..., move: ..., missing: "cp.async.wait_group"}
//	if st := w.begin(o, mask); st != advance { return st }	// finds conflicts, marks the bytes
//	w.copies.add(o)			// a group of each thread completes it (groups), or
//	m.promise(promise{op: o, bytes: n})	// an mbarrier does: mbarrierAt
//
// and where a wait covers it, o.land(w.event()), or o.landReads first where a wait is only for what it reads. What
// has registers for its result, like wgmma, has regions for what it reads only, and lands at its own wait.

// region is bytes of one segment.
type region struct {
	seg    *segment
	off, n uint64
	lane   uint8 // whose part of the operation it is
	atomic bool  // each element is read and written at once, as by red: others may do that too
}

// fault is what an operation finds when it lands; kind is "" for nothing.
type fault struct {
	kind    Kind
	address uint64
	text    string
}

// operation is what lanes of a warp began at one instruction.
type operation struct {
	number  uint32 // while it is in flight, otherwise 0
	at      uint32 // the instruction, see grid.site
	warp    *warp
	lanes   uint32 // whose part has not completed
	reads   []region
	writes  []region
	move    func(o *operation) fault // writes what there is to write, for the lanes that are left
	missing string                   // what would have let a thread know of it: "cp.async.wait_group"
	keep    func()                   // takes along what is read, when it may be written before move; nil for nothing
	quiet   bool                     // no event of a trace
	engine  bool                     // a block that it reads or writes may not end before it is known to have completed
	under   *operation               // one that read some of the same when this one began
	group   uint32                   // number of the group that it is in, see groups
	groups  *groups                  // those groups; nil where none completes it
	nth     uint32                   // when it was added to them, see groups.events
	read    bool                     // its sources were let go
	// warpgroup is the number of that whose wgmma it is, from 1; 0 for another operation.
	warpgroup int
	id        int64 // in a trace, see trace.began
	event     int
}

// begin begins an operation of lanes of w. It fails if the bytes are not ones that the lanes may read or write now.
func (w *warp) begin(o *operation, mask uint32) status {
	g := w.block.grid
	o.warp, o.lanes, o.at, o.read = w, mask, w.site(), false
	g.enrol(o)
	g.keep(o.bytes())
	if w.begun = append(w.begun, o); len(w.begun) > w.swept {
		w.begun = inFlightOf(w.begun)
		w.swept = 2*len(w.begun) + 64
	}
	w.epoch(byAtomic)
	for i := range o.reads {
		if !w.beginRead(o, &o.reads[i]) {
			return failed
		}
	}
	for i := range o.writes {
		if !w.beginWrite(o, &o.writes[i]) {
			return failed
		}
	}
	g.trace.began(o)
	return advance
}

// enrol gives an operation its number.
func (g *grid) enrol(o *operation) {
	if n := len(g.free); n > 0 {
		o.number = g.free[n-1]
		g.free = g.free[:n-1]
		g.ops[o.number] = o
		return
	}
	if len(g.ops) == 0 {
		g.ops = append(g.ops, nil)
	}
	o.number = uint32(len(g.ops))
	g.ops = append(g.ops, o)
}

// beginRead marks bytes that o reads.
func (w *warp) beginRead(o *operation, r *region) bool {
	seg, lane := r.seg, int(r.lane)
	if !seg.tracked {
		return true
	}
	if seg.owner != nil {
		for off := r.off &^ 3; off < r.off+r.n; off += 4 {
			x := seg.word(off)
			b := regionBytes(r, off)
			if x.filling != 0 || x.bytes&b != 0 && !w.mayRead(x, seg, off) && !w.knowsWrite(x) {
				if w.readConflict(seg, off, x, lane); !w.goesOn() {
					return false
				}
			}
			if x.draining != 0 && x.draining != o.number && o.under == nil {
				o.under = w.block.grid.ops[x.draining]
			}
			x.draining = o.number
		}
		return true
	}
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := seg.line(off)
		if x := l.unknownWrite(w, mask); x != nil {
			if w.lineConflict(seg, off/lineBytes*lineBytes, x, second{bytes: mask, lane: lane}); !w.goesOn() {
				return false
			}
		}
		l.noteOperation(record{mask, 0, o.number, o.at | uint32(lane), noActor, inFlight}, &l.read[0])
		off += k
	}
	return true
}

// noActor is who an operation in flight is done by.
const noActor = 1<<16 - 1

// beginWrite marks bytes that o writes.
func (w *warp) beginWrite(o *operation, r *region) bool {
	seg, lane := r.seg, int(r.lane)
	if !seg.tracked {
		return true
	}
	if seg.owner != nil {
		for off := r.off &^ 3; off < r.off+r.n; off += 4 {
			x := seg.word(off)
			if x.filling != 0 && r.atomic && w.block.grid.ops[x.filling].atomic() {
				continue
			}
			by := byLane{lane, regionBytes(r, off), r.atomic}
			if !w.mayWrite(x, seg, off, by) {
				if w.writeConflict(seg, off, x, by); !w.suspect() {
					return false
				}
			}
			x.filling = o.number
		}
		return true
	}
	h := inFlight
	if r.atomic {
		h |= byAtom
	}
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := seg.line(off)
		if x := l.writeLine(w, mask); x != nil && !(r.atomic && x.how&byAtom != 0) {
			w.lineConflict(seg, off/lineBytes*lineBytes, x, second{bytes: mask, lane: lane, write: true})
			if !w.suspect() {
				return false
			}
		}
		l.noteOperation(record{mask, 0, o.number, o.at | uint32(lane), noActor, h}, &l.wrote[0])
		off += k
	}
	return true
}

// atomic reports whether others may write to what o writes as it does.
func (o *operation) atomic() bool { return len(o.writes) > 0 && o.writes[0].atomic }

// regionBytes returns which bytes of the word at off are in r.
func regionBytes(r *region, off uint64) uint8 {
	b := uint8(allBytes)
	if off < r.off {
		b &= allBytes << (r.off - off)
	}
	if end := r.off + r.n; off+4 > end {
		b &= allBytes >> (off + 4 - end)
	}
	return b & allBytes
}

// unknownWrite returns the record of a write to bytes of mask that w may not read, or nil.
func (l *line) unknownWrite(w *warp, mask uint64) *record {
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
	return nil
}

// noteOperation keeps the record of an operation in flight, beside what is known of the bytes; first is the first
// record of reads or that of writes.
func (l *line) noteOperation(n record, first *record) {
	if first.mask == 0 {
		*first = n
		return
	}
	if more := l.rest(); first == &l.wrote[0] {
		more.wrote = append(more.wrote, n)
	} else {
		more.read = append(more.read, n)
	}
}

// land lets the operation write what it has to, as an event that others may come to know of. An operation that has
// landed stays so. The fault is of what it reads.
func (o *operation) land(m moment) fault {
	if o.number == 0 {
		return fault{}
	}
	var f fault
	if o.move != nil {
		f = o.move(o)
	}
	o.keep = nil
	o.landReads(m)
	for i := range o.writes {
		if r := &o.writes[i]; o.lanes>>r.lane&1 == 1 {
			o.landWrite(r, m)
		}
	}
	g := o.warp.block.grid
	g.keep(-o.bytes())
	g.ops[o.number] = nil
	g.free = append(g.free, o.number)
	o.number = 0
	g.progress++
	g.trace.landed(o)
	return f
}

// landReads lets others write to what the operation reads: it has read it.
func (o *operation) landReads(m moment) {
	if o.number == 0 || o.read {
		return
	}
	if o.read = true; o.keep != nil {
		o.keep()
	}
	for o.under != nil && (o.under.number == 0 || o.under.read) {
		o.under = o.under.under
	}
	for i := range o.reads {
		r := &o.reads[i]
		if o.lanes>>r.lane&1 == 0 || !r.seg.tracked {
			continue
		}
		if r.seg.owner != nil {
			o.landWords(r, m, o.under.reader(i))
			continue
		}
		for off := r.off; off < r.off+r.n; {
			mask, k := lineMask(off, r.off+r.n-off)
			l := r.seg.line(off)
			l.complete(o.number, mask)
			l.noteRead(o.warp, record{mask, m.team, m.time, o.at | uint32(r.lane), m.who, byOperation})
			off += k
		}
	}
}

// reader returns the i-th region of o, which is in flight, or nothing. Warps that read the same
// do it by regions in the same order, so that the one of the same index is looked for.
func (o *operation) reader(i int) stillRead {
	if o == nil || i >= len(o.reads) {
		return stillRead{}
	}
	return stillRead{o.reads[i], o.number}
}

// stillRead is a region of an operation in flight, and its number.
type stillRead struct {
	region
	number uint32
}

// landWords notes that words of shared memory were read, while another operation may still read them.
func (o *operation) landWords(r *region, m moment, still stillRead) {
	b := r.seg.owner
	home := m.who >= b.first && int(m.who-b.first) < len(b.warps)
	for off := r.off &^ 3; off < r.off+r.n; off += 4 {
		x := r.seg.word(off)
		if x.draining == o.number {
			if x.draining = 0; still.seg == r.seg && off-still.off < still.n {
				x.draining = still.number
			}
		}
		if o.warpgroup > 0 {
			if off%pieceBytes == 0 {
				r.seg.noteTensor(off, o.warpgroup-1, tensorRead{m.time, o.at})
			}
			continue
		}
		x.readAt = o.at | uint32(r.lane)
		if home {
			x.noteRead(b.warps[m.who-b.first], r.seg, m.time, regionBytes(r, off))
		} else {
			x.noteFar(o.warp, farRead{m.time, o.at | uint32(r.lane), m.who, regionBytes(r, off)})
			r.seg.remote = true
		}
	}
}

// landWrite notes that the bytes of r were written.
func (o *operation) landWrite(r *region, m moment) {
	if !r.seg.tracked {
		return
	}
	if r.seg.owner != nil {
		for off := r.off &^ 3; off < r.off+r.n; off += 4 {
			x := r.seg.word(off)
			if x.filling == o.number {
				x.filling = 0
			}
			h := byOperation
			if r.atomic {
				h |= byAtom
			}
			x.noteWrite(m.who, m.time, regionBytes(r, off), h)
			x.wroteAt = o.at | uint32(r.lane)
		}
		return
	}
	h := byOperation
	if r.atomic {
		h |= byAtom
	}
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := r.seg.line(off)
		l.complete(o.number, mask)
		l.noteWrite(record{mask, m.team, m.time, o.at | uint32(r.lane), m.who, h})
		off += k
	}
}

// complete takes out the records of an operation in flight, for bytes of mask.
func (l *line) complete(number uint32, mask uint64) {
	drop := func(r *record) {
		if r.how&inFlight != 0 && r.time == number {
			r.mask &^= mask
		}
	}
	drop(&l.wrote[0])
	drop(&l.read[0])
	if l.more == nil {
		return
	}
	for i := range l.more.wrote {
		drop(&l.more.wrote[i])
	}
	for i := range l.more.read {
		drop(&l.more.read[i])
	}
	l.more.wrote, l.more.read = without(l.more.wrote, 0), without(l.more.read, 0)
}

// part takes the lanes of mask out of o and returns an operation of them, so that they can complete alone.
func (o *operation) part(mask uint32) *operation {
	if mask&o.lanes == o.lanes {
		return o
	}
	p := &operation{
		warp: o.warp, at: o.at, lanes: o.lanes & mask, move: o.move, missing: o.missing, group: o.group, read: o.read,
		keep: o.keep, engine: o.engine, id: o.id, groups: o.groups, nth: o.nth,
	}
	o.warp.block.grid.enrol(p)
	o.warp.block.grid.keep(operationBytes)
	o.warp.begun = append(o.warp.begun, p)
	o.lanes &^= mask
	split := func(list []region) (rest, mine []region) {
		for _, r := range list {
			if mask>>r.lane&1 == 1 {
				mine = append(mine, r)
			} else {
				rest = append(rest, r)
			}
		}
		return rest, mine
	}
	o.reads, p.reads = split(o.reads)
	o.writes, p.writes = split(o.writes)
	for i := range p.reads {
		p.reads[i].renumber(o.number, p.number)
	}
	for i := range p.writes {
		p.writes[i].renumber(o.number, p.number)
	}
	return p
}

// renumber gives the marks of an operation in r to another one.
func (r *region) renumber(from, to uint32) {
	if !r.seg.tracked {
		return
	}
	if r.seg.owner != nil {
		for off := r.off &^ 3; off < r.off+r.n; off += 4 {
			x := r.seg.word(off)
			if x.filling == from {
				x.filling = to
			}
			if x.draining == from {
				x.draining = to
			}
		}
		return
	}
	// A record of global memory may have bytes of several lanes; those of the others keep its number.
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := r.seg.line(off)
		l.move(&l.wrote[0], renumbering{from, to, mask, &l.wrote[0]})
		l.move(&l.read[0], renumbering{from, to, mask, &l.read[0]})
		if l.more != nil {
			for i := range l.more.wrote {
				l.move(&l.more.wrote[i], renumbering{from, to, mask, &l.wrote[0]})
			}
			for i := range l.more.read {
				l.move(&l.more.read[i], renumbering{from, to, mask, &l.read[0]})
			}
		}
		off += k
	}
}

// renumbering gives bytes of a record to another operation.
type renumbering struct {
	from, to uint32
	mask     uint64
	first    *record // of reads or of writes
}

func (l *line) move(r *record, to renumbering) {
	if r.how&inFlight == 0 || r.time != to.from || r.mask&to.mask == 0 {
		return
	}
	n := *r
	n.time, n.mask = to.to, r.mask&to.mask
	r.mask &^= to.mask
	if r.mask == 0 {
		*r = n
		return
	}
	l.noteOperation(n, to.first)
}

// event returns what w does now, as an event.
func (w *warp) event() moment {
	return moment{w.clock.team, w.epoch(byAtomic), w.actor}
}

// groups are the operations of the lanes of a warp that complete in groups, as those of cp.async and of bulk copies
// do.
type groups struct {
	list   []*operation // in flight
	closed [lanes]uint32
	waits  [lanes]groupWait // the last ones
	events uint32           // operations and waits so far
}

// A groupWait is what a lane waited for: all groups that it had closed but the last n.
type groupWait struct {
	site   uint32 // the instruction
	n      uint32
	closed uint32
	nth    uint32 // see groups.events; 0 for none
	read   bool   // only until those have read their sources
}

// note keeps the wait of lanes at an instruction.
func (s *groups) note(mask uint32, x groupWait) {
	s.events++
	for x.nth = s.events; mask != 0; mask &= mask - 1 {
		lane := lowest(mask)
		x.closed = s.closed[lane]
		s.waits[lane] = x
	}
}

// add puts an operation in the group of each of its lanes that is open.
func (s *groups) add(o *operation) {
	s.events++
	o.groups, o.nth = s, s.events
	for o.lanes != 0 {
		first := s.closed[bits.TrailingZeros32(o.lanes)]
		same := uint32(0)
		for m := o.lanes; m != 0; m &= m - 1 {
			if i := lowest(m); s.closed[i] == first {
				same |= 1 << i
			}
		}
		p := o.part(same)
		p.group = first
		s.list = append(s.list, p)
		if p == o {
			return
		}
	}
}

// sweep takes out what has landed, from time to time: what an mbarrier completes may never be waited for by groups.
func (s *groups) sweep() {
	if n := len(s.list); n >= 64 && n&(n-1) == 0 {
		s.list = inFlightOf(s.list)
	}
}

// commit closes the groups of lanes.
func (s *groups) commit(mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		s.closed[lowest(m)]++
	}
}

// wait lets the groups of lanes of mask but the last n of each complete, each one by done.
func (s *groups) wait(mask uint32, n uint32, done func(o *operation)) {
	for i := 0; i < len(s.list); i++ {
		o := s.list[i]
		ready := uint32(0)
		for m := o.lanes & mask; m != 0; m &= m - 1 {
			if k := lowest(m); o.group+n < s.closed[k] {
				ready |= 1 << k
			}
		}
		if ready == 0 {
			continue
		}
		p := o.part(ready)
		if done(p); p != o && p.number != 0 {
			s.list = append(s.list, p)
		}
	}
	s.list = inFlightOf(s.list)
}

// inFlightOf returns those of a list that have not landed.
func inFlightOf(list []*operation) []*operation {
	n := 0
	for _, o := range list {
		if o.number != 0 {
			list[n] = o
			n++
		}
	}
	clear(list[n:])
	return list[:n]
}

// landAll lets land what w has begun and not waited for, when its threads are gone. What those write that complete
// by an mbarrier is nobody's any more.
func (w *warp) landAll() {
	for _, o := range w.begun {
		o.land(w.event())
	}
	clear(w.begun)
	w.begun = w.begun[:0]
	w.copies, w.bulk = groups{}, groups{}
}

// lowest returns the number of the lowest lane of a mask that is not 0.
func lowest(m uint32) int { return bits.TrailingZeros32(m) & 31 }
