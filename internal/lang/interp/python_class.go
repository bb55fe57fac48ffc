package interp

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file has the classes of Python: methods, fields, one base class, dataclasses and named tuples.

// A ClassType is a class that the program declares. Fields are the names with a type, in their order, after the
// fields of the base class.
type ClassType struct {
	Name   string
	base   *ClassType
	names  map[string]*cell
	fields []string
	// kind is "data" for a dataclass, "tuple" for a NamedTuple, and "" for any other class.
	kind string
}

// An Instance is an object of a class.
type Instance struct {
	class *ClassType
	attrs map[string]Value
}

// A super is super() in a method: the names of the base class, for the same object.
type super struct {
	class *ClassType
	of    *Instance
}

// ClassName returns the name in the text of the class.
func (t *ClassType) ClassName() string { return "__main__." + t.Name }

// TypeName returns the name of the type in Python.
func (*ClassType) TypeName() string { return "type" }

// TypeName returns the name of the class.
func (o *Instance) TypeName() string { return o.class.Name }

// IsForeign marks a value that Python's library does not know.
func (*Instance) IsForeign() {}

// Key returns what a dict knows the object by: the object itself, unless its class compares objects by their fields.
func (o *Instance) Key() (string, error) {
	if o.class.kind != "" || o.class.find("__eq__") != nil || o.class.find("__hash__") != nil {
		return "", python.Refuse("an object of %s as a key, or in a set, is not run", o.class.Name)
	}
	return fmt.Sprintf("object %p", o), nil
}

// class runs the declaration of a class.
func (r *runner) class(st *program.Class) error {
	t := &ClassType{Name: st.Name}
	if err := r.bases(t, st.Bases); err != nil {
		return err
	}
	for _, d := range st.Decorators {
		switch name := lastName(calledName(d)); name {
		case "dataclass", "native_struct":
			t.kind = "data"
		default:
			return r.at(d, errorf(cute.CodeSyntax, "a class with the decorator %s is not run", name))
		}
	}
	outer := r.scope
	s := &scope{names: make(map[string]*cell), outer: outer, fn: &Func{Def: &program.Def{Name: st.Name}}}
	r.scope = s
	defer func() { r.scope = outer }()
	r.nested++
	_, err := r.run(st.Body)
	r.nested--
	if err != nil {
		return err
	}
	t.names = s.names
	for _, c := range s.names {
		if f, ok := c.v.(*Func); ok {
			f.Scope, f.class = outer, t
		}
	}
	for _, line := range st.Body {
		a, ok := line.(*program.Assign)
		if !ok || a.Type == nil {
			continue
		}
		if name, ok := a.Targets[0].(*program.Name); ok && !slices.Contains(t.fields, name.Name) {
			t.fields = append(t.fields, name.Name)
		}
	}
	r.scope = outer
	r.assign(st.Name, t)
	return nil
}

// calledName returns the function of a call, and any other expression itself.
func calledName(x program.Expr) program.Expr {
	if c, ok := x.(*program.Call); ok {
		return c.Fn
	}
	return x
}

// bases finds the base class of a class.
func (r *runner) bases(t *ClassType, list []program.Arg) error {
	for _, b := range list {
		v := Value(nil)
		if n, ok := b.X.(*program.Name); ok {
			v, _ = r.lookupValue(n.Name)
		}
		base, isClass := v.(*ClassType)
		switch name := lastName(b.X); {
		case isClass && t.base == nil:
			t.base, t.kind, t.fields = base, base.kind, slices.Clone(base.fields)
		case name == "NamedTuple":
			t.kind = "tuple"
		case name == "object" || name == "ABC" || name == "Protocol" || b.Name == "metaclass":
		default:
			return r.at(b.X, errorf(cute.CodeSyntax, "a class that is derived from %s is not run", name))
		}
	}
	return nil
}

