//go:build !js || programs

package service

import (
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/why/explain"
)

// This file shows a document line by line: the values of each line, what it prints, what the document states of them,
// and what threads do in it. page_line.go collects that while runDocument runs the document.

// A PageRequest asks for a document with the values of its lines.
type PageRequest struct {
	// Name is the name of the file, whose extension says what kind of document it is, or one of the documents in girih:
	// "seed 000" to "seed 004".
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"` // the text of the document, unless it is one of the documents in girih
	// Sources are the new code of the cells Edited, from 0.
	Edited  []int64  `json:"edited,omitempty"`
	Sources []string `json:"sources,omitempty"`
	// Line asks for the derivation of a line, from 1, of the cell Cell, from 0, and for what threads do in it. 0 asks for
	// none.
	Cell int `json:"cell,omitempty"`
	Line int `json:"line,omitempty"`
	// Ready asks for no answer, and for the cells before a cell to have run when an edit of that cell comes: see [Pages].
	Ready int `json:"ready,omitempty"`
}

// A PageLook names a line.
type PageLook struct {
	Cell int `json:"cell"` // the number of the cell, from 0
	Line int `json:"line"` // the line in the cell, from 1
}

// A PageResponse is a document, line by line, or what a request looks at.
type PageResponse struct {
	OK       bool          `json:"ok"`                 // the document was read; its cells may have errors
	Markdown bool          `json:"markdown,omitempty"` // the prose is Markdown, not plain text
	Cells    []PageCell    `json:"cells,omitempty"`
	Rest     string        `json:"rest,omitempty"`    // the text after the last cell
	Checked  int           `json:"checked,omitempty"` // how many values of the document were checked
	Slips    int           `json:"slips,omitempty"`   // how many of these the code contradicts
	InProse  []Slip        `json:"prose,omitempty"`   // the differences in the text around cells
	Look     *PageSight    `json:"look,omitempty"`
	Error    *report.Error `json:"error,omitempty"`
}

// A PageCell is the code of a cell, with the prose before it.
type PageCell struct {
	Prose  string      `json:"prose,omitempty"`
	At     int         `json:"at"`   // the line where the cell begins; in a notebook, the number of the cell
	Lang   string      `json:"lang"` // girih, Python or C++
	Source string      `json:"source"`
	Lines  []*PageLine `json:"lines,omitempty"`  // the lines with a value, output or error, in order
	Stated string      `json:"stated,omitempty"` // the output that the document states for the cell
	Agrees bool        `json:"agrees,omitempty"` // the cell prints the stated output
	Slip   *Slip       `json:"slip,omitempty"`   // the difference from the stated output
}

// A PageLine is what a line of a cell has to show. A statement of several lines shows it at its last line.
type PageLine struct {
	Line    int           `json:"line"` // the line in the cell, from 1
	Values  []PageValue   `json:"values,omitempty"`
	Times   int           `json:"times,omitempty"`  // how often the line ran; Values are from its first run
	Output  string        `json:"output,omitempty"` // what the line prints
	Cut     bool          `json:"cut,omitempty"`    // the line prints more than Output
	Notes   []string      `json:"notes,omitempty"`
	Error   *report.Error `json:"error,omitempty"`
	Column  int           `json:"column,omitempty"` // the column of the error, from 1
	Slips   []Slip        `json:"slips,omitempty"`
	Agrees  int           `json:"agrees,omitempty"`  // how many values that the document states for the line are right
	Derived bool          `json:"derived,omitempty"` // the value of the line has a derivation
	Uses    int           `json:"uses,omitempty"`    // how many calls of copy or gemm threads made in the line
}

// A PageValue is a value of a line.
type PageValue struct {
	Name   string          `json:"name,omitempty"` // the name of the value; "return" for the result of a function
	Text   string          `json:"text"`
	Kind   string          `json:"kind,omitempty"`   // the kind of a value of girih; "" for other values
	Memory *interp.Operand `json:"memory,omitempty"` // the memory of a tensor with storage
}

// A PageSight is the derivation of a line, and what threads do in it.
type PageSight struct {
	PageLook
	Explanations []explain.Explanation `json:"explanations,omitempty"`
	Uses         []interp.Use          `json:"uses,omitempty"`
	Left         int                   `json:"left,omitempty"` // how many calls are not listed
}

// pageOperation is the row of documents that are shown line by line.
func pageOperation() Operation {
	return forPrograms("page", "A document with the values of its lines.", (*Session).Page)
}

// Page runs a document and returns it line by line.
func (s *Session) Page(q PageRequest) PageResponse {
	text := q.Text
	if seed, ok := document.Seed(q.Name); ok {
		text = seed
	} else if strings.HasPrefix(q.Name, "seed ") {
		e := usage("expected a document from \"seed 000\" to \"seed 004\", found %.40q", q.Name)
		return PageResponse{Error: e}
	}
	doc, err := document.Parse(q.Name, text)
	if err != nil {
		return PageResponse{Error: usage("%s", err)}
	}
	if e := edit(doc.Cells, q); e != nil {
		return PageResponse{Error: e}
	}
	d, fault := s.pageDocument(q, text, doc)
	if fault != nil {
		return PageResponse{Error: fault}
	}
	if q.Ready > 0 {
		return s.ready(d, q.Ready)
	}
	p := d.page
	if p.look = (PageLook{q.Cell, q.Line}); q.Line > 0 {
		d.lines = nil // the text around the cells was compared by an earlier request
	}
	d.finish()
	if q.Line > 0 {
		look := PageSight{PageLook: p.look, Uses: p.uses, Left: p.left, Explanations: p.explanations}
		return PageResponse{OK: true, Look: &look}
	}
	return PageResponse{
		OK: true, Markdown: doc.Markdown, Cells: p.finish(), Rest: doc.Rest,
		Checked: d.r.Checked, Slips: len(d.r.Slips) + len(d.p.slips),
		InProse: d.p.slips,
	}
}

// edit replaces the code of cells.
func edit(cells []document.Cell, q PageRequest) *report.Error {
	if len(q.Edited) != len(q.Sources) {
		return usage("expected a source for each of %d edited cells, found %d", len(q.Edited), len(q.Sources))
	}
	for i, k := range q.Edited {
		if k < 0 || k >= int64(len(cells)) {
			return usage("expected a cell from 0 to %d, found %d", len(cells)-1, k)
		}
		cells[k].Edit(q.Sources[i])
	}
	return nil
}

// derive explains the value of a statement by its expression with the values of its names. If girih computes another
// value of the expression, there is no explanation.
func (s *Session) derive(w interp.Watched) []explain.Explanation {
	x, names := w.Operands()
	f := s.fresh()
	for name, value := range names {
		f.Eval(EvalRequest{Expr: "let " + name + " = " + value})
	}
	r := f.Explain(ExplainRequest{Expr: x})
	if r.Value != w.Text {
		return nil
	}
	return r.Explanations
}

// isDerived reports whether a value has a derivation: girih has such values, and more than a name or a literal made it.
func isDerived(w interp.Watched) bool {
	switch w.X.(type) {
	case nil, *program.Name, *program.Number, *program.Text, *program.Constant, *program.Tuple:
		return false
	}
	return w.Result.Value != nil
}
