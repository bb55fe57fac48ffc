package term

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// The parts of a scene often do not line up: a row of bits above two grids, or a wide grid next to a tall one. If
// they shared an axis, the edges of one part would cut the cells of the other. So the scene is cut into bands, one
// above the other, and each band into panels, side by side. Bands share an x axis only if most of their edges
// coincide; the same holds for the panels of a band and their y axis.

// A part is a band or a panel: the range of its boxes and lines, and the coordinates of the edges of its boxes.
type part struct {
	from, to float64 // the extent in the direction of the cut: y of a band, x of a panel
	edges    []float64
	boxes    int
	group    int // parts with the same group share an axis
	items    []int
}

// A band is a part and its panels.
type band struct {
	part
	panels []part
}

// maxGroups limits the number of axes; the remaining parts share the last one.
const maxGroups = 32

// A dimension is horizontal or vertical.
type dimension uint8

const (
	horizontal dimension = iota // x: columns
	vertical                    // y: rows
)

// extent returns the range of a shape in a dimension.
func (s *shape) extent(d dimension) (from, to float64) {
	from, to = s.y0, s.y1
	if d == horizontal {
		from, to = s.x0, s.x1
	}
	return min(from, to), max(from, to)
}

// parts cuts shapes at the coordinates that no shape crosses. A part without boxes is joined to the nearest part that
// has boxes.
func parts(list []shape, of []int, d dimension) []part {
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(i, j int) int {
		p, _ := list[i].extent(d)
		q, _ := list[j].extent(d)
		return cmp.Compare(p, q)
	})
	var cut []part
	for _, i := range of {
		from, to := list[i].extent(d)
		if n := len(cut); n == 0 || from > cut[n-1].to+tolerance {
			cut = append(cut, part{from: from, to: to})
		}
		p := &cut[len(cut)-1]
		p.to = max(p.to, to)
		p.items = append(p.items, i)
		if list[i].kind == boxShape {
			p.boxes++
			a, b := list[i].extent(vertical - d)
			p.edges = append(p.edges, a, b)
		}
	}
	var out []part
	var before []part // the parts without boxes since the last part with boxes
	for _, p := range cut {
		if p.boxes == 0 {
			before = append(before, p)
			continue
		}
		for _, q := range before {
			if n := len(out); n > 0 && q.from-out[n-1].to < p.from-q.to {
				out[n-1].join(q)
			} else {
				p.join(q)
			}
		}
		before = nil
		out = append(out, p)
	}
	for _, q := range before {
		if len(out) == 0 {
			out = append(out, q)
			continue
		}
		out[len(out)-1].join(q)
	}
	return out
}

// join adds a part to another.
func (p *part) join(q part) {
	p.from, p.to = min(p.from, q.from), max(p.to, q.to)
	p.items = append(p.items, q.items...)
	p.edges = append(p.edges, q.edges...)
}

// group gives parts that line up the same group, and returns the number of groups. The part with the most edges is in
// group 0.
func group(list []*part) int {
	var edges [][]float64 // the edges of each group
	order := make([]*part, len(list))
	copy(order, list)
	for _, p := range list {
		sort.Float64s(p.edges)
		p.edges = slices.CompactFunc(p.edges, func(a, b float64) bool { return math.Abs(a-b) <= tolerance })
	}
	slices.SortStableFunc(order, func(p, q *part) int { return cmp.Compare(len(q.edges), len(p.edges)) })
	for _, p := range order {
		p.group = slices.IndexFunc(edges, func(e []float64) bool { return linedUp(e, p.edges) })
		switch {
		case p.group >= 0:
		case len(edges) < maxGroups:
			p.group = len(edges)
			edges = append(edges, p.edges)
		default:
			p.group = maxGroups - 1
		}
	}
	return len(edges)
}

// linedUp reports whether at least two thirds of the edges in b are also in a.
func linedUp(a, b []float64) bool {
	n, i := 0, 0
	for _, v := range b {
		for i < len(a) && a[i] < v-tolerance {
			i++
		}
		if i < len(a) && a[i] <= v+tolerance {
			n++
		}
	}
	return 3*n >= 2*len(b)
}

