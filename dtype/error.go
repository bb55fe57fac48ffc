package dtype

import "fmt"

// A Code names a kind of error. Codes with the same meaning as in package cute have the same spelling.
type Code string

// The codes.
const (
	CodeName Code = "name" // CodeName: no element type has this name.
	CodeType Code = "type" // CodeType: the operation is not defined for codes or values of this kind.
	// CodeRange: the type has no such code, or no value near this number.
	CodeRange Code = "range"
)

// An Error says that a name, a code or a value does not belong to a type, and why.
type Error struct {
	Code Code
	Msg  string // what was expected and what was found
}

// Error returns the code and the message: "range: 449 lies beyond ...".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Msg }

func refuse(c Code, format string, args ...any) error {
	return &Error{Code: c, Msg: fmt.Sprintf(format, args...)}
}
