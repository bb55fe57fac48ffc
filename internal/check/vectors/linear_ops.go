package vectors

import (
	"encoding/json"
	"errors"

	"girih/linear"
)

// A linearOperation runs an operation of the section algebra.
type linearOperation func(a linearArgs, opts ...linear.Option) (linearAnswer, error)

// linearOperations maps the names in the file, which come from Triton's header, to the operations.
var linearOperations = map[string]linearOperation{
	"construct": unaryOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (linear.Layout, error) { return l, nil }),
	"identity1D": layoutOp(func(a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return linear.Identity1D(a.Size, a.InDim, a.OutDim)
	}),
	"strided1D": layoutOp(func(a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return linear.Strided1D(a.Size, a.Stride, a.InDim, a.OutDim)
	}),
	"zeros1D": layoutOp(func(a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return linear.Zeros1D(a.Size, a.InDim, a.OutDim, max(a.OutDimSize, 1))
	}),
	"zerosLike": unaryOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return linear.ZerosLike(l), nil
	}),

	"mul": binaryOp(func(l, m linear.Layout, opts ...linear.Option) (linear.Layout, error) { return l.Product(m, opts...) }),
	"compose": binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) {
		return l.Compose(m)
	}),
	"invertAndCompose": binaryOp(func(l, m linear.Layout, opts ...linear.Option) (linear.Layout, error) {
		return l.InvertAndCompose(m, opts...)
	}),
	"invertAndComposeBlockLocal": binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) {
		return linear.InvertAndComposeBlockLocal(l, m)
	}),
	"lstsq":       binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) { return l.Lstsq(m) }),
	"divideLeft":  binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) { return l.DivideLeft(m) }),
	"divideRight": binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) { return l.DivideRight(m) }),
	"getReps":     binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) { return l.GetReps(m) }),
	"concatIns":   binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) { return l.ConcatIns(m) }),
	"concatOuts":  binaryOp(func(l, m linear.Layout, _ ...linear.Option) (linear.Layout, error) { return l.ConcatOuts(m) }),

	"invert": unaryOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (linear.Layout, error) { return l.Invert() }),
	"pseudoinvert": unaryOp(func(l linear.Layout, _ linearArgs, opts ...linear.Option) (linear.Layout, error) {
		return l.Pseudoinvert(opts...)
	}),
	"sublayout": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.Sublayout(a.InDims, a.OutDims)
	}),
	"quotient": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		names, err := a.names()
		if err != nil {
			return l, err
		}
		return l.Quotient(names...)
	}),
	"resizeInDim": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.ResizeIn(a.Dim, a.Size)
	}),
	"resizeOutDim": unaryOp(func(l linear.Layout, a linearArgs, opts ...linear.Option) (linear.Layout, error) {
		return l.ResizeOut(a.Dim, a.Size, opts...)
	}),
	"ensureLayoutNotLargerThan": unaryOp(func(l linear.Layout, a linearArgs, opts ...linear.Option) (linear.Layout, error) {
		shape, err := a.dimShape()
		if err != nil {
			return l, err
		}
		if a.Broadcast != nil && !*a.Broadcast {
			opts = append(opts, linear.DropRegisters)
		}
		return l.EnsureNotLarger(shape, opts...)
	}),
	"ensureLayoutNotSmallerThan": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		shape, err := a.dimShape()
		if err != nil {
			return l, err
		}
		return l.EnsureNotSmaller(shape)
	}),
	"transposeIns": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		names, err := a.names()
		if err != nil {
			return l, err
		}
		return l.TransposeIns(names...)
	}),
	"transposeOuts": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		names, err := a.names()
		if err != nil {
			return l, err
		}
		return l.TransposeOuts(names...)
	}),
	"reshapeIns": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		dims, err := a.newDims()
		if err != nil {
			return l, err
		}
		return l.ReshapeIns(dims...)
	}),
	"reshapeOuts": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		dims, err := a.newDims()
		if err != nil {
			return l, err
		}
		return l.ReshapeOuts(dims...)
	}),
	"flattenIns": unaryOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.FlattenIns(), nil
	}),
	"flattenOuts": unaryOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.FlattenOuts(), nil
	}),
	"squeezeIns": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.SqueezeIns(a.Dim)
	}),
	"squeezeOuts": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.SqueezeOuts(a.Dim)
	}),
	"renameInDim": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.RenameIn(a.Old, a.New)
	}),
	"renameOutDim": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.RenameOut(a.Old, a.New)
	}),
	"removeZeroBasesAlongDim": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		return l.RemoveZeroBasesAlongDim(a.Dim)
	}),
	"reshapeLayout": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		var shape []int64
		if err := json.Unmarshal(a.Shape, &shape); err != nil {
			return l, err
		}
		return l.ReshapeTensor(shape...)
	}),
	"transposeLinearLayout": unaryOp(func(l linear.Layout, a linearArgs, opts ...linear.Option) (linear.Layout, error) {
		return l.TransposeTensor(a.Order, opts...)
	}),
	"columnApply": unaryOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (linear.Layout, error) {
		action, err := linear.NewColumnAction(a.Action, a.InDim, a.InSizeLog2)
		if err != nil {
			return l, err
		}
		return action.Apply(l)
	}),

	"columnApplyValues": func(a linearArgs, _ ...linear.Option) (linearAnswer, error) {
		action, err := linear.NewColumnAction(a.Action, a.InDim, a.InSizeLog2)
		if err != nil {
			return linearAnswer{}, err
		}
		values, err := linear.ApplyValues(action, a.Values)
		return linearAnswer{value: values}, err
	},
	"supremum": func(a linearArgs, opts ...linear.Option) (linearAnswer, error) {
		names, err := linear.Supremum(a.X, a.Y, opts...)
		return linearAnswer{value: names}, err
	},
	"apply": valueOp(func(l linear.Layout, a linearArgs, opts ...linear.Option) (any, error) {
		coords := make([]linear.Coord, len(a.Ins))
		for i, p := range a.Ins {
			coords[i] = linear.Coord{Name: p.name, Value: p.value}
		}
		out, err := l.Apply(coords, opts...)
		return pairs(out), err
	}),
	"getMatrix": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		m := l.Matrix()
		rows := make([][]int, m.Rows())
		for i := range rows {
			rows[i] = make([]int, m.Cols())
			for j := range rows[i] {
				rows[i][j] = m.At(i, j)
			}
		}
		return rows, nil
	}),
	"getFreeVariableMasks": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		return pairs(l.FreeVariableMasks()), nil
	}),
	"getNumConsecutiveInOut": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		return l.NumConsecutiveInOut(), nil
	}),
	"contiguousElemsAlongOutputDim": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		return l.ContiguousElemsAlongOutputDim(a.Dim)
	}),
	"getInputBasisMask": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		return l.InputBasisMask(a.InDim, a.OutDims...)
	}),
	"getOutputBasisMask": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		return l.OutputBasisMask(a.InDims, a.OutDim)
	}),
	"isTrivialOver": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		names, err := a.names()
		if err != nil {
			return nil, err
		}
		return l.IsTrivialOver(names...)
	}),
	"squareSublayoutIsIdentity": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		names, err := a.names()
		if err != nil {
			return nil, err
		}
		return l.SquareSublayoutIsIdentity(names...)
	}),
	"isIdentityOnOutDim": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		return l.IsIdentityOnOutDim(a.Dim)
	}),
	"sublayoutIsZero": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		return l.SublayoutIsZero(a.InDims, a.OutDims)
	}),
	"isSurjective": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		return l.IsSurjective(), nil
	}),
	"isInjective": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		return l.IsInjective(), nil
	}),
	"isInvertible": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		return l.IsInvertible(), nil
	}),
	"toString": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		return l.String(), nil
	}),
	"equal":                    equalOp(linear.Layout.Equal),
	"equalIgnoringOutDimSizes": equalOp(linear.Layout.EqualIgnoringOutSizes),

	"actionRemoveBroadcastedRegs": valueOp(func(l linear.Layout, _ linearArgs, _ ...linear.Option) (any, error) {
		action, err := l.ActionRemoveBroadcastedRegs()
		return action.String(), err
	}),
	"regPermForDivide": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		m, err := a.B.layout()
		if err != nil {
			return nil, err
		}
		perm := l.RegPermForDivideRight
		if a.Left {
			perm = l.RegPermForDivideLeft
		}
		action, err := perm(m)
		return action.String(), err
	}),
	"largestVectorisation": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		n, perm, err := l.LargestVectorisation(a.Bitwidth, a.MaxVec)
		return map[string]any{"elems": n, "perm": perm.String()}, err
	}),
	"broadcastAs": valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		return linear.BroadcastAs(l, a.Values)
	}),
}

