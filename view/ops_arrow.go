package view

import "girih/draw"

// A link is an arrow from a cell of one sheet to a cell of another that stands to its right.
type link struct {
	from, to   *sheet
	source, at int64
	color      draw.Color
}

// linked paints links on top of a part, once the places of its cells are known. Where the sheets stand one above the other there are
// none: they would run through everything between.
func linked(body part, links []link) part {
	return &overlay{part: body, over: func(p *painter) {
		for _, l := range links {
			if l.from.x < l.to.x {
				l.paint(p)
			}
		}
	}}
}

// paint paints the arrow: inside of the grids along the lower borders of the rows, so that it crosses no number and no label.
func (l link) paint(p *painter) {
	r1, c1 := l.from.at(l.source)
	r2, c2 := l.to.at(l.at)
	x1, y1 := l.from.place(float64(r1)+1, float64(c1)+0.6)
	x2, y2 := l.to.place(float64(r2)+1, float64(c2)+0.4)
	out, _ := l.from.place(0, float64(l.from.cols))
	in := l.to.x - 4
	bow := (in - out) * 0.45
	st := p.Intern(draw.Style{Stroke: l.color, Width: 1.4, Arrow: true})
	p.Path(
		st, draw.Step{Verb: draw.Move, X: x1, Y: y1}, draw.Step{Verb: draw.To, X: out, Y: y1},
		draw.Step{Verb: draw.Cubic, X1: out + bow, Y1: y1, X2: in - bow, Y2: y2, X: in, Y: y2}, draw.Step{Verb: draw.To, X: x2, Y: y2},
	)
	const d = 2.0
	p.Rect(p.fill(l.color, draw.None, 0), x1-d, y1-d, 2*d, 2*d)
}

// lineColor returns the color of an arrow that belongs to cells of a fill.
func lineColor(t *draw.Theme, fill draw.Color) draw.Color { return draw.Mix(fill, t.Ink, 0.45) }
