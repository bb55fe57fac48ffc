package view

import (
	"fmt"

	"girih/internal/picture/draw"
)

// paintLeft paints the brackets and boxes of the left side.
func (w *wiringPart) paintLeft(p *painter, x, xl, y float64) {
	c := &w.left
	name := p.ink(p.theme.Ink, textSize, draw.Finish)
	for _, g := range c.groups {
		color := p.wireColor(g.hue)
		bx := x + w.nameW + 8 + levelGap*float64(g.depth)
		y1, y2 := y+c.y[g.from]+1, y+c.bottom(g.to-1)-1
		p.Path(p.stroke(color, 1.5), draw.Step{Verb: draw.Move, X: bx + 6, Y: y1}, draw.Step{Verb: draw.To, X: bx, Y: y1},
			draw.Step{Verb: draw.To, X: bx, Y: y2}, draw.Step{Verb: draw.To, X: bx + 6, Y: y2})
		if g.name != "" {
			p.Text(name, bx-6, (y1+y2)/2, g.name)
		}
	}
	boxes := c.leaves
	if boxes == nil {
		for i, r := range c.rows {
			boxes = append(boxes, group{name: r.label, from: i, to: i + 1, hue: r.hue})
		}
	}
	for _, g := range boxes {
		fill := p.boxColor(g.hue)
		y1, y2 := y+c.y[g.from], y+c.bottom(g.to-1)
		p.Rect(p.fill(fill, p.theme.Rule, 0.75), xl, y1+1, w.leafW, y2-y1-2)
		p.Text(p.ink(draw.InkOn(fill), textSize, draw.Middle), xl+w.leafW/2, (y1+y2)/2, g.name)
	}
	soft := p.ink(p.theme.Soft, textSize-1, draw.Start)
	for i, r := range c.rows {
		switch {
		case r.stub != "":
			x0, ym := xl+w.leafW, y+c.mid(i)
			p.Line(p.stroke(p.theme.Soft, 1), x0, ym, x0+10, ym)
			p.Line(p.stroke(p.theme.Soft, 1.5), x0+10, ym-5, x0+10, ym+5)
			p.Text(soft, x0+16, ym, r.stub)
		case c.leaves == nil && !w.leaves(i):
			x0, ym := xl+w.leafW, y+c.mid(i)
			p.Line(p.stroke(p.theme.Soft, 1), x0, ym, x0+10, ym)
			p.Line(p.stroke(p.theme.Soft, 1.5), x0+10, ym-5, x0+10, ym+5)
			p.Text(soft, x0+16, ym, "repeats")
		}
	}
}

// leaves reports whether a wire starts at row i of the left column.
func (w *wiringPart) leaves(i int) bool {
	for _, q := range w.wires {
		if q.from == i {
			return true
		}
	}
	return false
}

// paintBoxes paints the rows of column k that wires reach; 0 is the right column.
func (w *wiringPart) paintBoxes(p *painter, k int, x, y float64) {
	c, hues := w.columns()[k+1], w.arriving(k)
	for i, r := range c.rows {
		y1 := y + c.y[i]
		if r.tick {
			continue
		}
		fill, border, thick := p.boxColor(hues[i]), p.theme.Rule, 0.75
		switch {
		case r.bad:
			fill, border, thick = p.theme.Paper, p.theme.Bad, 1.75
		case hues[i] < 0:
			fill = p.theme.Empty
		}
		p.Rect(p.fill(fill, border, thick), x, y1+1, wireBox, r.height-2)
		p.Text(p.ink(draw.InkOn(fill), textSize-1, draw.Middle), x+wireBox/2, y+c.mid(i), bitLabel(i, c))
		if r.merge != "" {
			color := p.theme.Ink
			if r.bad {
				color = p.theme.Bad
			}
			w.paintMerge(p, color, x, y+c.mid(i))
		}
	}
	if len(c.rows) > 0 && c.rows[0].tick {
		w.paintPlaces(p, c, x, y)
	}
}

