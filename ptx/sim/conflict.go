package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

// This file makes the findings about unordered accesses.

// second is the second of two unordered accesses to a line: the current access of one lane, or of several lanes of one
// instruction.
type second struct {
	bytes uint64
	line  uint64 // the number of the line, if there are several lanes
	lanes uint32 // the lanes, if there are several, which access w.width bytes at w.off
	how   how    // how bytes are spread over lanes
	lane  int    // the lane; as in record.at, if there are several
	write bool
}

// site returns the number of the instruction of the current path, shifted left by 5 bits to make room for a lane.
func (w *warp) site() uint32 { return w.p.site() }

// site returns the number of the instruction of p.
func (p *path) site() uint32 { return uint32(p.frame.fn.first+p.pc) << 5 }

// at returns the instruction of a site.
//
//go:noinline
func (g *grid) at(site uint32) *ptx.Instr { return g.instrAt(site).src }

// locOf returns the source position of a site.
func (g *grid) locOf(site uint32) *ptx.Loc { return g.instrAt(site).loc }

// lineAt returns the line of an instruction as text: "25", or "25 (kernel.cu:3)" if the source is known.
func (g *grid) lineAt(site uint32) string {
	in := g.instrAt(site)
	if in.src == nil {
		return "0"
	}
	return g.program.line(in)
}

//go:noinline
func (g *grid) instrAt(site uint32) *instr {
	n := int(site >> 5)
	for _, f := range g.kernel.list {
		if n >= f.first && n < f.first+len(f.code) {
			return &f.code[n-f.first]
		}
	}
	return &instr{}
}

// readConflict notes the finding that a lane reads the word at off although a write to the word is not known to the
// lane, or is still to come.
func (w *warp) readConflict(seg *segment, off uint64, x *word, lane int) {
	address := seg.base + off
	g := w.block.grid
	if x.filling != 0 {
		w.pending(KindReadPending, lane, crossing{seg, address, false}, g.ops[x.filling])
		return
	}
	before := other{moment{w.clock.team, x.wrote, x.writer}, x.wroteAt, x.how, true}
	w.noteConflict(lane, crossing{seg, address, false}, before)
}

// byLane is an access by one lane to bytes of a word.
type byLane struct {
	lane  int
	bytes uint8
	how   how // how strong it is
}

// isAtomic reports whether other atomic accesses may overlap.
func (b byLane) isAtomic() bool { return b.how&byAtom != 0 }

// writeConflict notes that a lane writes the word at off, and that another access to the word is unknown to the lane.
// It returns the other access, unless that is an operation in flight. Two atomic accesses do not conflict: if the last
// write is atomic, another atomic access may follow in any order.
func (w *warp) writeConflict(seg *segment, off uint64, x *word, by byLane) (o other) {
	g, at := w.block.grid, crossing{seg, seg.base + off, true}
	team := w.clock.team
	group, tensor := w.unknownTensor(x, seg, off)
	switch {
	case x.filling != 0 && !(by.isAtomic() && g.ops[x.filling].atomic()):
		w.pending(KindWritePending, by.lane, at, g.ops[x.filling])
		return other{}
	case x.draining != 0:
		w.pending(KindWritePending, by.lane, at, g.ops[x.draining])
		return other{}
	case x.bytes&by.bytes != 0 && !w.mayRead(x, seg, off, by):
		o = other{moment{team, x.wrote, x.writer}, x.wroteAt, x.how, true}
	case w.unknownFar(x, by):
		o = other{moment{team, x.far.time, x.far.who}, x.far.at, 0, false}
	case group >= 0 && group == w.id/warpgroup && seg.owner == w.block: // a wgmma for which other threads have not waited
		w.pending(KindWritePending, by.lane, at, w.partRead(tensor))
		return other{}
	case group >= 0:
		o = other{moment{team, tensor.time, seg.owner.groups[group].actor}, tensor.at, 0, false}
	default:
		o = w.unknownRead(x, seg, by)
	}
	w.noteConflict(by.lane, at, o)
	return o
}

// unknownRead returns the read of x by a warp of the block that is unknown to w. The lane is known only for the first
// and the last reader.
func (w *warp) unknownRead(x *word, seg *segment, by byLane) other {
	reader, site := w.unknownReader(x, seg, by), x.readAt
	switch {
	case reader == int(x.first) && reader != int(x.reader),
		reader == int(x.first) && reader == w.id && w.block == seg.owner && int(site&31) == by.lane:
		site = x.firstAt
	case reader != int(x.reader):
		site &^= 31
	}
	return other{moment{w.clock.team, x.read, seg.owner.first + uint16(max(reader, 0))}, site, 0, false}
}

