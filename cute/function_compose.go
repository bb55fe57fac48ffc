package cute

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file composes and multiplies composed layouts. If the inner layouts compose to a layout, it is the result's
// inner layout. Otherwise the chain becomes longer but stays exact.

// Compose returns the function x -> c(b(x)) in the shape of b. If the inner layout of c composed with b is a layout, it
// is the result's inner layout; otherwise the result is the chain of c and b. b may itself be a chain. Where b leaves
// the domain of c, the result has the values of c's extension. It returns [CodeNotCongruent] if the values of b are
// coordinates whose nesting differs from c's shape, and the errors of [NewComposed].
func (c Composed) Compose(b Inner) (Composed, error) {
	if l, ok := b.(Layout); ok {
		r, err := c.Map(func(in Layout) (Layout, error) { return c.stop().Composition(in, l) })
		if err == nil || !errorIs(err, CodeNotRepresentable) {
			return r, err
		}
	}
	return NewComposed(c, zeroIn(b), b)
}

// zeroIn returns the zero offset for the values of b.
func zeroIn(b Inner) Tuple {
	if c, ok := b.(Composed); ok && c.HasBasis() {
		v, _ := c.Eval(zeroLike(c.Shape()))
		if z, err := v.Sub(v); err == nil {
			return z
		}
	}
	return Int(0)
}

// After returns c applied after w: x -> c(w(x)), in the shape of c. Where w leaves the domain, the result has the
// values of c's extension. It returns the errors of [NewComposed].
func (c Composed) After(w Swizzle) (Composed, error) {
	index, err := LayoutLeft(c.Shape())
	if err != nil {
		return Composed{}, err
	}
	in, err := NewComposed(w, Int(0), index)
	if err != nil {
		return Composed{}, err
	}
	return NewComposed(c, Int(0), in)
}

// DomainOffset returns the function on the same shape that starts at the coordinate x of c: y -> c(x + y). The offset
// of x is added inside, so the result is exact for every outer function wherever x + y does not carry. It returns the
// errors of [Layout.DomainOffset].
func (c Composed) DomainOffset(x Tuple) (Composed, error) {
	l, o, err := c.inner().DomainOffset(x)
	if err != nil {
		return Composed{}, err
	}
	return c.shift(o, l)
}

// shift returns c with the inner layout l, and the offset o added to the values of l.
func (c Composed) shift(o Tuple, l Layout) (Composed, error) {
	if len(c.stages()) == 0 {
		// An identity layout represents the offset.
		identity, err := MakeIdentityLayout(identityShape(c.inner()))
		if err != nil {
			return Composed{}, err
		}
		return NewComposed(identity, o, l)
	}
	stages := append([]stage(nil), c.stages()...)
	last := len(stages) - 1
	var err error
	if stages[last].offset, err = stages[last].offset.Add(o); err != nil {
		return Composed{}, err
	}
	return composedOf(stages, l, c.stop()), nil
}

// plus returns the function (x,y) -> a(x) + c(y) on the shape (a's, c's). The coordinate x passes c's stages as k bits
// below theirs, which the stages do not touch; the last function, a layout, adds it:
//
//	4:5 and Sw<1,0,1> o 0 o 4:1      (4,4):(5,1) o 0 o Sw<1,2,1> o 0 o (4,4):(1,4)
func (c Composed) plus(op string, a Layout) (Composed, error) {
	if c = c.integral(); a.cod != nil || !c.integersInside() || c.HasBasis() {
		return Composed{}, errorf(CodeCodomain, op, "expected integers from %v and %v", a, c)
	}
	n := a.leaves()
	up := lifting{op: op, a: a, c: c, fields: make([]int64, 0, 2*n)}
	code := append(make([]int64, 0, 2*n), a.extents()...)
	for _, s := range a.extents() {
		code = append(code, 1<<up.bits)
		width := bits.Len64(uint64(s - 1))
		up.fields = append(up.fields, 1<<width)
		if up.bits += width; up.bits > 61 {
			return Composed{}, overflowError(op, "the coordinates of %v and of %v together", a, c)
		}
	}
	up.above = Layout{v: []int64{1, 1 << up.bits}, prof: "."}
	high, err := Composition(up.above, c.inner())
	if err != nil {
		return Composed{}, err
	}
	inner, err := MakeLayout(Layout{v: code, prof: a.prof}, high)
	if err != nil {
		return Composed{}, err
	}
	stages := c.stages()
	if _, ends := c.Outer().(Layout); !ends {
		stages = append([]stage{{unitLayout, Int(0)}}, stages...)
	}
	taken, err := composedOf(stages, c.inner(), nil).spans(op)
	if err != nil {
		return Composed{}, err
	}
	r := make([]stage, len(stages))
	for i, s := range stages {
		if r[i], err = up.stage(i, s, taken[i]); err != nil {
			return Composed{}, err
		}
	}
	return composedOf(r, inner, c.stop()), nil
}

