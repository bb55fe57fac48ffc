package gpu

import (
	"fmt"

	"girih/internal/card/cuda"
)

// Error is what every function of this package returns: a code, a sentence with numbers, what the driver says, the log
// of its compiler, a hint.
type Error = cuda.Error

// Code is the class of an [Error]. The strings are stable.
type Code = cuda.Code

// The codes.
const (
	NoDriver    = cuda.NoDriver    // there is no driver, or none for this system
	OldDriver   = cuda.OldDriver   // the driver lacks a function
	NoDevice    = cuda.NoDevice    // there is no card, or none of that number
	Refused     = cuda.Refused     // the driver does not compile or load a module; Log says why
	OutOfMemory = cuda.OutOfMemory // of the card, or pinned memory of the host
	Argument    = cuda.Argument    // what is asked for is refused before the driver sees it
	BadLaunch   = cuda.Launch      // the driver refuses a launch
	Fault       = cuda.Fault       // a kernel did something wrong; the process has to start again
	Left        = cuda.Left        // work that was left is still running
	Failed      = cuda.Failed      // any other call that failed
)

// wrong makes an error of the code [Argument].
func wrong(format string, args ...any) error {
	return &Error{Code: Argument, Message: fmt.Sprintf(format, args...)}
}
