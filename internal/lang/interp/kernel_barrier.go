package interp

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
)

// This file implements barriers for a part of a block: mbarriers, in shared memory, and numbered barriers. A barrier
// orders the earlier accesses of all threads of the block, so races with threads that do not use the barrier may be
// missed.

// An mbarrier is a barrier in shared memory. A phase ends when count threads have arrived and no more bytes are
// expected.
type mbarrier struct {
	count, pending int64 // the threads of a phase, and the threads that are still missing
	bytes          int64 // bytes that copies have not delivered yet
	phase          int64 // the number of the current phase
}

// waitUntil suspends the running thread until a condition holds.
func (r *runner) waitUntil(what string, holds func() bool) error {
	if r.quiet {
		return nil
	}
	k := r.kernel
	for !holds() {
		if k == nil || len(k.threads) == 1 {
			return errorf(cute.CodeMode, "waits for %s, which nothing brings about", what)
		}
		k.now.ready = holds
		if err := r.wait(what); err != nil {
			return err
		}
		k.now.ready = nil
	}
	return nil
}

// orders records that a barrier was passed.
func (r *runner) orders() {
	if r.kernel != nil {
		r.epochs++
		r.kernel.epoch = r.epochs
	}
}

// barrierAt returns the mbarrier at an address.
func (r *runner) barrierAt(c *arguments) (*mbarrier, error) {
	for _, name := range []string{"mbar_ptr", "phase", "cnt", "bytes", "tx_count"} {
		if v := c.take(name); v != nil {
			if name == "mbar_ptr" {
				c.pos = append([]Value{v}, c.pos...)
			} else {
				c.pos = append(c.pos, v)
			}
		}
	}
	c.take("loc")
	c.take("ip")
	if len(c.pos) == 0 || len(c.keys) > 0 || r.kernel == nil {
		return nil, errorf(cute.CodeRank, "expected the address of an mbarrier, in a kernel, and nothing of other blocks")
	}
	p, ok := c.pos[0].(Address)
	if s, isStruct := c.pos[0].(structValue); isStruct && s.of == nil {
		p, ok = s.start, true
	}
	key := ""
	if q, isPointer := c.pos[0].(Pointer); isPointer {
		at, err := q.cell()
		if err != nil {
			return nil, err
		}
		key = fmt.Sprintf("mbarrier %p", at)
	} else if !ok || len(p.data) == 0 {
		return nil, errorf(cute.CodeType, "expected the address of an mbarrier, found %s", r.describe(c.pos[0]))
	} else {
		from, _ := p.bytes(p.At)
		key = fmt.Sprintf("mbarrier %p %d", &p.data[0], from)
	}
	b, ok := r.kernel.shared[key].(*mbarrier)
	if !ok {
		b = &mbarrier{}
		r.kernel.shared[key] = b
	}
	return b, nil
}

// number returns argument i as an integer.
func (c *arguments) number(r *runner, i int) (int64, error) {
	if i >= len(c.pos) {
		return 0, errorf(cute.CodeRank, "expected %d arguments, found %d", i+1, len(c.pos))
	}
	n, ok := integerOf(c.pos[i])
	if !ok {
		return 0, errorf(cute.CodeType, "expected an integer, found %s", r.describe(c.pos[i]))
	}
	return n, nil
}

// errNoBarrier is the error for an mbarrier that is used before its initialisation.
var errNoBarrier = errorf(cute.CodeMode, "the mbarrier is used before mbarrier_init")

// arrive counts n arrivals, and ends the phase if it is complete.
func (b *mbarrier) arrive(n int64) error {
	switch {
	case b.count == 0:
		return errNoBarrier
	case b.pending < n:
		return errorf(cute.CodeMode, "%d threads arrive at an mbarrier whose phase has %d", n, b.pending)
	}
	b.pending -= n
	b.turn()
	return nil
}

// turn ends the phase if nothing more is expected.
func (b *mbarrier) turn() {
	if b.pending == 0 && b.bytes == 0 {
		b.pending = b.count
		b.phase++
	}
}

