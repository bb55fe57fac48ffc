package interp

import (
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
)

// This file implements the types that a C++ program declares, and the launches of kernels.

// structure runs the declaration of a type. A full specialisation is stored under its whole name, and a partial
// specialisation with its template.
func (r *runner) structure(st *program.Struct) error {
	t := &StructType{Def: st}
	name := st.Name
	if len(st.Args) > 0 {
		name = r.wholeName(st.Name, st.Args)
		if r.plainName(st.Name) == nil {
			r.declare(st.Name, &cell{v: TypeValue{Name: st.Name, Struct: &StructType{Def: &program.Struct{Name: st.Name}}}})
		}
	}
	if len(st.Template) > 0 && len(st.Args) > 0 {
		if of, ok := r.plainName(st.Name).v.(TypeValue); ok && of.Struct != nil {
			of.Struct.partials = append(of.Struct.partials, st)
		}
		return nil
	}
	r.declare(name, &cell{v: TypeValue{Name: name, Struct: t}})
	if len(st.Template) > 0 {
		return nil // its constants depend on the arguments
	}
	return r.open(t)
}

func (r *runner) plainName(name string) *cell {
	c, _ := r.lookup(name)
	return c
}

// wholeName returns the name of a specialisation without spaces, with its arguments evaluated: Fac<4> also for Fac<N-1>
// if N is 5.
func (r *runner) wholeName(name string, args []program.Expr) string {
	var list []string
	for _, a := range args {
		text := strings.Join(strings.Fields(r.src[a.Pos():a.End()]), "")
		if v, err := r.templateValue(a); err == nil {
			n, isInteger := integerOf(v)
			of, isType := v.(TypeValue)
			switch {
			case isInteger:
				text = strconv.FormatInt(n, 10)
			case isType && of.Name != "":
				text = of.Name
			}
		}
		list = append(list, text)
	}
	return name + "<" + strings.Join(list, ",") + ">"
}

// specialisation returns the type NAME<ARGS>: a specialisation, or the template with its parameters bound to the
// arguments.
func (r *runner) specialisation(t *StructType, x *program.Template) (TypeValue, error) {
	name := r.wholeName(t.Def.Name, x.Args)
	if c, _ := r.lookup(name); c != nil {
		of, _ := c.v.(TypeValue)
		return of, nil
	}
	if len(t.Def.Template) == 0 {
		return TypeValue{}, errorf(cute.CodeName, "%s is not declared", name)
	}
	s := &scope{names: make(map[string]*cell), outer: r.scope}
	if err := r.bindTemplate(t.Def.Template, x.Args, s); err != nil {
		return TypeValue{}, err
	}
	if err := r.templateDefaults(&Func{Def: &program.Def{Name: t.Def.Name, Template: t.Def.Template}}, s); err != nil {
		return TypeValue{}, err
	}
	made := &StructType{Def: t.Def, of: t, args: templateArguments(t.Def.Template, s)}
	partial, err := r.partialFor(t, made.args, name)
	if err != nil {
		return TypeValue{}, err
	}
	if partial.def != nil {
		made.Def, s.names = partial.def, partial.names
	}
	outer := r.scope
	r.scope = s
	defer func() { r.scope = outer }()
	return TypeValue{Name: name, Struct: made}, r.open(made)
}

// open evaluates the type names and constants that a type declares, in a separate scope.
func (r *runner) open(t *StructType) error {
	if r.calls == maxCalls { // a template may refer to itself without end
		return errorf(cute.CodeLimit, "at most %d calls and templates are open at the same time", maxCalls)
	}
	r.calls++
	defer func() { r.calls-- }()
	defer r.enter()()
	t.scope = r.scope
	for _, st := range t.Def.Body {
		if d, ok := st.(*program.Declare); ok && !d.Const && !d.Static {
			continue // fields
		}
		if err := r.step(st); err != nil {
			return err
		}
		if _, err := r.statement(st); err != nil {
			return r.at(st, err)
		}
	}
	return nil
}

// member returns a constant or a type in a type.
func (t *StructType) member(name string) (Value, error) {
	if t.scope != nil {
		if c := t.scope.names[name]; c != nil && c.v != nil {
			return c.v, nil
		}
	}
	return nil, errorf(cute.CodeName, "%s has no member %s", t.Def.Name, name)
}

