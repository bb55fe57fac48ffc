package sim

import (
	"fmt"
	"slices"
	"sort"
)

// This file implements what the four warps of a warpgroup do together (PTX ISA 9.7.15.7, wgmma.commit_group and
// wgmma.wait_group). All four warps execute the same wgmma, and a group belongs to the warpgroup. A wait_group ends
// when all four warps have executed the wgmma of the groups that it waits for. From then on, the warp that waited knows
// that the tensor core has read the operands in shared memory for all four warps, so one of its threads may tell
// others. The warp knows nothing else about the other warps: the reads belong to a separate actor for each warpgroup.
// The accumulators are registers of each warp, and each warp waits for its own accumulators (wgmma_registers.go).

// A groupLog lists the wgmma that some warps of a warpgroup have not executed, or not waited for.
type groupLog struct {
	warps  []*warp
	actor  uint16 // the actor of the reads of operands in shared memory
	first  int    // number of the first wgmma in list
	list   []groupStep
	counts [warpgroup]int // number of wgmma that each warp has executed
	waited [warpgroup]int // number of wgmma that each warp has waited for
	landed int            // number of wgmma that have read their operands
	object int32          // the number of the group in the log of the explainer
	before uint32         // time at which the last wgmma before list had read its operands
	past   []pastWgmma    // the wgmma that have read their operands, the newest last, see knowsByWgmma
}

// A groupStep is one wgmma, as the first warp of the warpgroup executed it.
type groupStep struct {
	fn         *function
	pc, warp   int
	a, b       uint64 // descriptors
	accumulate bool
	ops        [warpgroup]*operation // the reads of each warp
	marks      [warpgroup]mark       // when each warp executed it
	landed     uint32                // time at which all operands had been read
}

// A mark records when a warp executed a wgmma: its group, its number in groups.events, and the time.
type mark struct{ group, nth, time uint32 }

// A pastWgmma has the times at which the warps executed a wgmma, and the time at which all operands had been read.
type pastWgmma struct {
	executed [warpgroup]uint32
	landed   uint32
}

// keptSteps limits the wgmma in a log. An older wgmma has read its operands even if no warp waits for it, and a wait
// for it covers all wgmma that left the log. A warp that is keptSteps ahead of another warp waits for that warp.
const keptSteps = 1 << 9

// wgmmaWait + g is path.bar of a path that waits for a wgmma of warpgroup g.
const wgmmaWait = registerWait + 1

// tensorOperation returns a new operation for the reads by the wgmma that w executes.
func (w *warp) tensorOperation() *operation {
	s := w.wgmma.groups()
	return &operation{
		missing: "wgmma.wait_group", warpgroup: w.id/warpgroup + 1, groups: s, group: s.closed[0], nth: s.events,
	}
}

// partOf returns the operation to check before the toucher, by, touches bytes of o. If o is part of a wgmma of the
// toucher's warpgroup, the result is the part that the toucher's warp executes.
func (o *operation) partOf(by toucher) *operation {
	if o.warpgroup == 0 || by.warp == nil || by.block != o.warp.block || by.id/warpgroup != o.warpgroup-1 {
		return o
	}
	for _, s := range by.group().list {
		if s.ops[o.warp.id%warpgroup] == o {
			return by.partAt(&s)
		}
	}
	return o
}

// partAt returns the part of w in wgmma s of its warpgroup.
func (w *warp) partAt(s *groupStep) *operation {
	o, m := w.tensorOperation(), s.marks[w.id%warpgroup]
	if o.warp, o.group, o.nth = w, m.group, m.nth; m.nth == 0 { // w has not executed the wgmma
		o.groups = nil
	}
	return o
}

