package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
)

// This file determines the types of C++ expressions without running them, for decltype(X), sizeof X and C ? X : Y.

// typeOf returns the type of an expression without running it. It returns an error if the type cannot be determined.
func (r *runner) typeOf(x program.Expr) (TypeValue, error) {
	switch x := x.(type) {
	case *program.Cast:
		return r.resolve(x.Type)
	case *program.Make:
		return r.resolve(x.Type)
	case *program.Compare, *program.Logic:
		return TypeValue{Name: "bool", C: CBool}, nil
	case *program.Binary:
		return r.typeOfBinary(x)
	case *program.Unary:
		return r.typeOfUnary(x)
	case *program.Cond:
		return r.typeOfChoice(x)
	case *program.Update:
		return r.typeOf(x.Target)
	case *program.Step:
		return r.typeOf(x.X)
	case *program.Call:
		return r.typeOfCall(x)
	case *program.Name, *program.Index, *program.Attr:
		if t := r.sample(x).typeName(); t != (TypeValue{}) {
			return t, nil
		}
	case *program.Lambda, *program.Tuple, *program.Template, *program.TypeOf:
		return TypeValue{}, nil
	}
	v, err := r.value(x)
	return typeOfValue(v), err
}

// sample returns a variable that has the type of an expression, without running the expression. For a[i++] it is the
// first element of a. It returns nil if it finds none.
func (r *runner) sample(x program.Expr) *cell {
	switch x := x.(type) {
	case *program.Name:
		return r.find(x)
	case *program.Index:
		return r.sample(x.X).first()
	case *program.Attr:
		c := r.sample(x.X)
		if c != nil && x.Arrow {
			c = c.first()
		}
		if c == nil {
			return nil
		}
		if o, ok := c.v.(*Object); ok {
			return o.fields[x.Name]
		}
		return r.fieldSample(c.typeName().Struct, x.Name)
	case *program.Unary:
		if x.Op == "*" {
			return r.sample(x.X).first()
		}
	}
	return nil
}

// fieldSample returns a variable that has the type of a field.
func (r *runner) fieldSample(t *StructType, name string) *cell {
	if t == nil {
		return nil
	}
	outer := r.scope
	defer func() { r.scope = outer }()
	if t.scope != nil {
		r.scope = t.scope
	}
	for _, st := range t.Def.Body {
		d, ok := st.(*program.Declare)
		if !ok {
			continue
		}
		for _, q := range d.Names {
			if of, err := r.resolve(d.Type); err == nil && q.Name == name && len(q.Dims) == 0 {
				if q.Ptr {
					return &cell{to: &of}
				}
				return &cell{typ: of.C, v: r.zero(of)}
			}
		}
	}
	return nil
}

// first returns a variable that has the type of the elements of an array or a pointer, or nil.
func (c *cell) first() *cell {
	if c == nil {
		return nil
	}
	switch v := c.v.(type) {
	case *Array:
		if len(v.Cells) > 0 {
			return v.Cells[0]
		}
		return &cell{typ: v.Type}
	case Pointer:
		if len(v.Of.Cells) > 0 {
			return v.Of.Cells[0]
		}
	case Address:
		t := typeOfElement(v.typ)
		return &cell{typ: t.C, v: t}
	}
	if c.to != nil {
		return &cell{typ: c.to.C, v: *c.to}
	}
	return nil
}

// typeName returns the type of a variable, even if the variable has no value yet. It returns the zero type if the type
// is unknown.
func (c *cell) typeName() TypeValue {
	switch {
	case c == nil:
		return TypeValue{}
	case c.typ != CNone:
		return TypeValue{Name: cppTypeName(c.typ), C: c.typ}
	case c.to != nil:
		return TypeValue{Name: "pointer", Elem: c.to}
	case c.elem != 0:
		return typeOfElement(c.elem)
	}
	return typeOfValue(c.v)
}

func (r *runner) typeOfChoice(x *program.Cond) (TypeValue, error) {
	a, err := r.typeOf(x.Then)
	if err != nil {
		return a, err
	}
	b, err := r.typeOf(x.Else)
	t := cppChoice(a.C, b.C)
	return TypeValue{Name: cppTypeName(t), C: t}, err
}

func (r *runner) typeOfUnary(x *program.Unary) (TypeValue, error) {
	if c := r.sample(x); c != nil {
		return c.typeName(), nil
	}
	t, err := r.typeOf(x.X)
	switch {
	case t == (TypeValue{}) && x.Op != "!":
		return t, err
	case x.Op == "!":
		return TypeValue{Name: "bool", C: CBool}, err
	case x.Op == "*" && t.Elem != nil:
		return *t.Elem, err
	case x.Op == "&":
		return TypeValue{Name: "pointer", Elem: &t}, err
	}
	t.C = cppPromoted(t.C)
	t.Name = cppTypeName(t.C)
	return t, err
}

