package indexmap

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"girih/cute"
	"girih/linear"
	"girih/swizzle"
)

// This file finds the layout that has the values of a table. A layout whose modes are the indices of the map is a sum
// of functions of one index each, so each index is recognised alone, with the others at 0, and then every entry must be
// the sum of its parts:
//
//	lambda i, j: (i // 3, i % 3 * 128 + j)  over (384, 128)
//	j = 0   (0,0) (0,128) (0,256) (1,0) ...     (3,128):(128@1,1@0)
//	i = 0   (0,0) (0,1) (0,2) ...               128:1@1
//
// If the sum fails, the values may be a layout after a swizzle or with F2 strides; with several results they may be a
// linear layout.

// A Fit is the layout with the values of a table. Exactly one field is set.
type Fit struct {
	Layout   *cute.Layout
	Composed *cute.Composed
	Xor      *linear.XorLayout
	Linear   *linear.Layout
}

// swizzleLimit is the largest number of values for which findSwizzle searches a swizzle. The values of a larger table
// are only compared with a layout with F2 strides, which needs extents that are powers of two.
const swizzleLimit = 1 << 17

// Fit returns the layout with the values of the table, in the shape of the extents.
//
// It returns [cute.CodeNotRepresentable] if there is none; the witness is the first index at which every layout fails.
// It returns the error of the function that may end the work.
func (t *Table) Fit() (Fit, error) {
	l, refusal := t.sum()
	if err := t.stopError(); err != nil {
		return Fit{}, err
	}
	if refusal == nil {
		return t.from(l)
	}
	if len(t.columns) > 1 {
		if l, ok := t.linear(); ok {
			return Fit{Linear: &l}, nil
		}
		return Fit{}, refusal
	}
	if c, ok := t.findSwizzle(); ok {
		return Fit{Composed: &c}, nil
	}
	x, err := linear.FitXor(cute.Ints(t.extents...), func(i int64) (int64, error) {
		if i&(1<<12-1) == 0 {
			return t.columns[0][i], t.stopError()
		}
		return t.columns[0][i], nil
	})
	if err != nil {
		if stopped := t.stopError(); stopped != nil {
			return Fit{}, stopped
		}
		return Fit{}, t.alsoXor(refusal, err)
	}
	if c, err := x.BehindSwizzles(); err == nil && t.isSwizzled(c) {
		return Fit{Composed: &c}, nil
	}
	return Fit{Xor: &x}, nil
}

func (t *Table) stopError() error {
	if t.stop == nil {
		return nil
	}
	return t.stop()
}

// alsoXor adds to the refusal that F2 strides fail too, and where.
func (t *Table) alsoXor(refusal *cute.Error, err error) *cute.Error {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Witness == nil || t.columns[0][0] != 0 {
		return refusal
	}
	r := *refusal
	r.Msg += fmt.Sprintf("; no swizzled layout has the values, and F2 strides fail at %s, where they would give %v",
		t.Where(e.Witness.Index), e.Witness.Want)
	return &r
}

// isSwizzled reports whether the composed layout has swizzles outside and the values of the table.
func (t *Table) isSwizzled(c cute.Composed) bool {
	if c.Outer() == nil {
		return false
	}
	for i, y := range t.columns[0] {
		v, err := c.Eval(cute.Int(int64(i)))
		if x, ok := v.Int64(); err != nil || !ok || x != y {
			return false
		}
	}
	return true
}

// findSwizzle returns the values as a layout after swizzles, in the shape of the extents.
func (t *Table) findSwizzle() (c cute.Composed, ok bool) {
	if t.Size() > swizzleLimit || t.least[0] < 0 {
		return c, false
	}
	r, err := swizzle.Recognize(t.columns[0])
	if err != nil || len(r.Swizzles) == 0 {
		return c, false
	}
	if c, err = r.Composed(); err != nil {
		return c, false
	}
	c, err = c.Map(func(l cute.Layout) (cute.Layout, error) { return l.WithShape(tupleOf(t.extents)) })
	return c, err == nil
}

// sum returns the layout whose modes are the indices, with the value at the origin left out.
func (t *Table) sum() (cute.Layout, *cute.Error) {
	modes := make([]cute.Layout, len(t.extents))
	first := failure{at: -1}
	step := int64(1)
	for k, e := range t.extents {
		l, at, why := t.mode(step, e)
		if modes[k] = l; at >= 0 {
			if len(modes) > 1 {
				why = fmt.Sprintf("along %s alone, %s", t.name(k), why)
			}
			first.note(at, why)
		}
		step *= e
	}
	if i := t.apart(); i >= 0 {
		first.note(i, "")
	}
	if first.at >= 0 {
		return cute.Layout{}, t.noLayout(first)
	}
	if len(modes) == 1 {
		return modes[0], nil
	}
	l, err := cute.MakeLayout(modes...)
	if err != nil {
		return l, refuse(cute.CodeOverflow, "%v", err)
	}
	return l, nil
}

// A failure is the first entry at which no layout has the values.
type failure struct {
	at  int64
	why string // "" if the entry is not the sum of its parts
}

func (f *failure) note(at int64, why string) {
	if f.at < 0 || at < f.at {
		*f = failure{at, why}
	}
}