// overtaken explains why a wgmma of w reads bytes that another warp of its warpgroup, by, wrote after executing the
// same wgmma. In all other cases, it returns "".
func (w *warp) overtaken(by *warp, m moment) string {
	if by.block != w.block || by.id/warpgroup != w.id/warpgroup || !w.instr().src.Op.Has("mma_async") {
		return ""
	}
	s := w.group().latest(w)
	if x := s.marks[by.id%warpgroup]; x.nth == 0 || m.time <= x.time {
		return ""
	}
	return by.partAt(s).whyUnseen(0, toucher{warp: by})
}

// partRead returns the part of w in the wgmma that made the read r, which is a wgmma of the warpgroup of w.
func (w *warp) partRead(r *tensorRead) *operation {
	o := w.tensorOperation()
	o.warp, o.groups = w, nil
	for _, s := range w.group().list {
		if s.landed == r.time {
			o = w.partAt(&s)
		}
	}
	o.at, o.lanes = r.at, all
	return o
}

// group returns the log of the warpgroup of w.
func (w *warp) group() *groupLog { return &w.block.groups[w.id/warpgroup] }

// warpgroup returns the log whose actor is who, or nil.
func (t *team) warpgroup(who uint16) *groupLog {
	for _, w := range t.warps {
		if w.id%warpgroup == 0 && w.id/warpgroup < len(w.block.groups) && w.group().actor == who {
			return w.group()
		}
	}
	return nil
}

// latest returns the last wgmma that a warp has executed.
func (l *groupLog) latest(w *warp) *groupStep { return &l.list[l.counts[w.id%warpgroup]-1-l.first] }

// logOf returns the log of the warpgroup of w, or nil if w is in no warpgroup: a warpgroup needs four warps.
func (b *block) logOf(w *warp) *groupLog {
	g := w.id / warpgroup
	if len(b.warps) < (g+1)*warpgroup {
		return nil
	}
	for i := len(b.groups); i <= g; i++ {
		b.groups = append(b.groups, groupLog{warps: b.warps[i*warpgroup:][:warpgroup], actor: b.cluster.team.newActor()})
	}
	return &b.groups[g]
}

// together compares the instruction with the wgmma that the other warps of the warpgroup execute at the same position
// in their sequences.
func (u *wgmmaUse) together(w *warp, mine groupStep) status {
	log := w.block.logOf(w)
	if log == nil {
		return w.fail(KindDivergent, all, "warp %d has no warpgroup: the block has %d warps, and four are one",
			w.id, len(w.block.warps))
	}
	var ok bool
	if u.a == nil {
		if mine.a, ok = w.uniform(u.aDesc, all); !ok {
			return failed
		}
	}
	if mine.b, ok = w.uniform(u.bDesc, all); !ok {
		return failed
	}
	if log.counts[w.id%warpgroup]-slices.Min(log.counts[:]) >= keptSteps {
		for _, x := range log.warps {
			if n := log.counts[x.id%warpgroup]; x.live == 0 && n < log.counts[w.id%warpgroup] {
				return w.failMissedWgmma(x, w, &log.list[n-log.first])
			}
		}
		w.waitForGroup()
		return blocked
	}
	log.execute(w, mine)
	other := log.latest(w)
	switch {
	case other.fn != mine.fn || other.pc != mine.pc:
		return w.fail(KindDivergent, all,
			"warp %d executes it where warp %d of the same warpgroup executes the wgmma at line %s",
			w.id, other.warp, w.block.grid.program.line(&other.fn.code[other.pc]))
	case other.a != mine.a || other.b != mine.b:
		return w.fail(KindDivergent, all,
			"warp %d has the descriptors 0x%016x and 0x%016x, and warp %d of the same warpgroup 0x%016x and 0x%016x",
			w.id, mine.a, mine.b, other.warp, other.a, other.b)
	case other.accumulate != mine.accumulate:
		return w.fail(KindDivergent, all, "scale-d is %v in warp %d and %v in warp %d of the same warpgroup",
			mine.accumulate, w.id, other.accumulate, other.warp)
	}
	return advance
}

