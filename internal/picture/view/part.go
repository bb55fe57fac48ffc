package view

import "girih/internal/picture/draw"

// Sizes of text and gaps, in points.
const (
	textSize  = 11.0 // the size of text in cells and on axes
	titleSize = 14.0
	noteSize  = 11.0
	lineStep  = 15.0 // the distance between lines of captions
	margin    = 16.0 // the space around the picture
	gap       = 28.0 // the space between panels
)

// A part occupies a rectangle of a picture. measure is called before paint, and paints nothing.
type part interface {
	measure(p *painter) (w, h float64)
	paint(p *painter, x, y float64)
}

// A painter paints parts into a scene. It caches the numbers of the styles that every cell uses.
type painter struct {
	*draw.Scene
	theme *draw.Theme
	opts  Options
	fills map[fillKey]draw.StyleID
	inks  map[inkKey]draw.StyleID
}

type fillKey struct {
	fill, stroke draw.Color
	width        float64
}

type inkKey struct {
	color  draw.Color
	size   float64
	anchor draw.Anchor
	bold   bool
}

//go:noinline
func newPainter(o Options) *painter {
	t := o.theme()
	p := &painter{
		Scene: draw.New(0, 0), theme: t, opts: o, fills: map[fillKey]draw.StyleID{}, inks: map[inkKey]draw.StyleID{},
	}
	p.Background = t.Paper
	return p
}

// fill returns the style of a filled and stroked shape.
func (p *painter) fill(fill, stroke draw.Color, width float64) draw.StyleID {
	k := fillKey{fill, stroke, width}
	id, ok := p.fills[k]
	if !ok {
		id = p.Intern(draw.Style{Fill: fill, Stroke: stroke, Width: width})
		p.fills[k] = id
	}
	return id
}

// stroke returns the style of a solid line.
func (p *painter) stroke(c draw.Color, width float64) draw.StyleID {
	return p.fill(draw.None, c, width)
}

// ink returns the style of text.
func (p *painter) ink(c draw.Color, size float64, a draw.Anchor) draw.StyleID {
	return p.inkOf(inkKey{c, size, a, false})
}

func (p *painter) inkOf(k inkKey) draw.StyleID {
	id, ok := p.inks[k]
	if !ok {
		id = p.Intern(draw.Style{Fill: k.color, Size: k.size, Anchor: k.anchor, Bold: k.bold})
		p.inks[k] = id
	}
	return id
}

// bold returns the style of bold text.
func (p *painter) bold(c draw.Color, size float64, a draw.Anchor) draw.StyleID {
	return p.inkOf(inkKey{c, size, a, true})
}

// A row is parts side by side, with their tops or their middles aligned.
type row struct {
	parts  []part
	gap    float64 // the space between the parts; 0 for the usual one
	middle bool
	sizes  [][2]float64
	h      float64
}

// sideBySide returns parts with a gap between them, with their tops aligned.
func sideBySide(parts ...part) *row { return &row{parts: parts} }

func (r *row) space() float64 {
	if r.gap == 0 {
		return gap
	}
	return r.gap
}

func (r *row) measure(p *painter) (w, h float64) {
	r.sizes = r.sizes[:0]
	for i, x := range r.parts {
		pw, ph := x.measure(p)
		r.sizes = append(r.sizes, [2]float64{pw, ph})
		if i > 0 {
			w += r.space()
		}
		w += pw
		h = max(h, ph)
	}
	r.h = h
	return w, h
}

func (r *row) paint(p *painter, x, y float64) {
	for i, q := range r.parts {
		dy := 0.0
		if r.middle {
			dy = (r.h - r.sizes[i][1]) / 2
		}
		q.paint(p, x, y+dy)
		x += r.sizes[i][0] + r.space()
	}
}

// A stack is parts above each other, with their left edges aligned.
type stack struct {
	parts []part
	gap   float64 // the space between the parts; 0 for the usual one
	tall  []float64
}

// above returns parts above each other.
func above(parts ...part) *stack { return &stack{parts: parts} }

func (s *stack) space() float64 {
	if s.gap == 0 {
		return gap
	}
	return s.gap
}

func (s *stack) measure(p *painter) (w, h float64) {
	s.tall = s.tall[:0]
	for i, x := range s.parts {
		pw, ph := x.measure(p)
		s.tall = append(s.tall, ph)
		if i > 0 {
			h += s.space()
		}
		w, h = max(w, pw), h+ph
	}
	return w, h
}

func (s *stack) paint(p *painter, x, y float64) {
	for i, q := range s.parts {
		q.paint(p, x, y)
		y += s.tall[i] + s.space()
	}
}

// A sketch is a part of known size that a function paints.
type sketch struct {
	w, h float64
	draw func(p *painter, x, y float64)
}

func (s *sketch) measure(*painter) (w, h float64) { return s.w, s.h }
func (s *sketch) paint(p *painter, x, y float64)  { s.draw(p, x, y) }

// An overlay paints on top of a part, when the places of everything in the part are known: see [grid.place].
type overlay struct {
	part
	over func(p *painter)
}

func (o *overlay) paint(p *painter, x, y float64) {
	o.part.paint(p, x, y)
	o.over(p)
}

// A caption is lines of secondary text; it does not wrap them.
type caption []string

func (c caption) measure(*painter) (w, h float64) {
	for _, line := range c {
		w = max(w, draw.TextWidth(line, noteSize))
	}
	return w, lineStep * float64(len(c))
}

func (c caption) paint(p *painter, x, y float64) {
	st := p.ink(p.theme.Soft, noteSize, draw.Start)
	for i, line := range c {
		p.Text(st, x, y+lineStep*(float64(i)+0.5), line)
	}
}
