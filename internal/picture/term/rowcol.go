package term

import (
	"cmp"
	"math"
	"slices"

	"girih/internal/picture/draw"
)

// placeRows gives each text its row, and finds the captions.
func (p *plan) placeRows() {
	top, bottom := 0, 0
	for _, a := range p.ys {
		for i, v := range a.pos {
			top, bottom = min(top, a.cell(i)), max(bottom, a.end(i, v))
		}
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape {
			a := p.y(s)
			s.row = (a.pos[a.event(s.y)] - s.reach.up) >> 1
			top, bottom = min(top, s.row), max(bottom, s.row+s.rows)
			s.caption = !s.style.Up && !s.swatch && p.x(s).crosses(s.x0, s.x1)
		}
	}
	for _, a := range p.ys {
		a.shift = -top
	}
	p.h = bottom - top
	for i := range p.shapes {
		p.shapes[i].row -= top
	}
	p.loosen()
}

// loosen finds the loose texts, such as titles, legends and notes: texts in rows without boxes that are not labels of
// columns. Labels of columns are anchored in their middle.
func (p *plan) loosen() {
	used := make([]int, p.h+2) // number of boxes that begin or end at a row, then that include it
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == boxShape || s.kind == lineShape && s.x0 == s.x1 {
			a := p.y(s)
			top, bottom := a.cell(a.event(min(s.y0, s.y1))), a.cell(a.event(max(s.y0, s.y1)))
			used[min(max(top, 0), p.h)]++
			used[min(max(bottom, top)+1, p.h+1)]--
		}
	}
	for i := range p.h {
		used[i+1] += used[i]
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.kind == textShape && !s.style.Up && used[s.row] == 0 {
			s.loose = s.swatch || s.caption || s.style.Anchor != draw.Middle
		} else {
			s.loose = false
		}
	}
}

// end returns the cell after an event at a position.
func (a *axis) end(i, pos int) int {
	if a.has(i, isEnd) && !a.has(i, isLined|isText) {
		return pos>>1 + 1
	}
	return (pos+1)>>1 + a.line(i)/2
}

// crosses reports whether an edge is in the middle half of a stretch.
func (a *axis) crosses(from, to float64) bool {
	lo, hi := from+(to-from)/4, to-(to-from)/4
	i, _ := slices.BinarySearch(a.at, lo)
	for ; i < len(a.at) && a.at[i] < hi; i++ {
		if a.has(i, isEdge) {
			return true
		}
	}
	return false
}

// together is the largest distance, in points, at which two texts of a legend stay next to each other.
const together = 12

// placeColumns gives each text its column. A caption or loose text that would overlap another text of its row moves
// to the right.
func (p *plan) placeColumns() {
	left, right := p.edgeColumns()
	edge := math.Inf(1) // the left end of the picture, in points
	var order []int
	for i := range p.shapes {
		s := &p.shapes[i]
		edge = min(edge, s.x0)
		if s.kind != textShape {
			continue
		}
		from := p.x(s).pos[p.x(s).event(s.x)] - s.reach.left
		if s.isNumber() && s.cols == 1 {
			from++ // align a single digit with the last digit of wider numbers
		}
		s.col = from >> 1
		if !s.loose {
			left = min(left, s.col)
		}
		order = append(order, i)
	}
	p.alignNumbers()
	for _, i := range order {
		if s := &p.shapes[i]; s.loose && s.x0 <= edge+flush {
			s.col = left
			if left == math.MaxInt {
				s.col = 0
			}
		}
	}
	p.giveWay(order)
	for _, i := range order {
		s := &p.shapes[i]
		left, right = min(left, s.col), max(right, s.col+s.cols)
	}
	if left > right {
		left, right = 0, 0
	}
	for _, a := range p.xs {
		a.shift = -left
	}
	p.w = right - left
	for i := range p.shapes {
		p.shapes[i].col -= left
	}
}

// edgeColumns returns the first column of all edges and ends of wires, and the column after the last one.
func (p *plan) edgeColumns() (left, right int) {
	left, right = math.MaxInt, math.MinInt
	for _, a := range p.xs {
		for i, v := range a.pos {
			if a.has(i, isEdge|isEnd) {
				left, right = min(left, a.cell(i)), max(right, a.end(i, v))
			}
		}
	}
	return left, right
}

// alignNumbers right-aligns the numbers of a column of cells with the widest number; in the scene they are centered.
func (p *plan) alignNumbers() {
	type place struct {
		axis  *axis
		event int
	}
	at := func(s *shape) place { return place{p.x(s), p.x(s).event(s.x)} }
	widest := map[place]*shape{}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.isNumber() {
			if w := widest[at(s)]; w == nil || s.cols > w.cols {
				widest[at(s)] = s
			}
		}
	}
	for i := range p.shapes {
		if s := &p.shapes[i]; s.isNumber() {
			if w := widest[at(s)]; s != w {
				s.col = w.col + w.cols - s.cols
			}
		}
	}
}

// isNumber reports whether the shape is a number in the middle of a cell, or the dot for a 0 of a matrix.
func (s *shape) isNumber() bool {
	return s.kind == textShape && !s.loose && !s.style.Up && s.style.Anchor == draw.Middle &&
		!slices.ContainsFunc(s.text, func(g glyph) bool { return (g.r < '0' || g.r > '9') && g.r != '·' })
}

// flush is the largest distance from the left end of the scene, in points, at which a title or note is put at the
// left end of the picture.
const flush = 4

// giveWay moves captions and loose texts to the right of the texts before them in their row.
func (p *plan) giveWay(order []int) {
	slices.SortStableFunc(order, func(i, j int) int {
		s, t := &p.shapes[i], &p.shapes[j]
		return cmp.Or(cmp.Compare(s.row, t.row), cmp.Compare(s.col, t.col), cmp.Compare(s.x, t.x))
	})
	row, end := -1, 0
	var last *shape
	for _, i := range order {
		s := &p.shapes[i]
		if s.row != row {
			row, end = s.row, math.MinInt
		}
		switch {
		case s.loose && end > math.MinInt && last.loose && s.x0-last.x1 < together:
			s.col = end
			if s.swatch && last.swatch && s.x0-last.x1 < tolerance {
				s.col-- // the patches of a ramp touch each other
			}
		case s.caption || s.loose:
			s.col = max(s.col, end)
		}
		end = max(end, s.col+s.cols+1)
		last = s
	}
}
