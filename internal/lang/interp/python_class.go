package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the declaration of Python classes, and the lookup of their names.

// A ClassType is a class that the program declares. Fields lists the annotated names in order, after the fields of the
// base classes.
type ClassType struct {
	Name   string
	module string       // the module; "" for the program itself
	qual   string       // the qualified name, with the names of the functions and classes around it; "" if it is Name
	mro    []*ClassType // the class and its base classes in the order of name lookup; nil for a class without base classes
	names  map[string]*cell
	fields []string
	kind   classKind
	// data contains the options of a dataclass that are set: frozen, order, and "noeq" for eq=False.
	data map[string]bool
	// members lists the members of an enumeration in order; names also contains their aliases.
	members []*Instance
}

// A classKind is the kind of objects that a class makes.
type classKind string

// The kinds of classes.
const (
	plainClass     classKind = ""
	dataClass      classKind = "data"
	tupleClass     classKind = "tuple"
	exceptionClass classKind = "exception"
	enumClass      classKind = "enum"
	intEnumClass   classKind = "enum of integers"
)

// ClassName returns the name in the text of the class.
func (t *ClassType) ClassName() string {
	name := t.qualifiedName()
	switch t.module {
	case "":
		return "__main__." + name
	case "builtins":
		return name
	}
	return t.module + "." + name
}

func (t *ClassType) qualifiedName() string {
	if t.qual != "" {
		return t.qual
	}
	return t.Name
}

// TypeName returns the name of the type in Python.
func (*ClassType) TypeName() string { return "type" }

// order returns the classes in which names are looked up, in order.
func (t *ClassType) order() []*ClassType {
	if t == nil || t.mro != nil {
		return append([]*ClassType(nil), t.chain()...)
	}
	return []*ClassType{t}
}

func (t *ClassType) chain() []*ClassType {
	if t == nil {
		return nil
	}
	return t.mro
}

// is reports whether a class is the class of, or is derived from it.
func (t *ClassType) is(of *ClassType) bool { return slices.Contains(t.order(), of) }

// find returns the value of a name in a class or its base classes, or nil.
func (t *ClassType) find(name string) Value {
	v, _ := findIn(t.order(), name)
	return v
}

// findIn returns the value of a name in the first class of list that defines it, and that class.
func findIn(list []*ClassType, name string) (Value, *ClassType) {
	for _, t := range list {
		if c := t.names[name]; c != nil && c.v != nil {
			return c.v, t
		}
	}
	return nil, nil
}

// method returns a function of the program that a class defines under a name.
func (t *ClassType) method(name string) (*Func, bool) {
	f, ok := t.find(name).(*Func)
	return f, ok
}

// unknownMethods lists methods that Python calls implicitly and girih does not.
var unknownMethods = program.Words(`__init_subclass__ __getattribute__ __del__ __set_name__ __delattr__ __instancecheck__
	__prepare__ __mro_entries__ __class_getitem__ __missing__ __subclasscheck__`)

// class runs the declaration of a class.
func (r *runner) class(st *program.Class) error {
	t := &ClassType{Name: st.Name, qual: r.qualifiedName(st.Name), module: r.libraryName()}
	if err := r.bases(t, st.Bases); err != nil {
		return err
	}
	for _, d := range st.Decorators {
		if name := lastName(calledName(d)); name == "dataclass" || name == "native_struct" {
			if err := r.dataOptions(t, d); err != nil {
				return r.at(d, err)
			}
		}
	}
	v, err := r.classBody(t, st)
	if err == nil && (t.kind == enumClass || t.kind == intEnumClass) {
		err = r.addMembers(t, st.Body)
	}
	for _, d := range slices.Backward(st.Decorators) {
		if v, err = r.decorateClass(v, d, err); err != nil {
			return err
		}
	}
	if err == nil {
		r.assign(st.Name, v)
	}
	return err
}

