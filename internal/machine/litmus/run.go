package litmus

import (
	"errors"

	"girih/fault"
	"girih/ptx/consistency"
)

// An Answer is what was found out about an ask.
type Answer struct {
	Ask     Ask
	Known   bool       // false: no answer within the bound on loops
	Holds   bool       // the ask is answered by yes
	Witness *Execution // an execution that shows it: one with the condition of exists, one that contradicts ~exists or forall
	Near    *Execution // without such an execution: one that the model forbids, with the axiom
	States  int        // that were looked at
}

// Run answers an ask.
func Run(t *Test, a Ask, limits Limits) (Answer, error) {
	out := Answer{Ask: a}
	if err := t.check(); err != nil {
		return out, err
	}
	q := newSearch(t, a, limits)
	w, err := q.find()
	out.States = q.states
	if err != nil {
		return out, err
	}
	out.Witness = w
	out.Known = w != nil || !q.bounded
	out.Holds = out.Known && (w != nil) == (a.Kind == Exists)
	if w == nil && out.Known {
		near := newSearch(t, a, limits)
		near.wild = true
		near.limits.States = nearStates
		if out.Near, err = near.find(); errors.Is(err, fault.Limit) {
			err = nil
		}
		out.States += near.states
	}
	return out, err
}

// nearStates limits the search for an execution to explain a refusal with.
const nearStates = 20000

// newSearch returns the search for an execution that answers a.
func newSearch(t *Test, a Ask, limits Limits) *search {
	q := &search{test: t, limits: &limits, atPlace: map[int]bool{}}
	t.Filter.locations(t, q.atPlace)
	a.Cond.locations(t, q.atPlace)
	q.goal = func(lookup func(Term) (int64, bool)) verdict {
		c := a.Cond.holds(lookup)
		if a.Kind == Forall {
			c = c.not()
		}
		f := t.Filter.holds(lookup)
		switch {
		case c == no || f == no:
			return no
		case c == yes && f == yes:
			return yes
		}
		return unknown
	}
	return q
}

// The largest tests.
const (
	MaxThreads   = 16
	MaxLocations = 32
	MaxRegisters = 64
)

// check refuses tests that are too large.
func (t *Test) check() error {
	events := 0
	for _, l := range []struct {
		what    string
		n, most int
	}{{"threads", len(t.Threads), MaxThreads}, {"locations", len(t.Locations), MaxLocations}} {
		if l.n > l.most {
			return tooLarge("expected at most %d %s, found %d", l.most, l.what, l.n)
		}
	}
	for i, l := range t.Locations {
		if l.Place == i {
			events++
		}
	}
	for _, th := range t.Threads {
		if len(th.Registers) > MaxRegisters {
			return tooLarge("expected at most %d registers in %s, found %d", MaxRegisters, th.Name, len(th.Registers))
		}
		for _, ins := range th.Code {
			switch ins.Op {
			case Atomic, Reduce:
				events += 2
			case Load, Store, Fence, Proxy, Alias, Barrier:
				events++
			}
		}
	}
	if events > consistency.MaxEvents-2 {
		return tooLarge("expected at most %d reads, writes, fences and barriers, found %d", consistency.MaxEvents-2, events)
	}
	return nil
}

// Terminates answers whether every fair execution ends: each thread goes on, and each write is seen by everyone at last.
// The witness is an execution that does not end. The answer is not known if rounds of loops that change something are
// left out.
func Terminates(t *Test, limits Limits) (Answer, error) {
	out := Answer{Ask: Ask{Kind: Never}}
	if err := t.check(); err != nil {
		return out, err
	}
	q := newSearch(t, Ask{}, limits)
	q.hang = true
	w, err := q.find()
	out.Witness, out.Known, out.Holds, out.States = w, w != nil || !q.bounded, w == nil && !q.bounded, q.states
	return out, err
}
