package codegen

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"girih"
)

// This file writes functions of an index as Triton's linear layouts: maps over single bits, in which the value of
// an index is the exclusive or of the values of its bits (the bases). A layout is one if and only if its extents
// are powers of two and no two bits of the index touch the same bit of the offset; a swizzle keeps that.

// maxEnumerated is the largest composed layout that is checked, index by index.
const maxEnumerated = 1 << 18

// maxTriton is the largest extent of an output: Triton keeps sizes in 32-bit integers.
const maxTriton = 1 << 30

// writeTriton writes from_bases(bases, names of the outputs, their sizes, whether it must be surjective).
func writeTriton(n node) (string, error) {
	if !allStatic(n) {
		return "", refuse(Triton, "the bases of a linear layout are known integers, %s has others", girihText(n))
	}
	var m bitMap
	var err error
	switch n := n.(type) {
	case layout:
		m, err = layoutMap(n)
	case composed:
		m, err = composedMap(n)
	case swizzle:
		m, err = swizzleMap(n)
	default:
		return "", refuse(Triton, "a linear layout is a function of an index, %s is not: write a layout", describe(n))
	}
	if err != nil {
		return "", err
	}
	return m.fromBases()
}

// A bitMap is a linear map over bits: basis j is the value of index 1<<j, a number for each axis of the codomain.
type bitMap struct {
	axes  int
	bases [][]int64
}

// A function of an index returns a number for each axis.
type function func(i int64) ([]int64, error)

// newBitMap returns the only bitMap that can agree with the function at of the given size, which is that of n.
func newBitMap(n node, size int64, at function) (bitMap, error) {
	if size < 1 || size&(size-1) != 0 {
		return bitMap{}, refuse(Triton, "a linear layout has a power of two of elements, this has %d: pad it and mask the rest", size)
	}
	zero, err := at(0)
	if err != nil {
		return bitMap{}, err
	}
	m := bitMap{axes: len(zero), bases: make([][]int64, bits.TrailingZeros64(uint64(size)))}
	if err := m.check(0, at, n); err != nil {
		return m, err
	}
	for j := range m.bases {
		if m.bases[j], err = at(1 << j); err != nil {
			return m, err
		}
		if slices.Min(m.bases[j]) < 0 {
			return m, refuse(Triton, "the values of a linear layout are not negative, the one of index %d is %v", int64(1)<<j, vector(m.bases[j]))
		}
	}
	return m, nil
}

// at returns the value of the index i: the exclusive or of the values of its bits.
func (m bitMap) at(i int64) []int64 {
	v := make([]int64, m.axes)
	for ; i != 0; i &= i - 1 {
		for k, x := range m.bases[bits.TrailingZeros64(uint64(i))] {
			v[k] ^= x
		}
	}
	return v
}

// check compares the map with the function at an index.
func (m bitMap) check(i int64, at function, n node) error {
	v, err := at(i)
	if err != nil {
		return err
	}
	want := m.at(i)
	if slices.Equal(v, want) {
		return nil
	}
	w := &girih.Witness{Coord: girih.Int(i), Index: i, Value: vector(v), Want: vector(want)}
	e := &girih.Error{
		Code: girih.CodeNotRepresentable, Op: string(Triton), Witness: w,
		Msg: fmt.Sprintf("%s is not linear over bits: at index %d the value is %v, the exclusive or of the values of its bits is %v",
			girihText(n), i, w.Value, w.Want),
	}
	if i == 0 {
		e.Hint = "add the offset outside of the linear layout"
	}
	return e
}

