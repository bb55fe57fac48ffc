package girih

import (
	"fmt"

	"girih/internal/ints"
)

// This file implements logical_divide: A∘(B,B*), where B* is the complement of the tile B in the shape of A
// (include/cute/layout.hpp, logical_divide). Mode 0 of the result runs within a tile, mode 1 over the tiles.
//
// As in CuTe, B* rounds up, so the tiles may cover more than A has. Where the tile ends inside the last mode
// of coalesced A the extra elements are A's own extension; where it ends inside an inner mode, A is first
// padded: that mode's extent grows to a multiple of what the tile takes of it.
//
//	(5,4):(1,30) by 4:1   the tile takes 4 of the first mode, whose 5 grow to 8
//	(8,4):(1,30) o (4,8):(1,4) = (4,(2,4)):(1,(4,30)), 32 elements for 20

// A Division is the result of a divide: the layout, and what was padded to make the tiles whole.
type Division struct {
	Layout
	Padding Padding
}

// Padding tells the real elements of a padded result from those that were added. It is zero if none were.
type Padding struct {
	Added    int64 // coordinates of the result that stand for no element
	Elements int64 // coordinates that stand for elements
	// Coord maps each coordinate of the result to the coordinate of the divided layout, coalesced, that it
	// stands for, and Bound is the shape of that layout: a coordinate c is real exactly if Coord(c) is less
	// than Bound in every leaf. This is the identity tensor with which CuTe kernels predicate.
	Coord Layout
	Bound Tuple
}

// None reports whether nothing was padded.
func (p Padding) None() bool { return p.Added == 0 }

// String says what was padded, or returns "".
func (p Padding) String() string {
	if p.None() {
		return ""
	}
	return fmt.Sprintf("padded %d to %d elements: real where %v < %v", p.Elements, p.Elements+p.Added, p.Coord, p.Bound)
}

// Contains reports whether the coordinate c of the padded result stands for an element.
// It returns the errors of [Layout.Eval].
func (p Padding) Contains(c Tuple) (bool, error) {
	if p.None() {
		return true, nil
	}
	x, err := p.Coord.Eval(c)
	if err != nil {
		return false, err
	}
	return lessWhereBoth(x, p.Bound), nil
}

// lessWhereBoth compares leaf by leaf; axes that x does not have are at 0.
func lessWhereBoth(x, bound Tuple) bool {
	if x.prof == "." || bound.prof == "." {
		return x.v[0] < bound.v[0]
	}
	bs := bound.Modes()
	for i, m := range x.Modes() {
		if !lessWhereBoth(m, bs[i]) {
			return false
		}
	}
	return true
}

// LogicalDivide divides a by the tiler: with a layout the result is ((tile),(rest)), with a tile or a shape
// each mode becomes (tile,rest) and modes beyond the tile stay as they are.
//
// It returns [CodeRank] if the tile has more modes than a, [CodeNotComplementable] if a tile has no
// complement, [CodeNotRepresentable] with a witness if the tile does not fit a's modes even after padding,
// [CodeNotDivisible] if the tiles, rounded up mode by mode, miss elements, [CodeNegative], the errors of [CompositionBy],
// and [CodeOverflow].
func LogicalDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opLogicalDivide, a, t, logical)
}

// ZippedDivide is [LogicalDivide] with the tiles gathered in mode 0 and the rests in mode 1:
// ((TM,TN),(RM,RN,L)). It returns the errors of LogicalDivide.
func ZippedDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opZippedDivide, a, t, zipped)
}

// TiledDivide is [ZippedDivide] with the rests unpacked: ((TM,TN),RM,RN,L).
func TiledDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opTiledDivide, a, t, tiled)
}

// FlatDivide is [ZippedDivide] with tiles and rests unpacked: (TM,TN,RM,RN,L).
func FlatDivide(a Layout, t Tiler) (Division, error) { return divideBy(opFlatDivide, a, t, flat) }

// LogicalDivideExact is [LogicalDivide], and refuses with [CodeNotDivisible] instead of padding.
func LogicalDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opLogicalDivide, a, t, logical)
}

// ZippedDivideExact is [ZippedDivide], and refuses with [CodeNotDivisible] instead of padding.
func ZippedDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opZippedDivide, a, t, zipped)
}

// TiledDivideExact is [TiledDivide], and refuses with [CodeNotDivisible] instead of padding.
func TiledDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opTiledDivide, a, t, tiled)
}

// FlatDivideExact is [FlatDivide], and refuses with [CodeNotDivisible] instead of padding.
func FlatDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opFlatDivide, a, t, flat)
}

func divideExact(op operation, a Layout, t Tiler, f form) (Layout, error) {
	d, err := divideBy(op, a, t, f)
	if err != nil {
		return Layout{}, err
	}
	if !d.Padding.None() {
		return Layout{}, &Error{
			Code: CodeNotDivisible, Op: op.String(),
			Msg:  fmt.Sprintf("%s does not divide %v evenly: %v", tilerText(t), a, d.Padding),
			Hint: "the divide that is not exact returns the padded layout and the predicate",
		}
	}
	return d.Layout, nil
}

