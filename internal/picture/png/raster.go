package png

import (
	"math"
	"slices"
	"sort"

	"girih/internal/ints"
)

// The rasterizer fills polygons by the nonzero rule, in integers. Coordinates are in 256ths of a pixel. Each row of
// pixels has 16 sample lines; on each line the filled length within each pixel is exact.
const (
	unit     = 256 // per pixel
	lines    = 16  // sample lines per row of pixels
	between  = unit / lines
	farthest = 1 << 30 // the largest coordinate, so that a sum of two products fits
)

// A point is a place in 256ths of a pixel. The numbers have 64 bits on every machine, because products need them.
type point struct{ x, y int64 }

// toUnits converts a length from pixels to 256ths. NaN becomes 0, and lengths far outside every picture are clamped.
func toUnits(v float64) int64 {
	switch v = math.Round(v * unit); {
	case v != v:
		return 0
	case v > farthest:
		return farthest
	case v < -farthest:
		return -farthest
	}
	return int64(v)
}

// An edge is a side of a polygon, stored so that it goes down.
type edge struct {
	top, bottom point
	winding     int // +1 if the side went down, -1 if it went up
}

// A shape is the sides of a set of closed polygons.
type shape struct {
	edges                  []edge
	minX, minY, maxX, maxY int64 // the bounds of the points, if there are edges
}

// add adds the side from a to b.
func (s *shape) add(a, b point) {
	if len(s.edges) == 0 {
		s.minX, s.minY, s.maxX, s.maxY = farthest, farthest, -farthest, -farthest
	}
	if a.y == b.y {
		return // no sample line crosses it
	}
	s.minX, s.maxX = min(s.minX, a.x, b.x), max(s.maxX, a.x, b.x)
	s.minY, s.maxY = min(s.minY, a.y, b.y), max(s.maxY, a.y, b.y)
	if a.y < b.y {
		s.edges = append(s.edges, edge{a, b, 1})
	} else {
		s.edges = append(s.edges, edge{b, a, -1})
	}
}

// polygon adds a closed polygon in its own orientation.
func (s *shape) polygon(p []point) {
	for i := range p {
		s.add(p[i], p[(i+1)%len(p)])
	}
}

// convex adds a polygon in one fixed orientation, so that the union of all such polygons is filled.
func (s *shape) convex(p []point) {
	area := 0.0
	for i, a := range p {
		b := p[(i+1)%len(p)]
		area += float64(float64(a.x)*float64(b.y)) - float64(float64(b.x)*float64(a.y))
	}
	if area < 0 {
		slices.Reverse(p)
	}
	s.polygon(p)
}

// fill calls row for each row of pixels that the shape touches in a picture of w x h pixels. The arguments are the
// first pixel and the levels of coverage from there on; the slice is reused.
func (s *shape) fill(w, h int, row func(x, y int, cover []uint8)) {
	if len(s.edges) == 0 {
		return
	}
	x0, x1 := max(pixel(s.minX), 0), min(pixel(s.maxX)+1, w)
	y0, y1 := max(pixel(s.minY), 0), min(pixel(s.maxY)+1, h)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	sort.Slice(s.edges, func(i, j int) bool { return s.edges[i].top.y < s.edges[j].top.y })
	f := filler{
		left: int64(x0) * unit, width: int64(x1-x0) * unit, sums: make([]int32, x1-x0+1), cover: make([]uint8, x1-x0),
	}
	rest := s.edges
	for y := y0; y < y1; y++ {
		for line := range lines {
			at := int64(y*unit + line*between + between/2)
			for len(rest) > 0 && rest[0].top.y <= at {
				f.active = append(f.active, rest[0])
				rest = rest[1:]
			}
			f.active = slices.DeleteFunc(f.active, func(e edge) bool { return e.bottom.y <= at })
			f.line(at)
		}
		if from, to := f.finish(); from < to {
			row(x0+from, y, f.cover[from:to])
		}
	}
}

// A filler accumulates the coverage of one row of pixels.
type filler struct {
	left      int64 // the column of the first pixel
	width     int64 // the number of pixels
	active    []edge
	crossings []crossing
	sums      []int32 // differences of coverage between adjacent pixels, in unit * lines
	cover     []uint8
	used      bool
}

// A crossing is a point where a sample line meets a side.
type crossing struct {
	x       int64
	winding int
}

// line adds the filled parts of the sample line at a height.
func (f *filler) line(at int64) {
	f.crossings = f.crossings[:0]
	for _, e := range f.active {
		dx, dy := e.bottom.x-e.top.x, e.bottom.y-e.top.y
		f.crossings = append(f.crossings, crossing{e.top.x + ints.FloorDiv(dx*(at-e.top.y), dy), e.winding})
	}
	sort.Slice(f.crossings, func(i, j int) bool { return f.crossings[i].x < f.crossings[j].x })
	winding := 0
	for i, c := range f.crossings {
		if winding != 0 {
			f.span(f.crossings[i-1].x, c.x)
		}
		winding += c.winding
	}
}

// span adds the part of a line from a to b.
func (f *filler) span(a, b int64) {
	a, b = max(a-f.left, 0), min(b-f.left, f.width)
	if a >= b {
		return
	}
	f.used = true
	// The differences up to pixel i add up to the line's coverage of pixel i: a step up at a and a step down at b,
	// each divided between the pixel that contains it and the next pixel.
	f.step(a, 1)
	f.step(b, -1)
}

func (f *filler) step(x, sign int64) {
	i, part := x/unit, x%unit
	f.sums[i] += int32(sign * (unit - part))
	if part > 0 {
		f.sums[i+1] += int32(sign * part)
	}
}

// finish converts the sums to levels, clears them, and returns the range of pixels that are not empty.
func (f *filler) finish() (from, to int) {
	if !f.used {
		return 0, 0
	}
	f.used = false
	const full = unit * lines
	sum := int32(0)
	from = -1
	for i := range f.cover {
		sum += f.sums[i]
		f.sums[i] = 0
		level := uint8((sum*levels + full/2) / full)
		f.cover[i] = level
		if level > 0 {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	f.sums[len(f.cover)] = 0
	return max(from, 0), to
}

// pixel returns the pixel that contains a coordinate.
func pixel(v int64) int { return int(ints.FloorDiv(v, unit)) }
