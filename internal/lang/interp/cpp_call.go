package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file calls the functions of C++.

// An argument is the value of an argument. If the argument is a variable, it also contains the variable, so that a
// reference can bind to it.
type argument struct {
	v    Value
	cell *cell
	at   program.Node
}

// callCpp calls a function.
func (r *runner) callCpp(f *Func, x *program.Call) (Value, error) {
	args, err := r.cppArguments(f, x)
	if err != nil {
		return nil, err
	}
	if f, err = r.overload(f, args); err != nil {
		return nil, err
	}
	return r.callWith(f, nil, args)
}

// callCppTemplate calls f<ARGS>(x).
func (r *runner) callCppTemplate(f *Func, fn *program.Template, x *program.Call) (Value, error) {
	for f.Def.Template == nil && f.next != nil {
		f = f.next
	}
	if f.Def.Template == nil {
		return nil, errorf(cute.CodeType, "%s is not a template", f.name())
	}
	args, err := r.cppArguments(f, x)
	if err != nil {
		return nil, err
	}
	return r.callWith(f, fn.Args, args)
}

// invokeCpp calls a function with values.
func (r *runner) invokeCpp(f *Func, values []Value) (Value, error) {
	var args []argument
	for _, v := range values {
		args = append(args, argument{v: v, at: f.Def})
	}
	return r.callWith(f, nil, args)
}

// cppArguments evaluates the arguments of a call. An argument for a reference keeps its variable.
func (r *runner) cppArguments(f *Func, x *program.Call) (list []argument, err error) {
	for i, a := range x.Args {
		if star, ok := a.X.(*program.Star); ok {
			more, err := r.expand(star.X)
			if err != nil {
				return nil, err
			}
			for _, v := range more {
				list = append(list, argument{v: v, at: a.X})
			}
			continue
		}
		arg := argument{at: a.X}
		if f.takesReference(i) {
			if arg.cell, err = r.variableOf(a.X); err != nil {
				return nil, err
			}
		}
		switch {
		case arg.cell == nil:
			arg.v, err = r.value(a.X)
		case f.next != nil: // the value decides
			arg.v, err = r.currentValue(arg.cell)
		default:
			arg.v = arg.cell.v
		}
		if err != nil {
			return nil, err
		}
		list = append(list, arg)
	}
	return list, nil
}

// takesReference reports whether a function, or one of its overloads, has a reference as parameter i.
func (f *Func) takesReference(i int) bool {
	for ; f != nil; f = f.next {
		if params := f.Def.Params; i < len(params) && (params[i].Ref || params[i].Star > 0) {
			return true
		}
	}
	return false
}

// bindTemplateOf binds the template parameters of a function, if the function is a template.
func (r *runner) bindTemplateOf(f *Func, explicit []program.Expr, args []argument, s *scope) error {
	if f.Def.Template == nil {
		return nil
	}
	if err := r.bindTemplate(f.Def.Template, explicit, s); err != nil {
		return err
	}
	for i, p := range f.Def.Params {
		if i < len(args) {
			if err := r.deduce(f, p, args[i:], s); err != nil {
				return err
			}
		}
	}
	return r.templateDefaults(f, s)
}

// callWith calls a function with explicit template arguments and with its arguments.
func (r *runner) callWith(f *Func, explicit []program.Expr, args []argument) (Value, error) {
	s := &scope{names: make(map[string]*cell), outer: f.Scope, fn: f}
	if explicit == nil {
		explicit = f.explicit
	}
	if err := r.bindTemplateOf(f, explicit, args, s); err != nil {
		return nil, err
	}
	outer, src, lang := r.scope, r.src, r.lang
	r.scope, r.src, r.lang = s, f.Def.Src, f.Def.Lang
	err := r.bindCpp(f, args, s)
	var result TypeValue
	if err == nil {
		if f.result != nil {
			result = *f.result
		} else {
			result, err = r.resolve(f.Def.Result)
		}
	}
	r.scope, r.src, r.lang = outer, src, lang
	if err != nil {
		return nil, err
	}
	v, err := r.inside(f, s)
	if err != nil || result.Name == "void" {
		return v, err
	}
	if _, none := v.(None); none && f.Def.Result != nil && result.Name != "pointer" {
		if f.Def.Name == "main" {
			return cInt(0, CIntType), nil
		}
		return nil, errorf(cute.CodeType, "%s ends without returning a value: undefined in C++", f.name())
	}
	if f.Def.Ref {
		return v, nil
	}
	return r.fit(v, result)
}

