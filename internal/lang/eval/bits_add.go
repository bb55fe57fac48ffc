package eval

import (
	"fmt"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file applies PyCuTe's operations to layouts with F2 strides.

// bitsAdd adds two layouts without carries. A layout with integer strides is accepted only if all strides are 0: only 0
// is the same with and without carries.
func (c *call) bitsAdd() (Value, error) {
	var xs [2]linear.XorLayout
	for i := range xs {
		switch v := c.args[i].(type) {
		case Xor:
			xs[i] = v.XorLayout
		case Layout:
			if cosize, err := v.Cosize(); err != nil || cosize != 1 || v.HasBasis() {
				return nil, c.bad(i, "a layout with F2 strides, or with stride 0")
			}
			x, err := linear.NewXor(v.Shape(), make([]f2.Vector, len(v.Shape().Leaves()))...)
			if err != nil {
				return nil, err
			}
			xs[i] = x
		default:
			return nil, c.bad(i, "a layout with F2 strides")
		}
	}
	r, err := xs[0].Add(xs[1])
	if err != nil {
		return nil, err
	}
	return Xor{r}, nil
}

// bitsCoalesceZ coalesces a layout with F2 strides. It refuses a last mode of extent 1: that mode determines how the
// layout continues beyond its shape, and coalescing F2 strides would drop the mode.
func (c *call) bitsCoalesceZ() (Value, error) {
	x, ok := c.args[0].(Xor)
	extents := []int64{}
	if ok {
		extents = x.Shape().Leaves()
	}
	if n := len(extents); len(c.args) > 1 || n == 0 || n > 1 && extents[n-1] == 1 {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: c.fn.Name,
			Msg: fmt.Sprintf("takes a layout with F2 strides whose last extent is more than 1, and no profile, found %s",
				c.args[0]),
			Hint: "coalesce is the same function on the shape",
		}
	}
	return Xor{x.XorLayout.Coalesce()}, nil
}
