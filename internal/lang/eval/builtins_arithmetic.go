package eval

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file defines the functions that occur in the printed form of run-time integers, so that girih can read this form
// back: ceil(M/128), floor(M/128), mod(M,4), min(M,4) and abs(d).

var (
	remainder = arithmeticOf(syntax.OpMod)
	least     = onIntegers(func(xs []symbolic.Int) (symbolic.Int, error) { return symbolic.Min(xs[0], xs[1]), nil })
	greatest  = onIntegers(func(xs []symbolic.Int) (symbolic.Int, error) { return symbolic.Max(xs[0], xs[1]) })
	absolute  = onIntegers(func(xs []symbolic.Int) (symbolic.Int, error) { return symbolic.Abs(xs[0]) })
)

// arithmeticRows returns the functions that occur in the printed form of run-time integers.
func arithmeticRows() []Builtin {
	return []Builtin{
		{
			Name: "ceil", Params: "a/b",
			Doc:     "Returns a/b rounded up, for a >= 0 and b >= 1. Returns an integer unchanged.",
			Example: "ceil(100/64)", Output: "2",
			known: using((*call).roundQuotient, symbolic.CeilDiv), dynamic: using((*call).roundQuotient, symbolic.CeilDiv),
		},
		{
			Name: "floor", Params: "a/b",
			Doc:     "Returns a/b rounded down, for a >= 0 and b >= 1. Returns an integer unchanged.",
			Example: "floor(100/64)", Output: "1",
			known: using((*call).roundQuotient, symbolic.FloorDiv), dynamic: using((*call).roundQuotient, symbolic.FloorDiv),
		},
		{
			Name: "mod", Params: "a, b",
			Doc:     "Returns the remainder of a divided by b, as a % b does.",
			Example: "mod(100, 64)", Output: "36",
			known: remainder.known, dynamic: remainder.dynamic,
		},
		{
			Name: "min", Params: "a, b",
			Doc:     "Returns the smaller of two integers.",
			Example: "min(8, 3)", Output: "3",
			known: least, dynamic: least,
		},
		{
			Name: "max", Params: "a, b",
			Doc:     "Returns the larger of two integers.",
			Example: "max(8, 3)", Output: "8",
			known: greatest, dynamic: greatest,
		},
		{
			Name: "abs", Params: "a",
			Doc:     "Returns the absolute value of an integer.",
			Example: "abs(3 - 8)", Output: "5",
			known: absolute, dynamic: absolute,
		},
	}
}

// roundQuotient evaluates the quotient in the argument.
func (c *call) roundQuotient(f func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error)) (Value, error) {
	arg := c.place(0)
	for {
		t, ok := arg.(*syntax.Tuple)
		if !ok || len(t.Elems) != 1 || t.TrailingComma {
			break
		}
		arg = t.Elems[0]
	}
	q, ok := arg.(*syntax.Binary)
	if !ok || q.Op != syntax.OpDiv {
		return c.onIntegers(func(xs []symbolic.Int) (symbolic.Int, error) { return xs[0], nil })
	}
	called := *c
	called.args = make([]Value, 2)
	for i, x := range []syntax.Expr{q.X, q.Y} {
		var err error
		if called.args[i], err = c.env.expr(x); err != nil {
			return nil, err
		}
	}
	var g symbolic.Guard
	v, err := called.onIntegers(func(xs []symbolic.Int) (symbolic.Int, error) {
		r, h, err := f(xs[0], xs[1])
		g = h
		return r, err
	})
	if err != nil {
		return nil, err
	}
	return addConditions(v, g)
}

//go:noinline
func onIntegers(f func(xs []symbolic.Int) (symbolic.Int, error)) method {
	return func(c *call) (Value, error) { return c.onIntegers(f) }
}

// onIntegers calls f with integers, each inside any number of parentheses.
func (c *call) onIntegers(f func(xs []symbolic.Int) (symbolic.Int, error)) (Value, error) {
	xs := make([]symbolic.Int, len(c.args))
	var g symbolic.Guard
	for i, a := range c.args {
		t, err := asDynamicTuple(a)
		if err != nil {
			return nil, typeError(c.fn.Name, "argument "+fmt.Sprint(i+1), "an integer", a)
		}
		for len(t.Modes()) == 1 {
			if _, leaf := t.Leaf(); leaf || t.Open() {
				break
			}
			t = t.Modes()[0]
		}
		x, ok := t.Int()
		if !ok {
			return nil, typeError(c.fn.Name, "argument "+fmt.Sprint(i+1), "an integer", a)
		}
		xs[i], g = x, g.And(guardOf(a))
	}
	r, err := f(xs)
	if err != nil {
		return nil, err
	}
	return simplify(DynamicTuple{symbolic.Number(r), g}, nil)
}

// addConditions adds conditions to an integer.
func addConditions(v Value, g symbolic.Guard) (Value, error) {
	if len(g) == 0 {
		return v, nil
	}
	t, err := asDynamicTuple(v)
	if err != nil {
		return nil, &cute.Error{Code: cute.CodeType, Msg: err.Error()}
	}
	return DynamicTuple{t, g.And(guardOf(v))}, nil
}
