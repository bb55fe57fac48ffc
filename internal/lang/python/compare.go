package python

import (
	"cmp"
	"math"
	"strings"
)

// Truth reports whether a value counts as true.
func (py *Library) Truth(v Value) (bool, error) {
	switch v := v.(type) {
	case Float:
		return v != 0, nil
	case Int:
		return v != 0, nil
	case Bool:
		return bool(v), nil
	case None:
		return false, nil
	case Foreign:
		if py.Other == nil {
			return true, nil
		}
		b, err := py.Other("bool", v, nil)
		t, _ := b.(Bool)
		return bool(t), err
	}
	if n, err := py.length(v); err == nil {
		return n > 0, nil
	}
	return true, nil
}

// Compare returns a OP b, for == != < <= > >= in, not in, is, is not.
func (py *Library) Compare(op string, a, b Value) (Value, error) {
	switch op {
	case "==", "!=":
		same, err := py.equal(a, b)
		return Bool(same == (op == "==")), err
	case "is", "is not":
		same, err := identical(a, b)
		return Bool(same == (op == "is")), err
	case "in", "not in":
		has, err := py.contains(b, a)
		return Bool(has == (op == "in")), err
	}
	is, err := py.inOrder(op, a, b)
	return Bool(is), err
}

// identical reports whether a is b. CPython may or may not keep two equal numbers or texts as one object: then the
// question is refused.
func identical(a, b Value) (bool, error) {
	switch x := a.(type) {
	case None, Bool, Class, Module, *List, *Dict, *Set, *Iterator, Function:
		return sameType(a, b) && a == b, nil
	case Int:
		y, ok := b.(Int)
		if ok && x == y && (x < -5 || x > 256) {
			return false, Refuse("whether two integers %d are one object depends on Python: write ==", x)
		}
		return ok && x == y, nil
	}
	if sameType(a, b) {
		return false, Refuse("whether two values of type '%s' are one object depends on Python: write ==", TypeName(a))
	}
	return false, nil
}

func sameType(a, b Value) bool { return TypeName(a) == TypeName(b) }

// equal reports whether a == b.
func (py *Library) equal(a, b Value) (bool, error) {
	if c, ok := compareNumbers(a, b); ok {
		return c == equal, nil
	}
	_, isForeign := a.(Foreign)
	_, alsoForeign := b.(Foreign)
	if isForeign || alsoForeign {
		return py.otherEqual(a, b)
	}
	switch x := a.(type) {
	case Tuple, *List, *Dict:
		return py.equalContainers(a, b)
	case Range:
		y, ok := b.(Range)
		return ok && x.equals(y), nil
	case Method:
		y, ok := b.(Method)
		if !ok || x.Name != y.Name {
			return false, nil
		}
		return identical(x.X, y.X)
	}
	if x, ok := asSet(a); ok {
		y, also := asSet(b)
		return also && x.Len() == y.Len() && x.within(y), nil
	}
	return isObject(a) && sameType(a, b) && a == b, nil
}

// equals reports whether two ranges have the same integers.
func (r Range) equals(o Range) bool {
	n := r.Len()
	return n == o.Len() && (n == 0 || r.Start == o.Start && (n == 1 || r.Step == o.Step))
}

// isObject reports whether Go compares values of this type as Python does.
func isObject(v Value) bool {
	switch v.(type) {
	case Str, None, Class, Module, *Iterator, Function:
		return true
	}
	return false
}

// equalContainers compares two tuples, lists or dicts.
func (py *Library) equalContainers(a, b Value) (bool, error) {
	switch x := a.(type) {
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return py.equalElements(x, y)
		}
	case *List:
		if y, ok := b.(*List); ok {
			return py.equalElements(x.Elems, y.Elems)
		}
	case *Dict:
		if y, ok := b.(*Dict); ok {
			return py.equalDicts(x, y)
		}
	}
	return false, nil
}

func (py *Library) otherEqual(a, b Value) (bool, error) {
	if py.Other == nil {
		x, ok := a.(Foreign)
		y, also := b.(Foreign)
		if !ok || !also {
			return false, nil
		}
		s, _ := py.textOf(x)
		t, err := py.textOf(y)
		return s == t, err
	}
	v, err := py.Other("==", a, b)
	t, _ := v.(Bool)
	return bool(t), err
}

// same reports whether two elements are one object or equal, as containers compare them.
func (py *Library) same(a, b Value) (bool, error) {
	if x, ok := a.(*List); ok && x == b {
		return true, nil
	}
	return py.equal(a, b)
}

func (py *Library) equalElements(x, y []Value) (bool, error) {
	if len(x) != len(y) {
		return false, nil
	}
	i, err := py.difference(x, y)
	return i == len(x), err
}

// difference returns the first index at which two sequences differ.
func (py *Library) difference(x, y []Value) (int, error) {
	if err := py.Enter(); err != nil {
		return 0, err
	}
	defer py.Leave()
	n := min(len(x), len(y))
	for i := range n {
		if err := py.work(1); err != nil {
			return 0, err
		}
		same, err := py.same(x[i], y[i])
		if err != nil || !same {
			return i, err
		}
	}
	return n, nil
}

