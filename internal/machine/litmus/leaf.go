package litmus

import (
	"slices"

	"girih/ptx/consistency"
)

// A leaf is a state in which every read has its write. It searches the orders of fence.sc and of writes.
type leaf struct {
	*state
	x     *consistency.Execution
	stuck []string
	err   error // the error of choose
}

// orders tries each order of the fence.sc that the model relates. It returns false when the search is over.
func (l *leaf) orders() (bool, error) {
	sc := l.x.Relation("sc")
	ms := l.x.Relation("ms")
	for a := range l.events {
		for b := range a {
			fences := l.events[a].isSC() && l.events[b].isSC()
			if fences && ms.Has(a, b) && !sc.Has(a, b) && !sc.Has(b, a) {
				return l.either(choice{"sc", a, b, (*leaf).orders})
			}
		}
	}
	l.force(l.x)
	return l.writes()
}

func (e *event) isSC() bool { return e.ins.Op == Fence && e.ins.Sem == "sc" }

// A choice is a pair of events that a relation may order either way. next continues the search after the choice.
type choice struct {
	name string
	a, b int
	next func(*leaf) (bool, error)
}

// either continues with a before b, and then with b before a.
func (l *leaf) either(c choice) (bool, error) {
	order := l.x.Relation(c.name).Clone()
	for range 2 {
		if err := l.count(); err != nil {
			return false, err
		}
		tried := order.Clone()
		tried.Add(c.a, c.b)
		tried.Close()
		copy(l.x.Relation(c.name), tried)
		if l.wild || l.x.Check("Coherence-Order", l.loose) == nil {
			if more, err := c.next(l); !more || err != nil {
				return more, err
			}
		}
		copy(l.x.Relation(c.name), order)
		c.a, c.b = c.b, c.a
	}
	return true, nil
}

// writes tries each order of the morally strong writes that are not ordered yet.
func (l *leaf) writes() (bool, error) {
	co := l.x.Relation("co")
	ms := l.x.Relation("ms")
	for a := range l.events {
		for b := range a {
			e, f := &l.events[a], &l.events[b]
			if e.write && f.write && l.place(e) == l.place(f) && ms.Has(a, b) && !co.Has(a, b) && !co.Has(b, a) {
				return l.either(choice{"co", a, b, (*leaf).writes})
			}
		}
	}
	return l.judge()
}

// judge checks one complete execution against the goal of the search.
func (l *leaf) judge() (bool, error) {
	if !l.wild && l.x.Check(l.loose) != nil {
		return true, nil
	}
	final := map[string]int64{}
	if l.race && l.x.Relation("race").Empty() {
		return true, nil
	}
	if l.hang {
		if !l.fair() {
			return true, nil
		}
	} else if !l.choose(map[int]int64{}, final) {
		return l.err == nil, l.err
	}
	if l.each != nil {
		for ok := true; ok; ok = l.choose(map[int]int64{}, final) {
			l.each()
		}
		return l.err == nil, l.err
	}
	l.found = l.witness(final, l.x.Check())
	return false, nil
}

// fair reports whether the loops that repeat for ever may do so. A fair machine makes every write visible eventually,
// so their reads must return writes that no other write follows.
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

// choose reports whether the goal holds for some choice of the last write to each location that is not in last. It sets
// final to that choice.
func (l *leaf) choose(last map[int]int64, final map[string]int64) bool {
	v := l.goal(func(t Term) (int64, bool) {
		if t.Thread < 0 && t.Loc >= 0 {
			n, ok := last[l.test.Locations[t.Loc].Place]
			return n, ok
		}
		return l.lookup(t)
	})
	if v != unknown {
		for place, n := range last {
			final[l.test.Locations[place].Name] = n
		}
		return v == yes
	}
	for place := range l.test.Locations {
		if _, ok := last[place]; ok || l.search.places>>uint(place)&1 == 0 {
			continue
		}
		for _, n := range l.lasts(place) {
			last[place] = n
			if l.err == nil {
				l.err = l.count()
			}
			if l.err != nil || l.choose(last, final) {
				return l.err == nil
			}
		}
		delete(last, place)
		return false
	}
	return false
}

// lasts returns the possible last values of a place: the values of the writes that no other write follows. Writes
// that race are not ordered, so each of them may be the last.
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
