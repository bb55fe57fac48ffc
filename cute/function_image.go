package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file answers questions about a composed layout as a function: which values occur, and whether a value occurs
// twice. If the values of the table span less than every stride of the digits that pass, those digits are not
// enumerated, because the parts of the domain that they distinguish have no values in common.

// Image returns the distinct values of c in increasing order. It returns [CodeCodomain] if the values are coordinates,
// [CodeLimit] if there are more than [EnumLimit] values, and the errors of [Composed.Eval].
func (c Composed) Image() ([]int64, error) {
	const op = "image"
	if len(c.stages()) == 0 {
		return image(c.inner(), c.stop())
	}
	f, err := functionOf(op, c)
	if err != nil {
		return nil, err
	}
	return f.image(op)
}

func (f *function) image(op string) ([]int64, error) {
	values, _ := f.passing()
	others, err := image(values, f.c.stop())
	if err != nil {
		if stopped := f.c.Stopped(); stopped != nil {
			return nil, stopped
		}
		return nil, &Error{
			Code: CodeLimit, Op: op, Msg: fmt.Sprintf("%v has more than %d values", f.c, int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	table := slices.Clone(f.values)
	if err := ints.Sort(table, f.c.stop()); err != nil {
		return nil, err
	}
	table = slices.Compact(table)
	if int64(len(table))*int64(len(others)) > EnumLimit {
		return nil, &Error{
			Code: CodeLimit, Op: op, Msg: fmt.Sprintf("%v has up to %d values, more than the %d that are enumerated",
				f.c, int64(len(table))*int64(len(others)), int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	if len(others) == 1 {
		return table, nil
	}
	all := make([]int64, 0, len(table)*len(others))
	for _, o := range others {
		for _, t := range table {
			all = append(all, o+t)
		}
	}
	if err := ints.Sort(all, f.c.stop()); err != nil {
		return nil, err
	}
	return slices.Compact(all), nil
}

// Holes returns the integers between the least and the greatest value of c that are not values, in increasing order. It
// returns [CodeLimit] if there are more than [EnumLimit] holes, or if the offsets of a layout with holes span more than
// [EnumLimit] integers, and the errors of [Composed.Image].
func (c Composed) Holes() ([]int64, error) {
	const op = "holes"
	if len(c.stages()) == 0 {
		return holes(c.inner(), c.stop())
	}
	if f, err := functionOf(op, c); err == nil {
		if least, _ := f.reach(); c.Size() > EnumLimit {
			if ok, _, err := f.fills(least); err == nil && ok {
				return nil, nil
			}
		}
	}
	image, err := c.Image()
	if err != nil {
		return nil, err
	}
	least, most := image[0], image[len(image)-1]
	if span := uint64(most) - uint64(least); span >= EnumLimit+uint64(len(image)) {
		return nil, &Error{
			Code: CodeLimit, Op: op, Msg: fmt.Sprintf("the values of %v span the integers from %d to %d, more than the %d that are enumerated",
				c, least, most, int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	var holes []int64
	for i, x := range image[1:] {
		for h := image[i] + 1; h < x; h++ {
			holes = append(holes, h)
		}
	}
	return holes, nil
}

// Cosize returns the number of elements that storage for c needs: the integers from the least value, or 0 if that is
// less, to the greatest value, or 0 if that is greater. For a layout it is [Layout.Cosize]. (CuTe returns the cosize of
// the inner layout, which may be too small for a swizzle of an extent that is not a power of two.) It returns
// [CodeOverflow], and the errors of [Composed.Image] except for the limit on values.
func (c Composed) Cosize() (int64, error) {
	const op = "cosize"
	if len(c.stages()) == 0 {
		return c.inner().Cosize()
	}
	f, err := functionOf(op, c)
	if err != nil {
		return 0, err
	}
	least, most := f.reach()
	least, most = min(least, 0), max(most, 0)
	if n := uint64(most) - uint64(least); n < 1<<63-1 {
		return int64(n) + 1, nil
	}
	return 0, overflowError(op, "the number of integers from %d to %d", least, most)
}

// IsInjective reports whether no two coordinates of c have the same value. Two coordinates with one value are the
// witness, as for [IsInjective]. It returns [CodeCodomain] for coordinates, [CodeLimit] if the decision needs a table
// of more than [EnumLimit] entries, and the errors of [Composed.Eval].
func (c Composed) IsInjective() (bool, *Witness, error) {
	const op = "is_injective"
	if len(c.stages()) == 0 {
		return isInjective(c.inner(), c.stop())
	}
	c = c.integral()
	if c.keepsApart() {
		ok, w, err := isInjective(c.inner(), c.stop())
		if w != nil {
			w.Value, _ = c.Eval(w.Coord)
		}
		return ok, w, err
	}
	f, err := functionOf(op, c)
	if err != nil {
		return false, nil, err
	}
	i, j, err := firstRepeat(f.values, f.c.stop())
	if err != nil {
		return false, nil, err
	}
	if i >= 0 {
		return false, f.collision(f.index(int64(i)), f.index(int64(j))), nil
	}
	values, indices := f.passing()
	ok, w, err := isInjective(values, c.stop())
	if err != nil || !ok {
		if w != nil {
			// i and j have the passing digits of the witness's coordinates; their other digits are 0.
			i, _ := indices.At(w.Index)
			o, _ := Crd2Idx(*w.Other, values.Shape())
			j, _ := indices.At(o)
			w = f.collision(i, j)
		}
		return false, w, err
	}
	if f.separable() {
		return true, nil, nil
	}
	table, err := c.AppendOffsets(nil)
	if err != nil {
		return false, nil, err
	}
	if i, j, err = firstRepeat(table, c.stop()); err != nil || i < 0 {
		return err == nil, nil, err
	}
	return false, f.collision(int64(i), int64(j)), nil
}

// keepsApart reports whether every stage maps different numbers to different numbers, as a swizzle and a layout of one
// mode do. Then the inner layout decides.
func (c Composed) keepsApart() bool {
	spans, err := c.spans("is_injective")
	if err != nil {
		return false
	}
	for i, s := range c.stages() {
		switch f := s.outer.(type) {
		case Swizzle:
			if spans[i].least < 0 {
				return false
			}
		case Layout:
			if f.prof != "." || f.cod != nil || f.v[1] == 0 {
				return false
			}
		}
	}
	return true
}

// firstRepeat returns two places of the table with the same number, such that the later place is the first possible, or
// -1.
func firstRepeat(table []int64, stop Until) (i, j int, err error) {
	least, most := slices.Min(table), slices.Max(table)
	if span := uint64(most) - uint64(least); span < uint64(4*len(table)+64) {
		seen := make([]int32, span+1)
		for i, y := range table {
			if err := stop.at(int64(i)); err != nil {
				return -1, -1, err
			}
			if at := &seen[y-least]; *at == 0 {
				*at = int32(i + 1)
			} else {
				return i, int(*at) - 1, nil
			}
		}
		return -1, -1, nil
	}
	return ints.Twice(table, stop)
}

// collision returns the witness of two indices with the same value.
func (f *function) collision(i, j int64) *Witness {
	i, j = min(i, j), max(i, j)
	at, _ := Idx2Crd(Int(i), f.c.Shape())
	other, _ := Idx2Crd(Int(j), f.c.Shape())
	return &Witness{Coord: at, Index: i, Value: Int(f.at(i)), Other: &other}
}

// IsSurjective reports whether the values are all integers from 0 to the greatest value. If not, the Value of the
// witness is the least integer that is not a value, or the least value if that is below 0. It returns the errors of
// [Composed.Image].
func (c Composed) IsSurjective() (bool, *Witness, error) {
	if len(c.stages()) == 0 {
		return isSurjective(c.inner(), c.stop())
	}
	f, err := functionOf("is_surjective", c)
	if err != nil {
		return false, nil, err
	}
	least, most := f.reach()
	switch {
	case least < 0:
		return false, &Witness{Value: Int(least)}, nil
	case least > 0:
		return false, &Witness{Value: Int(0)}, nil
	case most >= c.Size(): // there are more integers than indices
		return c.firstMissed(0)
	}
	if once, _, err := c.IsInjective(); err == nil && once && most == c.Size()-1 {
		return true, nil, nil
	}
	return c.gapless(0)
}

// firstMissed returns the answer if some integer from the given one to the greatest value is not a value. The witness
// has the first such integer, if there are not too many to look at.
func (c Composed) firstMissed(from int64) (bool, *Witness, error) {
	_, w, err := c.gapless(from)
	if errorIs(err, CodeLimit) {
		err = c.Stopped()
	}
	return false, w, err
}

// IsBijective reports whether the values are 0, ..., size-1, each once. The witness is the witness of
// [Composed.IsInjective] or of [Composed.IsSurjective]. It returns the errors of these two.
func (c Composed) IsBijective() (bool, *Witness, error) {
	if len(c.stages()) == 0 {
		return isBijective(c.inner(), c.stop())
	}
	f, err := functionOf("is_bijective", c)
	if err != nil {
		return false, nil, err
	}
	switch least, _ := f.reach(); {
	case least < 0:
		return false, &Witness{Value: Int(least)}, nil
	case least > 0:
		return false, &Witness{Value: Int(0)}, nil
	}
	return f.fills(0)
}

// IsCompact reports whether the values are distinct and without gaps, whatever the least value. The witness and the
// errors are as for [Composed.IsBijective].
func (c Composed) IsCompact() (bool, *Witness, error) {
	if len(c.stages()) == 0 {
		return isCompact("is_compact", c.inner(), c.stop())
	}
	f, err := functionOf("is_compact", c)
	if err != nil {
		return false, nil, err
	}
	least, _ := f.reach()
	return f.fills(least)
}

// fills reports whether the values are size consecutive integers from the given one on, each once. No value may be
// below it.
func (f *function) fills(from int64) (bool, *Witness, error) {
	ok, w, err := f.c.IsInjective()
	if err != nil || !ok {
		return false, w, err
	}
	if _, most := f.reach(); uint64(most)-uint64(from) == uint64(f.c.Size()-1) {
		return true, nil, nil
	}
	return f.c.firstMissed(from)
}

// gapless reports whether the values are all integers from the given one to the greatest value. A value below it is a
// witness too.
func (c Composed) gapless(from int64) (bool, *Witness, error) {
	image, err := c.Image()
	if err != nil {
		return false, nil, err
	}
	for _, x := range image {
		if x < from {
			return false, &Witness{Value: Int(x)}, nil
		}
		if x > from {
			return false, &Witness{Value: Int(from)}, nil
		}
		from++
	}
	return true, nil, nil
}

// CoordAt returns a coordinate with the given value, congruent to c's shape. It returns [CodeNotInvertible] if no
// coordinate has the value, [CodeCodomain] for coordinates, [CodeLimit] if c needs a table of more than [EnumLimit]
// entries or too long a search, and the errors of [Composed.Eval].
func (c Composed) CoordAt(value int64) (Tuple, error) {
	const op = "idx2crd"
	if len(c.stages()) == 0 {
		return c.inner().CoordAt(value)
	}
	f, err := functionOf(op, c)
	if err != nil {
		return Tuple{}, err
	}
	values, indices := f.passing()
	step := leastStep(values)
	terms, _ := termsOf(values)
	least, span := extremes(values, terms)
	searches := 0
	for entry, t := range f.values {
		if err := c.stop().at(int64(entry)); err != nil {
			return Tuple{}, err
		}
		rest, ok := ints.Sub(value, t)
		if !ok || rest < least || rest-least > span || (step == 0 && rest != 0) || (step > 0 && rest%step != 0) {
			continue
		}
		if searches++; searches > coordSearches {
			return Tuple{}, errorf(CodeLimit, op,
				"no coordinate of %v with the value %d found in %d searches", c, value, coordSearches)
		}
		at, err := values.CoordAt(rest)
		if errorIs(err, CodeNotInvertible) {
			continue
		}
		if err != nil {
			return Tuple{}, err
		}
		i, _ := Crd2Idx(at, values.Shape())
		x, _ := indices.At(i)
		return Idx2Crd(Int(x+f.index(int64(entry))), c.Shape())
	}
	return Tuple{}, errorf(CodeNotInvertible, op, "no coordinate of %v has the value %d", c, value)
}

// coordSearches limits the number of table entries for which CoordAt searches for the rest of a value.
const coordSearches = 1 << 12

// The following functions take complements of composed layouts. A complement depends on the set of values, not on their
// order. If two sets fill an interval, so that each number is exactly one sum, both sets consist of digits (de Bruijn
// 1956; docs/proofs.md). So a set has a complement only if it is the image of a layout whose strides chain, and then
// the complement of that layout is the complement of the set.

// Sorted returns a layout whose offsets are the values of c minus the least value, each once, and that least value: the
// layout to which [Complement] applies. Modes of stride 0 do not count. It returns [CodeNotComplementable] if c has a
// value twice, or if no layout has the sorted values as its offsets, and the errors of [Composed.Image].
func (c Composed) Sorted() (l Layout, least int64, err error) {
	const op = "complement"
	if len(c.stages()) == 0 {
		return c.inner(), 0, nil
	}
	if c, err = c.Map(func(l Layout) (Layout, error) { return FilterZeros(l), nil }); err != nil {
		return Layout{}, 0, err
	}
	ok, w, err := c.IsInjective()
	if err != nil {
		return Layout{}, 0, err
	}
	if !ok {
		return Layout{}, 0, &Error{
			Code: CodeNotComplementable, Op: op, Witness: w,
			Msg: fmt.Sprintf("%v has the value %v at %v and at %v, so no function fills what it leaves free",
				c, w.Value, w.Coord, *w.Other),
		}
	}
	f, err := functionOf(op, c)
	if err != nil {
		return Layout{}, 0, err
	}
	passing, _ := f.passing()
	image := slices.Clone(f.values)
	if f.separable() {
		// The digits that pass are above the table, so these digits do not change.
		if err := ints.Sort(image, c.stop()); err != nil {
			return Layout{}, 0, err
		}
	} else {
		passing = unitMode
		if image, err = f.image(op); err != nil {
			return Layout{}, 0, err
		}
	}
	first := image[0]
	for i := range image {
		var ok bool
		if image[i], ok = ints.Sub(image[i], first); !ok {
			return Layout{}, 0, overflowError(op, "the values of %v", c)
		}
	}
	least, _ = f.reach()
	if l, err = c.stop().Recognize(image); err != nil {
		refusal, ok := err.(*Error) //nolint:errorlint // Recognize returns *Error, unwrapped
		if !ok || refusal.Code == CodeLimit {
			return Layout{}, 0, err
		}
		return Layout{}, 0, errorf(CodeNotComplementable, op,
			"the values of %v, sorted, are the offsets of no layout, and only those have a complement: %s", c, refusal.Msg)
	}
	if passing.Size() == 1 {
		return l, least, nil
	}
	// Counted from the least value, every digit counts up.
	l, err = MakeLayout(l, passing.magnitudes())
	return l, least, err
}

// magnitudes returns l with positive strides.
func (l Layout) magnitudes() Layout {
	v := slices.Clone(l.v)
	for i := l.leaves(); i < len(v); i++ {
		v[i] = max(v[i], -v[i])
	}
	return Layout{v: v, prof: l.prof}
}

// integral returns c without coordinates inside, if the layout that produces the coordinates and the layout that
// accepts them combine to a layout of integers.
func (c Composed) integral() Composed {
	last := len(c.stages()) - 1
	if last < 0 || c.inner().cod == nil {
		return c
	}
	k, ok := c.stages()[last].outer.(Layout)
	if !ok || k.cod != nil {
		return c
	}
	l, err := Composition(k, c.inner())
	if err != nil {
		return c
	}
	// k is linear in coordinates with one number for each of its modes. With other coordinates the offset may carry.
	at := c.stages()[last].offset
	shift := int64(0)
	if !isZero(at.v) {
		if k.Depth() > 1 || at.Depth() > 1 || c.inner().coordinateDepth() > 1 {
			return c
		}
		v, err := k.Eval(padCoord(at, k.Shape()))
		if err != nil {
			return c
		}
		shift, _ = v.Int64()
	}
	stages := slices.Clone(c.stages()[:last])
	switch {
	case shift == 0:
	case last == 0:
		stages = []stage{{unitLayout, Int(shift)}}
	default:
		if stages[last-1].offset, err = stages[last-1].offset.Add(Int(shift)); err != nil {
			return c
		}
	}
	if r := composedOf(stages, l, c.stop()); !r.HasBasis() {
		return r
	}
	return c
}

// coordinateDepth returns the depth of l's values, which are coordinates.
func (l Layout) coordinateDepth() int {
	return Tuple{v: make([]int64, profileLeaves(l.cod.prof)), prof: l.cod.prof}.Depth()
}

// IsSurjectiveOnto reports whether the values of c are exactly the elements of the codomain. For integers these are the
// integers of [0, n), for a codomain of n elements. For coordinates they are the coordinates of the codomain, which
// must have the nesting of [Layout.Coshape].
//
// If they are not, the witness is a coordinate whose value is outside, or, with only Value set, an element that is not
// reached (the least one for integers). It returns [CodeNotCongruent], the errors of a shape, and the errors of
// [IsSurjective] and [Composed.AppendOffsets].
func (c Composed) IsSurjectiveOnto(codomain Tuple) (bool, *Witness, error) {
	if len(c.stages()) == 0 {
		return surjectiveOnto("is_surjective", c.inner(), codomain, c.stop())
	}
	return c.within(codomain, asksAll)
}

// IsInjectiveInto reports whether the values of c are elements of the codomain, as in [Composed.IsSurjectiveOnto], and
// no two coordinates have the same value. The witness is a coordinate whose value is outside, or the witness of
// [IsInjective]. It returns [CodeNotCongruent], the errors of a shape, and the errors of IsInjective and
// [Composed.AppendOffsets].
func (c Composed) IsInjectiveInto(codomain Tuple) (bool, *Witness, error) {
	if len(c.stages()) == 0 {
		return injectiveInto(c.inner(), codomain, c.stop())
	}
	return c.within(codomain, asksOnce)
}

// IsBijectiveOnto reports whether each element of the codomain is the value of exactly one coordinate, and no value is
// outside. The witness is the witness of [Composed.IsSurjectiveOnto] or of [IsInjective]. It returns the errors of
// these two.
func (c Composed) IsBijectiveOnto(codomain Tuple) (bool, *Witness, error) {
	if len(c.stages()) == 0 {
		return bijectiveOnto(c.inner(), codomain, c.stop())
	}
	return c.within(codomain, asksOnce|asksAll)
}

// within looks at the values to decide whether they are in the codomain and satisfy the given conditions.
func (c Composed) within(codomain Tuple, asked imageQuestion) (bool, *Witness, error) {
	n, err := codomain.Product()
	if err != nil {
		return false, nil, err
	}
	table, err := c.AppendOffsets(nil)
	if err != nil {
		return false, nil, err
	}
	at := func(i int) *Witness {
		x, _ := Idx2Crd(Int(int64(i)), c.Shape())
		return &Witness{Coord: x, Index: int64(i), Value: Int(table[i])}
	}
	if i := slices.IndexFunc(table, func(y int64) bool { return y < 0 || y >= n }); i >= 0 {
		return false, at(i), nil
	}
	if asked&asksOnce != 0 {
		i, j, err := firstRepeat(table, c.stop())
		if err != nil {
			return false, nil, err
		}
		if i >= 0 {
			w, other := at(min(i, j)), at(max(i, j))
			w.Other = &other.Coord
			return false, w, nil
		}
	}
	if asked&asksAll != 0 {
		if missed := ints.LeastMissing(table); missed < n {
			return false, &Witness{Value: Int(missed)}, nil
		}
	}
	return true, nil, nil
}
