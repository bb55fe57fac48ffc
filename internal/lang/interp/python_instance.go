package interp

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file has the objects of classes: how they are made, and their attributes.

// An Instance is an object of a class.
type Instance struct {
	class *ClassType
	attrs map[string]Value
}

// A super is super() in a method: the classes after the class of the method, for the same object or class.
type super struct {
	after []*ClassType
	of    *Instance
	class *ClassType // in a method of the class
}

// TypeName returns the name of the class.
func (o *Instance) TypeName() string { return o.class.Name }

// IsForeign marks a value that Python's library does not know.
func (*Instance) IsForeign() {}

// instantiate is CLASS(ARGS).
func (r *runner) instantiate(t *ClassType, c *arguments) (Value, error) {
	if len(t.members) > 0 {
		return r.memberOf(t, c)
	}
	if f, ok := t.find("__new__").(*Func); ok {
		v, err := r.invoke(f, &arguments{pos: append([]Value{t}, c.pos...), keys: slices.Clone(c.keys)})
		if o, ok := v.(*Instance); ok && err == nil && o.class.is(t) {
			return o, r.initialise(o, c)
		}
		return v, err
	}
	o, err := r.newInstance(t)
	if err != nil {
		return nil, err
	}
	if t.kind == exceptionClass {
		o.attrs["args"] = Tuple(slices.Clone(c.pos))
	}
	return o, r.initialise(o, c)
}

func (r *runner) newInstance(t *ClassType) (*Instance, error) {
	for _, of := range t.mro {
		for name, x := range of.names {
			f, ok := x.v.(*Func)
			if v := t.find(name); ok && v == x.v && f.hasDecorator("abstractmethod") {
				return nil, &python.Exception{Kind: "TypeError", Loose: true, Msg: "Can't instantiate abstract class " + t.Name +
					": the method " + name + " is abstract"}
			}
		}
	}
	return &Instance{t, make(map[string]Value)}, r.hold(256)
}

// initialise calls __init__ of a new object, or sets the fields of a dataclass or a named tuple.
func (r *runner) initialise(o *Instance, c *arguments) error {
	t := o.class
	f, ok := t.find("__init__").(*Func)
	switch {
	case ok:
		c.pos = append([]Value{o}, c.pos...)
		v, err := r.invoke(f, c)
		if err == nil && v != (None{}) {
			err = python.TypeError("__init__() should return None, not '%s'", python.TypeName(v))
		}
		return err
	case t.kind == dataClass || t.kind == tupleClass:
		return r.setFields(o, c)
	case t.kind == exceptionClass:
		if len(c.keys) > 0 {
			return python.TypeError("%s() takes no keyword arguments", t.Name)
		}
	case len(c.pos)+len(c.keys) > 0 && t.find("__new__") == nil:
		return python.TypeError("%s() takes no arguments", t.Name)
	}
	return nil
}

// attributeOf returns X.name of an object, a class or super().
func (r *runner) attributeOf(of Value, name string) (Value, error) {
	list, o := classesOf(of)
	if o != nil && !isSuper(of) {
		if v := o.attrs[name]; v != nil {
			return v, nil
		}
	}
	if v, ok := specialAttribute(of, o, name); ok {
		return v, nil
	}
	v, _ := findIn(list, name)
	switch f, isFunc := v.(*Func); {
	case v == nil:
		return r.missingAttribute(of, name)
	case isFunc && o != nil && f.hasDecorator("property"):
		return r.invoke(f, &arguments{pos: []Value{o}})
	case isFunc && o != nil && f.hasDecorator("cached_property"):
		v, err := r.invoke(f, &arguments{pos: []Value{o}})
		if err == nil {
			o.attrs[name] = v
		}
		return v, err
	case isFunc && o == nil && !isSuper(of) && !f.hasDecorator("classmethod"):
		return f, nil
	case isFunc:
		return Method{X: of, Name: name}, nil
	}
	if d, ok := v.(*Instance); ok && o != nil {
		if get, ok := d.class.find("__get__").(*Func); ok {
			return r.invoke(get, &arguments{pos: []Value{d, o, o.class}})
		}
	}
	return v, nil
}