// bitLabel returns the bit number of row i, counted from the first row of its group.
func bitLabel(i int, c *column) string {
	for _, g := range c.groups {
		if g.from <= i && i < g.to {
			i -= g.from
			break
		}
	}
	return fmt.Sprint(i)
}

// paintMerge paints the sign at which wires meet before the box at x2, and the line from it to the box.
func (w *wiringPart) paintMerge(p *painter, color draw.Color, x2, y float64) {
	const r = 6
	x := x2 - 12
	p.Line(p.stroke(color, 1.5), x+r, y, x2, y)
	p.Rect(p.Intern(draw.Style{Fill: p.theme.Paper, Stroke: color, Width: 1.5, Round: r}), x-r, y-r, 2*r, 2*r)
	p.Line(p.stroke(color, 1.25), x-r+2, y, x+r-2, y)
	p.Line(p.stroke(color, 1.25), x, y-r+2, x, y+r-2)
}

// paintPlaces paints the ranges between place values, and the ends of the bands in their lanes.
func (w *wiringPart) paintPlaces(p *painter, c *column, x, y float64) {
	wide := wireBox * float64(w.lanes)
	for i, r := range c.rows {
		if r.empty {
			p.Rect(p.fill(p.theme.Empty, p.theme.Rule, 0.75), x, y+c.y[i], wide, r.height)
		}
	}
	for _, q := range w.wires {
		y1, y2 := y+c.y[q.to], y+c.bottom(q.last)
		shared := false
		for r := q.to; r <= q.last; r++ {
			shared = shared || c.rows[r].bad
		}
		border, thick := p.theme.Rule, 0.75
		if shared {
			border, thick = p.theme.Bad, 1.75
		}
		p.Rect(p.fill(p.boxColor(q.hue), border, thick), x+wireBox*float64(q.lane), y1, wireBox, y2-y1)
	}
}

// paintRight paints the labels, notes and names to the right of the last column.
func (w *wiringPart) paintRight(p *painter, c *column, x, y float64) {
	x += wireBox*float64(w.lanes) + 8
	ink := p.ink(p.theme.Ink, textSize, draw.Start)
	soft := p.ink(p.theme.Soft, textSize, draw.Start)
	label := 0.0
	linear := w.left.leaves == nil // the boxes contain the numbers
	for _, r := range c.rows {
		if !linear {
			label = max(label, draw.TextWidth(r.label, textSize)+10, draw.TextWidth(r.end, textSize)+10)
		}
	}
	note := 0.0
	for i, r := range c.rows {
		ly := y + c.mid(i)
		if r.tick {
			ly = y + c.y[i]
			p.Line(p.stroke(p.theme.Soft, 0.75), x-8, ly, x-3, ly)
		}
		if !linear {
			p.Text(ink, x, ly, r.label)
		}
		if r.end != "" {
			p.Line(p.stroke(p.theme.Soft, 0.75), x-8, y+c.bottom(i), x-3, y+c.bottom(i))
			p.Text(ink, x, y+c.bottom(i), r.end)
		}
		if r.note != "" {
			p.Text(soft, x+label, y+c.mid(i), r.note)
		}
		note = max(note, draw.TextWidth(r.note, textSize))
	}
	bx := x + label + note + 10
	for _, g := range c.groups {
		y1, y2 := y+c.y[g.from]+1, y+c.bottom(g.to-1)-1
		p.Path(p.stroke(p.theme.Soft, 1.5), draw.Step{Verb: draw.Move, X: bx - 6, Y: y1},
			draw.Step{Verb: draw.To, X: bx, Y: y1},
			draw.Step{Verb: draw.To, X: bx, Y: y2}, draw.Step{Verb: draw.To, X: bx - 6, Y: y2})
		p.Text(ink, bx+6, (y1+y2)/2, g.name)
	}
}
