package sim

import (
	"fmt"
	"strings"
)

// This file explains what would have ordered two unordered accesses. It states only facts of the run: the waits and
// barriers that the two threads executed before, with their numbers.

// A synced is the last barrier at which a warp arrived, or the last barrier that it passed.
type synced struct {
	time    uint32 // the epoch of the arrival, or the time when the warp passed; 0 for never
	site    uint32 // the instruction of the arrival or of the wait
	bar     *mbarrier
	phase   uint64 // of bar: the phase of the arrival, or the number of completed phases
	id      int    // the number of a barrier that is not an mbarrier
	count   int    // arrivals that complete it; 0 for all threads of the block
	members uint32 // warps of the block that arrived in the phase
}

// name returns the name of the barrier for messages.
func (s *synced) name() string {
	if s.bar != nil {
		return fmt.Sprintf("the mbarrier at 0x%x", s.bar.address())
	}
	return fmt.Sprintf("barrier %d", s.id)
}

// isCounted reports whether the barrier completes without some threads of the block.
func (s *synced) isCounted() bool {
	return s.time != 0 && (s.bar != nil && s.count > 1 || s.bar == nil && s.count > 0)
}

// An ask is the last test by which a warp asked whether phases of an mbarrier have completed.
type ask struct {
	site   uint32
	nth    int64  // the number of the ask in the run, see grid.polls; 0 if there was no ask
	phase  uint64 // the number of the phase
	passed bool
	tries  int // earlier negative answers to the same question
}

// ask records a test of m by w.
func (m *mbarrier) ask(w *warp, a ask) {
	for int(w.actor) >= len(m.asks) {
		m.asks = append(m.asks, ask{})
	}
	x := &m.asks[w.actor]
	a.site, a.nth = w.site(), w.block.grid.polls
	if x.nth != 0 && !x.passed && x.site == a.site {
		a.tries = x.tries + 1
	}
	*x = a
}

// askOf returns the last test of m by w, or nil.
func (m *mbarrier) askOf(w *warp) *ask {
	if int(w.actor) < len(m.asks) && m.asks[w.actor].nth != 0 {
		return &m.asks[w.actor]
	}
	return nil
}

// A landing is the time at which operations completed, and the phase of the mbarrier to which they belong.
type landing struct {
	time  uint32
	phase uint64
}

// maxLandings limits the landings that an mbarrier keeps.
const maxLandings = 8

// phaseAt returns the phase of the operations that completed at a time.
func (m *mbarrier) phaseAt(time uint32) (phase uint64, ok bool) {
	for _, x := range m.landings {
		if x.time == time {
			return x.phase, true
		}
	}
	return 0, false
}

// whyUnknown says why w does not know the operations that completed in a phase of m.
func (m *mbarrier) whyUnknown(w *warp, phase uint64) string {
	g, a := m.block.grid, m.askOf(w)
	try := fmt.Sprintf("mbarrier.try_wait on the barrier at 0x%x", m.address())
	switch {
	case w.block != m.block:
		return fmt.Sprintf("a thread of block %v has to wait for it at the mbarrier at 0x%x, and to let this block know before this",
			m.block.at, m.address())
	case a == nil:
		for _, x := range w.team.warps {
			if b := m.askOf(x); b != nil && b.passed && b.phase > phase {
				return fmt.Sprintf("warp %d of block %v has waited for it at line %s, and a barrier between that wait and this is missing, or %s",
					x.id, x.block.at, g.lineAt(b.site), try)
			}
		}
		if other, b := w.lastAsk(); b != nil {
			return fmt.Sprintf("%s is missing before it; the wait at line %s was for the barrier at 0x%x",
				try, g.lineAt(b.site), other.address())
		}
	case !a.passed:
		return fmt.Sprintf("the %s at line %s has answered that phase %d of the barrier at 0x%x is not complete, and was not repeated",
			waitName(g, a.site), g.lineAt(a.site), phase, m.address())
	case a.phase <= phase:
		return fmt.Sprintf("the %s at line %s %s, and this comes with phase %d (parity %d) of the barrier at 0x%x",
			waitName(g, a.site), g.lineAt(a.site), a.was(), phase, phase&1, m.address())
	}
	return try + " is missing before it"
}

