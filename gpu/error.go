package gpu

import (
	"fmt"

	"girih/internal/card/cuda"
)

// Error is the error of every function of this package: a code, a message with numbers, the driver's own words, the log
// of its compiler, and a hint. Its fields are Code, Message, Call, Status, Name, Text, Log and Hint.
type Error = cuda.Error

// Code is the class of an [Error]. The strings are stable.
type Code = cuda.Code

// The codes.
const (
	NoDriver    = cuda.NoDriver    // there is no driver, or none for this system
	OldDriver   = cuda.OldDriver   // the driver lacks a function
	NoDevice    = cuda.NoDevice    // there is no card, or none of that number
	Refused     = cuda.Refused     // the driver does not compile or load a module; Log says why
	OutOfMemory = cuda.OutOfMemory // the card's memory or the host's pinned memory is exhausted
	Argument    = cuda.Argument    // an argument was rejected before the driver was called
	BadLaunch   = cuda.Launch      // the driver refuses a launch
	Fault       = cuda.Fault       // a kernel did something wrong; the process has to start again
	Left        = cuda.Left        // queued work is still running after the context ended
	Failed      = cuda.Failed      // any other call that failed
)

// wrong makes an error of the code [Argument].
func wrong(format string, args ...any) error {
	return &Error{Code: Argument, Message: fmt.Sprintf(format, args...)}
}
