package term

import (
	"math"

	"girih/internal/picture/draw"
)

// buckets is the number of strips into which a scene is cut to find which shapes are next to each other.
const buckets = 1024

// A plan holds the shapes of a scene and the axes that place them.
type plan struct {
	sections
	shapes    []shape
	xs, ys    []*axis
	w, h      int     // cells
	rows      []int   // the x axis of each row
	titleSize float64 // the size of the largest text
	apart     []pair
}

// A pair is two coordinates on a y axis that must have different rows, because their texts would overlap.
type pair struct {
	gy           int
	above, below float64
}

// x returns the x axis of a shape.
func (p *plan) x(s *shape) *axis { return p.xs[s.gx] }

// y returns the y axis of a shape.
func (p *plan) y(s *shape) *axis { return p.ys[s.gy] }

// attempts limits how often a picture is arranged again to keep texts apart.
const attempts = 8

// arrange places the shapes: first the rows, then the columns, because the number of columns depends on which texts
// share a row. If texts then overlap, they get separate rows where possible, and everything is placed again.
func arrange(list []shape) *plan {
	p := &plan{sections: regions(list), shapes: list}
	for i := range list {
		if list[i].kind == textShape {
			p.titleSize = max(p.titleSize, list[i].style.Size)
		}
	}
	for n := 0; ; n++ {
		p.place()
		if n == attempts || !p.collide() {
			p.yield()
			p.axisRows()
			return p
		}
	}
}

// place places the shapes once: rows, then columns.
func (p *plan) place() {
	p.mark()
	for n := len(p.inners); n >= 0; n-- {
		a := p.ys[n]
		a.least = p.tops(n)
		a.separate(p.flats(n), gaps{})
		a.strips(p.spans(vertical, n), strip{blank: 14, most: 1, wire: 18, wires: 20, inside: 1})
		for _, q := range p.apart {
			if q.gy == n {
				a.keep(a.event(q.above), a.event(q.below), 2)
			}
		}
		if n == 0 {
			p.keepInners()
		}
		a.solve()
	}
	p.placeInners()
	p.placeRows()
	for n, a := range p.xs {
		a.separate(p.uprights(n), gaps{texts: 2, outside: 2})
		a.strips(p.spans(horizontal, n), strip{blank: 8, most: 3, wire: 9, wires: 30, inside: 2})
		a.solve()
	}
	p.alignBands()
	p.placeColumns()
}

// axisRows finds the x axis of each row. A row between bands has the axis of the next band; rows after the last band
// have the axis of that band.
func (p *plan) axisRows() {
	p.rows = make([]int, p.h)
	for i := range p.rows {
		p.rows[i] = -1
	}
	for i := range p.shapes {
		s := &p.shapes[i]
		a := p.y(s)
		top, bottom := s.row, s.row+s.rows-1
		switch {
		case s.kind == textShape && s.loose || s.kind == dotShape || s.kind == slantShape:
			continue
		case s.kind != textShape:
			top, bottom = a.cell(a.event(min(s.y0, s.y1))), a.cell(a.event(max(s.y0, s.y1)))
		}
		for row := max(top, 0); row <= min(bottom, p.h-1); row++ {
			if p.rows[row] < 0 || s.kind == boxShape {
				p.rows[row] = s.gx
			}
		}
	}
	next := 0
	if n := len(p.bands); n > 0 {
		next = p.bands[n-1].group
	}
	for row := p.h - 1; row >= 0; row-- {
		if p.rows[row] < 0 {
			p.rows[row] = next
		}
		next = p.rows[row]
	}
}

// axisAt returns the x axis of a row.
func (p *plan) axisAt(row int) *axis { return p.xs[p.rows[row]] }

// mark creates the axes with their events.
func (p *plan) mark() {
	xs, ys := make([][]mark, p.sections.xs), make([][]mark, 1+len(p.inners))
	texts := p.anchors()
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.blend {
			xs[s.gx], _ = marksOf(s, texts, xs[s.gx], nil)
			continue
		}
		xs[s.gx], ys[s.gy] = marksOf(s, texts, xs[s.gx], ys[s.gy])
	}
	for i, in := range p.inners {
		ys[0] = append(ys[0], mark{in.top, isEdge}, mark{in.bottom, 0})
		ys[i+1] = append(ys[i+1], mark{in.top, isEdge})
	}
	p.xs, p.ys = nil, nil
	for _, m := range xs {
		p.xs = append(p.xs, newAxis(m))
	}
	for _, m := range ys {
		p.ys = append(p.ys, newAxis(m))
	}
}

