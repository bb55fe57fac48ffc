package python

import (
	"cmp"
	"slices"
	"sort"
)

// iteratorRows are the functions of Python that make or use iterators.
var iteratorRows = rowsOf(iteratorList)

var iteratorList = []namedRow{
	{"range", &builtin{"a b? c?", func(_ *Library, a []Value) (Value, error) { return rangeOf(a) }}},
	{"iter", &builtin{"x", func(py *Library, a []Value) (Value, error) { return iteratorValue(py.Iterate(a[0])) }}},
	{"next", &builtin{"it default?", func(py *Library, a []Value) (Value, error) {
		v, ok, err := py.next(a[0])
		switch {
		case err != nil || ok:
			return v, err
		case a[1] != nil:
			return a[1], nil
		}
		return nil, &Exception{Kind: "StopIteration", More: "the iterator has no further value"}
	}}},
	{"enumerate", &builtin{"iterable= start=", func(py *Library, a []Value) (Value, error) { return py.enumerate(a) }}},
	{"zip", &builtin{"*strict= ...", func(py *Library, a []Value) (Value, error) { return py.zip(a[1:], a[0]) }}},
	{"map", &builtin{"f x ...", func(py *Library, a []Value) (Value, error) {
		it, err := py.zip(a[1:], nil)
		if err != nil {
			return nil, err
		}
		return &Iterator{Name: "map", Next: func() (Value, bool, error) {
			v, ok, err := it.(*Iterator).Next()
			if err != nil || !ok {
				return nil, false, err
			}
			v, err = py.apply(a[0], v.(Tuple)...)
			return v, err == nil, err
		}}, nil
	}}},
	{"filter", &builtin{"f x", func(py *Library, a []Value) (Value, error) { return py.filter(a[0], a[1]) }}},
	{"reversed", &builtin{"x", func(py *Library, a []Value) (Value, error) { return py.backward(a[0]) }}},
	{"sorted", &builtin{"x *key= *reverse=", func(py *Library, a []Value) (Value, error) {
		list, err := py.sortable(a[0], a[1])
		if err != nil {
			return nil, err
		}
		return &List{list}, py.sort(list, a[1], a[2])
	}}},
	{"all", &builtin{"x", func(py *Library, a []Value) (Value, error) { return py.anyOf(a[0], Bool(false)) }}},
	{"any", &builtin{"x", func(py *Library, a []Value) (Value, error) { return py.anyOf(a[0], Bool(true)) }}},
	{"sum", &builtin{"x start=", func(py *Library, a []Value) (Value, error) { return py.sum(a[0], a[1]) }}},
	{"min", &builtin{"*key= *default= ...", func(py *Library, a []Value) (Value, error) { return py.extreme("<", a) }}},
	{"max", &builtin{"*key= *default= ...", func(py *Library, a []Value) (Value, error) { return py.extreme(">", a) }}},
}

// next returns the next value of an iterator; ok is false at its end.
func (py *Library) next(of Value) (v Value, ok bool, err error) {
	if it, ok := of.(*Iterator); ok {
		return it.Next()
	}
	v, ok, err = py.special(of, "__next__")
	if err == nil && !ok {
		err = TypeError("'%s' object is not an iterator", TypeName(of))
	}
	return ends(v, err, "StopIteration")
}

// iteratorValue keeps a nil iterator out of a Value.
func iteratorValue(it *Iterator, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return it, nil
}

func rangeOf(a []Value) (Value, error) {
	start, err := integer(a[0], 0)
	if err != nil {
		return nil, err
	}
	stop, err := integer(a[1], 0)
	if err != nil {
		return nil, err
	}
	step, err := integer(a[2], 1)
	switch {
	case err != nil:
		return nil, err
	case step == 0:
		return nil, ValueError("range() arg 3 must not be zero")
	case a[1] == nil:
		start, stop = 0, start
	}
	r := Range{start, stop, step}
	if r.Len() < 0 {
		return nil, tooLarge("the number of integers of the range")
	}
	return r, nil
}

func (py *Library) enumerate(a []Value) (Value, error) {
	if a[0] == nil {
		return nil, TypeError("enumerate() missing required argument 'iterable'")
	}
	it, err := py.Iterate(a[0])
	if err != nil {
		return nil, err
	}
	n, err := integer(a[1], 0)
	return &Iterator{Name: "enumerate", Next: func() (Value, bool, error) {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return nil, false, err
		}
		n++
		return Tuple{Int(n - 1), v}, true, nil
	}}, err
}

