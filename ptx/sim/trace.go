package sim

import (
	"sort"

	"girih/ptx"
)

// EventKind is the class of an [Event]. The strings are stable.
type EventKind string

// The kinds of events.
const (
	EventWait   EventKind = "wait"   // a warp begins to wait, at an mbarrier or at another barrier
	EventResume EventKind = "resume" // a warp that waited resumes
	EventArrive EventKind = "arrive" // a thread arrives at an mbarrier
	EventPass   EventKind = "pass"   // a warp learns that a phase of an mbarrier has completed
	EventPhase  EventKind = "phase"  // a phase of an mbarrier completes
	EventBegin  EventKind = "begin"  // an asynchronous operation begins
	EventLand   EventKind = "land"   // an asynchronous operation lands, as late as possible
	EventFound  EventKind = "found"  // a [Finding]: something is wrong
)

// Event is a step of a pipeline: something that happened to a barrier or an asynchronous operation.
type Event struct {
	Kind      EventKind
	Time      int64  // warp instructions executed before the event, in the simulated order
	Block     Dim    // block of the warp or of the mbarrier
	Warp      int    // number of the warp in the block; -1 for a phase
	Line      int    // line of the instruction; 0 for a phase
	Op        ptx.Op // the instruction; "" for a phase
	Barrier   uint64 // address of the mbarrier, or of the mbarrier that completes an operation; 0 for none
	Phase     uint64 // the phase that is waited for, or that completes, counted from 0
	Operation int64  // number of the operation, from 1
	Shared    uint64 // shared memory that an operation writes or, if it writes none, reads; 0 for none
	Fills     bool   // the operation writes to Shared
	Into      Dim    // the block that owns the shared memory at Shared
	Bytes     int64  // bytes that the operation writes, or reads if it writes nothing
	Finding   Kind   // the kind of the finding; "" for other events
}

// A trace collects the events of a run. A nil trace collects no events.
type trace struct {
	most   int
	events []Event
	missed int64 // events beyond most
	time   int64 // instructions executed before the current warp's turn
	done   int   // instructions of the current warp in this turn
	idle   map[*path]bool
	begun  int64
	rec    *recorder // nil unless the run is recorded
}

// newTrace returns a trace of up to most events, or nil if most is not positive.
func newTrace(most int) *trace {
	if most <= 0 {
		return nil
	}
	return &trace{most: most, idle: map[*path]bool{}}
}

// add adds an event that happens now. It returns the index of the event plus 1, or 0 if there is no room.
func (t *trace) add(e Event) int {
	if len(t.events) >= t.most {
		t.missed++
		return 0
	}
	e.Time = t.time + int64(t.done)
	t.events = append(t.events, e)
	return len(t.events)
}

// byTime returns the events in order of time. They must be sorted: a resumption is recorded when its warp stops again.
func (t *trace) byTime() []Event {
	sort.SliceStable(t.events, func(i, j int) bool {
		a, b := &t.events[i], &t.events[j]
		return a.Time < b.Time || a.Time == b.Time && a.Kind == EventResume && b.Kind != EventResume
	})
	return t.events
}

// of returns an event of w at its current instruction.
func (w *warp) of(kind EventKind) Event {
	e := Event{Kind: kind, Block: w.block.at, Warp: w.id}
	if in := w.instr(); in.src != nil {
		e.Line, e.Op = int(in.src.Pos.Line), in.src.Op
	}
	return e
}

// ran records that a warp has executed n instructions of a path, and whether the path now waits or has resumed.
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

// began records the beginning of an operation.
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

// extentOf returns the total number of bytes in a list of regions.
func extentOf(list []region) int64 {
	n := int64(0)
	for _, r := range list {
		n += int64(r.n)
	}
	return n
}

// inShared sets e.Shared to the lowest address of list in shared memory, and reports whether e.Shared is set.
func (e *Event) inShared(list []region) bool {
	for _, r := range list {
		if at := r.seg.base + r.off; r.seg.owner != nil && !r.seg.tensor && (e.Shared == 0 || at < e.Shared) {
			e.Shared, e.Into = at, r.seg.owner.at
		}
	}
	return e.Shared != 0
}

// notePromise records the mbarrier at which operations complete.
func (t *trace) notePromise(m *mbarrier, list []*operation) {
	if t == nil {
		return
	}
	for _, o := range list {
		if o.event > 0 {
			t.events[o.event-1].Barrier = m.address()
		}
	}
}

// noteLanding records that an operation has landed.
func (t *trace) noteLanding(o *operation) {
	if t == nil || o.id == 0 {
		return
	}
	e := Event{Kind: EventLand, Block: o.warp.block.at, Warp: o.warp.id, Operation: o.id}
	if in := o.warp.block.grid.at(o.at); in != nil {
		e.Line, e.Op = int(in.Pos.Line), in.Op
	}
	t.add(e)
}

// noteFinding records a finding, even if the trace is full.
func (t *trace) noteFinding(g *grid, f *Finding) {
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

// noteArrival records an arrival.
func (t *trace) noteArrival(w *warp, m *mbarrier) {
	if t == nil {
		return
	}
	e := w.of(EventArrive)
	e.Barrier, e.Phase = m.address(), m.phase
	t.add(e)
}

// noteWait records that a warp has learned that m has completed that many phases.
func (t *trace) noteWait(w *warp, m *mbarrier, phase uint64) {
	if t == nil {
		return
	}
	e := w.of(EventPass)
	e.Barrier, e.Phase = m.address(), phase-1
	t.add(e)
}

// notePhase records that a phase of m has completed.
func (t *trace) notePhase(m *mbarrier) {
	if t == nil {
		return
	}
	t.add(Event{Kind: EventPhase, Block: m.block.at, Warp: -1, Barrier: m.address(), Phase: m.phase - 1})
}
