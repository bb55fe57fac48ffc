package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

const (
	lanes   = 32
	all     = ^uint32(0)
	maxCall = 256 // frames of one path; a deeper recursion counts as endless
)

// vector is one register of a warp: one value for each lane, in the low bits, with zeros in the bits above.
type vector = [lanes]uint64

// status is the outcome of an instruction.
type status uint8

const (
	advance status = iota // go on with the next instruction
	jumped                // the path has its new place
	blocked               // the path waits, and its state is set
	slept                 // executed; the code that wakes the path sets its place
	ended                 // all lanes of the path have exited or joined other paths
	failed                // warp.fault is the reason; if nil, the finding is reported and the instruction has no effect
)

// A step executes one decoded instruction for the lanes of mask, which is not 0, of the current path of w.
type step func(w *warp, mask uint32) status

// instr is an instruction of a function.
type instr struct {
	do    step
	guard int32  // the predicate that guards it, or -1
	not   uint32 // all ones for @!p
	join  int32  // where all paths of the branch certainly meet, or -1
	src   *ptx.Instr
	loc   *ptx.Loc
	meter *meter // counts its memory traffic, or nil
}

// frame contains the registers of a running function. The paths of a warp that came from one call share a frame.
type frame struct {
	fn      *function
	regs    []vector
	counts  []executions
	def     []uint32         // lanes of each register that have a value
	why     map[int]origin   // origins of registers without a value
	lost    map[int]*Finding // findings of predicates without a value that were computed from unwritten bytes
	pred    []uint32
	pdef    []uint32
	lanes   uint32 // lanes that entered the function
	local   uint64 // start of the function's variables in the local memory of each thread
	up      *frame
	back    int // the instruction at which the frame up continues
	site    *callSite
	depth   int
	flights []flight // state of the registers that a wgmma may use
}

// join is a place where separated paths wait for each other. Lanes that exit are removed from expect.
type join struct {
	frame  *frame
	pc     int
	expect uint32
	here   uint32
	up     *join
}

// pathState says whether a path can run.
type pathState uint8

const (
	running pathState = iota
	meeting           // waits for other lanes of its warp at an instruction; executes it again when woken
	waiting           // waits at a barrier
)

// executions counts how often an instruction was executed, by warps and by lanes.
type executions struct {
	warps, lanes int64
	traffic      Traffic
	seen         *pattern // the last access, nil before the first
}

// path is a set of lanes of a warp that are at the same instruction. Paths of a warp run in turns, so one path may wait
// for another, as on hardware since sm_70.
type path struct {
	mask  uint32
	pc    int
	frame *frame
	join  *join
	state pathState
	at    uint32      // if meeting: the lanes of the path that execute the instruction
	want  uint32      // if meeting: the lanes for which it waits
	sync  *collective // if meeting: the instruction; nil for an .aligned instruction, where no lane may be elsewhere
	freed uint32      // if meeting: the lanes of want that were released from a join
	bar   int         // if waiting: the barrier, unless it waits on an mbarrier
	on    *mbarrier
	phase uint64 // how many phases of on must have completed

	tests   int  // the number of failed test_wait
	refused bool // no path can continue, so the next execution of its wait fails
	spin    spin
	doubt   bool // if waiting: it has read unwritten bytes; if nobody writes them, the path has a finding
	excused int  // 1 + index of the instruction at which it waited in doubt before it went on; 0 for none
}

