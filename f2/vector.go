package f2

import "math/bits"

// MaxRows is the number of components of a [Vector], and the largest number of rows of a [Matrix].
const MaxRows = 64

// A Vector has 64 components in the field with two elements: bit i is component i.
type Vector uint64

// At returns component i, 0 or 1; components outside 0..63 are 0.
func (v Vector) At(i int) int {
	if i < 0 || i >= MaxRows {
		return 0
	}
	return int(v >> i & 1)
}

// Add returns the sum, the exclusive or of the bits.
func (v Vector) Add(w Vector) Vector { return v ^ w }

// Dot returns the inner product, 0 or 1: the parity of the components that are 1 in both.
func (v Vector) Dot(w Vector) int { return bits.OnesCount64(uint64(v&w)) & 1 }

// Weight returns the number of components that are 1.
func (v Vector) Weight() int { return bits.OnesCount64(uint64(v)) }

// Len returns the number of components up to the last one that is 1: 0 for the zero vector.
func (v Vector) Len() int { return bits.Len64(uint64(v)) }

// low returns the vector whose first n components are 1, for 0 ≤ n ≤ 64.
func low(n int) Vector {
	if n >= MaxRows {
		return ^Vector(0)
	}
	return 1<<n - 1
}
