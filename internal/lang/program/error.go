package program

import "fmt"

// An Error is the first fault of a source.
type Error struct {
	Span
	Msg        string
	Hint       string
	Incomplete bool // more input, begun on a new line, could make the source valid
	Refused    bool // a statement of Python or C++ that is not run
}

// Error returns the message without the place.
func (e *Error) Error() string { return e.Msg }

// A failure carries an *Error from the depth of a parser to the function that began to parse.
type failure struct{ err *Error }

func fail(at Span, format string, args ...any) {
	panic(failure{&Error{Span: at, Msg: fmt.Sprintf(format, args...)}})
}

// attempt calls f and returns the error with which it failed.
func attempt(f func()) (err *Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.err
		default:
			panic(r)
		}
	}()
	f()
	return nil
}
