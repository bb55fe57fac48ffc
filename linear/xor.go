package linear

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/internal/ints"
)

// This file implements layouts with F2 strides, as in PyCuTe: a coordinate is multiplied by the stride without carries,
// and the products of the modes are added without carries. (8,8):(F2(9),F2(1)) is Sw<3,0,3> o 0 o (8,8):(8,1).

// An XorLayout is a shape of any nesting with an F2 stride at each leaf. It is immutable; the zero XorLayout is not
// meaningful. Its extents need not be powers of two; operations that need powers of two say so.
type XorLayout struct{ c *xorContents }

// xorContents never change, so layouts share them and are one word.
type xorContents struct {
	shape   cute.Tuple
	strides []f2.Vector
	stop    func() error // see Until
}

func xorOf(shape cute.Tuple, strides []f2.Vector, stop func() error) XorLayout {
	return XorLayout{&xorContents{shape, strides, stop}}
}

var noXorContents xorContents

func (x XorLayout) contents() *xorContents {
	if x.c == nil {
		return &noXorContents
	}
	return x.c
}

func (x XorLayout) strides() []f2.Vector { return x.contents().strides }
func (x XorLayout) stop() func() error   { return x.contents().stop }

// Until returns x with a function that operations on x call to ask whether they may continue, as cute.Composed.Until
// does.
func (x XorLayout) Until(stop func() error) XorLayout {
	return xorOf(x.Shape(), x.strides(), stop)
}

// Stopped calls the function of [XorLayout.Until], for callers that read every offset of x themselves. It returns the
// error of that function, of any type, and no code of its own.
func (x XorLayout) Stopped() error {
	if stop := x.stop(); stop != nil {
		return stop()
	}
	return nil
}

// NewXor returns the layout of a shape and F2 strides, one for each leaf. It returns [cute.CodeNotCongruent] for a
// wrong number of strides, the errors of cute.New for the shape, and [cute.CodeOverflow] if an offset has more than
// [MaxBits] bits.
func NewXor(shape cute.Tuple, strides ...f2.Vector) (XorLayout, error) {
	const op = "make_layout"
	leaves := shape.Leaves()
	if len(leaves) != len(strides) {
		return XorLayout{}, fail(cute.CodeNotCongruent, op, "expected a stride for each of the %d leaves of %v, found %d",
			len(leaves), shape, len(strides))
	}
	if _, err := cute.New(shape, shape); err != nil {
		return XorLayout{}, err
	}
	if _, err := shape.Product(); err != nil {
		return XorLayout{}, err
	}
	x := xorOf(shape, strides, nil)
	for i, s := range leaves {
		if strides[i].Len()+bits.Len64(uint64(s-1)) > MaxBits {
			return XorLayout{}, fail(cute.CodeOverflow, op, "expected offsets of at most %d bits, found %d in %v", MaxBits,
				strides[i].Len()+bits.Len64(uint64(s-1)), x)
		}
	}
	return x, nil
}

// Shape returns the shape.
func (x XorLayout) Shape() cute.Tuple { return x.contents().shape }

// Strides returns the F2 strides, leaf by leaf.
func (x XorLayout) Strides() []f2.Vector { return append([]f2.Vector(nil), x.strides()...) }

// Size returns the number of coordinates.
func (x XorLayout) Size() int64 {
	n, _ := x.Shape().Product() // checked by NewXor
	return n
}

// Eval returns the offset at a coordinate. As in cute.Layout.Eval, any coordinate weakly congruent to the shape is
// accepted, in bounds or not: an integer in place of a whole mode is split into coordinates, and the last leaf is not
// reduced. It returns [cute.CodeNotCongruent] for other coordinates, [cute.CodeNegative] below 0, where an F2 stride
// has no meaning, and [cute.CodeOverflow].
func (x XorLayout) Eval(c cute.Tuple) (int64, error) {
	var digits []int64
	strides := x.strides()
	if i, ok := c.Int64(); ok && c.IsInt() && i >= 0 && len(strides) > 0 {
		digits = x.Shape().Leaves()
		for j, s := range digits[:len(digits)-1] {
			digits[j] = i % s
			i /= s
		}
		digits[len(digits)-1] = i
	} else {
		at, err := cute.Idx2Crd(c, x.Shape())
		if err != nil {
			return 0, err
		}
		digits = at.Leaves()
	}
	var y f2.Vector
	for i, d := range digits {
		if d < 0 {
			return 0, fail(cute.CodeNegative, "apply", "a coordinate of F2 strides is not negative, found %v for %v", c, x)
		}
		p, ok := times(f2.Vector(d), strides[i])
		if !ok {
			return 0, fail(cute.CodeOverflow, "apply", "expected offsets of at most %d bits, found more at %v of %v",
				MaxBits, c, x)
		}
		y ^= p
	}
	return int64(y), nil
}

