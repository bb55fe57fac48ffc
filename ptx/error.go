package ptx

import (
	"fmt"
	"strings"

	"girih/fault"
)

// Code is the class of an [Error]: it is the type of all packages of girih.
type Code = fault.Code

// The codes of the errors that [Parse] and [Builder.Func] return.
const (
	CodeSyntax   = fault.Syntax   // the grammar of PTX does not allow this
	CodeOverflow = fault.Overflow // a number does not fit
	CodeDepth    = fault.Depth    // blocks, lists or expressions nest deeper than MaxDepth
	CodeLimit    = fault.Limit    // the source has more than MaxSource bytes
	CodeBuild    = fault.Build    // a Builder cannot write this
)

// Limits of [Parse].
const (
	MaxSource = 16 << 20 // bytes
	MaxDepth  = 200      // nested blocks, lists and parentheses
	MaxCount  = 1 << 24  // registers of one declaration: %r<16777216>
)

// Error is the first fault that [Parse] finds, or the first mistake made with a [Builder]. They return no other type of
// error.
type Error struct {
	Code      Code
	Line, Col int    // from 1, columns in bytes; 0 if there is no source
	Expected  string // "';'", "a register"
	Found     string // "end of file", "'}'"
	Source    string // the line of the source that has the fault
}

// Error returns where the fault is and what was expected.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("expected %s, found %s", e.Expected, e.Found)
	}
	return fmt.Sprintf("%d:%d: expected %s, found %s", e.Line, e.Col, e.Expected, e.Found)
}

// Unwrap returns the code, so that errors.Is(err, [CodeLimit]) asks an error for its code.
func (e *Error) Unwrap() error { return e.Code }

// Caret returns two lines: the line of the source, and a line with a caret below the fault. A long line is cut around
// the fault.
func (e *Error) Caret() string {
	const around = 100 // bytes before and after the fault
	line, at := e.Source, min(max(e.Col-1, 0), len(e.Source))
	line = line[:min(len(line), at+around)]
	from := max(0, at-around)
	line, at = line[from:], at-from
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(line[:at], " "))
	return strings.ToValidUTF8(line, " ") + "\n" + blank + "^"
}
