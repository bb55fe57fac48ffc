package cute

import (
	"fmt"
)

// This file implements logical_divide: A∘(B,B*), where B* is the complement of the tile B in the shape of A
// (include/cute/layout.hpp, logical_divide). Mode 0 of the result runs within a tile, mode 1 over the tiles.
//
// As in CuTe, B* rounds up, so the tiles may cover more elements than A has. If the tile ends inside the last mode of
// coalesced A, the extra elements are A's own extension. If it ends inside an inner mode, or if CuTe's rounding mode by
// mode misses elements, A is first padded: extents grow until each mode ends where copies of the tile begin.
//
//	(5,4):(1,30) by 4:1   the tile takes 4 of the first mode, whose 5 grow to 8
//	(8,4):(1,30) o (4,8):(1,4) = (4,(2,4)):(1,(4,30)), 32 elements for 20
//	(5,5):(1,10) by 2:3   the tile and its gap take 6, and 5 grow to 6
//	(6,5):(1,10) o (2,(3,5)):(3,(1,6)) = (2,(3,5)):(3,(1,10)), 30 elements for 25

// A Division is the result of a divide: the layout, and the padding that completes the tiles.
type Division struct {
	Layout
	Padding Padding
}

// Padding distinguishes the real elements of a padded result from the added ones. It is zero if nothing was padded.
type Padding struct {
	Added    int64 // coordinates of the result that are padding
	Elements int64 // coordinates of the result that are elements
	// Coord maps each coordinate of the result to a coordinate of the divided layout, coalesced, and Bound is the shape
	// of that layout. A coordinate c is an element exactly if Coord(c) is less than Bound in every leaf. Coord is the
	// identity tensor with which CuTe kernels compute predicates.
	Coord Layout
	Bound Tuple
}

// None reports whether nothing was padded.
func (p Padding) None() bool { return p.Added == 0 }

// String describes the padding, or returns "" if there is none.
func (p Padding) String() string {
	if p.None() {
		return ""
	}
	return fmt.Sprintf("padded %d to %d elements: real where %v < %v", p.Elements, p.Elements+p.Added, p.Coord, p.Bound)
}

// Contains reports whether the coordinate c of the padded result is an element. It returns the errors of [Layout.Eval].
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

// lessWhereBoth reports whether each leaf of x is less than the leaf of bound in the same place; axes missing in x
// count as 0.
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

// LogicalDivide divides a by the tiler: with a layout the result is ((tile),(rest)), with a tile or a shape each mode
// becomes (tile,rest), and modes beyond the tile do not change.
//
// It returns [CodeRank] if the tile has more modes than a, [CodeNotComplementable] if a tile has no complement,
// [CodeNotRepresentable] with a witness if the tile does not fit a's modes even after padding, [CodeNotDivisible] if
// the tiles, rounded up mode by mode, miss elements and no larger extents keep the first tile, [CodeNegative], the
// errors of [CompositionBy], and [CodeOverflow].
func LogicalDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opLogicalDivide, a, t, caller{})
}

// ZippedDivide is [LogicalDivide] with the tiles gathered in mode 0 and the rests in mode 1:
// ((TM,TN),(RM,RN,L)). It returns the errors of LogicalDivide.
func ZippedDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opZippedDivide, a, t, caller{})
}

// TiledDivide is [ZippedDivide] with the rests unpacked: ((TM,TN),RM,RN,L).
func TiledDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opTiledDivide, a, t, caller{})
}

// FlatDivide is [ZippedDivide] with tiles and rests unpacked: (TM,TN,RM,RN,L).
func FlatDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opFlatDivide, a, t, caller{})
}

// LogicalDivideExact is [LogicalDivide], but refuses with [CodeNotDivisible] instead of padding.
func LogicalDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opLogicalDivide, a, t, caller{})
}

// ZippedDivideExact is [ZippedDivide], but refuses with [CodeNotDivisible] instead of padding.
func ZippedDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opZippedDivide, a, t, caller{})
}

// TiledDivideExact is [TiledDivide], but refuses with [CodeNotDivisible] instead of padding.
func TiledDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opTiledDivide, a, t, caller{})
}

// FlatDivideExact is [FlatDivide], but refuses with [CodeNotDivisible] instead of padding.
func FlatDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opFlatDivide, a, t, caller{})
}