// object makes an object from the values of its fields, in order. A field without a value gets the value of its
// declaration. If the declaration has no value, the field has no value if list is nil, as in T x;, and is zero
// otherwise.
func (r *runner) object(t *StructType, list []Value) (Value, error) {
	o := &Object{Type: t, fields: make(map[string]*cell)}
	if t.Def.Partial {
		return nil, errorf(cute.CodeSyntax, "values of %s are not run: it has constructors, is derived from other types, or is a union",
			t.Def.Name)
	}
	outer := r.scope
	if t.scope != nil {
		r.scope = t.scope
	}
	defer func() { r.scope = outer }()
	for _, st := range t.Def.Body {
		d, ok := st.(*program.Declare)
		if !ok || d.Const || d.Static {
			continue
		}
		of, err := r.resolve(d.Type)
		if err != nil {
			return nil, err
		}
		for i := range d.Names {
			c, err := r.variable(d, of, &d.Names[i])
			if err != nil {
				return nil, err
			}
			switch n := len(o.names); {
			case n < len(list):
				c.v, err = r.field(c.v, list[n], of)
			case list != nil && d.Names[i].X == nil:
				c.v, err = r.zeroField(c.v, of)
			}
			if err != nil {
				return nil, err
			}
			o.names = append(o.names, d.Names[i].Name)
			o.fields[d.Names[i].Name] = c
		}
	}
	if len(list) > len(o.names) {
		return nil, errorf(cute.CodeRank, "%s has %d fields, found %d values", t.Def.Name, len(o.names), len(list))
	}
	return o, nil
}

// objectFrom makes an object from another object, or from the values of its fields.
func (r *runner) objectFrom(t *StructType, list []Value) (Value, error) {
	if len(list) == 1 {
		if o, ok := list[0].(*Object); ok && o.Type == t {
			return copyOf(o), nil
		}
	}
	return r.object(t, list)
}

// method returns a function of the type of an object, which sees the fields of the object.
func (o *Object) method(name string) *Func {
	if o.Type == nil || o.Type.scope == nil || o.Type.scope.names[name] == nil {
		return nil
	}
	s := &scope{names: make(map[string]*cell), outer: o.Type.scope}
	for n, c := range o.Type.scope.names {
		if f, ok := c.v.(*Func); ok {
			s.names[n] = &cell{v: f.within(s)}
		}
	}
	for n, c := range o.fields {
		s.names[n] = c
	}
	s.names["this"] = &cell{v: Pointer{Of: &Array{Cells: []*cell{{v: o}}}}}
	f, _ := s.names[name].v.(*Func)
	return f
}

// within returns a copy of a function and its overloads in another scope.
func (f *Func) within(s *scope) *Func {
	g := *f
	g.Scope = s
	if f.next != nil {
		g.next = f.next.within(s)
	}
	return &g
}

// callObject calls a function of the type of an object.
func (r *runner) callObject(o *Object, name string, x *program.Call) (Value, error) {
	if isPipelineState(o) {
		return r.stateMethod(o, name, x)
	}
	f := o.method(name)
	if f == nil {
		return nil, errorf(cute.CodeName, "an object has no function %s", name)
	}
	return r.callCpp(f, x)
}

// zeroField returns the value of a field of T{} that has no value in its declaration. old is the array of the field, or
// nil.
func (r *runner) zeroField(old Value, t TypeValue) (Value, error) {
	if a, ok := old.(*Array); ok {
		return r.field(a, Tuple{}, t)
	}
	if old == nil {
		old = r.zero(t)
	}
	return old, nil
}

// field returns v as the value of a field. old is the previous value, which is an array if the field is one.
func (r *runner) field(old, v Value, t TypeValue) (Value, error) {
	a, isArray := old.(*Array)
	list, isList := v.(Tuple)
	if !isArray || a.Vector || !isList {
		return r.fit(v, t)
	}
	if len(list) > len(a.Cells) {
		return nil, errorf(cute.CodeRank, "an array of %d has %d values", len(a.Cells), len(list))
	}
	for i, c := range a.Cells {
		var e Value = Tuple{}
		if i < len(list) {
			e = list[i]
		}
		var err error
		if c.v, err = r.field(c.v, e, t); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// values returns the fields of an object.
func (o *Object) values() []Value {
	list := make([]Value, len(o.names))
	for i, name := range o.names {
		list[i] = o.fields[name].v
	}
	return list
}

// maxThreads limits the threads of a launch.
const maxThreads = 1 << 20
