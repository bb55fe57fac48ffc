package relation

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A Division is a divide that knows where its elements come from.
type Division struct {
	cute.Division
	Split Split

	a  cute.Layout
	t  cute.Tiler
	by divider
}

type divider func(cute.Layout, cute.Tiler) (cute.Division, error)

// Divide divides a by a tiler with the divide that op names, such as zipped_divide or zipped_divide_exact. It returns
// [cute.CodeName] for another name, and the errors of the divide.
func Divide(op string, a cute.Layout, t cute.Tiler) (Division, error) {
	d := Division{a: a, t: t, by: dividerOf(op)}
	if d.by == nil {
		return d, &cute.Error{Code: cute.CodeName, Op: op, Msg: fmt.Sprintf("%.40q is no divide", op)}
	}
	var err error
	if d.Division, err = d.by(a, t); err != nil {
		return d, err
	}
	steps, err := cute.Derive(op, a, t)
	if err != nil {
		return d, err
	}
	d.Split, _ = SplitOf(steps)
	return d, nil
}

// Elements returns, for each index of the result, the index in the divided layout, or -1 for padding.
func (d Division) Elements() ([]int64, error) {
	if d.Padding.None() {
		return d.indices()
	}
	of := make([]int64, d.Size())
	for i := range of {
		var err error
		if of[i], err = padding(d.Padding, cute.Int(int64(i))); err != nil {
			return nil, err
		}
	}
	return of, nil
}

// indices returns the elements of a divide without padding, which are the same divide of the indices.
func (d Division) indices() ([]int64, error) {
	id, err := cute.LayoutLeft(d.a.Shape())
	if err != nil {
		return nil, err
	}
	of, err := d.by(id, d.t)
	if err != nil {
		return nil, err
	}
	out, err := of.AppendOffsets(nil)
	for i, x := range out {
		if x >= d.a.Size() {
			out[i] = -1
		}
	}
	return out, err
}

// padding returns the index that a padded divide has at c, or -1 for padding.
func padding(p cute.Padding, c cute.Tuple) (int64, error) {
	if real, err := p.Contains(c); err != nil || !real {
		return -1, err
	}
	x, err := p.Coord.Eval(c)
	if err != nil {
		return -1, err
	}
	n, _ := index(x, p.Bound)
	return n, nil
}

// index returns the index of a coordinate in a shape, and the size of the shape. Axes that the coordinate lacks are 0.
func index(c, shape cute.Tuple) (n, size int64) {
	size, _ = shape.Product() // fits, because a layout has this shape
	if n, ok := c.Int64(); ok {
		return n, size
	}
	modes, step := shape.Modes(), int64(1)
	for i, m := range c.Modes() {
		x, s := index(m, modes[i])
		n, step = n+x*step, step*s
	}
	return n, size
}

// dividerOf returns the divide with a name, or nil.
func dividerOf(op string) divider {
	exact := func(f func(cute.Layout, cute.Tiler) (cute.Layout, error)) divider {
		return func(a cute.Layout, t cute.Tiler) (cute.Division, error) {
			l, err := f(a, t)
			return cute.Division{Layout: l}, err
		}
	}
	name, _ := strings.CutSuffix(op, "_exact")
	f := map[string][2]divider{
		"logical_divide": {cute.LogicalDivide, exact(cute.LogicalDivideExact)},
		"zipped_divide":  {cute.ZippedDivide, exact(cute.ZippedDivideExact)},
		"tiled_divide":   {cute.TiledDivide, exact(cute.TiledDivideExact)},
		"flat_divide":    {cute.FlatDivide, exact(cute.FlatDivideExact)},
	}[name]
	if name != op {
		return f[1]
	}
	return f[0]
}
