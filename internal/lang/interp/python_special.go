package interp

import (
	"fmt"

	"girih/internal/lang/python"
)

// This file calls special methods of objects, such as __len__, and compares objects.

// specialMethod calls a special method of an object for Python's library; ok is false if there is no such method.
func (r *runner) specialMethod(x python.Foreign, name string, args ...Value) (v Value, ok bool, err error) {
	o, isInstance := x.(*Instance)
	if !isInstance {
		return nil, false, nil
	}
	if len(args) == 1 && args[0] == nil { // the library asks only whether there is a method
		_, ok := o.class.method(name)
		return nil, ok || o.class.kind == tupleClass, nil
	}
	if f, ok := o.class.method(name); ok {
		v, err = r.invoke(f, &arguments{pos: append([]Value{o}, args...)})
		return v, true, err
	}
	if call, ok := o.attrs[name].(*Builtin); ok && o.class.mro == nil { // an object that girih itself makes
		v, err = call.Call(r, &arguments{pos: args})
		return v, true, err
	}
	switch name {
	case "__str__":
		text, err := r.objectText(o, name)
		return Str(text), true, err
	case "__format__":
		return r.formatObject(o, args[0])
	}
	return r.fieldMethod(o, name)
}

// formatObject implements format(x, spec) for an object without __format__; ok is false if the text of the object is to
// be formatted.
func (r *runner) formatObject(o *Instance, spec Value) (v Value, ok bool, err error) {
	switch {
	case o.class.kind == intEnumClass:
		text, err := r.py.Format(o.attrs["value"], string(spec.(Str))) // the library always passes a text
		return Str(text), true, err
	case spec != Str("") && o.class.kind == plainClass:
		return nil, true, python.TypeError("unsupported format string passed to %s.__format__", o.class.Name)
	}
	return nil, false, nil
}

// fieldMethod implements len, iter and hash of a named tuple, and hash of a dataclass; ok is false otherwise.
func (r *runner) fieldMethod(o *Instance, name string) (v Value, ok bool, err error) {
	list, isTuple := o.values()
	switch {
	case name == "__hash__" && (isTuple || o.class.kind == dataClass):
		if _, err := r.objectKey(o); err != nil {
			return nil, true, err
		}
		v, err = r.py.Hash(o.fieldValues())
		return v, true, err
	case isTuple && name == "__len__":
		return Int(len(list)), true, nil
	case isTuple && name == "__iter__":
		it, err := r.py.Iterate(list)
		return it, true, err
	}
	return nil, false, nil
}

// objectKey returns the key of an object in a dict: the object itself, unless its class defines equality. Equal objects
// with __eq__ have the key of the first of them.
func (r *runner) objectKey(o *Instance) (string, error) {
	t := o.class
	_, hashes := t.method("__hash__")
	_, compares := t.method("__eq__")
	switch {
	case t.kind == tupleClass && !compares:
		list, _ := o.values()
		key, err := r.py.Key(list)
		return "tuple " + key, err
	case t.kind == dataClass && !compares && !hashes && !t.data["noeq"]:
		if !t.data["frozen"] && !t.data["unsafe_hash"] {
			return "", python.TypeError("unhashable type: '%s'", t.Name)
		}
		key, err := r.py.Key(o.fieldValues())
		return fmt.Sprintf("data %p %s", t, key), err
	case compares && !hashes:
		return "", python.TypeError("unhashable type: '%s'", t.Name)
	case !compares:
		return fmt.Sprintf("object %p", o), nil
	}
	return r.equalKey(o)
}

// equalKey returns the key of an object with __eq__ and __hash__.
func (r *runner) equalKey(o *Instance) (string, error) {
	h, err := r.callAttribute(o, "__hash__", &arguments{})
	if err != nil {
		return "", err
	}
	key, err := r.py.Key(h)
	if err != nil {
		return "", err
	}
	if r.equals == nil {
		r.equals = make(map[string][]*Instance)
	}
	for i, other := range r.equals[key] {
		same, err := r.compare("==", o, other)
		if err != nil {
			return "", err
		}
		if ok, err := r.truth(same); ok || err != nil {
			return fmt.Sprintf("equal %d %s", i, key), err
		}
	}
	r.equals[key] = append(r.equals[key], o)
	return fmt.Sprintf("equal %d %s", len(r.equals[key])-1, key), nil
}
