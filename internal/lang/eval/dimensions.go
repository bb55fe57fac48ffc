package eval

import (
	"girih/cute"
	"girih/linear"
)

// This file defines the methods that select, order, rename and reshape the dimensions of linear layouts.

func sublayout(c *call) (Value, error) {
	return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) {
		return l.Sublayout(names[0], names[1])
	})
}

func linearQuotient(c *call) (Value, error) {
	return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) { return l.Quotient(names[0]...) })
}

func transposeIns(c *call) (Value, error) {
	return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) { return l.TransposeIns(names[0]...) })
}

func transposeOuts(c *call) (Value, error) {
	return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) { return l.TransposeOuts(names[0]...) })
}

func flattenIns(c *call) (Value, error) {
	return c.onLinear(func(l linear.Layout, _ ...Names) (linear.Layout, error) { return l.FlattenIns(), nil })
}

func flattenOuts(c *call) (Value, error) {
	return c.onLinear(func(l linear.Layout, _ ...Names) (linear.Layout, error) { return l.FlattenOuts(), nil })
}

func freeVariables(c *call) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	out := List{}
	for _, m := range l.FreeVariableMasks() {
		out = append(out, integer(m.Value))
	}
	return out, nil
}

func numConsecutive(c *call) (Value, error) {
	l, err := asLinear(c.args[0])
	return integer(l.NumConsecutiveInOut()), err
}

// onLinear calls f with the linear layout, argument 0, and the names in the other arguments.
func (c *call) onLinear(f func(l linear.Layout, names ...Names) (linear.Layout, error)) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	var names []Names
	for i, a := range c.args[1:] {
		n, ok := a.(Names)
		if !ok {
			return nil, c.bad(i+1, "names of dimensions")
		}
		names = append(names, n)
	}
	r, err := f(l, names...)
	return Linear{r}, err
}

func (c *call) rename(f func(l linear.Layout, from, to string) (linear.Layout, error)) (Value, error) {
	return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) {
		for i, n := range names {
			if len(n) != 1 {
				return l, &cute.Error{Code: cute.CodeName, Op: c.fn.Name, Msg: "expected one name, found " + c.args[i+1].String()}
			}
		}
		return f(l, names[0][0], names[1][0])
	})
}

// resize calls f with the map, the name of a dimension, and its new size.
func (c *call) resize(f func(l linear.Layout, dim string, size int64) (linear.Layout, error)) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	names, ok := c.args[1].(Names)
	if !ok || len(names) != 1 {
		return nil, c.bad(1, "the name of a dimension")
	}
	n, err := c.integer(2)
	if err != nil {
		return nil, err
	}
	r, err := f(l, names[0], n)
	return Linear{r}, err
}

func resizeOut(l linear.Layout, out string, n int64) (linear.Layout, error) {
	if l.HasOut(out) && n > l.OutSize(out) {
		return l.GrowOut(out, n)
	}
	return l.ResizeOut(out, n)
}

func (c *call) reshape(f func(l linear.Layout, dims ...linear.Dim) (linear.Layout, error)) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	names, ok := c.args[1].(Names)
	if !ok {
		return nil, c.bad(1, "names of dimensions")
	}
	t, err := c.tuple(2)
	if err != nil {
		return nil, err
	}
	sizes := t.Leaves()
	if len(sizes) != len(names) {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: c.fn.Name,
			Msg: "expected a size for each of " + names.String() + ", found " + t.String(),
		}
	}
	dims := make([]linear.Dim, len(names))
	for i := range dims {
		dims[i] = linear.Dim{Name: names[i], Size: sizes[i]}
	}
	r, err := f(l, dims...)
	return Linear{r}, err
}
