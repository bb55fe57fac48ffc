//go:build !js || programs

package service

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"girih/internal/lang/document"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
	"girih/internal/why/explain"
)

// The limits of a page: what a reader looks through, and what a browser shows without a pause.
const (
	maxLineOutput = 16 << 10 // the most bytes that one statement may print
	maxPageOutput = 1 << 20  // the most bytes that all statements may print
	maxValueText  = 4 << 10  // the most bytes of the text of a value
	maxPageUses   = 1024     // the most calls that are listed
	maxPageUsed   = 1 << 14  // the most elements of these calls
)

// A pageRun collects what the lines of a document have to show.
type pageRun struct {
	s     *Session
	look  PageLook
	cells []PageCell
	codes []string             // the code of each cell
	lines map[[2]int]*PageLine // the lines by cell and line

	at      program.Span // the statement that runs now
	printed int
	visits  map[program.Stmt]*visit
	calls   map[*program.Call]*visit

	uses []interp.Use
	used int // the number of elements in uses
	left int // the number of calls that have no room in uses

	explanations []explain.Explanation // the explanations of the line that the request looks at
}

// A visit counts how often a statement or a call has run.
type visit struct {
	times int
	line  *PageLine
	looks bool
}

// begin begins a cell, which the machine runs.
func (p *pageRun) begin(c document.Cell, code string, m *interp.Machine) {
	p.cells = append(p.cells, PageCell{
		Prose: c.Prose, At: c.Line, Lang: c.Lang.String(), Source: c.Src, Stated: c.Output,
	})
	p.codes, p.at = append(p.codes, code), program.Span{}
	m.Begin = func(at program.Span) { p.at = at }
	watch := m.Watch
	m.Watch = func(w interp.Watched) {
		if !w.Inside {
			watch(w)
		}
		p.addValue(w)
	}
	m.Within = func(st program.Stmt, src string) bool {
		v := p.visits[st]
		if v == nil {
			v = &visit{line: p.lineAt(src, st.End())}
			p.visits[st] = v
		}
		v.times++
		return v.times == 1
	}
	m.Uses, m.Used = p.isKept, p.keep
}

// lineAt returns the line of the byte before an offset of the code of a cell. In a source that is no cell, it is the
// line of the statement that runs.
func (p *pageRun) lineAt(src string, end int) *PageLine {
	k := len(p.codes) - 1
	for k >= 0 && p.codes[k] != src {
		k--
	}
	if k < 0 {
		k, src, end = len(p.codes)-1, p.codes[len(p.codes)-1], p.at.To
	}
	n, _ := syntax.Position(src, max(0, end-1))
	return p.line(k, n)
}

// line returns a line of a cell. An error at the end of the code is in the last line.
func (p *pageRun) line(cell, n int) *PageLine {
	n = min(n, 1+strings.Count(strings.TrimSuffix(p.codes[cell], "\n"), "\n"))
	if p.lines == nil {
		p.lines = make(map[[2]int]*PageLine)
	}
	l := p.lines[[2]int{cell, n}]
	if l == nil {
		l = &PageLine{Line: n}
		p.lines[[2]int{cell, n}] = l
		p.cells[cell].Lines = append(p.cells[cell].Lines, l)
	}
	return l
}

// print adds to the output of the statement that runs.
func (p *pageRun) print(text string) error {
	if err := limitError(p.s.budget.Hold(int64(len(text)))); err != nil {
		return err
	}
	l := p.lineAt(p.codes[len(p.codes)-1], p.at.To)
	room := min(maxLineOutput-len(l.Output), maxPageOutput-p.printed)
	if len(text) > room {
		text, l.Cut = text[:max(0, room)], true
		for !utf8.ValidString(text) && len(text) > 0 {
			text = text[:len(text)-1]
		}
	}
	l.Output += text
	p.printed += len(text)
	return nil
}

// addValue adds a value to its line. A program that is run again, by a block of threads, replaces its values.
func (p *pageRun) addValue(w interp.Watched) {
	l := p.lineAt(w.Src, w.At.To)
	v := PageValue{Name: w.Name, Text: w.Text}
	if len(v.Text) > maxValueText {
		v.Text = strings.ToValidUTF8(v.Text[:maxValueText], "") + " …"
	} else if w.Result.Value != nil {
		v.Kind = string(w.Result.Value.Kind())
	}
	if w.Memory != nil {
		v.Text, v.Memory = w.Memory.Name, w.Memory
	}
	if isDerived(w) {
		l.Derived = true
		if l == p.lines[[2]int{p.look.Cell, p.look.Line}] {
			p.explanations = p.s.derive(w)
		}
	}
	old := slices.IndexFunc(l.Values, func(x PageValue) bool { return x.Name == v.Name && v.Name != "" })
	if old >= 0 {
		l.Values[old] = v
		return
	}
	if v.Name == "" {
		l.Values = slices.DeleteFunc(l.Values, func(x PageValue) bool { return x.Name == "" && x.Text == v.Text })
	}
	l.Values = append(l.Values, v)
}

// isKept counts a call of copy or gemm, and reports whether it is listed.
func (p *pageRun) isKept(x *program.Call, src string) bool {
	v := p.calls[x]
	if v == nil {
		v = &visit{line: p.lineAt(src, x.End())}
		p.calls[x] = v
		v.looks = p.lines[[2]int{p.look.Cell, p.look.Line}] == v.line
	}
	v.times++
	v.line.Uses++
	if !v.looks {
		return false
	}
	if len(p.uses) >= maxPageUses || p.used >= maxPageUsed {
		p.left++
		return false
	}
	return true
}

// keep lists the uses of a call.
func (p *pageRun) keep(uses []interp.Use) {
	n := 0
	for _, u := range uses {
		for _, o := range u.Operands {
			n += len(o.Places)
		}
	}
	if p.s.hold(64*n) != nil {
		p.left++
		return
	}
	p.used += n
	p.uses = append(p.uses, uses...)
}

// end ends a cell: its error, its notes, and what the document states.
func (p *pageRun) end(c document.Cell, r interp.Result, slips []Slip) {
	k := len(p.cells) - 1
	cell := &p.cells[k]
	if r.Error != nil {
		l := p.line(k, r.Line)
		if r.Source != p.codes[k] {
			l = p.lineAt(r.Source, r.Error.Pos+1)
		}
		l.Error = r.Error
		if l.Line == r.Line {
			l.Column = r.Column
		}
	}
	for _, n := range r.Notes {
		line := 0
		if _, err := fmt.Sscanf(n, "line %d:", &line); err == nil {
			_, n, _ = strings.Cut(n, ": ")
		}
		l := p.line(k, max(1, line))
		l.Notes = append(l.Notes, n)
	}
	cell.Agrees = c.HasOutput
	for _, s := range slips {
		if s.Output {
			cell.Slip, cell.Agrees = &s, false
			continue
		}
		l := p.line(k, s.Line-c.Line+1)
		l.Slips = append(l.Slips, s)
	}
}

// agree records that a value is what the document states; line is of the cell that has run.
func (p *pageRun) agree(line int) { p.line(len(p.cells)-1, line).Agrees++ }

// finish returns the cells with their lines in order.
func (p *pageRun) finish() []PageCell {
	for _, v := range p.visits {
		v.line.Times = max(v.line.Times, v.times)
	}
	for _, c := range p.cells {
		sort.Slice(c.Lines, func(i, j int) bool { return c.Lines[i].Line < c.Lines[j].Line })
	}
	return p.cells
}
