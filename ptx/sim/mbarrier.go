package sim

import (
	"fmt"
	"math/bits"
)

// This file has barriers in shared memory (PTX ISA 9.7.13.15, mbarrier). The 8 bytes of an mbarrier hold nothing: its
// state is kept with the block, and any other store to the bytes ends it.

const (
	maxArrivals = 1<<20 - 1 // the limit of arrivals of a phase, and of missing bytes
	tokenPhase  = 20        // the number of bits of the pending arrivals in a state
)

// mbarrier is one barrier in shared memory.
type mbarrier struct {
	block    *block
	off      uint64
	actor    uint16
	count    int    // arrivals that complete a phase
	pending  int    // arrivals that the current phase lacks
	tx       int64  // bytes that are expected and missing
	phase    uint64 // phases that have completed
	arriving clock  // of the threads that arrived in the current phase
	done     clock  // what a thread learns from the completed phases
	promised []promise
	waiters  []*path
	site     uint32 // of its mbarrier.init
	asks     []ask  // the last question of each warp, by actor
	landings []landing
	members  uint32 // warps of the block that have arrived in the current phase
	were     uint32 // the same for the last completed phase
}

// A promise is the arrivals and bytes that an mbarrier receives when operations land.
type promise struct {
	ops      []*operation // the operations; of each, the lanes of mask
	numbers  []uint32     // their numbers: an operation with another number has landed
	lanes    uint32
	arrivals int
	bytes    int64
	warp     *warp
}

// address returns the address of m in .shared::cluster.
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

// completer returns the mbarrier of an actor, or nil if it has ended.
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

// init begins an mbarrier at off, and replaces one that was there.
func (b *block) init(off uint64, count int, site uint32) *mbarrier {
	m := b.mbarrierAt(off)
	if m == nil {
		m = &mbarrier{block: b, off: off, actor: b.cluster.team.newActor()}
		b.mbars = append(b.mbars, m)
	}
	team := b.cluster.team.number
	*m = mbarrier{
		block: b, off: off, actor: m.actor, count: count, pending: count, site: site,
		arriving: clock{team: team}, done: clock{team: team},
	}
	return m
}

// event returns a new event of m, at the present time.
func (m *mbarrier) event() moment {
	return moment{m.block.cluster.team.number, m.block.grid.tick(), m.actor}
}

// promise makes an operation, or a part of it, arrive at m when it lands.
func (m *mbarrier) promise(p promise) {
	for _, o := range p.ops {
		p.numbers = append(p.numbers, o.number)
	}
	m.block.grid.trace.notePromise(m, p.ops)
	m.promised = append(m.promised, p)
	m.wake()
}

// arrive counts n arrivals of w. mask has the lanes of the instruction that have arrived in this phase, if its other
// lanes arrive in the next phase.
func (m *mbarrier) arrive(w *warp, n int, mask uint32) {
	if mask != 0 {
		w.releasePart(&m.arriving, mask)
	} else {
		w.release(&m.arriving)
	}
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
	m.pending = m.count
	m.were, m.members = m.members, 0
	m.done.join(&m.arriving)
	m.arriving = clock{team: m.arriving.team, times: m.arriving.times[:0]}
	m.block.grid.progress++
	m.block.grid.trace.notePhase(m)
}

// wake lets the waiting paths ask again, if the phase has completed or can complete.
func (m *mbarrier) wake() {
	if len(m.waiters) == 0 {
		return
	}
	list := m.waiters[:0]
	for _, p := range m.waiters {
		if p.on == m && p.state == waiting && (p.phase <= m.phase || m.ready()) {
			p.state, p.on = running, nil
		} else if p.on == m && p.state == waiting {
			list = append(list, p)
		}
	}
	clear(m.waiters[len(list):])
	m.waiters = list
}

// leave removes a path from the waiting ones.
func (m *mbarrier) leave(p *path) {
	for i, q := range m.waiters {
		if q == p {
			m.waiters = append(m.waiters[:i], m.waiters[i+1:]...)
			return
		}
	}
}

// outstanding returns the arrivals and bytes that the operations under way will bring.
func (m *mbarrier) outstanding() (arrivals int, bytes int64) {
	for i := range m.promised {
		arrivals += m.promised[i].arrivals
		bytes += m.promised[i].bytes
	}
	return arrivals, bytes
}

// ready reports whether the phase completes when the operations under way land.
func (m *mbarrier) ready() bool {
	n, bytes := m.outstanding()
	return len(m.promised) > 0 && m.pending == n && m.tx <= bytes
}

// landing returns a new event of m, at the present time, for operations that arrive with its phase.
func (m *mbarrier) landing() moment {
	at := m.event()
	m.arriving.mark(m.actor, at.time)
	if len(m.landings) == maxLandings {
		m.landings = append(m.landings[:0], m.landings[1:]...)
	}
	m.landings = append(m.landings, landing{at.time, m.phase})
	return at
}

// land lands the operations under way. It returns the first fault of one of them, and that operation.
func (m *mbarrier) land() (bad opFault, which *operation) {
	at := m.landing()
	list := m.promised
	m.promised = nil
	if g := m.block.grid; g.seeded { // they land in any order
		for i := len(list) - 1; i > 0; i-- {
			k := g.below(i + 1)
			list[i], list[k] = list[k], list[i]
		}
	}
	for i := range list {
		p := &list[i]
		for k, o := range p.ops {
			if o.number != p.numbers[k] || o.lanes&p.lanes == 0 {
				continue
			}
			o = o.part(o.lanes & p.lanes)
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

// phaseOf returns the phase in a state that arrive returned.
func phaseOf(token uint64) uint64 { return token >> tokenPhase }

// token returns the state of m before an arrival.
func (m *mbarrier) token() uint64 {
	return m.phase<<tokenPhase | uint64(m.pending)
}

// await reports for lanes whether that many phases of m have completed. It lands operations that must have landed by
// then.
func (w *warp) await(m *mbarrier, phase uint64, mask uint32) (done bool, st status) {
	done, st = w.awaitPhase(m, phase, mask)
	if st != advance {
		return done, st
	}
	if m.ask(w, ask{phase: phase, passed: done}); done {
		g := w.block.grid
		g.trace.noteWait(w, m, phase)
		w.acquire(&m.done)
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
	// The answer to the first question is no: a thread that does not ask again reads bytes that are still missing.
	if p := w.p; p.asked != m || p.askedPhase != phase {
		p.asked, p.askedPhase = m, phase
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

// tooMany fails if more bytes arrive than m expects: on the hardware the phase may end before the last of them.
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

// noteFault notes the fault of an operation that landed.
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
