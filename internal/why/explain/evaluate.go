package explain

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file explains L(c): the coordinate is split into one digit per leaf, and each digit is multiplied by its stride.

// evaluationExplainers explains layouts as functions: values at coordinates, coordinates of indices, slices.
func evaluationExplainers() map[string]explainer {
	return map[string]explainer{
		"eval": evaluate, "crd2idx": coordinateToIndex, "idx2crd": indexToCoordinate, "crd2crd": coordinateToCoordinate,
		"slice": slice, "slice_and_offset": slice, "dice": slice,
		"domain_offset": domainOffset, "increment": increment, "decay": decay,
	}
}

const (
	evaluateRule     = "An index is taken apart into the digits of the shape, mode 0 fastest: digit = index div (product of the extents before) mod extent, the last one not reduced. The offset is the sum of digit times stride."
	coordinateSource = "CuTe, include/cute/stride.hpp, crd2idx, idx2crd, crd2crd"
)

// evaluate explains L(c).
func evaluate(op *Operation, x *Explanation) {
	if op.Err != nil || len(op.Args) < 2 {
		return
	}
	c, ok := coordinateArg(op, 1)
	if !ok {
		return
	}
	x.Source = coordinateSource
	switch f := op.Args[0].Value.(type) {
	case cute.Layout:
		x.Rule = evaluateRule
		sayOffset(x, f, c)
	case cute.Tuple:
		x.Rule = "A shape without strides is its compact column-major layout. " + evaluateRule
		if l, err := cute.LayoutLeft(f); err == nil {
			sayOffset(x, l, c)
		}
	case cute.Composed:
		evaluateComposed(x, f, c)
	}
}

// coordinateArg returns the operands from operand i on as one coordinate.
func coordinateArg(op *Operation, i int) (cute.Tuple, bool) {
	if len(op.Args) == i+1 {
		return arg[cute.Tuple](op, i)
	}
	parts := make([]cute.Tuple, len(op.Args)-i)
	for j := range parts {
		var ok bool
		if parts[j], ok = arg[cute.Tuple](op, i+j); !ok {
			return cute.Tuple{}, false
		}
	}
	t, err := cute.MakeTuple(parts...)
	return t, err == nil
}

// sayDivisions describes, mode by mode, how an integer in place of a nested mode is split; name is the name of the
// integer.
func sayDivisions(x *Explanation, d *cute.Derivation, name string) {
	for _, s := range stepsOf[cute.Digits](d) {
		if s.Shape.IsInt() {
			continue
		}
		rows := [][]string{{"extent", "div", "mod", "digit"}}
		worth := int64(1)
		for k, e := range s.Each {
			if worth > 1<<31 {
				return
			}
			extent := e.Mode.Extent
			row := []string{
				itoa(extent), fmt.Sprintf("%d/%d = %d", s.Index, worth, e.Left),
				fmt.Sprintf("%d mod %d = %d", e.Left, extent, e.Value), itoa(e.Value),
			}
			if k == len(s.Each)-1 {
				row[2] = "not reduced"
			}
			rows = append(rows, row)
			if extent > 1<<31 {
				return
			}
			worth *= extent
		}
		x.sayf("%s %d in the shape %v:", name, s.Index, s.Shape).show(columns(rows...)...)
	}
}

// nameOf returns the name of an integer: "Index" if the coordinate c is this integer, else "The integer".
func nameOf(c cute.Tuple) string {
	if c.IsInt() {
		return "Index"
	}
	return "The integer"
}

// sayOffset adds the steps of L(c).
func sayOffset(x *Explanation, l cute.Layout, c cute.Tuple) {
	if d, err := cute.DeriveEval(l, c); err == nil {
		sayEval(x, d)
	}
}

// sayEval describes the value of a layout at a coordinate.
func sayEval(x *Explanation, d *cute.Derivation) {
	c, _ := d.B.(cute.Tuple)
	sayDivisions(x, d, nameOf(c))
	sum, err := cute.ArithmeticTuple(d.To)
	if err != nil {
		return
	}
	rows := [][]string{{"mode", "coordinate", "stride", "product"}}
	var terms []string
	outside := false
	for _, s := range stepsOf[cute.Digits](d) {
		for _, e := range s.Each {
			rows = append(rows, []string{e.Mode.String(), itoa(e.Value), e.Mode.Stride.String(), e.Term.String()})
			terms = append(terms, e.Term.String())
			outside = outside || e.Value < 0 || e.Value >= e.Mode.Extent
		}
	}
	x.sayf("The coordinate is %v, and the offset %s = %v:", d.From, strings.Join(terms, " + "), sum).
		show(columns(rows...)...).Figure = &Figure{
		Kind: "layout", Expr: d.A.String(), Caption: fmt.Sprintf("the offset at %v is %v", d.From, sum),
	}
	if outside {
		x.notef("the coordinate %v is outside of the shape %v: the layout goes on as if its last mode had no end",
			d.From, d.A.Shape())
	}
}