// layoutOp is an operation whose answer is a layout.
func layoutOp(f func(a linearArgs, opts ...linear.Option) (linear.Layout, error)) linearOperation {
	return func(a linearArgs, opts ...linear.Option) (linearAnswer, error) {
		l, err := f(a, opts...)
		return linearAnswer{layout: &l}, err
	}
}

// unaryOp is an operation on the layout A whose answer is a layout.
func unaryOp(f func(l linear.Layout, a linearArgs, opts ...linear.Option) (linear.Layout, error)) linearOperation {
	return layoutOp(func(a linearArgs, opts ...linear.Option) (linear.Layout, error) {
		l, err := a.A.layout()
		if err != nil {
			return l, err
		}
		return f(l, a, opts...)
	})
}

// binaryOp is an operation on the layouts A and B whose answer is a layout.
func binaryOp(f func(l, m linear.Layout, opts ...linear.Option) (linear.Layout, error)) linearOperation {
	return unaryOp(func(l linear.Layout, a linearArgs, opts ...linear.Option) (linear.Layout, error) {
		m, err := a.B.layout()
		if err != nil {
			return m, err
		}
		return f(l, m, opts...)
	})
}

// valueOp is an operation on the layout A whose answer is not a layout.
func valueOp(f func(l linear.Layout, a linearArgs, opts ...linear.Option) (any, error)) linearOperation {
	return func(a linearArgs, opts ...linear.Option) (linearAnswer, error) {
		l, err := a.A.layout()
		if err != nil {
			return linearAnswer{}, err
		}
		v, err := f(l, a, opts...)
		return linearAnswer{value: v}, err
	}
}

