//go:build !js || programs

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file runs documents cell by cell, and compares what a document states with what its code computes.

// A documentRun runs the cells of one document.
type documentRun struct {
	s      *Session
	q      RunRequest
	emit   func(text string) error
	out    strings.Builder // what the cell prints
	values []interp.Watched
	bound  func(name, value string) // is called for each name that a statement binds; may be nil
	p      proseRun
	r      RunResponse
	kernel *interp.KernelCall // the kernel that runs after the cell; nil before the last cell
	marks  bool               // a later cell, or a later document, may print a name of this cell
	page   *pageRun           // shows the document line by line; nil unless a page is asked for

	doc   *document.Document
	at    int             // the index of the cell that runs next
	lines []document.Line // the lines of prose that remain to be checked
}

// run runs a document. An error ends its cell, and the next cells are run.
func (d *documentRun) run(doc *document.Document) RunResponse {
	d.cells(doc)
	if len(doc.Cells) == 1 {
		d.r.Failed = nil // the error of the only cell is already in Error
	}
	for _, slip := range d.p.slips {
		s := append(d.r.Slips, slip)
		for i := len(s) - 1; i > 0 && s[i-1].Line > s[i].Line; i-- {
			s[i-1], s[i] = s[i], s[i-1]
		}
		d.r.Slips = s
	}
	return d.r
}

// cells runs the cells of a document, up to an error that ends it, and checks the prose between them.
func (d *documentRun) cells(doc *document.Document) {
	d.begin(doc)
	d.finish()
}

// begin sets the document, before any of its cells has run.
func (d *documentRun) begin(doc *document.Document) {
	if d.doc = doc; d.q.Check {
		d.lines = doc.Lines
	}
	d.p.names, d.marks = make(map[string]string), len(doc.Cells) > 1 || d.bound != nil
}

// runTo runs the cells before a cell, and checks the prose above them. It returns an error that ends the document.
func (d *documentRun) runTo(cell int) *report.Error {
	for ; d.at < cell; d.at++ {
		above := 0
		for above < len(d.lines) && d.lines[above].Cells <= d.at {
			above++
		}
		d.prose(d.lines[:above])
		d.lines = d.lines[above:]
		if d.at == len(d.doc.Cells)-1 {
			d.kernel = d.q.kernel()
		}
		if fault := d.cell(d.doc.Cells[d.at]); fault != nil {
			return fault
		}
	}
	return nil
}

// finish runs the rest of the document.
func (d *documentRun) finish() {
	d.runTo(len(d.doc.Cells))
	d.prose(d.lines)
	d.threadSlips()
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
	m.Args, m.Kernel, m.Marks = d.q.Args, d.kernel, d.marks
	if d.q.Check || d.bound != nil {
		m.Watch = d.watch
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
		d.fails(c, r)
	}
	fault := d.s.timeUp()
	if fault == nil {
		d.shapes(c, code, claims)
	}
	if fault == nil && d.q.Check {
		d.know(c, code)
		c.HasOutput = c.HasOutput && r.Error == nil // the cell ended early, so that the rest of its output is not known
		d.check(c, code, claims)
	}
	if d.page != nil {
		d.page.end(c, r, d.r.Slips[slips:])
	}
	return fault
}

// fails keeps the error of a cell. The first one is the error of the document.
func (d *documentRun) fails(c document.Cell, r interp.Result) {
	explainLine(r)
	if d.r.Error == nil || d.r.OK {
		d.r.OK, d.r.Error, d.r.In = false, r.Error, r.Source
		d.r.Line, d.r.Column = r.Line+c.Line-1, r.Column
		if d.r.Of = d.q.textOf(r.Source); d.r.Of != "" {
			d.r.Line = r.Line
		}
	}
	d.r.Failed = append(d.r.Failed, CellError{Line: r.Line + c.Line - 1, Column: r.Column, Error: r.Error, In: r.Source})
}

// explainLine adds the reason to a syntax error whose line is no code.
func explainLine(r interp.Result) {
	lines := strings.Split(r.Source, "\n")
	if r.Error.Code != string(cute.CodeSyntax) || r.Line < 1 || r.Line > len(lines) {
		return
	}
	if why := document.NotCode(lines[r.Line-1]); why != "" {
		r.Error.Hint = why
	}
}

