package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file applies a function to one mode of its operand, f[1](A, B), as PyCuTe does. If the result is a layout, it
// replaces the mode, and the other modes stay: logical_divide[1](A, B) is replace(A, 1, logical_divide(get(A, 1), B)).
// Any other result is returned unchanged: stride[0,1](A) is stride<0,1>(A). This works for every function of a layout,
// without code of its own.

// takeModes moves the argument mode=[0,1] from the arguments of x to its modes. The CuTe DSL and PyCuTe write the modes
// of a call so.
func takeModes(x *syntax.Call) *syntax.Call {
	fn := table().byName[x.Name]
	at := slices.IndexFunc(x.Args, func(a syntax.Arg) bool { return a.Key == "mode" })
	if at < 0 || fn == nil || fn.Name == "replace" {
		return x
	}
	path, ok := literalPath(x.Args[at].X)
	if !ok {
		return x
	}
	y := *x
	y.Modes = slices.Concat(x.Modes, path)
	y.Args = slices.Delete(slices.Clone(x.Args), at, at+1)
	return &y
}

// literalPath returns the numbers in 1, (0,1) or [0,1].
func literalPath(x syntax.Expr) ([]int, bool) {
	elems := []syntax.Expr{x}
	switch x := x.(type) {
	case *syntax.Tuple:
		elems = x.Elems
	case *syntax.Tiler:
		elems = x.Elems
	}
	var path []int
	for _, e := range elems {
		n, ok := e.(*syntax.Int)
		if !ok || n.Value < 0 || n.Value >= 1<<31 {
			return nil, false
		}
		path = append(path, int(n.Value))
	}
	return path, true
}

// takesModes reports whether the function itself takes modes in <...>. Such a function also receives the modes in
// [...].
func (c *call) takesModes(modes []int) bool {
	if c.tmpl != nil || !c.fn.ofMode && !c.fn.picks {
		return false
	}
	for _, m := range modes {
		c.tmpl = append(c.tmpl, int64(m))
	}
	return true
}

// atModes calls the function with the mode of its operand at a path.
func (c *call) atModes(modes []int) (Value, error) {
	at := c.fn.modesAt()
	if at < 0 || at >= len(c.args) {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: c.fn.Name,
			Msg: fmt.Sprintf("has no operand with modes: [...] takes one of a layout, found %s(%s)", c.fn.Name, c.fn.Params),
		}
	}
	whole, err := c.wholeOf(at)
	if err != nil {
		return nil, err
	}
	mode, err := c.env.builtin(c.expr, "get", append([]Value{whole}, integers(modes)...)...)
	if err != nil {
		return nil, err
	}
	sub := *c
	sub.args = slices.Clone(c.args)
	sub.args[at] = mode
	noted := len(c.env.notes)
	v, err := sub.read((*call).value)
	if c.env.trace != nil {
		a := Application{Op: c.fn.Name, Args: sub.args, Template: c.tmpl, Value: v}
		c.env.addToTrace(a.at(c.expr, c.expr), noted, err)
	}
	if err != nil {
		return nil, err
	}
	return c.replaceMode(whole, modes, v)
}

// wholeOf returns argument i as a value with modes. A shape becomes its compact layout, except for functions that only
// move modes.
func (c *call) wholeOf(i int) (Value, error) {
	switch v := c.args[i].(type) {
	case Layout, DynamicLayout, Composed, DynamicComposed:
		return v, nil
	case Tuple, DynamicTuple:
		if c.fn.moves != nil {
			return v, nil
		}
		return c.env.builtin(c.expr, "make_layout", v)
	}
	return nil, c.bad(i, "a layout or a shape, for a mode of it")
}

