package sim

import (
	"fmt"
	"slices"

	"girih/descriptor"
	"girih/dtype"
	"girih/tmem"
)

// This file implements the order of accesses to tensor memory (PTX ISA 9.7.16.6). tcgen05.mma, cp, shift, ld and st are
// asynchronous operations, also for the thread that issued them. An operation knows of an earlier one in flight only if
// the two form a pipeline:
//
//	mma -> mma		same accumulator and shape
//	cp, shift -> mma
//	shift -> cp.4x256b
//	mma -> shift
//
// Otherwise the earlier one must have completed: tcgen05.wait for ld and st, tcgen05.commit and a wait at its mbarrier
// for the others. Between threads, fence::before_thread_sync and fence::after_thread_sync order operations even around
// relaxed accesses; here they also order accesses of the generic proxy, which is more than the PTX ISA says.
//
// Barriers and mbarriers with release and acquire semantics order operations without these fences ("the standard memory
// consistency model synchronization mechanisms also apply", 9.7.16.6.3), but all patterns of the PTX ISA contain the
// fences. Kernels of Triton do not. Therefore a missing fence is a finding of the grade GradeStrict, if the accesses
// are ordered otherwise. So is a cp into cells that an earlier mma or cp still uses: the PTX ISA does not list these
// pairs, and kernels of CUTLASS with scale factors rely on them.

// tensorKind is the kind of an operation, for pipelines.
type tensorKind uint8

const (
	tensorOther tensorKind = iota // ld, st
	tensorSync                    // dealloc
	tensorMul
	tensorCopy
	tensorCopyRows // cp.4x256b
)

// A tensorPipe identifies the accumulator and the shape of a mma.
type tensorPipe struct {
	address tmem.Address
	m, n    int64
	d       dtype.Type
	kind    descriptor.Kind
}

// A tensorOp is what an operation on tensor memory has in addition.
type tensorOp struct {
	kind   tensorKind
	pipe   tensorPipe
	issued moment
	at     uint32 // the instruction, see grid.site
	lane   int
	regs   []int        // slots that a tcgen05.ld writes
	used   uint32       // lanes that have read one of them
	after  []*operation // operations in flight that complete before this one
	done   moment       // when it completed; its time is 0 while it is in flight
}

// pipeline says how an operation is ordered after an earlier one that is in flight.
type pipeline uint8

const (
	unpiped    pipeline = iota
	pipedUsual          // as kernels rely on
	piped
)

// follows returns how o is ordered after p, if the same thread issues both.
func (o *tensorOp) follows(p *tensorOp) pipeline {
	switch [2]tensorKind{p.kind, o.kind} {
	case [2]tensorKind{tensorMul, tensorMul}:
		if p.pipe != o.pipe {
			return unpiped
		}
		return piped
	case [2]tensorKind{tensorCopy, tensorMul}, [2]tensorKind{tensorCopyRows, tensorMul}:
		return piped
	}
	if (p.kind == tensorMul || p.kind == tensorCopy || p.kind == tensorCopyRows) &&
		(o.kind == tensorCopy || o.kind == tensorCopyRows) {
		return pipedUsual
	}
	return unpiped
}

// A tensorTouch is an access of an operation to a word of tensor memory.
type tensorTouch struct {
	o     *operation
	x     *word
	at    crossing
	lane  int
	bytes uint8
}

// mayTouchTensor reports whether an operation may access a word, or the run goes on after the finding that it may not.
func (w *warp) mayTouchTensor(t tensorTouch) bool {
	off := t.at.address - t.at.seg.base
	by := byLane{lane: t.lane, bytes: t.bytes}
	conflict := func() {
		if t.at.write {
			w.writeConflict(t.at.seg, off, t.x, by)
		} else {
			w.readConflict(t.at.seg, off, t.x, t.lane)
		}
	}
	number := t.x.filling
	if number == 0 && t.at.write {
		number = t.x.draining
	}
	if number != 0 {
		p := w.block.grid.ops[number]
		switch w.pipelineOf(t.o, p, t.lane) {
		case piped:
			return true
		case pipedUsual:
			return w.checkAs(GradeStrict, p.at, conflict)
		}
		conflict()
		return w.goesOn()
	}
	if t.at.write && !w.mayWrite(t.x, t.at.seg, off, by) || !t.at.write && !w.mayRead(t.x, t.at.seg, off, by) {
		if how, site := w.pipedAfter(t, off); how == piped || how == pipedUsual && w.checkAs(GradeStrict, site, conflict) {
			return true
		}
		conflict()
		return w.goesOn()
	}
	return t.o.tmem.kind == tensorSync || w.tensorFenced(t)
}

