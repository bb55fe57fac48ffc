package eval

import (
	"fmt"
	"math/bits"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file applies the functions of CuTe layouts to values over F2.

// noteBeyond notes each layout that was turned into a map over bits although its size is not a power of two: the map's
// size is the next power of two.
func (e *Env) noteBeyond(made Value, of ...Value) {
	switch made.(type) {
	case Linear, Matrix:
	default:
		return
	}
	for _, v := range of {
		e.noteUneven(v)
	}
}

func (e *Env) noteUneven(v Value) {
	if n := unevenSize(v); n != 0 {
		e.note("the layout %v has %d elements: from there on the map goes on as bits do", v, n)
	}
}

// unevenSize returns the size of a layout or shape if it is not a power of two, and 0 otherwise.
func unevenSize(v Value) (n int64) {
	switch v := v.(type) {
	case Layout:
		n = v.Size()
	case Composed:
		n = v.Size()
	case Xor:
		n = v.Size()
	case Tuple:
		if p, err := v.Product(); err == nil {
			n = p
		}
	}
	if n&(n-1) == 0 {
		return 0
	}
	return n
}

// bitsApply applies argument 0 to the coordinate that the other arguments form.
func (c *call) bitsApply() (Value, error) {
	if dynamic(c.args...) {
		return c.dynamicApply()
	}
	return c.apply()
}

func (c *call) bitsCompose() (Value, error) {
	v, err := bitsPair(c.args[0], c.args[1])
	if err == nil {
		c.env.noteBeyond(v, c.args...)
	}
	return v, err
}

// bitsConcat puts matrices side by side. For layouts this is concatenation: the values of the layouts are added.
func (c *call) bitsConcat() (Value, error) {
	if _, ok := c.args[len(c.args)-1].(F2); ok {
		return c.xorMake()
	}
	var cols []f2.Vector
	rows := 0
	for i := range c.args {
		m, err := c.matrix(i)
		if err != nil {
			return nil, err
		}
		rows, cols = max(rows, m.Rows()), append(cols, m.Columns()...)
	}
	m, err := f2.NewMatrix(rows, cols)
	return Matrix{m}, ofF2(err)
}

func (c *call) bitsSize() (Value, error) {
	switch x := c.args[0].(type) {
	case Linear:
		return integer(1 << x.InBits()), nil
	case Matrix:
		return Tuple{cute.Ints(int64(x.Rows()), int64(x.Cols()))}, nil
	}
	return nil, c.bad(0, "a layout or a matrix")
}

func (c *call) bitsCosize() (Value, error) {
	x, ok := c.args[0].(Linear)
	if !ok {
		return nil, c.bad(0, "a layout")
	}
	return integer(1 << x.OutBits()), nil
}

// bitsRank returns the rank over F2 of a map.
func (c *call) bitsRank() (Value, error) {
	switch x := c.args[0].(type) {
	case Linear:
		return integer(int64(x.Layout.Rank())), nil
	case Matrix:
		return integer(int64(x.Rank())), nil
	}
	return nil, c.bad(0, "a layout or a matrix")
}

// bitsComplement returns bases that complete the bases of the operand to a basis of all outputs.
func (c *call) bitsComplement() (Value, error) {
	switch x := c.args[0].(type) {
	case Linear:
		return c.linearComplement(x.Layout)
	case Matrix:
		m, err := c.upToCotarget(x.Matrix)
		if err != nil {
			return nil, err
		}
		m, err = f2.NewMatrix(m.Rows(), m.Complement())
		return Matrix{m}, ofF2(err)
	}
	return nil, c.bad(0, "a linear layout or a matrix")
}

// linearComplement returns the complement of a map, whose only output grows or shrinks to the cotarget if there is one.
func (c *call) linearComplement(l linear.Layout) (Value, error) {
	name := "index"
	if ins := l.InDims(); len(ins) > 0 {
		name = ins[0].Name
	}
	m, err := c.upToCotarget(l.Matrix())
	if err != nil {
		return nil, err
	}
	if m.Rows() == l.OutBits() {
		l, err = l.Complement(name)
		return Linear{l}, err
	}
	outs := l.OutDims()
	if len(outs) > 1 {
		return nil, c.bad(1, fmt.Sprintf("the %d values of the outputs %s", int64(1)<<l.OutBits(), dimsText(outs)))
	}
	out := "offset"
	if len(outs) == 1 {
		out = outs[0].Name
	}
	units := m.Complement()
	m, err = f2.NewMatrix(m.Rows(), units)
	if err != nil {
		return nil, ofF2(err)
	}
	return c.mapOf(m, []linear.Dim{dimOf(name, len(units))}, []linear.Dim{dimOf(out, m.Rows())})
}

// dimOf returns a dimension of 2^bits values.
func dimOf(name string, bits int) linear.Dim {
	return linear.Dim{Name: name, Size: 1 << min(bits, linear.MaxBits+1)}
}

func dimsText(ds []linear.Dim) string {
	var parts []string
	for _, d := range ds {
		parts = append(parts, fmt.Sprintf("%s:%d", d.Name, d.Size))
	}
	return strings.Join(parts, ",")
}

// mapOf returns a matrix as a map between the dimensions.
func (c *call) mapOf(m f2.Matrix, ins, outs []linear.Dim) (Value, error) {
	l, err := linear.FromMatrix(m, ins, outs)
	return Linear{l}, err
}

// upToCotarget returns a matrix with a row for each bit of the cotarget, argument 1, or of its values if they have more
// bits. Without a cotarget it returns the matrix.
func (c *call) upToCotarget(m f2.Matrix) (f2.Matrix, error) {
	if len(c.args) == 1 {
		return m, nil
	}
	shape, err := c.shape(1)
	if err != nil {
		return m, err
	}
	n, err := shape.Product()
	if err != nil {
		return m, err
	}
	if n <= 0 || n&(n-1) != 0 {
		return m, c.bad(1, "a power of two, or a shape of such a size: the values of a map over F2 are bits")
	}
	m, err = m.WithRows(max(bits.Len64(uint64(n))-1, m.Height()))
	return m, ofF2(err)
}

func (c *call) bitsInverse() (Value, error) {
	switch x := c.args[0].(type) {
	case Linear:
		l, err := x.Invert()
		return Linear{l}, err
	case Matrix:
		m, err := x.Inverse()
		if err != nil {
			return nil, &cute.Error{Code: cute.CodeNotInvertible, Op: "inverse", Msg: err.Error()}
		}
		return Matrix{m}, nil
	}
	return nil, c.bad(0, "a layout or a matrix")
}

func (c *call) bitsRightInverse() (Value, error) {
	x, ok := c.args[0].(Linear)
	if !ok {
		return nil, c.bad(0, "a linear layout or one with F2 strides")
	}
	l, err := x.Pseudoinvert()
	return Linear{l}, err
}

func (c *call) bitsLeftInverse() (Value, error) {
	x, ok := c.args[0].(Linear)
	if !ok {
		return nil, c.bad(0, "a linear layout or one with F2 strides")
	}
	l, err := x.LeftInverse()
	return Linear{l}, err
}

// bitsEquivalent compares two maps of the same dimensions, or two functions of an index.
func (c *call) bitsEquivalent() (Value, error) {
	var ls [2]linear.Layout
	for i, a := range c.args {
		l, err := asLinear(a)
		if err != nil {
			return nil, err
		}
		ls[i] = l
	}
	a, errA := c.args[0].(Linear)
	b, errB := c.args[1].(Linear)
	if errA && errB {
		return Bool(a.EqualIgnoringOutSizes(b.Layout)), nil
	}
	if ls[0].InBits() != ls[1].InBits() {
		return Bool(false), nil
	}
	// A number never equals a coordinate of several axes.
	for i, a := range c.args {
		l, ok := a.(Layout)
		if n, other := len(ls[i].OutDims()), len(ls[1-i].OutDims()); ok && l.HasBasis() && n != other {
			c.env.note("the values of %v have %d axes, the values of the other %d", a, n, other)
			return Bool(false), nil
		}
	}
	return c.sameBits(ls[0].FlattenIns().FlattenOuts(), ls[1].FlattenIns().FlattenOuts())
}

// sameBits compares two maps of an index at 0 and at each single bit. These values determine all others.
func (c *call) sameBits(a, b linear.Layout) (Value, error) {
	for k := -1; k < a.InBits(); k++ {
		var x uint64
		if k >= 0 {
			x = 1 << k
		}
		y, errY := a.Flat(x)
		z, errZ := b.Flat(x)
		if errY != nil || errZ != nil {
			return nil, errY
		}
		if y != z {
			c.env.note("at index %d the values are %d and %d", x, y, z)
			return Bool(false), nil
		}
	}
	return Bool(true), nil
}

//go:noinline
func bitsClaim(f func(linear.Layout) bool) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		if len(c.args) > 1 {
			return nil, c.bad(0, "a layout of integers or coordinates where a codomain is given")
		}
		l, err := asLinear(c.args[0])
		return Bool(err == nil && f(l)), err
	}
}

