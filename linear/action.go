package linear

import (
	"fmt"
	"slices"

	"girih/cute"
)

// A ColumnAction permutes the bases of one input dimension, and may drop some: basis i of the result is basis action[i]
// of the layout. It applies to layouts, and to lists with one value for each coordinate of the dimension, such as
// registers.
type ColumnAction struct {
	action []int
	dim    string
	bits   int
}

// NewColumnAction returns the action whose basis i is basis action[i] of an input dimension of size 2^bits; bases that
// are not listed are dropped. It returns [cute.CodeMode] for a basis that is missing or listed twice, [cute.CodeName]
// for an empty name, and [cute.CodeOverflow] unless 0 ≤ bits ≤ 62.
func NewColumnAction(action []int, dim string, bits int) (ColumnAction, error) {
	const op = "column_action"
	if bits < 0 || bits > MaxBits {
		return ColumnAction{}, fail(cute.CodeOverflow, op, "expected 0 to %d bits, found %d", MaxBits, bits)
	}
	if dim == "" {
		return ColumnAction{}, fail(cute.CodeName, op, "expected the name of an input dimension, found an empty one")
	}
	for i, k := range action {
		if k < 0 || k >= bits || slices.Index(action, k) != i {
			return ColumnAction{}, fail(cute.CodeMode, op, "expected bases from 0 to %d, each at most once, found %v",
				bits-1, action)
		}
	}
	return ColumnAction{slices.Clone(action), dim, bits}, nil
}

// Bases returns, for each basis of the result, the number of the layout's basis.
func (a ColumnAction) Bases() []int { return slices.Clone(a.action) }

// Dim returns the name of the input dimension.
func (a ColumnAction) Dim() string { return a.dim }

// IsIdentity reports whether nothing is moved or dropped.
func (a ColumnAction) IsIdentity() bool {
	for i, k := range a.action {
		if i != k {
			return false
		}
	}
	return len(a.action) == a.bits
}

// Apply returns the layout with the bases of the dimension permuted or dropped. It returns [cute.CodeName] if the
// layout lacks the dimension and [cute.CodeExtent] if the dimension has another size.
func (a ColumnAction) Apply(l Layout) (Layout, error) {
	const op = "column_action"
	i := l.ins.find(a.dim)
	if i < 0 {
		return Layout{}, unknownDim(op, "input", a.dim, l.ins)
	}
	if int(l.ins.bits[i]) != a.bits {
		return Layout{}, fail(cute.CodeExtent, op, "expected size %d of input dimension %q, found %d", int64(1)<<a.bits,
			a.dim, int64(1)<<l.ins.bits[i])
	}
	ins, err := l.ins.resize(op, i, len(a.action))
	if err != nil {
		return Layout{}, err
	}
	first := int(l.ins.off[i])
	cols := slices.Clone(l.cols[:first])
	for _, k := range a.action {
		cols = append(cols, l.cols[first+k])
	}
	return Layout{ins, l.outs, append(cols, l.cols[first+a.bits:]...), l.origin}, nil
}

// ApplyValues rearranges values, one for each coordinate of the dimension, like the layout: the value at j is the old
// value at the sum of 2^action[i] over the bits i of j. It returns [cute.CodeExtent] unless there are 2^bits values.
func ApplyValues[T any](a ColumnAction, values []T) ([]T, error) {
	if len(values) != 1<<a.bits {
		return nil, fail(cute.CodeExtent, "column_action", "expected %d values, one for each coordinate of %q, found %d",
			int64(1)<<a.bits, a.dim, len(values))
	}
	out := make([]T, 1<<len(a.action))
	for j := range out {
		from := 0
		for i, k := range a.action {
			from |= j >> i & 1 << k
		}
		out[j] = values[from]
	}
	return out, nil
}

// Inverse returns the action that undoes this one. It returns [cute.CodeNotInvertible] if bases are dropped.
func (a ColumnAction) Inverse() (ColumnAction, error) {
	if len(a.action) != a.bits {
		return ColumnAction{}, fail(cute.CodeNotInvertible, "column_action",
			"expected a permutation of %d bases, found %v, which drops %d", a.bits, a.action, a.bits-len(a.action))
	}
	inv := make([]int, a.bits)
	for i, k := range a.action {
		inv[k] = i
	}
	return ColumnAction{inv, a.dim, a.bits}, nil
}

// Then returns the action that applies a and then b. It returns [cute.CodeNotCongruent] for another dimension and
// [cute.CodeExtent] unless b expects as many bases as a leaves.
func (a ColumnAction) Then(b ColumnAction) (ColumnAction, error) {
	const op = "column_action"
	if a.dim != b.dim {
		return ColumnAction{}, fail(cute.CodeNotCongruent, op, "expected actions on one dimension, found %q and %q",
			a.dim, b.dim)
	}
	if len(a.action) != b.bits {
		return ColumnAction{}, fail(cute.CodeExtent, op, "expected an action on %d bases, found one on %d",
			len(a.action), b.bits)
	}
	both := make([]int, len(b.action))
	for i, k := range b.action {
		both[i] = a.action[k]
	}
	return ColumnAction{both, a.dim, a.bits}, nil
}

// String returns the action as Triton writes it: "ColumnAction([0, 2], register, 4)".
func (a ColumnAction) String() string {
	var list []string
	for _, k := range a.action {
		list = append(list, itoa(k))
	}
	return fmt.Sprintf("ColumnAction(%s, %s, %d)", bracket(list), a.dim, a.bits)
}