// times returns the product without carries, and whether it has at most [MaxBits] bits.
func times(a, b f2.Vector) (f2.Vector, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	if a.Len()+b.Len()-1 > MaxBits {
		return 0, false
	}
	p, err := a.Mul(b)
	return p, err == nil
}

// HasBasis reports false: the offsets are integers.
func (x XorLayout) HasBasis() bool { return false }

// AppendOffsets appends the offsets of all coordinates in colexicographic order. It returns [cute.CodeLimit] above
// [cute.EnumLimit] elements, and the error of [XorLayout.Until].
func (x XorLayout) AppendOffsets(dst []int64) ([]int64, error) {
	n := x.Size()
	if n > cute.EnumLimit {
		return dst, fail(cute.CodeLimit, "offsets", "expected at most %d elements, found %d in %v", cute.EnumLimit, n, x)
	}
	// Each leaf appends copies of the offsets so far, each copy with a different offset added.
	from := len(dst)
	if cap(dst) == 0 {
		dst = make([]int64, 0, n) // slices.Grow would clear it at once, without asking
	}
	dst = append(slices.Grow(dst, int(n)), 0)
	const most = 1 << 16 // offsets between two questions
	for i, s := range x.Shape().Leaves() {
		stride := x.strides()[i]
		block := len(dst) - from
		for d := int64(1); d < s; d++ {
			p, _ := times(f2.Vector(d), stride) // NewXor has checked the bits
			for at := 0; at < block; at += most {
				if block >= ints.Every || d%ints.Every == 0 {
					if err := x.Stopped(); err != nil {
						return dst[:from], err
					}
				}
				for _, y := range dst[from+at : from+min(at+most, block)] {
					dst = append(dst, y^int64(p))
				}
			}
		}
	}
	return dst, nil
}

// Cosize returns 1 plus the greatest offset at coordinates inside the shape: 4:F2(3) reaches 6, so its cosize is 7. It
// returns [cute.CodeLimit] if an extent before the last is not a power of two and there are more than [cute.EnumLimit]
// elements.
func (x XorLayout) Cosize() (int64, error) {
	if cols, ok := x.columns(); ok {
		return int64(greatest(cols, x.Size())) + 1, nil
	}
	table, err := x.AppendOffsets(nil)
	if err != nil {
		return 0, err
	}
	return slices.Max(table) + 1, nil
}

// Bound returns the power of two above the greatest offset of any single leaf: the size of the smallest domain over F2
// that contains all offsets. The bound of 4:F2(3) is 8 (PyCuTe's coshape).
func (x XorLayout) Bound() int64 {
	most := 0
	for i, s := range x.Shape().Leaves() {
		if s > 1 && x.strides()[i] != 0 {
			most = max(most, x.strides()[i].Len()+bits.Len64(uint64(s-1))-1)
		}
	}
	return 1 << most
}

// columns returns the offset of each bit of the index, if the index splits into bits: all extents but the last are
// powers of two. Then, at the indices below its size, the layout equals the map of these columns.
func (x XorLayout) columns() ([]f2.Vector, bool) {
	var cols []f2.Vector
	whole := true
	for i, s := range x.Shape().Leaves() {
		if s == 1 {
			continue
		}
		if !whole {
			return nil, false
		}
		whole = !notPowerOfTwo(s)
		for k := range bits.Len64(uint64(s - 1)) {
			cols = append(cols, x.strides()[i]<<k)
		}
	}
	return cols, true
}

// greatest returns the greatest value of the map of the columns below n. A number below n agrees with n above some bit
// that is set in n but not in the number; the bits below are free. The greatest value is found bit by bit.
func greatest(cols []f2.Vector, n int64) f2.Vector {
	best := f2.Vector(0)
	for k := range bits.Len64(uint64(n)) {
		if n>>k&1 == 0 {
			continue
		}
		y := f2.Vector(xorVectors(cols, uint64(n)>>(k+1)<<(k+1)))
		for _, b := range f2.Span(cols[:min(k, len(cols))]...).Basis() {
			y = max(y, y^b) // the basis is reduced: no later vector contains the leading bit of this vector
		}
		best = max(best, y)
	}
	return best
}

func xorVectors(cols []f2.Vector, x uint64) (y f2.Vector) {
	for j, c := range cols {
		if x>>j&1 != 0 {
			y ^= c
		}
	}
	return y
}

// Coalesce returns the layout of least rank that is the same function of the index. It drops modes of extent 1. It
// merges two modes if the first extent is a power of two and times the first stride gives the second stride, or if both
// strides are 0.
func (x XorLayout) Coalesce() XorLayout {
	var m modes
	for i, e := range x.Shape().Leaves() {
		m.add(e, x.strides()[i])
	}
	return m.layout()
}

