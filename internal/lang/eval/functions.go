package eval

import (
	"iter"

	"girih/cute"
	"girih/linear"
	"girih/swizzle"
)

// This file treats composed layouts as functions: it inverts, compares and composes them, and answers questions about
// their offsets.

// asFunction returns argument i, a layout or a composed layout, as a composed layout.
func (c *call) asFunction(i int) (cute.Composed, error) {
	if v, ok := c.args[i].(Composed); ok {
		return v.Composed, nil
	}
	l, err := c.layout(i)
	return l.Composed().Until(c.env.stop()), err
}

// functionValue returns the simplest form of a function.
func functionValue(f cute.Composed, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	f = swizzle.Simplest(f)
	if f.Outer() == nil {
		return Layout{f.Layout()}, nil
	}
	return Composed{f}, nil
}

// anyComposed reports whether one of the arguments is a composed layout.
func (c *call) anyComposed() bool {
	for _, v := range c.args {
		if _, ok := v.(Composed); ok {
			return true
		}
	}
	return false
}

// inverse returns the method of an inverse. A layout is inverted as a function. A swizzle is its own inverse. A
// composed layout is inverted as a map over bits if that is possible, and otherwise as a function.
//
//go:noinline
func inverse(
	asMap func(linear.Layout) (linear.Layout, error),
	function func(cute.Composed) (cute.Composed, error),
) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		switch v := c.args[0].(type) {
		case Swizzle:
			return Swizzle{swizzle.Inverse(v.Swizzle)}, nil
		case Composed:
			if n := v.Composed.Size(); n&(n-1) == 0 {
				if l, err := linear.FromComposed(v.Composed); err == nil {
					if l, err = asMap(l); err == nil {
						if v := ofLinear(l); v.Kind() != KindLinear {
							return v, nil
						}
					}
				}
			}
			return functionValue(function(v.Composed))
		}
		f, err := c.asFunction(0)
		if err != nil {
			return nil, err
		}
		r, err := function(f)
		return layoutOf(r.Layout(), err)
	}
}

// claim returns the method of a question whose answer has a witness; the witness becomes a note. within answers the
// question for a codomain.
//
//go:noinline
func claim(
	whole func(cute.Composed) (bool, *cute.Witness, error),
	within func(cute.Composed, cute.Tuple) (bool, *cute.Witness, error),
) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		f, err := c.asFunction(0)
		if err != nil {
			return nil, err
		}
		var ok bool
		var w *cute.Witness
		if len(c.args) > 1 {
			codomain, err := c.shape(1)
			if err != nil {
				return nil, err
			}
			ok, w, err = within(f, codomain)
			if err != nil {
				return nil, err
			}
		} else if ok, w, err = whole(f); err != nil {
			return nil, err
		}
		switch {
		case w == nil:
		case w.Other != nil:
			c.env.note("%v and %v have the same offset %v", w.Coord, *w.Other, w.Value)
		case len(c.args) > 1 && w.Coord.Rank() > 0:
			c.env.note("the offset %v, of %v, is outside the codomain %s", w.Value, w.Coord, c.args[1])
		default:
			c.env.note("the offset %v is the first that breaks it", w.Value)
		}
		return Bool(ok), nil
	}
}

// numberSet returns the method that lists the offsets found by list.
//
//go:noinline
func numberSet(list func(cute.Composed) ([]int64, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		f, err := c.asFunction(0)
		if err != nil {
			return nil, err
		}
		if err := c.listable(f.Size()); err != nil {
			return nil, err
		}
		return c.numbersOf(list(f))
	}
}

// cosize returns the number of offsets. For a composed layout it counts the offsets of the function, and notes CuTe's
// number if that differs.
func cosize(c *call) (Value, error) {
	v, ok := c.args[0].(Composed)
	if path, err := c.path(); err != nil || !ok || len(path) > 0 {
		l, err := c.mode()
		if err != nil {
			return nil, err
		}
		if ok {
			c.env.note("the cosize of a mode is the cosize of the inner layout %v", v.Composed.Layout())
		}
		return intOf(l.Cosize())
	}
	n, err := v.Composed.Cosize()
	if err != nil {
		return nil, err
	}
	if inner, err := v.Composed.Layout().Cosize(); err == nil && inner != n {
		c.env.note("CuTe prints %d, the cosize of the inner layout %v", inner, v.Composed.Layout())
	}
	return integer(n), nil
}

// maxCommonLayout and maxCommonVector find what two layouts or functions have in common.
func maxCommonLayout(c *call) (Value, error) {
	f, g, err := c.twoFunctions()
	if err != nil {
		return nil, err
	}
	return functionValue(f.MaxCommonLayout(g))
}

func maxCommonVector(c *call) (Value, error) {
	f, g, err := c.twoFunctions()
	if err != nil {
		return nil, err
	}
	n, err := f.MaxCommonVector(g)
	if err == nil && n == 0 && c.anyComposed() {
		c.env.note("no index has the offset 0 in both, so not even one element is in common")
	}
	return intOf(n, err)
}

func (c *call) twoFunctions() (f, g cute.Composed, err error) {
	if f, err = c.asFunction(0); err != nil {
		return f, g, err
	}
	g, err = c.asFunction(1)
	return f, g, err
}

