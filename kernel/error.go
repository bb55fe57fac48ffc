package kernel

import (
	"errors"
	"fmt"
	"runtime"

	"girih"
)

// An Error is a mistake in a kernel, with the line that made it.
type Error struct {
	File string // without its folder
	Line int
	Err  *girih.Error
}

// Error returns "gemm.go:42: not_divisible: local_tile: ...".
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the error without the line, of type *[girih.Error].
func (e *Error) Unwrap() error { return e.Err }

// stop is what a mistake panics with, to leave the function that is traced: Go loops around it end too.
type stop struct{ k *K }

// fail notes the first mistake, at the line outside of this package that made it, and ends the trace.
func (k *K) fail(err error) {
	if k.err != nil || err == nil {
		return
	}
	e, ok := errors.AsType[*girih.Error](err)
	if !ok {
		e = &girih.Error{Code: girih.CodeType, Msg: err.Error()}
	}
	k.err = &Error{Err: e}
	var pcs [32]uintptr
	k.err.File, k.err.Line = outside(pcs[:runtime.Callers(2, pcs[:])])
	if k.tracing {
		panic(stop{k})
	}
}

// trace calls f until it returns or makes a mistake.
func (k *K) trace(f func(k *K)) {
	k.tracing = true
	defer func() {
		k.tracing = false
		if r := recover(); r != nil && r != any(stop{k}) {
			panic(r)
		}
	}()
	f(k)
}

// refuse notes a mistake; op is CuTe's name of what was asked for.
func (k *K) refuse(op string, code girih.Code, format string, args ...any) {
	k.fail(&girih.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)})
}

// repair notes a mistake with what would do instead.
func (k *K) repair(hint string, e *girih.Error) {
	e.Hint = hint
	k.fail(e)
}

// space takes over the error of the algebra.
func (k *K) space() bool {
	if k.err == nil && k.s.Err() != nil {
		k.fail(k.s.Err())
	}
	return k.err == nil
}