func layoutMap(l layout) (bitMap, error) {
	a, err := girih.Parse(girihText(l))
	if err != nil {
		return bitMap{}, err
	}
	at := evaluator(a.Eval)
	m, err := newBitMap(l, a.Size(), at)
	if err != nil {
		return m, err
	}
	// The value of an index is the sum of the values of its bits, because the extents are powers of two. A sum
	// is the exclusive or unless two of them share a bit, so the first index that fails has two bits.
	for hi := range m.bases {
		for lo := range hi {
			if err := m.check(1<<hi|1<<lo, at, l); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// composedMap looks at every index, because the functions of the chain can be any.
func composedMap(c composed) (bitMap, error) {
	f, err := buildComposed(c)
	if err != nil {
		return bitMap{}, err
	}
	if f.Size() > maxEnumerated {
		return bitMap{}, &girih.Error{
			Code: girih.CodeLimit, Op: string(Triton),
			Msg: fmt.Sprintf("the composed layout has %d elements, at most %d are looked at", f.Size(), maxEnumerated),
		}
	}
	at := evaluator(f.Eval)
	m, err := newBitMap(c, f.Size(), at)
	for i := int64(1); err == nil && i < f.Size(); i++ {
		err = m.check(i, at, c)
	}
	return m, err
}

// buildComposed returns the chain as girih has it.
func buildComposed(c composed) (girih.Composed, error) {
	l, err := girih.Parse(girihText(c.inner))
	if err != nil {
		return girih.Composed{}, err
	}
	var inner girih.Inner = l
	var f girih.Composed
	for i := len(c.stages) - 1; i >= 0; i-- {
		s := c.stages[i]
		offset, err := girih.ParseTuple(leafText(s.offset))
		if err != nil {
			return f, err
		}
		var outer girih.Outer
		if w, ok := s.outer.(swizzle); ok {
			outer, err = girih.NewSwizzle(w.b, w.m, w.s)
		} else {
			outer, err = girih.Parse(girihText(s.outer))
		}
		if err != nil {
			return f, err
		}
		if f, err = girih.NewComposed(outer, offset, inner); err != nil {
			return f, err
		}
		inner = f
	}
	return f, nil
}

// swizzleMap takes the swizzle as a function of the integers that it permutes: 2^(B+M+|S|) of them.
func swizzleMap(n swizzle) (bitMap, error) {
	w, err := girih.NewSwizzle(n.b, n.m, n.s)
	if err != nil {
		return bitMap{}, err
	}
	size := n.b + n.m + max(n.s, -n.s)
	if size > 30 {
		return bitMap{}, refuse(Triton, "%s permutes 2^%d integers, a linear layout has at most 2^30 values", girihText(n), size)
	}
	return newBitMap(n, 1<<size, func(i int64) ([]int64, error) {
		x, err := w.At(i)
		return []int64{x}, err
	})
}

// evaluator returns a function of the coordinate as one of the index.
func evaluator(eval func(girih.Tuple) (girih.Tuple, error)) function {
	return func(i int64) ([]int64, error) {
		v, err := eval(girih.Int(i))
		if err != nil {
			return nil, err
		}
		if v.Depth() > 1 || v.HasBasis() || len(v.Leaves()) == 0 {
			return nil, refuse(Triton, "the outputs of a linear layout are integers side by side, %v is not", v)
		}
		return v.Leaves(), nil
	}
}

// vector returns the values over the axes as a tuple, or as an integer if there is one.
func vector(xs []int64) girih.Tuple {
	if len(xs) == 1 {
		return girih.Int(xs[0])
	}
	return girih.Ints(xs...)
}

// fromBases writes the call. A single output is called offset, several dim0, dim1 and so on, as Triton does.
func (m bitMap) fromBases() (string, error) {
	outs, sizes := make([]string, m.axes), make([]string, m.axes)
	for k := range m.axes {
		top := int64(0)
		for _, b := range m.bases {
			top |= b[k]
		}
		if top >= maxTriton {
			return "", refuse(Triton, "the values of a linear layout stay below 2^30, those of this one reach %d", top)
		}
		outs[k] = fmt.Sprintf(`"dim%d"`, k)
		sizes[k] = fmt.Sprint(int64(1) << bits.Len64(uint64(top)))
	}
	if m.axes == 1 {
		outs[0] = `"offset"`
	}
	rows := make([]string, len(m.bases))
	for j, b := range m.bases {
		rows[j] = strings.ReplaceAll(fmt.Sprint(b), " ", ", ")
	}
	return fmt.Sprintf(`LinearLayout.from_bases([("index", [%s])], [%s], [%s], False)`,
		strings.Join(rows, ", "), strings.Join(outs, ", "), strings.Join(sizes, ", ")), nil
}
