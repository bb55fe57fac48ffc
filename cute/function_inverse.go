package cute

import (
	"fmt"
	"math/bits"
	"slices"
)

// This file inverts composed layouts from the outside: of
//
//	c = F1 o o1 o F2 o o2 o L        a left inverse is        L' o -o2 o F2' o -o1 o F1' o 0 o n:1
//
// where F' takes back what F does. A swizzle takes back itself, a layout is taken back by its left inverse. The domain
// n:1 is an interval of integers: whatever order CuTe's inverse would give them, a chain of one layout less is no
// layout.
//
//	Sw<1,2,3> o 0 o (8,9):(9,1)      (9,8):(8,1) o 0 o Sw<1,2,3> o 0 o 72:1
//
// What comes out is right at every value of c by construction; package swizzle looks for a shorter chain of the same
// function.

// LeftInverse returns a chain r with r(c(x)) = x for every index x of c, on the integers from 0 to the greatest value
// or beyond. As for layouts, modes of stride 0 in the inner layout do not count: then c(r(c(x))) = c(x).
//
// It returns [CodeNotInjective] with two coordinates of one value, [CodeNegative] for values below 0, [CodeCodomain]
// for coordinates, [CodeNotInvertible] where no swizzle of c changes a number and no layout takes back its layout,
// [CodeLimit] where a layout in the chain is taken back by no chain that is known, or the question
// needs a table of more than [EnumLimit] entries, and [CodeOverflow].
func (c Composed) LeftInverse() (Composed, error) {
	if len(c.stages) == 0 {
		l, err := leftInverse(c.inner, caller{Until: c.stop})
		return l.Composed().Until(c.stop), err
	}
	c, alone := c.integral().bare(opLeftInverse)
	if err := c.injectiveBut0(opLeftInverse); err != nil {
		return Composed{}, err
	}
	if alone {
		return c.plainInverse(opLeftInverse, func(l Layout) (Layout, error) { return leftInverse(l, caller{Until: c.stop}) })
	}
	least, most, err := c.reach(opLeftInverse)
	if err != nil {
		return Composed{}, err
	}
	if least < 0 {
		return Composed{}, errorf(CodeNegative, opLeftInverse,
			"%v has the value %d: an inverse that is a chain starts with the integers from 0", c, least)
	}
	if most == 1<<63-1 {
		return Composed{}, overflowError(opLeftInverse, "the number of integers from 0 to %d", most)
	}
	return c.backwards(opLeftInverse, most+1, nil)
}

// bare returns c without the swizzles that change no number that reaches them, such as Sw<0,M,S>. It reports whether
// only the layout is left then.
func (c Composed) bare(op string) (r Composed, alone bool) {
	spans, err := c.spans(op)
	if err != nil {
		return c, false
	}
	var stages []stage
	for i, s := range c.stages {
		w, ok := s.outer.(Swizzle)
		if ok && spans[i].least >= 0 && w.moved(1<<bits.Len64(uint64(spans[i].most))-1) == 0 {
			if isZero(s.offset.v) {
				continue
			}
			s.outer = unitLayout
		}
		stages = append(stages, s)
	}
	return Composed{stages: stages, inner: c.inner, stop: c.stop}, len(c.stages) > 0 && len(stages) == 0
}

// plainInverse inverts the layout of c, which has nothing outside, by f. If no layout inverts it, a chain may. The
// error is the error of f.
func (c Composed) plainInverse(op string, f func(Layout) (Layout, error)) (Composed, error) {
	l, err := f(c.inner)
	if err == nil {
		return l.Composed().Until(c.stop), nil
	}
	_, most, reachErr := c.reach(op)
	if reachErr != nil || most == 1<<63-1 {
		return Composed{}, err
	}
	if r, chainErr := c.backwards(op, most+1, nil); chainErr == nil {
		return r, nil
	}
	return Composed{}, err
}

// isIdentity reports whether l leaves every integer as it is, those beyond its domain too.
func (l Layout) isIdentity() bool { return l.prof == "." && l.cod == nil && l.v[1] == 1 }

// injectiveBut0 refuses a function two of whose indices have one value, apart from those that differ in modes of stride
// 0.
func (c Composed) injectiveBut0(op string) error {
	moving := FilterZeros(c.inner)
	ok, w, err := Composed{stages: c.stages, inner: moving, stop: c.stop}.IsInjective()
	if err != nil || ok {
		return err
	}
	return &Error{
		Code: CodeNotInjective, Op: op, Witness: c.sameLeaves(w),
		Msg: fmt.Sprintf("%v has the value %v at %v and at %v: nothing takes it back to both", c, w.Value, w.Coord, *w.Other),
	}
}

// sameLeaves returns the witness of a function whose inner layout has c's leaves, some of them of extent 1.
func (c Composed) sameLeaves(w *Witness) *Witness {
	index, step := int64(0), int64(1)
	for i, s := range c.inner.extents() {
		index += w.Coord.v[i] * step
		step *= s
	}
	v := *w
	v.Index = index
	return &v
}