// zip returns an iterator over tuples of an element of each value.
func (py *Library) zip(list []Value, strict Value) (Value, error) {
	its := make([]*Iterator, len(list))
	for i, v := range list {
		var err error
		if its[i], err = py.Iterate(v); err != nil {
			return nil, err
		}
	}
	equalLengths := false
	if strict != nil {
		var err error
		if equalLengths, err = py.Truth(strict); err != nil {
			return nil, err
		}
	}
	return &Iterator{Name: "zip", Next: func() (Value, bool, error) {
		t := make(Tuple, 0, len(its))
		for i, it := range its {
			v, ok, err := it.Next()
			switch {
			case err != nil:
				return nil, false, err
			case !ok && equalLengths:
				return nil, false, unevenZip(its, i)
			case !ok:
				return nil, false, nil
			}
			t = append(t, v)
		}
		return t, len(t) > 0, nil
	}}, nil
}

// unevenZip returns the error of zip(strict=True) when iterator i has ended; nil if all have ended.
func unevenZip(its []*Iterator, i int) error {
	if i > 0 {
		return ValueError("zip() argument %d is shorter than argument 1", i+1)
	}
	for k, it := range its[1:] {
		if _, ok, err := it.Next(); err != nil || ok {
			if err == nil {
				err = ValueError("zip() argument %d is longer than argument 1", k+2)
			}
			return err
		}
	}
	return nil
}

func (py *Library) filter(f, x Value) (Value, error) {
	it, err := py.Iterate(x)
	if err != nil {
		return nil, err
	}
	return &Iterator{Name: "filter", Next: func() (Value, bool, error) {
		for {
			v, ok, err := it.Next()
			if err != nil || !ok {
				return nil, false, err
			}
			keep := v
			if !isNone(f) {
				if keep, err = py.apply(f, v); err != nil {
					return nil, false, err
				}
			}
			if t, err := py.Truth(keep); err != nil || t {
				return v, err == nil, err
			}
		}
	}}, nil
}

func (py *Library) backward(x Value) (Value, error) {
	switch x := x.(type) {
	case Range:
		n := x.Len()
		return py.iterator("range_iterator", func(i int) (Value, bool) {
			return Int(x.at(n - 1 - int64(i))), int64(i) < n
		}), nil
	case *List:
		n := len(x.Elems)
		return py.iterator("list_reverseiterator", func(i int) (Value, bool) {
			if k := n - 1 - i; k >= 0 && k < len(x.Elems) {
				return x.Elems[k], true
			}
			return nil, false
		}), nil
	case Str, Tuple, *Dict, View:
		list, err := py.elements(x)
		if err != nil {
			return nil, err
		}
		slices.Reverse(list)
		name := "reversed"
		if TypeName(x)[:3] == "dic" {
			name = "dict_reversekeyiterator"
		}
		return py.iterator(name, func(i int) (Value, bool) { return at(list, i) }), nil
	}
	return nil, TypeError("'%s' object is not reversible", TypeName(x))
}

func (py *Library) anyOf(x Value, wanted Bool) (Value, error) {
	list, isSet := x.(*Set)
	if isSet {
		x = Tuple(list.keys())
	}
	it, err := py.Iterate(x)
	if err != nil {
		return nil, err
	}
	for {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return !wanted, err
		}
		if t, err := py.Truth(v); err != nil || Bool(t) == wanted {
			return wanted, err
		}
	}
}

// extreme returns min or max: a[0] is the key, a[1] the default, and the values follow.
func (py *Library) extreme(op string, a []Value) (Value, error) {
	key, other, list := a[0], a[1], a[2:]
	name := map[string]string{"<": "min", ">": "max"}[op]
	switch {
	case len(list) == 0:
		return nil, TypeError("%s expected at least 1 argument, got 0", name)
	case len(list) > 1 && other != nil:
		return nil, TypeError("Cannot specify a default for %s() with multiple positional arguments", name)
	case len(list) == 1:
		var err error
		if list, err = py.sortable(list[0], key); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		if other != nil {
			return other, nil
		}
		return nil, ValueError("%s() arg is an empty sequence", name)
	}
	keys, err := py.keysOf(list, key)
	if err != nil {
		return nil, err
	}
	best := 0
	for i := 1; i < len(list); i++ {
		better, err := py.inOrder(op, keys[i], keys[best])
		if err != nil {
			return nil, err
		}
		if better {
			best = i
		}
	}
	return list[best], nil
}

// sortable returns the elements of a value for sorting. With a key the order of equal elements matters, so that a set
// needs an order.
func (py *Library) sortable(x, key Value) ([]Value, error) {
	if isNone(key) {
		return py.members(x)
	}
	return py.elements(x)
}

