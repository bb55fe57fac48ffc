package girih

import (
	"cmp"
	"slices"
)

// coordNodes is the number of steps that the search of CoordAt may take.
const coordNodes = 1 << 16

// CoordAt returns a coordinate of l, congruent to its shape and in bounds, that has the given offset: CuTe's
// get_hier_coord, for every layout. If several coordinates have it, one of them is returned.
// It returns [CodeNotInvertible] if no coordinate has the offset, [CodeCodomain] for coordinate strides, and
// [CodeLimit] if a layout with many overlapping modes would take too long to search.
func (l Layout) CoordAt(offset int64) (Tuple, error) {
	const op = "idx2crd"
	if l.cod != nil {
		return Tuple{}, errorf(CodeCodomain, op, "the offsets of %v are coordinates", l)
	}
	s := newCoordSearch(l, offset)
	found := s.from(0, s.target)
	switch {
	case found:
		return Tuple{v: s.c, prof: l.prof}, nil
	case s.nodes > coordNodes:
		return Tuple{}, errorf(CodeLimit, op, "no coordinate of %v with offset %d found in %d steps", l, offset, coordNodes)
	}
	return Tuple{}, errorf(CodeNotInvertible, op, "no coordinate of %v has the offset %d", l, offset)
}

// coordSearch looks for Σ c·|stride| = target, the largest strides first. A leaf of negative stride counts from its
// other end, so that all terms are positive.
type coordSearch struct {
	l      Layout
	order  []int   // leaves that move, largest stride first
	reach  []int64 // what the leaves from a place in order on can reach
	target int64
	c      []int64
	nodes  int
}

func newCoordSearch(l Layout, offset int64) *coordSearch {
	n := l.leaves()
	s := &coordSearch{l: l, c: make([]int64, n), target: offset}
	for i := range n {
		if e, d := l.v[i], l.v[n+i]; e > 1 && d != 0 {
			s.order = append(s.order, i)
			if d < 0 {
				s.c[i] = e - 1
			}
		}
	}
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.step(b), s.step(a)) })
	s.reach = make([]int64, len(s.order)+1)
	for j := len(s.order) - 1; j >= 0; j-- {
		i := s.order[j]
		s.reach[j] = s.reach[j+1] + (l.v[i]-1)*s.step(i) // bounded by the invariant of Layout
	}
	// The least offset may be far below; a difference that wraps is out of reach in any case.
	for _, i := range s.order {
		if d := l.v[n+i]; d < 0 {
			s.target -= (l.v[i] - 1) * d
		}
	}
	return s
}

// step returns the magnitude of the stride of leaf i.
func (s *coordSearch) step(i int) int64 {
	d := s.l.v[s.l.leaves()+i]
	return max(d, -d)
}

// from chooses the coordinates of the leaves from place j of the order on.
func (s *coordSearch) from(j int, rest int64) bool {
	if s.nodes++; s.nodes > coordNodes || rest < 0 || rest > s.reach[j] {
		return false
	}
	if j == len(s.order) {
		return rest == 0
	}
	i := s.order[j]
	d, last := s.step(i), s.l.v[i]-1
	for x := min(last, rest/d); x >= 0 && rest-x*d <= s.reach[j+1]; x-- {
		if s.from(j+1, rest-x*d) {
			if s.c[i] = x; s.l.v[s.l.leaves()+i] < 0 {
				s.c[i] = last - x
			}
			return true
		}
	}
	return false
}
