package cute

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// A Layout is a function from coordinates to offsets: a shape, a tuple of positive extents, and a stride with the same
// nesting. The coordinate (c0,c1,...) has the offset c0·d0 + c1·d1 + ..., in elements; an integer coordinate i stands
// for the i-th coordinate in colexicographic order (mode 0 fastest). The last mode is not reduced, so the function
// extends to all integers. Strides may be zero, negative, or coordinates (see [Basis]). The zero Layout is ():(), which
// has one coordinate, (), with offset 0.
//
// Layouts are immutable values: every operation returns a new one. The size of a layout and the sum of
// (extent−1)·|stride| fit in 64 bits, so no offset inside the domain overflows.
//
// v holds the n extents, then the n strides with one number per axis of cod each. prof is the nesting, one '.' per
// leaf: two layouts are congruent exactly if their prof strings are equal. cod is nil for integer strides.
type Layout struct {
	v    []int64
	prof string
	cod  *codomain
}

// New returns the layout shape:stride.
// It returns [CodeNotCongruent] if their nesting differs, [CodeExtent] if an extent is below 1,
// [CodeCodomain] if the shape has coordinates, and [CodeOverflow] if the size or an offset leaves 64 bits.
func New(shape, stride Tuple) (Layout, error) {
	if shape.profile() != stride.profile() {
		return Layout{}, &Error{
			Code: CodeNotCongruent, Op: "make_layout",
			Msg:  fmt.Sprintf("shape and stride must have the same nesting, found %v:%v", shape, stride),
			Hint: "a stride has one number for each extent, in the same parentheses",
		}
	}
	if err := checkShape("make_layout", shape); err != nil {
		return Layout{}, err
	}
	v := make([]int64, 0, len(shape.v)+len(stride.v))
	v = append(append(v, shape.v...), stride.v...)
	return finish("make_layout", v, shape.profile(), stride.cod)
}

// hintExtent explains why no layout is empty: CuTe's shapes are positive, and its operations divide by extents.
const hintExtent = "a layout has at least one element, as CuTe's shapes are positive: handle what is empty before there is a layout of it"

// checkShape reports whether t may be a shape.
func checkShape(op string, t Tuple) error {
	if t.cod != nil {
		return errorf(CodeCodomain, op, "a shape holds integers, found %v", t)
	}
	for i, s := range t.v {
		if s < 1 {
			return &Error{
				Code: CodeExtent, Op: op, Msg: fmt.Sprintf("extents are at least 1, found %d at leaf %d of %v",
					s, i, t), Hint: hintExtent,
			}
		}
	}
	return nil
}

// finish makes a layout of checked extents and strides; it owns v. It drops unused axes and refuses overflows, so the
// layouts it returns satisfy the invariants of Layout.
func finish(op string, v []int64, prof string, cod *codomain) (Layout, error) {
	l := Layout{v: v, prof: prof, cod: cod}
	if cod != nil {
		n := l.leaves()
		d, c := trimAxes(v[n:], cod)
		if c != cod {
			l = Layout{v: slices.Concat(v[:n], d), prof: prof, cod: c}
		}
	}
	if !l.fits() {
		return Layout{}, overflowError(op, "the size or an offset of %v", l)
	}
	return l, nil
}

// fitsQuickly reports true if counting bits proves that l fits, which nearly always succeeds: Σ (extent−1)·|stride| is
// below size·max|stride|.
func (l Layout) fitsQuickly() bool {
	n := l.leaves()
	total, largest := 0, uint64(0)
	for _, s := range l.v[:n] {
		total += bits.Len64(uint64(s))
	}
	for _, d := range l.v[n:] {
		largest |= uint64(max(d, -d))
	}
	return total+bits.Len64(largest) <= 63
}

