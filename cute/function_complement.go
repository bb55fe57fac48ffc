package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file takes complements of composed layouts. A complement depends on the set of values and not on their order;
// and where a set and another one fill an interval, each of its numbers being one sum, both are made of digits (de
// Bruijn 1956; docs/proofs.md): so only a set that is the image of a layout whose strides chain has a complement, and
// then it is that of the layout.

// Sorted returns a layout that has the values of c less the least of them, each once, as offsets, and the least: what
// [Complement] of c is to be asked of. Modes of stride 0 do not count. It returns [CodeNotComplementable] if c has a
// value twice, or if the values in order are the offsets of no layout, and the errors of [Composed.Image].
func (c Composed) Sorted() (l Layout, least int64, err error) {
	const op = "complement"
	if len(c.stages) == 0 {
		return c.inner, 0, nil
	}
	if c, err = c.Map(func(l Layout) (Layout, error) { return FilterZeros(l), nil }); err != nil {
		return Layout{}, 0, err
	}
	ok, w, err := c.IsInjective()
	if err != nil {
		return Layout{}, 0, err
	}
	if !ok {
		return Layout{}, 0, &Error{
			Code: CodeNotComplementable, Op: op, Witness: w,
			Msg: fmt.Sprintf("%v has the value %v at %v and at %v, so no function fills what it leaves free",
				c, w.Value, w.Coord, *w.Other),
		}
	}
	f, err := functionOf(op, c)
	if err != nil {
		return Layout{}, 0, err
	}
	passing, _ := f.passing()
	image := slices.Clone(f.values)
	if f.separable() {
		// The digits that pass lie beyond the table, so they stay what they are.
		if err := ints.Sort(image, c.stop); err != nil {
			return Layout{}, 0, err
		}
	} else {
		passing = unitMode
		if image, err = f.image(op); err != nil {
			return Layout{}, 0, err
		}
	}
	first := image[0]
	for i := range image {
		var ok bool
		if image[i], ok = ints.Sub(image[i], first); !ok {
			return Layout{}, 0, overflowError(op, "the values of %v", c)
		}
	}
	least, _ = f.reach()
	if l, err = c.stop.Recognize(image); err != nil {
		refusal, ok := err.(*Error) //nolint:errorlint // Recognize makes it
		if !ok || refusal.Code == CodeLimit {
			return Layout{}, 0, err
		}
		return Layout{}, 0, errorf(CodeNotComplementable, op,
			"the values of %v, sorted, are the offsets of no layout, and only those have a complement: %s", c, refusal.Msg)
	}
	if passing.Size() == 1 {
		return l, least, nil
	}
	// Counted from the least value every digit counts up.
	l, err = MakeLayout(l, passing.magnitudes())
	return l, least, err
}

// magnitudes returns l with the magnitudes of its strides.
func (l Layout) magnitudes() Layout {
	v := slices.Clone(l.v)
	for i := l.leaves(); i < len(v); i++ {
		v[i] = max(v[i], -v[i])
	}
	return Layout{v: v, prof: l.prof}
}
