package sim

import "slices"

// This file enumerates the orders of a kernel by dynamic partial-order reduction with source sets and sleep sets
// (Abdulla, Aronis, Jonsson, Sagonas, "Optimal Dynamic Partial Order Reduction", POPL 2014). It runs the kernel again
// for each order. One order represents all orders that differ from it only by exchanging steps without a conflict.
//
// An agent is a path of a warp, or the completion of the operations for which an mbarrier waits. A step of a path ends
// with an instruction by which threads synchronise: an atomic instruction, a load or a store that is stronger than
// weak, an arrival at a barrier, or an operation on an mbarrier. All lanes of the path execute it at once. Other
// accesses do not need to be reordered: if no synchronisation orders them, they are a race in the current order.
//
// For example, if two warps execute "atom [x]; atom [z]" and "atom [y]; atom [z]", the first instructions do not
// conflict. So there are 2 orders, depending on which warp is first at z, and not 6.

// An Orders enumerates the orders of one kernel. Each [Orders.Next] prepares the next run, for which Launch.Orders must
// be the Orders. All runs must begin with the same memory, and their launches must be the same otherwise.
type Orders struct {
	nodes  []*choice
	agents map[agentID]int32 // the number of each agent
	found  int
	cut    bool // the run ended early because its order has already been run
	began  bool
	over   *Error // the error that there are too many steps
	fresh  int    // the index of the first node that belongs only to the current run
	naive  bool   // run all orders of steps, whether or not they conflict; for tests
	present
}

// present is the state of the current run.
type present struct {
	depth    int // the number of steps taken
	list     []agent
	touched  []touch             // the accesses of the current step
	after    map[agentID][]int   // by agent: the steps that come before its next step, because they let it continue
	enabled  []int               // the agents that may take the current step
	arrived  map[uint64][]int    // by barrier: the steps that arrived in its current phase
	places   map[uint64]*history // the history of each place
	polling  map[agentID]*poller
	relieved bool            // last time, no agent could take a step
	last     map[agentID]int // by agent: 1 + the number of its last step
}

// An agentID identifies an agent in all runs of a kernel.
type agentID uint64

// An agent can take a step. It is path p of w, or the completion of the operations of bar.
type agent struct {
	id  agentID
	w   *warp
	p   *path
	bar *mbarrier
}

// A touch is an access of a step to a place: a word of memory, a barrier, or an mbarrier.
type touch struct {
	place uint64
	as    touchKind
}

type touchKind uint8

const (
	reads touchKind = iota
	meets           // an arrival at a barrier of the whole block or cluster, where the order of arrivals does not matter
	alters
)

// A history contains the steps of a run that accessed a place: 1 + the number of the last step that altered it, and the
// other steps since then.
type history struct {
	altered int
	since   [alters][]int
	version uint32 // counts the accesses that are not reads
}

// A choice is a step of the current order, with the agents that may take a step in its place.
type choice struct {
	enabled []agentID
	todo    []agentID           // the agents whose steps must still be tried to reach all orders
	asleep  map[agentID][]touch // agents whose steps lead only to orders that have been run, and these steps
	by      agentID
	touches []touch
	number  int32   // the number of the agent
	clock   []int32 // by agent: 1 + its last step that comes before this step or is this step
	direct  []int   // the direct predecessors among the steps
	rivals  []int   // the direct predecessors that belong to other agents, because of a conflict
}

// Limits on the orders of one kernel.
const (
	maxOrderSteps  = 1 << 15 // steps per run
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

// Cut reports whether the last run ended early because its order has already been run. Its result must be ignored.
func (o *Orders) Cut() bool { return o.cut }

// Count returns the number of orders that were run before the current one, without the runs that were cut.
func (o *Orders) Count() int { return o.found }

// turnBack removes the last steps, up to a step that another agent must take instead. It reports whether there is such
// a step.
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

// choose returns the agent of o.list that takes the next step, or false if all agents lead to orders that have been
// run.
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

// extend adds a step of an agent that is not asleep. It reports whether there is such an agent.
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
	best := -1 // the agent that has waited longest; threads are preferred to completions
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

// conflict reports whether steps with these accesses must not be exchanged.
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

// touch records an access of the current step.
func (o *Orders) touch(place uint64, as touchKind) {
	if t := (touch{place, as}); !slices.Contains(o.touched, t) {
		o.touched = append(o.touched, t)
	}
}

// took records the step of the agent that choose returned.
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

// order computes the steps that come before the current step c: the last step of its agent, the steps that let the
// agent continue, and the last steps that conflict with c.
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

// rival records that step k conflicts with c.
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

// findRaces finds the pairs of conflicting steps of the last run that no other steps order. For each pair, it requests
// an order in which the second step comes first.
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

// reverse requests an order in which step at comes before step k. The steps between the two that do not depend on k
// come first. So the place of k may be taken by any of these steps, or at, that does not depend on the others; one such
// agent is sufficient. If none of these agents can take a step there, reverse requests all agents.
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