// specialAttribute returns an attribute that every object or class has.
func specialAttribute(of Value, o *Instance, name string) (Value, bool) {
	t, isClass := of.(*ClassType)
	switch {
	case isSuper(of):
	case isClass && name == "__name__":
		return Str(t.Name), true
	case isClass && name == "__qualname__":
		return Str(t.qualified()), true
	case isClass && name == "__mro__" && t.mro != nil:
		var list Tuple
		for _, c := range t.mro {
			list = append(list, c)
		}
		return append(list, TypeValue{Name: "object"}), true
	case isClass && name == "__members__" && t.members != nil:
		return t.memberDict(), true
	case o != nil && name == "__cause__" && o.class.kind == exceptionClass:
		return None{}, true
	case o != nil && name == "__class__":
		return o.class, true
	case o != nil && name == "__dict__" && o.class.kind != tupleClass && len(o.attrs) < 2:
		d := &Dict{}
		for k, v := range o.attrs {
			_ = (&python.Library{}).SetIndex(d, Str(k), v) // a text is a valid key
		}
		return d, true
	case name == "_fields" && t != nil && t.kind == tupleClass:
		return t.fieldNames(), true
	case name == "_fields" && o != nil && o.class.kind == tupleClass:
		return o.class.fieldNames(), true
	}
	return nil, false
}

func (t *ClassType) fieldNames() (list Tuple) {
	for _, f := range t.fields {
		list = append(list, Str(f))
	}
	return list
}

// missingAttribute is X.name without such an attribute: __getattr__ of the class, or an error.
func (r *runner) missingAttribute(of Value, name string) (Value, error) {
	switch v := of.(type) {
	case *Instance:
		if f, ok := v.class.method("__getattr__"); ok {
			return r.invoke(f, &arguments{pos: []Value{v, Str(name)}})
		}
		return nil, python.Raise("AttributeError", "'%s' object has no attribute '%s'", v.class.Name, name)
	case *ClassType:
		return nil, python.Raise("AttributeError", "type object '%s' has no attribute '%s'", v.Name, name)
	}
	return nil, python.Raise("AttributeError", "'super' object has no attribute '%s'", name)
}

// setAttribute runs X.NAME = V.
func (r *runner) setAttribute(of Value, name string, v Value) error {
	switch of := of.(type) {
	case *Instance:
		if f, ok := of.class.method("__setattr__"); ok {
			_, err := r.invoke(f, &arguments{pos: []Value{of, Str(name), v}})
			return err
		}
		return r.setOwn(of, name, v)
	case *ClassType:
		if of.names == nil {
			of.names = make(map[string]*cell)
		}
		of.names[name] = &cell{v: v}
		return nil
	case structValue:
		return r.setStruct(of, name, v)
	case *Func:
		if of.attrs == nil {
			of.attrs = make(map[string]Value)
		}
		of.attrs[name] = v
		return nil
	}
	return errorf(cute.CodeType, "nothing can be assigned to this target")
}

// setOwn sets an attribute of an object as object.__setattr__ does.
func (r *runner) setOwn(o *Instance, name string, v Value) error {
	t := o.class
	switch p := t.find(name).(type) {
	case *Func:
		if !p.hasDecorator("property") {
			break
		}
		if p.setter == nil {
			return python.Raise("AttributeError", "property '%s' of '%s' object has no setter", name, t.Name)
		}
		_, err := r.invoke(p.setter, &arguments{pos: []Value{o, v}})
		return err
	case *Instance:
		if set, ok := p.class.method("__set__"); ok {
			_, err := r.invoke(set, &arguments{pos: []Value{p, o, v}})
			return err
		}
	}
	switch {
	case t.kind == tupleClass && slices.Contains(t.fields, name):
		return python.Raise("AttributeError", "can't set attribute")
	case t.kind == tupleClass:
		return python.Raise("AttributeError", "'%s' object has no attribute '%s'", t.Name, name)
	case t.data["frozen"]:
		return python.Raise("FrozenInstanceError", "cannot assign to field '%s'", name)
	}
	o.attrs[name] = v
	return nil
}

