package triton

import (
	"slices"

	"girih/cute"
	"girih/linear"
)

// distributedLinear is #ttg.linear, DistributedLinearLayout in Gluon. It lists the bases of a register layout.
// Register[k] is the element in register 2^k, one coordinate for each dimension; Lane, Warp and Block likewise. Some
// register holds every element. Each basis is zero or a power of two along one dimension, and nonzero bases differ.
// With Generic it is #ttg.generic_linear, where bases of warps are arbitrary.
//
// [Encoding.Layout] returns [cute.CodeRank] for bases of unequal length, [cute.CodeExtent] and
// [cute.CodeNotInjective] for bases that are not allowed, [cute.CodeNotInvertible] if an element is not held, and
// [cute.CodeNotDivisible] if a smaller tensor cuts a generic basis ambiguously.
type distributedLinear struct {
	Register [][]int64
	Lane     [][]int64
	Warp     [][]int64
	Block    [][]int64
	Generic  bool
}

// sharedLinear is #ttg.shared_linear, SharedLinearLayout in Gluon. It lists the bases of a layout of shared memory.
// Offset[k] is the element at offset 2^k, one coordinate for each dimension; Block likewise. Places along zero bases
// hold copies; without zero bases the layout is a bijection. Alignment is the alignment of the buffer in bytes, a power
// of two, 16 if 0.
//
// [Encoding.Layout] returns [cute.CodeRank] for bases of unequal length, [cute.CodeNotInjective] if two places hold
// the same element, [cute.CodeNotInvertible] if an element has no place, and [cute.CodeExtent] for an alignment that
// is not a power of two or a basis beyond the shape. The bases determine the shape.
type sharedLinear struct {
	Offset    [][]int64
	Block     [][]int64
	Alignment int64
}

const (
	opLinear       = "linear"
	opSharedLinear = "shared_linear"
)

// rankOf returns the number of coordinates of the first basis, or 0.
func rankOf(lists ...[][]int64) int {
	for _, bases := range lists {
		if len(bases) > 0 {
			return len(bases[0])
		}
	}
	return 0
}

func (e *distributedLinear) rank() int { return rankOf(e.Register, e.Lane, e.Warp, e.Block) }
func (e *sharedLinear) rank() int      { return rankOf(e.Offset, e.Block) }

// Layout returns register, lane, warp, block -> dim0, dim1, ...: a larger tensor repeats the layout in registers, along
// the dimension of the first register first, and a smaller one drops registers that would hold copies. It returns the
// errors of [Encoding] and [distributedLinear].
func (e *distributedLinear) Layout(shape ...int64) (linear.Layout, error) {
	if err := checkShape(opLinear, e.rank(), shape); err != nil {
		return linear.Layout{}, err
	}
	ins := []linear.In{
		{Name: register, Bases: e.Register}, {Name: lane, Bases: e.Lane}, {Name: warp, Bases: e.Warp}, {Name: block, Bases: e.Block},
	}
	for _, in := range ins {
		if e.Generic && in.Name == warp {
			continue
		}
		for k, b := range in.Bases {
			v := basisOf{in.Name, k, b}
			if _, err := v.axis(opLinear, len(shape)); err != nil {
				return linear.Layout{}, err
			}
		}
	}
	names, sizes := make([]string, len(shape)), make([]linear.Dim, len(shape))
	for d, n := range shape {
		names[d], sizes[d] = dimName(d), linear.Dim{Name: dimName(d), Size: n}
	}
	l, err := linear.NewInferred(ins, names)
	if err != nil {
		return linear.Layout{}, err
	}
	if err := e.checkInjective(ins); err != nil {
		return linear.Layout{}, err
	}
	grow := make([]string, len(shape))
	for i, d := range e.repeatOrder(len(shape)) {
		grow[i] = names[d]
	}
	if l, err = l.TransposeOuts(grow...); err != nil {
		return linear.Layout{}, err
	}
	if l, err = l.EnsureNotSmaller(sizes); err != nil {
		return linear.Layout{}, err
	}
	if l, err = l.EnsureNotLarger(sizes, linear.DropRegisters); err != nil {
		return linear.Layout{}, err
	}
	return l.TransposeOuts(names...)
}

// checkInjective refuses a basis that occurs twice.
func (e *distributedLinear) checkInjective(ins []linear.In) error {
	var seen [][]int64
	for _, in := range ins {
		for k, b := range in.Bases {
			if isZero(b) || e.Generic {
				continue
			}
			if slices.ContainsFunc(seen, func(s []int64) bool { return slices.Equal(s, b) }) {
				return fail(cute.CodeNotInjective, opLinear, "expected every basis once, found %v again at %d of %s",
					cute.Ints(b...), k, in.Name)
			}
			seen = append(seen, b)
		}
	}
	return nil
}

// repeatOrder returns the dimensions in the order in which the registers move along them, then the other dimensions,
// the last first.
func (e *distributedLinear) repeatOrder(rank int) []int {
	var order []int
	for _, b := range e.Register {
		if d := slices.IndexFunc(b, func(x int64) bool { return x != 0 }); d >= 0 && !slices.Contains(order, d) {
			order = append(order, d)
		}
	}
	for _, d := range rowMajor(rank) {
		if !slices.Contains(order, d) {
			order = append(order, d)
		}
	}
	return order
}

// Layout returns offset, block -> dim0, dim1, ... It returns the errors of [Encoding] and [sharedLinear].
func (e *sharedLinear) Layout(shape ...int64) (linear.Layout, error) {
	if err := checkShape(opSharedLinear, e.rank(), shape); err != nil {
		return linear.Layout{}, err
	}
	if e.Alignment != 0 && !isPower(e.Alignment) {
		return linear.Layout{}, fail(cute.CodeExtent, opSharedLinear,
			"expected a power of two for alignment, found %d", e.Alignment)
	}
	l, err := e.onto(shape)
	if err != nil {
		return linear.Layout{}, err
	}
	return e.once(opSharedLinear, l)
}

// onto returns the layout of the bases, which must reach every element.
func (e *sharedLinear) onto(shape []int64) (linear.Layout, error) {
	outs := make([]linear.Dim, len(shape))
	for d, n := range shape {
		outs[d] = linear.Dim{Name: dimName(d), Size: n}
	}
	return linear.New([]linear.In{{Name: offset, Bases: e.Offset}, {Name: block, Bases: e.Block}}, outs,
		linear.RequireSurjective)
}

// once refuses the bases unless the nonzero bases are independent.
func (e *sharedLinear) once(op string, l linear.Layout) (linear.Layout, error) {
	moving := 0
	for _, b := range slices.Concat(e.Offset, e.Block) {
		if !isZero(b) {
			moving++
		}
	}
	if moving != l.OutBits() {
		return linear.Layout{}, fail(cute.CodeNotInjective, op,
			"expected %d bases that are not zero for the %d bits of an element, found %d: two places hold the same element",
			l.OutBits(), l.OutBits(), moving)
	}
	return l, nil
}