// CoalesceProfile coalesces separately each mode under a leaf of the profile, as cute.CoalesceProfile does. It returns
// [cute.CodeRank] if the profile has more modes than the layout, and [cute.CodeCodomain] for coordinates.
func (x XorLayout) CoalesceProfile(profile cute.Tuple) (XorLayout, error) {
	if profile.IsInt() {
		return x.Coalesce(), nil
	}
	if profile.HasBasis() {
		return XorLayout{}, fail(cute.CodeCodomain, "coalesce", "expected a profile, found the coordinate %v", profile)
	}
	parts := x.Modes()
	ps := profile.Modes()
	if len(ps) > len(parts) {
		return XorLayout{}, fail(cute.CodeRank, "coalesce", "expected a profile of at most the %d modes of %v, found %v",
			len(parts), x, profile)
	}
	for i, p := range ps {
		var err error
		if parts[i], err = parts[i].CoalesceProfile(p); err != nil {
			return XorLayout{}, err
		}
	}
	return Concat(parts...)
}

// modes are flat modes with F2 strides; no mode merges with the next.
type modes struct {
	s []int64
	d []f2.Vector
}

// add appends a mode, or merges it with the last one.
func (m *modes) add(s int64, d f2.Vector) {
	if s == 1 {
		return
	}
	if last := len(m.s) - 1; last >= 0 {
		e, w := m.s[last], m.d[last]
		if d == 0 && w == 0 || !notPowerOfTwo(e) && d == w<<bits.TrailingZeros64(uint64(e)) {
			m.s[last] *= s
			return
		}
	}
	m.s, m.d = append(m.s, s), append(m.d, d)
}

// size returns the product of the extents.
func (m *modes) size() int64 {
	n := int64(1)
	for _, s := range m.s {
		n *= s
	}
	return n
}

// shape returns the extents as a tuple; for one mode or none it is an integer.
func (m *modes) shape() cute.Tuple {
	switch len(m.s) {
	case 0:
		return cute.Int(1)
	case 1:
		return cute.Int(m.s[0])
	}
	return cute.Ints(m.s...)
}

// strides returns the strides; without modes there is one stride, 0.
func (m *modes) strides() []f2.Vector {
	if len(m.d) == 0 {
		return []f2.Vector{0}
	}
	return m.d
}

func (m *modes) layout() XorLayout { return xorOf(m.shape(), m.strides(), nil) }

// Linear returns the layout as a map of "index" to "offset", which extends beyond the layout if its size is not a power
// of two. It returns [cute.CodeNotRepresentable] with a witness if an extent before the last is not a power of two and
// the index does not split into bits, and [cute.CodeLimit] as [FromLayout] does.
func (x XorLayout) Linear() (Layout, error) {
	cols, ok := x.columns()
	if !ok {
		return fromFunction(function{op: "linear", text: x.String(), shape: x.Shape(), eval: ints.Asking(x.stop(),
			func(c cute.Tuple) (cute.Tuple, error) {
				y, err := x.Eval(c)
				return cute.Int(y), err
			}), table: integers(x, 0)}, nil)
	}
	in := In{Name: "index"}
	for _, c := range cols {
		in.Bases = append(in.Bases, []int64{int64(c)})
	}
	return New([]In{in}, []Dim{{"offset", x.Bound()}})
}

// ToXor returns the map as a layout with F2 strides, with each input dimension as a mode, coalesced. Every linear map
// has this form. It returns [cute.CodeCodomain] for several output dimensions, which must be flattened first, and
// [cute.CodeNotRepresentable] if the origin is not 0.
func (l Layout) ToXor() (XorLayout, error) {
	if l.outs.len() != 1 {
		return XorLayout{}, fail(cute.CodeCodomain, "xor_layout",
			"F2 strides go to offsets: expected one output dimension, found %s", l.outs.list())
	}
	if l.origin != 0 {
		return XorLayout{}, fail(cute.CodeNotRepresentable, "xor_layout",
			"a layout with F2 strides is 0 at 0, this map is %d", l.origin)
	}
	parts := make([]XorLayout, l.ins.len())
	for i := range parts {
		var m modes
		for k := range int(l.ins.bits[i]) {
			m.add(2, f2.Vector(l.cols[int(l.ins.off[i])+k]))
		}
		parts[i] = m.layout()
	}
	if len(parts) == 1 {
		return NewXor(parts[0].Shape(), parts[0].strides()...)
	}
	return Concat(parts...)
}

// String returns the canonical text: "(8,8):(F2(9),F2(1))".
func (x XorLayout) String() string {
	// The strides are nested like the shape.
	var b strings.Builder
	b.WriteString(x.Shape().String())
	b.WriteByte(':')
	leaf := 0
	text := x.Shape().String()
	for i := 0; i < len(text); {
		if c := text[i]; c < '0' || c > '9' {
			b.WriteByte(c)
			i++
			continue
		}
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		fmt.Fprintf(&b, "F2(%d)", uint64(x.strides()[leaf]))
		leaf++
	}
	return b.String()
}
