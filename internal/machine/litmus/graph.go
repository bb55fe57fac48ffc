package litmus

import (
	"strings"

	"girih/ptx/consistency"
)

// graph returns the decided part of the execution, without co and sc, for package consistency.
func (s *state) graph(first consistency.Set) *consistency.Execution {
	x := consistency.NewExecution(len(s.events))
	s.classify(x)
	dep, rf, rmw := x.Relation("dep"), x.Relation("rf"), x.Relation("rmw")
	o := programOrder{x.Relation("po"), x.Relation("issue"), x.Relation("done")}
	p := pairs{
		loc: x.Relation("loc"), whole: x.Relation("whole"), scope: x.Relation("scope"),
		proxy: x.Relation("proxy"), cta: x.Relation("cta"), fences: x.Relation("fences"),
	}
	for i := range s.events {
		e := &s.events[i]
		for d := e.deps | e.val.deps; d != 0 && e.memory(); d &= d - 1 {
			if d.First() != i {
				dep.Add(d.First(), i)
			}
		}
		if e.read && e.from >= 0 {
			rf.Add(e.from, i)
		}
		if e.pair >= 0 {
			rmw.Add(i, e.pair)
		}
		for j := range s.events {
			if i < j {
				s.order(o, i, j)
			}
			s.relate(p, i, j)
		}
	}
	s.meetings(x.Relation("bar"), first)
	return x
}

// programOrder contains the relations between operations of one thread.
type programOrder struct{ po, issue, done consistency.Relation }

// order adds the pair (i,j) to the relations that contain it. Event j was added after event i.
func (s *state) order(o programOrder, i, j int) {
	a, b := &s.events[i], &s.events[j]
	if a.thread >= 0 && a.thread == b.thread && a.agent == b.agent {
		o.po.Add(i, j)
	}
	if issues(a, b) {
		o.issue.Add(i, j)
	}
	if waitsFor(b, a) {
		o.done.Add(i, j)
	}
}

// pairs contains the relations that follow from the instructions and threads of two events.
type pairs struct{ loc, whole, scope, proxy, cta, fences consistency.Relation }

// relate adds the pair (i,j) to the relations that contain it.
func (s *state) relate(p pairs, i, j int) {
	a, b := &s.events[i], &s.events[j]
	whole := true
	if a.memory() && b.memory() {
		la, lb := &s.test.Locations[a.ins.Loc], &s.test.Locations[b.ins.Loc]
		if whole = la.Address == lb.Address; la.Place == lb.Place {
			p.loc.Add(i, j)
		}
	}
	if whole {
		p.whole.Add(i, j)
	}
	if a.ins.Op != Proxy && b.ins.Op != Proxy && proxyOf(a) == proxyOf(b) {
		p.proxy.Add(i, j)
	}
	if a.thread >= 0 && b.thread >= 0 {
		s.threads(p, i, j)
	}
}

// threads adds the pair (i,j) to the relations that depend on the CTA, cluster and GPU of the threads.
func (s *state) threads(p pairs, i, j int) {
	a, b := &s.events[i], &s.events[j]
	ta, tb := &s.test.Threads[a.thread], &s.test.Threads[b.thread]
	if i != j && within(ta, tb, a.ins.Scope) && within(tb, ta, b.ins.Scope) {
		p.scope.Add(i, j)
	}
	if !within(ta, tb, CTA) {
		return
	}
	p.cta.Add(i, j)
	if a.ins.Op == Proxy && b.memory() && a.ins.Proxy == b.ins.Proxy {
		p.fences.Add(i, j)
	}
}

// proxyOf returns the proxy of a memory operation. Fences belong to the generic proxy.
func proxyOf(e *event) string {
	if e.memory() {
		return e.ins.Proxy
	}
	return "generic"
}

// classify adds the events to the sets of the model.
func (s *state) classify(x *consistency.Execution) {
	for k := range s.events {
		e := &s.events[k]
		ins, does := e.ins, semantics(e.ins.Sem)
		if ins.Op == Proxy || ins.Op == Barrier || ins.Op == Wait {
			continue
		}
		memory := e.memory()
		for _, m := range []struct {
			set string
			in  bool
		}{
			{"W", e.write},
			{"First", e.thread < 0},
			{"R", e.read},
			{"Red", e.read && ins.Op == Reduce},
			{"F", ins.Op == Fence},
			{"Alias", ins.Op == Alias},
			{"Strong", ins.Op == Fence || memory && ins.Sem != "weak" && e.thread >= 0},
			{"Release", !e.read && strings.Contains(does, "r")},
			{"Acquire", !e.write && strings.Contains(does, "a")},
			{"Gen", ins.Op == Fence || memory && ins.Proxy == "generic"},
		} {
			if m.in {
				x.Events(m.set).Add(k)
			}
		}
	}
}

// semantics returns "a" for an operation with acquire semantics, "r" for release, and "" for relaxed and weak
// operations.
func semantics(s Sem) string {
	switch s {
	case "acquire":
		return "a"
	case "release":
		return "r"
	case "acq_rel", "sc":
		return "ar"
	}
	return ""
}

// possible reports whether s, which is a part of an execution, violates no axiom so far.
func (s *state) possible() bool {
	x := s.graph(0)
	s.force(x)
	return x.Check("Coherence-Order", s.loose) == nil
}

// force sets the coherence order to the pairs that causality requires.
func (s *state) force(x *consistency.Execution) {
	cause := x.Relation("cause").Clone()
	co := x.Relation("co")
	for i := range s.events {
		for j := range s.events {
			a, b := &s.events[i], &s.events[j]
			if i != j && a.write && b.write && s.place(a) == s.place(b) && (a.thread < 0 || cause.Has(i, j)) {
				co.Add(i, j)
			}
		}
	}
	co.Close()
}
