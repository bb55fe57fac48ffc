package python

import (
	"math"
	"slices"
	"strings"
)

// containerRows are the functions of Python on values of any kind.
var containerRows = rowsOf(containerList)

var containerList = []namedRow{
	{"len", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		n, err := py.length(a[0])
		return Int(n), err
	}}},
	{"repr", &builtin{"x", func(py *Library, a []Value) (Value, error) { return textOr(py.Repr(a[0])) }}},
	{"ascii", &builtin{"x", func(py *Library, a []Value) (Value, error) { return textOr(py.ASCII(a[0])) }}},
	{"format", &builtin{"x spec?", func(py *Library, a []Value) (Value, error) {
		spec, err := optionalText(a[1], "", "format() argument 2")
		if err != nil {
			return nil, err
		}
		return textOr(py.Format(a[0], spec))
	}}},
	{"slice", &builtin{"a b? c?", func(_ *Library, a []Value) (Value, error) {
		if a[1] == nil {
			return Slice{nil, a[0], nil}, nil
		}
		return Slice{a[0], a[1], a[2]}, nil
	}}},
}

func textOr(text string, err error) (Value, error) { return Str(text), err }

// optionalText returns an argument that has to be a text.
func optionalText(v Value, other, what string) (string, error) {
	if v == nil {
		return other, nil
	}
	s, ok := v.(Str)
	if !ok {
		return "", TypeError("%s must be str, not %s", what, TypeName(v))
	}
	return string(s), nil
}

// listRows are the methods of lists.
var listRows = rowsOf(listList)

var listList = []namedRow{
	{"append", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		x := a[0].(*List)
		if len(x.Elems) == cap(x.Elems) {
			if err := py.hold(len(x.Elems)+8, ValueBytes); err != nil {
				return nil, err
			}
		}
		x.Elems = append(x.Elems, a[1])
		return None{}, nil
	}}},
	{"extend", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		_, err := py.Augment("+", a[0], a[1])
		return None{}, err
	}}},
	{"insert", &builtin{"i x", func(py *Library, a []Value) (Value, error) {
		x := a[0].(*List)
		i, err := integer(a[1], 0)
		if err == nil {
			err = py.hold(len(x.Elems)+1, ValueBytes)
		}
		if err != nil {
			return nil, err
		}
		n := int64(len(x.Elems))
		if i < 0 {
			i = max(i+n, 0)
		}
		x.Elems = slices.Insert(x.Elems, int(min(i, n)), a[2])
		return None{}, nil
	}}},
	{"pop", &builtin{"i?", func(_ *Library, a []Value) (Value, error) {
		x := a[0].(*List)
		i, err := integer(a[1], -1)
		n := int64(len(x.Elems))
		switch {
		case err != nil:
			return nil, err
		case n == 0:
			return nil, Raise("IndexError", "pop from empty list")
		case i < -n || i >= n:
			return nil, outOfRange("pop index out of range", n, i)
		}
		if i < 0 {
			i += n
		}
		v := x.Elems[i]
		x.Elems = slices.Delete(x.Elems, int(i), int(i)+1)
		return v, nil
	}}},
	{"remove", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		x := a[0].(*List)
		i, err := py.find(x.Elems, a[1])
		switch {
		case err != nil:
			return nil, err
		case i < 0:
			return nil, ValueError("list.remove(x): x not in list")
		}
		x.Elems = slices.Delete(x.Elems, i, i+1)
		return None{}, nil
	}}},
	{"clear", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		a[0].(*List).Elems = nil
		return None{}, nil
	}}},
	{"reverse", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		slices.Reverse(a[0].(*List).Elems)
		return None{}, nil
	}}},
	{"copy", &builtin{"", func(py *Library, a []Value) (Value, error) {
		list, err := py.elements(a[0])
		return &List{list}, err
	}}},
	{"sort", &builtin{"*key= *reverse=", func(py *Library, a []Value) (Value, error) {
		return None{}, py.sort(a[0].(*List).Elems, a[1], a[2])
	}}},
	{"index", tupleRows["index"]},
	{"count", tupleRows["count"]},
}

// tupleRows are the methods of tuples and ranges, which lists have too.
var tupleRows = rowsOf(tupleList)

