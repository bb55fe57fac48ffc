package cute

import (
	"cmp"
	"slices"

	"girih/internal/ints"
)

// This file implements the constructions of layouts: make_layout and its relatives
// (include/cute/layout.hpp, include/cute/stride.hpp).

// MakeLayout returns the concatenation of the given layouts, (S0,S1,...):(D0,D1,...). As in CuTe a single
// argument is wrapped too: MakeLayout of 8:1 is (8):(1).
// It returns [CodeCodomain] if the strides mix integers with coordinates, and [CodeOverflow].
func MakeLayout(modes ...Layout) (Layout, error) {
	shapes := make([]Tuple, len(modes))
	strides := make([]Tuple, len(modes))
	for i, m := range modes {
		shapes[i], strides[i] = m.Shape(), m.Stride()
	}
	shape, err := MakeTuple(shapes...)
	if err != nil {
		return Layout{}, err
	}
	stride, err := MakeTuple(strides...)
	if err != nil {
		return Layout{}, err
	}
	return New(shape, stride)
}

// LayoutLeft returns the compact column-major layout of the shape: strides are the products of the
// extents to the left. As CuTe does for static shapes, an extent of 1 gets the stride 0.
// It returns the errors of [New].
func LayoutLeft(shape Tuple) (Layout, error) {
	return compact(shape, func(i, _ int) int { return i })
}

// LayoutRight returns the compact row-major layout of the shape: strides are the products of the extents
// to the right. It returns the errors of [New].
func LayoutRight(shape Tuple) (Layout, error) {
	return compact(shape, func(i, n int) int { return n - 1 - i })
}

// compact gives out the strides of a compact layout to the leaves in the order of the given permutation.
func compact(shape Tuple, leaf func(i, n int) int) (Layout, error) {
	if err := checkShape("make_layout", shape); err != nil {
		return Layout{}, err
	}
	n := len(shape.v)
	v := make([]int64, 2*n)
	copy(v, shape.v)
	next, ok := int64(1), true
	for i := range n {
		j := leaf(i, n)
		if v[j] == 1 {
			continue
		}
		if !ok {
			return Layout{}, overflowError("make_layout", "the size of the shape %v", shape)
		}
		v[n+j] = next
		next, ok = ints.Mul(next, v[j])
	}
	if !ok {
		return Layout{}, overflowError("make_layout", "the size of the shape %v", shape)
	}
	return finish("make_layout", v, shape.profile(), nil)
}

// MakeOrderedLayout returns the compact layout of the shape whose modes vary in the given order: the leaf
// with the smallest order number is the fastest. A number of the order may stand for a whole mode of the
// shape, which is then column-major inside. Equal numbers go from left to right; CuTe's documentation says
// so too, while its code gives such modes the same stride twice.
// It returns [CodeNotCongruent] if the order is not weakly congruent to the shape, and the errors of [New].
func MakeOrderedLayout(shape, order Tuple) (Layout, error) {
	if !WeaklyCongruent(order, shape) || order.cod != nil {
		return Layout{}, errorf(CodeNotCongruent, "make_ordered_layout",
			"the order must have one number for each mode of the shape %v, found %v", shape, order)
	}
	if err := checkShape("make_layout", shape); err != nil {
		return Layout{}, err
	}
	rank := spread(nil, order, shape.profile())
	perm := make([]int, len(shape.v))
	for i := range perm {
		perm[i] = i
	}
	slices.SortStableFunc(perm, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	return compact(shape, func(i, _ int) int { return perm[i] })
}

// spread appends, for each leaf of the profile q, the leaf of t that covers it; t is weakly congruent to q.
func spread(dst []int64, t Tuple, q string) []int64 {
	if t.IsInt() {
		for range profileLeaves(q) {
			dst = append(dst, t.v[0])
		}
		return dst
	}
	a, b := modesOf(t.profile()), modesOf(q)
	for a.next() && b.next() {
		dst = spread(dst, Tuple{v: t.v[a.lo:a.hi], prof: a.prof}, b.prof)
	}
	return dst
}

// MakeLayoutLike returns the compact layout of l's shape with l's order of strides: the leaf with the stride of least
// magnitude stays the fastest. Negative strides become positive. Modes with stride 0 keep it and take no room, so that
// broadcast modes stay broadcast. It returns [CodeCodomain] for coordinate strides, which have no order.
func MakeLayoutLike(l Layout) (Layout, error) {
	if l.cod != nil {
		return Layout{}, errorf(CodeCodomain, "make_layout_like", "coordinate strides have no order: %v", l)
	}
	n := l.leaves()
	perm := make([]int, 0, n)
	for i := range n {
		if l.v[n+i] != 0 {
			perm = append(perm, i)
		}
	}
	slices.SortStableFunc(perm, func(a, b int) int {
		return cmp.Compare(max(l.v[n+a], -l.v[n+a]), max(l.v[n+b], -l.v[n+b]))
	})
	v := make([]int64, 2*n)
	copy(v, l.extents())
	next := int64(1)
	for _, i := range perm {
		if v[i] == 1 {
			continue
		}
		v[n+i] = next
		next *= v[i] // bounded by the size of l
	}
	return finish("make_layout_like", v, l.profile(), nil)
}

// MakeIdentityLayout returns the layout that maps each coordinate of the shape to itself: its strides are
// [MakeBasisLike] of the shape. The identity on an integer shape is n:1. It returns the errors of [New].
func MakeIdentityLayout(shape Tuple) (Layout, error) {
	if shape.IsInt() {
		return New(shape, Int(1))
	}
	stride, err := MakeBasisLike(shape)
	if err != nil {
		return Layout{}, err
	}
	return New(shape, stride)
}

// MakeBasisLike returns the tuple congruent to t whose leaf at each path is the unit coordinate at that
// path: (1@0,(1@0@1,1@1@1)) for (2,(3,4)). For an integer it is 1.
// It returns [CodeCodomain] if t is nested deeper, or wider, than [MaxAxisPath].
func MakeBasisLike(t Tuple) (Tuple, error) {
	if t.prof == "." {
		return Int(1), nil
	}
	paths := leafPaths(nil, t.profile(), nil)
	cod, err := newCodomain(paths)
	if err != nil || cod == nil {
		return Tuple{prof: t.prof}, err
	}
	k := len(paths)
	v := make([]int64, k*k)
	for i := range k {
		v[i*k+i] = 1 // leaf paths come in lexicographic order, so leaf i is axis i
	}
	return Tuple{v: v, prof: t.prof, cod: cod}, nil
}

// leafPaths appends the path of every leaf of the profile.
func leafPaths(dst [][]int, prof string, prefix []int) [][]int {
	if prof == "." {
		return append(dst, slices.Clone(prefix))
	}
	m := modesOf(prof)
	for i := 0; m.next(); i++ {
		dst = leafPaths(dst, m.prof, append(prefix, i))
	}
	return dst
}
