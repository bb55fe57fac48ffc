package needless

import (
	"fmt"
	"slices"

	"girih/internal/machine/chain"
)

// This file finds chains of edges that order two accesses. For each pair, the search goes once through the events of a
// log, in the order of the run. It records the lanes of each warp that are already ordered after the first access. The
// search ends when the second access is ordered after the first, so chains are short. Package chain checks each chain
// again, by its own rules.

// Limits of the events that the search visits, for one pair and for all pairs of a log.
const (
	mostOfPair = 1 << 20
	mostOfLog  = 1 << 26
)

// A reach is a set of lanes of a warp that is ordered after the first access.
type reach struct {
	warp    int32
	from    int32 // if unseen is set: the warp whose relaxed write was read
	lanes   uint32
	fence   int8 // the scope of the last fence; -1 if there is none
	unseen  bool
	proxied bool
	mapped  bool
	event   int32 // the event that led here; -1 if there is none
	before  int32 // the previous reach on the chain; -1 if there is none
}

// covers reports whether everything that can be reached from y can also be reached from x.
func (x *reach) covers(y *reach) bool {
	return x.warp == y.warp && y.lanes&^x.lanes == 0 && x.fence >= y.fence &&
		(!x.unseen || y.unseen && x.from == y.from) && (x.proxied || !y.proxied) && (x.mapped || !y.mapped)
}

// A search looks for the chain that orders one pair of accesses.
type search struct {
	log     *chain.Log
	p       chain.Pair
	reached []reach
	of      map[int32][]int32 // the reaches of each warp
	given   map[int32][]int32 // by object: the reaches from whose events edges may lead on
	found   int32
}

// find returns the chain that orders a pair, and the number of events that it visited. ok is false if there is no
// chain.
func find(l *chain.Log, p chain.Pair) (list []int32, looked int, ok bool) {
	if l.MorallyStrong(p) {
		return nil, 0, true
	}
	s := search{log: l, p: p, of: map[int32][]int32{}, given: map[int32][]int32{}, found: -1}
	if p.A.Op == 0 {
		x := reach{warp: p.A.Warp, lanes: 1 << p.A.Lane, fence: -1, event: -1, before: -1}
		if p.Space == chain.GlobalSpace {
			x.lanes = 1<<32 - 1
		}
		s.add(x)
	}
	end := min(p.B.Time, p.A.Time+mostOfPair)
	for i := p.A.Time; i < end && s.found < 0; i++ {
		s.step(i)
		looked++
	}
	if s.found < 0 {
		return nil, looked, false
	}
	for n := s.found; n >= 0; n = s.reached[n].before {
		if e := s.reached[n].event; e >= 0 {
			list = append(list, e)
		}
	}
	slices.Reverse(list)
	return list, looked, true
}

// step processes one event.
func (s *search) step(i int32) {
	e := &s.log.Events[i]
	s.begin(i, e)
	switch e.Kind {
	case chain.Meet, chain.Fence, chain.ProxyFence, chain.MapFence:
		for _, n := range s.of[e.Warp] {
			if x := s.reached[n]; x.lanes&e.Lanes != 0 && s.local(&x, e) {
				x.event, x.before = i, n
				s.add(x)
			}
		}
	case chain.BarrierArrive, chain.ClusterArrive, chain.MbarrierArrive, chain.Write, chain.Exit:
		for _, n := range s.of[e.Warp] {
			if x := s.reached[n]; x.lanes&e.Lanes != 0 && !(e.Relaxed && (x.unseen || x.fence < 0)) {
				x.event, x.before = i, n
				s.give(x, e)
			}
		}
	case chain.BarrierWait, chain.ClusterWait, chain.MbarrierWait, chain.Read:
		s.take(i, e, e.Object)
		if e.Kind == chain.BarrierWait && e.Of >= 0 {
			s.take(i, e, e.Of)
		}
	}
}

// begin processes an event that may be the first of a chain.
func (s *search) begin(i int32, e *chain.Event) {
	a := s.p.A
	x := reach{warp: e.Warp, lanes: e.Lanes, fence: -1, proxied: a.Op > 0, event: i, before: -1}
	if a.Op > 0 {
		s.complete(x, e)
		return
	}
	if e.Kind != chain.Read || !a.Strong || !a.Write || e.Of < a.Time {
		return
	}
	x.lanes = 1<<32 - 1
	after := chain.Access{Warp: e.Warp, Time: 1<<31 - 1}
	if s.log.Check(chain.Pair{A: a, B: after, Space: s.p.Space}, []int32{i}) == nil {
		s.add(x)
	}
}

// complete processes an event that may complete the operation of the first access.
func (s *search) complete(x reach, e *chain.Event) {
	a := s.p.A
	op := s.log.Ops[a.Op]
	switch {
	case e.Kind == chain.Retire:
		if op.Group != 0 && e.Object == op.Group && op.Step < e.Phase {
			s.add(x)
		}
	case e.Of != a.Op || e.Lanes>>a.Lane&1 == 0:
	case e.Kind == chain.Complete:
		s.give(x, e)
	case e.Kind == chain.Finish, e.Kind == chain.FinishReads && !a.Write:
		x.lanes = 1 << a.Lane
		s.add(x)
	}
}

