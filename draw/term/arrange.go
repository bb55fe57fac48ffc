package term

import (
	"cmp"
	"math"
	"slices"

	"girih/draw"
)

// buckets is how many strips a scene is cut into to find what is beside what.
const buckets = 1024

// A plan is the shapes of a scene with the axes that place them.
type plan struct {
	shapes []shape
	x, y   *axis
	w, h   int // cells
}

// arrange places the shapes: first the rows, then the columns, since which texts share a row decides how many columns they
// need.
func arrange(list []shape) *plan {
	p := &plan{shapes: list}
	var xs, ys []mark
	texts := p.anchors()
	for i := range list {
		xs, ys = marksOf(&list[i], texts, xs, ys)
	}
	p.x, p.y = newAxis(xs), newAxis(ys)
	p.y.least = p.tops()
	p.y.beside(p.flats(), gaps{})
	p.y.strips(p.spans(false), strip{blank: 14, most: 1, wire: 18, wires: 20, inside: 1})
	p.y.solve()
	p.placeRows()
	p.x.beside(p.uprights(), gaps{texts: 2, outside: 2})
	p.x.strips(p.spans(true), strip{blank: 8, most: 3, wire: 9, wires: 30, inside: 2})
	p.x.solve()
	p.placeColumns()
	return p
}

// The anchors of texts tell which coordinates have a text, so that a line there is drawn through the row of the text instead of
// in one of its own.
type anchors struct{ x, y map[int64]bool }

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

// marksOf appends the coordinates that a shape has on each axis.
func marksOf(s *shape, texts anchors, xs, ys []mark) ([]mark, []mark) {
	switch s.kind {
	case boxShape:
		kind := uint8(isEdge)
		if s.lined {
			kind |= isLined
		}
		xs = append(xs, mark{s.x0, kind}, mark{s.x1, kind})
		ys = append(ys, mark{s.y0, kind}, mark{s.y1, kind})
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

// tops returns the least positions on the y axis: a row of text has its middle in the middle of a row.
func (p *plan) tops() []int {
	least := make([]int, len(p.y.at))
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape && !s.style.Up {
			least[p.y.event(s.y)] = 1
		}
	}
	return least
}

// An item is what stands in the way along an axis: an edge or a text, with the buckets that it covers across the axis.
type item struct {
	event         int
	from, to      int // buckets
	before, after int // half cells that it takes on each side of the event
	text          bool
	opens, closes bool // an edge: something begins, ends there
	moves         bool // a caption: what is before it does not push it
}

// gaps are the half cells that stay blank between texts, and between a text and the edge of a fill that it is outside of.
type gaps struct{ texts, outside int }

// beside keeps each item apart from the one before it in each of its buckets.
func (a *axis) beside(items []item, g gaps) {
	slices.SortStableFunc(items, func(p, q item) int { return cmp.Compare(p.event, q.event) })
	last := make([]item, buckets+1)
	for i := range last {
		last[i].event = -1
	}
	for i := 0; i < len(items); {
		j := i
		for j < len(items) && items[j].event == items[i].event {
			a.pushed(items[j], last, g)
			j++
		}
		for _, it := range items[i:j] {
			for b := it.from; b <= it.to; b++ {
				if l := &last[b]; l.event == it.event {
					l.after = max(l.after, it.after)
					l.text = l.text || it.text
					l.opens = l.opens || it.opens
				} else {
					*l = it
				}
			}
		}
		i = j
	}
}

// pushed adds the bounds that lead to an item.
func (a *axis) pushed(it item, last []item, g gaps) {
	from, gap := -1, 0
	for b := it.from; b <= it.to; b++ {
		l := &last[b]
		if l.event < 0 || it.moves && l.text {
			continue
		}
		d := l.after + it.before
		switch {
		case l.text && it.text:
			d += g.texts
		case l.text && !it.closes && a.line(it.event) == 0, it.text && !l.opens && a.line(l.event) == 0:
			d += g.outside
		}
		if l.event != from || d != gap {
			from, gap = l.event, d
			a.keep(from, it.event, gap)
		}
	}
}

// flats returns the items of the y axis. The buckets are strips of the scene's width.
func (p *plan) flats() []item {
	if len(p.x.at) == 0 {
		return nil
	}
	lo, hi := p.x.at[0], p.x.at[len(p.x.at)-1]
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape {
			lo, hi = min(lo, s.x0), max(hi, s.x1)
		}
	}
	size := max((hi-lo)/buckets, 2)
	bucket := func(v float64) int { return min(max(int((v-lo)/size), 0), buckets) }
	var items []item
	for i := range p.shapes {
		s := &p.shapes[i]
		// What only touches is not beside.
		it := item{from: bucket(s.x0 + size), to: bucket(s.x1 - size)}
		it.to = max(it.from, it.to)
		switch {
		case s.kind == textShape:
			it.event, it.before, it.after, it.text = p.y.event(s.y), s.reach.up, s.reach.down, true
			items = append(items, it)
		case s.kind == boxShape:
			items = append(items, p.y.edge(it, s.y0, true), p.y.edge(it, s.y1, false))
		case s.kind == lineShape && s.y0 == s.y1 && p.y.has(p.y.event(s.y0), isEdge):
			items = append(items, p.y.edge(it, s.y0, true))
		}
	}
	return items
}