// bindCpp binds the parameters of a function.
func (r *runner) bindCpp(f *Func, args []argument, s *scope) error {
	for i, p := range f.Def.Params {
		if p.Star > 0 {
			var rest Tuple
			for _, a := range args[min(i, len(args)):] {
				rest = append(rest, a.v)
			}
			s.names[p.Name] = &cell{v: rest}
			args = args[:min(i, len(args))]
			break
		}
		c, err := r.parameter(f, p, i, args)
		if err != nil {
			return err
		}
		if p.Name != "" {
			s.names[p.Name] = c
		}
	}
	if n := len(f.Def.Params); len(args) > n {
		return errorf(cute.CodeRank, "%s takes %d arguments, found %d", f.name(), n, len(args))
	}
	return nil
}

// parameter returns the variable of a parameter.
func (r *runner) parameter(f *Func, p program.Param, i int, args []argument) (*cell, error) {
	t, err := r.resolve(p.Type)
	if err != nil {
		return nil, err
	}
	if i < len(args) && p.Ref && args[i].cell != nil {
		return referenceOf(p, t, args[i].cell)
	}
	v, err := r.argumentValue(f, p, i, args)
	if err != nil {
		return nil, err
	}
	_, isArray := v.(*Array)
	if _, toArray := p.Type.(*program.Index); isArray && (p.Ref || toArray) {
		return &cell{v: v}, nil
	}
	if v, err = r.fit(v, t); err != nil {
		return nil, err
	}
	c := &cell{v: v, typ: t.C, to: t.Elem}
	if t.C == CNone {
		c.typ = typeOfNumber(v)
	}
	return c, nil
}

// referenceOf returns the variable of an argument for a reference of a type.
func referenceOf(p program.Param, t TypeValue, c *cell) (*cell, error) {
	if t.C != CNone && c.typ != CNone && c.typ != t.C {
		return nil, errorf(cute.CodeType, "the reference %s of type %s cannot refer to a variable of type %s",
			p.Name, cppTypeName(t.C), cppTypeName(c.typ))
	}
	return c, nil
}

// argumentValue returns the value of an argument, or the default value of its parameter.
func (r *runner) argumentValue(f *Func, p program.Param, i int, args []argument) (Value, error) {
	switch {
	case i >= len(args) && p.Default == nil:
		return nil, errorf(cute.CodeRank, "%s needs a value for its parameter %s", f.name(), p.Name)
	case i >= len(args):
		return r.value(p.Default)
	case args[i].v == nil:
		return nil, errorf(cute.CodeName, "an argument of %s is read before a value is assigned to it: undefined in C++",
			f.name())
	}
	return args[i].v, nil
}

// bindTemplate binds the parameters of a template to explicit arguments.
func (r *runner) bindTemplate(params []program.Param, args []program.Expr, s *scope) error {
	for i, p := range params {
		if p.Star > 0 {
			var rest Tuple
			for _, x := range args[min(i, len(args)):] {
				v, err := r.templateValue(x)
				if err != nil {
					return err
				}
				rest = append(rest, v)
			}
			if len(rest) > 0 {
				s.names[p.Name] = &cell{v: rest}
			}
			return nil
		}
		if i >= len(args) {
			return nil
		}
		v, err := r.templateValue(args[i])
		if err != nil {
			return err
		}
		if n, ok := v.(CInt); ok && p.Type != nil {
			if t, err := r.resolve(p.Type); err == nil && t.C != CNone {
				if v, err = cppConvert(n, t.C); err != nil {
					return err
				}
			}
		}
		s.names[p.Name] = &cell{v: v, fixed: true} // this parameter is not deduced
	}
	if len(args) > len(params) {
		return errorf(cute.CodeRank, "the template takes %d arguments, found %d", len(params), len(args))
	}
	return nil
}

