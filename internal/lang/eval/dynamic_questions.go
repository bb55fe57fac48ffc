package eval

import (
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// This file answers questions about layouts and tuples with run-time integers, as far as expressions and facts decide
// the answers.

func (c *call) dynamicSize() (Value, error) {
	var n symbolic.Int
	var err error
	switch c.args[0].(type) {
	case DynamicTuple:
		var t symbolic.Tuple
		if t, err = asDynamicTuple(c.args[0]); err == nil {
			n, err = t.Product()
		}
	default:
		var l symbolic.Layout
		if l, err = c.dynamicInnerOf(0); err == nil {
			n, err = l.Size()
		}
	}
	return simplify(DynamicTuple{symbolic.Number(n), guardOf(c.args[0])}, err)
}

func (c *call) dynamicCosize() (Value, error) {
	l, err := c.dynamicInnerOf(0)
	if err != nil {
		return nil, err
	}
	n, err := l.Cosize()
	return simplify(DynamicTuple{symbolic.Number(n), l.Guard()}, err)
}

func (c *call) dynamicProductEach() (Value, error) {
	t, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a tuple")
	}
	var elems []symbolic.Tuple
	for _, m := range t.Modes() {
		n, err := m.Product()
		if err != nil {
			return nil, err
		}
		elems = append(elems, symbolic.Number(n))
	}
	if _, ok := t.Leaf(); ok {
		return simplify(DynamicTuple{t, guardOf(c.args[0])}, nil)
	}
	return simplify(DynamicTuple{symbolic.Nest(elems...), guardOf(c.args[0])}, nil)
}

//go:noinline
func dynamicQuotients(
	op string, f func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error),
) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := asDynamicTuple(c.args[0])
		if err != nil {
			return nil, c.bad(0, "an integer or a tuple")
		}
		b, err := asDynamicTuple(c.args[1])
		if err != nil {
			return nil, c.bad(1, "an integer or a tuple")
		}
		g := guardOf(c.args[0]).And(guardOf(c.args[1]))
		t, h, err := symbolic.DivideShapes(op, a, b, f)
		g = g.And(h)
		return simplify(DynamicTuple{t, g}, err)
	}
}

// dynamicRank answers a question that depends only on the nesting: it asks the question about a tuple with 0 for every
// integer.
func (c *call) dynamicRank() (Value, error) {
	called := *c
	called.args = make([]Value, len(c.args))
	for i := range c.args {
		s, err := c.dynamicShape(i)
		if err != nil {
			return nil, err
		}
		t, closed := s.Pattern().Tuple()
		if !closed {
			return nil, c.bad(i, "without underscores")
		}
		called.args[i] = Tuple{t}
	}
	v, err := c.fn.known(&called)
	t, ok := v.(Tuple)
	if err != nil || !ok {
		return v, err
	}
	var g symbolic.Guard
	for _, a := range c.args {
		g = g.And(guardOf(a))
	}
	return addConditions(t, g)
}

// dynamicStage returns a part of a composed layout.
//
//go:noinline
func dynamicStage(part func(DynamicComposed) (Value, error)) method {
	return func(c *call) (Value, error) {
		d, err := asDynamicComposed(c.args[0])
		if err != nil {
			return nil, c.bad(0, "a composed layout")
		}
		c.noteStage()
		return part(d)
	}
}

func (c DynamicComposed) lastPart() (Value, error) { return simplify(DynamicLayout{c.Inner}, nil) }

func (c DynamicComposed) firstPart() (Value, error) { return c.Stages[0].Outer, nil }

func (c DynamicComposed) outerOffset() (Value, error) {
	return simplify(DynamicTuple{Tuple: c.Stages[0].Offset}, nil)
}

func (c *call) dynamicLess() (Value, error) {
	return compareDynamic(c.fn.Name, c.args[0], c.args[1], symbolic.LessIf)
}

// compareDynamic returns the truth value of a comparison.
func compareDynamic(op string, a, b Value, f func(t, u symbolic.Tuple) (symbolic.Guard, bool)) (Value, error) {
	t, errT := asDynamicTuple(a)
	u, errU := asDynamicTuple(b)
	if errT != nil || errU != nil {
		return Bool(false), nil
	}
	g, ok := f(t, u)
	if !ok {
		if op == "==" {
			return Bool(false), nil
		}
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: op,
			Msg: fmt.Sprintf("expected tuples of the same nesting, found %s and %s", a, b),
		}
	}
	return simplify(DynamicBool{g}, nil)
}

// dynamicEquivalent compares normal forms. Different forms may still be the same function for some values of the
// symbols.
func (c *call) dynamicEquivalent() (Value, error) {
	var normal [2]symbolic.Layout
	var g symbolic.Guard
	for i := range normal {
		l, err := asDynamicLayout(c.args[i])
		if err != nil {
			return nil, c.bad(i, "a layout")
		}
		if normal[i], err = symbolic.Coalesce(l); err != nil {
			return nil, err
		}
		g = g.And(normal[i].Guard())
	}
	if normal[0].Shape().Equal(normal[1].Shape()) && normal[0].Stride().Equal(normal[1].Stride()) {
		return simplify(DynamicBool{g}, nil)
	}
	return nil, &cute.Error{
		Code: cute.CodeUnknown, Op: c.fn.Name,
		Msg:  fmt.Sprintf("whether %s and %s are the same function depends on the run-time integers", c.args[0], c.args[1]),
		Hint: "write numbers in the place of the run-time integers",
	}
}

// dynamicQuestion finds the values of a layout's integers for which the layout has a property.
//
//go:noinline
func dynamicQuestion(f func(symbolic.Layout) (symbolic.Guard, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		if len(c.args) > 1 {
			return nil, &cute.Error{
				Code: cute.CodeUnknown, Op: c.fn.Name,
				Msg: fmt.Sprintf("a question about a codomain needs integers that are known, found %s and %s",
					c.args[0], c.args[1]),
				Hint: "write numbers in the place of the run-time integers, or give the names values: let M = 8; in front",
			}
		}
		l, err := asDynamicLayout(c.args[0])
		if err != nil {
			return nil, err
		}
		g, err := f(l)
		return simplify(DynamicBool{g}, err)
	}
}

func (c *call) dynamicCommonLayout() (Value, error) {
	l, err := c.commonLayout()
	return simplify(DynamicLayout{l}, err)
}

func (c *call) dynamicCommonVector() (Value, error) {
	l, err := c.commonLayout()
	if err != nil {
		return nil, err
	}
	n, err := l.Size()
	return simplify(DynamicTuple{symbolic.Number(n), l.Guard()}, err)
}

func (c *call) commonLayout() (symbolic.Layout, error) {
	a, err := asDynamicLayout(c.args[0])
	if err != nil {
		return symbolic.Layout{}, c.bad(0, "a layout")
	}
	b, err := asDynamicLayout(c.args[1])
	if err != nil {
		return symbolic.Layout{}, c.bad(1, "a layout")
	}
	return symbolic.MaxCommonLayout(a, b)
}

func (c *call) dynamicCompatible() (Value, error) {
	a, b, err := c.shapes()
	if err != nil {
		return nil, err
	}
	g, ok, err := symbolic.CompatibleIf(a, b)
	if err != nil || !ok {
		return Bool(false), err
	}
	return simplify(DynamicBool{g}, nil)
}

// shapes returns the two operands as shapes.
func (c *call) shapes() (a, b symbolic.Tuple, err error) {
	if a, err = c.dynamicShape(0); err != nil {
		return a, b, err
	}
	b, err = c.dynamicShape(1)
	return a, b, err
}
