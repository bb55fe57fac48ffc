package swizzle

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
	"girih/f2"
)

// MaxBits is the largest number of bits of an offset.
const MaxBits = 63

// A Map is an invertible linear map of the bits of offsets: each bit j that is 1 adds column j to the result, without
// carry. Bits from [Map.Bits] on stay as they are. The zero Map is the identity.
type Map struct{ cols []uint64 }

// NewMap returns the map that takes bit j to cols[j]. It returns [cute.CodeNotInvertible] if two offsets would meet,
// and [cute.CodeLimit] above [MaxBits] bits.
func NewMap(cols []uint64) (Map, error) {
	const op = "swizzle map"
	n := len(cols)
	if n > MaxBits {
		return Map{}, &cute.Error{
			Code: cute.CodeLimit, Op: op, Msg: fmt.Sprintf("expected at most %d bits, found %d", MaxBits, n),
		}
	}
	var e basis
	for j, c := range cols {
		if bits.Len64(c) > n {
			return Map{}, &cute.Error{
				Code: cute.CodeNotInvertible, Op: op, Msg: fmt.Sprintf("expected images of %d bits, found %#x of bit %d", n, c, j),
			}
		}
		if _, ok := e.add(c, 0); !ok {
			return Map{}, &cute.Error{
				Code: cute.CodeNotInvertible, Op: op,
				Msg: fmt.Sprintf("the image %#x of bit %d is a sum of the images of lower bits, so that two offsets meet", c, j),
			}
		}
	}
	return trim(slices.Clone(cols)), nil
}

// trim drops the highest bits as long as the map leaves them alone.
func trim(cols []uint64) Map {
	for len(cols) > 0 {
		last := len(cols) - 1
		high := uint64(1) << last
		if cols[last] != high || slices.ContainsFunc(cols[:last], func(c uint64) bool { return c&high != 0 }) {
			break
		}
		cols = cols[:last]
	}
	return Map{cols}
}

// MapOf returns a swizzle as a map.
func MapOf(w cute.Swizzle) Map {
	if w.B() == 0 {
		return Map{}
	}
	cols := make([]uint64, w.M()+max(w.S(), -w.S())+w.B())
	for j := range cols {
		cols[j] = uint64(at(w, 1<<j))
	}
	return trim(cols)
}

// at applies w to an offset of at least 0.
func at(w cute.Swizzle, x int64) int64 {
	y, err := w.At(x)
	if err != nil {
		return x // only negative offsets are refused
	}
	return y
}

// Bits returns the number of bits that the map may read or change: the lowest ones.
func (m Map) Bits() int { return len(m.cols) }

// At returns the image of an offset. It returns [cute.CodeNegative] for a negative offset.
func (m Map) At(x int64) (int64, error) {
	if x < 0 {
		return 0, &cute.Error{
			Code: cute.CodeNegative, Op: "swizzle",
			Msg: fmt.Sprintf("a swizzle is applied to offsets of at least 0, found %d", x),
		}
	}
	return int64(m.apply(uint64(x))), nil
}

func (m Map) apply(x uint64) uint64 {
	n := len(m.cols)
	y := x >> n << n
	for rest := x ^ y; rest != 0; rest &= rest - 1 {
		y ^= m.cols[bits.TrailingZeros64(rest)]
	}
	return y
}

// Col returns the image of bit j.
func (m Map) Col(j int) uint64 {
	if j < 0 || j > MaxBits {
		return 0
	}
	return m.apply(1 << j)
}

// Matrix returns the map as a square matrix of [Map.Bits] rows: row i says which bits add up to bit i, the lowest
// first.
func (m Map) Matrix() f2.Matrix {
	cols := make([]f2.Vector, len(m.cols))
	for j, c := range m.cols {
		cols[j] = f2.Vector(c)
	}
	a, err := f2.NewMatrix(len(cols), cols)
	if err != nil {
		return f2.Matrix{} // the columns fit: NewMap has checked them
	}
	return a
}

// After returns the map that applies n first and then m.
func (m Map) After(n Map) Map {
	cols := make([]uint64, max(len(m.cols), len(n.cols)))
	for j := range cols {
		cols[j] = m.apply(n.apply(1 << j))
	}
	return trim(cols)
}

// Inverse returns the map that undoes m.
func (m Map) Inverse() Map {
	var e basis
	for j, c := range m.cols {
		e.add(c, 1<<j)
	}
	cols := make([]uint64, len(m.cols))
	for j := range cols {
		_, cols[j] = e.reduce(1 << j)
	}
	return trim(cols)
}

// Equal reports whether both maps are the same function on all offsets.
func (m Map) Equal(n Map) bool { return slices.Equal(m.cols, n.cols) }

// Cost returns the number of entries in which the matrix of the map differs from the identity: single-bit exclusive
// ors. The cost of a [cute.Swizzle] is B. [Solve] orders maps by cost.
func (m Map) Cost() int {
	cost := 0
	for j, c := range m.cols {
		cost += bits.OnesCount64(c ^ 1<<j)
	}
	return cost
}

// A basis is a set of independent vectors, each with a tag. Adding vectors adds their tags.
type basis struct {
	vec, tag [64]uint64 // vec[i] has i as its highest bit, or is 0
	rank     int
}

// reduce returns the rest of v outside the span, and the sum of the tags of the vectors that were subtracted.
func (e *basis) reduce(v uint64) (rest, tag uint64) {
	for v != 0 {
		i := bits.Len64(v) - 1
		if e.vec[i] == 0 {
			return v, tag
		}
		v ^= e.vec[i]
		tag ^= e.tag[i]
	}
	return 0, tag
}

// add adds v to the basis, with its tag, if it is independent. Otherwise sum is the sum of the tags of the basis
// vectors whose sum is v.
func (e *basis) add(v, tag uint64) (sum uint64, ok bool) {
	rest, sum := e.reduce(v)
	if rest == 0 {
		return sum, false
	}
	i := bits.Len64(rest) - 1
	e.vec[i], e.tag[i] = rest, sum^tag
	e.rank++
	return tag, true
}
