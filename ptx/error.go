package ptx

import (
	"fmt"
	"strings"
)

// Code is the class of an [Error]. The strings are stable.
type Code string

// The codes of the errors that [Parse] and [Builder.Func] return.
const (
	CodeSyntax   Code = "syntax"   // what the grammar of PTX does not allow
	CodeOverflow Code = "overflow" // a number that does not fit
	CodeDepth    Code = "depth"    // blocks, lists or expressions nested deeper than MaxDepth
	CodeLimit    Code = "limit"    // a source of more than MaxSource bytes
	CodeBuild    Code = "build"    // what a Builder cannot write
)

// Limits of [Parse].
const (
	MaxSource = 16 << 20 // bytes
	MaxDepth  = 200      // blocks, lists and parentheses within each other
	MaxCount  = 1 << 24  // registers of one declaration: %r<16777216>
)

// Error is the first fault that [Parse] finds, or that a [Builder] was made to commit. They return no other type of
// error.
type Error struct {
	Code      Code
	Line, Col int    // from 1, columns in bytes; 0 where there is no source
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

// Caret returns two lines: that of the source, and one with a caret below the fault. Of a long line it shows the part
// around it.
func (e *Error) Caret() string {
	const around = 100 // bytes before and behind the fault
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