// A lifting raises the numbers in the chain c by some bits, and puts the coordinates of a below them.
type lifting struct {
	op     string
	a      Layout
	c      Composed
	bits   int
	fields []int64 // the sizes of the coordinates of a in these bits
	above  Layout  // a layout that multiplies by 2^bits
}

// stage returns stage i of the chain, whose arguments are in the span taken, for the raised numbers.
func (l *lifting) stage(i int, s stage, taken span) (lifted stage, err error) {
	if taken.least < 0 {
		return lifted, errorf(CodeNegative, l.op,
			"expected numbers of at least 0 inside %v, found %d before %v", l.c, taken.least, s.outer)
	}
	o, _ := s.offset.Int64()
	offset, ok := ints.Mul(o, 1<<l.bits)
	if !ok {
		return lifted, overflowError(l.op, "the offsets of %v", l.c)
	}
	lifted.offset = Int(offset)
	switch f := s.outer.(type) {
	case Swizzle:
		lifted.outer, err = l.swizzle(f, taken.most)
	case Layout:
		lifted.outer, err = l.layout(i, f, taken.most)
	}
	return lifted, err
}

// swizzle returns a swizzle of numbers up to most for the raised numbers.
func (l *lifting) swizzle(f Swizzle, most int64) (Swizzle, error) {
	if most>>(f.m+max(f.s, 0)) == 0 {
		f = Swizzle{} // every bit that the swizzle reads is 0
	}
	f, err := NewSwizzle(f.b, f.m+l.bits, f.s)
	if err != nil {
		return f, overflowError(l.op, "the bits of %v above the coordinates of %v", l.c, l.a)
	}
	return f, nil
}

// layout returns the layout of stage i, on numbers up to most, for the raised numbers. The outermost stage, 0, adds a's
// values at the coordinates; the other stages keep the coordinates.
func (l *lifting) layout(i int, f Layout, most int64) (Layout, error) {
	f, err := f.upTo(most)
	if err != nil {
		return Layout{}, err
	}
	if i == 0 {
		return MakeLayout(Layout{v: append(l.fields, l.a.strides()...), prof: unwrappedProfile(l.a.leaves())}, f)
	}
	if f, err = Composition(l.above, f); err != nil {
		return Layout{}, err
	}
	return MakeLayout(Layout{v: []int64{1 << l.bits, 1}, prof: "."}, f)
}

// LogicalProductBy returns the function (x,y) -> a(x) + A*(c(y)) on the shape (a's, c's): copies of the block a at the
// places that c selects. As in [LogicalProduct], A* enumerates the places for copies of a, starting with its gaps. It
// returns [CodeNegative] if c has negative values, [CodeCodomain] for coordinates, and the errors of [LogicalProduct]
// and [Composed.Image].
func LogicalProductBy(a Layout, c Composed) (Composed, error) {
	const op = "logical_product"
	if a.cod != nil || c.HasBasis() {
		return Composed{}, errorf(CodeCodomain, op,
			"the tiler of a product counts copies with integers, found %v for %v", c, a)
	}
	f := mixedRadix{modes: heapModes(a.leaves()+1, 1)}
	if err := f.endlessComplement(op, &a, nil); err != nil {
		return Composed{}, err
	}
	places, err := f.layout(op, unwrappedProfile(f.n), nil)
	if err != nil {
		return Composed{}, err
	}
	copies, err := NewComposed(places, Int(0), c)
	if err != nil {
		return Composed{}, err
	}
	return copies.plus(op, a)
}

