package cute

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"girih/internal/ints"
)

// This file evaluates layouts and converts between coordinates and indices (include/cute/stride.hpp,
// include/cute/underscore.hpp). Integer coordinates decompose as C++ does, by division that truncates
// toward zero with the last mode not reduced, so a layout is an odd function on all integers:
// L(-i) = -L(i).

// At returns the offset of the i-th coordinate in colexicographic order, for any integer i.
// It returns [CodeCodomain] if the offsets are coordinates ([Layout.Eval] returns those), and
// [CodeOverflow], which cannot happen inside the domain.
func (l Layout) At(i int64) (int64, error) {
	if l.cod != nil {
		return 0, errorf(CodeCodomain, "crd2idx", "the offsets of %v are coordinates, not integers", l)
	}
	off, ok := indexOffset(l.v, i)
	if !ok {
		return 0, overflowError("crd2idx", "the offset of index %d in %v", i, l)
	}
	return off, nil
}

// indexOffset evaluates integer leaves, extents then strides, at index i. All extents but the last
// reduce the index, so only the last product can leave 64 bits.
func indexOffset(v []int64, i int64) (off int64, ok bool) {
	n := len(v) / 2
	if n == 0 {
		return 0, true
	}
	s, d := v[:n], v[n:]
	d = d[:len(s)]
	last := n - 1
	if i < 0 {
		for j := range last {
			off += i % s[j] * d[j]
			i /= s[j]
		}
	} else {
		x := uint64(i)
		for j := range last {
			e := uint64(s[j])
			if x < e {
				return off + int64(x)*d[j], true
			}
			if e&(e-1) == 0 {
				off += int64(x&(e-1)) * d[j]
				x >>= uint(bits.TrailingZeros64(e)) & 63
				continue
			}
			q := x / e
			off += int64(x-q*e) * d[j]
			x = q
		}
		i = int64(x)
	}
	p, ok1 := ints.Mul(i, d[last])
	off, ok2 := ints.Add(off, p)
	return off, ok1 && ok2
}

// Eval returns the offset of the coordinate c: an integer, or a tuple if the strides are coordinates.
// Any coordinate weakly congruent to the shape is accepted, in bounds or not: an integer stands for a whole
// mode and decomposes colexicographically, the last mode not reduced.
// It returns [CodeNotCongruent] for other coordinates, and [CodeOverflow].
func (l Layout) Eval(c Tuple) (Tuple, error) { return l.eval(c, nil) }

func (l Layout) eval(c Tuple, t *trace) (Tuple, error) {
	v, err := l.evalVector(c, t)
	if err != nil {
		return Tuple{}, err
	}
	return coordTuple(v, l.cod), nil
}

// evalVector returns the offset of c, one number per axis.
func (l Layout) evalVector(c Tuple, t *trace) ([]int64, error) {
	if c.cod != nil || !WeaklyCongruent(c, l.Shape()) {
		return nil, &Error{
			Code: CodeNotCongruent, Op: "crd2idx",
			Msg:  fmt.Sprintf("%v is not a coordinate of the shape %v", c, l.Shape()),
			Hint: "a coordinate has the parentheses of the shape, or an integer in place of a whole mode",
		}
	}
	s := sum{make([]int64, l.cod.axes()), t.over(l.cod)}
	if !l.accumulate(s, c.v, c.profile(), part{l.profile(), 0, l.leaves()}) {
		return nil, overflowError("crd2idx", "the offset of %v in %v", c, l)
	}
	if t != nil {
		t.place(l.prof)
	}
	return s.v, nil
}

// A sum is an offset in the making, one number per axis, and where its terms are taken down.
type sum struct {
	v     []int64
	trace *trace
}

