package sim

import "math/bits"

// This file implements asynchronous operations: copies, reductions, multiplications by the tensor core. An operation
// that begins marks the bytes that it reads and writes. Until the operation completes, no thread may write these bytes,
// or read the bytes that the operation writes. An operation lands as late as possible: when a wait that makes it known
// to a thread must succeed. From then on, its effects are an event of the actor that completed the operation: the warp
// that waited, or the mbarrier. Others learn of this event as of any event of that actor.
//
// To add an operation, follow cpasync.go:
//
//	o := &operation{reads: ..., writes: ..., move: ..., missing: "cp.async.wait_group"}
//	if st := w.begin(o, mask); st != advance { return st }	// finds conflicts, marks the bytes
//	w.copies.add(o)			// a group of each thread completes it (groups), or
//	m.promise(promise{op: o, bytes: n})	// an mbarrier does: mbarrierAt
//
// A wait that covers the operation calls o.land(w.event()); a wait for only the reads calls o.landReads instead. An
// operation whose result is in registers, like wgmma, lists only regions that it reads, and lands at its own wait.

// region is a range of bytes of one segment.
type region struct {
	seg    *segment
	off, n uint64
	lane   uint8 // the lane whose part of the operation accesses the region
	atomic bool  // each element is updated atomically, as by red: other atomic updates may overlap
	object bool  // a tensor map, which has a proxy of its own
}

// strength returns how strong the updates of r are: reductions are relaxed at the scope of the GPU.
func (r *region) strength() how {
	if r.atomic {
		return byAtom | ofGPU.how()
	}
	return 0
}

// opFault is the fault of an operation that lands; kind is "" if there is none.
type opFault struct {
	kind    Kind
	address uint64
	text    string
}

// operation is an asynchronous operation that lanes of a warp began with one instruction.
type operation struct {
	number  uint32 // number in flight, otherwise 0
	at      uint32 // the instruction, see grid.site
	warp    *warp
	lanes   uint32 // lanes whose part has not completed
	reads   []region
	writes  []region
	move    func(o *operation) opFault // writes the results for the remaining lanes
	missing string                     // the wait that makes the operation known to a thread: "cp.async.wait_group"
	keep    func()                     // copies the source bytes, if they may change before move; nil if not needed
	quiet   bool                       // not recorded in a trace
	engine  bool                       // a block whose memory it accesses may not end before its completion is known
	under   *operation                 // earlier operation that was reading some of the same bytes when this one began
	group   uint32                     // number of its group, see groups
	groups  *groups                    // the groups that complete the operation, or nil
	nth     uint32                     // groups.events when the operation was added
	read    bool                       // reads have completed: the sources may be overwritten
	image   []spot                     // what it will leave, see imageOf; nil if no one has asked
	// warpgroup is the number, from 1, of the warpgroup that executes this wgmma; 0 for other operations.
	warpgroup int
	id        int64 // number in a trace, see trace.began
	event     int
	explained int32     // number in the log of the explainer
	tmem      *tensorOp // nil if it does not use tensor memory
}

// begin begins operation o for the lanes of mask. It fails if the lanes may not read or write the bytes now.
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
	g.explain.begin(w, o)
	if g.log != nil && !w.logOperation(o) {
		return failed
	}
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

// beginRead marks the bytes of r as bytes that o reads.
func (w *warp) beginRead(o *operation, r *region) bool {
	seg, lane := r.seg, int(r.lane)
	if !seg.tracked {
		return true
	}
	if seg.owner != nil {
		return w.beginReadWords(o, r)
	}
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := seg.line(off)
		if x := l.unknownWrite(w, &second{bytes: mask, lane: lane}); x != nil {
			if w.lineConflict(seg, off/lineBytes*lineBytes, x, second{bytes: mask, lane: lane}); !w.goesOn() {
				return false
			}
		} else if o.byProxy(r) && !w.lineProxied(l, mask, crossing{seg, seg.base + off/lineBytes*lineBytes, false}, lane) {
			return false
		}
		l.noteOperation(record{mask, 0, o.number, o.at | uint32(lane), noActor, inFlight}, &l.read[0])
		off += k
	}
	return true
}

// noActor is the actor of an operation in flight.
const noActor = 1<<16 - 1

// beginWrite marks the bytes of r as bytes that o writes.
func (w *warp) beginWrite(o *operation, r *region) bool {
	seg, lane := r.seg, int(r.lane)
	if !seg.tracked {
		return true
	}
	if seg.owner != nil {
		return w.beginWriteWords(o, r)
	}
	h := inFlight | r.strength()
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := seg.line(off)
		by := second{bytes: mask, lane: lane, write: true}
		alike := uint64(0)
		if l.writeLine(w, &by) != nil {
			var ok bool
			if alike, ok = w.overwrites(o, l, spot{seg, off / lineBytes * lineBytes}, &by); !ok {
				return false
			}
		} else if w.block.grid.strict && o.byProxy(r) &&
			!w.lineProxied(l, mask, crossing{seg, seg.base + off/lineBytes*lineBytes, true}, lane) {
			return false
		}
		n := record{mask, 0, o.number, o.at | uint32(lane), noActor, h}
		n.split(alike, func(n record) { l.noteOperation(n, &l.wrote[0]) })
		off += k
	}
	return true
}

