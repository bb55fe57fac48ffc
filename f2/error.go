package f2

import "fmt"

// An Error says that an operation is not defined for its operands, and why.
type Error struct {
	Op  string // the operation, such as "mul"
	Msg string // what was expected and what was found, with the numbers
}

// Error returns the operation and the message: "f2: mul: expected ...".
func (e *Error) Error() string { return "f2: " + e.Op + ": " + e.Msg }

//go:noinline
func failf(op, format string, args ...any) error {
	return &Error{Op: op, Msg: fmt.Sprintf(format, args...)}
}
