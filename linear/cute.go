package linear

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// This file converts CuTe layouts, swizzles and composed layouts to maps over bits. For a function x ↦ o + Σ x_i·c_i of
// the bits x_i of the input, let b_i = o xor (o + c_i) be the bits that x_i alone flips. The function is affine over F2
// if and only if no two b_i share a bit; then it is o xor (b_i for all i with x_i set). If they share no bits, the
// flips touch different bits, so their integer changes add up. If b_i and b_j share bits, the value at x_i = x_j = 1
// differs from o xor b_i xor b_j by twice a signed sum of different powers of two, which is not 0. Strides that are
// powers of two are neither necessary (4:5 is linear) nor sufficient ((2,2):(1,1) is not).

// FromLayout returns a CuTe layout with integer or coordinate strides as a map over bits. Without names, the input is
// one dimension "index", the colexicographic index; with names, one for each top-level mode of l, each mode is a
// separate input dimension. The output is "offset", or "dim0", "dim1", ... where the strides are coordinates.
//
// Extents need not be powers of two, as long as l agrees with a linear map on its domain: then the map extends beyond
// the domain to the next power of two, where l itself may differ. FromLayout compares all values, up to
// [cute.EnumLimit] of them.
//
// It returns [cute.CodeNotRepresentable] if l is not linear over bits; the witness contains the smallest index that
// fails, the value there and the exclusive or of the values of the bits. It returns [cute.CodeNegative] for a negative
// offset, [cute.CodeRank] for a wrong number of names, [cute.CodeCodomain] for nested axes, and [cute.CodeLimit].
func FromLayout(l cute.Layout, ins ...string) (Layout, error) {
	return fromFunction(function{
		op: "linear", text: l.String(), shape: l.Shape(), eval: l.Eval, table: integers(l, 0),
		additive: true,
	}, ins)
}

// FromComposed is [FromLayout] for a composed layout. If only swizzles are outside an inner layout, they are linear,
// and the theorem decides for any size; for other chains all values are compared.
func FromComposed(c cute.Composed, ins ...string) (Layout, error) {
	f := function{
		op: "linear", text: c.String(), shape: c.Shape(), eval: ints.Asking(c.Stopped, c.Eval),
		table: integers(c, 0),
	}
	n, last := 0, cute.Int(0)
	for range c.Stages() {
		n++
	}
	var swizzles []cute.Swizzle
	for outer, offset := range c.Stages() {
		if w, ok := outer.(cute.Swizzle); ok && (offset.Equal(cute.Int(0)) || len(swizzles) == n-1) {
			swizzles, last = append(swizzles, w), offset
		}
	}
	if o, ok := last.Int64(); ok && len(swizzles) == n {
		// Sw o offset o L is linear if and only if offset + L is.
		inner := f
		inner.eval = ints.Asking(c.Stopped, func(x cute.Tuple) (cute.Tuple, error) {
			v, err := c.Layout().Eval(x)
			if err != nil {
				return v, err
			}
			return v.Add(cute.Int(o))
		})
		inner.table = integers(c.Layout(), o)
		inner.additive, inner.after = true, swizzles
		return fromFunction(inner, ins)
	}
	return fromFunction(f, ins)
}

// FromSwizzle returns a swizzle as a map of the 2^n integers below 2^n from "offset" to "offset". It returns
// [cute.CodeOverflow] if n is negative, above [MaxBits], or too small for the bits that the swizzle reads.
func FromSwizzle(w cute.Swizzle, n int) (Layout, error) {
	least := 0
	if w.B() > 0 {
		least = w.M() + w.B() + max(w.S(), -w.S())
	}
	if n < least || n > MaxBits {
		return Layout{}, fail(cute.CodeOverflow, "linear", "expected %d to %d bits for %s, found %d", least, MaxBits, w, n)
	}
	bases := make([][]int64, n)
	for k := range bases {
		y, err := w.At(1 << k)
		if err != nil {
			return Layout{}, err
		}
		bases[k] = []int64{y}
	}
	return New([]In{{"offset", bases}}, []Dim{{"offset", 1 << n}})
}

// A function is the candidate for a map over bits.
type function struct {
	op, text string
	shape    cute.Tuple
	eval     func(cute.Tuple) (cute.Tuple, error)
	additive bool           // the value is an offset plus a sum over the digits of the coordinate
	after    []cute.Swizzle // the swizzles that are applied to the value, the last one first

	table func() ([]int64, error) // computes all values fast; nil if they are coordinates
}

