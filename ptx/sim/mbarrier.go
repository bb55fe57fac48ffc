package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

// This file implements mbarriers, barriers in shared memory (PTX ISA 9.7.13.15). The 8 bytes of an mbarrier hold no
// state. The block keeps the state, and any other store to the bytes ends the mbarrier.

const (
	maxArrivals = 1<<20 - 1 // limit of the arrivals of a phase, and of the missing bytes
	tokenPhase  = 20        // the low bits of a state contain the pending arrivals; the phase is above them
)

// mbarrier is one barrier in shared memory.
type mbarrier struct {
	block    *block
	off      uint64
	actor    uint16
	count    int    // arrivals that complete a phase
	pending  int    // arrivals that the current phase still lacks
	tx       int64  // bytes that are expected but still missing
	phase    uint64 // number of completed phases
	arriving clock  // clock of the threads that arrived in the current phase
	done     clock  // what a thread learns from the completed phases
	promised []promise
	waiters  []*path
	site     uint32 // site of its mbarrier.init
	asks     []ask  // the last test by each warp, indexed by actor
	landings []landing
	ranks    uint32 // mask of the blocks that have arrived or sent a copy
	known    uint32 // ranks when the last phase completed
	members  uint32 // mask of the block's warps that have arrived in the current phase
	were     uint32 // members of the last completed phase
	object   int32  // the number of the mbarrier in the log of the explainer

	asked      []*path // the paths that tested for askedPhase while operations in flight could have completed it
	askedPhase uint64
}

// A promise states how many arrivals and bytes an mbarrier receives when operations land.
type promise struct {
	ops      []*operation // the operations; only their lanes in lanes count
	numbers  []uint32     // numbers of ops at the promise; an operation with another number has landed
	lanes    uint32
	arrivals int
	bytes    int64
	warp     *warp
	tensor   *clock   // of tcgen05.commit: what comes before it in tensor memory
	done     []moment // of tcgen05.commit: when earlier operations of its thread had completed, at other mbarriers
}

// address returns the address of m in .shared::cluster.
//
//go:noinline
func (m *mbarrier) address() uint64 { return m.block.shared.base + m.off }

// String says what m waits for.
func (m *mbarrier) String() string {
	s := fmt.Sprintf("the mbarrier at 0x%x in phase %d, where %d of %d arrivals", m.address(), m.phase, m.pending, m.count)
	if m.tx != 0 {
		s += fmt.Sprintf(" and %d bytes", m.tx)
	}
	s += " are missing"
	n, bytes := 0, int64(0)
	for i := range m.promised {
		n += m.promised[i].arrivals
		bytes += m.promised[i].bytes
	}
	if n > 0 || bytes > 0 {
		s += fmt.Sprintf(" (operations under way bring %d arrivals and %d bytes)", n, bytes)
	}
	return s
}

// mbarrierAt returns the mbarrier at off in the shared memory of b, or nil.
func (b *block) mbarrierAt(off uint64) *mbarrier {
	for _, m := range b.mbars {
		if m.off == off {
			return m
		}
	}
	return nil
}

// completer returns the mbarrier whose actor is who, or nil if that mbarrier has ended.
func (t *team) completer(who uint16) *mbarrier {
	for _, w := range t.warps {
		for _, m := range w.block.mbars {
			if m.actor == who {
				return m
			}
		}
	}
	return nil
}

// init creates an mbarrier at off, which replaces an earlier mbarrier there.
func (b *block) init(off uint64, count int, site uint32) *mbarrier {
	m := b.mbarrierAt(off)
	if m == nil {
		m = &mbarrier{block: b, off: off, actor: b.cluster.team.newActor()}
		b.mbars = append(b.mbars, m)
	}
	m.touch(alters)
	team := b.cluster.team.number
	*m = mbarrier{
		block: b, off: off, actor: m.actor, count: count, pending: count, site: site,
		arriving: clock{team: team}, done: clock{team: team},
	}
	return m
}

// event returns a new event of m, at the current time.
func (m *mbarrier) event() moment {
	return moment{m.block.cluster.team.number, m.block.grid.tick(), m.actor}
}

