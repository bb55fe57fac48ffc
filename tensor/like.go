package tensor

import (
	"cmp"
	"slices"

	"girih/cute"
)

// MakeLike returns a tensor of zero values of type T in a new storage, compact, with the shape of t and its order of
// strides: make_tensor_like<T>. Broadcast modes stay broadcast. If T is uint64, the codes of a packed tensor stay
// packed. It returns the errors of [cute.MakeLayoutLike].
func MakeLike[T, S any](t Tensor[S]) (Tensor[T], error) {
	if t.v == nil {
		return Tensor[T]{}, missing("make_tensor_like", t.eng)
	}
	l, err := cute.MakeLayoutLike(t.v.lay)
	if err != nil {
		return Tensor[T]{}, err
	}
	return allocLike[T](t, l)
}

// allocLike returns a new tensor of T. It is packed if t is and T is the Go type of codes.
func allocLike[T, S any](t Tensor[S], l cute.Layout) (Tensor[T], error) {
	if typ, packed := Type(t); packed {
		codes, err := AllocPacked(typ, l)
		if err != nil {
			return Tensor[T]{}, err
		}
		if x, ok := any(codes).(Tensor[T]); ok {
			return x, nil
		}
	}
	return Alloc[T](l)
}

// MakeFragmentLike returns a tensor of zero values of type T in a new storage, in the layout in which a thread's
// registers hold a partition of t: make_fragment_like<T>, with the layout of [FragmentLayout]. Codes stay packed as by
// [MakeLike]. It returns the errors of FragmentLayout.
func MakeFragmentLike[T, S any](t Tensor[S]) (Tensor[T], error) {
	if t.v == nil {
		return Tensor[T]{}, missing("make_fragment_like", t.eng)
	}
	l, err := FragmentLayout(t.v.lay)
	if err != nil {
		return Tensor[T]{}, err
	}
	return allocLike[T](t, l)
}

// FragmentLayout returns the layout of make_fragment_like (include/cute/layout.hpp): mode 0, the values of one
// instruction, is compact and column-major, and the other modes follow in the order of their strides. Leaves of stride
// 0 in mode 0 stay broadcast; in other modes they become ordinary leaves: ((2,2),3,4):((8,0),2,16) gives
// ((2,2),3,4):((1,0),2,6). A layout of one mode, or of coordinates, becomes column-major.
//
// As in CuTe, the second mode of a layout of two modes is wrapped: (3,4):(4,1) gives (3,(4)):(1,(3)). It returns
// [cute.CodeOverflow].
func FragmentLayout(l cute.Layout) (cute.Layout, error) {
	if l.Rank() < 2 || l.HasBasis() {
		return cute.LayoutLeft(l.Shape())
	}
	ext, old := l.Shape().Leaves(), l.Stride().Leaves()
	str := make([]int64, len(ext))
	first, err := l.Mode(0)
	if err != nil {
		return cute.Layout{}, err
	}
	inner := len(first.Shape().Leaves())
	next := int64(1)
	for i := range inner {
		if old[i] != 0 && ext[i] > 1 {
			str[i] = next
			next *= ext[i] // at most the size of l
		}
	}
	order := make([]int, 0, len(ext))
	for i := inner; i < len(ext); i++ {
		if ext[i] > 1 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(max(old[a], -old[a]), max(old[b], -old[b])) })
	for _, i := range order {
		str[i] = next
		next *= ext[i]
	}
	flat, err := cute.New(cute.Ints(ext...), cute.Ints(str...))
	if err != nil {
		return cute.Layout{}, err
	}
	shape := l.Shape()
	if l.Rank() == 2 {
		ms := shape.Modes()
		wrapped, err := cute.MakeTuple(ms[1])
		if err != nil {
			return cute.Layout{}, err
		}
		if shape, err = cute.MakeTuple(ms[0], wrapped); err != nil {
			return cute.Layout{}, err
		}
	}
	return flat.Unflatten(shape)
}
