package term

import (
	"slices"

	"girih/internal/picture/draw"
)

// wideEnough is the width, in columns, up to which labels of columns are horizontal if the width of the terminal is
// unknown.
const wideEnough = 200

// upright arranges a picture. Labels of columns that run upward in the scene become horizontal if the picture is then
// not wider than the terminal, or less than a third wider than with vertical labels.
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

// isColumnLabel reports whether a text is a vertical label above or below a column.
func isColumnLabel(s shape) bool {
	return s.kind == textShape && s.style.Up && s.style.Anchor != draw.Middle
}

// lie turns a vertical label into a horizontal one, centered at its anchor. Its area in the scene stays narrow, so
// that it remains the label of its column.
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
