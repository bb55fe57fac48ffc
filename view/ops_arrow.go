package view

import "girih/draw"

// A link is an arrow from a cell of one sheet to a cell of another.
type link struct {
	from, to   *sheet
	source, at int64
	color      draw.Color
}

// linked paints links on top of a part, once the places of its cells are known.
func linked(body part, links []link) part {
	return &overlay{part: body, over: func(p *painter) {
		for _, l := range links {
			l.paint(p)
		}
	}}
}

// paint paints the arrow: from the edge of the one cell that is nearer to the other sheet, in a bow, to the edge of the other.
func (l link) paint(p *painter) {
	r1, c1 := l.from.at(l.source)
	r2, c2 := l.to.at(l.at)
	x1, y1 := l.from.place(float64(r1)+0.5, float64(c1)+1)
	x2, y2 := l.to.place(float64(r2)+0.5, float64(c2))
	bow := (x2 - x1) * 0.4
	step := draw.Step{Verb: draw.Cubic, X1: x1 + bow, Y1: y1, X2: x2 - bow, Y2: y2, X: x2, Y: y2}
	if x2 <= x1 { // the sheets stand one above the other
		x1, y1 = l.from.place(float64(r1)+1, float64(c1)+0.5)
		x2, y2 = l.to.place(float64(r2), float64(c2)+0.5)
		bow = (y2 - y1) * 0.4
		step = draw.Step{Verb: draw.Cubic, X1: x1, Y1: y1 + bow, X2: x2, Y2: y2 - bow, X: x2, Y: y2}
	}
	st := p.Intern(draw.Style{Stroke: l.color, Width: 1.25, Arrow: true})
	p.Path(st, draw.Step{Verb: draw.Move, X: x1, Y: y1}, step)
	const d = 2.0
	p.Rect(p.fill(l.color, draw.None, 0), x1-d, y1-d, 2*d, 2*d)
}

// lineColor returns the color of an arrow that belongs to cells of a fill.
func lineColor(t *draw.Theme, fill draw.Color) draw.Color { return draw.Mix(fill, t.Ink, 0.4) }