// classBody runs the body of a class. It returns the class, or the struct that it declares.
func (r *runner) classBody(t *ClassType, st *program.Class) (Value, error) {
	outer := r.scope
	fn := &Func{Def: &program.Def{Name: st.Name}, body: true, qual: t.qual}
	s := &scope{names: make(map[string]*cell), outer: outer, fn: fn}
	r.scope = s
	defer func() { r.scope = outer }()
	r.nested++
	_, err := r.run(st.Body)
	r.nested--
	if err != nil {
		return nil, err
	}
	t.names = s.names
	for name, c := range s.names {
		if f, ok := c.v.(*Func); ok && f.Scope == s {
			f.Scope, f.class = outer, t
		}
		if unknownMethods[name] {
			return nil, r.at(st, errorf(cute.CodeSyntax, "a class with %s is not run", name))
		}
	}
	t.addFields(st.Body)
	if slices.ContainsFunc(st.Decorators, func(d program.Expr) bool { return lastName(d) == "struct" }) {
		return r.structOf(st)
	}
	return t, nil
}

// plainClassDecorators lists decorators that have no effect on a class here.
var plainClassDecorators = program.Words("dataclass native_struct struct unique final runtime_checkable")

func (r *runner) decorateClass(v Value, d program.Expr, err error) (Value, error) {
	switch name := lastName(calledName(d)); {
	case err != nil || plainClassDecorators[name]:
		return v, err
	case name == "total_ordering":
		return nil, r.at(d, errorf(cute.CodeSyntax, "a class with the decorator %s is not run", name))
	}
	by, err := r.value(d)
	if err != nil {
		return nil, err
	}
	v, err = r.applyTo(by, &arguments{pos: []Value{v}})
	return v, r.at(d, err)
}

// addFields adds the annotated names of a class body as fields.
func (t *ClassType) addFields(body []program.Stmt) {
	for _, line := range body {
		a, ok := line.(*program.Assign)
		if !ok || a.Type == nil {
			continue
		}
		of := a.Type
		if x, ok := of.(*program.Index); ok {
			of = x.X
		}
		if lastName(of) == "ClassVar" {
			continue
		}
		if name, ok := a.Targets[0].(*program.Name); ok && !slices.Contains(t.fields, name.Name) {
			t.fields = append(t.fields, name.Name)
		}
	}
}

// qualifiedName returns a name prefixed with the names of the functions and classes around it.
func (r *runner) qualifiedName(name string) string {
	s := r.functionScope()
	switch {
	case s == nil || s.fn.qual == "":
		return name
	case s.fn.body:
		return s.fn.qual + "." + name
	}
	return s.fn.qual + ".<locals>." + name
}

// calledName returns the function expression of a call. It returns any other expression unchanged.
func calledName(x program.Expr) program.Expr {
	if c, ok := x.(*program.Call); ok {
		return c.Fn
	}
	return x
}

// ignoredBases lists base classes that have no effect here.
var ignoredBases = program.Words("object ABC Protocol Generic")

// bases finds the base classes of a class.
func (r *runner) bases(t *ClassType, list []program.Arg) error {
	var bases []*ClassType
	for _, b := range list {
		name := lastName(b.X)
		if x, ok := b.X.(*program.Index); ok {
			name = lastName(x.X)
		}
		switch kind := map[string]classKind{"NamedTuple": tupleClass, "Enum": enumClass, "IntEnum": intEnumClass}[name]; {
		case kind != "":
			t.kind = kind
			continue
		case ignoredBases[name] || b.Name == "metaclass" && lastName(b.X) == "ABCMeta":
			continue
		}
		v, err := r.value(b.X)
		base, isClass := v.(*ClassType)
		if err != nil || !isClass || b.Name != "" || len(base.members) > 0 {
			text := r.src[b.X.Pos():b.X.End()]
			return r.at(b.X, errorf(cute.CodeSyntax, "a class that is derived from %s is not run", text))
		}
		bases = append(bases, base)
		if base.kind != plainClass {
			t.kind = base.kind
		}
	}
	for _, base := range slices.Backward(bases) {
		for _, f := range base.fields {
			if !slices.Contains(t.fields, f) {
				t.fields = append(t.fields, f)
			}
		}
	}
	return t.linearise(bases)
}