// LogicalDivideBy returns a o (c, c*) for the tile c and its complement c*, as [LogicalDivide] does for a layout: the
// function (x,y) -> a(c(x) + c*(y)) on the shape (c's, c*'s). It returns [CodeNotDivisible] if the tiles do not fill a
// exactly or do not begin at index 0, and the errors of [Composed.Sorted], [Complement] and [NewComposed].
func LogicalDivideBy(a Layout, c Composed) (Composed, error) {
	const op = "logical_divide"
	tile, _, err := c.Sorted()
	if err != nil {
		return Composed{}, err
	}
	rest, err := Complement(tile, Int(a.Size()))
	if err != nil {
		return Composed{}, err
	}
	f, err := functionOf(op, c)
	if err != nil {
		return Composed{}, err
	}
	if least, _ := f.reach(); least != 0 || a.Size()%c.Size() != 0 || rest.Size() != a.Size()/c.Size() {
		return Composed{}, errorf(CodeNotDivisible, op,
			"%v tiles of %v, the first from index %d, do not fill the %d indices of %v; a tile that is composed is not padded",
			rest.Size(), c, least, a.Size(), a)
	}
	tiles, err := c.plus(op, rest)
	if err != nil {
		return Composed{}, err
	}
	modes := tiles.inner().Modes()
	inner, err := MakeLayout(modes[1], modes[0])
	if err != nil {
		return Composed{}, err
	}
	return NewComposed(a, Int(0), composedOf(tiles.stages(), inner, tiles.stop()))
}

// Slice returns F o offset o (slice of L): CuTe's slice, without the offset of the fixed modes, which
// [Composed.SliceAndOffset] keeps. It returns [CodeNotCongruent].
func (c Composed) Slice(x Coord) (Composed, error) {
	return c.Map(func(l Layout) (Layout, error) { return l.Slice(x) })
}

// SliceAndOffset returns the function on the modes that x leaves open, with the offset of the fixed modes added inside,
// F o (offset + fixed) o (slice of L), so the result is exact for every F. It returns [CodeNotCongruent] and
// [CodeOverflow].
func (c Composed) SliceAndOffset(x Coord) (Composed, error) {
	l, fixed, err := c.inner().SliceAndOffset(x)
	if err != nil {
		return Composed{}, err
	}
	return c.shift(fixed, l)
}

// The rest of this file decays a composed layout to an offset and a layout whose sum is the same function: CuTe does so
// for a swizzled layout that is sliced (include/cute/swizzle_layout.hpp, slice_and_offset). Sw o offset o L decays if
// no two bits of the open modes flip the same bit of the value. The strides then are differences such as Z, -Z, Y+Z and
// Y-Z.

// Decay returns the layout l and the offset o with c(x) = o + l(x) at every coordinate x. l has c's shape, with leaves
// split where a leaf of c steps unevenly: Sw<2,0,2> o 4 o (4):(1) is 5 + ((2,2)):((-1,2)).
//
// If there is no such layout, it returns [CodeNotRepresentable] with the least index at which the value is not the sum
// of the values of the modes, or at which a mode is not a layout. It returns [CodeCodomain] if the values are
// coordinates, [CodeLimit] above [EnumLimit] elements, [CodeOverflow], and the errors of [Composed.Eval].
func (c Composed) Decay() (Layout, int64, error) {
	const op = "decay"
	if len(c.stages()) == 0 && !c.HasBasis() {
		return c.inner(), 0, nil
	}
	table, err := c.AppendOffsets(nil)
	if err != nil {
		return Layout{}, 0, err
	}
	o := table[0]
	leaves, values, bad, err := c.decayLeaves(op, table)
	if err != nil {
		return Layout{}, 0, err
	}
	extents := c.inner().extents()
	for i, y := range table {
		if err := c.stop().at(int64(i)); err != nil {
			return Layout{}, 0, err
		}
		if bad != nil && int64(i) >= bad.Witness.Index {
			return Layout{}, 0, bad
		}
		sum, rest := o, int64(i)
		for k, s := range extents {
			sum += values[k][rest%s]
			rest /= s
		}
		if sum != y {
			at, _ := Idx2Crd(Int(int64(i)), c.Shape())
			return Layout{}, 0, &Error{
				Code: CodeNotRepresentable, Op: op, Witness: &Witness{Coord: at, Index: int64(i), Value: Int(y), Want: Int(sum)},
				Msg: fmt.Sprintf("%v is no layout with an offset: at %v the value is %d, and the sum of the values of the modes is %d",
					c, at, y, sum),
			}
		}
	}
	l, err := c.inner().split(leaves)
	return l, o, err
}