// pipelineOf returns how o is ordered after p, which is in flight, and makes o complete after p if it is.
func (w *warp) pipelineOf(o, p *operation, lane int) pipeline {
	if p.tmem == nil || o.tmem == nil || p == o || !w.knowsAt(p.tmem.issued, p.at, lane) {
		return unpiped
	}
	how := o.tmem.follows(p.tmem)
	if list := o.tmem.after; how != unpiped && (len(list) == 0 || list[len(list)-1] != p) {
		o.tmem.after = append(list, p)
	}
	return how
}

// mostLanded limits the completed operations that a block remembers for pipelines.
const mostLanded = 1024

// pipedAfter returns how an access is ordered after the last accesses to its word if these are by operations that have
// completed, and their completion may be unknown to w: an operation in their pipeline needs no wait for them. site is
// the instruction of one of them.
func (w *warp) pipedAfter(t tensorTouch, off uint64) (how pipeline, site uint32) {
	x, by := t.x, byLane{lane: t.lane, bytes: t.bytes}
	if x.draining != 0 || t.at.write && w.unknownReader(x, t.at.seg, by) >= 0 {
		return unpiped, 0
	}
	if how = piped; !w.mayRead(x, t.at.seg, off, by) {
		site = x.wroteAt
		how = w.pipedAfterEvent(t, moment{w.clock.team, x.wrote, x.writer}, site)
	}
	if t.at.write && w.unknownFar(x, by) {
		site = x.far.at
		how = min(how, w.pipedAfterEvent(t, moment{w.clock.team, x.far.time, x.far.who}, site))
	}
	return how, site
}

// pipedAfterEvent is pipedAfter for one event.
func (w *warp) pipedAfterEvent(t tensorTouch, m moment, at uint32) pipeline {
	list := w.block.landed
	for i := len(list) - 1; i >= 0; i-- {
		if p := list[i]; p.done == m && p.at == at&^31 && w.knowsAt(p.issued, at, t.lane) {
			return t.o.tmem.follows(p)
		}
	}
	return unpiped
}

// usedLater reports whether w knows that a tcgen05.ld has begun, but not that it has completed, when all lanes had used
// its registers.
func (w *warp) usedLater(o other, lane int) bool {
	return slices.ContainsFunc(w.block.landed, func(p *tensorOp) bool {
		return p.used == all && p.done == o.moment && p.at == o.site&^31 && w.knowsAt(p.issued, o.site, lane)
	})
}

// landBefore completes the operations that complete before o.
func (o *operation) landBefore(m moment) {
	if o.tmem == nil {
		return
	}
	list, b := o.tmem.after, o.warp.block
	o.tmem.after, o.tmem.done, o.tmem.at, o.tmem.lane = nil, m, o.at, lowest(o.lanes)
	if b.landed = append(b.landed, o.tmem); len(b.landed) > 2*mostLanded {
		b.landed = slices.Delete(b.landed, 0, mostLanded)
	}
	for _, p := range list {
		p.land(m)
	}
}

// tensorFenced reports whether the fences of tensor memory come between the earlier accesses to a word and this one. If
// they do not, that is a finding of the grade GradeStrict, and the result is true if the run goes on.
func (w *warp) tensorFenced(t tensorTouch) bool {
	x, team := t.x, w.clock.team
	ok := x.wrote == 0 || w.fencedAfter(t, other{moment{team, x.wrote, x.writer}, x.wroteAt, x.how, true})
	if !t.at.write || !ok {
		return ok
	}
	for m := x.readers; m != 0 && ok; m &= m - 1 {
		ok = w.fencedAfter(t, other{moment{team, x.read, t.at.seg.owner.first + uint16(lowest(m))}, x.readAt, 0, false})
	}
	return ok && (x.far.time == 0 || w.fencedAfter(t, other{moment{team, x.far.time, x.far.who}, x.far.at, 0, false}))
}

