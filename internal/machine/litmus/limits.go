package litmus

import "girih/ptx/consistency"

// Limits bound a search.
type Limits struct {
	Rounds int          // how often a thread passes the head of a loop, if the rounds change something
	States int          // how many states are looked at
	Stop   func() error // an error ends the search; may be nil
}

// The largest tests.
const (
	MaxThreads   = 16
	MaxLocations = 32
	MaxRegisters = 64
	MaxCode      = 1000 // instructions of a thread
)

// count counts a state, and returns an error if there are too many, or no time is left.
func (q *search) count() error {
	if q.states++; q.states > q.limits.States {
		return tooLarge("expected at most %d states of executions, found more", q.limits.States)
	}
	if q.limits.Stop == nil {
		return nil
	}
	return q.limits.Stop()
}

// check refuses tests that are too large.
func (t *Test) check() error {
	events := 0
	if len(t.Threads) > MaxThreads || len(t.Locations) > MaxLocations {
		return tooLarge("expected at most %d threads and %d locations, found %d and %d",
			MaxThreads, MaxLocations, len(t.Threads), len(t.Locations))
	}
	for i, l := range t.Locations {
		if l.Place == i {
			events++
		}
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		if len(th.Registers) > MaxRegisters || len(th.Code) > MaxCode {
			return tooLarge("expected at most %d registers and %d instructions in %s, found %d and %d",
				MaxRegisters, MaxCode, th.Name, len(th.Registers), len(th.Code))
		}
		for k := range th.Code {
			switch th.Code[k].Op {
			case Local, Branch, Commit:
			case Copy:
				events += maxEvents
			case Atomic, Reduce:
				events += 2
			default:
				events++
			}
		}
	}
	if events > consistency.MaxEvents-maxEvents {
		return tooLarge("expected at most %d reads, writes, fences and barriers, found %d",
			consistency.MaxEvents-maxEvents, events)
	}
	return nil
}
