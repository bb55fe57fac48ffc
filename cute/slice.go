package cute

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"girih/internal/ints"
)

// A Coord is a coordinate in which some modes may be left open by the underscore: (2,(_,3)). Slicing keeps
// the open modes and fixes the others. A Coord without underscores is an ordinary coordinate.
//
// prof is a profile in which an open leaf is written '_'; v holds the integers of the '.' leaves.
type Coord struct {
	v    []int64
	prof string
}

// Open is the coordinate _ that leaves everything open.
var Open = Coord{prof: "_"}

// Fixed returns the tuple t as a Coord without open modes. It returns [CodeCodomain] if a leaf of t is a coordinate
// such as 1@0, and not an integer.
func Fixed(t Tuple) (Coord, error) {
	if t.cod != nil {
		return Coord{}, errorf(CodeCodomain, "make_coord", "a coordinate holds integers and _, found %v", t)
	}
	return Coord{v: t.v, prof: t.profile()}, nil
}

// At returns the coordinate of the given integers: At(3) is 3, At(1, 2) is (1,2). Together with [Open] and [MakeCoord],
// At can build every coordinate: MakeCoord(Open, At(2), At(1, 0)) is (_,2,(1,0)).
func At(xs ...int64) Coord {
	if len(xs) == 1 {
		return Coord{v: oneInteger(xs[0]), prof: fixedLeaf}
	}
	return Coord{v: slices.Clone(xs), prof: flatProfile(len(xs))}
}

// smallIntegers holds the numbers shared by coordinates that are one small integer.
var smallIntegers = func() (xs [256]int64) {
	for i := range xs {
		xs[i] = int64(i)
	}
	return xs
}()

// oneInteger returns the slice {x}, which must not be changed.
func oneInteger(x int64) []int64 {
	if x >= 0 && x < int64(len(smallIntegers)) {
		return smallIntegers[x : x+1 : x+1]
	}
	return []int64{x}
}

// MakeCoord returns the tuple of the given coordinates.
func MakeCoord(elems ...Coord) Coord {
	var v []int64
	n, with := 0, 0
	for i := range elems {
		if k := len(elems[i].v); k > 0 {
			v = elems[i].v // shared with the only element that has integers: coordinates are immutable
			n += k
			with++
		}
	}
	if with > 1 {
		v = make([]int64, 0, n)
		for i := range elems {
			v = append(v, elems[i].v...)
		}
	}
	return Coord{v: v, prof: coordProfile(elems)}
}

// mostOpen limits the number of modes of the profiles in openProfiles.
const mostOpen = 6

// openProfiles holds the profiles of flat coordinates of up to mostOpen modes. The profile of n modes has the index
// 1<<n, plus 1<<i for each open mode i.
var openProfiles = func() (ps [2 << mostOpen]string) {
	for at := 1; at < len(ps); at++ {
		b := []byte{'('}
		for i := range bits.Len(uint(at)) - 1 {
			b = append(b, fixedLeaf+openLeaf...)
			b = append(b[:len(b)-2], b[len(b)-2+at>>i&1])
		}
		ps[at] = string(append(b, ')'))
	}
	return ps
}()

// coordProfile returns the profile of a tuple of coordinates, shared if openProfiles contains it.
func coordProfile(elems []Coord) string {
	at, flat := 0, len(elems) <= mostOpen
	for i := 0; i < len(elems) && flat; i++ {
		switch elems[i].prof {
		case openLeaf:
			at |= 1 << i
		case fixedLeaf:
		default:
			flat = false
		}
	}
	if flat {
		return openProfiles[1<<len(elems)|at]
	}
	var buf [64]byte
	b := append(buf[:0], '(')
	for i := range elems {
		b = append(b, elems[i].profile()...)
	}
	return internProfile(append(b, ')'))
}

func (c Coord) profile() string {
	if c.prof == "" {
		return "()"
	}
	return c.prof
}

// NodeCount returns the number of leaves, open ones included, and of tuples in c, including c.
func (c Coord) NodeCount() int { return (len(c.profile()) + len(c.v) + strings.Count(c.prof, "_")) / 2 }

// Depth returns the depth of the nesting: 0 for an integer and for _, 1 for (2,_).
func (c Coord) Depth() int { return profileDepth(c.profile()) }

// HasOpen reports whether some mode is left open.
func (c Coord) HasOpen() bool { return strings.IndexByte(c.prof, '_') >= 0 }

// Tuple returns c as a tuple, and false if a mode is open.
func (c Coord) Tuple() (Tuple, bool) {
	if c.HasOpen() {
		return Tuple{}, false
	}
	return Tuple{v: c.v, prof: c.profile()}, true
}

