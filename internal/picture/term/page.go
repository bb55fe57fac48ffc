package term

import (
	"fmt"
	"slices"
	"strings"
)

// A book describes how rows of the picture are cut into pages.
type book struct {
	axis     int        // the x axis of its rows
	top, end int        // the first row, and the row after the last
	stub     int        // the columns at the left that every page repeats
	alone    []bool     // by page: whether the page begins with a panel, which has its own labels
	pages    []stretch  // the columns of each page, without the stub
	columns  []stretch  // the columns of cells
	heading  []*heading // by row: a row of text that is not part of the grid; nil for the other rows
	below    int        // the row after the last row that is not a heading
}

// A heading is a row that is written once and wrapped: a single text, or a line of a legend.
type heading struct {
	from, to int
	starts   []int // where the items of a legend begin, except the first
}

// pages appends the picture page by page. Rows with different x axes are paged separately.
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
		first, last := e.usedRows(b, page)
		if n == 0 {
			e.headings(b, b.top, first)
		}
		if len(b.pages) > 1 && !b.panels() {
			e.title(b, page)
		}
		for row := first; row >= 0 && row <= last; row++ {
			e.pageRow(b, n, row)
		}
		if n == len(b.pages)-1 {
			e.headings(b, max(b.below, first), b.end)
		}
	}
}

// usedRows returns the first and the last row in which a page shows part of the picture, -1 if there is none.
func (e *emitter) usedRows(b book, page stretch) (first, last int) {
	first, last = -1, -1
	for row := b.top; row < b.end; row++ {
		if b.heading[row] == nil && !e.blank(row, page) {
			if first < 0 {
				first = row
			}
			last = row
		}
	}
	return first, last
}

// pageRow appends a row of page n; headings between rows of the picture are on the first page.
func (e *emitter) pageRow(b book, n, row int) {
	page := b.pages[n]
	switch {
	case b.heading[row] == nil && b.alone[n]:
		e.row(row, page)
	case b.heading[row] == nil && (n == 0 || e.words(row, b.stub)):
		e.row(row, stretch{0, b.stub}, page)
	case b.heading[row] == nil:
		e.writeIndented(b.stub, row, page)
	case n == 0:
		e.headings(b, row, row+1)
	}
}

// panels reports whether every page begins with a panel, which has its own title.
func (b book) panels() bool {
	return !slices.Contains(b.alone[1:], false)
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
		line := fmt.Sprintf("characters %d-%d of %d", page.from, page.to-1, e.c.w)
		if len(line) > max(e.o.Width, 24) {
			line = strings.TrimPrefix(line, "characters ")
		}
		e.dst = append(append(e.dst, line...), '\n')
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
			for at = next; at < s.to && e.blank(row, stretch{at, at + 1}); {
				at++
			}
		}
	}
}

// wrap returns the end of the line of a heading that begins at a column.
func (e *emitter) wrap(row, at int, s *heading) int {
	end := min(at+e.o.Width, s.to)
	if end == s.to {
		return end
	}
	next := 0
	for _, v := range s.starts {
		if v > at && v <= at+e.o.Width {
			next = v
		}
	}
	if next > 0 {
		return next
	}
	return e.breakAt(row, at, end)
}

// breakAt returns where to break a line of text: after the last blank in its second half, or at its end.
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

// blank reports whether a stretch of a row is empty.
func (e *emitter) blank(row int, part stretch) bool {
	for _, x := range e.c.cells[row*e.c.w+part.from : row*e.c.w+part.to] {
		if x.r != 0 || x.box != 0 || x.dots != 0 || visible(x.bg) {
			return false
		}
	}
	return true
}

// blankColumn reports whether a column is empty in the rows of a book, headings excluded.
func (e *emitter) blankColumn(b book, col int) bool {
	for row := b.top; row < b.end; row++ {
		if b.heading[row] == nil && !e.blank(row, stretch{col, col + 1}) {
			return false
		}
	}
	return col+1 < e.c.w
}

// words reports whether the first columns of a row contain only text.
func (e *emitter) words(row, to int) bool {
	for _, x := range e.c.cells[row*e.c.w : row*e.c.w+to] {
		if x.box != 0 || x.dots != 0 || x.owner != 0 {
			return false
		}
	}
	return true
}

// alone returns the heading of each row, nil for rows without one.
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
			out[row] = legendOf(list, e.o.Width)
		}
		if s := out[row]; s != nil && (s.from < 0 || s.to > e.c.w) {
			out[row] = nil
		}
	}
	return out
}

// legendOf returns the heading of a row of loose texts if the row has patches of color or a text wider than a page.
// Otherwise it returns nil.
func legendOf(list []*shape, width int) *heading {
	slices.SortStableFunc(list, func(s, t *shape) int { return s.col - t.col })
	h := &heading{from: list[0].col}
	patches := false
	for i, s := range list {
		if !s.loose {
			return nil
		}
		patches = patches || s.swatch || s.cols > width
		if i > 0 && (s.swatch || s.cols > width || list[i-1].cols > width) && !list[i-1].swatch {
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
