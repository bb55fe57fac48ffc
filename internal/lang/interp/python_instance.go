package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the objects of classes: their creation and their attributes.

// An Instance is an object of a class.
type Instance struct {
	class *ClassType
	attrs map[string]Value
}

// A super is the value of super() in a method: it looks up names in the classes after the class of the method, for the
// same object or class.
type super struct {
	after []*ClassType
	of    *Instance
	class *ClassType // the class of the method
}

// TypeName returns the name of the class.
func (o *Instance) TypeName() string { return o.class.Name }

// IsForeign marks a value that Python's library does not know.
func (*Instance) IsForeign() {}

// instantiate implements CLASS(ARGS).
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

// attributeOf evaluates X.name for an object, a class or super().
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
	if v == nil {
		return r.missingAttribute(of, name)
	}
	return r.bindAttribute(attribute{of, o, name}, v)
}

// bindAttribute converts a name of a class to an attribute: a property is evaluated, and a function becomes a method.
func (r *runner) bindAttribute(x attribute, v Value) (Value, error) {
	switch f, isFunc := v.(*Func); {
	case isFunc && x.o == nil && !isSuper(x.of) && !f.hasDecorator("classmethod"):
		return f, nil
	case isFunc && x.o != nil && f.hasDecorator("property"):
		return r.invoke(f, &arguments{pos: []Value{x.o}})
	case isFunc && x.o != nil && f.hasDecorator("cached_property"):
		v, err := r.invoke(f, &arguments{pos: []Value{x.o}})
		if err == nil {
			x.o.attrs[x.name] = v
		}
		return v, err
	case isFunc:
		return Method{X: x.of, Name: x.name}, nil
	}
	return r.describedBy(x, v)
}

// describedBy returns the result of the attribute's method __get__ for an object, or the attribute itself if it has no
// such method.
func (r *runner) describedBy(x attribute, v Value) (Value, error) {
	d, ok := v.(*Instance)
	if !ok || x.o == nil {
		return v, nil
	}
	get, ok := d.class.method("__get__")
	if !ok {
		return v, nil
	}
	return r.invoke(get, &arguments{pos: []Value{d, x.o, x.o.class}})
}

// An attribute is a name of the object o, or of a class if o is nil.
type attribute struct {
	of   Value
	o    *Instance
	name string
}

// specialAttribute returns an attribute that every object or class has.
func specialAttribute(of Value, o *Instance, name string) (Value, bool) {
	t, isClass := of.(*ClassType)
	switch {
	case isSuper(of):
	case name == "_fields" && classThat(of).kind == tupleClass:
		return classThat(of).fieldNames(), true
	case isClass:
		return t.special(name)
	case name == "__cause__" && o.class.kind == exceptionClass:
		return None{}, true
	case name == "__class__":
		return o.class, true
	case name == "__dict__" && o.class.kind != tupleClass && len(o.attrs) < 2:
		d := &Dict{}
		for k, v := range o.attrs {
			_ = (&python.Library{}).SetIndex(d, Str(k), v) // a text is always a valid key
		}
		return d, true
	}
	return nil, false
}

// special returns an attribute that every class has.
func (t *ClassType) special(name string) (Value, bool) {
	switch {
	case name == "__name__":
		return Str(t.Name), true
	case name == "__qualname__":
		return Str(t.qualifiedName()), true
	case name == "__class__" && isEnum(t):
		return TypeValue{Name: "enum.EnumType"}, true
	case name == "__class__":
		return TypeValue{Name: "type"}, true
	case name == "__module__":
		module, _, _ := strings.Cut(t.ClassName(), "."+t.qualifiedName())
		return Str(module), true
	case name == "__mro__" && t.mro != nil:
		var list Tuple
		for _, c := range t.mro {
			list = append(list, c)
		}
		return append(list, TypeValue{Name: "object"}), true
	case name == "__members__" && t.members != nil:
		return t.memberDict(), true
	}
	return nil, false
}

func (t *ClassType) fieldNames() (list Tuple) {
	for _, f := range t.fields {
		list = append(list, Str(f))
	}
	return list
}

// missingAttribute evaluates X.name for a missing attribute: it calls __getattr__ of the class, or returns an error.
func (r *runner) missingAttribute(of Value, name string) (Value, error) {
	if specialNames[name] {
		return nil, python.Refuse("%s of '%s' is not run", name, python.TypeName(of))
	}
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

// classesOf returns the classes in which the attributes of a value are looked up, and the object, which is nil for a
// class.
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

// callAttribute evaluates X.name(ARGS) for an object, a class or super().
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

// classThat returns the class of an object or of super(). It returns a class itself.
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

// callInherited calls a method that Python defines for every object, or for some kinds of objects.
func (r *runner) callInherited(of Value, name string, c *arguments) (Value, error) {
	list, o := classesOf(of)
	t := classThat(of)
	if v, _ := findIn(list, name); v == nil && o != nil {
		if v, ok, err := r.objectMethod(attribute{of, o, name}, c); ok {
			return v, err
		}
		if t.kind == tupleClass {
			if v, ok, err := r.tupleMethod(o, name, c); ok {
				return v, err
			}
		}
	}
	if name == "__new__" && len(c.pos) > 0 {
		if t, ok := c.pos[0].(*ClassType); ok {
			return r.newInstance(t)
		}
	}
	if t != nil && o == nil && name == "_make" && t.kind == tupleClass {
		return r.makeTuple(t, c)
	}
	v, err := r.attributeOf(of, name)
	if err != nil {
		return nil, err
	}
	return r.applyTo(v, c)
}

// makeTuple implements _make(values) of a class of named tuples.
func (r *runner) makeTuple(t *ClassType, c *arguments) (Value, error) {
	if len(c.pos) != 1 {
		return nil, python.Refuse("_make() is run with the values of the fields")
	}
	values, err := r.elements(c.pos[0])
	if err != nil {
		return nil, err
	}
	return r.instantiate(t, &arguments{pos: values})
}

// objectMethod calls a method of object or BaseException; ok is false for other names.
func (r *runner) objectMethod(x attribute, c *arguments) (v Value, ok bool, err error) {
	raises := x.o.class.kind == exceptionClass
	switch x.name {
	case "__init__":
		if raises {
			x.o.attrs["args"] = Tuple(c.pos)
		}
		return None{}, true, nil
	case "__post_init__", "__enter__":
		return None{}, isSuper(x.of), nil
	case "__setattr__":
		if len(c.pos) == 2 {
			key, _ := c.pos[0].(Str)
			return None{}, true, r.setOwn(x.o, string(key), c.pos[1])
		}
	case "__repr__", "__str__":
		if !isSuper(x.of) {
			break
		}
		text, err := r.plainText(x.o)
		if raises && x.name == "__str__" {
			text, err = r.exceptionText(x.o)
		}
		return Str(text), true, err
	case "with_traceback":
		return x.o, raises, nil
	}
	return nil, false, nil
}

// tupleMethod calls a method of named tuples; ok is false for other names.
func (r *runner) tupleMethod(o *Instance, name string, c *arguments) (v Value, ok bool, err error) {
	switch name {
	case "_replace":
		v, err = o.replace(c)
	case "_asdict":
		v, err = r.asDict(o)
	case "count", "index":
		values, _ := o.values()
		v, err = r.py.CallMethod(values, name, c.pos, c.keys)
	default:
		return nil, false, nil
	}
	return v, true, err
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
