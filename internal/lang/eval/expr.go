package eval

import (
	"fmt"
	"slices"

	"girih"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// expr evaluates one node.
func (e *Env) expr(x syntax.Expr) (Value, error) {
	if err := e.inTime(x); err != nil {
		return nil, err
	}
	v, err := e.node(x)
	if e.over != nil { // what was found out about run-time integers means nothing
		return nil, e.inTime(x)
	}
	if err != nil {
		return nil, err
	}
	return e.made(x, e.stoppable(v))
}

func (e *Env) node(x syntax.Expr) (Value, error) {
	switch x := x.(type) {
	case *syntax.Int:
		return integer(x.Value), nil
	case *syntax.Basis:
		path := slices.Clone(x.Path)
		slices.Reverse(path) // 1@1@0 has the innermost index first
		b, err := girih.Basis(x.Value, path...)
		return e.result(x, Tuple{b}, err)
	case *syntax.Wildcard:
		return Coord{girih.Open}, nil
	case *syntax.Bool:
		return Bool(x.Value), nil
	case *syntax.Ident:
		return e.ident(x)
	case *syntax.Symbol:
		return e.symbol(x)
	case *syntax.Scaled:
		return e.scaled(x)
	case *syntax.Along:
		return e.along(x)
	case *syntax.Tuple:
		return e.tuple(x)
	case *syntax.Layout:
		return e.layout(x)
	case *syntax.Tiler:
		return e.tile(x)
	case *syntax.Record:
		return e.record(x)
	case *syntax.Text:
		return e.text(x)
	case *syntax.Swizzle:
		return e.swizzle(x)
	case *syntax.Call:
		return e.call(x)
	case *syntax.Apply:
		return e.apply(x)
	case *syntax.Compose:
		return e.compose(x)
	case *syntax.Unary:
		return e.negate(x)
	case *syntax.Binary:
		return e.binary(x)
	}
	return nil, e.fail(x, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("%s has no value", x)})
}

// result places err at x, or returns v.
func (e *Env) result(x syntax.Expr, v Value, err error) (Value, error) {
	if err != nil {
		return nil, e.fail(x, err)
	}
	return v, nil
}

// ident returns what a name is bound to; a name that is not bound is a run-time integer.
func (e *Env) ident(x *syntax.Ident) (Value, error) {
	if v, ok := e.vars[x.Name]; ok {
		return v, nil
	}
	if x.Name == "LayoutLeft" || x.Name == "LayoutRight" {
		return Order(x.Name), nil
	}
	if syntax.IsInstruction(x.Name) {
		v, err := e.instruction(x.Name)
		return e.result(x, v, err)
	}
	if !Reserved(x.Name) {
		s, err := e.scope.Named(x.Name, symbolic.NoFacts())
		return e.ofSymbol(x, s, err)
	}
	return e.bound(x)
}

// bound returns what let has bound a name to.
func (e *Env) bound(x *syntax.Ident) (Value, error) {
	if v, ok := e.vars[x.Name]; ok {
		return v, nil
	}
	if x.Name == "LayoutLeft" || x.Name == "LayoutRight" {
		return Order(x.Name), nil
	}
	if syntax.IsInstruction(x.Name) {
		v, err := e.instruction(x.Name)
		return e.result(x, v, err)
	}
	err := unknownName(x.Name, e.Vars())
	if b, ok := Lookup(x.Name); ok && Reserved(x.Name) {
		err = &girih.Error{Code: girih.CodeName, Msg: fmt.Sprintf("%s is a function: write %s(%s)", x.Name, x.Name, b.Params)}
	}
	return nil, e.fail(x, err)
}

// tuple evaluates parentheses: around one value that is neither an integer nor a tuple they group. Beside an operator
// they group around those, too: see unparenthesised.
func (e *Env) tuple(x *syntax.Tuple) (Value, error) {
	vs := make([]Value, len(x.Elems))
	tuples, coords := true, true
	for i, el := range x.Elems {
		v, err := e.expr(el)
		if err != nil {
			return nil, err
		}
		vs[i] = v
		switch v.(type) {
		case Tuple, DynamicTuple:
		case Coord:
			tuples = false
		default:
			tuples, coords = false, false
		}
	}
	if len(vs) == 1 && !x.TrailingComma && !coords && vs[0].Kind() != KindF2 {
		return vs[0], nil
	}
	if err := room(vs...); err != nil {
		return nil, e.fail(x, err)
	}
	if slices.ContainsFunc(vs, func(v Value) bool { return v.Kind() == KindF2 }) {
		v, err := f2Nest(vs)
		return e.result(x, v, err)
	}
	if coords && dynamic(vs...) {
		v, err := dynamicNest(vs)
		return e.result(x, v, err)
	}
	if tuples {
		elems := make([]girih.Tuple, len(vs))
		for i, v := range vs {
			elems[i] = v.(Tuple).Tuple
		}
		t, err := girih.MakeTuple(elems...)
		return e.result(x, Tuple{t}, err)
	}
	if coords {
		elems := make([]girih.Coord, len(vs))
		for i, v := range vs {
			c, err := asCoord(v)
			if err != nil {
				return nil, e.fail(x.Elems[i], err)
			}
			elems[i] = c
		}
		return Coord{girih.MakeCoord(elems...)}, nil
	}
	// CuTe prints tiles in parentheses: (_,_32,_4:_2).
	return e.tileOf(x, x.Elems, vs)
}

