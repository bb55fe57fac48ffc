package cute

import (
	"fmt"
	"math/bits"

	"girih/internal/ints"
)

// This file takes back a chain of functions, one after the other from the outside: the work of the inverses.

// backwards returns the chain that takes back c from the outside, on n:1, the inner layout last: by the given one, if
// there is one.
func (c Composed) backwards(op string, n int64, inner *Layout) (Composed, error) {
	spans, err := c.spans(op)
	if err != nil {
		return Composed{}, err
	}
	identity := Composed{inner: Layout{v: []int64{n, 1}, prof: "."}, stop: c.stop}
	b := inverseChain{op: op, of: c, r: identity, now: span{0, n - 1}}
	for i, s := range c.stages {
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
		err = b.innermost(c.inner, 0)
	}
	if err != nil {
		return Composed{}, err
	}
	return b.end()
}

// An inverseChain is the chain that takes back another one, as far as it is made.
type inverseChain struct {
	op     string
	of, r  Composed
	now    span  // bounds of what comes out of r
	before int64 // what is still to be subtracted from that
}

// put appends a function to the chain, outside, after the offset that is due.
func (b *inverseChain) put(f Outer, lift int64) error {
	s := stage{f, Int(lift - b.before)}
	b.r.stages = append([]stage{s}, b.r.stages...)
	b.before = 0
	var err error
	_, b.now, err = s.through(b.op, b.now)
	return err
}

// subtract adds to what is due.
func (b *inverseChain) subtract(o int64) error {
	var ok bool
	if b.before, ok = ints.Add(b.before, o); !ok {
		return overflowError(b.op, "the offsets of %v", b.of)
	}
	return nil
}

// swizzle takes back a swizzle, which takes back itself.
func (b *inverseChain) swizzle(f Swizzle) error {
	less := b.before - b.now.least
	if less <= 0 {
		return b.put(f, 0)
	}
	// At a value that the function does not have a number may be negative: 2^k more, above all bits of the swizzle, and
	// 2^k less after it.
	k := max(f.m+f.b+max(f.s, -f.s), bits.Len64(uint64(less)))
	if k > 61 {
		return overflowError(b.op, "the offsets of %v", b.of)
	}
	if err := b.put(f, 1<<k); err != nil {
		return err
	}
	return b.subtract(1 << k)
}

// layout takes back a layout at the offsets that it has, from indices of at least the given one.
func (b *inverseChain) layout(l Layout, least int64) error {
	if l.isIdentity() {
		return nil
	}
	if ok, w, err := isInjective(l, b.of.stop); err != nil || !ok {
		if err == nil {
			err = errorf(CodeNotInjective, b.op, "%v has the offset %v at %v and at %v", l, w.Value, w.Coord, *w.Other)
		}
		return b.noChain(err)
	}
	return b.innermost(l, least)
}

// innermost is layout for the innermost one, which may have modes of stride 0, that do not count.
func (b *inverseChain) innermost(l Layout, least int64) error {
	if l.isIdentity() {
		return nil
	}
	inverse, err := leftInverse(l, caller{Until: b.of.stop})
	if err == nil {
		return b.put(inverse, 0)
	}
	if !errorIs(err, CodeNotInvertible) && !errorIs(err, CodeLimit) && !errorIs(err, CodeOverflow) {
		return b.noChain(err)
	}
	if least < 0 {
		return b.noChain(err) // the steps below take numbers of one sign
	}
	return b.peel(l, err)
}

// peel takes back a layout whose strides, in order, each exceed what those before it reach together: digit by digit,
// the one of the greatest stride first. What is left of a number behind its greatest digit lies in front of it, in as
// many places as the next stride divides evenly:
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
	reach, shift, origin := int64(0), int64(0), int64(0)
	for _, t := range terms {
		if norm(t.d) <= reach {
			return b.noChain(cause)
		}
		reach += t.most * norm(t.d)
		if t.d[0] < 0 {
			shift += t.most * norm(t.d)
			origin += t.most * t.index
		}
	}
	if err := b.subtract(-shift); err != nil {
		return err
	}
	// high has the digits that lie in front of the rest, the lowest first; they go on unchanged.
	high := []int64{terms[len(terms)-1].most + 1}
	for i := len(terms) - 1; i > 0; i-- {
		d, next := norm(terms[i].d), norm(terms[i-1].d)
		if d%next == 0 {
			high = append([]int64{d / next}, high...) // the same layout takes both
			continue
		}
		places := (d + next - 1) / next
		s, stride := []int64{d}, []int64{1}
		at, ok := ints.Mul(next, places)
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
		if err := b.put(step, 0); err != nil {
			return err
		}
		high = append([]int64{places}, high...)
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

// noChain says that a layout in the function is taken back by no chain that is known, which does not mean that there is
// none.
func (b *inverseChain) noChain(err error) error {
	if errorIs(err, CodeNotInvertible) || errorIs(err, CodeNotInjective) {
		return &Error{
			Code: CodeLimit, Op: b.op,
			Msg: fmt.Sprintf("an inverse of %v is sought among the chains of the inverses of its parts, and there is none: %s",
				b.of, err.(*Error).Msg), //nolint:errorlint // errorIs
		}
	}
	return err
}

// end adds what is due.
func (b *inverseChain) end() (Composed, error) {
	if b.before != 0 {
		return b.r, b.put(unitLayout, 0)
	}
	return b.r, nil
}
