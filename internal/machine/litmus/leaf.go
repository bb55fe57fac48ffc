package litmus

import (
	"fmt"
	"maps"
	"slices"

	"girih/ptx/consistency"
)

// A leaf is a state in which all reads are decided. It looks for the orders of fence.sc and of writes.
type leaf struct {
	*state
	x     *consistency.Execution
	stuck []string
}

// orders looks at each order of the fences of .sc that the model relates. It returns false when the search is over.
func (l *leaf) orders() (bool, error) {
	sc := l.x.Relation("sc").Clone()
	ms := l.x.Relation("ms")
	for a := range l.events {
		for b := range a {
			fences := l.events[a].isSC() && l.events[b].isSC()
			if fences && ms.Has(a, b) && !sc.Has(a, b) && !sc.Has(b, a) {
				return l.either("sc", sc, a, b, (*leaf).orders)
			}
		}
	}
	l.force(l.x)
	return l.writes()
}

func (e *event) isSC() bool { return e.ins.Op == Fence && e.ins.Sem == "sc" }

// either goes on with a before b in the order of a name, and with b before a.
func (l *leaf) either(name string, order consistency.Relation, a, b int, next func(*leaf) (bool, error)) (bool, error) {
	for range 2 {
		if l.states++; l.states > l.limits.States {
			return false, tooLarge("expected at most %d states of executions, found more", l.limits.States)
		}
		tried := order.Clone()
		tried.Add(a, b)
		tried.Close()
		copy(l.x.Relation(name), tried)
		if l.wild || l.x.Check("Coherence-Order") == nil {
			if more, err := next(l); !more || err != nil {
				return more, err
			}
		}
		copy(l.x.Relation(name), order)
		a, b = b, a
	}
	return true, nil
}

// writes looks at each order of writes that are morally strong and not ordered yet.
func (l *leaf) writes() (bool, error) {
	co := l.x.Relation("co").Clone()
	ms := l.x.Relation("ms")
	for a := range l.events {
		for b := range a {
			e, f := &l.events[a], &l.events[b]
			if e.write && f.write && l.place(e) == l.place(f) && ms.Has(a, b) && !co.Has(a, b) && !co.Has(b, a) {
				return l.either("co", co, a, b, (*leaf).writes)
			}
		}
	}
	return l.judge()
}

// judge decides about one execution.
func (l *leaf) judge() (bool, error) {
	v := l.x.Check()
	if v != nil && !l.wild {
		return true, nil
	}
	final := map[string]int64{}
	if l.hang {
		if !l.fair() {
			return true, nil
		}
	} else if !l.reaches(final) {
		return true, nil
	}
	l.found = l.witness(final)
	l.found.Violates = v
	return false, nil
}

// fair reports whether the rounds that are repeated for ever may be: what they read are writes that no others follow,
// since a write is seen by everyone at last.
func (l *leaf) fair() bool {
	co := l.x.Relation("co")
	for i := range l.run {
		for s := l.run[i].spin; s != 0; s &= s - 1 {
			if e := &l.events[s.First()]; e.read && co[e.from] != 0 {
				return false
			}
		}
	}
	return true
}

// reaches reports whether the goal holds for some choice of the last write of each location, and sets the values.
func (l *leaf) reaches(final map[string]int64) bool {
	places := slices.Sorted(maps.Keys(l.atPlace))
	last := map[int]int64{}
	lookup := func(t Term) (int64, bool) {
		if t.Thread < 0 && t.Loc >= 0 {
			n, ok := last[l.test.Locations[t.Loc].Place]
			return n, ok
		}
		return l.lookup(t)
	}
	var try func([]int) bool
	try = func(rest []int) bool {
		if v := l.goal(lookup); v != unknown || len(rest) == 0 {
			return v == yes
		}
		defer delete(last, rest[0])
		for _, n := range l.lasts(rest[0]) {
			last[rest[0]] = n
			if try(rest[1:]) {
				final[l.test.Locations[rest[0]].Name] = n
				return true
			}
		}
		return false
	}
	return try(places)
}

// lasts returns the values of the writes to a place that no other follows. Racing writes are not ordered: each may be
// the last.
func (l *leaf) lasts(place int) []int64 {
	co := l.x.Relation("co")
	var list []int64
	for k := range l.events {
		e := &l.events[k]
		if e.write && l.place(e) == place && co[k] == 0 && !slices.Contains(list, e.val.n) {
			list = append(list, e.val.n)
		}
	}
	return list
}

// witness copies the execution out.
func (l *leaf) witness(final map[string]int64) *Execution {
	w := &Execution{Graph: l.x, Final: final, Stuck: l.stuck}
	for k := range l.events {
		e := &l.events[k]
		out := Event{Thread: e.thread, Text: e.ins.Text, Line: e.ins.Line, From: e.from, Access: "F"}
		switch {
		case e.memory():
			kind := "R"
			if e.write {
				kind = "W"
			}
			out.Access = fmt.Sprintf("%s %s=%d", kind, l.test.Locations[e.ins.Loc].Name, e.val.n)
		case e.ins.Op == Barrier:
			out.Access = "B"
		}
		w.Events = append(w.Events, out)
	}
	for i := range l.run {
		for j, v := range l.run[i].regs {
			if l.run[i].pc == len(l.test.Threads[i].Code) {
				final[l.test.Threads[i].Name+":"+l.test.Threads[i].Registers[j]] = v.n
			}
		}
	}
	return w
}