// equalOp is a comparison of the layouts A and B.
func equalOp(f func(l, m linear.Layout) bool) linearOperation {
	return valueOp(func(l linear.Layout, a linearArgs, _ ...linear.Option) (any, error) {
		m, err := a.B.layout()
		return f(l, m), err
	})
}

var errArgs = errors.New("the arguments of the row cannot be read")

// names reads the argument dims as names.
func (a linearArgs) names() ([]string, error) {
	var names []string
	if len(a.Dims) > 0 && json.Unmarshal(a.Dims, &names) != nil {
		return nil, errArgs
	}
	return names, nil
}

// newDims reads the argument dims as dimensions with sizes.
func (a linearArgs) newDims() ([]linear.Dim, error) {
	var p []pairJSON[int64]
	if len(a.Dims) > 0 && json.Unmarshal(a.Dims, &p) != nil {
		return nil, errArgs
	}
	return dimsOf(p), nil
}

// dimShape reads the argument shape as dimensions with sizes.
func (a linearArgs) dimShape() ([]linear.Dim, error) {
	var p []pairJSON[int64]
	if json.Unmarshal(a.Shape, &p) != nil {
		return nil, errArgs
	}
	return dimsOf(p), nil
}

// pairs returns coordinates as the file writes them.
func pairs(coords []linear.Coord) [][]any {
	out := make([][]any, len(coords))
	for i, c := range coords {
		out[i] = []any{c.Name, c.Value}
	}
	return out
}
