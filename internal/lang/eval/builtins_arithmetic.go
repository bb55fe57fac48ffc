package eval

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file holds the functions that expressions with run-time integers are printed with, so that their text is one of
// the language: ceil(M/128), floor(M/128), mod(M,4), min(M,4) and abs(d).

func arithmeticBuiltins() []Builtin {
	const group = "questions"
	remainder := arithmeticOf(syntax.OpMod)
	least := func(xs []symbolic.Int) (symbolic.Int, error) { return symbolic.Min(xs[0], xs[1]), nil }
	absolute := func(xs []symbolic.Int) (symbolic.Int, error) { return symbolic.Abs(xs[0]) }
	return []Builtin{
		{
			Name: "ceil", Params: "a/b", Group: group,
			Doc:     "Returns a/b rounded up, for a of at least 0 and b of at least 1; an integer is itself.",
			Example: "ceil(100/64)", Output: "2",
			known: rounded(symbolic.CeilDiv), dynamic: rounded(symbolic.CeilDiv),
		},
		{
			Name: "floor", Params: "a/b", Group: group,
			Doc:     "Returns a/b rounded down, for a of at least 0 and b of at least 1; an integer is itself.",
			Example: "floor(100/64)", Output: "1",
			known: rounded(symbolic.FloorDiv), dynamic: rounded(symbolic.FloorDiv),
		},
		{
			Name: "mod", Params: "a, b", Group: group,
			Doc:     "Returns the remainder of a divided by b, as a % b does.",
			Example: "mod(100, 64)", Output: "36",
			known: remainder.known, dynamic: remainder.dynamic,
		},
		{
			Name: "min", Params: "a, b", Group: group,
			Doc:     "Returns the smaller of two integers.",
			Example: "min(8, 3)", Output: "3",
			known: onIntegers(least), dynamic: onIntegers(least),
		},
		{
			Name: "abs", Params: "a", Group: group,
			Doc:     "Returns the absolute value of an integer.",
			Example: "abs(3 - 8)", Output: "5",
			known: onIntegers(absolute), dynamic: onIntegers(absolute),
		},
	}
}

func rounded(f func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error)) method {
	return func(c *call) (Value, error) { return c.rounded(f) }
}

// rounded evaluates the quotient that is the argument.
func (c *call) rounded(f func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error)) (Value, error) {
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
	return guarded(v, g)
}

func onIntegers(f func(xs []symbolic.Int) (symbolic.Int, error)) method {
	return func(c *call) (Value, error) { return c.onIntegers(f) }
}

// onIntegers calls f with integers, in any number of parentheses.
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
	return settled(DynamicTuple{symbolic.Number(r), g}, nil)
}

// guarded adds conditions to an integer.
func guarded(v Value, g symbolic.Guard) (Value, error) {
	if len(g) == 0 {
		return v, nil
	}
	t, err := asDynamicTuple(v)
	if err != nil {
		return nil, &cute.Error{Code: cute.CodeType, Msg: err.Error()}
	}
	return DynamicTuple{t, g.And(guardOf(v))}, nil
}
