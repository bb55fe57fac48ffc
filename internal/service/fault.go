package service

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/reader"
	"girih/internal/lang/syntax"
)

// An ErrorInfo says why an expression has no value.
type ErrorInfo struct {
	Code    string   `json:"code"`              // one of ErrorCodes
	Message string   `json:"message"`           // the operation and what is wrong, with the numbers, without the code
	Witness *Witness `json:"witness,omitempty"` // the place where it fails
	Hint    string   `json:"hint,omitempty"`    // what would work instead

	// The bytes [Pos, End) of the source are the place; Incomplete says that more input could help.
	// The contract of girih eval --json does not have them.
	Pos        int  `json:"-"`
	End        int  `json:"-"`
	Incomplete bool `json:"-"`
}

// A Witness is the place where an operation fails. The tuples are canonical text.
type Witness struct {
	Coord string `json:"coord"`           // the first coordinate at which no candidate agrees with the definition
	Index int64  `json:"index"`           // its colexicographic index
	Value string `json:"value"`           // what the definition gives there
	Want  string `json:"want"`            // what every candidate would give there
	Other string `json:"other,omitempty"` // a second coordinate, where two places together are the witness
}

// errorInfo describes an error of the evaluator or the parser.
func errorInfo(err error) *ErrorInfo {
	if s, ok := errors.AsType[*syntax.Error](err); ok {
		return &ErrorInfo{Code: string(s.Code), Message: s.Error(), Pos: s.Pos, End: s.End, Incomplete: s.Incomplete}
	}
	info := new(ErrorInfo)
	defer func() { info.Message = brief(info.Message) }()
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

// under returns an error as one of another operation: what several have in common is read by one, and refused in the
// words of the one that was asked. An empty name says none.
func under(op string, err error) error {
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

// brief cuts the middle out of a message that is too long.
func brief(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	const part = maxMessage / 2
	return strings.ToValidUTF8(message[:part], "") + " ... " + strings.ToValidUTF8(message[len(message)-part:], "")
}

// TooLong is the response to a program of n bytes, which is more than [MaxExpr]: for callers that do not want
// to hold all of it.
func TooLong(n int) EvalResponse {
	return EvalResponse{Error: &ErrorInfo{
		Code:    string(cute.CodeLimit),
		Message: fmt.Sprintf("the source is %d bytes long, the limit is %d", n, MaxExpr),
	}}
}

// NoExpression is the response to a program without a statement where a value is needed. An MLIR attribute such as
// #ttg.blocked<...> looks like a comment: then the hint says that read, which takes pasted text, has it.
func NoExpression(src string) EvalResponse {
	info := errorInfo(errNothing)
	if len(src) <= MaxExpr {
		if r := reader.Read(src); len(r.Items) > 0 {
			info.Hint = "read finds " + found(r.Items)
		}
	}
	return EvalResponse{Error: info}
}

var errNothing = &cute.Error{Code: cute.CodeSyntax, Msg: "expected an expression, found nothing"}

// Line returns the error on one line: "error: CODE: message".
func (e *ErrorInfo) Line() string { return OneLine("error: " + e.Code + ": " + e.Message) }

// Report returns the error as a person reads it: the line of [ErrorInfo.Line], the place in the source src
// with a caret below it, the witness and the hint. Every line ends with a newline. Prose is wrapped to width columns,
// unless that is 0.
func (e *ErrorInfo) Report(src string, width int) string {
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

// prose returns one line of text, or with a width as many as it needs.
func prose(text string, width int, first string) string {
	if width == 0 {
		return first + text + "\n"
	}
	return Wrap(text, width, first, first+"  ")
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

// OneLine returns s with every line break made a blank, because results and errors take one line each.
func OneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
}

// excerptWidth is the longest excerpt of a source line, in columns.
const excerptWidth = 96

// excerpt returns the line of src that holds byte pos, one column a rune and cut around the place if it is
// long, and below it a caret with tildes up to end. Both are empty if the line is blank.
func excerpt(src string, pos, end int) (line, mark string) {
	pos = min(max(pos, 0), len(src))
	end = min(max(end, pos), len(src))
	start := strings.LastIndexByte(src[:pos], '\n') + 1
	stop := len(src)
	if i := strings.IndexByte(src[pos:], '\n'); i >= 0 {
		stop = pos + i
	}
	end = min(end, stop)

	// Only the neighbourhood of the place is looked at: a line may have a megabyte.
	before := lastRunes(src[start:pos], excerptWidth/2)
	after := firstRunes(src[pos:stop], excerptWidth/2)
	line, column := before, utf8.RuneCountInString(before)
	if len(before) < pos-start {
		line, column = "..."+line, column+3
	}
	line += after
	if len(after) < stop-pos {
		line += "..."
	}
	line = strings.Map(printable, line)
	if strings.TrimSpace(line) == "" {
		return "", ""
	}
	marked := utf8.RuneCountInString(firstRunes(src[pos:end], excerptWidth/2))
	return strings.TrimRight(line, " "), strings.Repeat(" ", column) + "^" + strings.Repeat("~", max(marked-1, 0))
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}

// firstRunes returns the first n runes of s, or all of it.
func firstRunes(s string, n int) string {
	end := 0
	for range n {
		if end == len(s) {
			break
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

// lastRunes returns the last n runes of s, or all of it.
func lastRunes(s string, n int) string {
	start := len(s)
	for range n {
		if start == 0 {
			break
		}
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	return s[start:]
}
