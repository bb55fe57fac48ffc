package interp

import (
	"girih/atom"
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

// vectorTensor returns the registers with the elements of a vector.
func (r *runner) vectorTensor(v Vector) (Algebra, error) {
	l, err := cute.LayoutLeft(v.Shape)
	if err != nil {
		return Algebra{}, err
	}
	a, err := r.allocate(v.Type, l)
	if err != nil {
		return a, err
	}
	a.space = atom.Registers
	return a, r.storeVector(a, v)
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
	return r.vectorPairs(a, b, func(p, q Value) (Value, error) { return r.combine(op, p, q, nowhere) })
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
		if len(c.pos) > 0 {
			return r.reduce(v, c)
		}
	case "broadcast_to":
		if len(c.pos) != 1 {
			break
		}
		l, err := r.layoutOf(c.pos)
		if err != nil {
			return nil, err
		}
		shape, _ := shapeOf(l)
		return r.broadcast(v, vectorSizes(Vector{Shape: shape}))
	}
	return nil, errorf(cute.CodeName, "%s of what load returns is not run: to, reduce and broadcast_to are", name)
}
