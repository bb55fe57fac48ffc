package gpu

import (
	"fmt"
	"strings"

	"girih/fault"
	"girih/internal/card/cuda"
)

// Code is the class of an [Error], one type for all packages of girih. The strings are stable.
type Code = fault.Code

// The codes.
const (
	NoDriver    = fault.NoDriver    // there is no driver, or none for this system
	OldDriver   = fault.OldDriver   // the driver lacks a function
	NoDevice    = fault.NoDevice    // there is no card, or none of that number
	Refused     = fault.Refused     // the driver does not compile or load a module; Log says why
	OutOfMemory = fault.OutOfMemory // the card's memory or the host's pinned memory is exhausted
	Argument    = fault.Argument    // an argument was rejected before the driver was called
	BadLaunch   = fault.Launch      // the driver refuses a launch
	Fault       = fault.Kernel      // a kernel did something wrong; the process has to start again
	Left        = fault.Left        // queued work is still running after the context ended
	Failed      = fault.Failed      // any other call that failed
)

// Error is the error of every function of this package.
type Error struct {
	Code    fault.Code
	Message string // a sentence with numbers
	Call    string // the driver's function: "cuMemAlloc_v2"; "" if it was not called
	Status  int    // the CUresult that it returned; 0 if it was not called
	Name    string // the driver's name of the status: "CUDA_ERROR_OUT_OF_MEMORY"
	Text    string // the driver's text for the status: "out of memory"
	Log     string // messages of the compiler in the driver
	Hint    string // what to do, or ""
}

// Error returns the message, then the driver's call, status and log.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Call != "" {
		if e.Message != "" {
			b.WriteString(": ")
		}
		fmt.Fprintf(&b, "%s: %s", e.Call, e.Name)
		if e.Name == "" {
			fmt.Fprintf(&b, "status %d", e.Status)
		}
		if e.Text != "" {
			fmt.Fprintf(&b, " (%s)", e.Text)
		}
	}
	if e.Log != "" {
		b.WriteString("\n" + e.Log)
	}
	return b.String()
}

// Unwrap returns the code, so that errors.Is(err, [OutOfMemory]) asks whether the error has the code [OutOfMemory].
func (e *Error) Unwrap() error { return e.Code }

// failure returns a failure of the driver as an error, nil for nil.
func failure(f *cuda.Failure) error {
	if f == nil {
		return nil
	}
	return (*Error)(f)
}

// wrong returns an error with the code [Argument].
func wrong(format string, args ...any) error {
	return &Error{Code: Argument, Message: fmt.Sprintf(format, args...)}
}
