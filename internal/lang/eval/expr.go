package eval

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file evaluates the nodes of the tree that package syntax parses. A node with operands evaluates them and applies
// an operation: 4:1 o 2:2 goes to compose.go, f(x) to call.go, 8-(3-1) to binary.

// expr evaluates one node.
func (e *Env) expr(x syntax.Expr) (Value, error) {
	if err := e.inTime(x); err != nil {
		return nil, err
	}
	v, err := e.node(x)
	if e.over != nil { // work on run-time integers was stopped: the result is meaningless
		return nil, e.inTime(x)
	}
	if err != nil {
		return nil, err
	}
	return e.account(x, e.stoppable(v))
}

// node evaluates a node with operands, or a primary.
func (e *Env) node(x syntax.Expr) (Value, error) {
	switch x := x.(type) {
	case *syntax.Tuple:
		return e.tuple(x)
	case *syntax.Layout:
		return e.layout(x)
	case *syntax.Tiler:
		return e.tile(x)
	case *syntax.Grid:
		return e.grid(x)
	case *syntax.Record:
		return e.record(x)
	case *syntax.Swizzle:
		return e.swizzle(x)
	case *syntax.Call:
		return e.call(x)
	case *syntax.Apply:
		return e.apply(x)
	case *syntax.Compose:
		return e.compose(x)
	case *syntax.Equation:
		return e.equation(x)
	case *syntax.Unary:
		return e.negate(x)
	case *syntax.Binary:
		return e.binary(x)
	}
	return e.primary(x)
}

// primary evaluates a node without operands: a number, a name or a text.
func (e *Env) primary(x syntax.Expr) (Value, error) {
	switch x := x.(type) {
	case *syntax.Int:
		if e.open && !x.Static {
			return e.giveTo(x, x.Value, symbolic.NoFacts())
		}
		return integer(x.Value), nil
	case *syntax.Basis:
		path := slices.Clone(x.Path)
		slices.Reverse(path) // 1@1@0 has the innermost index first
		b, err := cute.Basis(x.Value, path...)
		return e.result(x, Tuple{b}, err)
	case *syntax.Wildcard:
		return Coord{cute.Open}, nil
	case *syntax.Bool:
		return Bool(x.Value), nil
	case *syntax.Ident:
		return e.ident(x)
	case *syntax.Symbol:
		return e.symbol(x)
	case *syntax.Scaled:
		return e.product(x)
	case *syntax.Along:
		return e.along(x)
	case *syntax.Text:
		return e.text(x)
	case *syntax.Lambda:
		return e.lambda(x)
	}
	return nil, e.fail(x, &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("%s has no value", x)})
}

// result places err at x, or returns v if err is nil.
func (e *Env) result(x syntax.Expr, v Value, err error) (Value, error) {
	if err != nil {
		return nil, e.fail(x, err)
	}
	return v, nil
}

// ident returns the value bound to a name. An unbound name is a run-time integer.
func (e *Env) ident(x *syntax.Ident) (Value, error) {
	if v, ok, err := e.meaning(x); ok {
		return v, err
	}
	if !IsReserved(x.Name) {
		s, err := e.scope.Named(x.Name, symbolic.NoFacts())
		return e.ofSymbol(x, s, err)
	}
	return e.boundValue(x)
}

// meaning returns the value of a name that is bound or predefined.
func (e *Env) meaning(x *syntax.Ident) (v Value, ok bool, err error) {
	if v, ok = e.variable(x.Name); ok {
		return v, true, nil
	}
	if x.Name == "LayoutLeft" || x.Name == "LayoutRight" {
		return Order(x.Name), true, nil
	}
	if l, ok := LayoutOfTraits(x.Name); ok {
		return l, true, nil
	}
	if t, ok := typeNamed(x.Name); ok {
		return t, true, nil
	}
	if !syntax.IsInstruction(x.Name) && !strings.Contains(x.Name, "::") {
		return nil, false, nil
	}
	v, err = e.instruction(x.Name)
	v, err = e.result(x, v, err)
	return v, true, err
}

