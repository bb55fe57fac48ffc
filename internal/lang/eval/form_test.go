package eval_test

import (
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/symbolic"
)

// conditionsOf returns the conditions of a value with run-time integers.
func conditionsOf(v eval.Value) symbolic.Guard {
	switch d := v.(type) {
	case eval.DynamicTuple:
		return d.Guard
	case eval.DynamicLayout:
		return d.Layout.Guard()
	case eval.DynamicComposed:
		return d.Inner.Guard()
	case eval.List:
		var g symbolic.Guard
		for _, x := range d {
			g = g.And(conditionsOf(x))
		}
		return g
	}
	return nil
}

// formAt returns a value of e with numbers put in, even if its conditions do not hold, or nil if there is no value. It
// also reports whether the conditions hold. The numbers stay set.
func formAt(e *eval.Env, v eval.Value, set map[string]int64) (form eval.Value, holds bool) {
	e.Set(set)
	at := e.Values()
	holds, err := conditionsOf(v).Holds(at)
	if err != nil {
		return nil, false
	}
	switch d := v.(type) {
	case eval.DynamicTuple:
		t, err := d.Tuple.At(at)
		if err != nil {
			return nil, holds
		}
		return eval.Tuple{Tuple: t}, holds
	case eval.DynamicLayout:
		shape, err := d.Shape().At(at)
		if err != nil {
			return nil, holds
		}
		stride, err := d.Stride().At(at)
		if err != nil {
			return nil, holds
		}
		l, err := cute.New(shape, stride)
		if err != nil {
			return nil, holds
		}
		return eval.Layout{Layout: l}, holds
	case eval.DynamicBool:
		ok, err := d.Guard.Holds(at)
		return eval.Bool(ok), err == nil
	}
	return v, holds
}
