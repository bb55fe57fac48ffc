package ptx

import (
	"fmt"
	"strings"

	"girih/fault"
)

// Code is the class of an [Error]. All packages of girih use this type.
type Code = fault.Code

// The codes of the errors that [Parse] and [Builder.Func] return.
const (
	CodeSyntax   = fault.Syntax   // the source violates the grammar of PTX
	CodeOverflow = fault.Overflow // a number is out of range
	CodeDepth    = fault.Depth    // blocks, lists or expressions nest deeper than MaxDepth
	CodeLimit    = fault.Limit    // the source is longer than MaxSource bytes
	CodeBuild    = fault.Build    // a Builder was used incorrectly
)

// Limits of [Parse].
const (
	MaxSource = 16 << 20 // bytes
	MaxDepth  = 200      // nested blocks, lists and parentheses
	MaxCount  = 1 << 24  // registers of one declaration: %r<16777216>
)

// Error is the first fault that [Parse] finds, or the first mistake made with a [Builder]. Parse and [Builder.Func]
// return no other type of error.
type Error struct {
	Code      Code
	Line, Col int    // the place, counted from 1, Col in bytes; 0 if there is no source
	Expected  string // "';'", "a register"
	Found     string // "end of file", "'}'"
	Source    string // the source line that contains the fault
}

// Error returns where the fault is and what was expected.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("expected %s, found %s", e.Expected, e.Found)
	}
	return fmt.Sprintf("%d:%d: expected %s, found %s", e.Line, e.Col, e.Expected, e.Found)
}

// Unwrap returns the code, so that errors.Is(err, [CodeLimit]) tests for a code.
func (e *Error) Unwrap() error { return e.Code }

// Caret returns two lines: the source line, and a line with a caret below the fault. A long source line is cut around
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
