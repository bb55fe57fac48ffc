package interp

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/python"
)

// This file assigns arguments to the parameters of a Python function, with the error messages of CPython.

// A signature describes the parameters of a function. offset is the number of leading parameters that are set
// implicitly, such as self.
type signature struct {
	name           string
	params         []parameter
	offset         int
	many, manyKeys bool // *args, **kwargs
	rest           []Value
}

// A parameter is one parameter of a signature.
type parameter struct {
	name                         string
	optional, keyOnly, placeOnly bool
}

// bind returns the argument of each parameter, or nil if it is omitted. Extra positional arguments are stored in rest;
// extra keyword arguments remain in c.
func (s *signature) bind(c *arguments) ([]Value, error) {
	values := make([]Value, len(s.params))
	places := 0
	for i, p := range s.params {
		if !p.keyOnly {
			places++
			if i < len(c.pos) {
				values[i] = c.pos[i]
			}
		}
	}
	if err := s.bindNames(values, c); err != nil {
		return nil, err
	}
	if len(c.pos) > places {
		s.rest = c.pos[places:]
		if !s.many {
			return nil, s.tooMany(values, len(c.pos), places)
		}
	}
	for _, kind := range []string{"positional", "keyword-only"} {
		if err := s.missing(values, kind); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (s *signature) bindNames(values []Value, c *arguments) error {
	for i := 0; i < len(c.keys); {
		k := c.keys[i]
		at := slices.IndexFunc(s.params, func(p parameter) bool { return p.name == k.Name && !p.placeOnly })
		switch {
		case at < 0 && s.manyKeys:
			i++
			continue
		case at < 0 && slices.ContainsFunc(s.params, func(p parameter) bool { return p.name == k.Name }):
			return python.TypeError("%s() got some positional-only arguments passed as keyword arguments: '%s'", s.name, k.Name)
		case at < 0:
			return python.TypeError("%s() got an unexpected keyword argument '%s'", s.name, k.Name)
		case values[at] != nil:
			return python.TypeError("%s() got multiple values for argument '%s'", s.name, k.Name)
		}
		values[at] = k.Value
		c.keys = slices.Delete(c.keys, i, i+1)
	}
	return nil
}

// tooMany returns the error for too many positional arguments.
func (s *signature) tooMany(values []Value, given, places int) error {
	least, keys := places, 0
	for i, p := range s.params {
		switch {
		case p.keyOnly && values[i] != nil:
			keys++
		case !p.keyOnly && p.optional:
			least--
		}
	}
	most := places + s.offset
	takes, were := fmt.Sprintf("%d positional argument%s", most, plural(most)), "were"
	if least < places {
		takes = fmt.Sprintf("from %d to %d positional arguments", least+s.offset, most)
	}
	given += s.offset
	if keys > 0 {
		takes += fmt.Sprintf(" but %d positional argument%s (and %d keyword-only argument%s)", given, plural(given), keys,
			plural(keys))
	} else {
		takes += fmt.Sprintf(" but %d", given)
		if given == 1 {
			were = "was"
		}
	}
	return python.TypeError("%s() takes %s %s given", s.name, takes, were)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// missing returns the error for required parameters without an argument.
func (s *signature) missing(values []Value, kind string) error {
	var names []string
	for i, p := range s.params {
		if values[i] == nil && !p.optional && p.keyOnly == (kind == "keyword-only") {
			names = append(names, "'"+p.name+"'")
		}
	}
	n := len(names)
	if n == 0 {
		return nil
	}
	list := names[0]
	switch {
	case n == 2:
		list += " and " + names[1]
	case n > 2:
		list = strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
	return python.TypeError("%s() missing %d required %s argument%s: %s", s.name, n, kind, plural(n), list)
}

// signature returns the signature of a function.
func (f *Func) signature() *signature {
	s := &signature{name: f.qualifiedName()}
	for i, p := range f.Def.Params {
		switch p.Star {
		case 1:
			s.many = true
		case 2:
			s.manyKeys = true
		default:
			s.params = append(s.params, parameter{p.Name, f.Defaults[i] != nil, p.KeyOnly, p.PlaceOnly})
		}
	}
	return s
}

// qualifiedName returns the name of a function prefixed with the names of the functions and classes around it.
func (f *Func) qualifiedName() string {
	switch {
	case f.qual != "":
		return f.qual
	case f.Def.Name == "":
		return "<lambda>"
	}
	return f.Def.Name
}

// bindParams binds the parameters of a Python function.
func (r *runner) bindParams(f *Func, c *arguments, s *scope) error {
	sig := f.signature()
	values, err := sig.bind(c)
	if err != nil {
		return err
	}
	at := 0
	for i, p := range f.Def.Params {
		var v Value
		switch p.Star {
		case 1:
			v = Tuple(slices.Clone(sig.rest))
		case 2:
			v = r.remaining(c)
		default:
			if v = values[at]; v == nil {
				v = f.Defaults[i]
			}
			at++
			if v, err = r.asParam(p, v); err != nil {
				return err
			}
		}
		s.names[p.Name] = &cell{v: v}
	}
	return nil
}