// deleteAttribute runs del X.NAME.
func (r *runner) deleteAttribute(x *program.Attr) error {
	v, err := r.value(x.X)
	if err != nil {
		return err
	}
	o, ok := v.(*Instance)
	if !ok {
		return python.Refuse("only an attribute of an object is deleted")
	}
	if p, ok := o.class.find(x.Name).(*Func); ok && p.hasDecorator("property") {
		if p.deleter == nil {
			return python.Raise("AttributeError", "property '%s' of '%s' object has no deleter", x.Name, o.class.Name)
		}
		_, err = r.invoke(p.deleter, &arguments{pos: []Value{o}})
		return err
	}
	switch {
	case o.class.data["frozen"]:
		return python.Raise("FrozenInstanceError", "cannot delete field '%s'", x.Name)
	case o.attrs[x.Name] == nil:
		return python.Raise("AttributeError", "'%s' object has no attribute '%s'", o.class.Name, x.Name)
	}
	delete(o.attrs, x.Name)
	return nil
}

// classesOf returns the classes in which the attributes of a value are, and the object, which is nil for a class.
func classesOf(of Value) ([]*ClassType, *Instance) {
	switch of := of.(type) {
	case *Instance:
		return of.class.order(), of
	case super:
		return of.after, of.of
	case *ClassType:
		return of.order(), nil
	}
	return nil, nil
}

func isSuper(v Value) bool {
	_, ok := v.(super)
	return ok
}

// isObject reports whether a value is an object, a class of the program, or super().
func isObject(v Value) bool {
	switch v.(type) {
	case *Instance, *ClassType, super:
		return true
	}
	return false
}

// callAttribute is X.name(ARGS) of an object, a class or super().
func (r *runner) callAttribute(of Value, name string, c *arguments) (Value, error) {
	list, o := classesOf(of)
	if o != nil && !isSuper(of) && o.attrs[name] != nil {
		return r.applyTo(o.attrs[name], c)
	}
	v, _ := findIn(list, name)
	f, ok := v.(*Func)
	switch {
	case !ok:
		return r.callInherited(of, name, c)
	case f.hasDecorator("staticmethod") || name == "__new__":
		return r.applyTo(f, c)
	case f.hasDecorator("property") || f.hasDecorator("cached_property"):
		v, err := r.attributeOf(of, name)
		if err != nil {
			return nil, err
		}
		return r.applyTo(v, c)
	case f.hasDecorator("classmethod"):
		c.pos = append([]Value{classThat(of)}, c.pos...)
	case o != nil:
		c.pos = append([]Value{o}, c.pos...)
	}
	return r.applyTo(f, c)
}

// classThat returns the class of an object, of super(), or a class itself.
func classThat(of Value) *ClassType {
	switch of := of.(type) {
	case *Instance:
		return of.class
	case super:
		if of.of != nil {
			return of.of.class
		}
		return of.class
	}
	t, _ := of.(*ClassType)
	return t
}

