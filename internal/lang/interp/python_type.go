package interp

import (
	"strings"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the classes of values: type(x), x.__class__, and the text of a class or a function.

// functionClasses lists classes of Python that are implemented as functions here.
var functionClasses = program.Words(`range enumerate zip map filter reversed slice super property classmethod staticmethod
	complex bytes bytearray memoryview functools.partial collections.deque operator.itemgetter operator.attrgetter`)

func isClassName(name string) bool {
	return functionClasses[name] || strings.HasPrefix(name, "itertools.")
}

// pythonType implements type(x). The type of a run-time integer is Int32, and the type of an element is its element
// type.
func (r *runner) pythonType(c *arguments) (Value, error) {
	if len(c.pos) == 3 {
		return nil, python.Refuse("a class that type() makes is not run")
	}
	if len(c.pos) != 1 {
		return nil, python.TypeError("type() takes 1 or 3 arguments")
	}
	if o, ok := c.pos[0].(*Instance); ok {
		return o.class, nil
	}
	name := functionClass(c.pos[0])
	switch v := c.pos[0].(type) {
	case *ClassType:
		if isEnum(v) {
			name = "enum.EnumType"
		}
	case Element:
		name = v.Type.DSL()
	case *python.Iterator:
		if python.Has("itertools." + v.Name) {
			name = "itertools." + v.Name
		}
	case Algebra:
		if _, isInt := integerOf(v); !isInt {
			return nil, python.Refuse("the class of %s in the CuTe DSL has no name here", v.Value.Kind())
		}
		name = "Int32"
	}
	if name == "" {
		name = python.TypeName(c.pos[0])
	}
	if f, ok := r.builtin("", name); ok && functionClasses[name] {
		return f, nil
	}
	return TypeValue{Name: name}, nil
}

// functionClass returns the class of a function or a method, or "" if its Go type determines the class.
func functionClass(of Value) string {
	switch v := of.(type) {
	case *Func:
		if v.cached != nil {
			return "functools._lru_cache_wrapper"
		}
	case *Builtin:
		if v.Name == "functools.partial" && !v.shared {
			return v.Name
		}
	case Method:
		_, isClass := v.X.(TypeValue)
		switch {
		case isObject(v.X):
			return "method"
		case isClass && v.Name != "fromkeys":
			return "method_descriptor"
		}
	}
	return ""
}

// Repr returns the text of a function of the language, or "" if the text would contain an address.
func (b *Builtin) Repr() string {
	switch path, _, _ := strings.Cut(b.Name, "."); {
	case isClassName(b.Name) && b.shared:
		return "<class '" + b.Name + "'>"
	case !b.shared || path == "copy" || path == "dataclasses" || path == "contextlib" || path == "random":
		return ""
	}
	return "<built-in function " + lastPart(b.Name) + ">"
}

// TypeName returns the name of the type in Python.
func (b *Builtin) TypeName() string {
	if isClassName(b.Name) && b.shared {
		return "type"
	}
	return "builtin_function_or_method"
}

// Repr returns "", because the text of a function of the program contains its address.
func (*Func) Repr() string { return "" }

// sharedBuiltin returns a function of the language. It returns the same value for the same name, so that len is len.
func (r *runner) sharedBuiltin(path, name string) (Value, bool) {
	key := path + "." + name
	if b := r.builtins[key]; b != nil {
		return b, true
	}
	v, ok := r.findBuiltin(path, name)
	if b, isFunction := v.(*Builtin); isFunction && (path == "" || !isCuTe(path)) {
		if r.builtins == nil {
			r.builtins = make(map[string]*Builtin)
		}
		made := *b
		made.shared = true
		r.builtins[key], v = &made, &made
	}
	return v, ok
}

// specialNames are attributes that every value of Python has.
var specialNames = program.Words(`__doc__ __module__ __dict__ __annotations__ __bases__ __base__ __subclasses__ __init__
	__new__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __dir__ __format__ __reduce__ __sizeof__
	__init_subclass__ __getattribute__ __setattr__ __delattr__ __defaults__ __code__ __closure__ __globals__ __kwdefaults__`)

// hasSpecial reports whether Python defines an attribute with underscores for a value, and girih does not support it.
func (r *runner) hasSpecial(of Value, name string) bool {
	switch name {
	case "__len__", "__iter__", "__contains__", "__getitem__":
		switch of.(type) {
		case Str, Tuple, *List, *Dict, Range:
			return true
		case *python.Set:
			return name != "__getitem__"
		case *python.Iterator:
			return name == "__iter__"
		}
		return false
	case "__next__":
		_, ok := of.(*python.Iterator)
		return ok
	case "__call__":
		switch of.(type) {
		case *Func, *Builtin, Method, TypeValue, *ClassType:
			return true
		}
		return false
	}
	return specialNames[name]
}