// mode recognises the values along one index, whose entries are step apart. at is the entry at which every layout
// fails, or -1.
func (t *Table) mode(step, extent int64) (l cute.Layout, at int64, why string) {
	var err error
	if len(t.columns) == 1 {
		xs := make([]int64, extent)
		for i := range xs {
			xs[i] = t.columns[0][int64(i)*step] - t.columns[0][0]
		}
		l, err = t.stop.Recognize(xs)
	} else {
		xs := make([]cute.Tuple, extent)
		for i := range xs {
			ys := make([]int64, len(t.columns))
			for k, c := range t.columns {
				ys[k] = c[int64(i)*step] - c[0]
			}
			xs[i] = cute.Ints(ys...)
		}
		l, err = cute.RecognizeCoordinates(xs)
	}
	e, ok := errors.AsType[*cute.Error](err)
	switch {
	case err == nil:
		return l, -1, ""
	case !ok || e.Witness == nil:
		return l, 0, err.Error()
	}
	_, why, _ = strings.Cut(e.Msg, ": ") // no layout has these offsets: ...
	return l, e.Witness.Index * step, why
}

// apart returns the first entry that is not the sum of its parts, or -1.
func (t *Table) apart() int64 {
	for i := range t.Size() {
		for _, c := range t.columns {
			if c[i] != t.sumAt(c, i) {
				return i
			}
		}
	}
	return -1
}

// sumAt returns the sum of the values of a column along each index of entry i, with the other indices at 0.
func (t *Table) sumAt(c []int64, i int64) int64 {
	sum, step := c[0], int64(1)
	for _, e := range t.extents {
		sum += c[i%e*step] - c[0]
		i /= e
		step *= e
	}
	return sum
}

// noLayout is the error for the entry at which every layout fails.
func (t *Table) noLayout(f failure) *cute.Error {
	e := refuse(cute.CodeNotRepresentable, "no layout has these values: at %s the value is %v", t.Where(f.at), t.At(f.at))
	e.Witness = &cute.Witness{Coord: t.coord(f.at), Index: f.at, Value: t.At(f.at)}
	if f.why != "" {
		e.Msg += "; " + f.why
		return e
	}
	want := make([]int64, len(t.columns))
	for k, c := range t.columns {
		want[k] = t.sumAt(c, f.at)
	}
	e.Witness.Want = tupleOf(want)
	e.Msg += fmt.Sprintf(", every layout gives %v, the sum of its values along each index alone", e.Witness.Want)
	return e
}

// from returns the layout with the value at the origin added.
func (t *Table) from(l cute.Layout) (Fit, error) {
	origin := t.At(0)
	zero := true
	for _, c := range t.columns {
		zero = zero && c[0] == 0
	}
	if zero {
		return Fit{Layout: &l}, nil
	}
	// The identity maps all integers, or all coordinates from 0 on.
	var identity cute.Layout
	var err error
	if len(t.columns) == 1 {
		identity, err = cute.New(cute.Int(1), cute.Int(1))
	} else {
		box, ok := t.Box()
		if !ok {
			return Fit{}, t.below()
		}
		identity, err = cute.MakeIdentityLayout(cute.Ints(box...))
	}
	if err != nil {
		return Fit{}, err
	}
	c, err := cute.NewComposed(identity, origin, l)
	if err != nil {
		return Fit{}, err
	}
	return Fit{Composed: &c}, nil
}

// below is the error for a map to coordinates that begins at negative coordinates.
func (t *Table) below() *cute.Error {
	for i := range t.Size() {
		for _, c := range t.columns {
			if c[i] < 0 {
				e := refuse(cute.CodeNotRepresentable, "no layout has these values: at %s the coordinate is %v, below 0, and the value "+
					"at the origin is %v, not 0", t.Where(i), t.At(i), t.At(0))
				e.Witness = &cute.Witness{Coord: t.coord(i), Index: i, Value: t.At(i)}
				return e
			}
		}
	}
	return refuse(cute.CodeOverflow, "the coordinates leave 62 bits")
}

// linear returns a map with several results as a linear layout: the value of an index is the exclusive or of the values
// of its bits.
func (t *Table) linear() (linear.Layout, bool) {
	var ins []linear.In
	step := int64(1)
	for k, e := range t.extents {
		if e&(e-1) != 0 || t.m.names.parts {
			return linear.Layout{}, false
		}
		in := linear.In{Name: strings.ReplaceAll(t.name(k), " ", "")}
		for b := int64(1); b < e; b *= 2 {
			basis := make([]int64, len(t.columns))
			for o, c := range t.columns {
				basis[o] = c[b*step]
			}
			in.Bases = append(in.Bases, basis)
		}
		ins = append(ins, in)
		step *= e
	}
	for _, c := range t.columns {
		if c[0] != 0 || !isXor(c) {
			return linear.Layout{}, false
		}
	}
	outs := make([]linear.Dim, len(t.columns))
	for k := range outs {
		outs[k] = linear.Dim{Name: fmt.Sprintf("dim%d", k), Size: 1 << bits.Len64(uint64(max(t.most[k], 0)))}
	}
	l, err := linear.New(ins, outs)
	return l, err == nil
}

// isXor reports whether each entry is the exclusive or of the entries at the bits of its place.
func isXor(c []int64) bool {
	for i, y := range c {
		if y < 0 || i&(i-1) != 0 && y != c[i&(i-1)]^c[i&-i] {
			return false
		}
	}
	return true
}