// find returns what a class or its base classes have under a name, or nil.
func (t *ClassType) find(name string) Value {
	for ; t != nil; t = t.base {
		if c := t.names[name]; c != nil && c.v != nil {
			return c.v
		}
	}
	return nil
}

// instantiate is CLASS(ARGS).
func (r *runner) instantiate(t *ClassType, c *arguments) (Value, error) {
	o := &Instance{t, make(map[string]Value)}
	if err := r.hold(256); err != nil {
		return nil, err
	}
	if f, ok := t.find("__init__").(*Func); ok {
		c.pos = append([]Value{o}, c.pos...)
		_, err := r.invoke(f, c)
		return o, err
	}
	if t.kind == "" {
		if len(c.pos)+len(c.keys) > 0 {
			return nil, python.TypeError("%s() takes no arguments", t.Name)
		}
		return o, nil
	}
	for i, name := range t.fields {
		v := c.take(name)
		switch {
		case i < len(c.pos) && v != nil:
			return nil, python.TypeError("%s() got multiple values for argument '%s'", t.Name, name)
		case i < len(c.pos):
			v = c.pos[i]
		case v == nil:
			v = t.find(name)
		}
		if v == nil {
			return nil, python.TypeError("%s() needs a value for %s", t.Name, name)
		}
		o.attrs[name] = v
	}
	if len(c.pos) > len(t.fields) || len(c.keys) > 0 {
		return nil, python.TypeError("%s() takes the fields %s", t.Name, strings.Join(t.fields, ", "))
	}
	if f, ok := t.find("__post_init__").(*Func); ok {
		_, err := r.invoke(f, &arguments{pos: []Value{o}})
		return o, err
	}
	return o, nil
}

// values returns the fields of a named tuple; ok is false for any other object.
func (o *Instance) values() (list Tuple, ok bool) {
	for _, name := range o.class.fields {
		list = append(list, o.attrs[name])
	}
	return list, o.class.kind == "tuple"
}

// attributeOf returns X.name of an object, a class or super().
func (r *runner) attributeOf(of Value, name string) (Value, error) {
	t, o := classOf(of)
	if t == nil {
		return nil, python.Raise("AttributeError", "'super' object has no attribute '%s'", name)
	}
	if o != nil {
		if v := o.attrs[name]; v != nil && !isSuper(of) {
			return v, nil
		}
	}
	switch name {
	case "__class__":
		return t, nil
	case "__name__":
		return Str(t.Name), nil
	}
	v := t.find(name)
	f, isFunc := v.(*Func)
	switch {
	case v == nil:
		return nil, python.Raise("AttributeError", "'%s' object has no attribute '%s'", t.Name, name)
	case isFunc && o != nil && f.hasDecorator("property"):
		return r.invoke(f, &arguments{pos: []Value{o}})
	case isFunc:
		return Method{X: of, Name: name}, nil
	}
	return v, nil
}

// setAttribute runs X.NAME = V.
func (r *runner) setAttribute(of Value, name string, v Value) error {
	switch of := of.(type) {
	case *Instance:
		if of.class.kind == "tuple" {
			return python.Raise("AttributeError", "can't set attribute")
		}
		of.attrs[name] = v
		return nil
	case *ClassType:
		if of.names == nil {
			of.names = make(map[string]*cell)
		}
		of.names[name] = &cell{v: v}
		return nil
	}
	return errorf(cute.CodeType, "nothing can be assigned to this target")
}

// classOf returns the class in which the attributes of a value are, and the object, which is nil for a class.
func classOf(of Value) (*ClassType, *Instance) {
	switch of := of.(type) {
	case *Instance:
		return of.class, of
	case super:
		return of.class.base, of.of
	}
	t, _ := of.(*ClassType)
	return t, nil
}

func isSuper(v Value) bool {
	_, ok := v.(super)
	return ok
}

// isObject reports whether a value is an object, a class of the program, or super().
func isObject(v Value) bool {
	t, _ := classOf(v)
	return t != nil || isSuper(v)
}

