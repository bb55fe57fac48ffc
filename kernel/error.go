package kernel

import (
	"errors"
	"fmt"
	"runtime"

	"girih/cute"
)

// An Error is a mistake in a kernel, with the line that made it.
type Error struct {
	File string // base name
	Line int
	Err  *cute.Error
}

// Error returns "gemm.go:42: not_divisible: local_tile: ...", followed by the hint in brackets.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	if e.Err.Hint != "" {
		text += " (" + e.Err.Hint + ")"
	}
	return text
}

// Unwrap returns the error without the line, of type *[cute.Error].
func (e *Error) Unwrap() error { return e.Err }

// stop is the panic value of a mistake: the panic leaves the traced function, including Go loops around the mistake.
type stop struct{ k *K }

// fail records the first mistake with the line outside this package that made the mistake, and ends the trace.
func (k *K) fail(err error) {
	if k.err != nil || err == nil {
		return
	}
	var pcs [32]uintptr
	k.failAt(err, pcs[:runtime.Callers(2, pcs[:])])
	if k.tracing {
		panic(stop{k})
	}
}

// failAt records a mistake with the stack that made it. An error that is not a [cute.Error] is converted to a
// [cute.Error] with its code.
func (k *K) failAt(err error, pcs []uintptr) {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		e = &cute.Error{Code: codeOf(err), Msg: err.Error()}
	}
	k.err = &Error{Err: e}
	k.err.File, k.err.Line = outside(pcs)
}

// codeOf returns the code of an error of any package of girih, and [cute.CodeType] for an error without a code.
func codeOf(err error) cute.Code {
	if code, ok := errors.AsType[cute.Code](err); ok {
		return code
	}
	return cute.CodeType
}

// A failure is the panic value of [Must].
type failure struct {
	err error
	pcs *[12]uintptr
}

// Must returns x. It lets kernels use what packages atom and cute make without an if statement after each call. In a
// function that [Trace] traces, an error ends the trace, and Trace returns it with the line of the call. Elsewhere Must
// panics with the error.
func Must[T any](x T, err error) T {
	if err != nil {
		f := failure{err: err, pcs: new([12]uintptr)}
		runtime.Callers(2, f.pcs[:])
		panic(f)
	}
	return x
}

// Error returns the text of the error, for a panic outside of a trace.
func (f failure) Error() string { return f.err.Error() }

// trace calls f until it returns or makes a mistake.
func (k *K) trace(f func(k *K)) {
	k.tracing = true
	defer func() {
		k.tracing = false
		r := recover()
		if failed, ok := r.(failure); ok {
			k.failAt(failed.err, failed.pcs[:])
		} else if r != nil && r != any(stop{k}) {
			panic(r)
		}
	}()
	f(k)
}

// refuse records a mistake; op is CuTe's name of the operation.
func (k *K) refuse(op string, code cute.Code, format string, args ...any) {
	k.fail(&cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)})
}

// An advice is a hint that a refusal will carry.
type advice struct {
	k    *K
	hint string
}

// advise returns an advice; call refuse on it.
func (k *K) advise(format string, args ...any) advice { return advice{k, fmt.Sprintf(format, args...)} }

// refuse records a mistake with the advice as its hint.
func (a advice) refuse(op string, code cute.Code, format string, args ...any) {
	a.k.fail(&cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...), Hint: a.hint})
}

// repair records a mistake with a hint.
func (k *K) repair(hint string, e *cute.Error) {
	e.Hint = hint
	k.fail(e)
}

// space takes over an error of the address algebra, and reports whether there is none.
func (k *K) space() bool {
	if k.err == nil && k.s.Err() != nil {
		k.fail(k.s.Err())
	}
	return k.err == nil
}
