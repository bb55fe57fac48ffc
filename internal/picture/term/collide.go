package term

import (
	"cmp"
	"sort"
)

// A piece is the part of a row that a text occupies.
type piece struct {
	row, from, to int
	s             *shape
}

// pieces returns the pieces of all texts, row by row, from left to right.
func (p *plan) pieces() []piece {
	var out []piece
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.kind != textShape || s.swatch {
			continue
		}
		for row := s.row; row < s.row+s.rows; row++ {
			out = append(out, piece{row, s.col, s.col + s.cols, s})
		}
	}
	compare := func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	}
	sort.SliceStable(out, func(i, j int) bool { return compare(out[i], out[j]) < 0 })
	return out
}

// collide finds texts that overlap although their heights in the scene differ. It reports whether it found new pairs
// that can be given different rows.
func (p *plan) collide() bool {
	found := false
	known := map[pair]bool{}
	for _, q := range p.apart {
		known[q] = true
	}
	var last piece
	for _, q := range p.pieces() {
		if last.s != nil && last.row == q.row && q.from <= last.to && p.separable(last.s, q.s) {
			a := p.y(q.s)
			i, j := a.event(last.s.y), a.event(q.s.y)
			c := pair{q.s.gy, a.at[min(i, j)], a.at[max(i, j)]}
			if !known[c] {
				known[c] = true
				p.apart = append(p.apart, c)
				found = true
			}
		}
		if last.s == nil || last.row != q.row || q.to > last.to {
			last = q
		}
	}
	return found
}

// separable reports whether two texts can be given different rows: they have the same axis but different events, and
// neither is vertical.
func (p *plan) separable(s, t *shape) bool {
	return s.gy == t.gy && !s.style.Up && !t.style.Up && p.y(s).event(s.y) != p.y(t).event(t.y)
}

// yield moves loose texts that still overlap others to the right, so that all are readable.
func (p *plan) yield() {
	row, end := -1, 0
	for _, q := range p.pieces() {
		if q.row != row {
			row, end = q.row, q.from
		}
		if q.s.rows == 1 && q.from < end && q.s.loose {
			q.s.col += end + 1 - q.from
			q.to += end + 1 - q.from
			p.w = max(p.w, q.to)
		}
		end = max(end, q.to)
	}
}