// shapeArg returns operand i as a shape: a tuple, or the shape of a layout.
func shapeArg(op *Operation, i int) (cute.Tuple, bool) {
	if l, ok := arg[cute.Layout](op, i); ok {
		return l.Shape(), true
	}
	return arg[cute.Tuple](op, i)
}

// functionArg returns operand i as a layout, with operand i+1 as its stride if there is such an operand. A shape alone
// becomes its column-major layout.
func functionArg(op *Operation, i int) (cute.Layout, bool) {
	if s, ok := arg[cute.Tuple](op, i); ok && len(op.Args) == i+2 {
		d, ok := arg[cute.Tuple](op, i+1)
		if !ok {
			return cute.Layout{}, false
		}
		l, err := cute.New(s, d)
		return l, err == nil
	}
	if len(op.Args) != i+1 {
		return cute.Layout{}, false
	}
	return op.layoutArg(i)
}

func coordinateToIndex(op *Operation, x *Explanation) {
	c, ok := arg[cute.Tuple](op, 0)
	if !ok || op.Err != nil {
		return
	}
	rule := "The sum of digit times stride; without a stride the strides are the products of the extents before, so that the sum is the colexicographic index."
	if s, isShape := arg[cute.Tuple](op, 1); isShape && len(op.Args) == 2 {
		x.Rule, x.Source = rule, coordinateSource
		d, _ := op.Until.Derive("crd2idx", c, s)
		sayParts(x, d, nil, func(x *Explanation, d *cute.Derivation, _ error) { sayEval(x, d) })
	} else if l, ok := functionArg(op, 1); ok {
		x.Rule, x.Source = rule, coordinateSource
		sayOffset(x, l, c)
	}
}

func indexToCoordinate(op *Operation, x *Explanation) {
	i, ok := arg[cute.Tuple](op, 0)
	if !ok || op.Err != nil {
		return
	}
	x.Source = coordinateSource
	if len(op.Args) == 2 {
		shape, ok := arg[cute.Tuple](op, 1)
		if !ok {
			return
		}
		x.Rule = "Each digit is index div (product of the extents before) mod extent, mode 0 first; the last one is not reduced."
		d, err := op.Until.Derive("idx2crd", i, shape)
		if err != nil {
			return
		}
		sayDivisions(x, d, nameOf(i))
		x.sayf("The digits in the nesting of the shape: %v.", d.To)
		r, isTuple := op.Result.Value.(cute.Tuple)
		index, err1 := cute.Crd2Idx(i, shape)
		back, err2 := cute.Crd2Idx(r, shape)
		if !isTuple || err1 != nil || err2 != nil {
			return
		}
		x.Check = fmt.Sprintf("the index of %v is %d again", r, back)
		if back != index {
			x.refute("that the index belongs to the coordinate", "index %d", index)
		}
		return
	}
	l, ok := functionArg(op, 1)
	r, isTuple := op.Result.Value.(cute.Tuple)
	if !ok || !isTuple {
		return
	}
	x.Rule = "The coordinate of the layout that has the offset: the offset is taken apart by the strides instead of the extents."
	if v, ok := at(l, r); ok {
		x.Check = fmt.Sprintf("the offset of %v in %v is %v", r, l, v)
	}
}

func coordinateToCoordinate(op *Operation, x *Explanation) {
	c, ok := arg[cute.Tuple](op, 0)
	from, ok1 := shapeArg(op, 1)
	to, ok2 := shapeArg(op, 2)
	if !ok || !ok1 || !ok2 || op.Err != nil {
		return
	}
	x.Rule, x.Source = "The coordinate goes to its colexicographic index in the first shape, and that to its "+
		"coordinate in the second.", coordinateSource
	d, err := op.Until.Derive("crd2crd", c, from, to)
	if err != nil {
		return
	}
	for _, p := range partsOf(d) {
		sayEval(x, p)
	}
	sayDivisions(x, d, "Index")
}

func increment(op *Operation, x *Explanation) {
	c, ok := arg[cute.Tuple](op, 0)
	shape, ok2 := shapeArg(op, 1)
	r, ok3 := op.Result.Value.(cute.Tuple)
	if !ok || !ok2 || !ok3 || op.Err != nil {
		return
	}
	x.Rule = "Mode 0 counts first; a mode that reaches its extent goes back to 0 and the next one counts, the last one without end."
	i, err1 := cute.Crd2Idx(c, shape)
	j, err2 := cute.Crd2Idx(r, shape)
	if err1 == nil && err2 == nil {
		x.Check = fmt.Sprintf("%v has the index %d, and %v the index %d", c, i, r, j)
	}
}

func domainOffset(op *Operation, x *Explanation) {
	c, ok := arg[cute.Tuple](op, 0)
	l, ok2 := op.layoutArg(1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Rule = "The layout stays as it is, and begins at the offset of the coordinate."
	x.Source = "CuTe, include/cute/tensor_impl.hpp, domain_offset"
	sayOffset(x, l, c)
}