var tupleList = []namedRow{
	{"index", &builtin{"x start? stop?", func(py *Library, a []Value) (Value, error) {
		list, err := py.elements(a[0])
		if err != nil {
			return nil, err
		}
		low, high := a[2], a[3]
		if high == nil {
			high = Int(math.MaxInt64)
		}
		r, err := bounds(Slice{low, high, nil}, int64(len(list)))
		if err != nil {
			return nil, err
		}
		i, err := py.find(list[r.Start:r.Start+r.Len()], a[1])
		if err != nil {
			return nil, err
		}
		if i < 0 {
			if TypeName(a[0]) == "tuple" {
				return nil, ValueError("tuple.index(x): x not in tuple")
			}
			text, err := py.Repr(a[1])
			if err != nil {
				return nil, err
			}
			return nil, ValueError("%s is not in %s", text, TypeName(a[0]))
		}
		return Int(int64(i) + r.Start), nil
	}}},
	{"count", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		list, err := py.elements(a[0])
		n := 0
		for _, v := range list {
			same, err := py.same(v, a[1])
			if err != nil {
				return nil, err
			}
			if same {
				n++
			}
		}
		return Int(n), err
	}}},
}

// rangeRows are the methods of ranges.
var rangeRows = rowsOf(rangeList)

var rangeList = []namedRow{
	{"count", tupleRows["count"]},
	{"index", &builtin{"x", func(py *Library, a []Value) (Value, error) { return tupleRows["index"].call(py, append(a, nil, nil)) }}},
}

// find returns the index of the first element that equals x, and -1 without one.
func (py *Library) find(list []Value, x Value) (int, error) {
	for i, v := range list {
		if err := py.work(1); err != nil {
			return 0, err
		}
		if same, err := py.same(v, x); err != nil || same {
			return i, err
		}
	}
	return -1, nil
}

// dictRows are the methods of dicts; update is in [Library.CallMethod], as it takes any names.
var dictRows = rowsOf(dictList)

var dictList = []namedRow{
	{"keys", &builtin{"", func(_ *Library, a []Value) (Value, error) { return View{"keys", a[0].(*Dict)}, nil }}},
	{"values", &builtin{"", func(_ *Library, a []Value) (Value, error) { return View{"values", a[0].(*Dict)}, nil }}},
	{"items", &builtin{"", func(_ *Library, a []Value) (Value, error) { return View{"items", a[0].(*Dict)}, nil }}},
	{"update", &builtin{}},
	{"get", &builtin{"key default?", func(py *Library, a []Value) (Value, error) {
		h, err := py.hash(a[1])
		if err != nil {
			return nil, err
		}
		if v, ok := a[0].(*Dict).get(h); ok {
			return v, nil
		}
		return orNone(a[2]), nil
	}}},
	{"setdefault", &builtin{"key default?", func(py *Library, a []Value) (Value, error) {
		h, err := py.hash(a[1])
		if err != nil {
			return nil, err
		}
		if v, ok := a[0].(*Dict).get(h); ok {
			return v, nil
		}
		v := orNone(a[2])
		return v, py.SetIndex(a[0], a[1], v)
	}}},
	{"pop", &builtin{"key default?", func(py *Library, a []Value) (Value, error) {
		if a[0].(*Dict).Len() == 0 && a[2] != nil {
			return a[2], nil // Python does not evaluate the key in this case
		}
		h, err := py.hash(a[1])
		if err != nil {
			return nil, err
		}
		e, ok := a[0].(*Dict).remove(h)
		switch {
		case ok:
			return e.value, nil
		case a[2] != nil:
			return a[2], nil
		}
		return nil, py.keyError(a[1])
	}}},
	{"popitem", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		d := a[0].(*Dict)
		for i := len(d.entries) - 1; i >= 0; i-- {
			if e := d.entries[i]; !e.gone {
				d.remove(e.hash)
				return Tuple{e.key, e.value}, nil
			}
		}
		return nil, emptyKey("popitem(): dictionary is empty")
	}}},
	{"clear", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		a[0].(*Dict).clear()
		return None{}, nil
	}}},
	{"copy", &builtin{"", func(py *Library, a []Value) (Value, error) {
		d := a[0].(*Dict)
		if err := py.hold(d.Len(), dictBytes); err != nil {
			return nil, err
		}
		return d.copy(), nil
	}}},
	{"fromkeys", &builtin{"keys value?", func(py *Library, a []Value) (Value, error) {
		list, err := py.elements(a[1])
		if err != nil {
			return nil, err
		}
		d := &Dict{}
		for _, k := range list {
			if err := py.SetIndex(d, k, orNone(a[2])); err != nil {
				return nil, err
			}
		}
		return d, nil
	}}},
}

