package service

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"girih/cute"
	"girih/internal/lang/paste"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
)

// MaxRead limits the text that [Read] accepts, in bytes.
const MaxRead = reader.MaxInput

// readOperation is the row of the layouts in a text.
func readOperation() Operation {
	return Operation{
		Name: "read", Doc: "Find the layouts in a pasted text", Programs: true,
		Tool: &ToolDoc{
			Title:   "Find layouts in a text",
			Brief:   "the layouts, encodings, dumps and offsets in a pasted text, in any notation, as canonical text.",
			Smaller: "paste a part of the text",
			Doc: "The layouts, swizzles, TiledMMA and TiledCopy dumps, encodings and lists of offsets in a pasted text, in " +
				"any notation of CuTe, its DSL, MLIR or Triton, as canonical text.",
		},
		Command: &Command{
			Use: "read [FILE | TEXT | -]",
			Long: `Find the layouts in a text, whoever wrote it, and print the canonical text of
each on a line: text that CuTe and the CuTe DSL print, C++ types and source, compiler
messages, MLIR types, dumps of TiledMMA and TiledCopy, Triton and Gluon
encodings, linear layouts, printed grids, lists of offsets. Other text is passed
over. Notes on the standard error say what was dropped, supplied or assumed.

The text comes from the file, from the argument itself if it names no file, or
from the standard input.

With --json, each value is an object with its kind, its name in the text, its
place, and the parts of a record. The exit status is 0 if something was found, 1
if nothing was, and 2 for wrong usage.`,
			Example: `  girih read build.log
  girih read 'Layout<Shape<_4,_2>, Stride<_1,_4>>'
  girih read --json - <build.log`,
		},
		Form: &Form{Examples: []any{ReadRequest{Text: "Layout<Shape<_4,_2>, Stride<_1,_4>>"}}},
		do: method[ReadRequest, ReadResponse]{
			do: (*Session).Read,
			said: func(q ReadRequest, r ReadResponse, _ Door) Answer {
				return Answer{Fault: Fault{In: q.Text}, OK: r.OK, Text: r.Text, Error: r.Error}
			},
		}.caller(),
	}
}

// A ReadRequest asks for the values in a pasted text.
type ReadRequest struct {
	Text string `json:"text" jsonschema:"what was pasted" brief:"-"`
}

// A ReadResponse holds the values found, in the order of the text; OK is set if there is one.
type ReadResponse struct {
	OK    bool       `json:"ok"`              // there is an answer
	Items []ReadItem `json:"items,omitempty"` // the values, in the order of the text
	// values in notations that girih does not read: Items contains no part of them
	Unread []ReadUnread  `json:"unread,omitempty"`
	Error  *report.Error `json:"error,omitempty"` // why there is no answer
}

// A ReadUnread is text in a notation that girih does not read, such as a fragment of TileLang.
type ReadUnread struct {
	Name  string    `json:"name"`          // the notation
	Why   string    `json:"why,omitempty"` // the part that could not be read; empty if the notation is unknown
	Times int       `json:"times"`         // how often the text contains the notation
	Place ReadPlace `json:"place"`         // where the text contains it first
}

// Line says on one line that it is not read.
func (u ReadUnread) Line() string {
	s := report.OneLine(reader.Unread{Name: u.Name, Why: u.Why}.String())
	if u.Times > 1 {
		s += fmt.Sprintf(" (%d times)", u.Times)
	}
	return s
}

// A ReadItem is a value that was found in a text. Its JSON form is the contract of girih read --json.
type ReadItem struct {
	OK     bool        `json:"ok"`               // false if Fault is set
	Kind   string      `json:"kind"`             // the kind, as package reader names it
	Value  string      `json:"value"`            // the canonical text of the value, on one line
	Name   string      `json:"name,omitempty"`   // the name that the text gives to the value
	Static bool        `json:"static,omitempty"` // a layout whose numbers are all known
	Record string      `json:"record,omitempty"` // the name of a record, such as TiledMMA or blocked
	Fields []ReadField `json:"fields,omitempty"` // the parts of a record
	// an expression for the printed value: for a swizzled pointer the layout in elements; for a tensor of Triton
	// or an encoding the linear layout, for the shape in the text
	Expr  string    `json:"expr,omitempty"`
	Notes []string  `json:"notes,omitempty"` // what was dropped, added or assumed
	Fault string    `json:"fault,omitempty"` // why the value is not valid
	Place ReadPlace `json:"place"`           // where the text contains the value
}

// A ReadField is a named part of a record.
type ReadField struct {
	Name  string `json:"name"`           // the name of the part in the text
	Value string `json:"value"`          // the canonical text of the part
	Kind  string `json:"kind,omitempty"` // the kind of the part's value
}

// A ReadPlace is the place of a value: the bytes [Start, End), and the line and column of Start, counted from 1.
// Columns count runes.
type ReadPlace struct {
	Start  int `json:"start"`  // the first byte
	End    int `json:"end"`    // the byte after the last
	Line   int `json:"line"`   // the line of the first byte, from 1
	Column int `json:"column"` // the column of the first byte in its line, in runes, from 1
}

// Read finds the values in a text that somebody pasted. If there are none, the error has code "syntax" and, if
// something began like a value, the place where reading stopped; a text above [MaxRead] gives an error of code
// "limit".
func Read(req ReadRequest) ReadResponse { return new(Session).Read(req) }

