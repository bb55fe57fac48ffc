package png

import "math"

// curve adds a Bezier curve of degree 2 (b and c are the control point) or 3 as straight sides and returns its end.
func (s *shape) curve(a, b, c, d point, degree int) point {
	n := pieces(a, b, c, d)
	at := a
	for i := int64(1); i <= n; i++ {
		q := bezier3(a, b, c, d, i, n)
		if degree == 2 {
			q = bezier2(a, b, d, i, n)
		}
		s.add(at, q)
		at = q
	}
	return d
}

// pieces returns into how many straight pieces a curve is cut: more where it is longer than its chord.
func pieces(a, b, c, d point) int64 {
	around := distance(a, b) + distance(b, c) + distance(c, d)
	bend := math.Max(around-distance(a, d), 0) / unit // pixels
	return int64(min(max(math.Ceil(4*math.Sqrt(bend)), 1), 64))
}

func distance(a, b point) float64 {
	x, y := float64(a.x-b.x), float64(a.y-b.y)
	return math.Sqrt(float64(x*x) + float64(y*y))
}

// bezier2 returns the point at i/n of a curve of degree 2.
func bezier2(a, b, c point, i, n int64) point {
	j := n - i
	p, q, r := j*j, 2*i*j, i*i
	return point{floorDiv(a.x*p+b.x*q+c.x*r, n*n), floorDiv(a.y*p+b.y*q+c.y*r, n*n)}
}

// bezier3 returns the point at i/n of a curve of degree 3.
func bezier3(a, b, c, d point, i, n int64) point {
	j := n - i
	p, q, r, s := j*j*j, 3*i*j*j, 3*i*i*j, i*i*i
	return point{floorDiv(a.x*p+b.x*q+c.x*r+d.x*s, n*n*n), floorDiv(a.y*p+b.y*q+c.y*r+d.y*s, n*n*n)}
}
