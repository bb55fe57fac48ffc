package report

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/syntax"
	"girih/internal/why/explain"
)

// An Error says why an expression has no value, or an operation no answer.
type Error struct {
	Code    string   `json:"code"`              // one of ErrorCodes
	Message string   `json:"message"`           // the operation and what is wrong, with the numbers, without the code
	Witness *Witness `json:"witness,omitempty"` // the place where it fails
	Hint    string   `json:"hint,omitempty"`    // what would work instead

	// The error concerns the bytes [Pos, End) of the source. Incomplete is true if more input could help. The output of
	// girih eval --json does not contain these fields.
	Pos        int  `json:"-"`
	End        int  `json:"-"`
	Incomplete bool `json:"-"`
}

// A Witness is the place where an operation fails. Its tuples are canonical text.
type Witness struct {
	Coord string `json:"coord"`           // the first coordinate at which no candidate agrees with the definition
	Index int64  `json:"index"`           // the colexicographic index of the coordinate
	Value string `json:"value"`           // the value there according to the definition
	Want  string `json:"want"`            // the value there of every candidate
	Other string `json:"other,omitempty"` // a second coordinate, if two places together form the witness
}

// Of describes an error of the evaluator or the parser.
func Of(err error) *Error {
	if s, ok := errors.AsType[*syntax.Error](err); ok {
		return &Error{Code: string(s.Code), Message: s.Error(), Pos: s.Pos, End: s.End, Incomplete: s.Incomplete}
	}
	info := new(Error)
	defer func() { info.Message = Brief(info.Message) }()
	if e, ok := errors.AsType[*eval.Error](err); ok {
		info.Pos, info.End, info.Incomplete = e.Pos, e.End, e.Incomplete
	}
	g, ok := errors.AsType[*cute.Error](err)
	if !ok {
		info.Code, info.Message = string(cute.CodeType), err.Error()
		return info
	}
	info.Code, info.Message, info.Hint = string(g.Code), g.Msg, g.Hint
	if g.Op != "" {
		info.Message = g.Op + ": " + g.Msg
	}
	if w := g.Witness; w != nil {
		info.Witness = &Witness{Coord: w.Coord.String(), Index: w.Index, Value: w.Value.String(), Want: w.Want.String()}
		if w.Other != nil {
			info.Witness.Other = w.Other.String()
		}
	}
	return info
}

// Under returns the error of an operation with the name of another operation. Several operations share a reader, whose
// errors must name the operation that was called. With an empty name the error names no operation.
func Under(op string, err error) error {
	g, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return err
	}
	renamed := *g
	renamed.Op = op
	return &renamed
}

// maxMessage is the longest message of an error, in bytes: it may quote a value of millions of numbers.
const maxMessage = 4096

// Brief cuts the middle out of a message that is too long.
func Brief(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	const part = maxMessage / 2
	return strings.ToValidUTF8(message[:part], "") + " ... " + strings.ToValidUTF8(message[len(message)-part:], "")
}

// TooLong says that a program has n bytes, more than the language takes.
func TooLong(n int) *Error {
	return &Error{
		Code:    string(cute.CodeLimit),
		Message: fmt.Sprintf("the source is %d bytes long, the limit is %d", n, syntax.MaxSource),
	}
}

// Whole describes an error about the program src as a whole.
func Whole(err error, src string) *Error {
	info := Of(err)
	info.End = len(src)
	return info
}

// ErrNothing is the error of a program without an expression.
var ErrNothing error = &cute.Error{Code: cute.CodeSyntax, Msg: "expected an expression, found nothing"}

// HasPlace reports whether the error has a place in its source.
func (e *Error) HasPlace() bool { return e.Pos >= 0 }

// Line returns the error on one line: "error: CODE: message".
func (e *Error) Line() string { return OneLine("error: " + e.Code + ": " + e.Message) }

// Report returns the error as a person reads it: the line of [Error.Line], the place in the source src
// with a caret below it, the witness and the hint. Every line ends with a newline. Prose is wrapped to width columns,
// unless that is 0.
func (e *Error) Report(src string, width int) string {
	var b strings.Builder
	b.WriteString(prose(e.Line(), width, ""))
	if line, mark := excerpt(src, e.Pos, e.End); line != "" {
		fmt.Fprintf(&b, "  %s\n  %s\n", line, mark)
	}
	if e.Witness != nil {
		b.WriteString(prose("witness: "+e.Witness.String(), width, "  "))
	}
	if e.Hint != "" {
		b.WriteString(prose("hint: "+OneLine(e.Hint), width, "  "))
	}
	return b.String()
}

// prose returns one line of text, or as many lines as a width other than 0 requires.
func prose(text string, width int, first string) string {
	if width == 0 {
		return first + text + "\n"
	}
	return explain.Wrap(text, width, first, first+"  ")
}

// String returns the witness in words.
func (w *Witness) String() string {
	if w.Coord == "()" && w.Want == "()" {
		return "nothing has the value " + w.Value
	}
	at := fmt.Sprintf("at index %d", w.Index)
	if w.Coord != fmt.Sprint(w.Index) {
		at += ", coordinate " + w.Coord + ","
	}
	if w.Other != "" {
		at += " and at " + w.Other
	}
	if at += " the value is " + w.Value; w.Want != "()" {
		at += ", a layout would give " + w.Want
	}
	return at
}

// OneLine returns s with every line break replaced by a blank, because results and errors take one line each.
func OneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
}
