package litmus

import (
	"slices"

	"girih/ptx/consistency"
)

// An event is one operation of an execution: the read or the write of an instruction, a fence, or a barrier.
type event struct {
	thread int // -1 for the initial write of a location
	ins    *Instruction
	write  bool
	read   bool
	val    value           // the value that is written or read
	from   int             // the write that a read returns; -1 if it is not decided
	tried  consistency.Set // writes that the search has excluded for a read
	pair   int             // for the read of an atomic operation: its write; otherwise -1
	deps   consistency.Set // the reads that decide whether the event is executed
	group  meetingKey      // the meeting at a barrier
	agent  int             // the number of the asynchronous copy to which the event belongs; 0 if none
	batch  int             // for a copy: its group; for a wait: the last group for which it waits
}

// memory reports whether e accesses memory.
func (e *event) memory() bool { return e.write || e.read }

// A meetingKey identifies the barriers that meet: those with equal keys.
type meetingKey struct {
	scope            Scope
	unit             int // the number of the CTA or of the cluster
	instance, id, no int64
}

// A runner is the state of a running thread.
type runner struct {
	pc      int
	regs    []value
	ctrl    consistency.Set // the reads on which the executed branches depend
	visits  []visit         // visits to heads of loops since the last write or barrier
	rounds  []int           // by head of a loop: how often the thread passed it
	moved   bool            // the last instruction was executed
	entered bool            // the visit to the head of a loop at pc is recorded
	at      int             // the barrier at which it waits; -1 if none
	spin    consistency.Set // the reads of a round that it repeats for ever; 0 if it does not
	line    int             // the line of that round
	await   int             // the load that waits for a value; -1 if none
	agent   int             // the asynchronous copy whose operations are being added; otherwise 0
	groups  [2]int          // how many groups are committed: of bulk copies, and of others
}

// A visit is the state of a thread at the head of a loop.
type visit struct {
	pc   int
	regs []value
	size int // the number of events at that moment
}

// A state is an incomplete execution. A read is part of it before the search decides which write it returns. A thread
// waits at a branch that depends on such a read.
type state struct {
	*search
	events []event
	run    []runner
}

func (s *state) clone() *state {
	c := &state{search: s.search, events: slices.Clone(s.events), run: slices.Clone(s.run)}
	for i := range c.run {
		r := &c.run[i]
		r.regs, r.visits = slices.Clone(r.regs), slices.Clone(r.visits)
		r.rounds = slices.Clone(r.rounds)
	}
	return c
}

// start returns the state before the first instruction of each thread.
func (q *search) start() *state {
	s := &state{search: q, run: make([]runner, len(q.test.Threads))}
	for i, l := range q.test.Locations {
		if l.Place == i {
			s.events = append(s.events, event{
				thread: -1, write: true, val: constant(l.Start), from: -1, pair: -1,
				ins: &Instruction{Op: Store, Loc: i, Proxy: "generic", Text: "initially"},
			})
		}
	}
	for i := range s.run {
		r := &s.run[i]
		r.at, r.await, r.rounds = -1, -1, make([]int, len(q.test.Threads[i].Code)+1)
		for _, n := range q.test.Threads[i].Start {
			r.regs = append(r.regs, constant(n))
		}
	}
	return s
}

// A stop is the reason why a thread stopped.
type stop int

const (
	waits  stop = iota // waits for a read that is not decided, or at a barrier
	ended              // reached its end
	repeat             // repeats a round of a loop that changed nothing, so a shorter execution has the same end
	large              // exceeds a limit
)

// advance runs all threads until each stops. It reports why the state need not be searched further, or that threads
// wait.
func (s *state) advance() (stop, error) {
	for moved := true; moved; {
		moved = false
		for i := range s.run {
			pc, events := s.run[i].pc, len(s.events)
			why, err := s.thread(i)
			if err != nil || why == repeat || why == large {
				return why, err
			}
			moved = moved || s.run[i].pc != pc || len(s.events) != events
		}
	}
	return waits, nil
}

