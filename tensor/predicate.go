package tensor

import (
	"girih/cute"
)

// Padded reports whether some coordinate has no element.
func (t Tensor[T]) Padded() bool { return t.v != nil && len(t.v.axes) > 0 }

// Predicate returns the read-only tensor of the same shape that is true at the coordinates that have an element:
// everywhere, unless the tensor is padded. A kernel computes it with an identity tensor and elem_less. It returns
// [cute.CodeType] for a zero tensor.
func (t Tensor[T]) Predicate() (Tensor[bool], error) {
	if t.v == nil {
		return Tensor[bool]{}, missing("predicate", t.eng)
	}
	v := t.v
	return overIndices(v.lay.Shape(), func(i int64) bool { return len(v.axes) == 0 || v.holds(i) })
}

// overIndices returns the read-only tensor of a function of the index.
func overIndices[T any](shape cute.Tuple, f func(i int64) T) (Tensor[T], error) {
	l, err := cute.LayoutLeft(shape)
	if err != nil {
		return Tensor[T]{}, err
	}
	v, err := newView("make_tensor", l, 0)
	if err != nil {
		return Tensor[T]{}, err
	}
	return Tensor[T]{&indexEngine[T]{f}, v}, nil
}

// InBounds returns the read-only tensor that is true if a coordinate is within the bound, elem_less(t(c), bound), and
// no number is below 0. For an [Identity] tensor partitioned like the data, InBounds is the predicate of a kernel.
//
// The coordinates must be weakly congruent to the bound; numbers that a coordinate omits at its end are 0. It returns
// [cute.CodeNotCongruent] otherwise, judged by the first coordinate, and [cute.CodeType] for a zero tensor.
func InBounds(t Tensor[cute.Tuple], bound cute.Tuple) (Tensor[bool], error) {
	const op = "elem_less"
	if t.v == nil {
		return Tensor[bool]{}, missing(op, t.eng)
	}
	flat := t.flat()
	for _, c := range t.All() {
		if _, ok := below(c, bound); !ok {
			return Tensor[bool]{}, refuse(op, cute.CodeNotCongruent, "expected coordinates of %v, found %v", bound, c)
		}
		break
	}
	return Lazy(flat, func(c cute.Tuple) bool {
		in, ok := below(c, bound)
		return in && ok
	})
}

// below reports whether every number of c is in [0, bound), and whether the two can be compared.
func below(c, bound cute.Tuple) (in, ok bool) {
	if x, isInt := c.Int64(); isInt {
		n, err := bound.Product()
		return x >= 0 && x < n, err == nil
	}
	cs, bs := c.Modes(), bound.Modes()
	if bound.IsInt() || len(cs) > len(bs) {
		return false, false
	}
	in = true
	for i, x := range cs {
		one, fits := below(x, bs[i])
		if !fits {
			return false, false
		}
		in = in && one
	}
	return in, true
}