// Inside reports whether c has the nesting of the shape and each of its integers is at least 0 and below the size of
// its mode: CuTe's elem_less. As in a slice, one integer or _ may cover a whole mode. It does not allocate.
func (c Coord) Inside(shape Tuple) bool {
	return shape.cod == nil && insideShape(c.v, c.profile(), shape.v, shape.profile())
}

// isInside reports whether x is an index of a mode with these extents.
func isInside(x int64, extents []int64) bool {
	if len(extents) == 1 {
		return x >= 0 && x < extents[0]
	}
	return x >= 0 && x < extentsSize(extents)
}

func insideShape(v []int64, p string, shape []int64, q string) bool {
	switch p {
	case openLeaf:
		return true
	case fixedLeaf:
		return isInside(v[0], shape)
	}
	if q == fixedLeaf {
		return false
	}
	leaf, at := 0, 1
	for i := 1; i < len(p)-1; {
		if at >= len(q)-1 {
			return false
		}
		end, width := at+1, 1
		if q[at] == '(' {
			end = profileEnd(q, at)
			width = profileLeaves(q[at:end])
		}
		next, used := i+1, 0
		switch p[i] {
		case '(':
			next = profileEnd(p, i)
			used = profileLeaves(p[i:next])
			if !insideShape(v[:used], p[i:next], shape[leaf:leaf+width], q[at:end]) {
				return false
			}
		case fixedLeaf[0]:
			used = 1
			if !isInside(v[0], shape[leaf:leaf+width]) {
				return false
			}
		}
		v, i, leaf, at = v[used:], next, leaf+width, end
	}
	return at == len(q)-1
}

// extentsSize returns the product of extents, or the greatest int64 if the product is greater.
func extentsSize(shape []int64) int64 {
	size := int64(1)
	for _, s := range shape {
		hi, lo := bits.Mul64(uint64(size), uint64(s))
		if size = int64(lo); hi != 0 || size < 0 {
			return math.MaxInt64
		}
	}
	return size
}

// Rank returns the number of top-level modes; an integer and _ have rank 1.
func (c Coord) Rank() int { return len(c.Modes()) }

// Modes returns the top-level modes from left to right; the only mode of an integer or _ is the whole coordinate.
func (c Coord) Modes() []Coord {
	p := c.profile()
	if p == "." || p == "_" {
		return []Coord{c}
	}
	var ms []Coord
	at := 0
	for i := 1; i < len(p)-1; {
		end := i + 1
		if p[i] == '(' {
			end = profileEnd(p, i)
		}
		n := profileLeaves(p[i:end])
		ms = append(ms, Coord{v: c.v[at : at+n], prof: p[i:end]})
		at += n
		i = end
	}
	return ms
}

// Tiler returns the coordinate as a tiler: (_,32) becomes the tile <_,32>, which leaves mode 0 alone. Without _ it
// becomes a shape.
func (c Coord) Tiler() Tiler {
	if t, closed := c.Tuple(); closed {
		return t
	}
	if c.prof == "_" {
		return Keep
	}
	var ts []Tiler
	for _, m := range c.Modes() {
		ts = append(ts, m.Tiler())
	}
	return MakeTile(ts...)
}

// String returns the canonical text, such as "(2,(_,3))".
func (c Coord) String() string {
	var b []byte
	leaf := 0
	p := c.profile()
	for i := range len(p) {
		if p[i] == '.' {
			b = strconv.AppendInt(b, c.v[leaf], 10)
			leaf++
		} else {
			b = append(b, p[i])
		}
		if i+1 < len(p) && p[i] != '(' && p[i+1] != ')' {
			b = append(b, ',')
		}
	}
	return string(b)
}

// A selection is what a slice or a dice keeps: leaves and their nesting in the result.
type selection struct {
	leaves []int  // indices of kept leaves
	prof   []byte // their nesting
}

// A selectionRoom is memory for a small selection on the caller's stack.
type selectionRoom struct {
	leaves [16]int
	prof   [64]byte
}

// keep records the leaves of the mode q at which the coordinate of profile p has the given kind of leaf: _ for a slice,
// an integer for a dice. As in CuTe, such a leaf keeps its whole mode, and a leaf of the other kind drops its mode. A
// tuple keeps the modes that its elements keep, side by side, so one pair of parentheses disappears below the top
// level. keep reports whether the coordinate has the parentheses of q.
func (k selection) keep(p string, q part, leaf byte) (kept selection, ok bool) {
	if len(p) == 1 {
		if p[0] == leaf {
			k.prof = append(k.prof, q.prof...)
			for j := q.lo; j < q.hi; j++ {
				k.leaves = append(k.leaves, j)
			}
		}
		return k, true
	}
	if q.prof == "." {
		return k, false
	}
	c, m := modesOf(p), modesOf(q.prof)
	for c.next() {
		if !m.next() {
			return k, false
		}
		if k, ok = k.keep(c.prof, part{m.prof, q.lo + m.lo, q.lo + m.hi}, leaf); !ok {
			return k, false
		}
	}
	return k, !m.next()
}