// sections holds the bands of a scene and the number of its axes.
type sections struct {
	bands  []band
	xs     int     // the number of x axes
	inners []inner // the y axes after the first one
}

// An inner is an additional y axis for panels that do not line up with the others of their band. The axis begins at
// the top of these panels and applies to everything next to them within the band.
type inner struct {
	top, bottom float64 // from the top of the panels to the bottom of the band
	x0, x1      float64
	wired       bool // wires lead from the band to other panels
}

// regions cuts a scene into bands and panels, and stores in each shape which axes place it.
func regions(list []shape) sections {
	var solid []int
	for i := range list {
		if s := &list[i]; s.kind == boxShape || s.kind == lineShape || s.kind == slantShape {
			solid = append(solid, i)
		}
	}
	var g sections
	var refs []*part
	for _, p := range parts(list, solid, vertical) {
		g.bands = append(g.bands, band{part: p})
	}
	for i := range g.bands {
		refs = append(refs, &g.bands[i].part)
	}
	g.xs = max(group(refs), 1)
	for i := range g.bands {
		g.split(list, &g.bands[i])
		for _, k := range g.bands[i].items {
			list[k].band, list[k].gx = i, g.bands[i].group
		}
	}
	for i := range list {
		if s := &list[i]; s.kind == textShape || s.kind == dotShape {
			g.attach(s)
		}
	}
	return g
}

// split cuts a band into panels. Panels that do not line up with the panel that has the most edges get their own
// axes.
func (g *sections) split(list []shape, b *band) {
	var solid []int
	for _, i := range b.items {
		if list[i].kind != slantShape {
			solid = append(solid, i)
		}
	}
	b.panels = parts(list, solid, horizontal)
	var refs []*part
	for i := range b.panels {
		refs = append(refs, &b.panels[i])
	}
	n := group(refs)
	first := len(g.inners)
	for range n - 1 {
		g.inners = append(g.inners, inner{top: b.to, bottom: b.to, x0: far, x1: -far})
	}
	for i := range b.panels {
		p := &b.panels[i]
		if p.group == 0 {
			continue
		}
		p.group += first
		in := &g.inners[p.group-1]
		in.x0, in.x1 = min(in.x0, p.from), max(in.x1, p.to)
		for _, k := range p.items {
			list[k].gy = p.group
			from, _ := list[k].extent(vertical)
			in.top = min(in.top, from)
		}
	}
	if n < 2 {
		return
	}
	for _, k := range b.items {
		if s := &list[k]; s.kind == slantShape {
			g.wire(s, b)
		}
	}
}

// wire gives a wire of a band the y axis of the panel where it begins, and notes whether the wire leads to
// panels with other axes.
func (g *sections) wire(s *shape, b *band) {
	from, to := b.panel(s.x0), b.panel(s.x1)
	s.gy = b.panels[from].group
	for i := from; i <= to; i++ {
		s.blend = s.blend || b.panels[i].group != s.gy
	}
	for i := from; i <= to && s.blend; i++ {
		if gy := b.panels[i].group; gy > 0 {
			g.inners[gy-1].wired = true
		}
	}
}

// panel returns the index of the panel nearest to an x.
func (b *band) panel(x float64) int {
	return nearest(len(b.panels), func(i int) *part { return &b.panels[i] }, x, x)
}

// nearest returns which of n ascending parts is nearest to a range; if two are equally near, the later part.
func nearest(n int, at func(i int) *part, from, to float64) int {
	k := min(sort.Search(n, func(i int) bool { return at(i).to >= from }), n-1)
	if k > 0 && from-at(k-1).to < at(k).from-to {
		return k - 1
	}
	return k
}

// attach gives a text or a dot the axes of the nearest part.
func (g *sections) attach(s *shape) {
	if len(g.bands) == 0 {
		return
	}
	s.band = nearest(len(g.bands), func(i int) *part { return &g.bands[i].part }, s.y0, s.y1)
	b := &g.bands[s.band]
	s.gx = b.group
	if len(b.panels) == 0 {
		return
	}
	p := nearest(len(b.panels), func(i int) *part { return &b.panels[i] }, s.x0, s.x1)
	if gy := b.panels[p].group; gy > 0 && s.y >= g.inners[gy-1].top && s.y <= b.to {
		s.gy = gy
	}
}
