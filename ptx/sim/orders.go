package sim

import "slices"

// This file enumerates the orders of a kernel: dynamic partial-order reduction with source sets and sleep sets
// (Abdulla, Aronis, Jonsson, Sagonas, "Optimal Dynamic Partial Order Reduction", POPL 2014), by running the kernel
// again for each order. One order represents all that exchange only steps without a conflict.
//
// An agent is a path of a warp, or the completion of the operations that an mbarrier waits for. A step of a path ends
// with an instruction by which threads synchronise: an atomic instruction, a load or a store that is stronger than
// weak, an arrival at a barrier, an operation on an mbarrier. All lanes of the path execute it at once. Other accesses
// need no order of their own: if no synchronisation orders them, they are a race in the order at hand.
//
// For example, of "atom [x]; atom [z]" and "atom [y]; atom [z]" in two warps, the first instructions have no conflict,
// so there are 2 orders, by who is first at z, and not 6.

// An Orders enumerates the orders of one kernel. Each [Orders.Next] prepares the next run: a launch whose Orders is the
// Orders. All runs have to begin with the same memory, and to have the same launch otherwise.
type Orders struct {
	nodes  []*choice
	agents map[agentID]int32 // the number of each agent
	found  int
	cut    bool // the run is cut off: its order is one that has been run
	began  bool
	over   *Error // why there are too many steps
	fresh  int    // the first of nodes that belongs to the present run only
	naive  bool   // run all orders of steps, in conflict or not: for tests
	present
}

// present is the state of the present run.
type present struct {
	depth    int // steps taken
	list     []agent
	touched  []touch             // by the present step
	after    map[agentID][]int   // steps that come before the next step of an agent, because they let it go on
	enabled  []int               // for the present step
	arrived  map[uint64][]int    // steps that arrived at a barrier in its present phase
	places   map[uint64]*history // by place
	polling  map[agentID]*poller
	relieved bool            // no agent could take a step the last time
	last     map[agentID]int // the number of an agent's last step, plus 1
}

// An agentID names an agent in all runs of a kernel.
type agentID uint64

// An agent is what can take a step: path p of w, or the completion of the operations of bar.
type agent struct {
	id  agentID
	w   *warp
	p   *path
	bar *mbarrier
}

// A touch is an access of a step to a place: a word of memory, a barrier, an mbarrier.
type touch struct {
	place uint64
	as    touchKind
}

type touchKind uint8

const (
	reads touchKind = iota
	meets           // an arrival at a barrier of the whole block or cluster: the order of arrivals changes nothing
	alters
)

// A history is what the steps of a run have done at a place: the last that altered it, plus 1, and the others since.
type history struct {
	altered int
	since   [alters][]int
	version uint32 // counts what is no read
}

// A choice is a step of the present order, and the agents that may take a step instead.
type choice struct {
	enabled []agentID
	todo    []agentID           // agents whose steps lead to all orders
	asleep  map[agentID][]touch // agents whose steps here lead to orders that have been run, and these steps
	by      agentID
	touches []touch
	number  int32   // of the agent
	clock   []int32 // for each agent the last of its steps that comes before this one, or is this one, plus 1
	direct  []int   // direct predecessors among the steps
	rivals  []int   // direct predecessors by other agents, because of a conflict
}

// Limits on the orders of one kernel.
const (
	maxOrderSteps  = 1 << 15 // steps of a run
	maxOrderClocks = 1 << 22 // steps times agents
)

// NewOrders returns the orders of a kernel before its first run.
func NewOrders() *Orders { return &Orders{agents: map[agentID]int32{}} }

// Next prepares the next run, and reports whether there is one.
func (o *Orders) Next() bool {
	if o.began {
		if !o.cut {
			o.found++
		}
		o.findRaces()
		if !o.turnBack() {
			return false
		}
	}
	o.began, o.cut, o.fresh = true, false, max(len(o.nodes)-1, 0)
	o.present = present{
		after: map[agentID][]int{}, arrived: map[uint64][]int{}, places: map[uint64]*history{},
		polling: map[agentID]*poller{}, last: map[agentID]int{},
	}
	return o.over == nil
}

// Cut reports whether the last run ended early because its order equals one that has been run. Its result is void.
func (o *Orders) Cut() bool { return o.cut }

// Count returns the number of orders that were run before the present one, without those that were cut.
func (o *Orders) Count() int { return o.found }

// turnBack removes the last steps, up to a step that another agent shall take. It reports whether there is one.
func (o *Orders) turnBack() bool {
	for n := len(o.nodes) - 1; n >= 0; n-- {
		c := o.nodes[n]
		c.asleep[c.by] = c.touches
		for _, id := range c.todo {
			if _, done := c.asleep[id]; !done {
				c.by, o.nodes = id, o.nodes[:n+1]
				return true
			}
		}
	}
	o.nodes = nil
	return false
}

// choose returns which agent of o.list takes the next step, or false if all lead to orders that have been run.
func (o *Orders) choose() (agent, bool) {
	if o.depth == len(o.nodes) && !o.extend() {
		o.cut = true
		return agent{}, false
	}
	by := o.nodes[o.depth].by
	k := slices.IndexFunc(o.list, func(a agent) bool { return a.id == by })
	if k < 0 {
		o.over = errorf(CodeLaunch, "the kernel does not run twice in the same way, so that its orders cannot be enumerated")
		return agent{}, false
	}
	o.touched, o.enabled = nil, o.after[by]
	delete(o.after, by)
	return o.list[k], true
}