// decayLeaves returns each leaf as the layout of its own values: the values at which all other coordinates are 0, minus
// the offset. If a leaf is not a layout, bad is the refusal at the least index.
func (c Composed) decayLeaves(op string, table []int64) (leaves []Layout, values [][]int64, bad *Error, err error) {
	extents := c.inner().extents()
	leaves, values = make([]Layout, len(extents)), make([][]int64, len(extents))
	step := int64(1) // a step of the leaf, as a step of the index
	for i, s := range extents {
		values[i] = make([]int64, s)
		for x := range values[i] {
			if err := c.stop().at(int64(x)); err != nil {
				return nil, nil, nil, err
			}
			var ok bool
			if values[i][x], ok = ints.Sub(table[int64(x)*step], table[0]); !ok {
				return nil, nil, nil, overflowError(op, "the distance from the offset %d of %v", table[0], c)
			}
		}
		if leaves[i], err = c.stop().Recognize(values[i]); err != nil {
			refusal, ok := err.(*Error) //nolint:errorlint // Recognize returns *Error, unwrapped
			if !ok || refusal.Witness == nil {
				return nil, nil, nil, err
			}
			e := c.unevenLeaf(op, i, table, refusal.Witness)
			if bad == nil || e.Witness.Index < bad.Witness.Index {
				bad = e
			}
		}
		step *= s
	}
	return leaves, values, bad, nil
}

// unevenLeaf is the error that no layout has the values along a leaf.
func (c Composed) unevenLeaf(op string, leaf int, table []int64, along *Witness) *Error {
	i := along.Index
	for _, s := range c.inner().extents()[:leaf] {
		i *= s
	}
	at, _ := Idx2Crd(Int(i), c.Shape())
	w := &Witness{Coord: at, Index: i, Value: Int(table[i])}
	if want, ok := along.Want.Int64(); ok {
		w.Want = Int(want + table[0])
	}
	return &Error{
		Code: CodeNotRepresentable, Op: op, Witness: w,
		Msg: fmt.Sprintf("%v is not a layout with an offset: no layout has the values along leaf %d, first at %v where the value is %d",
			c, leaf, at, table[i]),
	}
}

// split returns the layout of the given leaves in the nesting of l: a leaf of several modes is a tuple.
func (l Layout) split(leaves []Layout) (Layout, error) {
	if l.prof == "." {
		return leaves[0], nil
	}
	next := 0
	var nest func(t Tuple) (Layout, error)
	nest = func(t Tuple) (Layout, error) {
		if t.IsInt() {
			next++
			return leaves[next-1], nil
		}
		modes := make([]Layout, 0, t.Rank())
		for _, m := range t.Modes() {
			n, err := nest(m)
			if err != nil {
				return Layout{}, err
			}
			modes = append(modes, n)
		}
		return MakeLayout(modes...)
	}
	return nest(l.Shape())
}

// DecaySlice returns the slice of c and its offset as CuTe does: a layout and an offset if the swizzled layout decays.
// Otherwise the offset of the fixed modes stays inside, and the returned offset is 0. A coordinate that leaves
// everything open changes nothing. It returns [CodeNotCongruent] and [CodeOverflow].
func (c Composed) DecaySlice(x Coord) (Composed, int64, error) {
	s, err := c.SliceAndOffset(x)
	if err != nil || allOpen(x) || s.Size() > EnumLimit {
		return s, 0, err
	}
	swizzled := slices.ContainsFunc(s.stages(), func(t stage) bool { _, ok := t.outer.(Swizzle); return ok })
	if !swizzled {
		return s, 0, nil
	}
	l, o, err := s.Decay()
	if err != nil {
		return s, 0, nil //nolint:nilerr // a slice that does not decay stays composed
	}
	return composedOf(nil, l, c.stop()), o, nil
}

// allOpen reports whether the coordinate fixes nothing.
func allOpen(x Coord) bool {
	if x.String() == "_" {
		return true
	}
	if _, closed := x.Tuple(); closed {
		return false
	}
	return !slices.ContainsFunc(x.Modes(), func(m Coord) bool { return !allOpen(m) })
}