// equivalentFunctions compares functions; at least one is a composed layout.
func (c *call) equivalentFunctions() (Value, error) {
	f, g, err := c.twoFunctions()
	if err != nil {
		return nil, err
	}
	same, d, err := f.Equivalent(g)
	switch {
	case err != nil:
		return nil, err
	case same:
	case d == nil || d.Sizes:
		c.env.note("the sizes are %d and %d", f.Size(), g.Size())
	default:
		c.env.note("at index %d the values are %v and %v", d.Index, d.A, d.B)
	}
	return Bool(same), nil
}

// composeFunction returns f o b for a composed layout f.
func composeFunction(f cute.Composed, b Value) (Value, error) {
	var inner cute.Inner
	if v, ok := b.(Composed); ok {
		inner = v.Composed
	} else {
		t, err := asTiler(b)
		if err != nil {
			return nil, err
		}
		l, isLayout := t.(cute.Layout)
		r, err := f.Map(func(in cute.Layout) (cute.Layout, error) { return cute.Until(f.Stopped).CompositionBy(in, t) })
		if err == nil || !isLayout {
			return Composed{r}, err
		}
		inner = l
	}
	r, err := f.Compose(inner)
	if err != nil {
		return nil, err
	}
	if l, o, err := r.Decay(); err == nil && o == 0 && r.Size() <= cute.EnumLimit {
		return Layout{l}, nil
	}
	return Composed{r}, nil
}

// afterSwizzle returns f o w. The swizzle permutes the indices of f; if w leaves the domain of f, f is continued beyond
// it. If f is a map over bits, the result is one product for any size; otherwise the result is a chain.
func afterSwizzle(v Value, f cute.Composed, w cute.Swizzle) (Value, error) {
	switch r, err := mapAfterSwizzle(v, f.Shape(), w); r := r.(type) {
	case Layout:
		if err == nil && r.Shape().Equal(f.Shape()) {
			return r, nil
		}
	case Composed:
		if err == nil && r.Shape().Equal(f.Shape()) {
			return r, nil
		}
	}
	return functionValue(f.After(w))
}

// domainOffset moves the beginning of a layout to a coordinate. In a composed layout the offset is added inside, and a
// tensor begins there.
func domainOffset(c *call) (Value, error) {
	if t, ok := c.args[1].(Tensor); ok {
		x, err := c.coord(0)
		if err != nil {
			return nil, err
		}
		return tensorOf(t.DomainOffset(x))
	}
	x, err := c.tuple(0)
	if err != nil {
		return nil, err
	}
	if v, ok := c.args[1].(Composed); ok {
		r, err := v.Composed.DomainOffset(x)
		return List{Composed{r}, integer(0)}, err
	}
	l, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	l, off, err := l.DomainOffset(x)
	return List{Layout{l}, Tuple{off}}, err
}

// complementOperand returns argument 0 as a layout to complement. For a composed layout, this is the layout of its
// sorted offsets.
func (c *call) complementOperand() (cute.Layout, error) {
	v, ok := c.args[0].(Composed)
	if !ok {
		return c.layout(0)
	}
	l, least, err := v.Composed.Sorted()
	if err == nil && least != 0 {
		c.env.note("the least offset is %d, and what the two fill begins there", least)
	}
	return l, err
}

// byFunction calls a product or a divide whose tiler is a composed layout. As with a layout, the tiler tiles the whole
// domain. arranged puts the two modes of the result into the requested form.
func (c *call) byFunction(
	tile cute.Composed,
	of func(cute.Layout, cute.Composed) (cute.Composed, error),
	arranged func(first, second cute.Layout) (cute.Layout, error),
) (Value, error) {
	a, err := c.asFunction(0)
	if err != nil {
		return nil, err
	}
	r, err := of(a.Layout(), tile)
	if err != nil {
		return nil, err
	}
	r, err = r.Map(func(in cute.Layout) (cute.Layout, error) {
		return arranged(in.Modes()[0], in.Modes()[1])
	})
	if err != nil {
		return nil, err
	}
	if a.Outer() != nil {
		// Next, apply the functions outside the inner layout of a.
		for outer, offset := range reverseStages(a) {
			if r, err = cute.NewComposed(outer, offset, r); err != nil {
				return nil, err
			}
		}
	}
	return functionValue(r, nil)
}

// reverseStages returns the stages of a chain, the innermost first.
func reverseStages(f cute.Composed) iter.Seq2[cute.Outer, cute.Tuple] {
	return func(yield func(cute.Outer, cute.Tuple) bool) {
		var outers []cute.Outer
		var offsets []cute.Tuple
		for o, t := range f.Stages() {
			outers, offsets = append(outers, o), append(offsets, t)
		}
		for i := len(outers) - 1; i >= 0; i-- {
			if !yield(outers[i], offsets[i]) {
				return
			}
		}
	}
}

// padModes returns l with at least n modes, by adding modes 1:0.
func padModes(l cute.Layout, n int) (cute.Layout, error) {
	if l.Rank() >= n {
		return l, nil
	}
	one, err := cute.New(cute.Int(1), cute.Int(0))
	if err != nil {
		return l, err
	}
	return l.AppendToRank(n, one)
}
