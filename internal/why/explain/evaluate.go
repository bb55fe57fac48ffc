package explain

import (
	"fmt"
	"strings"

	"girih"
)

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
	case girih.Layout:
		x.Rule = evaluateRule
		sayOffset(x, f, c)
	case girih.Tuple:
		x.Rule = "A bare shape stands for its compact column-major layout. " + evaluateRule
		if l, err := girih.LayoutLeft(f); err == nil {
			sayOffset(x, l, c)
		}
	case girih.Composed:
		evaluateComposed(x, f, c)
	case girih.Swizzle:
		x.Rule, x.Source = swizzleRule, swizzleSource
		if i, ok := c.Int64(); ok {
			saySwizzle(x, f, i)
		}
	}
}

// coordinateArg returns the operands from place i on as one coordinate.
func coordinateArg(op *Operation, i int) (girih.Tuple, bool) {
	if len(op.Args) == i+1 {
		return arg[girih.Tuple](op, i)
	}
	parts := make([]girih.Tuple, len(op.Args)-i)
	for j := range parts {
		var ok bool
		if parts[j], ok = arg[girih.Tuple](op, i+j); !ok {
			return girih.Tuple{}, false
		}
	}
	t, err := girih.MakeTuple(parts...)
	return t, err == nil
}

// natural returns the coordinate with one number for each leaf of the shape.
func natural(c, shape girih.Tuple) (girih.Tuple, bool) {
	if shape.IsInt() {
		return c, c.IsInt()
	}
	if c.IsInt() {
		t, err := girih.Idx2Crd(c, shape)
		return t, err == nil
	}
	cs, ss := c.Modes(), shape.Modes()
	if len(cs) != len(ss) {
		return c, false
	}
	for i := range ss {
		var ok bool
		if cs[i], ok = natural(cs[i], ss[i]); !ok {
			return c, false
		}
	}
	t, err := girih.MakeTuple(cs...)
	return t, err == nil
}

// sayDivisions says how integers in place of modes are taken apart, mode by mode.
func sayDivisions(x *Explanation, c, shape girih.Tuple, name string) {
	if shape.IsInt() {
		return
	}
	if i, ok := c.Int64(); ok {
		rows := [][]string{{"extent", "div", "mod", "digit"}}
		text := itoa(i)
		worth := int64(1)
		extents := shape.Flatten().Leaves()
		for k, s := range extents {
			q := i / worth
			row := []string{
				itoa(s), fmt.Sprintf("%s/%d = %d", text, worth, q),
				fmt.Sprintf("%d mod %d = %d", q, s, q%s), itoa(q % s),
			}
			if k == len(extents)-1 {
				row[2], row[3] = "not reduced", itoa(q)
			}
			rows = append(rows, row)
			if s <= 1<<31 && worth <= 1<<31 {
				worth *= s
			} else {
				return
			}
		}
		x.sayf("%s %d in the shape %v:", name, i, shape).show(columns(rows...)...)
		return
	}
	cs, ss := c.Modes(), shape.Modes()
	for i := range ss {
		if i < len(cs) {
			sayDivisions(x, cs[i], ss[i], "The integer")
		}
	}
}

// sayOffset adds the steps of L(c), and returns the value they lead to.
func sayOffset(x *Explanation, l girih.Layout, c girih.Tuple) (girih.Tuple, bool) {
	n, ok := natural(c, l.Shape())
	if !ok {
		return c, false
	}
	sayDivisions(x, c, l.Shape(), "Index")
	digits := n.Flatten().Leaves()
	leaves := leavesOf(l)
	if len(digits) != len(leaves) {
		return c, false
	}
	sum := girih.Int(0)
	rows := [][]string{{"mode", "coordinate", "stride", "product"}}
	terms := make([]string, 0, len(leaves))
	for i, f := range leaves {
		p, err := f.d.Scale(digits[i])
		if err != nil {
			return c, false
		}
		if sum, err = sum.Add(p); err != nil {
			return c, false
		}
		rows = append(rows, []string{f.String(), itoa(digits[i]), f.d.String(), p.String()})
		terms = append(terms, p.String())
	}
	x.sayf("The coordinate is %v, and the offset %s = %v:", n, strings.Join(terms, " + "), sum).
		show(columns(rows...)...).Figure = &Figure{
		Kind: "layout", Expr: l.String(), Caption: fmt.Sprintf("the offset at %v is %v", n, sum),
	}
	for i, f := range leaves {
		if digits[i] < 0 || digits[i] >= f.s {
			x.notef("the coordinate %v is outside of the shape %v: the layout goes on as if its last mode had no end",
				n, l.Shape())
			break
		}
	}
	v, ok := at(l, c)
	if ok && v.HasBasis() == sum.HasBasis() && v.Depth() == 0 {
		return sum, true
	}
	return v, ok
}

