package kernel

import (
	"cmp"
	"slices"

	"girih/cute"
)

// apart refuses to write to a tensor whose layout puts two elements at one place, because threads would overwrite each
// other's elements. If the check would take long, it is skipped.
func (k *K) apart(op string, r *root) {
	if k.err != nil || r == nil || r.apart || r.extents != nil || r.space != Shared && r.space != Global {
		return
	}
	r.apart = true
	l := r.outer.Layout()
	if n := l.Size(); n > MaxShared*8 {
		return
	}
	ok, w, err := r.outer.IsInjective()
	if ok || err != nil || w == nil || w.Other == nil {
		return
	}
	k.advise("take %s, or read it only", roomier(l)).refuse(op, cute.CodeNotInjective,
		"%s is written, and its elements %v and %v are at one place, %v, under %v", r.name, *w.Other, w.Coord, w.Value,
		r.outer)
}

// roomier returns a layout of the same extents with strides at least as large, which puts all elements at different
// places.
func roomier(l cute.Layout) string {
	shape, stride := l.Shape().Leaves(), l.Stride().Leaves()
	order := make([]int, len(shape))
	for i := range order {
		order[i] = i
	}
	far := func(i int) int64 { return max(stride[i], -stride[i]) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(far(i), far(j)) })
	stride = slices.Clone(stride)
	span := int64(1) // of the modes so far
	for _, i := range order {
		if shape[i] == 1 {
			continue
		}
		if far(i) < span {
			stride[i] = span
		}
		span += (shape[i] - 1) * far(i)
	}
	out, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
	if err != nil {
		return "larger strides"
	}
	return out.String()
}
