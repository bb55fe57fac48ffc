package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// This file calls functions that only rearrange modes. The functions are called with layouts and tuples whose leaves
// are numbered, and the numbers in the result show where each run-time integer belongs.

// rearrange calls the column for known integers with numbered leaves.
func (c *call) rearrange() (Value, error) {
	if _, ok := c.args[0].(DynamicTile); ok {
		return nil, c.withoutModes("a layout or a tuple")
	}
	if d, ok := c.args[0].(DynamicComposed); ok {
		c.args = slices.Clone(c.args)
		c.args[0] = DynamicLayout{d.Inner}
		v, err := c.rearrange()
		if err != nil {
			return nil, err
		}
		if d.Inner, err = asDynamicLayout(v); err != nil {
			return nil, err
		}
		return simplify(d, nil)
	}
	m, err := c.movedOperands()
	if err != nil {
		return nil, err
	}
	if len(m.layouts) > 0 {
		l, err := symbolic.Rearrange(func(ids ...cute.Layout) (cute.Layout, error) {
			v, err := rearrangeNumbered(c, m.at, ids, func(l cute.Layout) Value { return Layout{l} })
			if err != nil {
				return cute.Layout{}, err
			}
			return asLayout(v)
		}, m.layouts...)
		return simplify(DynamicLayout{l}, err)
	}
	t, err := symbolic.RearrangeTuples(func(ids ...cute.Tuple) (cute.Tuple, error) {
		v, err := rearrangeNumbered(c, m.at, ids, func(t cute.Tuple) Value { return Tuple{t} })
		if err != nil {
			return cute.Tuple{}, err
		}
		t, ok := v.(Tuple)
		if !ok {
			return cute.Tuple{}, typeError(c.fn.Name, "the result", "a tuple", v)
		}
		return t.Tuple, nil
	}, m.tuples...)
	return simplify(DynamicTuple{t, m.guard}, err)
}

// rearrangeNumbered calls the column for known integers with numbered values at the places in at.
func rearrangeNumbered[T any](c *call, at []int, numbered []T, value func(T) Value) (Value, error) {
	called := *c
	called.args = slices.Clone(c.args)
	for i, n := range numbered {
		called.args[at[i]] = value(n)
	}
	return c.fn.known(&called)
}

// movedOperands are the operands whose modes are moved. Either all of them are layouts, or all are tuples.
type movedOperands struct {
	at      []int // the positions of the leaves among the arguments
	layouts []symbolic.Layout
	tuples  []symbolic.Tuple
	guard   symbolic.Guard
}

func (c *call) movedOperands() (m movedOperands, err error) {
	for i, a := range c.args {
		if !c.fn.isMoved(i, len(c.args)) {
			if dynamic(a) {
				return m, c.bad(i, "known integers")
			}
			continue
		}
		if err := m.add(c, i); err != nil {
			return m, err
		}
		m.guard = m.guard.And(guardOf(a))
		m.at = append(m.at, i)
	}
	if len(m.layouts) > 0 && len(m.tuples) > 0 {
		return m, c.bad(m.at[1], "of the same kind")
	}
	return m, nil
}

// add adds argument i.
func (m *movedOperands) add(c *call, i int) error {
	switch a := c.args[i].(type) {
	case Layout, DynamicLayout:
		l, err := asDynamicLayout(a)
		if err != nil {
			return err
		}
		m.layouts = append(m.layouts, l)
	case Tuple, DynamicTuple, Coord:
		t, err := asDynamicTuple(a)
		if err != nil {
			return err
		}
		if t.HasOpen() {
			return c.withoutModes("without underscores")
		}
		m.tuples = append(m.tuples, t)
	default:
		return c.bad(i, "a layout or a tuple")
	}
	return nil
}

// withoutModes refuses an operand without modes to move, after checking the mode numbers.
func (c *call) withoutModes(want string) error {
	if _, err := c.numbers(1); err != nil {
		return err
	}
	return c.bad(0, want)
}

// dynamicZip zips layouts; a shape becomes its compact layout.
func (c *call) dynamicZip() (Value, error) {
	if _, ok := c.args[0].(DynamicTile); ok {
		return c.rearrange()
	}
	c.args = slices.Clone(c.args)
	for i, a := range c.args {
		if _, ok := a.(DynamicComposed); ok && i == 0 {
			continue
		}
		l, err := asDynamicLayout(a)
		if err != nil {
			return nil, err
		}
		c.args[i] = DynamicLayout{l}
	}
	return c.rearrange()
}

// openModes returns argument 0 and the mode numbers of the call, if argument 0 is a coordinate with underscores.
func (c *call) openModes() (t symbolic.Tuple, path []int, ok bool, err error) {
	switch c.args[0].(type) {
	case DynamicTuple, Coord:
		if t, err = asDynamicTuple(c.args[0]); err == nil && t.HasOpen() {
			path, err = c.numbers(1)
			return t, path, true, err
		}
	}
	return t, nil, false, err
}

// modeOf returns mode i, or an error if it does not exist.
func (c *call) modeOf(modes []symbolic.Tuple, i int) (symbolic.Tuple, error) {
	if i < 0 || i >= len(modes) {
		return symbolic.Tuple{}, c.noMode(i, len(modes))
	}
	return modes[i], nil
}

func (c *call) noMode(i, n int) error {
	return &cute.Error{
		Code: cute.CodeMode, Op: c.fn.Name,
		Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", i, n),
	}
}

// dynamicGet returns a mode of any value with modes, including tiles and coordinates with underscores.
func (c *call) dynamicGet() (Value, error) {
	if c.indexes() {
		return c.env.dynamicApply(c.args[0], c.args[1:])
	}
	if d, ok := c.args[0].(DynamicTile); ok {
		return c.tileMode(d)
	}
	t, path, ok, err := c.openModes()
	if !ok || err != nil {
		return orRearranged(c, err)
	}
	for _, p := range path {
		if t, err = c.modeOf(t.Modes(), p); err != nil {
			return nil, err
		}
	}
	return simplify(DynamicTuple{Tuple: t}, nil)
}

// orRearranged returns the error; if there is none, it returns the result of rearrange.
func orRearranged(c *call, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return c.rearrange()
}

// dynamicSelect returns modes of any value with modes, including coordinates with underscores.
func (c *call) dynamicSelect() (Value, error) {
	t, path, ok, err := c.openModes()
	if !ok || err != nil {
		return orRearranged(c, err)
	}
	out := make([]symbolic.Tuple, len(path))
	for i, p := range path {
		if out[i], err = c.modeOf(t.Modes(), p); err != nil {
			return nil, err
		}
	}
	return simplify(DynamicTuple{Tuple: symbolic.Nest(out...)}, nil)
}

// tileMode returns a mode of a tile.
func (c *call) tileMode(d DynamicTile) (Value, error) {
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	t := d.Tiler
	for _, p := range path {
		modes := t.Modes()
		if p < 0 || p >= len(modes) {
			return nil, c.noMode(p, len(modes))
		}
		t = modes[p]
	}
	if l, ok := t.Layout(); ok {
		return simplify(DynamicLayout{l}, nil)
	}
	return DynamicTile{t}, nil
}
