package diagnose

import (
	"errors"

	"girih/internal/lang/eval"
)

// An evaluator evaluates the expressions in a text and possible repairs. It may evaluate hundreds of expressions for
// one message, until limit returns an error.
type evaluator struct {
	limit func() error // may be nil
	over  error        // the error that limit returned
}

// isStopped reports whether limit has returned an error. After that, no expression has a value.
func (e *evaluator) isStopped() bool {
	if e.over == nil && e.limit != nil {
		e.over = e.limit()
	}
	return e.over != nil
}

// eval evaluates a program and returns the result of its last statement.
func (e *evaluator) eval(src string) (eval.Result, error) {
	if e.isStopped() {
		return eval.Result{}, e.over
	}
	var env eval.Env
	if e.limit != nil {
		env.Limit(e.limit)
	}
	rs, err := env.Eval(src)
	switch {
	case err != nil:
		return eval.Result{}, err
	case len(rs) == 0:
		return eval.Result{}, errors.New("expected an expression, found nothing")
	}
	return rs[len(rs)-1], nil
}

// result evaluates an expression and returns its value as canonical text.
func (e *evaluator) result(expr string) (string, error) {
	r, err := e.eval(expr)
	if err != nil {
		return "", err
	}
	return r.Value.String(), nil
}