// divideBy runs a divide, and for a padded one also divides the identity to find what each coordinate stands for.
func divideBy(op operation, a Layout, t Tiler, f form) (Division, error) {
	l, added, err := tileBy(op, divides, a, t, f)
	if err != nil || added == 0 {
		return Division{Layout: l}, err
	}
	p := Padding{Added: added, Elements: l.Size() - added}
	id, err := identityFor(a, t, nil)
	if err != nil {
		return Division{}, err
	}
	if p.Coord, _, err = tileBy(op, divides, id, t, f); err != nil {
		return Division{}, err
	}
	// The modes of l may split where those of the identity do not: give both the same coordinates.
	if p.Coord, err = p.Coord.WithShape(l.Shape()); err != nil {
		return Division{}, err
	}
	if p.Bound, err = boundFor(a, t); err != nil {
		return Division{}, err
	}
	return Division{l, p}, nil
}

// divide divides the leaves [lo, hi) of a as a whole by the tiler t.
func (w *tiling) divide(a *Layout, prof string, lo, hi int, t Tiler) error {
	b, err := whole(w.op.String(), t)
	if err != nil {
		return err
	}
	if b.cod != nil {
		return w.divideByCoordinates(a.part(prof, lo, hi), b, a.cod)
	}
	var sb, db [fewModes]int64
	var te, td [stackModes]int64
	k := w.out.k
	f := forest{modes: modes{s: room(sb[:], hi-lo+1), d: room(db[:], (hi-lo+1)*k), k: k}}
	f.coalesceZ(a.v[lo:hi], a.strides()[lo*k:hi*k])
	shape := f.s[:f.n]
	if f.n > 1 && f.s[f.n-1] == 1 {
		shape = f.s[:f.n-1]
	}
	// tiles holds the leaves of (B,B*).
	n := b.leaves()
	tiles := modes{s: room(te[:], 2*n+1), d: room(td[:], 2*n+1), k: 1}
	for i := range n {
		tiles.s[i], tiles.d[i] = b.v[i], b.v[n+i]
	}
	tiles.n = n
	block, err := tiles.fillGaps(w.op.String(), &b, 0, 0, fillWhole)
	if err != nil {
		return err
	}
	if err := tiles.fillRest(w.op.String(), &b, shape, block, n); err != nil {
		return err
	}
	if v := w.countReal(a.v[lo:hi], n, &tiles); v != universal {
		return missed(w.op.String(), v, a.part(prof, lo, hi), b)
	}
	return w.placeTiles(&f, &tiles, &b, shape, block, a.cod)
}

// countReal multiplies the number of real coordinates by those of this divide of the extents s by tiles whose first n
// leaves are B. It fails if the tiles miss elements, or are too many.
func (w *tiling) countReal(s []int64, n int, tiles *modes) verdict {
	size, repeat, covered, ok := int64(1), int64(1), int64(1), true
	for _, e := range s {
		size *= e
	}
	for i, e := range tiles.s[:tiles.n] {
		if i < n && tiles.d[i] == 0 {
			// A tile that repeats elements repeats them as often for every element.
			repeat, ok = mulInto(repeat, e, ok)
		} else {
			covered, ok = mulInto(covered, e, ok)
		}
	}
	real, ok := mulInto(size, repeat, ok)
	w.real, ok = mulInto(w.real, real, ok)
	if _, ok = mulInto(covered, repeat, ok); !ok {
		return overflows
	}
	if covered < size {
		return carries
	}
	return universal
}

// missed says that the tiles of b do not cover a, or overflow.
func missed(op string, v verdict, a, b Layout) error {
	if v == overflows {
		return overflowError(op, "the size of the tiles of %v by %v", a, b)
	}
	return &Error{
		Code: CodeNotDivisible, Op: op,
		Msg: fmt.Sprintf("the tiles of %v, rounded up mode by mode, do not reach all %d elements of %v", b, a.Size(), a),
	}
}

func mulInto(a, b int64, ok bool) (int64, bool) {
	p, o := ints.Mul(a, b)
	return p, ok && o
}

// placeTiles composes the coalesced leaves f with the tiles, padding f where they do not fit otherwise.
func (w *tiling) placeTiles(f *forest, tiles *modes, b *Layout, shape []int64, block int64, cod *codomain) error {
	var cb [stackModes]uint8
	counts := cb[:]
	if tiles.n > len(counts) {
		counts = make([]uint8, tiles.n)
	}
	from := w.out.n
	v := f.compose(&w.out, tiles.s[:tiles.n], tiles.d[:tiles.n], counts)
	if w.out.full {
		return nil
	}
	if v == overflows {
		return overflowError(w.op.String(), "the strides of the tiles of %v", *b)
	}
	if v == carries {
		// The strides may coincide; otherwise padding may help.
		w.out.n = from
		l, refusal := w.placeByTable(f, tiles, counts, cod)
		if refusal == nil {
			if _, err := w.putLayout(l, cod); err != nil {
				return err
			}
		} else if !f.padTo(shape, block) || f.compose(&w.out, tiles.s[:tiles.n], tiles.d[:tiles.n], counts) != universal {
			return refusal
		}
	}
	n := b.leaves()
	at := from
	for _, c := range counts[:n] {
		at += int(c)
	}
	w.add(splitProfile(b.profile(), counts[:n]), from, at)
	w.add(splitProfile(unwrappedProfile(tiles.n-n), counts[n:tiles.n]), at, w.out.n)
	return nil
}