// keepInners reserves room on the first y axis for the panels that have their own axes.
func (p *plan) keepInners() {
	a := p.ys[0]
	for i, in := range p.inners {
		q := p.ys[i+1]
		if n := len(q.pos); n > 0 {
			from, to := a.event(in.top), a.event(in.bottom)
			a.keep(from, to, q.pos[n-1]+q.line(n-1)-q.pos[0]-a.line(to))
		}
	}
}

// placeInners moves the panels with their own y axes to their places. A panel with wires to other panels is stretched
// to the height of those panels.
func (p *plan) placeInners() {
	a := p.ys[0]
	for i, in := range p.inners {
		q := p.ys[i+1]
		if len(q.pos) == 0 {
			continue
		}
		top := a.pos[a.event(in.top)]
		q.move((top - q.pos[0]) / 2)
		if !in.wired {
			continue
		}
		want := make([]int, len(q.pos))
		for k := range want {
			want[k] = int(math.Round(2 * a.place(q.at[k], rowPoints)))
		}
		bottom := a.event(in.bottom)
		q.spread(want, a.pos[bottom]+a.line(bottom)-q.line(len(q.pos)-1))
	}
}

// alignBands moves each further x axis to its place relative to the first one.
func (p *plan) alignBands() {
	a := p.xs[0]
	for _, q := range p.xs[1:] {
		if len(q.at) > 0 && len(a.at) > 0 {
			q.move(int(math.Round(a.place(q.at[0], columnPoints))) - q.pos[0]>>1)
		}
	}
}

// anchors are the coordinates at which texts are anchored. A line at such a coordinate is drawn through the row of
// the text instead of in its own row.
type anchors struct{ x, y map[int64]bool }

//go:noinline
func near(v float64) int64 { return int64(math.Round(v / tolerance)) }

func (p *plan) anchors() anchors {
	a := anchors{map[int64]bool{}, map[int64]bool{}}
	for i := range p.shapes {
		if t := &p.shapes[i]; t.kind == textShape {
			a.x[near(t.x)] = true
			a.y[near(t.y)] = true
		}
	}
	for i := range p.shapes {
		if b := &p.shapes[i]; b.kind == boxShape {
			delete(a.x, near(b.x0))
			delete(a.x, near(b.x1))
			delete(a.y, near(b.y0))
			delete(a.y, near(b.y1))
		}
	}
	return a
}

// marksOf appends the coordinates of a shape on each axis.
func marksOf(s *shape, texts anchors, xs, ys []mark) ([]mark, []mark) {
	switch s.kind {
	case boxShape:
		kind := uint8(isEdge)
		if s.lined {
			kind |= isLined
		}
		xs = append(xs, mark{s.x0, kind}, mark{s.x1, kind})
		top, bottom := kind, kind
		if s.openTop {
			top = isEdge
		}
		if s.openBottom {
			bottom = isEdge
		}
		ys = append(ys, mark{s.y0, top}, mark{s.y1, bottom})
	case lineShape:
		end, line := uint8(isEnd), uint8(isEdge|isLined)
		if s.y0 == s.y1 {
			if texts.y[near(s.y0)] {
				line = isEnd
			}
			xs = append(xs, mark{s.x0, end}, mark{s.x1, end})
			ys = append(ys, mark{s.y0, line})
		} else {
			if texts.x[near(s.x0)] {
				line = isEnd
			}
			xs = append(xs, mark{s.x0, line})
			ys = append(ys, mark{s.y0, end}, mark{s.y1, end})
		}
	case slantShape:
		ys = append(ys, mark{s.y0, isEnd}, mark{s.y1, isEnd})
		for _, q := range s.steps {
			if q.Verb != draw.Close {
				xs = append(xs, mark{q.X, isEnd})
				ys = append(ys, mark{q.Y, isEnd})
			}
		}
	case dotShape:
		xs = append(xs, mark{(s.x0 + s.x1) / 2, isEnd})
		ys = append(ys, mark{(s.y0 + s.y1) / 2, isEnd})
	case textShape:
		xs = append(xs, mark{s.x, isText})
		ys = append(ys, mark{s.y, isText})
	}
	return xs, ys
}

// tops returns the least positions on a y axis. The middle of a row of text must be the middle of a row of cells.
func (p *plan) tops(n int) []int {
	a := p.ys[n]
	least := make([]int, len(a.at))
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape && s.gy == n && !s.style.Up {
			least[a.event(s.y)] = 1
		}
	}
	return least
}