// LayoutOfTraits returns the layout with a name in CuTe's traits, such as SM70_QuadPair or GMMA::ABLayout<64,16>.
func LayoutOfTraits(name string) (Layout, bool) {
	l, ok := atom.FindLayout(name)
	return Layout{l}, ok
}

// boundValue returns the value bound to a name, and refuses an unbound name.
func (e *Env) boundValue(x *syntax.Ident) (Value, error) {
	if v, ok, err := e.meaning(x); ok {
		return v, err
	}
	err := unknownName(x.Name, slices.AppendSeq(e.Vars(), atom.LayoutNames()))
	if b, ok := Lookup(x.Name); ok && IsReserved(x.Name) {
		err = &cute.Error{Code: cute.CodeName, Msg: fmt.Sprintf("%s is a function: write %s(%s)", x.Name, x.Name, b.Params)}
	}
	return nil, e.fail(x, err)
}

// values evaluates nodes in order.
func (e *Env) values(xs []syntax.Expr) ([]Value, error) {
	vs := make([]Value, len(xs))
	for i, x := range xs {
		var err error
		if vs[i], err = e.expr(x); err != nil {
			return nil, err
		}
	}
	return vs, nil
}

// tuple evaluates parentheses. Around one value that is neither an integer nor a tuple they only group. Next to an
// operator they also group around integers and tuples: see stripParentheses.
func (e *Env) tuple(x *syntax.Tuple) (Value, error) {
	vs, err := e.values(x.Elems)
	if err != nil {
		return nil, err
	}
	if len(vs) == 1 && !x.TrailingComma && !isCoordinate(vs[0]) && vs[0].Kind() != KindF2 {
		return vs[0], nil
	}
	return e.gather(x, signNest, x.Elems, vs)
}

// gather applies the operation that makes one value from several values.
func (e *Env) gather(x syntax.Expr, sign string, at []syntax.Expr, vs []Value) (Value, error) {
	if err := checkSize(vs...); err != nil {
		return nil, e.fail(x, err)
	}
	v, err := e.sign(x, sign, at, vs...)
	return e.result(x, v, err)
}

func (e *Env) layout(x *syntax.Layout) (Value, error) {
	shape, err := e.tupleArg(x.Shape, "the shape of a layout")
	if err != nil {
		return nil, err
	}
	stride, err := e.tupleArg(x.Stride, "the stride of a layout")
	if isCode(err, cute.CodeCodomain) {
		stride, err = e.mixedStride(shape, x.Stride, err)
	}
	if err != nil {
		return nil, err
	}
	shape, stride = parts(x, shape, stride)
	v, err := e.shapeStride(x, shape, stride)
	return e.result(x, v, err)
}

// operand evaluates an operand of arithmetic: a Tuple, a DynamicTuple, or a value over F2.
func (e *Env) operand(x syntax.Expr, what string) (Value, error) {
	v, err := e.expr(x)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case Tuple, DynamicTuple, F2, Linear, Matrix, Brackets:
		return v, nil
	}
	return nil, e.fail(x, typeError("", what, "an integer or a tuple", v))
}

// tupleArg evaluates a node that must be an integer or a tuple: a Tuple or a DynamicTuple.
func (e *Env) tupleArg(x syntax.Expr, what string) (Value, error) {
	v, err := e.expr(x)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case Tuple, DynamicTuple, F2:
		return v, nil
	}
	return nil, e.fail(x, typeError("", what, "an integer or a tuple", v))
}

func (e *Env) tile(x *syntax.Tiler) (Value, error) {
	rows, isMatrix := rowsOfBits(x)
	if isMatrix && slices.ContainsFunc(rows, func(r []int) bool { return slices.Contains(r, 0) }) {
		m, err := f2.FromRows(rows...)
		return e.result(x, Matrix{m}, ofF2(err))
	}
	vs, err := e.values(x.Elems)
	if err != nil {
		return nil, err
	}
	v, err := e.gather(x, signTile, x.Elems, vs)
	if t, ok := v.(Tile); ok && isMatrix {
		if m, err := f2.FromRows(rows...); err == nil {
			return Brackets{t, Matrix{m}, textOf(x.String())}, nil
		}
	}
	return v, err
}

