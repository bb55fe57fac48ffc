package interp

import (
	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// This file connects the operations of Python's library with the runner.

// python returns the library of Python operations for this program.
func (r *runner) python() *python.Library {
	return &python.Library{
		Hold:  r.hold,
		Work:  func(n int) error { return r.work(n) },
		Apply: r.apply,
		Text:  r.foreignText, ForeignKey: r.foreignKey, Special: r.specialMethod,
		Members: func(t python.Class) (Value, bool) {
			e, ok := t.(*ClassType)
			if !ok || e.members == nil {
				return nil, false
			}
			return e.memberList(), true
		},
		Class: func(name string) python.Class { return TypeValue{Name: name} },
		Other: func(op string, a, b Value) (Value, error) { return r.combine(op, a, b, program.Span{}) },
	}
}

// foreignText returns the text of a value that Python's library does not know.
func (r *runner) foreignText(x python.Foreign) (string, error) {
	if o, ok := x.(*Instance); ok {
		return r.objectText(o, "__repr__")
	}
	if a, ok := x.(Algebra); ok {
		return r.algebraText(a), nil
	}
	return "<" + python.TypeName(x) + ">", nil
}

// foreignKey returns the key of such a value in a dict.
func (r *runner) foreignKey(x python.Foreign) (string, error) {
	if o, ok := x.(*Instance); ok {
		return r.objectKey(o)
	}
	if a, ok := x.(Algebra); ok {
		return "algebra " + r.algebraText(a), nil
	}
	return "", python.TypeError("unhashable type: '%s'", python.TypeName(x))
}

// work counts n steps within an operation. It returns an error beyond maxSteps.
func (r *runner) work(n int) error {
	r.steps += n - 1
	if r.here == nil {
		return r.step(program.Span{})
	}
	return r.step(r.here)
}

// withoutPlace converts a *report.Error, which may be nil, to an error without a position.
func (r *runner) withoutPlace(e *report.Error) error {
	if e == nil {
		return nil
	}
	e.Pos, e.End = 0, 0
	return &reportedError{e}
}

// A reportedError is an error from another part of girih that has no position yet.
type reportedError struct{ report *report.Error }

func (e *reportedError) Error() string { return e.report.Message }

// syntaxError converts an error of the evaluator's parser.
func (r *runner) syntaxError(e *syntax.Error) error {
	f := report.Of(e)
	f.Message, f.Incomplete = e.Msg, false
	return faultError{&fault{Error: f, src: r.src}}
}

// forEach calls f with each element of a value until f returns false. The elements of a C++ array are passed as cells.
func (r *runner) forEach(v Value, at program.Node, f func(v Value) (bool, error)) error {
	switch v := v.(type) {
	case *Array:
		for _, c := range v.Cells {
			if more, err := f(c); err != nil || !more {
				return err
			}
		}
		return nil
	case Unrolled:
		return r.forEach(Range(v), at, f)
	case *ClassType:
		if v.members != nil {
			return r.forEach(v.memberList(), at, f)
		}
	case Algebra:
		return r.forModes(v, at, f)
	}
	it, err := r.py.Iterate(v)
	if err != nil {
		return r.at(at, err)
	}
	for {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return r.at(at, err)
		}
		if more, err := f(v); err != nil || !more {
			return err
		}
	}
}

// forModes is forEach for the modes of a value of the algebra.
func (r *runner) forModes(v Algebra, at program.Node, f func(v Value) (bool, error)) error {
	list, err := r.modes(v)
	if err != nil {
		return r.at(at, err)
	}
	return r.forEach(Tuple(list), at, f)
}

// getIndex evaluates X[I] for a host value.
func (r *runner) getIndex(x, i Value, at program.Node) (Value, error) {
	if v, ok, err := r.tracedItem(x, i, at); ok {
		return v, err
	}
	if c, ok, err := r.pointedAt(x, i); ok {
		if err != nil {
			return nil, err
		}
		return r.load(c, at)
	}
	if c, ok, err := elementAt(x, i); ok {
		if err == nil {
			err = r.raceCell(c, reads)
		}
		if err != nil {
			return nil, err
		}
		return r.load(c, at)
	}
	if a, ok := x.(Algebra); ok {
		if a.isTensor() {
			return r.tensorGet(a, i, at)
		}
		return r.algebraGet(a, i, at)
	}
	if v, ok := x.(Vector); ok {
		return r.vectorItem(v, i)
	}
	switch x := x.(type) {
	case *ClassType:
		if x.members != nil {
			return x.memberNamed(i)
		}
	case *Instance:
		return r.objectItem(x, i)
	}
	return r.py.Index(x, i)
}