// thread runs thread i until it stops.
func (s *state) thread(i int) (stop, error) {
	r, code := &s.run[i], s.test.Threads[i].Code
	for r.spin == 0 {
		if r.at >= 0 {
			if !s.complete(r.at) {
				return waits, nil
			}
			r.at = -1
		}
		if r.await >= 0 {
			if why := s.awaits(r); why != ended {
				return why, nil
			}
			if r.spin != 0 {
				break
			}
		}
		if r.pc == len(code) {
			return ended, nil
		}
		if s.loops[i].head[r.pc] && !r.entered {
			if why := s.arrive(i); why != waits {
				return why, nil
			}
			if r.entered = true; r.spin != 0 {
				break
			}
		}
		if len(s.events)+maxEvents > consistency.MaxEvents {
			s.bounded = true
			return large, nil
		}
		if err := s.step(i, &code[r.pc]); err != nil {
			return waits, err
		}
		if !r.moved {
			return waits, nil
		}
		r.moved, r.entered = false, false
	}
	return ended, nil
}

// maxEvents is the maximum number of events that one instruction adds.
const maxEvents = 5

// awaits checks the load for which r waits. It returns ended if r has stopped waiting: because the value has arrived,
// or because r repeats the load for ever.
func (s *state) awaits(r *runner) stop {
	e := &s.events[r.await]
	switch {
	case e.from < 0:
		return waits
	case e.val.n >= e.ins.Await:
		r.ctrl.Add(r.await)
	case !s.hang:
		return repeat
	default:
		r.spin.Add(r.await)
		r.line = e.ins.Line
	}
	r.await = -1
	return ended
}

// arrive records that thread i is at the head of a loop. If the thread was there before with the same live registers,
// and has written nothing since, the round between the two visits changed nothing.
//
//	LC00: ld.acquire r2, f     If f = 0 is read twice, the first round may be left out: the same end is reached by an
//	beq r2, 0, LC00            execution with fewer events, which has fewer constraints.
func (s *state) arrive(i int) stop {
	r := &s.run[i]
	live := s.loops[i].live[r.pc]
	for _, v := range r.visits {
		if v.pc != r.pc || !equalLive(v.regs, r.regs, live) {
			continue
		}
		if !s.hang {
			return repeat
		}
		for k := v.size; k < len(s.events); k++ {
			if s.events[k].thread == i && s.events[k].read {
				r.spin.Add(k)
			}
		}
		if r.line = s.test.Threads[i].Code[r.pc].Line; r.spin == 0 { // a loop that reads nothing
			r.spin.Add(0)
		}
		return waits
	}
	if r.rounds[r.pc]++; r.rounds[r.pc] > s.rounds+1 {
		s.bounded = true
		return large
	}
	r.visits = append(r.visits, visit{r.pc, slices.Clone(r.regs), len(s.events)})
	return waits
}

// equalLive reports whether the live registers of a and b have the same values.
func equalLive(a, b []value, live uint64) bool {
	for i := range a {
		if live>>uint(i)&1 != 0 && (a[i].known != b[i].known || a[i].n != b[i].n || a[i].e != b[i].e) {
			return false
		}
	}
	return true
}

// step executes an instruction of thread i. It does not execute a branch or a barrier that depends on an undecided
// read.
func (s *state) step(i int, ins *Instruction) error {
	r := &s.run[i]
	switch ins.Op {
	case Local:
		v, err := compute(ins.Math, s.operand(i, ins.A), s.operand(i, ins.B))
		if err != nil {
			return err
		}
		r.regs[ins.Dst] = v
	case Branch:
		v, err := compute(ins.Math, s.operand(i, ins.A), s.operand(i, ins.B))
		if err != nil || !v.known {
			return err
		}
		r.ctrl |= v.deps
		if v.n != 0 {
			r.pc = ins.Target - 1
		}
	case Barrier:
		if !s.meet(i, ins) {
			return nil
		}
	case Copy:
		if err := s.copy(i, ins); err != nil {
			return err
		}
	case Commit:
		r.groups[ins.kind()]++
		r.visits = nil // a later wait must not be compared with earlier rounds
	case Wait:
		s.events[s.add(i, event{ins: ins, pair: -1})].batch = r.groups[ins.kind()] - int(ins.A.Value)
	default:
		if err := s.access(i, ins); err != nil {
			return err
		}
	}
	r.pc++
	r.moved = true
	return nil
}

