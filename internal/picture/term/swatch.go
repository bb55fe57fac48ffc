package term

import "girih/internal/picture/draw"

// The largest side, in points, of a box that may be a patch of a legend, and the largest number of patches of a ramp.
const (
	patch   = 20
	patches = 64
)

// A corner is a corner of a box, with rounded coordinates.
type corner struct{ x, y int64 }

// corners returns the corners of a box.
func corners(b *shape) [4]corner {
	x0, y0, x1, y1 := near(b.x0), near(b.y0), near(b.x1), near(b.y1)
	return [4]corner{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}}
}

// A cluster is a set of boxes that touch at corners: a ramp of a legend, or a grid.
type cluster struct {
	boxes  int
	y0, y1 float64
	other  bool // some box is large, has no fill, or contains a text
}

// A forest lists the parent of each box, -1 for shapes that are not boxes; all boxes of a cluster share a
// root.
type forest []int

// root returns the root of a box.
func (f forest) root(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// swatches turns the patches of legends into texts of two columns, because the edges of boxes would cut the cells of
// a grid above them. A patch is a small filled box without text that touches no other box, or only other patches in
// at most two rows.
func swatches(list []shape) {
	boxes := touching(list)
	texts := map[corner][]int{}
	for i := range list {
		if t := &list[i]; t.kind == textShape {
			texts[square(t.x, t.y)] = append(texts[square(t.x, t.y)], i)
		}
	}
	clusters := map[int]*cluster{}
	for i, parent := range boxes {
		if parent < 0 {
			continue
		}
		b := &list[i]
		c := clusters[boxes.root(i)]
		if c == nil {
			c = &cluster{y0: b.y0, y1: b.y1}
			clusters[boxes.root(i)] = c
		}
		c.boxes++
		c.y0, c.y1 = min(c.y0, b.y0), max(c.y1, b.y1)
		c.other = c.other || b.x1-b.x0 > patch || b.y1-b.y0 > patch || !visible(b.style.Fill) || hasText(list, texts, b)
	}
	for i, parent := range boxes {
		if parent >= 0 && clusters[boxes.root(i)].isRamp() {
			list[i].becomeSwatch()
		}
	}
}

// touching joins the boxes that have a corner in common.
func touching(list []shape) forest {
	boxes := make(forest, len(list))
	first := map[corner]int{} // the first box at a corner
	for i := range list {
		boxes[i] = -1
		if list[i].kind != boxShape {
			continue
		}
		boxes[i] = i
		for _, c := range corners(&list[i]) {
			if j, ok := first[c]; ok {
				boxes[boxes.root(i)] = boxes.root(j)
			} else {
				first[c] = i
			}
		}
	}
	return boxes
}

// isRamp reports whether the boxes of a cluster are patches of a legend: few, small, filled, without text, and in at
// most two rows.
func (c *cluster) isRamp() bool { return !c.other && c.boxes <= patches && c.y1-c.y0 <= 2*patch }

// becomeSwatch turns a box into a text of two columns in its middle.
func (s *shape) becomeSwatch() {
	s.kind, s.swatch = textShape, true
	s.x, s.y = (s.x0+s.x1)/2, (s.y0+s.y1)/2
	s.cols, s.rows, s.reach = 2, 1, reach{left: 2, right: 2, up: 1, down: 1}
	s.style.Anchor = draw.Middle
}

// square returns the square, as large as a patch, that contains a point.
func square(x, y float64) corner { return corner{int64(x/patch + far), int64(y/patch + far)} }

// hasText reports whether a text is anchored in a small box.
func hasText(list []shape, texts map[corner][]int, b *shape) bool {
	from, to := square(b.x0, b.y0), square(b.x1, b.y1)
	for y := from.y; y <= to.y; y++ {
		for x := from.x; x <= to.x; x++ {
			for _, i := range texts[corner{x, y}] {
				if t := &list[i]; t.x >= b.x0 && t.x <= b.x1 && t.y >= b.y0 && t.y <= b.y1 {
					return true
				}
			}
		}
	}
	return false
}
