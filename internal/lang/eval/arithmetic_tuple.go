package eval

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file reads tuples as coordinates, CuTe's arithmetic tuples: (4,2) is 4@0+2@1, one leaf of a stride. PyCuTe
// prints sums over several axes in this way. If the extent of the tuple is an integer, the tuple is one stride, not
// two.

// arithmeticTuple returns a tuple t as one leaf, the sum over its axes: element i of t is along axis i.
func arithmeticTuple(t symbolic.Tuple) (symbolic.Tuple, error) {
	if n := t.LeafCount(); n > MaxLeaves {
		return t, &cute.Error{
			Code: cute.CodeLimit, Op: "as_arithmetic_tuple",
			Msg: fmt.Sprintf("expected at most %d leaves, found %d", MaxLeaves, n),
		}
	}
	terms, err := axisTerms(nil, t, nil)
	if err != nil {
		return t, err
	}
	if len(terms) == 0 {
		return symbolic.Number(symbolic.Const(0)), nil
	}
	for len(terms) > 1 { // adds neighbours, because adding one term at a time copies the sum each time
		half := terms[:0]
		for i := 0; i < len(terms); i += 2 {
			sum := terms[i]
			if i+1 < len(terms) {
				if sum, err = symbolic.AddTuples(sum, terms[i+1]); err != nil {
					return t, err
				}
			}
			half = append(half, sum)
		}
		terms = half
	}
	return terms[0], nil
}

// axisTerms appends the leaves of t, each moved to its axis.
func axisTerms(terms []symbolic.Tuple, t symbolic.Tuple, path []int) ([]symbolic.Tuple, error) {
	if _, leaf := t.Leaf(); leaf || t.Open() {
		if _, ok := t.Int(); !ok {
			return nil, &cute.Error{
				Code: cute.CodeType, Op: "as_arithmetic_tuple",
				Msg: fmt.Sprintf("expected integers, found %s", t),
			}
		}
		if len(path) == 0 {
			return append(terms, t), nil
		}
		term, err := t.OnAxis(path...)
		return append(terms, term), err
	}
	for i, m := range t.Modes() {
		if i > cute.MaxAxisPath {
			return nil, &cute.Error{
				Code: cute.CodeCodomain, Op: "as_arithmetic_tuple",
				Msg: fmt.Sprintf("a coordinate has at most %d numbers, found %d", cute.MaxAxisPath+1, len(t.Modes())),
			}
		}
		var err error
		if terms, err = axisTerms(terms, m, append(path[:len(path):len(path)], i)); err != nil {
			return nil, err
		}
	}
	return terms, nil
}

// coordinateStrides reads each tuple in a stride whose extent is an integer as a coordinate. A 1-tuple stays: PyCuTe
// prints (2) as 2@0.
func coordinateStrides(shape, stride symbolic.Tuple) (symbolic.Tuple, error) {
	_, extent := shape.Leaf()
	_, number := stride.Leaf()
	ss, ds := shape.Modes(), stride.Modes()
	switch {
	case extent && !number && len(ds) > 1:
		return arithmeticTuple(stride)
	case extent || number || len(ss) != len(ds):
		return stride, nil
	}
	out := make([]symbolic.Tuple, len(ds))
	for i := range ds {
		var err error
		if out[i], err = coordinateStrides(ss[i], ds[i]); err != nil {
			return stride, err
		}
	}
	return symbolic.Nest(out...), nil
}

// shapeStride makes the layout shape:stride, and adds a note if it reads a tuple in the stride as a coordinate.
func (e *Env) shapeStride(x syntax.Expr, shape, stride Value) (Value, error) {
	v, err := e.sign(x, signLayout, nil, shape, stride)
	if !isCode(err, cute.CodeNotCongruent) {
		return v, err
	}
	s, errS := asDynamicTuple(shape)
	d, errD := asDynamicTuple(stride)
	if errS != nil || errD != nil {
		return nil, err
	}
	if _, extent := s.Leaf(); extent && !s.Static() {
		return nil, err // in M:(1,4), M more likely means a whole shape than one extent
	}
	coords, errC := coordinateStrides(s, d)
	if errC != nil {
		return nil, err
	}
	read, errC := simplify(DynamicTuple{coords, guardOf(stride)}, nil)
	if errC != nil {
		return nil, err
	}
	if v, errC = e.sign(x, signLayout, nil, shape, read); errC != nil {
		return nil, err // there are two mistakes; report the nesting
	}
	e.note("the stride %s is read as %s: a tuple next to an extent is a coordinate, as in PyCuTe", stride, read)
	return v, nil
}