// warp is 32 threads.
type warp struct {
	block   *block
	id      int
	lanes   uint32 // threads that exist
	live    uint32 // threads that have not exited
	arrived uint32 // threads at the barrier of the cluster, in the current phase
	passed  uint32 // threads that arrived in a completed phase but have not waited since
	paths   []*path
	turn    int
	p       *path // the path that runs
	f       *frame
	fault   *Finding
	logged  warpLog
	lack    lack  // what has no value, if that is the reason for fault
	wentOn  int   // number of findings after which the warp has gone on
	steps   int64 // instructions executed, as %clock counts them
	spun    int   // instructions since lanes last met, counted while other lanes wait for them
	local   [lanes]segment
	hint    *segment // segment of the last access to global memory
	peers   []*path  // scratch of alignLanes
	spare   []*frame
	base    *frame // frame of the kernel

	registers  int              // the registers of each thread, from the pool of the block
	changes    []registerChange // the changes in the order of execution
	heard      hearing
	team       *team
	actor      uint16 // number in the team
	clock      clock  // the events that come before the current action of the warp
	now        uint32 // the current epoch of the warp
	published  published
	learned    uint32     // how often the clock has grown
	heardLast  *fenceSet  // the fences that meetFences heard of last
	polled     *syncPoint // the point acquired last, when it had polledWhen releases, by an access polledBy
	polledWhen uint32
	polledBy   order
	polledFor  uint32 // the lanes that acquired it
	fences     fencing
	sights     []sighting // the latest sightings
	frozen     frozen
	grade      Grade         // the grade of the conflict that is being noted
	pairs      *lanePairs    // nil if every bar.warp.sync was executed by the whole warp
	unaware    *unaware      // nil if all lanes know what the warp knows
	masks      [lanes]uint32 // by lane: the membermask with which it waits at a collective
	apart      *frame        // operands of collectives whose lanes are at several instructions; nil before the first
	over       clock         // accesses of others that are over, although w may not see them
	everything uint32        // time up to which the warp knows what every thread did
	folded     uint32        // the floor that the times of clock already include
	copies     groups        // the groups of cp.async
	bulk       groups        // the groups of bulk copies
	gave, got  synced        // the last barrier at which the warp arrived, and the last barrier that it passed
	begun      []*operation  // all operations begun, including landed operations that are not yet swept
	swept      int           // the length of begun at which landed operations are removed
	off        [lanes]uint64 // offsets of the lanes of the current access, in its segment
	width      int           // bytes per lane of the current access; 0 if there is none
	cost       Traffic       // traffic of the current instruction
	wgmma      wgmmaState
	moves      []*operation // the tcgen05.ld and tcgen05.st in flight
	issued     []*operation // the other operations of tcgen05; some may have landed
	after      *clock       // what w knew at its last tcgen05.fence::after_thread_sync; nil before the first
}

// patience limits the instructions that one path executes while other lanes wait at its join. Beyond the limit, these
// lanes go on: one of them may hold a lock for which the path spins.
const patience = 1 << 16

// next returns the path whose turn it is, or nil if none can run.
func (w *warp) next() *path {
	for range w.paths {
		w.turn++
		if w.turn >= len(w.paths) {
			w.turn = 0
		}
		if p := w.paths[w.turn]; p.state == running {
			return p
		}
	}
	return nil
}

// run executes up to n instructions of one path. It returns the number executed, without instructions that had to wait.
func (w *warp) run(n int) (done int) {
	p := w.next()
	if p == nil && w.loosen() {
		p = w.next()
	}
	if p == nil {
		return 0
	}
	w.p, w.f = p, p.frame
	trace := w.block.grid.trace
	for done < n {
		if p.join != nil && p.pc == p.join.pc && p.frame == p.join.frame {
			if !w.park(p) {
				return max(done, 1)
			}
			continue
		}
		in := &p.frame.fn.code[p.pc]
		c, mask := &p.frame.counts[p.pc], p.mask
		if in.guard >= 0 {
			if miss := mask &^ p.frame.pdef[in.guard]; miss != 0 {
				w.undefinedPredicate(miss, int(in.guard))
				if w.retry() {
					continue
				}
				return done
			}
			mask &= p.frame.pred[in.guard] ^ in.not
		}
		st := advance
		if mask != 0 {
			if in.meter != nil {
				in.meter.count(w, mask, c)
			}
			if trace != nil {
				trace.done = done
				st = trace.step(w, in, mask)
			} else {
				st = in.do(w, mask)
			}
		}
		if st == blocked || st == failed {
			if st == failed && w.retry() {
				continue
			}
			if w.stops(p, st) {
				return done
			}
			st = advance // the run goes on: the instruction that failed has no effect
		}
		done++
		c.warps++
		if in.meter != nil && mask != 0 {
			c.traffic.Add(w.cost)
		}
		c.lanes += int64(bits.OnesCount32(mask))
		if st == advance {
			p.pc++
		} else if st == ended || st == slept {
			break
		}
	}
	w.afterTurn(p, done)
	return done
}

