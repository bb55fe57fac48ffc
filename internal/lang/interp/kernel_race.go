package interp

import (
	"math"

	"girih/cute"
)

// This file finds races: two threads that use one element of shared or global memory between two barriers, one of them
// to write a different value. __syncwarp orders what the threads of one warp do; an instruction that they run together,
// such as mma or ldmatrix, orders nothing.

// A mark is who used an element in an epoch, the time between two barriers.
type mark struct {
	writer  int64 // -1 for none
	reader  int64 // -1 for none, and many for several
	written uint64
	// writtenIn and readIn are the phases of the warps of both at that time.
	writtenIn, readIn int
}

// A mark has one of these numbers where there is no thread, or where there are several readers: many less 1 and less
// the number of the warp, if all are of one warp.
const (
	none = -1
	many = -2
)

// warpOf returns the warp of a thread, or of several readers, and -1 if there is none.
func warpOf(by int64) int64 {
	switch {
	case by >= 0:
		return by / 32
	case by < many:
		return many - 1 - by
	}
	return -1
}

// An access is what a thread does with an element, as a verb.
type access string

const (
	reads  access = "reads"
	writes access = "writes"
)

// races has the marks of the elements of a memory, by their first bytes.
type races struct {
	marks map[int64]*mark
	epoch int
}

// race records that the thread uses an element of a memory, and refuses a use that races with another one.
func (r *runner) race(w *window, place int64, does access) error {
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

// raceCell is race for an element of an array of C++ that a program uses by itself.
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

// use compares a use of an element with the uses before it.
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

// races reports whether a thread, or several readers, used an element in a phase after which nothing ordered what they
// did and what the thread that runs does.
func (k *kernel) races(by int64, in int) bool {
	me := k.now.id
	return by != none && by != me && !(warpOf(by) == me/32 && in < k.phases[me/32])
}

// raceError is the error of two threads that use an element.
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
