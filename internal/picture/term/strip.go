package term

// A span is the range of a shape along an axis.
type span struct {
	from, to int  // events
	box      bool // otherwise a wire: a slanted line or curve, or a line through a row of text
}

// A strip says how much room to keep, in cells: in a gap, one cell per blank points, at most most; where wires run,
// one per wire points, at most wires; inside a box, at least inside.
type strip struct {
	blank  float64
	most   int
	wire   float64
	wires  int
	inside int
}

// spans returns the spans of the boxes and wires on axis n of a dimension.
func (p *plan) spans(d dimension, n int) []span {
	a := [2][]*axis{horizontal: p.xs, vertical: p.ys}[d][n]
	var out []span
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.kind == textShape || s.kind == dotShape || s.kind == lineShape && !p.isWire(s) {
			continue
		}
		if d == horizontal && s.gx != n || d == vertical && (s.gy != n || s.blend) {
			continue
		}
		from, to := s.extent(d)
		if from == to {
			continue
		}
		i, j := a.event(from), a.event(to)
		out = append(out, span{min(i, j), max(i, j), s.kind == boxShape})
	}
	return out
}

// isWire reports whether a straight line shares a row or a column with texts instead of having its own.
func (p *plan) isWire(s *shape) bool {
	if s.y0 == s.y1 {
		return !p.y(s).has(p.y(s).event(s.y0), isEdge)
	}
	return !p.x(s).has(p.x(s).event(s.x0), isEdge)
}

// strips keeps room between successive edges and ends of wires. Boxes keep an inside, and gaps between boxes stay
// wide enough to distinguish the wires in them.
func (a *axis) strips(spans []span, s strip) {
	n := len(a.at)
	next := a.nextEdge()
	inside := make([]bool, n) // by event: whether the stretch to the next edge is the inside of a box
	running := make([]int, n+1)
	for _, p := range spans {
		if !p.box {
			running[p.from]++
			running[p.to]--
		} else if next[p.from+1] == p.to {
			inside[p.from] = true
			cells := s.inside
			if a.at[p.to]-a.at[p.from] < 7 {
				cells = 1
			}
			a.keep(p.from, p.to, a.line(p.from)+2*cells)
		}
	}
	wires, last, within := 0, -1, false
	for j := range n {
		if !a.has(j, isEdge|isEnd) {
			wires += running[j]
			continue
		}
		if last >= 0 && !within {
			wide := a.at[j] - a.at[last]
			cells := min(int(wide/s.blank), s.most)
			if wires > 0 {
				cells = min(max(int(wide/s.wire), 1), s.wires)
			}
			a.keep(last, j, a.line(last)+2*cells)
		}
		wires += running[j]
		last = j
		if a.has(j, isEdge) {
			within = inside[j]
		}
	}
}
