package cute

import (
	"slices"
)

// This file implements the operations that rearrange modes and leave their extents and strides alone
// (include/cute/layout.hpp, include/cute/algorithm/tuple_algorithms.hpp).

// Flatten returns l with all leaves at the top level; a single leaf stays unwrapped if it was.
func (l Layout) Flatten() Layout {
	if l.prof == "." {
		return l
	}
	return Layout{v: l.v, prof: flatProfile(l.leaves()), cod: l.cod}
}

// Unflatten returns the leaves of l in the nesting of the given profile, of which only the parentheses matter.
// It returns [CodeNotCongruent] if the number of leaves differs.
func (l Layout) Unflatten(profile Tuple) (Layout, error) {
	if profileLeaves(profile.profile()) != l.leaves() {
		return Layout{}, errorf(CodeNotCongruent, "unflatten",
			"the profile %v has %d leaves, %v has %d", profile, profileLeaves(profile.profile()), l, l.leaves())
	}
	return Layout{v: l.v, prof: profile.profile(), cod: l.cod}, nil
}

// Unflatten returns the leaves of t in the nesting of the given profile, of which only the parentheses matter.
// It returns [CodeNotCongruent] if the number of leaves differs.
func (t Tuple) Unflatten(profile Tuple) (Tuple, error) {
	if n := profileLeaves(profile.profile()); n != t.leaves() {
		return Tuple{}, errorf(CodeNotCongruent, "unflatten",
			"the profile %v has %d leaves, %v has %d", profile, n, t, t.leaves())
	}
	return Tuple{v: t.v, prof: profile.profile(), cod: t.cod}, nil
}

// AppendMode returns l with the mode x added at the end. It returns [CodeCodomain] and [CodeOverflow].
func (l Layout) AppendMode(x Layout) (Layout, error) { return MakeLayout(append(l.Modes(), x)...) }

// PrependMode returns l with the mode x added in front. It returns [CodeCodomain] and [CodeOverflow].
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

// PrependToRank is [Layout.AppendToRank] with the copies in front.
func (l Layout) PrependToRank(n int, x Layout) (Layout, error) {
	pad, err := padModes(n, l.Rank(), x)
	if err != nil || len(pad) == 0 {
		return l, err
	}
	return MakeLayout(append(pad, l.Modes()...)...)
}

// maxRank bounds the rank that padding may reach.
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

// PrependToRank is [Tuple.AppendToRank] with the copies in front.
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

// Reverse returns l with its top-level modes in the opposite order. It returns the errors of [MakeLayout], none of
// which can come.
func (l Layout) Reverse() (Layout, error) {
	if l.prof == "." {
		return l, nil
	}
	ms := l.Modes()
	slices.Reverse(ms)
	return MakeLayout(ms...)
}

// FilterZeros returns l with the extent 1 wherever the stride is 0: the broadcast modes take no room.
func FilterZeros(l Layout) Layout {
	v := slices.Clone(l.v)
	for i := range l.leaves() {
		if isZero(l.stride(i)) {
			v[i] = 1
		}
	}
	return fewer(finish("filter_zeros", v, l.profile(), l.cod))
}

// Filter returns l without its broadcast modes: [Coalesce] of [FilterZeros].
func Filter(l Layout) Layout { return Coalesce(FilterZeros(l)) }

// Nullspace returns the layout of the coordinates that l maps to 0 because their strides are 0: its offsets
// are indices into l. Nullspace of (2,3,4):(1,0,2) is 3:2; without broadcast modes it is 1:0.
func Nullspace(l Layout) Layout { return nullspace(l, nil) }

func nullspace(l Layout, t *trace) Layout {
	m := heapModes(l.leaves(), 1)
	index := int64(1)
	for i, s := range l.extents() {
		stays := s > 1 && isZero(l.stride(i))
		if stays {
			m.putAlong(s, index, 0)
		}
		if t != nil {
			t.add(Stay{t.leaf(s, l.stride(i)), index, stays})
		}
		index *= s
	}
	if m.n == 0 {
		return unitMode
	}
	return fewer(m.layout("nullspace", unwrappedProfile(m.n), nil))
}