func (e *Env) layout(x *syntax.Layout) (Value, error) {
	shape, err := e.tupleArg(x.Shape, "the shape of a layout")
	if err != nil {
		return nil, err
	}
	stride, err := e.tupleArg(x.Stride, "the stride of a layout")
	if isCode(err, girih.CodeCodomain) {
		stride, err = e.mixedStride(shape, x.Stride, err)
	}
	if err != nil {
		return nil, err
	}
	shape, stride = parts(x, shape, stride)
	v, err := e.shapeStride(shape, stride)
	return e.result(x, v, err)
}

// operand evaluates an operand of arithmetic: a Tuple, a DynamicTuple, or a value over F2.
func (e *Env) operand(x syntax.Expr, what string) (Value, error) {
	v, err := e.expr(x)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case Tuple, DynamicTuple, F2, Linear, Matrix:
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
	vs := make([]Value, len(x.Elems))
	for i, el := range x.Elems {
		var err error
		if vs[i], err = e.expr(el); err != nil {
			return nil, err
		}
	}
	return e.tileOf(x, x.Elems, vs)
}

func (e *Env) tileOf(x syntax.Expr, elems []syntax.Expr, vs []Value) (Value, error) {
	if err := room(vs...); err != nil {
		return nil, e.fail(x, err)
	}
	if dynamic(vs...) {
		v, err := dynamicTile(vs)
		return e.result(x, v, err)
	}
	ts := make([]girih.Tiler, len(vs))
	for i, v := range vs {
		t, err := asTiler(v)
		if err != nil {
			return nil, e.fail(elems[i], err)
		}
		if _, checked := v.(Tile); !checked {
			if err := checkShapes(t); err != nil {
				return nil, e.fail(elems[i], err)
			}
		}
		ts[i] = t
	}
	return Tile{girih.MakeTile(ts...)}, nil
}

func (e *Env) swizzle(x *syntax.Swizzle) (Value, error) {
	for _, n := range []int64{x.B, x.M, x.S} {
		if n > 64 || n < -64 {
			return nil, e.fail(x, &girih.Error{Code: girih.CodeSwizzle, Msg: fmt.Sprintf("the numbers of a swizzle are at most 64, found %d", n)})
		}
	}
	w, err := girih.NewSwizzle(int(x.B), int(x.M), int(x.S))
	return e.result(x, Swizzle{w}, err)
}

// apply evaluates a value at coordinates, or slices it where they hold underscores.
func (e *Env) apply(x *syntax.Apply) (Value, error) {
	fn, err := e.expr(x.Fn)
	if err != nil {
		return nil, err
	}
	args := make([]Value, len(x.Args))
	for i, a := range x.Args {
		if args[i], err = e.expr(a); err != nil {
			return nil, err
		}
	}
	return e.applied(x, fn, args)
}

// applied applies a value to coordinates at x.
func (e *Env) applied(x syntax.Expr, fn Value, args []Value) (Value, error) {
	noted := len(e.notes)
	v, err := e.applyTo(fn, args)
	if e.trace != nil {
		e.tracedAt(x, fn, args, noted, v, err)
	}
	return e.result(x, v, err)
}

func (e *Env) applyTo(fn Value, args []Value) (Value, error) {
	if err := fits("", fn); err != nil {
		return nil, err
	}
	if err := fits("", args...); err != nil {
		return nil, err
	}
	if len(args) == 1 {
		at, err := asCoordinate(args[0], rankOf(fn))
		if err != nil {
			return nil, err
		}
		args = []Value{at}
	}
	if len(args) > 0 && (dynamic(fn) || dynamic(args...)) {
		return e.dynamicApply(fn, args)
	}
	c, err := coordinate(args)
	if err != nil {
		return nil, err
	}
	if t, closed := c.Tuple(); closed {
		return evalAt(fn, t)
	}
	if x, ok := fn.(Xor); ok {
		return e.sliceXor(x, c)
	}
	if overBits(fn) {
		return nil, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("%s is not sliced: sublayout(...) leaves dimensions out", article(fn.Kind()))}
	}
	return e.slice(fn, c)
}