// turnAround reverses the finding that was just noted, if an atomic access of lane conflicts with a read o by a warp.
// The finding is then about the read, because the read is the access that needs an order.
func (w *warp) turnAround(lane int, p crossing, o other) {
	g := w.block.grid
	t, in := g.team(o.team), g.instrAt(o.site)
	if o.time == 0 || o.write || t == nil || int(o.who) >= len(t.warps) || in.src == nil {
		return
	}
	first, f := t.warps[o.who], w.fault
	if g.tally != nil && f == g.tally.again {
		return
	}
	f.Message = fmt.Sprintf("reads address 0x%x of %s, which %s at line %s writes for %s, and nothing orders the two: "+
		"a barrier between them is missing", p.address, p.seg.name, f.Op, g.program.line(w.instr()), w.name(lane))
	f.Pos, f.Other, f.Op, f.Source = in.src.Pos, f.Pos, in.src.Op, g.program.source(in.loc)
	f.Block, f.Thread, f.over = first.block.at, first.thread(int(o.site&31)), false
}

// lineConflict notes the finding that a accesses bytes of the line at off that record r also covers.
func (w *warp) lineConflict(seg *segment, off uint64, r *record, a second) {
	l := seg.line(off)
	if bytes := l.unread(r, w, &a); bytes != 0 {
		a.bytes = bytes
	}
	lane, b := w.meetingPlace(r, &a)
	at := crossing{seg, seg.base + off + uint64(b), a.write}
	if a.lanes != 0 && at.address-seg.base-w.off[lane] < uint64(w.width) {
		at.address = seg.base + w.off[lane]
	}
	if r.how&inFlight != 0 {
		kind := KindReadPending
		if a.write {
			kind = KindWritePending
		}
		w.pending(kind, lane, at, w.block.grid.ops[r.time])
		return
	}
	wrote := r == &l.wrote[0]
	if l.more != nil {
		for i := range l.more.wrote {
			wrote = wrote || r == &l.more.wrote[i]
		}
	}
	o := r.other(1 << b)
	o.write = wrote || !a.write
	if r.mine(w) && int(o.site&31) == lane && w.lanes>>(lane^1)&1 == 1 { // the accessing lane is one of the other lanes
		o.site = o.site&^31 | uint32(lane^1)
	}
	w.noteConflict(lane, at, o)
}

// meetingPlace returns a byte that both r and a access without an order, and the lane that accesses it.
func (w *warp) meetingPlace(r *record, a *second) (lane, b int) {
	both := r.mask & a.bytes
	b = bits.TrailingZeros64(both)
	if r.mine(w) {
		if lane, b := r.crosses(w, a); lane >= 0 {
			return lane, b
		}
	} else if lane := r.unawareLane(w, a); lane >= 0 {
		if a.lanes != 0 {
			both &= w.bytesOf(lane, a.line)
		}
		return lane, bits.TrailingZeros64(both)
	} else if len(w.clock.parts) > 0 && r.how&inFlight == 0 {
		b = max(r.unknownByte(w, both), 0)
	}
	for m := a.lanes; m != 0; m &= m - 1 {
		if lane := lowest(m); w.bytesOf(lane, a.line)>>b&1 == 1 {
			return lane, b
		}
	}
	return a.lane, b
}

// A crossing is the place where two accesses meet, and the kind of the second access.
type crossing struct {
	seg     *segment
	address uint64
	write   bool
}

// verb says what the second access does.
func (p crossing) verb() string {
	if p.write {
		return "writes"
	}
	return "reads"
}

// other is the first of two unordered accesses.
type other struct {
	moment
	site  uint32
	how   how
	write bool
}

// pending notes the finding that a lane accesses bytes of an operation in flight.
func (w *warp) pending(kind Kind, lane int, p crossing, o *operation) {
	owner, source := o.ownerOf(p)
	if t := w.block.grid.tally; t != nil {
		t.under, t.lane = o, owner
	}
	if w.repeats(kind, o.at) {
		return
	}
	does, has := "reads", "has not written yet"
	if kind == KindWritePending {
		does, has = "writes to", "still uses"
	}
	src := w.block.grid.at(o.at)
	w.fail(kind, 1<<lane, "%s address 0x%x of %s, which %s at line %s, begun by %s, %s: %s",
		does, p.seg.tensorAddress(p.address), p.seg.name, src.Op, w.block.grid.lineAt(o.at), o.warp.name(owner), has,
		o.whyUnseen(owner, toucher{w, lane, source}))
	w.fault.Address, w.fault.Grade = p.seg.tensorAddress(p.address), w.grade
	w.fault.otherAt(src)
}