// shapeArg returns operand i as a shape: a tuple, or the shape of a layout.
func shapeArg(op *Operation, i int) (girih.Tuple, bool) {
	if l, ok := arg[girih.Layout](op, i); ok {
		return l.Shape(), true
	}
	return arg[girih.Tuple](op, i)
}

// functionArg returns operand i, and i+1 if it is a stride, as a layout; a shape is its column-major one.
func functionArg(op *Operation, i int) (girih.Layout, bool) {
	if s, ok := arg[girih.Tuple](op, i); ok && len(op.Args) == i+2 {
		d, ok := arg[girih.Tuple](op, i+1)
		if !ok {
			return girih.Layout{}, false
		}
		l, err := girih.New(s, d)
		return l, err == nil
	}
	if len(op.Args) != i+1 {
		return girih.Layout{}, false
	}
	return op.layoutArg(i)
}

// indexing returns the layout from coordinates of the shape to indices; unlike the compact one it has a stride for
// modes of extent 1 too, which counts beyond the shape.
func indexing(shape girih.Tuple) (girih.Layout, bool) {
	extents := shape.Flatten().Leaves()
	w := int64(1)
	parts := make([]girih.Layout, len(extents))
	for i, e := range extents {
		var err error
		if parts[i], err = girih.New(girih.Int(e), girih.Int(w)); err != nil {
			return girih.Layout{}, false
		}
		w *= e
	}
	l, err := nested(shape, parts)
	return l, err == nil
}

func coordinateToIndex(op *Operation, x *Explanation) {
	c, ok := arg[girih.Tuple](op, 0)
	l, ok2 := functionArg(op, 1)
	if s, isShape := arg[girih.Tuple](op, 1); isShape && len(op.Args) == 2 {
		l, ok2 = indexing(s)
	}
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Rule, x.Source = "The sum of digit times stride; without a stride the strides are the products of the extents "+
		"before, so that the sum is the colexicographic index.", coordinateSource
	sayOffset(x, l, c)
}

func indexToCoordinate(op *Operation, x *Explanation) {
	i, ok := arg[girih.Tuple](op, 0)
	if !ok || op.Err != nil {
		return
	}
	x.Source = coordinateSource
	if len(op.Args) == 2 {
		shape, ok := arg[girih.Tuple](op, 1)
		if !ok {
			return
		}
		x.Rule = "Each digit is index div (product of the extents before) mod extent, mode 0 first; the last one is not reduced."
		sayDivisions(x, i, shape, "Index")
		r, ok := natural(i, shape)
		if !ok {
			return
		}
		x.sayf("The digits in the nesting of the shape: %v.", r)
		if back, err := girih.Crd2Idx(r, shape); err == nil {
			x.Check = fmt.Sprintf("the index of %v is %d again", r, back)
		}
		return
	}
	l, ok := functionArg(op, 1)
	r, isTuple := op.Result.Value.(girih.Tuple)
	if !ok || !isTuple {
		return
	}
	x.Rule = "The coordinate of the layout that has the offset: the offset is taken apart by the strides instead of the extents."
	if v, ok := at(l, r); ok {
		x.Check = fmt.Sprintf("the offset of %v in %v is %v", r, l, v)
	}
}

func coordinateToCoordinate(op *Operation, x *Explanation) {
	c, ok := arg[girih.Tuple](op, 0)
	from, ok1 := shapeArg(op, 1)
	to, ok2 := shapeArg(op, 2)
	if !ok || !ok1 || !ok2 || op.Err != nil {
		return
	}
	x.Rule, x.Source = "The coordinate goes to its colexicographic index in the first shape, and that to its "+
		"coordinate in the second.", coordinateSource
	l, ok := indexing(from)
	if !ok {
		return
	}
	v, ok := sayOffset(x, l, c)
	if !ok {
		return
	}
	sayDivisions(x, v, to, "Index")
}

func increment(op *Operation, x *Explanation) {
	c, ok := arg[girih.Tuple](op, 0)
	shape, ok2 := shapeArg(op, 1)
	r, ok3 := op.Result.Value.(girih.Tuple)
	if !ok || !ok2 || !ok3 || op.Err != nil {
		return
	}
	x.Rule = "Mode 0 counts first; a mode that reaches its extent goes back to 0 and the next one counts, the last one without end."
	i, err1 := girih.Crd2Idx(c, shape)
	j, err2 := girih.Crd2Idx(r, shape)
	if err1 == nil && err2 == nil {
		x.Check = fmt.Sprintf("%v has the index %d, and %v the index %d", c, i, r, j)
	}
}

func domainOffset(op *Operation, x *Explanation) {
	c, ok := arg[girih.Tuple](op, 0)
	l, ok2 := op.layoutArg(1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Rule = "The layout stays as it is, and begins at the offset of the coordinate."
	x.Source = "CuTe, include/cute/tensor_impl.hpp, domain_offset"
	sayOffset(x, l, c)
}
