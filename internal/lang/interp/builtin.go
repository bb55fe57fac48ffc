package interp

import (
	"maps"
	"slices"
	"strings"

	"girih/dtype"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the names that a program can use without binding them: modules, functions of the host language,
// and CuTe's functions that print.

// modules lists the names that denote modules or namespaces before a dot or ::.
var modules = program.Words(`cute cutlass math functools itertools operator utils std nvgpu cpasync warp warpgroup tcgen05 sm90_utils
	sm100_utils sm90 arch runtime testing pipeline np numpy torch pycute typing cuda host T tilelang language blackwell_helpers
	hopper_helpers ampere_helpers random argparse time enum dataclasses collections contextlib copy os sys`)

// modulePath returns the path of the module that an expression denotes, such as cutlass.utils. ok is false if the
// expression is a value.
func (r *runner) modulePath(x program.Expr) (path string, ok bool) {
	switch x := x.(type) {
	case *program.Name:
		c, _ := r.lookup(x.Name)
		if c == nil || c.v == nil {
			return x.Name, modules[x.Name] && x.Path == ""
		}
		m, ok := c.v.(Module) // as in import cutlass.cute as ct
		return string(m), ok
	case *program.Attr:
		outer, ok := r.modulePath(x.X)
		if !ok || !modules[x.Name] {
			return "", false
		}
		return outer + "." + x.Name, true
	}
	return "", false
}

// isCuTe reports whether a path is empty or names a module of CuTe.
func isCuTe(path string) bool {
	root, _, _ := strings.Cut(strings.ReplaceAll(path, "::", "."), ".")
	return root == "" || root == "cute" || root == "cutlass" || cutlassModules[root]
}

// cutlassModules are the modules of CuTe that programs import under their own names.
var cutlassModules = program.Words(`utils nvgpu cpasync warp warpgroup tcgen05 sm90_utils sm100_utils arch runtime testing
	pipeline cutlass_torch cute_rt`)

// builtin returns the value of an unbound name; ok is false if the host language does not define the name.
func (r *runner) builtin(path, name string) (Value, bool) {
	if r.lang == program.Python {
		return r.sharedBuiltin(path, name)
	}
	return r.findBuiltin(path, name)
}

func (r *runner) findBuiltin(path, name string) (Value, bool) {
	if f := printers[name]; f != nil && (isCuTe(path) || r.isPrintf(path, name)) {
		return f, true
	}
	if r.lang == program.Cpp {
		return r.cppBuiltin(path, name)
	}
	if r.lang != program.Python {
		return nil, false
	}
	if v := r.moduleValue(path, name); v != nil {
		return v, true
	}
	if v, ok := hostFunction(path, name); ok {
		return v, true
	}
	if isCuTe(path) && path != "" {
		return r.cuteName(path, name)
	}
	if path != "" {
		name = path + "." + name
	} else if v := plainName(name); v != nil {
		return v, true
	}
	if v, ok := python.Constant(name); ok {
		return v, true
	}
	if !python.Has(name) {
		return nil, false
	}
	return &Builtin{Name: name, Call: func(r *runner, c *arguments) (Value, error) { return r.callLibrary(name, c) }}, true
}

// isPrintf reports whether a name is std::printf.
func (r *runner) isPrintf(path, name string) bool {
	return path == "std" && name == "printf" && r.lang == program.Cpp
}

// moduleValue returns the value of a name in a module that girih supports, or nil.
func (r *runner) moduleValue(path, name string) Value {
	if v := hostModule(path, name); v != nil || path == "" {
		return v
	}
	v, err := r.libraryValue(path, name)
	if err != nil {
		return brokenModule(err)
	}
	return v
}

// callLibrary calls a function of Python's library. If the first argument is an object with the special method of the
// function, such as __len__, that method is called instead.
func (r *runner) callLibrary(name string, c *arguments) (Value, error) {
	if len(c.pos) > 0 && name != "next" {
		o, ok := c.pos[0].(*Instance)
		if ok && o.class.find("__"+name+"__") != nil {
			return r.callAttribute(o, "__"+name+"__", &arguments{pos: c.pos[1:]})
		}
		if n, isInt := intMember(c.pos[0]); isInt && name != "repr" {
			c.pos[0] = n
		}
	}
	for i, v := range c.pos {
		c.pos[i] = plain(v)
	}
	return r.py.Call(name, c.pos, c.keys)
}

// plainName returns a type, an exception or a function of Python that concerns objects; nil for any other name.
func plainName(name string) Value {
	if t := exceptions[name]; t != nil && t.module == "builtins" {
		return t
	}
	if pythonTypes[name] {
		return TypeValue{Name: name}
	}
	if name == "NotImplemented" {
		return notImplemented
	}
	if f := objectFunctions[name]; f != nil {
		return &Builtin{Name: name, Always: true, Call: f}
	}
	return nil
}

// cuteName returns the value of a name in a module of the CuTe DSL: of kernels, of the program, or an element type.
func (r *runner) cuteName(path, name string) (Value, bool) {
	if v := r.kernelName(path, name); v != nil {
		return v, true
	}
	if lastPart(path) == "math" {
		v := mathFunction(name)
		return v, v != nil
	}
	if v := cuteNames[name]; v != nil {
		return v, true
	}
	t, err := dtype.Parse(name)
	return TypeValue{Name: t.DSL()}, err == nil && t.DSL() == name
}

// pythonTypes lists the types of Python that are values.
var pythonTypes = program.Words("int float bool str list tuple dict set frozenset object type")

// hostNames returns the names that builtin knows, for hints.
func (r *runner) hostNames() []string {
	if r.lang != program.Python {
		return nil
	}
	return slices.AppendSeq(slices.Collect(python.Names()), maps.Keys(pythonTypes))
}

// cuteNames lists functions of the CuTe DSL that concern the program rather than the algebra.
var cuteNames = map[string]Value{
	"struct":          &Builtin{Name: "cute.struct"},
	"range":           &Builtin{Name: "cutlass.range", Call: cuteRange},
	"range_dynamic":   &Builtin{Name: "cutlass.range_dynamic", Call: cuteRange},
	"range_constexpr": &Builtin{Name: "cutlass.range_constexpr", Call: constRange},
	"const_expr":      &Builtin{Name: "cutlass.const_expr", Always: true, Call: same},
	"dynamic_expr":    &Builtin{Name: "cutlass.dynamic_expr", Always: true, Call: same},
	"Tensor":          dslType("Tensor"), "TensorSSA": dslType("TensorSSA"), "Pointer": dslType("Pointer"),
	"Layout": dslType("Layout"), "ComposedLayout": dslType("ComposedLayout"),
}

func cuteRange(r *runner, c *arguments) (Value, error) {
	c.keys = nil // for example unroll= and prefetch_stages=
	return r.py.Call("range", c.pos, c.keys)
}

func constRange(r *runner, c *arguments) (Value, error) {
	v, err := r.py.Call("range", c.pos, c.keys)
	if of, ok := v.(Range); ok {
		return Unrolled(of), err
	}
	return v, err
}

// same returns its argument.
func same(_ *runner, c *arguments) (Value, error) {
	if len(c.pos) != 1 || len(c.keys) > 0 {
		return nil, python.TypeError("const_expr() takes one argument")
	}
	return c.pos[0], nil
}

// callMethod calls a method of a value.
func (r *runner) callMethod(of Value, name string, x *program.Call) (Value, error) {
	if t, ok := of.(*TMA); ok {
		v, err := r.tmaMethod(t, name, x)
		return v, r.at(x, err)
	}
	if a, ok := of.(tmemAllocator); ok {
		v, err := r.tmemMethod(a, name, x)
		return v, r.at(x, err)
	}
	if r.traces() {
		if v, ok, err := r.callTracedMethod(of, name, x); ok || err != nil {
			return v, err
		}
	}
	return r.callOwnMethod(of, name, x)
}

// callOwnMethod calls a method that is not the tracer's.
func (r *runner) callOwnMethod(of Value, name string, x *program.Call) (Value, error) {
	if a, ok := of.(Algebra); ok {
		return r.algebraMethod(a, name, x)
	}
	if p, ok := of.(Pointer); ok {
		c, err := p.cell()
		if err != nil {
			return nil, err
		}
		if _, isObject := c.v.(*Object); !isObject && name == "get" && len(x.Args) == 0 {
			return p, nil // the method of a pointer of thrust
		}
		of = c.v
	}
	if o, ok := of.(*Object); ok {
		return r.callObject(o, name, x)
	}
	if t, ok := of.(TypeValue); ok && t.Struct != nil { // a static member function
		f, err := t.Struct.member(name)
		return r.applyValue(f, x, err)
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	if v, ok, err := r.elementMethod(of, name, c); ok {
		return v, err
	}
	if v, ok, err := r.programMethod(of, name, c); ok {
		return v, err
	}
	if r.lang == program.Cpp {
		return r.cppMethod(of, name, c)
	}
	return r.py.CallMethod(of, name, c.pos, c.keys)
}

// hostAttribute evaluates X.name for a value of the host.
func (r *runner) hostAttribute(of Value, x *program.Attr) (Value, error) {
	if t, ok := of.(*Traced); ok {
		return r.tracedAttribute(t, x)
	}
	if v, ok, err := r.valueAttribute(of, x.Name); ok {
		return v, err
	}
	if v, ok := elementAttribute(of, x.Name); ok {
		return v, nil
	}
	if n, ok := of.(CInt); ok && x.Name == "value" && r.lang == program.Cpp {
		return n, nil // the attribute of a compile-time integer
	}
	if r.lang == program.Cpp {
		return r.cppMember(of, x)
	}
	if x.Name == "__class__" {
		return r.pythonType(&arguments{pos: []Value{of}})
	}
	if r.hasSpecial(of, x.Name) {
		return nil, python.Refuse("%s of '%s' is not run", x.Name, python.TypeName(of))
	}
	if python.HasMethod(of, x.Name) {
		return Method{X: of, Name: x.Name}, nil
	}
	if t, ok := of.(TypeValue); ok {
		return nil, python.Raise("AttributeError", "type object '%s' has no attribute '%s'", t.Name, x.Name)
	}
	return nil, python.Raise("AttributeError", "'%s' object has no attribute '%s'", python.TypeName(of), x.Name)
}

// programMethod calls a method of a generator, an object or a function of the program; ok is false for other values.
func (r *runner) programMethod(of Value, name string, c *arguments) (v Value, ok bool, err error) {
	if v, ok, err := r.generatorMethod(of, name, c); ok {
		return v, true, err
	}
	if isObject(of) {
		v, err = r.callAttribute(of, name, c)
		return v, true, err
	}
	if _, isFunc := of.(*Func); isFunc && name == "set_name_prefix" {
		return None{}, true, nil
	}
	return r.functionMethod(of, name, c)
}

// valueAttribute returns an attribute of a value of the CuTe DSL or of a function; ok is false if it does not have the
// attribute.
func (r *runner) valueAttribute(of Value, name string) (v Value, ok bool, err error) {
	switch of := of.(type) {
	case Vector:
		switch name {
		case "dtype", "element_type":
			return TypeValue{Name: of.Type.DSL()}, true, nil
		case "shape":
			return r.hostTuple(of.Shape), true, nil
		}
	case structValue:
		v, err = r.structAttribute(of, name)
		return v, true, err
	case *Builtin:
		if of.Name == "cute.struct" && (name == "MemRange" || name == "Align") {
			return &Builtin{Name: "cute.struct." + name}, true, nil
		}
	case Address:
		if name == "dtype" || name == "value_type" {
			return TypeValue{Name: of.typ.DSL()}, true, nil
		}
	}
	if isObject(of) {
		v, err = r.attributeOf(of, name)
		return v, true, err
	}
	v, ok = functionAttribute(of, name)
	return v, ok, nil
}

// elementAttribute returns an attribute of an element type; ok is false if it does not have the attribute.
func elementAttribute(of Value, name string) (v Value, ok bool) {
	t, isType := of.(TypeValue)
	if !isType || !isElementOfDSL(t) {
		return nil, false
	}
	elem, _ := elementTypeOf(t)
	switch name {
	case "width":
		return Int(elem.Bits()), true
	case "is_integer", "is_float":
		return Bool((elem.Kind() == dtype.Float) == (name == "is_float")), true
	}
	return nil, false
}
