package eval

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/symbolic"
)

// This file applies the algebra to run-time integers.

// onInner calls f with a layout, or with the inner layout of a composed layout.
func (c *call) onInner(i int, f func(symbolic.Layout) (symbolic.Layout, error)) (Value, error) {
	switch c.args[i].(type) {
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(c.args[i])
		if err != nil {
			return nil, err
		}
		d.Inner, err = f(d.Inner)
		return simplify(d, err)
	}
	l, err := asDynamicLayout(c.args[i])
	if err != nil {
		return nil, err
	}
	r, err := f(l)
	return simplify(DynamicLayout{r}, err)
}

func filterDynamic(l symbolic.Layout) (symbolic.Layout, error) {
	f, err := symbolic.FilterZeros(l)
	if err != nil {
		return f, err
	}
	return symbolic.Coalesce(f)
}

// dynamicInnerOf returns argument i if it is a layout, or its inner layout if it is a composed layout.
func (c *call) dynamicInnerOf(i int) (symbolic.Layout, error) {
	switch a := c.args[i].(type) {
	case Composed, DynamicComposed:
		d, err := asDynamicComposed(a)
		return d.Inner, err
	}
	return asDynamicLayout(c.args[i])
}

// argOr returns argument i, or nil.
func (c *call) argOr(i int) Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

func (c *call) dynamicCoalesce() (Value, error) {
	if len(c.args) == 1 {
		return c.onInner(0, symbolic.Coalesce)
	}
	p, err := c.profile(1)
	if err != nil {
		return nil, err
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) { return symbolic.CoalesceProfile(l, p) })
}

func (k completion) dynamic(c *call) (Value, error) {
	l, err := asDynamicLayout(c.args[0])
	if err != nil {
		return nil, err
	}
	var target symbolic.Tuple
	switch a := c.argOr(1).(type) {
	case nil:
		n, err := l.Cosize()
		if err != nil {
			return nil, err
		}
		target = symbolic.Number(n)
	case Layout, DynamicLayout:
		m, err := asDynamicLayout(a)
		if err != nil {
			return nil, err
		}
		target = m.Shape()
		if c.args[0].Kind() != KindLayout {
			return nil, c.noCotarget(m, fmt.Sprintf("the other way round: %s(%v, %v)", c.fn.Name, m, l.Shape()))
		}
		if !saysShape(m) {
			return nil, c.noCotarget(m, fmt.Sprintf("%s(%v, %v)", c.fn.Name, l, target))
		}
	default:
		if target, err = asDynamicTuple(a); err != nil {
			return nil, c.bad(1, "a shape")
		}
		if _, err := symbolic.New(target, target); err != nil {
			return nil, err
		}
		l = l.If(guardOf(a))
	}
	r, err := k.symbolic(l, target)
	if err != nil {
		return nil, err
	}
	if !k.exact {
		c.noteRoundedUp(l, target, r)
	}
	return simplify(DynamicLayout{r}, nil)
}

// saysShape reports whether the strides of a layout are unknown or are the compact strides of its shape.
func saysShape(m symbolic.Layout) bool {
	compact, err := symbolic.LayoutLeft(m.Shape())
	return err == nil && (compact.String() == m.String() || strings.Contains(m.Stride().String(), "?"))
}

func (c *call) dynamicWithShape() (Value, error) {
	s, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	b, err := symbolic.LayoutLeft(s)
	if err != nil {
		return nil, err
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) {
		return symbolic.Composition(l, b.If(guardOf(c.args[1])))
	})
}

// dynamicCast returns the method that makes elements wider or narrower by a factor.
//
//go:noinline
func dynamicCast(f func(symbolic.Layout, int64) (symbolic.Layout, error)) method {
	return func(c *call) (Value, error) {
		ns, err := c.knownWidths(0)
		if err != nil {
			return nil, err
		}
		return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) { return f(l, ns[0]) })
	}
}

func (c *call) dynamicRecast() (Value, error) {
	c.layoutLast()
	last := len(c.args) - 1
	ns, err := c.knownWidths(last)
	if err != nil {
		return nil, err
	}
	f, n := symbolic.Upcast, int64(0)
	switch {
	case len(ns) == 2 && ns[1] > 0 && ns[0]%ns[1] == 0:
		n = ns[0] / ns[1]
	case len(ns) == 2 && ns[0] > 0 && ns[1]%ns[0] == 0:
		f, n = symbolic.Downcast, ns[1]/ns[0]
	default:
		return nil, &cute.Error{Code: cute.CodeUnknown, Op: c.fn.Name, Msg: "with run-time integers one width must divide the other"}
	}
	return c.onInner(last, func(l symbolic.Layout) (symbolic.Layout, error) { return f(l, n) })
}

