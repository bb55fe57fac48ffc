package interp

import (
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/python"
)

// This file has the values of the CuTe DSL that t.load() returns: all elements of a tensor, to compute with at once.

// A Vector is the elements of a tensor, in colexicographic order: TensorSSA of the CuTe DSL.
type Vector struct {
	Type  dtype.Type
	Shape cute.Tuple
	Elems []Value
}

func (r *runner) loadVector(a Algebra) (Value, error) {
	c, err := r.loadTensor(a)
	if err != nil {
		return nil, err
	}
	v := Vector{Type: a.typ, Shape: c.Shape(), Elems: make([]Value, 0, c.Size())}
	if err := r.hold(int(c.Size()) * python.ValueBytes); err != nil {
		return nil, err
	}
	w := &window{typ: a.typ}
	for code := range c.Values() {
		x, err := r.fromCode(w, code)
		if err != nil {
			return nil, err
		}
		v.Elems = append(v.Elems, x)
	}
	return v, nil
}

func (r *runner) storeVector(a Algebra, v Vector) error {
	c, err := r.codes(a)
	if err != nil {
		return err
	}
	if n := int64(len(v.Elems)); n != c.Size() {
		return errorf(cute.CodeNotCongruent, "expected %d elements for %v, found %d of %v", c.Size(), c.Shape(), n, v.Shape)
	}
	for i, x := range v.Elems {
		code, err := r.toCode(a.typ, x)
		if err != nil {
			return err
		}
		if err := c.Set(code, int64(i)); err != nil {
			return err
		}
	}
	return r.markWritten(a, c)
}

// vectorBinary computes A OP B if one of them is a Vector; ok is false if neither is.
func (r *runner) vectorBinary(op string, a, b Value) (v Value, ok bool, err error) {
	x, isX := a.(Vector)
	y, isY := b.(Vector)
	switch {
	case !isX && !isY:
		return nil, false, nil
	case isX && isY && len(x.Elems) != len(y.Elems):
		return nil, true, errorf(cute.CodeNotCongruent, "expected vectors of one shape, found %v and %v", x.Shape, y.Shape)
	}
	of := x
	if !isX {
		of = y
	}
	out := Vector{Type: of.Type, Shape: of.Shape, Elems: make([]Value, len(of.Elems))}
	if err := r.hold(len(of.Elems) * python.ValueBytes); err != nil {
		return nil, true, err
	}
	for i := range out.Elems {
		p, q := a, b
		if isX {
			p = x.Elems[i]
		}
		if isY {
			q = y.Elems[i]
		}
		if out.Elems[i], err = r.combine(op, p, q, nowhere); err != nil {
			return nil, true, err
		}
		if e, ok := out.Elems[i].(Element); ok {
			out.Type = e.Type
		}
	}
	return out, true, r.work(1 + len(out.Elems)/elementsPerStep)
}

// vectorMethod calls v.to(T) and v.reduce(op, init, profile) of a Vector.
func (r *runner) vectorMethod(v Vector, name string, c *arguments) (Value, error) {
	switch name {
	case "to":
		if len(c.pos) != 1 {
			break
		}
		t, ok := elementTypeOf(c.pos[0])
		if !ok {
			break
		}
		out := Vector{Type: t, Shape: v.Shape, Elems: make([]Value, len(v.Elems))}
		for i, x := range v.Elems {
			n, ok := numberOf(x)
			if !ok {
				return nil, errorf(cute.CodeType, "expected numbers, found %s", r.describe(x))
			}
			var err error
			if out.Elems[i], err = elementIn(t, n); err != nil {
				return nil, err
			}
		}
		return out, nil
	case "reduce":
		if len(c.pos) < 2 {
			break
		}
		text, _ := r.str(c.pos[0])
		op := map[string]string{"ADD": "+", "MUL": "*"}[strings.ToUpper(text[strings.LastIndex(text, ".")+1:])]
		if op == "" {
			break
		}
		sum := c.pos[1]
		for _, x := range v.Elems {
			var err error
			if sum, err = r.combine(op, sum, x, nowhere); err != nil {
				return nil, err
			}
		}
		return sum, nil
	}
	return nil, errorf(cute.CodeName, "%s of what load returns is not run: to(type) is", name)
}
