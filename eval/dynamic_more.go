package eval

import (
	"errors"
	"fmt"

	"girih"
	"girih/symbolic"
)

// This file holds the smaller functions with run-time integers: views of a domain, and questions that facts decide.

func (c *call) dynamicWithShape() (Value, error) {
	s, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	b, err := symbolic.Compact(s, false)
	if err != nil {
		return nil, err
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) {
		return symbolic.Composition(l, b.If(guardOf(c.args[1])))
	})
}

func (c *call) dynamicCoshape() (Value, error) {
	l, err := c.dynamicInnerOf(0)
	if err != nil {
		return nil, err
	}
	t, err := l.Coshape()
	return settled(DynamicTuple{t, l.Guard()}, err)
}

func (c *call) dynamicDomainOffset() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	l, err := asDynamicLayout(c.args[1])
	if err != nil {
		return nil, err
	}
	off, g, err := l.Eval(at)
	if err != nil {
		return nil, err
	}
	x, err := settled(DynamicTuple{off, g.And(guardOf(c.args[0]))}, nil)
	if err != nil {
		return nil, err
	}
	v, err := settled(DynamicLayout{l}, nil)
	return List{v, x}, err
}

func (c *call) dynamicCrd2Crd() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	from, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	to, err := c.dynamicShape(2)
	if err != nil {
		return nil, err
	}
	index, g, err := symbolic.Crd2Idx(at, from)
	if err != nil {
		return nil, err
	}
	r, h, err := symbolic.Idx2Crd(index, to)
	for _, a := range c.args {
		g = g.And(guardOf(a))
	}
	return settled(DynamicTuple{r, g.And(h)}, err)
}

// dynamicEquivalent compares normal forms; where they differ, values of the symbols may still make them one function.
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
	if normal[0].String() == normal[1].String() && normal[0].StaticView() == normal[0].String() || sameText(normal[0], normal[1]) {
		return settled(DynamicBool{g}, nil)
	}
	return nil, &girih.Error{
		Code: girih.CodeUnknown, Op: c.fn.Name,
		Msg:  fmt.Sprintf("whether %s and %s are the same function depends on the run-time integers", c.args[0], c.args[1]),
		Hint: "write numbers in the place of the run-time integers",
	}
}

// sameText reports whether two layouts have the same expressions; symbols without a name are never the same.
func sameText(a, b symbolic.Layout) bool {
	return a.Shape().Equal(b.Shape()) && a.Stride().Equal(b.Stride())
}

// dynamicQuestion asks whether facts show a property of a layout; what they do not show is not known.
func dynamicQuestion(f func(symbolic.Layout) (symbolic.Guard, error), what string) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		l, err := asDynamicLayout(c.args[0])
		if err != nil {
			return nil, err
		}
		g, err := f(l)
		why := ""
		if e, ok := errors.AsType[*girih.Error](err); ok && e.Code == girih.CodeNotRepresentable {
			why = "the strides do not chain" // extents of 1 could still make it so
		} else if err != nil {
			return nil, err
		}
		if holds, known := g.Decide(); why == "" && known && holds {
			return Bool(true), nil
		}
		if why == "" {
			why = fmt.Sprintf("no fact says whether %s", g)
		}
		return nil, &girih.Error{
			Code: girih.CodeUnknown, Op: c.fn.Name,
			Msg:  fmt.Sprintf("whether the offsets of %s %s is not known: %s", l, what, why),
			Hint: "state facts, as in K{div=8} or N{>=1,<=4096}, or write numbers",
		}
	}
}
