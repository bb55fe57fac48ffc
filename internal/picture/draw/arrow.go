package draw

import "math"

// Arrow returns the two parts of an arrow: the shaft, which ends inside the head, and the head, a closed path to fill
// with the stroke's color. x is a [Line] or a [Path]; width is the width of its stroke in points. The head is 4
// points plus three widths long. A shape that ends without a direction (no length, no steps, or closed) has no head
// and is its own shaft. The shaft of any other kind of shape is nil.
//
// Every format draws its arrows with Arrow, so they look the same.
func Arrow(x Shape, width float64) (shaft, head []Step) {
	shaft = outline(x)
	n := len(shaft)
	if n < 2 || shaft[n-1].Verb == Close || shaft[n-1].Verb == Move {
		return shaft, nil
	}
	end := &shaft[n-1]
	dx, dy := direction(shaft)
	size := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if size == 0 || math.IsInf(size, 0) || math.IsNaN(size) {
		return shaft, nil
	}
	dx, dy = dx/size, dy/size
	// The conversions prevent fusing products with sums, which would round differently on different machines.
	long := 4 + float64(3*width)
	wide := float64(0.38 * long)
	tx, ty := end.X, end.Y
	bx, by := tx-float64(long*dx), ty-float64(long*dy)
	wx, wy := float64(wide*dx), float64(wide*dy)
	// The shaft ends within the head, so that there is no gap and the stroke does not show around the tip.
	back := min(float64(0.7*long), float64(0.9*size))
	end.X, end.Y = tx-float64(back*dx), ty-float64(back*dy)
	return shaft, []Step{
		{Verb: Move, X: tx, Y: ty},
		{Verb: To, X: bx - wy, Y: by + wx},
		{Verb: To, X: bx + wy, Y: by - wx},
		{Verb: Close},
	}
}

// outline returns the steps of a line or path in a new slice.
func outline(x Shape) []Step {
	switch x.Kind {
	case Line:
		return []Step{{Verb: Move, X: x.X, Y: x.Y}, {Verb: To, X: x.X + x.W, Y: x.Y + x.H}}
	case Path:
		return append([]Step(nil), x.Steps...)
	}
	return nil
}

// direction returns the direction in which a path of at least two steps ends: its last straight line or control line.
func direction(p []Step) (dx, dy float64) {
	end, from := p[len(p)-1], p[len(p)-2]
	if end.Verb == Cubic {
		if end.X2 != end.X || end.Y2 != end.Y {
			return end.X - end.X2, end.Y - end.Y2
		}
		if end.X1 != end.X || end.Y1 != end.Y {
			return end.X - end.X1, end.Y - end.Y1
		}
	}
	if from.Verb == Close { // the pen is at the start of the closed part
		for i := len(p) - 2; i >= 0; i-- {
			if p[i].Verb == Move {
				from = p[i]
				break
			}
		}
	}
	return end.X - from.X, end.Y - from.Y
}
