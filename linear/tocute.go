package linear

import (
	"fmt"
	"math/bits"

	"girih/cute"
)

// This file converts maps over bits to CuTe layouts. A CuTe layout of 2^n elements has extents that are powers of two,
// so it is a sum over bits. By the theorem in cute.go, the sum equals the map if and only if no two basis vectors share
// a bit. Therefore no layout exists for a map that is refused here.

// ToLayout returns the map as a layout of integers, and the map's value at 0, which must be added. A stride is negative
// where the origin contains the bits of a basis vector, as in 7 + 8:-1. Each input dimension is a mode, coalesced; a
// single mode is not nested. Several output dimensions make coordinate strides, axis i for dimension i: flatten them
// first to get offsets.
//
// It returns [cute.CodeNotRepresentable] if two basis vectors share a bit; the witness is the coordinate at which both
// are set, the value there and the sum that a layout would give.
func (l Layout) ToLayout() (cute.Layout, cute.Tuple, error) {
	if err := l.checkDisjoint(); err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	offset := l.offset(l.origin)
	modes := make([]cute.Layout, l.ins.len())
	for i := range modes {
		var err error
		if modes[i], err = l.mode(i); err != nil {
			return cute.Layout{}, cute.Tuple{}, err
		}
	}
	if len(modes) == 1 {
		return modes[0], offset, nil
	}
	r, err := cute.MakeLayout(modes...)
	return r, offset, err
}

// checkDisjoint returns an error for the first two columns that share a bit, the smaller bits first.
func (l Layout) checkDisjoint() error {
	for hi := range l.cols {
		for lo := range hi {
			shared := l.cols[hi] & l.cols[lo]
			if shared == 0 {
				continue
			}
			at := uint64(1)<<hi | 1<<lo
			value := l.flat(at)
			sum, start := l.outs.split(l.cols[hi]^l.origin), l.outs.split(l.origin)
			for i, y := range l.outs.split(l.cols[lo] ^ l.origin) {
				sum[i] += y - start[i]
			}
			w := &cute.Witness{Coord: l.ins.tuple(at), Index: int64(at), Value: l.outs.tuple(value), Want: cute.Ints(sum...)}
			d, k := l.outs.owner(bits.TrailingZeros64(shared))
			return &cute.Error{
				Code: cute.CodeNotRepresentable, Op: "layout", Witness: w,
				Msg: fmt.Sprintf("no layout is this map: %s and %s both flip bit %d of %s, so that the value at %s is %s and not the sum of the values of its bits",
					l.basisText(lo), l.basisText(hi), k, l.outs.names[d], l.ins.text(at), l.outs.text(value)),
				Hint: "a swizzle may be outside a layout; F2 strides always are",
			}
		}
	}
	return nil
}

// offset returns a flat output in the form of a layout's values: an integer, or a coordinate.
func (l Layout) offset(flat uint64) cute.Tuple {
	if l.outs.len() == 1 {
		return cute.Int(int64(flat))
	}
	return l.outs.tuple(flat)
}

// mode returns an input dimension as a mode: bits whose strides double are one leaf.
func (l Layout) mode(i int) (cute.Layout, error) {
	var leaves []cute.Layout
	first, n := int(l.ins.off[i]), int(l.ins.bits[i])
	for k := 0; k < n; {
		run := 1
		for k+run < n && l.doubles(first+k+run) {
			run++
		}
		stride, err := l.stride(first + k)
		if err != nil {
			return cute.Layout{}, err
		}
		leaf, err := cute.New(cute.Int(1<<run), stride)
		if err != nil {
			return cute.Layout{}, err
		}
		leaves = append(leaves, leaf)
		k += run
	}
	switch len(leaves) {
	case 0:
		return cute.New(cute.Int(1), cute.Int(0))
	case 1:
		return leaves[0], nil
	}
	return cute.MakeLayout(leaves...)
}

