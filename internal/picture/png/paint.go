package png

import (
	"math"

	"girih/internal/picture/draw"
)

// A painter paints the shapes of a scene on a canvas.
type painter struct {
	c      *canvas
	s      *draw.Scene
	scale  float64
	glyphs map[glyphKey]glyph
}

func (p *painter) shape(x *draw.Shape) {
	st := p.s.StyleOf(*x)
	switch x.Kind {
	case draw.Rect:
		p.rect(x, st)
	case draw.Line, draw.Path:
		p.path(x, st)
	case draw.Text:
		p.text(x, st)
	}
}

// pixel returns the pixel boundary nearest to a length in points.
func (p *painter) pixel(v float64) int { return pixel(toUnits(v*p.scale) + unit/2) }

// A pen says how to paint a stroke whose width is given in points: as a whole number of pixels, and fainter if it is
// thinner than one pixel.
type pen struct {
	color draw.Color
	width int     // the width of horizontal and vertical strokes, in pixels
	level int     // the opacity level of horizontal and vertical strokes
	exact float64 // the width of all other strokes, in pixels
}

func (p *painter) pen(st draw.Style) (pen, bool) {
	exact := st.Width * p.scale
	if st.Stroke&0xff == 0 || !(exact > 0) {
		return pen{}, false
	}
	exact = min(exact, 1<<15)
	n := pen{color: st.Stroke, width: int(math.Round(exact)), level: levels, exact: exact}
	if exact < 1 {
		n.width, n.level = 1, max(int(math.Round(exact*levels)), 1)
	}
	return n, true
}

// first returns the first pixel of a stroke along the line at v, in 256ths of a pixel.
func (n pen) first(v int64) int { return pixel(v - int64(n.width)*unit/2 + unit/2) }

// around returns the first pixel of a stroke along the line at v, in points.
func (p *painter) around(v float64, n pen) int {
	return n.first(toUnits(v * p.scale))
}

// rect paints a rectangle: plain rectangles pixel by pixel, all others as paths.
func (p *painter) rect(x *draw.Shape, st draw.Style) {
	if st.Round > 0 || st.Dash > 0 {
		p.path(&draw.Shape{Kind: draw.Path, Steps: roundedRect(x, st.Round)}, st)
		return
	}
	x0, x1 := min(x.X, x.X+x.W), max(x.X, x.X+x.W)
	y0, y1 := min(x.Y, x.Y+x.H), max(x.Y, x.Y+x.H)
	if st.Fill&0xff != 0 {
		p.c.block(block{p.pixel(x0), p.pixel(y0), p.pixel(x1), p.pixel(y1)}, st.Fill, levels)
	}
	n, ok := p.pen(st)
	if !ok {
		return
	}
	left, right, top, bottom := p.around(x0, n), p.around(x1, n), p.around(y0, n), p.around(y1, n)
	w := n.width
	// The four bars share no pixel: the corners belong to the horizontal bars.
	p.c.block(block{left, top, right + w, top + w}, n.color, n.level)
	p.c.block(block{left, max(bottom, top+w), right + w, bottom + w}, n.color, n.level)
	p.c.block(block{left, top + w, left + w, bottom}, n.color, n.level)
	p.c.block(block{max(right, left+w), top + w, right + w, bottom}, n.color, n.level)
}

// roundedRect returns the outline of a rectangle, with round corners if r > 0.
func roundedRect(x *draw.Shape, r float64) []draw.Step {
	x0, x1 := min(x.X, x.X+x.W), max(x.X, x.X+x.W)
	y0, y1 := min(x.Y, x.Y+x.H), max(x.Y, x.Y+x.H)
	r = min(r, (x1-x0)/2, (y1-y0)/2)
	if !(r > 0) {
		return []draw.Step{
			{Verb: draw.Move, X: x0, Y: y0},
			{Verb: draw.To, X: x1, Y: y0},
			{Verb: draw.To, X: x1, Y: y1},
			{Verb: draw.To, X: x0, Y: y1},
			{Verb: draw.Close},
		}
	}
	k := float64(r * 0.44771525) // from the corner to the control point of a quarter of a circle
	return []draw.Step{
		{Verb: draw.Move, X: x0 + r, Y: y0},
		{Verb: draw.To, X: x1 - r, Y: y0},
		{Verb: draw.Cubic, X1: x1 - k, Y1: y0, X2: x1, Y2: y0 + k, X: x1, Y: y0 + r},
		{Verb: draw.To, X: x1, Y: y1 - r},
		{Verb: draw.Cubic, X1: x1, Y1: y1 - k, X2: x1 - k, Y2: y1, X: x1 - r, Y: y1},
		{Verb: draw.To, X: x0 + r, Y: y1},
		{Verb: draw.Cubic, X1: x0 + k, Y1: y1, X2: x0, Y2: y1 - k, X: x0, Y: y1 - r},
		{Verb: draw.To, X: x0, Y: y0 + r},
		{Verb: draw.Cubic, X1: x0, Y1: y0 + k, X2: x0 + k, Y2: y0, X: x0 + r, Y: y0},
		{Verb: draw.Close},
	}
}

// path paints the fill, the stroke and the arrowhead of a line or path.
func (p *painter) path(x *draw.Shape, st draw.Style) {
	steps := x.Steps
	var head []draw.Step
	switch {
	case st.Arrow:
		steps, head = draw.Arrow(*x, st.Width)
	case x.Kind == draw.Line:
		steps = []draw.Step{{Verb: draw.Move, X: x.X, Y: x.Y}, {Verb: draw.To, X: x.X + x.W, Y: x.Y + x.H}}
	}
	parts := p.flatten(steps)
	if x.Kind == draw.Path && st.Fill&0xff != 0 {
		p.fillParts(parts, st.Fill)
	}
	if n, ok := p.pen(st); ok {
		p.stroke(parts, n, st.Dash*p.scale)
		if head != nil {
			p.fillParts(p.flatten(head), n.color)
		}
	}
}

// fill fills a shape.
func (p *painter) fill(s *shape, color draw.Color) {
	c := p.c
	s.fill(c.w, c.h, func(x, y int, cover []uint8) {
		pix := c.pix[y*c.w+x:]
		for i, level := range cover {
			if level > 0 {
				pix[i] = over(pix[i], color, int(level))
			}
		}
	})
}

func (p *painter) fillParts(parts []part, color draw.Color) {
	var s shape
	for _, q := range parts {
		s.polygon(q.points)
	}
	p.fill(&s, color)
}