// ownerOf returns the lane whose part of o contains an address, and whether o only reads that part.
func (o *operation) ownerOf(p crossing) (lane int, source bool) {
	at, n := p.address-p.seg.base, uint64(1)
	if p.seg.owner != nil {
		n = 4
	}
	for i, list := range [][]region{o.writes, o.reads} {
		for _, r := range list {
			if r.seg == p.seg && r.off < at+n && at < r.off+r.n {
				return int(r.lane), i == 1
			}
		}
	}
	return lowest(o.lanes), false
}

// noteConflict notes the finding that a lane accesses bytes that another actor has accessed, and that nothing orders
// the two accesses.
func (w *warp) noteConflict(lane int, p crossing, o other) {
	g := w.block.grid
	src := g.at(o.site)
	kind := KindRace
	if o.how&byOperation != 0 && o.write && !p.write {
		kind = KindReadPending
	}
	if w.repeats(kind, o.site) {
		return
	}
	who, hint := w.actorOf(o)
	if (w.knows(o.moment) || w.knowsLane(o.moment, int(o.site&31))) && w.hides(o.moment, lane) {
		hint = "other lanes of this warp have waited for it, and lanes are threads of their own: " +
			"a bar.warp.sync (__syncwarp) after that wait is missing"
	}
	if w.usedLater(o, lane) {
		hint = missingLoad + " is missing before the barrier between them: " +
			"the load has completed only later, when all lanes had used its registers"
	}
	op := ptx.Op("an instruction")
	if src != nil {
		op = src.Op
	}
	done := "has read for"
	if o.write {
		done = "has written for"
	}
	w.fail(kind, 1<<lane, "%s address 0x%x of %s, which %s at line %s %s %s, and nothing orders the two: %s",
		p.verb(), p.seg.tensorAddress(p.address), p.seg.name, op, g.lineAt(o.site), done, who, hint)
	w.fault.Address, w.fault.over, w.fault.Grade = p.seg.tensorAddress(p.address), p.write && !o.write, w.grade
	w.fault.otherAt(src)
}

// actorOf names the actor of an access, and what would make the access known to w.
func (w *warp) actorOf(o other) (who, missing string) {
	m, lane, g := o.moment, int(o.site&31), w.block.grid
	t := g.team(m.team)
	n := g.block.count()
	perBlock := (n + lanes - 1) / lanes
	if t != nil && int(m.who) >= len(t.warps) {
		if l := t.warpgroup(m.who); l != nil {
			return l.name(), "a barrier between wgmma.wait_group of one of these warps and this is missing"
		}
		bar := t.completer(m.who)
		if bar == nil {
			return "an mbarrier that has ended", "mbarrier.try_wait on it is missing"
		}
		missing = fmt.Sprintf("mbarrier.try_wait on the barrier at 0x%x is missing", bar.address())
		if phase, ok := bar.phaseAt(m.time); ok && t == w.team {
			missing = bar.whyUnknown(w, phase)
		}
		return fmt.Sprintf("the mbarrier at 0x%x", bar.address()), missing
	}
	rank, warp := int(m.who)/perBlock, int(m.who)%perBlock
	at := g.inClusters.at(int(m.team))
	in := g.cluster.at(rank)
	block := Dim{at.X*g.cluster.X + in.X, at.Y*g.cluster.Y + in.Y, at.Z*g.cluster.Z + in.Z}
	thread := g.block.at(min(warp*lanes+lane, n-1))
	who = fmt.Sprintf("thread %v of block %v", thread, block)
	if c := w.clock.shared; c != nil && (c.knows(m) || c.knowsLane(m, lane)) {
		return who, "the other has arrived at an mbarrier of this block with the scope .cta, which orders shared memory only: " +
			".release.cluster is missing"
	}
	if m.team != w.clock.team || w.hasSeen(m) {
		return who, w.whyFlag(o)
	}
	if o.how&byOperation != 0 {
		return who, who + " has waited for it, and a barrier between that wait and this is missing"
	}
	return who, w.between(m, who)
}
