package python

import (
	"slices"
	"unicode/utf8"
)

// An Iterator yields values one after the other: zip(...), a generator, iter(x). Name is the name of its type. Next
// returns false at the end.
type Iterator struct {
	Name string
	Next func() (v Value, ok bool, err error)
	// Coroutine is the coroutine that the program runs for a generator; nil for any other iterator.
	Coroutine any
}

// Len returns the number of integers of a range.
func (r Range) Len() int64 {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		return int64((uint64(r.Stop)-uint64(r.Start)-1)/uint64(r.Step)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int64((uint64(r.Start)-uint64(r.Stop)-1)/(-uint64(r.Step))) + 1
	}
	return 0
}

// at returns integer i of a range.
func (r Range) at(i int64) int64 { return r.Start + i*r.Step }

// has reports whether n is in the range.
func (r Range) has(n int64) bool {
	if r.Step > 0 {
		return n >= r.Start && n < r.Stop && (uint64(n)-uint64(r.Start))%uint64(r.Step) == 0
	}
	return n <= r.Start && n > r.Stop && (uint64(r.Start)-uint64(n))%(-uint64(r.Step)) == 0
}

// length returns len(v).
func (py *Library) length(v Value) (int64, error) {
	switch v := v.(type) {
	case Str:
		return int64(utf8.RuneCountInString(string(v))), nil
	case Tuple:
		return int64(len(v)), nil
	case *List:
		return int64(len(v.Elems)), nil
	case *Dict:
		return int64(v.Len()), nil
	case *Set:
		return int64(v.Len()), nil
	case View:
		return int64(v.Dict.Len()), nil
	case Range:
		return v.Len(), nil
	}
	if n, ok, err := py.special(v, "__len__"); ok {
		k, _ := n.(Int)
		return int64(k), err
	}
	return 0, TypeError("object of type '%s' has no len()", TypeName(v))
}

// Iterate returns an iterator over the elements of a value.
func (py *Library) Iterate(v Value) (*Iterator, error) {
	switch v := v.(type) {
	case *Iterator:
		return v, nil
	case Tuple:
		return py.iterator("tuple_iterator", func(i int) (Value, bool) { return at(v, i) }), nil
	case *List:
		return py.iterator("list_iterator", func(i int) (Value, bool) { return at(v.Elems, i) }), nil
	case Str:
		rest := v
		name := "str_iterator"
		if isASCII(string(v)) {
			name = "str_ascii_iterator"
		}
		return py.iterator(name, func(int) (Value, bool) {
			_, n := utf8.DecodeRuneInString(string(rest))
			c := rest[:n]
			rest = rest[n:]
			return c, n > 0
		}), nil
	case Range:
		n := v.Len()
		return py.iterator("range_iterator", func(i int) (Value, bool) { return Int(v.at(int64(i))), int64(i) < n }), nil
	case *Dict:
		return py.entries(View{"keys", v}), nil
	case View:
		return py.entries(v), nil
	case *Set:
		list, err := v.order()
		it := py.iterator("set_iterator", func(i int) (Value, bool) { return at(list, i) })
		return guardSize(it, "Set", &v.table), err
	}
	return py.iterateObject(v)
}

// iterateObject iterates over what __iter__ of an object returns, or over its elements 0, 1, ... if it has only
// __getitem__.
func (py *Library) iterateObject(v Value) (*Iterator, error) {
	it, ok, err := py.special(v, "__iter__")
	switch {
	case err != nil:
		return nil, err
	case !ok:
		if _, ok, err := py.special(v, "__getitem__", nil); ok || err != nil {
			return py.iterateItems(v), err
		}
		return nil, TypeError("'%s' object is not iterable", TypeName(v))
	}
	if it, isIterator := it.(*Iterator); isIterator {
		return it, nil
	}
	return &Iterator{Name: TypeName(it), Next: func() (Value, bool, error) {
		if err := py.work(1); err != nil {
			return nil, false, err
		}
		v, ok, err := py.special(it, "__next__")
		if err == nil && !ok {
			err = TypeError("iter() returned non-iterator of type '%s'", TypeName(it))
		}
		return ends(v, err, "StopIteration")
	}}, nil
}

