package sim

import "math/bits"

// This file has asynchronous operations: copies, reductions, multiplications by the tensor core. An operation that
// begins marks the bytes that it reads and writes. Until it has completed, no thread may write any of these bytes, or
// read the bytes that it writes. It lands as late as it may: when a wait that makes it known to a thread has to
// succeed. From then on its effects are an event of the actor that completed it, the warp that waited or the mbarrier;
// others learn of them as of any event of that actor.
//
// To add an operation, follow cpasync.go:
//
//	o := &operation{reads: ..., writes: ..., move: ..., missing: "cp.async.wait_group"}
//	if st := w.begin(o, mask); st != advance { return st }	// finds conflicts, marks the bytes
//	w.copies.add(o)			// a group of each thread completes it (groups), or
//	m.promise(promise{op: o, bytes: n})	// an mbarrier does: mbarrierAt
//
// A wait that covers it calls o.land(w.event()), or first o.landReads if it is a wait for the reads only. An operation
// whose result is in registers, like wgmma, has regions for its reads only, and lands at its own wait.

// region is bytes of one segment.
type region struct {
	seg    *segment
	off, n uint64
	lane   uint8 // the lane whose part of the operation it is
	atomic bool  // each element is read and written at once, as by red: others may do so at the same time
}

// opFault is the fault of an operation that lands; kind is "" if there is none.
type opFault struct {
	kind    Kind
	address uint64
	text    string
}

// operation is an asynchronous operation that lanes of a warp began at one instruction.
type operation struct {
	number  uint32 // while it is in flight, otherwise 0
	at      uint32 // the instruction, see grid.site
	warp    *warp
	lanes   uint32 // lanes whose part has not completed
	reads   []region
	writes  []region
	move    func(o *operation) opFault // writes the results, for the lanes that are left
	missing string                     // the wait that would have made it known to a thread: "cp.async.wait_group"
	keep    func()                     // copies the bytes to read, if they may change before move; nil if not needed
	quiet   bool                       // not an event of a trace
	engine  bool                       // blocks whose memory it accesses may not end before its completion is known
	under   *operation                 // an earlier operation that read some of the same bytes when this one began
	group   uint32                     // number of its group, see groups
	groups  *groups                    // the groups that complete it; nil if none does
	nth     uint32                     // when it was added to them, see groups.events
	read    bool                       // its sources may be overwritten again
	// warpgroup is the number of the warpgroup whose wgmma it is, from 1; 0 for other operations.
	warpgroup int
	id        int64 // in a trace, see trace.began
	event     int
}

// begin begins an operation of lanes of w. It fails if the lanes may not read or write the bytes now.
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

// enrol gives an operation a number.
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

// noActor is the actor of an operation in flight.
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

// atomic reports whether other operations like o may write the same bytes at the same time.
func (o *operation) atomic() bool { return len(o.writes) > 0 && o.writes[0].atomic }

// regionBytes returns the bytes of the word at off that are in r.
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
	if l.wrote[0].isUnordered(w, mask) && !w.mayReadOver(&l.wrote[0]) {
		return &l.wrote[0]
	}
	if l.more != nil {
		for i := range l.more.wrote {
			if r := &l.more.wrote[i]; r.isUnordered(w, mask) && !w.mayReadOver(r) {
				return r
			}
		}
	}
	return nil
}

// noteOperation adds the record of an operation in flight to the records of the bytes. first is the first record of
// reads, or of writes.
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

// land executes the writes of the operation, as event m. Landing twice has no effect. The returned fault is about the
// bytes that it reads.
func (o *operation) land(m moment) opFault {
	if o.number == 0 {
		return opFault{}
	}
	var f opFault
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
	g.trace.noteLanding(o)
	return f
}

// landReads allows others to write the bytes that the operation has read.
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

// reader returns the i-th region of o, which is in flight, or nothing. Warps that read the same bytes do so by
// regions in the same order, so the region with the same index is compared.
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

// landWords records that words of shared memory were read, while another operation may still read them.
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

// landWrite records that the bytes of r were written.
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

// complete removes the records of an operation in flight for the bytes of mask.
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

// part splits the lanes of mask off o, as an operation that can complete alone.
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

// renumber moves the marks in r from one operation to another.
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
	// A record of global memory may cover bytes of several lanes; the bytes of other lanes keep its number.
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

// renumbering moves bytes of a record to another operation.
type renumbering struct {
	from, to uint32
	mask     uint64
	first    *record // of reads, or of writes
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

// event returns what w does now as an event.
func (w *warp) event() moment {
	return moment{w.clock.team, w.epoch(byAtomic), w.actor}
}

// groups are the operations of the lanes of a warp that complete in groups, such as cp.async and bulk copies.
type groups struct {
	list   []*operation // in flight
	closed [lanes]uint32
	waits  [lanes]groupWait // the last wait of each lane
	events uint32           // operations and waits so far
}

// A groupWait is a wait of a lane: for all groups that it had closed, except the last n.
type groupWait struct {
	site   uint32 // the instruction
	n      uint32
	closed uint32
	nth    uint32 // see groups.events; 0 for none
	read   bool   // a wait for the reads of the operations only
}

// note records the wait of lanes at an instruction.
func (s *groups) note(mask uint32, x groupWait) {
	s.events++
	for x.nth = s.events; mask != 0; mask &= mask - 1 {
		lane := lowest(mask)
		x.closed = s.closed[lane]
		s.waits[lane] = x
	}
}

// add adds an operation to the open group of each of its lanes.
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

// sweep removes landed operations from time to time: no group may ever wait for an operation that an mbarrier
// completes.
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

// wait completes the groups of the lanes of mask, except the last n of each, by calling done for their operations.
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

// inFlightOf returns the operations of a list that have not landed.
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

// landAll lands the operations that w has begun and not waited for, when its threads have exited. The writes of those
// that complete at an mbarrier have no owner any more.
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