// knownWidths returns the numbers in <...> and all arguments except the layout, which is argument at.
func (c *call) knownWidths(at int) ([]int64, error) {
	ns := slices.Clone(c.tmpl)
	for i, a := range c.args {
		if i == at {
			continue
		}
		if dynamic(a) {
			return nil, c.bad(i, "a known integer")
		}
		n, err := c.integer(i)
		if err != nil {
			return nil, err
		}
		ns = append(ns, n)
	}
	return ns, nil
}

// noteRoundedUp notes that r, the complement of l up to the target, covers more than the target's size. It also notes
// CuTe's text where that differs.
func (c *call) noteRoundedUp(l symbolic.Layout, target symbolic.Tuple, r symbolic.Layout) {
	if len(c.args) > 1 {
		c.noteUnlessWhole(l, target, r)
	}
	if cute, err := symbolic.ComplementByMode(l, target); err == nil && cute.String() != r.String() {
		c.env.note("CuTe rounds %v up mode by mode: %v, which may cover less than its size, or more", target, cute)
	}
}

func (c *call) noteUnlessWhole(l symbolic.Layout, target symbolic.Tuple, r symbolic.Layout) {
	exact, err := symbolic.ComplementExact(l, target)
	if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotDivisible {
		c.env.note("%v is rounded up: %s", target, e.Msg)
	}
	if err != nil {
		return
	}
	whole := slices.DeleteFunc(slices.Clone(exact.Guard()), func(x symbolic.Condition) bool {
		return slices.ContainsFunc(r.Guard(), func(y symbolic.Condition) bool { return x.String() == y.String() })
	})
	if len(whole) > 0 {
		c.env.note("%v is rounded up unless %v", target, whole)
	}
}

func (c *call) dynamicTiled(f func(symbolic.Layout, symbolic.Tiler) (symbolic.Layout, error)) (Value, error) {
	t, err := asDynamicTiler(c.args[1])
	if err != nil {
		return nil, err
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) { return f(l.If(guardOf(c.args[1])), t) })
}

func (t tiling) dynamicProduct(c *call) (Value, error) {
	return c.dynamicTiled(func(l symbolic.Layout, by symbolic.Tiler) (symbolic.Layout, error) {
		return symbolic.Multiply(l, by, t.form)
	})
}

func (t tiling) dynamicDivide(c *call) (Value, error) {
	return c.dynamicTiled(func(l symbolic.Layout, by symbolic.Tiler) (symbolic.Layout, error) {
		d, err := symbolic.Divide(l, by, t.form)
		if err != nil {
			return symbolic.Layout{}, err
		}
		if t.whole != nil {
			return c.exactly(d, l, by)
		}
		if !d.Padding.None() {
			c.env.note("%v", d.Padding)
		}
		if len(d.Padded) > 0 {
			c.env.note("padded: %s does not hold", d.Padded)
		}
		if len(d.Whole) > 0 {
			c.env.whole = append(c.env.whole, d.Whole)
		}
		return d.Layout, nil
	})
}

// exactly returns a division with the condition that the division does not pad, and refuses a division that pads.
func (c *call) exactly(d symbolic.Division, l symbolic.Layout, by symbolic.Tiler) (symbolic.Layout, error) {
	if len(d.Padded) == 0 && d.Padding.None() {
		return d.If(d.Whole), nil
	}
	why, code := d.Padding.String(), cute.CodeNotDivisible
	if len(d.Padded) > 0 {
		why = d.Padded.String() + " does not hold"
	}
	if len(d.Guard()) > 0 || len(d.Padded) > 0 && !d.Padded.Exact() {
		code, why = cute.CodeUnknown, why+", unless some of its modes turn out to be one"
	}
	return symbolic.Layout{}, &cute.Error{
		Code: code, Op: c.fn.Name,
		Msg:  fmt.Sprintf("%s does not divide %s evenly: %s", by, l, why),
		Hint: "the divide that is not exact returns the padded layout and the predicate",
	}
}

//go:noinline
func dynamicProduct(f func(a, b symbolic.Layout) (symbolic.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		b, err := asDynamicLayout(c.args[1])
		if err != nil {
			return nil, err
		}
		return c.onInner(0, func(a symbolic.Layout) (symbolic.Layout, error) { return f(a, b) })
	}
}

func (c *call) dynamicTileToShape() (Value, error) {
	target, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	var order []int64
	if len(c.args) > 2 {
		if dynamic(c.args[2]) {
			return nil, c.bad(2, "known integers")
		}
		o, err := c.tuple(2)
		if err != nil {
			return nil, err
		}
		order = o.Leaves()
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) {
		return symbolic.TileToShape(l.If(guardOf(c.args[1])), target, order)
	})
}