func divideExact(op operation, a Layout, t Tiler, c caller) (Layout, error) {
	d, err := divideBy(op, a, t, c)
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

// divideBy runs a divide. If the result is padded, it also divides the identity, whose values show which coordinates
// are elements.
func divideBy(op operation, a Layout, t Tiler, c caller) (d Division, err error) {
	p := &d.Padding
	if p.Added, err = op.tile(&d.Layout, a, t, c); err != nil {
		return Division{}, err
	}
	if p.None() {
		return d, nil
	}
	p.Elements = d.Size() - p.Added
	c.trace = nil // the divide of the identity is not part of the derivation
	id, err := identityFor(a, t, nil)
	if err != nil {
		return Division{}, err
	}
	if _, err = op.tile(&p.Coord, id, t, c); err != nil {
		return Division{}, err
	}
	// Modes of the result may be split where modes of the identity are not. Give both the same coordinates.
	if p.Coord, err = withShape(p.Coord, d.Shape(), c); err != nil {
		return Division{}, err
	}
	if p.Bound, err = boundFor(a, t); err != nil {
		return Division{}, err
	}
	return d, nil
}

// identityFor returns the layout that maps each coordinate of a to itself, with its axes below the path. If t divides a
// mode as a whole, the mode's shape is coalesced.
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
	return Coalesce(a).Shape(), nil, nil
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

// tile tiles a mode of a by t: mode by mode, or as a whole.
func (w *tiling) tile(a *Layout, m part, t Tiler) error {
	ts, ok := byMode(t)
	switch {
	case ok:
		return w.tileModes(a, m, ts)
	case t == Keep:
		if !w.takesApart(m.prof) {
			w.units++
		}
		w.keep(a, m)
		return nil
	}
	switch w.kind {
	case divides:
		return w.divide(a, m, t)
	case multiplies:
		return w.multiply(a, m, t)
	}
	return w.collect(a, m)
}

// tileModes tiles the modes of a mode for which there are tilers, and keeps the others.
func (w *tiling) tileModes(a *Layout, m part, ts []Tiler) error {
	if n := profileRank(m.prof); len(ts) > n {
		return tileRankError(w.op.String(), len(ts), a.part(m.prof, m.lo, m.hi))
	}
	if m.prof == "." && len(ts) == 1 {
		if w.trace != nil {
			return w.tileMode(0, a, m, ts[0])
		}
		return w.tile(a, m, ts[0])
	}
	if m.prof == "." {
		w.keep(a, m)
		return nil
	}
	subs := modesOf(m.prof)
	for i := 0; subs.next(); i++ {
		sub := part{subs.prof, m.lo + subs.lo, m.lo + subs.hi}
		if i >= len(ts) {
			w.keep(a, sub)
			if w.trace != nil {
				mode := a.part(sub.prof, sub.lo, sub.hi)
				w.trace.part(i, mode, nil)
				w.trace.end(mode)
			}
			continue
		}
		var err error
		if w.trace != nil {
			err = w.tileMode(i, a, sub, ts[i])
		} else {
			err = w.tile(a, sub, ts[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tileMode tiles mode i, whose leaves in a are m, and records its steps.
func (w *tiling) tileMode(i int, a *Layout, m part, t Tiler) error {
	w.trace.part(i, a.part(m.prof, m.lo, m.hi), t)
	before := w.count
	if err := w.tile(a, m, t); err != nil {
		return err
	}
	var l Layout
	if w.count == before+2 {
		l = w.lastPair(a.cod)
	}
	w.trace.end(l)
	return nil
}

// collect keeps the tile and the rest of a mode that is the pair (tile,rest), the result of a logical divide or
// product.
func (w *tiling) collect(a *Layout, m part) error {
	if m.prof == "." || profileRank(m.prof) != 2 {
		return errorf(CodeRank, w.op.String(), "expected a pair (tile,rest), found %v", a.part(m.prof, m.lo, m.hi))
	}
	for sub := modesOf(m.prof); sub.next(); {
		w.keep(a, part{sub.prof, m.lo + sub.lo, m.lo + sub.hi})
	}
	return nil
}

// tilingSize returns the greatest number of leaves and of parts of a tiling of a by t.
func tilingSize(a Layout, t Tiler) (leaves, parts int) {
	n := tilerLeaves(t)
	return 2 + 2*a.leaves() + 2*n + 64*(1+a.Rank()), 2 + 2*(a.leaves()+n)
}

// tilerLeaves returns the number of leaves of all layouts in the tiler.
func tilerLeaves(t Tiler) int {
	switch t := t.(type) {
	case Layout:
		return t.leaves()
	case Tuple:
		return t.leaves()
	case Tile:
		n := 0
		for _, e := range t.elems {
			n += 1 + tilerLeaves(e)
		}
		return n
	}
	return 1
}

// tile runs a tiling of a by t on the stack, and again on the heap if it does not fit. The result is stored in l, in
// the form of the operation; tile returns the number of coordinates that a divide added.
func (o operation) tile(l *Layout, a Layout, t Tiler, c caller) (added int64, err error) {
	var sb, db [stackModes]int64
	var pb [8]part
	k := a.cod.axes()
	var w tiling
	w.op, w.kind, w.form, w.parts, w.real, w.caller = o, o.kind(), o.form(), pb[:], 1, c
	w.out.s, w.out.d, w.out.k = sb[:], buffer(db[:], k), k
	w.out.putAlong(1, 0, 0)                                   // leaf 0 is the tile of a mode that is not divided
	if w.out.full = c.trace.over(a.cod) != nil; !w.out.full { // use the heap from the start, to record steps only once
		err = w.tile(&a, part{a.profile(), 0, a.leaves()}, t)
	}
	if w.out.full {
		leaves, parts := tilingSize(a, t)
		w = tiling{op: o, kind: w.kind, form: w.form, real: 1, caller: c}
		w.out, w.parts = heapModes(leaves, k), make([]part, parts)
		w.out.trace = c.trace
		w.out.putAlong(1, 0, 0)
		err = w.tile(&a, part{a.profile(), 0, a.leaves()}, t)
	}
	if err != nil {
		return 0, err
	}
	if err = w.arrange(l, a.profile(), t, a.cod); err != nil {
		return 0, err
	}
	if c.trace != nil {
		w.recordArrange(a, t)
	}
	return l.Size() - w.real, nil
}

// TileUnzip gathers the pairs (tile,rest) of a into ((tiles),(rests)): CuTe's tile_unzip. The pairs are the modes of a
// at the leaves of the tiler; modes beyond the tiler are rests. Where the tiler is _, a mode of rank 2 is such a pair,
// and any other mode is a rest, with 1:0 as its tile. It returns [CodeRank] if a mode that should be a pair is not.
func TileUnzip(a Layout, t Tiler) (l Layout, err error) {
	_, err = opTileUnzip.tile(&l, a, t, caller{})
	return l, err
}

// LogicalDivide is the function [LogicalDivide]. It returns the errors of LogicalDivide and of u.
func (u Until) LogicalDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opLogicalDivide, a, t, caller{Until: u})
}

// ZippedDivide is the function [ZippedDivide]. It returns the errors of ZippedDivide and of u.
func (u Until) ZippedDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opZippedDivide, a, t, caller{Until: u})
}

// TiledDivide is the function [TiledDivide]. It returns the errors of TiledDivide and of u.
func (u Until) TiledDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opTiledDivide, a, t, caller{Until: u})
}

// FlatDivide is the function [FlatDivide]. It returns the errors of FlatDivide and of u.
func (u Until) FlatDivide(a Layout, t Tiler) (Division, error) {
	return divideBy(opFlatDivide, a, t, caller{Until: u})
}

// LogicalDivideExact is the function [LogicalDivideExact]. It returns the errors of LogicalDivideExact and of u.
func (u Until) LogicalDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opLogicalDivide, a, t, caller{Until: u})
}

// ZippedDivideExact is the function [ZippedDivideExact]. It returns the errors of ZippedDivideExact and of u.
func (u Until) ZippedDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opZippedDivide, a, t, caller{Until: u})
}

// TiledDivideExact is the function [TiledDivideExact]. It returns the errors of TiledDivideExact and of u.
func (u Until) TiledDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opTiledDivide, a, t, caller{Until: u})
}

// FlatDivideExact is the function [FlatDivideExact]. It returns the errors of FlatDivideExact and of u.
func (u Until) FlatDivideExact(a Layout, t Tiler) (Layout, error) {
	return divideExact(opFlatDivide, a, t, caller{Until: u})
}