// callAttribute is X.name(ARGS) of an object, a class or super().
func (r *runner) callAttribute(of Value, name string, c *arguments) (Value, error) {
	t, o := classOf(of)
	if o != nil && !isSuper(of) && o.attrs[name] != nil {
		return r.applyTo(o.attrs[name], c)
	}
	f, ok := t.find(name).(*Func)
	switch {
	case !ok && name == "__init__" && isSuper(of):
		return None{}, nil
	case !ok && name == "_replace" && o != nil:
		return o.replace(c)
	case !ok:
		v, err := r.attributeOf(of, name)
		if err != nil {
			return nil, err
		}
		return r.applyTo(v, c)
	case f.hasDecorator("staticmethod"):
		return r.applyTo(f, c)
	case f.hasDecorator("classmethod"):
		c.pos = append([]Value{t}, c.pos...)
	case o != nil:
		c.pos = append([]Value{o}, c.pos...)
	}
	return r.applyTo(f, c)
}

// replace is _replace of a named tuple.
func (o *Instance) replace(c *arguments) (Value, error) {
	p := &Instance{o.class, make(map[string]Value, len(o.attrs))}
	for name, v := range o.attrs {
		p.attrs[name] = v
	}
	for _, k := range c.keys {
		if p.attrs[k.Name] == nil {
			return nil, python.ValueError("Got unexpected field names: ['%s']", k.Name)
		}
		p.attrs[k.Name] = k.Value
	}
	return p, nil
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
	case Method:
		if isObject(f.X) {
			return r.callAttribute(f.X, f.Name, c)
		}
	case *Instance:
		return r.callAttribute(f, "__call__", c)
	}
	if len(c.keys) > 0 {
		return nil, errorf(cute.CodeType, "expected a function, found %s", r.describe(f))
	}
	return r.apply(f, c.pos...)
}

// hasDecorator reports whether a function has a decorator with a name.
func (f *Func) hasDecorator(name string) bool {
	return slices.ContainsFunc(f.Def.Decorators, func(x program.Expr) bool { return lastName(calledName(x)) == name })
}

// plainDecorators are decorators that do not change what a function does.
var plainDecorators = program.Words(`jit kernel dsl_user_op staticmethod classmethod property lru_cache cache wraps
	abstractmethod overload override autotune_jit`)

// decorate applies the decorators of a function that the program itself declares.
func (r *runner) decorate(f *Func) (Value, error) {
	v := Value(f)
	for _, d := range slices.Backward(f.Def.Decorators) {
		if plainDecorators[lastName(calledName(d))] {
			continue
		}
		by, err := r.value(d)
		if err != nil {
			return nil, err
		}
		if v, err = r.applyTo(by, &arguments{pos: []Value{v}}); err != nil {
			return nil, r.at(d, err)
		}
	}
	return v, nil
}

// isInstanceOf is isinstance(x, type) with a class of the program.
func (r *runner) isInstanceOf(c *arguments) (Value, error) {
	if len(c.pos) != 2 {
		return nil, python.TypeError("isinstance expected 2 arguments, got %d", len(c.pos))
	}
	types, ok := c.pos[1].(Tuple)
	if !ok {
		types = Tuple{c.pos[1]}
	}
	for _, t := range types {
		is, err := r.isOf(c.pos[0], t)
		if err != nil || is {
			return Bool(is), err
		}
	}
	return Bool(false), nil
}

// objectFunctions are functions of Python about classes and objects.
var objectFunctions = make(map[string]func(r *runner, c *arguments) (Value, error))

func init() {
	objectFunctions["isinstance"], objectFunctions["type"] = (*runner).isInstanceOf, (*runner).pythonType
	objectFunctions["hasattr"], objectFunctions["getattr"] = (*runner).hasAttribute, (*runner).getAttribute
	objectFunctions["super"] = (*runner).super
}

