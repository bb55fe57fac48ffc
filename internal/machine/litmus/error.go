package litmus

import (
	"fmt"

	"girih/fault"
)

// An Error says why a text is no test, or a test has no answer. Its codes are [fault.Syntax], [fault.Limit] if the
// test or its search is too large, and [fault.Range] if an execution divides by 0.
type Error struct {
	Code    fault.Code
	Line    int // of the text; 0 if it is about all of it
	Message string
}

// Error returns the line and what is wrong.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Code }

func tooLarge(format string, args ...any) error {
	return &Error{Code: fault.Limit, Message: fmt.Sprintf(format, args...)}
}