// atomic reports whether other atomic operations may write the bytes of o at the same time.
func (o *operation) atomic() bool { return len(o.writes) > 0 && o.writes[0].atomic }

// unknownWrite returns the record of a write that covers bytes of a, which may not read them, or nil.
func (l *line) unknownWrite(w *warp, a *second) *record {
	if l.wrote[0].mask&a.bytes != 0 && l.mustKnow(&l.wrote[0], w, a) {
		return &l.wrote[0]
	}
	if l.more != nil {
		for i := range l.more.wrote {
			if r := &l.more.wrote[i]; l.mustKnow(r, w, a) {
				return r
			}
		}
	}
	return nil
}

// noteOperation adds n, the record of an operation in flight, to the records of l. first is the first record of the
// reads or writes of l.
func (l *line) noteOperation(n record, first *record) {
	if first.mask == 0 {
		*first = n
		return
	}
	more := l.rest()
	if more.bytes |= n.mask; first == &l.wrote[0] {
		more.wrote = append(more.wrote, n)
	} else {
		more.read = append(more.read, n)
	}
}

// land executes the writes of o, as event m. A second call has no effect. The returned fault is about the bytes that o
// reads.
func (o *operation) land(m moment) opFault {
	if o.number == 0 {
		return opFault{}
	}
	o.landBefore(m)
	var f opFault
	if o.move != nil {
		f = o.move(o)
	}
	o.keep = nil
	o.forgetImage()
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

// landReads allows others to write the bytes that o has read.
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

// reader returns region i of o, which is in flight, and the number of o, or zeros. Warps that read the same bytes list
// the regions in the same order, so regions with the same index are compared.
func (o *operation) reader(i int) stillRead {
	if o == nil || i >= len(o.reads) {
		return stillRead{}
	}
	return stillRead{o.reads[i], o.number}
}

// stillRead is a region of an operation in flight, and the number of the operation.
type stillRead struct {
	region
	number uint32
}

// landWrite records that the bytes of r were written.
func (o *operation) landWrite(r *region, m moment) {
	if !r.seg.tracked {
		return
	}
	if g := o.warp.block.grid; r.atomic && g.orders != nil {
		g.touchBytes(r.seg, r.off, orderedAccess{bytes: int(r.n), order: writes})
	}
	if r.seg.owner != nil {
		o.landWriteWords(r, m)
		return
	}
	h := byOperation | r.strength()
	for off := r.off; off < r.off+r.n; {
		mask, k := lineMask(off, r.off+r.n-off)
		l := r.seg.line(off)
		alike := l.alike(o.number)
		l.complete(o.number, mask)
		n := record{mask, m.team, m.time, o.at | uint32(r.lane), m.who, h}
		n.split(alike, l.noteWrite)
		off += k
	}
}

// complete removes the bytes of mask from the records of the operation with that number.
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

// part splits the lanes of mask off o, as an operation that can complete alone. It returns o if mask covers o.
func (o *operation) part(mask uint32) *operation {
	if mask&o.lanes == o.lanes {
		return o
	}
	p := &operation{
		warp: o.warp, at: o.at, lanes: o.lanes & mask, move: o.move, missing: o.missing, group: o.group, read: o.read,
		keep: o.keep, engine: o.engine, id: o.id, groups: o.groups, nth: o.nth,
		explained: o.explained,
	}
	o.warp.block.grid.enrol(p)
	o.warp.block.grid.keep(operationBytes)
	o.warp.begun = append(o.warp.begun, p)
	o.lanes &^= mask
	o.forgetImage()
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

// renumber replaces operation number from by number to in the marks of r.
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
	// A record of global memory may cover bytes of several lanes; the bytes of other lanes keep the old number.
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

// renumbering moves the bytes of mask in a record from one operation to another.
type renumbering struct {
	from, to uint32
	mask     uint64
	first    *record // first record of the reads, or of the writes
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

// event returns an event of w, at the present time.
func (w *warp) event() moment {
	return moment{w.clock.team, w.epoch(byAtomic), w.actor}
}

// groups holds the operations of a warp's lanes that complete in groups, such as cp.async and bulk copies.
type groups struct {
	list   []*operation // in flight
	closed [lanes]uint32
	waits  [lanes]groupWait // the last wait of each lane
	events uint32           // operations and waits so far
}

// A groupWait is a lane's wait for all groups that the lane had closed, except the last n.
type groupWait struct {
	site   uint32 // the instruction
	n      uint32
	closed uint32
	nth    uint32 // see groups.events; 0 for none
	read   bool   // a wait for the reads of the operations only
}

// note records wait x for the lanes of mask.
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

// sweep removes landed operations from time to time, because lanes may never wait for a group whose operations an
// mbarrier completes.
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

// wait completes the closed groups of each lane of mask except the lane's last n, by calling done for their operations.
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

// landAll lands the operations that w has begun but not waited for, after the threads of w have exited. Operations that
// would complete at an mbarrier land too, as events of w.
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