func (r *runner) typeOfBinary(x *program.Binary) (TypeValue, error) {
	a, err := r.typeOf(x.X)
	if err != nil {
		return a, err
	}
	b, err := r.typeOf(x.Y)
	if err != nil {
		return b, err
	}
	switch {
	case x.Op == ",":
		return b, nil
	case a.Elem != nil:
		return a, nil
	case a.C == CNone || b.C == CNone:
		return TypeValue{}, nil
	}
	t := cppCommon(a.C, b.C)
	if x.Op == "<<" || x.Op == ">>" {
		t = cppPromoted(a.C)
	}
	return TypeValue{Name: cppTypeName(t), C: t}, nil
}

// typeOfCall returns the type of the result of a call. It returns an error if the type depends on the body of the
// function.
func (r *runner) typeOfCall(x *program.Call) (TypeValue, error) {
	fn, explicit := x.Fn, []program.Expr(nil)
	if t, ok := fn.(*program.Template); ok {
		fn, explicit = t.X, t.Args
	}
	var c *cell
	switch fn := fn.(type) {
	case *program.Name:
		if c = r.find(fn); c == nil {
			return r.typeOfLibrary(fn, x)
		}
	case *program.Attr:
		if of := r.sample(fn.X); of != nil {
			return r.typeOfMethod(of, fn.Name, x)
		}
	}
	if c == nil {
		return TypeValue{}, nil
	}
	if a, ok := c.v.(Algebra); ok && a.isTensor() && a.window != nil {
		return typeOfElement(a.typ), nil
	}
	f, ok := c.v.(*Func)
	if !ok {
		return typeOfValue(c.v), nil
	}
	return r.typeOfResult(f, explicit, x)
}

// typeOfLibrary returns the type of T(X), or of a call of a function of <cmath> or <algorithm>.
func (r *runner) typeOfLibrary(fn *program.Name, x *program.Call) (TypeValue, error) {
	name := fn.Name
	row, single := exact[name], false
	if row.n == 0 {
		row, single = exact[strings.TrimSuffix(name, "f")], true
	}
	switch {
	case mathTests[name] != nil:
		return TypeValue{Name: cppTypeName(CBool), C: CBool}, nil
	case len(x.Args) == 0 || row.n == 0 && name != "abs" && name != "min" && name != "max":
		return namedType(name), nil
	}
	t, err := r.typeOf(x.Args[0].X)
	switch {
	case t.C == CNone || err != nil:
		return TypeValue{}, err
	case name == "abs":
		t.C = cppPromoted(t.C)
	case row.n > 0 && single:
		t.C = CSingle
	case row.n > 0:
		if t.C, err = r.commonFloat(x.Args); err != nil {
			return TypeValue{}, err
		}
	}
	return TypeValue{Name: cppTypeName(t.C), C: t.C}, nil
}

// commonFloat returns float if all arguments are float, and double otherwise.
func (r *runner) commonFloat(args []program.Arg) (CType, error) {
	for _, a := range args {
		if of, err := r.typeOf(a.X); err != nil || of.C != CSingle {
			return CDouble, err
		}
	}
	return CSingle, nil
}

// typeOfMethod returns the type of X.f(..), where of is a variable that has the type of X.
func (r *runner) typeOfMethod(of *cell, name string, x *program.Call) (TypeValue, error) {
	if p, ok := of.v.(Pointer); ok && len(p.Of.Cells) > 0 {
		of = p.Of.Cells[0]
	}
	switch v := of.v.(type) {
	case *Object:
		if f := v.method(name); f != nil {
			return r.typeOfResult(f, nil, x)
		}
	case *Array:
		switch name {
		case "size":
			return TypeValue{Name: cppTypeName(CULong), C: CULong}, nil
		case "front", "back", "at":
			return of.first().typeName(), nil
		}
	}
	return TypeValue{}, nil
}

// typeOfResult returns the result type of a function of the program.
func (r *runner) typeOfResult(f *Func, explicit []program.Expr, x *program.Call) (TypeValue, error) {
	if f.result != nil {
		return *f.result, nil
	}
	if f.next != nil || f.Def.Result == nil && f.onlyReturn() == nil {
		err := errorf(cute.CodeType, "the type of the result of %s is not known before it is called", f.name())
		return TypeValue{}, r.at(x, err)
	}
	if r.calls == maxCalls { // the type of a function may depend on itself
		return TypeValue{}, errorf(cute.CodeLimit, "at most %d calls and templates are open at the same time", maxCalls)
	}
	r.calls++
	defer func() { r.calls-- }()
	return r.resultType(f, explicit, x)
}

