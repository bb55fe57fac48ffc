package term

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"girih/internal/picture/draw"
)

// An item is an edge or a text that needs room along an axis, with the range of buckets that it covers across the
// axis.
type item struct {
	event         int
	from, to      int // buckets
	before, after int // half cells that it occupies on each side of the event
	text          bool
	opens, closes bool // for an edge: something begins there, something ends there
	moves         bool // a caption: texts before it do not push it
}

// gaps are the half cells that stay blank between texts, and between an edge of a fill and a text outside of the
// fill.
type gaps struct{ texts, outside int }

// separate keeps each item apart from the previous item in each of its buckets.
func (a *axis) separate(items []item, g gaps) {
	sort.SliceStable(items, func(i, j int) bool { return items[i].event < items[j].event })
	last := make([]item, buckets+1)
	for i := range last {
		last[i].event = -1
	}
	for i := 0; i < len(items); {
		j := i
		for j < len(items) && items[j].event == items[i].event {
			a.push(items[j], last, g)
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

// push adds the bounds from earlier items to an item.
func (a *axis) push(it item, last []item, g gaps) {
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

// flats returns the items of a y axis. The buckets are strips of the width of the scene.
func (p *plan) flats(n int) []item {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range p.shapes {
		if s := &p.shapes[i]; s.gy == n {
			from, to := s.extent(horizontal)
			lo, hi = min(lo, from), max(hi, to)
		}
	}
	if lo > hi {
		return nil
	}
	a := p.ys[n]
	size := max((hi-lo)/buckets, 2)
	bucket := func(v float64) int { return min(max(int((v-lo)/size), 0), buckets) }
	// Shapes that only touch do not obstruct each other.
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
		it := across(s.extent(horizontal))
		switch {
		case s.kind == textShape:
			if p.isTitle(s) {
				it.from, it.to = 0, buckets
			}
			it.event, it.before, it.after, it.text = a.event(s.y), s.reach.up, s.reach.down, true
			items = append(items, it)
		case s.kind == boxShape:
			items = append(items, a.opening(it, s.y0), a.closing(it, s.y1))
		case s.kind == lineShape && s.y0 == s.y1 && a.has(a.event(s.y0), isEdge), s.bulges:
			items = append(items, a.opening(it, s.y0))
		}
	}
	items = append(items, p.between(n, across)...)
	if n == 0 {
		for _, in := range p.inners {
			it := across(in.x0, in.x1)
			items = append(items, a.opening(it, in.top))
			it.from, it.to = 0, buckets // the content below the band may be wider than in the scene
			items = append(items, a.closing(it, in.bottom))
		}
	}
	return items
}

// isTitle reports whether a text is a line of the title, which shares its row with nothing.
func (p *plan) isTitle(s *shape) bool {
	return s.style.Bold && s.style.Anchor == draw.Start && s.style.Size == p.titleSize && len(p.bands) > 0 &&
		s.y < p.bands[0].from
}

// nextLabel is the largest distance, in points, of successive column labels that form a row.
const nextLabel = 64

// between returns items for the gaps between the labels of columns. They keep other texts out, so that the name of
// the axis has its own row.
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

// opening returns the item of an edge at which a shape begins.
func (a *axis) opening(it item, v float64) item {
	it.event, it.opens = a.event(v), true
	it.after = a.line(it.event)
	return it
}

// closing returns the item of an edge at which a shape ends.
func (a *axis) closing(it item, v float64) item {
	it.event, it.closes = a.event(v), true
	it.after = a.line(it.event)
	return it
}

// uprights returns the items of an x axis. The buckets are the rows; if there are more rows than buckets, a bucket is
// several rows.
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
			items = append(items, item{
				event: a.event(s.x), from: bucket(s.row + 3*min(s.head, 0)), to: bucket(s.row + s.rows - 1 + 3*max(s.head, 0)),
				before: s.reach.left, after: s.reach.right, text: true, moves: s.caption && s.style.Anchor == draw.Middle,
			})
		case s.kind == boxShape, s.kind == lineShape && s.x0 == s.x1 && a.has(a.event(s.x0), isEdge):
			top, bottom := p.y(s).cell(p.y(s).event(s.y0)), p.y(s).cell(p.y(s).event(s.y1))
			it := item{from: bucket(min(top, bottom)), to: bucket(max(top, bottom-1))}
			items = append(items, a.opening(it, s.x0))
			if s.kind == boxShape {
				items = append(items, a.closing(it, s.x1))
			}
		}
	}
	return items
}