// stops reports whether path p stops at an instruction that is blocked or has failed.
func (w *warp) stops(p *path, st status) bool {
	return st == blocked || p.state != running || w.fault != nil && !w.goesOn()
}

// afterTurn counts the instructions that p has executed in its turn.
func (w *warp) afterTurn(p *path, done int) {
	w.steps += int64(done)
	if w.block.grid.watch && p.state == running {
		w.observe(p)
	}
	if len(w.paths) > 1 || p.join != nil {
		w.lose(p, done)
	}
}

// newFrame returns a frame of fn for the lanes of mask, with local memory from base on.
func (w *warp) newFrame(fn *function, base uint64, mask uint32) *frame {
	var f *frame
	for i, g := range w.spare {
		if g.fn == fn {
			f = g
			w.spare = append(w.spare[:i], w.spare[i+1:]...)
			break
		}
	}
	if f == nil {
		w.block.grid.keep(len(fn.slots)*registerBytes + len(fn.preds)*8)
		f = &frame{
			fn: fn, regs: make([]vector, len(fn.slots)), def: make([]uint32, len(fn.slots)),
			pred: make([]uint32, len(fn.preds)), pdef: make([]uint32, len(fn.preds)), counts: w.block.grid.counts[fn.id],
		}
		for _, c := range fn.consts {
			fill(&f.regs[c.slot], c.value)
			if c.shared {
				fill(&f.regs[c.slot], c.value+w.block.shared.base-sharedStart)
			}
		}
	}
	clear(f.def)
	clear(f.why)
	clear(f.lost)
	clear(f.pdef)
	if len(f.flights) != len(fn.watched) {
		f.flights = make([]flight, len(fn.watched))
	}
	clear(f.flights)
	f.pred[truePred], f.pdef[truePred] = all, all
	for _, c := range fn.consts {
		f.def[c.slot] = all
	}
	for _, s := range fn.specials {
		for i := range lanes {
			f.regs[s.slot][i] = s.value(w, i)
		}
		f.def[s.slot] = all
	}
	for _, c := range fn.locals {
		fill(&f.regs[c.slot], base+c.value)
		f.def[c.slot] = all
	}
	f.local, f.lanes, f.up, f.depth = base, mask, nil, 0
	if fn.local > 0 {
		w.stack(base, uint64(fn.local), mask)
	}
	return f
}

// fill sets all lanes of v.
func fill(v *vector, x uint64) {
	for i := range v {
		v[i] = x
	}
}

// lose counts the instructions of p while lanes wait for p. If there are too many, the nearest of these lanes go on.
func (w *warp) lose(p *path, n int) {
	if w.spun += n; w.spun < patience {
		return
	}
	w.spun = 0
	w.part(p)
}

// part releases the lanes that wait for p at the nearest join, and reports whether there are any.
func (w *warp) part(p *path) bool {
	for j := p.join; j != nil; j = j.up {
		if j.here != 0 {
			w.leaveJoin(j)
			return true
		}
	}
	return false
}

// leaveJoin lets the lanes that wait at j go on without the other lanes.
func (w *warp) leaveJoin(j *join) {
	w.paths = append(w.paths, &path{mask: j.here, pc: j.pc, frame: j.frame, join: j.up})
	j.expect &^= j.here
	j.here = 0
}

