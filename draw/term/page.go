package term

import (
	"fmt"
	"slices"
)

// A book is how a picture is cut into pages.
type book struct {
	stub    int       // the columns at the left that each page repeats
	pages   []stretch // the columns of each page, without the stub
	columns []stretch // where the columns of cells of the picture stand
	heading []*shape  // by row: the text that is alone in it
	below   int       // the first row below all that is no heading
}

// pages appends the picture page by page.
func (e *emitter) pages(p *plan) {
	b := e.book(p)
	for n, page := range b.pages {
		if n > 0 {
			e.dst = append(e.dst, '\n')
		}
		first, last := -1, -1
		for row := range e.c.h {
			if b.heading[row] == nil && !e.blank(row, page) {
				if first < 0 {
					first = row
				}
				last = row
			}
		}
		if n == 0 {
			e.headings(b, 0, first)
		}
		e.title(b, page)
		for row := first; row >= 0 && row <= last; row++ {
			switch {
			case b.heading[row] == nil && (n == 0 || e.words(row, b.stub)):
				e.row(row, stretch{0, b.stub}, page)
			case b.heading[row] == nil:
				e.indented(b.stub, row, page)
			case n == 0:
				e.headings(b, row, row+1)
			}
		}
		if n == len(b.pages)-1 {
			e.headings(b, max(b.below, first), e.c.h)
		}
	}
}

// title appends the line that says which columns a page shows.
func (e *emitter) title(b book, page stretch) {
	first, last := -1, -1
	for i, c := range b.columns {
		if c.from >= page.from && c.to <= page.to+1 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	switch {
	case first < 0:
		e.dst = fmt.Appendf(e.dst, "characters %d-%d of %d\n", page.from, page.to-1, e.c.w)
	case first == last:
		e.dst = fmt.Appendf(e.dst, "column %d of %d\n", first, len(b.columns))
	default:
		e.dst = fmt.Appendf(e.dst, "columns %d-%d of %d\n", first, last, len(b.columns))
	}
}

// headings appends the headings of some rows, wrapped.
func (e *emitter) headings(b book, from, to int) {
	for row := from; row < to; row++ {
		s := b.heading[row]
		if s == nil {
			if row < b.below && e.blank(row, stretch{0, e.c.w}) {
				e.dst = append(e.dst, '\n')
			}
			continue
		}
		if s.col+s.cols <= e.o.Width {
			e.row(row, stretch{0, s.col + s.cols})
			continue
		}
		for at, end := s.col, s.col+s.cols; at < end; {
			next := min(at+e.o.Width, end)
			if next < end {
				next = e.breakAt(row, at, next)
			}
			e.row(row, stretch{at, next})
			for at = next; at < end && e.c.cells[row*e.c.w+at].r == 0; {
				at++
			}
		}
	}
}

// breakAt returns where a line of text is wrapped: after the last blank of its second half, else where it must.
func (e *emitter) breakAt(row, from, to int) int {
	for at := to; at > from+(to-from)/2; at-- {
		if e.c.cells[row*e.c.w+at].r == 0 {
			return at
		}
	}
	if e.c.cells[row*e.c.w+to].r == -1 && to-1 > from {
		return to - 1
	}
	return to
}

// blank reports whether nothing is painted in a stretch of a row.
func (e *emitter) blank(row int, part stretch) bool {
	for _, x := range e.c.cells[row*e.c.w+part.from : row*e.c.w+part.to] {
		if x.r != 0 || x.box != 0 || x.dots != 0 || visible(x.bg) {
			return false
		}
	}
	return true
}

// words reports whether the first columns of a row have nothing but text.
func (e *emitter) words(row, to int) bool {
	for _, x := range e.c.cells[row*e.c.w : row*e.c.w+to] {
		if x.box != 0 || x.dots != 0 || x.owner != 0 {
			return false
		}
	}
	return true
}

// book cuts the picture.
func (e *emitter) book(p *plan) book {
	b := book{heading: e.alone(p), columns: columnsOf(p)}
	for row := range e.c.h {
		if b.heading[row] == nil && !e.blank(row, stretch{0, e.c.w}) {
			b.below = row + 1
		}
	}
	b.stub = stubOf(p)
	if 2*b.stub > e.o.Width {
		b.stub = 0
	}
	cuts, end := e.cuts(p, b)
	room := e.o.Width - b.stub
	for from := b.stub; from < end; {
		if end-from <= room {
			b.pages = append(b.pages, stretch{from, end})
			break
		}
		page := stretch{from, from + room}
		next := page.to
		// The last cut that leaves the page within the width. A line there belongs to both pages.
		k, _ := slices.BinarySearchFunc(cuts, from+room+1, func(c cut, at int) int { return c.at + c.line - at })
		for k--; k >= 0 && cuts[k].at > from; k-- {
			if cuts[k].at+cuts[k].line-from <= room {
				page.to, next = cuts[k].at+cuts[k].line, cuts[k].at
				break
			}
		}
		b.pages = append(b.pages, page)
		from = next
	}
	return b
}

// A cut is a column at which a page may end: an edge that no text but captions goes across.
type cut struct {
	at, line int // line is 1 if a line is drawn in that column
}

// cuts returns the cuts, and where what is no heading ends.
func (e *emitter) cuts(p *plan, b book) (cuts []cut, end int) {
	inside := make([]int, e.c.w+2)
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.kind != textShape || s.row >= e.c.h || b.heading[max(s.row, 0)] == s {
			continue
		}
		if !s.caption && s.cols > 1 {
			inside[min(s.col+1, e.c.w)]++
			inside[min(s.col+s.cols, e.c.w+1)]--
		}
	}
	for i := range e.c.w {
		inside[i+1] += inside[i]
	}
	for i := range p.x.at {
		if at := p.x.cell(i); p.x.has(i, isEdge) && at < e.c.w && inside[at] == 0 {
			cuts = append(cuts, cut{at, p.x.line(i) / 2})
		}
	}
	for row := range e.c.h {
		if b.heading[row] != nil {
			continue
		}
		for col := e.c.w; col > end; col-- {
			if !e.blank(row, stretch{col - 1, col}) {
				end = col
				break
			}
		}
	}
	return cuts, end
}