// extend adds a step of an agent that is not asleep. It reports whether there is one.
func (o *Orders) extend() bool {
	c := &choice{asleep: map[agentID][]touch{}}
	for _, a := range o.list {
		c.enabled = append(c.enabled, a.id)
	}
	if o.depth > 0 && !o.naive {
		up := o.nodes[o.depth-1]
		for id, t := range up.asleep {
			if !conflict(t, up.touches) {
				c.asleep[id] = t
			}
		}
	}
	best := -1 // the agent that has waited longest, a thread before a completion
	for k, a := range o.list {
		if _, no := c.asleep[a.id]; no {
			continue
		}
		if best < 0 || o.list[best].bar != nil && a.bar == nil ||
			(o.list[best].bar == nil) == (a.bar == nil) && o.last[a.id] < o.last[c.enabled[best]] {
			best = k
		}
	}
	if best < 0 {
		return false
	}
	c.by = c.enabled[best]
	if c.todo = []agentID{c.by}; o.naive {
		c.todo = c.enabled
	}
	o.nodes = append(o.nodes, c)
	return true
}

// conflict reports whether steps with these touches may not be exchanged.
func conflict(a, b []touch) bool {
	for _, x := range a {
		for _, y := range b {
			if x.place == y.place && (x.as == alters || y.as == alters || x.as != y.as) {
				return true
			}
		}
	}
	return false
}

// touch records an access of the present step.
func (o *Orders) touch(place uint64, as touchKind) {
	if t := (touch{place, as}); !slices.Contains(o.touched, t) {
		o.touched = append(o.touched, t)
	}
}

// took records the step that choose returned.
func (o *Orders) took() {
	c, at := o.nodes[o.depth], o.depth
	c.touches = o.touched
	if at >= o.fresh {
		o.order(c)
	}
	for _, t := range c.touches {
		h := o.at(t.place)
		switch t.as {
		case alters:
			*h = history{altered: at + 1, version: h.version + 1}
		case meets:
			h.version++
			fallthrough
		default:
			h.since[t.as] = append(h.since[t.as], at)
		}
	}
	o.depth++
	if o.last[c.by] = o.depth; o.depth > maxOrderSteps || o.depth*len(o.agents) > maxOrderClocks {
		o.over = errorf(CodeLaunch, "more than %d steps of synchronisation by %d agents in one order: only the orders of small kernels can be enumerated",
			o.depth-1, len(o.agents))
	}
}

// at returns the history of a place.
func (o *Orders) at(place uint64) *history {
	h := o.places[place]
	if h == nil {
		h = &history{}
		o.places[place] = h
	}
	return h
}

// order computes which steps come before c, the present step: the last step of its agent, steps that let it go on, and
// the last steps in conflict with it.
func (o *Orders) order(c *choice) {
	n, ok := o.agents[c.by]
	if !ok {
		n = int32(len(o.agents))
		o.agents[c.by] = n
	}
	c.direct, c.rivals = slices.Clone(o.enabled), nil
	if k := o.last[c.by]; k > 0 {
		c.direct = append(c.direct, k-1)
	}
	for _, t := range c.touches {
		h := o.at(t.place)
		if h.altered > 0 {
			c.rival(o, h.altered-1)
		}
		for as, list := range h.since {
			if touchKind(as) != t.as {
				for _, k := range list {
					c.rival(o, k)
				}
			}
		}
	}
	c.number, c.clock = n, make([]int32, len(o.agents))
	for _, k := range c.direct {
		for i, t := range o.nodes[k].clock {
			c.clock[i] = max(c.clock[i], t)
		}
	}
	c.clock[n] = int32(o.depth) + 1
}

// rival adds step k, which has a conflict with c.
func (c *choice) rival(o *Orders, k int) {
	if o.nodes[k].by != c.by && !slices.Contains(c.rivals, k) {
		c.rivals, c.direct = append(c.rivals, k), append(c.direct, k)
	}
}

// knows reports whether step k comes before step m.
func (o *Orders) knows(m, k int) bool {
	c, x := o.nodes[m], o.nodes[k]
	return int(x.number) < len(c.clock) && int(c.clock[x.number]) > k
}

// findRaces finds the pairs of steps of the last run that are in conflict, with nothing in between that orders them,
// and wants the second before the first.
func (o *Orders) findRaces() {
	for at := o.fresh; at < o.depth; at++ {
		c := o.nodes[at]
		for _, k := range c.rivals {
			between := func(m int) bool { return m != k && o.knows(m, k) }
			if !slices.ContainsFunc(c.direct, between) {
				o.reverse(k, at)
			}
		}
	}
}

// reverse wants an order in which step at comes before step k. The steps between the two that k does not precede go
// first, so that one of these, or at, that needs none of the others can take the place of k. Any of these agents
// will do. If none of them can, any agent may be what is needed.
func (o *Orders) reverse(k, at int) {
	x := o.nodes[k]
	first := func(m int) bool {
		return !slices.ContainsFunc(o.nodes[m].direct, func(d int) bool { return d > k })
	}
	var wanted []agentID
	if first(at) {
		wanted = append(wanted, o.nodes[at].by)
	}
	for m := k + 1; m < at; m++ {
		if !o.knows(m, k) && first(m) {
			wanted = append(wanted, o.nodes[m].by)
		}
	}
	has := func(list []agentID) func(id agentID) bool {
		return func(id agentID) bool { return slices.Contains(list, id) }
	}
	if slices.ContainsFunc(wanted, has(x.todo)) {
		return
	}
	if i := slices.IndexFunc(wanted, has(x.enabled)); i >= 0 {
		x.todo = append(x.todo, wanted[i])
		return
	}
	for _, id := range x.enabled {
		if !slices.Contains(x.todo, id) {
			x.todo = append(x.todo, id)
		}
	}
}