// integral returns c without coordinates inside, where the layout that takes them and the one that makes them are one
// layout of integers.
func (c Composed) integral() Composed {
	last := len(c.stages) - 1
	if last < 0 || c.inner.cod == nil {
		return c
	}
	k, ok := c.stages[last].outer.(Layout)
	if !ok || k.cod != nil {
		return c
	}
	l, err := Composition(k, c.inner)
	if err != nil {
		return c
	}
	// k is linear in coordinates with a number for each of its modes; others may carry with the offset.
	at := c.stages[last].offset
	shift := int64(0)
	if !isZero(at.v) {
		if k.Depth() > 1 || at.Depth() > 1 || c.inner.coordinateDepth() > 1 {
			return c
		}
		v, err := k.Eval(padCoord(at, k.Shape()))
		if err != nil {
			return c
		}
		shift, _ = v.Int64()
	}
	r := Composed{stages: slices.Clone(c.stages[:last]), inner: l, stop: c.stop}
	switch {
	case shift == 0:
	case last == 0:
		r.stages = []stage{{unitLayout, Int(shift)}}
	default:
		if r.stages[last-1].offset, err = r.stages[last-1].offset.Add(Int(shift)); err != nil {
			return c
		}
	}
	if r.HasBasis() {
		return c
	}
	return r
}

// coordinateDepth returns the depth of the coordinates that l makes.
func (l Layout) coordinateDepth() int {
	return Tuple{v: make([]int64, profileLeaves(l.cod.prof)), prof: l.cod.prof}.Depth()
}

// RightInverse returns a chain r with c(r(i)) = i for every i below its size. If c is taken back by a chain, as for
// [Composed.LeftInverse], its size is the first integer that is no value of c; otherwise it follows CuTe's right
// inverse of the inner layout and may be smaller.
//
// It returns [CodeNotInvertible] if 0 is no value, [CodeLimit] if it is one and no chain that is known starts with it,
// and the errors of [Composed.LeftInverse] but those for what is not injective or negative.
func (c Composed) RightInverse() (Composed, error) {
	const op = "right_inverse"
	if len(c.stages) == 0 {
		l, err := RightInverse(c.inner)
		return l.Composed(), err
	}
	c, alone := c.integral().bare(op)
	if alone {
		return c.RightInverse()
	}
	f, err := functionOf(op, c)
	if err != nil {
		return Composed{}, err
	}
	_, most := f.reach()
	n := min(max(most, 0), c.Size()-1) + 1
	r, err := c.backwards(op, n, nil)
	if err == nil {
		if bijective, _, err := c.IsBijective(); err == nil && bijective {
			return r, nil
		}
	} else {
		cause := err
		inner, err := RightInverse(c.inner)
		if err != nil {
			return Composed{}, err
		}
		if r, err = c.backwards(op, n, &inner); err != nil {
			return Composed{}, cause
		}
	}
	r = r.first(min(n, EnumLimit))
	table, err := r.AppendOffsets(nil)
	if err != nil {
		return Composed{}, err
	}
	prefix := int64(0)
	for prefix < r.Size() {
		if err := c.stop.at(prefix); err != nil {
			return Composed{}, err
		}
		if x := table[prefix]; x < 0 || x >= c.Size() || f.at(x) != prefix {
			break
		}
		prefix++
	}
	switch {
	case prefix == 0:
		if _, err := c.CoordAt(0); err == nil {
			return Composed{}, errorf(CodeLimit, op, "no chain that is known takes 0 back to the index where %v has it", c)
		}
		return Composed{}, errorf(CodeNotInvertible, op, "expected a function with the value 0 somewhere, %v has none", c)
	case prefix == EnumLimit && prefix < n:
		return Composed{}, checkEnum(op, n, fmt.Sprintf("the right inverse of %v", c))
	}
	return r.first(prefix), nil
}

// first returns a chain on an interval of integers on the first n of them.
func (c Composed) first(n int64) Composed {
	return Composed{stages: c.stages, inner: Layout{v: []int64{n, 1}, prof: "."}, stop: c.stop}
}

// Inverse returns the inverse of a bijection from indices to [0, size) as a chain. It returns [CodeNotInvertible] with
// the first value that c lacks or has twice, and the errors of [Composed.LeftInverse].
func (c Composed) Inverse() (Composed, error) {
	const op = "inverse"
	if len(c.stages) == 0 {
		l, err := Inverse(c.inner)
		return l.Composed(), err
	}
	c = c.integral()
	ok, w, err := c.IsBijective()
	if err != nil {
		return Composed{}, err
	}
	if !ok {
		e := &Error{
			Code: CodeNotInvertible, Op: op,
			Hint: "right_inverse inverts the part without gaps, left_inverse maps values back to indices",
		}
		switch {
		case w == nil:
			e.Msg = fmt.Sprintf("%v is not a bijection onto the offsets below %d", c, c.Size())
		case w.Other != nil:
			e.Witness = w
			e.Msg = fmt.Sprintf("%v has the value %v at %v and at %v", c, w.Value, w.Coord, *w.Other)
		default:
			e.Msg = fmt.Sprintf("%v is not a bijection onto the offsets below %d: the first that breaks it is %v",
				c, c.Size(), w.Value)
		}
		return Composed{}, e
	}
	c, alone := c.bare(op)
	if alone {
		return c.plainInverse(op, Inverse)
	}
	return c.backwards(op, c.Size(), nil)
}
