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
	Text string `json:"text,omitempty"` // of the document, unless it is in girih
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
	Cell int `json:"cell"` // from 0
	Line int `json:"line"` // of the cell, from 1
}

// A PageResponse is a document, line by line, or what a request looks at.
type PageResponse struct {
	OK       bool          `json:"ok"`                 // the document was read; its cells may have errors
	Markdown bool          `json:"markdown,omitempty"` // the prose is Markdown, not plain text
	Cells    []PageCell    `json:"cells,omitempty"`
	Rest     string        `json:"rest,omitempty"`    // the prose after the last cell
	Checked  int           `json:"checked,omitempty"` // how many values the document states
	Slips    int           `json:"slips,omitempty"`   // how many of them are not what the code computes
	InProse  []Slip        `json:"prose,omitempty"`   // the slips of the prose, with lines of the document
	Look     *PageSight    `json:"look,omitempty"`
	Error    *report.Error `json:"error,omitempty"`
}

// A PageCell is the code of a cell, with the prose before it.
type PageCell struct {
	Prose  string      `json:"prose,omitempty"`
	At     int         `json:"at"`   // the line of the document where it begins; in a notebook, the cell
	Lang   string      `json:"lang"` // girih, Python or C++
	Source string      `json:"source"`
	Lines  []*PageLine `json:"lines,omitempty"`  // with something to show, in order
	Stated string      `json:"stated,omitempty"` // the output that the document has
	Agrees bool        `json:"agrees,omitempty"` // it is what the cell prints
	Slip   *Slip       `json:"slip,omitempty"`   // where it is not
}

// A PageLine is what a line of a cell has to show. A statement of several lines shows it at its last line.
type PageLine struct {
	Line    int           `json:"line"` // of the cell, from 1
	Values  []PageValue   `json:"values,omitempty"`
	Times   int           `json:"times,omitempty"`  // how often it ran, in a function or loop; the values are the first
	Output  string        `json:"output,omitempty"` // what it prints
	Cut     bool          `json:"cut,omitempty"`    // it prints more
	Notes   []string      `json:"notes,omitempty"`
	Error   *report.Error `json:"error,omitempty"`
	Column  int           `json:"column,omitempty"` // of the error, from 1
	Slips   []Slip        `json:"slips,omitempty"`
	Agrees  int           `json:"agrees,omitempty"`  // how many stated values the line has
	Derived bool          `json:"derived,omitempty"` // its value has a derivation
	Uses    int           `json:"uses,omitempty"`    // how many calls of copy or gemm threads made in it
}

// A PageValue is a value of a line.
type PageValue struct {
	Name   string          `json:"name,omitempty"` // that is bound to it; "return" for the result of a function
	Text   string          `json:"text"`
	Kind   string          `json:"kind,omitempty"`   // of a value that girih has; "" for one of the language alone
	Memory *interp.Operand `json:"memory,omitempty"` // of a tensor with storage
}

// A PageSight is the derivation of a line, and what threads do in it.
type PageSight struct {
	PageLook
	Explanations []explain.Explanation `json:"explanations,omitempty"`
	Uses         []interp.Use          `json:"uses,omitempty"`
	Left         int                   `json:"left,omitempty"` // calls that are not listed
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
		d.lines = nil // the slips of the prose are known
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
