package eval

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/symbolic"
)

// This file defines the methods of coalesce, of complement and of similar functions, for integers. composition is in
// compose.go; inverses are in functions.go and xor_questions.go.

func coalesce(c *call) (Value, error) {
	if len(c.args) == 1 {
		if _, ok := c.args[0].(Tuple); ok {
			return nil, c.bad(0, "a layout")
		}
		return c.domain(0, always(cute.Coalesce))
	}
	return c.byProfile(cute.CoalesceProfile)
}

func coalesceZ(c *call) (Value, error) {
	if len(c.args) == 1 {
		return c.domain(0, always(cute.CoalesceZ))
	}
	return c.byProfile(cute.CoalesceZProfile)
}

// The complements of the table.
var (
	whole = completion{upTo: cute.Complement, alone: cute.ComplementCosize, symbolic: symbolic.Complement}
	exact = completion{upTo: cute.ComplementExact, symbolic: symbolic.ComplementExact, exact: true}
	weak  = completion{upTo: cute.WeakComplement, alone: cute.WeakComplementCosize, weak: true}
)

// A completion is the complement, the exact complement or the weak complement.
type completion struct {
	upTo        func(cute.Layout, cute.Tuple) (cute.Layout, error)             // the operation with a cotarget
	alone       func(cute.Layout) (cute.Layout, error)                         // the operation without a cotarget
	symbolic    func(symbolic.Layout, symbolic.Tuple) (symbolic.Layout, error) // with run-time integers
	exact, weak bool
}

func (k completion) onKnown(c *call) (Value, error) {
	a, err := c.complementOperand()
	if err != nil {
		return nil, err
	}
	var m cute.Tuple
	var r cute.Layout
	if len(c.args) == 1 {
		r, err = k.alone(a)
	} else if m, err = c.cotarget(a); err == nil {
		r, err = k.upTo(a, m)
	}
	if err != nil {
		return nil, err
	}
	if k.weak {
		c.noteFree(a, r)
	}
	if len(c.args) > 1 {
		c.noteRounded(a, m)
		if !k.exact {
			c.noteByMode(a, m, r)
		}
	}
	return Layout{r}, nil
}

// cotarget returns the shape up to which the complement of a is taken. As in CuTe's DSL, a layout is accepted only if
// its strides are the compact strides of its shape: other strides would be lost. If the other operand is a bare shape,
// the layout must be the operand whose complement is taken.
func (c *call) cotarget(a cute.Layout) (cute.Tuple, error) {
	l, ok := c.args[1].(Layout)
	if !ok {
		return c.shape(1)
	}
	compact, err := cute.LayoutLeft(l.Shape())
	_, isLayout := c.args[0].(Layout)
	if err == nil && isLayout && compact.Equal(l.Layout) {
		return l.Shape(), nil
	}
	if own, err := cute.LayoutLeft(a.Shape()); err == nil && own.Equal(a) {
		return cute.Tuple{}, c.noCotarget(l, fmt.Sprintf("the other way round: %s(%v, %v)", c.fn.Name, l, a.Shape()))
	}
	return cute.Tuple{}, c.noCotarget(l, fmt.Sprintf("%s(%v, %v)", c.fn.Name, a, l.Shape()))
}

// noCotarget refuses a layout in the place of the cotarget.
func (c *call) noCotarget(l fmt.Stringer, hint string) error {
	return &cute.Error{
		Code: cute.CodeType, Op: c.fn.Name,
		Msg:  fmt.Sprintf("the cotarget is an integer or a shape, found the layout %v, whose strides would be lost", l),
		Hint: hint,
	}
}

// noteFree notes that a has no complement and that its weak complement r leaves offsets free.
func (c *call) noteFree(a, r cute.Layout) {
	if _, err := cute.ComplementCosize(a); err != nil {
		c.env.note("%v has no complement: its copies at the offsets of %v do not overlap, but leave offsets free", a, r)
	}
}

// noteRounded notes that the complement of a up to m covers more than the size of m.
func (c *call) noteRounded(a cute.Layout, m cute.Tuple) {
	_, err := cute.ComplementExact(a, m)
	if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotDivisible {
		c.env.note("%v is rounded up: %s", m, e.Msg)
	}
}

// noteByMode notes CuTe's text where it differs from r.
func (c *call) noteByMode(a cute.Layout, m cute.Tuple, r cute.Layout) {
	text, err := cute.ComplementByMode(a, m)
	if err != nil || text.Equal(r) {
		return
	}
	both, err := cute.MakeLayout(cute.Filter(a), text)
	if size, sizeErr := m.Product(); err == nil && sizeErr == nil {
		c.env.note("CuTe rounds %v up mode by mode: %v, which with %v covers %d offsets, %d asked for",
			m, text, a, both.Size(), size)
	}
}
