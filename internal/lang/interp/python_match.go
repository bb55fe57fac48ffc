package interp

import (
	"slices"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the match statement.

func (r *runner) match(st *program.Match) (flow, error) {
	v, err := r.value(st.X)
	if err != nil {
		return goesOn, err
	}
	for _, c := range st.Cases {
		ok, err := r.matches(c.Pattern, v)
		if err != nil {
			return goesOn, r.at(c.Pattern, err)
		}
		if ok && c.If != nil {
			ok, err = r.holds(c.If)
		}
		if err != nil {
			return goesOn, err
		}
		if ok {
			return r.run(c.Body)
		}
	}
	return goesOn, nil
}

// matches reports whether a value matches a pattern, and binds the names of the pattern.
func (r *runner) matches(p *program.Pattern, v Value) (ok bool, err error) {
	switch p.Kind {
	case '_':
		ok = true
	case '=', 'n':
		ok, err = r.matchesValue(p, v)
	case '|':
		for _, q := range p.Parts {
			if ok, err = r.matches(q, v); ok || err != nil {
				break
			}
		}
	case '[':
		ok, err = r.matchesSequence(p, v)
	case '{':
		ok, err = r.matchesMapping(p, v)
	case '(':
		ok, err = r.matchesClass(p, v)
	}
	if ok && err == nil && p.Name != "" && p.Kind != '{' {
		r.assign(p.Name, v)
	}
	return ok, err
}

func (r *runner) matchesValue(p *program.Pattern, v Value) (bool, error) {
	x, err := r.value(p.X)
	if err != nil {
		return false, err
	}
	if p.Kind == 'n' {
		return v == x, nil
	}
	same, err := r.compare("==", v, x)
	if err != nil {
		return false, err
	}
	return r.truth(same)
}

// matchesSequence is matches for a sequence pattern. A text does not match.
func (r *runner) matchesSequence(p *program.Pattern, v Value) (bool, error) {
	if !isSequence(v) {
		return false, nil
	}
	list, err := r.elements(v)
	if err != nil {
		return false, err
	}
	star := slices.IndexFunc(p.Parts, func(q *program.Pattern) bool { return q.Kind == '*' })
	n := len(p.Parts)
	if star < 0 && len(list) != n || star >= 0 && len(list) < n-1 {
		return false, nil
	}
	for i, q := range p.Parts {
		if i == star {
			if q.Name != "" {
				r.assign(q.Name, &List{Elems: slices.Clone(list[i : i+len(list)-n+1])})
			}
			continue
		}
		of := list[i]
		if star >= 0 && i > star {
			of = list[len(list)-n+i]
		}
		if ok, err := r.matches(q, of); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (r *runner) matchesMapping(p *program.Pattern, v Value) (bool, error) {
	d, ok := v.(*Dict)
	if !ok {
		if o, isObject := v.(*Instance); !isObject || o.class.find("keys") == nil {
			return false, nil
		}
		return false, python.Refuse("a pattern of a mapping is matched with dicts only")
	}
	rest, err := r.py.CallMethod(d, "copy", nil, nil)
	if err != nil {
		return false, err
	}
	for i, x := range p.Keys {
		key, err := r.value(x)
		if err != nil {
			return false, err
		}
		if has, err := r.py.Compare("in", key, d); err != nil || has == Bool(false) {
			return false, err
		}
		of, err := r.py.Index(d, key)
		if err == nil {
			err = r.py.DeleteIndex(rest, key)
		}
		if err != nil {
			return false, err
		}
		if ok, err := r.matches(p.Parts[i], of); !ok || err != nil {
			return false, err
		}
	}
	if p.Name != "" {
		r.assign(p.Name, rest)
	}
	return true, nil
}

func (r *runner) matchesClass(p *program.Pattern, v Value) (bool, error) {
	t, err := r.value(p.X)
	if err != nil {
		return false, err
	}
	is, err := r.isOf(v, t)
	if err != nil || !is {
		return false, err
	}
	places := 0
	for i, q := range p.Parts {
		of := v
		name := p.Names[i]
		if name == "" {
			if name, err = r.attributeAt(t, places, v); err != nil {
				return false, err
			}
			places++
		}
		if name != "" {
			if of, err = r.attributeOf(v, name); python.IsKind(err, "AttributeError") {
				return false, nil
			}
		}
		if err != nil {
			return false, err
		}
		if ok, err := r.matches(q, of); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// attributeAt returns the name of the attribute that a positional sub-pattern of a class pattern matches; "" means the
// value itself, as in int(x).
func (r *runner) attributeAt(t Value, place int, v Value) (string, error) {
	class, ok := t.(*ClassType)
	if !ok && place == 0 {
		return "", nil
	}
	var names []Value
	if class != nil {
		if given := class.find("__match_args__"); given != nil {
			names, _ = r.elements(given)
		} else if class.kind == dataClass || class.kind == tupleClass {
			names = class.fieldNames()
		}
	}
	if place < len(names) {
		name, _ := names[place].(Str)
		return string(name), nil
	}
	return "", &python.Exception{Kind: "TypeError", Loose: true, Msg: python.TypeName(v) + "() accepts fewer sub-patterns by place"}
}

// isSequence reports whether a sequence pattern can match a value.
func isSequence(v Value) bool {
	switch o := v.(type) {
	case Tuple, *List, Range:
		return true
	case *Instance:
		return o.class.kind == tupleClass
	}
	return false
}
