package interp

import (
	"math"

	"girih/cute"
)

// This file finds races: two threads that use one element of shared or global memory between two barriers, one of them
// to write a different value. Threads of a warp that have waited for each other, at __syncwarp or in an instruction of
// the warp, are not compared.

// A mark is who used an element in an epoch, the time between two barriers.
type mark struct {
	epoch   int
	writer  int64 // -1 for none
	reader  int64 // -1 for none, and many for several
	written uint64
}

const many = -2

// races has the marks of the elements of a memory, by their first bytes.
type races struct {
	marks map[int64]*mark
	epoch int
}

// race records that the thread uses an element of a memory, and refuses a use that races with another one.
func (r *runner) race(w *window, place int64, write bool) error {
	if r.kernel == nil || w.private || len(r.kernel.threads) == 1 {
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
		m = &mark{writer: -1, reader: -1}
		x.marks[from] = m
		if len(x.marks)%holdEvery == 0 {
			if err := r.hold(holdEvery * 64); err != nil {
				return err
			}
		}
	}
	return r.kernel.use(m, code, write)
}

// raceCell is race for an element of an array of C++ that a program uses by itself.
func (r *runner) raceCell(c *cell, write bool) error {
	if r.kernel == nil || c.in == nil || len(r.kernel.threads) == 1 {
		return nil
	}
	i := int64(c.at)
	x := &c.in.races
	if x.marks == nil || x.epoch != r.kernel.epoch {
		x.marks, x.epoch = make(map[int64]*mark), r.kernel.epoch
	}
	m := x.marks[i]
	if m == nil {
		m = &mark{writer: -1, reader: -1}
		x.marks[i] = m
	}
	n, _ := numberOf(c.v)
	err := r.kernel.use(m, uint64(n.n)^math.Float64bits(n.f), write)
	if e, ok := err.(*statedError); ok { //nolint:errorlint // it is not wrapped
		e.msg = "element " + itoa(i) + " of an array " + e.msg
	}
	return err
}

// use compares a use of an element with the uses before it.
func (k *kernel) use(m *mark, code uint64, write bool) error {
	me := k.now.id
	other := int64(-1)
	verb := "writes"
	switch {
	case m.writer >= 0 && m.writer != me && !(write && m.written == code):
		other = m.writer
	case write && m.reader != -1 && m.reader != me:
		other, verb = m.reader, "reads"
	}
	if write {
		m.writer, m.written = me, code
	} else if m.reader == -1 || m.reader == me {
		m.reader = me
	} else {
		m.reader = many
	}
	if other == -1 || k.inWarps && other >= 0 && other/32 == me/32 {
		return nil
	}
	mine := "reads"
	if write {
		mine = "writes"
	}
	e := errorf(cute.CodeNotInjective, "is used by two threads without a barrier between them: thread %d %s it, and thread %d %s it",
		max(other, 0), verb, me, mine)
	if other == many {
		e.msg = "is used by several threads without a barrier between them: other threads read it, and thread " + itoa(me) + " " + mine + " it"
	}
	e.hint = "put __syncthreads() between the two uses"
	return e
}
