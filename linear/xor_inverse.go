package linear

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/internal/ints"
)

// This file answers questions about layouts with F2 strides, and inverts them, on their own coordinates. If the index
// splits into bits and the size n is not a power of two, the map of the bits extends beyond the layout; the questions
// are about the indices below n. Two such indices have the same offset exactly if two indices of the map do: an index k
// that the map takes to 0 is the sum of its leading bit and its lower bits, and both summands are at most the greatest
// power of two below n.

// Injective reports whether no two coordinates have the same offset, and if two coordinates do, returns their indices.
// It returns [cute.CodeLimit] if an extent before the last is not a power of two and there are more than
// [cute.EnumLimit] elements.
func (x XorLayout) Injective() (ok bool, i, j int64, err error) {
	if cols, bitwise := x.columns(); bitwise {
		m, err := f2.NewMatrix(f2.MaxRows, cols)
		if err != nil {
			return false, 0, 0, err
		}
		kernel, err := m.Kernel()
		if err != nil || len(kernel) == 0 {
			return err == nil, 0, 0, err
		}
		k := slices.Min(kernel)
		top := int64(1) << (k.Len() - 1)
		return false, int64(k) ^ top, top, nil
	}
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return false, 0, 0, err
	}
	first, second, err := ints.Twice(table, x.stop())
	if err != nil || first >= 0 {
		return false, int64(first), int64(second), err
	}
	return true, 0, 0, nil
}

// BehindSwizzles returns a layout in x's shape, followed by swizzles if necessary, with the offsets of x. It returns
// the errors of [XorLayout.Linear] and [Layout.ToComposed] if there is no such layout.
func (x XorLayout) BehindSwizzles() (cute.Composed, error) {
	l, err := x.Linear()
	if err != nil {
		return cute.Composed{}, err
	}
	c, err := l.ToComposed()
	if err != nil {
		return cute.Composed{}, err
	}
	return c.Map(func(in cute.Layout) (cute.Layout, error) { return in.WithShape(x.Shape()) })
}

// ImageSize returns the number of different offsets of a layout with a complement: the size of the space over F2 that
// they span.
func (x XorLayout) ImageSize() int64 { return 1 << len(x.complement().basis) }

// Gap returns the least number that is not an offset. It returns [cute.CodeLimit] as [XorLayout.AppendOffsets] does,
// unless all extents are powers of two.
func (x XorLayout) Gap() (int64, error) {
	if cols, ok := x.columns(); ok && !notPowerOfTwo(x.Size()) {
		// A space that contains 1, 2, ..., 2^k contains all their sums, so the next number that may be missing is
		// 2^(k+1).
		span := f2.Span(cols...).Basis()
		k := 0
		for k < len(span) && span[k] == 1<<k {
			k++
		}
		return 1 << k, nil
	}
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return 0, err
	}
	return ints.LeastMissing(table), nil
}

// RightInverse returns the largest layout R with F2 strides such that x(R(k)) = k for all k below R's size, where R(k)
// is the least such index. It returns [cute.CodeLimit] unless all extents are powers of two or there are at most
// [cute.EnumLimit] elements.
func (x XorLayout) RightInverse() (XorLayout, error) {
	if _, ok := x.columns(); ok && !notPowerOfTwo(x.Size()) {
		l, err := x.Linear()
		if err != nil {
			return XorLayout{}, err
		}
		r, err := l.RightInverse()
		if err != nil {
			return XorLayout{}, err
		}
		return r.ToXor()
	}
	least, err := x.LeastIndices()
	if err != nil {
		return XorLayout{}, err
	}
	l := ladder{h: least}
	m, _, _ := l.climb(1, int64(len(least)))
	return NewXor(m.shape(), m.strides()...)
}

// LeastIndices returns the least index of each of the offsets 0, 1, 2, ... up to the first number that is not an
// offset. It returns [cute.CodeLimit] above [cute.EnumLimit] elements.
func (x XorLayout) LeastIndices() ([]int64, error) {
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	least := make([]int64, len(table))
	for i := len(table) - 1; i >= 0; i-- {
		if y := table[i]; y < int64(len(least)) {
			least[y] = int64(i)
		}
	}
	for y := range least {
		if table[least[y]] != int64(y) {
			return least[:y], nil
		}
	}
	return least, nil
}

