package eval

import (
	"fmt"

	"girih/cute"
	"girih/linear"
	"girih/swizzle"
	"girih/symbolic"
)

// recastRows returns the built-ins that change the width of elements.
func recastRows() []Builtin {
	return []Builtin{
		{
			Name: "upcast", Params: "L, n", plain: 1,
			Doc: "Returns the layout in elements n times as wide: upcast<n>(L). Refuses if a wide element would be " +
				"cut.",
			Example: "upcast<4>((8,4):(1,8))", Output: "(2,4):(1,2)",
			dynamic: dynamicCast(symbolic.Upcast), xor: xorCast(linear.XorLayout.Upcast),
			known: cast(cute.Upcast, 1),
		},
		{
			Name: "downcast", Params: "L, n", plain: 1,
			Doc:     "Returns the layout in elements of 1/n of the width: downcast<n>(L). The parts of an element must be neighbours.",
			Example: "downcast<4>((8,4):(1,8))", Output: "(32,4):(1,32)",
			dynamic: dynamicCast(symbolic.Downcast), xor: xorCast(linear.XorLayout.Downcast),
			known: cast(cute.Downcast, -1),
		},
		{
			Name: "recast_layout", Params: "new_bits, old_bits, L", plain: 1,
			Doc: "Returns the layout of the same memory in elements of new_bits instead of old_bits, as the CuTe " +
				"DSL writes it: recast_layout<32,8>(L). If the layout is first, the old width comes before the new " +
				"one: recast_layout(L, 8, 32). For a composed layout, every part is recast.",
			Example: "recast_layout(32, 8, (8,4):(1,8))", Output: "(2,4):(1,2)",
			dynamic: (*call).dynamicRecast, xor: (*call).xorRecast,
			known: recast,
		},
	}
}

// cast calls upcast (direction 1) or downcast (-1) on a layout, a swizzle or a composed layout.
//
//go:noinline
func cast(f func(cute.Layout, int64) (cute.Layout, error), direction int) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		n, err := c.factor()
		if err != nil {
			return nil, err
		}
		old, wide := int64(1), n
		if direction < 0 {
			old, wide = n, 1
		}
		switch v := c.args[0].(type) {
		case Swizzle:
			return castSwizzle(v.Swizzle, n, direction)
		case Composed:
			r, err := v.Recast(old, wide)
			return Composed{r}, err
		}
		l, err := c.layout(0)
		if err != nil {
			return nil, err
		}
		return layoutOf(f(l, n))
	}
}

// factor returns how many elements are joined to one, or into how many parts one element is split.
func (c *call) factor() (n int64, err error) {
	if len(c.tmpl) == 1 {
		n = c.tmpl[0]
	} else if n, err = c.integer(1); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, &cute.Error{Code: cute.CodeExtent, Op: c.fn.Name, Msg: fmt.Sprintf("the factor is at least 1, found %d", n)}
	}
	return n, nil
}

func castSwizzle(w cute.Swizzle, n int64, direction int) (Value, error) {
	r, err := w.Upcast(n)
	if direction < 0 {
		r, err = w.Downcast(n)
	}
	return Swizzle{r}, err
}

// layoutLast rewrites recast_layout(L, old_bits, new_bits) to recast_layout(new_bits, old_bits, L).
func (c *call) layoutLast() {
	if len(c.args) != 3 {
		return
	}
	_, first := c.integer(0)
	if _, last := c.integer(2); first != nil && last == nil {
		c.args = []Value{c.args[2], c.args[1], c.args[0]}
	}
}

// widths returns the new and the old width of an element, in bits.
func (c *call) widths() ([]int64, error) {
	c.layoutLast()
	last := len(c.args) - 1
	bits := c.tmpl
	if bits == nil {
		for i := range last {
			x, err := c.integer(i)
			if err != nil {
				return nil, err
			}
			bits = append(bits, x)
		}
	}
	if len(bits) != 2 {
		return nil, orArguments(nil, c)
	}
	if bits[0] < 1 || bits[1] < 1 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: c.fn.Name,
			Msg: fmt.Sprintf("element widths are at least 1 bit, found %d and %d", bits[0], bits[1]),
		}
	}
	return bits, nil
}

func recast(c *call) (Value, error) {
	last := len(c.args) - 1
	bits, err := c.widths()
	if err != nil {
		return nil, err
	}
	if v, ok := c.args[last].(Composed); ok {
		r, err := v.Recast(bits[1], bits[0])
		return Composed{r}, err
	}
	if v, ok := c.args[last].(Swizzle); ok {
		if max(bits[0], bits[1]) > 1<<30 {
			return nil, &cute.Error{
				Code: cute.CodeExtent, Op: c.fn.Name,
				Msg: fmt.Sprintf("element widths are at most 2^30 bits, found %d and %d", bits[0], bits[1]),
			}
		}
		r, err := swizzle.Recast(v.Swizzle, int(bits[1]), int(bits[0]))
		return Swizzle{r}, err
	}
	l, err := c.layout(last)
	if err != nil {
		return nil, err
	}
	return layoutOf(cute.Recast(l, bits[1], bits[0]))
}
