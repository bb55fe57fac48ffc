package interp

import (
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file converts types of CuTe to expressions of the algebra: Layout<Shape<_4,_2>, Stride<_2,_1>> becomes
// (4,2):(2,1).

// staticName returns the integer or wildcard that a C++ name such as _4, _, X or Underscore denotes.
func staticName(name string, span syntax.Span) (syntax.Expr, bool) {
	switch name {
	case "_", "X", "Underscore":
		return &syntax.Wildcard{Span: span}, true
	case "true_type", "false_type":
		return &syntax.Bool{Span: span, Value: name == "true_type"}, true
	}
	if digits, ok := strings.CutPrefix(name, "_"); ok {
		n, err := strconv.ParseInt(digits, 10, 64)
		if negative, ok := strings.CutPrefix(digits, "m"); ok {
			n, err = strconv.ParseInt(negative, 10, 64)
			n = -n
		}
		if err == nil {
			return &syntax.Int{Span: span, Value: n, Static: true}, true
		}
	}
	return nil, false
}

// typeTree returns the expression of a type of CuTe, or of a value among template arguments; ok is false for anything
// else.
func (r *runner) typeTree(x program.Expr) (tree syntax.Expr, ok bool) {
	switch x := x.(type) {
	case *program.Name:
		if tree, ok := staticName(x.Name, spanOf(x)); ok {
			return tree, true
		}
		v, _ := r.lookupValue(x.Name)
		if v == nil {
			return nil, false
		}
		tree, err := r.tree(v, x)
		return tree, err == nil
	case *program.Template:
		return r.templateTree(x)
	case *program.Make:
		return r.typeTree(x.Type)
	case *program.TypeOf:
		return r.typeTree(x.X) // decltype(x) is treated as a value of that type
	case *program.Number, *program.Binary, *program.Unary, *program.Constant, *program.Call, *program.Attr:
		v, err := r.value(x)
		if err != nil {
			return nil, false
		}
		tree, err = r.tree(v, x)
		return tree, err == nil
	}
	return nil, false
}

// templateTree returns the expression of a type with template arguments.
func (r *runner) templateTree(x *program.Template) (tree syntax.Expr, ok bool) {
	name, isName := x.X.(*program.Name)
	if !isName {
		return nil, false
	}
	span := spanOf(x)
	write := templates[name.Name]
	if write == nil {
		return nil, false
	}
	args := make([]syntax.Expr, len(x.Args))
	for i, a := range x.Args {
		if name.Name == "integral_constant" && i == 0 || name.Name == "constant" && i == 0 && len(x.Args) == 2 {
			continue // the argument is the type of an integer
		}
		if args[i], ok = r.typeTree(a); !ok {
			return nil, false
		}
	}
	tree = write(span, args)
	return tree, tree != nil
}

// templates lists the class templates of CuTe. Each function makes the expression for given template arguments.
var templates = map[string]func(span syntax.Span, args []syntax.Expr) syntax.Expr{
	"Layout": func(span syntax.Span, args []syntax.Expr) syntax.Expr {
		if len(args) == 2 {
			return &syntax.Layout{Span: span, Shape: args[0], Stride: args[1]}
		}
		return callTree("make_layout", span, args)
	},
	"Swizzle": func(span syntax.Span, args []syntax.Expr) syntax.Expr {
		var n [3]int64
		for i, a := range args {
			k, ok := a.(*syntax.Int)
			if !ok || i > 2 {
				return nil
			}
			n[i] = k.Value
		}
		if len(args) == 2 {
			n[2] = n[0]
		}
		return &syntax.Swizzle{Span: span, B: n[0], M: n[1], S: n[2]}
	},
	"ComposedLayout": func(span syntax.Span, args []syntax.Expr) syntax.Expr {
		return &syntax.Compose{Span: span, Operands: args}
	},
	"Tile": func(span syntax.Span, args []syntax.Expr) syntax.Expr { return &syntax.Tiler{Span: span, Elems: args} },
	"Int":  lastOf, "C": lastOf, "constant": lastOf, "integral_constant": lastOf,
	"Shape": tupleTree, "Stride": tupleTree, "Coord": tupleTree, "Step": tupleTree,
	"tuple": tupleTree, "IntTuple": tupleTree,
}

func lastOf(_ syntax.Span, args []syntax.Expr) syntax.Expr {
	if len(args) == 0 {
		return nil
	}
	if n, ok := args[len(args)-1].(*syntax.Int); ok {
		return &syntax.Int{Span: n.Span, Value: n.Value, Static: true}
	}
	return args[len(args)-1]
}

func tupleTree(span syntax.Span, args []syntax.Expr) syntax.Expr {
	return &syntax.Tuple{Span: span, Elems: args, TrailingComma: len(args) == 1}
}

func callTree(name string, span syntax.Span, args []syntax.Expr) syntax.Expr {
	c := &syntax.Call{Span: span, Name: name, NamePos: span.Pos(), Qualified: true}
	for _, a := range args {
		c.Args = append(c.Args, syntax.Arg{KeyPos: -1, X: a})
	}
	return c
}

// asAlgebra converts a value to a value of the algebra.
func (r *runner) asAlgebra(v Value) (Algebra, error) {
	if a, ok := v.(Algebra); ok {
		return a, nil
	}
	tree, err := r.tree(v, program.Span{})
	if err != nil {
		return Algebra{}, err
	}
	lang := r.lang
	r.lang = program.Notation // the notation keeps the value unchanged
	v, err = r.solve(tree, program.Span{})
	r.lang = lang
	if err != nil {
		return Algebra{}, err
	}
	return v.(Algebra), nil
}

// valueToShow returns the value of the algebra that an expression statement shows. A statement that only makes calls,
// or only computes with host values, shows nothing, as in Python and C++.
func (r *runner) valueToShow(x program.Expr, v Value) (Algebra, bool) {
	if _, isNone := v.(None); isNone || !r.isOfAlgebra(x, v) {
		return Algebra{}, false
	}
	a, err := r.asAlgebra(v)
	return a, err == nil
}

// isOfAlgebra reports whether an expression belongs to the algebra: its value does, or it applies an operation or a
// value of the algebra.
func (r *runner) isOfAlgebra(x program.Expr, v Value) bool {
	if isAlgebra(v) {
		return true
	}
	switch x := x.(type) {
	case *program.Girih:
		return true
	case *program.Attr:
		if path, ok := r.modulePath(x.X); ok {
			return isCuTe(path)
		}
		return r.isAlgebraName(x.X)
	case *program.Index:
		return r.isAlgebraName(x.X)
	case *program.Call:
		switch fn := x.Fn.(type) {
		case *program.Name:
			f, _ := r.lookupValue(fn.Name)
			if f != nil {
				return isAlgebra(f)
			}
			_, host := r.builtin(fn.Path, fn.Name)
			return !host && isOperation(fn.Name)
		case *program.Attr:
			return r.isOfAlgebra(fn, nil)
		case *program.Template, *program.Make:
			return true
		}
	}
	return false
}

func (r *runner) isAlgebraName(x program.Expr) bool {
	for {
		switch n := x.(type) {
		case *program.Name:
			v, _ := r.lookupValue(n.Name)
			return isAlgebra(v)
		case *program.Attr:
			x = n.X
		case *program.Index:
			x = n.X
		case *program.Call:
			return r.isOfAlgebra(n, nil)
		default:
			return false
		}
	}
}

// templateOf returns the template arguments in the call of a method, X.f<0>().
func (r *runner) templateOf(x *program.Call) []syntax.Expr {
	t, ok := x.Fn.(*program.Template)
	if !ok {
		return nil
	}
	list, _ := r.templateInts(t)
	return list
}

// templateInts returns the template arguments if all are integers or wildcards; ok is false otherwise.
func (r *runner) templateInts(t *program.Template) (list []syntax.Expr, ok bool) {
	for _, a := range t.Args {
		tree, ok := r.typeTree(a)
		if !ok {
			return nil, false
		}
		switch n := tree.(type) {
		case *syntax.Int:
			tree = &syntax.Int{Span: n.Span, Value: n.Value, Static: true}
		case *syntax.Wildcard:
		default:
			return nil, false
		}
		list = append(list, tree)
	}
	return list, true
}

// callTemplate evaluates f<ARGS>(x).
func (r *runner) callTemplate(fn *program.Template, x *program.Call) (Value, error) {
	if a, ok := fn.X.(*program.Attr); ok {
		of, err := r.value(a.X)
		if err != nil {
			return nil, err
		}
		return r.callMethod(of, a.Name, x)
	}
	name, ok := fn.X.(*program.Name)
	if !ok {
		return r.orPasted(x, errorf(cute.CodeSyntax, "expected a function, found %s", r.src[fn.Pos():fn.End()]))
	}
	if c := r.find(name); c != nil {
		if f, ok := c.v.(*Func); ok {
			return r.callCppTemplate(f, fn, x)
		}
	}
	if v, ok, err := r.callMemory(name.Name, x, fn.Args); ok {
		return v, err
	}
	if v, ok, err := r.callTyped(name.Name, fn.Args, x); ok {
		return v, err
	}
	if isOperation(name.Name) {
		if list, ok := r.templateInts(fn); ok {
			v, err := r.callOperation(&syntax.Call{
				Name: name.Name, NamePos: namePos(x), Qualified: name.Path != "", Template: list,
			}, nil, x)
			if err != nil {
				return r.orPasted(x, err)
			}
			return v, nil
		}
	}
	if tree, ok := r.typeTree(fn); ok && len(x.Args) == 0 {
		return r.solve(tree, x)
	}
	return r.orPasted(x, errorf(cute.CodeName, "%s is not bound", name.Name))
}

// algebraGet evaluates X[I] for a value of the algebra and an evaluated index.
func (r *runner) algebraGet(a Algebra, i Value, at program.Node) (Value, error) {
	index, err := r.tree(i, at)
	if err != nil {
		return nil, err
	}
	of, err := r.tree(a, at)
	if err != nil {
		return nil, err
	}
	c := &syntax.Call{
		Span: spanOf(at), Name: "get", Qualified: true, Index: true, Args: []syntax.Arg{{KeyPos: -1, X: of}},
	}
	if _, isInt := index.(*syntax.Int); isInt {
		c.Template = []syntax.Expr{index}
	} else {
		c.Args = append(c.Args, syntax.Arg{KeyPos: -1, X: index})
	}
	return r.solve(c, at)
}
