package interp

import (
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file evaluates the expressions of the algebra: calls of its operations, operators, indices and attributes of its
// values, and text in girih's notation. Each becomes one tree for the evaluator.

// operand writes an argument as an expression. A name that has no value stays a name: it may be an instruction or a
// run-time integer.
func (r *runner) operand(x program.Expr) (syntax.Expr, error) {
	span := spanOf(x)
	switch n := x.(type) {
	case *program.Name:
		if v, err := r.namedValue(n); v != nil || err != nil {
			return r.valueTree(v, n, err)
		}
		return r.freeName(n), nil
	case *program.Tuple:
		elems, err := r.operands(n.Elems)
		return &syntax.Tuple{Span: span, Elems: elems, TrailingComma: len(elems) == 1}, err
	case *program.List:
		elems, err := r.operands(n.Elems)
		if len(elems) == 0 {
			break
		}
		return syntax.NewTiler(span, elems), err
	case *program.Constant:
		if n.Value == "None" {
			return &syntax.Wildcard{Span: span}, nil
		}
	case *program.Make, *program.Template:
		if tree, ok := r.typeOperand(n); ok {
			return tree, nil
		}
	case *program.Binary:
		if op, ok := operators[n.Op]; ok && r.hasFreeName(n) {
			return r.binaryTree(op, n)
		}
	}
	v, err := r.value(x)
	return r.valueTree(v, x, err)
}

// typeOperand writes T{} or T<...> as an expression, if the type names a value of the algebra or an instruction.
func (r *runner) typeOperand(x program.Expr) (syntax.Expr, bool) {
	switch n := x.(type) {
	case *program.Make:
		if len(n.Elems) > 0 {
			return nil, false
		}
		if tree, ok := r.typeTree(n.Type); ok {
			return tree, true
		}
		return r.instruction(n.Type)
	case *program.Template:
		if tree, ok := r.instruction(n); ok {
			return tree, true
		}
	}
	return r.typeTree(x)
}

func (r *runner) operands(xs []program.Expr) ([]syntax.Expr, error) {
	list := make([]syntax.Expr, 0, len(xs))
	for _, x := range xs {
		if _, ok := x.(*program.Star); ok {
			vs, err := r.list([]program.Expr{x})
			if err != nil {
				return nil, err
			}
			more, err := r.trees(vs, x)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
			continue
		}
		tree, err := r.operand(x)
		if err != nil {
			return nil, err
		}
		list = append(list, tree)
	}
	return list, nil
}

func (r *runner) valueTree(v Value, at program.Node, err error) (syntax.Expr, error) {
	if err != nil {
		return nil, r.at(at, err)
	}
	if f, ok := v.(*Func); ok {
		if v, err = r.indexMap(f); err != nil {
			return nil, r.at(at, err)
		}
	}
	tree, err := r.tree(v, at)
	return tree, r.at(at, err)
}

// freeName returns the expression of a name that is not bound.
func (r *runner) freeName(n *program.Name) syntax.Expr {
	span := spanOf(n)
	if tree, ok := staticName(n.Name, span); ok && r.lang == program.Cpp {
		return tree
	}
	switch n.Name {
	case "_":
		return &syntax.Wildcard{Span: span}
	case "GenRowMajor":
		return &syntax.Ident{Span: span, Name: "LayoutRight"}
	case "GenColMajor":
		return &syntax.Ident{Span: span, Name: "LayoutLeft"}
	}
	return &syntax.Ident{Span: span, Name: n.Name}
}

// operators are the operators of the language of package eval.
var operators = map[string]syntax.Op{
	"+": syntax.OpAdd, "-": syntax.OpSub, "*": syntax.OpMul, "/": syntax.OpDiv, "//": syntax.OpDiv, "%": syntax.OpMod,
	"==": syntax.OpEqual,
}

// hasFreeName reports whether a name in an expression has no value.
func (r *runner) hasFreeName(x program.Expr) (free bool) {
	program.Walk(x, func(y program.Expr) bool {
		switch y := y.(type) {
		case *program.Call:
			for _, a := range y.Args {
				free = free || r.hasFreeName(a.X)
			}
			return false
		case *program.Name:
			v, err := r.lookupValue(y.Name)
			free = free || v == nil && err == nil
		}
		return !free
	})
	return free
}

func (r *runner) binaryTree(op syntax.Op, n *program.Binary) (syntax.Expr, error) {
	a, err := r.operand(n.X)
	if err != nil {
		return nil, err
	}
	b, err := r.operand(n.Y)
	return &syntax.Binary{Span: spanOf(n), Op: op, X: a, Y: b}, err
}

// callAlgebra calls an operation of the algebra. If the evaluator does not know the operation, the text may be pasted
// from another tool.
func (r *runner) callAlgebra(path, name string, x *program.Call) (Value, error) {
	v, err := r.callOperation(&syntax.Call{Name: name, NamePos: namePos(x), Qualified: path != ""}, nil, x)
	if err == nil && strings.HasPrefix(name, "make_smem_layout") && r.lang == program.Python {
		return r.swizzledBytes(v, x)
	}
	if err == nil {
		return v, nil
	}
	return r.orPasted(x, err)
}

// swizzledBytes returns a layout of shared memory, made by a function of the CuTe DSL, in the form of the DSL: its
// swizzle permutes blocks of 16 bytes instead of elements.
func (r *runner) swizzledBytes(v Value, at program.Node) (Value, error) {
	a, ok := v.(Algebra)
	if !ok {
		return v, nil
	}
	c, ok := withNumbers(a).(eval.Composed)
	if !ok {
		return v, nil
	}
	s, ok := c.Outer().(cute.Swizzle)
	if !ok || s.M() == 4 {
		return v, nil
	}
	outer, err := r.callValues("outer", a)
	if err != nil {
		return nil, err
	}
	tree, err := r.tree(outer, at)
	if err != nil {
		return nil, err
	}
	r.noteAt(at.Pos(), "the swizzle is the DSL's, of bytes: in elements it is "+s.String())
	return r.solve(&syntax.Compose{Span: spanOf(at), Operands: []syntax.Expr{
		&syntax.Swizzle{Span: spanOf(at), B: int64(s.B()), M: 4, S: 3}, &syntax.Int{Span: spanOf(at)}, tree,
	}}, at)
}

// namePos returns the position at which the called name begins.
func namePos(x *program.Call) int {
	switch f := x.Fn.(type) {
	case *program.Attr:
		return f.At
	case *program.Name:
		return f.End() - len(f.Name)
	case *program.Template:
		if n, ok := f.X.(*program.Name); ok {
			return n.End() - len(n.Name)
		}
	}
	return x.Pos()
}

// callOperation completes a call with the receiver of a method, if there is one, and the arguments, and evaluates it.
func (r *runner) callOperation(c *syntax.Call, receiver Value, x *program.Call) (Value, error) {
	c.Span = spanOf(x)
	if receiver != nil {
		tree, err := r.tree(receiver, x)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, syntax.Arg{KeyPos: -1, X: tree})
	}
	for _, a := range x.Args {
		trees, err := r.operands([]program.Expr{a.X})
		if err != nil {
			return nil, err
		}
		for _, tree := range trees {
			arg := syntax.Arg{Key: a.Name, KeyPos: -1, X: tree}
			if a.Name != "" {
				arg.KeyPos = a.X.Pos()
			}
			c.Args = append(c.Args, arg)
		}
	}
	r.ownSlice(c)
	return r.solve(c, x)
}

