package term

import (
	"slices"
)

// book cuts the rows of b into pages.
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
	gaps := slices.DeleteFunc(gapsOf(p, b.axis), func(c cut) bool { return !slices.Contains(strict, c) })
	alone := false
	for from := b.stub; from < end; {
		room := e.o.Width - b.stub
		if alone {
			room = e.o.Width
		}
		b.alone = append(b.alone, alone)
		for alone && e.blankColumn(b, from) {
			from++ // skip the gap between the panels
		}
		alone = false
		if end-from <= room {
			b.pages = append(b.pages, stretch{from, end})
			break
		}
		page := stretch{from, from + room}
		next := page.to
		// Prefer the last cut that keeps the page within the width and crosses no text, unless it leaves half of the
		// page empty.
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

// lastCut returns the last cut that is after one column and ends a page at or before another column.
func lastCut(cuts []cut, after, until int) (cut, bool) {
	// A line at the cut belongs to both pages.
	k, _ := slices.BinarySearchFunc(cuts, until+1, func(c cut, at int) int { return c.at + c.line - at })
	if k == 0 || cuts[k-1].at <= after {
		return cut{}, false
	}
	return cuts[k-1], true
}

// A cut is a column at which a page may end: an edge that no text crosses, except captions.
type cut struct {
	at, line int // line is 1 if the column contains a line
}

// cuts returns the cuts that cross no text selected by kept, and the column where the rows end, headings excluded.
func (e *emitter) cuts(p *plan, b book, kept func(*shape) bool) (cuts []cut, end int) {
	inside := e.crossings(p, b, kept)
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

// crossings counts, for each column, the texts selected by kept that begin before the column and continue in
// it.
func (e *emitter) crossings(p *plan, b book, kept func(*shape) bool) []int {
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
	return inside
}

// columnsOf returns the columns of cells: the stretches between successive edges that a box fills.
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

// gapsOf returns the cuts at which every earlier box has ended.
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

// stubOf returns the column where the grid begins: the first edge at which at least half as many boxes begin as at
// any other edge. Everything to its left labels the rows.
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
