package term

import (
	"slices"

	"girih/internal/picture/draw"
)

// manyRules is how many inner rules across a picture has at most, if they can be left out.
const manyRules = 24

// A seam is a height at which thin boxes meet: where the boxes above it and those below it reach.
type seam struct{ up0, up1, down0, down1 float64 }

// compact leaves out the rules between the rows of cells where there are many of them and a cell is one line of text:
// the lines tell the rows apart. Thicker borders stay.
func compact(list []shape, o Options) {
	if o.Color != None || o.Grid {
		return
	}
	seams := map[int64]*seam{}
	at := func(y float64) *seam {
		s := seams[near(y)]
		if s == nil {
			s = &seam{far, -far, far, -far}
			seams[near(y)] = s
		}
		return s
	}
	for i := range list {
		if b := &list[i]; isCell(b) {
			s := at(b.y0)
			s.down0, s.down1 = min(s.down0, b.x0), max(s.down1, b.x1)
			s = at(b.y1)
			s.up0, s.up1 = min(s.up0, b.x0), max(s.up1, b.x1)
		}
	}
	var heights []int64
	inner := 0
	for y, s := range seams {
		heights = append(heights, y)
		if s.meets() {
			inner++
		}
	}
	slices.Sort(heights)
	if inner <= manyRules || severalLines(list, heights, seams) {
		return
	}
	for i := range list {
		if b := &list[i]; isCell(b) {
			b.openTop, b.openBottom = at(b.y0).meets(), at(b.y1).meets()
		}
	}
}

// meets reports whether boxes above and below reach equally far.
func (s *seam) meets() bool {
	return s.up0 < far && near(s.up0) == near(s.down0) && near(s.up1) == near(s.down1)
}

// isCell reports whether a shape is a cell of a grid, as far as its border tells.
func isCell(b *shape) bool {
	return b.kind == boxShape && b.lined && b.style.Width <= thin
}

// severalLines reports whether there are two texts above each other between successive heights, in cells.
func severalLines(list []shape, heights []int64, seams map[int64]*seam) bool {
	line := map[int]int64{}
	for i := range list {
		t := &list[i]
		if t.kind != textShape || t.swatch || t.style.Up || t.style.Anchor != draw.Middle {
			continue
		}
		y := near(t.y)
		k, _ := slices.BinarySearch(heights, y)
		if k == 0 || k == len(heights) || seams[heights[k-1]].down0 == far {
			continue
		}
		if v, ok := line[k]; ok && v != y {
			return true
		}
		line[k] = y
	}
	return false
}
