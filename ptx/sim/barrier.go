package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

// barriers is the number of barriers that each block has (PTX ISA 9.7.13.1).
const barriers = 16

// block is a block of threads, with its shared memory and barriers.
type block struct {
	grid    *grid
	cluster *cluster
	at      Dim
	live    int // threads that have not exited
	shared  segment
	warps   []*warp
	bars    [barriers]barrier
	first   uint16 // the actor of its first warp
	mbars   []*mbarrier
	pool    registerPool
	gone    clock // what the exited threads knew
	done    bool
	groups  []groupLog    // the logs of the block's warpgroups
	tmem    *tensorMemory // nil before its first use
	landed  []*tensorOp   // the latest operations on tensor memory that have completed
	object  int32         // the number of the block in the log of the explainer
}

// barrier is one of the barriers of a block, in its current phase.
type barrier struct {
	id      int
	count   int // threads that complete it; 0 for all threads of the block
	arrived int
	op      string // the operation of bar.red
	ones    int    // the number of true predicates of bar.red
	asked   int
	waiters []waiter
	first   *ptx.Instr
	loc     *ptx.Loc
	clock   clock    // what the arrived threads know
	members uint32   // the warps of the threads that arrived
	came    []uint32 // by warp: the lanes that arrived without the other lanes; nil if there are none
	object  int32    // the number of this phase in the log of the explainer
}

// waiter is a path that waits at a barrier, and a function that stores the barrier's result for the path, or nil.
type waiter struct {
	w      *warp
	p      *path
	mask   uint32
	result func(f *frame, mask uint32, b *barrier)
}

// barrierAt returns the barrier at which a path waits.
func (b *block) barrierAt(id int) fmt.Stringer {
	switch id {
	case clusterWait:
		return b.cluster
	case registerWait:
		return &b.pool
	}
	switch {
	case id == tensorPool:
		return b.tmem
	case id >= wgmmaWait:
		return &b.groups[id-wgmmaWait]
	}
	return &b.bars[id]
}

// reason says what a path waits for.
func (b *block) reason(p *path) string {
	switch {
	case p.doubt:
		return "read bytes that nobody wrote"
	case p.on != nil:
		text := fmt.Sprintf("wait for phase %d (parity %d) of %v", p.phase-1, (p.phase-1)&1, p.on)
		if p.phase > 2 {
			text += fmt.Sprintf(" (phase %d of the same parity completed before this wait: a thread that is to see it comes too late)",
				p.phase-3)
		}
		return text
	}
	return "wait at " + b.barrierAt(p.bar).String()
}

// String says what a barrier waits for.
func (b *barrier) String() string {
	if b.first == nil {
		return fmt.Sprintf("barrier %d", b.id)
	}
	if b.count == 0 {
		return fmt.Sprintf("barrier %d, where %d threads of the block are", b.id, b.arrived)
	}
	return fmt.Sprintf("barrier %d, where %d of %d threads are", b.id, b.arrived, b.count)
}

// newBlock returns the block of a rank in c.
func (g *grid) newBlock(c *cluster, rank int) *block {
	b := &block{grid: g, cluster: c}
	n := int64(g.kernel.dynamic) - sharedStart + int64(g.dynamic)
	g.keep(int(n) + int(n)/8)
	b.shared = newSegment(uint64(rank)<<rankShift+sharedStart, n)
	b.shared.name, b.shared.scratch, b.shared.tracked, b.shared.owner = "shared memory", true, true, b
	for i := range (g.block.count() + lanes - 1) / lanes {
		b.warps = append(b.warps, &warp{block: b, id: i})
	}
	return b
}

// start makes a block ready to run. A block that has ended can be started again.
func (b *block) start(at Dim) {
	g := b.grid
	b.at, b.done, b.live, b.mbars, b.groups = at, false, g.block.count(), nil, nil
	b.shared.remote, b.object = false, 0
	b.landed = nil
	b.tmem.start()
	b.gone = clock{team: b.cluster.team.number}
	b.first = uint16(len(b.cluster.team.warps))
	for _, p := range b.shared.words {
		if p != nil {
			p.sync = nil
		}
	}
	clear(b.shared.def)
	b.shared.causes = nil
	b.bars = [barriers]barrier{}
	for i := range b.bars {
		b.bars[i].id, b.bars[i].clock.team = i, b.cluster.team.number
	}
	registers := g.registersOf()
	b.pool = registerPool{total: registers * len(b.warps)}
	for i, w := range b.warps {
		if g.over != nil {
			return // the run then ends
		}
		w.registers, w.changes = registers, w.changes[:0]
		w.lanes = uint32(ones(min(g.block.count()-i*lanes, lanes)))
		w.live, w.turn, w.steps, w.spun, w.hint = w.lanes, 0, 0, 0, nil
		w.arrived, w.passed = 0, 0
		w.wgmma.reset()
		w.join(&b.cluster.team)
		w.heard = hearing{}
		w.heard[b.rank()] = w.now
		if len(w.paths) > 0 {
			w.paths = w.paths[:0]
		}
		f := w.newFrame(g.kernel.entry, localStart, w.lanes)
		w.base = f
		w.paths = append(w.paths, &path{mask: w.lanes, frame: f})
	}
}