// fits reports whether the size, and the sum of (extent−1)·|stride| along each axis, fit in 64 bits.
func (l Layout) fits() bool {
	if l.fitsQuickly() {
		return true
	}
	n, k := l.leaves(), l.cod.axes()
	size, ok := int64(1), true
	for _, s := range l.v[:n] {
		var o bool
		size, o = ints.Mul(size, s)
		ok = ok && o
	}
	for a := range k {
		reach := int64(0)
		for i, s := range l.v[:n] {
			d, o1 := ints.Abs(l.v[n+i*k+a])
			p, o2 := ints.Mul(s-1, d)
			r, o3 := ints.Add(reach, p)
			reach = r
			ok = ok && o1 && o2 && o3
		}
	}
	return ok
}

func (l Layout) leaves() int {
	if l.cod == nil {
		return len(l.v) >> 1
	}
	return len(l.v) / (1 + len(l.cod.paths))
}

func (l Layout) profile() string {
	if l.prof == "" {
		return "()"
	}
	return l.prof
}

func (l Layout) extents() []int64 { return l.v[:l.leaves()] }

func (l Layout) strides() []int64 { return l.v[l.leaves():] }

// stride returns the stride of leaf i as a vector over the axes.
func (l Layout) stride(i int) []int64 {
	k := l.cod.axes()
	d := l.strides()
	return d[i*k : (i+1)*k]
}

// Shape returns the shape.
//
//go:noinline
func (l Layout) Shape() Tuple { return Tuple{v: l.extents(), prof: l.prof} }

// Stride returns the stride, in elements, congruent to the shape.
//
//go:noinline
func (l Layout) Stride() Tuple { return Tuple{v: l.strides(), prof: l.prof, cod: l.cod} }

// Rank returns the number of top-level modes; a layout such as 8:1 has rank 1.
//
//go:noinline
func (l Layout) Rank() int { return profileRank(l.profile()) }

// Depth returns the depth of the nesting: 0 for 8:1, 1 for (4,2):(1,4).
func (l Layout) Depth() int { return profileDepth(l.profile()) }

// Size returns the number of coordinates in the domain: the product of the extents.
//
//go:noinline
func (l Layout) Size() int64 {
	size := int64(1)
	for _, s := range l.extents() {
		size *= s
	}
	return size
}

// Leaf returns the extent and the stride of leaf i, counted from 0 from left to right, without allocating. For a
// coordinate stride it returns 0. Like an index into a slice, it panics if there is no such leaf.
//
//go:noinline
func (l Layout) Leaf(i int) (extent, stride int64) {
	n := l.leaves()
	if extent = l.v[:n][i]; l.cod == nil {
		stride = l.v[n+i]
	}
	return extent, stride
}

// LeafCount returns the number of leaves of the shape, which is 0 for ():().
func (l Layout) LeafCount() int { return l.leaves() }

// AppendModeSizes appends the size of each top-level mode, CuTe's size<0>, size<1>, ...: 4 and 3 for ((2,2),3). A
// layout such as 8:1 has one mode.
func (l Layout) AppendModeSizes(dst []int64) []int64 {
	if l.prof == "." {
		return append(dst, l.v[0])
	}
	for m := modesOf(l.profile()); m.next(); {
		size := int64(1)
		for _, s := range l.v[m.lo:m.hi] {
			size *= s
		}
		dst = append(dst, size)
	}
	return dst
}

// HasBasis reports whether the strides are coordinates, so that offsets are tuples.
func (l Layout) HasBasis() bool { return l.cod != nil }

// Cosize returns the number of integers from the least to the greatest offset: 1 + Σ (extent−1)·|stride|, or, for
// coordinate strides, the product of these numbers over the axes. Like CuTe's cosize it takes the magnitude of negative
// strides (include/cute/layout.hpp, cosize). It returns [CodeOverflow] if that leaves 64 bits.
func (l Layout) Cosize() (int64, error) {
	c, err := l.Coshape()
	if err != nil {
		return 0, err
	}
	n, err := c.Product()
	if err != nil {
		return 0, overflowError("cosize", "the extents %v of the codomain", c)
	}
	return n, nil
}