// execute counts a wgmma of w. If w is the last warp to execute the wgmma, the warps that wait for the wgmma go on.
func (l *groupLog) execute(w *warp, mine groupStep) {
	least := slices.Min(l.counts[:])
	l.counts[w.id%warpgroup]++
	if l.counts[w.id%warpgroup]-l.first > len(l.list) {
		l.list = append(l.list, mine)
	}
	if slices.Min(l.counts[:]) == least {
		return
	}
	if n := least + 1 - l.first; n >= 2*keptSteps {
		l.land(l.first + n/2)
		l.trim()
	}
	for _, x := range l.warps {
		for _, p := range x.paths {
			if p.state == waiting && p.on == nil && p.bar == wgmmaWait+w.id/warpgroup {
				p.state = running
				w.block.grid.progress++
			}
		}
	}
}

// commitGroup executes wgmma.commit_group: the wgmma since the last commit become a group.
func (w *warp) commitGroup() {
	s := &w.wgmma
	s.committed++
	s.groups().commit(1)
	n := 0
	if w.id/warpgroup < len(w.block.groups) {
		n = w.group().counts[w.id%warpgroup]
	}
	if s.ends = append(s.ends, n); len(s.ends) >= 2*keptSteps { // a wait for an older group returns at once
		s.older += keptSteps
		s.ends = slices.Delete(s.ends, 0, keptSteps)
	}
}

// waitGroup executes wgmma.wait_group: all groups except the last n must be done.
func (w *warp) waitGroup(n int) status {
	s := &w.wgmma
	if done := s.committed - n - s.landed; done > 0 {
		if done > s.older {
			if st := w.waitFor(s.ends[done-s.older-1]); st != advance {
				return st
			}
		}
		s.landed += done
		s.ends = slices.Delete(s.ends, 0, max(done-s.older, 0))
		s.older = max(s.older-done, 0)
	}
	s.sinceWait = false
	s.groups().note(1, groupWait{site: w.site(), n: uint32(n)})
	return advance
}

// waitFor makes w wait until all four warps have executed n wgmma. Then the reads of these wgmma are known to w.
func (w *warp) waitFor(n int) status {
	if n == 0 {
		return advance // groups without a wgmma
	}
	l, me := w.group(), w.id%warpgroup
	if n <= l.waited[me] {
		return advance
	}
	for i, x := range l.warps {
		if l.counts[i] >= n {
			continue
		}
		if x.live == 0 {
			return w.failMissedWgmma(x, w, &l.list[l.counts[i]-l.first])
		}
		w.waitForGroup()
		return blocked
	}
	l.land(n)
	l.waited[me] = n
	w.block.grid.explain.retire(w, n)
	if time := l.when(n); int(l.actor) >= len(w.clock.times) || w.clock.times[l.actor] < time {
		w.clock.mark(l.actor, time)
		w.learned++
	}
	l.trim()
	return advance
}

// waitForGroup makes the current path wait until another warp of the warpgroup has executed its next wgmma.
func (w *warp) waitForGroup() {
	w.again()
	w.p.state, w.p.bar = waiting, wgmmaWait+w.id/warpgroup
}

// land ends the reads of the first n wgmma, each at a separate time: a warp that waits for one wgmma learns nothing
// about later wgmma.
func (l *groupLog) land(n int) {
	for ; l.landed < n; l.landed++ {
		s := &l.list[l.landed-l.first]
		b := l.warps[0].block
		s.landed = b.grid.tick()
		for _, o := range s.ops {
			if o != nil {
				o.land(moment{b.cluster.team.number, s.landed, l.actor}) // landing in registers cannot fail
			}
		}
		s.ops = [warpgroup]*operation{}
		l.remember(s)
	}
}

// remember keeps the times of a wgmma that has read its operands.
func (l *groupLog) remember(s *groupStep) {
	p := pastWgmma{landed: s.landed}
	for i, m := range s.marks {
		p.executed[i] = m.time
	}
	if len(l.past) == 2*keptSteps {
		l.past = append(l.past[:0], l.past[keptSteps:]...)
	}
	l.past = append(l.past, p)
}

