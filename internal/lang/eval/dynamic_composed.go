package eval

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/symbolic"
)

// This file holds composed layouts with run-time integers: F o offset o G o offset o L.

// String returns outer o offset o inner.
func (c DynamicComposed) String() string {
	return c.text(Value.String, symbolic.Tuple.String, symbolic.Layout.String)
}

func (c DynamicComposed) text(
	outer func(Value) string, offset func(symbolic.Tuple) string, inner func(symbolic.Layout) string,
) string {
	var b strings.Builder
	for _, s := range c.Stages {
		fmt.Fprintf(&b, "%s o %s o ", outer(s.Outer), offset(s.Offset))
	}
	return b.String() + inner(c.Inner)
}

// simplify returns the plain composed layout where every integer is known.
func (c DynamicComposed) simplify() (Value, error) {
	if !c.Inner.Static() || len(c.Inner.Guard()) > 0 {
		return c, nil
	}
	for _, s := range c.Stages {
		if !s.Offset.Static() || dynamic(s.Outer) {
			return c, nil
		}
	}
	inner, err := c.Inner.ToLayout()
	if err != nil {
		return nil, err
	}
	var v Value = Layout{inner}
	for _, s := range slices.Backward(c.Stages) {
		offset, err := s.Offset.ToTuple()
		if err != nil {
			return nil, err
		}
		if v, err = makeComposed(s.Outer, offset, v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// asDynamicComposed converts a composed layout.
func asDynamicComposed(v Value) (DynamicComposed, error) {
	switch c := v.(type) {
	case DynamicComposed:
		return c, nil
	case Composed:
		out := DynamicComposed{Inner: symbolic.FromLayout(c.Composed.Layout())}
		for outer, offset := range c.Stages() {
			s := DynamicStage{Offset: symbolic.FromTuple(offset)}
			switch o := outer.(type) {
			case cute.Swizzle:
				s.Outer = Swizzle{o}
			case cute.Layout:
				s.Outer = Layout{o}
			}
			out.Stages = append(out.Stages, s)
		}
		return out, nil
	}
	return DynamicComposed{}, typeError("", "the operand", "a composed layout", v)
}

// shift returns c with the offset by added to the values of the inner layout.
func (c DynamicComposed) shift(by symbolic.Tuple) (DynamicComposed, error) {
	c.Stages = slices.Clone(c.Stages)
	last := &c.Stages[len(c.Stages)-1]
	var err error
	last.Offset, err = symbolic.AddTuples(last.Offset, by)
	return c, err
}

// makeDynamicComposed returns outer o offset o inner.
func makeDynamicComposed(outer, offset, inner Value) (Value, error) {
	const op = "make_composed_layout"
	if err := stageable(outer, inner); err != nil {
		return nil, err
	}
	off, err := asDynamicTuple(offset)
	if err != nil {
		return nil, err
	}
	var front []DynamicStage
	switch outer.(type) {
	case Swizzle, Layout, DynamicLayout:
		front = []DynamicStage{{outer, off}}
	case Tuple, DynamicTuple:
		l, err := asDynamicLayout(outer)
		if err != nil {
			return nil, err
		}
		v, err := simplify(DynamicLayout{l}, nil)
		if err != nil {
			return nil, err
		}
		front = []DynamicStage{{v, off}}
	case Composed, DynamicComposed:
		// F o p o K applied after offset o ... is F o p o (K o offset o ...).
		f, err := asDynamicComposed(outer)
		if err != nil {
			return nil, err
		}
		v, err := simplify(DynamicLayout{f.Inner}, nil)
		if err != nil {
			return nil, err
		}
		front = append(slices.Clip(f.Stages), DynamicStage{v, off})
	default:
		return nil, typeError(op, "the outer function", "a swizzle or a layout", outer)
	}
	c := DynamicComposed{}
	switch inner.(type) {
	case Composed, DynamicComposed:
		if c, err = asDynamicComposed(inner); err != nil {
			return nil, err
		}
	default:
		if c.Inner, err = asDynamicLayout(inner); err != nil {
			return nil, typeError(op, "the inner function", "a layout", inner)
		}
	}
	c.Stages = append(front, c.Stages...)
	c.Inner = c.Inner.If(guardOf(offset).And(guardOf(outer)))
	return simplify(c, nil)
}