// placeByTable decides a composition with the tiles by its values.
func (w *tiling) placeByTable(f *forest, tiles *modes, counts []uint8, cod *codomain) (Layout, error) {
	a, err := f.layout(w.op.String(), flatProfile(f.n), cod)
	if err != nil {
		return Layout{}, err
	}
	b, err := tiles.layout(w.op.String(), flatProfile(tiles.n), nil)
	if err != nil {
		return Layout{}, err
	}
	r, err := composeByTable(a, b)
	if err != nil {
		return Layout{}, err
	}
	m := modesOf(r.prof)
	for i := 0; m.next(); i++ {
		counts[i] = uint8(m.hi - m.lo)
	}
	return r, nil
}

// divideByCoordinates divides a by a tile with coordinate strides, which address a's modes.
func (w *tiling) divideByCoordinates(a, b Layout, cod *codomain) error {
	rest, err := complementTo(w.op.String(), b, a.Shape(), false)
	if err != nil {
		return err
	}
	tiles, err := MakeLayout(b, rest)
	if err != nil {
		return err
	}
	r, err := Composition(a, tiles)
	if err != nil {
		return err
	}
	from, err := w.putLayout(r, cod)
	if err != nil {
		return err
	}
	for m := modesOf(r.prof); m.next(); {
		w.add(m.prof, from+m.lo, from+m.hi)
	}
	var ok bool
	if w.real, ok = ints.Mul(w.real, min(a.Size(), r.Size())); !ok {
		return overflowError(w.op.String(), "the size of the tiles of %v by %v", a, b)
	}
	if r.Size() < a.Size() {
		return &Error{Code: CodeNotDivisible, Op: w.op.String(), Msg: fmt.Sprintf("the tiles of %v reach %d of the %d elements of %v", b, r.Size(), a.Size(), a)}
	}
	return nil
}

// padTo grows the mode of the coalesced shape that the tile's block ends in to a multiple of what the block
// takes of it. It reports whether the block takes the modes before as a whole, so that this is all it needs.
func (f *forest) padTo(shape []int64, block int64) bool {
	for i := range shape {
		if block <= f.s[i] {
			f.s[i] = ints.CeilDiv(f.s[i], block) * block // the cotarget was divided the same way without overflow
			return true
		}
		if block%f.s[i] != 0 {
			return false
		}
		block /= f.s[i]
	}
	return true
}

// identityFor returns the layout that maps each coordinate of a to itself, its axes below the path, with the
// coalesced shape wherever t divides a mode as a whole.
func identityFor(a Layout, t Tiler, path []int) (Layout, error) {
	shape, subs, err := dividedShape(a, t)
	if err != nil {
		return Layout{}, err
	}
	if subs == nil {
		return identityAt(shape, path)
	}
	as := a.Modes()
	for i := range as {
		if as[i], err = identityFor(as[i], subs[i], append(path[:len(path):len(path)], i)); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(as...)
}

// boundFor returns the shape whose coordinates the identity of [identityFor] produces.
func boundFor(a Layout, t Tiler) (Tuple, error) {
	shape, subs, err := dividedShape(a, t)
	if err != nil || subs == nil {
		return shape, err
	}
	bounds := make([]Tuple, len(subs))
	for i, m := range a.Modes() {
		if bounds[i], err = boundFor(m, subs[i]); err != nil {
			return Tuple{}, err
		}
	}
	return MakeTuple(bounds...)
}

// dividedShape returns the shape that t divides as a whole, or the tilers of a's modes if it tiles by mode.
func dividedShape(a Layout, t Tiler) (shape Tuple, subs []Tiler, err error) {
	if ts, ok := byMode(t); ok {
		subs = append(subs, ts...)
		for len(subs) < a.Rank() {
			subs = append(subs, Keep)
		}
		return Tuple{}, subs, nil
	}
	if b, isLayout := t.(Layout); t == Keep || (isLayout && b.cod != nil) {
		return a.Shape(), nil, nil
	}
	c, err := Coalesce(a)
	return c.Shape(), nil, err
}

// identityAt returns the identity layout of the shape with its axes below the path.
func identityAt(shape Tuple, path []int) (Layout, error) {
	if shape.prof == "." {
		if len(path) == 0 {
			return New(shape, Int(1))
		}
		unit, err := Basis(1, path...)
		if err != nil {
			return Layout{}, err
		}
		return New(shape, unit)
	}
	var parts []Layout
	for i, m := range shape.Modes() {
		p, err := identityAt(m, append(path[:len(path):len(path)], i))
		if err != nil {
			return Layout{}, err
		}
		parts = append(parts, p)
	}
	return MakeLayout(parts...)
}
