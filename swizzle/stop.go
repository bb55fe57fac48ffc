package swizzle

import (
	"errors"

	"girih/cute"
	"girih/internal/ints"
)

// A searchEnd is what a search panics with when [Problem.Stop] ends it; [Solve] returns its error.
type searchEnd struct{ err error }

// check ends the search if [Problem.Stop] says so. Searches call it before steps of about a millisecond.
func (t *tile) check() {
	if t.Stop == nil {
		return
	}
	if err := t.Stop(); err != nil {
		panic(searchEnd{err})
	}
}

// checkAt calls check at some of the steps i = 0, 1, 2, ... of a list.
func (t *tile) checkAt(i int) {
	if i%ints.Every == 0 {
		t.check()
	}
}

// checkStop is check as a function that returns an error, which is always nil.
func (t *tile) checkStop() error {
	t.check()
	return nil
}

// catch recovers from a searchEnd and stores its error in err, the result of the deferring function.
func catch(err *error) {
	p := recover()
	if p == nil {
		return
	}
	s, ok := p.(searchEnd)
	if !ok {
		panic(p)
	}
	if e, ok := errors.AsType[*cute.Error](s.err); ok {
		*err = e
		return
	}
	*err = &cute.Error{Code: cute.CodeLimit, Op: opSolve, Msg: s.err.Error()}
}

// checkSteps is the number of steps of a search between two calls of its check.
const checkSteps = 1 << 16

// count adds n to the steps of the search.
func (s *columnSearch) count(n int64) {
	s.steps += n
	if s.steps >= s.next {
		s.next = s.steps + checkSteps
		if s.check != nil {
			s.check()
		}
	}
}
