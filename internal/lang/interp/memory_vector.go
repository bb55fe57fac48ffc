package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/python"
	"girih/tensor"
)

// This file implements the value that the CuTe DSL's t.load() returns: all elements of a tensor, on which operations
// work at once.

// A Vector contains the elements of a tensor in colexicographic order. It is a TensorSSA of the CuTe DSL.
type Vector struct {
	Type  dtype.Type
	Shape cute.Tuple
	Elems []Value
}

// An unset is an element that had no value when it was loaded, as after a predicated copy. A result computed from it is
// unset too. Using it otherwise is an error.
type unset struct{}

// TypeName returns the description of an element without a value for errors.
func (unset) TypeName() string { return "element without a value" }

// loadSome implements t.load(), which returns all elements of a tensor. Some may have no value.
func (r *runner) loadSome(a Algebra) (Value, error) {
	c, err := r.codes(a)
	if err != nil {
		return nil, err
	}
	missing := make(map[int]bool)
	for i, p := range c.at {
		if p == tensor.NoPlace {
			continue
		}
		err := r.reads(a, p)
		if e, ok := err.(*statedError); ok && e.code == cute.CodeUnknown { //nolint:errorlint // it is not wrapped
			missing[i] = true
		} else if err != nil {
			return nil, a.at(int64(i), err)
		}
	}
	v, err := r.vectorOfCodes(a, c)
	if err != nil {
		return nil, err
	}
	for i := range missing {
		v.Elems[i] = unset{}
	}
	return v, nil
}

func (r *runner) loadVector(a Algebra) (Value, error) {
	c, err := r.loadTensor(a)
	if err != nil {
		return nil, err
	}
	return r.vectorOfCodes(a, c)
}

// vectorOfCodes returns the elements of a tensor whose codes have been read.
func (r *runner) vectorOfCodes(a Algebra, c read) (v Vector, err error) {
	v = Vector{Type: a.typ, Shape: c.Shape(), Elems: make([]Value, 0, c.Size())}
	if err := r.hold(int(c.Size()) * python.ValueBytes); err != nil {
		return v, err
	}
	w := &window{typ: a.typ}
	for code := range c.Values() {
		x, err := r.fromCode(w, code)
		if err != nil {
			return v, err
		}
		v.Elems = append(v.Elems, x)
	}
	return v, nil
}

// vectorTensor returns a tensor in registers with the elements of a vector.
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
		if x == (unset{}) {
			for b, to := a.bytes(c.at[i]); b < to; b++ {
				a.written[b] = false
			}
			c.at[i] = tensor.NoPlace
			continue
		}
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

// vectorBinary computes A OP B if A or B is a Vector; ok is false if neither is.
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
		v.Type = t
		return r.eachElement(v, func(x Value) (Value, error) {
			n, ok := numberOf(x)
			if !ok {
				return nil, errorf(cute.CodeType, "expected numbers, found %s", r.describe(x))
			}
			return elementIn(t, n)
		})
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