// round lets each warp run once, and returns how many instructions the warps executed.
func (b *block) round() (int64, *Finding) {
	var n int64
	alive := false
	g, draw := b.grid, uint64(0)
	if g.seeded {
		draw = g.next()
	}
	for i := range b.warps {
		w := b.warps[g.each(draw, i, len(b.warps))]
		if w.live == 0 {
			continue
		}
		alive = true
		if g.isStopped() {
			return n, nil
		}
		k := w.run(int(g.draw(g.quantum)))
		g.trace.ran(w, k)
		n += int64(k)
		if w.fault != nil {
			return n, w.fault
		}
	}
	if !alive {
		b.done = true
		for _, w := range b.warps {
			w.spare = append(w.spare, w.base)
		}
	}
	return n, nil
}

// woken reports whether some path can run.
func (b *block) woken() bool {
	for _, w := range b.warps {
		for _, p := range w.paths {
			if p.state == running {
				return true
			}
		}
	}
	return false
}

// stuck returns the finding about a block in which no warp can go on.
func (b *block) stuck() *Finding {
	for _, w := range b.warps {
		for _, p := range w.paths {
			if p.state == meeting && !w.waitsAtBarrier(p.want&^p.at) {
				f := w.finding(p, KindDivergent, bits.TrailingZeros32(p.at))
				f.Message = fmt.Sprintf("lanes 0x%08x wait for lanes 0x%08x, which never come:%s",
					p.at, p.want&^p.at&w.live, where([]*cluster{b.cluster}))
				return f
			}
		}
	}
	f := b.cluster.anywhere(KindDeadlock)
	f.Message = fmt.Sprintf("no thread of the %s can go on:%s", b.cluster.noun(), where([]*cluster{b.cluster}))
	return f
}

// waitsAtBarrier reports whether some lanes of mask wait at a barrier. Lanes that wait for such lanes wait for the
// barrier too.
func (w *warp) waitsAtBarrier(mask uint32) bool {
	for _, p := range w.paths {
		if p.state == waiting && p.mask&mask != 0 {
			return true
		}
	}
	return false
}

// releaseAfterExit completes the barriers at which all threads have arrived, except threads that have exited.
func (b *block) releaseAfterExit() {
	for i := range b.bars {
		if bar := &b.bars[i]; bar.first != nil && (bar.count == 0 || bar.came != nil) {
			for _, w := range b.warps {
				bar.fill(w)
			}
			b.complete(bar)
		}
	}
}

// complete ends the phase of a barrier if all its threads have arrived.
func (b *block) complete(bar *barrier) {
	want := bar.count
	if want == 0 {
		for _, w := range b.warps {
			want += bits.OnesCount32(w.live)
		}
	}
	if bar.arrived < want {
		return
	}
	if bar.count == 0 && want < b.grid.block.count() && want > 0 {
		b.noteMissingThreads(bar)
	}
	b.grid.orders.release(b.place(bar.id), bar.waiters)
	b.acquire(bar)
	for _, x := range bar.waiters {
		if x.result != nil {
			x.result(x.p.frame, x.mask, bar)
		}
		x.p.state = running
		x.p.pc++
	}
	*bar = barrier{id: bar.id, clock: clock{team: b.cluster.team.number, times: bar.clock.times[:0]}}
	b.grid.progress++
}

// noteMissingThreads notes that a barrier of the whole block has completed although some threads have exited. By the
// PTX ISA it waits for threads that have not exited (9.7.13.1, barrier); compute-sanitizer's synccheck reports an
// error.
func (b *block) noteMissingThreads(bar *barrier) {
	n := b.grid.block.count()
	b.grid.note(&instr{src: bar.first, loc: bar.loc}, b, "%d of %d threads of block %v come to barrier %d, and %d have exited: "+
		"PTX lets it pass, since it waits for threads that have not exited (PTX ISA, barrier); synccheck calls it an error",
		bar.arrived, n, b.at, bar.id, n-bar.arrived)
}

// note adds a note about an instruction of a block. If the instruction already has a note, it counts that note once
// more.
func (g *grid) note(in *instr, b *block, format string, args ...any) {
	for i := range g.notes {
		if n := &g.notes[i]; n.Pos == in.src.Pos {
			n.Count++
			return
		}
	}
	g.notes = append(g.notes, Note{
		Pos: in.src.Pos, Op: in.src.Op, Source: g.program.source(in.loc), Block: b.at, Count: 1,
		Message: fmt.Sprintf(format, args...),
	})
}