// was says which phase had completed when the test was answered by yes.
func (a *ask) was() string {
	switch {
	case a.phase == 0:
		return "passed at once: parity 1 belongs to the phase before the first"
	case a.tries == 0:
		return fmt.Sprintf("passed at once: it is for phase %d (parity %d), which had completed", a.phase-1, (a.phase-1)&1)
	}
	return fmt.Sprintf("was for phase %d (parity %d)", a.phase-1, (a.phase-1)&1)
}

// waitName returns the name of a wait at an mbarrier.
func waitName(g *grid, site uint32) string {
	if g.at(site).Op.Has("test_wait") {
		return "mbarrier.test_wait"
	}
	return "mbarrier.try_wait"
}

// lastAsk returns the last test by w of any mbarrier of its block, and that mbarrier.
func (w *warp) lastAsk() (m *mbarrier, last *ask) {
	for _, x := range w.block.mbars {
		if a := x.askOf(w); a != nil && (last == nil || a.nth > last.nth) {
			m, last = x, a
		}
	}
	return m, last
}

// promiseOf returns the mbarrier at which a lane's part of o completes, and the promise to that mbarrier. It returns
// nil if there is none.
func (o *operation) promiseOf(lane int) (*mbarrier, *promise) {
	for _, b := range o.warp.block.cluster.blocks {
		for _, m := range b.mbars {
			for i := range m.promised {
				p := &m.promised[i]
				for _, x := range p.ops {
					if x == o && p.lanes>>lane&1 == 1 {
						return m, p
					}
				}
			}
		}
	}
	return nil, nil
}

// A toucher is a lane that accesses bytes of an operation. If the warp is nil, it is the end of the block.
type toucher struct {
	*warp
	lane   int
	source bool // the lane accesses bytes that the operation reads
}

// whyUnseen says why by does not know of the part of o that the lane owner began.
func (o *operation) whyUnseen(owner int, by toucher) string {
	if m, _ := o.promiseOf(owner); m != nil && by.warp != nil {
		return m.whyUnknown(by.warp, m.phase)
	}
	if o = o.partOf(by); o.groups == nil {
		return o.missing + " is missing before it"
	}
	if o.groups.waits[owner].nth > o.nth {
		return o.whyWaitMisses(owner, by)
	}
	return o.whyNoWait(owner, by)
}

// whyWaitMisses says why the last wait of the lane owner, which came after o, does not cover o.
func (o *operation) whyWaitMisses(owner int, by toucher) string {
	g, x := o.warp.block.grid, &o.groups.waits[owner]
	op, _, _ := strings.Cut(string(g.at(x.site).Op), "_group")
	if g.at(x.site).Op.Has("wait_group") {
		op += "_group"
	}
	at := fmt.Sprintf("the %s at line %s", op, g.lineAt(x.site))
	switch {
	case x.read && o.read:
		return at + " is with .read and waits for its reads only: one without .read is missing before it"
	case o.group >= x.closed:
		return fmt.Sprintf("%s does not wait for it, since %s between the two is missing", at, commitOf(o))
	case by.warp == nil: // the end of the block
		return fmt.Sprintf("%s is missing before it: %s lets it pass, N = %d", o.needs(by), at, x.n)
	}
	newer := x.closed - o.group - 1
	than := "its group is the newest"
	switch {
	case newer == 1:
		than = "one group is newer than its own"
	case newer > 1:
		than = fmt.Sprintf("%d groups are newer than its own", newer)
	}
	if !o.ownedBy(by, owner) {
		return fmt.Sprintf("%s let it pass: N = %d, and %s; N = %d or a later wait, and a barrier, have to come before this",
			at, x.n, strings.NewReplacer(" is ", " was ", " are ", " were ").Replace(than), newer)
	}
	return fmt.Sprintf("%s lets it pass: N = %d, and %s; N = %d waits for it", at, x.n, than, newer)
}

// commitOf returns the instruction that closes the group of o.
func commitOf(o *operation) string {
	return strings.Replace(o.missing, "wait_group", "commit_group", 1)
}

// needs names the wait that is missing for a toucher of o.
func (o *operation) needs(by toucher) string {
	if by.source && o.engine {
		return o.missing + " (.read is enough)"
	}
	return o.missing
}

