package interp

import (
	"math"

	"girih/cute"
)

// This file finds races: two threads use the same element of shared or global memory between two barriers, and at least
// one of them writes a different value. __syncwarp orders the threads of a warp. An instruction that they execute
// together, such as mma or ldmatrix, orders nothing.

// A mark records which threads used an element in an epoch, which is the time between two barriers.
type mark struct {
	writer  int64 // -1 if there is none
	reader  int64 // -1 if there is none; many if there are several
	written uint64
	// writtenIn and readIn are the phases of the warps of the writer and the reader at that time.
	writtenIn, readIn int
}

// These numbers take the place of a thread in a mark: there is none, or there are several readers. If all readers are
// in one warp, the number is many - 1 minus the number of the warp.
const (
	none = -1
	many = -2
)

// warpOf returns the warp of a thread or of several readers in one warp, and -1 otherwise.
func warpOf(by int64) int64 {
	switch {
	case by >= 0:
		return by / 32
	case by < many:
		return many - 1 - by
	}
	return -1
}

// An access is a verb that says how a thread uses an element.
type access string

const (
	reads  access = "reads"
	writes access = "writes"
)

// races contains the marks of the elements of a memory, by first byte.
type races struct {
	marks map[int64]*mark
	epoch int
}

// race records that the running thread uses an element of a memory. It returns an error if this races with an earlier
// use.
func (r *runner) race(w *window, place int64, does access) error {
	if r.traces() {
		return r.notFollowed("this access to an element")
	}
	if r.kernel == nil || r.atomic || w.private || len(r.kernel.threads) == 1 {
		return nil
	}
	from, to := w.bytes(place)
	code := uint64(0)
	for b := from; b < to; b++ {
		code = code<<8 | uint64(w.data[b])
	}
	x := w.races
	if w.array != nil {
		x, from = &w.array.races, place
	}
	if x.marks == nil || x.epoch != r.kernel.epoch {
		x.marks, x.epoch = make(map[int64]*mark), r.kernel.epoch
	}
	m := x.marks[from]
	if m == nil {
		m = &mark{writer: none, reader: none}
		x.marks[from] = m
		if len(x.marks)%holdEvery == 0 {
			if err := r.hold(holdEvery * 64); err != nil {
				return err
			}
		}
	}
	return r.kernel.use(m, code, does)
}

// raceCell is race for an element of a C++ array that a program uses directly.
func (r *runner) raceCell(c *cell, does access) error {
	if r.kernel == nil || r.atomic || c.in == nil || len(r.kernel.threads) == 1 {
		return nil
	}
	i := int64(c.at)
	x := &c.in.races
	if x.marks == nil || x.epoch != r.kernel.epoch {
		x.marks, x.epoch = make(map[int64]*mark), r.kernel.epoch
	}
	m := x.marks[i]
	if m == nil {
		m = &mark{writer: none, reader: none}
		x.marks[i] = m
	}
	n, _ := numberOf(c.v)
	err := r.kernel.use(m, uint64(n.n)^math.Float64bits(n.f), does)
	if e, ok := err.(*statedError); ok { //nolint:errorlint // it is not wrapped
		e.msg = "element " + itoa(i) + " of an array " + e.msg
	}
	return err
}

// use compares a use of an element with the earlier uses.
func (k *kernel) use(m *mark, code uint64, does access) error {
	me, other, did := k.now.id, int64(none), writes
	write, phase := does == writes, k.phases[k.now.id/32]
	if !(write && m.written == code) && k.races(m.writer, m.writtenIn) {
		other = m.writer
	} else if write && k.races(m.reader, m.readIn) {
		other, did = m.reader, reads
	}
	switch {
	case write:
		m.writer, m.written, m.writtenIn = me, code, phase
	case m.reader == none || !k.races(m.reader, m.readIn):
		m.reader, m.readIn = me, phase
	case warpOf(m.reader) == me/32:
		m.reader, m.readIn = many-1-me/32, phase
	default:
		m.reader = many
	}
	if other == none {
		return nil
	}
	return raceError(other, did, me, does)
}

// races reports whether the earlier use by a thread, or by several readers, in the given phase is not ordered before
// the running thread.
func (k *kernel) races(by int64, in int) bool {
	me := k.now.id
	return by != none && by != me && !(warpOf(by) == me/32 && in < k.phases[me/32])
}

// raceError returns the error about two threads that use the same element.
func raceError(other int64, did access, me int64, does access) error {
	first := "thread " + itoa(other) + " " + string(did)
	if other <= many {
		first = "other threads read"
	}
	e := errorf(cute.CodeNotInjective,
		"is used by two threads without a barrier between them: %s it, and thread %d %s it", first, me, does)
	e.hint = "put __syncthreads() between the two uses"
	return e
}