// keysOf returns the values that are compared for the elements of a list.
func (py *Library) keysOf(list []Value, key Value) ([]Value, error) {
	if isNone(key) {
		return list, nil
	}
	if err := py.hold(len(list), ValueBytes); err != nil {
		return nil, err
	}
	keys := make([]Value, len(list))
	for i, v := range list {
		var err error
		if keys[i], err = py.apply(key, v); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// sort sorts a list in place; equal elements keep their order.
func (py *Library) sort(list []Value, key, reverse Value) error {
	keys, err := py.keysOf(list, key)
	if err != nil {
		return err
	}
	down := false
	if reverse != nil {
		if _, ok := asInt(reverse); !ok {
			return TypeError("'%s' object cannot be interpreted as an integer", TypeName(reverse))
		}
		down, _ = py.Truth(reverse)
	}
	type pair struct{ key, value Value }
	pairs := make([]pair, len(list))
	for i := range list {
		if f, ok := keys[i].(Float); ok && f != f || asSetType(keys[i]) && len(list) > 1 {
			return Refuse("values of type '%s' have no order: the result depends on how Python sorts", TypeName(keys[i]))
		}
		pairs[i] = pair{keys[i], list[i]}
	}
	sort.SliceStable(pairs, func(i, j int) bool {
		x, y := pairs[i].key, pairs[j].key
		if down {
			x, y = y, x
		}
		c, e := py.threeWay(x, y)
		err = cmp.Or(err, e)
		return c < 0
	})
	for i, p := range pairs {
		list[i] = p.value
	}
	return err
}

// threeWay compares two values for sorting.
func (py *Library) threeWay(x, y Value) (int, error) {
	if err := py.work(1); err != nil {
		return equal, err
	}
	if before, err := py.inOrder("<", x, y); before || err != nil {
		return less, err
	}
	after, err := py.inOrder("<", y, x)
	if after {
		return greater, err
	}
	return equal, err
}

// sum adds values from the first to the last. Floats are added with a correction of the rounding errors, as Python does
// since 3.12.
func (py *Library) sum(x, start Value) (Value, error) {
	var total Value = Int(0)
	if start != nil {
		total = start
	}
	if _, ok := total.(Str); ok {
		return nil, TypeError("sum() can't sum strings [use ''.join(seq) instead]")
	}
	list, isSet := x.(*Set)
	if isSet {
		x = Tuple(list.keys())
	}
	it, err := py.Iterate(x)
	if err != nil {
		return nil, err
	}
	for {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return total, err
		}
		if isSet && TypeName(v) == "float" && list.Len() > 2 {
			return nil, Refuse("the sum of a set of floats depends on the order of the set: write sum(sorted(...))")
		}
		f, isFloat := total.(Float)
		if _, isNumber := asFloat(v); isFloat && isNumber {
			return py.sumFloats(it, float64(f), v)
		}
		if total, err = py.add(total, v); err != nil {
			return nil, err
		}
	}
}

// add returns a + b, also for values of the algebra.
func (py *Library) add(a, b Value) (Value, error) {
	_, isForeign := a.(Foreign)
	_, alsoForeign := b.(Foreign)
	if py.Other != nil && (isForeign || alsoForeign) {
		return py.Other("+", a, b)
	}
	return py.Binary("+", a, b)
}

// sumFloats adds v and the numbers that follow by Neumaier's method: rest is the sum of the rounding errors.
func (py *Library) sumFloats(it *Iterator, total float64, v Value) (Value, error) {
	rest := 0.0
	sum := func() Float {
		if rest != 0 && rest-rest == 0 {
			return Float(total + rest)
		}
		return floatOf(total, total)
	}
	for ok := true; ok; {
		if n, isInt := asInt(v); isInt {
			total = float64(floatOf(total+float64(n), total))
		} else if f, isFloat := v.(Float); isFloat {
			total, rest = addFloat(total, rest, float64(f))
		} else {
			next, err := py.add(sum(), v)
			if err != nil {
				return nil, err
			}
			return py.sum(it, next)
		}
		var err error
		if v, ok, err = it.Next(); err != nil {
			return nil, err
		}
	}
	return sum(), nil
}

func addFloat(total, rest, x float64) (newTotal, newRest float64) {
	t := float64(floatOf(total+x, total, x))
	if max(total, -total) >= max(x, -x) {
		return t, rest + ((total - t) + x)
	}
	return t, rest + ((x - t) + total)
}