// knowsByWgmma reports whether w knows that a wgmma has read its operands that warp i of block b executed after a time.
// All four warps of a warpgroup execute a wgmma, so that warp i had come so far. By the PTX ISA this orders nothing,
// but pipelines of CUTLASS read scale factors in all warps before a wgmma, and let one thread release the stage after
// the wait. So reads before that time come before what w does now, unless the run is strict. If the wgmma is too old to
// be in the log, knowsByWgmma takes the next one that is.
func (w *warp) knowsByWgmma(b *block, i int, time uint32) bool {
	if w.block.grid.strict || i/warpgroup >= len(b.groups) {
		return false
	}
	l := &b.groups[i/warpgroup]
	n := sort.Search(len(l.past), func(k int) bool { return l.past[k].executed[i%warpgroup] >= time })
	return n < len(l.past) && w.knows(moment{b.cluster.team.number, l.past[n].landed, l.actor})
}

// landIf ends the reads of all wgmma up to the wgmma of o, if all four warps have executed that wgmma.
func (l *groupLog) landIf(o *operation) {
	for i := range l.list {
		if n := l.first + i + 1; l.list[i].ops[o.warp.id%warpgroup] == o && n <= slices.Min(l.counts[:]) {
			l.land(n)
			return
		}
	}
}

// when returns the time at which the first n wgmma had read their operands.
func (l *groupLog) when(n int) uint32 {
	if n <= l.first {
		return l.before
	}
	return l.list[n-1-l.first].landed
}

// trim removes the wgmma that all warps have waited for and, from a long list, wgmma that have landed.
func (l *groupLog) trim() {
	done := slices.Min(l.waited[:])
	if len(l.list) > keptSteps {
		done = max(done, min(slices.Min(l.counts[:]), l.landed))
	}
	if n := done - l.first; n > 0 {
		l.before = l.list[n-1].landed
		l.list = slices.Delete(l.list, 0, n)
		l.first = done
	}
}

// name names the warps of the warpgroup and their block.
func (l *groupLog) name() string {
	return fmt.Sprintf("warps %d to %d of block %v", l.warps[0].id, l.warps[warpgroup-1].id, l.warps[0].block.at)
}

// String says what the warps that wait for a wgmma wait for.
func (l *groupLog) String() string {
	for i, x := range l.warps {
		if n := l.counts[i]; n < slices.Max(l.counts[:]) {
			s := l.list[n-l.first]
			return fmt.Sprintf("wgmma.wait_group, where warp %d of the warpgroup has not executed the wgmma at line %s",
				x.id, x.block.grid.program.line(&s.fn.code[s.pc]))
		}
	}
	return "wgmma.wait_group"
}

// leaveGroup checks whether w, which ends, has executed exactly the wgmma of the other warps of its warpgroup. It
// returns false if w certainly did not.
func (w *warp) leaveGroup() bool {
	if w.id/warpgroup >= len(w.block.groups) {
		return true
	}
	l := w.group()
	mine := l.counts[w.id%warpgroup]
	for i, n := range l.counts {
		other := l.warps[i]
		if n == mine || n < mine && other.live != 0 {
			continue
		}
		if n < mine {
			w.failMissedWgmma(other, w, &l.list[n-l.first])
		} else {
			w.failMissedWgmma(w, other, &l.list[mine-l.first])
		}
		return false
	}
	return true
}

// failMissedWgmma notes that warp less has ended without wgmma s, which warp more of the same warpgroup has executed.
func (w *warp) failMissedWgmma(less, more *warp, s *groupStep) status {
	program, in := w.block.grid.program, &s.fn.code[s.pc]
	w.fail(KindDivergent, all, "warp %d has ended without the wgmma at line %s, which warp %d of the same warpgroup has executed",
		less.id, program.line(in), more.id)
	w.fault.Pos, w.fault.Op, w.fault.Source = in.src.Pos, in.src.Op, program.source(in.loc)
	return failed
}
