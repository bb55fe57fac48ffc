package eval

import (
	"fmt"
	"slices"

	"girih/cute"
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
	var known []cute.Layout
	var open []symbolic.Int
	extents := shape.Leaves()
	for i, d := range integersOf(l.Stride(), nil) {
		switch x, ok := d.Int64(); {
		case extents[i] == 1:
		case ok:
			m, err := cute.New(cute.Int(extents[i]), cute.Int(x))
			if err != nil {
				return nil, err
			}
			known = append(known, m)
		default:
			open = append(open, d)
		}
	}
	if known == nil {
		known = []cute.Layout{{}}
	}
	flat, err := cute.MakeLayout(known...)
	if err != nil {
		return nil, err
	}
	n, err := cute.MaxAlignment(flat)
	if err != nil {
		return nil, err
	}
	if open == nil {
		return settled(DynamicTuple{symbolic.Number(symbolic.Const(n)), guardOf(c.args[0])}, nil)
	}
	certain := n
	for _, d := range open {
		certain = ints.GCD(certain, d.Facts().Div)
	}
	c.noteAlignment(l, certain, n)
	return settled(DynamicTuple{symbolic.Number(symbolic.Const(certain)), guardOf(c.args[0])}, nil)
}

// maxTries limits how many values are tried for a run-time stride.
const maxTries = 64

// noteAlignment notes that the answer is a lower bound, and what the known strides alone would give. A run-time stride
// that continues the contiguous elements, or has no elements before it, may give more than the lower bound.
func (c *call) noteAlignment(l symbolic.Layout, certain, known int64) {
	tries := []int64{1} // the strides that may continue the contiguous elements: products of extents
	for _, m := range l.Modes() {
		for _, x := range integersOf(m.Shape(), nil) {
			s, _ := x.Int64()
			for _, before := range tries {
				if p, ok := ints.Mul(before, s); ok && len(tries) < maxTries && !slices.Contains(tries, p) {
					tries = append(tries, p)
				}
			}
		}
	}
	slices.Sort(tries)
	at := l.Witness(tries, func(k cute.Layout) bool {
		n, err := cute.MaxAlignment(k)
		return err == nil && n > certain
	})
	note := "at least so much for all values"
	if at != "" {
		note += ", more for some, as for " + at
	}
	if certain != known {
		note += fmt.Sprintf("; CuTe C++ takes run-time strides for multiples of whatever the others have, and says %d", known)
	}
	c.env.note("%s", note)
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
