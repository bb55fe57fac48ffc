package eval

import (
	"slices"

	"girih/symbolic"
)

// This file gives run-time integers their values.

// at returns the values that are set, of the symbols in the scope.
func (e *Env) at() symbolic.Values {
	if len(e.set) == 0 {
		return nil
	}
	out := make(symbolic.Values)
	for name, x := range e.set {
		if s, ok := e.scope.Lookup(name); ok {
			out[s] = x
		}
	}
	return out
}

// Set gives run-time integers their values: M, or ?2 for the second one without a name in the program. The results of
// Eval are those at run time from then on.
func (e *Env) Set(values map[string]int64) { e.set = values }

// Unused returns the names that [Env.Set] gave values to and no program has had, sorted.
func (e *Env) Unused() []string {
	var names []string
	for name := range e.set {
		if _, ok := e.scope.Lookup(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// runTime returns the value where some run-time integers are known.
func runTime(v Value, at symbolic.Values) (Value, error) {
	switch d := v.(type) {
	case DynamicTuple:
		g, err := d.Guard.With(at)
		if err != nil {
			return nil, err
		}
		t, err := d.Tuple.With(at)
		return settled(DynamicTuple{t, g}, err)
	case DynamicLayout:
		l, err := d.Layout.With(at)
		return settled(DynamicLayout{l}, err)
	case DynamicTile:
		t, err := d.Tiler.With(at)
		return DynamicTile{t}, err
	case DynamicComposed:
		inner, err := d.Inner.With(at)
		if err != nil {
			return nil, err
		}
		out := DynamicComposed{Inner: inner}
		for _, s := range d.Stages {
			outer, err := runTime(s.Outer, at)
			if err != nil {
				return nil, err
			}
			offset, err := s.Offset.With(at)
			if err != nil {
				return nil, err
			}
			out.Stages = append(out.Stages, DynamicStage{outer, offset})
		}
		return settled(out, nil)
	case DynamicBool:
		g, err := d.Guard.With(at)
		if err != nil {
			return Bool(false), nil //nolint:nilerr // violated conditions are the truth value false
		}
		return settled(DynamicBool{g}, nil)
	case List:
		out := make(List, len(d))
		for i, x := range d {
			var err error
			if out[i], err = runTime(x, at); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}