// ownedBy reports whether by can wait for a lane's part of o: by is the same thread or, for wgmma, any thread of the
// same warp.
func (o *operation) ownedBy(by toucher, lane int) bool {
	return by.warp == o.warp && (by.lane == lane || o.warpgroup > 0)
}

// whyNoWait says what is missing if the lane that began a part of o has not waited since.
func (o *operation) whyNoWait(owner int, by toucher) string {
	missing := o.needs(by) + " is missing"
	if o.groups.closed[owner] == o.group {
		missing = "no " + commitOf(o) + " has closed its group, and " + missing
	}
	g := o.warp.block.grid
	if next := o.nextWait(owner); by.warp != nil && !o.ownedBy(by, owner) && next != nil {
		if o.warpgroup > 0 {
			return fmt.Sprintf("none of %s has waited for it yet: the %s at line %s of one of them and a barrier have to come before this",
				o.warp.group().name(), next.src.Op, g.program.line(next))
		}
		return fmt.Sprintf("%s has not waited for it yet: its %s at line %s and a barrier have to come before this",
			o.warp.name(owner), next.src.Op, g.program.line(next))
	}
	if x := &o.groups.waits[owner]; x.nth != 0 {
		return fmt.Sprintf("%s before it: the wait at line %s was executed before it began", missing, g.lineAt(x.site))
	}
	return missing + " before it"
}

// nextWait returns the next wait for operations like o in the text after the position of a lane, or nil.
func (o *operation) nextWait(lane int) *instr {
	prefix := strings.TrimSuffix(o.missing, "_group")
	for _, p := range o.warp.paths {
		if p.mask>>lane&1 == 0 {
			continue
		}
		code := p.frame.fn.code
		for i := p.pc; i < len(code); i++ {
			if in := &code[i]; in.src != nil && strings.HasPrefix(string(in.src.Op), prefix) {
				return in
			}
		}
	}
	return nil
}

// name returns the name of a lane's thread for messages.
func (w *warp) name(lane int) string {
	return fmt.Sprintf("thread %v of block %v", w.thread(lane), w.block.at)
}

// between says what would have made the event m of another warp known to w. other is the name of the thread of m.
func (w *warp) between(m moment, other string) string {
	const missing = "a barrier between them is missing"
	if m.team == w.clock.team && m.who == w.actor {
		return "lanes of a warp are threads of their own: a bar.warp.sync (__syncwarp) of both between them is missing"
	}
	if m.team != w.clock.team || int(m.who) >= len(w.team.warps) {
		return missing
	}
	a := w.team.warps[m.who]
	if a.block != w.block {
		return missing
	}
	if why := w.overtaken(a, m); why != "" {
		return fmt.Sprintf("%s executes this wgmma before it writes: %s", other, why)
	}
	if why := w.earlyWait(&a.gave, m); why != "" {
		return fmt.Sprintf("%s: %s arrives at %s", missing, other, why)
	}
	const without = "%s: %s came through %s at line %s, which completes with %d arrivals, and %s was not among them"
	if got := &a.got; got.isWithout(w) && (got.time <= m.time || a.gave.time >= m.time && a.gave.site == got.site) {
		return fmt.Sprintf(without, missing, other, got.name(), w.block.grid.lineAt(got.site), got.count, "this thread")
	}
	if got := &w.got; got.isWithout(a) && got.time >= m.time {
		return fmt.Sprintf(without, missing, "this thread", got.name(), w.block.grid.lineAt(got.site), got.count, other)
	}
	return missing
}

// isWithout reports whether the barrier completes without some threads of the block, and w did not arrive there.
func (s *synced) isWithout(w *warp) bool { return s.isCounted() && s.members>>w.id&1 == 0 }

// earlyWait describes a wait of w that passed before another warp arrived at the same mbarrier after m, or returns "".
func (w *warp) earlyWait(gave *synced, m moment) string {
	if gave.time < m.time || gave.bar == nil {
		return ""
	}
	x, g := gave.bar.askOf(w), w.block.grid
	if x == nil || !x.passed || x.phase > gave.phase {
		return ""
	}
	return fmt.Sprintf("%s in phase %d (line %s), and the wait at line %s %s; %d arrivals complete a phase",
		gave.name(), gave.phase, g.lineAt(gave.site), g.lineAt(x.site), x.was(), gave.bar.count)
}
