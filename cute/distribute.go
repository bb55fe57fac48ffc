package cute

import "girih/internal/ints"

// This file implements the distribution of a number of elements over a shape (include/cute/layout.hpp,
// domain_distribute).

// DomainDistribute returns a layout of n elements of the shape, as indices that grow, which divides the shape evenly:
// each leaf in turn takes as many of what is left of n as its extent and that have as common divisor, so that 6
// elements of (15,14) are (3,2):(1,15). It has fewer than n where the extents do not have the factors of n. CuTe's
// cooperative_copy finds the vectors and the threads of a tile so.
// It returns [CodeExtent] for n below 1, and the errors of [New].
func DomainDistribute(shape Tuple, n int64) (Layout, error) {
	const op = "domain_distribute"
	if n < 1 {
		return Layout{}, errorf(CodeExtent, op, "expected a positive number of elements, found %d", n)
	}
	a, err := LayoutLeft(shape.Flatten())
	if err != nil {
		return Layout{}, err
	}
	// Steps of a leaf from its start are steps of the index by the extents before it.
	v := make([]int64, len(a.v))
	copy(v, a.v)
	for i := range a.leaves() {
		v[i] = ints.GCD(a.v[i], n)
		n /= v[i]
	}
	return Coalesce(Layout{v: v, prof: a.prof}), nil
}
