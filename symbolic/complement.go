package symbolic

import (
	"fmt"
	"slices"

	"girih"
)

// This file implements complement: the strides of A, smallest first, and the block they cover so far. The order of the
// strides and that each is a multiple of the block must be known; the gaps, the block and the cotarget need not be.

// Complement returns the layout that fills what a leaves free of its codomain up to the cotarget, as [girih.Complement]
// does. It returns [girih.CodeUnknown] if the order of the strides, or whether one is a multiple of the block before it,
// is not known, and the errors of girih.Complement.
func Complement(a Layout, cotarget Tuple) (Layout, error) {
	w := begin("complement", a)
	gaps, block := w.gaps(a)
	if w.err != nil {
		return w.end(Layout{})
	}
	var extents []Int
	for _, v := range cotarget.leaves(nil) {
		x, ok := v.Int()
		if !ok {
			return Layout{}, &girih.Error{Code: girih.CodeCodomain, Op: w.op, Msg: fmt.Sprintf("the strides of %s are integers, so the cotarget is a shape, found %s", a, cotarget)}
		}
		extents = append(extents, x)
	}
	ms := slices.Concat(gaps, w.rest(extents, block))
	return w.end(group(w.trimmed(ms)))
}

// trimmed coalesces modes and drops those of extent 1.
func (w *work) trimmed(ms []mode) []mode {
	ms = w.joined(ms)
	if len(ms) == 1 && ms[0].s.is(1) {
		ms[0].d = Vector{}
	}
	return ms
}

// gaps returns the modes that fill the gaps of a, and the block that a and they cover.
func (w *work) gaps(a Layout) (gaps []mode, block Int) {
	block = Const(1)
	type leaf struct{ s, d Int }
	var left []leaf
	for _, m := range a.modes() {
		d, ok := m.d.Int()
		if !ok {
			w.fail(&girih.Error{Code: girih.CodeUnknown, Op: w.op, Msg: fmt.Sprintf("the complement of %s, along coordinates, needs known integers", a)})
			return nil, block
		}
		if !m.s.is(1) && !d.is(0) {
			left = append(left, leaf{m.s, d})
		}
	}
	for len(left) > 0 {
		// The smallest stride: every other one is at least as large.
		at := slices.IndexFunc(left, func(x leaf) bool {
			return !slices.ContainsFunc(left, func(y leaf) bool { return atMost(x.d, y.d) != yes })
		})
		if len(left) == 1 {
			at = 0
		}
		if at < 0 {
			w.refuse("which stride of %s is the smallest is not known", a)
			return nil, block
		}
		s, d := left[at].s, left[at].d
		left = slices.Delete(left, at, at+1)
		if d.static() && d.k < 0 {
			w.fail(&girih.Error{Code: girih.CodeNegative, Op: w.op, Msg: fmt.Sprintf("the stride %s of %s is negative: the operation needs strides of at least 0", d, a)})
			return nil, block
		}
		gap, ok := w.exact(d, block)
		if !ok {
			if divides(block, d) == no {
				w.fail(&girih.Error{
					Code: girih.CodeNotComplementable, Op: w.op,
					Msg: fmt.Sprintf("%s has no complement: the stride %s is not a multiple of %s, the block that the smaller strides cover", a, d, block),
				})
				return nil, block
			}
			w.refuse("whether the stride %s of %s is a multiple of %s, the block that the smaller strides cover, is not known", d, a, block)
			return nil, block
		}
		w.require(atMostIf(Const(1), gap))
		if !gap.is(1) {
			gaps = append(gaps, mode{gap, Scalar(block)})
		}
		block = w.mul(s, d)
	}
	return gaps, block
}

// rest returns the modes that repeat the block up to the cotarget, divided from left to right with each extent rounded up.
func (w *work) rest(cotarget []Int, block Int) []mode {
	var out []mode
	left := block
	for _, s := range cotarget {
		share := s
		if !left.is(1) {
			share, left = w.ceilDiv(s, left), w.ceilDiv(left, s)
		}
		out = append(out, mode{share, Scalar(block)})
		block = w.mul(block, share)
	}
	return out
}