// iterateItems iterates over v[0], v[1], ... up to an IndexError.
func (py *Library) iterateItems(v Value) *Iterator {
	i := Int(-1)
	return &Iterator{Name: "iterator", Next: func() (Value, bool, error) {
		if err := py.work(1); err != nil {
			return nil, false, err
		}
		i++
		x, _, err := py.special(v, "__getitem__", i)
		return ends(x, err, "IndexError")
	}}
}

// ends returns what an iterator returns for a value or an error. An exception of the given kind ends it.
func ends(v Value, err error, kind string) (Value, bool, error) {
	if IsKind(err, kind) {
		return nil, false, nil
	}
	return v, err == nil, err
}

// IsKind reports whether an error is an exception of a kind.
func IsKind(err error, kind string) bool {
	if u, ok := err.(interface{ Unwrap() error }); ok { //nolint:errorlint // an error with a place has the exception
		err = u.Unwrap()
	}
	e, ok := err.(*Exception) //nolint:errorlint // as above
	return ok && e.Kind == kind
}

func at(list []Value, i int) (Value, bool) {
	if i >= len(list) {
		return nil, false
	}
	return list[i], true
}

// iterator returns an iterator over what next returns for 0, 1, 2, ...
//
//go:noinline
func (py *Library) iterator(name string, next func(i int) (Value, bool)) *Iterator {
	i, done := 0, false
	return &Iterator{Name: name, Next: func() (Value, bool, error) {
		if done {
			return nil, false, nil
		}
		if err := py.work(1); err != nil {
			return nil, false, err
		}
		v, ok := next(i)
		i++
		done = !ok
		return v, ok, nil
	}}
}

// entries iterates over a view of a dict.
func (py *Library) entries(v View) *Iterator {
	next := 0
	it := py.iterator("dict_"+v.Name[:len(v.Name)-1]+"iterator", func(int) (Value, bool) {
		for next < len(v.Dict.entries) && v.Dict.entries[next].gone {
			next++
		}
		if next >= len(v.Dict.entries) {
			return nil, false
		}
		e := v.Dict.entries[next]
		next++
		switch v.Name {
		case "keys":
			return e.key, true
		case "values":
			return e.value, true
		}
		return Tuple{e.key, e.value}, true
	})
	return guardSize(it, "dictionary", &v.Dict.table)
}

// guardSize makes an iterator fail if the container gains or loses keys.
func guardSize(it *Iterator, what string, t *table) *Iterator {
	next, n := it.Next, t.Len()
	it.Next = func() (Value, bool, error) {
		if t.Len() != n {
			return nil, false, Raise("RuntimeError", "%s changed size during iteration", what)
		}
		return next()
	}
	return it
}

// elements returns all elements of a value, in a slice of their own.
func (py *Library) elements(v Value) ([]Value, error) {
	n, sized := int64(0), false
	if c, err := py.length(v); err == nil {
		n, sized = c, true
		if err := py.hold(int(n), ValueBytes); err != nil {
			return nil, err
		}
	}
	switch v := v.(type) {
	case Tuple:
		return slices.Clone(v), nil
	case *List:
		return slices.Clone(v.Elems), nil
	}
	it, err := py.Iterate(v)
	if err != nil {
		return nil, err
	}
	list := make([]Value, 0, n)
	for {
		x, ok, err := it.Next()
		if err != nil || !ok {
			return list, err
		}
		if !sized && len(list) == cap(list) {
			if err := py.hold(2*len(list)+8, ValueBytes); err != nil {
				return nil, err
			}
		}
		list = append(list, x)
	}
}

// members returns the elements of a value for an operation for which their order is nothing: a set may be given.
func (py *Library) members(v Value) ([]Value, error) {
	if s, ok := v.(*Set); ok {
		return s.keys(), py.hold(s.Len(), ValueBytes)
	}
	return py.elements(v)
}
