package cute

import (
	"fmt"
	"math/bits"

	"girih/internal/ints"
)

// This file inverts composed layouts from the outside: a left inverse of
//
//	c = F1 o o1 o F2 o o2 o L        is        L' o -o2 o F2' o -o1 o F1' o 0 o n:1
//
// where F' inverts F. A swizzle is its own inverse; a layout is inverted by its left inverse. The domain n:1 is an
// interval of integers, because CuTe's inverse may order the integers in a way that is no layout.
//
//	Sw<1,2,3> o 0 o (8,9):(9,1)      (9,8):(8,1) o 0 o Sw<1,2,3> o 0 o 72:1
//
// The result is right at every value of c by construction; package swizzle looks for a shorter chain of the same
// function.

// LeftInverse returns a chain r with r(c(x)) = x for every index x of c. Its domain is the integers from 0 to at least
// the greatest value. As for layouts, modes of stride 0 in the inner layout do not count: then c(r(c(x))) = c(x).
//
// It returns [CodeNotInjective] with two coordinates of one value, [CodeNegative] for values below 0, and
// [CodeCodomain] for coordinates. It returns [CodeNotInvertible] if no swizzle of c changes a number and no layout
// inverts its layout. It returns [CodeLimit] if no known chain inverts a layout of c, or if the decision needs a table
// of more than [EnumLimit] entries. It also returns [CodeOverflow].
func (c Composed) LeftInverse() (Composed, error) {
	if len(c.stages()) == 0 {
		l, err := leftInverse(c.inner(), caller{Until: c.stop()})
		return l.Composed().Until(c.stop()), err
	}
	c, alone := c.integral().withoutIdle(opLeftInverse)
	if err := c.injectiveBut0(opLeftInverse); err != nil {
		return Composed{}, err
	}
	if alone {
		return c.plainInverse(opLeftInverse, func(l Layout) (Layout, error) { return leftInverse(l, caller{Until: c.stop()}) })
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

// withoutIdle returns c without the swizzles that change no number reaching them, such as Sw<0,M,S>, and reports
// whether only the layout is left.
func (c Composed) withoutIdle(op string) (r Composed, alone bool) {
	spans, err := c.spans(op)
	if err != nil {
		return c, false
	}
	var stages []stage
	for i, s := range c.stages() {
		w, ok := s.outer.(Swizzle)
		if ok && spans[i].least >= 0 && w.xorBits(1<<bits.Len64(uint64(spans[i].most))-1) == 0 {
			if isZero(s.offset.v) {
				continue
			}
			s.outer = unitLayout
		}
		stages = append(stages, s)
	}
	return composedOf(stages, c.inner(), c.stop()), len(c.stages()) > 0 && len(stages) == 0
}

// plainInverse inverts the layout of c, which has no functions outside, by f. If no layout inverts the layout of c, a
// chain may. The error is the error of f.
func (c Composed) plainInverse(op string, f func(Layout) (Layout, error)) (Composed, error) {
	l, err := f(c.inner())
	if err == nil {
		return l.Composed().Until(c.stop()), nil
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

// isIdentity reports whether l maps every integer to itself, those beyond its domain too.
func (l Layout) isIdentity() bool { return l.prof == "." && l.cod == nil && l.v[1] == 1 }

// injectiveBut0 refuses a function that has one value at two indices, unless the indices differ only in modes of stride
// 0.
func (c Composed) injectiveBut0(op string) error {
	moving := FilterZeros(c.inner())
	ok, w, err := composedOf(c.stages(), moving, c.stop()).IsInjective()
	if err != nil || ok {
		return err
	}
	return &Error{
		Code: CodeNotInjective, Op: op, Witness: c.sameLeaves(w),
		Msg: fmt.Sprintf("%v has the value %v at %v and at %v: nothing takes it back to both", c, w.Value, w.Coord, *w.Other),
	}
}

// sameLeaves makes w a witness for c. The inner layout of w's function has c's leaves, some with extent 1 instead.
func (c Composed) sameLeaves(w *Witness) *Witness {
	index, step := int64(0), int64(1)
	for i, s := range c.inner().extents() {
		index += w.Coord.v[i] * step
		step *= s
	}
	v := *w
	v.Index = index
	return &v
}

// RightInverse returns a chain r with c(r(i)) = i for every i below its size. If a chain inverts c, as for
// [Composed.LeftInverse], that size is the first integer that is not a value of c. Otherwise r follows CuTe's right
// inverse of the inner layout and may be smaller.
//
// It returns [CodeNotInvertible] if 0 is not a value, [CodeLimit] if 0 is a value but no known chain starts with 0, and
// the errors of [Composed.LeftInverse] except those about injectivity and negative values.
func (c Composed) RightInverse() (Composed, error) {
	const op = "right_inverse"
	if len(c.stages()) == 0 {
		l, err := RightInverse(c.inner())
		return l.Composed(), err
	}
	c, alone := c.integral().withoutIdle(op)
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
	} else if r, err = c.backwardsToInner(op, n, err); err != nil {
		return Composed{}, err
	}
	table, err := r.first(min(n, EnumLimit)).AppendOffsets(nil)
	if err != nil {
		return Composed{}, err
	}
	prefix, err := f.countsUp(table)
	if err != nil {
		return Composed{}, err
	}
	switch {
	case prefix == 0:
		if _, err := c.CoordAt(0); err == nil {
			return Composed{}, errorf(CodeLimit, op, "no chain that is known takes 0 back to the index where %v has it", c)
		}
		return Composed{}, errorf(CodeNotInvertible, op, "expected a function with the value 0 somewhere, found none in %v", c)
	case prefix == EnumLimit && prefix < n:
		return Composed{}, checkEnum(op, n, fmt.Sprintf("the right inverse of %v", c))
	}
	return r.first(prefix), nil
}

// backwardsToInner is backwards with CuTe's right inverse of the inner layout, tried after backwards fails. It returns
// that error, failed, if there is no such chain either.
func (c Composed) backwardsToInner(op string, n int64, failed error) (Composed, error) {
	inner, err := RightInverse(c.inner())
	if err != nil {
		return Composed{}, err
	}
	r, err := c.backwards(op, n, &inner)
	if err != nil {
		return Composed{}, failed
	}
	return r, nil
}

// countsUp returns the number of indices of the table, from the first one on, that f maps to 0, 1, 2, ....
func (f *function) countsUp(table []int64) (int64, error) {
	for i, x := range table {
		if err := f.c.stop().at(int64(i)); err != nil {
			return 0, err
		}
		if x < 0 || x >= f.size() || f.at(x) != int64(i) {
			return int64(i), nil
		}
	}
	return int64(len(table)), nil
}

// first returns the first n elements of a chain whose domain is an interval of integers.
func (c Composed) first(n int64) Composed {
	return composedOf(c.stages(), Layout{v: []int64{n, 1}, prof: "."}, c.stop())
}

// Inverse returns the inverse of a bijection from indices to [0, size) as a chain. It returns [CodeNotInvertible] with
// the first integer that c does not take exactly once, and the errors of [Composed.LeftInverse].
func (c Composed) Inverse() (Composed, error) {
	const op = "inverse"
	if len(c.stages()) == 0 {
		l, err := Inverse(c.inner())
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
	c, alone := c.withoutIdle(op)
	if alone {
		return c.plainInverse(op, Inverse)
	}
	return c.backwards(op, c.Size(), nil)
}

// The following functions invert a chain of functions, one after the other from the outside.

// backwards returns the chain that inverts c from the outside, on the domain n:1. If inner is given, it inverts the
// inner layout, as the last step.
func (c Composed) backwards(op string, n int64, inner *Layout) (Composed, error) {
	spans, err := c.spans(op)
	if err != nil {
		return Composed{}, err
	}
	identity := composedOf(nil, Layout{v: []int64{n, 1}, prof: "."}, c.stop())
	b := inverseChain{op: op, of: c, r: identity, now: span{0, n - 1}}
	for i, s := range c.stages() {
		switch f := s.outer.(type) {
		case Swizzle:
			err = b.swizzle(f)
		case Layout:
			var whole Layout
			if f.cod != nil {
				return Composed{}, errorf(CodeCodomain, op, "%v goes through coordinates, in %v", c, f)
			}
			if whole, err = f.upTo(max(spans[i].most, -spans[i].least, 0)); err == nil {
				err = b.layout(whole, spans[i].least)
			}
		}
		if err != nil {
			return Composed{}, err
		}
		o, _ := s.offset.Int64()
		if err := b.subtract(o); err != nil {
			return Composed{}, err
		}
	}
	if inner != nil {
		err = b.put(*inner, 0)
	} else {
		err = b.innermost(c.inner(), 0)
	}
	if err != nil {
		return Composed{}, err
	}
	return b.end()
}

// An inverseChain is the part of the inverse that is built so far.
type inverseChain struct {
	op     string
	of, r  Composed
	now    span  // bounds for the values of r
	before int64 // a number that must still be subtracted from the values of r
}

// put appends a function to the outside of the chain, after the pending offset.
func (b *inverseChain) put(f Outer, lift int64) error {
	s := stage{f, Int(lift - b.before)}
	b.r = composedOf(append([]stage{s}, b.r.stages()...), b.r.inner(), b.r.stop())
	b.before = 0
	var err error
	_, b.now, err = s.through(b.op, b.now)
	return err
}

// subtract adds to the pending offset.
func (b *inverseChain) subtract(o int64) error {
	var ok bool
	if b.before, ok = ints.Add(b.before, o); !ok {
		return overflowError(b.op, "the offsets of %v", b.of)
	}
	return nil
}

// swizzle inverts a swizzle, which is its own inverse.
func (b *inverseChain) swizzle(f Swizzle) error {
	less := b.before - b.now.least
	if less <= 0 {
		return b.put(f, 0)
	}
	// At an integer that is not a value of c, the argument may be negative. Then add 2^k, above all bits of the
	// swizzle, and subtract it afterwards.
	k := max(f.m+f.b+max(f.s, -f.s), bits.Len64(uint64(less)))
	if k > 61 {
		return overflowError(b.op, "the offsets of %v", b.of)
	}
	if err := b.put(f, 1<<k); err != nil {
		return err
	}
	return b.subtract(1 << k)
}

// layout inverts a layout at its offsets, from indices of at least the given one.
func (b *inverseChain) layout(l Layout, least int64) error {
	if l.isIdentity() {
		return nil
	}
	if ok, w, err := isInjective(l, b.of.stop()); err != nil || !ok {
		if err == nil {
			err = errorf(CodeNotInjective, b.op, "%v has the offset %v at %v and at %v", l, w.Value, w.Coord, *w.Other)
		}
		return b.noChain(err)
	}
	return b.innermost(l, least)
}

// innermost is layout for the innermost layout, whose modes of stride 0 do not count.
func (b *inverseChain) innermost(l Layout, least int64) error {
	if l.isIdentity() {
		return nil
	}
	inverse, err := leftInverse(l, caller{Until: b.of.stop()})
	if err == nil {
		return b.put(inverse, 0)
	}
	if !errorIs(err, CodeNotInvertible) && !errorIs(err, CodeLimit) && !errorIs(err, CodeOverflow) {
		return b.noChain(err)
	}
	if least < 0 {
		return b.noChain(err) // the steps below need numbers of one sign
	}
	return b.peel(l, err)
}

// peel inverts a layout whose strides, in order, each exceed the reach of all smaller strides. It works digit by digit,
// from the greatest stride down. The rest of a number after its greatest digit stays below that digit, in a range that
// the next stride divides evenly:
//
//	(8,32,3):(32,1,264)    264·x + rest    to 288·x + rest by (264,3):(1,288), which 32 divides,
//	                       288·x + 32·y + z to the index by (32,9,3):(8,1,256)
//
// Digits of negative strides are counted from their other end.
func (b *inverseChain) peel(l Layout, cause error) error {
	c := Coalesce(l)
	terms := termsAlong(c, 0)
	if len(terms) == 0 {
		return b.noChain(cause)
	}
	shift, origin, ok := lowEnd(terms)
	if !ok {
		return b.noChain(cause)
	}
	if err := b.subtract(-shift); err != nil {
		return err
	}
	// high lists the digits above the rest, lowest first; these digits do not change.
	high := []int64{terms[len(terms)-1].most + 1}
	for i := len(terms) - 1; i > 0; i-- {
		d, next := norm(terms[i].d), norm(terms[i-1].d)
		if d%next != 0 { // if it divides d, one layout inverts both digits
			if err := b.raise(l, d, next, high); err != nil {
				return err
			}
		}
		high = append([]int64{ints.CeilDiv(d, next)}, high...)
	}
	s, stride := []int64{norm(terms[0].d)}, []int64{0}
	for i, e := range high {
		w := terms[i].index
		if terms[i].d[0] < 0 {
			w = -w
		}
		s, stride = append(s, e), append(stride, w)
	}
	last, err := finish(b.op, append(s, stride...), flatProfile(len(s)), nil)
	if err != nil {
		return err
	}
	if err := b.put(Coalesce(last), 0); err != nil {
		return err
	}
	return b.subtract(-origin)
}

// lowEnd returns how far below 0 the offsets of the terms reach, and the index of the least offset. ok is false unless
// each stride exceeds the reach of all strides before it.
func lowEnd(terms []term) (below, index int64, ok bool) {
	reach := int64(0)
	for _, t := range terms {
		if norm(t.d) <= reach {
			return 0, 0, false
		}
		reach += t.most * norm(t.d)
		if t.d[0] < 0 {
			below += t.most * norm(t.d)
			index += t.most * t.index
		}
	}
	return below, index, true
}

// raise appends the step of peel that keeps the rest below d, and moves the digits above it, whose extents are in high,
// up to the first multiple of next.
func (b *inverseChain) raise(l Layout, d, next int64, high []int64) error {
	s, stride := []int64{d}, []int64{1}
	at, ok := ints.Mul(next, ints.CeilDiv(d, next))
	for _, e := range high {
		if !ok {
			return overflowError(b.op, "the digits of %v", l)
		}
		s, stride = append(s, e), append(stride, at)
		at, ok = ints.Mul(at, e)
	}
	step, err := finish(b.op, append(s, stride...), flatProfile(len(s)), nil)
	if err != nil {
		return err
	}
	return b.put(step, 0)
}

// noChain is the error that no known chain inverts a layout in the function, although there may be one.
func (b *inverseChain) noChain(err error) error {
	if errorIs(err, CodeNotInvertible) || errorIs(err, CodeNotInjective) {
		return &Error{
			Code: CodeLimit, Op: b.op,
			Msg: fmt.Sprintf("an inverse of %v is sought among the chains of the inverses of its parts, and there is none: %s",
				b.of, err.(*Error).Msg), //nolint:errorlint // errorIs checked the type
		}
	}
	return err
}

// end applies the pending offset.
func (b *inverseChain) end() (Composed, error) {
	if b.before != 0 {
		return b.r, b.put(unitLayout, 0)
	}
	return b.r, nil
}