// templateValue evaluates an argument of a template: a type or a value.
func (r *runner) templateValue(x program.Expr) (Value, error) {
	switch x := x.(type) {
	case *known:
		return x.v, nil
	case *program.Name, *program.Template, *program.TypeOf, *program.Attr:
		if v, err := r.typeNamed(x); err == nil {
			return v, nil
		}
	}
	if u, ok := x.(*program.Unary); ok && u.Op == "*" {
		return r.typeNamed(x)
	}
	return r.value(x)
}

// deduce deduces template parameters: it matches the type of a function parameter, which names them, with the type of
// the argument.
func (r *runner) deduce(f *Func, p program.Param, args []argument, s *scope) (err error) {
	bind := func(x program.Expr, v Value) {
		if name, ok := x.(*program.Name); ok && v != nil && err == nil {
			err = f.bindDeduced(name.Name, v, s)
		}
	}
	arg := args[0].v
	switch x := p.Type.(type) {
	case *program.Name:
		if p.Star > 0 {
			var types Tuple
			for _, a := range args {
				types = append(types, typeArgument(a.v))
			}
			bind(x, types)
			return err
		}
		bind(x, typeArgument(decay(arg)))
	case *program.Unary:
		if q, ok := arg.(Address); ok {
			bind(x.X, typeOfElement(q.typ))
		}
		if q, ok := decay(arg).(Pointer); ok {
			bind(x.X, typeArgument(q.Of.typeOfElements()))
		}
	case *program.Index:
		if a, ok := arg.(*Array); ok {
			bind(x.X, typeArgument(a.typeOfElements()))
			bind(x.Args[0], CInt{Bits: uint64(len(a.Cells)), Type: CULong})
		}
	case *program.Template:
		r.deduceLayout(x, arg, bind)
	}
	return err
}

// bindDeduced binds a template parameter to the type of an argument. If several arguments deduce the parameter, their
// types must be the same.
func (f *Func) bindDeduced(name string, v Value, s *scope) error {
	if c := s.names[name]; c != nil {
		old, _ := c.v.(TypeValue)
		if t, ok := v.(TypeValue); ok && !c.fixed && old.C != t.C {
			return errorf(cute.CodeType, "%s of %s is both %s and %s: write %s<TYPE>(...)", name, f.name(),
				cppTypeName(old.C), cppTypeName(t.C), f.name())
		}
		return nil
	}
	if slices.ContainsFunc(f.Def.Template, func(q program.Param) bool { return q.Name == name }) {
		s.names[name] = &cell{v: v}
	}
	return nil
}

// deduceLayout binds A and B of a parameter Layout<A, B> to the shape and the stride of its argument.
func (r *runner) deduceLayout(x *program.Template, arg Value, bind func(program.Expr, Value)) {
	name, ok := x.X.(*program.Name)
	if a, isArray := arg.(*Array); isArray && len(x.Args) > 0 {
		bind(x.Args[0], typeArgument(a.typeOfElements()))
		return
	}
	if !ok || !isAlgebra(arg) {
		return
	}
	for i, part := range map[string][]string{"Layout": {"shape", "stride"}}[name.Name] {
		tree, err := r.tree(arg, x)
		if err != nil || i >= len(x.Args) {
			return
		}
		if v, err := r.solve(callTree(part, spanOf(x), []syntax.Expr{tree}), x); err == nil {
			bind(x.Args[i], v)
		}
	}
}