// acquire makes the actions of the threads that arrived at a barrier known to the threads that wait there.
func (b *block) acquire(bar *barrier) {
	n := 0
	for _, x := range bar.waiters {
		n += bits.OnesCount32(x.mask)
	}
	// Threads that have exited count as arrived only at a barrier that waits for all threads of the block.
	all := n == b.live && (bar.count == 0 || n == b.grid.block.count())
	if all {
		bar.clock.join(&b.gone)
	}
	b.grid.explain.pass(b, bar)
	for i, x := range bar.waiters {
		if i == 0 || x.w != bar.waiters[i-1].w {
			x.w.acquireBy(bar.lanesOf(x.w), &bar.clock)
			x.w.got = synced{time: b.grid.time, site: x.p.site(), id: bar.id, count: bar.count, members: bar.members}
		}
	}
	if all {
		b.allKnown()
	}
}

// lanesOf returns the lanes of w that wait at the barrier.
func (bar *barrier) lanesOf(w *warp) (mask uint32) {
	for _, x := range bar.waiters {
		if x.w == w {
			mask |= x.mask
		}
	}
	return mask
}

func barrierRow(name string) row {
	switch name {
	case "bar", "barrier":
		return (*decoder).bar
	}
	return nil
}

// barrierUse is one instruction on a barrier.
type barrierUse struct {
	id, count int // slots; count is -1 for all threads of the block
	pred      int // the slot of the predicate of bar.red, or -1
	not       uint32
	op        string
	wait      bool
	aligned   bool
	result    func(f *frame, mask uint32, b *barrier)
}

// bar reads bar.sync, .arrive, .red and .warp.sync, the same forms of barrier, which may lack .aligned, and
// barrier.cluster.
func (d *decoder) bar(o *opcode) (step, error) {
	if o.has("warp") {
		return d.barWarp(o)
	}
	if o.name == "barrier" && o.Op.Has("cluster") {
		return d.clusterBarrier(o)
	}
	o.skip("cta")
	u := barrierUse{count: -1, pred: -1, wait: true, aligned: o.has("aligned") || o.name == "bar"}
	r := d.reader(o)
	switch o.one("sync", "arrive", "red") {
	case "arrive":
		u.wait = false
	case "red":
		r.ops, r.err = d.barRed(o, &u)
	case "":
		return nil, fmt.Errorf("expected .sync, .arrive or .red")
	}
	n := len(r.ops)
	if n < 1 || n > 2 || !u.wait && n != 2 {
		r.fail("%d operands", len(o.Operands))
	}
	u.id = r.src(ptx.U32)
	if n == 2 {
		u.count = r.src(ptx.U32)
	}
	return r.finish(func(w *warp, mask uint32) status { return w.arrive(&u, mask) })
}

// barRed reads the operands that only bar.red has, and returns the rest of the operands.
func (d *decoder) barRed(o *opcode, u *barrierUse) ([]ptx.Operand, error) {
	if err := o.need(3, 4); err != nil {
		return nil, err
	}
	u.op = o.one("popc", "and", "or")
	o.types()
	var err error
	ops := o.Operands
	if u.pred, u.not, err = d.srcPred(ops[len(ops)-1]); err != nil {
		return nil, err
	}
	if u.op == "popc" {
		dst, err := d.dst(ops[0])
		if err != nil {
			return nil, err
		}
		u.result = func(f *frame, mask uint32, b *barrier) {
			for m := mask; m != 0; m &= m - 1 {
				f.regs[dst][bits.TrailingZeros32(m)] = uint64(b.ones)
			}
			f.def[dst] |= mask
		}
		return ops[1 : len(ops)-1], nil
	}
	name, _ := ops[0].(ptx.Name)
	p, err := d.predSlot(name)
	if err != nil {
		return nil, err
	}
	and := u.op == "and"
	u.result = func(f *frame, mask uint32, b *barrier) {
		v := uint32(0)
		if and && b.ones == b.asked || !and && b.ones > 0 {
			v = all
		}
		f.setPredicate(p, mask, v)
	}
	return ops[1 : len(ops)-1], nil
}

// arrive executes an instruction on a barrier.
func (w *warp) arrive(u *barrierUse, mask uint32) status {
	got := mask
	if u.aligned {
		var st status
		if got, st = w.alignedLanes(mask); st != advance {
			return st
		}
	} else {
		w.peers = w.peers[:0]
	}
	id, count, ok := w.barrierOperands(u, got)
	if !ok {
		return failed
	}
	bar := &w.block.bars[id]
	if st := bar.add(w, u, arrivals{mask, got, count}); st != advance {
		return st
	}
	if !u.wait {
		w.block.complete(bar)
		return advance
	}
	p := w.p
	p.state, p.bar = waiting, id
	bar.waiters = append(bar.waiters, waiter{w, p, mask, u.result})
	for _, q := range w.peers {
		q.pc--
		q.state, q.bar = waiting, id
		bar.waiters = append(bar.waiters, waiter{w, q, q.at, u.result})
	}
	w.block.complete(bar)
	if p.state == running {
		p.pc-- // the caller advances it
		return advance
	}
	return slept
}

