package eval

import (
	"fmt"
	"slices"

	"girih"
	"girih/symbolic"
)

// This file calls functions that only rearrange modes, on layouts and tuples whose leaves are numbered.

// rearranging lists the functions that only rearrange modes, with the arguments whose modes they are; none for all.
var rearranging = map[string][]int{
	"get": {0}, "select": {0}, "take": {0}, "group_modes": {0}, "flatten": {0}, "unflatten": {0}, "reverse": {0},
	"tile_unzip": {0}, "append": {0, 1}, "prepend": {0, 1}, "append_to_rank": {0, 1}, "prepend_to_rank": {0, 1},
	"replace": {0, -1}, "zip": nil,
}

// rearrange calls the function with arguments whose leaves are numbered.
func (c *call) rearrange(which []int) (Value, error) {
	if d, ok := c.args[0].(DynamicTile); ok {
		return c.tileMode(d)
	}
	if d, ok := c.args[0].(DynamicComposed); ok {
		c.args = slices.Clone(c.args)
		c.args[0] = DynamicLayout{d.Inner}
		v, err := c.rearrange(which)
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
	if c.fn.Name == "zip" { // a shape stands for its compact layout
		c.args = slices.Clone(c.args)
		for i, a := range c.args {
			l, err := asDynamicLayout(a)
			if err != nil {
				return nil, err
			}
			c.args[i] = DynamicLayout{l}
		}
	}
	for i, a := range c.args {
		if which != nil && !slices.Contains(which, i) && !(slices.Contains(which, -1) && i == len(c.args)-1) {
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
				return c.openModes(t)
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
		l, err := symbolic.Rearrange(func(ids ...girih.Layout) (girih.Layout, error) {
			called.args = slices.Clone(c.args)
			for i, id := range ids {
				called.args[at[i]] = Layout{id}
			}
			v, err := c.fn.call(&called)
			if err != nil {
				return girih.Layout{}, err
			}
			return asLayout(v)
		}, ls...)
		return settled(DynamicLayout{l}, err)
	}
	t, err := symbolic.RearrangeTuples(func(ids ...girih.Tuple) (girih.Tuple, error) {
		called.args = slices.Clone(c.args)
		for i, id := range ids {
			called.args[at[i]] = Tuple{id}
		}
		v, err := c.fn.call(&called)
		if err != nil {
			return girih.Tuple{}, err
		}
		t, ok := v.(Tuple)
		if !ok {
			return girih.Tuple{}, typeError(c.fn.Name, "the result", "a tuple", v)
		}
		return t.Tuple, nil
	}, ts...)
	return settled(DynamicTuple{t, g}, err)
}

// openModes takes modes of a coordinate with underscores and run-time integers.
func (c *call) openModes(t symbolic.Tuple) (Value, error) {
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	modes := t.Modes()
	switch c.fn.Name {
	case "get":
		for _, p := range path {
			if modes = t.Modes(); p < 0 || p >= len(modes) {
				return nil, &girih.Error{Code: girih.CodeMode, Op: "get", Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes))}
			}
			t = modes[p]
		}
		return settled(DynamicTuple{Tuple: t}, nil)
	case "select":
		var out []symbolic.Tuple
		for _, p := range path {
			if p < 0 || p >= len(modes) {
				return nil, &girih.Error{Code: girih.CodeMode, Op: "select", Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes))}
			}
			out = append(out, modes[p])
		}
		return settled(DynamicTuple{Tuple: symbolic.Nest(out...)}, nil)
	}
	return nil, c.bad(0, "without underscores")
}

// tileMode takes a mode of a tile.
func (c *call) tileMode(d DynamicTile) (Value, error) {
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	if c.fn.Name != "get" {
		return nil, c.bad(0, "a layout or a tuple")
	}
	t := d.Tiler
	for _, p := range path {
		modes := t.Modes()
		if p < 0 || p >= len(modes) {
			return nil, &girih.Error{Code: girih.CodeMode, Op: "get", Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes))}
		}
		t = modes[p]
	}
	if l, ok := t.Layout(); ok {
		return settled(DynamicLayout{l}, nil)
	}
	return DynamicTile{t}, nil
}
