package sim

import (
	"cmp"
	"slices"

	"girih/ptx"
)

// EventKind is the class of an [Event]. The strings are stable.
type EventKind string

// The kinds of events.
const (
	EventWait   EventKind = "wait"   // a warp begins to wait, at an mbarrier or at another barrier
	EventResume EventKind = "resume" // a warp that waited goes on
	EventArrive EventKind = "arrive" // a thread arrives at an mbarrier
	EventPass   EventKind = "pass"   // a warp is told that a phase of an mbarrier has completed
	EventPhase  EventKind = "phase"  // a phase of an mbarrier completes
	EventBegin  EventKind = "begin"  // an asynchronous operation begins
	EventLand   EventKind = "land"   // it lands: as late as it may
	EventFound  EventKind = "found"  // something is wrong: a [Finding]
)

// Event is something that happened to what threads wait for: a step of a pipeline.
type Event struct {
	Kind      EventKind
	Time      int64  // instructions that were executed before it, counted once for a warp, in the simulated order
	Block     Dim    // of the warp, or of the mbarrier
	Warp      int    // of the block; -1 of a phase
	Line      int    // of the instruction; 0 of a phase
	Op        ptx.Op // the instruction; "" of a phase
	Barrier   uint64 // the mbarrier, or the one that an operation completes at: its address in shared memory; 0 for none
	Phase     uint64 // that is waited for, or that completes, counted from 0
	Operation int64  // its number, from 1
	Shared    uint64 // where in shared memory an operation writes, or reads if it writes nowhere there; 0 for none
	Fills     bool   // the operation writes to Shared
	Into      Dim    // the block whose shared memory that is
	Bytes     int64  // that the operation writes, or reads if it writes nothing
	Finding   Kind   // what was found; "" of other events
}

// A trace is the events of a run on their way. The nil trace takes none.
type trace struct {
	most   int
	events []Event
	missed int64 // events beyond most
	time   int64 // instructions, up to the warp that runs
	done   int   // instructions of that
	idle   map[*path]bool
	begun  int64
}

// newTrace returns a trace of at most so many events, nil for none.
func newTrace(most int) *trace {
	if most <= 0 {
		return nil
	}
	return &trace{most: most, idle: map[*path]bool{}}
}

// add adds an event that happens now. It returns its number plus 1, or 0 for one that is left out.
func (t *trace) add(e Event) int {
	if len(t.events) >= t.most {
		t.missed++
		return 0
	}
	e.Time = t.time + int64(t.done)
	t.events = append(t.events, e)
	return len(t.events)
}

// sorted returns the events by time: that a warp goes on is noted when it has stopped again.
func (t *trace) sorted() []Event {
	slices.SortStableFunc(t.events, func(a, b Event) int {
		if a.Time == b.Time && (a.Kind == EventResume) != (b.Kind == EventResume) {
			if a.Kind == EventResume {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Time, b.Time)
	})
	return t.events
}

// of returns an event of a warp at its current instruction.
func (w *warp) of(kind EventKind) Event {
	e := Event{Kind: kind, Block: w.block.at, Warp: w.id}
	if in := w.instr(); in.src != nil {
		e.Line, e.Op = int(in.src.Pos.Line), in.src.Op
	}
	return e
}

// ran notes that a warp has executed n instructions of a path: it waits now, or it has gone on.
func (t *trace) ran(w *warp, n int) {
	if t == nil {
		return
	}
	p := w.p
	t.done = 0
	if p == nil {
		return
	}
	if t.idle[p] && (n > 0 || p.state == running) {
		delete(t.idle, p)
		t.add(Event{Kind: EventResume, Block: w.block.at, Warp: w.id})
	}
	t.time += int64(n)
	if p.state == waiting && !t.idle[p] {
		t.idle[p] = true
		e := w.of(EventWait)
		if p.on != nil {
			e.Barrier, e.Phase = p.on.address(), p.phase-1
		}
		t.add(e)
	}
}

// began notes an operation.
func (t *trace) began(o *operation) {
	if t == nil || o.quiet {
		return
	}
	w := o.warp
	t.begun++
	o.id = t.begun
	e := w.of(EventBegin)
	e.Operation = o.id
	e.Bytes = extentOf(o.writes)
	if len(o.writes) == 0 {
		e.Bytes = extentOf(o.reads)
	}
	if e.Fills = e.inShared(o.writes); !e.Fills {
		e.inShared(o.reads)
	}
	o.event = t.add(e)
}

// extentOf returns how many bytes regions have.
func extentOf(list []region) int64 {
	n := int64(0)
	for _, r := range list {
		n += int64(r.n)
	}
	return n
}

// inShared sets the place in shared memory of an event to the first of regions, and reports whether one is there.
func (e *Event) inShared(list []region) bool {
	for _, r := range list {
		if at := r.seg.base + r.off; r.seg.owner != nil && (e.Shared == 0 || at < e.Shared) {
			e.Shared, e.Into = at, r.seg.owner.at
		}
	}
	return e.Shared != 0
}

// promised notes at which mbarrier an operation completes.
func (t *trace) promised(m *mbarrier, list []*operation) {
	if t == nil {
		return
	}
	for _, o := range list {
		if o.event > 0 {
			t.events[o.event-1].Barrier = m.address()
		}
	}
}

// landed notes that an operation has landed.
func (t *trace) landed(o *operation) {
	if t == nil || o.id == 0 {
		return
	}
	e := Event{Kind: EventLand, Block: o.warp.block.at, Warp: o.warp.id, Operation: o.id}
	if in := o.warp.block.grid.at(o.at); in != nil {
		e.Line, e.Op = int(in.Pos.Line), in.Op
	}
	t.add(e)
}

// found notes a finding, also beyond the most events.
func (t *trace) found(g *grid, f *Finding) {
	if t == nil {
		return
	}
	at := f.Thread
	warp := ((at.Z*g.block.Y+at.Y)*g.block.X + at.X) / lanes
	t.events = append(t.events, Event{
		Kind: EventFound, Time: t.time + int64(t.done), Block: f.Block, Warp: warp, Line: int(f.Pos.Line), Op: f.Op,
		Finding: f.Kind,
	})
}

// arrived notes an arrival.
func (t *trace) arrived(w *warp, m *mbarrier) {
	if t == nil {
		return
	}
	e := w.of(EventArrive)
	e.Barrier, e.Phase = m.address(), m.phase
	t.add(e)
}

// passed notes that a warp was told that so many phases have completed.
func (t *trace) passed(w *warp, m *mbarrier, phase uint64) {
	if t == nil {
		return
	}
	e := w.of(EventPass)
	e.Barrier, e.Phase = m.address(), phase-1
	t.add(e)
}

// completed notes that a phase of m has completed.
func (t *trace) completed(m *mbarrier) {
	if t == nil {
		return
	}
	t.add(Event{Kind: EventPhase, Block: m.block.at, Warp: -1, Barrier: m.address(), Phase: m.phase - 1})
}