// isOperation reports whether the algebra has an operation with a name.
func isOperation(name string) bool {
	_, ok := eval.Lookup(name)
	return ok
}

// applyAlgebra applies a value of the algebra to coordinates.
func (r *runner) applyAlgebra(f Algebra, x *program.Call) (Value, error) {
	if f.isTensor() {
		return r.applyTensor(f, x)
	}
	if r.traces() {
		if v, ok, err := r.applyIfTraced(f, x); ok {
			return v, err
		}
	}
	var args []program.Expr
	for _, a := range x.Args {
		args = append(args, a.X)
	}
	trees, err := r.operands(args)
	if err != nil {
		return nil, err
	}
	fn, err := r.tree(f, x.Fn)
	if err != nil {
		return nil, err
	}
	return r.solve(&syntax.Apply{Span: spanOf(x), Fn: fn, Args: trees}, x)
}

// applyTrees applies a value of the algebra to values.
func (r *runner) applyTrees(f Algebra, args []Value) (Value, error) {
	at := program.Span{}
	trees, err := r.trees(args, at)
	if err != nil {
		return nil, err
	}
	fn, err := r.tree(f, at)
	if err != nil {
		return nil, err
	}
	return r.solve(&syntax.Apply{Fn: fn, Args: trees}, at)
}

// algebraMethod calls a method of a value of the algebra: X.f(args).
func (r *runner) algebraMethod(of Algebra, name string, x *program.Call) (Value, error) {
	if v, ok, err := r.tensorMethod(of, name, x); ok {
		return v, err
	}
	if n, ok := integerOf(of); ok && name == "to" && r.lang == program.Python {
		c, err := r.evaluateArguments(x)
		if err != nil {
			return nil, err
		}
		if t, ok := typeArgumentOf(c); ok {
			return elementIn(t, number{n: n})
		}
	}
	if name == "get_tile_size" { // the method of a tiled MMA of the CuTe DSL
		name = "tile_size"
	}
	v, err := r.callOperation(&syntax.Call{Name: name, NamePos: namePos(x), Method: true, Template: r.templateOf(x)}, of, x)
	if err != nil {
		return r.orPasted(x, err)
	}
	return v, nil
}