// linearise computes the order of name lookup by C3, as Python does. The class is first. Then it repeatedly takes the
// first class that heads one of the lists, and is in the tail of none: the lists are the orders of the base classes and
// the list of base classes.
//
//	class A; class B(A); class C(A); class D(B, C)    D B C A
func (t *ClassType) linearise(bases []*ClassType) error {
	t.mro = []*ClassType{t}
	lists := [][]*ClassType{bases}
	for _, b := range bases {
		lists = append(lists, b.order())
	}
	for {
		lists = slices.DeleteFunc(lists, func(l []*ClassType) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return nil
		}
		i := slices.IndexFunc(lists, func(l []*ClassType) bool {
			return !slices.ContainsFunc(lists, func(o []*ClassType) bool { return slices.Contains(o[1:], l[0]) })
		})
		if i < 0 {
			var names []string
			for _, b := range bases {
				names = append(names, b.Name)
			}
			return python.TypeError("Cannot create a consistent method resolution\norder (MRO) for bases %s",
				strings.Join(names, ", "))
		}
		head := lists[i][0]
		t.mro = append(t.mro, head)
		for k, l := range lists {
			if l[0] == head {
				lists[k] = l[1:]
			}
		}
	}
}

// hasDecorator reports whether a function has a decorator with a name.
func (f *Func) hasDecorator(name string) bool {
	return slices.ContainsFunc(f.Def.Decorators, func(x program.Expr) bool { return lastName(calledName(x)) == name })
}

// plainDecorators lists decorators that have no effect on a function, or that the attributes of classes handle.
var plainDecorators = program.Words(`jit kernel dsl_user_op staticmethod classmethod property cached_property lru_cache cache
	wraps abstractmethod overload override autotune_jit final`)

// decorate applies the decorators of a function that are declared by the program itself.
func (r *runner) decorate(f *Func) (Value, error) {
	v := Value(f)
	for _, d := range slices.Backward(f.Def.Decorators) {
		switch name := lastName(calledName(d)); {
		case name == "cache" || name == "lru_cache":
			if err := r.cache(f, d); err != nil {
				return nil, r.at(d, err)
			}
			continue
		case name == "wraps" && calledName(d) != d:
			if err := r.wrap(f, d.(*program.Call)); err != nil { // a decorator with arguments is a call
				return nil, r.at(d, err)
			}
			continue
		case plainDecorators[name]:
			continue
		}
		if a, ok := d.(*program.Attr); ok && (a.Name == "setter" || a.Name == "deleter") {
			var err error
			if v, err = r.accessor(f, a); err != nil {
				return nil, err
			}
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

// accessor implements @X.setter and @X.deleter: it returns the property X with another function.
func (r *runner) accessor(f *Func, d *program.Attr) (Value, error) {
	v, err := r.value(d.X)
	if err != nil {
		return nil, err
	}
	p, ok := v.(*Func)
	if !ok || !p.hasDecorator("property") {
		return nil, r.at(d, python.Raise("AttributeError", "'%s' object has no attribute '%s'", python.TypeName(v), d.Name))
	}
	made := *p
	if d.Name == "setter" {
		made.setter = f
	} else {
		made.deleter = f
	}
	return &made, nil
}

// wrap implements @wraps(g): the function gets the name of g.
func (r *runner) wrap(f *Func, d *program.Call) error {
	c, err := r.evaluateArguments(d)
	if err != nil || len(c.pos) != 1 {
		return err
	}
	f.attrs = map[string]Value{"__wrapped__": c.pos[0]}
	for _, name := range []string{"__name__", "__qualname__"} {
		if v, ok := functionAttribute(c.pos[0], name); ok {
			f.attrs[name] = v
		}
	}
	return nil
}
