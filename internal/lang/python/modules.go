package python

import "slices"

// moduleRows are the functions of the modules functools, itertools and operator that programs of layouts use.
var moduleRows = rowsOf(moduleList)

var moduleList = []namedRow{
	{"functools.reduce", &builtin{"f x start?", func(py *Library, a []Value) (Value, error) {
		it, err := py.Iterate(a[1])
		if err != nil {
			return nil, err
		}
		total := a[2]
		for {
			v, ok, err := it.Next()
			switch {
			case err != nil:
				return nil, err
			case !ok && total == nil:
				return nil, TypeError("reduce() of empty iterable with no initial value")
			case !ok:
				return total, nil
			case total == nil:
				total = v
				continue
			}
			if total, err = py.apply(a[0], total, v); err != nil {
				return nil, err
			}
		}
	}}},
	{"itertools.product", &builtin{"*repeat= ...", func(py *Library, a []Value) (Value, error) { return py.product(a) }}},
	{"itertools.accumulate", &builtin{"x f? *initial=", func(py *Library, a []Value) (Value, error) { return py.accumulate(a) }}},
	{"itertools.count", &builtin{"start= step=", func(py *Library, a []Value) (Value, error) {
		var next, step Value = Int(0), Int(1)
		if a[0] != nil {
			next = a[0]
		}
		if a[1] != nil {
			step = a[1]
		}
		return &Iterator{Name: "count", Next: func() (Value, bool, error) {
			v := next
			err := py.work(1)
			if err == nil {
				next, err = py.Binary("+", v, step)
			}
			return v, err == nil, err
		}}, nil
	}}},
	{"itertools.repeat", &builtin{"x times=", func(py *Library, a []Value) (Value, error) {
		n, err := integer(a[1], maxInt)
		return py.iterator("repeat", func(i int) (Value, bool) { return a[0], int64(i) < n }), err
	}}},
	{"operator.add", operatorRow("+")},
	{"operator.sub", operatorRow("-")},
	{"operator.mul", operatorRow("*")},
	{"operator.floordiv", operatorRow("//")},
	{"operator.mod", operatorRow("%")},
	{"operator.truediv", operatorRow("/")},
	{"operator.pow", operatorRow("**")},
	{"operator.and_", operatorRow("&")},
	{"operator.or_", operatorRow("|")},
	{"operator.xor", operatorRow("^")},
	{"operator.lshift", operatorRow("<<")},
	{"operator.rshift", operatorRow(">>")},
}

// operatorRow returns an operator as a function.
func operatorRow(op string) *builtin {
	return &builtin{"x y", func(py *Library, a []Value) (Value, error) {
		_, isForeign := a[0].(Foreign)
		_, alsoForeign := a[1].(Foreign)
		if py.Other != nil && (isForeign || alsoForeign) {
			return py.Other(op, a[0], a[1])
		}
		return py.Binary(op, a[0], a[1])
	}}
}

// product returns an iterator over all tuples of an element of each value; the last element changes first.
func (py *Library) product(a []Value) (Value, error) {
	n, err := integer(a[0], 1)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, ValueError("repeat argument cannot be negative")
	}
	var lists [][]Value
	for _, x := range a[1:] {
		list, err := py.elements(x)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	if int64(len(lists))*min(n, maxDepth+1) > maxDepth {
		return nil, Refuse("a product of more than %d factors is not run", maxDepth)
	}
	lists = slices.Repeat(lists, int(n))
	at := make([]int, len(lists))
	done := slices.ContainsFunc(lists, func(l []Value) bool { return len(l) == 0 })
	return &Iterator{Name: "product", Next: func() (Value, bool, error) {
		if done {
			return nil, false, nil
		}
		t := make(Tuple, len(lists))
		for i, list := range lists {
			t[i] = list[at[i]]
		}
		done = true
		for i := len(at) - 1; i >= 0 && done; i-- {
			if at[i]++; at[i] == len(lists[i]) {
				at[i] = 0
			} else {
				done = false
			}
		}
		return t, true, py.work(1 + len(t))
	}}, nil
}

// accumulate returns an iterator over the partial sums.
func (py *Library) accumulate(a []Value) (Value, error) {
	it, err := py.Iterate(a[0])
	if err != nil {
		return nil, err
	}
	total := a[2]
	first := !isNone(total)
	if !first {
		total = nil
	}
	return &Iterator{Name: "accumulate", Next: func() (Value, bool, error) {
		if first {
			first = false
			return total, true, nil
		}
		v, ok, err := it.Next()
		switch {
		case err != nil || !ok:
			return nil, false, err
		case total == nil:
			total = v
		case isNone(a[1]):
			total, err = py.add(total, v)
		default:
			total, err = py.apply(a[1], total, v)
		}
		return total, err == nil, err
	}}, nil
}
