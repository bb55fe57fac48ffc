package term

import (
	"math"
	"sort"

	"girih/internal/picture/draw"
)

// The size of a column and a row in points, outside of the events of an axis.
const (
	columnPoints = 8
	rowPoints    = 16
)

// pieces is the number of straight lines that approximate a curve.
const pieces = 48

// A point is a place on the canvas, in cells, or in the scene, in points.
type point struct{ x, y float64 }

// point returns the place of a point of a shape. Between panels with different y axes, point interpolates between
// the two axes.
func (p painter) point(of *shape, x, y float64) point {
	at := point{p.x(of).place(x, columnPoints), p.y(of).place(y, rowPoints)}
	if !of.blend {
		return at
	}
	list := p.bands[of.band].panels
	i := sort.Search(len(list), func(i int) bool { return list[i].to >= x })
	if i == len(list) {
		i--
	}
	at.y = p.ys[list[i].group].place(y, rowPoints)
	if i > 0 && x < list[i].from {
		t := (x - list[i-1].to) / (list[i].from - list[i-1].to)
		at.y += (1 - t) * (p.ys[list[i-1].group].place(y, rowPoints) - at.y)
	}
	return at
}

func floor(v float64) int { return int(math.Floor(v)) }

// trace returns the parts of a path as polygons in cells. Straight lines are subdivided too, because the axes bend
// them.
func (p painter) trace(of *shape) [][]point {
	var out [][]point
	var at, start draw.Step
	add := func(x, y float64) {
		if len(out) == 0 {
			out = append(out, nil)
		}
		k := len(out) - 1
		out[k] = append(out[k], p.point(of, x, y))
	}
	straight := func(to draw.Step) {
		for i := 1; i <= pieces/2; i++ {
			t := float64(i) / (pieces / 2)
			add(at.X+(to.X-at.X)*t, at.Y+(to.Y-at.Y)*t)
		}
	}
	for _, s := range of.steps {
		switch s.Verb {
		case draw.Move:
			out = append(out, nil)
			add(s.X, s.Y)
			start = s
		case draw.To:
			straight(s)
		case draw.Cubic:
			for i := 1; i <= pieces; i++ {
				t := float64(i) / pieces
				a, b, c, d := (1-t)*(1-t)*(1-t), 3*(1-t)*(1-t)*t, 3*(1-t)*t*t, t*t*t
				add(a*at.X+b*s.X1+c*s.X2+d*s.X, a*at.Y+b*s.Y1+c*s.Y2+d*s.Y)
			}
		case draw.Close:
			straight(start)
			s = start
		}
		at = s
	}
	return out
}

// wire paints the stroke of a slanted line or a path in braille dots, or in ASCII characters, and its arrowhead.
func (p painter) wire(x *shape) {
	parts := p.trace(x)
	var last point
	dx, dy := 0.0, 0.0
	for _, part := range parts {
		for i := 1; i < len(part); i++ {
			p.dash(part[i-1], part[i], x)
		}
		if n := len(part); n > 1 {
			last = part[n-1]
			before := part[max(n-1-pieces/8, 0)]
			dx, dy = last.x-before.x, last.y-before.y
		}
	}
	if x.arrow && (dx != 0 || dy != 0) {
		p.tip(last, dx, dy, x.style.Stroke)
	}
}

// tip puts an arrowhead at the end of a slanted line.
func (p painter) tip(at point, dx, dy float64, color draw.Color) {
	// A row is as high as two columns are wide.
	sx, sy := 0, 0
	if math.Abs(dx) >= 2*math.Abs(dy) {
		sx = sign(dx)
		at.x -= 0.01 * float64(sx)
	} else {
		sy = sign(dy)
		at.y -= 0.01 * float64(sy)
	}
	p.head(arrowhead{floor(at.x), floor(at.y), sx, sy}, color)
}

func sign(v float64) int {
	if v < 0 {
		return -1
	}
	return 1
}

// dash paints a short straight line.
func (p painter) dash(from, to point, x *shape) {
	if !p.near(from) && !p.near(to) {
		return
	}
	steps := 1 + int(min(max(2*math.Abs(to.x-from.x), 4*math.Abs(to.y-from.y))*1.5, 1e4))
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		px, py := from.x+(to.x-from.x)*t, from.y+(to.y-from.y)*t
		c := p.c.at(floor(px), floor(py))
		if c == nil || c.r != 0 || c.box != 0 || c.flags&blankCell != 0 {
			continue
		}
		if x.style.Dash > 0 && i%4 == 3 {
			continue
		}
		c.fg = x.style.Stroke
		if p.ascii {
			c.r, c.flags = slope(to.x-from.x, to.y-from.y), 0
			continue
		}
		c.dots |= dot(px, py)
	}
}

// near reports whether a point is on the canvas or next to it.
func (p painter) near(q point) bool {
	return q.x >= -1 && q.y >= -1 && q.x <= float64(p.c.w+1) && q.y <= float64(p.c.h+1)
}

// slope returns the ASCII character that best matches a direction.
func slope(dx, dy float64) rune {
	switch {
	case math.Abs(dx) > 5*math.Abs(dy):
		return '-'
	case math.Abs(dx) < 0.4*math.Abs(dy):
		return '|'
	case (dx < 0) == (dy < 0):
		return '\\'
	}
	return '/'
}

// dot returns the braille dot at a place within its cell: two columns of four, numbered 1 2 3 7 and 4 5 6 8 from top
// to bottom.
func dot(x, y float64) uint8 {
	col, row := min(int((x-math.Floor(x))*2), 1), min(int((y-math.Floor(y))*4), 3)
	return [2][4]uint8{{1, 2, 4, 64}, {8, 16, 32, 128}}[col][row]
}

// fillPath paints the cells whose centers are inside a path, by the nonzero rule. A path that contains no center
// becomes one mark.
func (p painter) fillPath(x *shape) {
	parts, color := p.trace(x), x.style.Fill
	filled := false
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	n := 0
	for _, part := range parts {
		n += len(part)
		for _, q := range part {
			lo.x, lo.y = min(lo.x, q.x), min(lo.y, q.y)
			hi.x, hi.y = max(hi.x, q.x), max(hi.y, q.y)
		}
	}
	if n == 0 {
		return
	}
	crossings := make([]int, p.c.w+1)
	for row := max(floor(lo.y), 0); row <= min(floor(hi.y), p.c.h-1); row++ {
		clear(crossings)
		for _, part := range parts {
			wind(crossings, part, float64(row)+0.5)
		}
		sum := 0
		for col := range p.c.w {
			sum += crossings[col]
			if sum != 0 {
				p.c.fill(area{col, row, col + 1, row + 1}, color, 0)
				filled = true
			}
		}
	}
	if !filled {
		p.dot(x)
	}
}

// wind adds the changes of a polygon's winding number along the middle of a row to the columns where they happen.
func wind(crossings []int, part []point, y float64) {
	for i, q := range part {
		o := part[(i+len(part)-1)%len(part)]
		if (o.y <= y) == (q.y <= y) {
			continue
		}
		col := floor(o.x + (q.x-o.x)*(y-o.y)/(q.y-o.y) + 0.5)
		col = min(max(col, 0), len(crossings)-1)
		if o.y <= y {
			crossings[col]++
		} else {
			crossings[col]--
		}
	}
}
