package cute

import (
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// This file bounds what the functions of a composed layout are applied to: an interval for each stage.

// reach returns the least and the greatest value of c, or, where its table is too long, bounds of them.
func (c Composed) reach(op string) (least, most int64, err error) {
	f, err := functionOf(op, c)
	if err == nil {
		least, most = f.reach()
		return least, most, nil
	}
	if !errorIs(err, CodeLimit) {
		return 0, 0, err
	}
	spans, tooWide := c.spans(op)
	if tooWide != nil {
		return 0, 0, err
	}
	if w, ok := c.stages[0].outer.(Swizzle); ok && spans[0].least >= 0 {
		return 0, w.most(spans[0].most), nil
	}
	return 0, 0, err
}

// most returns a bound of what the swizzle makes of the numbers from 0 to x: it sets no other bits than T, so that a
// number below grows to x + T at most, and it changes none above them all.
func (w Swizzle) most(x int64) int64 {
	t := (int64(1)<<w.b - 1) << (w.m + max(-w.s, 0))
	all := int64(1)<<bits.Len64(uint64(x|t)) - 1
	if sum, ok := ints.Add(x, t); ok {
		return min(sum, all)
	}
	return all
}

// A span holds the numbers that a function is applied to.
type span struct{ least, most int64 }

// spans returns, for each stage of c, an interval that holds what its function is applied to.
func (c Composed) spans(op string) ([]span, error) {
	terms, err := integerTerms(op, c.inner)
	if err != nil {
		return nil, err
	}
	out := make([]span, len(c.stages))
	least, reach := extremes(c.inner, terms)
	now := span{least, least + reach}
	for i := len(c.stages) - 1; i >= 0; i-- {
		if out[i], now, err = c.stages[i].through(op, now); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// through returns intervals of what the function of the stage is applied to, for numbers from the given one, and of its
// values.
func (s stage) through(op string, in span) (taken, out span, err error) {
	o, isInt := s.offset.Int64()
	least, ok1 := ints.Add(in.least, o)
	most, ok2 := ints.Add(in.most, o)
	if !isInt || !ok1 || !ok2 {
		return taken, out, overflowError(op, "numbers from %d to %d and the offset %v", in.least, in.most, s.offset)
	}
	taken = span{least, most}
	f, ok := s.outer.(Layout)
	if !ok {
		return taken, span{0, s.outer.(Swizzle).most(max(most, 0))}, nil
	}
	whole, err := f.upTo(max(most, -least, 0))
	if err != nil {
		return taken, out, err
	}
	terms, err := integerTerms(op, whole)
	if err != nil {
		return taken, out, err
	}
	at, reach := extremes(whole, terms)
	out = span{at, at + reach}
	if least < 0 { // layouts are odd
		n := max(-at, at+reach)
		out = span{-n, n}
	}
	return taken, out, nil
}

// upTo returns l with its last mode as long as it takes to have the index x. A layout without modes is 0 at every
// index.
func (l Layout) upTo(x int64) (Layout, error) {
	n := l.leaves()
	if x < l.Size() || n == 0 {
		return l, nil
	}
	v := slices.Clone(l.v)
	var ok bool
	if v[n-1], ok = ints.Add(x/(l.Size()/v[n-1]), 1); !ok {
		return Layout{}, overflowError(opLeftInverse, "the indices up to %d of %v", x, l)
	}
	return finish(opLeftInverse, v, l.prof, l.cod)
}
