package reader

// This file charges the memory and time for reading a text to the caller's limits.

// A quota charges the memory and the time of reading a text to its limits. If a limit refuses, the quota panics with a
// readEnd, which [ReadWithin] recovers. The calls that parse a value are hundreds deep, and all of them would have to
// return the error otherwise.
type quota struct {
	limits Limits
	taken  int // bytes since the limits were last asked
	steps  int // calls of take since the limits were last checked
	held   int64
}

// readEnd is the value that a quota panics with.
type readEnd struct{ err error }

// The limits are asked after this many bytes, or after this many steps of less than a microsecond.
const (
	// The limits are asked after this many bytes, or after this many steps. A step takes less than a microsecond.
	chargeBytes = 1 << 16
	chargeSteps = 1 << 10
)

// take counts a step and the step's bytes, which may be 0.
func (q *quota) take(bytes int) {
	q.taken += bytes
	q.steps++
	if q.taken >= chargeBytes || q.steps >= chargeSteps {
		q.charge()
	}
}

// charge asks the limits.
func (q *quota) charge() {
	bytes := int64(q.taken)
	q.taken, q.steps = 0, 0
	if q.limits.Hold != nil && bytes != 0 {
		if err := q.limits.Hold(bytes); err != nil {
			panic(readEnd{err})
		}
		q.held += bytes
	}
	if q.limits.Stop != nil {
		if err := q.limits.Stop(); err != nil {
			panic(readEnd{err})
		}
	}
}

// release gives back bytes whose values are garbage now.
func (q *quota) release(bytes int64) { q.taken -= int(bytes) }

// total returns the bytes taken so far.
func (q *quota) total() int64 { return q.held + int64(q.taken) }

// free gives back all memory that is held.
func (q *quota) free() {
	if q.limits.Hold != nil {
		_ = q.limits.Hold(-q.held)
	}
	q.held, q.taken = 0, 0
}

// end ends a reading. If the quota ended it with a panic, end returns its error to the caller, which defers end.
func (q *quota) end(err *error) {
	q.free()
	p := recover()
	if p == nil {
		return
	}
	e, ok := p.(readEnd)
	if !ok {
		panic(p)
	}
	*err = e.err
}

// The sizes of the parts of a text, in bytes.
const (
	tokenBytes = 12 + 1 // includes its mark in parser.dead
	nodeBytes  = 72
	foundBytes = 88
	itemBytes  = 152
	fieldBytes = 48
)