// local updates x with an event of the same thread, and reports whether the event belongs to the chain.
func (s *search) local(x *reach, e *chain.Event) bool {
	switch e.Kind {
	case chain.Meet:
		x.lanes |= e.Lanes
		return true
	case chain.Fence:
		if x.unseen && !within(s.log, e.Scope, x.from, x.warp) {
			return false
		}
		x.fence, x.unseen = int8(e.Scope), false
	case chain.ProxyFence:
		if uint8(e.Phase)&s.p.Space == 0 {
			return false
		}
		x.proxied = true
	case chain.MapFence:
		if e.Object != s.p.B.Map {
			return false
		}
		x.mapped = true
	}
	x.lanes &= e.Lanes
	return true
}

// within reports whether warp b is in the given scope of warp a.
func within(l *chain.Log, scope uint8, a, b int32) bool {
	v, w := l.Warps[a], l.Warps[b]
	return scope == chain.GPU || scope == chain.Cluster && v.Cluster == w.Cluster || v.Block == w.Block
}

// add adds x to the reaches, unless an earlier reach covers it.
func (s *search) add(x reach) {
	for _, n := range s.of[x.warp] {
		if s.reached[n].covers(&x) {
			return
		}
	}
	s.reached = append(s.reached, x)
	n := int32(len(s.reached) - 1)
	s.of[x.warp] = append(s.of[x.warp], n)
	if s.isGoal(&x) && s.found < 0 {
		s.found = n
	}
}

// isGoal reports whether x is ordered before the second access.
func (s *search) isGoal(x *reach) bool {
	a, b := s.p.A, s.p.B
	return x.warp == b.Warp && !x.unseen && (s.p.Space == chain.GlobalSpace || x.lanes>>b.Lane&1 != 0) &&
		(x.proxied || !(b.Async && a.Op == 0 && a.Write && b.Map == 0)) && (x.mapped || b.Map == 0 || !a.Write)
}

// give adds x, from whose event e edges may lead to other warps.
func (s *search) give(x reach, e *chain.Event) {
	list := s.given[e.Object]
	for _, n := range list {
		old := &s.reached[n]
		o := &s.log.Events[old.event]
		if o.Kind == e.Kind && o.Warp == e.Warp && o.Scope == e.Scope && o.Relaxed == e.Relaxed &&
			(o.Phase == e.Phase || coversPhases(e.Kind)) && old.covers(&x) {
			return
		}
	}
	s.reached = append(s.reached, x)
	s.given[e.Object] = append(list, int32(len(s.reached)-1))
}

// coversPhases reports whether a later wait covers all earlier phases of the object.
func coversPhases(k chain.Kind) bool { return k != chain.BarrierArrive && k != chain.Write }

// take follows the edges that end at e.
func (s *search) take(i int32, e *chain.Event, object int32) {
	list := s.given[object]
	keep := list[:0]
	for _, n := range list {
		x := s.reached[n]
		g := &s.log.Events[x.event]
		if g.Phase < e.Phase && (g.Kind == chain.Write && e.Kind == chain.Read ||
			g.Kind == chain.BarrierArrive && e.Kind == chain.BarrierWait && g.Object == e.Object) {
			continue // phases, and the numbers of written values, only grow
		}
		keep = append(keep, n)
		if !s.takes(&x, g, e) {
			continue
		}
		if x.unseen = x.unseen || e.Relaxed; e.Relaxed {
			x.from = g.Warp
		}
		if g.Relaxed || e.Relaxed || x.fence < int8(chain.GPU) {
			x.fence = -1
		}
		x.warp, x.lanes, x.event, x.before = e.Warp, 1<<32-1, i, n
		s.add(x)
	}
	if list != nil {
		s.given[object] = keep
	}
}

// takes reports whether an edge leads from g to e.
func (s *search) takes(x *reach, g, e *chain.Event) bool {
	switch e.Kind {
	case chain.BarrierWait:
		return g.Kind == chain.Exit && g.Object == e.Of ||
			g.Kind == chain.BarrierArrive && g.Phase == e.Phase && g.Object == e.Object
	case chain.ClusterWait:
		return g.Kind == chain.ClusterArrive && g.Phase < e.Phase
	case chain.MbarrierWait:
		return (g.Kind == chain.MbarrierArrive || g.Kind == chain.Complete) && g.Phase < e.Phase
	}
	scope := min(g.Scope, e.Scope)
	if g.Relaxed {
		scope = min(scope, uint8(x.fence))
	}
	return g.Kind == chain.Write && g.Phase == e.Phase && within(s.log, scope, g.Warp, e.Warp)
}

// A Proof is a pair of accesses and the chain that orders it.
type Proof struct {
	chain.Pair
	Events []int32
	Err    error // the reason why there is no chain
}

// Prove finds and checks a chain for each pair of a log. If the log contains too many events, some pairs get no chain.
func Prove(l *chain.Log) []Proof {
	left := mostOfLog
	list := make([]Proof, 0, len(l.Pairs))
	for _, p := range l.Pairs {
		x := Proof{Pair: p}
		if left <= 0 {
			x.Err = fmt.Errorf("more than %d events were looked at for other pairs", mostOfLog)
			list = append(list, x)
			continue
		}
		events, n, ok := find(l, p)
		left -= n
		x.Events = events
		if ok {
			x.Err = l.Check(p, events)
		} else {
			x.Err = fmt.Errorf("nothing in the log orders the two")
		}
		list = append(list, x)
	}
	return list
}