// alone returns by row the text that is alone in it, nil where none is.
func (e *emitter) alone(p *plan) []*shape {
	out := make([]*shape, e.c.h)
	count := make([]int, e.c.h)
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.kind != textShape {
			continue
		}
		for row := max(s.row, 0); row < min(s.row+s.rows, e.c.h); row++ {
			out[row] = s
			count[row]++
			if s.style.Up || s.swatch {
				count[row]++
			}
		}
	}
	for row, s := range out {
		if count[row] != 1 || !e.textOnly(row) {
			out[row] = nil
		} else if s.col < 0 || s.col+s.cols > e.c.w {
			out[row] = nil
		}
	}
	return out
}

// textOnly reports whether a row has no strokes and no fills.
func (e *emitter) textOnly(row int) bool { return e.words(row, e.c.w) }

// columnsOf returns where the columns of cells stand: the stretches between successive edges that a box fills.
func columnsOf(p *plan) []stretch {
	next := p.x.nextEdge()
	is := make([]bool, len(p.x.at))
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape {
			if from := p.x.event(s.x0); next[from+1] == p.x.event(s.x1) {
				is[from] = true
			}
		}
	}
	var out []stretch
	for i, ok := range is {
		if ok {
			out = append(out, stretch{p.x.cell(i), p.x.cell(next[i+1])})
		}
	}
	return out
}

// stubOf returns where the grid begins: the first edge at which at least half as many boxes begin as at any. What is left of
// it labels the rows.
func stubOf(p *plan) int {
	count := make([]int, len(p.x.at))
	most := 0
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape {
			at := p.x.event(s.x0)
			count[at]++
			most = max(most, count[at])
		}
	}
	for i, n := range count {
		if n > 0 && 2*n >= most {
			return p.x.cell(i)
		}
	}
	return 0
}