// typeOfElements returns the type of the elements of an array.
func (a *Array) typeOfElements() Value {
	if a.elem != 0 {
		return typeOfElement(a.elem)
	}
	if a.Type == CNone {
		return nil
	}
	return TypeValue{Name: cppTypeName(a.Type), C: a.Type}
}

// typeArgument returns the type of a value as a template argument. The type of a value of the algebra is the value
// itself.
func typeArgument(v Value) Value {
	if t := typeOfValue(v); t != (TypeValue{}) {
		return t
	}
	return v
}

// templateDefaults binds the parameters of a template that have no argument.
func (r *runner) templateDefaults(f *Func, s *scope) error {
	outer := r.scope
	r.scope = s
	defer func() { r.scope = outer }()
	for _, p := range f.Def.Template {
		switch {
		case p.Name == "" || s.names[p.Name] != nil:
		case p.Default != nil:
			v, err := r.templateValue(p.Default)
			if err != nil {
				return err
			}
			s.names[p.Name] = &cell{v: v}
		case p.Star > 0:
			s.names[p.Name] = &cell{v: Tuple{}}
		case p.Type != nil:
			return errorf(cute.CodeRank, "%s needs a value for the parameter %s of its template", f.name(), p.Name)
		}
	}
	return nil
}

// variableFor makes the variable of a type for a value.
func (r *runner) variableFor(typ program.Expr, v Value) (*cell, error) {
	t, err := r.resolve(typ)
	if err == nil {
		v, err = r.fit(v, t)
	}
	return &cell{v: v, typ: t.C}, err
}

// capture gives a lambda of C++ the scope that it sees: the variables around it, or copies of these variables.
func (r *runner) capture(f *Func) error {
	d := f.Def
	if !d.Capture || d.CaptureAll == '&' && len(d.Captures) == 0 && !d.Mutable {
		return nil
	}
	s := &scope{names: make(map[string]*cell), outer: r.scope}
	if d.CaptureAll == '=' {
		r.copyAround(s)
	}
	for _, q := range d.Captures {
		c, err := r.captureOf(q)
		if err != nil {
			return r.at(q, err)
		}
		s.names[q.Name] = c
	}
	f.Scope = s
	return nil
}

// copyAround copies the local variables around a lambda to a scope.
func (r *runner) copyAround(s *scope) {
	for around := r.scope; around != nil && around != r.globals && !around.space; around = around.outer {
		for name, c := range around.names {
			if s.names[name] == nil {
				s.names[name] = &cell{v: copyOf(c.v), typ: c.typ, fixed: c.fixed}
			}
		}
	}
}

// captureOf returns the variable of a lambda for one of its captures.
func (r *runner) captureOf(q program.Capture) (*cell, error) {
	if q.X != nil && q.Ref {
		return r.referenceTo(TypeValue{}, q.X)
	}
	if q.X != nil {
		v, err := r.value(q.X)
		return &cell{v: copyOf(v), typ: typeOfNumber(v)}, err
	}
	c, _ := r.lookup(q.Name)
	switch {
	case c == nil:
		return nil, r.unknownName(q.Name)
	case q.Ref:
		return c, nil
	}
	return &cell{v: copyOf(c.v), typ: c.typ}, nil
}

// hasMain reports whether the program defines main.
func (r *runner) hasMain() bool {
	return strings.Contains(r.src, "main") && mainPattern.MatchString(r.src)
}

// main runs main after the statements of the text, if the text defines it.
func (r *runner) main() error {
	c := r.globals.names["main"]
	if r.lang != program.Cpp || c == nil {
		return nil
	}
	f, ok := c.v.(*Func)
	if !ok || f.Def.Src != r.src {
		return nil
	}
	var args []argument
	given := r.mainArguments()
	for i := range f.Def.Params {
		args = append(args, argument{v: given[min(i, 2)], at: f.Def})
	}
	_, err := r.callWith(f, nil, args)
	return err
}
