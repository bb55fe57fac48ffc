package triton

import (
	"slices"

	"girih/cute"
	"girih/linear"
)

// slice is #ttg.slice, SliceLayout in Gluon: the register encoding Parent after dimension Dim of the tensor is reduced
// to one element. Lanes, warps and blocks that differed only along Dim hold copies; registers that differed only along
// Dim are removed.
//
// [Encoding.Layout] returns [cute.CodeType] for a parent that does not lay out registers, [cute.CodeMode] for a
// dimension that the parent does not have, [cute.CodeRank] for a parent with a single dimension, and the errors of the
// parent.
type slice struct {
	Dim    int
	Parent Encoding
}

const opSlice = "slice"

func (e *slice) rank() int {
	if e.Parent == nil || e.Parent.rank() == 0 {
		return 0
	}
	return e.Parent.rank() - 1
}

// Layout returns register, lane, warp, block -> dim0, dim1, ... It returns the errors of [Encoding] and [slice].
func (e *slice) Layout(shape ...int64) (linear.Layout, error) {
	if err := checkShape(opSlice, 0, shape); err != nil {
		return linear.Layout{}, err
	}
	if e.Parent == nil || !inRegisters(e.Parent) {
		return linear.Layout{}, fail(cute.CodeType, opSlice, "expected an encoding of registers as parent, found %s",
			describe(e.Parent))
	}
	rank := len(shape) + 1
	if p := e.Parent.rank(); p != 0 && p != rank {
		return linear.Layout{}, fail(cute.CodeRank, opSlice,
			"expected a tensor of %d dimensions, one less than the parent's, found the shape %v", p-1, cute.Ints(shape...))
	}
	if e.Dim < 0 || e.Dim >= rank {
		return linear.Layout{}, fail(cute.CodeMode, opSlice,
			"expected a dimension below %d, the rank of the parent, found %d", rank, e.Dim)
	}
	parent, err := e.Parent.Layout(slices.Insert(slices.Clone(shape), e.Dim, 1)...)
	if err != nil {
		return linear.Layout{}, err
	}
	ins := parent.Bases()
	for i := range ins {
		ins[i].Bases = project(ins[i].Bases, func(b []int64) []int64 { return slices.Delete(b, e.Dim, e.Dim+1) })
		if ins[i].Name == register {
			ins[i].Bases = slices.DeleteFunc(ins[i].Bases, isZero)
		}
	}
	outs := make([]linear.Dim, len(shape))
	for d, n := range shape {
		outs[d] = linear.Dim{Name: dimName(d), Size: n}
	}
	return linear.New(ins, outs)
}

// inRegisters reports whether the encoding lays out registers.
func inRegisters(e Encoding) bool {
	switch e.(type) {
	case *blocked, *nvidiaMMA, *mfma, *wmma, *dotOperand, *slice, *distributedLinear, *sm120DotScaledScale:
		return true
	}
	return false
}

func isZero(basis []int64) bool {
	return !slices.ContainsFunc(basis, func(x int64) bool { return x != 0 })
}
