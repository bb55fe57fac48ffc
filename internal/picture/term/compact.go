package term

import (
	"slices"

	"girih/internal/picture/draw"
)

// manyRules is the largest number of inner horizontal rules that are always drawn.
const manyRules = 24

// A seam is a height at which thin boxes meet: with the horizontal ranges of the boxes above and below.
type seam struct{ up0, up1, down0, down1 float64 }

// compact omits the rules between rows of cells if there are many of them and each cell is one line of text, because
// the lines already separate the rows. Thicker borders remain.
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

// meets reports whether the boxes above and below the seam have the same horizontal range.
func (s *seam) meets() bool {
	return s.up0 < far && near(s.up0) == near(s.down0) && near(s.up1) == near(s.down1)
}

// isCell reports whether the border of a shape makes it a grid cell.
func isCell(b *shape) bool {
	return b.kind == boxShape && b.lined && b.style.Width <= thin
}

// severalLines reports whether two texts are above each other between successive heights.
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