// fencedAfter is tensorFenced for one earlier access. What tcgen05.commit has told an mbarrier needs no fence before.
func (w *warp) fencedAfter(t tensorTouch, o other) bool {
	lane := int(o.site & 31)
	if o.who == w.actor || o.time <= w.team.born {
		return true
	}
	missing := ""
	if c := w.clock.proxied[proxyTensor]; int(o.who) < len(w.team.warps) && (c == nil || !c.knowsTensor(o.moment, lane)) {
		missing = "tcgen05.fence::before_thread_sync"
	} else if c := w.after; c == nil || !c.knowsTensor(o.moment, lane) {
		missing = "tcgen05.fence::after_thread_sync"
	}
	return missing == "" || w.checkAs(GradeStrict, o.site, func() {
		who, _ := w.actorOf(o)
		src, done := w.block.grid.at(o.site), "read"
		if o.write {
			done = "written"
		}
		w.fail(KindRace, 1<<t.lane, "%s address 0x%x of tensor memory, which %s at line %s has %s for %s, and no %s is between the two (PTX ISA 9.7.16.6.3)",
			t.at.verb(), t.at.seg.tensorAddress(t.at.address), src.Op, w.block.grid.lineAt(o.site), done, who, missing)
		w.fault.Address, w.fault.Grade = t.at.seg.tensorAddress(t.at.address), w.grade
		w.fault.otherAt(src)
	})
}

// knowsTensor reports whether accesses to tensor memory are ordered after an event of one lane.
func (c *clock) knowsTensor(m moment, lane int) bool {
	return c.knowsShared(m, lane) || c.tensor != nil && c.tensor.knowsShared(m, lane)
}

// withTensor makes known to w what it knows for tensor memory only, until the returned function is called.
func (w *warp) withTensor() (undo func()) {
	shared := w.clock.shared
	w.clock.union(&w.clock.shared, w.clock.tensor)
	return func() { w.clock.shared = shared }
}

// tensorFence reads tcgen05.fence (PTX ISA 9.7.16.11.1).
func tensorFence(o *opcode, kind string) (step, error) {
	return func(w *warp, mask uint32) status {
		w.fenceMemory(memoryFence{scope: ofCluster}, mask)
		if kind == "fence::before_thread_sync" {
			w.fenceProxy([]proxySpace{proxyTensor}, mask)
			w.learned++ // the next snapshot includes the fence
		} else {
			w.after = w.snapshot()
		}
		w.block.grid.explain.fence(w, mask, ofCluster)
		return advance
	}, o.need(0, 0)
}

// A commitUse is one tcgen05.commit.
type commitUse struct{ completion }

// tensorCommit reads tcgen05.commit (PTX ISA 9.7.16.12.1).
func (d *decoder) tensorCommit(o *opcode) (step, error) {
	if _, err := d.ctaGroup(o); err != nil {
		return nil, err
	}
	if !o.has("mbarrier::arrive::one") || !o.has("b64") {
		return nil, fmt.Errorf("expected .mbarrier::arrive::one and .b64")
	}
	r, u := d.reader(o), &commitUse{}
	u.op = "tcgen05.commit"
	space := o.space()
	u.bar = r.address(space)
	u.bar.unit, u.bar.count, u.bar.write = 8, 1, true
	u.mask = r.optional("multicast::cluster")
	return r.end(func(w *warp, mask uint32) status {
		if st := w.needValues(mask, u.bar.at.slot, u.mask); st != advance {
			return st
		}
		for m := mask; m != 0; m &= m - 1 {
			if st := u.one(w, lowest(m)); st != advance {
				return st
			}
		}
		return advance
	})
}

// one executes the instruction for a lane: the mbarriers receive an arrival when all operations that the lane has
// issued have completed. The instruction also acts as fence::before_thread_sync (9.7.16.6.4.2).
func (u *commitUse) one(w *warp, lane int) status {
	seg, off := u.place(w, lane)
	if seg == nil {
		return failed
	}
	if w.isNowhere(seg) {
		return advance
	}
	if seg.owner == nil {
		return w.fail(KindArgument, 1<<lane, "address 0x%x is not in shared memory", w.addressOf(&u.bar, lane))
	}
	var list []destination
	var st status
	if u.mask >= 0 {
		list, st = u.multicast(w, lane, spot{seg, off})
	} else {
		var m *mbarrier
		m, st = w.mbarrierOf(seg, off, lane)
		list = []destination{{seg, m}}
	}
	if st != advance {
		return st
	}
	w.issued = inFlightOf(w.issued)
	var mine []*operation
	for _, o := range w.issued {
		if o.lanes == 1<<lane {
			mine = append(mine, o)
		}
	}
	done := w.landedOf(lane)
	c := clock{team: w.clock.team}
	w.publish(&c, byAtomic, 1<<lane)
	known := c.copy()
	for _, x := range []*clock{c.shared, c.tensor} {
		if x != nil {
			known.join(x)
		}
	}
	for _, d := range list {
		if d.bar != nil {
			d.bar.promise(promise{ops: mine, lanes: 1 << lane, arrivals: 1, warp: w, tensor: &known, done: done})
		}
	}
	return advance
}