// Coshape returns the shape of the smallest box that holds all offsets, per axis 1 + Σ (extent−1)·|stride|: an integer
// for integer strides, a tuple for coordinate strides. It returns [CodeOverflow].
func (l Layout) Coshape() (Tuple, error) {
	k := l.cod.axes()
	reach := make([]int64, k)
	for i, s := range l.extents() {
		for a, d := range l.stride(i) {
			reach[a] += (s - 1) * max(d, -d)
		}
	}
	for a := range reach {
		var ok bool
		if reach[a], ok = ints.Add(reach[a], 1); !ok {
			return Tuple{}, overflowError("cosize", "the offsets of %v", l)
		}
	}
	t := coordTuple(reach, l.cod)
	for i := range t.v {
		t.v[i] = max(t.v[i], 1)
	}
	return t, nil
}

// Mode returns the layout of the mode at the given path: l.Mode(1, 0) is mode 0 of mode 1, l.Mode() is l. It returns
// [CodeMode] if there is no such mode.
func (l Layout) Mode(path ...int) (Layout, error) {
	prof, lo, hi, err := descend(l.profile(), path)
	if err != nil {
		return Layout{}, err
	}
	return l.part(prof, lo, hi), nil
}

// part returns the layout of the leaves [lo, hi) with the given nesting.
func (l Layout) part(prof string, lo, hi int) Layout {
	k := l.cod.axes()
	d, cod := trimAxes(l.strides()[lo*k:hi*k], l.cod)
	v := make([]int64, 0, hi-lo+len(d))
	return Layout{v: append(append(v, l.extents()[lo:hi]...), d...), prof: prof, cod: cod}
}

// Modes returns the layouts of the top-level modes; the only mode of a layout such as 8:1 is the layout.
func (l Layout) Modes() []Layout {
	if l.prof == "." {
		return []Layout{l}
	}
	var ms []Layout
	for m := modesOf(l.profile()); m.next(); {
		ms = append(ms, l.part(m.prof, m.lo, m.hi))
	}
	return ms
}

// Equal reports whether l and b are the same layout: the same nesting, extents and strides.
// [Equivalent] asks whether they are the same function.
func (l Layout) Equal(b Layout) bool {
	return l.profile() == b.profile() && equalCodomains(l.cod, b.cod) && slices.Equal(l.v, b.v)
}

// String returns the canonical text "shape:stride", as CuTe prints it without the underscores of
// static integers; [Parse] reads it back.
//
//go:noinline
func (l Layout) String() string { return string(l.Append(make([]byte, 0, 8*len(l.v)+2*len(l.prof)))) }

// Append appends the canonical text of l to b.
func (l Layout) Append(b []byte) []byte {
	b = l.Shape().Append(b)
	b = append(b, ':')
	return l.Stride().Append(b)
}

// unitLayout is the identity of integers.
var unitLayout = Layout{v: []int64{1, 1}, prof: "."}

// unitMode is the mode 1:0 that pads layouts.
var unitMode = Layout{v: []int64{1, 0}, prof: "."}

// A Tiler says how an operation tiles the modes of a layout. There are four kinds (include/cute/layout.hpp,
// logical_divide and composition with a tiler):
//
//   - a [Layout] tiles the whole domain;
//   - a [Tuple], that is a shape, tiles by mode: the integer n means n:1, a tuple means a tile of its elements;
//   - a [Tile] tiles by mode, each element one mode; it may be shorter than the layout;
//   - [Keep], written _, leaves a mode alone, whatever its rank. Where a divide or a product gathers tiles and rests,
//     such a mode is a rest, and its tile is 1:0. (CuTe reads a mode of rank 2 there as a pair, and compiles for no
//     other rank.)
type Tiler interface {
	String() string
	tiler() // the set of kinds is closed
}

func (Layout) tiler() {}

func (Tuple) tiler() {}

func (Tile) tiler() {}

func (keepTiler) tiler() {}

// Keep is the tiler _ that leaves a mode alone.
var Keep Tiler = keepTiler{}

type keepTiler struct{}

func (keepTiler) String() string { return "_" }

// A Tile is a tuple of tilers, one for each mode: <3:3,(2,4):(1,8)>.
type Tile struct {
	elems []Tiler
	// Totals over the elements. They are stored because counting could take exponential time, since tiles may share
	// elements.
	leaves, nodes, depth int
}