// bitsIdx2Crd splits a number into a coordinate without carries: each extent divides, as a polynomial, the quotient
// that the previous extents leave.
func (c *call) bitsIdx2Crd() (Value, error) {
	x, ok := c.args[0].(F2)
	rest, isNumber := x.number()
	if !ok || !isNumber {
		return nil, c.bad(0, "F2(n)")
	}
	shape, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	leaves := shape.Leaves()
	out := make([]int64, len(leaves))
	prefix := int64(1)
	for i, s := range leaves {
		if i == len(leaves)-1 {
			out[i] = int64(rest)
			break
		}
		p, err := f2.Vector(prefix).Mul(f2.Vector(s))
		if err != nil {
			return nil, ofF2(err)
		}
		if int64(p) != prefix*s {
			return nil, &cute.Error{
				Code: cute.CodeNotDivisible, Op: "idx2crd",
				Msg: fmt.Sprintf("%v has no coordinate over F2: %d times %d is %d without carries, not %d",
					shape, prefix, s, p, prefix*s),
			}
		}
		prefix = int64(p)
		q, r, err := rest.DivMod(f2.Vector(s))
		if err != nil {
			return nil, ofF2(err)
		}
		out[i], rest = int64(r), q
	}
	if shape.IsInt() {
		return integer(out[0]), nil
	}
	return Tuple{cute.Ints(out...)}, nil
}

// bitsImage returns the reduced basis of the span of the columns.
func (c *call) bitsImage() (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	if l.IsLinear() {
		c.env.note("the values are the sums of these without carries")
	} else {
		c.env.note("the values are the origin %v plus the sums of these, without carries", cute.Ints(l.Origin()...))
	}
	return numbersOf(l.Matrix().Image().Basis(), nil)
}
