package interp

import (
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements Python's functions on objects, classes and functions: type, isinstance, getattr, super, and the
// attributes of functions.

// objectFunctions are functions of Python about classes and objects.
var objectFunctions = make(map[string]func(r *runner, c *arguments) (Value, error))

func init() {
	objectFunctions["isinstance"] = (*runner).isInstanceOf
	objectFunctions["hasattr"], objectFunctions["getattr"] = (*runner).hasAttribute, (*runner).getAttribute
	objectFunctions["super"], objectFunctions["issubclass"] = (*runner).super, (*runner).isSubclass
	objectFunctions["setattr"], objectFunctions["hash"] = (*runner).setNamed, (*runner).hash
	objectFunctions["callable"], objectFunctions["vars"] = (*runner).callable, (*runner).vars
}

// isInstanceOf implements isinstance(x, type) with a class of the program.
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

// isSubclass implements issubclass(class, type) with classes of the program.
func (r *runner) isSubclass(c *arguments) (Value, error) {
	if len(c.pos) != 2 {
		return nil, python.TypeError("issubclass expected 2 arguments, got %d", len(c.pos))
	}
	types, ok := c.pos[1].(Tuple)
	if !ok {
		types = Tuple{c.pos[1]}
	}
	t, isClass := c.pos[0].(*ClassType)
	for _, of := range types {
		class, ok := of.(*ClassType)
		switch {
		case isClass && of == (TypeValue{Name: "object"}), isClass && ok && t.is(class):
			return Bool(true), nil
		case !isClass:
			x, isType := c.pos[0].(TypeValue)
			if !isType {
				return nil, python.TypeError("issubclass() arg 1 must be a class")
			}
			if x == of || x.Name == "bool" && of == (TypeValue{Name: "int"}) || of == (TypeValue{Name: "object"}) {
				return Bool(true), nil
			}
		}
	}
	return Bool(false), nil
}

// super implements super() in a method, or super(CLASS, OBJECT).
func (r *runner) super(c *arguments) (Value, error) {
	s := r.functionScope()
	var class *ClassType
	var self Value
	switch {
	case len(c.pos) == 2:
		class, _ = c.pos[0].(*ClassType)
		self = c.pos[1]
	case s != nil:
		f := s.fn
		for outer := s.outer; f.class == nil && outer != nil; outer = outer.outer {
			if outer.fn != nil {
				f = outer.fn // inside a comprehension or a nested function of a method
			}
		}
		class = f.class
		if f == s.fn && len(f.Def.Params) > 0 {
			if p := s.names[f.Def.Params[0].Name]; p != nil {
				self = p.v
			}
		}
	}
	t := classThat(self)
	if class == nil || t == nil || !t.is(class) {
		return nil, python.Raise("RuntimeError", "super(): no arguments")
	}
	list := t.order()
	for i, of := range list {
		if of == class {
			list = list[i+1:]
			break
		}
	}
	o, _ := self.(*Instance)
	return super{after: list, of: o, class: t}, nil
}

// getAttribute implements getattr(x, name, otherwise).
func (r *runner) getAttribute(c *arguments) (Value, error) {
	if len(c.pos) < 2 {
		return nil, python.TypeError("getattr expected at least 2 arguments, got %d", len(c.pos))
	}
	name, _ := c.pos[1].(Str)
	if m, ok := c.pos[0].(Module); ok {
		if v, ok := r.builtin(string(m), string(name)); ok {
			return v, nil
		}
	}
	if isAlgebra(c.pos[0]) {
		return nil, python.Refuse("getattr of anything but an object is not run")
	}
	v, err := r.hostAttribute(c.pos[0], &program.Attr{Name: string(name)})
	if len(c.pos) == 3 && python.IsKind(err, "AttributeError") {
		return c.pos[2], nil
	}
	return v, err
}

// hasAttribute implements hasattr(x, name).
func (r *runner) hasAttribute(c *arguments) (Value, error) {
	if len(c.pos) == 2 {
		if name, _ := c.pos[1].(Str); r.hasSpecial(c.pos[0], string(name)) {
			return Bool(true), nil
		}
	}
	_, err := r.getAttribute(c)
	if python.IsKind(err, "AttributeError") {
		return Bool(false), nil
	}
	return Bool(err == nil), err
}

// setNamed implements setattr(x, name, v).
func (r *runner) setNamed(c *arguments) (Value, error) {
	if len(c.pos) != 3 {
		return nil, python.TypeError("setattr expected 3 arguments, got %d", len(c.pos))
	}
	name, _ := c.pos[1].(Str)
	return None{}, r.setAttribute(c.pos[0], string(name), c.pos[2])
}

// callable implements callable(x).
func (r *runner) callable(c *arguments) (Value, error) {
	if len(c.pos) == 1 {
		switch v := c.pos[0].(type) {
		case *Instance:
			return Bool(v.class.find("__call__") != nil), nil
		case *ClassType, *compiled:
			return Bool(true), nil
		}
	}
	return r.py.Call("callable", c.pos, c.keys)
}

// vars implements vars(x).
func (r *runner) vars(c *arguments) (Value, error) {
	o, ok := (*Instance)(nil), false
	if len(c.pos) == 1 {
		o, ok = c.pos[0].(*Instance)
	}
	if !ok || o.class.kind != dataClass || len(o.attrs) != len(o.class.fields) {
		return nil, python.Refuse("vars() is run for a dataclass only")
	}
	return r.asDict(&Instance{&ClassType{fields: o.class.fields}, o.attrs})
}

// isOf reports whether a value is an instance of a class or of a type of the CuTe DSL.
func (r *runner) isOf(v, t Value) (bool, error) {
	o, isInstance := v.(*Instance)
	switch of := t.(type) {
	case *ClassType:
		return isInstance && o.class.is(of), nil
	case dslType:
		return of.has(v), nil
	case TypeValue:
		if isInstance {
			like, _ := o.class.find("_like").(TypeValue)
			return of.Name == "object" || of.Name == like.Name || of.Name == "int" && o.class.kind == intEnumClass ||
				of.Name == "tuple" && o.class.kind == tupleClass, nil
		}
	}
	if b, ok := t.(*Builtin); ok && python.Has(b.Name) {
		return python.TypeName(v) == b.Name, nil
	}
	is, err := r.py.Call("isinstance", []Value{v, t}, nil)
	return is == Bool(true), err
}

// functionAttribute returns an attribute of a function, a type or a bound method; ok is false if there is no such
// attribute.
func functionAttribute(of Value, name string) (v Value, ok bool) {
	attrs := map[string]Value{}
	switch of := of.(type) {
	case *Func:
		attrs["__name__"], attrs["__qualname__"] = Str(of.qualifiedName()), Str(of.qualifiedName())
		if of.Def.Name != "" {
			attrs["__name__"] = Str(of.Def.Name)
		}
		if own := of.attrs[name]; own != nil {
			return own, true
		}
	case Slice:
		for key, v := range map[string]Value{"start": of.Low, "stop": of.High, "step": of.Step} {
			if attrs[key] = v; v == nil {
				attrs[key] = None{}
			}
		}
	case *Builtin:
		if of.shared {
			attrs["__name__"], attrs["__qualname__"] = Str(lastPart(of.Name)), Str(lastPart(of.Name))
		}
	case TypeValue:
		attrs["__name__"], attrs["__qualname__"] = Str(lastPart(of.Name)), Str(lastPart(of.Name))
	case Method:
		attrs["__name__"], attrs["__self__"] = Str(of.Name), of.X
	}
	v, ok = attrs[name]
	return v, ok
}

// functionMethod calls the methods of a function with a cache; ok is false for anything else.
func (r *runner) functionMethod(of Value, name string, c *arguments) (v Value, ok bool, err error) {
	f, isFunc := of.(*Func)
	if m, ok := of.(Method); ok && isObject(m.X) {
		f, isFunc = classThat(m.X).method(m.Name)
	}
	if !isFunc {
		return nil, false, nil
	}
	if f.cached != nil && len(c.pos)+len(c.keys) == 0 {
		switch name {
		case "cache_clear":
			*f.cached = cache{room: f.cached.room}
			return None{}, true, nil
		case "cache_info":
			return f.cached.info(), true, nil
		}
	}
	if by := f.attrs[name]; by != nil {
		v, err = r.applyTo(by, c)
		return v, true, err
	}
	return nil, false, nil
}

// hash implements hash(x). In Python, the hash of a text differs from run to run, so it is refused.
func (r *runner) hash(c *arguments) (Value, error) {
	if len(c.pos) != 1 {
		return nil, python.TypeError("hash() takes exactly one argument (%d given)", len(c.pos))
	}
	if o, ok := c.pos[0].(*Instance); ok && o.class.find("__hash__") != nil {
		return r.callAttribute(o, "__hash__", &arguments{})
	}
	return r.py.Hash(c.pos[0])
}
