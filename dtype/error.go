package dtype

import (
	"fmt"

	"girih/fault"
)

// A Code names a kind of error; all packages of girih share the type.
type Code = fault.Code

// The codes.
const (
	CodeName = fault.Name // CodeName: no element type has this name.
	CodeType = fault.Type // CodeType: the operation is not defined for codes or values of this kind.
	// CodeRange: the type has no such code, or no value near this number.
	CodeRange = fault.Range
)

// An Error says that a name, a code or a value does not belong to a type, and why.
type Error struct {
	Code Code
	Msg  string // what was expected and what was found
}

// Error returns the code and the message: "range: 449 is beyond ...".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Msg }

// Unwrap returns the code, so that errors.Is(err, [CodeRange]) tests the code of an error.
func (e *Error) Unwrap() error { return e.Code }

func refuse(c Code, format string, args ...any) error {
	return &Error{Code: c, Msg: fmt.Sprintf(format, args...)}
}
