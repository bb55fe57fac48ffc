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

// LayoutLeft returns the compact column-major layout of the shape: strides are the products of the extents to the left.
// As CuTe does for static shapes, an extent of 1 has the stride 0. It returns the errors of [New].
func LayoutLeft(shape Tuple) (Layout, error) {
	return compact(shape, func(i, _ int) int { return i })
}

// LayoutRight returns the compact row-major layout of the shape: strides are the products of the extents
// to the right. It returns the errors of [New].
func LayoutRight(shape Tuple) (Layout, error) {
	return compact(shape, func(i, n int) int { return n - 1 - i })
}

// compact returns the compact layout of the shape; leaf(i, n) is the i-th fastest of its n leaves.
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

// MakeOrderedLayout returns the compact layout of the shape whose modes vary in the given order: the leaf with the
// smallest order number is the fastest. One number of the order may cover a whole mode of the shape, which is then
// column-major inside. Equal numbers vary from left to right, as CuTe's documentation says; CuTe's code gives such
// modes the same stride twice. It returns [CodeNotCongruent] if the order is not weakly congruent to the shape, and the
// errors of [New].
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
// magnitude stays the fastest. Negative strides become positive. Modes with stride 0 keep stride 0 and do not affect
// the other strides, so broadcast modes stay broadcast. It returns [CodeCodomain] for coordinate strides, which are not
// ordered.
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

// MakeBasisLike returns the tuple congruent to t whose leaf at each path is the unit coordinate at that path:
// (1@0,(1@0@1,1@1@1)) for (2,(3,4)). For an integer it is 1. It returns [CodeCodomain] if t is wider, or nested deeper,
// than [MaxAxisPath].
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
		v[i*k+i] = 1 // leafPaths returns paths in lexicographic order, so leaf i has axis i
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

// The rest of this file rearranges modes and leaves their extents and strides alone (include/cute/layout.hpp,
// include/cute/algorithm/tuple_algorithms.hpp).

// Flatten returns l with all leaves at the top level; a single unwrapped leaf stays unwrapped.
func (l Layout) Flatten() Layout {
	if l.prof == "." {
		return l
	}
	return Layout{v: l.v, prof: flatProfile(l.leaves()), cod: l.cod}
}

// Unflatten returns the leaves of l in the nesting of the given profile, whose numbers do not matter. It returns
// [CodeNotCongruent] if the number of leaves differs.
func (l Layout) Unflatten(profile Tuple) (Layout, error) {
	if profileLeaves(profile.profile()) != l.leaves() {
		return Layout{}, errorf(CodeNotCongruent, "unflatten",
			"the profile %v has %d leaves, %v has %d", profile, profileLeaves(profile.profile()), l, l.leaves())
	}
	return Layout{v: l.v, prof: profile.profile(), cod: l.cod}, nil
}

// Unflatten returns the leaves of t in the nesting of the given profile, whose numbers do not matter. It returns
// [CodeNotCongruent] if the number of leaves differs.
func (t Tuple) Unflatten(profile Tuple) (Tuple, error) {
	if n := profileLeaves(profile.profile()); n != t.leaves() {
		return Tuple{}, errorf(CodeNotCongruent, "unflatten",
			"the profile %v has %d leaves, %v has %d", profile, n, t, t.leaves())
	}
	return Tuple{v: t.v, prof: profile.profile(), cod: t.cod}, nil
}

// AppendMode returns l with the mode x added at the end. It returns [CodeCodomain] and [CodeOverflow].
func (l Layout) AppendMode(x Layout) (Layout, error) { return MakeLayout(append(l.Modes(), x)...) }

// PrependMode returns l with the mode x added at the beginning. It returns [CodeCodomain] and [CodeOverflow].
func (l Layout) PrependMode(x Layout) (Layout, error) {
	return MakeLayout(append([]Layout{x}, l.Modes()...)...)
}

// AppendToRank returns l with copies of the mode x added at the end until it has rank n; a layout of that
// rank or more is returned as it is. It returns [CodeRank] for n below 0, or above both 64 and the rank, [CodeCodomain]
// and [CodeOverflow].
func (l Layout) AppendToRank(n int, x Layout) (Layout, error) {
	pad, err := padModes(n, l.Rank(), x)
	if err != nil || len(pad) == 0 {
		return l, err
	}
	return MakeLayout(append(l.Modes(), pad...)...)
}

// PrependToRank is [Layout.AppendToRank] with the copies at the beginning.
func (l Layout) PrependToRank(n int, x Layout) (Layout, error) {
	pad, err := padModes(n, l.Rank(), x)
	if err != nil || len(pad) == 0 {
		return l, err
	}
	return MakeLayout(append(pad, l.Modes()...)...)
}

// maxRank limits the rank that padding may reach.
const maxRank = 64

func padModes[T any](n, rank int, x T) ([]T, error) {
	if n < 0 || n > max(maxRank, rank) {
		return nil, errorf(CodeRank, "append_to_rank", "expected a rank from 0 to %d, found %d", maxRank, n)
	}
	if n <= rank {
		return nil, nil
	}
	return slices.Repeat([]T{x}, n-rank), nil
}

// AppendToRank returns t with copies of x added at the end until it has rank n. It returns [CodeRank] for n
// below 0, or above both 64 and the rank, and [CodeCodomain].
func (t Tuple) AppendToRank(n int, x Tuple) (Tuple, error) {
	pad, err := padModes(n, t.Rank(), x)
	if err != nil || len(pad) == 0 {
		return t, err
	}
	return MakeTuple(append(t.Modes(), pad...)...)
}

