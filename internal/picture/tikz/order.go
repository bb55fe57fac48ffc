package tikz

import (
	"cmp"
	"math"
	"sort"

	"girih/internal/picture/draw"
)

// A command is a shape of the scene and its place in the document.
//
// One TikZ path or node for each shape would fill TeX's memory at a few thousand cells, so shapes of one style share
// a path, and texts of one style share a node. A shape must still be painted after the shapes below it. Its level is
// one more than the highest level of the earlier shapes that it may cover, and shapes share a command if their style
// and level are equal. Adjacent cells have level 0, their texts level 1, and borders of tiles on top of them level 2.
type command struct {
	shape draw.Shape
	level int
}

// A box contains everything that a shape may paint, in points.
type box struct{ x0, y0, x1, y1 float64 }

// commandsInOrder returns the visible shapes in the order in which the document paints them.
func (e *encoder) commandsInOrder() []command {
	l := newLevels(e.s)
	var out []command
	for _, x := range e.s.Shapes() {
		if b, ok := e.covers(x); ok {
			out = append(out, command{x, l.of(b, x, e.s.StyleOf(x))})
		}
	}
	// Styles within a level keep the order in which they first appear.
	type kind struct {
		level int
		style draw.StyleID
		text  bool
	}
	first := map[kind]int{}
	rank := make([]int, len(out))
	of := func(c command) kind { return kind{c.level, c.shape.Style, c.shape.Kind == draw.Text} }
	for i, c := range out {
		if _, ok := first[of(c)]; !ok {
			first[of(c)] = i
		}
		rank[i] = first[of(c)]
	}
	index := make([]int, len(out))
	for i := range index {
		index[i] = i
	}
	sort.Slice(index, func(a, b int) bool {
		i, j := index[a], index[b]
		return cmp.Or(cmp.Compare(out[i].level, out[j].level), cmp.Compare(rank[i], rank[j]), cmp.Compare(i, j)) < 0
	})
	sorted := make([]command, len(out))
	for i, k := range index {
		sorted[i] = out[k]
	}
	return sorted
}

// covers returns the box that a shape may paint, or false if it paints nothing or has coordinates that are not
// finite.
func (e *encoder) covers(x draw.Shape) (box, bool) {
	st := e.s.StyleOf(x)
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	see := func(x, y float64) {
		b.x0, b.x1 = min(b.x0, x), max(b.x1, x)
		b.y0, b.y1 = min(b.y0, y), max(b.y1, y)
	}
	switch x.Kind {
	case draw.Text:
		b = textBox(x, st)
		return b, visible(st.Fill) && x.Text != "" && b.finite()
	case draw.Rect, draw.Line:
		if !visible(st.Stroke) && (x.Kind == draw.Line || !visible(st.Fill)) {
			return b, false
		}
		see(x.X, x.Y)
		see(x.X+x.W, x.Y+x.H)
	case draw.Path:
		if !paints(st) || len(x.Steps) == 0 {
			return b, false
		}
		for _, s := range x.Steps {
			see(s.X, s.Y)
			if s.Verb == draw.Cubic {
				see(s.X1, s.Y1)
				see(s.X2, s.Y2)
			}
		}
	default:
		return b, false
	}
	if st.Arrow {
		b = b.grow(4 + 3*st.Width)
	}
	return b, b.finite()
}

// textBox returns a box that contains a text, a generous one for every anchor and direction.
func textBox(x draw.Shape, st draw.Style) box {
	b := box{x.X, x.Y, x.X, x.Y}
	grow := draw.TextWidth(x.Text, st.Size) + st.Size
	if st.Up {
		return b.grow(grow)
	}
	b = box{b.x0 - grow, b.y0 - 0.7*st.Size, b.x1 + grow, b.y1 + 0.7*st.Size}
	if st.Anchor == draw.Middle {
		b.x0, b.x1 = x.X-grow/2, x.X+grow/2
	}
	return b
}

// grow returns the box moved outward on all sides.
func (b box) grow(by float64) box { return box{b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by} }

// finite reports whether all coordinates are finite.
func (b box) finite() bool { return finite(b.x0) && finite(b.y0) && finite(b.x1) && finite(b.y1) }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// wide is the number of buckets from which a shape is assumed to cover all earlier shapes and to be covered by all
// later shapes.
const wide = 400

// levels finds the level of each shape in turn. Buckets of the plane record what was painted.
type levels struct {
	size    float64
	buckets map[[2]int][]footprint
	floor   int // the least level of the following shapes
	most    int // the highest level so far
}

// A footprint is what an already painted shape covers.
type footprint struct {
	box   box
	style draw.Style
	kind  draw.Kind
	level int
}

func newLevels(s *draw.Scene) *levels {
	n := float64(len(s.Shapes()) + 1)
	size := 2 * math.Sqrt(max(s.W, 1)*max(s.H, 1)/n)
	if !(size > 4 && size < 1e6) {
		size = 32
	}
	return &levels{size: size, buckets: map[[2]int][]footprint{}, most: -1}
}

// of returns the level of a shape and paints it.
func (l *levels) of(b box, x draw.Shape, st draw.Style) int {
	half := 0.0
	if x.Kind != draw.Text && visible(st.Stroke) {
		half = st.Width / 2
	}
	c0, c1 := math.Floor((b.x0-half)/l.size), math.Floor((b.x1+half)/l.size)
	r0, r1 := math.Floor((b.y0-half)/l.size), math.Floor((b.y1+half)/l.size)
	if !((c1-c0+1)*(r1-r0+1) < wide) || math.Abs(c0)+math.Abs(r0) > 1e9 {
		l.floor = l.most + 1
		l.most = l.floor
		l.floor++
		return l.most
	}
	p := footprint{b, st, x.Kind, l.floor}
	for row := int(r0); row <= int(r1); row++ {
		for col := int(c0); col <= int(c1); col++ {
			for _, q := range l.buckets[[2]int{col, row}] {
				if q.level >= p.level && onto(p, q) {
					p.level = q.level + 1
				}
			}
		}
	}
	for row := int(r0); row <= int(r1); row++ {
		for col := int(c0); col <= int(c1); col++ {
			k := [2]int{col, row}
			l.buckets[k] = append(l.buckets[k], p)
		}
	}
	l.most = max(l.most, p.level)
	return p.level
}

// onto reports whether the order of painting p and q matters. It does not matter for rectangles that share an edge
// with the same stroke: in either order, the stroke is on top of both fills.
func onto(p, q footprint) bool {
	grow := 0.0
	same := p.kind == draw.Rect && q.kind == draw.Rect && p.style.Stroke == q.style.Stroke &&
		p.style.Width == q.style.Width &&
		p.style.Stroke&0xff == 0xff
	if !same {
		for _, x := range []footprint{p, q} {
			if x.kind != draw.Text && visible(x.style.Stroke) {
				grow += x.style.Width / 2
			}
		}
	}
	// Rectangles without strokes may touch.
	const slack = 1e-6
	return p.box.x0 < q.box.x1+grow-slack && q.box.x0 < p.box.x1+grow-slack &&
		p.box.y0 < q.box.y1+grow-slack && q.box.y0 < p.box.y1+grow-slack
}