// accumulate adds the offset of the coordinate c, of profile p, within a mode of l. It reports whether everything fits.
func (l Layout) accumulate(s sum, c []int64, p string, q part) bool {
	if p == "." {
		return l.accumulateIndex(s, c[0], q)
	}
	m, n := modesOf(p), modesOf(q.prof)
	ok := true
	for m.next() && n.next() {
		ok = l.accumulate(s, c[m.lo:m.hi], m.prof, part{n.prof, q.lo + n.lo, q.lo + n.hi}) && ok
	}
	return ok
}

// accumulateIndex adds the offset of the integer i within a mode, its last leaf unbounded.
func (l Layout) accumulateIndex(s sum, i int64, q part) bool {
	if l.cod == nil && s.trace == nil {
		off, ok := spanOffset(l.v[q.lo:q.hi], l.v[l.leaves()+q.lo:], i)
		at, fits := ints.Add(s.v[0], off)
		s.v[0] = at
		return ok && fits
	}
	ok := true
	e, whole := l.extents(), i
	var each []Digit
	for j := q.lo; j < q.hi && (i != 0 || s.trace != nil); j++ {
		left, x := i, i
		if j < q.hi-1 {
			x = i % e[j]
			i /= e[j]
		}
		if s.trace != nil {
			each = append(each, s.trace.digit(Digit{Left: left, Value: x}, e[j], l.stride(j)))
		}
		for a, d := range l.stride(j) {
			p, o1 := ints.Mul(x, d)
			r, o2 := ints.Add(s.v[a], p)
			s.v[a] = r
			ok = ok && o1 && o2
		}
	}
	if s.trace != nil {
		s.trace.add(Digits{whole, Tuple{v: slices.Clone(e[q.lo:q.hi]), prof: q.prof}, each})
	}
	return ok
}

// addIndex adds the offset of the integer i. It reports whether everything fits.
func (l Layout) addIndex(v []int64, i int64) bool {
	return l.accumulateIndex(sum{v: v}, i, part{l.profile(), 0, l.leaves()})
}

// spanOffset returns the offset of the integer i within leaves of integer strides, the last one unbounded.
func spanOffset(extents, strides []int64, i int64) (off int64, ok bool) {
	ok = true
	strides = strides[:len(extents)]
	for j, n := range extents {
		x := i
		if j < len(extents)-1 {
			if x = i % n; x == i {
				i = 0
			} else {
				i /= n
			}
		}
		p, o1 := ints.Mul(x, strides[j])
		sum, o2 := ints.Add(off, p)
		off, ok = sum, ok && o1 && o2
		if i == 0 {
			break
		}
	}
	return off, ok
}

// Crd2Idx returns the colexicographic index of the coordinate c of the shape: (1,2) of (4,8) has index 9.
// Coordinates out of bounds, and integers in place of modes, are accepted as by [Layout.Eval].
// It returns [CodeNotCongruent], [CodeExtent], [CodeCodomain] for a shape with coordinates, and [CodeOverflow].
func Crd2Idx(c, shape Tuple) (int64, error) { return crd2idx(c, shape, nil) }

func crd2idx(c, shape Tuple, t *trace) (int64, error) {
	if err := checkShape("crd2idx", shape); err != nil {
		return 0, err
	}
	if c.cod != nil || !WeaklyCongruent(c, shape) {
		return 0, errorf(CodeNotCongruent, "crd2idx", "%v is not a coordinate of the shape %v", c, shape)
	}
	if t != nil && !strings.Contains(shape.profile(), "()") { // where an integer stands for a mode that has no digits
		return t.index(c, shape)
	}
	idx, _, ok := hornerIndex(c.v, c.profile(), shape.v, shape.profile())
	if !ok {
		return 0, overflowError("crd2idx", "the index of %v in %v", c, shape)
	}
	return idx, nil
}

