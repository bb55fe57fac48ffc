package kernel

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"girih/cute"
)

// An Error is a mistake in a kernel, with the line that made it.
type Error struct {
	File  string // base name
	Line  int
	Calls []Place // if that line is in a helper function: the calls of helpers, up to the traced function
	Err   *cute.Error
}

// A Place is a line of a Go file.
type Place struct {
	File string // base name
	Line int
}

// String returns the place as "gemm.go:42".
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Error returns "gemm.go:42: not_divisible: local_tile: ...", followed by the hint in brackets. If line 42 is in a
// helper function, the text begins with "gemm.go:42, called at gemm.go:88:".
func (e *Error) Error() string {
	text := Place{e.File, e.Line}.String()
	for i, c := range e.Calls {
		if i == 0 {
			text += ", called at"
		}
		text += " " + c.String()
	}
	text = fmt.Sprintf("%s: %v", text, e.Err)
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
	if err == nil || !k.ready() {
		return
	}
	var pcs [64]uintptr
	k.failAt(k.missing(err), k.orStated(placesOf(pcs[:runtime.Callers(2, pcs[:])])))
	k.leave()
}

// leave ends the trace after a mistake.
func (k *K) leave() {
	if k.tracing {
		panic(stop{k})
	}
}

// failAt records a mistake with the line that made it and the calls around that line. An error that is not a
// [cute.Error] is converted to a [cute.Error] with its code.
func (k *K) failAt(err error, at []Place) {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		e = &cute.Error{Code: codeOf(err), Msg: err.Error()}
	}
	k.err = &Error{Err: e}
	if len(at) > 0 {
		k.err.File, k.err.Line, k.err.Calls = at[0].File, at[0].Line, at[1:]
	}
}

// placesOf returns the line of a stack that is outside of this package, and the lines that call helper functions around
// it, up to the traced function. The lines of k.For and k.If are no such calls.
func placesOf(pcs []uintptr) []Place {
	var out []Place
	called := false // by this package
	for frames := runtime.CallersFrames(pcs); ; {
		f, more := frames.Next()
		at := Place{filepath.Base(f.File), f.Line}
		switch {
		case f.Function == "girih/kernel.(*K).trace":
			return out
		case !isOutside(f):
			called = true
		default:
			if len(out) == 0 || !called && out[len(out)-1] != at {
				out = append(out, at)
			}
			called = false
		}
		if !more { // outside of a trace, or a part of a stack
			return out[:min(len(out), 1)]
		}
	}
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
	pcs *[24]uintptr
}

// Must returns x. It lets kernels use what packages atom and cute make without an if statement after each call. In a
// function that [Trace] traces, an error ends the trace, and Trace returns it with the line of the call. Elsewhere Must
// panics with the error.
func Must[T any](x T, err error) T {
	if err != nil {
		panic(failureOf(err))
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
			k.failAt(failed.err, k.orStated(placesOf(failed.pcs[:])))
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