// An offsetTable is a layout that can list all its values.
type offsetTable interface {
	HasBasis() bool
	AppendOffsets(dst []int64) ([]int64, error)
}

// integers returns a function for the values of a layout plus an offset, or nil if they are coordinates.
func integers(l offsetTable, offset int64) func() ([]int64, error) {
	if l.HasBasis() {
		return nil
	}
	return func() ([]int64, error) {
		table, err := l.AppendOffsets(nil)
		for i := range table {
			var ok bool
			if table[i], ok = ints.Add(table[i], offset); !ok {
				return nil, fail(cute.CodeOverflow, "linear", "the values leave 64 bits")
			}
		}
		return table, err
	}
}

// values returns the coordinates of the value at an index.
func (f *function) values(i int64) ([]int64, error) {
	v, err := f.eval(cute.Int(i))
	if err != nil {
		return nil, err
	}
	if v.Depth() > 1 || v.HasBasis() || len(v.Leaves()) == 0 {
		return nil, fail(cute.CodeCodomain, f.op,
			"expected values that are integers or flat coordinates, found %v at index %d of %s", v, i, f.text)
	}
	return v.Leaves(), nil
}

// fromFunction returns the only map that can agree with the function, if that map does agree.
func fromFunction(f function, ins []string) (Layout, error) {
	sizes, err := f.inputs(ins)
	if err != nil {
		return Layout{}, err
	}
	if len(ins) == 0 {
		ins = []string{"index"}
	}
	m := candidate{f: &f, sizes: sizes}
	if err := m.probe(); err != nil {
		return Layout{}, err
	}
	if f.additive && slices.IndexFunc(f.shape.Leaves(), notPowerOfTwo) < 0 {
		err = m.checkPairs()
	} else {
		err = m.checkAll()
	}
	if err != nil {
		return Layout{}, err
	}
	return m.layout(ins)
}

func notPowerOfTwo(x int64) bool { return x&(x-1) != 0 }