// attribute evaluates X.name without a call.
func (r *runner) attribute(x *program.Attr) (Value, error) {
	if v, ok, err := r.member(x); ok {
		return v, err
	}
	if path, ok := r.modulePath(x.X); ok {
		if v, ok := r.builtin(path, x.Name); ok {
			return v, nil
		}
		if path, ok := r.modulePath(x); ok && r.lang == program.Python {
			return Module(path), nil
		}
		return r.orPastedValue(x, func() (Value, error) {
			return r.algebraName(&program.Name{Span: x.Span, Path: path, Name: x.Name})
		})
	}
	if v, ok, err := r.memberOfType(x); ok {
		return v, err
	}
	of, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	a, ok := of.(Algebra)
	if !ok {
		v, err := r.hostAttribute(of, x)
		return r.wordOf(v, x, err)
	}
	if a.isTensor() {
		if v, ok := r.tensorAttribute(a, x.Name); ok {
			return v, nil
		}
	}
	if x.Name == "type" && r.lang == program.Python {
		return nil, errorf(cute.CodeName, "the type of %s in MLIR is not known here: print the value itself", a.Value.Kind())
	}
	tree, err := r.tree(a, x)
	if err != nil {
		return nil, err
	}
	call := &syntax.Call{
		Span: spanOf(x), Name: x.Name, NamePos: x.At, Method: true, Args: []syntax.Arg{{KeyPos: -1, X: tree}},
	}
	return r.orPastedValue(x, func() (Value, error) { return r.solve(call, x) })
}

// algebraItem evaluates X[I] for a value of the algebra: a mode, or an element or a slice of a tensor.
func (r *runner) algebraItem(x *program.Index, a Algebra) (Value, error) {
	args := x.Args
	if t, ok := args[0].(*program.Tuple); ok && len(args) == 1 {
		args = t.Elems
	}
	index, err := r.operands(args)
	if err != nil {
		return nil, err
	}
	of, err := r.tree(a, x.X)
	if err != nil {
		return nil, err
	}
	c := &syntax.Call{
		Span: spanOf(x), Name: "get", NamePos: x.Pos(), Qualified: true, Index: true, Args: []syntax.Arg{{KeyPos: -1, X: of}},
	}
	numbers := true
	for _, i := range index {
		_, isInt := i.(*syntax.Int)
		numbers = numbers && isInt
	}
	if numbers {
		c.Template = index
	} else {
		for _, i := range index {
			c.Args = append(c.Args, syntax.Arg{KeyPos: -1, X: i})
		}
	}
	return r.solve(c, x)
}

// algebraBinary computes A OP B with girih's arithmetic.
func (r *runner) algebraBinary(op string, a, b Value, at program.Node) (Value, error) {
	if op == "@" {
		if v, err := r.matmul(&arguments{pos: []Value{a, b}}); err != errNoMemory { //nolint:errorlint // it is not wrapped
			return v, err
		}
		return r.notationIn(at.Pos(), at.End())
	}
	sign, ok := operators[op]
	if x, y, are := runTimeNumbers(a, b); are && r.lang == program.Python && (!ok || op == "/") {
		return computeElement(op, dtype.S32, x, y)
	}
	if !ok {
		return nil, errorf(cute.CodeType, "%s is no operation of %s and %s", op, r.describe(a), r.describe(b))
	}
	x, err := r.tree(a, at)
	if err != nil {
		return nil, err
	}
	y, err := r.tree(b, at)
	if err != nil {
		return nil, err
	}
	return r.solve(&syntax.Binary{Span: spanOf(at), Op: sign, X: x, Y: y}, at)
}

// runTimeNumbers returns the numbers of two run-time integers, if both are known.
func runTimeNumbers(a, b Value) (x, y number, ok bool) {
	x, okX := numberOf(a)
	y, okY := numberOf(b)
	return x, y, okX && okY && !x.isFloat && !y.isFloat
}

func (r *runner) algebraUnary(x *program.Unary, a Algebra) (Value, error) {
	if x.Op == "+" {
		return a, nil
	}
	if n, ok := integerOf(a); ok && x.Op == "~" && r.lang == program.Python {
		return Element{Type: dtype.S32, N: ^n}, nil
	}
	if x.Op != "-" {
		return nil, errorf(cute.CodeType, "%s is no operation of %s", x.Op, r.describe(a))
	}
	tree, err := r.tree(a, x.X)
	if err != nil {
		return nil, err
	}
	return r.solve(&syntax.Unary{Span: spanOf(x), Op: syntax.OpSub, X: tree}, x)
}

// algebraCompare compares two values, at least one of the algebra: == compares them as functions, and < compares
// integers.
func (r *runner) algebraCompare(op string, a, b Value) (Value, error) {
	if op == "==" || op == "!=" {
		v, err := r.combine("==", a, b, program.Span{})
		if err != nil || op == "==" {
			return v, err
		}
		same, err := r.truth(v)
		if r.lang == program.Cpp {
			return cBools[!same], err
		}
		return Bool(!same), err
	}
	x, okX := integerOf(a)
	y, okY := integerOf(b)
	if !okX || !okY {
		return nil, errorf(cute.CodeType, "%s compares integers, found %s and %s", op, r.describe(a), r.describe(b))
	}
	v, err := r.py.Compare(op, Int(x), Int(y))
	return r.runTimeBool(v), err
}

func (r *runner) algebraTruth(a Algebra) (bool, error) {
	if b, ok := a.Value.(eval.Bool); ok {
		return bool(b), nil
	}
	if n, ok := integerOf(a); ok {
		return n != 0, nil
	}
	return false, errorf(cute.CodeType, "expected a truth value, found %s", r.describe(a))
}