// mixedStride evaluates the stride of a shape part by part. This reads strides with tuples next to coordinates, such as
// ((1,1),2@1) in (4,4):((1,1),2@1), which cannot be one tuple; cause is the error of reading such a stride as one
// tuple.
func (e *Env) mixedStride(shape Value, x syntax.Expr, cause error) (Value, error) {
	s, err := asDynamicTuple(shape)
	if err != nil {
		return nil, cause
	}
	d, err := e.strideBeside(s, x)
	if err != nil {
		return nil, cause
	}
	read, err := coordinateStrides(s, d)
	if err != nil {
		return nil, cause
	}
	if _, err := symbolic.New(s, read); err != nil {
		return nil, cause
	}
	return DynamicTuple{Tuple: d}, nil
}

// strideBeside evaluates x as the stride of the shape s.
func (e *Env) strideBeside(s symbolic.Tuple, x syntax.Expr) (symbolic.Tuple, error) {
	_, extent := s.Leaf()
	ss := s.Modes()
	if t, ok := x.(*syntax.Tuple); ok && !extent && len(t.Elems) == len(ss) {
		elems := make([]symbolic.Tuple, len(ss))
		for i := range ss {
			var err error
			if elems[i], err = e.strideBeside(ss[i], t.Elems[i]); err != nil {
				return symbolic.Tuple{}, err
			}
		}
		return symbolic.Nest(elems...), nil
	}
	v, err := e.tupleArg(x, "the stride of a layout")
	if err != nil {
		return symbolic.Tuple{}, err
	}
	return asDynamicTuple(v)
}

// asCoordinate returns a coordinate such as 1@0+2@1 as the tuple (1,2), padded with zeros to the given rank as in CuTe.
// Any other value is returned unchanged.
func asCoordinate(v Value, rank int) (Value, error) {
	if !isNumber(v) || v.Kind() == KindInt || v.Kind() == KindF2 {
		return v, nil
	}
	leaf, err := asDynamicTuple(v)
	if err != nil {
		return nil, err
	}
	l, err := symbolic.New(symbolic.Number(symbolic.Const(2)), leaf)
	if err != nil {
		return nil, err
	}
	t, g, err := l.Eval(symbolic.Number(symbolic.Const(1)))
	if err != nil {
		return nil, err
	}
	elems := slices.Clone(t.Modes())
	for len(elems) < rank {
		elems = append(elems, symbolic.Number(symbolic.Const(0)))
	}
	return simplify(DynamicTuple{symbolic.Nest(elems...), guardOf(v).And(g)}, nil)
}

// rankOf returns the number of modes of a function of coordinates, or 0 for other values.
func rankOf(fn Value) int {
	switch f := fn.(type) {
	case Layout:
		return f.Rank()
	case Composed:
		return f.Rank()
	case Tensor:
		return f.Rank()
	case Tuple:
		return f.Rank()
	case DynamicLayout:
		return len(f.Shape().Modes())
	case DynamicComposed:
		return len(f.Inner.Shape().Modes())
	case DynamicTuple:
		return len(f.Modes())
	}
	return 0
}

// asGirih returns the *cute.Error in the chain of err, or nil.
func asGirih(err error) (*cute.Error, bool) {
	return errors.AsType[*cute.Error](err)
}

// asArithmeticTuple is the function as_arithmetic_tuple. Several arguments are the elements of one tuple.
func asArithmeticTuple(c *call) (Value, error) {
	var g symbolic.Guard
	ts := make([]symbolic.Tuple, len(c.args))
	for i, a := range c.args {
		var err error
		if ts[i], err = asDynamicTuple(a); err != nil {
			return nil, c.bad(i, "an integer or a tuple")
		}
		g = g.And(guardOf(a))
	}
	t := symbolic.Nest(ts...)
	if len(ts) == 1 {
		t = ts[0]
	}
	sum, err := arithmeticTuple(t)
	if err != nil {
		return nil, err
	}
	return simplify(DynamicTuple{sum, g}, nil)
}
