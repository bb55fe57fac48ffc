package eval

import (
	"girih/symbolic"
	"girih/syntax"
)

// This file takes run-time integers as they are printed: ceil(M/128), floor(K/64), min(M,128). They are no functions of
// the language - ceil_div(M,128) and K/64 are - but what one command prints, the next has to take.

// written evaluates a call that only the text of an integer has; ok is false for any other call.
func (e *Env) written(x *syntax.Call) (v Value, ok bool, err error) {
	if _, bound := e.vars[x.Name]; bound || x.Method || x.Template != nil {
		return nil, false, nil
	}
	switch x.Name {
	case "ceil", "floor":
		if len(x.Args) != 1 {
			return nil, false, nil
		}
		q, isQuotient := x.Args[0].X.(*syntax.Binary)
		if !isQuotient || q.Op != syntax.OpDiv || x.Args[0].Key != "" {
			return nil, false, nil
		}
		if x.Name == "floor" {
			v, err = e.expr(q)
			return v, true, err
		}
		c := *x
		c.Name, c.Args = "ceil_div", []syntax.Arg{{X: grouped(q.X)}, {X: grouped(q.Y)}}
		v, err = e.call(&c)
		return v, true, err
	case "min":
		if len(x.Args) != 2 || x.Args[0].Key != "" || x.Args[1].Key != "" {
			return nil, false, nil
		}
		v, err = e.least(x)
		return v, true, err
	}
	return nil, false, nil
}

// grouped returns what parentheses around one operand hold.
func grouped(x syntax.Expr) syntax.Expr {
	for {
		t, ok := x.(*syntax.Tuple)
		if !ok || len(t.Elems) != 1 {
			return x
		}
		x = t.Elems[0]
	}
}

// least evaluates min(a,b) of two integers.
func (e *Env) least(x *syntax.Call) (Value, error) {
	c := &call{env: e, fn: &Builtin{Name: "min"}, expr: x}
	for _, a := range x.Args {
		v, err := e.expr(a.X)
		if err != nil {
			return nil, err
		}
		c.args = append(c.args, v)
	}
	least := func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error) {
		return symbolic.Min(x, y), symbolic.Guard{}, nil
	}
	v, err := dynamicQuotients("min", least)(c)
	return e.result(x, v, err)
}