// cutTo cuts c with q as keep does, at the top level of the layout, and closes the parentheses of the result.
func (k selection) cutTo(c Coord, q, leaf string) (selection, error) {
	p, ok := c.profile(), true
	all := part{q, 0, profileLeaves(q)}
	switch {
	case len(p) > 1:
		k.prof = append(k.prof, '(')
		k, ok = k.keep(p, all, leaf[0])
		k.prof = append(k.prof, ')')
	case p != leaf:
		k.prof = append(k.prof, "()"...)
	default:
		k, _ = k.keep(p, all, leaf[0])
	}
	if !ok {
		// A copy, so that c can stay on the caller's stack.
		return k, sliceMismatch(Coord{slices.Clone(c.v), strings.Clone(c.prof)}, q)
	}
	return k, nil
}

// sliceMismatch returns the error for a coordinate whose parentheses differ from the profile q, and the place where
// they differ.
func sliceMismatch(c Coord, q string) error {
	ms := c.Modes()
	if len(c.profile()) > 1 && q != "." && profileRank(q) == len(ms) {
		for i, m := 0, modesOf(q); m.next(); i++ {
			if err := sliceMismatch(ms[i], m.prof); err != nil {
				return err
			}
		}
		return nil
	}
	if len(c.profile()) == 1 {
		return nil
	}
	return &Error{
		Code: CodeNotCongruent, Op: "slice",
		Msg:  fmt.Sprintf("the coordinate %v has %d modes where the shape has %d", c, len(ms), profileRank(q)),
		Hint: "a slice coordinate has the parentheses of the shape, or an integer or _ in place of a whole mode",
	}
}

// cut returns the layout of the leaves that a selection keeps.
func (l Layout) cut(k selection) (Layout, error) {
	v := make([]int64, 0, len(k.leaves)*(1+l.cod.axes()))
	for _, j := range k.leaves {
		v = append(v, l.extents()[j])
	}
	for _, j := range k.leaves {
		v = append(v, l.stride(j)...)
	}
	return finish("slice", v, internProfile(k.prof), l.cod)
}

func (l Layout) cutTo(c Coord, leaf string) (Layout, error) {
	var room selectionRoom
	k, err := selection{room.leaves[:0], room.prof[:0]}.cutTo(c, l.profile(), leaf)
	if err != nil {
		return Layout{}, err
	}
	return l.cut(k)
}

func (t Tuple) cutTo(c Coord, leaf string) (Tuple, error) {
	var room selectionRoom
	k, err := selection{room.leaves[:0], room.prof[:0]}.cutTo(c, t.profile(), leaf)
	if err != nil {
		return Tuple{}, err
	}
	var v []int64
	for _, j := range k.leaves {
		v = append(v, t.at(j)...)
	}
	v, cod := trimAxes(v, t.cod)
	return Tuple{v: v, prof: internProfile(k.prof), cod: cod}, nil
}

// Slice returns the layout of the modes that c leaves open, without the offset of the fixed modes: CuTe's slice.
// Slicing (2,(3,4)):(12,(1,3)) at (1,(_,2)) gives (3):(1). It returns [CodeNotCongruent] if c does not fit the shape.
func (l Layout) Slice(c Coord) (Layout, error) { return l.cutTo(c, openLeaf) }

// Dice returns the layout of the modes that c fixes: the counterpart of [Layout.Slice]. It returns the errors of
// Layout.Slice.
func (l Layout) Dice(c Coord) (Layout, error) { return l.cutTo(c, fixedLeaf) }

// Slice returns the modes of t that c leaves open, as [Layout.Slice] does. It returns [CodeNotCongruent] if c does
// not fit t.
func (t Tuple) Slice(c Coord) (Tuple, error) { return t.cutTo(c, openLeaf) }

// Dice returns the modes of t that c fixes. It returns the errors of [Tuple.Slice].
func (t Tuple) Dice(c Coord) (Tuple, error) { return t.cutTo(c, fixedLeaf) }

// SliceAndOffset returns the layout of the modes that c leaves open, and the offset of the fixed modes, in elements: at
// every open coordinate, offset + slice is the value of l. It returns [CodeNotCongruent] and [CodeOverflow].
func (l Layout) SliceAndOffset(c Coord) (Layout, Tuple, error) {
	if s, off, ok := l.sliceQuick(c); ok {
		return s, off, nil
	}
	return l.sliceAndOffset(c, nil)
}