// arrivals describes the lanes that arrive at a barrier: mask is the current path, got adds the lanes of other paths,
// and count is the number of threads that the instruction states.
type arrivals struct {
	mask, got uint32
	count     int
}

// add counts the arrivals of lanes of w at b.
func (b *barrier) add(w *warp, u *barrierUse, a arrivals) status {
	f := w.f
	if b.first == nil {
		b.first, b.loc, b.count, b.op = w.instr().src, w.instr().loc, a.count, u.op
	}
	if b.count != a.count {
		return w.fail(KindBarrier, a.mask, "barrier %d is used for %s here, and for %s at line %d before it has completed",
			b.id, threads(a.count), threads(b.count), b.first.Pos.Line)
	}
	as := meets
	if a.count != 0 {
		as = alters
	}
	w.block.grid.orders.meet(w.block.place(b.id), as)
	n := bits.OnesCount32(a.got)
	if a.count != 0 && a.got == w.live {
		n = lanes // with a count, whole warps are counted
	}
	b.arrived += n
	if n < lanes {
		b.part(w, a.got)
	}
	w.gave = synced{time: w.now, site: w.site(), id: b.id, count: a.count}
	b.members |= 1 << w.id
	w.publish(&b.clock, byBarrier, a.got)
	w.block.grid.explain.arrive(w, a.got, b)
	if a.count != 0 && b.arrived > a.count {
		return w.fail(KindBarrier, a.mask, "%d threads arrive at barrier %d, which is for %d", b.arrived, b.id, a.count)
	}
	if u.pred >= 0 {
		if miss := a.got &^ f.pdef[u.pred]; miss != 0 {
			return w.undefinedPredicate(miss, u.pred)
		}
		b.ones += bits.OnesCount32((f.pred[u.pred] ^ u.not) & a.got)
		b.asked += bits.OnesCount32(a.got)
	}
	return advance
}

// part records that some lanes of w arrived without the others. barrier.sync allows this: for example, both branches of
// an if may contain a barrier.sync.
func (b *barrier) part(w *warp, got uint32) {
	if b.came == nil {
		b.came = make([]uint32, len(w.block.warps))
	}
	b.came[w.id] |= got
	b.fill(w)
}

// fill counts w as a whole warp as soon as all its lanes have arrived. Lanes that have exited or never existed are not
// needed.
func (b *barrier) fill(w *warp) {
	if b.count == 0 || b.came == nil {
		return
	}
	if came := b.came[w.id]; came != 0 && w.live&^came == 0 {
		b.arrived += lanes - bits.OnesCount32(came)
		b.came[w.id] = all
	}
}

func threads(count int) string {
	if count == 0 {
		return "all threads"
	}
	return fmt.Sprintf("%d threads", count)
}

// barrierOperands returns the number of the barrier and the number of its threads. All lanes have to agree on both.
func (w *warp) barrierOperands(u *barrierUse, mask uint32) (id, count int, ok bool) {
	v, ok := w.uniform(u.id, mask)
	if !ok {
		return 0, 0, false
	}
	if v >= barriers {
		w.fail(KindBarrier, mask, "barrier %d, and a block has 0 to %d", v, barriers-1)
		return 0, 0, false
	}
	if u.count < 0 {
		return int(v), 0, true
	}
	c, ok := w.uniform(u.count, mask)
	if !ok {
		return 0, 0, false
	}
	if c == 0 || c%lanes != 0 || c > 1024 {
		w.fail(KindBarrier, mask, "barrier %d for %d threads: expected a multiple of 32 up to 1024", v, c)
		return 0, 0, false
	}
	return int(v), int(c), true
}

// uniform returns the value of a register that must be the same in all lanes of mask.
func (w *warp) uniform(slot int, mask uint32) (uint64, bool) {
	if miss := mask &^ w.f.def[slot]; miss != 0 {
		w.failUndefined(miss, slot)
		return 0, false
	}
	v := w.f.regs[slot][bits.TrailingZeros32(mask)]
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if x := w.f.regs[slot][i]; x != v {
			w.fail(KindDivergent, 1<<i, "%s is %d here and %d in lane %d, and has to be the same", w.f.fn.slots[slot].name, x, v,
				bits.TrailingZeros32(mask))
			return 0, false
		}
	}
	return v, true
}
