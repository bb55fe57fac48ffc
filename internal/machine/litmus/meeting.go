package litmus

import (
	"slices"

	"girih/ptx/consistency"
)

// meet lets thread i arrive at the barrier ins. It returns false if the values that identify the barrier are not known
// yet.
func (s *state) meet(i int, ins *Instruction) bool {
	m := ins.Bar
	id := s.operand(i, m.ID)
	if !id.known || m.Quorum.Register >= 0 && !s.operand(i, m.Quorum).known {
		return false
	}
	key := meetingKey{scope: m.Scope, unit: s.unit(i, m.Scope), instance: m.Instance, id: id.n}
	for k := range s.events {
		if e := &s.events[k]; e.thread == i && e.ins.Op == Barrier && e.ins.Bar.Arrives == m.Arrives {
			if was := e.group; was.scope == key.scope && was.instance == key.instance && was.id == key.id {
				key.no++
			}
		}
	}
	s.run[i].ctrl |= id.deps
	k := s.add(i, event{ins: ins, pair: -1, group: key, val: s.quorum(i, m)})
	if m.Waits {
		s.run[i].at = k
	}
	return true
}

// quorum returns how many threads must arrive at m, or -1 for all threads.
func (s *state) quorum(i int, m *Meeting) value {
	if m.Quorum == everyone {
		return constant(-1)
	}
	return s.operand(i, m.Quorum)
}

// unit returns the number of the CTA or of the cluster of thread i.
func (s *state) unit(i int, scope Scope) int {
	for j := range s.test.Threads {
		if s.together(i, j, scope) {
			return j
		}
	}
	return i
}

// together reports whether threads i and j are in the same CTA or in the same cluster.
func (s *state) together(i, j int, scope Scope) bool {
	return within(&s.test.Threads[i], &s.test.Threads[j], scope)
}

// within reports whether the scope of thread a includes thread b.
func within(a, b *Thread, scope Scope) bool {
	switch scope {
	case Own:
		return a == b
	case CTA:
		return a.GPU == b.GPU && a.Cluster == b.Cluster && a.CTA == b.CTA
	case Cluster:
		return a.GPU == b.GPU && a.Cluster == b.Cluster
	case GPU:
		return a.GPU == b.GPU
	}
	return true
}

// complete reports whether all threads have arrived for which the barrier event k waits.
func (s *state) complete(k int) bool {
	e := &s.events[k]
	var here consistency.Set // threads
	for j := range s.events {
		if o := &s.events[j]; o.ins.Op == Barrier && o.ins.Bar.Arrives && o.group == e.group {
			here.Add(o.thread)
		}
	}
	if e.val.n >= 0 {
		return int64(here.Size()) >= e.val.n
	}
	for i := range s.test.Threads {
		if !here.Has(i) && s.together(i, e.thread, e.group.scope) && s.expects(i, e) {
			return false
		}
	}
	return true
}

// expects reports whether thread i certainly has a barrier that meets e.
func (s *state) expects(i int, e *event) bool {
	code := s.test.Threads[i].Code
	for k := range code {
		m := code[k].Bar
		if m != nil && m.Arrives && m.Scope == e.group.scope && m.Instance == e.group.instance &&
			m.ID.Register < 0 && m.ID.Value == e.group.id {
			return true
		}
	}
	return false
}

// meetings adds the edges of barriers to bar: from each thread that arrived to each thread that waited. If a barrier
// has a quorum, only the arrivals in first order the other threads.
func (s *state) meetings(bar consistency.Relation, first consistency.Set) {
	for a := range s.events {
		from := &s.events[a]
		if from.ins.Op != Barrier || !from.ins.Bar.Arrives || !from.ins.Bar.Releases || from.val.n >= 0 && !first.Has(a) {
			continue
		}
		for b := range s.events {
			to := &s.events[b]
			if to.ins.Op == Barrier && to.ins.Bar.Waits && to.group == from.group && to.thread != from.thread {
				bar.Add(a, b)
			}
		}
	}
}

// quorums calls f with each choice of the arrivals that complete the barriers with a quorum, until f returns false. For
// example, if a barrier of three threads has a quorum of two, two arrivals complete the barrier and the third comes
// after both.
func (s *state) quorums(f func(consistency.Set) bool) bool {
	var order []meetingKey
	for k := range s.events {
		if e := &s.events[k]; e.ins.Op == Barrier && e.val.n >= 0 && !slices.Contains(order, e.group) {
			order = append(order, e.group)
		}
	}
	return s.pick(order, 0, f)
}

// pick tries the choices for the first group, and for each of them the choices for the other groups.
func (s *state) pick(groups []meetingKey, chosen consistency.Set, f func(consistency.Set) bool) bool {
	if len(groups) == 0 {
		return f(chosen)
	}
	var members []int
	need := int64(0)
	for k := range s.events {
		if e := &s.events[k]; e.ins.Op == Barrier && e.ins.Bar.Arrives && e.group == groups[0] {
			members = append(members, k)
			need = max(need, e.val.n)
		}
	}
	for some := consistency.Set(0); some < 1<<len(members); some++ {
		if int64(some.Size()) != min(need, int64(len(members))) {
			continue
		}
		set := chosen
		for i, k := range members {
			if some.Has(i) {
				set.Add(k)
			}
		}
		if !s.pick(groups[1:], set, f) {
			return false
		}
	}
	return true
}
