package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"girih/fault"
)

// Code is the machine-readable class of an Error: it is the type of all packages of girih.
type Code = fault.Code

// The codes of the errors that Parse returns.
const (
	// CodeSyntax marks a text that the grammar does not allow.
	CodeSyntax = fault.Syntax
	// CodeOverflow marks an integer that does not fit in 64 signed bits.
	CodeOverflow = fault.Overflow
	// CodeDepth marks a text that nests deeper than MaxDepth or MaxHeight.
	CodeDepth = fault.Depth
	// CodeTooLong marks a source of more than MaxSource bytes.
	CodeTooLong = fault.Limit
)

// Error is the first fault found in a source. Parse returns no other type of error.
type Error struct {
	// Code is the class of the fault.
	Code Code
	// Pos and End are byte offsets of the offending text, End exclusive. At the end of the input both are the end of
	// the last token, so that a caret points right after the text.
	Pos, End int
	// Msg states, in lower case, what was expected and what was found, without the position.
	Msg string
	// Incomplete is true exactly when more input, begun on a new line, could make the text valid.
	Incomplete bool

	line, column int  // of Pos, counted from 1; 0 in an Error that the parser did not make
	single       bool // the source is a single line
}

// Error returns "line:col: msg", or "col N: msg" when the source is a single line. Both numbers
// count from 1, and columns count runes.
func (e *Error) Error() string {
	switch {
	case e.line == 0:
		return e.Msg
	case e.single:
		return fmt.Sprintf("col %d: %s", e.column, e.Msg)
	}
	return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.Msg)
}

// Unwrap returns the code, so that errors.Is asks an error for its code.
func (e *Error) Unwrap() error { return e.Code }

// Position returns the line and the column of a byte offset in src. Both count from 1; columns count runes, and an
// invalid byte counts as one. An offset outside src is moved to the nearer end of src.
func Position(src string, offset int) (line, column int) {
	before := src[:min(max(offset, 0), len(src))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// singleLine reports whether src is one line, with or without newlines to end it.
func singleLine(src string) bool {
	return !strings.Contains(strings.TrimRight(src, "\r\n"), "\n")
}

// shownBytes limits, in bytes, how much of an offending word or number a message repeats.
const shownBytes = 64

// shorten cuts a long word or number. Both are ASCII, so it can cut at any byte.
func shorten(text string) string {
	if len(text) <= shownBytes {
		return text
	}
	return fmt.Sprintf("%s... (%d characters)", text[:shownBytes], len(text))
}

// fail records the fault, with its place in the source, unless an earlier one is recorded.
func (p *parser) fail(code Code, pos, end int, msg string) {
	if p.err != nil {
		return
	}
	line, column := Position(p.scan.src, pos)
	p.err = &Error{
		Code:   code,
		Pos:    pos,
		End:    end,
		Msg:    msg,
		line:   line,
		column: column,
		single: singleLine(p.scan.src),
	}
}

// want fails at the current token. what names the tokens that would have been valid in its place.
//
// The grammar is LL(1) apart from named arguments, so the text before the current token begins some valid text. Hence
// more input helps exactly when the current token is the end of the input.
func (p *parser) want(what string) { p.reject(what, "") }

// expectedOperator fails where an operand has just ended and an operator might follow. It adds advice on tokens that
// look like operators but are not.
func (p *parser) expectedOperator(what string) { p.reject(what, p.hint()) }

func (p *parser) reject(what, hint string) {
	if p.err != nil {
		return
	}
	pos, end := p.tok.Pos, p.tok.End
	if p.tok.Kind == KindEOF {
		pos, end = p.end, p.end
	}
	p.fail(CodeSyntax, pos, end, "expected "+what+", found "+p.currentToken()+hint)
	p.err.Incomplete = p.tok.Kind == KindEOF
}

// currentToken describes the current token.
func (p *parser) currentToken() string {
	switch p.tok.Kind {
	case KindEOF, KindNewline:
		return p.tok.Kind.String()
	case KindIllegal:
		if strings.HasPrefix(p.text(), `\`) && len(p.text()) > 1 {
			return "the command '" + shorten(p.text()) + "' of LaTeX"
		}
		r, size := utf8.DecodeRuneInString(p.text())
		if r == utf8.RuneError && size <= 1 {
			return fmt.Sprintf("byte 0x%02x", p.text()[0])
		}
		return fmt.Sprintf("character %q (%U)", r, r)
	}
	return "'" + shorten(p.text()) + "'"
}

func (p *parser) hint() string {
	switch p.tok.Kind {
	case KindAssign:
		return " (a name is bound by 'let a = ...', values are compared by '==')"
	case KindAt:
		return " ('@' follows an integer literal, as in 2@1)"
	case KindLess, KindGreater:
		return " ('<' and '>' only enclose tilers and template lists)"
	case KindIllegal:
		if p.text() == "^" {
			return " ('^' takes *, -1 or T, as in A^T; the exclusive or is xor(A,B))"
		}
	}
	return ""
}

// openedAt says where an enclosing bracket was opened.
func (p *parser) openedAt(pos int) string {
	line, column := Position(p.scan.src, pos)
	if singleLine(p.scan.src) {
		return fmt.Sprintf("opened at column %d", column)
	}
	return fmt.Sprintf("opened at line %d, column %d", line, column)
}
