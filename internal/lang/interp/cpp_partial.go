package interp

import (
	"slices"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file chooses the partial specialisation of a class template: the specialisation whose pattern matches the
// arguments. If several match, it is the most specialised one.
//
//	template <class T> struct A { };
//	template <class T> struct A<T*> { };      // for A<int*>; without the next line also for A<int**>
//	template <class T> struct A<T**> { };     // for A<int**>: T* also matches T**, but T** does not match T*

// templateArguments returns the values to which the parameters of a template are bound. The elements of a pack are
// listed in order.
func templateArguments(params []program.Param, s *scope) (list []Value) {
	for _, p := range params {
		c := s.names[p.Name]
		switch {
		case c == nil:
			list = append(list, nil)
		case p.Star > 0:
			list = append(list, c.v.(Tuple)...) // a pack is always bound to a Tuple
		default:
			list = append(list, c.v)
		}
	}
	return list
}

// A fit is a partial specialisation that matches the arguments, with the values of its parameters.
type fit struct {
	def   *program.Struct
	names map[string]*cell
}

// partialFor returns the best partial specialisation for the arguments. If none matches, the template itself is used.
func (r *runner) partialFor(t *StructType, args []Value, name string) (best fit, err error) {
	var fits []fit
	for _, def := range t.partials {
		m := matcher{r: r, params: def.Template, names: make(map[string]*cell)}
		ok, err := m.list(def.Args, args)
		if err != nil {
			return best, err
		}
		if ok {
			fits = append(fits, fit{def, m.names})
		}
	}
	for _, f := range fits {
		if !slices.ContainsFunc(fits, func(g fit) bool { return g.def != f.def && !moreSpecial(f.def, g.def) }) {
			return f, nil
		}
	}
	if len(fits) > 0 {
		err = errorf(cute.CodeType, "more than one partial specialisation of %s fits %s, and none is the most special",
			t.Def.Name, name)
	}
	return best, err
}

// A matcher binds the parameters of a partial specialisation to the parts of the arguments that match its pattern.
type matcher struct {
	r      *runner
	params []program.Param
	names  map[string]*cell
}

// list matches patterns with arguments. A pack, T..., matches all remaining arguments.
func (m *matcher) list(patterns []program.Expr, args []Value) (bool, error) {
	for i, x := range patterns {
		if star, ok := x.(*program.Star); ok {
			return m.bind(nameOf(star.X), Tuple(slices.Clone(args[min(i, len(args)):])))
		}
		if i >= len(args) {
			return false, nil
		}
		if fits, err := m.match(x, args[i]); !fits || err != nil {
			return false, err
		}
	}
	return len(patterns) == len(args), nil
}

func isParam(params []program.Param, x program.Expr) bool {
	name := nameOf(x)
	return name != "" && slices.ContainsFunc(params, func(p program.Param) bool { return p.Name == name })
}

// mentions reports whether an expression names a parameter.
func mentions(params []program.Param, x program.Expr) (found bool) {
	program.Walk(x, func(y program.Expr) bool {
		found = found || isParam(params, y)
		return !found
	})
	return found
}

// bind binds a parameter. If the parameter is already bound, the values must be equal.
func (m *matcher) bind(name string, v Value) (bool, error) {
	if c := m.names[name]; c != nil {
		return sameArgument(c.v, v), nil
	}
	m.names[name] = &cell{v: v, fixed: true}
	return true, nil
}

// match matches a pattern with an argument.
func (m *matcher) match(x program.Expr, v Value) (bool, error) {
	switch {
	case isParam(m.params, x):
		return m.bind(nameOf(x), v)
	case !mentions(m.params, x):
		outer := m.r.scope
		m.r.scope = &scope{names: m.names, outer: outer}
		of, err := m.r.templateValue(x)
		m.r.scope = outer
		return err == nil && sameArgument(of, v), err
	}
	switch x := x.(type) {
	case *program.Unary:
		t, ok := v.(TypeValue)
		if !ok || t.Name != "pointer" || x.Op != "*" {
			return false, nil
		}
		return m.match(x.X, *t.Elem)
	case *program.Template:
		parts, ok, err := m.parts(x, v)
		if !ok || err != nil {
			return false, err
		}
		return m.list(x.Args, parts)
	}
	return false, m.r.at(x, errorf(cute.CodeSyntax, "the pattern of this partial specialisation is not run"))
}

// parts returns the template arguments of a value whose type has the form X<...>; ok is false for other values.
func (m *matcher) parts(x *program.Template, v Value) (list []Value, ok bool, err error) {
	name := nameOf(x.X)
	switch v := v.(type) {
	case CInt:
		if name == "Int" || name == "C" {
			n := v
			n.Static = false
			return []Value{n}, v.Static, nil
		}
	case TypeValue:
		if v.Struct != nil && v.Struct.of != nil {
			return v.Struct.args, v.Struct.of.Def.Name == name, nil
		}
		if vectors[v.Name] {
			list = []Value{*v.Elem}
			if v.Size > 0 {
				list = append(list, cInt(uint64(v.Size), CULong))
			}
			return list, v.Name == name, nil
		}
	case Algebra:
		return m.algebraParts(name, v)
	}
	return nil, false, nil
}

// algebraParts is parts for Layout<SHAPE, STRIDE>, and for tuples by any of their names.
func (m *matcher) algebraParts(name string, v Algebra) (list []Value, ok bool, err error) {
	switch kind := v.Value.Kind(); {
	case name == "Layout" && kind == eval.KindLayout:
		for _, part := range []string{"shape", "stride"} {
			of, err := m.r.callValues(part, v)
			if err != nil {
				return nil, false, err
			}
			list = append(list, of)
		}
		return list, true, nil
	case templates[name] != nil && kind == eval.KindTuple && isTupleName(name):
		list, err = m.r.modes(v)
		return list, true, err
	}
	return nil, false, nil
}

func isTupleName(name string) bool {
	_, ok := templates[name](syntax.Span{}, nil).(*syntax.Tuple)
	return ok
}

// sameArgument reports whether two template arguments are the same type or the same value.
func sameArgument(a, b Value) bool {
	switch x := a.(type) {
	case TypeValue:
		y, ok := b.(TypeValue)
		return ok && sameType(x, y)
	case CInt:
		y, ok := b.(CInt)
		return ok && x.Bits == y.Bits && x.Static == y.Static
	case Algebra:
		y, ok := b.(Algebra)
		return ok && x.Value.Kind() == y.Value.Kind() && x.Value.String() == y.Value.String()
	case Tuple:
		y, ok := b.(Tuple)
		return ok && slices.EqualFunc(x, y, sameArgument)
	}
	return a == nil && b == nil
}

func sameType(x, y TypeValue) bool {
	if (x.Elem == nil) != (y.Elem == nil) || x.Elem != nil && !sameType(*x.Elem, *y.Elem) {
		return false
	}
	x.Elem, y.Elem = nil, nil
	if x.Struct != nil && y.Struct != nil && x.Struct.of != nil && x.Struct.of == y.Struct.of {
		return slices.EqualFunc(x.Struct.args, y.Struct.args, sameArgument)
	}
	return x == y
}

// moreSpecial reports whether a is more specialised than b: b's pattern matches everything that a's pattern matches,
// and not vice versa.
func moreSpecial(a, b *program.Struct) bool { return covers(b, a) && !covers(a, b) }

// covers reports whether the pattern of a matches the pattern of b, whose parameters count as unknown types.
func covers(a, b *program.Struct) bool {
	c := cover{a.Template, b.Template, make(map[string]program.Expr)}
	return c.all(a.Args, b.Args)
}

// A cover compares two patterns. names maps the parameters of the first pattern to the matching parts of the second.
type cover struct {
	params, others []program.Param
	names          map[string]program.Expr
}

func (c cover) all(xs, ys []program.Expr) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i, x := range xs {
		if !c.one(x, ys[i]) {
			return false
		}
	}
	return true
}