// LeftInverse returns a layout R with R(x(i)) = i for all i. It returns [cute.CodeNotInjective] if offsets repeat, with
// the second of two indices that have the same offset as witness, and the errors of [XorLayout.Linear] if the index
// does not split into bits.
func (x XorLayout) LeftInverse() (XorLayout, error) {
	ok, i, j, err := x.Injective()
	if err != nil {
		return XorLayout{}, err
	}
	if !ok {
		c, err := cute.Idx2Crd(cute.Int(j), x.Shape())
		if err != nil {
			return XorLayout{}, err
		}
		first, err := cute.Idx2Crd(cute.Int(i), x.Shape())
		if err != nil {
			return XorLayout{}, err
		}
		y, err := x.Eval(c)
		if err != nil {
			return XorLayout{}, err
		}
		return XorLayout{}, &cute.Error{
			Code: cute.CodeNotInjective, Op: "left_inverse",
			Witness: &cute.Witness{Coord: c, Index: j, Value: cute.Int(y), Other: &first},
			Msg:     fmt.Sprintf("expected every offset once, found %d at the indices %d and %d of %v", y, i, j, x),
		}
	}
	l, err := x.Linear()
	if err != nil {
		return XorLayout{}, err
	}
	if l, err = l.LeftInverse(); err != nil {
		return XorLayout{}, err
	}
	r, err := l.ToXor()
	if err != nil || !notPowerOfTwo(x.Size()) {
		return r, err
	}
	// R needs no values beyond x's greatest offset: the last mode ends there.
	most, err := x.Cosize()
	if err != nil {
		return XorLayout{}, err
	}
	s := r.Shape().Leaves()
	inner := int64(1)
	for _, e := range s[:len(s)-1] {
		inner *= e
	}
	s[len(s)-1] = (most + inner - 1) / inner
	var m modes
	for i, e := range s {
		m.add(e, r.strides()[i])
	}
	return m.layout(), nil
}

// Inverse returns the layout with x(R(k)) = k and R(x(i)) = i for all k and i below the size of x. Unless x maps one to
// one onto these numbers, it returns [cute.CodeNotInvertible], with the first index whose offset repeats or is outside
// of 0, ..., size-1. It returns [cute.CodeNotRepresentable] if no layout with F2 strides is the inverse, and
// [cute.CodeLimit] as [XorLayout.RightInverse] does.
func (x XorLayout) Inverse() (XorLayout, error) {
	const op = "inverse"
	ok, _, j, err := x.Injective()
	if err != nil {
		return XorLayout{}, err
	}
	most, err := x.Cosize()
	if err != nil {
		return XorLayout{}, err
	}
	if n := x.Size(); !ok || most != n {
		e := &cute.Error{
			Code: cute.CodeNotInvertible, Op: op,
			Msg: fmt.Sprintf("expected the offsets 0, ..., %d once each, found one of %d in %v", n-1, most-1, x),
		}
		if !ok {
			e.Msg = fmt.Sprintf("expected the offsets 0, ..., %d once each, found one twice in %v", n-1, x)
			y, err := x.Eval(cute.Int(j))
			if err != nil {
				return XorLayout{}, err
			}
			e.Witness = &cute.Witness{Coord: cute.Int(j), Index: j, Value: cute.Int(y)}
		}
		return XorLayout{}, e
	}
	if !notPowerOfTwo(x.Size()) {
		return x.RightInverse()
	}
	least, err := x.LeastIndices()
	if err != nil {
		return XorLayout{}, err
	}
	return xorFit{
		op: op, text: "the inverse of " + x.String(), shape: cute.Int(x.Size()),
		at: ints.Asking(x.stop(), func(i int64) (int64, error) { return least[i], nil }),
	}.fit()
}