func (e *Env) swizzle(x *syntax.Swizzle) (Value, error) {
	for _, n := range []int64{x.B, x.M, x.S} {
		if n > 64 || n < -64 {
			return nil, e.fail(x, &cute.Error{
				Code: cute.CodeSwizzle,
				Msg:  fmt.Sprintf("the numbers of a swizzle are at most 64, found %d", n),
			})
		}
	}
	w, err := cute.NewSwizzle(int(x.B), int(x.M), int(x.S))
	return e.result(x, Swizzle{w}, err)
}

// apply evaluates a value at coordinates, or slices it if they have underscores.
func (e *Env) apply(x *syntax.Apply) (Value, error) {
	fn, err := e.expr(x.Fn)
	if err != nil {
		return nil, err
	}
	args, err := e.values(x.Args)
	if err != nil {
		return nil, err
	}
	return e.applyAt(x, fn, args)
}

// applyAt applies a value to coordinates at x.
func (e *Env) applyAt(x syntax.Expr, fn Value, args []Value) (Value, error) {
	if b, ok := fn.(Brackets); ok {
		fn = e.asMatrix(b)
	}
	noted := len(e.notes)
	v, err := e.applyTo(x, fn, args)
	if e.trace != nil {
		e.addToTrace(applicationAt(fn, args, v).at(x, x), noted, err)
	}
	return e.result(x, v, err)
}

func (e *Env) applyTo(x syntax.Expr, fn Value, args []Value) (Value, error) {
	if err := fits("", fn); err != nil {
		return nil, err
	}
	if err := fits("", args...); err != nil {
		return nil, err
	}
	return e.sign(x, signApply, nil, append([]Value{fn}, args...)...)
}

// negate evaluates -x for integers and tuples.
func (e *Env) negate(x *syntax.Unary) (Value, error) {
	t, err := e.tupleArg(x.X, "the operand of -")
	if err != nil {
		return nil, err
	}
	if y, ok := t.(F2); ok {
		return y, nil // without carries, every number is its own negative
	}
	if n, ok := groupedNumber(x.X, t); ok {
		t = n
	}
	v, err := e.sign(x, syntax.OpMul.String(), nil, t, integer(-1))
	return e.result(x, v, err)
}

// binary evaluates the arithmetic of integers and tuples, and ==.
func (e *Env) binary(x *syntax.Binary) (Value, error) {
	evaluate := e.operand
	if x.Op == syntax.OpEqual || x.Op == syntax.OpIs {
		evaluate = func(x syntax.Expr, _ string) (Value, error) { return e.expr(x) }
	}
	a, err := evaluate(x.X, "the left operand of "+x.Op.String())
	if err != nil {
		return nil, err
	}
	b, err := evaluate(x.Y, "the right operand of "+x.Op.String())
	if err != nil {
		return nil, err
	}
	a, b = stripParentheses(x, a, b)
	if x.Op == syntax.OpIs {
		v, err := e.sameValue(x, a, b)
		return e.result(x, v, err)
	}
	a, b = e.read2(table().signs[x.Op.String()], a, b)
	v, err := e.sign(x, x.Op.String(), nil, a, b)
	if e.trace != nil {
		e.addToTrace(Application{Op: x.Op.String(), Args: []Value{a, b}, Value: v}.at(x, x), len(e.notes), err)
	}
	return e.result(x, v, err)
}

// unwrapInt returns the integer inside any number of parentheses.
func unwrapInt(t cute.Tuple) (int64, bool) {
	for t.Depth() > 0 && t.Rank() == 1 {
		t = t.Modes()[0]
	}
	return t.Int64()
}