func (c cover) one(x, y program.Expr) bool {
	if isParam(c.params, x) {
		old := c.names[nameOf(x)]
		c.names[nameOf(x)] = y
		return old == nil || sameText(old, y)
	}
	if !mentions(c.params, x) && !mentions(c.others, y) {
		return sameText(x, y)
	}
	switch x := x.(type) {
	case *program.Unary:
		of, ok := y.(*program.Unary)
		return ok && of.Op == x.Op && c.one(x.X, of.X)
	case *program.Template:
		of, ok := y.(*program.Template)
		return ok && nameOf(of.X) == nameOf(x.X) && c.all(x.Args, of.Args)
	}
	return false
}

// sameText reports whether two types or values have the same text.
func sameText(a, b program.Expr) bool {
	switch x := a.(type) {
	case *program.Name:
		y, ok := b.(*program.Name)
		return ok && x.Name == y.Name
	case *program.Number:
		y, ok := b.(*program.Number)
		return ok && x.N == y.N && x.F == y.F
	case *program.Constant:
		y, ok := b.(*program.Constant)
		return ok && x.Value == y.Value
	case *program.Unary:
		y, ok := b.(*program.Unary)
		return ok && x.Op == y.Op && sameText(x.X, y.X)
	case *program.Template:
		y, ok := b.(*program.Template)
		return ok && sameText(x.X, y.X) && slices.EqualFunc(x.Args, y.Args, sameText)
	}
	return false
}