// replaceMode returns whole with x in place of a mode, or x itself if x cannot be a mode.
func (c *call) replaceMode(whole Value, modes []int, x Value) (Value, error) {
	switch whole.(type) {
	case Tuple, DynamicTuple:
		switch x.(type) {
		case Tuple, DynamicTuple:
			return replacedElement(whole, modes, x)
		}
		return x, nil
	}
	switch x.(type) {
	case Composed, DynamicComposed:
		inner, err := c.sameOutside(whole, x)
		if err != nil {
			return nil, err
		}
		x = inner
	case Layout, DynamicLayout:
	default:
		return x, nil
	}
	for i := len(modes) - 1; i >= 0; i-- {
		parent := whole
		if i > 0 {
			var err error
			if parent, err = c.env.builtin(c.expr, "get", append([]Value{whole}, integers(modes[:i])...)...); err != nil {
				return nil, err
			}
		}
		v, err := c.env.withMode(c.expr, parent, modes[i], x)
		if err != nil {
			return nil, err
		}
		if x = v; i > 0 {
			if x, err = innerOf(v); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// withMode returns parent with x as mode i. Mode 0 of an integer is the integer itself; its replacement is put in
// parentheses, as with a tiler: logical_divide[0](8:1, 4:1) is logical_divide(8:1, <4:1>).
func (e *Env) withMode(at syntax.Expr, parent Value, i int, x Value) (Value, error) {
	args := []Value{parent, integer(int64(i)), x}
	noted := len(e.notes)
	v, err := e.builtin(at, "replace", args...)
	if e.trace != nil {
		e.addToTrace(Application{Op: "replace", Args: args, Value: v}.at(at, at), noted, err)
	}
	if depth, errD := e.builtin(at, "depth", parent); err == nil && errD == nil && depth.String() == "0" {
		l, errL := innerOf(v)
		if errL != nil {
			return nil, errL
		}
		if l, err = e.builtin(at, "make_layout", l); err != nil {
			return nil, err
		}
		return withInner(v, l)
	}
	return v, err
}

// innerOf returns the innermost layout of v, which is applied first to coordinates.
func innerOf(v Value) (Value, error) {
	switch v := v.(type) {
	case Composed:
		return Layout{v.Composed.Layout()}, nil
	case DynamicComposed:
		return simplify(DynamicLayout{v.Inner}, nil)
	}
	return v, nil
}

// withInner returns v with the given layout inside.
func withInner(v, inner Value) (Value, error) {
	switch c := v.(type) {
	case Composed:
		if l, ok := inner.(Layout); ok {
			r, err := c.Map(func(cute.Layout) (cute.Layout, error) { return l.Layout, nil })
			return Composed{r}, err
		}
	case DynamicComposed:
		l, err := asDynamicLayout(inner)
		if err != nil {
			return nil, err
		}
		c.Inner = l
		return simplify(c, nil)
	}
	return inner, nil
}

// sameOutside returns the inner layout of x if everything outside that layout is the same as in whole. Otherwise x
// cannot be a mode of a layout.
func (c *call) sameOutside(whole, x Value) (Value, error) {
	inner, err := innerOf(x)
	if err != nil {
		return nil, err
	}
	if back, err := withInner(whole, inner); err == nil && back.String() == x.String() {
		return inner, nil
	}
	return nil, &cute.Error{
		Code: cute.CodeType, Op: c.written,
		Msg:  fmt.Sprintf("the mode becomes %s, which is no mode of %s", x, whole),
		Hint: fmt.Sprintf("%s(get(...)) has it by itself", c.written),
	}
}

// replacedElement returns a tuple with x in the place of one element.
func replacedElement(whole Value, modes []int, x Value) (Value, error) {
	t, err := asDynamicTuple(whole)
	if err != nil {
		return nil, err
	}
	n, err := asDynamicTuple(x)
	if err != nil {
		return nil, err
	}
	return simplify(DynamicTuple{putElement(t, modes, n), guardOf(whole).And(guardOf(x))}, nil)
}

// putElement returns t with x at the path, which must exist.
func putElement(t symbolic.Tuple, path []int, x symbolic.Tuple) symbolic.Tuple {
	if len(path) == 0 {
		return x
	}
	ms := slices.Clone(t.Modes())
	ms[path[0]] = putElement(ms[path[0]], path[1:], x)
	return symbolic.Nest(ms...)
}

// integers returns numbers as values.
func integers(xs []int) []Value {
	vs := make([]Value, len(xs))
	for i, x := range xs {
		vs[i] = integer(int64(x))
	}
	return vs
}
