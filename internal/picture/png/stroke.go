package png

import (
	"math"

	"girih/internal/picture/draw"
)

// A part is a piece of a path drawn without lifting the pen, made of straight pieces.
type part struct {
	points []point
	closed bool
}

// flatten returns the parts of a path in 256ths of a pixel.
func (p *painter) flatten(steps []draw.Step) []part {
	at := func(x, y float64) point { return point{toUnits(x * p.scale), toUnits(y * p.scale)} }
	var parts []part
	now := part{points: []point{{}}} // the pen starts at the origin
	flush := func() {
		if len(now.points) > 1 {
			parts = append(parts, now)
		}
	}
	for _, s := range steps {
		last := now.points[len(now.points)-1]
		switch s.Verb {
		case draw.Move:
			flush()
			now = part{points: []point{at(s.X, s.Y)}}
		case draw.To:
			now.points = append(now.points, at(s.X, s.Y))
		case draw.Cubic:
			c := cubic{last, at(s.X1, s.Y1), at(s.X2, s.Y2), at(s.X, s.Y)}
			for i, n := int64(1), c.pieces(); i <= n; i++ {
				now.points = append(now.points, c.at(i, n))
			}
		case draw.Close:
			first := now.points[0]
			now.closed = true
			flush()
			now = part{points: []point{first}}
		}
	}
	flush()
	return parts
}

// stroke paints a stroke along parts; dash is the length of dashes and gaps in pixels, 0 for none.
func (p *painter) stroke(parts []part, n pen, dash float64) {
	if dash > 0 {
		parts = dashes(parts, max(toUnits(dash), unit))
	}
	var s shape
	for _, q := range parts {
		if square(q) {
			p.bars(q, n)
			continue
		}
		s.stroke(q, n)
	}
	p.fill(&s, n.color)
}

// square reports whether all pieces of a part are horizontal or vertical.
func square(q part) bool {
	for i := range q.points[1:] {
		if a, b := q.points[i], q.points[i+1]; a.x != b.x && a.y != b.y {
			return false
		}
	}
	a, b := q.points[0], q.points[len(q.points)-1]
	return !q.closed || a.x == b.x || a.y == b.y
}

// bars paints a stroke along horizontal and vertical pieces on whole pixels. Each piece includes the corner at its
// beginning, so that no corner is painted twice.
func (p *painter) bars(q part, n pen) {
	points := q.points
	if q.closed {
		points = append(points[:len(points):len(points)], points[0])
	}
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		if a == b {
			continue
		}
		// An open part ends where the path ends; every other piece ends at the near or far side of a corner.
		begins, ends := i > 0 || q.closed, i+2 < len(points) || q.closed
		if a.y == b.y {
			x0, x1 := n.bar(end{a.x, begins}, end{b.x, ends})
			p.c.block(block{x0, n.first(a.y), x1, n.first(a.y) + n.width}, n.color, n.level)
		} else {
			y0, y1 := n.bar(end{a.y, begins}, end{b.y, ends})
			p.c.block(block{n.first(a.x), y0, n.first(a.x) + n.width, y1}, n.color, n.level)
		}
	}
}

// An end is where a piece of a path begins or ends along its direction, in 256ths of a pixel. It is at a corner if
// the path continues there.
type end struct {
	at     int64
	corner bool
}

// bar returns the range of pixels of a piece of a stroke from a to b. The corner at a is included, the corner at b is
// not.
func (n pen) bar(a, b end) (from, to int) {
	from, to = pixel(a.at+unit/2), pixel(b.at+unit/2)
	if a.at <= b.at {
		if a.corner {
			from = n.first(a.at)
		}
		if b.corner {
			to = n.first(b.at)
		}
		return from, to
	}
	if a.corner {
		from = n.first(a.at) + n.width
	}
	if b.corner {
		to = n.first(b.at) + n.width
	}
	return to, from
}

// dashes cuts parts into dashes and gaps of equal length, given in 256ths of a pixel.
func dashes(parts []part, length int64) []part {
	var out []part
	for _, q := range parts {
		points := q.points
		if q.closed {
			points = append(points[:len(points):len(points)], points[0])
		}
		now, on, left := []point{points[0]}, true, float64(length)
		for i := range points[1:] {
			a, b := points[i], points[i+1]
			size := distance(a, b)
			if size/float64(length) > 1<<14 {
				now, on, left = []point{b}, true, float64(length) // far outside every picture
				continue
			}
			done := 0.0
			for size-done > left {
				done += left
				t := done / size
				mid := point{a.x + round(float64(b.x-a.x)*t), a.y + round(float64(b.y-a.y)*t)}
				if on {
					out = append(out, part{points: append(now, mid)})
				}
				now, on, left = []point{mid}, !on, float64(length)
			}
			left -= size - done
			if on {
				now = append(now, b)
			}
		}
		if on && len(now) > 1 {
			out = append(out, part{points: now})
		}
	}
	return out
}

// stroke adds the stroke of a part: a bar for each piece and a disc at each corner.
func (s *shape) stroke(q part, n pen) {
	points := q.points
	if q.closed {
		points = append(points[:len(points):len(points)], points[0])
	}
	half := n.exact * unit / 2
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		size := distance(a, b)
		if size == 0 {
			continue
		}
		dx, dy := round(float64(b.x-a.x)*half/size), round(float64(b.y-a.y)*half/size)
		s.convex([]point{{a.x - dy, a.y + dx}, {b.x - dy, b.y + dx}, {b.x + dy, b.y - dx}, {a.x + dy, a.y - dx}})
		if i > 0 || q.closed {
			s.convex(disc(a, half))
		}
	}
}

func round(v float64) int64 { return int64(math.Round(v)) }

// disc returns a polygon that approximates a circle.
func disc(c point, r float64) []point {
	out := make([]point, len(circle))
	for i, p := range circle {
		out[i] = point{c.x + round(p[0]*r), c.y + round(p[1]*r)}
	}
	return out
}

// circle has 16 points of the unit circle.
var circle = func() (c [16][2]float64) {
	q := [5]float64{1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0} // cosines of 0 to 90 degrees
	cos := func(i int) float64 {
		switch i &= 15; {
		case i <= 4:
			return q[i]
		case i <= 8:
			return -q[8-i]
		case i <= 12:
			return -q[i-8]
		default:
			return q[16-i]
		}
	}
	for i := range c {
		c[i] = [2]float64{cos(i), cos(i + 12)}
	}
	return c
}()
