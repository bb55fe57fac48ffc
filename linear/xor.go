package linear

import (
	"fmt"
	"math/bits"
	"strings"

	"girih"
	"girih/f2"
)

// This file implements layouts with F2 strides, as in PyCuTe: a coordinate is multiplied with the stride without carries,
// and what the modes contribute is added without carries. (8,8):(F2(9),F2(1)) is Sw<3,0,3> o 0 o (8,8):(8,1).

// An XorLayout is a shape of any nesting with an F2 stride at each leaf. It is immutable; the zero XorLayout is not
// meaningful. Its extents need not be powers of two; operations that take indices apart into bits say where they must.
type XorLayout struct {
	shape   girih.Tuple
	strides []f2.Vector
}

// NewXor returns the layout of a shape and F2 strides, one for each leaf. It returns [girih.CodeNotCongruent] for
// another number of strides, the errors of girih.New for the shape, and [girih.CodeOverflow] if an offset has more than
// [MaxBits] bits.
func NewXor(shape girih.Tuple, strides ...f2.Vector) (XorLayout, error) {
	const op = "make_layout"
	leaves := shape.Leaves()
	if len(leaves) != len(strides) {
		return XorLayout{}, fail(girih.CodeNotCongruent, op, "expected a stride for each of the %d leaves of %v, found %d", len(leaves), shape, len(strides))
	}
	if _, err := girih.New(shape, shape); err != nil {
		return XorLayout{}, err
	}
	if _, err := shape.Product(); err != nil {
		return XorLayout{}, err
	}
	x := XorLayout{shape, strides}
	for i, s := range leaves {
		if strides[i].Len()+bits.Len64(uint64(s-1)) > MaxBits {
			return XorLayout{}, fail(girih.CodeOverflow, op, "expected offsets of at most %d bits, found %d in %v", MaxBits, strides[i].Len()+bits.Len64(uint64(s-1)), x)
		}
	}
	return x, nil
}

// Shape returns the shape.
func (x XorLayout) Shape() girih.Tuple { return x.shape }

// Strides returns the F2 strides, leaf by leaf.
func (x XorLayout) Strides() []f2.Vector { return append([]f2.Vector(nil), x.strides...) }

// Size returns the number of coordinates.
func (x XorLayout) Size() int64 {
	n, _ := x.shape.Product() // checked by NewXor
	return n
}

// Eval returns the offset at a coordinate of the shape, or at an index. It returns [girih.CodeNotCongruent] for other
// coordinates, and [girih.CodeNegative] or [girih.CodeExtent] outside the shape: beyond it an F2 stride has no meaning.
func (x XorLayout) Eval(c girih.Tuple) (int64, error) {
	i, err := girih.Crd2Idx(c, x.shape)
	if err != nil {
		return 0, err
	}
	at, err := girih.Idx2Crd(girih.Int(i), x.shape)
	if err != nil {
		return 0, err
	}
	var y f2.Vector
	s := x.shape.Leaves()
	for i, d := range at.Leaves() {
		if d < 0 || d >= s[i] {
			code := girih.CodeExtent
			if d < 0 {
				code = girih.CodeNegative
			}
			return 0, fail(code, "apply", "expected a coordinate of %v, found %v", x.shape, c)
		}
		p, err := x.strides[i].Mul(f2.Vector(d))
		if err != nil {
			return 0, err // not reached: NewXor has looked at the bits
		}
		y ^= p
	}
	return int64(y), nil
}

// Cosize returns the power of two that bounds what one leaf contributes: the number of offsets of the smallest domain
// over F2 that holds all of them. 4:F2(3) has the cosize 8 (PyCuTe's coshape).
func (x XorLayout) Cosize() int64 {
	most := 0
	for i, s := range x.shape.Leaves() {
		if s > 1 && x.strides[i] != 0 {
			most = max(most, x.strides[i].Len()+bits.Len64(uint64(s-1))-1)
		}
	}
	return 1 << most
}

