package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements make_composed_layout(F, OFFSET, OUTER) of the CuTe DSL for a Python function F that girih cannot
// represent as a map of integers, such as a function of a coordinate, or one that reads a tensor.

// A funcLayout is such a layout: it maps a coordinate c to F(OUTER(c) + OFFSET).
type funcLayout struct {
	f      *Func
	offset Value
	outer  Value
}

// TypeName returns the name of the type in Python.
func (funcLayout) TypeName() string { return "ComposedLayout" }

// functionLayout implements make_composed_layout with such a function; ok is false for any other call.
func (r *runner) functionLayout(x *program.Call) (v Value, ok bool, err error) {
	if len(x.Args) != 3 || r.lang != program.Python {
		return nil, false, nil
	}
	name, isName := x.Args[0].X.(*program.Name)
	lambda, isLambda := x.Args[0].X.(*program.Lambda)
	f := (*Func)(nil)
	switch {
	case isName:
		of, _ := r.lookupValue(name.Name)
		f, _ = of.(*Func)
	case isLambda:
		f, _ = r.function(lambda.Def)
	}
	if f == nil {
		return nil, false, nil
	}
	if _, err := r.indexMap(f); err == nil {
		return nil, false, nil
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, true, err
	}
	l := funcLayout{f, nil, nil}
	for i, name := range []string{"inner", "offset", "outer"} {
		v := c.take(name)
		if v == nil && i < len(c.pos) {
			v = c.pos[i]
		}
		switch i {
		case 1:
			l.offset = v
		case 2:
			l.outer = v
		}
	}
	if l.offset == nil || l.outer == nil {
		return nil, true, errorf(cute.CodeRank, "expected make_composed_layout(inner, offset, outer)")
	}
	return l, true, nil
}

// at returns the value of the layout at a coordinate.
func (l funcLayout) at(r *runner, c *arguments) (Value, error) {
	v, err := r.applyTo(l.outer, c)
	if err != nil {
		return nil, err
	}
	if v, err = r.plus(v, l.offset); err != nil {
		return nil, err
	}
	return r.invoke(l.f, &arguments{pos: []Value{v}})
}

// plus adds two coordinates, mode by mode.
func (r *runner) plus(a, b Value) (Value, error) {
	x, err := r.coordinates(a)
	if err != nil {
		return nil, err
	}
	y, err := r.coordinates(b)
	switch {
	case err != nil:
		return nil, err
	case x == nil && y == nil:
		return r.combine("+", a, b, program.Span{})
	case y == nil && b == Int(0):
		return Tuple(x), nil
	case len(x) != len(y):
		return nil, errorf(cute.CodeRank, "expected an offset like %s, found %s", r.describe(a), r.describe(b))
	}
	sum := make(Tuple, len(x))
	for i := range x {
		if sum[i], err = r.plus(x[i], y[i]); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// coordinates returns the modes of a coordinate, or nil if the coordinate is an integer.
func (r *runner) coordinates(v Value) ([]Value, error) {
	if _, ok := integerOf(v); ok {
		return nil, nil
	}
	switch v.(type) {
	case Tuple, Algebra:
		return r.elements(v)
	}
	return nil, python.TypeError("expected a coordinate, found '%s'", python.TypeName(v))
}
