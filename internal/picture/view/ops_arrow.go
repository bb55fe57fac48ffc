package view

import "girih/internal/picture/draw"

// A link is an arrow from a cell of one sheet to a cell of another sheet to its right.
type link struct {
	from, to   *sheet
	source, at int64
	color      draw.Color
}

// withLinks paints links on top of sheets side by side, when the places of their cells are known.
func withLinks(body part, links []link) part {
	return &overlay{part: body, over: func(p *painter) {
		for _, l := range links {
			l.paint(p)
		}
	}}
}

// paint frames the two cells and paints the arrow between the grids, from the end of one row to the label of the
// other, so that it crosses no number and no label.
func (l link) paint(p *painter) {
	r1, c1 := l.from.at(l.source)
	r2, c2 := l.to.at(l.at)
	out, y1 := l.from.place(float64(r1)+0.5, float64(l.from.cols))
	in, y2 := l.to.place(float64(r2)+0.5, 0)
	out, in = out+2, in-l.to.left()-2
	bow := (in - out) * 0.45
	p.Path(
		p.Intern(draw.Style{Stroke: l.color, Width: 1.4, Arrow: true}), draw.Step{Verb: draw.Move, X: out, Y: y1},
		draw.Step{Verb: draw.Cubic, X1: out + bow, Y1: y1, X2: in - bow, Y2: y2, X: in, Y: y2},
	)
	for _, c := range []struct {
		s *sheet
		r int
		c int
	}{{l.from, r1, c1}, {l.to, r2, c2}} {
		x, y := c.s.place(float64(c.r), float64(c.c))
		p.Rect(p.stroke(l.color, 2), x+1, y+1, c.s.unitW-2, c.s.unitH-2)
	}
}

// lineColor returns the color of an arrow between cells with a fill.
func lineColor(t *draw.Theme, fill draw.Color) draw.Color { return draw.Mix(fill, t.Ink, 0.45) }
