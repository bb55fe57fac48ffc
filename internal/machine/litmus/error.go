package litmus

import (
	"fmt"

	"girih/fault"
)

// An Error says why a text is not a test, or why a test has no answer. Its codes are [fault.Syntax], [fault.Limit] if
// the test or its search is too large, and [fault.Range] if an execution divides by 0.
type Error struct {
	Code    fault.Code
	Line    int // a line of the text; 0 if the error concerns the whole text
	Message string
}

// Error returns the line and the message.
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
