package chain

import "fmt"

// A Row is an edge from one thread to another: what is before Give is before everything after Take.
type Row struct {
	Name       string
	Give, Take Kind
	Section    string // the section of the PTX ISA
	phases     phases
}

// phases says how the phases of the two events of a row have to be.
type phases uint8

const (
	same    phases = iota // the completed phase is the phase that the wait is for
	earlier               // the phase was complete when the wait ended
	ended                 // all threads of a block wait, and Object is the block
)

// rows are the edges between threads. The rows of docs/memory-model.md that they are instances of are bar, sync,
// async-completion and mbarrier.
var rows = []Row{
	{"barrier", BarrierArrive, BarrierWait, "9.7.13.1", same},
	{"barrier after exit", Exit, BarrierWait, "9.7.13.1", ended},
	{"barrier.cluster", ClusterArrive, ClusterWait, "9.7.13.3", earlier},
	{"mbarrier", MbarrierArrive, MbarrierWait, "9.7.13.15", earlier},
	{"complete_tx", Complete, MbarrierWait, "9.7.9.25.2", earlier},
	{"release and acquire", Write, Read, "8.9.4", same},
}

// all is the mask of the lanes of a warp.
const all = 1<<32 - 1

// none is the scope of a thread that has not executed a fence, less than CTA.
const none = -1

// A state is what the chain has reached: lanes of a warp that know of the first access.
type state struct {
	warp  int32
	lanes uint32
	given *Event // the last Give without a Take
	fence int    // the scope of the last fence, or none
	// unseen says that a relaxed read has seen it, and no fence has come since; from is who wrote what was read.
	unseen  bool
	from    int32
	proxied bool
	mapped  bool
}

// Check reports why chain, the numbers of events, does not order the accesses of p. Accesses that are morally strong
// need no chain.
func (l *Log) Check(p Pair, chain []int32) error {
	if len(chain) == 0 && l.MorallyStrong(p) {
		return nil
	}
	x := state{warp: p.A.Warp, lanes: 1 << p.A.Lane, fence: none}
	if p.Space == GlobalSpace {
		x.lanes = all // lanes in global memory count as ordered
	}
	last := p.A.Time - 1
	for i, n := range chain {
		if n <= last || n >= p.B.Time {
			return fmt.Errorf("event %d is not between the one before it and the access %d", n, p.B.Time)
		}
		last = n
		e := &l.Events[n]
		step := l.follow
		if i == 0 {
			step = l.begin
		}
		if err := step(&x, p, e); err != nil {
			return fmt.Errorf("event %d of line %d: %w", n, l.Sites[e.Site].Line, err)
		}
	}
	if len(chain) == 0 && p.A.Op > 0 {
		return fmt.Errorf("nothing completes operation %d", p.A.Op)
	}
	if err := x.proxies(p); err != nil {
		return err
	}
	return x.reaches(p)
}

// begin takes the first event of a chain.
func (l *Log) begin(x *state, p Pair, e *Event) error {
	switch {
	case p.A.Op > 0:
		return l.complete(x, p.A, e)
	case e.Kind == Read && p.A.Strong && p.A.Write:
		return l.observe(x, p.A, e)
	}
	return l.follow(x, p, e)
}

// complete begins a chain at an asynchronous operation, with the event that completes it.
func (l *Log) complete(x *state, a Access, e *Event) error {
	x.proxied = true // completion is a fence of the proxy (reading async-completion)
	op := l.Ops[a.Op]
	switch {
	case e.Kind == Retire && op.Group != 0 && e.Object == op.Group && op.Step < e.Phase:
		x.warp, x.lanes = e.Warp, e.Lanes
	case e.Of != a.Op || e.Lanes>>a.Lane&1 == 0:
		return fmt.Errorf("does not complete operation %d", a.Op)
	case e.Kind == Finish, e.Kind == FinishReads && !a.Write:
		x.warp, x.lanes = e.Warp, 1<<a.Lane
	case e.Kind == Complete:
		x.given = e
	default:
		return fmt.Errorf("does not complete operation %d", a.Op)
	}
	return nil
}

// observe begins a chain at a strong write, with the event that reads it (observation order, PTX ISA 8.9.2).
func (l *Log) observe(x *state, a Access, e *Event) error {
	if e.Of < a.Time {
		return fmt.Errorf("does not read the write of line %d", l.Sites[a.Site].Line)
	}
	for _, w := range l.Events[a.Time : e.Of+1] {
		if w.Warp != a.Warp || w.Site != a.Site {
			return fmt.Errorf("reads a write after the write of line %d", l.Sites[a.Site].Line)
		}
	}
	w := &l.Events[e.Of]
	if w.Kind != Write || w.Lanes>>a.Lane&1 == 0 || !l.includes(min(e.Scope, w.Scope), w.Warp, e.Warp) {
		return fmt.Errorf("the read and the write are not morally strong")
	}
	x.warp, x.lanes, x.unseen, x.from = e.Warp, all, false, a.Warp
	return nil
}