// watch records the value of a statement.
func (d *documentRun) watch(w interp.Watched) {
	if d.q.Check {
		d.values = append(d.values, w)
	}
	if d.bound != nil && w.Name != "" && w.Result.Value != nil {
		d.bound(w.Name, w.Text)
	}
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
	if strings.Contains(code, "cute.compile(") { // compiled code keeps the values that names had when it was compiled
		claims = nil
	}
	for i, claim := range claims {
		switch {
		case claim.Tiler != "": // d.shapes checks this claim
		case claim.Of != "":
			d.compareOf(c, claim, d.valueOf(code, claim))
		case claim.Back > 0:
			if i == 0 || claims[i-1].Back == 0 {
				d.compareLast(c, claims[i:i+claim.Back])
			}
		default:
			if w, ok := d.valueAt(code, claim); ok {
				d.compare(c, claim, w)
			}
		}
	}
	if c.HasOutput {
		d.compareOutput(c)
	}
}

// valueAt returns the value of the statement that a claim is about.
func (d *documentRun) valueAt(code string, claim document.Claim) (w interp.Watched, ok bool) {
	for _, w := range d.values {
		from, _ := syntax.Position(code, w.At.From)
		to, _ := syntax.Position(code, max(w.At.From, w.At.To-1))
		if claim.Above && from == claim.Line || !claim.Above && to == claim.Line {
			return w, true
		}
	}
	return w, false
}

// ofMachine are outputs that depend on the machine: addresses, memory spaces, times.
const ofMachine = pattern.Pattern(`0x[0-9a-fA-F]{4,}|\bptr<|\d (?:us|ms|seconds)\b|\d%`)

// compareOutput compares the output that a document has for a cell with the output of the cell. A cell without output
// may print through a library that is not run.
func (d *documentRun) compareOutput(c document.Cell) {
	if strings.TrimSpace(d.out.String()) == "" {
		return
	}
	got := strings.Split(strings.TrimRight(d.out.String(), "\n"), "\n")
	want := strings.Split(strings.TrimRight(c.Output, "\n"), "\n")
	for i := range max(len(got), len(want)) {
		g, w := lineOf(got, i), lineOf(want, i)
		named := strings.Contains(w, "object at 0x") // the value has no text of its own
		if ofMachine.MatchString(w) && !named {
			return
		}
		d.r.Checked++
		if g != w && !named {
			if slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
				return // a card may print its lines in any order
			}
			if len(d.r.Failed) > 0 { // the difference may come from a failed cell
				d.r.Checked--
				return
			}
			d.r.Slips = append(d.r.Slips, Slip{
				Line: c.Line, Stated: w, Computed: g, Words: fmt.Sprintf("line %d of the output differs", i+1), Output: true,
			})
			return
		}
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
	if claim.Above {
		slip.Line-- // the comment is on the line above
	}
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
	d.recordIn(c, &slip)
}

// valueOf returns what a claim is about, as an expression: the value that its name has there, or a layout.
func (d *documentRun) valueOf(code string, claim document.Claim) (expr string) {
	expr = claim.Of
	if strings.HasPrefix(expr, "(") && !strings.Contains(expr, ":") {
		return "make_layout(" + expr + ")" // the document gives a shape; it means the natural layout of that shape
	}
	for _, w := range d.values {
		if line, _ := syntax.Position(code, w.At.From); w.Name == claim.Of && line < claim.Line {
			expr = w.Text
		}
	}
	return expr
}

// recordIn counts a value that a cell states, and adds a slip if its words say where it differs.
func (d *documentRun) recordIn(c document.Cell, slip *Slip) {
	d.r.Checked++
	if slip.Words != "" {
		d.r.Slips = append(d.r.Slips, *slip)
	} else if d.page != nil {
		d.page.agree(slip.Line - c.Line + 1)
	}
}