// promise makes the operations of p arrive at m when they land.
func (m *mbarrier) promise(p promise) {
	for _, o := range p.ops {
		p.numbers = append(p.numbers, o.number)
	}
	m.touch(alters)
	m.block.grid.trace.notePromise(m, p.ops)
	m.block.grid.explain.notePromise(p.warp, m, p.ops)
	m.promised = append(m.promised, p)
	m.wake()
}

// arrived describes an arrival or a wait: the lanes, and whether it is .relaxed, so that it orders only what fences
// have published. An arrival of no lanes orders nothing.
type arrived struct {
	mask    uint32
	relaxed bool
	shared  bool // only accesses to shared memory are ordered (sharedonly.go)
}

// arrive counts n arrivals of a lane of w.
func (m *mbarrier) arrive(w *warp, n int, by arrived) {
	m.touch(alters)
	switch {
	case by.mask == 0:
	case by.relaxed:
		w.releaseFenced(&m.arriving)
	case by.shared:
		w.publishShared(&m.arriving, by.mask)
	default:
		w.publish(&m.arriving, byBarrier, by.mask)
	}
	m.block.grid.explain.arriveAt(w, m, by)
	m.ranks |= w.running()
	w.gave = synced{time: w.now, site: w.site(), bar: m, phase: m.phase, count: m.count}
	if w.block == m.block {
		m.members |= 1 << w.id
	}
	m.block.grid.trace.noteArrival(w, m)
	m.pending -= n
	m.settle()
	m.wake()
}

// settle completes the phase if nothing is missing.
func (m *mbarrier) settle() {
	if m.pending != 0 || m.tx != 0 {
		return
	}
	m.phase++
	m.known = m.ranks
	m.pending = m.count
	m.were, m.members = m.members, 0
	m.done.join(&m.arriving)
	m.arriving = clock{team: m.arriving.team, times: m.arriving.times[:0]}
	m.block.grid.progress++
	m.block.grid.trace.notePhase(m)
}

// wake resumes the waiting paths whose phase has completed or can complete; they test m again.
func (m *mbarrier) wake() {
	if len(m.waiters) == 0 {
		return
	}
	list := m.waiters[:0]
	for _, p := range m.waiters {
		if p.on == m && p.state == waiting && (p.phase <= m.phase || m.ready() && m.block.grid.orders == nil) {
			p.state, p.on = running, nil
		} else if p.on == m && p.state == waiting {
			list = append(list, p)
		}
	}
	clear(m.waiters[len(list):])
	m.waiters = list
}

// leave removes p from the waiting paths.
func (m *mbarrier) leave(p *path) {
	for i, q := range m.waiters {
		if q == p {
			m.waiters = append(m.waiters[:i], m.waiters[i+1:]...)
			return
		}
	}
}

// outstanding returns the arrivals and bytes that m will receive from the operations in flight.
func (m *mbarrier) outstanding() (arrivals int, bytes int64) {
	for i := range m.promised {
		arrivals += m.promised[i].arrivals
		bytes += m.promised[i].bytes
	}
	return arrivals, bytes
}

// ready reports whether the phase completes when the operations in flight land.
func (m *mbarrier) ready() bool { return m.enough() > 0 }

// enough returns how many promises complete the phase, the first ones, or 0 if they do not. Later promises of
// tcgen05.commit belong to later phases.
func (m *mbarrier) enough() int {
	n, bytes := m.outstanding()
	for k := len(m.promised); k > 0; k-- {
		if m.pending == n && m.tx <= bytes {
			return k
		}
		if p := &m.promised[k-1]; p.tensor != nil {
			n, bytes = n-p.arrivals, bytes-p.bytes
			continue
		}
		return 0
	}
	return 0
}

// landing returns a new event of m, at the current time, for operations that land in its current phase.
func (m *mbarrier) landing() moment {
	at := m.event()
	m.arriving.mark(m.actor, at.time)
	if len(m.landings) == maxLandings {
		m.landings = append(m.landings[:0], m.landings[1:]...)
	}
	m.landings = append(m.landings, landing{at.time, m.phase})
	return at
}