// resultType returns the result type of a function for a call with explicit template arguments.
func (r *runner) resultType(f *Func, explicit []program.Expr, x *program.Call) (TypeValue, error) {
	s := &scope{names: make(map[string]*cell), outer: f.Scope}
	if err := r.bindTemplate(f.Def.Template, explicit, s); err != nil {
		return TypeValue{}, err
	}
	for i, p := range f.Def.Params {
		name, ok := p.Type.(*program.Name)
		if !ok || i >= len(x.Args) || f.Def.Template == nil {
			continue
		}
		t, err := r.typeOf(x.Args[i].X)
		if err != nil {
			return t, err
		}
		if t.C != CNone {
			if err := f.bindDeduced(name.Name, t, s); err != nil {
				return t, err
			}
		}
	}
	outer := r.scope
	defer func() { r.scope = outer }()
	if f.Def.Result != nil {
		r.scope = s
		return r.resolve(f.Def.Result)
	}
	for i, p := range f.Def.Params { // for auto: the type of the value that the body returns
		r.scope = s
		t, err := r.resolve(p.Type)
		r.scope = outer
		if err == nil && t == (TypeValue{}) && i < len(x.Args) {
			t, err = r.typeOf(x.Args[i].X)
		}
		if err != nil {
			return t, err
		}
		s.names[p.Name] = &cell{v: r.zero(t), typ: t.C}
	}
	r.scope = s
	return r.typeOf(f.onlyReturn())
}

// onlyReturn returns the returned expression, if the body of a function is a single return statement.
func (f *Func) onlyReturn() program.Expr {
	if len(f.Def.Body) != 1 {
		return nil
	}
	if st, ok := f.Def.Body[0].(*program.Return); ok {
		return st.X
	}
	return nil
}

// typeOfValue returns the type of a value. For a value of the algebra or a function, it returns the zero type.
func typeOfValue(v Value) TypeValue {
	switch v := v.(type) {
	case CInt, CFloat:
		t := typeOfNumber(v)
		return TypeValue{Name: cppTypeName(t), C: t}
	case Pointer:
		return TypeValue{Name: "pointer", Elem: &TypeValue{Name: cppTypeName(v.Of.Type), C: v.Of.Type}}
	case *Object:
		return TypeValue{Struct: v.Type}
	case Element:
		return typeOfElement(v.Type)
	case *Traced:
		return v.typeOfNumber()
	case Address:
		elem := typeOfElement(v.typ)
		return TypeValue{Name: "pointer", Elem: &elem}
	case TypeValue:
		return v
	}
	return TypeValue{}
}

// typeOfNumber returns the type of a number, and the zero type for any other value.
func (v *Traced) typeOfNumber() TypeValue {
	switch {
	case v.Type != CNone:
		return TypeValue{Name: cppTypeName(v.Type), C: v.Type}
	case v.Elem != 0:
		return typeOfElement(v.Elem)
	}
	return TypeValue{}
}

// valueOfType evaluates decltype(X)::value of a compile-time integer X, and a type such as decltype(mma)::AtomThrID; ok
// is false for other attributes.
func (r *runner) valueOfType(x *program.Attr) (v Value, ok bool, err error) {
	t, isType := x.X.(*program.TypeOf)
	if !isType || t.X == nil {
		return nil, false, nil
	}
	if x.Name == "value_type" || x.Name == "element_type" {
		of := *x
		of.X = t.X
		v, err = r.attribute(&of)
		return v, err == nil, nil
	}
	if x.Name != "value" && mmaMembers[x.Name] == "" {
		return nil, false, nil
	}
	v, err = r.value(t.X)
	if x.Name != "value" {
		v, ok = r.memberOfMMA(v, x.Name)
		return v, ok, err
	}
	n, _ := v.(CInt)
	return v, err != nil || n.Static || n.Type == CBool, err
}

// checkDecltype refuses decltype(r) of a reference r, and decltype((x)): these are types of references.
func (r *runner) checkDecltype(x *program.TypeOf) error {
	name, ok := x.X.(*program.Name)
	if !ok {
		return nil
	}
	text := strings.ReplaceAll(r.src[x.From:x.To], " ", "")
	isRef := strings.HasPrefix(text, "decltype((")
	for s := r.scope; s != nil && !isRef; s = s.outer {
		isRef = slices.Contains(s.refs, name.Name)
		if s.names[name.Name] != nil {
			break
		}
	}
	if !isRef {
		return nil
	}
	return r.at(x, errorf(cute.CodeType, "%s is a reference here, which is not run: write auto& NAME = VALUE", text))
}