// pointedAt returns, as a variable, the element X[I] of a pointer or of an array in a struct; ok is false for other
// values.
func (r *runner) pointedAt(x, i Value) (c *cell, ok bool, err error) {
	switch x := x.(type) {
	case Address:
		c, err = r.elementAtAddress(x, i)
		return c, true, err
	case structValue:
		c, err = r.structElement(x, i)
		return c, true, err
	}
	return nil, false, nil
}

// objectItem evaluates X[I] for an object.
func (r *runner) objectItem(o *Instance, i Value) (Value, error) {
	if o.class.find("__getitem__") == nil && o.attrs["__getitem__"] == nil {
		if list, ok := o.values(); ok {
			return r.py.Index(list, i)
		}
		return nil, python.TypeError("'%s' object is not subscriptable", o.class.Name)
	}
	return r.callAttribute(o, "__getitem__", &arguments{pos: []Value{i}})
}

// setIndex runs X[I] = V.
func (r *runner) setIndex(x, i, v Value) error {
	if c, ok := r.tracedPlace(x, i, nowhere); ok {
		return c.put(v)
	}
	switch x := x.(type) {
	case Algebra:
		if x.isTensor() {
			return r.setTensor(x, i, v)
		}
	case structValue, Address:
		c, _, err := r.pointedAt(x, i)
		if err != nil {
			return err
		}
		return r.assignTo(c, v)
	}
	if o, ok := x.(*Instance); ok {
		if o.class.find("__setitem__") == nil && o.attrs["__setitem__"] == nil {
			return python.TypeError("'%s' object does not support item assignment", o.class.Name)
		}
		_, err := r.callAttribute(o, "__setitem__", &arguments{pos: []Value{i, v}})
		return err
	}
	if c, ok, err := elementAt(x, i); ok {
		if err != nil {
			return err
		}
		return r.assignTo(c, v)
	}
	return r.py.SetIndex(x, i, v)
}

// deleteItem runs del X[I].
func (r *runner) deleteItem(x program.Expr) error {
	if a, ok := x.(*program.Attr); ok {
		return r.deleteAttribute(a)
	}
	t, ok := x.(*program.Index)
	if !ok {
		return python.Refuse("only a name or an element is deleted")
	}
	of, err := r.value(t.X)
	if err != nil {
		return err
	}
	i, err := r.index(t)
	if err != nil {
		return err
	}
	if o, ok := of.(*Instance); ok && o.class.find("__delitem__") != nil {
		_, err = r.callAttribute(o, "__delitem__", &arguments{pos: []Value{i}})
		return err
	}
	return r.py.DeleteIndex(of, i)
}

// dict evaluates {K: V}.
func (r *runner) dict(x *program.Dict) (Value, error) {
	d := &Dict{}
	for i, k := range x.Keys {
		v, err := r.value(x.Values[i])
		if err != nil {
			return nil, err
		}
		if k == nil {
			if _, err := r.py.CallMethod(d, "update", []Value{v}, nil); err != nil {
				return nil, r.at(x.Values[i], err)
			}
			continue
		}
		key, err := r.value(k)
		if err != nil {
			return nil, err
		}
		if err := r.py.SetIndex(d, key, v); err != nil {
			return nil, r.at(k, err)
		}
	}
	return d, nil
}

// set evaluates {X, Y}.
func (r *runner) set(x *program.Set) (Value, error) {
	list, err := r.list(x.Elems)
	if err != nil {
		return nil, err
	}
	return r.newSet(list)
}

func (r *runner) newDict(keys, values []Value) (*Dict, error) {
	d := &Dict{}
	for i, k := range keys {
		if err := r.py.SetIndex(d, k, values[i]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (r *runner) newSet(list []Value) (Value, error) {
	return r.py.Call("set", []Value{&List{Elems: list}}, nil)
}

// These methods let Python's library work with values of a program.

// TypeName returns the name of the type in Python.
func (*Func) TypeName() string { return "function" }

// TypeName returns the name of the type in Python.
func (TypeValue) TypeName() string { return "type" }

// ClassName returns the name of the type.
func (t TypeValue) ClassName() string { return t.Name }

// TypeName returns the kind.
func (a Algebra) TypeName() string { return string(a.Value.Kind()) }

// IsForeign marks a value of the algebra.
func (Algebra) IsForeign() {}
