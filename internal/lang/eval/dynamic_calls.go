package eval

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/symbolic"
)

// This file has helpers for functions of operands with run-time integers.

// takeMode replaces argument 0 by its mode at the numbers of the call.
func (c *call) takeMode() error {
	path, err := c.path()
	if err != nil || len(path) == 0 {
		return err
	}
	var v Value
	switch a := c.args[0].(type) {
	case Tuple, DynamicTuple:
		t, errT := asDynamicTuple(a)
		if errT != nil {
			return errT
		}
		r, errT := symbolic.RearrangeTuples(func(ids ...cute.Tuple) (cute.Tuple, error) { return ids[0].Mode(path...) }, t)
		v, err = DynamicTuple{r, guardOf(a)}, errT
	default:
		l, errL := c.dynamicInnerOf(0)
		if errL != nil {
			return errL
		}
		r, errL := symbolic.Rearrange(func(ids ...cute.Layout) (cute.Layout, error) { return ids[0].Mode(path...) }, l)
		v, err = DynamicLayout{r}, errL
	}
	if err != nil {
		return err
	}
	c.args, c.tmpl = []Value{v}, nil
	return nil
}

// ofUnknowns lists the run-time integers of a value, for an error.
func ofUnknowns(v Value) string {
	names := unknowns(v)
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(", where %s is not", names[0])
	}
	return fmt.Sprintf(", where %s are not", strings.Join(names, ", "))
}