// compareOf compares what a text says of a name or a layout: a layout, a grid, or a table.
func (d *documentRun) compareOf(c document.Cell, claim document.Claim, of string) {
	v, ok := d.value(of)
	l, isLayout := v.Value.(eval.Layout)
	if !ok || !isLayout || l.Size() > MaxGridCells {
		return
	}
	slip := Slip{Line: c.Line + claim.Line - 1, Name: claim.Of, Computed: l.String()}
	switch {
	case claim.Grid != nil:
		slip.Stated = gridText(claim.Grid)
		if slip.Words, ok = gridWords(l, claim.Grid); !ok {
			return
		}
	case claim.Table != nil:
		slip.Stated = fmt.Sprint(claim.Table)
		if slip.Words, ok = d.tableWords(of, claim.Table); !ok {
			return
		}
	default:
		stated, ok := d.value(claim.Text)
		if !ok {
			return
		}
		slip.Stated = stated.Value.String()
		if slip.Words, ok = d.differ(stated, v); !ok {
			return
		}
	}
	d.recordIn(c, &slip)
}

// compareLast compares layouts in the last comments of a cell with its last values, if one of them is right.
func (d *documentRun) compareLast(c document.Cell, claims []document.Claim) {
	var slips []Slip
	right := false
	for _, claim := range claims {
		if claim.Back > len(d.values) {
			return
		}
		w := d.values[len(d.values)-claim.Back]
		v, ok := d.value(claim.Text)
		if !ok || w.Result.Value == nil {
			return
		}
		words, ok := d.differ(v, w.Result)
		if !ok {
			return
		}
		right = right || words == ""
		slips = append(slips, Slip{
			Line: c.Line + claim.Line - 1, Name: w.Name, Stated: v.Value.String(), Computed: w.Text, Words: words,
		})
	}
	for i := range slips {
		if right {
			d.recordIn(c, &slips[i])
		}
	}
}

// statedValue returns the value that a comment is; ok is false if it is anything else, or a value of another kind.
func (s *Session) statedValue(text string, w interp.Watched) (value string, ok bool) {
	text = strings.TrimRight(strings.TrimSpace(text), ".;,")
	if sides := document.Sides(text); len(sides) == 2 && sides[0] == w.Name {
		text = sides[1]
	} else if len(sides) > 1 { // the text states the value of another name
		return "", false
	}
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
	if k := w.Result.Value.Kind(); k == eval.KindInt || k == eval.KindTuple { // Compare accepts any shape of one size
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
		first, _ := l.Mode(0) // cannot fail: the rank is above 1
		rows = first.Size()
		columns /= rows
	}
	if int64(len(grid)) != rows || int64(len(grid[0])) != columns || l.Size() > MaxGridCells {
		return fmt.Sprintf("the grid has %d rows of %d, and the layout %d of %d", len(grid), len(grid[0]), rows, columns)
	}
	words, ok := gridWords(l, grid)
	if !ok {
		return "the rows of the grid have different lengths"
	}
	return words
}

// gridWords says where a grid differs from a layout, whose values it lists by columns. ok is false if it has another
// number of elements, or if it differs and has another number of rows than the layout.
func gridWords(l eval.Layout, grid [][]string) (words string, ok bool) {
	offsets, err := l.AppendOffsets(nil)
	rows := len(grid)
	if err != nil || rows*len(grid[0]) != len(offsets) {
		return "", false
	}
	for i, row := range grid {
		if len(row) != len(grid[0]) {
			return "", false
		}
		for j, text := range row {
			if got := fmt.Sprint(offsets[i+j*rows]); got != text && words == "" {
				words = fmt.Sprintf("at (%d,%d) the grid has %s, and the layout %s", i, j, text, got)
			}
		}
	}
	first, err := l.Mode(0)
	return words, words == "" || err == nil && first.Size() == int64(rows) || l.Rank() == 1 && rows == 1
}

// tableWords says where a table of indices and values differs from a layout or from its inverse. ok is false if less
// than half of the table is right: it belongs to another layout.
func (d *documentRun) tableWords(of string, table [][2]string) (words string, ok bool) {
	least := len(table)
	for from := range 2 {
		wrong, first := 0, ""
		for _, pair := range table {
			v, ok := d.value("(" + of + ")(" + pair[from] + ")")
			if !ok || v.Value.String() != pair[1-from] {
				if wrong++; first == "" && ok {
					first = fmt.Sprintf("at %s the table has %s, and the layout %s", pair[from], pair[1-from], v.Value)
				}
			}
		}
		if wrong < least {
			least, words = wrong, first
		}
	}
	return words, 2*least <= len(table)
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
	for _, begin := range []string{
		"padded", "valid", "read as", "with the numbers", "CuTe prints", "CuTe may", "no statement launches", "which integers",
		"which of two NaNs", "g++",
	} {
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
