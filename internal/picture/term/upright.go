package term

import (
	"slices"

	"girih/internal/picture/draw"
)

// wideEnough is the width up to which labels of columns lie, in columns, where the terminal has none.
const wideEnough = 200

// upright arranges a picture. Labels of columns that run upward in the scene lie if the picture then is no wider than
// the terminal, or not a third wider than with labels that stand.
func upright(list []shape, o Options) *plan {
	if !slices.ContainsFunc(list, isColumnLabel) {
		return arrange(list)
	}
	flat := slices.Clone(list)
	for i := range flat {
		if isColumnLabel(flat[i]) {
			flat[i].lie()
		}
	}
	p := arrange(flat)
	limit := o.Width
	if limit <= 0 {
		limit = wideEnough
	}
	if p.w <= limit {
		return p
	}
	if q := arrange(list); 3*p.w > 4*q.w {
		return q
	}
	return p
}

// isColumnLabel reports whether a text stands on a column, or hangs below one.
func isColumnLabel(s shape) bool {
	return s.kind == textShape && s.style.Up && s.style.Anchor != draw.Middle
}

// lie turns a text that stands on its anchor, or hangs from it, into one that lies centered there. What it covers in
// the scene stays narrow, so that it is the label of its column.
func (s *shape) lie() {
	size := s.x1 - s.x0
	s.head = 1
	if s.style.Anchor == draw.Finish {
		s.head = -1
		s.y1 = s.y0 + size
	} else {
		s.y0 = s.y1 - size
	}
	s.y = (s.y0 + s.y1) / 2
	s.style.Up, s.style.Anchor = false, draw.Middle
	s.cols, s.rows = s.rows, 1
	s.reach = reach{left: s.cols, right: s.cols, up: 1, down: 1}
}
