package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
)

// This file runs assignments that are expressions, as in C++: x = y, x += y or ++x within a larger expression.

// update runs TARGET OP= X, and TARGET = X of C++.
func (r *runner) update(target program.Expr, op string, x program.Expr) (Value, error) {
	if name, ok := target.(*program.Name); ok {
		return r.updateName(name, op, x)
	}
	if r.lang == program.Cpp {
		return r.updatePlace(target, op, x)
	}
	if a, ok := target.(*program.Attr); ok {
		return r.updateAttribute(a, op, x)
	}
	t, ok := target.(*program.Index)
	if !ok {
		return nil, errorf(cute.CodeType, "nothing can be assigned to this target")
	}
	of, err := r.value(t.X)
	if err != nil {
		return nil, err
	}
	i, err := r.index(t)
	if err != nil {
		return nil, err
	}
	old, err := r.getIndex(of, i, t)
	if err != nil {
		return nil, r.at(t, err)
	}
	y, err := r.value(x)
	if err != nil {
		return nil, err
	}
	v, err := r.augment(op, old, y, x)
	if err != nil {
		return nil, err
	}
	return v, r.at(t, r.setIndex(of, i, v))
}

// updateName is update for a variable.
func (r *runner) updateName(name *program.Name, op string, x program.Expr) (Value, error) {
	if r.lang == program.Cpp {
		return r.updatePlace(name, op, x)
	}
	old, err := r.lookupValue(name.Name)
	if err != nil {
		return nil, r.at(name, err)
	}
	if old == nil && op != "" {
		return nil, r.at(name, r.unknownName(name.Name))
	}
	y, err := r.value(x)
	if err != nil {
		return nil, err
	}
	v, err := r.augment(op, old, y, x)
	if err == nil {
		r.assign(name.Name, v)
	}
	return v, err
}

// augment computes OLD OP Y for TARGET OP= Y. A Python list is extended in place.
func (r *runner) augment(op string, old, y Value, at program.Node) (Value, error) {
	if v, ok, err := r.augmentObject(op, old, y); ok {
		return v, err
	}
	if isAlgebra(old) || isAlgebra(y) || isElement(old) || isElement(y) || r.lang != program.Python {
		return r.combine(op, old, y, at)
	}
	return r.py.Augment(op, old, y)
}
