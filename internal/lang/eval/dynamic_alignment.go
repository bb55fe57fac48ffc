package eval

import (
	"girih"
	"girih/internal/ints"
	"girih/symbolic"
)

// dynamicAlignment finds the alignment that a layout certainly has whose strides are known at run time: that of the
// strides that are known, and what divides the others for sure. Extents must be known: nothing is certain of what is
// contiguous otherwise.
func (c *call) dynamicAlignment() (Value, error) {
	if _, ok := c.args[0].(DynamicComposed); ok {
		return c.needsKnown()
	}
	l, err := asDynamicLayout(c.args[0])
	if err != nil {
		return nil, err
	}
	shape, err := l.Shape().ToTuple()
	if err != nil || l.HasAxes() {
		return c.needsKnown()
	}
	var known []girih.Layout
	var open []symbolic.Int
	extents := shape.Leaves()
	for i, d := range integersOf(l.Stride(), nil) {
		switch x, ok := d.Int64(); {
		case extents[i] == 1:
		case ok:
			m, err := girih.New(girih.Int(extents[i]), girih.Int(x))
			if err != nil {
				return nil, err
			}
			known = append(known, m)
		default:
			open = append(open, d)
		}
	}
	if known == nil {
		known = []girih.Layout{{}}
	}
	flat, err := girih.MakeLayout(known...)
	if err != nil {
		return nil, err
	}
	n, err := girih.MaxAlignment(flat)
	if err != nil {
		return nil, err
	}
	certain := n
	for _, d := range open {
		certain = ints.GCD(certain, d.Facts().Div)
	}
	if certain != n {
		c.env.note("so much is certain; CuTe C++ takes run-time strides for multiples of whatever the others have, and says %d",
			n)
	}
	return settled(DynamicTuple{symbolic.Number(symbolic.Const(certain)), guardOf(c.args[0])}, nil)
}

// integersOf appends the leaves of a tuple of integers.
func integersOf(t symbolic.Tuple, list []symbolic.Int) []symbolic.Int {
	if x, ok := t.Int(); ok {
		return append(list, x)
	}
	for _, m := range t.Modes() {
		list = integersOf(m, list)
	}
	return list
}
