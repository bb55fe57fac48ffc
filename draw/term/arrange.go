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
	grouping
	shapes    []shape
	xs, ys    []*axis
	w, h      int     // cells
	rows      []int   // the x axis of each row
	titleSize float64 // of the largest text
	apart     []pair
}

// A pair is two coordinates on a y axis that must not share a row, since texts there would overlap.
type pair struct {
	gy           int
	above, below float64
}

// x returns the x axis of a shape.
func (p *plan) x(s *shape) *axis { return p.xs[s.gx] }

// y returns the y axis of a shape.
func (p *plan) y(s *shape) *axis { return p.ys[s.gy] }

func (p *plan) axisOf(x bool, n int) *axis {
	if x {
		return p.xs[n]
	}
	return p.ys[n]
}

// attempts is how often a picture is arranged to keep texts apart.
const attempts = 8

// arrange places the shapes: first the rows, then the columns, since which texts share a row decides how many columns they
// need. Texts that then overlap get separate rows if they can, and all is placed again.
func arrange(list []shape) *plan {
	p := &plan{grouping: regions(list), shapes: list}
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

// place places the shapes once.
func (p *plan) place() {
	p.mark()
	for n := len(p.inners); n >= 0; n-- {
		a := p.ys[n]
		a.least = p.tops(n)
		a.beside(p.flats(n), gaps{})
		a.strips(p.spans(false, n), strip{blank: 14, most: 1, wire: 18, wires: 20, inside: 1})
		for _, q := range p.apart {
			if q.gy == n {
				a.keep(a.event(q.above), a.event(q.below), 2)
			}
		}
		if n == 0 {
			p.room()
		}
		a.solve()
	}
	p.placeInners()
	p.placeRows()
	for n, a := range p.xs {
		a.beside(p.uprights(n), gaps{texts: 2, outside: 2})
		a.strips(p.spans(true, n), strip{blank: 8, most: 3, wire: 9, wires: 30, inside: 2})
		a.solve()
	}
	p.alignBands()
	p.placeColumns()
}

// axisRows says which x axis each row has: that of the band there; above a band that of the band, below the last one its own.
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

// mark makes the axes with their events.
func (p *plan) mark() {
	xs, ys := make([][]mark, p.grouping.xs), make([][]mark, 1+len(p.inners))
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

// room keeps room on the first y axis for the panels that have their own.
func (p *plan) room() {
	a := p.ys[0]
	for i, in := range p.inners {
		q := p.ys[i+1]
		if n := len(q.pos); n > 0 {
			from, to := a.event(in.top), a.event(in.bottom)
			a.keep(from, to, q.pos[n-1]+q.line(n-1)-q.pos[0]-a.line(to))
		}
	}
}

// placeInners moves the panels that have y axes of their own to their place. What has wires to other panels is spread as far
// as the others are.
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

// alignBands puts what has an x axis of its own to where it is relative to the first one.
func (p *plan) alignBands() {
	a := p.xs[0]
	for _, q := range p.xs[1:] {
		if len(q.at) > 0 && len(a.at) > 0 {
			q.move(int(math.Round(a.place(q.at[0], columnPoints))) - q.pos[0]>>1)
		}
	}
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

// tops returns the least positions on a y axis: a row of text has its middle in the middle of a row.
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

// flats returns the items of a y axis. The buckets are strips of the scene's width.
func (p *plan) flats(n int) []item {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range p.shapes {
		if s := &p.shapes[i]; s.gy == n {
			from, to := s.extent(true)
			lo, hi = min(lo, from), max(hi, to)
		}
	}
	if lo > hi {
		return nil
	}
	a := p.ys[n]
	size := max((hi-lo)/buckets, 2)
	bucket := func(v float64) int { return min(max(int((v-lo)/size), 0), buckets) }
	// What only touches is not beside.
	across := func(x0, x1 float64) item {
		it := item{from: bucket(x0 + size), to: bucket(x1 - size)}
		it.to = max(it.from, it.to)
		return it
	}
	var items []item
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.gy != n {
			continue
		}
		it := across(s.extent(true))
		switch {
		case s.kind == textShape:
			if p.isTitle(s) {
				it.from, it.to = 0, buckets
			}
			it.event, it.before, it.after, it.text = a.event(s.y), s.reach.up, s.reach.down, true
			items = append(items, it)
		case s.kind == boxShape:
			items = append(items, a.edge(it, s.y0, true), a.edge(it, s.y1, false))
		case s.kind == lineShape && s.y0 == s.y1 && a.has(a.event(s.y0), isEdge), s.bulges:
			items = append(items, a.edge(it, s.y0, true))
		}
	}
	items = append(items, p.between(n, across)...)
	if n == 0 {
		for _, in := range p.inners {
			it := across(in.x0, in.x1)
			items = append(items, a.edge(it, in.top, true), a.edge(it, in.bottom, false))
		}
	}
	return items
}

// isTitle reports whether a text is a line of the title: nothing else has a row with it.
func (p *plan) isTitle(s *shape) bool {
	return s.style.Bold && s.style.Anchor == draw.Start && s.style.Size == p.titleSize && len(p.bands) > 0 && s.y < p.bands[0].from
}

// nextLabel is the largest distance, in points, of successive labels of columns that are a row.
const nextLabel = 64

// between returns items for the room between the labels of columns, so that nothing else comes between them: the name of
// their axis has a row of its own.
func (p *plan) between(n int, across func(x0, x1 float64) item) []item {
	var labels []*shape
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.kind == textShape && s.gy == n && !s.swatch && !s.style.Up && s.style.Anchor == draw.Middle {
			labels = append(labels, s)
		}
	}
	slices.SortStableFunc(labels, func(s, t *shape) int { return cmp.Or(cmp.Compare(s.y, t.y), cmp.Compare(s.x, t.x)) })
	var items []item
	for i := 1; i < len(labels); i++ {
		s, t := labels[i-1], labels[i]
		if s.y == t.y && s.style == t.style && t.x-s.x <= nextLabel {
			it := across(s.x, t.x)
			it.event, it.before, it.after, it.text = p.ys[n].event(s.y), s.reach.up, s.reach.down, true
			items = append(items, it)
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

// uprights returns the items of an x axis. The buckets are the rows, several to one if there are more rows than buckets.
func (p *plan) uprights(n int) []item {
	a := p.xs[n]
	size := p.h/buckets + 1
	bucket := func(row int) int { return min(max(row/size, 0), buckets) }
	var items []item
	for i := range p.shapes {
		s := &p.shapes[i]
		switch {
		case s.loose || s.gx != n:
		case s.kind == textShape:
			below := s.row + s.rows - 1
			if s.head {
				below++
			}
			items = append(items, item{
				event: a.event(s.x), from: bucket(s.row), to: bucket(below),
				before: s.reach.left, after: s.reach.right, text: true, moves: s.caption && s.style.Anchor == draw.Middle,
			})
		case s.kind == boxShape, s.kind == lineShape && s.x0 == s.x1 && a.has(a.event(s.x0), isEdge):
			top, bottom := p.y(s).cell(p.y(s).event(s.y0)), p.y(s).cell(p.y(s).event(s.y1))
			it := item{from: bucket(min(top, bottom)), to: bucket(max(top, bottom-1))}
			items = append(items, a.edge(it, s.x0, true))
			if s.kind == boxShape {
				items = append(items, a.edge(it, s.x1, false))
			}
		}
	}
	return items
}

// placeRows gives each text its row, and finds which texts are captions.
func (p *plan) placeRows() {
	top, bottom := 0, 0
	for _, a := range p.ys {
		for i, v := range a.pos {
			top, bottom = min(top, a.cell(i)), max(bottom, a.end(i, v))
		}
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape {
			a := p.y(s)
			s.row = (a.pos[a.event(s.y)] - s.reach.up) >> 1
			top, bottom = min(top, s.row), max(bottom, s.row+s.rows)
			s.caption = !s.style.Up && !s.swatch && p.x(s).crosses(s.x0, s.x1)
		}
	}
	for _, a := range p.ys {
		a.shift = -top
	}
	p.h = bottom - top
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
			a := p.y(s)
			top, bottom := a.cell(a.event(min(s.y0, s.y1))), a.cell(a.event(max(s.y0, s.y1)))
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
		} else {
			s.loose = false
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
	for _, a := range p.xs {
		for i, v := range a.pos {
			if a.has(i, isEdge|isEnd) {
				left, right = min(left, a.cell(i)), max(right, a.end(i, v))
			}
		}
	}
	edge := math.Inf(1) // where the picture begins, in points
	var order []int
	for i := range p.shapes {
		s := &p.shapes[i]
		edge = min(edge, s.x0)
		if s.kind != textShape {
			continue
		}
		s.col = (p.x(s).pos[p.x(s).event(s.x)] - s.reach.left) >> 1
		if !s.loose {
			left = min(left, s.col)
		}
		order = append(order, i)
	}
	for _, i := range order {
		if s := &p.shapes[i]; s.loose && s.x0 <= edge+flush {
			s.col = left
			if left == math.MaxInt {
				s.col = 0
			}
		}
	}
	p.giveWay(order)
	for _, i := range order {
		s := &p.shapes[i]
		left, right = min(left, s.col), max(right, s.col+s.cols)
	}
	if left > right {
		left, right = 0, 0
	}
	for _, a := range p.xs {
		a.shift = -left
	}
	p.w = right - left
	for i := range p.shapes {
		p.shapes[i].col -= left
	}
}

// flush is how far from the left end of the scene, in points, a title or note begins that stands at the left of the picture.
const flush = 4

// giveWay moves captions and loose texts to the right of what is before them in their row.
func (p *plan) giveWay(order []int) {
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
	}
}