// inputs returns the sizes of the inputs: the sizes of the modes, or one size for the whole layout.
func (f *function) inputs(names []string) ([]int64, error) {
	parts := []cute.Tuple{f.shape}
	if len(names) > 0 {
		parts = f.shape.Modes()
		if f.shape.IsInt() {
			parts = []cute.Tuple{f.shape}
		}
		if len(parts) != len(names) {
			return nil, fail(cute.CodeRank, f.op, "expected a name for each of the %d modes of %s, found %d names", len(parts),
				f.text, len(names))
		}
	}
	sizes := make([]int64, len(parts))
	for i, p := range parts {
		var err error
		if sizes[i], err = p.Product(); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

// A candidate is the map that the values at 0 and at single bits determine.
type candidate struct {
	f      *function
	sizes  []int64
	index  []int64 // the index of each bit, with the inputs in order and the smallest bit first
	input  []int   // the input that the bit belongs to
	bases  [][]int64
	origin []int64
}

// probe evaluates the function at 0 and at single bits.
func (m *candidate) probe() error {
	var err error
	if m.origin, err = m.f.values(0); err != nil {
		return err
	}
	if err := m.check(0, m.origin); err != nil {
		return err
	}
	step := int64(1)
	for j, n := range m.sizes {
		for x := int64(1); x < n && x > 0; x <<= 1 {
			v, err := m.f.values(x * step)
			if err != nil {
				return err
			}
			if err := m.check(x*step, v); err != nil {
				return err
			}
			b := make([]int64, len(v))
			for k := range v {
				b[k] = v[k] ^ m.origin[k]
			}
			m.index, m.input, m.bases = append(m.index, x*step), append(m.input, j), append(m.bases, b)
		}
		step *= n
	}
	return nil
}

// check refuses a negative value.
func (m *candidate) check(i int64, v []int64) error {
	if slices.Min(v) >= 0 {
		return nil
	}
	w := &cute.Witness{Coord: cute.Int(i), Index: i, Value: vector(v)}
	return &cute.Error{
		Code: cute.CodeNegative, Op: m.f.op, Witness: w,
		Msg:  fmt.Sprintf("the values of a linear layout are not negative, found %v at index %d of %s", w.Value, i, m.f.text),
		Hint: "add an offset: the least value must be 0 or more",
	}
}

// checkPairs decides by the theorem: the first index that fails has exactly two bits set.
func (m *candidate) checkPairs() error {
	for hi := range m.bases {
		for lo := range hi {
			for k := range m.origin {
				if m.bases[hi][k]&m.bases[lo][k] != 0 {
					return m.refuse(m.index[hi] + m.index[lo])
				}
			}
		}
	}
	return nil
}

// checkAll compares all values.
func (m *candidate) checkAll() error {
	size := int64(1)
	for _, n := range m.sizes {
		size *= n
	}
	if size > cute.EnumLimit {
		return &cute.Error{
			Code: cute.CodeLimit, Op: m.f.op,
			Msg: fmt.Sprintf("whether %s is linear over bits is decided by its %d values, but at most %d are looked at",
				m.f.text, size, cute.EnumLimit),
			Hint: "layouts of powers of two, also under swizzles, are decided at any size",
		}
	}
	const few = 1 << 12 // this many values refuse most functions; for more values the table is faster
	for i := int64(0); i < size; i++ {
		if i == few && m.f.table != nil {
			if table, err := m.f.table(); err == nil {
				first := apart(table, m.table(size))
				if first < 0 {
					return nil
				}
				i = int64(first)
			}
		}
		v, err := m.f.values(i)
		if err != nil {
			return err
		}
		if err := m.check(i, v); err != nil {
			return err
		}
		if !slices.Equal(v, m.at(i)) {
			return m.refuse(i)
		}
	}
	return nil
}

// table returns the values of the candidate at all indices: each bit appends a copy of the table so far with the bit's
// own value added.
func (m *candidate) table(size int64) []int64 {
	table := append(make([]int64, 0, size), m.origin[0])
	bit := 0
	for _, n := range m.sizes {
		whole := len(table) * int(n)
		for range bits.Len64(uint64(n - 1)) {
			for _, v := range table[:min(len(table), whole-len(table))] {
				table = append(table, v^m.bases[bit][0])
			}
			bit++
		}
	}
	return table
}

// apart returns the first place at which two lists differ, or -1.
func apart(a, b []int64) int {
	for i, x := range a {
		if x != b[i] {
			return i
		}
	}
	return -1
}

// at returns the value of the candidate at an index.
func (m *candidate) at(i int64) []int64 {
	v := slices.Clone(m.origin)
	bit := 0
	for _, n := range m.sizes {
		x := i % n
		i /= n
		for top := n - 1; top > 0; top >>= 1 {
			if x&1 != 0 {
				for k := range v {
					v[k] ^= m.bases[bit][k]
				}
			}
			x >>= 1
			bit++
		}
	}
	return v
}

// refuse returns the error for an index at which function and candidate differ.
func (m *candidate) refuse(i int64) error {
	v, err := m.f.values(i)
	if err != nil {
		return err
	}
	got, want := m.swizzle(v), m.swizzle(m.at(i))
	return &cute.Error{
		Code: cute.CodeNotRepresentable, Op: m.f.op,
		Witness: &cute.Witness{Coord: cute.Int(i), Index: i, Value: vector(got), Want: vector(want)},
		Msg: fmt.Sprintf("%s is not linear over bits: at index %d the value is %v, and the exclusive or of the values of its bits is %v",
			m.f.text, i, vector(got), vector(want)),
	}
}

// swizzle applies the swizzles outside the function.
func (m *candidate) swizzle(v []int64) []int64 {
	for _, w := range slices.Backward(m.f.after) {
		if y, err := w.At(v[0]); err == nil {
			v = []int64{y}
		}
	}
	return v
}

// layout returns the candidate as a layout with these inputs.
func (m *candidate) layout(names []string) (Layout, error) {
	m.origin = m.swizzle(m.origin)
	ins := make([]In, len(names))
	for i, name := range names {
		ins[i].Name = name
	}
	all := slices.Clone(m.origin)
	for j, b := range m.bases {
		b = m.swizzle(b)
		ins[m.input[j]].Bases = append(ins[m.input[j]].Bases, b)
		for k := range all {
			all[k] |= b[k]
		}
	}
	outs := make([]Dim, len(all))
	for k, x := range all {
		if x>>MaxBits != 0 {
			return Layout{}, fail(cute.CodeOverflow, m.f.op, "the values of a linear layout stay below 2^%d, found %d in %s",
				MaxBits, x, m.f.text)
		}
		outs[k] = Dim{dimName(k), 1 << bits.Len64(uint64(x))}
	}
	if len(outs) == 1 {
		outs[0].Name = "offset"
	}
	l, err := New(ins, outs)
	if err != nil {
		return Layout{}, err
	}
	return l.WithOrigin(m.origin...)
}

// vector returns coordinates as a tuple, a single one as an integer.
func vector(xs []int64) cute.Tuple {
	if len(xs) == 1 {
		return cute.Int(xs[0])
	}
	return cute.Ints(xs...)
}