func (l Layout) sliceAndOffset(c Coord, t *trace) (Layout, Tuple, error) {
	var room selectionRoom
	k, err := selection{room.leaves[:0], room.prof[:0]}.cutTo(c, l.profile(), openLeaf)
	if err != nil {
		return Layout{}, Tuple{}, err
	}
	s, err := l.cut(k)
	if err != nil {
		return Layout{}, Tuple{}, err
	}
	off := sum{make([]int64, l.cod.axes()), t}
	if !l.addFixed(off, c.v, c.profile(), part{l.profile(), 0, l.leaves()}) {
		return Layout{}, Tuple{}, overflowError("crd2idx", "the offset of %s in %v", c.String(), l)
	}
	return s, coordTuple(off.v, l.cod), nil
}

// sliceQuick is SliceAndOffset for integer strides and a tuple as coordinate, which is nearly every case. It makes one
// pass, with one allocation for the layout and the offset. In other cases ok is false.
func (l Layout) sliceQuick(c Coord) (s Layout, off Tuple, ok bool) {
	n := l.leaves()
	if l.cod != nil || len(c.prof) < 2 || len(l.prof) < 2 {
		return s, off, false
	}
	v := make([]int64, 2*n+1) // extents, then strides, then the offset
	var buf [64]byte
	k, ok := cutting{from: l.v, v: v, c: c.v, prof: append(buf[:0], '(')}.modes(c.prof, l.prof, 0)
	if !ok {
		return s, off, false
	}
	copy(v[k.kept:], v[n:n+k.kept])
	s = Layout{v: v[: 2*k.kept : 2*k.kept], prof: internProfile(append(k.prof, ')'))} // part of a valid layout
	return s, Tuple{v: v[2*n:], prof: fixedLeaf}, true
}

// A cutting is the state of sliceQuick.
type cutting struct {
	from []int64 // the extents and the strides of the layout
	v    []int64 // the kept extents and strides, and the offset
	c    []int64 // the coordinate's integers that are not used yet
	prof []byte
	kept int
}

// modes keeps the modes that a tuple of profile p leaves open in a mode of profile q whose leaves begin at leaf. It
// reports whether p has the modes of q and the offset fits.
func (k cutting) modes(p, q string, leaf int) (cutting, bool) {
	n, at := len(k.from)/2, 1
	for i := 1; i < len(p)-1; i++ {
		if at >= len(q)-1 {
			return k, false
		}
		end, width := at+1, 1
		if q[at] == '(' {
			end = profileEnd(q, at)
			width = profileLeaves(q[at:end])
		}
		switch {
		case p[i] == '(':
			next, ok := profileEnd(p, i), end > at+1
			if ok {
				k, ok = k.modes(p[i:next], q[at:end], leaf)
			}
			if !ok {
				return k, false
			}
			i = next - 1
		case p[i] != openLeaf[0]:
			x, ok1 := spanOffset(k.from[leaf:leaf+width], k.from[n+leaf:], k.c[0])
			sum, ok2 := ints.Add(k.v[2*n], x)
			if !ok1 || !ok2 {
				return k, false
			}
			k.v[2*n], k.c = sum, k.c[1:]
		case end == at+1:
			k.prof = append(k.prof, fixedLeaf[0])
			k.v[k.kept], k.v[n+k.kept] = k.from[leaf], k.from[n+leaf]
			k.kept++
		default:
			k.prof = append(k.prof, q[at:end]...)
			copy(k.v[k.kept:], k.from[leaf:leaf+width])
			copy(k.v[n+k.kept:], k.from[n+leaf:n+leaf+width])
			k.kept += width
		}
		leaf, at = leaf+width, end
	}
	return k, at == len(q)-1
}

// addFixed adds the offset of the modes that a coordinate fixes, with the integers v and the profile p. It reports
// whether everything fits.
func (l Layout) addFixed(s sum, v []int64, p string, q part) bool {
	switch {
	case s.trace != nil && (p == openLeaf || !strings.Contains(p, openLeaf)):
		return s.recordMode(l, v, p, q)
	case p == openLeaf:
		return true
	case p == fixedLeaf:
		return l.accumulateIndex(s, v[0], q)
	}
	m, n := modesOf(p), modesOf(q.prof)
	ok := true
	for m.next() && n.next() {
		ok = l.addFixed(s, v[m.lo:m.hi], m.prof, part{n.prof, q.lo + n.lo, q.lo + n.hi}) && ok
	}
	return ok
}

// DomainOffset returns l and the offset of the coordinate c: the function x ↦ l(c) + l(x) that starts at c, as CuTe's
// domain_offset. The function equals l(c + x) exactly where c + x does not carry between modes. It returns
// [CodeNotCongruent] and [CodeOverflow].
func (l Layout) DomainOffset(c Tuple) (Layout, Tuple, error) {
	off, err := l.Eval(c)
	return l, off, err
}
