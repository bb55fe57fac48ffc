package cute

import (
	"girih/internal/ints"
)

// This file solves linear equations over the integers, one equation after the other, in 64-bit numbers, and reports
// every overflow.

// bezout returns g = gcd(a, b) > 0 and u, v with u·a + v·b = g, for a and b not both 0. The coefficients are
// no larger than a and b.
func bezout(a, b int64) (g, u, v int64) {
	u0, v0, u1, v1 := int64(1), int64(0), int64(0), int64(1)
	for b != 0 {
		q := a / b
		a, b = b, a-q*b
		u0, u1 = u1, u0-q*u1
		v0, v1 = v1, v0-q*v1
	}
	if a < 0 {
		return -a, -u0, -v0
	}
	return a, u0, v0
}

// solutions is the set of the integer vectors x + Σ y_i·basis[i], y_i any integers, that satisfy the equations
// seen so far. The basis is linearly independent. Values are immutable.
type solutions struct {
	x     []int64
	basis [][]int64
}

// An outcome is the effect of an equation on a set of solutions.
type outcome int

const (
	holds    outcome = iota // every solution satisfies the equation already
	narrows                 // some solutions satisfy the equation
	excludes                // no solution satisfies the equation
	tooLarge                // the numbers leave 64 bits
)

// addUnknown returns s with one more unknown, which is free.
func (s solutions) addUnknown() solutions {
	n := len(s.x)
	next := solutions{x: make([]int64, n+1), basis: make([][]int64, 0, len(s.basis)+1)}
	copy(next.x, s.x)
	for _, b := range s.basis {
		next.basis = append(next.basis, append(b[:n:n], 0))
	}
	unit := make([]int64, n+1)
	unit[n] = 1
	next.basis = append(next.basis, unit)
	return next
}

// require returns the solutions for which Σ row_i·x_i = t.
func (s solutions) require(row []int64, t int64) (solutions, outcome) {
	have, ok := dot(row, s.x)
	rest, ok2 := ints.Sub(t, have)
	if !ok || !ok2 {
		return s, tooLarge
	}
	if len(s.basis) == 0 {
		if rest == 0 {
			return s, holds
		}
		return s, excludes
	}
	return s.eliminate(row, rest)
}

// eliminate uses one vector of the basis to satisfy Σ row_i·x_i = have + rest. Let a_i = row·basis[i]. Reversible steps
// turn the basis into one vector with a = gcd(a_i) and others with a = 0.
func (s solutions) eliminate(row []int64, rest int64) (solutions, outcome) {
	var pivot []int64
	g := int64(0)
	var kept [][]int64
	for _, b := range s.basis {
		a, ok := dot(row, b)
		if !ok {
			return s, tooLarge
		}
		switch {
		case a == 0:
			kept = append(kept, b)
		case pivot == nil:
			g, pivot = a, b
		default:
			h, u, v := bezout(g, a)
			free, ok1 := combine2(a/h, pivot, -(g / h), b)
			next, ok2 := combine2(u, pivot, v, b)
			if !ok1 || !ok2 {
				return s, tooLarge
			}
			g, pivot = h, next
			kept = append(kept, free)
		}
	}
	if pivot == nil {
		if rest == 0 {
			return s, holds
		}
		return s, excludes
	}
	if rest%g != 0 {
		return s, excludes
	}
	x, ok := combine2(1, s.x, rest/g, pivot)
	if !ok {
		return s, tooLarge
	}
	return solutions{x: x, basis: kept}.reduce(), narrows
}

// reduce returns the same set with a smaller vector x: for each vector of the basis it subtracts the multiple that best
// cancels x at the largest entry of the vector.
func (s solutions) reduce() solutions {
	for _, b := range s.basis {
		j := 0
		for i := range b {
			if max(b[i], -b[i]) > max(b[j], -b[j]) {
				j = i
			}
		}
		if x, ok := combine2(1, s.x, -(s.x[j] / b[j]), b); ok {
			s.x = x
		}
	}
	return s
}

const smallestRounds = 256

// smallest returns a solution with small numbers: adding multiples of a single vector of the basis does not make the
// sum of magnitudes smaller. With one vector the result is the minimum. Two vectors of nearly the same direction could
// alternately improve the sum slightly, up to 2^62 times, so the search ends after smallestRounds.
func (s solutions) smallest() []int64 {
	best := s.x
	weight, _ := magnitude(best)
	improved := true
	for round := 0; improved && round < smallestRounds; round++ {
		improved = false
		from := best
		for _, b := range s.basis {
			for j, d := range b {
				if d == 0 {
					continue
				}
				// The sum is convex and piecewise linear with its corners where an entry crosses 0.
				for y := -1; y <= 1; y++ {
					x, ok := combine2(1, from, -(from[j]/d)+int64(y), b)
					if !ok {
						continue
					}
					if w, ok := magnitude(x); ok && w < weight {
						best, weight, improved = x, w, true
					}
				}
			}
		}
	}
	return best
}

// magnitude returns Σ |x_i|.
func magnitude(x []int64) (int64, bool) {
	sum := int64(0)
	for _, v := range x {
		m, ok := ints.Abs(v)
		if !ok {
			return 0, false
		}
		if sum, ok = ints.Add(sum, m); !ok {
			return 0, false
		}
	}
	return sum, true
}

// dot returns Σ a_i·b_i.
func dot(a, b []int64) (int64, bool) {
	sum := int64(0)
	for i, x := range a {
		p, ok1 := ints.Mul(x, b[i])
		s, ok2 := ints.Add(sum, p)
		if !ok1 || !ok2 {
			return 0, false
		}
		sum = s
	}
	return sum, true
}

// combine2 returns p·a + q·b.
func combine2(p int64, a []int64, q int64, b []int64) ([]int64, bool) {
	out := make([]int64, len(a))
	for i := range a {
		x, ok1 := ints.Mul(p, a[i])
		y, ok2 := ints.Mul(q, b[i])
		s, ok3 := ints.Add(x, y)
		if !ok1 || !ok2 || !ok3 {
			return nil, false
		}
		out[i] = s
	}
	return out, true
}
