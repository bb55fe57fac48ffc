package program

import "fmt"

// An Error is the first fault of a source.
type Error struct {
	Span
	Msg        string
	Hint       string
	Incomplete bool // more input, begun on a new line, could make the source valid
	Refused    bool // the statement of Python or C++ is valid but not supported
	limit      bool // a limit of the parser was exceeded, so that another way to read the source would not help
}

// Error returns the message without the place.
func (e *Error) Error() string { return e.Msg }

// A failure carries an *Error from the depth of a parser to the function that began to parse.
type failure struct{ err *Error }

//go:noinline
func fail(at Span, format string, args ...any) {
	panic(failure{&Error{Span: at, Msg: fmt.Sprintf(format, args...)}})
}

// exceed fails at a limit of the parser.
func exceed(at Span, format string, args ...any) {
	panic(failure{&Error{Span: at, Msg: fmt.Sprintf(format, args...), limit: true}})
}

// alternative calls f and returns the error with which it failed. It fails itself if f exceeds a limit.
func alternative(f func()) *Error {
	err := attempt(f)
	if err != nil && err.limit {
		panic(failure{err})
	}
	return err
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