// operand returns the value of an operand of thread i.
func (s *state) operand(i int, o Operand) value {
	if o.Register >= 0 {
		return s.run[i].regs[o.Register]
	}
	return constant(o.Value)
}

// add adds an event of thread i and returns its number.
func (s *state) add(i int, e event) int {
	e.thread, e.from, e.deps, e.agent = i, -1, s.run[i].ctrl, s.run[i].agent
	s.events = append(s.events, e)
	if e.write || e.ins.Op == Barrier {
		s.run[i].visits = nil
	}
	return len(s.events) - 1
}

// access adds the events of an access to memory or of a fence.
func (s *state) access(i int, ins *Instruction) error {
	r := &s.run[i]
	a, b := s.operand(i, ins.A), s.operand(i, ins.B)
	switch ins.Op {
	case Store:
		s.add(i, event{ins: ins, write: true, val: a, pair: -1})
		return nil
	case Fence, Proxy, Alias:
		s.add(i, event{ins: ins, pair: -1})
		return nil
	}
	k := s.add(i, event{ins: ins, read: true, pair: -1})
	old := value{e: &term{read: k}}
	old.deps.Add(k)
	s.events[k].val = old
	if ins.Op != Load {
		var err error
		next := choose(old, a, b)
		if ins.Math != "cas" {
			if next, err = compute(ins.Math, old, a); err != nil {
				return err
			}
		}
		if ins.Math == "exch" {
			next = a
		}
		s.events[k].pair = s.add(i, event{ins: ins, write: true, val: next, pair: -1})
	}
	if ins.Dst >= 0 {
		r.regs[ins.Dst] = old
	}
	if ins.Await > 0 {
		r.await = k
	}
	return nil
}

// decide lets read k return the value of write w, and computes the values that depend on it.
func (s *state) decide(k, w int) error {
	s.events[k].from, s.events[k].val = w, value{known: true, n: s.events[w].val.n, deps: s.events[k].val.deps}
	known := settler{s: s}
	for i := range s.events {
		s.events[i].val = known.settle(s.events[i].val)
	}
	for i := range s.run {
		for j, v := range s.run[i].regs {
			s.run[i].regs[j] = known.settle(v)
		}
		for j := range s.run[i].visits {
			v := &s.run[i].visits[j]
			v.regs = slices.Clone(v.regs) // other states share the old slice
			for k := range v.regs {
				v.regs[k] = known.settle(v.regs[k])
			}
		}
	}
	return known.err
}

// A settler computes the values whose reads are all decided. It computes each term once.
type settler struct {
	s    *state
	seen []settled
	err  error
}

// A settled is a term and its computed value.
type settled struct {
	e *term
	v value
}

func (t *settler) settle(v value) value {
	if v.known || v.e == nil {
		return v
	}
	for _, done := range t.seen {
		if done.e == v.e {
			return done.v
		}
	}
	out, e := v, v.e
	switch {
	case e.read >= 0:
		if w := t.s.events[e.read]; w.val.known {
			out = value{known: true, n: w.val.n, deps: v.deps}
		}
	case e.math == "cas":
		out = choose(t.settle(e.a), t.settle(e.b), t.settle(e.c))
	default:
		var err error
		if out, err = compute(e.math, t.settle(e.a), t.settle(e.b)); err != nil {
			t.err = err
		}
	}
	if !out.known {
		out = v
	}
	t.seen = append(t.seen, settled{v.e, out})
	return out
}