// step returns the change of output dimension d by the bit of a column.
func (l Layout) step(col, d int) int64 {
	o := int64(l.outs.at(d, l.origin))
	return int64(l.outs.at(d, l.origin^l.cols[col])) - o
}

// doubles reports whether a column adds twice what the column before adds.
func (l Layout) doubles(col int) bool {
	for d := range l.outs.len() {
		if l.step(col, d) != 2*l.step(col-1, d) {
			return false
		}
	}
	return true
}

// stride returns the change by the bit of a column, as a stride.
func (l Layout) stride(col int) (cute.Tuple, error) {
	if l.outs.len() == 1 {
		return cute.Int(l.step(col, 0)), nil
	}
	sum := cute.Int(0)
	for d := range l.outs.len() {
		x := l.step(col, d)
		if x == 0 {
			continue
		}
		b, err := cute.Basis(x, d)
		if err != nil {
			return sum, err
		}
		if sum.Equal(cute.Int(0)) {
			sum = b
			continue
		}
		if sum, err = sum.Add(b); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// ToComposed returns the map as a layout if possible, or else as a swizzle outside a layout, Sw<B,M,S> o offset o L,
// with the smallest B, then M, then |S|, then S above 0. The output must be a single dimension. A layout without a
// swizzle is 1:1 o offset o L if the offset is not 0.
//
// It returns [cute.CodeCodomain] for several output dimensions. It returns the error of [Layout.ToLayout] if no
// composition of one swizzle and a layout equals the map.
func (l Layout) ToComposed() (cute.Composed, error) {
	if l.outs.len() != 1 {
		return cute.Composed{}, fail(cute.CodeCodomain, "layout",
			"a swizzle is applied to offsets: expected one output dimension, found %s", l.outs.list())
	}
	plain, offset, err := l.ToLayout()
	if err == nil {
		if offset.Equal(cute.Int(0)) {
			return cute.Composed{}.Map(func(cute.Layout) (cute.Layout, error) { return plain, nil })
		}
		identity, errI := cute.New(cute.Int(1), cute.Int(1))
		if errI != nil {
			return cute.Composed{}, errI
		}
		return cute.NewComposed(identity, offset, plain)
	}
	w, ok := l.unswizzle()
	if !ok {
		return cute.Composed{}, err
	}
	inner := l.swizzledBy(w)
	plain, offset, err = inner.ToLayout()
	if err != nil {
		return cute.Composed{}, err
	}
	return cute.NewComposed(w, offset, plain)
}

// swizzledBy returns the map followed by the swizzle, which is its own inverse.
func (l Layout) swizzledBy(w cute.Swizzle) Layout {
	cols := make([]uint64, len(l.cols))
	for j, c := range l.cols {
		cols[j] = swizzleOf(w, c)
	}
	l.cols, l.origin = cols, swizzleOf(w, l.origin)
	return l
}

// swizzleOf applies w to an offset below 2^62, which is never refused.
func swizzleOf(w cute.Swizzle, x uint64) uint64 {
	y, _ := w.At(int64(x))
	return uint64(y)
}

// unswizzle looks for the smallest swizzle under which no two columns share a bit.
func (l Layout) unswizzle() (cute.Swizzle, bool) {
	n := l.outs.width()
	for b := 1; 2*b <= n; b++ {
		for m := 0; m+2*b <= n; m++ {
			for dist := b; m+b+dist <= n; dist++ {
				for _, s := range [...]int{dist, -dist} {
					w, err := cute.NewSwizzle(b, m, s)
					if err != nil {
						continue
					}
					if l.disjointUnder(w) {
						return w, true
					}
				}
			}
		}
	}
	return cute.Swizzle{}, false
}

func (l Layout) disjointUnder(w cute.Swizzle) bool {
	var used uint64
	for _, c := range l.cols {
		c = swizzleOf(w, c)
		if c&used != 0 {
			return false
		}
		used |= c
	}
	return true
}