// MakeTile returns the tile of the given tilers.
func MakeTile(elems ...Tiler) Tile {
	t := Tile{elems: append([]Tiler(nil), elems...), nodes: 1, depth: 1}
	for _, e := range elems {
		leaves, nodes, depth := 1, 1, 0
		switch e := e.(type) {
		case Tile:
			leaves, nodes, depth = e.leaves, e.nodes, e.depth
		case Layout:
			leaves, nodes, depth = e.leaves(), e.Shape().NodeCount(), e.Depth()
		case Tuple:
			leaves, nodes, depth = e.leaves(), e.NodeCount(), e.Depth()
		}
		t.leaves, t.nodes, t.depth = t.leaves+leaves, t.nodes+nodes, max(t.depth, 1+depth)
	}
	return t
}

// LeafCount returns the number of leaves of all tilers of t; _ counts as one. It takes constant time.
func (t Tile) LeafCount() int { return t.leaves }

// NodeCount returns the number of leaves and of tuples in t, including t. It takes constant time.
func (t Tile) NodeCount() int { return t.nodes }

// Depth returns the depth of the nesting: 1 for <4,2>, 2 for <4,(2,2):(1,4)>.
func (t Tile) Depth() int { return t.depth }

// Rank returns the number of modes that the tile tiles.
func (t Tile) Rank() int { return len(t.elems) }

// Modes returns the tilers of the modes.
//
//go:noinline
func (t Tile) Modes() []Tiler { return append([]Tiler(nil), t.elems...) }

// String returns the canonical text, such as "<3:3,(2,4):(1,8)>". Integers print as n:1.
func (t Tile) String() string {
	b := []byte{'<'}
	for i, e := range t.elems {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, tilerText(e)...)
		if n, ok := e.(Tuple); ok && n.IsInt() {
			b = append(b, ":1"...)
		}
	}
	return string(append(b, '>'))
}

// byMode returns the tilers of the single modes and true if t tiles by mode.
func byMode(t Tiler) ([]Tiler, bool) {
	switch t := t.(type) {
	case Tile:
		return t.elems, true
	case Tuple:
		if t.prof == "." {
			return nil, false
		}
		ms := t.Modes()
		out := make([]Tiler, len(ms))
		for i, m := range ms {
			out[i] = m
		}
		return out, true
	}
	return nil, false
}

// whole returns the layout that a tiler of the whole domain means. It refuses tilers that tile by mode.
func whole(op string, t Tiler) (Layout, error) {
	switch t := t.(type) {
	case Layout:
		return t, nil
	case Tuple:
		if n, ok := t.Int64(); ok {
			if n < 1 {
				return Layout{}, &Error{Code: CodeExtent, Op: op, Msg: fmt.Sprintf("a tile has at least 1 element, found %d",
					n), Hint: hintExtent}
			}
			return Layout{v: []int64{n, 1}, prof: "."}, nil
		}
		return Layout{}, errorf(CodeCodomain, op,
			"a tiler is a layout, a shape, a tile or _, found the coordinate %s", t.String())
	case nil:
		return Layout{}, &Error{Code: CodeType, Op: op, Msg: "expected a tiler, found none"}
	}
	return Layout{}, errorf(CodeType, op, "expected a layout as tiler, found %s", tilerText(t))
}

// tileRankError refuses a tile with more modes than the layout.
func tileRankError(op string, modes int, a Layout) error {
	return &Error{
		Code: CodeRank, Op: op,
		Msg:  fmt.Sprintf("the tile has %d modes, more than the %d of %v", modes, a.Rank(), a),
		Hint: "a layout as tiler, (4,6):(1,4), tiles the whole domain; a tile or a shape tiles mode by mode",
	}
}

// tilerText returns the text of a tiler. Calling String through the interface would move tilers to the heap.
func tilerText(t Tiler) string {
	switch t := t.(type) {
	case Layout:
		return t.String()
	case Tuple:
		return t.String()
	case Tile:
		return t.String()
	}
	return "_"
}

// A part is one mode among the leaves of a longer list: the leaves [lo, hi) with the nesting prof.
type part struct {
	prof   string
	lo, hi int
}
