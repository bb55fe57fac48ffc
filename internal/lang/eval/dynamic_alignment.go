package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
	"girih/symbolic"
)

// dynamicAlignment finds an alignment that is certain for a layout with run-time strides, from the known strides and
// the known divisors of the run-time strides. All extents must be known: otherwise it is uncertain which elements are
// contiguous.
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
		return simplify(DynamicTuple{symbolic.Number(symbolic.Const(n)), guardOf(c.args[0])}, nil)
	}
	certain := n
	for _, d := range open {
		certain = ints.GCD(certain, d.Facts().Div)
	}
	c.noteAlignment(l, certain, n)
	return simplify(DynamicTuple{symbolic.Number(symbolic.Const(certain)), guardOf(c.args[0])}, nil)
}

// maxTries limits how many values of a run-time stride are tried.
const maxTries = 64

// noteAlignment notes that the answer is a lower bound, and gives the answer for the known strides alone. The alignment
// is greater where a run-time stride continues the contiguous elements, or where no elements come before that stride.
func (c *call) noteAlignment(l symbolic.Layout, certain, known int64) {
	tries := []int64{1} // strides that may continue the contiguous elements: products of extents
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