// maxRead is the number of values that are read for an answer of limited length: about as many as fit.
const maxRead = 1 << 16

// reading returns the limits of the session for the reader.
func (s *Session) reading() reader.Limits {
	if s.budget == nil {
		return reader.Limits{}
	}
	most := reader.Limits{Stop: s.budget.Stop, Hold: s.budget.Hold}
	if s.room.Bytes > 0 {
		most.Items = maxRead
	}
	return most
}

// readItemBytes is about the size of a [ReadItem] without its texts, in bytes.
const readItemBytes = 1 << 8

// Read does what the function [Read] does, within the limits of the session.
func (s *Session) Read(req ReadRequest) ReadResponse {
	r := reader.ReadWithin(req.Text, s.reading())
	if r.Err == nil {
		r.Err = s.budget.Hold(int64(2 * readItemBytes * len(r.Items))) // r.Items, and the items that are made of these
	}
	if r.Err != nil {
		return ReadResponse{Error: &report.Error{Code: string(cute.CodeLimit), Message: r.Err.Error()}}
	}
	var not []ReadUnread
	where := placer{text: req.Text, line: 1}
	for _, u := range r.Unread {
		not = append(not, ReadUnread{Name: u.Name, Why: u.Why, Times: u.Times, Place: where.place(u.Start, u.End)})
	}
	if len(r.Items) == 0 {
		e := nothingRead(r.Miss)
		if len(not) > 0 {
			e.Message = not[0].Line()
			e.Pos, e.End = not[0].Place.Start, not[0].Place.End
		}
		return ReadResponse{Unread: not, Error: e}
	}
	exprs := s.paste().Exprs(r.Items)
	items := make([]ReadItem, len(r.Items))
	at := placer{text: req.Text, line: 1}
	for i, it := range r.Items {
		items[i] = readItem(it, exprs[i])
		items[i].Place = at.place(it.Start, it.End)
	}
	return ReadResponse{OK: true, Items: items, Unread: not}
}

// readItem returns a value that was found, without its place.
func readItem(it reader.Item, expr string) ReadItem {
	out := ReadItem{
		OK: it.Fault == "", Kind: string(it.Kind), Value: it.Text, Name: it.Name, Static: it.Static, Record: it.Record,
		Notes: it.Notes, Fault: it.Fault, Expr: expr,
	}
	if out.OK {
		out.Notes = append(out.Notes[:len(out.Notes):len(out.Notes)], paste.NoteBytes(it.Text)...)
	}
	for _, f := range it.Fields {
		out.Fields = append(out.Fields, ReadField{Name: f.Name, Value: f.Value, Kind: string(f.Kind)})
	}
	return out
}

// Text returns the values as a person reads them: one value a line, its notes below. Every line ends with a
// newline.
func (r ReadResponse) Text() string {
	var b strings.Builder
	for _, it := range r.Items {
		b.WriteString(it.Value + "\n")
		if it.Fault != "" {
			fmt.Fprintf(&b, "  not valid: %s\n", report.OneLine(it.Fault))
		}
		if it.Expr != "" {
			b.WriteString("  " + it.Origin() + "\n")
		}
		for _, n := range it.Notes {
			fmt.Fprintf(&b, "  note: %s\n", report.OneLine(n))
		}
	}
	for _, u := range r.Unread {
		fmt.Fprintf(&b, "line %d: %s\n", u.Place.Line, u.Line())
	}
	return b.String()
}

// Origin says how the expression of a value relates to the value; "" without an expression.
func (it ReadItem) Origin() string {
	switch {
	case it.Expr == "":
		return ""
	case it.Record == "":
		return "in elements, at an aligned address: " + it.Expr
	case strings.HasPrefix(it.Expr, "linear("):
		return "as a linear layout: " + it.Expr
	default:
		return "made by " + it.Expr
	}
}

// nothingRead says that no value was found, and where the text comes closest to a value.
func nothingRead(m *reader.Miss) *report.Error {
	e := &report.Error{
		Code: string(cute.CodeSyntax), Pos: -1,
		Message: "found nothing that can be read",
		Hint: "girih reads layouts as CuTe, its DSL, C++ and compilers write them, MLIR types, TiledMMA and TiledCopy " +
			"dumps, Triton encodings, linear layouts, printed grids and lists of offsets",
	}
	if m == nil {
		return e
	}
	e.Message = "found no value; the nearest to one stops here, expected " + m.Expected
	e.Pos, e.End = m.Start, m.End
	if m.Hint != "" {
		e.Hint = "did you mean " + m.Hint + "?"
	}
	return e
}

// A placer finds lines and columns. Places come mostly in ascending order, so a placer continues from the
// last place.
type placer struct {
	text   string
	line   int
	at     int // the byte with the number column in its line
	column int // in runes, from 0
}

func (p *placer) place(start, end int) ReadPlace {
	if start < p.at {
		p.line, p.at, p.column = 1, 0, 0
	}
	for {
		i := strings.IndexByte(p.text[p.at:start], '\n')
		if i < 0 {
			break
		}
		p.line++
		p.at, p.column = p.at+i+1, 0
	}
	p.column += utf8.RuneCountInString(p.text[p.at:start])
	p.at = start
	return ReadPlace{Start: start, End: end, Line: p.line, Column: p.column + 1}
}
