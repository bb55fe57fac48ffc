package linear

import (
	"errors"
	"strings"

	"girih/cute"
	"girih/f2"
)

// This file rearranges the modes of layouts with F2 strides. Operations that only move modes do not look at strides, so
// package cute runs them on layouts whose strides are the numbers of the leaves; the result shows the new place of each
// leaf.

// firstLeaf is the number of the first leaf. Smaller strides are not leaf numbers but real strides, such as the 0 of an
// added mode 1:0.
const firstLeaf = 1 << 32

// Rearrange returns the layout that f makes of the modes of xs. f receives layouts with the nesting of xs, in which
// every leaf has the extent 2 and a stride that identifies it. f may move, nest, repeat and leave out leaves, and add
// leaves of stride 0. It returns the errors of f, [cute.CodeCodomain] if f adds another stride, and the errors of
// [NewXor].
func Rearrange(f func(ls ...cute.Layout) (cute.Layout, error), xs ...XorLayout) (XorLayout, error) {
	type leaf struct {
		s int64
		d f2.Vector
	}
	var all []leaf
	ls := make([]cute.Layout, len(xs))
	for i, x := range xs {
		next := firstLeaf + int64(len(all))
		stride := renumber(x.Shape(), func(int64) int64 { next++; return next - 1 })
		l, err := cute.New(renumber(x.Shape(), func(int64) int64 { return 2 }), stride)
		if err != nil {
			return XorLayout{}, err
		}
		ls[i] = l
		for j, s := range x.Shape().Leaves() {
			all = append(all, leaf{s, x.strides()[j]})
		}
	}
	r, err := f(ls...)
	if err != nil {
		return XorLayout{}, renameError(err, ls, xs)
	}
	numbers := r.Stride().Leaves()
	strides := make([]f2.Vector, len(numbers))
	at := 0
	shape := renumber(r.Shape(), func(s int64) int64 {
		if n := numbers[at] - firstLeaf; n >= 0 && n < int64(len(all)) {
			s, strides[at] = all[n].s, all[n].d
		} else if numbers[at] != 0 && err == nil {
			err = fail(cute.CodeCodomain, "make_layout", "among F2 strides a stride is an F2 stride or 0, found the integer %d",
				numbers[at])
		}
		at++
		return s
	})
	if err != nil {
		return XorLayout{}, err
	}
	return NewXor(shape, strides...)
}

// renameError replaces the numbered layouts in the message of an error by the layouts of xs, and does the same for
// their modes.
func renameError(err error, ls []cute.Layout, xs []XorLayout) error {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return err
	}
	out := *e
	var write func(l cute.Layout, x XorLayout)
	write = func(l cute.Layout, x XorLayout) {
		out.Msg = strings.ReplaceAll(out.Msg, l.String(), x.String())
		if ms := x.Modes(); !x.Shape().IsInt() && l.Rank() == len(ms) {
			for i, m := range l.Modes() {
				write(m, ms[i])
			}
		}
	}
	for i := range ls {
		write(ls[i], xs[i])
		if !xs[i].Shape().IsInt() {
			out.Msg = strings.ReplaceAll(out.Msg, ls[i].Shape().String(), xs[i].Shape().String())
		}
	}
	return &out
}

// renumber returns t with each leaf x replaced by f(x). It calls f on the leaves from left to right.
func renumber(t cute.Tuple, f func(x int64) int64) cute.Tuple {
	if x, ok := t.Int64(); ok && t.IsInt() {
		return cute.Int(f(x))
	}
	elems := t.Modes()
	for i, e := range elems {
		elems[i] = renumber(e, f)
	}
	out, err := cute.MakeTuple(elems...)
	if err != nil {
		return t // not reached: t has this nesting already
	}
	return out
}

// Concat returns the layout whose modes are the given layouts: make_layout. It returns the errors of [NewXor].
func Concat(parts ...XorLayout) (XorLayout, error) {
	var shapes []cute.Tuple
	var strides []f2.Vector
	var stop func() error
	for _, p := range parts {
		shapes, strides = append(shapes, p.Shape()), append(strides, p.strides()...)
		if stop == nil {
			stop = p.stop()
		}
	}
	shape, err := cute.MakeTuple(shapes...)
	if err != nil {
		return XorLayout{}, err
	}
	x, err := NewXor(shape, strides...)
	return x.Until(stop), err
}

// Modes returns the top-level modes; a layout whose shape is an integer is its only mode.
func (x XorLayout) Modes() []XorLayout {
	if x.Shape().IsInt() {
		return []XorLayout{x}
	}
	var out []XorLayout
	at := 0
	for _, m := range x.Shape().Modes() {
		n := len(m.Leaves())
		out = append(out, xorOf(m, x.strides()[at:at+n:at+n], x.stop()))
		at += n
	}
	return out
}

// FilterZeros returns the layout with the extent 1 wherever the stride is 0.
func (x XorLayout) FilterZeros() XorLayout {
	at := -1
	return xorOf(renumber(x.Shape(), func(s int64) int64 {
		if at++; x.strides()[at] == 0 {
			return 1
		}
		return s
	}), x.strides(), x.stop())
}

// Nullspace returns the layout of the indices that x maps to 0 because their strides are 0. It returns the errors of
// cute.Nullspace.
func (x XorLayout) Nullspace() (cute.Layout, error) {
	at := -1
	l, err := cute.New(x.Shape(), renumber(x.Shape(), func(int64) int64 {
		if at++; x.strides()[at] == 0 {
			return 0
		}
		return 1
	}))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.Nullspace(l), nil
}

// SliceAndOffset returns the layout of the modes that the coordinate leaves open, and the offset of the fixed modes,
// which is added without carries: the exclusive or of both is the value of x. It returns [cute.CodeNotCongruent] for a
// coordinate of another nesting, and the errors of [XorLayout.Eval].
func (x XorLayout) SliceAndOffset(c cute.Coord) (XorLayout, int64, error) {
	s, err := Rearrange(func(ls ...cute.Layout) (cute.Layout, error) { return ls[0].Slice(c) }, x)
	if err != nil {
		return XorLayout{}, 0, err
	}
	at, err := x.Eval(closeCoord(c))
	return s, at, err
}

// closeCoord returns the coordinate with 0 wherever it is open.
func closeCoord(c cute.Coord) cute.Tuple {
	if t, ok := c.Tuple(); ok {
		return t
	}
	if c.String() == "_" {
		return cute.Int(0)
	}
	var elems []cute.Tuple
	for _, m := range c.Modes() {
		elems = append(elems, closeCoord(m))
	}
	t, _ := cute.MakeTuple(elems...) // cannot fail, because the elements are integers
	return t
}
