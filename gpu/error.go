package gpu

import (
	"fmt"
	"strings"

	"girih/fault"
	"girih/internal/card/cuda"
)

// Code is the class of an [Error]. All packages of girih use this type. The strings of codes do not change.
type Code = fault.Code

// The codes of an [Error].
const (
	NoDriver    = fault.NoDriver    // no driver is installed, or none exists for this system
	OldDriver   = fault.OldDriver   // the driver lacks a function
	NoDevice    = fault.NoDevice    // there is no card, or no card with the given number
	Refused     = fault.Refused     // the driver does not compile or load a module; Log gives the reason
	OutOfMemory = fault.OutOfMemory // the card's memory or the host's pinned memory is exhausted
	Argument    = fault.Argument    // an argument was rejected before the driver was called
	BadLaunch   = fault.Launch      // the driver refuses a launch
	Fault       = fault.Kernel      // a kernel failed while running; the process must be restarted
	Left        = fault.Left        // queued work is still running although its context ended
	Failed      = fault.Failed      // any other call of the driver failed
)

// Error is the type of this package's errors.
type Error struct {
	Code    fault.Code
	Message string // a sentence with numbers
	Call    string // the driver's function: "cuMemAlloc_v2"; "" if none was called
	Status  int    // the CUresult of the call; 0 without a call
	Name    string // the driver's name of the status: "CUDA_ERROR_OUT_OF_MEMORY"
	Text    string // the driver's text for the status: "out of memory"
	Log     string // messages of the driver's compiler
	Hint    string // what to do, or ""
}

// Error returns the message, followed by the driver's call, status and log.
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

// failure converts a failure of the driver to an error, and nil to nil.
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
