package eval

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/linear"
	"girih/symbolic"
)

// This file divides, multiplies and recasts layouts with F2 strides.

// xor returns the complement over F2 below the cotarget.
func (k completion) xor(c *call) (Value, error) {
	x, ok := c.args[0].(Xor)
	if !ok {
		return c.fn.known(c)
	}
	n, err := x.Cosize()
	if len(c.args) > 1 {
		var s cute.Tuple
		if s, err = c.shape(1); err == nil {
			n, err = s.Product()
		}
	}
	if err != nil {
		return nil, err
	}
	r, err := x.Complement(n)
	if err != nil {
		return nil, err
	}
	// Together they reach one offset for each pair.
	covered := r.Size() * x.ImageSize()
	switch {
	case covered == n || len(c.args) == 1:
	case k.exact:
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: c.fn.Name,
			Msg: fmt.Sprintf("%v with its complement %v covers %d offsets, not %d", x, r, covered, n),
		}
	default:
		c.env.note("%v is rounded up: together they cover %d offsets", c.args[1], covered)
	}
	return Xor{r}, nil
}

// xorDivide divides layouts. At least one has F2 strides.
func (t tiling) xorDivide(c *call) (Value, error) {
	if b, ok := c.args[1].(Xor); ok {
		return c.divideByXor(b, t.form)
	}
	by, err := c.tiler(1)
	if err != nil {
		return nil, err
	}
	divide := func(l cute.Layout, by cute.Tiler) (cute.Division, error) { return t.padded(nil, l, by) }
	r, padding, err := c.args[0].(Xor).Divide(divide, by)
	if err != nil || padding.None() {
		return xorOf(r, err)
	}
	if t.whole != nil {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: strings.TrimSuffix(c.fn.Name, "_exact"),
			Msg:  fmt.Sprintf("%v does not divide %v evenly: %v", by, c.args[0], padding),
			Hint: "the divide that is not exact returns the padded layout and the predicate",
		}
	}
	c.env.note("%v", padding)
	return Xor{r}, nil
}

// divideByXor returns a o (b, b*), where b* is the complement of b over F2 in the size of a. arranged then puts the
// tile and the rest into the form of t.
func (c *call) divideByXor(b Xor, form symbolic.Form) (Value, error) {
	shape, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	n, err := shape.Product()
	if err != nil {
		return nil, err
	}
	rest, err := b.Complement(n)
	if err != nil {
		return nil, err
	}
	both, err := linear.Concat(b.XorLayout, rest)
	if err != nil {
		return nil, err
	}
	if covered := both.Size(); covered != n {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: c.fn.Name,
			Msg: fmt.Sprintf("the tile %v and its complement %v have %d elements, %v has %d", b, rest, covered, c.args[0], n),
		}
	}
	v, err := xorPair(c.args[0], Xor{both})
	if err != nil {
		return nil, err
	}
	if x, ok := v.(Xor); ok {
		return xorOf(arrangeXor(x.XorLayout, form, b.Shape()))
	}
	return v, nil
}

// arrangeXor converts a logical product to another form. t is the product's tiler; a tiler that tiled the whole domain
// can be given as its size.
func arrangeXor(x linear.XorLayout, form symbolic.Form, t cute.Tiler) (linear.XorLayout, error) {
	if form == symbolic.Logical {
		return x, nil
	}
	return linear.Rearrange(func(ls ...cute.Layout) (cute.Layout, error) {
		z := ls[0]
		if tile, ok := t.(cute.Tile); ok {
			var err error
			if z, err = cute.TileUnzip(z, tile); err != nil {
				return z, err
			}
		}
		parts := z.Modes()
		if form == symbolic.Zipped || len(parts) != 2 {
			return z, nil
		}
		out := parts[:1]
		if form == symbolic.Flat {
			out = parts[0].Modes()
		}
		return cute.MakeLayout(append(slices.Clone(out), parts[1].Modes()...)...)
	}, x)
}

// xorProduct multiplies layouts. At least one has F2 strides.
func (t tiling) xorProduct(c *call) (Value, error) {
	x, ok := c.args[0].(Xor)
	if b, isXor := c.args[1].(Xor); isXor {
		if !ok {
			l, err := asLinear(c.args[0])
			if err != nil {
				return nil, err
			}
			if x.XorLayout, err = l.ToXor(); err != nil {
				return nil, err
			}
			x.XorLayout = x.Until(c.env.stop())
			if s, err := c.shape(0); err == nil {
				if y, err := x.WithShape(s); err == nil {
					x.XorLayout = y
				}
			}
		}
		r, err := x.LogicalProductXor(b.XorLayout)
		if err != nil {
			return nil, err
		}
		return xorOf(arrangeXor(r, t.form, b.Shape()))
	}
	by, err := c.tiler(1)
	if err != nil {
		return nil, err
	}
	r, err := x.LogicalProduct(by)
	if err != nil {
		return nil, err
	}
	if s, ok := by.(cute.Tuple); ok && !s.IsInt() {
		by = tileOfShape(s)
	}
	return xorOf(arrangeXor(r, t.form, by))
}

// tileOfShape returns a shape as a tile.
func tileOfShape(s cute.Tuple) cute.Tiler {
	if s.IsInt() {
		return s
	}
	var ts []cute.Tiler
	for _, m := range s.Modes() {
		ts = append(ts, tileOfShape(m))
	}
	return cute.MakeTile(ts...)
}

//go:noinline
func xorModewise(f func(linear.XorLayout, cute.Layout) (linear.XorLayout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		x, ok := c.args[0].(Xor)
		if !ok {
			return nil, c.bad(0, "a layout with F2 strides, if its tiler has them")
		}
		b, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		return xorOf(f(x.XorLayout, b))
	}
}

func (c *call) xorTileToShape() (Value, error) {
	x, ok := c.args[0].(Xor)
	if !ok {
		return c.fn.known(c)
	}
	target, order, err := c.targetAndOrder()
	if err != nil {
		return nil, err
	}
	r, err := x.TileToShape(target, order)
	if err == nil {
		c.noteRounding(Xor{r}, target)
	}
	return xorOf(r, err)
}

//go:noinline
func xorCast(f func(linear.XorLayout, int64) (linear.XorLayout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		n, err := c.factor()
		if err != nil {
			return nil, err
		}
		return xorOf(f(c.args[0].(Xor).XorLayout, n))
	}
}

func (c *call) xorRecast() (Value, error) {
	bits, err := c.widths()
	if err != nil {
		return nil, err
	}
	x, ok := c.args[len(c.args)-1].(Xor)
	if !ok {
		return nil, c.bad(len(c.args)-1, "a layout")
	}
	return xorOf(x.Recast(bits[1], bits[0]))
}
