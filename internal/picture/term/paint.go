package term

import "girih/internal/picture/draw"

// painter paints the shapes of a plan on a canvas.
type painter struct {
	*plan
	c     *canvas
	ascii bool
}

// paint returns the picture of a plan. Beyond [MaxCells] it is cut, first the columns, then the rows.
func paint(p *plan, s *draw.Scene, o Options) *canvas {
	c := &canvas{w: min(p.w, MaxCells)}
	if c.w > 0 {
		c.h = min(p.h, MaxCells/c.w)
	}
	c.cells = make([]cell, c.w*c.h)
	if o.Paper && o.Color != None {
		c.fill(area{0, 0, c.w, c.h}, s.Background, 0)
	}
	boxes := 1
	for i := range p.shapes {
		if x := &p.shapes[i]; x.kind == boxShape || x.swatch {
			boxes++
		}
	}
	c.full = make([]bool, boxes)
	pt := painter{p, c, o.ASCII}
	owner := int32(0)
	for i := range p.shapes {
		x := &p.shapes[i]
		if x.kind == boxShape || x.swatch {
			owner++
		}
		pt.shape(x, owner)
	}
	pt.close()
	// Wires are painted last and only into free cells, so that they hide nothing and nothing hides their heads.
	for i := range p.shapes {
		if x := &p.shapes[i]; x.kind == slantShape && visible(x.style.Stroke) {
			pt.wire(x)
		}
	}
	return c
}

// shape paints a shape, except the stroke of a wire. owner is the number of the last box or patch.
func (p painter) shape(x *shape, owner int32) {
	switch x.kind {
	case boxShape:
		p.box(x, owner)
	case lineShape:
		p.line(x)
	case slantShape:
		if visible(x.style.Fill) {
			p.fillPath(x)
		}
	case dotShape:
		p.dot(x)
	case textShape:
		if x.swatch {
			p.c.fill(area{x.col, x.row, x.col + x.cols, x.row + 1}, x.style.Fill, owner)
			return
		}
		p.c.text(x.col, x.row, x)
	}
}

// close fills the cells that lines occupy elsewhere in their column or row, if the fill continues on both sides of
// them.
func (p painter) close() {
	join := func(x, before, after *cell) {
		if x != nil && before != nil && after != nil && x.box == 0 && x.owner == 0 && before.owner != 0 && after.owner != 0 {
			x.bg, x.owner = before.bg, before.owner
		}
	}
	for row := range p.c.h {
		a := p.axisAt(row)
		for i := range a.at {
			if a.has(i, isLined) {
				col := a.cell(i)
				join(p.c.at(col, row), p.c.at(col-1, row), p.c.at(col+1, row))
			}
		}
	}
	for _, a := range p.ys {
		for i := range a.at {
			if row := a.cell(i); a.has(i, isLined) {
				for col := range p.c.w {
					join(p.c.at(col, row), p.c.at(col, row-1), p.c.at(col, row+1))
				}
			}
		}
	}
}

// box paints a rectangle: its inside, without the cells of lines along its edges, then its stroke.
func (p painter) box(x *shape, owner int32) {
	a, b := p.x(x), p.y(x)
	i, j := a.event(x.x0), a.event(x.x1)
	k, l := b.event(x.y0), b.event(x.y1)
	c0, c1, r0, r1 := a.cell(i), a.cell(j), b.cell(k), b.cell(l)
	if visible(x.style.Fill) {
		color := x.style.Fill
		if x.erases {
			color = draw.None
		}
		p.c.fill(area{c0 + a.line(i)/2, r0 + b.line(k)/2, c1, r1}, color, owner)
	}
	if !x.lined {
		return
	}
	st := penOf(x.style)
	top, bottom := end{r0, true}, end{r1, true}
	if b.line(k) == 0 {
		top.half = false
	} else if i != j {
		p.c.across(r0, end{c0, true}, end{c1, true}, st)
	}
	if b.line(l) == 0 {
		bottom = end{r1 - 1, false}
	} else if i != j {
		p.c.across(r1, end{c0, true}, end{c1, true}, st)
	}
	if k != l {
		p.c.along(c0, top, bottom, st)
		p.c.along(c1, top, bottom, st)
	}
}

// line paints a horizontal or vertical line and its arrow.
func (p painter) line(x *shape) {
	st := penOf(x.style)
	a, b := p.x(x), p.y(x)
	if x.y0 == x.y1 {
		row := b.cell(b.event(x.y0))
		from, to := ends(a, min(x.x0, x.x1), max(x.x0, x.x1))
		p.c.across(row, from, to, st)
		if x.arrow && x.x1 >= x.x0 {
			p.head(arrowhead{to.at, row, 1, 0}, st.color)
		} else if x.arrow {
			p.head(arrowhead{from.at, row, -1, 0}, st.color)
		}
		return
	}
	col := a.cell(a.event(x.x0))
	from, to := ends(b, min(x.y0, x.y1), max(x.y0, x.y1))
	p.c.along(col, from, to, st)
	if x.arrow && x.y1 >= x.y0 {
		p.head(arrowhead{col, to.at, 0, 1}, st.color)
	} else if x.arrow {
		p.head(arrowhead{col, from.at, 0, -1}, st.color)
	}
}

// ends returns the cells at which a line between two coordinates ends: in the middle of a cell that contains another
// line or a text, otherwise in the cell before the edge.
func ends(a *axis, v, w float64) (from, to end) {
	i, j := a.event(v), a.event(w)
	from, to = end{a.cell(i), a.has(i, isLined)}, end{a.cell(j), a.has(j, isLined)}
	if !to.half && a.has(j, isEdge) && to.at > from.at {
		to.at--
	}
	return from, to
}

// An arrowhead is the cell of the head of an arrow and its direction: one of dx and dy is 1 or -1.
type arrowhead struct{ col, row, dx, dy int }

// head puts an arrowhead into its cell, or one cell back if there is text.
func (p painter) head(h arrowhead, color draw.Color) {
	for range 3 {
		if x := p.c.at(h.col, h.row); x != nil && x.r == 0 && x.flags&blankCell == 0 && (x.box == 0 || x.fg == color) {
			x.r, x.fg, x.box, x.dots, x.flags = p.arrow(h), color, 0, 0, 0
			return
		}
		h.col, h.row = h.col-h.dx, h.row-h.dy
	}
}

// arrow returns the character of the head of an arrow.
func (p painter) arrow(h arrowhead) rune {
	set := []rune("▶◀▼▲")
	if p.ascii {
		set = []rune("><v^")
	}
	switch {
	case h.dx > 0:
		return set[0]
	case h.dx < 0:
		return set[1]
	case h.dy > 0:
		return set[2]
	}
	return set[3]
}

// dot puts a mark at a shape that is smaller than a character.
func (p painter) dot(x *shape) {
	color := x.style.Fill
	if !visible(color) {
		color = x.style.Stroke
	}
	col, row := p.x(x).place((x.x0+x.x1)/2, columnPoints), p.y(x).place((x.y0+x.y1)/2, rowPoints)
	if c := p.c.at(floor(col), floor(row)); c != nil && c.r == 0 && c.box == 0 {
		c.r, c.fg, c.dots, c.flags = '•', color, 0, 0
		if p.ascii {
			c.r = '*'
		}
	}
}