// land lands the operations in flight. It returns the first fault, and the operation that caused it.
func (m *mbarrier) land() (bad opFault, which *operation) {
	at := m.landing()
	n := m.enough()
	list := m.promised[:n:n]
	if m.promised = m.promised[n:]; len(m.promised) == 0 {
		m.promised = nil
	}
	if g := m.block.grid; g.seeded { // with a seed, the operations land in any order
		for i := len(list) - 1; i > 0; i-- {
			k := g.below(i + 1)
			list[i], list[k] = list[k], list[i]
		}
	}
	for i := range list {
		p := &list[i]
		m.ranks |= 1 << p.warp.block.rank()
		m.landTensor(p)
		for k, o := range p.ops {
			if o.number != p.numbers[k] || o.lanes&p.lanes == 0 {
				continue
			}
			o = o.part(o.lanes & p.lanes)
			o.warp.block.grid.explain.complete(o, m)
			if f := o.land(at); f.kind != "" && which == nil {
				bad, which = f, o
			}
		}
		m.pending -= p.arrivals
		m.tx -= p.bytes
		m.settle()
	}
	m.wake()
	return bad, which
}

// phaseOf returns the phase in a state that mbarrier.arrive returned.
func phaseOf(token uint64) uint64 { return token >> tokenPhase }

// token returns the current state of m. An mbarrier.arrive returns the state before its own arrivals.
func (m *mbarrier) token() uint64 {
	return m.phase<<tokenPhase | uint64(m.pending)
}

// await reports to the lanes of mask whether m has completed the given number of phases. It first lands the operations
// that must have landed by then.
func (w *warp) await(m *mbarrier, phase uint64, by arrived) (done bool, st status) {
	m.touch(reads)
	done, st = w.awaitPhase(m, phase, by.mask)
	if st != advance {
		return done, st
	}
	if m.ask(w, ask{phase: phase, passed: done}); done {
		g := w.block.grid
		g.trace.noteWait(w, m, phase)
		g.explain.waitFor(w, m, by)
		if by.relaxed {
			w.see(&m.done, w.event(), by.mask)
		} else {
			w.acquireBy(by.mask, &m.done)
		}
		w.hears(m.known)
		w.got = synced{time: g.time, site: w.site(), bar: m, phase: phase, count: m.count, members: all}
		if phase == m.phase {
			w.got.members = m.were
		}
	}
	return done, st
}

func (w *warp) awaitPhase(m *mbarrier, phase uint64, mask uint32) (done bool, st status) {
	if phase <= m.phase {
		return true, advance
	}
	if !m.ready() {
		return false, advance
	}
	if _, n := m.outstanding(); w.block.grid.orders != nil && m.tx == n {
		return false, advance // the operations land in a separate step
	}
	// The first test fails, so that a thread that does not test again reads bytes that are still missing. m lists the
	// paths that have tested, because the lanes of one path may test several mbarriers in turn.
	if m.askedPhase != phase {
		m.asked, m.askedPhase = m.asked[:0], phase
	}
	if !slices.Contains(m.asked, w.p) {
		m.asked = append(m.asked, w.p)
		return false, advance
	}
	if st := w.tooMany(m, mask); st != advance {
		return false, st
	}
	if f, o := m.land(); o != nil {
		if w.noteFault(f, o); !w.goesOn() {
			return false, failed
		}
	}
	return phase <= m.phase, advance
}

// tooMany fails if more bytes arrive than m expects: on the hardware, the phase may end before the last byte arrives.
func (w *warp) tooMany(m *mbarrier, mask uint32) status {
	_, bytes := m.outstanding()
	if m.tx >= bytes {
		return advance
	}
	last := m.promised[len(m.promised)-1]
	src := w.block.grid.at(last.ops[0].at)
	w.fail(KindTxCount, mask, "the mbarrier at 0x%x expects %d bytes in phase %d, and the operations under way bring %d; the last one is %s at line %s",
		m.address(), m.tx, m.phase, bytes, src.Op, w.block.grid.lineAt(last.ops[0].at))
	if !w.goesOn() {
		return failed
	}
	m.tx = bytes
	return advance
}

// noteFault sets w.fault to a finding about f, a fault of operation o, which has landed.
func (w *warp) noteFault(f opFault, o *operation) {
	lane := bits.TrailingZeros32(o.lanes | 1<<31)
	x := o.warp
	at := x.block.grid.at(o.at)
	g := x.block.grid
	w.fault = &Finding{
		Kind: f.kind, Pos: at.Pos, Op: at.Op, Source: g.program.source(g.locOf(o.at)),
		Block: x.block.at, Thread: x.thread(lane), Address: f.address, Message: f.text,
	}
}