// PrependToRank is [Tuple.AppendToRank] with the copies at the beginning.
func (t Tuple) PrependToRank(n int, x Tuple) (Tuple, error) {
	pad, err := padModes(n, t.Rank(), x)
	if err != nil || len(pad) == 0 {
		return t, err
	}
	return MakeTuple(append(pad, t.Modes()...)...)
}

// Replace returns l with mode i replaced by x. It returns [CodeMode], [CodeCodomain] and [CodeOverflow].
func (l Layout) Replace(i int, x Layout) (Layout, error) {
	ms := l.Modes()
	if i < 0 || i >= len(ms) {
		return Layout{}, modeError("replace", i, len(ms))
	}
	if l.prof == "." {
		return x, nil
	}
	ms[i] = x
	return MakeLayout(ms...)
}

func modeError(op string, i, n int) *Error {
	return errorf(CodeMode, op, "mode %d does not exist: there are %d, numbered from 0", i, n)
}

// GroupModes returns l with the modes [begin, end) grouped into one: group_modes<1,3> of (a,b,c,d) is
// (a,(b,c),d). It returns [CodeMode] unless 0 ≤ begin < end ≤ rank.
func (l Layout) GroupModes(begin, end int) (Layout, error) {
	prof, err := checkedGroup(l.profile(), begin, end)
	return Layout{v: l.v, prof: prof, cod: l.cod}, err
}

// GroupModes returns t with the modes [begin, end) grouped into one. It returns the errors of [Layout.GroupModes].
func (t Tuple) GroupModes(begin, end int) (Tuple, error) {
	prof, err := checkedGroup(t.profile(), begin, end)
	return Tuple{v: t.v, prof: prof, cod: t.cod}, err
}

func checkedGroup(prof string, begin, end int) (string, error) {
	n := profileRank(prof)
	if begin < 0 || begin >= end || end > n {
		return "", errorf(CodeMode, "group_modes", "expected 0 <= begin < end <= %d, found begin %d and end %d", n, begin, end)
	}
	if prof == "." {
		return "(.)", nil
	}
	return groupProfile(prof, begin, end), nil
}

// Select returns the layout of the given modes, in that order; a mode may be taken more than once.
// It returns [CodeMode] and [CodeOverflow].
func (l Layout) Select(modes ...int) (Layout, error) {
	all := l.Modes()
	picked := make([]Layout, len(modes))
	for i, m := range modes {
		if m < 0 || m >= len(all) {
			return Layout{}, modeError("select", m, len(all))
		}
		picked[i] = all[m]
	}
	return MakeLayout(picked...)
}

// Select returns the tuple of the given modes, in that order. It returns [CodeMode].
func (t Tuple) Select(modes ...int) (Tuple, error) {
	all := t.Modes()
	picked := make([]Tuple, len(modes))
	for i, m := range modes {
		if m < 0 || m >= len(all) {
			return Tuple{}, modeError("select", m, len(all))
		}
		picked[i] = all[m]
	}
	return MakeTuple(picked...)
}

// Take returns the layout of the modes [begin, end), as CuTe's take<begin,end>.
// It returns [CodeMode] unless 0 ≤ begin ≤ end ≤ rank.
func (l Layout) Take(begin, end int) (Layout, error) {
	ms := l.Modes()
	if begin < 0 || begin > end || end > len(ms) {
		return Layout{}, errorf(CodeMode, "take",
			"expected 0 <= begin <= end <= %d, found begin %d and end %d", len(ms), begin, end)
	}
	return MakeLayout(ms[begin:end]...)
}

// Take returns the tuple of the modes [begin, end). It returns [CodeMode] unless 0 ≤ begin ≤ end ≤ rank.
func (t Tuple) Take(begin, end int) (Tuple, error) {
	ms := t.Modes()
	if begin < 0 || begin > end || end > len(ms) {
		return Tuple{}, errorf(CodeMode, "take",
			"expected 0 <= begin <= end <= %d, found begin %d and end %d", len(ms), begin, end)
	}
	return MakeTuple(ms[begin:end]...)
}

// Reverse returns l with its top-level modes in the opposite order. The errors of [MakeLayout] cannot occur.
func (l Layout) Reverse() (Layout, error) {
	if l.prof == "." {
		return l, nil
	}
	ms := l.Modes()
	slices.Reverse(ms)
	return MakeLayout(ms...)
}

// Zip returns the transpose of the nesting of the given layouts: ((a,b),(c,d)) becomes ((a,c),(b,d)), as
// CuTe's zip of (a,b) and (c,d). All must have the same rank, or it returns [CodeRank].
func Zip(as ...Layout) (Layout, error) {
	var cols [][]Layout
	for i, a := range as {
		ms := a.Modes()
		if i > 0 && len(ms) != len(cols) {
			return Layout{}, errorf(CodeRank, "zip", "expected %d modes as in %v, found %v", len(cols), as[0], a)
		}
		for j, m := range ms {
			if i == 0 {
				cols = append(cols, nil)
			}
			cols[j] = append(cols[j], m)
		}
	}
	parts := make([]Layout, len(cols))
	for j, c := range cols {
		var err error
		if parts[j], err = MakeLayout(c...); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(parts...)
}