// loosen releases lanes that wait at a join while others wait for them at an instruction such as vote.sync. The
// released lanes can now reach that instruction, or exit. The result is false if there are no such lanes.
func (w *warp) loosen() bool {
	missing := uint32(0)
	for _, p := range w.paths {
		if p.state == meeting && p.sync != nil {
			missing |= p.want &^ p.at & w.live
		}
	}
	freed := uint32(0)
	for _, p := range w.paths {
		for j := p.join; j != nil; j = j.up {
			if j.here&missing != 0 {
				freed |= j.here
				w.leaveJoin(j)
			}
		}
	}
	for _, p := range w.paths {
		if p.state == meeting {
			p.freed |= freed & p.want &^ p.at
		}
	}
	return freed != 0
}

// park makes p wait at its join, and reports whether p goes on because p is the last path.
func (w *warp) park(p *path) bool {
	j := p.join
	j.here |= p.mask
	if j.here == j.expect {
		p.mask, p.join = j.here, j.up
		w.spun = 0
		return true
	}
	w.remove(p)
	return false
}

// remove removes p from the paths of w.
func (w *warp) remove(p *path) {
	for i, q := range w.paths {
		if q == p {
			w.paths = append(w.paths[:i], w.paths[i+1:]...)
			w.turn--
			return
		}
	}
}

// split lets the lanes of mask, some lanes of the current path, continue at target, and the other lanes at next.
func (w *warp) split(mask uint32, target, next int) status {
	p := w.p
	at := int(p.frame.fn.code[p.pc].join)
	if at >= 0 {
		w.joinAt(at)
	}
	rest := p.mask &^ mask
	switch j := p.join; {
	case at >= 0 && target == at:
		j.here |= mask
		p.mask, p.pc = rest, next
	case at >= 0 && next == at:
		j.here |= rest
		p.mask, p.pc = mask, target
	default:
		w.paths = append(w.paths, &path{mask: mask, pc: target, frame: p.frame, join: p.join})
		p.mask, p.pc = rest, next
	}
	return jumped
}

// exit ends the threads of mask, which are on the current path.
func (w *warp) exit(mask uint32) status {
	p := w.p
	w.live &^= mask
	p.mask &^= mask
	if w.live == 0 {
		w.release(&w.block.gone)
		w.block.grid.explain.exit(w)
		w.block.gone.join(&w.over)
		w.giveBack()
		if b := w.block; b.live == bits.OnesCount32(mask) {
			if w.fault = b.leavings(); w.fault != nil && !w.goesOn() {
				return failed
			}
		}
	}
	w.block.live -= bits.OnesCount32(mask)
	for j := p.join; j != nil; j = j.up {
		j.expect &^= mask
		if j.here != 0 && j.here == j.expect {
			w.paths = append(w.paths, &path{mask: j.here, pc: j.pc, frame: j.frame, join: j.up})
			j.expect, j.here = 0, 0
		}
	}
	for _, q := range w.paths {
		if q.state == meeting {
			q.state = running
		}
	}
	w.block.releaseAfterExit()
	w.block.cluster.leave(w, mask)
	if p.mask != 0 {
		return advance
	}
	if w.live == 0 && !(w.leaveGroup() && w.leaveRegisters()) {
		return failed
	}
	w.remove(p)
	return ended
}