// super is super() in a method.
func (r *runner) super(c *arguments) (Value, error) {
	s := r.functionScope()
	if s == nil || s.fn.class == nil || len(s.fn.Def.Params) == 0 || len(c.pos) > 0 {
		return nil, python.Raise("RuntimeError", "super(): no arguments")
	}
	o, _ := s.names[s.fn.Def.Params[0].Name].v.(*Instance)
	return super{s.fn.class, o}, nil
}

// getAttribute is getattr(x, name, otherwise) of an object.
func (r *runner) getAttribute(c *arguments) (Value, error) {
	if len(c.pos) > 1 {
		if m, ok := c.pos[0].(Module); ok {
			name, _ := c.pos[1].(Str)
			if v, ok := r.builtin(string(m), string(name)); ok {
				return v, nil
			}
		}
	}
	if len(c.pos) < 2 || !isObject(c.pos[0]) {
		return nil, python.Refuse("getattr of anything but an object is not run")
	}
	name, _ := c.pos[1].(Str)
	v, err := r.attributeOf(c.pos[0], string(name))
	if err != nil && len(c.pos) == 3 {
		return c.pos[2], nil
	}
	return v, err
}

// hasAttribute is hasattr(x, name) of an object.
func (r *runner) hasAttribute(c *arguments) (Value, error) {
	c.pos = append(c.pos, nil)
	v, err := r.getAttribute(c)
	return Bool(v != nil), err
}

// isOf reports whether a value is of a class, or of a type of the CuTe DSL.
func (r *runner) isOf(v, t Value) (bool, error) {
	of, isClass := t.(*ClassType)
	if isClass {
		o, ok := v.(*Instance)
		if !ok {
			return false, nil
		}
		for c := o.class; c != nil; c = c.base {
			if c == of {
				return true, nil
			}
		}
		return false, nil
	}
	if word, ok := t.(dslType); ok {
		return word.has(v), nil
	}
	is, err := r.py.Call("isinstance", []Value{v, t}, nil)
	return is == Bool(true), err
}

// A dslType is a class of values of the CuTe DSL, for isinstance.
type dslType string

// TypeName returns the name of the type in Python.
func (dslType) TypeName() string { return "type" }

// ClassName returns the name in the text of the class.
func (t dslType) ClassName() string { return "cutlass.cute." + string(t) }

// has reports whether a value is of the class.
func (t dslType) has(v Value) bool {
	_, isVector := v.(Vector)
	a, ok := v.(Algebra)
	_, isAddress := v.(Address)
	kind := ""
	if ok {
		kind = string(a.Value.Kind())
	}
	switch t {
	case "TensorSSA":
		return isVector
	case "Pointer":
		return isAddress
	case "Tensor":
		return kind == "tensor" && !(a.isTensor() && a.host)
	case "ComposedLayout":
		return strings.HasPrefix(kind, "composed")
	}
	return kind == "layout"
}

// objectTruth returns the truth value of an object.
func (r *runner) objectTruth(o *Instance) (bool, error) {
	for _, name := range []string{"__bool__", "__len__"} {
		if f, ok := o.class.find(name).(*Func); ok {
			v, err := r.invoke(f, &arguments{pos: []Value{o}})
			if err != nil {
				return false, err
			}
			return r.truth(v)
		}
	}
	return true, nil
}

// updateAttribute runs X.NAME OP= Y.
func (r *runner) updateAttribute(a *program.Attr, op string, x program.Expr) (Value, error) {
	of, err := r.value(a.X)
	if err != nil {
		return nil, err
	}
	if !isObject(of) {
		return nil, errorf(cute.CodeType, "nothing can be assigned to this target")
	}
	old, err := r.attributeOf(of, a.Name)
	if err != nil {
		return nil, r.at(a, err)
	}
	y, err := r.value(x)
	if err != nil {
		return nil, err
	}
	v, err := r.augment(op, old, y, x)
	if err != nil {
		return nil, err
	}
	return v, r.at(a, r.setAttribute(of, a.Name, v))
}