// Coalesce returns the layout of least rank that is the same function of the index: two modes are one where the first
// has a power of two as extent, which shifts the stride to that of the second, and modes of extent 1 are none.
func (x XorLayout) Coalesce() XorLayout {
	var s []int64
	var d []f2.Vector
	for i, e := range x.shape.Leaves() {
		if e == 1 {
			continue
		}
		last := len(s) - 1
		if last >= 0 && s[last]&(s[last]-1) == 0 && x.strides[i] == d[last]<<bits.TrailingZeros64(uint64(s[last])) {
			s[last] *= e
			continue
		}
		s, d = append(s, e), append(d, x.strides[i])
	}
	switch len(s) {
	case 0:
		return XorLayout{girih.Int(1), []f2.Vector{0}}
	case 1:
		return XorLayout{girih.Int(s[0]), d}
	}
	return XorLayout{girih.Ints(s...), d}
}

// Linear returns the layout as a map of "index" to "offset". It returns [girih.CodeNotRepresentable] with a witness
// where extents are no powers of two and the index does not fall apart into bits, and [girih.CodeLimit] as [FromLayout] does.
func (x XorLayout) Linear() (Layout, error) {
	for _, s := range x.shape.Leaves() {
		if notPowerOfTwo(s) {
			return fromFunction(function{op: "linear", text: x.String(), shape: x.shape, eval: func(c girih.Tuple) (girih.Tuple, error) {
				y, err := x.Eval(c)
				return girih.Int(y), err
			}}, nil)
		}
	}
	in := In{Name: "index"}
	for i, s := range x.shape.Leaves() {
		for k := range bits.Len64(uint64(s - 1)) {
			in.Bases = append(in.Bases, []int64{int64(x.strides[i] << k)})
		}
	}
	return New([]In{in}, []Dim{{"offset", x.Cosize()}})
}

// ToXor returns the map as a layout with F2 strides, each input dimension a mode and coalesced: every linear map is one. It returns
// [girih.CodeCodomain] for several output dimensions, which must be flattened first, and
// [girih.CodeNotRepresentable] if the origin is not 0.
func (l Layout) ToXor() (XorLayout, error) {
	if l.outs.len() != 1 {
		return XorLayout{}, fail(girih.CodeCodomain, "xor_layout", "F2 strides go to offsets: expected one output dimension, found %s", l.outs.list())
	}
	if l.origin != 0 {
		return XorLayout{}, fail(girih.CodeNotRepresentable, "xor_layout", "a layout with F2 strides is 0 at 0, this map is %d", l.origin)
	}
	var modes []girih.Tuple
	var strides []f2.Vector
	for i := range l.ins.len() {
		var x XorLayout
		x.shape = girih.Int(1)
		if n := int(l.ins.bits[i]); n > 0 {
			two := make([]int64, n)
			for k := range two {
				two[k] = 2
				x.strides = append(x.strides, f2.Vector(l.cols[int(l.ins.off[i])+k]))
			}
			x.shape = girih.Ints(two...)
		} else {
			x.strides = []f2.Vector{0}
		}
		x = x.Coalesce()
		modes, strides = append(modes, x.shape), append(strides, x.strides...)
	}
	if len(modes) == 1 {
		return NewXor(modes[0], strides...)
	}
	shape, err := girih.MakeTuple(modes...)
	if err != nil {
		return XorLayout{}, err
	}
	return NewXor(shape, strides...)
}

// RightInverse returns the largest layout R with x(R(k)) = k for all k below its size, and R(k) the least such index. It
// returns the errors of [XorLayout.Linear].
func (x XorLayout) RightInverse() (XorLayout, error) {
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

// LeftInverse returns a layout R with R(x(i)) = i for all i. It returns [girih.CodeNotInjective] if offsets repeat, with
// an index that has the offset 0 as witness, and the errors of [XorLayout.Linear].
func (x XorLayout) LeftInverse() (XorLayout, error) {
	l, err := x.Linear()
	if err != nil {
		return XorLayout{}, err
	}
	if l, err = l.LeftInverse(); err != nil {
		return XorLayout{}, err
	}
	return l.ToXor()
}

// String returns the canonical text: "(8,8):(F2(9),F2(1))".
func (x XorLayout) String() string {
	// The strides stand in the nesting of the shape.
	var b strings.Builder
	b.WriteString(x.shape.String())
	b.WriteByte(':')
	leaf := 0
	text := x.shape.String()
	for i := 0; i < len(text); {
		if c := text[i]; c < '0' || c > '9' {
			b.WriteByte(c)
			i++
			continue
		}
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		fmt.Fprintf(&b, "F2(%d)", uint64(x.strides[leaf]))
		leaf++
	}
	return b.String()
}