// alignLanes waits until all live lanes of w are at the current instruction, as .aligned requires, and returns them.
// w.peers contains their other paths, which continue after the instruction unless the caller decides otherwise. ok is
// false while lanes are missing.
func (w *warp) alignLanes(mask uint32) (got uint32, ok bool) {
	p := w.p
	if mask != p.mask {
		w.fail(KindDivergent, mask, "%d of %d lanes of the path execute an instruction that is .aligned: predicate mask 0x%08x, lanes 0x%08x",
			bits.OnesCount32(mask), bits.OnesCount32(p.mask), mask, p.mask)
		return 0, false
	}
	w.peers, got = w.peers[:0], mask
	for _, q := range w.paths {
		if q != p && q.state == meeting && q.pc == p.pc && q.frame == p.frame {
			w.peers = append(w.peers, q)
			got |= q.at
		}
	}
	if w.live&^got != 0 {
		p.state, p.at, p.want, p.sync = meeting, mask, w.live, nil
		return 0, false
	}
	for _, q := range w.peers {
		q.state = running
		q.pc++
	}
	w.spun = 0
	w.meetAligned(got)
	return got, true
}

// instr returns the instruction of the current path.
func (w *warp) instr() *instr { return &w.p.frame.fn.code[w.p.pc] }

// fail sets w.fault to a finding about the first lane of mask at the current instruction.
func (w *warp) fail(kind Kind, mask uint32, format string, args ...any) status {
	w.lack = lack{}
	w.fault = w.finding(w.p, kind, bits.TrailingZeros32(mask))
	w.fault.Message = fmt.Sprintf(format, args...)
	return failed
}

// finding returns a finding about lane at the current instruction of p.
func (w *warp) finding(p *path, kind Kind, lane int) *Finding {
	f := &Finding{Kind: kind, Block: w.block.at, Thread: w.block.grid.block.at(w.id*lanes + lane)}
	if in := &p.frame.fn.code[p.pc]; in.src != nil {
		f.Pos, f.Op = in.src.Pos, in.src.Op
		f.Source = w.block.grid.program.source(in.loc)
	}
	return f
}

// failUndefined sets w.fault to a finding about the first listed register without a value in lanes of mask.
func (w *warp) failUndefined(mask uint32, slots ...int) status {
	for _, s := range slots {
		if miss := mask &^ w.f.def[s]; miss != 0 {
			names, origin := w.f.fn.slots, s
			if from := w.f.why[s]; from.load != nil {
				w.lack = lack{frame: w.f, slot: s, mask: miss}
				return w.matters(from.load)
			}
			if from, ok := w.f.why[s]; ok && from.slot != s {
				origin = from.slot
				w.fail(KindUninitialised, miss,
					"reads register %s, which has no value in lanes 0x%08x: it was computed of %s, to which nothing was written, at line %s",
					names[s].name, miss, names[from.slot].name, w.block.grid.program.line(&w.f.fn.code[from.pc]))
			} else {
				w.fail(KindUninitialised, miss, "reads register %s, to which nothing was written in lanes 0x%08x",
					names[s].name, miss)
			}
			w.fault.register = uint64(w.f.fn.id)<<32 | uint64(origin+1)
			w.lack = lack{frame: w.f, slot: s, mask: miss}
			return failed
		}
	}
	return failed
}

func (w *warp) undefinedPredicate(miss uint32, slot int) status {
	if load := w.f.lost[slot]; load != nil {
		w.lack = lack{frame: w.f, slot: slot, pred: true, mask: miss}
		return w.matters(load)
	}
	w.fail(KindUninitialised, miss, "reads predicate %s, which has no value in lanes 0x%08x", w.f.fn.preds[slot], miss)
	w.lack = lack{frame: w.f, slot: slot, pred: true, mask: miss}
	return failed
}

// place returns the line and the opcode at which p is.
func (p *path) place(of *Program) string {
	if in := &p.frame.fn.code[p.pc]; in.src != nil {
		return fmt.Sprintf("at line %s, %s", of.line(in), in.src.Op)
	}
	return "at the end of " + string(p.frame.fn.name)
}

// alignedLanes is alignLanes for a step: the instruction is executed now if st is advance.
func (w *warp) alignedLanes(mask uint32) (got uint32, st status) {
	got, ok := w.alignLanes(mask)
	switch {
	case ok:
		return got, advance
	case w.fault != nil:
		return got, failed
	}
	return got, blocked
}
