package litmus

import (
	"fmt"

	"girih/ptx/consistency"
)

// A search looks for an execution of a test that satisfies a goal.
type search struct {
	test   *Test
	loops  []loops
	rounds int
	limits *Limits
	hang   bool   // the goal is a thread that never ends
	race   bool   // the goal is a data race
	wild   bool   // executions that violate axioms are searched, too
	loose  string // the only axiom that an execution may violate; "" for none
	goal   func(func(Term) (int64, bool)) verdict
	places uint64 // the places whose last values the goal compares
	each   func() // if not nil, called for each state that satisfies the goal; the search then continues

	states  int
	bounded bool // whether some loop reached the bound on its rounds
	found   *Execution
}

// run searches the executions of the test, and leaves what it finds in q.
func (q *search) run() error {
	if err := q.test.check(); err != nil {
		return err
	}
	for i := range q.test.Threads {
		q.loops = append(q.loops, loopsOf(q.test, i))
	}
	_, err := q.extend(q.start())
	return err
}

// extend searches all executions that continue s. It returns false when the search is over.
func (q *search) extend(s *state) (bool, error) {
	if err := q.count(); err != nil {
		return false, err
	}
	why, err := s.advance()
	dead := why != waits || q.hang && s.over() || !q.hang && q.goal(s.lookup) == no
	if !dead && err == nil {
		dead = !q.wild && !s.possible()
	}
	if err != nil || dead {
		return true, err
	}
	return q.resolve(s)
}

// over reports whether all threads have ended.
func (s *state) over() bool {
	for i := range s.run {
		if r := &s.run[i]; r.pc < len(s.test.Threads[i].Code) || r.at >= 0 || r.await >= 0 || r.spin != 0 {
			return false
		}
	}
	return true
}

// resolve continues the search with a read that has no write yet. If there is none, it searches the end of the
// execution.
func (q *search) resolve(s *state) (bool, error) {
	pending := false
	for k := range s.events {
		if e := &s.events[k]; e.read && e.from < 0 {
			pending = true
			if open := s.sources(k); open != 0 {
				return q.branch(s, k, open)
			}
		}
	}
	if pending {
		return true, nil
	}
	return q.end(s)
}

// branch tries each write in open as the source of read k. Then it tries none of them, so that the read must return a
// write that is added later. In this way each assignment of writes to reads is tried once, and no value depends on
// itself.
func (q *search) branch(s *state, k int, open consistency.Set) (bool, error) {
	for rest := open; rest != 0; rest &= rest - 1 {
		c := s.clone()
		if err := c.decide(k, rest.First()); err != nil {
			return false, err
		}
		if more, err := q.extend(c); !more || err != nil {
			return more, err
		}
	}
	c := s.clone()
	c.events[k].tried |= open
	return q.extend(c)
}

// sources returns the writes that read k may return, except those that the search has already excluded.
func (s *state) sources(k int) consistency.Set {
	var set consistency.Set
	r := &s.events[k]
	place := s.place(r)
	for w := range s.events {
		e := &s.events[w]
		later := e.thread == r.thread && w > k && (r.agent == 0 || r.agent == e.agent) // an operation of the same thread
		if e.write && e.val.known && s.place(e) == place && !r.tried.Has(w) && !later {
			set.Add(w)
		}
	}
	return set
}

// place returns the number of the memory that e accesses.
func (s *state) place(e *event) int { return s.test.Locations[e.ins.Loc].Place }

// lookup returns the value of a register of a thread that has ended, if it is known. The values of locations are never
// known here.
func (s *state) lookup(t Term) (int64, bool) {
	switch {
	case t.Thread >= 0:
		r := &s.run[t.Thread]
		v := r.regs[t.Register]
		return v.n, v.known && r.pc == len(s.test.Threads[t.Thread].Code) && r.at < 0 && r.await < 0
	case t.Loc >= 0:
		return 0, false
	}
	return t.Value, true
}

// end searches a state in which every read has its write: it tries the orders of fence.sc and of writes.
func (q *search) end(s *state) (bool, error) {
	stuck := s.stuck()
	if q.hang == (len(stuck) == 0) {
		return true, nil
	}
	var err error
	more := s.quorums(func(first consistency.Set) bool {
		if err = q.count(); err != nil {
			return false
		}
		var more bool
		more, err = (&leaf{state: s, x: s.graph(first), stuck: stuck}).orders()
		return more && err == nil
	})
	return more, err
}

// stuck names the threads that never end.
func (s *state) stuck() []string {
	var list []string
	for i := range s.run {
		r, name := &s.run[i], s.test.Threads[i].Name
		switch {
		case r.spin != 0:
			list = append(list, fmt.Sprintf("%s repeats line %d for ever", name, r.line))
		case r.at >= 0 && !s.complete(r.at):
			ins := s.events[r.at].ins
			list = append(list, fmt.Sprintf("%s waits at line %d, %s, for ever", name, ins.Line, ins.Text))
		}
	}
	return list
}