// coordinate makes one coordinate of the arguments: L(1,2) means L((1,2)).
func coordinate(args []Value) (girih.Coord, error) {
	cs := make([]girih.Coord, len(args))
	for i, a := range args {
		c, err := asCoord(a)
		if err != nil {
			return girih.Coord{}, err
		}
		cs[i] = c
	}
	if len(cs) == 1 {
		return cs[0], nil
	}
	return girih.MakeCoord(cs...), nil
}

// evalAt returns the value of a function at a coordinate.
func evalAt(fn Value, c girih.Tuple) (Value, error) {
	switch f := fn.(type) {
	case Layout:
		t, err := f.Eval(c)
		return Tuple{t}, err
	case Composed:
		t, err := f.Eval(c)
		return Tuple{t}, err
	case Swizzle:
		i, ok := c.Int64()
		if !ok {
			return nil, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("a swizzle is applied to an integer, found %v", c)}
		}
		y, err := f.At(i)
		return integer(y), err
	case Linear, Xor, Matrix:
		return bitsAt(fn, c)
	case Tuple:
		// A bare shape is its column-major layout.
		l, err := girih.LayoutLeft(f.Tuple)
		if err != nil {
			return nil, err
		}
		t, err := l.Eval(c)
		return Tuple{t}, err
	}
	return nil, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("%s is not a function of coordinates: %s", article(fn.Kind()), fn)}
}

// negate evaluates -x for integers and tuples.
func (e *Env) negate(x *syntax.Unary) (Value, error) {
	t, err := e.tupleArg(x.X, "the operand of -")
	if err != nil {
		return nil, err
	}
	if y, ok := t.(F2); ok {
		return y, nil // without carries every number is its own negative
	}
	if n, ok := ungrouped(x.X, t); ok && isComputed(x.X) {
		t = n
	}
	v, err := e.arithmetic(syntax.OpMul, t, integer(-1))
	return e.result(x, v, err)
}

// binary evaluates the arithmetic of integers and tuples, and ==.
func (e *Env) binary(x *syntax.Binary) (Value, error) {
	if x.Op == syntax.OpEqual {
		a, err := e.expr(x.X)
		if err != nil {
			return nil, err
		}
		b, err := e.expr(x.Y)
		if err != nil {
			return nil, err
		}
		a, b = unparenthesised(x, a, b)
		return e.compare(x, a, b)
	}
	a, err := e.operand(x.X, "the left operand of "+x.Op.String())
	if err != nil {
		return nil, err
	}
	b, err := e.operand(x.Y, "the right operand of "+x.Op.String())
	if err != nil {
		return nil, err
	}
	a, b = unparenthesised(x, a, b)
	v, err := Value(nil), error(nil)
	if overBits(a, b) {
		v, err = bitsArithmetic(x.Op, a, b)
	} else {
		v, err = e.arithmetic(x.Op, a, b)
	}
	if e.trace != nil {
		e.traced(Application{Op: x.Op.String(), Args: []Value{a, b}, Value: v}, x, x, len(e.notes), err)
	}
	return e.result(x, v, err)
}

// compare evaluates a == b.
func (e *Env) compare(x *syntax.Binary, a, b Value) (v Value, err error) {
	if dynamic(a, b) {
		v, err = compareDynamic("==", a, b, symbolic.EqualIf)
	} else {
		v = Bool(a.Kind() == b.Kind() && a.String() == b.String())
	}
	if e.trace != nil {
		e.traced(Application{Op: x.Op.String(), Args: []Value{a, b}, Value: v}, x, x, len(e.notes), err)
	}
	return v, err
}

func arithmetic(op syntax.Op, a, b girih.Tuple) (girih.Tuple, error) {
	switch op {
	case syntax.OpAdd:
		return a.Add(b)
	case syntax.OpSub:
		return a.Sub(b)
	}
	x, okX := unwrapInt(a)
	y, okY := unwrapInt(b)
	if op == syntax.OpMul {
		if okY {
			return a.Scale(y)
		}
		if okX {
			return b.Scale(x)
		}
	}
	if !okX || !okY {
		return girih.Tuple{}, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("%s takes integers, found %v and %v", op, a, b)}
	}
	if y == 0 || (y == -1 && x < 0 && -x == x) {
		return girih.Tuple{}, &girih.Error{Code: girih.CodeOverflow, Msg: fmt.Sprintf("%d %s %d is not a 64-bit integer", x, op, y)}
	}
	if op == syntax.OpDiv {
		return girih.Int(x / y), nil
	}
	return girih.Int(x % y), nil
}

// unwrapInt returns the integer that t is, in any number of parentheses.
func unwrapInt(t girih.Tuple) (int64, bool) {
	for t.Depth() > 0 && t.Rank() == 1 {
		t = t.Modes()[0]
	}
	return t.Int64()
}