// barrierNames lists the functions of cute.arch on mbarriers.
var barrierNames map[string]func(r *runner, b *mbarrier, c *arguments) (Value, error)

func init() {
	barrierNames = map[string]func(r *runner, b *mbarrier, c *arguments) (Value, error){
		"mbarrier_init": func(r *runner, b *mbarrier, c *arguments) (Value, error) {
			n, err := c.number(r, 1)
			if err == nil && (n < 1 || n > 1<<20-1) {
				err = errorf(cute.CodeExtent, "expected from 1 to %d threads, found %d", 1<<20-1, n)
			}
			*b = mbarrier{count: n, pending: n}
			return None{}, err
		},
		"mbarrier_arrive": func(_ *runner, b *mbarrier, _ *arguments) (Value, error) { return None{}, b.arrive(1) },
		"mbarrier_arrive_and_expect_tx": func(r *runner, b *mbarrier, c *arguments) (Value, error) {
			n, err := c.number(r, 1)
			if err != nil {
				return nil, err
			}
			b.bytes += n
			return None{}, b.arrive(1)
		},
		"mbarrier_expect_tx": func(r *runner, b *mbarrier, c *arguments) (Value, error) {
			n, err := c.number(r, 1)
			b.bytes += n
			return None{}, err
		},
		"mbarrier_wait": func(r *runner, b *mbarrier, c *arguments) (Value, error) {
			parity, err := c.number(r, 1)
			if err == nil && b.count == 0 {
				err = errNoBarrier
			}
			if err != nil {
				return nil, err
			}
			err = r.waitUntil("the phase of an mbarrier", func() bool { return b.phase&1 != parity&1 })
			r.orders()
			return None{}, err
		},
		"mbarrier_try_wait": func(r *runner, b *mbarrier, c *arguments) (Value, error) {
			// The result may be false although the phase has ended, because the program must wait after a false result
			// anyway.
			_, err := c.number(r, 1)
			return Element{Type: dtype.U1}, err
		},
	}
}

// barrierFunction returns a function of cute.arch about mbarriers, or nil.
func barrierFunction(name string) func(r *runner, c *arguments) (Value, error) {
	f := barrierNames[name]
	if f == nil {
		return nil
	}
	return func(r *runner, c *arguments) (Value, error) {
		b, err := r.barrierAt(c)
		if err != nil {
			return nil, err
		}
		if r.quiet {
			return None{}, nil
		}
		return f(r, b, c)
	}
}

// syncSome implements barrier(barrier_id=, number_of_threads=) for the whole block or for a number of threads.
func (r *runner) syncSome(c *arguments) (Value, error) {
	id, n := int64(0), int64(0)
	for i, name := range []string{"barrier_id", "number_of_threads"} {
		v := c.take(name)
		if v == nil && len(c.pos) > i {
			v = c.pos[i]
		}
		k, ok := integerOf(v)
		if v != nil && v != (None{}) && !ok {
			return nil, errorf(cute.CodeType, "expected an integer for %s, found %s", name, r.describe(v))
		}
		if i == 0 {
			id = k
		} else {
			n = k
		}
	}
	if r.kernel == nil || n == 0 || n == volume(r.kernel.block) {
		return None{}, r.syncThreads()
	}
	if n%32 != 0 || n < 0 || n > volume(r.kernel.block) {
		return nil, errorf(cute.CodeExtent, "expected a multiple of 32 threads of the block, found %d", n)
	}
	return None{}, r.together("barrier "+itoa(id), n, nil, func([]any) error {
		r.orders()
		return nil
	})
}

// electOne implements with cute.arch.elect_one(). The first thread of the warp runs the body.
func electOne(*runner, *arguments) (Value, error) {
	return bodyContext{func(r *runner) (bool, error) {
		return r.kernel == nil || r.kernel.now.id%32 == 0, nil
	}}, nil
}
