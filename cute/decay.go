package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file takes a composed layout apart into an offset and a layout, where it is that: CuTe's decay of a swizzled
// layout that is sliced (include/cute/swizzle_layout.hpp, slice_and_offset). Sw o offset o L decays where no two bits
// of the open modes flip the same bit of the value. The strides then are differences such as Z, -Z, Y+Z and Y-Z.

// Decay returns the layout l and the offset o with c(x) = o + l(x) at every coordinate x, l in c's shape with leaves
// split where a leaf of c steps unevenly: Sw<2,0,2> o 4 o (4):(1) is 5 + ((2,2)):((-1,2)).
//
// It returns [CodeNotRepresentable] if there is no such layout, with the least index at which the value is not the sum
// of those of the modes, or at which a mode is no layout; [CodeCodomain] if the values are coordinates, [CodeLimit]
// above [EnumLimit] elements, [CodeOverflow], and the errors of [Composed.Eval].
func (c Composed) Decay() (Layout, int64, error) {
	const op = "decay"
	if len(c.stages) == 0 && !c.HasBasis() {
		return c.inner, 0, nil
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
	extents := c.inner.extents()
	for i, y := range table {
		if err := c.stop.at(int64(i)); err != nil {
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
	l, err := c.inner.split(leaves)
	return l, o, err
}

// decayLeaves returns each leaf as the layout of its own values, which are those where all other coordinates are 0,
// less the offset; and the refusal at the least index at which one is no layout, if there is one.
func (c Composed) decayLeaves(op string, table []int64) (leaves []Layout, values [][]int64, bad *Error, err error) {
	extents := c.inner.extents()
	leaves, values = make([]Layout, len(extents)), make([][]int64, len(extents))
	step := int64(1) // of the leaf in the index
	for i, s := range extents {
		values[i] = make([]int64, s)
		for x := range values[i] {
			if err := c.stop.at(int64(x)); err != nil {
				return nil, nil, nil, err
			}
			var ok bool
			if values[i][x], ok = ints.Sub(table[int64(x)*step], table[0]); !ok {
				return nil, nil, nil, overflowError(op, "the distance from the offset %d of %v", table[0], c)
			}
		}
		if leaves[i], err = c.stop.Recognize(values[i]); err != nil {
			refusal, ok := err.(*Error) //nolint:errorlint // Recognize makes it
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

// unevenLeaf says that the values along a leaf are those of no layout.
func (c Composed) unevenLeaf(op string, leaf int, table []int64, along *Witness) *Error {
	i := along.Index
	for _, s := range c.inner.extents()[:leaf] {
		i *= s
	}
	at, _ := Idx2Crd(Int(i), c.Shape())
	w := &Witness{Coord: at, Index: i, Value: Int(table[i])}
	if want, ok := along.Want.Int64(); ok {
		w.Want = Int(want + table[0])
	}
	return &Error{
		Code: CodeNotRepresentable, Op: op, Witness: w,
		Msg: fmt.Sprintf("%v is no layout with an offset: the values along leaf %d are those of no layout, first at %v where the value is %d",
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

// DecaySlice returns the slice of c and its offset as CuTe does: a swizzled layout decays to a layout and an offset
// where it can. Otherwise the offset of the fixed modes stays inside, and the one returned is 0. A coordinate that
// leaves everything open changes nothing. It returns [CodeNotCongruent] and [CodeOverflow].
func (c Composed) DecaySlice(x Coord) (Composed, int64, error) {
	s, err := c.SliceAndOffset(x)
	if err != nil || allOpen(x) || s.Size() > EnumLimit {
		return s, 0, err
	}
	swizzled := slices.ContainsFunc(s.stages, func(t stage) bool { _, ok := t.outer.(Swizzle); return ok })
	if !swizzled {
		return s, 0, nil
	}
	l, o, err := s.Decay()
	if err != nil {
		return s, 0, nil //nolint:nilerr // what does not decay stays composed
	}
	return Composed{inner: l, stop: c.stop}, o, nil
}

// allOpen reports whether a coordinate fixes nothing.
func allOpen(x Coord) bool {
	if x.String() == "_" {
		return true
	}
	if _, closed := x.Tuple(); closed {
		return false
	}
	return !slices.ContainsFunc(x.Modes(), func(m Coord) bool { return !allOpen(m) })
}
