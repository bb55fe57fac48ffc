package f2

import (
	"math/bits"
	"slices"
)

// A Space is a subspace of the vectors of 64 components. Equal subspaces are equal values of [Space.Basis]. The zero
// Space holds the zero vector alone.
type Space struct {
	basis []Vector // reduced: ascending, and no vector contains the highest component of another vector
}

// Span returns the subspace of the sums of these vectors.
func Span(vectors ...Vector) Space {
	var e echelon
	for _, v := range vectors {
		e.add(v)
	}
	return e.space()
}

// space returns the span of the basis in its unique reduced form.
func (e *echelon) space() Space {
	basis := make([]Vector, 0, e.rank)
	for _, v := range e.vec {
		if v == 0 {
			continue
		}
		// Smaller vectors are already reduced, so one pass clears their highest components.
		for _, b := range basis {
			if v>>(b.Len()-1)&1 != 0 {
				v ^= b
			}
		}
		basis = append(basis, v)
	}
	return Space{basis}
}

// Dim returns the dimension.
func (s Space) Dim() int { return len(s.basis) }

// Basis returns the unique basis in which the vectors ascend, and the highest component of each is 0 in all others.
func (s Space) Basis() []Vector { return slices.Clone(s.basis) }

// Contains reports whether v is a sum of vectors of the basis.
func (s Space) Contains(v Vector) bool { return s.Reduce(v) == 0 }

// Reduce returns the smallest vector, as a number, that differs from v by a vector in the space: the representative of
// v's coset.
func (s Space) Reduce(v Vector) Vector {
	for i := len(s.basis) - 1; i >= 0; i-- {
		if b := s.basis[i]; v>>(b.Len()-1)&1 != 0 {
			v ^= b
		}
	}
	return v
}

// Equal reports whether both hold the same vectors.
func (s Space) Equal(t Space) bool { return slices.Equal(s.basis, t.basis) }

// Sum returns the space of all sums of a vector in s and a vector in t.
func (s Space) Sum(t Space) Space { return Span(slices.Concat(s.basis, t.basis)...) }

// Intersection returns the space of the vectors that are in both spaces.
func (s Space) Intersection(t Space) Space {
	// By Zassenhaus: if a vector of t depends on s and earlier vectors of t, it differs from a sum of the earlier
	// vectors by a vector in s.
	var e echelon
	for _, v := range s.basis {
		e.add(v)
	}
	var common echelon
	for _, v := range t.basis {
		combo, independent := e.add(v)
		if independent {
			continue
		}
		var sum Vector
		for c := combo & low(len(s.basis)); c != 0; c &= c - 1 {
			sum ^= s.basis[bits.TrailingZeros64(uint64(c))]
		}
		common.add(sum)
	}
	return common.space()
}

// Complement returns unit vectors of components below n that complete the space to all vectors of n components: the
// earliest such unit vectors, in ascending order. It returns an [*Error], one of the errors of this package, if n is
// not from 0 to 64 or the space has a vector with a component from n on.
func (s Space) Complement(n int) ([]Vector, error) {
	m, err := NewMatrix(n, s.basis)
	if err != nil {
		return nil, failf("complement", "expected a subspace of the vectors of %d components (at most %d), found dimension %d with a vector of %d components",
			n, MaxRows, s.Dim(), s.maxLen())
	}
	return m.Complement(), nil
}

func (s Space) maxLen() int {
	if len(s.basis) == 0 {
		return 0
	}
	return s.basis[len(s.basis)-1].Len()
}
