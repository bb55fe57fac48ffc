package gemm

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"

	"girih/internal/ints"
)

// This file checks all elements of an exact product without multiplying it again (Freivalds, "Probabilistic machines
// can use less running time", 1977). With a random x for each column,
//
//	D·x = A·(Bᵀ·x) + C·x
//
// takes one multiplication for each element of the four matrices. All elements are integers, so the sums are computed
// exactly modulo 2^64. A row with a wrong element has the right sum only by chance: if 2^v is the largest power of two
// that divides all differences of the row, the difference of the sums is a random multiple of 2^v, and 0 with
// probability 2^(v-64). Elements beyond the largest possible sum are wrong whatever x is, so the other differences are
// at most twice the largest sum.

// sums is a problem whose elements are all integers that the card adds exactly.
type sums struct {
	*judge
	most   float64 // the largest magnitude of an element
	random []uint64
}

// newSums returns the sums of a problem, or nil if some element may be rounded.
func (j *judge) newSums(seed uint64) *sums {
	if !j.integer || strings.HasSuffix(j.k.MMA.Atom().Name, "_XORPOPC") {
		return nil
	}
	var lock sync.Mutex
	widest, largest, added := 0.0, 0.0, 0.0 // the largest sums of a row of A, of B and of C
	each := func(xs []float64, columns int64, f func(row []float64)) {
		if len(xs) > 0 {
			_ = Parts(int64(len(xs))/columns, ints.CeilDiv(chunk, columns), func(from, to int64) error {
				for i := from; i < to; i++ {
					f(xs[i*columns:][:columns])
				}
				return nil
			})
		}
	}
	keep := func(to *float64, x float64) {
		lock.Lock()
		*to = max(*to, x)
		lock.Unlock()
	}
	each(j.a, j.p.K, func(row []float64) {
		sum := 0.0
		for _, x := range row {
			sum += math.Abs(x)
		}
		keep(&widest, sum)
	})
	for _, m := range []struct {
		xs      []float64
		columns int64
		to      *float64
	}{{j.b, j.p.K, &largest}, {j.c, j.p.N, &added}} {
		each(m.xs, m.columns, func(row []float64) {
			most := 0.0
			for _, x := range row {
				most = max(most, math.Abs(x))
			}
			keep(m.to, most)
		})
	}
	s := &sums{judge: j, most: widest*largest + added}
	if s.most > j.exact || s.most >= 1<<33 {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, 7))
	for range j.p.N {
		s.random = append(s.random, random.Uint64())
	}
	return s
}

// chance bounds the probability that a row with a wrong element has the right sum.
func (s *sums) chance() float64 { return math.Ldexp(1, bits.Len64(uint64(2*s.most))-64) }

// wrong returns, by row, whether its sum differs.
func (s *sums) wrong() []bool {
	p := &s.p
	column := make([]uint64, p.K) // Bᵀ·x
	var lock sync.Mutex
	_ = Parts(p.N, max(ints.CeilDiv(p.N, 64), 1), func(from, to int64) error {
		part := make([]uint64, p.K)
		for j := from; j < to; j++ {
			x := s.random[j]
			for k, b := range s.b[j*p.K:][:p.K] {
				part[k] += uint64(int64(b)) * x
			}
		}
		lock.Lock()
		defer lock.Unlock()
		for k, x := range part {
			column[k] += x
		}
		return nil
	})
	out := make([]bool, p.M)
	_ = Parts(p.M, ints.CeilDiv(chunk, max(p.K, p.N)), func(from, to int64) error {
		for i := from; i < to; i++ {
			out[i] = !s.right(i, column)
		}
		return nil
	})
	return out
}

// right reports whether the sum of a row of D equals the sum that the product's row must have.
func (s *sums) right(i int64, column []uint64) bool {
	p := &s.p
	sum := uint64(0)
	for k, a := range s.a[i*p.K:][:p.K] {
		sum += uint64(int64(a)) * column[k]
	}
	if len(s.c) > 0 {
		for j, c := range s.c[i*p.N:][:p.N] {
			sum += uint64(int64(c)) * s.random[j]
		}
	}
	for j, d := range s.d[i*p.N:][:p.N] {
		if !(math.Abs(d) <= s.most) || float64(int64(d)) != d {
			return false
		}
		sum -= uint64(int64(d)) * s.random[j]
	}
	return sum == 0
}
