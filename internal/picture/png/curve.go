package png

import (
	"math"

	"girih/internal/ints"
)

// A quadratic is a Bezier curve of degree 2: its beginning, its control point and its end.
type quadratic [3]point

// A cubic is a Bezier curve of degree 3: its beginning, its control points and its end.
type cubic [4]point

// A bezier is a Bezier curve of either degree.
type bezier interface {
	pieces() int64       // the number of straight pieces into which the curve is cut
	at(i, n int64) point // the point at i/n of the way along the curve
}

// curve adds a Bezier curve as straight sides and returns its end.
func (s *shape) curve(c bezier) point {
	n := c.pieces()
	at := c.at(0, n)
	for i := int64(1); i <= n; i++ {
		q := c.at(i, n)
		s.add(at, q)
		at = q
	}
	return at
}

// A curve that is longer relative to its chord is cut into more pieces. A quadratic counts as a cubic with two equal
// control points.
func (c quadratic) pieces() int64 { return cubic{c[0], c[1], c[1], c[2]}.pieces() }

func (c cubic) pieces() int64 {
	around := distance(c[0], c[1]) + distance(c[1], c[2]) + distance(c[2], c[3])
	bend := math.Max(around-distance(c[0], c[3]), 0) / unit // pixels
	return int64(min(max(math.Ceil(4*math.Sqrt(bend)), 1), 64))
}

func distance(a, b point) float64 {
	x, y := float64(a.x-b.x), float64(a.y-b.y)
	return math.Sqrt(float64(x*x) + float64(y*y))
}

func (c quadratic) at(i, n int64) point {
	j := n - i
	p, q, r := j*j, 2*i*j, i*i
	return point{ints.FloorDiv(c[0].x*p+c[1].x*q+c[2].x*r, n*n), ints.FloorDiv(c[0].y*p+c[1].y*q+c[2].y*r, n*n)}
}

func (c cubic) at(i, n int64) point {
	j := n - i
	p, q, r, s := j*j*j, 3*i*j*j, 3*i*i*j, i*i*i
	return point{
		ints.FloorDiv(c[0].x*p+c[1].x*q+c[2].x*r+c[3].x*s, n*n*n),
		ints.FloorDiv(c[0].y*p+c[1].y*q+c[2].y*r+c[3].y*s, n*n*n),
	}
}
