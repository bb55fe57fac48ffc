//go:build !js || programs

package service

import (
	"slices"
	"sync"

	"girih/cute"
	"girih/internal/lang/document"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// This file keeps documents that have run up to a cell, so that an edit of that cell runs the cell and those after it.
//
// The values of a program cannot be copied: two lists may share a list, a function has variables of its own. So a run
// is not copied but kept, and used once. The page asks for a run that is ready for a cell (PageRequest.Ready) when the
// cursor enters the cell, and again after each answer, while the reader reads it. The request with the next edit takes
// that run, if the document and the cells before the edited one are still the same:
//
//	{name: "seed 000", ready: 7}                     runs cells 0 to 6
//	{name: "seed 000", edited: [7], sources: [..]}   takes that run, and runs cells 7, 8, ..
//
// Without such a run the whole document runs, with the same answer.

// The limits of the runs that are kept, of all clients together.
const (
	maxReady      = 4
	maxReadyBytes = 16 << 20 // the most bytes of one run
)

// Pages keeps runs of documents between requests. The zero Pages keeps none yet. It is safe for concurrent use.
type Pages struct {
	mu   sync.Mutex
	runs []*pageDocument // the oldest run is first
}

// A pageDocument is a document that has run up to a cell.
type pageDocument struct {
	documentRun
	name, text string
	bytes      int64 // the memory of the run
}

// newPageDocument returns a run of a document that has not begun.
func (s *Session) newPageDocument(q PageRequest, text string, doc *document.Document) *pageDocument {
	d := &pageDocument{name: q.Name, text: text}
	p := &pageRun{s: s, visits: make(map[program.Stmt]*visit), calls: make(map[*program.Call]*visit)}
	d.documentRun = documentRun{s: s, q: RunRequest{Check: true}, emit: p.print, page: p, r: RunResponse{OK: true}}
	d.begin(doc)
	return d
}

// hasRun reports whether the run has run what is before the cell most of a document, and nothing else.
func (d *pageDocument) hasRun(q PageRequest, text string, doc *document.Document, most int) bool {
	return d.name == q.Name && d.text == text && d.at <= most && len(d.doc.Cells) == len(doc.Cells) &&
		slices.EqualFunc(d.doc.Cells[:d.at], doc.Cells[:d.at], func(a, b document.Cell) bool {
			return a.Src == b.Src && a.Lang == b.Lang
		})
}

// take returns the longest run of a document that has not come to the cell most, and forgets it; nil if there is none.
func (p *Pages) take(q PageRequest, text string, doc *document.Document, most int) (best *pageDocument) {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.runs {
		if d.hasRun(q, text, doc, most) && (best == nil || d.at > best.at) {
			best = d
		}
	}
	p.runs = slices.DeleteFunc(p.runs, func(d *pageDocument) bool { return d == best })
	return best
}

// keep keeps a run.
func (p *Pages) keep(d *pageDocument) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case d.s.budget == nil: // in a browser, the size of a run is not known, so that only one is kept
		p.runs = nil
	case len(p.runs) == maxReady:
		p.runs = p.runs[1:]
	}
	p.runs = append(slices.Clip(p.runs), d)
}

// pageDocument returns a run of a document for a request: one that is kept, or one that has not begun.
func (s *Session) pageDocument(q PageRequest, text string, doc *document.Document) (*pageDocument, *report.Error) {
	most := 0 // only an edit, or a request to be ready for one, uses a run that was kept
	switch {
	case q.Ready > 0:
		most = q.Ready
	case q.Line == 0 && len(q.Edited) > 0:
		most = len(doc.Cells)
	}
	d := s.pages.take(q, text, doc, most)
	if d == nil {
		return s.newPageDocument(q, text, doc), nil
	}
	d.s.goOn(s)
	d.doc = doc
	return d, s.hold(int(d.bytes))
}

// goOn continues the session within the limits of another one.
func (s *Session) goOn(as *Session) {
	s.room, s.wrote, s.pasted = as.room, as.wrote, nil
	s.budget, s.stop = as.budget, as.stop
	s.limitEnv(&s.env)
}

// ready runs the cells before a cell, and keeps the run, unless it is large or a limit has ended a cell of it.
func (s *Session) ready(d *pageDocument, cell int) PageResponse {
	if s.pages == nil || cell >= len(d.doc.Cells) {
		return PageResponse{Error: usage("expected a cell from 1 to %d, found %d", len(d.doc.Cells)-1, cell)}
	}
	if fault := d.runTo(cell); fault != nil {
		return PageResponse{Error: fault}
	}
	for _, f := range d.r.Failed {
		if f.Error.Code == string(cute.CodeLimit) {
			return PageResponse{OK: true}
		}
	}
	if s.budget != nil {
		d.bytes = s.budget.InUse()
	}
	if d.bytes <= maxReadyBytes {
		s.pages.keep(d)
	}
	return PageResponse{OK: true}
}