// missingKey is the KeyError of a name without a value.
func missingKey(name string) error {
	var b strings.Builder
	writeQuoted(&b, name)
	return &Exception{Kind: "KeyError", Msg: b.String(), Args: Tuple{Str(name)}}
}

// emptyKey is the KeyError of a container without keys.
func emptyKey(text string) error {
	return &Exception{Kind: "KeyError", Msg: "'" + text + "'", Args: Tuple{Str(text)}}
}

// setRows are the methods of sets.
var setRows = rowsOf(setList)

var setList = []namedRow{
	{"add", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		return None{}, py.addAll(a[0].(*Set), a[1:])
	}}},
	{"discard", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		h, err := py.hash(a[1])
		if err == nil {
			a[0].(*Set).remove(h)
		}
		return None{}, err
	}}},
	{"remove", &builtin{"x", func(py *Library, a []Value) (Value, error) {
		h, err := py.hash(a[1])
		if err != nil {
			return nil, err
		}
		if _, ok := a[0].(*Set).remove(h); !ok {
			return nil, py.keyError(a[1])
		}
		return None{}, nil
	}}},
	{"pop", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		s := a[0].(*Set)
		switch s.Len() {
		case 0:
			return nil, emptyKey("pop from an empty set")
		case 1:
			v := s.keys()[0]
			s.clear()
			return v, nil
		}
		return nil, Refuse("pop depends on the order of the set, of %d elements: write min or max, and remove it", s.Len())
	}}},
	{"clear", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		a[0].(*Set).clear()
		return None{}, nil
	}}},
	{"copy", &builtin{"", func(_ *Library, a []Value) (Value, error) { return &Set{a[0].(*Set).clone(), a[0].(*Set).Frozen}, nil }}},
	{"union", setOperation("|")},
	{"intersection", setOperation("&")},
	{"difference", setOperation("-")},
	{"symmetric_difference", setOperation("^")},
	{"update", setUpdate("|")},
	{"intersection_update", setUpdate("&")},
	{"difference_update", setUpdate("-")},
	{"symmetric_difference_update", setUpdate("^")},
	{"issubset", setQuestion(func(a, b *Set) bool { return a.within(b) })},
	{"issuperset", setQuestion(func(a, b *Set) bool { return b.within(a) })},
	{"isdisjoint", setQuestion(func(a, b *Set) bool { return a.merge("&", b).Len() == 0 })},
}

// frozenRows are the methods of frozensets.
func frozenRows() map[string]*builtin {
	rows := make(map[string]*builtin)
	for _, name := range []string{
		"copy", "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint",
	} {
		rows[name] = setRows[name]
	}
	return rows
}

// setOperation returns the method that merges a set with each of its arguments.
func setOperation(op string) *builtin {
	params := "..."
	if op == "^" {
		params = "x"
	}
	return &builtin{params, func(py *Library, a []Value) (Value, error) {
		s := &Set{a[0].(*Set).clone(), a[0].(*Set).Frozen}
		for _, x := range a[1:] {
			other, err := py.toSet(x)
			if err != nil {
				return nil, err
			}
			s = s.merge(op, other.(*Set))
		}
		return s, nil
	}}
}

func setUpdate(op string) *builtin {
	row := setOperation(op)
	return &builtin{row.params, func(py *Library, a []Value) (Value, error) {
		v, err := row.call(py, a)
		if err != nil {
			return nil, err
		}
		*a[0].(*Set) = *v.(*Set)
		return None{}, nil
	}}
}

func setQuestion(is func(a, b *Set) bool) *builtin {
	return &builtin{"x", func(py *Library, a []Value) (Value, error) {
		other, err := py.toSet(a[1])
		if err != nil {
			return nil, err
		}
		return Bool(is(a[0].(*Set), other.(*Set))), nil
	}}
}