// follow takes one event of a chain.
func (l *Log) follow(x *state, p Pair, e *Event) error {
	if x.given != nil {
		return l.take(x, e)
	}
	if e.Warp != x.warp || e.Lanes&x.lanes == 0 {
		return fmt.Errorf("is not of lanes 0x%x of warp %d", x.lanes, x.warp)
	}
	switch e.Kind {
	case Meet:
		x.lanes |= e.Lanes
	case Fence:
		return l.fence(x, e)
	case ProxyFence:
		if uint8(e.Phase)&p.Space == 0 {
			return fmt.Errorf("the fence of the proxy is for the other space")
		}
		x.lanes, x.proxied = x.lanes&e.Lanes, true
	case MapFence:
		x.lanes, x.mapped = x.lanes&e.Lanes, x.mapped || e.Object == p.B.Map
	case BarrierArrive, ClusterArrive, MbarrierArrive, Write, Exit:
		if e.Relaxed && (x.unseen || x.fence == none) {
			return fmt.Errorf("is relaxed, without a fence before it")
		}
		x.given = e
	default:
		return fmt.Errorf("orders nothing here")
	}
	return nil
}

// fence takes a fence of the memory.
func (l *Log) fence(x *state, e *Event) error {
	if x.unseen && !l.includes(e.Scope, x.from, x.warp) {
		return fmt.Errorf("the scope of the fence does not include the thread that was read from")
	}
	x.lanes, x.unseen, x.fence = x.lanes&e.Lanes, false, int(e.Scope)
	return nil
}

// take takes the second event of an edge.
func (l *Log) take(x *state, e *Event) error {
	g := x.given
	for _, r := range rows {
		if r.Give == g.Kind && r.Take == e.Kind {
			if why := l.matches(r, x, e); why != "" {
				return fmt.Errorf("%s: %s", r.Name, why)
			}
			// What a lane waits for counts for its warp. A fence of the scope of the GPU counts for threads that know of it, and
			// what a relaxed write publishes is what came before the fence.
			if g.Relaxed || x.fence < int(GPU) {
				x.fence = none
			}
			if e.Relaxed {
				x.unseen, x.from, x.fence = true, g.Warp, none
			}
			x.warp, x.lanes, x.given = e.Warp, all, nil
			return nil
		}
	}
	return fmt.Errorf("takes nothing from an event of kind %d", g.Kind)
}

// matches reports why e does not take what x.given gives, or "".
func (l *Log) matches(r Row, x *state, e *Event) string {
	g := x.given
	switch {
	case r.phases == ended:
		if g.Object != e.Of {
			return "not all threads of the block wait"
		}
		return ""
	case g.Object != e.Object:
		return "the objects differ"
	case r.phases == same && g.Phase != e.Phase:
		return fmt.Sprintf("the phases %d and %d differ", g.Phase, e.Phase)
	case r.phases == earlier && g.Phase >= e.Phase:
		return fmt.Sprintf("phase %d has not completed, only %d have", g.Phase, e.Phase)
	case g.Kind != Write:
		return ""
	}
	scope := min(g.Scope, e.Scope)
	if g.Relaxed {
		scope = min(scope, uint8(x.fence))
	}
	if !l.includes(scope, g.Warp, e.Warp) {
		return "the scopes do not include both threads"
	}
	return ""
}

// proxies reports which fence of a proxy is missing before the second access.
func (x *state) proxies(p Pair) error {
	switch {
	case p.B.Map != 0 && p.A.Write && !x.mapped:
		return fmt.Errorf("no fence.proxy.tensormap of the map")
	case p.B.Map == 0 && p.B.Async && p.A.Op == 0 && p.A.Write && !x.proxied:
		return fmt.Errorf("no fence of the async proxy")
	}
	return nil
}

// reaches reports why a chain that has reached x does not end at the second access.
func (x *state) reaches(p Pair) error {
	b := p.B
	switch {
	case x.given != nil:
		return fmt.Errorf("nobody waits for the last event")
	case x.unseen:
		return fmt.Errorf("no fence comes after the relaxed read")
	case x.warp != b.Warp || x.lanes>>b.Lane&1 == 0 && p.Space != GlobalSpace:
		return fmt.Errorf("the chain reaches lanes 0x%x of warp %d, and the access is of lane %d of warp %d",
			x.lanes, x.warp, b.Lane, b.Warp)
	}
	return nil
}
