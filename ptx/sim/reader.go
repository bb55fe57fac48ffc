package sim

import (
	"fmt"

	"girih/ptx"
)

// A reader reads the operands of an instruction, one after another. It keeps the first error. After an error, it reads
// nothing more and returns zero values, so a row checks for an error only once, at its end.
type reader struct {
	d   *decoder
	o   *opcode
	ops operands
	err error
}

// reader returns a reader of the operands of o.
//
//go:noinline
func (d *decoder) reader(o *opcode) *reader { return &reader{d: d, o: o, ops: operands(o.Operands)} }

// keep keeps err if it is the first error.
func (r *reader) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// fail keeps a new error if it is the first error.
func (r *reader) fail(format string, args ...any) { r.keep(fmt.Errorf(format, args...)) }

// finish returns the step of a row, or the error.
func (r *reader) finish(do step) (step, error) {
	if r.err != nil {
		return nil, r.err
	}
	return do, nil
}

// end is finish for a row that must have read all operands.
func (r *reader) end(do step) (step, error) {
	if r.err == nil {
		r.err = r.o.end(r.ops)
	}
	return r.finish(do)
}

// readNext reads the next operand with read.
func readNext[T any](r *reader, read func(o ptx.Operand) (T, error)) (v T) {
	if r.err == nil {
		v, r.err = read(r.ops.next())
	}
	return v
}

// dst reads a destination.
func (r *reader) dst() int { return readNext(r, r.d.dst) }

// dsts reads a list of destinations, or one destination.
func (r *reader) dsts() []int {
	return readNext(r, func(o ptx.Operand) ([]int, error) {
		var slots []int
		for _, x := range elements(o) {
			s, err := r.d.dst(x)
			if err != nil {
				return nil, err
			}
			slots = append(slots, s)
		}
		return slots, nil
	})
}

// src reads a source of type t.
func (r *reader) src(t ptx.Type) int {
	return readNext(r, func(o ptx.Operand) (int, error) { return r.d.src(o, t) })
}

// srcs reads a list of sources of type t, or one source.
func (r *reader) srcs(t ptx.Type) []int {
	return readNext(r, func(o ptx.Operand) ([]int, error) { return r.d.srcs(elements(o), t) })
}

// address reads an address in a space.
func (r *reader) address(space ptx.Space) access {
	return readNext(r, func(o ptx.Operand) (access, error) { return r.d.address(o, space) })
}

// predicate returns the number of the predicate called name.
func (r *reader) predicate(name ptx.Name) (p int) {
	if r.err == nil {
		p, r.err = r.d.predSlot(name)
	}
	return p
}

// optional reads the operand that the modifier mod adds. Without mod, it returns -1.
func (r *reader) optional(mod string) int {
	if r.err != nil {
		return -1
	}
	var slot int
	slot, r.err = r.d.optional(r.o, mod, &r.ops)
	return slot
}

// completion reads the operands that state how a copy into a space completes.
func (r *reader) completion(to ptx.Space) (c completion) {
	if r.err == nil {
		c, r.err = r.d.completes(r.o, to, &r.ops)
	}
	return c
}

// policy reads the operand that .L2::cache_hint adds.
func (r *reader) policy() {
	if r.err == nil {
		r.err = r.d.policy(r.o, &r.ops)
	}
}
