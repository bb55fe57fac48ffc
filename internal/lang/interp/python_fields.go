package interp

import (
	"slices"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the fields of dataclasses and named tuples.

// dataOptions reads the options of @dataclass(frozen=True, ...).
func (r *runner) dataOptions(t *ClassType, d program.Expr) error {
	t.kind, t.data = dataClass, make(map[string]bool)
	call, ok := d.(*program.Call)
	if !ok {
		return nil
	}
	c, err := r.evaluateArguments(call)
	if err != nil {
		return err
	}
	for _, k := range c.keys {
		on := k.Value == Bool(true)
		switch k.Name {
		case "eq":
			t.data["noeq"] = !on
		case "frozen", "order", "unsafe_hash", "kw_only":
			t.data[k.Name] = on
		case "slots":
		default:
			if !on {
				return python.Refuse("a dataclass with %s=False is not run", k.Name)
			}
		}
	}
	return nil
}

// A fieldValue is field(default=, default_factory=, ...) of a dataclass.
type fieldValue struct{ options map[string]Value }

// TypeName returns the name of the type in Python.
func (fieldValue) TypeName() string { return "Field" }

// newField implements dataclasses.field(...).
func newField(_ *runner, c *arguments) (Value, error) {
	f := &fieldValue{make(map[string]Value)}
	for _, k := range c.keys {
		f.options[k.Name] = k.Value
	}
	return f, nil
}

// fieldOption returns an option of the field(...) call for a field; ok is false if the call does not set it.
func (t *ClassType) fieldOption(field, option string) (Value, bool) {
	f, ok := t.find(field).(*fieldValue)
	if !ok {
		return nil, false
	}
	v, ok := f.options[option]
	return v, ok
}

// fieldDefault returns the default value of a field, or nil if there is no default value.
func (r *runner) fieldDefault(t *ClassType, name string) (Value, error) {
	if _, isField := t.find(name).(*fieldValue); !isField {
		return t.find(name), nil
	}
	if v, ok := t.fieldOption(name, "default_factory"); ok {
		return r.applyTo(v, &arguments{})
	}
	v, _ := t.fieldOption(name, "default")
	return v, nil
}

// fieldSignature returns the parameters of the __init__ that is generated from the fields of a class.
func (t *ClassType) fieldSignature() *signature {
	s := &signature{name: t.qualifiedName() + ".__init__", offset: 1}
	if t.kind == tupleClass {
		s.name = t.Name + ".__new__"
	}
	for _, name := range t.fields {
		if v, ok := t.fieldOption(name, "init"); ok && v == Bool(false) {
			continue
		}
		only, _ := t.fieldOption(name, "kw_only")
		_, isField := t.find(name).(*fieldValue)
		_, given := t.fieldOption(name, "default")
		_, made := t.fieldOption(name, "default_factory")
		s.params = append(s.params, parameter{
			name: name, keyOnly: t.data["kw_only"] || only == Bool(true),
			optional: isField && (given || made) || !isField && t.find(name) != nil,
		})
	}
	return s
}

// setFields sets the fields of a new object.
func (r *runner) setFields(o *Instance, c *arguments) error {
	t := o.class
	s := t.fieldSignature()
	values, err := s.bind(c)
	if err != nil {
		return err
	}
	for _, name := range t.fields {
		i := slices.IndexFunc(s.params, func(p parameter) bool { return p.name == name })
		v := Value(nil)
		if i >= 0 {
			v = values[i]
		}
		if v == nil {
			if v, err = r.fieldDefault(t, name); err != nil {
				return err
			}
		}
		if v != nil {
			o.attrs[name] = v
		}
	}
	if f, ok := t.method("__post_init__"); ok {
		_, err = r.invoke(f, &arguments{pos: []Value{o}})
	}
	return err
}

// fieldValues returns the values of the fields of an object.
func (o *Instance) fieldValues() (list Tuple) {
	for _, name := range o.class.fields {
		v := o.attrs[name]
		if v == nil {
			v = None{}
		}
		list = append(list, v)
	}
	return list
}

// comparedFields returns the values of the fields that == compares.
func (o *Instance) comparedFields() (list Tuple) {
	for i, v := range o.fieldValues() {
		if x, ok := o.class.fieldOption(o.class.fields[i], "compare"); !ok || x != Bool(false) {
			list = append(list, v)
		}
	}
	return list
}

// values returns the values of the fields of a named tuple; ok is false for any other object.
func (o *Instance) values() (list Tuple, ok bool) {
	if o.class.kind != tupleClass {
		return nil, false
	}
	return o.fieldValues(), true
}

// replace is _replace of a named tuple, and dataclasses.replace.
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

// replaceFields implements dataclasses.replace(x, NAME=VALUE).
func replaceFields(r *runner, c *arguments) (Value, error) {
	o, err := dataArgument(c, "replace")
	if err != nil {
		return nil, err
	}
	for _, name := range o.class.fields {
		if v, ok := o.class.fieldOption(name, "init"); !c.has(name) && (!ok || v != Bool(false)) {
			c.keys = append(c.keys, python.KeyArg{Name: name, Value: o.attrs[name]})
		}
	}
	return r.instantiate(o.class, &arguments{keys: c.keys})
}

func dataArgument(c *arguments, name string) (*Instance, error) {
	if len(c.pos) > 0 {
		if o, ok := c.pos[0].(*Instance); ok && o.class.kind == dataClass {
			return o, nil
		}
	}
	return nil, python.TypeError("%s() should be called on dataclass instances", name)
}

// asDict implements dataclasses.asdict(x), and _asdict of a named tuple.
func (r *runner) asDict(o *Instance) (Value, error) {
	if err := r.py.Enter(); err != nil {
		return nil, err
	}
	defer r.py.Leave()
	d := &Dict{}
	for i, v := range o.fieldValues() {
		if of, ok := v.(*Instance); ok && of.class.kind == dataClass && o.class.kind == dataClass {
			var err error
			if v, err = r.asDict(of); err != nil {
				return nil, err
			}
		}
		if err := r.py.SetIndex(d, Str(o.class.fields[i]), v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// namedTuple implements collections.namedtuple(NAME, FIELDS, defaults=).
func namedTuple(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 2 {
		return nil, python.Refuse("namedtuple() is run with a name and the names of the fields")
	}
	name, _ := c.pos[0].(Str)
	t := &ClassType{Name: string(name), kind: tupleClass, names: make(map[string]*cell)}
	t.mro = []*ClassType{t}
	list := c.pos[1]
	if text, ok := list.(Str); ok {
		var err error
		if text, err := r.py.CallMethod(text, "replace", []Value{Str(","), Str(" ")}, nil); err == nil {
			list, err = r.py.CallMethod(text, "split", nil, nil)
			_ = err
		}
		if err != nil {
			return nil, err
		}
	}
	fields, err := r.elements(list)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		text, _ := f.(Str)
		t.fields = append(t.fields, string(text))
	}
	if v := c.take("defaults"); v != nil {
		values, err := r.elements(v)
		if err != nil || len(values) > len(t.fields) {
			return nil, python.TypeError("Got more default values than field names")
		}
		for i, v := range values {
			t.names[t.fields[len(t.fields)-len(values)+i]] = &cell{v: v}
		}
	}
	return t, nil
}

// asDictionary implements dataclasses.asdict(x).
func asDictionary(r *runner, c *arguments) (Value, error) {
	o, err := dataArgument(c, "asdict")
	if err != nil {
		return nil, err
	}
	return r.asDict(o)
}

// asTupleOf implements dataclasses.astuple(x).
func asTupleOf(_ *runner, c *arguments) (Value, error) {
	o, err := dataArgument(c, "astuple")
	if err != nil {
		return nil, err
	}
	for _, v := range o.attrs {
		if of, ok := v.(*Instance); ok && of.class.kind == dataClass {
			return nil, python.Refuse("astuple of a dataclass within another is not run")
		}
	}
	return o.fieldValues(), nil
}

// isData implements dataclasses.is_dataclass(x).
func isData(_ *runner, c *arguments) (Value, error) {
	t := (*ClassType)(nil)
	if len(c.pos) == 1 {
		t = classThat(c.pos[0])
	}
	return Bool(t != nil && t.kind == dataClass), nil
}