// edge returns the item of an edge.
func (a *axis) edge(it item, v float64, opens bool) item {
	it.event = a.event(v)
	it.after = a.line(it.event)
	it.opens, it.closes = opens, !opens
	return it
}

// uprights returns the items of the x axis. The buckets are the rows, several to one if there are more rows than buckets.
func (p *plan) uprights() []item {
	size := p.h/buckets + 1
	bucket := func(row int) int { return min(max(row/size, 0), buckets) }
	var items []item
	for i := range p.shapes {
		s := &p.shapes[i]
		switch {
		case s.loose:
		case s.kind == textShape:
			items = append(items, item{
				event: p.x.event(s.x), from: bucket(s.row), to: bucket(s.row + s.rows - 1),
				before: s.reach.left, after: s.reach.right, text: true, moves: s.caption && s.style.Anchor == draw.Middle,
			})
		case s.kind == boxShape, s.kind == lineShape && s.x0 == s.x1 && p.x.has(p.x.event(s.x0), isEdge):
			top, bottom := p.y.cell(p.y.event(s.y0)), p.y.cell(p.y.event(s.y1))
			it := item{from: bucket(min(top, bottom)), to: bucket(max(top, bottom-1))}
			items = append(items, p.x.edge(it, s.x0, true))
			if s.kind == boxShape {
				items = append(items, p.x.edge(it, s.x1, false))
			}
		}
	}
	return items
}

// placeRows gives each text its row, and finds which texts are captions.
func (p *plan) placeRows() {
	top, bottom := 0, 0
	for i, v := range p.y.pos {
		top, bottom = min(top, p.y.cell(i)), max(bottom, p.y.end(i, v))
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape {
			s.row = (p.y.pos[p.y.event(s.y)] - s.reach.up) >> 1
			top, bottom = min(top, s.row), max(bottom, s.row+s.rows)
			s.caption = !s.style.Up && !s.swatch && p.x.crosses(s.x0, s.x1)
		}
	}
	p.y.shift, p.h = -top, bottom-top
	for i := range p.shapes {
		p.shapes[i].row -= top
	}
	p.loosen()
}

// loosen finds the texts that are neither beside a box nor the label of a column: titles, legends, notes. Labels of columns
// are anchored in their middle.
func (p *plan) loosen() {
	used := make([]int, p.h+2) // how many boxes begin and end at a row, then how many have it
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape || s.kind == lineShape && s.x0 == s.x1 {
			top, bottom := p.y.cell(p.y.event(min(s.y0, s.y1))), p.y.cell(p.y.event(max(s.y0, s.y1)))
			used[min(max(top, 0), p.h)]++
			used[min(max(bottom, top)+1, p.h+1)]--
		}
	}
	for i := range p.h {
		used[i+1] += used[i]
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape && !s.style.Up && used[s.row] == 0 {
			s.loose = s.swatch || s.caption || s.style.Anchor != draw.Middle
		}
	}
}

// end returns the cell after an event at a position.
func (a *axis) end(i, pos int) int {
	if a.has(i, isEnd) && !a.has(i, isLined|isText) {
		return pos>>1 + 1
	}
	return (pos+1)>>1 + a.line(i)/2
}

// crosses reports whether an edge lies in the middle half of a stretch.
func (a *axis) crosses(from, to float64) bool {
	lo, hi := from+(to-from)/4, to-(to-from)/4
	i, _ := slices.BinarySearch(a.at, lo)
	for ; i < len(a.at) && a.at[i] < hi; i++ {
		if a.has(i, isEdge) {
			return true
		}
	}
	return false
}

// together is how near, in points, two texts of a legend are that stay beside each other.
const together = 12

// placeColumns gives each text its column. A caption or a loose text
// that would run into another text of its row gives way to the right.
func (p *plan) placeColumns() {
	left, right := math.MaxInt, math.MinInt
	var order []int
	for i, v := range p.x.pos {
		if p.x.has(i, isEdge|isEnd) {
			left, right = min(left, p.x.cell(i)), max(right, p.x.end(i, v))
		}
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape {
			s.col = (p.x.pos[p.x.event(s.x)] - s.reach.left) >> 1
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		s, t := &p.shapes[i], &p.shapes[j]
		return cmp.Or(cmp.Compare(s.row, t.row), cmp.Compare(s.col, t.col), cmp.Compare(s.x, t.x))
	})
	row, end := -1, 0
	var last *shape
	for _, i := range order {
		s := &p.shapes[i]
		if s.row != row {
			row, end = s.row, math.MinInt
		}
		switch {
		case s.loose && end > math.MinInt && last.loose && s.x0-last.x1 < together:
			s.col = end
			if s.swatch && last.swatch && s.x0-last.x1 < tolerance {
				s.col-- // the patches of a ramp touch
			}
		case s.caption || s.loose:
			s.col = max(s.col, end)
		}
		end = max(end, s.col+s.cols+1)
		last = s
		left, right = min(left, s.col), max(right, s.col+s.cols)
	}
	if left > right {
		left, right = 0, 0
	}
	p.x.shift, p.w = -left, right-left
	for i := range p.shapes {
		p.shapes[i].col -= left
	}
}