// callInherited calls a method that Python itself gives to every object, or to those of a kind.
func (r *runner) callInherited(of Value, name string, c *arguments) (Value, error) {
	list, o := classesOf(of)
	t := classThat(of)
	if v, _ := findIn(list, name); v == nil && o != nil {
		switch {
		case name == "__init__" && t.kind == exceptionClass:
			o.attrs["args"] = Tuple(c.pos)
			return None{}, nil
		case name == "__init__" || name == "__enter__" && isSuper(of) || name == "__post_init__" && isSuper(of):
			return None{}, nil
		case name == "__setattr__" && len(c.pos) == 2:
			key, _ := c.pos[0].(Str)
			return None{}, r.setOwn(o, string(key), c.pos[1])
		case name == "_replace" && t.kind == tupleClass:
			return o.replace(c)
		case name == "_asdict" && t.kind == tupleClass:
			return r.asDict(o)
		case (name == "__repr__" || name == "__str__") && isSuper(of):
			text, err := r.plainText(o)
			return Str(text), err
		case (name == "count" || name == "index") && t.kind == tupleClass:
			values, _ := o.values()
			return r.py.CallMethod(values, name, c.pos, c.keys)
		case name == "with_traceback" && t.kind == exceptionClass:
			return o, nil
		}
	}
	if name == "__new__" && len(c.pos) > 0 {
		if t, ok := c.pos[0].(*ClassType); ok {
			return r.newInstance(t)
		}
	}
	if t != nil && o == nil && name == "_make" && t.kind == tupleClass && len(c.pos) == 1 {
		values, err := r.elements(c.pos[0])
		if err != nil {
			return nil, err
		}
		return r.instantiate(t, &arguments{pos: values})
	}
	v, err := r.attributeOf(of, name)
	if err != nil {
		return nil, err
	}
	return r.applyTo(v, c)
}

// applyTo calls a value with arguments that have been evaluated.
func (r *runner) applyTo(f Value, c *arguments) (Value, error) {
	switch f := f.(type) {
	case *Func:
		if isKernel(f.Def) && r.kernel == nil {
			return Launch{f, c}, nil
		}
		return r.invoke(f, c)
	case *Builtin:
		return f.Call(r, c)
	case *ClassType:
		return r.instantiate(f, c)
	case *compiled:
		return r.runCompiled(f, c)
	case funcLayout:
		return f.at(r, c)
	case TypeValue:
		return r.convertTo(f, c)
	case Method:
		if isObject(f.X) {
			return r.callAttribute(f.X, f.Name, c)
		}
		return r.py.CallMethod(f.X, f.Name, c.pos, c.keys)
	case *Instance:
		if _, ok := f.class.method("__call__"); !ok {
			return nil, python.TypeError("'%s' object is not callable", f.class.Name)
		}
		return r.callAttribute(f, "__call__", c)
	}
	if len(c.keys) > 0 {
		return nil, r.notCallable(f)
	}
	return r.apply(f, c.pos...)
}

// specialMethod calls a method of an object for Python's library; ok is false if the object has none.
func (r *runner) specialMethod(x python.Foreign, name string, args ...Value) (v Value, ok bool, err error) {
	o, isInstance := x.(*Instance)
	if !isInstance {
		return nil, false, nil
	}
	if len(args) == 1 && args[0] == nil { // asks whether there is one
		_, ok := o.class.method(name)
		return nil, ok || o.class.kind == tupleClass, nil
	}
	f, ok := o.class.method(name)
	switch {
	case ok:
		v, err = r.invoke(f, &arguments{pos: append([]Value{o}, args...)})
		return v, true, err
	case name == "__str__":
		text, err := r.objectText(o, name)
		return Str(text), true, err
	case name == "__format__" && o.class.kind == intEnumClass:
		text, err := r.py.Format(o.attrs["value"], string(args[0].(Str)))
		return Str(text), true, err
	case name == "__format__" && args[0] != Str("") && o.class.kind == plainClass:
		return nil, true, python.TypeError("unsupported format string passed to %s.__format__", o.class.Name)
	}
	list, ok := o.values()
	switch {
	case name == "__hash__" && (ok || o.class.kind == dataClass):
		if _, err := r.objectKey(o); err != nil {
			return nil, true, err
		}
		h, err := r.py.Hash(o.fieldValues())
		return h, true, err
	case !ok:
	case name == "__len__":
		return Int(len(list)), true, nil
	case name == "__iter__":
		it, err := r.py.Iterate(list)
		return it, true, err
	}
	if call, ok := o.attrs[name].(*Builtin); ok && o.class.mro == nil { // an object of girih
		v, err = call.Call(r, &arguments{pos: args})
		return v, true, err
	}
	return nil, false, nil
}

// Key returns what a dict knows the object by: the object itself, unless its class compares objects. Objects with
// __eq__ that are equal have the key of the first of them.
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