// hornerIndex returns the index of c within the shape, and the size of the shape.
func hornerIndex(c []int64, p string, s []int64, q string) (idx, size int64, ok bool) {
	size, ok = 1, true
	if p == "." {
		for _, x := range s {
			var o bool
			size, o = ints.Mul(size, x)
			ok = ok && o
		}
		return c[0], size, ok
	}
	m, n := modesOf(p), modesOf(q)
	for m.next() && n.next() {
		i, sz, o1 := hornerIndex(c[m.lo:m.hi], m.prof, s[n.lo:n.hi], n.prof)
		t, o2 := ints.Mul(i, size)
		var o3, o4 bool
		idx, o3 = ints.Add(idx, t)
		size, o4 = ints.Mul(size, sz)
		ok = ok && o1 && o2 && o3 && o4
	}
	return idx, size, ok
}

// Idx2Crd returns the coordinate of the shape that has the given colexicographic index, congruent to the
// shape, the last mode not reduced: 100 in (3,(4,5)) is (1,(1,8)). A tuple of indices is taken mode by mode.
// It returns [CodeNotCongruent], [CodeExtent], and [CodeCodomain] for a shape with coordinates.
func Idx2Crd(i, shape Tuple) (Tuple, error) { return idx2crd(i, shape, nil) }

func idx2crd(i, shape Tuple, t *trace) (Tuple, error) {
	if err := checkShape("idx2crd", shape); err != nil {
		return Tuple{}, err
	}
	if i.cod != nil || !WeaklyCongruent(i, shape) {
		return Tuple{}, errorf(CodeNotCongruent, "idx2crd", "%v is not an index into the shape %v", i, shape)
	}
	v := splitIndex(make([]int64, 0, len(shape.v)), i, shape, t)
	return Tuple{v: v, prof: shape.prof}, nil
}

// splitIndex appends the digits of the indices i in the shape s.
func splitIndex(dst []int64, i, s Tuple, t *trace) []int64 {
	if !i.IsInt() {
		m, n := modesOf(i.profile()), modesOf(s.profile())
		for m.next() && n.next() {
			part := Tuple{v: s.v[n.lo:n.hi], prof: n.prof}
			dst = splitIndex(dst, Tuple{v: i.v[m.lo:m.hi], prof: m.prof}, part, t)
		}
		return dst
	}
	left := i.v[0]
	var each []Digit
	for j, e := range s.v {
		x := left
		if j < len(s.v)-1 {
			x = left % e
		}
		if t != nil {
			each = append(each, Digit{Mode: Leaf{Extent: e}, Left: left, Value: x})
		}
		dst = append(dst, x)
		left /= e
	}
	if t != nil {
		t.add(Digits{i.v[0], s, each})
	}
	return dst
}

// Crd2Crd returns the coordinate of dst that has the index which c has in src: CuTe's crd2crd.
// It returns the errors of [Crd2Idx] and [Idx2Crd].
func Crd2Crd(c, src, dst Tuple) (Tuple, error) { return crd2crd(c, src, dst, nil) }

func crd2crd(c, src, dst Tuple, t *trace) (Tuple, error) {
	i, err := crd2idx(c, src, t)
	if err != nil {
		return Tuple{}, err
	}
	return idx2crd(Int(i), dst, t)
}

// Increment returns the coordinate that follows c in colexicographic order within the shape. After the
// last coordinate the last mode goes on beyond its extent, as CuTe's increment does.
// It returns [CodeNotCongruent] unless c is congruent to the shape, and [CodeOverflow].
func Increment(c, shape Tuple) (Tuple, error) {
	if err := checkShape("increment", shape); err != nil {
		return Tuple{}, err
	}
	if c.cod != nil || c.profile() != shape.profile() {
		return Tuple{}, errorf(CodeNotCongruent, "increment",
			"expected a coordinate with the nesting of the shape %v, found %v", shape, c)
	}
	v := append([]int64(nil), c.v...)
	for j := range v {
		next, ok := ints.Add(v[j], 1)
		if !ok {
			return Tuple{}, overflowError("increment", "the successor of %v", c)
		}
		v[j] = next
		if j == len(v)-1 || next != shape.v[j] {
			break
		}
		v[j] = 0
	}
	return Tuple{v: v, prof: c.prof}, nil
}

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
