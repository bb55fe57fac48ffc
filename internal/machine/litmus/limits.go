package litmus

import "girih/ptx/consistency"

// Limits bound a search.
type Limits struct {
	Rounds int          // how often a thread may pass the head of a loop whose rounds change something
	States int          // how many states the search may visit
	Stop   func() error // called regularly; an error ends the search; may be nil
}

// The maximum size of a test.
const (
	MaxThreads   = 16
	MaxLocations = 32
	MaxRegisters = 64
	MaxCode      = 1000 // instructions per thread
)

// count counts a visited state. It returns an error if there are too many, or the error of Stop.
func (q *search) count() error {
	if q.states++; q.states > q.limits.States {
		return tooLarge("expected at most %d states of executions, found more", q.limits.States)
	}
	if q.limits.Stop == nil {
		return nil
	}
	return q.limits.Stop()
}

// check returns an error if a test exceeds the limits.
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
