package term

import (
	"fmt"
	"slices"
)

// A book is how a picture is cut into pages.
type book struct {
	axis     int        // the x axis of its rows
	top, end int        // its rows
	stub     int        // the columns at the left that each page repeats
	alone    []bool     // by page: it begins with a panel, which has its own labels
	pages    []stretch  // the columns of each page, without the stub
	columns  []stretch  // where the columns of cells of the picture stand
	heading  []*heading // by row: the texts of a row that is not part of the picture
	below    int        // the first row below all that is no heading
}

// A heading is a row that is written once and wrapped: a single text, or a line of a legend.
type heading struct {
	from, to int
	starts   []int // where the items of a legend begin, after the first
}

// pages appends the picture page by page: the rows of each x axis for themselves.
func (e *emitter) pages(p *plan) {
	heading := e.alone(p)
	several := false
	for top := 0; top < e.c.h; {
		end := top + 1
		for end < e.c.h && p.rows[end] == p.rows[top] {
			end++
		}
		b := e.book(p, book{axis: p.rows[top], top: top, end: end, heading: heading})
		if top > 0 && (several || len(b.pages) > 1) {
			e.dst = append(e.dst, '\n')
		}
		several = len(b.pages) > 1
		e.write(b)
		top = end
	}
}

// write appends the pages of a book.
func (e *emitter) write(b book) {
	if len(b.pages) == 0 {
		e.headings(b, b.top, b.end)
	}
	for n, page := range b.pages {
		if n > 0 {
			e.dst = append(e.dst, '\n')
		}
		first, last := -1, -1
		for row := b.top; row < b.end; row++ {
			if b.heading[row] == nil && !e.blank(row, page) {
				if first < 0 {
					first = row
				}
				last = row
			}
		}
		if n == 0 {
			e.headings(b, b.top, first)
		}
		if len(b.pages) > 1 {
			e.title(b, page)
		}
		for row := first; row >= 0 && row <= last; row++ {
			switch {
			case b.heading[row] == nil && b.alone[n]:
				e.row(row, page)
			case b.heading[row] == nil && (n == 0 || e.words(row, b.stub)):
				e.row(row, stretch{0, b.stub}, page)
			case b.heading[row] == nil:
				e.indented(b.stub, row, page)
			case n == 0:
				e.headings(b, row, row+1)
			}
		}
		if n == len(b.pages)-1 {
			e.headings(b, max(b.below, first), b.end)
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
		if s.to <= e.o.Width {
			e.row(row, stretch{0, s.to})
			continue
		}
		for at := s.from; at < s.to; {
			next := e.wrap(row, at, s)
			e.row(row, stretch{at, next})
			for at = next; at < s.to && len(s.starts) == 0 && e.c.cells[row*e.c.w+at].r == 0; {
				at++
			}
		}
	}
}

// wrap returns where the line of a heading ends that begins somewhere.
func (e *emitter) wrap(row, at int, s *heading) int {
	end := min(at+e.o.Width, s.to)
	if end == s.to {
		return end
	}
	next := 0
	for _, v := range s.starts {
		if v > at && v <= end {
			next = v
		}
	}
	if next > 0 {
		return next
	}
	return e.breakAt(row, at, end)
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

// blankColumn reports whether nothing is painted in a column of the rows of a book, headings aside.
func (e *emitter) blankColumn(b book, col int) bool {
	for row := b.top; row < b.end; row++ {
		if b.heading[row] == nil && !e.blank(row, stretch{col, col + 1}) {
			return false
		}
	}
	return col+1 < e.c.w
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

// book cuts some rows of the picture.
func (e *emitter) book(p *plan, b book) book {
	b.columns = columnsOf(p, b.axis)
	for row := b.top; row < b.end; row++ {
		if b.heading[row] == nil && !e.blank(row, stretch{0, e.c.w}) {
			b.below = row + 1
		}
	}
	b.stub = stubOf(p, b.axis)
	if 2*b.stub > e.o.Width {
		b.stub = 0
	}
	strict, end := e.cuts(p, b, func(*shape) bool { return true })
	cuts, _ := e.cuts(p, b, func(s *shape) bool { return !s.caption })
	if end <= e.o.Width {
		if end > 0 {
			b.stub, b.pages, b.alone = 0, []stretch{{0, end}}, []bool{true}
		}
		return b
	}
	gaps := gapsOf(p, b.axis)
	alone := false
	for from := b.stub; from < end; {
		room := e.o.Width - b.stub
		if alone {
			room = e.o.Width
		}
		b.alone = append(b.alone, alone)
		for alone && e.blankColumn(b, from) {
			from++ // the gap between the panels
		}
		alone = false
		if end-from <= room {
			b.pages = append(b.pages, stretch{from, end})
			break
		}
		page := stretch{from, from + room}
		next := page.to
		// The last cut that leaves the page within the width, through no text unless that leaves half of it empty.
		c, ok := lastCut(strict, from+room/2, from+room)
		if g, between := lastCut(gaps, from+room*2/5, from+room); between {
			c, ok, alone = cut{g.at + g.line, 0}, true, true
		}
		if !ok {
			c, ok = lastCut(cuts, from, from+room)
		}
		if ok {
			page.to, next = c.at+c.line, c.at
		}
		b.pages = append(b.pages, page)
		from = next
	}
	return b
}

// lastCut returns the last cut after a column at which a page ends before or at another.
func lastCut(cuts []cut, after, until int) (cut, bool) {
	// A line there belongs to both pages.
	k, _ := slices.BinarySearchFunc(cuts, until+1, func(c cut, at int) int { return c.at + c.line - at })
	if k == 0 || cuts[k-1].at <= after {
		return cut{}, false
	}
	return cuts[k-1], true
}

// A cut is a column at which a page may end: an edge that no text but captions goes across.
type cut struct {
	at, line int // line is 1 if a line is drawn in that column
}

// cuts returns the cuts that go through no text of some kind, and where what is no heading ends.
func (e *emitter) cuts(p *plan, b book, kept func(*shape) bool) (cuts []cut, end int) {
	inside := make([]int, e.c.w+2)
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.kind != textShape || s.row < b.top || s.row >= b.end || b.heading[s.row] != nil {
			continue
		}
		if kept(s) && s.cols > 1 {
			inside[min(s.col+1, e.c.w)]++
			inside[min(s.col+s.cols, e.c.w+1)]--
		}
	}
	for i := range e.c.w {
		inside[i+1] += inside[i]
	}
	a := p.xs[b.axis]
	for i := range a.at {
		if at := a.cell(i); a.has(i, isEdge) && at < e.c.w && inside[at] == 0 {
			cuts = append(cuts, cut{at, a.line(i) / 2})
		}
	}
	for row := b.top; row < b.end; row++ {
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

// alone returns the headings by row, nil where none is.
func (e *emitter) alone(p *plan) []*heading {
	rows := make([][]*shape, e.c.h)
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape {
			for row := max(s.row, 0); row < min(s.row+s.rows, e.c.h); row++ {
				rows[row] = append(rows[row], s)
			}
		}
	}
	out := make([]*heading, e.c.h)
	for row, list := range rows {
		switch {
		case len(list) == 1 && !list[0].style.Up && !list[0].swatch && e.textOnly(row):
			out[row] = &heading{from: list[0].col, to: list[0].col + list[0].cols}
		case len(list) > 1:
			out[row] = legendOf(list)
		}
		if s := out[row]; s != nil && (s.from < 0 || s.to > e.c.w) {
			out[row] = nil
		}
	}
	return out
}

// legendOf returns the heading of a row of loose texts with patches of color among them, nil for another row.
func legendOf(list []*shape) *heading {
	slices.SortStableFunc(list, func(s, t *shape) int { return s.col - t.col })
	h := &heading{from: list[0].col}
	patches := false
	for i, s := range list {
		if !s.loose {
			return nil
		}
		patches = patches || s.swatch
		if i > 0 && s.swatch && !list[i-1].swatch {
			h.starts = append(h.starts, s.col)
		}
		h.to = max(h.to, s.col+s.cols)
	}
	if !patches {
		return nil
	}
	return h
}

// textOnly reports whether a row has no strokes and no fills.
func (e *emitter) textOnly(row int) bool { return e.words(row, e.c.w) }

// columnsOf returns where the columns of cells stand: the stretches between successive edges that a box fills.
func columnsOf(p *plan, n int) []stretch {
	a := p.xs[n]
	next := a.nextEdge()
	is := make([]bool, len(a.at))
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape && s.gx == n {
			if from := a.event(s.x0); next[from+1] == a.event(s.x1) {
				is[from] = true
			}
		}
	}
	var out []stretch
	for i, ok := range is {
		if ok {
			out = append(out, stretch{a.cell(i), a.cell(next[i+1])})
		}
	}
	return out
}

// gapsOf returns the cuts at which all boxes end that begin before.
func gapsOf(p *plan, n int) []cut {
	a := p.xs[n]
	open := make([]int, len(a.at)+1)
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape && s.gx == n {
			open[a.event(s.x0)]++
			open[a.event(s.x1)]--
		}
	}
	var out []cut
	sum := 0
	for i := range a.at {
		before := sum
		if sum += open[i]; before > 0 && sum == 0 {
			out = append(out, cut{a.cell(i), a.line(i) / 2})
		}
	}
	return out
}

// stubOf returns where the grid begins: the first edge at which at least half as many boxes begin as at any. What is left of
// it labels the rows.
func stubOf(p *plan, n int) int {
	a := p.xs[n]
	count := make([]int, len(a.at))
	most := 0
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape && s.gx == n {
			at := a.event(s.x0)
			count[at]++
			most = max(most, count[at])
		}
	}
	for i, n := range count {
		if n > 0 && 2*n >= most {
			return a.cell(i)
		}
	}
	return 0
}