func (py *Library) equalDicts(x, y *Dict) (bool, error) {
	if x.Len() != y.Len() {
		return false, nil
	}
	if err := py.Enter(); err != nil {
		return false, err
	}
	defer py.Leave()
	for _, e := range x.entries {
		if e.gone {
			continue
		}
		other, ok := y.get(e.hash)
		if !ok {
			return false, nil
		}
		if same, err := py.same(e.value, other); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// The results of a comparison. nan is unordered.
const (
	less      = -1
	equal     = 0
	greater   = 1
	unordered = 2
)

// compareNumbers compares two numbers exactly; ok is false if one is no number.
func compareNumbers(a, b Value) (c int, ok bool) {
	x, isInt := asInt(a)
	y, alsoInt := asInt(b)
	if isInt && alsoInt {
		return cmp.Compare(x, y), true
	}
	f, ok := asFloat(a)
	g, also := asFloat(b)
	switch {
	case !ok || !also:
		return 0, false
	case f != f || g != g:
		return unordered, true
	case isInt:
		return compareFloat(x, g), true
	case alsoInt:
		return -compareFloat(y, f), true
	}
	return cmp.Compare(f, g), true
}

// compareFloat compares an integer with a float, also where the integer is no float.
func compareFloat(n int64, f float64) int {
	switch {
	case f >= -minInt:
		return less
	case f < minInt:
		return greater
	}
	whole := math.Floor(f)
	if c := cmp.Compare(n, int64(whole)); c != equal {
		return c
	}
	return cmp.Compare(whole, f)
}

// inOrder returns a OP b for < <= > >=.
func (py *Library) inOrder(op string, a, b Value) (bool, error) {
	if c, ok := compareNumbers(a, b); ok {
		return holds(op, c), nil
	}
	switch x := a.(type) {
	case Str:
		if y, ok := b.(Str); ok {
			return holds(op, strings.Compare(string(x), string(y))), nil
		}
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return py.orderedElements(op, x, y)
		}
	case *List:
		if y, ok := b.(*List); ok {
			return py.orderedElements(op, x.Elems, y.Elems)
		}
	}
	return py.inOrderOthers(op, a, b)
}

// inOrderOthers compares sets, which are less than their supersets, and values of the algebra.
func (py *Library) inOrderOthers(op string, a, b Value) (bool, error) {
	x, isSet := asSet(a)
	y, alsoSet := asSet(b)
	if isSet && alsoSet {
		if op[0] == '>' {
			x, y = y, x
		}
		return x.within(y) && (len(op) == 2 || x.Len() < y.Len()), nil
	}
	_, isForeign := a.(Foreign)
	_, alsoForeign := b.(Foreign)
	if py.Other != nil && (isForeign || alsoForeign) {
		v, err := py.Other(op, a, b)
		t, _ := v.(Bool)
		return bool(t), err
	}
	return false, TypeError("'%s' not supported between instances of '%s' and '%s'", op, TypeName(a), TypeName(b))
}

func (py *Library) orderedElements(op string, x, y []Value) (bool, error) {
	i, err := py.difference(x, y)
	if err != nil {
		return false, err
	}
	if i < len(x) && i < len(y) {
		return py.inOrder(op, x[i], y[i])
	}
	return holds(op, cmp.Compare(len(x), len(y))), nil
}

// holds reports whether the result of a comparison satisfies an operator.
func holds(op string, c int) bool {
	switch {
	case c == unordered || c == -unordered:
		return false
	case c == equal:
		return len(op) == 2
	case c < 0:
		return op[0] == '<'
	}
	return op[0] == '>'
}

// contains reports whether x in container.
func (py *Library) contains(container, x Value) (bool, error) {
	switch c := container.(type) {
	case Str:
		s, ok := x.(Str)
		if !ok {
			return false, TypeError("'in <string>' requires string as left operand, not %s", TypeName(x))
		}
		return strings.Contains(string(c), string(s)), nil
	case Range:
		h, err := py.hash(x)
		n, ok := h.(int64) // also for 3.0 and True
		return err == nil && ok && c.has(n), nil
	case *Dict:
		return py.hasKey(&c.table, x)
	case Int, Float, Bool, None:
		return false, TypeError("argument of type '%s' is not iterable", TypeName(container))
	}
	if s, ok := asSet(container); ok {
		if k, isSet := x.(*Set); isSet && !k.Frozen && TypeName(container) == "set" {
			x = &Set{k.table, true} // Python converts the set to a frozenset
		}
		return py.hasKey(&s.table, x)
	}
	return py.yields(container, x)
}

// yields reports whether one of the elements of a value equals x.
func (py *Library) yields(container, x Value) (bool, error) {
	it, err := py.Iterate(container)
	if err != nil {
		return false, err
	}
	for {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return false, err
		}
		if same, err := py.same(v, x); err != nil || same {
			return same, err
		}
	}
}

func (py *Library) hasKey(t *table, x Value) (bool, error) {
	h, err := py.hash(x)
	if err != nil {
		return false, err
	}
	_, ok := t.at[h]
	return ok, nil
}
