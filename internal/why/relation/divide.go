package relation

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A Division is a divided layout that knows the source of each of its elements.
type Division struct {
	cute.Division
	Split Split

	a  cute.Layout
	t  cute.Tiler
	by divider
}

type divider func(cute.Layout, cute.Tiler) (cute.Division, error)

// Divide divides a by the tiler t with the divide named op, such as zipped_divide or zipped_divide_exact. It returns
// [cute.CodeName] for any other name, and the errors of the divide.
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

// Elements returns, for each index of the result, the index of the same element in the layout before the divide, or -1
// for padding.
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

// indices returns the elements of a divide without padding: it divides the layout of the indices by the same tiler.
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

// padding returns the index of the element at coordinate c of a padded divide, or -1 if c is padding.
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

// index returns the index of the coordinate c in the shape, and the size of the shape. Modes missing from c are 0.
func index(c, shape cute.Tuple) (n, size int64) {
	size, _ = shape.Product() // fits in 64 bits, because a layout has this shape
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

// dividerOf returns the divide named op, or nil.
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
