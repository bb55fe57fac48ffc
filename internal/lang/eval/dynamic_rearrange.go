package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// This file calls functions that only rearrange modes, on layouts and tuples whose leaves are numbered.

// rearrange calls the function with arguments whose leaves are numbered.
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
		return settled(d, nil)
	}
	var at []int
	var ls []symbolic.Layout
	var ts []symbolic.Tuple
	var g symbolic.Guard
	for i, a := range c.args {
		if !c.fn.moved(i, len(c.args)) {
			if dynamic(a) {
				return nil, c.bad(i, "known integers")
			}
			continue
		}
		switch a.(type) {
		case Layout, DynamicLayout:
			l, err := asDynamicLayout(a)
			if err != nil {
				return nil, err
			}
			ls = append(ls, l)
		case Tuple, DynamicTuple, Coord:
			t, err := asDynamicTuple(a)
			if err != nil {
				return nil, err
			}
			if t.HasOpen() {
				return nil, c.withoutModes("without underscores")
			}
			ts = append(ts, t)
		default:
			return nil, c.bad(i, "a layout or a tuple")
		}
		g = g.And(guardOf(a))
		at = append(at, i)
	}
	if len(ls) > 0 && len(ts) > 0 {
		return nil, c.bad(at[1], "of the same kind")
	}
	called := *c
	if len(ls) > 0 {
		l, err := symbolic.Rearrange(func(ids ...cute.Layout) (cute.Layout, error) {
			called.args = slices.Clone(c.args)
			for i, id := range ids {
				called.args[at[i]] = Layout{id}
			}
			v, err := c.fn.known(&called)
			if err != nil {
				return cute.Layout{}, err
			}
			return asLayout(v)
		}, ls...)
		return settled(DynamicLayout{l}, err)
	}
	t, err := symbolic.RearrangeTuples(func(ids ...cute.Tuple) (cute.Tuple, error) {
		called.args = slices.Clone(c.args)
		for i, id := range ids {
			called.args[at[i]] = Tuple{id}
		}
		v, err := c.fn.known(&called)
		if err != nil {
			return cute.Tuple{}, err
		}
		t, ok := v.(Tuple)
		if !ok {
			return cute.Tuple{}, typeError(c.fn.Name, "the result", "a tuple", v)
		}
		return t.Tuple, nil
	}, ts...)
	return settled(DynamicTuple{t, g}, err)
}

// withoutModes refuses an operand that has no modes to move, once the numbers of them are right.
func (c *call) withoutModes(want string) error {
	if _, err := c.numbers(1); err != nil {
		return err
	}
	return c.bad(0, want)
}

// dynamicZip zips layouts; a shape stands for its compact one.
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

// openModes returns the modes of argument 0 if it is a coordinate with underscores, and the numbers of some.
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

// modeOf returns one of the modes that there are.
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

// dynamicGet takes a mode, also of a tile or of a coordinate with underscores.
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
	return settled(DynamicTuple{Tuple: t}, nil)
}

// orRearranged returns the error, or what the function makes of numbered leaves.
func orRearranged(c *call, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return c.rearrange()
}

// dynamicSelect takes modes, also of a coordinate with underscores.
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
	return settled(DynamicTuple{Tuple: symbolic.Nest(out...)}, nil)
}

// tileMode takes a mode of a tile.
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
		return settled(DynamicLayout{l}, nil)
	}
	return DynamicTile{t}, nil
}