// place returns where the mbarrier is. Kernels of Triton extend an offset in shared memory to 64 bits; the PTX ISA
// needs a generic address.
func (u *commitUse) place(w *warp, lane int) (*segment, uint64) {
	bar, address := u.bar, w.addressOf(&u.bar, lane)
	if bar.space == "" && address>>32 == 0 && !w.block.grid.strict {
		bar.space = "shared::cluster"
	}
	return w.target(&bar, lane, address)
}

// landedOf returns when operations that a lane issued have completed.
func (w *warp) landedOf(lane int) (done []moment) {
	for _, o := range w.block.landed {
		if o.issued.who == w.actor && o.lane == lane && !slices.Contains(done, o.done) {
			done = append(done, o.done)
		}
	}
	return done
}

// landTensor makes known to the waiters of m what came before the tcgen05.commit of p: also operations that completed
// at another mbarrier.
func (m *mbarrier) landTensor(p *promise) {
	if p.tensor == nil {
		return
	}
	m.arriving.union(&m.arriving.tensor, p.tensor)
	for _, o := range p.ops {
		if o.tmem.done.time != 0 {
			m.arriving.know(o.tmem.done)
		}
	}
	for _, x := range p.done {
		m.arriving.know(x)
	}
}

// settleCommits counts the arrivals of tcgen05.commit whose operations have completed at other mbarriers.
func (m *mbarrier) settleCommits() {
	flying := func(o *operation) bool { return o.number != 0 }
	for len(m.promised) > 0 {
		p := &m.promised[0]
		if p.tensor == nil || slices.ContainsFunc(p.ops, flying) {
			return
		}
		m.landTensor(p)
		m.pending -= p.arrivals
		m.promised = m.promised[1:]
		m.settle()
	}
}

// missingCommit is the wait that an operation lacks that no mbarrier tracks.
const missingCommit = "tcgen05.commit, and mbarrier.try_wait on its mbarrier,"

// pairOf returns the blocks whose tensor memory an instruction uses. The other block must be known to run.
func (w *warp) pairOf(group, lane int) ([]*block, status) {
	blocks, st := w.pair(group, lane)
	if st == advance && group == 2 {
		if peer := w.block.cluster.blocks[w.block.rank()^1]; !w.mayReach(&peer.shared, lane, peer.shared.base) {
			return nil, failed
		}
	}
	return blocks, st
}

// pair returns the block of w or, for a group of 2, its pair with the even block first (PTX ISA 9.7.16.5.1).
func (w *warp) pair(group, lane int) ([]*block, status) {
	b, blocks := w.block, w.block.cluster.blocks
	if group == 1 {
		return []*block{b}, advance
	}
	first := b.rank() &^ 1
	if first+1 >= len(blocks) {
		return nil, w.fail(KindArgument, 1<<lane, "block %d of a cluster of %d has no other block for .cta_group::2 (PTX ISA 9.7.16.5.1)",
			b.rank(), len(blocks))
	}
	peer := blocks[b.rank()^1]
	if peer.live == 0 {
		return nil, w.fail(KindExited, 1<<lane, "uses the tensor memory of block %v, number %d of the cluster, whose threads have exited (PTX ISA 9.7.16.5)",
			peer.at, peer.rank())
	}
	peer.tensor()
	b.tensor()
	return blocks[first : first+2], advance
}

// issue notes an operation that a lane of w has begun and that tcgen05.commit tracks.
func (w *warp) issue(o *operation) {
	o.tmem.issued = moment{w.clock.team, w.now, w.actor}
	w.published = max(w.published, byAtomic) // later actions of w get another time
	if w.issued = append(w.issued, o); len(w.issued)%64 == 0 {
		w.issued = inFlightOf(w.issued)
	}
}
