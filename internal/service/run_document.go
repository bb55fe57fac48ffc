//go:build !js || programs

package service

import (
	"fmt"
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// This file runs documents cell by cell, and compares what a document states with what its code computes.

// A documentRun runs the cells of one document.
type documentRun struct {
	s      *Session
	q      RunRequest
	emit   func(text string) error
	out    strings.Builder // what the cell prints
	values []interp.Watched
	r      RunResponse
	page   *pageRun // shows the document line by line; nil unless a page is asked for
}

// runDocument runs a document. An error ends its cell, and the next cells are run.
func (s *Session) runDocument(q RunRequest, doc *document.Document, emit func(text string) error) RunResponse {
	d := documentRun{s: s, q: q, emit: emit, r: RunResponse{OK: true}}
	d.cells(doc.Cells)
	if len(doc.Cells) == 1 {
		d.r.Failed = nil // Error is the error of the only cell
	}
	return d.r
}

// cells runs cells, up to an error that ends the document.
func (d *documentRun) cells(list []document.Cell) {
	for _, c := range list {
		if fault := d.cell(c); fault != nil {
			return
		}
	}
}

// cell runs one cell. It returns an error that ends the document: a budget that is spent.
func (d *documentRun) cell(c document.Cell) *report.Error {
	code, claims := c.Claims()
	d.out.Reset()
	d.values = nil
	m := d.s.machine(func(text string) error {
		if d.q.Check && c.HasOutput {
			d.out.WriteString(text)
			if err := limitError(d.s.budget.Hold(int64(len(text)))); err != nil {
				return err
			}
		}
		return d.emit(text)
	})
	if d.q.Check {
		m.Watch = func(w interp.Watched) { d.values = append(d.values, w) }
	}
	lang, known := program.LanguageOf(d.q.Lang)
	if !known {
		lang = c.Lang
	}
	if d.page != nil {
		d.page.begin(c, code, &m)
	}
	slips := len(d.r.Slips)
	r := m.Run(code, lang)
	d.notes(c, r.Notes)
	if r.Error != nil {
		if d.r.Error == nil || d.r.OK {
			d.r.OK, d.r.Error, d.r.In = false, r.Error, r.Source
			d.r.Line, d.r.Column = r.Line+c.Line-1, r.Column
		}
		d.r.Failed = append(d.r.Failed, CellError{Line: r.Line + c.Line - 1, Column: r.Column, Error: r.Error, In: r.Source})
	}
	fault := d.s.timeUp()
	if fault == nil && d.q.Check {
		d.check(c, code, claims)
	}
	if d.page != nil {
		d.page.end(c, r, d.r.Slips[slips:])
	}
	return fault
}

// notes adds the notes on a cell. Their line numbers become line numbers of the document.
func (d *documentRun) notes(c document.Cell, notes []string) {
	for _, n := range notes {
		var line int
		if _, err := fmt.Sscanf(n, "line %d:", &line); err == nil {
			_, rest, _ := strings.Cut(n, ":")
			n = fmt.Sprintf("line %d:%s", line+c.Line-1, rest)
		}
		d.r.Notes = append(d.r.Notes, n)
	}
}

// check compares the claims of a cell with its values, and its stored output with its output.
func (d *documentRun) check(c document.Cell, code string, claims []document.Claim) {
	for _, claim := range claims {
		for _, w := range d.values {
			from, _ := syntax.Position(code, w.At.From)
			to, _ := syntax.Position(code, max(w.At.From, w.At.To-1))
			if claim.Above && from != claim.Line || !claim.Above && to != claim.Line {
				continue
			}
			d.compare(c, claim, w)
			break
		}
	}
	if !c.HasOutput {
		return
	}
	got := strings.Split(strings.TrimRight(d.out.String(), "\n"), "\n")
	want := strings.Split(strings.TrimRight(c.Output, "\n"), "\n")
	for i := range max(len(got), len(want)) {
		g, w := lineOf(got, i), lineOf(want, i)
		d.r.Checked++
		if g == w || strings.Contains(w, "object at 0x") {
			continue
		}
		d.r.Slips = append(d.r.Slips, Slip{
			Line: c.Line, Stated: w, Computed: g, Words: fmt.Sprintf("line %d of the output differs", i+1), Output: true,
		})
		return
	}
}

func lineOf(lines []string, i int) string {
	if i >= len(lines) {
		return ""
	}
	return strings.TrimRight(lines[i], " \r")
}

// compare compares one statement's value with a claim of the document.
func (d *documentRun) compare(c document.Cell, claim document.Claim, w interp.Watched) {
	if w.Result.Value == nil {
		return
	}
	slip := Slip{Line: c.Line + claim.Line - 1, Name: w.Name, Computed: w.Text}
	if claim.Grid != nil {
		slip.Stated = gridText(claim.Grid)
		slip.Words = d.s.compareGrid(w, claim.Grid)
	} else {
		stated, ok := d.s.statedValue(claim.Text, w)
		if !ok {
			return
		}
		slip.Stated = stated
		slip.Words = d.s.difference(stated, w)
	}
	d.r.Checked++
	if slip.Words != "" {
		d.r.Slips = append(d.r.Slips, slip)
	} else if d.page != nil {
		d.page.agree(claim.Line)
	}
}

// statedValue returns the value that a comment is; ok is false if it is anything else, or a value of another kind.
func (s *Session) statedValue(text string, w interp.Watched) (value string, ok bool) {
	text = strings.TrimRight(strings.TrimSpace(text), ".;,")
	if text == "" || len(text) > MaxExpr || !strings.ContainsAny(text, "0123456789") {
		return "", false
	}
	last, _, fault := s.fresh().lastTyped(text)
	if fault != nil || last.Value == nil || last.Static != "" || len(last.Notes) > 0 && strings.Contains(last.Notes[0], "not bound") {
		return "", false
	}
	return last.Value.String(), last.Value.Kind() == w.Result.Value.Kind()
}

// difference says where a stated value differs from a computed one, or returns "" if they are the same.
func (s *Session) difference(stated string, w interp.Watched) string {
	if stated == w.Text || stated == w.Result.AtTrace() {
		return ""
	}
	if k := w.Result.Value.Kind(); k == eval.KindInt || k == eval.KindTuple { // shapes of one size are the same function
		return "the values differ"
	}
	r := s.fresh().Compare(CompareRequest{A: stated, B: w.Text})
	if r.Verdict == verdictSame {
		return ""
	}
	if r.Verdict == verdictDifferent {
		return r.Words
	}
	return "the values differ"
}

// compareGrid says where a printed grid differs from the layout of a statement, or returns "".
func (s *Session) compareGrid(w interp.Watched, grid [][]string) string {
	l, ok := w.Result.Value.(eval.Layout)
	if !ok {
		return ""
	}
	rows, columns := int64(1), l.Size()
	if l.Rank() > 1 {
		first, _ := l.Mode(0) // there is one
		rows = first.Size()
		columns /= rows
	}
	if int64(len(grid)) != rows || int64(len(grid[0])) != columns || l.Size() > MaxGridCells {
		return fmt.Sprintf("the grid has %d rows of %d, and the layout %d of %d", len(grid), len(grid[0]), rows, columns)
	}
	offsets, err := l.AppendOffsets(nil)
	if err != nil {
		return err.Error()
	}
	for i, row := range grid {
		for j, text := range row {
			if got := fmt.Sprint(offsets[int64(i)+int64(j)*rows]); got != text {
				return fmt.Sprintf("at (%d,%d) the grid has %s, and the layout %s", i, j, text, got)
			}
		}
	}
	return ""
}

func gridText(grid [][]string) string {
	rows := make([]string, len(grid))
	for i, r := range grid {
		rows[i] = strings.Join(r, " ")
	}
	return strings.Join(rows, " / ")
}

// Qualifies reports whether a note on a program qualifies a value: it was padded, holds under a condition only, is a
// reading of text in another language or one of two readings, or contains a name without a value. Such notes are always
// shown.
func Qualifies(note string) bool {
	_, text, _ := strings.Cut(note, ": ")
	for _, begin := range []string{"padded", "valid", "read as", "with the numbers"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	for _, part := range []string{"pad", "in Python", "int of C++", "is read as", "is not bound", "the equation"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
